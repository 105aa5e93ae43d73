#!/usr/bin/env python3
"""Fault, test and delay: every fault of `talla-lab induce` is run on emulated noise of each family.

usage: faults.py TALLA_LAB            print entropy/docs/faults.md
       faults.py TALLA_LAB --check    exit 1 where faults.md beside this program says otherwise
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Family, bits, millibits as on its page, samples a second as on its page.
FAMILIES = [("chaoskey", 8, 4000, 480_000), ("bitbabbler (four)", 8, 4000, 312_500),
            ("bitbabbler (one)", 8, 1000, 312_500), ("swiftrng", 8, 4000, 500_000),
            ("truerng-pro", 8, 3000, 100_000), ("onerng", 8, 2000, 44_000),
            ("infnoise", 1, 350, 480_000)]


def induced(lab, bits, millibits):
    run = subprocess.run([lab, "--json", "induce", "--bits", str(bits), "--assessed-millibits",
                          str(millibits)],
                         capture_output=True, text=True, timeout=600)
    return json.loads(run.stdout)


def seconds(samples, rate):
    value = samples / rate
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"


def delay(test, rate):
    """By samples where samples bring the verdict; by the clock where none, or too few, come."""
    if test["test"] in ("stall", "rate") and "us_to_latch" in test:
        return "-", f"{test['us_to_latch'] / 1e6:.1f} s"
    return f"{test['samples_to_latch']:,}", seconds(test["samples_to_latch"], rate)


def family(lab, name, bits, millibits, rate):
    said = induced(lab, bits, millibits)
    rows = [f"## {name}: {bits} bit{'s' if bits > 1 else ''}, {millibits} millibits, {rate:,} "
            "samples/s", "",
            "| fault | what rang, in order | samples to the latch | time | latch | nothing given, "
            "works again |",
            "|---|---|---|---|---|---|"]
    for test in said["tests"]:
        if "left_out" in test:
            rows.append(f"| {test['fault']} | left out: {test['left_out']} | | | | |")
            continue
        samples, time = delay(test, rate)
        rang = ", ".join(test["alarms"]) or "none"
        after = "yes" if test["nothing_after"] and test["works_again"] and test[
            "expected_alarm"] else "NO"
        rows.append(
            f"| {test['fault']} | {rang} | {samples} | {time} | {test['latch']} | {after} |")
    return rows


def page(lab):
    rows = ["# Fault, test and delay", "",
            "Written by `faults.py TALLA_LAB`: each fault was made on a healthy copy of the source "
            "path (source,",
            "gate, conditioner, DRBG) with emulated noise and simulated time, until the latch. "
            "Level 1 drops and",
            "tests anew; three in ten minutes, or level 2, latch. The faults are as strong as the "
            "test meant",
            "needs; what a weaker one costs is in [power.md](power.md). Worst cases by argument, "
            "and what an",
            "alarm suspects, are in [STANDARDS.md](../STANDARDS.md). Samples count from the fault, "
            "in whole",
            "windows; times are samples at the family's rate, and of silence and of another rate "
            "(100,000",
            "samples/s here) the clock's.", ""]
    for one in FAMILIES:
        rows += family(lab, *one) + [""]
    return "\n".join(rows).rstrip() + "\n"


def main():
    text = page(sys.argv[1])
    if "--check" not in sys.argv:
        sys.stdout.write(text)
        return 0
    with open(os.path.join(HERE, "faults.md"), encoding="utf-8") as file:
        if file.read() == text:
            return 0
    print("entropy/docs/faults.md is not what running says: write it anew with faults.py TALLA_LAB",
          file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
