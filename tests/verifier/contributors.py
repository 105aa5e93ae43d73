"""The further contributors of a table's calls: who is named, and what each opened (FORMAT section
8)."""
from .text import D, H, Refused, field, need, u32, unbase64, unhex


def commit_of(opening, name, t, value):
    """What was handed in before; `opening`: leaf hash of TABLE_OPEN."""
    return H(D("contribution-commit") + opening + field(name) + u32(t) + value)


def statement_of(call, name, t, value):
    """What the key of a contributor signs; `call`: C."""
    return D("opening") + call + field(name) + u32(t) + value


def values_of(openings):
    """What goes into a tape, in their order."""
    return [unhex(one["value"]) for one in openings]


def has_signed(key_of, one, statement, given):
    """Whether the key that a core names for `one` is one and has signed what was opened."""
    try:
        key = key_of(unbase64(one["key"]))
    except Refused:
        return False
    return key.signed(statement, unbase64(given["signature"]))


class Contributors:
    """Of one TABLE_OPEN. `key_of`: makes a key of a SubjectPublicKeyInfo."""

    def __init__(self, table, opening, key_of):
        self.table, self.opening, self.key_of = table, opening, key_of
        self.counted, self.whole = {}, True
        self.joined, self.met, self.called = None, {}, {}  # key: id

    def forget(self):
        """Behind a gap how far each had counted is not known."""
        self.counted, self.whole = {}, False

    def counts(self, one):
        known = self.counted.get(one["key"])
        if known is None:
            return one["t"] == 1 or not self.whole
        return known == (one["id"], one["t"] - 1)

    def named(self, core, name):
        """The core of a CALL."""
        others, keys = core["others"], [self.table["key"]]
        ids = [one["id"] for one in others]
        need(len(set(ids)) == len(ids), f"duplicate: {name}: one is named twice")
        for one in others:
            need(one["key"] not in keys, f"duplicate: {name}: a key has two parts")
            keys.append(one["key"])
        need(ids == sorted(ids), f"others_order: {name}: they do not ascend")
        for one in others:
            known = self.counted.get(one["key"])
            need(known is None or known[0] == one["id"], f"duplicate: {name}: a key of another id")
            need(self.counts(one), f"t_gap: {name}: {one['id']} does not count on")
            self.counted[one["key"]] = (one["id"], one["t"])
            self.called.setdefault(one["key"], one["id"])
        need(all(key in keys[1:] for key in self.table["policy"]["required"]),
             f"required_missing: {name}: leaves out a key that is required")

    def lapsed(self, core):
        """Whatever it says wrongly: who counts on in it has spent that count."""
        for one in core["others"]:
            self.met.setdefault(one["key"], one["id"])
            if (self.whole or one["key"] in self.counted) and self.counts(one):
                self.counted[one["key"]] = (one["id"], one["t"])

    def opened(self, core, call, openings, rests, name):
        """`call`: C. `rests`: the claim rests on this result."""
        need(len(openings) == len(core["others"]), f"openings_count: {name}")
        for one, given in zip(core["others"], openings):
            self.number(one, call, given, name)
        if not rests:
            return
        here = {one["key"]: one["id"] for one in core["others"]}
        self.met.update(here)
        before = here if self.joined is None else self.joined
        self.joined = {key: before[key] for key in before if key in here}

    def number(self, one, call, given, name):
        """It is what was committed to before the call, signed by the key for it."""
        value = unhex(given["value"])
        need(commit_of(self.opening, one["id"], one["t"], value).hex() == one["commit"],
             f"commit_mismatch: {name}: {one['id']}")
        need(has_signed(self.key_of, one, statement_of(call, one["id"], one["t"], value), given),
             f"opening_signature: {name}: {one['id']}")

    def ended(self, core, call, body, name):
        """Without result; who is said to be missing was to open, and so was who had."""
        missing, named = body.get("missing", []), {one["id"]: one for one in core["others"]}
        for given in body.get("openings", []):
            need(given["id"] in named, f"openings_count: {name}: {given['id']} was not to open")
            self.number(named[given["id"]], call, given, name)
        need(set(missing) <= {one["id"] for one in core["others"]},
             f"missing_wrong: {name}: names one who was not to open")
        for one in core["others"]:
            self.met.setdefault(one["key"], one["id"])

    @staticmethod
    def names(named):
        return ", ".join(sorted(f"{name} (key {H(unbase64(key)).hex()})"
                                for key, name in named.items()))

    def conclude(self):
        """Who is in all results that the claim rests on, and whom a call named who is not; where
        there is no result, whom one named that ended without."""
        joined = self.joined or {}
        met = self.met if self.joined is None else {**self.called, **self.met}
        return self.names(joined), self.names({key: name for key, name in met.items()
                                               if key not in joined})

    def check_mine(self, mine):
        """`mine`: SHA-256 of a key, in hex."""
        keys = [H(unbase64(key)).hex() for key in self.joined or {}]
        need(mine in keys, f"not_mine: the key {mine}")
