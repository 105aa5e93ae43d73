#!/usr/bin/env python3
"""Verifies a Talla evidence bundle, or a receipt: a second implementation, written from
certs/FORMAT.md and shuffle/MAPPING.md alone.

Only Python's standard library, and OpenSSL's for Ed25519, ECDSA and X.509. Settlements
are not run again (that takes the rules of the games); everything else is checked, and what was not
is printed.

usage: verify_bundle.py BUNDLE ROOTS.pem [POLICY] [--openings FILE] [--mine SHA256]
[--catalogue FILE]...
[--known-key STATEMENT] [--ended STATEMENT]... [--consistency FILE]
[--certification-root type=FILE|installation=FILE]... [--certification FILE]...
[--withdrawal FILE]..., or RECEIPT ROOTS.pem [POLICY] --log-key KEYS [...]
exit:  0 certified, 1 invalid, 2 usage, 3 uncertified, 4 lab
"""
import sys

from verifier.ended import Ends
from verifier.evidence import Evidence
from verifier.laboratory import claim_words
from verifier.policy import Policy
from verifier.receipt import Receipt
from verifier.text import Refused

INVALID, USAGE = 1, 2
LISTS = ("--ended", "--catalogue", "--certification-root", "--certification", "--withdrawal")


def main(arguments):
    paths, lists = {}, {name: [] for name in LISTS}
    for name in ("--openings", "--mine", "--log-key", "--known-key", "--consistency", *LISTS):
        while name in arguments[:-1]:
            at = arguments.index(name)
            paths[name], arguments = arguments[at + 1], arguments[:at] + arguments[at + 2:]
            if name in LISTS:
                lists[name].append(paths[name])
    if len(arguments) not in (2, 3):
        print(__doc__[__doc__.index("usage:"):__doc__.index("exit:")], file=sys.stderr)
        return USAGE
    try:
        with open(arguments[0], "rb") as file:
            text = file.read()
        open(arguments[1], "rb").close()
        policy_text = open(arguments[2], "rb").read() if len(arguments) == 3 else None
        openings, keys, known, proofs = (open(paths[name]).read() if name in paths else None
                                         for name in ("--openings", "--log-key", "--known-key",
                                                      "--consistency"))
        ended, certifications, withdrawals = (
            [open(path).read() for path in lists[name]]
            for name in ("--ended", "--certification", "--withdrawal"))
        catalogues = [open(path, "rb").read() for path in lists["--catalogue"]]
        roots = dict(one.split("=", 1) for one in lists["--certification-root"])
        for kind, path in roots.items():
            if kind not in ("type", "installation"):
                raise OSError("--certification-root: type=FILE or installation=FILE")
            open(path, "rb").close()
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return USAGE
    try:
        policy = Policy(policy_text) if policy_text is not None else None
        ends = Ends(ended, arguments[1], proofs) if ended else None
        if keys is not None:
            evidence = Receipt(text.decode(), keys, arguments[1], policy, known, ends)
        else:
            trust = {"roots": roots, "more": certifications, "withdrawals": withdrawals}
            evidence = Evidence(text.decode(), arguments[1], policy, openings, known, ends,
                                trust if roots else None, paths.get("--mine"), catalogues)
    except (Refused, StopIteration, ValueError, UnicodeDecodeError, TypeError, KeyError, IndexError,
            AttributeError) as error:
        print(f"invalid: {error}")
        return INVALID
    code = evidence.code()
    words = ["certified", "", "", "uncertified", "lab"][code]
    ordered = getattr(evidence, "ordered", None)
    words += ", development keys" if evidence.development else ""
    print("verified:", (claim_words(ordered) + ". " if ordered else "") +
          f"{words}. Proven: {evidence.proven}")
    print("NOT proven:", evidence.not_proven)
    print(f"claim: record {evidence.claim['seq']}, {evidence.claim['kind']} of "
          f"{evidence.claim['origin']}")
    if getattr(evidence, "unknown_catalogue", ""):
        print(f"rules: UNKNOWN here, catalogue {evidence.unknown_catalogue}")
    for line in evidence.checked:
        print("checked:", line)
    for line in dict.fromkeys(evidence.not_checked):
        print("not checked:", line)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
