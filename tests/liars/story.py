"""What a log tells, as records that can be changed and signed again.

A story begins as the records of a true bundle. Records that the bundle does not have are other
tables' and stand in the log as leaves of no meaning. The links of a table's chain are computed
again when a story is told, but for those that are the lie themselves; so are the heads in the cores
of calls, their signatures (the liar has the key of the tables too) and what is drawn by them. A mix
that follows from another core is told as it is: the cards behind it do not fit it. Trees and links
are written here once more, so that no verifier vouches for itself."""
import base64
import copy
import hashlib
import json
import pickle

from authority import canonical
from verifier.shapes import specification
from verifier.tape import Tape


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def _half(size):
    half = 1
    while half * 2 < size:
        half *= 2
    return half


def root_of(leaves):
    if len(leaves) == 1:
        return leaves[0]
    half = _half(len(leaves))
    return sha256(b"\1", root_of(leaves[:half]), root_of(leaves[half:]))


def path_of(index, leaves):
    if len(leaves) == 1:
        return []
    half = _half(len(leaves))
    if index < half:
        return path_of(index, leaves[:half]) + [root_of(leaves[half:])]
    return path_of(index - half, leaves[half:]) + [root_of(leaves[:half])]


def consistency_of(size, leaves, whole=True):
    """RFC 6962, 2.1.2: that the first `size` of the leaves were the whole log."""
    if size == len(leaves):
        return [] if whole else [root_of(leaves)]
    half = _half(len(leaves))
    if size <= half:
        return consistency_of(size, leaves[:half], whole) + [root_of(leaves[half:])]
    return consistency_of(size - half, leaves[half:], False) + [root_of(leaves[:half])]


def spelled(hashes):
    return [base64.b64encode(one).decode() for one in hashes]


def head_of(link, text):
    """What the chain of a table is with this record."""
    return sha256(b"talla/v2/link\0", bytes.fromhex(link), sha256(b"\0", text.encode())).hex()


def drawn_by(core, secret, openings=()):
    """What a draw of this core, secret and openings says of its outcome and tape."""
    call = sha256(b"talla/v2/core\0", canonical(core).encode())
    values = [bytes.fromhex(one["value"]) for one in openings]
    tape = Tape(key=bytes.fromhex(secret), purpose="draw", inputs=[call, *values])
    digits = tape.digits(specification(core["specification"]))
    outcome = {"wheel": lambda: {"pocket": digits[0]},
               "dice": lambda: {"dice": [digit + 1 for digit in digits]},
               "lots": lambda: {"lots": digits}}[core["specification"]["kind"]]()
    return {"outcome": outcome, "words_used": tape.used, "words_rejected": tape.rejected,
            "tape_digest": sha256(tape.consumed()).hex()}


class Story:
    """`records` in the log's order; `more`: the bundle's other members (claim, catalogue, ...);
    `openings`: the auditor's file of a covered shoe, or None; `links`: seqs whose link, or the head
    in whose core, stays as it is told. `change`: the KEY of a change of the log's key, or None;
    `signers`: key files of tables that are not the usual one's."""

    def __init__(self, name, bundle, openings=None):
        self.name, self.openings, self.links = name, openings, set()
        self.records = [json.loads(entry["record"]) for entry in bundle["records"]]
        self.more = {key: value for key, value in bundle.items()
                     if key not in ("records", "checkpoint", "log_key")}
        self.change, self.signers = None, {}
        for change in self.more.pop("key_changes", []):
            self.change = json.loads(change["record"])
        self.cores = {canonical(record["body"]["core"]) for record in self.records
                      if "core" in record["body"]}

    def copy(self):
        # the records are most of it, and plain values: pickle copies them ten times faster
        return copy.deepcopy(self, {id(self.records): pickle.loads(pickle.dumps(self.records))})

    def record(self, kind, nth=0):
        """The nth record of a kind; a negative one from the end."""
        return [record for record in self.records if record["kind"] == kind][nth]

    def kinds(self):
        return {record["kind"] for record in self.records}

    def following(self, record):
        """Records of the same object behind it."""
        at = self.records.index(record)
        return [one for one in self.records[at + 1:] if one.get("object") == record.get("object")]

    def texts(self, authority):
        """(seq, text) of each record; links and heads follow from what stands before them in the
        file, signatures and draws from the cores."""
        texts, heads, calls = [], {}, {}
        closes = [one["seq"] for one in self.records if one["kind"] == "TABLE_CLOSE"]
        for record in self.records:
            before = record.get("prev")
            if record["kind"] == "TABLE_OPEN":
                before = next((seq for seq in record["cites"] if seq in closes), None)
            if "link" in record and before in heads and record["seq"] not in self.links:
                record["link"] = heads[before]
            self.direct(record, heads)
            if "core" in record["body"]:
                self.sign(record, heads, authority)
                calls[record["seq"]] = record["body"]["core"]
            self.draw(record, calls)
            texts.append((record["seq"], canonical(record)))
            if "link" in record:
                heads[record["seq"]] = head_of(record["link"], texts[-1][1])
        return texts

    def direct(self, record, heads):
        """What persons sign of the table as it is told (persons.py)."""

    def sign(self, record, heads, authority):
        """A core that is not one of the true ones is signed by the table's key."""
        body = record["body"]
        cited = record["cites"][0] if record["kind"] == "CALL" and record["cites"] else None
        if record["seq"] not in self.links and cited in heads:
            body["core"]["head"] = heads[cited]
        if canonical(body["core"]) not in self.cores:
            body["signature"] = authority.sign_call(canonical(body["core"]),
                                                     self.signers.get(record.get("table")))

    def draw(self, record, calls):
        """What is drawn by another core than a true one follows from it."""
        body = record["body"]
        core = body.get("core") or calls.get(body.get("call"))
        if core is None or canonical(core) in self.cores or core["use"] != "draw" \
                or "secret" not in body or body["outcome"] == "unknown":
            return
        found = drawn_by(core, body["secret"], body.get("openings", ()))
        body.update({name: value for name, value in found.items() if name in body})

    def told(self, authority, **more):
        """The text of the bundle, all of it signed anew."""
        texts = self.texts(authority)
        size = max(seq for seq, _ in texts if type(seq) is int and seq < 4096) + 2
        leaves = [sha256(b"\0", f"a record of another table {seq}".encode()) for seq in range(size)]
        for seq, text in texts:
            leaves[seq] = sha256(b"\0", text.encode())
        signed = self.signed(authority, leaves)
        records = [{"path": spelled(path_of(seq, leaves)), "record": text} for seq, text in texts]
        return canonical({**self.more, **signed, "records": records, **more})

    def signed(self, authority, leaves):
        """Checkpoint and statement; over a change of the log's key, what shows it."""
        if self.change is None:
            return {"checkpoint": authority.checkpoint(len(leaves), root_of(leaves)),
                    "log_key": authority.log_key}
        change, known = copy.deepcopy(self.change), authority.next_log_key()
        change["body"]["log_key"] = known
        text, own = canonical(change), change["seq"] + 1
        leaves[change["seq"]] = sha256(b"\0", text.encode())
        shown = {"log_key": authority.log_key, "record": text,
                 "checkpoint": authority.checkpoint(own, root_of(leaves[:own])),
                 "path": spelled(path_of(change["seq"], leaves[:own])),
                 "consistency": spelled(consistency_of(own, leaves))}
        return {"checkpoint": authority.checkpoint(len(leaves), root_of(leaves), renewed=True),
                "log_key": known, "key_changes": [shown]}
