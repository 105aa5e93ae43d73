"""Draws: batches of secrets, calls and their outcomes (FORMAT section 8)."""
from .calls import digest_of
from .contributors import values_of
from .records import is_lapsed
from .shapes import specification
from .tape import Tape, check_tape
from .text import D, field, need, u32, unhex
from .tree import leaf_hash, root_behind, root_from_path


class Batch:
    def __init__(self, evidence, name):
        self.evidence, self.name = evidence, name
        self.calls, self.next, self.draws, self.closed = {}, 0, 0, False

    def step(self, record):
        body, kind = record["body"], record["kind"]
        need(not self.closed, "object_closed: the batch was closed before")
        if kind == "BATCH_COMMIT":
            self.evidence.context(body["context"])
            self.body, self.client = body, record.get("client", {}).get("id", "")
        elif kind == "CALL":
            self.call(record, body["core"])
        elif kind == "DRAW":
            core = self.take(record)
            need(body["index"] == core["at"], "draw_index: another index than that of its CALL")
            self.outcome(core, body, values_of(body["openings"]))
            self.draws += 1
        elif is_lapsed(record):
            core = body["core"]
            need(core["root"] == self.body["root"], "root_unknown: not the root of the batch")
            need(core["at"] == self.next < self.body["count"], "secret_order: not the next secret")
            self.next += 1
            self.would_be(core, body)
        elif kind == "VOID":
            core = self.take(record)
            if body["cause"] != "unrecoverable":
                self.would_be(core, body)
            else:
                self.evidence.not_checked.append(f"{self.name}: an outcome is unrecoverable by the "
                                                 "appliance's word")
        elif kind == "BATCH_CLOSE":
            self.closed = True
            need((body["first"],
                  len(body["secrets"])) == (self.next, self.body["count"] - self.next),
                 "unused_count: not exactly the unused secrets")
            leaves = [self.leaf(self.next + i, unhex(secret))
                      for i, secret in enumerate(body["secrets"])]
            need(root_behind(self.next, [unhex(h) for h in body["left"]],
                             leaves) == unhex(self.body["root"]),
                 "unused_wrong: the secrets do not give the committed root")

    def take(self, record):
        seq = record["body"]["call"]
        need(seq in self.calls, "call_none: no such open CALL")
        return self.calls.pop(seq)

    def leaf(self, index, secret):
        return leaf_hash(D("batch-leaf") + field(self.name) + u32(index) + secret)

    def secret(self, index, opened):
        secret = unhex(opened["secret"])
        leaf = self.leaf(index, secret)
        path = [unhex(h) for h in opened["path"]]
        need(root_from_path(index, self.body["count"], leaf, path) == unhex(self.body["root"]),
             "secret_wrong: the secret does not open its leaf")
        return secret

    def call(self, record, core):
        """What it binds of the batch; what of the table, calls.py knows."""
        need(record.get("client", {}).get("id", "") == self.client,
             "batch_client: the batch belongs to another client")
        need(core["root"] == self.body["root"], "root_unknown: not the root of the batch")
        need(core["at"] == self.next < self.body["count"], "secret_order: not the next secret")
        need(record["time"] < self.body["expires"], "batch_expired: the batch had expired")
        self.next += 1
        table = self.evidence.table
        if table["settled_by"] == "client" and "range" in table["parameters"]:
            need(table["parameters"]["range"] == core["specification"],
                 "range_other: the table is opened for another range")
        self.calls[record["seq"]] = core

    def would_be(self, core, opened):
        """The secret is the committed one; what it would have given is said where every number is
        known."""
        known = opened.get("openings", [])
        if len(known) == len(core["others"]):
            self.outcome(core, opened, values_of(known))
            return
        self.secret(core["at"], opened)
        need(opened["outcome"] == "unknown",
             "outcome_undue: an outcome where not every number is opened")

    def outcome(self, core, opened, values=()):
        secret = self.secret(core["at"], opened)
        tape = Tape(key=secret, purpose="draw", inputs=[digest_of(core), *values])
        kind = core["specification"]["kind"]
        digits = tape.digits(specification(core["specification"]))
        if "tape_digest" in opened:
            check_tape(tape, opened)
        found = {"pocket": digits[0]} if kind == "wheel" else {
            "dice": [d + 1 for d in digits]} if kind == "dice" else {"lots": digits}
        need(found == opened["outcome"], "wrong_mapping: the outcome does not follow")

    def conclude(self):
        if self.draws:
            self.evidence.checked.append(f"{self.name}: {self.draws} outcomes follow from secret "
                                         "and call")
        if self.calls:
            self.evidence.not_checked.append(f"{self.name}: {len(self.calls)} draws are not "
                                             "completed here")
