"""The chain of the claim's table: links, place, one round and one shoe at a time, counts (FORMAT
section 2)."""
from .records import is_lapsed
from .text import D, H, need, unhex
from .tree import leaf_hash

COUNTS = ("turns", "voids", "early_closes")
CHAINED = ("table", "round", "shoe", "batch")
EARLY = ("closed", "voided")


def head_of(record, text):
    """What the chain is with this record: the link of the one behind it."""
    return H(D("link"), unhex(record["link"]), leaf_hash(text.encode())).hex()


def counts_of(body):
    return {name: body[name] for name in COUNTS}


class Live:
    """The round or shoe that is open at this point; not known where the file begins behind what
    would say it."""

    def __init__(self, known=False, number=None):
        self.known, self.id, self.number = known, "", number


class TableChain:
    def __init__(self, evidence):
        self.evidence, self.claim, self.opening = evidence, evidence.claim, evidence.table_record
        self.text = {record["seq"]: entry["record"] for record, entry
                     in zip(evidence.records, evidence.bundle["records"])}
        self.last, self.first, self.whole, self.end = self.opening, None, True, None
        self.round, self.shoe = Live(True, 0), Live(True, 0)
        self.closed = self.claimed_open = False
        self.dealt_from, self.settled = False, True
        evidence.repetitions = 0
        self.claimed = self.claimed_round()

    def claimed_round(self):
        """The round that the claim belongs to; empty: none."""
        named = self.claim
        if is_lapsed(named):
            return ""  # nothing shows that it says its round
        if named["kind"] in ("DRAW", "VOID"):
            named = self.evidence.by_seq.get(named["body"]["call"], {"body": {}})
            named = {"body": named["body"].get("core", {})}
        elif self.evidence.class_of(named) == "round":
            return named["object"]
        elif named["kind"] != "CARD_DEAL":
            return ""
        name = named["body"].get("round", "")
        return "" if name == "0" else name

    def run(self):
        self.place()
        self.counts = counts_of(self.opening["body"])
        for record in self.evidence.records:
            own = record.get("table") == self.opening["object"] and "link" in record
            if own and record is not self.opening:
                self.step(record)
                self.last = record
        need(not self.claimed or self.claimed_open,
             "link_gap: the ROUND_OPEN of the claim's round is missing")
        self.conclude()

    def place(self):
        body, cites = self.opening["body"], self.opening["cites"]
        before = [self.evidence.by_seq.get(seq) for seq in cites]
        before = [one for one in before if one and one["kind"] == "TABLE_CLOSE"]
        need(len(before) <= 1, "place_gap: two closes of one place")
        if body["opened"] == 1:
            need(not before and "continues" not in body and set(self.opening["link"]) == {"0"},
                 "place_gap: the first opening of a place follows none")
            return
        need(before, "place_gap: the TABLE_CLOSE before at its place is missing")
        close = before[0]["body"]
        need(close["place"] == body["place"] and close["opened"] + 1 == body["opened"]
             and body.get("continues", before[0]["table"]) == before[0]["table"],
             "place_gap: does not follow the opening before at its place")
        need(self.opening["link"] == head_of(before[0], self.text[before[0]["seq"]]),
             "link_gap: its link is not that behind the TABLE_CLOSE")
        need(counts_of(close) == counts_of(body),
             "totals_wrong: not the counts of the close before")
        self.evidence.repetitions += 2 if close["reason"] == "voided" else 1

    def follow(self, record):
        name, first = f"record {record['seq']}", self.first is None
        need(record["kind"] != "TABLE_OPEN", f"link_gap: {name} opens the table again")
        need(not self.closed, f"link_gap: {name}: the table was closed before")
        need(record["seq"] <= self.claim["seq"], f"link_gap: {name} stands behind the claim")
        self.first = self.first or record
        if record.get("prev") == self.last["seq"]:
            need(record["link"] == head_of(self.last, self.text[self.last["seq"]]),
                 f"link_gap: {name}: its link is not that of the record before")
            return
        need(first and record.get("prev", -1) > self.last["seq"],
             f"link_gap: {name}: the record before of its table is missing")
        self.whole, self.counts, self.round, self.shoe = False, None, Live(), Live()
        self.dealt_from = True

    def step(self, record):
        self.follow(record)
        self.count(record)
        if record is not self.claim:
            self.repeat(record)
        kind = self.evidence.class_of(record)
        if kind == "round":
            self.step_round(record)
        elif kind == "shoe":
            self.step_shoe(record)
        elif record["kind"] == "TABLE_CLOSE":
            self.close(record)

    def repeat(self, record):
        """N: what lets somebody try again."""
        kind, reason = record["kind"], record["body"].get("reason")
        again = kind == "MISDEAL" or kind == "ROUND_END" and not self.settled or \
            kind == "SHOE_CLOSE" and reason in EARLY or \
            kind == "TABLE_CLOSE" and reason == "voided"
        self.evidence.repetitions += kind == "VOID" or again and self.dealt_from
        self.dealt_from = self.dealt_from or kind in ("SHOE_MIX", "DRAW")
        if kind in ("ROUND_OPEN", "SETTLEMENT", "ROUND_END"):
            self.settled = kind != "ROUND_OPEN"

    def count(self, record):
        kind, reason = record["kind"], record["body"].get("reason")
        if self.counts is None:
            return
        self.counts["turns"] += kind == "CALL" or is_lapsed(record)
        self.counts["voids"] += kind == "VOID"
        self.counts["early_closes"] += kind == "SHOE_CLOSE" and reason in EARLY
        self.counts["early_closes"] += kind == "TABLE_CLOSE" and reason == "voided"

    def compare(self, record):
        said = counts_of(record["body"])
        need(self.counts in (None, said),
             f"totals_wrong: record {record['seq']}: not the counts of the chain")
        self.counts = said

    def step_round(self, record):
        name, live, body = f"record {record['seq']}", self.round, record["body"]
        if record["kind"] == "ROUND_OPEN":
            need(not (live.known and live.id), f"two_rounds: {name}: {live.id} is open")
            need(self.opening["seq"] in record["cites"], f"{name}: does not cite its TABLE_OPEN")
            need(live.number is None or body["number"] == live.number + 1,
                 f"number_gap: {name}: not the next round")
            need(self.end is None or self.end in record["cites"],
                 f"{name}: does not cite the ROUND_END before")
            need(not self.shoe.known or body.get("shoe", self.shoe.id) == self.shoe.id,
                 f"two_live: {name}: names another shoe than the live one")
            if record["object"] == self.claimed:
                need(self.whole or self.end is not None,
                     f"link_gap: {name}: the ROUND_END before it is missing")
                self.claimed_open = True
            live.number = body["number"]
        else:
            need(not live.known or live.id == record["object"],
                 f"two_rounds: {name}: {live.id or 'no round'} is open")
        live.known, live.id = True, record["object"]
        if record["kind"] == "ROUND_END":
            live.id, self.end = "", record["seq"]
            self.compare(record)

    def step_shoe(self, record):
        name, live = f"record {record['seq']}", self.shoe
        if record["kind"] == "SHOE_COMMIT":
            need(not (live.known and live.id), f"two_live: {name}: {live.id} is live")
            need(live.number is None or record["body"]["number"] == live.number + 1,
                 f"number_gap: {name}: not the next shoe")
            live.number = record["body"]["number"]
        else:
            need(not live.known or live.id == record["object"],
                 f"two_live: {name}: {live.id or 'no shoe'} is live")
        live.known, live.id = True, "" if record["kind"] == "SHOE_CLOSE" else record["object"]

    def close(self, record):
        name, body, opened = f"record {record['seq']}", record["body"], self.opening["body"]
        self.closed = True
        need(body["place"] == opened["place"] and body["opened"] == opened["opened"],
             f"place_gap: {name}: names another opening than its TABLE_OPEN")
        need(not (self.round.known and self.round.id),
             f"two_rounds: {name}: {self.round.id} is open")
        need(not (self.shoe.known and self.shoe.id), f"two_live: {name}: {self.shoe.id} is live")
        need(self.round.number in (None, body["rounds"]),
             f"totals_wrong: {name}: another number of rounds")
        self.compare(record)

    def conclude(self):
        table, body = self.opening["object"], self.opening["body"]
        if self.first:
            self.evidence.checked.append(
                f"every record of {table} from {self.first['seq']} to {self.last['seq']} is there, "
                "linked to the one before: one round and one shoe at a time")
        if not self.whole:
            self.evidence.not_checked.append(f"what {table} did between its opening and record "
                                             f"{self.first['seq']}")
        opening = f"place \"{body['place']}\", opening {body['opened']}"
        if self.whole and body["opened"] == 1:
            self.evidence.checked.append(f"{opening}: nothing came before it there")
        else:
            self.evidence.not_checked.append(f"{opening}: what came before there, and its counts, "
                                             "as the appliance states them")
