#!/usr/bin/env python3
# Goal: health pages, metrics and the event stream say what is so, and a stream that breaks off goes
#   on where it was.
# Method: the plain local listener and the API of one appliance; server-sent events read from the
#   TLS socket as the WHATWG text describes them.
#   usage: pages_test.py FOLDER_OF_PROGRAMS
import json
import re
import socket

from calls import draw_body
from facts import (SHOE, WHEEL, mix_shoe, deal, events, main, new_batch, open_table,
                   refused)


def health_pages_answer_without_a_certificate_and_give_nothing_else(appliance):
    assert appliance.health("/livez") == (200, "alive\n")
    status, text = appliance.health("/readyz")
    ready = json.loads(text)
    assert status == 200 and ready["ready"] is True and ready["reasons"] == [], text
    assert ready["uncertified_source"] is True, (
        "the operating system's source is uncertified, and the page says so")
    for path in ("/v1/status", "/v1/tables", "/openapi.json", "/"):
        status, text = appliance.health(path)
        assert status == 404 and json.loads(text)["code"] == "not_found", f"{path}: {status} {text}"
    status, text = appliance.health("/livez?x")
    assert status == 400 and json.loads(text)["code"] == "malformed_request", text


def the_same_pages_answer_on_the_api(appliance):
    client = appliance.client("talla:operator-1")
    assert client.send("GET", "/livez") == (200, b"alive\n")
    assert client.send("GET", "/readyz")[0] == 200
    assert client.send("GET", "/metrics")[0] == 200


def metrics(appliance):
    status, text = appliance.health("/metrics")
    assert status == 200
    values = {}
    for line in text.splitlines():
        if line.startswith("#"):
            assert re.fullmatch(r"# TYPE [a-z0-9_]+ (counter|gauge)", line), line
            continue
        matched = re.fullmatch(
            r'([a-z0-9_]+(?:\{[a-z_]+="[^"]*"(?:,[a-z_]+="[^"]*")*\})?) ([-+0-9.e]+)', line)
        assert matched, f"no Prometheus line: {line}"
        assert matched[1] not in values, f"twice: {line}"
        values[matched[1]] = float(matched[2])
    return values


def metrics_are_prometheus_text_and_count_what_happens(appliance):
    client = appliance.client()
    before = metrics(appliance)
    table = open_table(client, WHEEL)
    batch = new_batch(client, table)
    for index in range(3):
        client.post("/v1/draws", draw_body(client, table, batch, index))
    refused(client, "POST", "/v1/tables/table-999999/close", 404, "not_found")
    after = metrics(appliance)
    assert after["talla_draws_total"] == before.get("talla_draws_total", 0) + 3, after
    assert after["talla_records_total"] >= before["talla_records_total"] + 8, after
    name = 'talla_refusals_total{code="not_found"}'
    assert after[name] == before.get(name, 0) + 1, after
    assert after['talla_generator_state{state="operational"}'] == 1, after
    assert after["talla_entropy_uncertified_bits_total"] > 0 and \
        after["talla_entropy_certified_bits_total"] == 0, after
    client.post(f"/v1/tables/{table}/close")


def the_status_names_origin_source_and_sealing(appliance):
    status = appliance.client("talla:auditor-1").get("/v1/status")
    assert (status["profile"], status["sealing"],
            status["rollback_protection"]) == ("development", "file", "local"), status
    assert status["generator"]["uncertified"] is True and \
        status["generator"]["construction"] == "system", (status)
    assert status["ready"] is True and status["origin"] == "talla.local/development", status


class Stream:
    """Server-sent events of one client, read from the socket."""

    def __init__(self, appliance, client_id, path="/v1/events", last=None):
        client = appliance.client(client_id)
        raw = socket.create_connection(("127.0.0.1", appliance.port), timeout=10)
        self.socket = client.context.wrap_socket(raw, server_hostname="localhost")
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
        self.socket.sendall((head + (f"Last-Event-ID: {last}\r\n" if last is not None
                                     else "") + "\r\n").encode())
        self.text = b""
        while b"\r\n\r\n" not in self.text:
            self.more()
        self.head, self.text = self.text.split(b"\r\n\r\n", 1)

    def more(self):
        data = self.socket.recv(65536)
        assert data, "the stream ended"
        self.text += data

    def next(self):
        """Id, event and data of the next event."""
        while True:
            while b"\n\n" not in self.text:
                self.more()
            block, self.text = self.text.split(b"\n\n", 1)
            lines = [line for line in block.decode().split("\n") if line and
                     not line.startswith(":")]
            fields = dict(line.split(": ", 1) for line in lines)
            if "data" in fields:  # an id alone says how far the log was looked through
                return int(fields["id"]), fields["event"], fields["data"]

    def take(self, count):
        return [self.next() for _ in range(count)]

    def close(self):
        self.socket.close()


