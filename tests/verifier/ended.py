"""What the root says about the end of a log, and which checkpoints of it count (FORMAT section 5,
"End of a log")."""
from .libcrypto import ed25519
from .log import check_certificates, parse_checkpoint
from .shapes import Is, shape, shaped
from .text import D, H, need, parse, unbase64
from .tree import consistent

PROOF = shaped({"size": Is.integer, "root": Is.digest, "path": Is.each(Is.base64)})


class End:
    """One statement, judged."""

    def __init__(self, text, roots):
        file = parse(text)
        shape(file, {"statement": Is.text, "signature": Is.base64, "chain": Is.each(Is.base64)})
        said = parse(file["statement"])
        shape(said, {"v": Is.word(2), "type": Is.word("talla-log-end"), "origin": Is.filled,
                     "checkpoint": Is.text, "keys": Is.each(Is.base64),
                     "reason": Is.word("compromised", "closed", "replaced"), "known": Is.integer,
                     "made": Is.integer}, {"successor": Is.obj})
        need(0 <= said["known"] <= said["made"] and 1 <= len(said["keys"]) <= 64,
             "end of a log: times or keys")
        keys = [unbase64(key) for key in said["keys"]]
        need(all(len(key) == 32 for key in keys) and len(set(keys)) == len(keys),
             "end of a log: keys")
        self.origin, self.size, self.root, text, signatures = parse_checkpoint(said["checkpoint"])
        need(self.origin == said["origin"] and self.size > 0, "end of a log: its checkpoint")
        check_certificates(file, roots, said["made"], "talla:log-end:" + self.origin,
                           D("log-end") + file["statement"].encode())
        _, key_id, signature = signatures[0]
        need(any(key_id == H(self.origin.encode() + b"\n\x01" + key)[:4]
                 and ed25519(key, text.encode(), signature) for key in keys),
             "end of a log: its checkpoint is signed by none of its keys")
        self.reason, self.successor = said["reason"], said.get("successor")
        if self.successor is not None:
            shape(self.successor, {"origin": Is.filled, "key": Is.base64})
            need(len(unbase64(self.successor["key"])) == 32
                 and self.successor["origin"] != self.origin, "end of a log: its successor")


class Ends:
    """`texts`: of all statements; `proofs`: text of a file of proofs, or None."""

    def __init__(self, texts, roots, proofs=None):
        self.ends, self.proofs = [End(text, roots) for text in texts], proofs
        for at, one in enumerate(self.ends):
            for other in self.ends[:at]:
                if one.origin == other.origin:
                    need((one.size, one.root) == (other.size, other.root),
                         "statements about the end of a log that contradict each other")
                    need(None in (one.successor, other.successor) or one.successor ==
                         other.successor, "two successors of one log")

    def of(self, origin):
        return next((end for end in self.ends if end.origin == origin), None)

    def judge(self, origin, size, root, keys):
        """What was checked, or nothing. `keys`: statements of the keys of the log that the evidence
        shows."""
        said = []
        for end in self.ends:
            if end.successor and end.successor["origin"] == origin:
                need(end.successor["key"] in [key["public"] for key in keys],
                     "the root named another key for the log that follows " + end.origin)
                said.append("the root names this log and a key of it as the one that follows " +
                            end.origin)
        end = self.of(origin)
        if end is None:
            return said
        need(size <= end.size,
             f"the log ended with {end.size} records: a checkpoint of {size} counts for nothing")
        if size == end.size:
            need(root == end.root, "the log ended with another history")
        else:
            need(self.proofs is not None,
                 "the log ended, and nothing shows that this checkpoint is of what counts")
            file = parse(self.proofs)
            shape(file, {"v": Is.word(2), "type": Is.word("talla-consistency"), "origin": Is.filled,
                         "size": Is.integer, "root": Is.digest, "proofs": Is.each(PROOF)})
            sizes = [proof["size"] for proof in file["proofs"]]
            need(1 <= len(sizes) <= 10000 and sizes == sorted(set(sizes)) and 0 < sizes[0]
                 and sizes[-1] < file["size"], "malformed proofs")
            need((file["origin"], file["size"], file["root"]) == (origin, end.size, end.root.hex()),
                 "proofs to another checkpoint")
            path = [unbase64(h) for proof in file["proofs"]
                    if (proof["size"], proof["root"]) == (size, root.hex()) for h in proof["path"]]
            need(size in sizes and consistent(size, root, end.size, end.root, path),
                 "the log ended with another history")
        return said + [f"the root ended the log with {end.size} records ({end.reason}), and the "
                       "evidence is of what counts"]

    def predecessor(self, record):
        """The first KEY of a log names the end of the one before."""
        named = record["body"].get("predecessor") if record["kind"] == "KEY" else None
        if named is None:
            return
        origin, size, root, _, _ = parse_checkpoint(unbase64(named).decode())
        end = self.of(origin)
        if end:
            need((size, root) == (end.size, end.root), "the log that follows names another end")
            followers = [one.successor["origin"] for one in self.ends if one.origin == origin
                         and one.successor]
            need(not followers or followers[0] == record["origin"],
                 "another log than the root names follows")
