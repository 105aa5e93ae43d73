#!/usr/bin/env python3
# Goal: the one command makes an appliance, shows a shoe, a spin, a roll and a coup with verified
#   evidence, a shoe and a spin with one who contributes, and once more with the same appliance.
# Method: rngd/up --once twice in a state folder of its own; its lines are read. Skipped (77) where
#   build/ does not exist: the first build is not this test's.
#   usage: up_test.py SOURCE_FOLDER
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import demonstration_test  # noqa: E402
from appliance import free_ports  # noqa: E402

EXPECTED = [r"the appliance answers:", r"API: +https://127\.0\.0\.1:\d+",
            r"page: +https://127\.0\.0\.1:\d+/ ", r"metrics: +http://127\.0\.0\.1:\d+/metrics",
            r"log: +\S+"]
EVIDENCE = ("shoe", "spin", "roll", "coup", "shoe-with-guest", "spin-with-guest")


def once(source, state, port):
    begun = time.monotonic()
    done = subprocess.run([f"{source}/rngd/up", "--once", "--state", state, "--port", str(port)],
                          capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}{done.stderr}"
    for line in EXPECTED:
        assert re.search(line, done.stdout), f"no line with '{line}' in:\n{done.stdout}"
    demonstration_test.read(done.stdout)
    assert all(os.path.getsize(f"{state}/evidence/{name}.talla") for name in EVIDENCE)
    return time.monotonic() - begun


def main():
    source = sys.argv[1]
    if not os.path.exists(f"{source}/build/bin/rngd"):
        print("build/bin/rngd is not there: skipped")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="talla-up-") as folder:
        port, _ = free_ports(2)  # the health page listens on the next one
        first = once(source, f"{folder}/state", port)
        second = once(source, f"{folder}/state", port)
        assert not os.path.exists(f"{folder}/state/rngd.pid"), "the daemon was left running"
        said = open(f"{folder}/state/rngd.log").read()
        assert "uncertified" in said or "certified=yes" in said, (
            "the log says which kind of source feeds the draws")
    print(f"first run {first:.1f} s, second run {second:.1f} s")


if __name__ == "__main__":
    main()
