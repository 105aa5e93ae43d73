"""A table's own side of its draws and mixes: the call that it signs, and what follows from it and
from the secret committed before.

Bytes and digests are those of certs/FORMAT.md, the mapping is that of shuffle/MAPPING.md."""
import base64, hmac, secrets

from talla_candidates import (check_candidates, check_opened as check_others, count_of,
                              digits_from, swapped, words_of)
from talla_log import need, H, u32, field, domain, canonical, root_of, ssl_pem


def digits(key, purpose, inputs, bounds, first=()):
    """One uniform integer below each bound, from the tape of HMAC blocks; those below `first`
    have words of their own before."""
    head, tail = b"talla/v1/" + purpose.encode() + b"\0", b"".join(field(one) for one in inputs)
    words = words_of(b"".join(hmac.digest(key, head + u32(block) + tail, "sha256")
                              for block in range(40)))
    before = digits_from(words, list(first))[0]
    return before + digits_from(words, bounds)[0]


def contribution(seed, opening, t):
    """The number of a seed for turn or t under one TABLE_OPEN (`opening`: its leaf hash)."""
    return hmac.digest(seed, domain("contribution") + opening + u32(t), "sha256")


def commitment(opening, id, t, value):
    """What a contributor hands in before."""
    return H(domain("contribution-commit"), opening, field(id), u32(t), value)


def opening_statement(call, id, t, value):
    """What it signs with its number; `call`: C."""
    return domain("opening") + call + field(id) + u32(t) + value


def check_openings(log_key, opening, core, openings):
    """Each of `others` opened what it had committed to, and signed it for this call: in their
    order, all of them. Gives the numbers."""
    need(len(openings) == len(core["others"]), "more or fewer openings than contributors")
    for other, opened in zip(core["others"], openings):
        value = bytes.fromhex(opened["value"])
        need(commitment(opening, other["id"], other["t"], value).hex() == other["commit"],
             f"{other['id']} opened another number than was committed to")
        need(has_signed(log_key, base64.b64decode(other["key"]), opening_statement(
            call_digest(core), other["id"], other["t"], value), opened["signature"]),
             f"{other['id']} did not sign its number for this call")
    return [bytes.fromhex(one["value"]) for one in openings]


def check_draw(commit, core, draw, values):
    """The outcome follows from the secret committed before, the call made after it and the
    numbers of its contributors (`values`, check_openings), and from nothing else."""
    drawn = draw["body"]
    need(core["at"] == drawn["index"], "a draw from another batch")
    need(commit["client"] == draw["client"], "another client's batch")
    check_opened(commit, core, draw, drawn, values)


def check_opened(commit, core, record, drawn, values=None):
    """The secret is that of the core's index in its batch, and gives the outcome; without the
    numbers of contributors nobody can say which."""
    committed = commit["body"]
    root, secret, index = bytes.fromhex(committed["root"]), bytes.fromhex(
        drawn["secret"]), core["at"]
    need(core["use"] == "draw" and core["object"] == record["object"] == commit["object"] and
         core["table"] == committed["table"] and core["root"] == committed["root"] and
         commit["seq"] < record["seq"], "a draw from another batch")
    path = [bytes.fromhex(one) for one in drawn["path"]]
    leaf = H(b"\0", domain("batch-leaf"), field(commit["object"]), u32(index), secret)
    need(root_of(index, committed["count"], leaf, path) == root,
         "the secret is not the committed one")
    if values is None and core["others"]:
        need(drawn["outcome"] == "unknown", "an outcome where not every number is known")
        return
    what = core["specification"]
    bounds = {"wheel": lambda: [what["pockets"]], "dice": lambda: [what["faces"]] * what["count"],
              "lots": lambda: what["bounds"]}[what["kind"]]()
    found = digits(secret, "draw", [call_digest(core)] + (values or []), bounds)
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


def has_signed(log_key, spki, message, signature):
    """Whether the P-256 key (DER) has signed the bytes; `signature`: r || s in base64."""
    raw = base64.b64decode(signature)
    public = log_key.file("signer.pem", ssl_pem(base64.b64encode(spki).decode(), "PUBLIC KEY"))
    return len(raw) == 64 and log_key.openssl(
        "dgst", "-sha256", "-verify", public, "-signature",
        log_key.file("signed.sig", der_signature(raw)),
        log_key.file("signed", message)) is not None


class CallKey:
    """The key that signs the calls of this client's tables: that of its certificate."""

    def __init__(self, key_file, log_key):
        self.key_file, self.log_key = key_file, log_key
        self.spki = log_key.openssl("pkey", "-in", key_file, "-pubout", "-outform", "DER")

    def sign(self, message):
        der = self.log_key.openssl("dgst", "-sha256", "-sign", self.key_file,
                                   self.log_key.file("to-sign", message))
        need(der is not None, f"{self.key_file}: cannot sign")
        return base64.b64encode(p256_signature(der)).decode()

    def has_signed(self, message, signature):
        return has_signed(self.log_key, self.spki, message, signature)


def subject_of(core):
    """The round that a core is for; outside rounds its shoe or batch."""
    return core["object"] if core["round"] == "0" else core["round"]


