#!/usr/bin/env python3
# Goal: the three readers take and refuse exactly the same records.
# Method: one record of each kind and form with every optional member (samples.py), each of its
#   members changed, left out and joined by one of no meaning (fields.py); C++, Python and the
#   browser's reader asked about each. usage: readers_test.py RECORD_READER (node, python3)
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import fields  # noqa: E402
import samples  # noqa: E402
from authority import canonical  # noqa: E402
from verifier.records import parse_record  # noqa: E402
from verifier.text import Refused  # noqa: E402


# No UTF-8; half a character; one that is written too long; half of a pair; the same bytes spelled
# otherwise, padded, or with letters of the other alphabet; and true ones.
NOTES = ["__4", "wg", "wIA", "7aCA", "YR", "YQ==", "+/8", "Y Q", "A", "YQ", "Ilx_CgnDsQ"]


def by_python(texts):
    for text in texts:
        try:
            parse_record(text)
            yield "ok"
        except (Refused, ValueError, TypeError, KeyError, AttributeError) as error:
            yield f"{type(error).__name__}: {error}"


def asked(command, texts):
    done = subprocess.run(command, input="\n".join(texts) + "\n", capture_output=True, text=True,
                          check=True)
    answers = done.stdout.splitlines()
    assert len(answers) == len(texts), (len(answers), len(texts))
    return answers


def main():
    told = {}
    for record in samples.records():
        told.setdefault(canonical(record), f"{record['kind']} as it is")
    true = len(told)
    for name, lie in fields.record_lies(samples.records()):
        told.setdefault(canonical(lie), name)
    first = next(iter(samples.records()))
    for note in NOTES:
        told.setdefault(canonical({**first, "note": note}), f"the note {note!r}")
    texts = list(told)
    answers = zip(asked([sys.argv[1]], texts), by_python(texts),
                  asked(["node", os.path.join(HERE, "read.mjs")], texts))
    failed = taken = 0
    for at, (text, three) in enumerate(zip(texts, answers)):
        read = [answer == "ok" for answer in three]
        taken += all(read)
        if read != ([True] * 3 if at < true else [read[0]] * 3):
            failed += 1
            print(f"FAILED {told[text]}: C++, Python, browser:", *three, sep="\n  ")
    print(f"{true} records and {len(texts) - true} changed ones, {taken} of them read by all "
          f"three, {failed} failures")
    return 1 if failed or len(texts) < 20 * true else 0


if __name__ == "__main__":
    sys.exit(main())
