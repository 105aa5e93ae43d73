"""The calls of the claim's table: whose they are, what they bind, one at a time (FORMAT section
9)."""

from .again import Again, subject_of
from .chain_rules import Turns, ends_turn, head_of
from .contributors import Contributors
from .libcrypto import Certificate, Key
from .log import pair_der
from .orders import Orders, ShoesBefore, before_shoe
from .records import class_of, ends_content, is_lapsed
from .text import D, H, Refused, canonical, need, unbase64
from .tree import leaf_hash

SPKI_FRONT = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")
FIELD = 2**256 - 2**224 + 2**192 + 2**96 - 1
CURVE_B = int("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b", 16)
BETWEEN = ("SHOE_COMMIT", "SHOE_RELEASE", "SHUFFLE_REPORT", "BATCH_COMMIT", "BATCH_CLOSE")


def core_text(core):
    return canonical(core).encode()


def digest_of(core):
    """C, which stands for the call."""
    return H(D("core"), core_text(core))


class TableKey:
    """A key on P-256, by its SubjectPublicKeyInfo."""

    def __init__(self, spki):
        point = spki[len(SPKI_FRONT):]
        need(spki.startswith(SPKI_FRONT) and len(point) == 64, "table_key: no key on P-256")
        x, y = (int.from_bytes(half, "big") for half in (point[:32], point[32:]))
        need(max(x, y) < FIELD and (y * y - x**3 + 3 * x - CURVE_B) % FIELD == 0,
             "table_key: a point that is not on P-256")
        self.key, self.spki = Key.of_spki(spki), spki

    def certified_by(self, der):
        try:
            key = Certificate(der).key
        except Refused:
            return False
        return key is not None and key.spki == self.spki

    def signed(self, message, signature):
        """`signature`: r || s."""
        return self.key.signed(message, pair_der(signature))


