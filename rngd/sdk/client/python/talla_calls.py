"""A table's own side of its draws and mixes: the call that it signs, and what follows from it and
from the secret committed before.

Bytes and digests are those of certs/FORMAT.md, the mapping is that of shuffle/MAPPING.md."""
import base64, hmac, secrets

from talla_log import need, H, u32, field, domain, canonical, root_of


def digits(key, purpose, inputs, bounds):
    """One uniform integer below each bound, from the tape of HMAC blocks."""
    head, tail = b"talla/v1/" + purpose.encode() + b"\0", b"".join(field(one) for one in inputs)
    tape = b"".join(hmac.digest(key, head + u32(block) + tail, "sha256") for block in range(40))
    words, found = iter(int.from_bytes(tape[at:at + 8], "big") for at in range(0, len(tape), 8)), []
    while bounds:
        product, count = bounds[0], 1
        while count < len(bounds) and product * bounds[count] < 2**56:
            product, count = product * bounds[count], count + 1
        rest = 0
        while True:
            rest, batch = next(words), []
            for bound in bounds[:count]:
                batch.append(rest * bound >> 64)
                rest = rest * bound & (2**64 - 1)
            if rest >= 2**64 % product:
                break
        found, bounds = found + batch, bounds[count:]
    return found


def check_draw(commit, core, draw):
    """The outcome follows from the secret committed before and the call made after it, and from
    nothing else."""
    drawn = draw["body"]
    need(core["at"] == drawn["index"] and not core["others"] and not drawn["openings"],
         "a draw from another batch, or by others")
    need(commit["client"] == draw["client"], "another client's batch")
    check_opened(commit, core, draw, drawn)


def check_opened(commit, core, record, drawn):
    """The secret is that of the core's index in its batch, and gives the outcome."""
    committed = commit["body"]
    root, secret, index = bytes.fromhex(committed["root"]), bytes.fromhex(
        drawn["secret"]), core["at"]
    need(core["use"] == "draw" and core["object"] == record["object"] == commit["object"] and
         core["table"] == committed["table"] and core["root"] == committed["root"] and
         commit["seq"] < record["seq"], "a draw from another batch, or by others")
    path = [bytes.fromhex(one) for one in drawn["path"]]
    leaf = H(b"\0", domain("batch-leaf"), field(commit["object"]), u32(index), secret)
    need(root_of(index, committed["count"], leaf, path) == root,
         "the secret is not the committed one")
    what = core["specification"]
    bounds = {"wheel": lambda: [what["pockets"]], "dice": lambda: [what["faces"]] * what["count"],
              "lots": lambda: what["bounds"]}[what["kind"]]()
    found = digits(secret, "draw", [call_digest(core)], bounds)
    outcome = {"wheel": lambda: {"pocket": found[0]},
               "dice": lambda: {"dice": [one + 1 for one in found]},
               "lots": lambda: {"lots": found}}[what["kind"]]()
    need(drawn["outcome"] == outcome, "the outcome does not follow from secret and call")


def card_byte(code):
    rank, suit = code[:-1], code[-1]
    if code == "Jk":
        return 52
    if code[0] == "B":
        return 127 + int(code[1:])
    if suit in "CDHS":
        return 13 * "CDHS".index(suit) + "A23456789TJQK".index(rank)
    return 64 + 12 * "oceb".index(suit) + "123456789SCR".index(rank)


def call_digest(core):
    return H(domain("core"), canonical(core).encode())


