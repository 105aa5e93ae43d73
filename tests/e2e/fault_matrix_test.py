#!/usr/bin/env python3
# Goal: any write, sync, rename or socket call of the daemon may fail once, at any time: it never
#   crashes, nothing that was acknowledged is lost, nothing is doubled, and a start without the
#   fault goes on (PROTOCOL section 7).
# Method: a real daemon below strace, which lets the n-th call of one kind in each thread fail;
#   clients draw meanwhile. Then it is killed, started without a fault, and everything acknowledged
#   is compared with the log. In the normal run a few n of each kind, in a long one every n that is
#   reached. usage: fault_matrix_test.py BINARIES
import ctypes
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.join(sys.path[0], "..", "support"))
from appliance import Appliance, seed_of_this_run  # noqa: E402
from crash_test import Drawer, check  # noqa: E402
import figures  # noqa: E402

CLIENTS = 3
SECONDS = 0.7
LIVES_OF_ONE = 16
# A call, its errors, and up to which n the normal run looks: about what a thread makes in that
# time.
DISK = [("pwrite64", ("EIO", "ENOSPC"), 120), ("write", ("EIO",), 12), ("fdatasync", ("EIO",), 10),
        ("fsync", ("EIO",), 4), ("syncfs", ("EIO",), 2), ("rename", ("EIO", "ENOSPC"), 12),
        ("ftruncate", ("EIO",), 3), ("unlink", ("EIO",), 3), ("openat", ("EMFILE",), 60)]
SOCKETS = [("sendmsg", ("ECONNRESET", "ENOBUFS"), 30), ("recvmsg", ("ECONNRESET",), 40),
           ("accept", ("EMFILE", "ECONNABORTED"), 4), ("writev", ("EPIPE",), 8),
           ("read", ("EIO",), 40), ("setsockopt", ("ENOPROTOOPT",), 2), ("socket", ("EMFILE",), 2),
           ("bind", ("EADDRINUSE",), 2), ("listen", ("EADDRINUSE",), 2)]
MOST = 2000  # n of one kind in a long run
PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans():
    """When strace ends first, the daemon becomes this process's child and can be waited for."""
    done = ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    assert done == 0, os.strerror(ctypes.get_errno())


class Faulty(Appliance):
    """Starts below strace when a fault is set."""
    fault = None

    def start_with(self, call, error, n):
        """True when it serves; False when it refused to start."""
        self.trace = f"{self.folder}/strace.out"
        log = open(self.log_path, "a")
        self.process = subprocess.Popen(
            ["strace", "-f", "--seccomp-bpf", "-qq", "-e", f"trace={call}",
             "-e", f"inject={call}:error={error}:when={n}", "-o", self.trace,
             f"{self.binaries}/rngd", "--config", self.config],
            stdout=log, stderr=log, env=self.environment, start_new_session=True)
        end = time.monotonic() + 10
        while time.monotonic() < end:
            if self.process.poll() is not None:
                return False
            try:
                if self.health("/livez")[0] in (200, 500):
                    return True
            except OSError:
                pass
            time.sleep(0.02)
        return True  # no health page: that is what failed

    def injected(self):
        return os.path.exists(self.trace) and "(INJECTED)" in open(self.trace).read()

    def kill_all(self):
        """The daemon, its children and strace; how the daemon ended by itself before, or None."""
        ended = self.process.poll()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        # until the last thread of the daemon is gone, and with it the lock of its ledger
        while True:
            try:
                os.waitpid(-self.process.pid, 0)
            except ChildProcessError:
                return ended


def again(drawer, client):
    """What nobody answered is asked again with the same key: done once, or refused for good."""
    for path, raw, key in drawer.unanswered:
        status, text = client.send("POST", path, key=key, raw=raw)
        assert status in (200, 201), f"{path} after the fault: {status} {text.decode()}"
        drawer.acknowledged.append((path, raw, key, text))
    drawer.unanswered = []


