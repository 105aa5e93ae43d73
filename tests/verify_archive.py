#!/usr/bin/env python3
"""Verifies Talla's sealed archives, in the order of their log: a second implementation, written
from certs/FORMAT.md alone.

Only Python's standard library, and OpenSSL's for Ed25519, ECDSA and X.509.

usage: verify_archive.py ROOTS.pem ARCHIVE... [--policy FILE] [--known-key STATEMENT] [--ended
STATEMENT]... [--consistency FILE] exit:  0 certified, 1 invalid, 2 usage, 3 uncertified, 4
lab
"""
import argparse
import sys

from verifier.archive import Archive
from verifier.ended import Ends
from verifier.policy import Policy
from verifier.text import Refused


def main(arguments):
    parser = argparse.ArgumentParser(description="verifies sealed archives")
    parser.add_argument("roots")
    parser.add_argument("archives", nargs="+")
    parser.add_argument("--policy")
    parser.add_argument("--known-key")
    parser.add_argument("--ended", action="append", default=[])
    parser.add_argument("--consistency")
    asked = parser.parse_args(arguments)
    worst, before = 0, None
    try:
        policy = Policy(open(asked.policy, "rb").read()) if asked.policy else None
        known = open(asked.known_key).read() if asked.known_key else None
        proofs = open(asked.consistency).read() if asked.consistency else None
        ended = Ends([open(path).read() for path in asked.ended], asked.roots,
                     proofs) if asked.ended else None
        for path in asked.archives:
            before = archive = Archive(path, asked.roots, policy, known, before, ended)
            code = archive.code()
            worst = max(worst, 3 if archive.development and code == 0 else code)
            print(f"verified: {path}: digest {archive.digest.hex()}" +
                  (", development keys" if archive.development else ""))
            for line in archive.checked:
                print("checked:", line)
            for line in archive.not_checked:
                print("not checked:", line)
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    except (Refused, StopIteration, ValueError, TypeError, KeyError, IndexError,
            AttributeError) as error:
        print(f"invalid: {error}")
        return 1
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
