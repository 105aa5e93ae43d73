"""Sealed archives (FORMAT section 13): every record in its place, states and catalogues, and one
archive behind the other."""
import struct

from .answers import Answers
from .signed_steps import SignedSteps
from .log import check_checkpoint, check_key_chain, check_known
from .log_chains import LogChains
from .records import KINDS, parse_record
from .shapes import Is, shape
from .text import D, H, need, parse, unbase64, unhex
from .tree import consistent, leaf_hash, root_behind

FIRST_LINE = b"talla-archive v1\n"
LARGEST = {b"H": 2**23, b"R": 60000, b"S": 2**23, b"C": 2**23, b"E": 32}
NAMES_CATALOGUE = ("TABLE_OPEN", "METER_OPEN")


class Archive:
    """One file, read from the first byte to the last; `before`: the archive it must go on from."""

    def __init__(self, path, roots, policy=None, known=None, before=None, ended=None):
        with open(path, "rb") as self.file:
            need(self.file.read(len(FIRST_LINE)) == FIRST_LINE, "no talla-archive v1")
            text = self.expect(b"H")
            self.header = header = parse(text.decode())
            shape(header, {"v": Is.word(2), "type": Is.word("talla-archive"), "origin": Is.filled,
                           "from": Is.integer, "to": Is.positive, "checkpoint": Is.filled,
                           "log_key": Is.obj, "left": Is.each(Is.base64),
                           "consistency": Is.each(Is.base64)},
                  {"previous": Is.digest, "key_changes": lambda v: type(v) is list
                   and 1 <= len(v) <= 256})
            need(header["from"] < header["to"] and (header["from"] > 0) == ("previous" in header),
                 "the span")
            self.digest = H(D("archive"), text)
            self.answers = before.answers if before is not None else Answers()
            self.steps = before.steps if before is not None else SignedSteps()
            alone = self.steps.alone
            self.chains = before.chains if before is not None else LogChains()
            self.lab, self.catalogues, self.first, self.last = False, set(), None, None
            left = [unbase64(one) for one in header["left"]]
            self.root_before = root_behind(header["from"], left, []) if header["from"] else None
            self.root = root_behind(header["from"], left, self.records())
            self.alone = self.steps.said(alone)
            for digest in sorted(self.catalogues):
                need(H(self.expect(b"C")).hex() == digest, "another catalogue")
            need(self.expect(b"E") == self.digest and self.file.read(1) == b"",
                 "another end, or bytes behind it")
        self.signed(roots, policy, known, ended)
        if before is not None:
            self.follows(before)

    def expect(self, tag):
        front = self.file.read(5)
        need(len(front) == 5 and front[:1] == tag, f"an entry {tag.decode()} is expected")
        length, = struct.unpack(">I", front[1:])
        need(length <= LARGEST[tag], "an entry too long")
        content = self.file.read(length)
        need(len(content) == length, "cut short")
        return content

    def records(self):
        """Leaf hashes; what each record says beside is judged on the way."""
        for seq in range(self.header["from"], self.header["to"]):
            text = self.expect(b"R")
            record = parse_record(text.decode())
            need(record["seq"] == seq and record["origin"] == self.header["origin"],
                 f"record {seq}: another one")
            need(self.last is None or (record["time"] >= self.last[0]
                                       and record["boot"] >= self.last[1]),
                                       "time or boot counter goes back")
            self.last = (record["time"], record["boot"])
            self.first = self.first or self.last
            self.answers.take(record)
            self.steps.take(record, leaf_hash(text))
            self.chains.take(record, text.decode())
            body = record["body"]
            if record["kind"] in NAMES_CATALOGUE and set(body["catalogue"]) != {"0"}:
                self.catalogues.add(body["catalogue"])
            if "context" in body and record["kind"] in KINDS:
                sources = {source["class"] for source in body["context"]["sources"]}
                self.lab = self.lab or "lab" in sources
            if record["kind"] == "ROUND_OPEN":
                need(H(D("state"), self.expect(b"S")).hex() == body["state_before"],
                     "another state before the round")
            yield leaf_hash(text)

    def signed(self, roots, policy, known, ended):
        header, note = self.header, self.header["checkpoint"]
        keys = check_key_chain(header.get("key_changes", []), header["log_key"], note, roots,
                               self.last[0])
        self.development = any(one["development"] for one, _, _ in keys)
        if known is not None:
            check_known(known, keys)
        origin, size, root, body, signatures = check_checkpoint(note, *keys[-1][:2])
        need(origin == header["origin"] and size >= header["to"],
             "a checkpoint of another log, or that ends before")
        proof = [unbase64(one) for one in header["consistency"]]
        need(consistent(header["to"], self.root, size, root, proof),
             "the records are not those of the checkpoint")
        witnessed = policy.judge(origin, body, signatures) if policy else None
        self.claim = {"seq": header["to"] - 1, "kind": "archive", "origin": origin}
        self.checked = [f"records {header['from']} to {header['to'] - 1} are in the signed log of "
                        f"{size}", "states and catalogues"]
        chained, missing = self.chains.said()
        self.checked += chained
        self.checked += ended.judge(origin, size, root,
                                    [one for one, _, _ in keys]) if ended else []
        self.checked += [witnessed] if witnessed else []
        self.not_checked = [] if witnessed else ["unwitnessed: does not exclude a second history"]
        self.not_checked += self.alone + missing + ["revocation not checked"] + (
            ["the records before"] if header["from"] else [])

    def follows(self, before):
        need(self.header["origin"] == before.header["origin"]
             and self.header["from"] == before.header["to"], "does not go on there")
        need(unhex(self.header.get("previous", "")) == before.digest,
             "names another archive before it")
        need(self.root_before == before.root, "another history than the archive before")
        need(self.first[0] >= before.last[0] and self.first[1] >= before.last[1],
             "time or boot counter goes back")

    def code(self):
        """No archive shows a certification: bundles do."""
        return 4 if self.lab else 3
