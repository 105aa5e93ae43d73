"""Calls behind the VOIDs of their round, shoe or batch: how many there may be, and whom the next
one has to name (FORMAT section 8)."""
from .text import D, Refused, canonical, need, unbase64


def subject_of(core):
    """The round that a core is for; outside rounds its shoe or batch."""
    return core["object"] if core["round"] == "0" else core["round"]


class Again:
    """Of one TABLE_OPEN. `key_of`: makes a key of a SubjectPublicKeyInfo."""

    def __init__(self, table, key_of):
        self.table, self.key_of = table, key_of
        self.voids, self.kept = {}, {}

    def forget(self):
        """Behind a gap: whom the last call named is not known."""
        self.kept = {}

    def called(self, core):
        self.kept.pop(subject_of(core), None)

    def ended(self, core, missing):
        self.lapsed(core)
        self.kept[subject_of(core)] = {(one["id"], one["key"]) for one in core["others"]
                                       if one["id"] not in missing}

    def lapsed(self, core):
        """It counts; whom it named says nothing."""
        self.voids[subject_of(core)] = self.voids.get(subject_of(core), 0) + 1

    def signed(self, one, statement):
        try:
            key = self.key_of(unbase64(one["key"]))
        except Refused:
            return False
        return key.signed(statement, unbase64(one["signature"]))

    def check(self, record, heads, name):
        """`heads`: what an order may have been signed for; None: not known."""
        core = record["body"]["core"]
        subject = subject_of(core)
        if "order" in record["body"]:
            said = {"act": "call-again", "object": subject, "origin": record["origin"]}
            self.check_order(record["body"]["order"], said, heads, f"order_wrong: {name}")
            return
        need(self.voids.get(subject, 0) <= self.table["policy"]["max_voids"],
             f"void_limit: {name}: {subject} ended in VOID {self.voids.get(subject)} times, and "
             "no two persons ordered another call")
        named = {(one["id"], one["key"]) for one in core["others"]}
        need(self.kept.get(subject, set()) <= named,
             f"contributor_dropped: {name}: leaves out one whom the VOID before does not name")

    def check_order(self, order, said, heads, name):
        """Two persons have signed it for this act, object and log."""
        first, second = order["by"]
        need(first["id"] != second["id"] and first["key"] != second["key"],
             f"{name}: of one person")
        statement = D("order") + canonical({**said, "digest": "", "head": order["head"]}).encode()
        for one in (first, second):
            need(one["key"] != self.table["key"] and self.signed(one, statement),
                 f"{name}: not signed by a key of {one['id']}")
        need(heads is None or order["head"] in heads, f"{name}: of another state of the table")
