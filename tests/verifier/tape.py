"""Tapes and the digits drawn from them (shuffle/MAPPING.md)."""
from .text import H, HMAC, Refused, field, need, u32


class Tape:
    """Words from given bytes, or from HMAC blocks."""

    def __init__(self, data=b"", key=None, purpose="", inputs=()):
        self.data, self.key, self.used, self.rejected, self.block = data, key, 0, 0, 0
        self.head = b"talla/v1/" + purpose.encode() + b"\0"  # of talla-tape-v1
        self.tail = b"".join(field(i) for i in inputs)

    def word(self):
        if self.key is not None and len(self.data) < 8 * (self.used + 1):
            self.data += HMAC(self.key, self.head, u32(self.block), self.tail)
            self.block += 1
        piece = self.data[8 * self.used:8 * self.used + 8]
        need(len(piece) == 8, "the tape is too short")
        self.used += 1
        return int.from_bytes(piece, "big")

    def consumed(self):
        return self.data[:8 * self.used]

    def digits(self, bounds):
        out, at = [], 0
        while at < len(bounds):
            product, end = 1, at
            while end < len(bounds) and (end == at or product * bounds[end] < 2**56):
                product *= bounds[end]
                end += 1
            out += self.batch(bounds[at:end], product)
            at = end
        return out

    def batch(self, bounds, product):
        for redraws in range(65):
            rest, digits = self.word(), []
            for bound in bounds:
                digits.append(rest * bound >> 64)
                rest = rest * bound & (2**64 - 1)
            if rest >= 2**64 % product:
                return digits
            self.rejected += 1
        raise Refused("generator fault")


def check_tape(tape, body):
    need(tape.used == body["words_used"] and tape.rejected == body["words_rejected"]
         and H(tape.consumed()).hex() == body["tape_digest"],
         "tape_other: another account of the tape")


def fisher_yates(tape, items):
    """Shuffles the list in place (MAPPING.md, "Shuffle")."""
    for i, j in enumerate(tape.digits(list(range(2, len(items) + 1))), start=1):
        items[i], items[j] = items[j], items[i]