def a_stream_gives_every_record_in_order_with_its_sequence_as_id(appliance):
    size = appliance.client("talla:auditor-1").get("/v1/status")["size"]
    stream = Stream(appliance, "talla:auditor-1")
    assert b"200 OK" in stream.head and b"text/event-stream" in stream.head, stream.head
    found = stream.take(size)
    assert [one[0] for one in found] == list(range(size))
    listed = events(appliance.client("talla:auditor-1"))
    assert [(one["seq"], one["kind"], one["record"]) for one in listed[:size]] == found
    table = open_table(appliance.client(), WHEEL)
    seq, kind, record = stream.next()
    assert (seq, kind, json.loads(record)["seq"]) == (size, "TABLE_OPEN", size), (
        "a new record comes by itself")
    appliance.client().post(f"/v1/tables/{table}/close")
    assert stream.next()[1] == "TABLE_CLOSE"
    stream.close()


def a_broken_stream_goes_on_after_the_last_event_id(appliance):
    stream = Stream(appliance, "talla:auditor-1")
    first = stream.take(4)
    stream.close()
    client = appliance.client()
    table = open_table(client, SHOE)
    deal(client, mix_shoe(client, table)["id"], 0, 3)
    again = Stream(appliance, "talla:auditor-1", last=first[-1][0])
    size = appliance.client("talla:auditor-1").get("/v1/status")["size"]
    rest = again.take(size - 4)
    assert [one[0] for one in first + rest] == list(range(size)), "nothing twice, nothing left out"
    again.close()
    same = Stream(appliance, "talla:auditor-1", path=f"/v1/events?after={first[-1][0]}")
    assert same.take(size - 4) == rest
    same.close()


def a_table_client_streams_its_own_records_only(appliance):
    appliance_wide = {event["seq"] for event in events(appliance.client("talla:auditor-1"))}
    own = events(appliance.client())
    stream = Stream(appliance, "talla:table-1")
    assert [one[0] for one in stream.take(len(own))] == [event["seq"] for event in own]
    assert {event["seq"] for event in own} <= appliance_wide
    stream.close()


def a_stream_that_starts_nowhere_is_refused(appliance):
    for path, last in (("/v1/events?after=x", None), ("/v1/events", "x"),
                       ("/v1/events", "1&limit=2"), ("/v1/events?after=-2", None),
                       ("/v1/events?kind=CARD", None), ("/v1/events?table=7", None),
                       ("/v1/events?such=1", None)):
        stream = Stream(appliance, "talla:auditor-1", path, last)
        assert b" 400 " in stream.head.split(b"\r\n")[0] + b" ", stream.head
        stream.close()


def a_stream_of_one_kind_and_table_holds_no_other(appliance):
    client = appliance.client()
    table = open_table(client, WHEEL)
    for one in (table, open_table(client, WHEEL)):
        client.post("/v1/draws", draw_body(client, one, new_batch(client, one)))
    whole = events(appliance.client("talla:auditor-1"))
    wanted = [one["seq"] for one in whole if one["kind"] == "DRAW" and one["table"] == table]
    assert wanted
    stream = Stream(appliance, "talla:auditor-1", f"/v1/events?kind=DRAW&table={table}")
    assert [one[0] for one in stream.take(len(wanted))] == wanted
    stream.close()


def an_open_stream_does_not_hold_up_the_end(appliance):
    stream = Stream(appliance, "talla:auditor-1")
    stream.next()
    assert appliance.stop(wait=20) == 0
    stream.close()
    appliance.start()


if __name__ == "__main__":
    main([health_pages_answer_without_a_certificate_and_give_nothing_else,
          the_same_pages_answer_on_the_api, metrics_are_prometheus_text_and_count_what_happens,
          the_status_names_origin_source_and_sealing,
          a_stream_gives_every_record_in_order_with_its_sequence_as_id,
          a_broken_stream_goes_on_after_the_last_event_id,
          a_table_client_streams_its_own_records_only, a_stream_that_starts_nowhere_is_refused,
          a_stream_of_one_kind_and_table_holds_no_other,
          an_open_stream_does_not_hold_up_the_end])
