"""The chain of the claim's table up to the claim, and what let somebody try again (FORMAT sections
2 and 9)."""
from .chain_rules import (COUNTS, ChainRules, check_place, check_place_key, head_of, is_place_key,
                          names_predecessor)
from .records import ends_content, is_lapsed
from .repetitions import Repetitions
from .text import need

EVENTS = ("SHOE_MIX", "CARD_DEAL", "CARD_OPEN", "SHOE_CLOSE")


class TableChain:
    def __init__(self, evidence):
        self.evidence, self.claim, self.opening = evidence, evidence.claim, evidence.table_record
        self.text = {record["seq"]: entry["record"] for record, entry
                     in zip(evidence.records, evidence.bundle["records"])}
        self.rules = ChainRules(self.opening, self.text[self.opening["seq"]])
        self.first, self.whole, self.claimed_open = None, True, False
        self.repetitions = Repetitions(0)
        self.left, self.changed, self.unmixed, self.settled_state = None, False, False, None
        self.stated = self.opening
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
        before = [one for one in before
                  if one and (one["kind"] == "TABLE_CLOSE" or is_place_key(one))]
        need(len(before) <= 1, "place_gap: two ends of one place")
        if not before:
            return check_place(self.opening, None, None)
        close, = before
        if is_place_key(close):
            cited = [self.evidence.by_seq.get(seq) for seq in close["cites"]]
            first = [one for one in cited if one and names_predecessor(one)]
            need(first, "predecessor_wrong: the KEY that names the log before is not cited, or "
                        "not there")
            check_place_key(close, first[0])
            return check_place(self.opening, close, None)
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
        self.keep_state(record)
        if record["kind"] in ("ROUND_END", "TABLE_CLOSE"):
            self.stated = record
        if record is not self.claim:
            self.repetitions.take(record)

    def keep_state(self, record):
        """What of the records between two rounds changes the engine's state, and what a round
        settled. A shoe that nobody mixed was never in play: its close is no event."""
        kind = record["kind"]
        if kind == "ROUND_OPEN":
            self.goes_on(record)
        elif kind == "ROUND_END":
            self.leaves(record)
        elif kind == "SETTLEMENT" and ends_content(record):
            self.settled_state = record["body"]["state_after"]
        if kind in ("SHOE_COMMIT", "SHOE_MIX"):
            self.unmixed = kind == "SHOE_COMMIT"
        self.changed = self.changed or kind in EVENTS and not self.unmixed

    def goes_on(self, record):
        """The round begins with what the one before left, unless a shoe was an event between."""
        self.settled_state = None
        if self.left is None:
            return
        need(self.changed or self.left == record["body"]["state_before"],
             f"state_jump: record {record['seq']}: does not begin with what the ROUND_END before "
             "left")
        if self.changed and record["object"] == self.claimed:
            self.evidence.not_checked.append(
                f"whether {record['object']} begins with what the round before left: a shoe "
                "changed the state between")

    def leaves(self, record):
        """Nothing is played between a SETTLEMENT and the end of its round."""
        left = record["body"]["state_after"]
        need(self.settled_state in (None, left),
             f"state_jump: record {record['seq']}: leaves another state than its SETTLEMENT")
        self.settled_state, self.left, self.changed = None, left, False

    def conclude(self):
        table, body = self.opening["object"], self.opening["body"]
        if self.first:
            self.evidence.checked.append(
                f"every record of {table} from {self.first['seq']} to {self.rules.last} is there, "
                "linked to the one before: one round and one shoe at a time")
        if not self.whole:
            self.evidence.shown_from = self.first["seq"]
            self.evidence.not_checked.append(f"what {table} did between its opening and record "
                                             f"{self.first['seq']}")
        opening = f"place \"{body['place']}\", opening {body['opened']}"
        if "predecessor" in body:
            self.evidence.not_checked.append(
                f"{opening}: what came before there in the log {body['predecessor']}, and its "
                "counts, as the appliance states them")
        elif self.whole and body["opened"] == 1:
            self.evidence.not_checked.append(
                f"{opening}: that nothing came before there, and that no other table was open "
                "there meanwhile: archives of the log show it")
        else:
            self.evidence.not_checked.append(f"{opening}: what came before there, and its counts, "
                                             "as the appliance states them")
        self.say_counts()

    def say_counts(self):
        """The totals of the place as the newest record with them has them, where something is
        counted; and how many turns the file does not show."""
        table, said = self.opening["object"], self.stated["body"]
        if any(said[name] for name in COUNTS):
            self.evidence.not_checked.append(
                f"place \"{self.opening['body']['place']}\" since its first opening: "
                f"{said['turns']} turns, {said['voids']} voids and {said['early_closes']} early "
                f"closes up to record {self.stated['seq']}, as stated there")
        called = [one for one in self.evidence.records
                  if one.get("table") == table and "core" in one["body"]]
        if not self.whole and called and called[0]["body"]["core"]["turn"] > 1:
            self.evidence.not_checked.append(
                f"{table}: what became of the {called[0]['body']['core']['turn'] - 1} turns before "
                f"record {called[0]['seq']}, the first call in this file")
