#!/usr/bin/env python3
"""What counts.py makes of reports: cases of a suite count and fail under their own names."""
import pathlib
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

COUNTS = pathlib.Path(__file__).resolve().parent / "counts.py"
ONE_OK = "[ RUN      ] Suite.first\n[       OK ] Suite.first (1 ms)\n"


def count(*tests):
    """What counts.py prints of tests (name, status, text), and its exit code."""
    with tempfile.TemporaryDirectory() as place:
        report = pathlib.Path(place) / "tests.xml"
        report.write_text("<testsuite>" + "".join(
            f'<testcase name="{name}" status="{status}"><system-out>{escape(said)}</system-out>'
            "</testcase>" for name, status, said in tests) + "</testsuite>")
        done = subprocess.run([sys.executable, "-B", COUNTS, report, place + "/none.xml"],
                              capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.stdout, done.returncode


def check(fact, tests, last, code, *named):
    said, status = count(*tests)
    assert said.rstrip().splitlines()[-1] == last, (fact, said)
    assert status == code, (fact, status)
    failed = [line[8:] for line in said.splitlines() if line.startswith("failed: ")]
    assert failed == list(named), (fact, failed)
    print("ok", fact)
    return said


check("a test that is no suite counts once",
      [("e2e.play_test", "run", "fine"), ("unit.Suite.first", "run", ONE_OK),
       ("e2e.keys_test", "notrun", "")],
      "2 passed, 0 failed, 1 skipped", 0)
check("a suite counts as its cases, and what it skipped is not passed",
      [("unit.Suite", "run",
        ONE_OK + "[ RUN      ] Suite.second\n[  SKIPPED ] Suite.second (0 ms)\n")],
      "1 passed, 0 failed, 1 skipped", 0)
said = check("a case that fails is named with what it said, and its neighbour's words are not",
             [("unit.Suite", "fail", ONE_OK.replace("[  ", "neighbour\n[  ") +
               "[ RUN      ] Suite.second/0\nwrong\n"
               "[  FAILED  ] Suite.second/0, where GetParam() = 7 (1 ms)\n"
               "[  FAILED  ] Suite.second/0, where GetParam() = 7\n")],
             "1 passed, 1 failed, 0 skipped", 1, "unit.Suite.second/0")
assert "| wrong" in said and "neighbour" not in said, said
check("a case that began and did not end failed, also where the program says that all is well",
      [("unit.Suite", "run", ONE_OK + "[ RUN      ] Suite.second\n")],
      "1 passed, 1 failed, 0 skipped", 1, "unit.Suite.second")
check("a suite that fails behind its last case is named itself",
      [("unit.Suite", "fail", ONE_OK + "leaked\n")],
      "1 passed, 1 failed, 0 skipped", 1, "unit.Suite")
check("a program that says nothing and fails is named",
      [("unit.Suite", "fail", "")], "0 passed, 1 failed, 0 skipped", 1, "unit.Suite")
