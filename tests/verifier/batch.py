"""Draws: batches of secrets, intents and their outcomes (FORMAT section 8)."""
from .shapes import specification
from .tape import Tape, check_tape
from .text import D, H, field, need, u32, unhex
from .tree import leaf_hash, root_behind, root_from_path


class Batch:
    def __init__(self, evidence, name):
        self.evidence, self.name = evidence, name
        self.intents, self.nonces, self.next, self.draws, self.closed = {}, set(), 0, 0, False

    def step(self, record):
        body, kind = record["body"], record["kind"]
        need(not self.closed or kind in ("DRAW", "VOID"), "the batch was closed before")
        if kind == "BATCH_COMMIT":
            self.evidence.context(body["context"])
            self.body, self.client = body, record.get("client", {}).get("id", "")
        elif kind == "INTENT":
            self.intent(record, body)
        elif kind == "DRAW":
            intent = self.take(record)
            asked = self.evidence.by_seq[body["intent"]]
            need(all(record.get(name) == asked.get(name) for name in ("client", "key", "request")),
                 "answers another request than its INTENT")
            need(body["index"] == intent["index"] and body["context"] == intent["context"],
                 "index or context differ")
            tape = self.outcome(intent, body)
            check_tape(tape, body)
            self.draws += 1
        elif kind == "VOID":
            intent = self.take(record)
            if body["cause"] == "order":
                need(len(set(body["by"])) == len(body["by"]) >= 2,
                     "ordered by fewer than two persons, or by one twice")
                self.outcome(intent, body)
            else:
                self.evidence.not_checked.append(f"{self.name}: an outcome is unrecoverable by the "
                                                 "appliance's word")
        elif kind == "BATCH_CLOSE":
            self.closed = True
            need((body["first"],
                  len(body["secrets"])) == (self.next, self.body["count"] - self.next),
                 "not exactly the unused secrets")
            leaves = [self.leaf(self.next + i, unhex(secret))
                      for i, secret in enumerate(body["secrets"])]
            need(root_behind(self.next, [unhex(h) for h in body["left"]],
                             leaves) == unhex(self.body["root"]),
                 "the secrets do not give the committed root")

    def take(self, record):
        seq = record["body"]["intent"]
        need(seq in record["cites"], "does not cite its INTENT")
        need(seq in self.intents, "no such open INTENT")
        return self.intents.pop(seq)

    def leaf(self, index, secret):
        return leaf_hash(D("batch-leaf") + field(self.name) + u32(index) + secret)

    def secret(self, index, opened):
        secret = unhex(opened["secret"])
        leaf = self.leaf(index, secret)
        path = [unhex(h) for h in opened["path"]]
        need(root_from_path(index, self.body["count"], leaf, path) == unhex(self.body["root"]),
             "the secret does not open its leaf")
        return secret

    def intent(self, record, body):
        client = record.get("client", {}).get("id", "")
        need(client == self.client, "the batch belongs to another client")
        need(all(body[k] == self.body[k] for k in ("table", "root", "context")),
             "table, root or context differ")
        need(body["index"] == self.next < self.body["count"], "not the next secret")
        need(record["time"] < self.body["expires"], "the batch had expired")
        self.next += 1
        need(body["nonce"] not in self.nonces, "a nonce used before")
        self.nonces.add(body["nonce"])
        table = self.evidence.table
        if table["settled_by"] == "client" and "range" in table["parameters"]:
            need(table["parameters"]["range"] == body["specification"],
                 "the table is opened for another range")
        self.bets(record, body)
        c = body["context"]
        digest = H(D("draw"), field(record["origin"]), field(client), field(body["table"]),
                   field(body["round"]), field(c["game"]), field(c["variant"]),
                   unhex(c["catalogue"]), unhex(c["parameters"]), unhex(body["bets"]),
                   unhex(body["root"]), u32(body["index"]), field(unhex(body["nonce"], None)))
        need(digest.hex() == body["digest"], "another draw digest")
        self.intents[record["seq"]] = body

    def bets(self, record, body):
        if body["round"] == "0":
            return
        cited = [self.evidence.by_seq.get(seq) for seq in record["cites"]]
        closed = [r for r in cited if r and r["kind"] == "BETS_CLOSED"
                  and r["object"] == body["round"]]
        opened = [r for r in cited if r and r["kind"] == "ROUND_OPEN"
                  and r["object"] == body["round"]]
        if opened and not closed and body["specification"]["kind"] == "lots":
            need(body["bets"] == H(D("bets"), b"[]").hex(), "lots before the bets rest on no bets")
            before = [r for r in self.evidence.chain_of[body["round"]]
                      if r["kind"] == "BETS_CLOSED" and r["seq"] < record["seq"]]
            need(not before, "the bets were closed before")
        elif closed:
            need(closed[0]["body"]["digest"] == body["bets"],
                 "other bets than the BETS_CLOSED it cites")
        else:
            need(None in cited, "does not cite the BETS_CLOSED of its round")
            self.evidence.not_checked.append(f"{self.name}: the bets of {body['round']} are not in "
                                             "the bundle")

    def outcome(self, intent, opened):
        secret = self.secret(intent["index"], opened)
        tape = Tape(key=secret, purpose="draw", inputs=[unhex(intent["root"]), u32(intent["index"]),
                                                        unhex(intent["digest"])])
        kind = intent["specification"]["kind"]
        digits = tape.digits(specification(intent["specification"]))
        found = {"pocket": digits[0]} if kind == "wheel" else {
            "dice": [d + 1 for d in digits]} if kind == "dice" else {"lots": digits}
        need(found == opened["outcome"], "the outcome does not follow")
        return tape

    def conclude(self):
        if self.draws:
            self.evidence.checked.append(f"{self.name}: {self.draws} outcomes follow from secret, "
                                         "nonce and bets")
        if self.intents:
            self.evidence.not_checked.append(f"{self.name}: {len(self.intents)} draws are not "
                                             "completed here")
