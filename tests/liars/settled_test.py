#!/usr/bin/env python3
# Goal: the page with its engines sees every lie that the C++ verifier sees: those that LIMITS.md
#   leaves to a verifier that settles too.
# Method: the lies of liars_test.py and the tables of forged_test.py; of each file that claims a
#   settlement, the browser's verifier with the engines says what `talla verify` says; without them
#   it takes lies of every row of those two tables. usage: settled_test.py TALLA FOLDER (of
#   rngd/packaging/settle; node, openssl)
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import fields  # noqa: E402
import forged_test  # noqa: E402
import judges  # noqa: E402
import order  # noqa: E402
from authority import Authority  # noqa: E402
from liars_test import Rows, readable, stories, told  # noqa: E402

LEFT_OUT = 77
LEAST_LIES = 500
ROWS = ("Only a verifier that settles sees",
        "Whole tables that only a verifier that settles sees through")


def claims_settlement(path):
    with open(path, encoding="utf-8") as file:
        bundle = json.load(file)
    records = (json.loads(entry["record"]) for entry in bundle["records"])
    return any(one["seq"] == bundle["claim"] and one["kind"] == "SETTLEMENT" for one in records)


def settlements(folder, authority):
    """(name, (path, None)) of every file that claims a settlement: true stories, lies, tables."""
    honest = list(stories(Authority(os.path.join(folder, "persons"))))
    all_told = [(one.name, one) for one in honest] + [
        (name, story) for name, story in (*fields.lies(honest), *order.lies(honest))
        if readable(story)]
    files = list(told(folder, authority, all_told))
    for name, (make, *_) in forged_test.TALES.items():
        path = os.path.join(folder, f"{name}.talla")
        with open(path, "w", encoding="utf-8") as out:
            out.write(make(authority).told())
        files.append((name, (path, None)))
    return [(name, file) for name, file in files if claims_settlement(file[0])]


def wrong(native, running):
    """What is wrong with what the browser says; empty: nothing."""
    if (running.code == judges.INVALID) != (native.code == judges.INVALID):
        return f"browser {running.code} {running.why}, C++ {native.code} {native.why}"
    if running.code != judges.INVALID and not (running.settled or {}).get("alike"):
        return f"taken, but not settled again: {running.settled}"
    by_rules = running.why.startswith("settled again: ")
    if by_rules and native.rule and native.rule not in running.why:
        return f"refused for {running.why}, by C++ for {native.rule}"
    return ""


def main():
    talla, engines = sys.argv[1:]
    if not os.path.exists(os.path.join(engines, "settle.wasm.gz")):
        print("LEFT OUT: the engines of the page were not built (TALLA_SETTLE)")
        return LEFT_OUT
    failed, by_rules, rows = 0, 0, [Rows(heading) for heading in ROWS]
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(os.path.join(folder, "authority"))
        files = settlements(folder, authority)
        judged = [one.judge([file for _, file in files], authority.roots)
                  for one in (judges.Native(talla), judges.Browser(), judges.Browser(engines))]
    for (name, _), native, plain, running in zip(files, *judged):
        why = wrong(native, running)
        if why:
            failed += 1
            print(f"FAILED {name}: {why}")
        if plain.code != judges.INVALID and running.code == judges.INVALID:
            by_rules += 1
            if not [one for one in rows if one.printed(name) is not None]:
                failed += 1
                print(f"FAILED {name}: refused by the rules alone, and no row of LIMITS.md says so")
    for pattern in [pattern for one in rows for pattern in one.unused()]:
        failed += 1
        print(f"FAILED no lie that the engines see needs the row {pattern} of LIMITS.md")
    print(f"{len(files)} settlements, {by_rules} of them lies that the rules alone refuse, "
          f"{failed} failures")
    return 1 if failed or len(files) < LEAST_LIES else 0


if __name__ == "__main__":
    sys.exit(main())