class Again:
    """What came of the calls of each round, shoe or batch: how often VOID, and whom the next call
    has to name. `opening`: TABLE_OPEN."""

    def __init__(self, opening, kept=None):
        body = opening["body"]
        self.origin, self.table_key = opening["origin"], body["key"]
        self.allowed = body["policy"]["max_voids"]
        self.voids, self.named = (kept or {}).get("voids", {}), (kept or {}).get("named", {})

    def kept(self):
        return {"voids": self.voids, "named": self.named}

    def called(self, core):
        self.named.pop(subject_of(core), None)

    def lapsed(self, core):
        self.voids[subject_of(core)] = self.voids.get(subject_of(core), 0) + 1

    def ended(self, core, missing):
        self.lapsed(core)
        self.named[subject_of(core)] = [[one["id"], one["key"]] for one in core["others"]
                                        if one["id"] not in missing]

    def over(self, core):
        return self.voids.get(subject_of(core), 0) > self.allowed

    def check(self, core, order, log):
        """`order`: of two persons, or None. At which state of the table they signed is not looked
        at."""
        subject = subject_of(core)
        if order is None:
            need(not self.over(core), f"void_limit: {subject} ended in VOID more often than the "
                 "table allows: two persons order another call (talla act ask call-again)")
            named = [[one["id"], one["key"]] for one in core["others"]]
            need(all(one in named for one in self.named.get(subject, [])),
                 "contributor_dropped: one is left out whom the VOID before does not name missing")
            return
        first, second = order["by"]
        need(first["id"] != second["id"] and first["key"] != second["key"],
             "order_wrong: of one person")
        message = domain("order") + canonical(
            {"act": "call-again", "digest": "", "head": order["head"], "object": subject,
             "origin": self.origin}).encode()
        for one in (first, second):
            need(one["key"] != self.table_key and has_signed(
                log, base64.b64decode(one["key"]), message, one["signature"]),
                 f"order_wrong: not signed by a key of {one['id']}")


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
                                      canonical(body["parameters"]).encode()).hex()}
        self.seed, self.turn, self.waiting, self.call = secrets.token_bytes(32), 1, None, None
        # whether there are contributors; how far each key has counted; who withheld, by object
        self.invites, self.counted, self.left = False, {}, {}
        self.rest_on(opening, leaf)
        if kept:
            self.seed, self.turn = bytes.fromhex(kept["seed"]), kept["turn"]
            self.waiting, self.last = kept.get("waiting"), None
            self.invites = "counted" in kept
            self.counted, self.left = kept.get("counted", {}), kept.get("left", {})
        self.again = Again(opening, (kept or {}).get("again"))

    def kept(self):
        return {"seed": self.seed.hex(), "turn": self.turn} | (
            {"waiting": self.waiting} if self.waiting else {}) | (
            {"counted": self.counted, "left": self.left} if self.invites else {}) | (
            {"again": self.again.kept()} if self.again.voids else {})

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
            need(self.waiting == {name: body[name] for name in ("core", "signature")} and
                 record["object"] == body["core"]["object"],
                 "a CALL that this table did not sign")
            self.again.check(body["core"], body.get("order"), self.key.log_key)
            self.again.called(body["core"])
            self.call = record["seq"]
            self.count(body["core"])
            self.left.pop(subject_of(body["core"]), None)
        elif kind == "VOID" and "core" in body:
            need(self.call is None and self.waiting ==
                 {name: body[name] for name in ("core", "signature")},
                 "a VOID of a core that this table did not sign, or that is a CALL")
            self.count(body["core"])
            self.again.lapsed(body["core"])
            self.waiting, self.turn = None, self.turn + 1
        elif kind in ("DRAW", "SHOE_MIX", "VOID"):
            need(self.call is not None and body.get("call") == self.call,
                 "a result of another call than the open one")
            if kind == "VOID" and "missing" in body:
                self.leave_out(self.waiting["core"], body["missing"])
            if kind == "VOID":
                self.again.ended(self.waiting["core"], body.get("missing", []))
            self.waiting, self.call, self.turn = None, None, self.turn + 1
        self.rest_on(record, leaf)

    def count(self, core):
        for one in core["others"]:
            self.counted[one["key"]] = one["t"]

    def leave_out(self, core, missing):
        """The next call of this round or object goes without those who withheld, also where they
        have handed in anew; behind it they may be named again."""
        need(set(missing) <= {one["id"] for one in core["others"]},
             "a VOID names one who was not to open")
        self.left[subject_of(core)] = sorted(missing)

    def others(self, contributors, wish):
        """Of the table's picture: what the next core says of them. A number that was handed in is
        fixed by it; whose keys they are nobody here knows."""
        out = self.left.get(subject_of(wish), [])
        named = [{name: one[name] for name in ("id", "key", "t", "commit")}
                 for one in contributors if one.get("commit") and one["id"] not in out]
        need([one["id"] for one in named] == sorted({one["id"] for one in named}) and
             len({one["key"] for one in named} | {base64.b64encode(self.key.spki).decode()}) ==
             len(named) + 1, "contributors that are named twice, or in another order")
        for one in named:
            need(one["t"] == self.counted.get(one["key"], 0) + 1,
                 f"{one['id']} does not count on from its last call")
        return named

    def make(self, wish, others=(), again=None):
        """Core and signature. `others`: who is to open behind it. `again`: of the table's picture,
        what two persons have ordered."""
        need(self.waiting is None, f"the call of turn {self.turn} at {self.table} has no result: "
             "nothing else is signed there; close the table and open it again")
        value = contribution(self.seed, self.leaf, self.turn).hex()
        core = self.fixed | {"turn": self.turn, "head": self.head.hex(), "value": value,
                             "others": list(others)} | wish
        ordered = again and again["object"] == subject_of(core)
        self.again.check(core, again["order"] if ordered else None, self.key.log_key)
        self.waiting = {"core": core,
                        "signature": self.key.sign(domain("call") + canonical(core).encode())}
        return self.waiting


