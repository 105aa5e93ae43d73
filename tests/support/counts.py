#!/usr/bin/env python3
"""Counts what ctest's reports say, case by case, and names what failed.

A test that runs a whole suite of GoogleTest (suites.cmake) counts as its cases; a case that began
and did not end failed. A suite that failed with every case in it passed counts as one failure more.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

CASE = re.compile(r"(?m)^\[( RUN      |       OK |  FAILED  |  SKIPPED )\] "
                  r"(\S+?\.[^\s,]+)(?=,|\s|$)")
ENDS = {"       OK ": "passed", "  FAILED  ": "failed", "  SKIPPED ": "skipped"}


def cases_of(case):
    """Name and status (passed, failed, skipped) of every case of one test of a report."""
    name, said = case.get("name"), case.findtext("system-out") or ""
    status = {"fail": "failed", "run": "passed"}.get(case.get("status"), "skipped")
    program, _, suite = name.partition(".")
    found = {}
    for mark, inner in CASE.findall(said):
        if inner.startswith(suite + "."):
            found[inner] = ENDS.get(mark, "failed")
    if not found:  # a test of one case, or of no GoogleTest program
        return [(name, status)]
    counted = [(f"{program}.{one}", what) for one, what in found.items()]
    if status == "failed" and all(what != "failed" for _, what in counted):
        counted.append((name, "failed"))
    return counted


def read(reports):
    """Every case of the reports with its status, and what each failed test said."""
    counted, failures = [], []
    for report in reports:
        for case in tree.parse(report).getroot().iter("testcase"):
            mine = cases_of(case)
            counted += mine
            wrong = [name for name, what in mine if what == "failed"]
            if wrong:
                failures.append((wrong, (case.findtext("system-out") or "").rstrip().splitlines()))
    return counted, failures


def main():
    counted, failures = read(path for path in map(pathlib.Path, sys.argv[1:]) if path.exists())
    for names, said in failures:  # again: thousands of lines may stand between it and the end
        for name in names:
            print("failed: " + name)
            # What a case of several said stands between its begin and its end.
            inner = f"] {name.partition('.')[2]}"
            at = next((n for n, line in enumerate(said) if "[ RUN " in line
                       and line.endswith(inner)), None)
            until = next((n for n, line in enumerate(said[at:], at) if "[  FAILED  ]" in line),
                         len(said)) if at is not None else None
            part = said if at is None else said[at:until + 1]
            print(*("  | " + line[:400] for line in part[-60:]), sep="\n")
    total = {what: sum(status == what for _, status in counted)
             for what in ("passed", "failed", "skipped")}
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    sys.exit(1 if total["failed"] else 0)


if __name__ == "__main__":
    main()
