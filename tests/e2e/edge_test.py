#!/usr/bin/env python3
# Goal: no request hides in another one, only what is meant for the appliance is taken, and no page
#   of another site acts in a person's name.
# Method: the real appliance; raw bytes over TLS for what no client library sends, headers as
#   browsers send them. usage: edge_test.py FOLDER_OF_PROGRAMS
import http.client
import json
import socket
import ssl
import sys

from appliance import Appliance
from facts import events, WHEEL, hold, new_key


def run(facts, edit_config=None):
    """One appliance for all facts, with its configuration edited."""
    with Appliance(sys.argv[1], edit_config) as appliance:
        appliance.start()
        failed = hold(facts, appliance)
        if appliance.process.poll() is not None or failed:
            failed += 1
            print(f"--- the daemon's log\n{appliance.log()[-4000:]}")
    sys.exit(1 if failed else 0)


def metric(appliance, name, **labels):
    wanted = name + (
        "{" + ",".join(f'{key}="{value}"' for key, value in labels.items()) + "}" if labels else ""
    )
    for line in appliance.health("/metrics")[1].splitlines():
        if line.startswith(wanted + " "):
            return float(line.split()[-1])
    raise AssertionError(f"/metrics has no {wanted}")


def connect(port, source="127.0.0.1"):
    return socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(source, 0))


class Raw:
    """Bytes to the API over TLS, and all that comes back until the connection ends."""

    def __init__(self, appliance, client_id="talla:table-1"):
        self.context, self.port = appliance.client(client_id).context, appliance.port

    def answers(self, data):
        with self.context.wrap_socket(connect(self.port), server_hostname="localhost") as wrapped:
            wrapped.sendall(data)
            text = b""
            while True:
                try:
                    piece = wrapped.recv(65536)
                except (ConnectionError, ssl.SSLError):
                    break
                if not piece:
                    break
                text += piece
        return text

    def refused(self, data, status, code):
        text = self.answers(data)
        assert (
            text.startswith(f"HTTP/1.1 {status} ".encode()) and text.count(b"Content-Length: ") == 1
        ), (data, text)
        head, body = text.split(b"\r\n\r\n", 1)
        problem = json.loads(body)
        assert (
            problem["code"] == code and problem["status"] == status and problem["detail"]
        ), problem
        assert b"Connection: close" in head, (data, text)
        return problem


def opening(fields, body=b"", method="POST", path="/v1/tables", key=None):
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Idempotency-Key: {key or new_key()}\r\n"
    )
    return head.encode() + fields + b"\r\n" + body


def tables_opened(appliance):
    records = [json.loads(event["record"]) for event in events(appliance.client("talla:auditor-1"))]
    return sum(record["kind"] == "TABLE_OPEN" for record in records)


def no_request_hides_in_another_one(appliance):
    raw = Raw(appliance)
    before = tables_opened(appliance)
    table = json.dumps(WHEEL).encode()
    hidden = opening(f"Content-Length: {len(table)}\r\n".encode(), table)
    length = f"Content-Length: {len(hidden)}\r\n".encode()
    chunked = b"Transfer-Encoding: chunked\r\n"
    cases = [
        length + b"Content-Length: 0\r\n",
        b"Content-Length: 0\r\n" + length,
        length + length,
        length + chunked,
        chunked + length,
        chunked + chunked,
        b"Content-Length : 0\r\n",
        b"Transfer-Encoding : chunked\r\n",
        b"Transfer-Encoding:\x0bchunked\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Transfer-Encoding: identity\r\n",
        b"Transfer-Encoding: chunked, identity\r\n",
        b"X: y\r\n Transfer-Encoding: chunked\r\n",
        b"X: y\r\n\tContent-Length: 0\r\n",
        b"Content-Length: 0, 0\r\n",
        b"Content-Length: +0\r\n",
        b"Content-Length: 0x0\r\n",
        b"Content-Length: \r\n",
        b"X: y\nContent-Length: 0\r\n",
        b"X: y\rContent-Length: 0\r\n",
        b"X: \x00\r\n",
        b"Host: localhost\r\n",
        b"Idempotency-Key: other\r\n",
        b"Content-Type: application/json\r\n",
    ]
    for fields in cases:
        raw.refused(opening(fields, hidden), 400, "malformed_http")
    for line in (
        b"POST /v1/tables HTTP/1.1\r\n",
        b"POST /v1/tables\r\nHost: localhost\r\n",
        b"POST  /v1/tables HTTP/1.1\r\nHost: localhost\r\n",
        b"POST /v1/tables HTTP/2.0\r\nHost: localhost\r\n",
        b"\r\nPOST /v1/tables HTTP/1.1\r\nHost: localhost\r\n",
        b"POST https://localhost/v1/tables HTTP/1.1\r\nHost: localhost\r\n",
        b"POST /v1/tables HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n",
    ):
        raw.refused(line + length + b"\r\n" + hidden, 400, "malformed_http")
    assert tables_opened(appliance) == before, "one of them was carried out"
    assert metric(appliance, "talla_requests_malformed_total", listener="api") >= len(cases)


