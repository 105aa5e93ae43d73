#!/usr/bin/env python3
"""Detection power of the health tests, counted exactly from the cutoffs that talla-lab uses.

usage: power.py TALLA_LAB            print entropy/docs/power.md
       power.py TALLA_LAB --check    exit 1 where power.md beside this program says otherwise
"""
import json
import math
import os
import subprocess
import sys
from decimal import Decimal, getcontext

getcontext().prec = 60
HERE = os.path.dirname(os.path.abspath(__file__))
FAMILIES = [("chaoskey, bitbabbler (four), swiftrng", 8, 4000), ("truerng-pro", 8, 3000),
            ("onerng", 8, 2000), ("bitbabbler (one)", 8, 1000), ("infnoise", 1, 350)]
HALF, GATE, HUNDRED = 2048, 4096, 50_000
RESERVE = 64  # bits that each block holds above 512
# For what a unit without a measured rate is taken: its cutoffs are the highest of all families.
RATE = 1_000_000


def cutoffs(lab, bits, millibits):
    run = subprocess.run([lab, "--json", "induce", "--bits", str(bits), "--assessed-millibits",
                          str(millibits), "--rate", str(RATE)],
                         capture_output=True, text=True, timeout=600)
    said = json.loads(run.stdout)
    return said["cutoffs"]


def tail(trials, p, least):
    """P(X >= least), X binomial."""
    if least <= 0:
        return Decimal(1)
    q = 1 - p
    term = q ** trials
    below = Decimal(0)
    for k in range(least):
        below += term
        term = term * (trials - k) * p / ((k + 1) * q)
    return max(Decimal(0), 1 - below)


def share_for(trials, least, power):
    """Least share of right guesses at which `least` of `trials` are reached with this power, to
    1/10,000."""
    low, high = 0, 10_000
    while high - low > 1:
        middle = (low + high) // 2
        if tail(trials, Decimal(middle) / 10_000, least) >= power:
            high = middle
        else:
            low = middle
    return Decimal(high) / 10_000


def percent(value):
    if value >= Decimal("0.99995"):
        return "above 99.99 %"
    return f"{float(value) * 100:.2f} %"


def entropy_of(share):
    return f"{-math.log2(float(share)):.2f}"


def family(name, bits, millibits, cut):
    one = cut["level_1"]
    window = cut["proportion_window"]
    h = Decimal(millibits) / 1000
    hundred = math.ceil(100_000 / millibits)
    p = Decimal(2) ** (-h / 2)
    caught = p * tail(window - 1, p, one["adaptive_proportion"] - 1)
    within = 1 - (1 - caught) ** (HUNDRED // window)
    slip = (one["repetition_count"] - 1) * millibits / 1000
    rows = [f"## {name}: {bits} bits, {millibits} millibits", "",
            f"False alarms: 2^-{one['alpha_log2']} a decision at level 1, "
            f"2^-{cut['level_2']['alpha_log2']} at level 2.", "",
            "| asked | here |", "|---|---|",
            f"| SP 800-90B 4.5 (a): {hundred} equal samples, at 99 % | certain: "
            f"{one['repetition_count']} equal ones alarm |"
            if one["repetition_count"] <= hundred else
            f"| SP 800-90B 4.5 (a): {hundred} equal samples, at 99 % | not by the repetition count "
            f"({one['repetition_count']}) |",
            f"| SP 800-90B 4.5 (b): a value at 2^(-H/2) = {percent(p)}, 50 % within 50,000 samples "
            f"| {percent(within)} by adaptive proportion "
            f"({one['adaptive_proportion']} of {window}) |",
            f"| credited bits that a source dead at a window's end can slip in | {slip:g}, of "
            f"{RESERVE} in reserve |", "",
            "| test | alarm at | share caught at 50 % | at 99 % | that is min-entropy below |",
            "|---|---|---|---|---|"]
    for test, trials, least in (("most common of a window, lag 1 to 8, successor", HALF,
                                 one["half_window"]),
                                ("all lags at the start", HALF, one["startup_lags"]),
                                ("most common of 16,384", 4 * GATE, one["most_common_long"])):
        half, most = share_for(trials, least,
                               Decimal("0.5")), share_for(trials, least, Decimal("0.99"))
        rows.append(f"| {test} | {least} of {trials} | {percent(half)} | {percent(most)} | "
                    f"{entropy_of(half)}; {entropy_of(most)} |")
    return rows


def page(lab):
    rows = ["# Detection power", "",
            "Written by `power.py TALLA_LAB` from the cutoffs the program uses; exact binomial "
            "tails (60 digits),",
            "nothing simulated. A share is the part of guesses that come true: of one value, of a "
            "repeat, of a",
            "follower. One window (4,096 samples) decides, four the long test; over n windows a "
            "power p becomes",
            "1 - (1 - p)^n. The cutoffs are those of a unit whose rate nobody measured, which is "
            "taken for one",
            f"of {RATE:,} samples/s; a lower rate that was measured has lower ones, and catches "
            "more.", ""]
    for name, bits, millibits in FAMILIES:
        rows += family(name, bits, millibits, cutoffs(lab, bits, millibits)) + [""]
    return "\n".join(rows).rstrip() + "\n"


def main():
    text = page(sys.argv[1])
    if "--check" not in sys.argv:
        sys.stdout.write(text)
        return 0
    with open(os.path.join(HERE, "power.md"), encoding="utf-8") as file:
        if file.read() == text:
            return 0
    print(
        "entropy/docs/power.md is not what the cutoffs say: write it anew with power.py TALLA_LAB",
        file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
