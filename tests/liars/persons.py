"""A story in which two persons order the end of a call, a shoe or a table, and sign for whatever
the liar tells: written from FORMAT section 8.

They are put in the place of those of the story. An order is signed anew while nothing of its ACCESS
is the lie itself, so what a lie breaks is its own rule, and not the signature of an honest person.
That of a call behind VOIDs is told in ordered.py, where the persons are honest. A machine signs its
report anew where it is told behind another release, while nothing of the report is the lie."""
import base64
import copy
import hashlib

from authority import canonical
from machines import FrozenMachine, unsigned
from ordered import Person
from story import Story, head_of


def spki_of(key):
    return hashlib.sha256(base64.b64decode(key)).hexdigest()


class Persons:
    """Keys of those who order something; one for each name, for all stories."""

    def __init__(self, authority):
        self.authority, self.known, self.signed = authority, {}, {}
        self.machine, self.told = FrozenMachine(authority), {}

    def of(self, name):
        if name not in self.known:
            self.known[name] = Person(self.authority, name.rpartition(":")[2])
        return self.known[name]

    def sign(self, name, order):
        said = name, canonical(order)
        if said not in self.signed:
            self.signed[said] = self.of(name).signed(order)
        return self.signed[said]


    def report(self, head, record):
        said = head, canonical({**record, "body": unsigned(record["body"])})
        if said not in self.told:
            self.told[said] = self.machine.signed(head, record)
        return self.told[said]


class Directed(Story):
    """A story of a bundle whose ACCESS carry orders."""

    def __init__(self, name, bundle, persons):
        super().__init__(name, bundle)
        heads = {head_of(record["link"], canonical(record)): record["seq"]
                 for record in self.records if "link" in record}
        self.persons, self.places = persons, {}
        for record in self.records:
            order = record["body"].get("order") if record["kind"] == "ACCESS" else None
            if order is None or record["body"]["what"].startswith("call-again."):
                continue
            key = persons.of(record["client"]["id"]).key
            order["key"], record["client"]["spki"] = key, spki_of(key)
            self.places[record["seq"]] = heads[order["head"]]
            self.write(record, record["client"]["id"])
        texts = {record["seq"]: canonical(record) for record in self.records}
        links = {record["seq"]: record.get("link") for record in self.records}
        self.reports = {  # the head that each is signed for
            canonical(record["body"]): head_of(links[seq], texts[seq])
            for record in self.records if record["kind"] == "SHUFFLE_REPORT"
            for seq in record["cites"]}
        self.true = {record["seq"]: record for record in copy.deepcopy(self.records)
                     if record["seq"] in self.places}

    def __deepcopy__(self, memo):
        other = copy.copy(self)
        memo[id(self)] = other
        for name, value in vars(self).items():
            setattr(other, name, value if name in ("persons", "true", "places", "reports")
                    else copy.deepcopy(value, memo))
        return other

    def write(self, record, name):
        body = record["body"]
        body["order"]["signature"] = self.persons.sign(name, {
            "act": body["what"].rpartition(".")[0], "digest": "", "head": body["order"]["head"],
            "object": body["object"], "origin": record["origin"]})

    def direct(self, record, heads):
        """Order and report are of the state of the table that is told, where no part of them is a
        lie."""
        if record["kind"] == "SHUFFLE_REPORT":
            self.report(record, heads)
            return
        true = self.true.get(record["seq"])
        if true is None or record["seq"] in self.links or record["kind"] != "ACCESS" or any(
                record.get(name) != true[name] for name in ("client", "body", "origin")):
            return
        head = heads.get(self.places[record["seq"]])
        if head is None or head == record["body"]["order"]["head"]:
            return
        record["body"] = copy.deepcopy(record["body"])
        record["body"]["order"]["head"] = head
        self.write(record, record["client"]["id"])

    def report(self, record, heads):
        """What the machine said is signed anew where it is told behind another release."""
        signed = self.reports.get(canonical(record["body"]))
        head = heads.get(next(iter(record["cites"]), None))
        if signed in (None, head) or head is None or record["seq"] in self.links:
            return
        record["body"] = {**record["body"], "signature": self.persons.report(head, record)}
