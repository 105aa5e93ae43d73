#!/usr/bin/env python3
"""Replays tapes from the text of shuffle/MAPPING.md alone (standard library only) and compares with
the frozen vectors.

Usage: replay.py vectors.json          compares, exit code 1 on a difference
       replay.py --write vectors.json  writes the file anew (only when the mapping gets a new id)
"""
import hashlib
import hmac
import json
import struct
import sys

WORD = 1 << 64
PRODUCT_LIMIT = 1 << 56
REDRAWS_MAX = 64


class Tape:
    """Words from a function that gives the bytes of block 0, 1, 2, ..."""

    def __init__(self, block_bytes):
        self.block_bytes, self.blocks, self.data = block_bytes, 0, b""
        self.used, self.rejected = 0, 0

    def word(self):
        while len(self.data) < 8 * (self.used + 1):
            self.data += self.block_bytes(self.blocks)
            self.blocks += 1
        self.used += 1
        return int.from_bytes(self.data[8 * self.used - 8:8 * self.used], "big")

    def consumed(self):
        return self.data[:8 * self.used]


def entropy_tape(data):
    def block(index):
        if index > 0:
            raise EOFError("tape exhausted")
        return data
    return Tape(block)


def hmac_tape(key, purpose, inputs):
    head = b"talla/v1/" + purpose.encode() + b"\0"
    tail = b"".join(struct.pack(">I", len(one)) + one for one in inputs)
    return Tape(lambda index: hmac.new(key, head + struct.pack(">I", index) + tail,
                                       hashlib.sha256).digest())


def batch(tape, bounds):
    product = 1
    for bound in bounds:
        product *= bound
    for _ in range(REDRAWS_MAX + 1):
        rest, digits = tape.word(), []
        for bound in bounds:
            digit, rest = divmod(rest * bound, WORD)
            digits.append(digit)
        if rest >= WORD % product:
            return digits
        tape.rejected += 1
    raise RuntimeError("generator fault")


def draw(tape, bounds):
    digits, waiting, product = [], [], 1
    for bound in bounds:
        if waiting and product * bound >= PRODUCT_LIMIT:
            digits += batch(tape, waiting)
            waiting, product = [], 1
        waiting.append(bound)
        product *= bound
    return digits + (batch(tape, waiting) if waiting else [])


def permutation(tape, items):
    items = list(items)
    for i, j in enumerate(draw(tape, range(2, len(items) + 1)), start=1):
        items[i], items[j] = items[j], items[i]
    return items


def french(decks):
    return [rank + suit for _ in range(decks) for suit in "CDHS" for rank in "A23456789TJQK"]


def spanish40(decks):
    return [rank + suit for _ in range(decks) for suit in "oceb" for rank in "1234567SCR"]


DECKS = {"french52x1": french(1), "french52x6": french(6), "french52x8": french(8),
         "spanish40x1": spanish40(1), "french52+1jx1": french(1) + ["Jk"],
         "french52-234567x1": [card for card in french(1) if card[0] not in "234567"]}