def a_chunked_body_ends_where_it_says(appliance):
    body = json.dumps(WHEEL).encode()
    chunks = (
        b"5\r\n"
        + body[:5]
        + b"\r\n"
        + f"{len(body) - 5:x}".encode()
        + b"\r\n"
        + body[5:]
        + b"\r\n0\r\n\r\n"
    )
    behind = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    text = Raw(appliance).answers(opening(b"Transfer-Encoding: chunked\r\n", chunks) + behind)
    assert (
        text.startswith(b"HTTP/1.1 201 ")
        and text.count(b"HTTP/1.1 ") == 2
        and text.endswith(b"alive\n")
    ), text
    reply = json.loads(text.split(b"\r\n\r\n", 1)[1].split(b"HTTP/1.1 ")[0])
    appliance.client().post(f"/v1/tables/{reply['table']['id']}/close")
    for wrong in (
        b"g\r\n",
        b"5 \r\nhello\r\n0\r\n\r\n",
        b"-1\r\n",
        b"fffffffffffffffff\r\n",
        b"5\r\nhelloXX0\r\n\r\n",
    ):
        text = Raw(appliance).answers(opening(b"Transfer-Encoding: chunked\r\n", wrong + behind))
        assert text.startswith(b"HTTP/1.1 4") and text.count(b"HTTP/1.1 ") == 1, (wrong, text)


