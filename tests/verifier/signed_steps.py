"""What persons asked for, confirmed and signed of the acts that a log holds (FORMAT section 6,
ACCESS)."""
from .calls import TableKey
from .contributors import has_signed
from .laboratory import samples_of
from .text import D, H, Refused, canonical, field, need, unbase64

SAMPLING = "sampling-order"
OF_TABLES = ("call-again", "draw-void", "table-void", "shoe-close")


def parts_of(what):
    """ACT and STEP; no step: empty."""
    act, dot, step = what.rpartition(".")
    return (act, step) if dot else (what, "")


def same_act(one, other):
    return parts_of(one["what"])[0] == parts_of(other["what"])[0] and \
        all(one.get(name) == other.get(name) for name in ("object", "digest"))


def is_key_of(client, spki):
    """Whether this is a key on P-256, and that client's."""
    try:
        TableKey(spki)
    except Refused:
        return False
    return client is not None and client["spki"] == H(spki).hex()


class SignedSteps:
    """The steps of one log, in their order. One without `order` came over the connection alone."""

    def __init__(self):
        self.asked, self.over, self.heads, self.runs, self.alone = {}, set(), set(), [], 0

    def take(self, record, leaf):
        """The next record that the reader has, of any kind; `leaf`: its leaf hash."""
        seq = record["seq"]
        if self.runs and self.runs[-1][1] + 1 == seq:
            self.runs[-1][1] = seq
        else:
            self.runs.append([seq, seq])
        if record["kind"] != "ACCESS":
            return
        body, name = record["body"], f"record {seq}"
        act, step = parts_of(body["what"])
        of_person, of_table = step in ("asked", "confirmed"), act in OF_TABLES
        if of_person:
            self.persons(record, step, name)
        need("key" not in body or
             body.get("digest") == H(D("key"), canonical(body["key"]).encode()).hex(),
             f"access_digest: {name}: of another key than it asks for")
        ordered = samples_of(body.get("object", ""))
        need(ordered is not None and ("digest" in body) == (step == "done") if act == SAMPLING
             else not body.get("object", "").startswith("lab/"),
             f"lab_order: {name}: orders no samples, or not as an order does")
        request = self.request(record, act)
        if step == "confirmed" and not of_table:
            self.confirmed(record, request, name)
        if "order" in body:
            self.signature(record, act, name)
            if not of_table:  # for a state of its table, which its chain tells
                self.head(record, step, name)
        elif of_person:
            self.alone += 1
        if step == "asked":
            self.asked[seq] = (leaf.hex(), record)
        elif request in self.asked:
            self.over.add(request)

    def said(self, before=0):
        """Of those behind the first `before` that nobody has signed."""
        count = self.alone - before
        return [f"who asked for or confirmed the acts of {count} records: nobody signed these, "
                "they came over the connection alone, as the appliance says"] if count else []

    def request(self, record, act):
        """The one that a step is about: that of a succession cites the KEY of its log too."""
        cites = record["cites"]
        return cites[-1] if len(cites) == (2 if act.startswith("succession") else 1) else None

    def persons(self, record, step, name):
        """A step has a client, the last of those it names; who confirms is another one than who
        asked, with another key."""
        client, by = record.get("client"), record["body"].get("by", [])
        need(client is not None and len(by) == (1 if step == "asked" else 2) and
             by[-1] == client["id"],
             f"access_person: {name}: names others than its client and who asked")
        if step == "asked":
            return
        need(by[0] != client["id"], f"access_person: {name}: of who asked for it")
        for seq in record["cites"]:
            if seq in self.asked:
                first = self.asked[seq][1]["client"]
                need(first["id"] != client["id"] and first["spki"] != client["spki"],
                     f"access_person: {name}: of who asked for it")
                need(by[0] == first["id"],
                     f"access_person: {name}: names others than its client and who asked")

    def confirmed(self, record, request, name):
        """It is of one request, which nobody has confirmed and nobody has ended."""
        need(request is not None, f"access_step: {name}: does not cite its request")
        if request not in self.asked:
            need(not any(first <= request <= last for first, last in self.runs),
                 f"access_step: {name}: cites what is no request")
            return
        need(same_act(self.asked[request][1]["body"], record["body"]),
             f"access_step: {name}: of another act than it cites")
        need(request not in self.over, f"access_step: {name}: of a request that was over")

    def signature(self, record, act, name):
        body, order = record["body"], record["body"]["order"]
        need(is_key_of(record.get("client"), unbase64(order["key"])),
             f"access_key: {name}: of another key than its client's")
        said = {"act": act, "digest": body.get("digest", ""), "head": order["head"],
                "object": body.get("object", ""), "origin": record["origin"]}
        need(has_signed(TableKey, order, D("order") + canonical(said).encode(), order),
             f"access_signature: {name}: {act}")

    def head(self, record, step, name):
        """What its person signed is for this request, once."""
        head, own = record["body"]["order"]["head"], False
        if step == "asked":
            once = (record["client"]["spki"], head)
            own = head == H(D("request-key"), field(record.get("key", ""))).hex() and \
                once not in self.heads
            self.heads.add(once)
        elif step == "confirmed":
            own = self.asked.get(record["cites"][-1], (head,))[0] == head
        need(own, f"access_head: {name}: signed for another request")
