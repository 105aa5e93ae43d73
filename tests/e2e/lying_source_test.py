#!/usr/bin/env python3
# Goal: a source process that lies cannot make the daemon believe, crash or go on: claims are
#   refused at the start, bad noise and a dead process latch it, and then others get no entropy
#   either.
# Method: lying_source in the place of rngd-source beside a copy of the daemon; the API, the log and
#   the EGD socket say what happened.
#   usage: lying_source_test.py FOLDER_OF_PROGRAMS
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from appliance import Appliance, new_key
from assessed import assessed
from facts import SHOE, mix_shoe, hold, open_table

CONFIG = '\n[egd]\nsocket = "egd.sock"\n'


def with_liar(lie):
    """An appliance whose rngd-source is the liar."""
    folder = tempfile.mkdtemp(prefix="talla-liar-")
    for program in ("rngd", "talla"):
        shutil.copy(f"{sys.argv[1]}/{program}", f"{folder}/{program}")
    with open(f"{folder}/rngd-source", "w") as script:
        script.write(
            f"#!/bin/sh\nLIE={lie} exec {os.path.abspath(sys.argv[1])}/lying_source \"$@\"\n")
    os.chmod(f"{folder}/rngd-source", 0o755)
    usb = assessed(folder)
    return Appliance(folder,
                     edit_config=lambda text: text.replace('kind = "system"', usb) + CONFIG), folder


def asks(appliance, command, count):
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(5)
        one.connect(f"{appliance.folder}/egd.sock")
        one.sendall(command)
        got = b""
        while len(got) < count:
            piece = one.recv(count - len(got))
            if not piece:
                break
            got += piece
        return got


def a_source_that_knows_every_byte_serves_and_predicts_nothing():
    words = []
    for _ in range(2):  # the same bytes from the device both times
        appliance, folder = with_liar("flood")
        with appliance:
            appliance.start()
            client = appliance.client()
            table = open_table(client, SHOE)
            mix_shoe(client, table)
            words.append(asks(appliance, b"\x02\x40", 64))
        shutil.rmtree(folder)
    assert len(words[0]) == 64 and len(words[1]) == 64 and words[0] != words[1]


class ServiceManager:
    """Starts a source for each connection, as `Accept=yes` of rngd-source.socket does; the liar
    in its place."""

    def __init__(self, path):
        self.wishes, self.sources = [], []
        self.door = socket.socket(socket.AF_UNIX)
        self.door.bind(path)
        self.door.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.door.accept()
            except OSError:
                return
            line = b""
            while not line.endswith(b"\n"):
                line += connection.recv(1)
            self.wishes.append(json.loads(line))
            liar = f"exec {os.path.abspath(sys.argv[1])}/lying_source 3<&{connection.fileno()}"
            self.sources.append(subprocess.Popen(["bash", "-c", liar],
                                                 env={**os.environ, "LIE": "flood"},
                                                 pass_fds=[connection.fileno()]))
            connection.close()

    def close(self):
        self.door.shutdown(socket.SHUT_RDWR)
        self.door.close()
        for source in self.sources:
            source.kill()
            source.wait()


def a_source_of_another_user_is_asked_for_over_a_socket_and_its_death_latches():
    appliance, folder = with_liar("flood")
    shutil.move(f"{folder}/rngd", f"{folder}/rngd.real")
    with open(f"{folder}/rngd", "w") as script:
        script.write(f'#!/bin/sh\nexec {folder}/rngd.real --source-socket {folder}/door "$@"\n')
    os.chmod(f"{folder}/rngd", 0o755)
    with open(f"{folder}/rngd-source", "w") as script:
        script.write("#!/bin/sh\nexit 9\n")  # the daemon starts none by itself
    with appliance:
        log = appliance.start_refused()
        assert "no rngd-source is started here" in log, log
        manager = ServiceManager(f"{folder}/door")
        appliance.start()
        assert manager.wishes == [{"assessed_millibits": 4000, "device": "chaoskey:0123", "rate": 0,
                                   "settings": "", "wait": 0}], manager.wishes
        table = open_table(appliance.client(), SHOE)
        mix_shoe(appliance.client(), table)
        manager.sources[0].kill()
        end = time.monotonic() + 30
        while appliance.health("/readyz")[0] == 200 and time.monotonic() < end:
            time.sleep(0.1)
        status, words = appliance.health("/readyz")
        assert status == 503 and "latched" in words, f"{status} {words}"
        while len(manager.wishes) < 2 and time.monotonic() < end:
            time.sleep(0.1)
        assert manager.wishes[1]["device"] == "chaoskey:0123" and manager.wishes[1]["wait"] == 2, \
            manager.wishes
        assert appliance.health("/readyz")[0] == 503, "back or not, the latch stays"
        appliance.stop()
        manager.sources[-1].wait(10)  # the end of the connection is its end
        manager.close()
    shutil.rmtree(folder)


def claims_are_refused_at_the_start():
    for lie in ("claims-more", "other-serial", "raw-alea"):
        appliance, folder = with_liar(lie)
        with appliance:
            log = appliance.start_refused()
            assert "source_claim_refused" in log, log
        shutil.rmtree(folder)


def lies_latch_and_then_nobody_gets_anything():
    for lie in ("stuck", "exits", "huge-length", "closes-and-lives"):
        appliance, folder = with_liar(lie)
        with appliance:
            try:
                appliance.start(page="/livez")
            except AssertionError as error:  # latched in its start-up test
                assert "latched" in str(error), error
                shutil.rmtree(folder)
                continue
            # The source is read when bits are wanted: somebody wants them, until the lie comes up.
            end = time.monotonic() + 30
            while appliance.health("/readyz")[0] == 200 and time.monotonic() < end:
                asks(appliance, b"\x01\xff", 1)
            status, words = appliance.health("/readyz")
            assert status == 503 and "latched" in words, f"{lie}: {status} {words}"
            table = open_table(appliance.client(), SHOE)
            status, text = appliance.client().send("POST", f"/v1/tables/{table}/shoes", {},
                                                   new_key())
            assert status == 503 and b"latched" in text, f"{lie}: {status} {text}"
            assert asks(appliance, b"\x00", 4) == bytes(4), "the level is 0"
            assert asks(appliance, b"\x01\x20", 1) == b"\x00", "and nothing is given"
            assert appliance.process.poll() is None, "the daemon lives"
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(1
             if hold([a_source_that_knows_every_byte_serves_and_predicts_nothing,
                      claims_are_refused_at_the_start,
                      a_source_of_another_user_is_asked_for_over_a_socket_and_its_death_latches,
                      lies_latch_and_then_nobody_gets_anything]) else 0)
