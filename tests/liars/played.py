"""Stories of contributors that a real appliance has logged, told again by a liar.

The liar holds root, log key and table key, and may have contributors who work with him: their keys
and seeds are here too. So whatever is told otherwise, a core's signature, each opening, outcome and
tape follow from it, but for what is the lie itself."""
import base64
import copy
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path[:0] = [HERE, TESTS, os.path.join(TESTS, "e2e")]
from authority import canonical  # noqa: E402
from calls import draw_core, mix_core, signed  # noqa: E402
from contributor import Contributor, others_of  # noqa: E402
from contributors_test import Seat as Phone  # noqa: E402
from facts import SHOE, WHEEL, new_batch, open_table, wait_for  # noqa: E402
from story import Story, sha256  # noqa: E402
from verifier.shapes import specification  # noqa: E402
from verifier.tape import Tape, fisher_yates  # noqa: E402

PARTNER = "talla:partner-1"
BETS = [{"id": "a", "seat": 1, "kind": "pleno", "on": ["7"], "stake": 25},
        {"id": "b", "seat": 2, "kind": "pleno", "on": ["17"], "stake": 25}]


def under(person, name):
    """The same key and seed under another id."""
    other = copy.copy(person)
    other.id = name
    return other


def named(person, t):
    """What a core says of a contributor."""
    said = person.commitments(t, 1)
    return {"id": person.id, "key": said["key"], "t": t, "commit": said["commits"][0]}


class Played(Story):
    """`people`: who contributes, by id. `opens`: of a result (seq), what is opened of what the
    people give. `values`: of a result, what goes into its tape."""

    def __init__(self, name, bundle, people):
        super().__init__(name, bundle)
        self.people, self.opens, self.values = people, {}, {}

    def result(self, nth):
        """The nth DRAW, SHOE_MIX or VOID."""
        return [one for one in self.records if one["kind"] in ("DRAW", "SHOE_MIX", "VOID")][nth]

    def core(self, nth):
        return self.record("CALL", nth)["body"]["core"]

    def other(self, nth, name):
        """What the core of the nth CALL says of that id."""
        return next(one for one in self.core(nth)["others"] if one["id"] == name)

    def draw(self, record, calls):
        body, seq = record["body"], record["seq"]
        core = calls.get(body.get("call"))
        if record["kind"] not in ("DRAW", "SHOE_MIX") or canonical(core) in self.cores and \
                seq not in self.opens and seq not in self.values:
            return
        given = [self.people[one["id"]].opened(core, one) for one in core["others"]]
        given = self.opens.get(seq, lambda _, all_: all_)(core, given)
        body["openings"] = [{"value": one["value"], "signature": one["signature"]} for one in given]
        values = [bytes.fromhex(one["value"]) for one in body["openings"]]
        body.update(self.follows(core, body, self.values.get(seq, lambda all_: all_)(values)))

    @staticmethod
    def follows(core, body, values):
        call = sha256(b"talla/v2/core\0", canonical(core).encode())
        if core["use"] == "mix":
            tape, said = Tape(key=call, purpose="mix", inputs=values), {}
            fisher_yates(tape, list(range(core["specification"]["places"])))
        else:
            tape = Tape(key=bytes.fromhex(body["secret"]), purpose="draw", inputs=[call, *values])
            said = {"outcome": {"pocket": tape.digits(specification(core["specification"]))[0]}}
        return said | {"words_used": tape.used, "words_rejected": tape.rejected,
                       "tape_digest": sha256(tape.consumed()).hex()}


class House:
    """A table of the appliance with two phones and a partner, whom all its calls must name."""

    def __init__(self, appliance, terms):
        self.appliance, self.client = appliance, appliance.client()
        self.office = appliance.client(PARTNER)
        key = f"{appliance.folder}/clients/{PARTNER}.key"
        spki = subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-outform", "DER"],
                              capture_output=True, check=True).stdout
        self.table = open_table(self.client, terms | {
            "open_within": 1, "required": [base64.b64encode(spki).decode()]})
        self.phones = [Phone(appliance, self.client, self.table, number) for number in (1, 2)]
        record = self.phones[0].get(f"/v1/receipts/{self.table.removeprefix('table-')}")["record"]
        self.partner = Contributor(PARTNER, record, key)
        for phone in self.phones:
            phone.commit()
        self.office.post(f"/v1/tables/{self.table}/commitments", self.partner.commitments())

    def call(self, path, core, silent=()):
        """Made, opened by all who are named but the silent ones, and ended: the result's seq."""
        call = self.client.post(path, signed(self.client, core))["call"]["seq"]
        ids = [one["id"] for one in core["others"] if one["id"] not in silent]
        for phone in self.phones:
            if phone.id in ids:
                phone.open(call)
        if PARTNER in ids:
            self.office.post(f"/v1/calls/{call}/openings", self.partner.opened(core))
        return wait_for("an end", lambda: self.client.get(f"/v1/calls/{call}").get("ended"))["seq"]

    def others(self, without=()):
        return {"others": [one for one in others_of(self.client, self.table)
                           if one["id"] not in without]}

    def draw(self, batch, silent=(), without=(), **more):
        core = draw_core(self.client, self.table, batch, **more) | self.others(without)
        batch["index"] += 1
        return self.call("/v1/draws", core, silent)

    def story(self, name, claim):
        status, text = self.client.send("GET", f"/v1/bundles/{claim}")
        assert status == 200, text
        people = [phone.own for phone in self.phones] + [self.partner]
        return Played(name, json.loads(text), {one.id: one for one in people})


def draws(appliance):
    """Two spins of all, one that seat 2 withholds, two without it. Claim: the last DRAW."""
    house = House(appliance, WHEEL)
    batch = new_batch(house.client, house.table, 8)
    for _ in range(2):
        house.draw(batch)
    house.draw(batch, silent=("seat-2",))
    for _ in range(2):
        last = house.draw(batch, without=("seat-2",))
    return house.story("draws", last)


def withheld(appliance):
    """A spin of all, and one that both seats withhold. Claim: VOID."""
    house = House(appliance, WHEEL)
    batch = new_batch(house.client, house.table, 8)
    house.draw(batch)
    return house.story("withheld", house.draw(batch, silent=("seat-1", "seat-2")))


def shoe(appliance):
    """A shoe whose first mix seat 1 withholds. Claim: SHOE_MIX of the second one."""
    house = House(appliance, SHOE)
    made = house.client.post(f"/v1/tables/{house.table}/shoes")["shoe"]["id"]
    path = f"/v1/shoes/{made}/mix"
    house.call(path, mix_core(house.client, made) | house.others(), ("seat-1",))
    return house.story("shoe", house.call(path, mix_core(house.client, made) |
                                          house.others(("seat-1",))))


def roulette(appliance):
    """A round that the appliance settles. Claim: SETTLEMENT."""
    house = House(appliance, {"catalogue": "es-1977", "game": "french-roulette", "table": {
        "currency": "ESP", "unit": 1, "min": 25, "params": {}}})
    batch = new_batch(house.client, house.table, 8)
    played = house.client.post(f"/v1/tables/{house.table}/rounds")["round"]["id"]
    house.client.post(f"/v1/rounds/{played}/close-bets", {"bets": BETS})
    drawn = house.draw(batch, round=played)
    wait_for("a settlement",
             lambda: house.client.get(f"/v1/rounds/{played}")["round"]["state"] == "ended")
    return house.story("roulette", drawn + 1)