class Shoes:
    """Follows each shoe from its commitment: mixes and opened cards must be what was committed."""

    def __init__(self, read_again, signed, opened, policy):
        # shoe: one entry for each root, the oldest first; cores of calls by seq
        self.read_again, self.signed, self.roots, self.calls = read_again, signed, {}, {}
        self.opened = opened  # the numbers of a core's contributors, checked
        self.policy = policy  # of a table's TABLE_OPEN

    def newest(self, shoe, before=2**53):
        return self.of(shoe, before)[-1]

    def of(self, shoe, before=2**53):
        """`before`: number of a record; what came first the log knows when this program was
        restarted."""
        if shoe not in self.roots:
            self.roots[shoe] = []
            for record in list(self.read_again(shoe)):
                if record["seq"] < before and record["kind"] in (
                        "CALL", "SHOE_COMMIT", "SHOE_RECOMMIT", "SHOE_MIX", "CARD_DEAL"):
                    self.take(record)
            need(self.roots[shoe], f"{shoe}: nobody committed to it")
        return self.roots[shoe]

    def take(self, record):
        kind, body, shoe = record["kind"], record["body"], record.get("object")
        seq = record["seq"]
        if kind == "CALL":
            self.calls[record["seq"]] = self.signed(record)
        elif kind == "SHOE_COMMIT":
            check_candidates(body, self.policy(body["table"])["candidates"])
            self.roots[shoe] = [body | {"dealt": {}}]
        elif kind == "SHOE_RECOMMIT":
            self.of(shoe, seq).append(body | {"dealt": {}})
        elif kind == "SHOE_MIX":
            root = self.newest(shoe, seq)
            need(body["call"] in self.calls, "a mix without its CALL")
            core = self.calls[body["call"]]
            if root.get("mix_call") != body["call"]:  # else it was read in the log before
                self.mix(shoe, root, core, self.opened(core, body["openings"]), body)
                root["mix_call"] = body["call"]
            need(body["root"] == root["root"], "a mix of another root")
        elif kind == "CARD_DEAL":
            root = self.newest(shoe, seq)
            need("mix" in root and body["position"] == len(root["dealt"]), "not the next card")
            root["dealt"][body["position"]] = body
            if body["face"] == "open":
                self.card(shoe, root, body)
        elif kind == "CARD_OPEN":
            self.card(shoe, self.of(shoe, seq)[body.get("recommits", -1)], body)

    @staticmethod
    def mix(shoe, root, core, values, body):
        """Again only for the bets of a round; that they are closed was known when it was signed.
        The leaves that are dealt stay. Of several roots one is picked, the others are opened."""
        dealt = len(root["dealt"])
        count = root["cards"] - dealt
        need(core["use"] == "mix" and core["object"] == shoe and core["root"] == root["root"] and
             core["at"] == dealt and ("mix" not in root or core["round"] != "0") and
             core["specification"] == {"candidates": count_of(root), "places": count},
             "a mix of another root, or a second one")
        stay = root.get("mix", [])[:dealt]
        left = sorted(set(range(root["cards"])) - set(stay))
        candidates = root.pop("candidates", [])
        swaps = digits(call_digest(core), "mix", values, list(range(2, count + 1)),
                       [len(candidates)] if candidates else [])
        if candidates:
            picked = swaps.pop(0)
            need(body.get("picked") == picked, f"candidate_wrong: the tape picks {picked}")
            check_others(shoe, root | {"candidates": candidates}, picked, body["opened"])
            root.update(candidates[picked])
        else:
            need("picked" not in body, "candidate_wrong: there is one root, and none to pick")
        root["mix"] = stay + swapped(left, swaps)

    @staticmethod
    def card(shoe, root, body):
        count, leaf = root["cards"], body["leaf"]
        need(leaf == root["mix"][body["position"]], "not the next card of the mixed shoe")
        salted = H(b"\0", domain("shoe-leaf"), field(shoe), u32(count), u32(leaf),
                   bytes([card_byte(body["card"])]), bytes.fromhex(body["salt"]))
        need(root_of(leaf, count, salted, [bytes.fromhex(one) for one in body["path"]]).hex() ==
             root["root"], "not the committed card")
