"""One record and its proof (FORMAT sections 3 to 5): that it is in the log of a key, and nothing
more."""
import re

from .answers import Answers
from .laboratory import table_ordered
from .signed_steps import SignedSteps
from .log import check_checkpoint, check_key_chain, check_known
from .records import parse_record
from .shapes import Is, shape
from .summary import of_receipt
from .text import need, parse, unbase64
from .tree import leaf_hash, root_from_path

UNCERTIFIED, LAB = 3, 4


class Receipt:
    """`keys`: text of the log key statement, or of all keys of the log."""

    def __init__(self, text, keys, roots, policy=None, known=None, ended=None):
        receipt = parse(text)
        shape(receipt, {"proof": Is.filled, "record": Is.filled})
        self.claim = parse_record(receipt["record"])
        match = re.fullmatch("c2sp.org/tlog-proof@v1\nindex (0|[1-9][0-9]*)\n((?:[A-Za-z0-9+/=]+\n"
                             ")*)\n(.*)", receipt["proof"], re.S)
        need(match, "malformed proof")
        index, path, note = int(match[1]), [unbase64(line)
                                            for line in match[2].splitlines()], match[3]
        known_keys = parse(keys)
        if "type" in known_keys:
            shape(known_keys, {"v": Is.word(2), "type": Is.word("talla-log-keys"),
                               "log_key": Is.obj, "checkpoint": Is.text},
                  {"key_changes": lambda v: type(v) is list and 1 <= len(v) <= 256})
            chain = check_key_chain(known_keys.get("key_changes", []), known_keys["log_key"],
                                    known_keys["checkpoint"], roots, self.claim["time"])
            check_checkpoint(known_keys["checkpoint"], *chain[-1][:2])
        else:
            chain = check_key_chain([], known_keys, note, roots, self.claim["time"])
        if known is not None:
            check_known(known, chain)
        signed = int(note.split("\n")[1])
        statement, public, _ = next(key for key in chain if key[2] is None or signed <= key[2])
        origin, size, root, body, signatures = check_checkpoint(note, statement, public)
        need(index == self.claim["seq"] and origin == self.claim["origin"],
             "the proof of another record")
        need(root_from_path(index, size, leaf_hash(receipt["record"].encode()), path) == root,
             "the record is not in the log")
        Answers().take(self.claim)
        steps = SignedSteps()
        steps.take(self.claim, leaf_hash(receipt["record"].encode()))
        ends = ended.judge(origin, size, root, [one for one, _, _ in chain]) if ended else []
        if ended:
            ended.predecessor(self.claim)
        self.ordered = table_ordered(self.claim)
        witnessed = policy.judge(origin, body, signatures) if policy else None
        self.development = any(one["development"] for one, _, _ in chain)
        self.checked = ["the record is in the log at the place its number says"] + ends + (
            [witnessed] if witnessed else [])
        self.not_checked = ["what the record says", "revocation not checked"] + steps.said()
        self.not_checked += [] if witnessed else ["unwitnessed: does not exclude a second history"]
        self.proven, self.not_proven = of_receipt(witnessed, self.code(), self.development,
                                                  self.ordered is not None)

    def code(self):
        if self.ordered is not None:
            return LAB
        context = self.claim["body"].get("context")
        if context and any(source["class"] == "lab" for source in context["sources"]):
            return LAB
        return UNCERTIFIED
