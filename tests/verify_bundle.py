#!/usr/bin/env python3
"""Verifies a Talla evidence bundle: a second implementation, written from certs/FORMAT.md and shuffle/README.md alone.

Only Python's standard library, and the `openssl` command for Ed25519, ECDSA and X.509. Settlements are not run again
(that takes the rules of the games); everything else is checked, and what was not is printed.

usage: verify_bundle.py BUNDLE ROOTS.pem
exit:  0 certified, 1 invalid, 2 usage, 3 uncertified source, 4 lab
"""
import sys

from verifier.evidence import Evidence
from verifier.text import Refused

INVALID, USAGE = 1, 2


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.strip().splitlines()[-2], file=sys.stderr)
        return USAGE
    try:
        with open(arguments[0], "rb") as file:
            text = file.read()
        open(arguments[1], "rb").close()
    except OSError as error:
        print(error, file=sys.stderr)
        return USAGE
    try:
        evidence = Evidence(text.decode(), arguments[1])
    except (Refused, UnicodeDecodeError, TypeError, KeyError, IndexError, AttributeError) as error:
        print(f"invalid: {error}")
        return INVALID
    code = evidence.code()
    print("verified:", ["certified", "", "", "uncertified source", "lab"][code] + (", development keys" if evidence.development else ""))
    print(f"claim: record {evidence.claim['seq']}, {evidence.claim['kind']} of {evidence.claim['origin']}")
    for line in evidence.checked:
        print("checked:", line)
    for line in dict.fromkeys(evidence.not_checked):
        print("not checked:", line)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