def make_tape(vector):
    if "entropy" in vector:
        # The bytes are SHA-256(text || u32 0), SHA-256(text || u32 1), ... cut to the length.
        text, length = vector["entropy"]["text"].encode(), vector["entropy"]["bytes"]
        blocks = [hashlib.sha256(text + struct.pack(">I", i)).digest()
                  for i in range((length + 31) // 32)]
        data = bytes.fromhex(vector["entropy"].get("prefix", "")) + b"".join(blocks)[:length]
        return entropy_tape(data)
    parts = vector["hmac"]
    return hmac_tape(bytes.fromhex(parts["key"]), parts["purpose"],
                     [bytes.fromhex(one) for one in parts["inputs"]])


def outcome(vector, tape):
    kind, ask = vector["kind"], vector["ask"]
    if kind == "words":
        return [f"{tape.word():016x}" for _ in range(ask)]
    if kind == "permutation":
        return permutation(tape, range(ask))
    if kind == "shoe":
        return " ".join(permutation(tape, DECKS[ask]))
    if kind == "wheel":
        return draw(tape, [ask])[0]
    if kind == "dice":
        return [digit + 1 for digit in draw(tape, [ask[1]] * ask[0])]
    if kind == "indices":
        return [str(digit) for digit in draw(tape, [int(bound) for bound in ask])]
    if kind == "insertion":
        return draw(tape, [ask + 1])[0]
    if kind == "sorting":
        return sorting(permutation(tape, DECKS[ask]), DECKS[ask])
    if kind == "shelf":
        return shelf(permutation(tape, range(ask[0])), ask[1], ask[2])
    raise ValueError(kind)


def sorting(order, feed):
    """Where each fed card goes: copies of one card take its places in ascending order."""
    left = {}
    for place, card in enumerate(order):
        left.setdefault(card, []).append(place)
    return [left[card].pop(0) for card in feed]


def shelf(places, compartments, reverses):
    """The compartment of each fed card, pass after pass; `places`: where each card of the first
    feed belongs."""
    passes = 1
    while compartments ** passes < len(places):
        passes += 1
    told = []
    for number in range(passes):
        row = [place // compartments ** number % compartments for place in places]
        if reverses and (passes - 1 - number) % 2 == 1:
            row = [compartments - 1 - digit for digit in row]
        told += row
        shelves = [[place for place, one in zip(places, row) if one == shelf_number]
                   for shelf_number in range(compartments)]
        places = [place for one in shelves for place in (one[::-1] if reverses else one)]
    if places != sorted(places):
        raise RuntimeError("the machine does not sort")
    return told


def complete(vector):
    tape = make_tape(vector)
    result = {key: vector[key] for key in vector if key in ("kind", "ask", "entropy", "hmac")}
    result["outcome"] = outcome(vector, tape)
    result["words_used"], result["words_rejected"] = tape.used, tape.rejected
    result["consumed_sha256"] = hashlib.sha256(tape.consumed()).hexdigest()
    return result


def questions():
    """What the vectors ask; a prefix of zero words is refused by every bound that is no power of
    two."""
    key, root = bytes(range(32)).hex(), (b"\xa5" * 32).hex()
    entropy = {"entropy": {"text": "talla vectors", "bytes": 1600}}
    refused = {"entropy": {"text": "talla vectors", "bytes": 1600, "prefix": "00" * 24}}
    short = {"hmac": {"key": key, "purpose": "draw", "inputs": [root, "", "0001"]}}
    mix = {"hmac": {"key": key, "purpose": "mix", "inputs": []}}
    asks = [("words", 9), ("permutation", 1), ("permutation", 2), ("permutation", 7),
            ("permutation", 52), ("permutation", 416), ("permutation", 1024),
            ("shoe", "spanish40x1"), ("shoe", "french52x1"), ("shoe", "french52+1jx1"),
            ("shoe", "french52-234567x1"), ("shoe", "french52x6"), ("shoe", "french52x8"),
            ("wheel", 37), ("wheel", 38), ("wheel", 54), ("dice", [2, 6]), ("dice", [3, 6]),
            ("dice", [49, 6]),
            ("indices", ["2", "72057594037927935", "1", "49", "1000000007", "1073741824"])]
    for tape in (entropy, refused, short, mix):
        for kind, ask in asks:
            yield {"kind": kind, "ask": ask, **tape}
    insertion = {"hmac": {"key": key, "purpose": "insertion",
                          "inputs": [root, "00000007", "04" * 16]}}
    for ask in (0, 1, 311, 415, 1023):
        yield {"kind": "insertion", "ask": ask, **insertion}
    for ask in ("spanish40x1", "french52+1jx1", "french52x6"):
        yield {"kind": "sorting", "ask": ask, **entropy}
    for ask in ([40, 10, False], [52, 7, True], [416, 30, True], [416, 8, False], [52, 52, True]):
        yield {"kind": "shelf", "ask": ask, **entropy}


def main():
    if sys.argv[1] == "--write":
        vectors = [complete(one) for one in questions()]
        with open(sys.argv[2], "w", encoding="utf-8") as out:
            lines = ",\n".join(json.dumps(one) for one in vectors)
            out.write('{"tape": "talla-tape-v1", "mapping": "talla-map-v1", "vectors": [\n' +
                      lines + "\n]}\n")
        return 0
    with open(sys.argv[1], encoding="utf-8") as source:
        vectors = json.load(source)["vectors"]
    wrong = [one for one in vectors if complete(one) != one]
    for one in wrong:
        print("differs:", one["kind"], one["ask"], file=sys.stderr)
    print(f"{len(vectors) - len(wrong)} of {len(vectors)} vectors replayed")
    return 1 if wrong or not vectors else 0


if __name__ == "__main__":
    sys.exit(main())
