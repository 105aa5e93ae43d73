"""A story whose last call two persons have ordered, behind more VOIDs than its table allows:
written from FORMAT section 8.

It is a frozen one with the order put in. The two persons are honest: the liar has every key but
theirs, so what they signed stays what it is when he tells the rest otherwise."""
import base64
import json

from authority import canonical, fixed_numbers
from seats import Contributor
from story import Story, sha256

PERSONS = ("urn:talla:inspector", "urn:talla:operator")


class Person(Contributor):
    """A client who asks for an act of two persons, or confirms it."""

    def signed(self, order):
        der = self.authority.signed(self.file, b"talla/v2/order\0" + canonical(order).encode())
        return base64.b64encode(fixed_numbers(der)).decode()


class Ordered(Story):
    """A story of draws while the order is put in: `access` before `call`, the seqs of both."""

    def __init__(self, bundle, persons, access, call):
        super().__init__("ordered", bundle)
        self.persons, self.access, self.call = persons, access, call

    def sign(self, record, heads, authority):
        if record["seq"] == self.call:
            record["cites"] = [self.access - 1, self.access]
            record["body"]["core"]["head"] = heads[self.access - 1]
            self.cores.discard(canonical(record["body"]["core"]))
            if record["body"].get("order", {}).get("head") == heads[self.access - 1]:
                return  # signed already
            order = {"act": "call-again", "digest": "", "head": heads[self.access - 1],
                     "object": record["object"], "origin": record["origin"]}
            by = [{"id": name, "key": one.key, "signature": one.signed(order)}
                  for name, one in zip(PERSONS, self.persons)]
            record["body"]["order"] = {"head": order["head"], "by": by}
            step = next(one for one in self.records if one["seq"] == self.access)
            step["body"]["order"] = {"head": order["head"], "key": by[1]["key"],
                                     "signature": by[1]["signature"]}
        super().sign(record, heads, authority)


def ordered(path, authority):
    """The story of the frozen bundle `path`, of cores that lapsed and a draw behind them."""
    with open(path, encoding="utf-8") as file:
        bundle = json.load(file)
    persons = [Person(authority, name.rpartition(":")[2]) for name in PERSONS]
    call = Story("before", bundle).record("CALL", -1)["seq"]
    story = Ordered(bundle, persons, call, call + 1)
    story.record("TABLE_OPEN")["body"]["policy"]["max_voids"] = 0
    for record in story.records:
        if record["seq"] >= call:
            record["seq"] += 1
        if record["seq"] > call + 1:
            record["prev"] += 1
            record["body"]["call"] += 1
            record["cites"] = [call + 1]
    story.more["claim"] += 1
    at = next(i for i, record in enumerate(story.records) if record["seq"] == call + 1)
    before, asked = story.records[at - 1], story.records[at]
    envelope = {name: before[name] for name in ("v", "origin", "time", "time_quality", "boot")}
    spki = sha256(base64.b64decode(persons[1].key)).hex()
    story.records.insert(at, {
        **envelope, "seq": call, "kind": "ACCESS", "cites": [],
        "client": {"id": PERSONS[1], "spki": spki},
        "body": {"what": "call-again.confirmed", "result": "allowed", "by": list(PERSONS),
                 "object": asked["object"]}})
    story.told(authority)  # signs for what stands before; the ACCESS, which is before, then has it
    return Story("ordered", json.loads(story.told(authority)))