def p256_signature(der):
    """r || s of a DER signature."""
    def integer(data):
        need(data[0] == 2, "no signature")
        return int.from_bytes(data[2:2 + data[1]], "big"), data[2 + data[1]:]
    r, rest = integer(der[2:])
    s, rest = integer(rest)
    need(not rest, "no signature")
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def der_signature(raw):
    def integer(number):
        data = number.to_bytes(number.bit_length() // 8 + 1, "big")
        return b"\x02" + bytes([len(data)]) + data
    both = b"".join(integer(int.from_bytes(half, "big")) for half in (raw[:32], raw[32:]))
    return b"\x30" + bytes([len(both)]) + both


class CallKey:
    """The key that signs the calls of this client's tables: that of its certificate."""

    def __init__(self, key_file, log_key):
        self.key_file, self.log_key = key_file, log_key
        self.spki = log_key.openssl("pkey", "-in", key_file, "-pubout", "-outform", "DER")
        self.public = log_key.file("table-key.pem", log_key.openssl("pkey", "-in", key_file,
                                                                    "-pubout") or b"")

    def sign(self, message):
        der = self.log_key.openssl("dgst", "-sha256", "-sign", self.key_file,
                                   self.log_key.file("to-sign", message))
        need(der is not None, f"{self.key_file}: cannot sign")
        return base64.b64encode(p256_signature(der)).decode()

    def has_signed(self, message, signature):
        raw = base64.b64decode(signature)
        return len(raw) == 64 and self.log_key.openssl(
            "dgst", "-sha256", "-verify", self.public, "-signature",
            self.log_key.file("signed.sig", der_signature(raw)),
            self.log_key.file("signed", message)) is not None


class Caller:
    """A table's side of its calls: one core a turn, signed once and never otherwise. It is answered
    by its CALL, or by a VOID that carries it and spends the turn. A call that got neither leaves it
    waiting: the table is closed and opened again, with another seed."""

    def __init__(self, key, opening, leaf, kept=None):
        body = opening["body"]
        need(opening["kind"] == "TABLE_OPEN" and base64.b64decode(body["key"]) == key.spki,
             "the table was opened for another key")
        self.key, self.leaf, self.table = key, leaf, opening["object"]
        self.fixed = {"v": 2, "type": "talla-call", "origin": opening["origin"],
                      "table": self.table, "game": body["game"],
                      "variant": body.get("variant", ""), "catalogue": body["catalogue"],
                      "parameters": H(domain("parameters"),
                                      canonical(body["parameters"]).encode()).hex(), "others": []}
        self.seed, self.turn, self.waiting, self.call = secrets.token_bytes(32), 1, None, None
        self.rest_on(opening, leaf)
        if kept:
            self.seed, self.turn = bytes.fromhex(kept["seed"]), kept["turn"]
            self.waiting, self.last = kept.get("waiting"), None

    def kept(self):
        return {"seed": self.seed.hex(), "turn": self.turn} | (
            {"waiting": self.waiting} if self.waiting else {})

    def rest_on(self, record, leaf):
        """The newest verified record of the table, whoever made it."""
        need(record.get("table") == self.table, f"no record of {self.table}")
        self.last = record["seq"]
        self.head = H(domain("link"), bytes.fromhex(record["link"]), leaf)

    def take(self, record, leaf):
        """A verified record of a reply: it follows the one before, a CALL is the core that was
        signed, a result is of the open call."""
        kind, body = record["kind"], record["body"]
        if record.get("table") != self.table or self.last is not None and \
                record["seq"] <= self.last or kind == "TABLE_OPEN":
            return
        need(self.last is None or record["prev"] != self.last or
             bytes.fromhex(record["link"]) == self.head,
             f"record {record['seq']} does not follow the record of this table before it")
        if kind == "CALL":
            need(self.waiting == body and record["object"] == body["core"]["object"],
                 "a CALL that this table did not sign")
            self.call = record["seq"]
        elif kind == "VOID" and "core" in body:
            need(self.call is None and self.waiting ==
                 {name: body[name] for name in ("core", "signature")},
                 "a VOID of a core that this table did not sign, or that is a CALL")
            self.waiting, self.turn = None, self.turn + 1
        elif kind in ("DRAW", "SHOE_MIX", "VOID"):
            need(self.call is not None and body.get("call") == self.call,
                 "a result of another call than the open one")
            self.waiting, self.call, self.turn = None, None, self.turn + 1
        self.rest_on(record, leaf)

    def make(self, wish):
        """Core and signature."""
        need(self.waiting is None, f"the call of turn {self.turn} at {self.table} has no result: "
             "nothing else is signed there; close the table and open it again")
        value = hmac.digest(self.seed, domain("contribution") + self.leaf + u32(self.turn),
                            "sha256").hex()
        core = self.fixed | {"turn": self.turn, "head": self.head.hex(), "value": value} | wish
        self.waiting = {"core": core,
                        "signature": self.key.sign(domain("call") + canonical(core).encode())}
        return self.waiting


class Shoes:
    """Follows each shoe from its commitment: mixes and opened cards must be what was committed."""

    def __init__(self, read_again, signed):
        # shoe: one entry for each root, the oldest first; cores of calls by seq
        self.read_again, self.signed, self.roots, self.calls = read_again, signed, {}, {}

    def newest(self, shoe):
        return self.of(shoe)[-1]

    def of(self, shoe):
        if shoe not in self.roots:  # this program was restarted: the log knows
            self.roots[shoe] = []
            for record in list(self.read_again(shoe)):
                if record["kind"] in ("CALL", "SHOE_COMMIT", "SHOE_RECOMMIT", "SHOE_MIX"):
                    self.take(record)
        return self.roots[shoe]

    def take(self, record):
        kind, body, shoe = record["kind"], record["body"], record.get("object")
        if kind == "CALL":
            self.calls[record["seq"]] = self.signed(record)
        elif kind == "SHOE_COMMIT":
            self.roots[shoe] = [dict(body)]
        elif kind == "SHOE_RECOMMIT":
            self.of(shoe).append(dict(body))
        elif kind == "SHOE_MIX":
            root = self.newest(shoe)
            need(body["call"] in self.calls and body["root"] == root["root"] and
                 not body["openings"], "a mix without its CALL, or of another root")
            self.mix(shoe, root, self.calls[body["call"]])
        elif kind == "CARD_DEAL" and body["face"] == "open":
            self.card(shoe, self.newest(shoe), body)
        elif kind == "CARD_OPEN":
            self.card(shoe, self.of(shoe)[body.get("recommits", -1)], body)

    @staticmethod
    def mix(shoe, root, core):
        count = root["cards"]
        need(core["use"] == "mix" and core["object"] == shoe and core["root"] == root["root"] and
             core["at"] == 0 and "mix" not in root and not core["others"] and
             core["specification"] == {"candidates": 1, "places": count},
             "a mix of another root, or a second one")
        mix = list(range(count))
        swaps = digits(call_digest(core), "mix", [], list(range(2, count + 1)))
        for i, j in enumerate(swaps, start=1):
            mix[i], mix[j] = mix[j], mix[i]
        root["mix"] = mix

    @staticmethod
    def card(shoe, root, body):
        count, leaf = root["cards"], body["leaf"]
        need(leaf == root["mix"][body["position"]], "not the next card of the mixed shoe")
        salted = H(b"\0", domain("shoe-leaf"), field(shoe), u32(count), u32(leaf),
                   bytes([card_byte(body["card"])]), bytes.fromhex(body["salt"]))
        need(root_of(leaf, count, salted, [bytes.fromhex(one) for one in body["path"]]).hex() ==
             root["root"], "not the committed card")
