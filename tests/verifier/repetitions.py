"""N: how often somebody could try again before the claim, as far as the file shows (FORMAT section
9, "Repetitions")."""
from .chain_rules import EARLY
from .records import ends_content


class Repetitions:
    """Fed with the records of the table's chain in order, without the claim."""

    def __init__(self, number):
        self.number = number
        self.dealt_from = False  # a SHOE_MIX or DRAW was seen, or may stand in the gap
        self.settled, self.unsettled = True, set()  # of the open round, as far as it was seen
        self.mixed, self.cards = True, None  # of the newest root; not known behind a gap
        self.begins = False  # a gap stands before the next record

    def gap(self):
        """Records were left out before the next one."""
        self.dealt_from = self.mixed = self.begins = True
        self.cards = None

    def take(self, record):
        self.number += record["kind"] == "VOID" or self.dealt_from and self.again(record)
        self.begins = False
        self.remember(record)

    def again(self, record):
        kind, body = record["kind"], record["body"]
        if kind == "ROUND_END":
            return not self.settled or bool(self.unsettled)
        if kind == "SHOE_CLOSE":
            return self.thrown_away(body)
        return kind in ("MISDEAL", "SHOE_RECOMMIT") or \
            kind == "TABLE_CLOSE" and body["reason"] == "voided"

    def thrown_away(self, close):
        """A shoe that could have been played on. Of one from before the gap nobody knows what was
        left behind its stop card."""
        left = None if self.cards is None else self.cards - close["dealt"]
        if close["reason"] in EARLY:
            return True
        if self.begins:
            return False  # the file begins with its end
        if close["reason"] == "stop_card":
            return self.mixed and left is not None and 2 * left > self.cards
        return self.mixed and left != 0

    def remember(self, record):
        kind, body = record["kind"], record["body"]
        self.dealt_from = self.dealt_from or kind in ("SHOE_MIX", "DRAW")
        if kind in ("SHOE_COMMIT", "SHOE_RECOMMIT"):
            self.mixed, self.cards = False, body["cards"]
        elif kind == "SHOE_MIX":
            self.mixed = True
        elif kind in ("ROUND_OPEN", "ROUND_END"):
            self.settled, self.unsettled = kind == "ROUND_END", set()
        elif kind == "BETS_CLOSED":
            self.unsettled |= {bet["id"] for bet in body["bets"]}
        elif kind == "SETTLEMENT":
            self.unsettled -= {result["bet"] for result in body["results"]}
            self.settled = ends_content(record)
