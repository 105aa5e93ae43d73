#!/usr/bin/env python3
# Goal: the running daemon gives entropy to others over the EGD protocol: off by default, refused
#   for an uncertified source unless that is wanted, for its user alone, within its rate, and draws
#   go on whatever clients do.
# Method: one appliance on the operating system's source; real sockets, /metrics, draws beside
#   greedy clients.
#   usage: egd_test.py FOLDER_OF_PROGRAMS
import os
import socket
import stat
import time

from calls import draw_body
from appliance import free_ports
from facts import WHEEL, main, new_batch, open_table

SECTION = ('\n[egd]\nsocket = "egd.sock"\nport = %d\nuncertified = true\nclients = 3\n'
           'bytes_per_second = 20000\n')


def path_of(appliance):
    return f"{appliance.folder}/egd.sock"


def connect(appliance):
    one = socket.socket(socket.AF_UNIX)
    one.settimeout(10)
    one.connect(path_of(appliance))
    return one


def exactly(one, count):
    got = b""
    while len(got) < count:
        piece = one.recv(count - len(got))
        assert piece, f"the connection ended after {len(got)} of {count} bytes"
        got += piece
    return got


def metric(appliance, name):
    for line in appliance.health("/metrics")[1].splitlines():
        if line.startswith(name + " "):
            return float(line.split()[1])
    raise AssertionError(f"/metrics has no {name}")


def an_uncertified_source_is_refused_unless_wanted(appliance):
    wanted = open(appliance.config).read()
    assert not os.path.exists(path_of(appliance)), "off by default"
    assert "talla_egd" not in appliance.health("/metrics")[1]
    assert "talla_outlet" not in appliance.health("/metrics")[1]
    appliance.stop()
    open(appliance.config, "a").write((SECTION % 0).replace("uncertified = true\n", ""))
    words = appliance.start_refused()
    assert "the source is uncertified" in words and "egd.uncertified" in words, words
    appliance.egd_port = free_ports(1)[0]
    open(appliance.config, "w").write(wanted + SECTION % appliance.egd_port)
    appliance.start()


def each_command_is_answered(appliance):
    with connect(appliance) as one:
        one.sendall(b"\x04")
        pid = exactly(one, one.recv(1)[0])
        assert int(pid) == appliance.process.pid, pid
        one.sendall(b"\x02\xff")
        first = exactly(one, 255)
        one.sendall(b"\x03\x00\x40\x08" + bytes(8) + b"\x00")
        level = int.from_bytes(exactly(one, 4), "big")
        assert 0 < level <= 64 * 512, level
        one.sendall(b"\x01\x40")
        count = one.recv(1)[0]
        assert count == 64 and exactly(one, 64) != first[:64]
    with socket.create_connection(("127.0.0.1", appliance.egd_port), timeout=10) as one:
        one.sendall(b"\x02\x20")
        assert len(exactly(one, 32)) == 32
    assert metric(appliance, "talla_egd_bytes_total") == 255 + 64 + 32
    assert metric(appliance, "talla_egd_writes_dropped_total") == 1


def the_socket_is_for_its_user_alone(appliance):
    about = os.stat(path_of(appliance))
    assert stat.S_ISSOCK(about.st_mode) and stat.S_IMODE(about.st_mode) == 0o600, oct(about.st_mode)


def bad_and_many_clients_are_bounded(appliance):
    with connect(appliance) as bad:
        bad.sendall(b"\x99")
        assert bad.recv(1) == b"", "a byte that is no command ends the connection"
    time.sleep(0.2)
    held = [connect(appliance) for _ in range(3)]
    for one in held:
        one.sendall(b"\x02\x01")
        exactly(one, 1)
    with connect(appliance) as fourth:
        assert fourth.recv(1) == b"", "one more than configured"
    for one in held:
        one.close()
    assert metric(appliance, "talla_egd_malformed_total") == 1
    assert metric(appliance, "talla_egd_connections_refused_total") >= 1
    time.sleep(0.2)


def draws_go_on_beside_greedy_clients(appliance):
    greedy = [connect(appliance) for _ in range(3)]
    for one in greedy:
        one.setblocking(False)
    before = metric(appliance, "talla_egd_bytes_total")
    began = time.monotonic()
    client = appliance.client()
    table = open_table(client, WHEEL)
    for _ in range(6):
        for one in greedy:
            try:
                one.send(b"\x02\xff" * 200)
            except BlockingIOError:
                pass
        batch = new_batch(client, table, 20)
        for index in range(20):
            client.post("/v1/draws", draw_body(client, table, batch, index))
    client.post(f"/v1/tables/{table}/close")
    given = metric(appliance, "talla_egd_bytes_total") - before
    # A second's worth may be saved up; a request of 255 bytes costs 256.
    most = 20000 * (time.monotonic() - began + 1) + 256
    assert 0 < given <= most, f"{given} bytes, at most {most}"
    for one in greedy:
        one.close()


def a_stop_removes_the_socket_and_ends_clients(appliance):
    with connect(appliance) as one:
        one.sendall(b"\x02\x01")
        exactly(one, 1)
        assert appliance.stop() == 0
        assert one.recv(1) == b""
    assert not os.path.exists(path_of(appliance))
    appliance.start()
    appliance.kill()
    assert os.path.exists(path_of(appliance)), "after a kill the file is still there"
    appliance.start()
    with connect(appliance) as one:
        one.sendall(b"\x02\x08")
        assert len(exactly(one, 8)) == 8


def feeding_the_kernel_without_the_right_is_refused(appliance):
    """Only where this test itself may not: as root it would feed the kernel of the machine."""
    if os.geteuid() == 0:
        return
    appliance.stop()
    good = open(appliance.config).read()
    open(appliance.config, "a").write("\n[kernel_feed]\nenabled = true\n")
    words = appliance.start_refused()
    assert "CAP_SYS_ADMIN" in words, words
    open(appliance.config, "w").write(good)
    appliance.start()


if __name__ == "__main__":
    main([an_uncertified_source_is_refused_unless_wanted, each_command_is_answered,
          the_socket_is_for_its_user_alone, bad_and_many_clients_are_bounded,
          draws_go_on_beside_greedy_clients, a_stop_removes_the_socket_and_ends_clients,
          feeding_the_kernel_without_the_right_is_refused])
