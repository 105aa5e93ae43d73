#!/usr/bin/env python3
# Goal: nobody keeps the others out of a listener: not by silence, not by many connections, not by
#   many streams, not by asking again and again.
# Method: the real appliance with each listener; attacks of bounded size over loopback, each while
#   100 tables play on, every one of whose requests must succeed. p99 is printed, and how many times
#   that is what it was without an attack; neither is judged.
#   usage: crowd_test.py FOLDER_OF_PROGRAMS
import base64
import collections
import contextlib
import hashlib
import http.client
import resource
import secrets
import ssl
import sys
import threading
import time

from calls import draw_body
from appliance import Appliance, free_ports
from edge_test import connect, metric
from facts import WHEEL, hold, new_batch, open_table, wait_for

STRANGER_SECONDS = 2
STRANGERS = 128
HANDSHAKES = 20  # a second of one address
TABLES = 100
OWNERS = ("talla:table-1", "talla:table-of-the-crowd")  # of one client 64 are open at most
GREEDY = "talla:table-of-streams"
ALONE_SECONDS = 5
THREADS = 4
PHONES = 64
PUBLIC_PORT = free_ports(1)[0]


def edited(text):
    limits = f"[limits]\nstranger_seconds = {STRANGER_SECONDS}\nstreams = 24\n" \
        f"strangers = {STRANGERS}\nhandshakes_per_address = {HANDSHAKES}\n"
    public = f"\n[public]\nenabled = true\nport = {PUBLIC_PORT}\n"
    return text.replace("[limits]\n", limits) + public


def one_draw(client, table):
    """A batch; who is told that the noise is behind asks again, as the reply says."""
    while True:
        try:
            return new_batch(client, table, 1)
        except AssertionError as error:
            if "entropy_not_ready" not in str(error):
                raise
            time.sleep(0.2)