def one(appliance, call, error, n, known):
    """One life with that fault, one without. Whether the fault struck, the records, and how many
    requests were acknowledged."""
    where = f"{call} {error} the {n}th time"
    served = appliance.start_with(call, error, n)
    drawers = [Drawer(appliance) for _ in range(CLIENTS)] if served else []
    for drawer in drawers:
        drawer.client.timeout = 3
        drawer.start()
    time.sleep(SECONDS if served else 0)
    for drawer in drawers:
        drawer.running = False
    for drawer in drawers:
        drawer.join(20)
        assert not drawer.is_alive(), f"{where}: a client hangs"
        assert drawer.failure is None, f"{where}: {drawer.failure}"
    struck = appliance.injected()
    ended = appliance.kill_all()
    assert ended is None or 0 < ended < 128, (
        f"{where}: the daemon crashed ({ended})\n{appliance.log()[-3000:]}")
    assert ended is None or struck, (
        f"{where}: it ended with {ended} without a fault\n{appliance.log()[-3000:]}")
    try:
        appliance.start()
    except AssertionError as refused:
        raise AssertionError(f"{where}: no start afterwards: {str(refused)[-3000:]}") from None
    client = appliance.client()
    for drawer in drawers:
        again(drawer, client)
    try:
        known, _, _ = check(appliance, drawers, known)
    except AssertionError as wrong:
        raise AssertionError(f"{where}: {wrong}") from None
    appliance.kill()
    return struck, known, sum(len(drawer.acknowledged) for drawer in drawers), ended


def plan(long):
    """Calls and errors, each with its n in the order they are tried; a long run goes on until no
    thread reaches n."""
    for call, errors, most in DISK + SOCKETS:
        for error in errors:
            yield call, error, range(1, MOST) if long else sorted({1, random.randint(1, most)})


class House:
    """An appliance for some lives, then a fresh one: every life leaves open tables."""

    def __init__(self, binaries):
        self.binaries, self.appliance = binaries, None
        self.lives, self.known, self.records = 0, {}, 0

    def take(self):
        if self.appliance is None or self.lives == LIVES_OF_ONE:
            self.leave()
            self.appliance, self.lives, self.known = Faulty(self.binaries), 0, {}
            self.appliance.start()
            assert self.appliance.stop() == 0
        self.lives += 1
        return self.appliance

    def leave(self):
        """Every record, leaf and tile once more."""
        if self.appliance is None:
            return
        self.appliance.start()
        assert self.appliance.stop() == 0
        self.appliance.talla("log", "rebuild", self.appliance.config, check=True)
        self.records += len(self.known)
        self.remove()

    def remove(self):
        if self.appliance is not None:
            self.appliance.__exit__()
        self.appliance = None


def main():
    if shutil.which("strace") is None:
        print("skipped: strace is not installed")
        sys.exit(77)
    probe = subprocess.run(["strace", "-f", "--seccomp-bpf", "-qq", "-e", "trace=write", "-o",
                            "/dev/null", "true"],
                           capture_output=True, text=True)
    if probe.returncode != 0:
        print(f"skipped: strace may not trace here: {probe.stderr.strip()}")
        sys.exit(77)
    adopt_orphans()
    long = bool(os.environ.get("TALLA_LONG"))
    seed = seed_of_this_run(20261122)
    random.seed(seed)
    lives, struck, acknowledged, refused = 0, 0, 0, 0
    only = os.environ.get("TALLA_FAULTS")  # a pattern of calls
    house = House(sys.argv[1])
    try:
        for call, error, ns in plan(long):
            if only and not re.fullmatch(only, call):
                continue
            reached = 0
            for n in ns:
                appliance = house.take()
                hit, house.known, answered, ended = one(appliance, call, error, n, house.known)
                lives, struck, acknowledged = lives + 1, struck + hit, acknowledged + answered
                refused += ended is not None
                reached = n if hit else reached
                if long and not hit:
                    break
            print(f"{call} {error}: up to the {reached}th time, {lives} lives", flush=True)
        house.leave()
    finally:
        house.remove()
    assert struck > lives // 2 or only, f"{struck} of {lives} faults struck: the test means little"
    print(f"{lives} lives, {struck} faults struck, {refused} ended or refused to start, "
          f"{acknowledged} acknowledged requests,"
          f" {house.records} records: nothing lost, nothing doubled (seed {seed})")
    if not only:
        figures.keep("fault-matrix", {"acknowledged": acknowledged, "ended": refused,
                                      "lives": lives, "records": house.records, "struck": struck})


if __name__ == "__main__":
    main()
