#!/usr/bin/env python3
# Goal: no rule of evidence is without a lie that reaches it.
# Method: each code of certs/docs/refusals.md that a bundle can be refused with stands in rules.txt
#   (what the lies about true stories are refused for), in a table of ruled.py, machines.py,
#   orders.py, steps.py, forged_test.py, neighbours.py, succeeded.py, played_test.py or
#   laboratory_test.py, or in a test of tests/unit/verify.
#   usage: reached_test.py
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
FIRST = 577  # below: what is badly formed (readers_test.py)
CERTIFICATION = "certification_"  # certified_test.py
# Of what is given beside a bundle (tests/e2e/cli_test.py, witness_test.py), and of certificates
# (certificates_test.py).
BESIDE = {"bad_root_file", "unwitnessed", "certificate_form"}
LEAST = 120


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def codes():
    page = read(os.path.join(TESTS, "..", "certs", "docs", "refusals.md"))
    rows = re.findall(r"^\| `([a-z_]+)` \| (\d+) \|", page, re.M)
    return [code for code, number in rows if int(number) >= FIRST and code not in BESIDE
            and not code.startswith(CERTIFICATION)]


def reached():
    told = set()
    for line in read(os.path.join(HERE, "rules.txt")).splitlines():
        if not line.startswith("#"):
            told |= set(line.split(": ")[1].split(", "))
    for name in ("ruled", "machines", "orders", "steps", "forged_test", "neighbours", "succeeded",
                 "played_test", "laboratory_test"):
        told |= set(re.findall(r'"([a-z_]+)"', read(os.path.join(HERE, f"{name}.py"))))
    for path in glob.glob(os.path.join(TESTS, "unit", "verify", "*_test.cpp")):
        told |= set(re.findall(r"VerifyErrc::([a-z_]+)", read(path)))
    return told


def main():
    rules, told = codes(), reached()
    missing = [code for code in rules if code not in told]
    for code in missing:
        print(f"FAILED no lie is refused for {code}")
    print(f"{len(rules)} rules, {len(missing)} without a lie")
    return 1 if missing or len(rules) < LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