class Play:
    """Tables that play in threads until the block ends, each draw over a connection of its own."""

    alone = None  # p99 without an attack, seconds

    def __init__(self, appliance, name):
        self.appliance, self.name = appliance, name
        self.over, self.times, self.failures = threading.Event(), [], []

    def __enter__(self):
        self.tables = []
        for owner in OWNERS:
            client = self.appliance.client(owner)
            self.tables += [(owner, open_table(client, WHEEL))
                            for _ in range(TABLES // len(OWNERS))]
            client.close()
        self.threads = [
            threading.Thread(target=self.play, args=(self.tables[i::THREADS],))
            for i in range(THREADS)
        ]
        for thread in self.threads:
            thread.start()
        return self

    def play(self, tables):
        turns = 0
        while not self.over.is_set() or turns < len(tables):
            owner, table = tables[turns % len(tables)]
            turns += 1
            client = self.appliance.client(owner, timeout=60)
            begun = time.monotonic()
            try:
                client.post("/v1/draws", draw_body(client, table, one_draw(client, table)))
            except Exception as error:  # noqa: BLE001: whatever kept it from playing is told
                self.failures.append(f"{table}: {error!r}")
            finally:
                client.close()
            self.times.append(time.monotonic() - begun)

    def __exit__(self, kind, *_):
        self.over.set()
        for thread in self.threads:
            thread.join()
        for owner in OWNERS:
            client = self.appliance.client(owner)
            for _, table in [one for one in self.tables if one[0] == owner]:
                client.post(f"/v1/tables/{table}/close")
            client.close()
        if kind is None:
            assert not self.failures, (len(self.failures), len(self.times), self.failures[:3])
            assert len(self.times) >= TABLES, self.times
        p99 = sorted(self.times)[len(self.times) * 99 // 100]
        Play.alone = Play.alone or p99
        print(
            f"{self.name}: {len(self.times)} draws of {TABLES} tables, each over a new connection, "
            f"p99 {p99 * 1000:.0f} ms, {p99 / Play.alone:.2f} times that of no attack"
        )


def tables_play_beside_nobody(appliance):
    """What the others are compared with."""
    with Play(appliance, "no attack"):
        time.sleep(ALONE_SECONDS)


def silent_callers_keep_nobody_out(appliance):
    late = metric(appliance, "talla_strangers_late_total", listener="api")
    with contextlib.ExitStack() as held, Play(appliance, "1,200 silent callers"):
        for i in range(1200):  # of the tables' own address, and of others
            held.enter_context(
                connect(appliance.port, ("127.0.0.1", "127.0.0.9", "127.0.1.1")[i % 3])
            )
        time.sleep(STRANGER_SECONDS + 1)
    assert metric(appliance, "talla_strangers_cut_total", listener="api") >= 1200 - STRANGERS
    assert metric(appliance, "talla_strangers_late_total", listener="api") > late
    assert metric(appliance, "talla_strangers", listener="api") == 0


def a_handshake_that_trickles_is_cut_in_its_time(appliance):
    late = metric(appliance, "talla_strangers_late_total", listener="api")
    with Play(appliance, "a handshake that trickles"), connect(appliance.port) as trickling:
        trickling.settimeout(0.2)
        end = time.monotonic() + 60
        cut = False
        for byte in b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(600):
            try:
                trickling.sendall(bytes([byte]))
                cut = trickling.recv(1) == b""
            except TimeoutError:
                pass
            except OSError:
                cut = True
            if cut or time.monotonic() > end:
                break
        assert cut, "a byte now and then kept the connection"
    assert metric(appliance, "talla_strangers_late_total", listener="api") == late + 1


def handshakes_without_a_certificate_leave_the_processor_to_others(appliance):
    """What costs a signature is begun so often by one address, and no more: of the address of the
    attack alone. The tables' own handshakes, which end with a certificate, are not counted."""
    stranger = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    stranger.check_hostname, stranger.verify_mode = False, ssl.CERT_NONE
    refused = metric(appliance, "talla_handshakes_refused_total", listener="api")
    answered, begun = 0, time.monotonic()
    with Play(appliance, "1,000 handshakes without a certificate") as play:
        for _ in range(1000):
            raw = connect(appliance.port, "127.0.0.9")
            try:
                stranger.wrap_socket(raw, server_hostname="localhost").close()
                answered += 1
            except OSError:
                raw.close()
        seconds = time.monotonic() - begun
    assert not play.failures
    # The burst, what came in the meantime, and one that was on its way.
    assert 10 * HANDSHAKES <= answered <= HANDSHAKES * (10 + seconds) + 1, (answered, seconds)
    counted = metric(appliance, "talla_handshakes_refused_total", listener="api") - refused
    assert counted == 1000 - answered, (counted, answered)


def stream(appliance, client_id, raw=None):
    """An event stream's socket and the status that it got."""
    client = appliance.client(client_id)
    wrapped = client.context.wrap_socket(
        raw or connect(appliance.port), server_hostname="localhost"
    )
    wrapped.sendall(
        b"GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
    )
    text = b""
    while b"\r\n\r\n" not in text:
        piece = wrapped.recv(4096)
        if not piece:
            return wrapped, 0
        text += piece
    return wrapped, int(text.split()[1])


def streams_of_one_client_leave_room_for_others(appliance):
    with contextlib.ExitStack() as held, Play(appliance, "1,020 event streams of one table"):
        found = []
        for i in range(1020):
            one, status = stream(
                appliance,
                GREEDY,
                connect(appliance.port, ("127.0.0.1", "127.0.0.9")[i % 2]),
            )
            held.enter_context(one)
            found.append(status)
        assert found.count(200) == 8 and set(found) == {200, 429}, found
        other, status = stream(appliance, "talla:operator-1")
        held.enter_context(other)
        assert status == 200
    assert metric(appliance, "talla_streams_refused_total", listener="api", share="client") >= 1012
    wait_for(
        "streams that are over are counted out",
        lambda: metric(appliance, "talla_streams", listener="api") == 0,
    )


def connections_of_one_client_leave_room_for_others(appliance):
    with contextlib.ExitStack() as held, Play(appliance, "300 connections of one client"):
        for _ in range(300):
            client = appliance.client("talla:auditor-1")
            held.callback(client.close)
            assert client.send("GET", "/v1/checkpoint")[0] == 200
    assert (
        metric(appliance, "talla_connections_cut_total", listener="api", share="client") >= 300 - 64
    )
    again = appliance.client("talla:auditor-1")
    assert again.send("GET", "/v1/checkpoint")[0] == 200
    again.close()


def a_client_whose_requests_all_wait_is_told_so(appliance):
    with contextlib.ExitStack() as held, Play(appliance, "a client whose requests all wait"):
        statuses = []
        for _ in range(8):
            one, status = stream(appliance, "talla:auditor-1")
            held.enter_context(one)
            statuses.append(status)
        assert statuses == [200] * 8, statuses
        refused, status = stream(appliance, "talla:auditor-1")
        held.enter_context(refused)
        assert status == 429
    wait_for("streams are over", lambda: metric(appliance, "talla_streams", listener="api") == 0)


def the_health_page_answers_beside_silent_callers(appliance):
    with contextlib.ExitStack() as held, Play(appliance, "300 silent callers of the health page"):
        for _ in range(300):
            held.enter_context(connect(appliance.health_port))
            assert appliance.health("/livez")[0] == 200
        for _ in range(80):  # answered once, and held on
            one = held.enter_context(connect(appliance.health_port))
            one.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert one.recv(4096).startswith(b"HTTP/1.1 200")
        assert appliance.health("/readyz")[0] == 200
    ended = sum(metric(appliance, f"talla_strangers_{how}_total", listener="health")
                for how in ("cut", "late"))  # for others, or their time was over first
    assert ended >= 300 - STRANGERS, ended


def the_public_page_answers_beside_silent_callers(appliance):
    context = ssl.create_default_context(cafile=f"{appliance.folder}/ca.pem")

    def ask(raw=None):
        wrapped = context.wrap_socket(raw or connect(PUBLIC_PORT), server_hostname="localhost")
        wrapped.sendall(b"GET /v1/checkpoint HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return wrapped, wrapped.recv(4096).split()[1]

    with contextlib.ExitStack() as held, Play(appliance, "380 callers of the public page"):
        for _ in range(300):
            held.enter_context(connect(PUBLIC_PORT))
        for i in range(80):  # answered once, and held on
            one, status = ask(connect(PUBLIC_PORT, f"127.0.0.{i + 1}"))
            held.enter_context(one)
            assert status == b"200", status
        with context.wrap_socket(connect(PUBLIC_PORT), server_hostname="localhost") as half:
            half.sendall(b"GET /v1/check")  # a handshake alone makes nobody known
            one, status = ask()
            held.enter_context(one)
            assert status == b"200", status
    assert (
        metric(appliance, "talla_connections_cut_total", listener="public", share="listener")
        >= 80 - 64
    )


class Phone:
    """A seat's phone on the public listener, which asks for its table's calls without a pause."""

    def __init__(self, appliance, client, table, seat):
        self.token = base64.urlsafe_b64encode(secrets.token_bytes(16)).decode().rstrip("=")
        digest = hashlib.sha256(self.token.encode()).hexdigest()
        client.post(f"/v1/tables/{table}/invitations", {"seat": seat, "token": digest})
        self.context = ssl.create_default_context(cafile=f"{appliance.folder}/ca.pem")
        self.path, self.statuses, self.times = f"/v1/tables/{table}", collections.Counter(), []
        self.address = f"127.0.2.{seat}" if seat % 2 else "127.0.3.1"  # half behind one router

    def poll(self, over):
        while not over.is_set():
            connection = http.client.HTTPSConnection(
                "localhost", PUBLIC_PORT, context=self.context, timeout=60,
                source_address=(self.address, 0))
            try:
                while not over.is_set():
                    begun = time.monotonic()
                    connection.request("GET", self.path,
                                       headers={"Authorization": "Bearer " + self.token})
                    reply = connection.getresponse()
                    reply.read()
                    self.statuses[reply.status] += 1
                    self.times.append(time.monotonic() - begun)
            except (OSError, http.client.HTTPException) as error:
                self.statuses[type(error).__name__] += 1
                time.sleep(0.2)
            finally:
                connection.close()


def phones_that_ask_for_calls_leave_the_tables_alone(appliance):
    """64 seats of one table; those behind one router share its connections and its rate."""
    client, over = appliance.client(), threading.Event()
    table = open_table(client, WHEEL)
    phones = [Phone(appliance, client, table, seat) for seat in range(1, PHONES + 1)]
    threads = [threading.Thread(target=phone.poll, args=(over,)) for phone in phones]
    with Play(appliance, f"{PHONES} phones that ask for calls") as play:
        for thread in threads:
            thread.start()
        time.sleep(3)
        wait_for("every phone is answered",
                 lambda: all(phone.statuses[200] for phone in phones), 60)
    over.set()
    for thread in threads:
        thread.join()
    assert not play.failures
    statuses = sum((phone.statuses for phone in phones), collections.Counter())
    assert set(statuses) <= {200, 429, 503, "ConnectionResetError", "RemoteDisconnected",
                             "SSLEOFError", "TimeoutError"}, statuses
    times = sorted(time for phone in phones for time in phone.times)
    print(f"{PHONES} phones: {dict(statuses)}, p99 {times[len(times) * 99 // 100] * 1000:.0f} ms")
    client.post(f"/v1/tables/{table}/close")
    client.close()


def run(facts):
    with Appliance(sys.argv[1], edited) as appliance:
        for name in (OWNERS[1], GREEDY):
            appliance.talla("keys", "client", appliance.folder, name, "--role", "table",
                            check=True)
        appliance.start()
        failed = hold(facts, appliance)
        if appliance.process.poll() is not None or failed:
            failed += 1
            print(f"--- the daemon's log\n{appliance.log()[-4000:]}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8192 if hard == resource.RLIM_INFINITY else min(hard, 8192)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    run(
        [
            tables_play_beside_nobody,
            silent_callers_keep_nobody_out,
            a_handshake_that_trickles_is_cut_in_its_time,
            handshakes_without_a_certificate_leave_the_processor_to_others,
            streams_of_one_client_leave_room_for_others,
            connections_of_one_client_leave_room_for_others,
            a_client_whose_requests_all_wait_is_told_so,
            the_health_page_answers_beside_silent_callers,
            the_public_page_answers_beside_silent_callers,
            phones_that_ask_for_calls_leave_the_tables_alone,
        ]
    )