def a_host_that_is_not_ours_is_told_what_is(appliance):
    raw = Raw(appliance)
    for host in ("evil.example", "localhost.evil.example", "10.1.2.3:8443", "localhost:port"):
        problem = raw.refused(
            f"GET /v1/status HTTP/1.1\r\nHost: {host}\r\n\r\n".encode(), 421, "misdirected_request"
        )
        assert "localhost" in problem["detail"], problem
    for host in ("localhost", f"LOCALHOST:{appliance.port}"):
        text = raw.answers(
            f"GET /livez HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
        )
        assert text.startswith(b"HTTP/1.1 200"), text
    with connect(appliance.health_port) as health:  # a name that somebody made lead to this machine
        health.sendall(b"GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        assert health.recv(4096).startswith(b"HTTP/1.1 421")
    assert metric(appliance, "talla_requests_misdirected_total", listener="health") == 1


def ask(appliance, method, path, client_id="talla:table-1", body=None, **fields):
    client = appliance.client(client_id)
    connection = http.client.HTTPSConnection(
        "localhost", appliance.port, context=client.context, timeout=20
    )
    headers = {name.replace("_", "-"): value for name, value in fields.items()}
    connection.request(method, path, body, headers)
    reply = connection.getresponse()
    text = reply.read()
    connection.close()
    return reply, text


def a_command_says_that_it_is_json(appliance):
    size = appliance.client().get("/v1/status")["size"]
    body = json.dumps(WHEEL)
    for kind in (
        None,
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "text/plain; application/json",
        "",
    ):
        fields = {"Idempotency_Key": new_key(), **({} if kind is None else {"Content_Type": kind})}
        reply, text = ask(appliance, "POST", "/v1/tables", body=body, **fields)
        assert reply.status == 415 and json.loads(text)["code"] == "unsupported_media_type", (
            kind,
            text,
        )
        assert reply.headers["Accept"] == "application/json" and b"application/json" in text
    assert appliance.client().get("/v1/status")["size"] == size
    for kind in ("application/json", "Application/JSON; charset=utf-8"):
        reply, text = ask(
            appliance, "POST", "/v1/tables", body=body, Idempotency_Key=new_key(), Content_Type=kind
        )
        assert reply.status == 201, text
        appliance.client().post(f"/v1/tables/{json.loads(text)['table']['id']}/close")


def a_page_of_another_site_does_nothing_in_a_persons_name(appliance):
    size = appliance.client().get("/v1/status")["size"]
    own = f"https://localhost:{appliance.port}"
    body = json.dumps({"act": "latch-reset"})
    officer = "talla:officer-1"
    for fields in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:" + str(appliance.port)},
        {"Origin": "https://localhost"},
        {"Origin": own + "0"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Origin": own, "Sec_Fetch_Site": "cross-site"},
        {
            "Sec_Fetch_Site": "cross-site",
            "Sec_Fetch_Mode": "navigate",
            "Sec_Fetch_Dest": "document",
        },
    ):
        for method, path in (
            ("POST", "/v1/generator/latch"),
            ("POST", "/v1/acts"),
            ("GET", "/v1/status"),
            ("GET", "/metrics"),
        ):
            reply, text = ask(
                appliance,
                method,
                path,
                officer,
                body if method == "POST" else None,
                Idempotency_Key=new_key(),
                Content_Type="application/json",
                **fields,
            )
            assert reply.status == 403 and json.loads(text)["code"] == "cross_site", (
                fields,
                method,
                path,
                text,
            )
    assert (
        appliance.client().get("/v1/status")["size"] == size
        and appliance.health("/readyz")[0] == 200
    )
    for fields in (
        {"Origin": own, "Sec_Fetch_Site": "same-origin"},
        {"Sec_Fetch_Site": "none"},
        {},
    ):
        assert ask(appliance, "GET", "/v1/status", officer, **fields)[0].status == 200, fields
    link = {
        "Sec_Fetch_Site": "cross-site",
        "Sec_Fetch_Mode": "navigate",
        "Sec_Fetch_Dest": "document",
    }
    assert (
        ask(appliance, "GET", "/web/index.html", officer, **link)[0].status == 200
    ), "somebody may follow a link to a page"
    assert (
        ask(appliance, "GET", "/web/index.html", officer, **{**link, "Sec_Fetch_Dest": "iframe"})[
            0
        ].status
        == 403
    )


def other_methods_are_told_which_are_taken(appliance):
    for method, path, allowed in (
        ("DELETE", "/v1/tables", {"GET", "POST"}),
        ("PUT", "/v1/draws", {"POST"}),
        ("POST", "/v1/status", {"GET"}),
        ("POST", "/livez", {"GET"}),
        ("PUT", "/openapi.json", {"GET"}),
        ("POST", "/web/index.html", {"GET"}),
        ("DELETE", "/", {"GET"}),
    ):
        reply, text = ask(
            appliance,
            method,
            path,
            body="{}" if method == "POST" else None,
            Content_Type="application/json",
            Idempotency_Key=new_key(),
        )
        assert reply.status == 405 and json.loads(text)["code"] == "method_not_allowed", (
            method,
            path,
            text,
        )
        assert set(reply.headers["Allow"].split(", ")) == allowed, (
            method,
            path,
            reply.headers["Allow"],
        )
    with connect(appliance.health_port) as health:
        health.sendall(
            b"POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
            b"Connection: close\r\n\r\n"
        )
        text = health.recv(4096)
        assert text.startswith(b"HTTP/1.1 405") and b"Allow: GET\r\n" in text, text


if __name__ == "__main__":
    run(
        [
            no_request_hides_in_another_one,
            a_chunked_body_ends_where_it_says,
            a_host_that_is_not_ours_is_told_what_is,
            a_command_says_that_it_is_json,
            a_page_of_another_site_does_nothing_in_a_persons_name,
            other_methods_are_told_which_are_taken,
        ]
    )