class Calls:
    def __init__(self, evidence):
        self.evidence, self.opening = evidence, evidence.table_record
        self.each_round = evidence.table["policy"]["mix"] == "round"
        self.text = {record["seq"]: entry["record"] for record, entry
                     in zip(evidence.records, evidence.bundle["records"])}
        self.whole, self.turns = True, Turns()
        self.round_known, self.round, self.bets, self.bets_known = True, "", None, False
        self.behind, self.calls, self.batches = [], 0, {}
        self.contributors = Contributors(
            self.opening["body"], leaf_hash(self.text[self.opening["seq"]].encode()), TableKey)
        self.again = Again(self.opening["body"], TableKey)
        self.orders, self.shoes = Orders(evidence, self.again), ShoesBefore()

    def run(self):
        self.table_key()
        last = None
        for record in self.evidence.records:
            if record.get("table") == self.opening["object"] and "link" in record:
                if last is not None and record["prev"] != last["seq"]:
                    self.gap(record["seq"])
                self.step(record)
                self.behind.append(record)
                last = record
        if self.calls:
            client, (joined, dropped) = self.opening["client"], self.contributors.conclude()
            honest = "if the appliance or that key was honest; contributors beside the " \
                "appliance: the table alone" if not joined else "if the appliance, that key or " \
                "one of these was honest, each of whom fixed a number before and gave it " \
                f"behind the call: {joined}"
            self.evidence.checked.append(
                f"{self.opening['object']}: each of {self.calls} calls is signed by the key "
                f"{client['spki']} of {client['id']}, one a turn, and binds commitment, rules, "
                f"bets and the table's number: uniform {honest}; repetitions before, as far as "
                f"this file shows: {self.evidence.repetitions}")
            self.evidence.not_checked.append(
                f"whether {client['id']} is whose key {client['spki']} is: its certificates")
            if joined:
                self.evidence.not_checked.append(
                    f"whose keys those are that contributed: {joined}")
            if dropped:
                self.evidence.not_checked.append(
                    f"without the numbers of these, whom a call had named: {dropped}")

    def table_key(self):
        body = self.opening["body"]
        spki = unbase64(body["key"])
        self.key = TableKey(spki)
        need(self.opening.get("client", {}).get("spki") == H(spki).hex(),
             "table_key: not that of its client")
        need(self.key.certified_by(unbase64(body["chain"][0])),
             "table_key: its first certificate is of another key")

    def gap(self, begin):
        """What stood before it is not known."""
        self.turns.forget(begin)
        self.whole, self.round_known, self.bets_known, self.behind = False, False, False, []
        for one in (self.contributors, self.again, self.orders, self.shoes):
            one.forget()

    def step(self, record):
        name, kind = f"record {record['seq']}", record["kind"]
        self.shoes.take(record)
        self.orders.step(record, self.heads(), name)
        self.turns.undisturbed(record, name, self.each_round)
        if kind == "CALL":
            self.call(record, name)
        if is_lapsed(record):
            self.lapsed(record, name)
        elif ends_turn(record):
            self.result(record, name)
        self.batch(record)
        if self.evidence.class_of(record) == "round":
            self.take_round(record)
        if kind in ("ROUND_END", "TABLE_CLOSE"):
            turns = record["body"]["turns"] - self.opening["body"]["turns"]
            need(turns >= 0 and self.turns.turns in (None, turns),
                 f"totals_wrong: {name}: other turns than the chain has")
            self.turns.turns = turns

    def batch(self, record):
        """Which secret of each batch that is open is the next one."""
        kind, body, name = record["kind"], record["body"], record.get("object")
        if kind == "BATCH_COMMIT":
            self.batches[name] = {"next": 0, **body}
        elif kind == "BATCH_CLOSE":
            self.batches.pop(name, None)
        elif name in self.batches and (kind == "CALL" or is_lapsed(record)):
            self.batches[name]["next"] += 1

    def lapsed(self, record, name):
        """A core that became no CALL: answered, opened where it names the next secret, counted."""
        core = record["body"]["core"]
        self.signed(record, core, name)
        need(core["origin"] == record["origin"] and core["table"] == record["table"],
             f"core_mismatch: {name}: another table")
        opened = record["object"] != record["table"]
        need(not opened or record["object"] == core["object"],
             f"core_mismatch: {name}: another object")
        need(not record["cites"], f"lapsed_cites: {name}: a core that lapsed cites nothing")
        self.contributors.lapsed(core)
        self.again.lapsed(core)
        batch = self.batches.get(core["object"])
        following = bool(batch) and core["root"] == batch["root"] and \
            core["at"] == batch["next"] < batch["count"]
        need(following == opened or not following and
             core["object"] not in self.evidence.chain_of,
             f"lapsed_wrong: {name}: the next secret of an open batch is opened, and no other")
        draws = following and record["time"] < batch["expires"]
        if record["link"] != core["head"] or core["use"] == "draw" and not draws:
            return
        try:
            self.core(record, core, name)
        except Refused:
            return
        table = self.opening["body"]
        alone = not core["others"] and not table["policy"]["required"]
        if draws and alone and table["settled_by"] == "client" and "range" in table["parameters"]:
            need(table["parameters"]["range"] != core["specification"],
                 f"lapsed_wrong: {name}: its core could stand")
            return
        self.evidence.not_checked.append(f"{name}: why its core could not stand any more; it "
                                         "counts as a repetition")

    def call(self, record, name):
        core = record["body"]["core"]
        self.signed(record, core, name)
        self.contributors.named(core, name)
        self.head(record, core, name)
        self.shoes.check(record, name)
        self.core(record, core, name)
        self.again.check(record, self.heads(), name)
        if "order" in record["body"]:
            self.ordered(record, name)
        self.again.called(core)
        self.turns.open = record

    def heads(self):
        """Those behind which nothing stands that a call could rest on; None: a gap hides some."""
        out = []
        for before in reversed(self.behind):
            out.append(head_of(before, self.text[before["seq"]]))
            if before["kind"] not in BETWEEN:
                return out
        return None

    def ordered(self, record, name):
        """The ACCESS that it cites is what the second of two persons confirmed."""
        first, second = record["body"]["order"]["by"]
        cited = [self.evidence.by_seq[seq] for seq in record["cites"]
                 if self.evidence.by_seq.get(seq, {}).get("kind") == "ACCESS"]
        said = {"what": "call-again.confirmed", "result": "allowed",
                "by": [first["id"], second["id"]], "object": subject_of(record["body"]["core"]),
                "order": {"head": record["body"]["order"]["head"], "key": second["key"],
                          "signature": second["signature"]}}
        client = {"id": second["id"], "spki": H(unbase64(second["key"])).hex()}
        need(len(cited) == 1 and cited[0].get("client") == client and
             {one: cited[0]["body"].get(one) for one in said} == said,
             f"order_wrong: {name}: does not cite the ACCESS of its order")

    def signed(self, record, core, name):
        """The core of the next turn, signed by the table's key, while no other is open."""
        self.turns.next(record, name)
        need(record.get("client") == self.opening["client"],
             f"call_signature: {name}: of another client than the table's")
        need(self.key.signed(D("call") + core_text(core), unbase64(record["body"]["signature"])),
             f"call_signature: {name}: not signed by the table's key")
        self.calls += 1

    def head(self, record, core, name):
        wanted, before = 2 if "order" in record["body"] else 1, before_shoe(record)
        need(len(before) <= 1 and len(record["cites"]) - len(before) == wanted,
             f"head_wrong: {name}: cites more or less than it may")
        for before in reversed(self.behind):
            if before["seq"] in record["cites"]:
                need(head_of(before, self.text[before["seq"]]) == core["head"],
                     f"head_wrong: {name}: not that of the record it cites")
                return
            need(before["kind"] in BETWEEN and before["object"] != record["object"],
                 f"head_wrong: {name}: record {before['seq']} stands between")
        begin = self.behind[0]["seq"] if self.behind else record["seq"]
        need(not self.whole and record["object"] not in self.evidence.chain_of and
             record["cites"][0] < begin,
             f"head_wrong: {name}: no record of the table")

    def core(self, record, core, name):
        table = self.opening["body"]
        parameters = H(D("parameters"), canonical(table["parameters"]).encode()).hex()
        same = {"origin": record["origin"], "table": record["table"], "object": record["object"],
                "parameters": parameters}
        same.update({one: table[one] for one in ("game", "variant", "catalogue")})
        if self.round_known:
            same["round"] = self.round or "0"
        for member, value in same.items():
            need(core[member] == value, f"core_mismatch: {name}: another {member}")
        if core["round"] == "0":
            return
        if not self.bets_known:
            self.evidence.not_checked.append(f"{name}: the bets of {core['round']} are not in the "
                                             "bundle")
            return
        need(core["bets"] == (self.bets or H(D("bets"), b"[]").hex()),
             f"core_mismatch: {name}: other bets than its round has")
        need(self.bets or core["use"] == "mix" or core["specification"]["kind"] == "lots",
             f"core_mismatch: {name}: the bets of its round are not closed")

    def result(self, record, name):
        asked = self.turns.ends(record, name)
        if asked is not None:
            self.ended(record, asked, name)
        self.turns.end()

    def rests(self, record, core):
        """Whether the claim rests on this result: a draw on itself, what is said of a shoe or batch
        on its results, what is said of a round on its draws and the mixes of the file, or on its
        own where each round is mixed."""
        claim = self.evidence.claim
        if claim["kind"] == "DRAW":
            return record is claim
        if class_of(claim) == "round":
            every = record["kind"] == "SHOE_MIX" and not self.each_round
            return every or core["round"] == claim["object"]
        return record["object"] == claim["object"]

    def ended(self, record, asked, name):
        core, body = asked["body"]["core"], record["body"]
        if record["kind"] != "VOID":
            self.contributors.opened(core, digest_of(core), body["openings"],
                                     self.rests(record, core), name)
            return
        given = self.opening["body"]["policy"]["open_within"] * 1_000_000
        need(body["cause"] != "withheld" or record["time"] - asked["time"] >= given,
             f"withheld_early: {name}: before their time is up")
        self.again.ended(core, body.get("missing", []))
        self.contributors.ended(core, digest_of(core), body, name)

    def take_round(self, record):
        if record["kind"] == "ROUND_OPEN":
            self.bets, self.bets_known = None, True
        elif self.round_known and self.round != record["object"]:
            self.bets_known = False
        self.round_known = True
        self.round = "" if record["kind"] == "ROUND_END" else record["object"]
        if record["kind"] == "BETS_CLOSED" and ends_content(record):
            self.bets, self.bets_known = record["body"]["digest"], True
