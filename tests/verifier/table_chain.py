"""The chain of the claim's table up to the claim, and what let somebody try again (FORMAT sections
2 and 9)."""
from .chain_rules import ChainRules, check_place, head_of
from .records import ends_content, is_lapsed
from .repetitions import Repetitions
from .text import need


class TableChain:
    def __init__(self, evidence):
        self.evidence, self.claim, self.opening = evidence, evidence.claim, evidence.table_record
        self.text = {record["seq"]: entry["record"] for record, entry
                     in zip(evidence.records, evidence.bundle["records"])}
        self.rules = ChainRules(self.opening, self.text[self.opening["seq"]])
        self.first, self.whole, self.claimed_open = None, True, False
        self.settled = False  # a SETTLEMENT stands, and the ROUND_END of its round not yet
        self.repetitions = Repetitions(0)
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
        for record in self.evidence.records:
            own = record.get("table") == self.opening["object"] and "link" in record
            if own and record is not self.opening:
                self.step(record)
        need(not self.claimed or self.claimed_open,
             "link_gap: the ROUND_OPEN of the claim's round is missing")
        self.evidence.repetitions = self.repetitions.number
        self.conclude()

    def place(self):
        before = [self.evidence.by_seq.get(seq) for seq in self.opening["cites"]]
        before = [one for one in before if one and one["kind"] == "TABLE_CLOSE"]
        need(len(before) <= 1, "place_gap: two closes of one place")
        if not before:
            return check_place(self.opening, None, None)
        close, = before
        check_place(self.opening, close, head_of(close, self.text[close["seq"]]))
        self.repetitions.number += 2 if close["body"]["reason"] == "voided" else 1

    def step(self, record):
        need(record["seq"] <= self.claim["seq"],
             f"link_gap: record {record['seq']} stands behind the claim")
        if self.first is None and record.get("prev", -1) > self.rules.last:
            self.whole = False
            self.repetitions.gap()
            self.rules.forget()
        self.first = self.first or record
        self.rules.step(record, self.text[record["seq"]])
        if record["kind"] == "ROUND_OPEN" and record["object"] == self.claimed:
            need(self.whole or self.rules.end is not None,
                 f"link_gap: record {record['seq']}: the ROUND_END before it is missing")
            self.claimed_open = True
        self.behind_settlement(record)
        if record is not self.claim:
            self.repetitions.take(record)

    def behind_settlement(self, record):
        """A round is settled once, by its last act: then come METERs of the table, and its end."""
        kind = record["kind"]
        need(not self.settled or kind in ("METER", "ROUND_END"),
             f"round_settled: record {record['seq']}: the round was settled before")
        if kind in ("SETTLEMENT", "ROUND_END"):
            self.settled = kind == "SETTLEMENT" and ends_content(record)

    def conclude(self):
        table, body = self.opening["object"], self.opening["body"]
        if self.first:
            self.evidence.checked.append(
                f"every record of {table} from {self.first['seq']} to {self.rules.last} is there, "
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
