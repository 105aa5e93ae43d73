#!/usr/bin/env python3
# Goal: what systemd hears is so: ready when it is, a watchdog fed only while the sequencer turns
#   and its commits end, why no new commitments are taken, stopping.
# Method: a socket of our own in NOTIFY_SOCKET; strace holds the daemon's next sync to disk (skipped
#   without strace or the right to trace). usage: service_test.py FOLDER_OF_PROGRAMS
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

from facts import WHEEL, hold, open_table
from appliance import Appliance

WATCHDOG_S = 2.0


class Manager:
    """The other end of sd_notify: what came, with the time it came at."""

    def __init__(self, folder):
        self.path = f"{folder}/notify"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.heard = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            message = self.socket.recv(4096).decode()
            self.heard += [(time.monotonic(), line) for line in message.splitlines()]

    def times(self, line):
        return [when for when, what in self.heard if what == line]

    def wait(self, line, count=1, seconds=20):
        end = time.monotonic() + seconds
        while len(self.times(line)) < count:
            assert time.monotonic() < end, f"{line} did not come {count} times: {self.heard[-5:]}"
            time.sleep(0.02)
        return self.times(line)


def ready_is_said_once_and_when_it_is_so(appliance, manager):
    appliance.start()
    manager.wait("READY=1")
    manager.wait("STATUS=ready")
    assert json.loads(appliance.health("/readyz")[1])["ready"] is True
    assert manager.heard[0][1] == "READY=1" and len(manager.times("READY=1")) == 1, manager.heard


def an_idle_daemon_feeds_the_watchdog_four_times_in_its_time(appliance, manager):
    times = manager.wait("WATCHDOG=1", count=6)
    gaps = [after - before for before, after in zip(times, times[1:])]
    assert max(gaps) < WATCHDOG_S, gaps
    assert sum(gaps) / len(gaps) > WATCHDOG_S / 8, f"far more often than it needs: {gaps}"


def tracing_is_possible(appliance):
    if not shutil.which("strace") or os.geteuid() != 0:
        return False
    done = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True)
    return done.returncode == 0


def a_commit_that_does_not_end_starves_the_watchdog_until_it_ends(appliance, manager):
    if not tracing_is_possible(appliance):
        print("not tried: strace is not here, or may not trace")
        return
    client = appliance.client()
    open_table(client, WHEEL)
    trace = f"{appliance.folder}/strace.log"
    tracer = subprocess.Popen(["strace", "-f", "-q", "-p", str(appliance.process.pid), "-o", trace,
                               "-e", "trace=fsync,fdatasync", "-e",
                               "inject=fsync,fdatasync:delay_enter=60s"])
    try:
        end = time.monotonic() + 10  # attached when the kernel names the tracer
        while f"TracerPid:\t{tracer.pid}" not in open(
            f"/proc/{appliance.process.pid}/status").read():
            assert tracer.poll() is None and time.monotonic() < end, "strace did not attach"
            time.sleep(0.02)
        answers = []
        asking = threading.Thread(target=lambda: answers.append(open_table(client, WHEEL)))
        asking.start()
        time.sleep(1.0)  # the look that saw the last turn is over
        before = len(manager.times("WATCHDOG=1"))
        time.sleep(2 * WATCHDOG_S)
        assert len(manager.times("WATCHDOG=1")) == before, "fed while a commit hangs"
        assert not answers, "answered before it was durable"
        assert appliance.health("/livez")[0] == 200, "the pages answer; only the watchdog sees it"
    finally:
        tracer.send_signal(signal.SIGINT)
        tracer.wait(20)
    asking.join(20)
    assert answers, "the request is answered when the commit has ended"
    manager.wait("WATCHDOG=1", count=before + 2)


def what_stands_against_new_commitments_is_told(appliance, manager):
    appliance.stop()
    with open(appliance.config) as file:
        text = file.read()
    with open(appliance.config, "w") as file:
        file.write(text.replace("disk_reserve_mib = 1", "disk_reserve_mib = 1048576"))
    manager.heard.clear()
    appliance.start(page="/livez")
    manager.wait("STATUS=no new commitments: disk_reserve")
    manager.wait("WATCHDOG=1", count=2)
    appliance.stop()
    with open(appliance.config, "w") as file:
        file.write(text)


def a_stop_is_told_before_the_end(appliance, manager):
    manager.heard.clear()
    appliance.start()
    assert appliance.stop() == 0
    manager.wait("STOPPING=1")


def a_watchdog_of_another_process_is_not_fed(appliance, manager):
    manager.heard.clear()
    appliance.environment["WATCHDOG_PID"] = str(os.getpid())
    appliance.start()
    manager.wait("READY=1")
    time.sleep(WATCHDOG_S)
    assert not manager.times("WATCHDOG=1"), manager.heard
    assert appliance.stop() == 0


if __name__ == "__main__":
    with Appliance(sys.argv[1], environment={"WATCHDOG_USEC": str(int(WATCHDOG_S * 1e6))}) as own:
        listener = Manager(own.folder)
        own.environment["NOTIFY_SOCKET"] = listener.path
        failed = hold([ready_is_said_once_and_when_it_is_so,
                       an_idle_daemon_feeds_the_watchdog_four_times_in_its_time,
                       a_commit_that_does_not_end_starves_the_watchdog_until_it_ends,
                       what_stands_against_new_commitments_is_told, a_stop_is_told_before_the_end,
                       a_watchdog_of_another_process_is_not_fed], own, listener)
        if failed:
            print(f"--- the daemon's log\n{own.log()[-4000:]}")
    sys.exit(1 if failed else 0)
