#!/usr/bin/env python3
"""Verifies a Talla evidence bundle: a second implementation, written from certs/FORMAT.md and shuffle/README.md alone.

Only Python's standard library, and the `openssl` command for Ed25519, ECDSA and X.509. Settlements are not run again
(that takes the rules of the games); everything else is checked, and what was not is printed.

usage: verify_bundle.py BUNDLE ROOTS.pem
exit:  0 certified, 1 invalid, 2 usage, 3 uncertified source, 4 lab
"""
import base64, hashlib, hmac, json, os, re, struct, subprocess, sys, tempfile

CERTIFIED, INVALID, USAGE, UNCERTIFIED, LAB = range(5)
LARGEST = 2**53 - 1


class Refused(Exception):
    pass


def need(condition, why):
    if not condition:
        raise Refused(why)


# --- bytes and hashes (FORMAT section 1) -----------------------------------------------------------------------------

def H(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

def HMAC(key, *parts):
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()

def D(name):
    return b"talla/v1/" + name.encode() + b"\0"

def u32(value):
    return struct.pack(">I", value)

def field(value):
    data = value.encode() if isinstance(value, str) else value
    return u32(len(data)) + data

def unhex(text, size=32):
    need(isinstance(text, str) and re.fullmatch(r"([0-9a-f]{2})*", text), "malformed hex")
    data = bytes.fromhex(text)
    need(size is None or len(data) == size, "hex of another length")
    return data

def unbase64(text):
    need(isinstance(text, str), "malformed base64")
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise Refused("malformed base64")
    need(base64.b64encode(data).decode() == text, "base64 in another spelling")
    return data

def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

def parse(text):
    """Canonical JSON of the house: integers, strings, booleans, arrays, objects."""
    def members(pairs):
        need(len({key for key, _ in pairs}) == len(pairs), "duplicate member")
        return dict(pairs)
    def never(_):
        raise Refused("no such number in this format")
    def integer(digits):
        value = int(digits)
        need(abs(value) <= LARGEST, "integer out of range")
        return value
    def no_null(value):
        need(value is not None, "null is not part of this format")
        for inner in value if isinstance(value, list) else value.values() if isinstance(value, dict) else []:
            no_null(inner)
    try:
        value = json.loads(text, object_pairs_hook=members, parse_float=never, parse_constant=never, parse_int=integer)
    except (ValueError, RecursionError):
        raise Refused("malformed JSON")
    no_null(value)
    need(canonical(value) == text, "not canonical")
    return value


# --- members by kind (FORMAT sections 2 and 6) -----------------------------------------------------------------------

class Is:
    """Small checks that a member's value must pass."""
    integer = staticmethod(lambda v: type(v) is int and 0 <= v <= LARGEST)
    positive = staticmethod(lambda v: type(v) is int and 1 <= v <= LARGEST)
    boolean = staticmethod(lambda v: type(v) is bool)
    text = staticmethod(lambda v: type(v) is str)
    filled = staticmethod(lambda v: type(v) is str and v != "")
    digest = staticmethod(lambda v: type(v) is str and re.fullmatch(r"[0-9a-f]{64}", v) is not None)
    nonce = staticmethod(lambda v: type(v) is str and re.fullmatch(r"([0-9a-f]{2}){16,64}", v) is not None)
    base64 = staticmethod(lambda v: type(v) is str and unbase64(v) is not None)
    anything = staticmethod(lambda v: True)
    obj = staticmethod(lambda v: type(v) is dict)
    texts = staticmethod(lambda v: type(v) is list and all(type(i) is str and i for i in v))
    some_texts = staticmethod(lambda v: Is.texts(v) and v)
    path = staticmethod(lambda v: type(v) is list and len(v) <= 64 and all(Is.digest(i) for i in v))
    card = staticmethod(lambda v: v in CARD_BYTES)

    @staticmethod
    def word(*words):
        return lambda v: v in words

    @staticmethod
    def id_of(kind):
        return lambda v: type(v) is str and re.fullmatch(kind + r"-(0|[1-9][0-9]*)", v) is not None

    @staticmethod
    def each(check):
        return lambda v: type(v) is list and all(check(i) for i in v)


def shape(value, required, optional=None):
    optional = optional or {}
    need(type(value) is dict, "an object is expected")
    for name in required:
        need(name in value, f"{name} is missing")
    for name, inner in value.items():
        check = required.get(name) or optional.get(name)
        need(check is not None, f"{name} is not known here")
        need(check(inner), f"{name} is malformed")
    return True


def shaped(required, optional=None):
    return lambda value: shape(value, required, optional)


def specification(value):
    need(type(value) is dict, "specification")
    if value.get("kind") == "wheel":
        shape(value, {"kind": Is.text, "pockets": lambda v: type(v) is int and 2 <= v <= 1024})
        bounds = [value["pockets"]]
    elif value.get("kind") == "dice":
        shape(value, {"kind": Is.text, "count": lambda v: type(v) is int and 1 <= v <= 8,
                      "faces": lambda v: type(v) is int and 2 <= v <= 100})
        bounds = [value["faces"]] * value["count"]
    else:
        need(value.get("kind") == "lots", "unknown kind of draw")
        shape(value, {"kind": Is.text, "bounds": lambda v: type(v) is list and 1 <= len(v) <= 16
                      and all(type(i) is int and 2 <= i < 2**32 for i in v)})
        bounds = value["bounds"]
    total = 1
    for bound in bounds:
        total *= bound
    need(total < 2**128, "2^128 outcomes or more")
    return bounds


def outcome(value):
    need(type(value) is dict and len(value) == 1, "outcome")
    (name, inner), = value.items()
    if name == "pocket":
        return Is.integer(inner)
    return name in ("dice", "lots") and type(inner) is list and inner and all(Is.integer(i) for i in inner)


SOURCE = shaped({"model": Is.filled, "class": Is.word("raw_physical", "conditioned_physical", "system", "rdseed", "lab"),
                 "millibits": Is.integer, "verdict": Is.word("healthy", "startup", "alarm", "not_tested")})
CONTEXT_MEMBERS = {
    "catalogue": Is.digest, "game": Is.text, "variant": Is.text, "parameters": Is.digest,
    "mapping": Is.word("talla-map-v1"), "construction": Is.word("rbg3-xor", "system"), "uncertified": Is.boolean,
    "sources": Is.each(SOURCE), "reseeds": Is.integer, "generates": Is.integer, "software": Is.digest,
    "config": Is.digest, "rollback_protection": Is.word("local", "tpm", "hsm", "witness"), "anchor_lag": Is.integer,
    "sealing": Is.word("file", "tpm", "hsm", "passphrase")}

def context(value):
    shape(value, CONTEXT_MEMBERS)
    credited = any(s["class"] == "raw_physical" and s["millibits"] > 0 and s["verdict"] in ("healthy", "startup")
                   for s in value["sources"])
    need(value["uncertified"] or (credited and value["construction"] == "rbg3-xor"),
         "a context without a credited source must say uncertified")
    return True

OPENING = {"leaf": Is.integer, "card": Is.card, "salt": Is.digest, "path": Is.path}
SHOE_COMMIT = {"table": Is.id_of("table"), "number": Is.positive, "cards": Is.positive, "deck": Is.filled,
               "root": Is.digest, "cut_commitment": Is.digest, "tape_mac": Is.digest, "cut_min": Is.integer,
               "cut_max": Is.integer, "cut": Is.word("table", "rotation", "none"), "stop_depth": Is.integer,
               "burn": Is.text, "disclosure": Is.word("public", "covered"), "context": context}
TAPE = {"words_used": Is.integer, "words_rejected": Is.integer, "tape_digest": Is.digest}
BET = shaped({"id": Is.filled, "seat": Is.integer, "kind": Is.filled, "stake": Is.integer},
             {"on": Is.some_texts, "box": Is.integer})
RESULT = shaped({"bet": Is.filled, "seat": Is.integer, "kind": Is.filled, "stake": Is.integer,
                 "result": Is.word("win", "lose", "push", "half", "prison", "freed", "void"), "returned": Is.integer,
                 "rule": Is.filled}, {"remainder": Is.filled})
LOG_KEY = shaped({"statement": Is.text, "signature": Is.base64, "chain": Is.each(Is.base64)})

# kind: (class of object, opens it, members, optional members); None: checked in `body` below
KINDS = {
    "POWER": ("", False, None), "KEY": ("", False, None),
    "SOFTWARE": ("", False, {"version": Is.filled, "digest": Is.digest}),
    "CONFIG": ("", False, {"digest": Is.digest, "profile": Is.word("development", "production")}),
    "SELFTEST": ("", False, {"test": Is.filled, "result": Is.word("pass", "fail"), "count": Is.integer}),
    "HEALTH": ("", False, {"source": Is.filled, "test": Is.filled, "level": Is.word(1, 2), "dropped": Is.integer,
                           "last_good_us": Is.integer, "alarm_us": Is.integer, "overlapping": Is.texts}),
    "RESEED": ("", False, {"counter": Is.integer, "cause": Is.word("startup", "request", "timer"),
                           "assessed_millibits": Is.integer}),
    "ACCESS": ("", False, {"what": Is.filled, "result": Is.word("allowed", "refused")},
               {"object": Is.filled, "by": Is.texts}),
    "TABLE_OPEN": ("table", True, {"game": Is.text, "variant": Is.text, "catalogue": Is.digest, "parameters": Is.obj,
                                   "currency": Is.text, "unit": Is.filled, "chip": Is.positive,
                                   "rounding": Is.word("down", "up", "nearest"), "min": Is.integer, "max": Is.integer,
                                   "settled_by": Is.word("appliance", "client")}),
    "TABLE_CLOSE": ("table", False, {"rounds": Is.integer, "reason": Is.word("closed", "voided")}),
    "METER": ("table", False, {"meter": Is.filled, "before": Is.integer, "contribution": Is.integer,
                               "award": Is.integer, "after": Is.integer}),
    "ROUND_OPEN": ("round", True, {"table": Is.id_of("table"), "number": Is.positive, "state_before": Is.digest},
                   {"shoe": Is.id_of("shoe"), "last": lambda v: v is True}),
    "BETS_CLOSED": ("round", False, {"bets": Is.each(BET), "digest": Is.digest, "withdrawn": Is.texts}),
    "ACTION": ("round", False, {"seat": Is.integer, "do": Is.text, "cause": Is.word("decision", "time_out"),
                                "state_before": Is.digest},
               {"bet": Is.filled, "amount": Is.integer, "cards": Is.some_texts, "to": Is.filled}),
    "MISDEAL": ("round", False, {"code": Is.filled, "effect": Is.filled}, {"place": Is.filled}),
    "SETTLEMENT": ("round", False, {"results": Is.each(RESULT), "state_before": Is.digest, "state_after": Is.digest}),
    "ROUND_END": ("round", False, {"state_after": Is.digest}),
    "SHOE_COMMIT": ("shoe", True, SHOE_COMMIT),
    "SHOE_CUT": ("shoe", False, {"nonce": Is.nonce, "root": Is.digest, "secret": Is.digest, "offset": Is.integer, **TAPE}),
    "CARD_DEAL": ("shoe", False, None),
    "CARD_OPEN": ("shoe", False, {"position": Is.integer, "place": Is.filled, **OPENING}),
    "SHOE_RECOMMIT": ("shoe", False, {**SHOE_COMMIT, "of": Is.digest, "positions": Is.positive, "rule": Is.filled}),
    "SHOE_RELEASE": ("shoe", False, {"machine": Is.filled, "ciphertext": Is.digest, "order_known_to": Is.filled}),
    "SHUFFLE_REPORT": ("shoe", False, {"recognised": Is.integer, "result": Is.word("match", "mismatch", "jam", "lid")},
                       {"position": Is.integer}),
    "SHOE_CLOSE": ("shoe", False, None),
    "BATCH_COMMIT": ("batch", True, {"table": Is.id_of("table"), "count": lambda v: type(v) is int and 1 <= v <= 256,
                                     "root": Is.digest, "expires": Is.integer, "context": context}),
    "INTENT": ("batch", False, {"table": Is.id_of("table"), "round": lambda v: v == "0" or Is.id_of("round")(v),
                                "index": Is.integer, "nonce": Is.nonce, "root": Is.digest,
                                "specification": specification, "bets": Is.digest, "digest": Is.digest,
                                "context": context}),
    "DRAW": ("batch", False, {"intent": Is.integer, "index": Is.integer, "secret": Is.digest, "path": Is.path,
                              "outcome": outcome, "context": context, **TAPE}),
    "VOID": ("batch", False, None),
    "BATCH_CLOSE": ("batch", False, {"reason": Is.word("expired", "used", "closed"), "opened": Is.each(
        shaped({"index": Is.integer, "secret": Is.digest, "path": Is.path}))}),
}
DISCLOSURE = {"key": Is.digest, "secret": Is.digest, "tape": Is.base64, **TAPE}


def check_body(kind, body):
    if kind == "POWER":
        members = {"event": Is.word("start", "stop"), **({"clean": Is.boolean} if body.get("event") == "start" else {})}
    elif kind == "KEY" and body.get("purpose") == "log":
        return shape(body, {"purpose": Is.text, "log_key": LOG_KEY}, {"predecessor": Is.filled})
    elif kind == "KEY":
        members = {"purpose": Is.word("client"), "id": Is.filled, "spki": Is.digest, "roles": Is.texts,
                   "action": Is.word("enrol", "revoke")}
    elif kind == "CARD_DEAL":
        members = {"position": Is.integer, "place": Is.filled, "face": Is.word("open", "covered", "unseen")}
        if body.get("face") == "open":
            members.update(OPENING)
        if body.get("face") == "covered":
            members.update({"ciphertext": Is.digest, "seat": Is.integer, "key": Is.digest})
        return shape(body, members, {"round": Is.id_of("round")})
    elif kind == "SHOE_CLOSE":
        members = {"dealt": Is.integer, "reason": Is.word("stop_card", "closed", "voided"),
                   **(DISCLOSURE if "key" in body else {})}
    elif kind == "VOID":
        members = {"intent": Is.integer, "cause": Is.word("order", "unrecoverable"), "by": Is.texts}
        if body.get("cause") == "order":
            members.update({"outcome": outcome, "secret": Is.digest, "path": Is.path})
        else:
            members["outcome"] = Is.word("unrecoverable")
    else:
        row = KINDS[kind]
        return shape(body, row[2], row[3] if len(row) > 3 else None)
    shape(body, members)


def ascii_only(value):
    if type(value) is str:
        return all(0x20 <= ord(c) <= 0x7E for c in value)
    if type(value) is dict:
        return all(ascii_only(k) and ascii_only(v) for k, v in value.items())
    return all(ascii_only(v) for v in value) if type(value) is list else True


def parse_record(text):
    need(len(text.encode()) <= 60000, "record too long")
    record = parse(text)
    need(type(record) is dict and record.get("v") == 1 and ascii_only(record), "no record of version 1")
    shape(record, {"v": Is.integer, "origin": lambda v: re.fullmatch(r"[!-*,-~]{1,200}", v), "seq": Is.integer,
                   "kind": Is.filled, "time": Is.integer, "time_quality": Is.word("synced", "holdover", "unset"),
                   "boot": Is.positive, "cites": Is.each(Is.integer), "body": Is.obj},
          {"client": shaped({"id": Is.filled, "spki": Is.digest}),
           "key": lambda v: re.fullmatch(r"[A-Za-z0-9._-]{1,64}", v), "request": Is.digest, "object": Is.filled,
           "prev": Is.integer, "note": lambda v: re.fullmatch(r"[A-Za-z0-9_-]+", v)})
    cites = record["cites"]
    need(cites == sorted(set(cites)) and all(seq < record["seq"] for seq in cites), "cites")
    need("prev" not in record or record["prev"] < record["seq"], "prev")
    row = KINDS.get(record["kind"])
    if row is None:
        return record
    if row[0] == "":
        need("object" not in record and "prev" not in record, "a record of the machine has no object")
    else:
        need(Is.id_of(row[0])(record.get("object")), "object")
        opened = int(record["object"].split("-")[1])
        if row[1]:
            need("prev" not in record and opened == record["seq"], "an opening record names itself")
        else:
            need(record.get("prev", -1) >= opened, "prev")
    check_body(record["kind"], record["body"])
    return record


# --- Merkle tree and checkpoint (FORMAT section 3) -------------------------------------------------------------------

def leaf_hash(data):
    return H(b"\0", data)

def node_hash(left, right):
    return H(b"\1", left, right)

def root_of(leaves):
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return node_hash(root_of(leaves[:split]), root_of(leaves[split:]))

def root_from_path(index, size, leaf, path):
    """Walks down to know on which side each hash stands, then up."""
    need(0 <= index < size, "index outside the tree")
    sides, begin, end = [], 0, size
    while end - begin > 1:
        split = 1
        while split * 2 < end - begin:
            split *= 2
        left = index < begin + split
        sides.append(left)
        begin, end = (begin, begin + split) if left else (begin + split, end)
    need(len(sides) == len(path), "a path of another length")
    for left, other in zip(reversed(sides), path):
        leaf = node_hash(leaf, other) if left else node_hash(other, leaf)
    return leaf

def parse_checkpoint(note):
    match = re.fullmatch("([!-*,-~]{1,200})\n(0|[1-9][0-9]{0,19})\n([A-Za-z0-9+/=]+)\n\n\u2014 ([!-*,-~]+) ([A-Za-z0-9+/=]+)\n", note)
    need(match, "malformed checkpoint")
    origin, size, root, name, signature = match.groups()
    root, signature = unbase64(root), unbase64(signature)
    need(name == origin and len(root) == 32 and len(signature) == 68, "malformed checkpoint")
    return origin, int(size), root, note[:note.index("\n\n") + 1], signature[:4], signature[4:]


# --- X.509 and signatures, by the openssl command --------------------------------------------------------------------

class OpenSsl:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()

    def file(self, name, data):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as out:
            out.write(data)
        return path

    @staticmethod
    def run(*arguments):
        done = subprocess.run(["openssl", *arguments], capture_output=True)
        return done.returncode == 0, done.stdout.decode(errors="replace")

    def certificate(self, der, name):
        ok, pem = self.run("x509", "-inform", "DER", "-in", self.file(name + ".der", der))
        need(ok, "malformed certificate")
        body = "".join(pem.split("-----")[2].split())
        need(base64.b64decode(body) == der, "bytes behind a certificate")
        return self.file(name + ".pem", pem.encode())

    def ed25519(self, key, message, signature):
        pem = b"-----BEGIN PUBLIC KEY-----\n" + base64.b64encode(bytes.fromhex("302a300506032b6570032100") + key)
        pem += b"\n-----END PUBLIC KEY-----\n"
        return self.run("pkeyutl", "-verify", "-pubin", "-inkey", self.file("log.pem", pem), "-rawin",
                        "-in", self.file("message", message), "-sigfile", self.file("signature", signature))[0]


def check_log_key(log_key, roots, time_us):
    shape(log_key, {"statement": Is.text, "signature": Is.base64, "chain": Is.each(Is.base64)})
    need(1 <= len(log_key["chain"]) <= 8, "chain")
    statement = parse(log_key["statement"])
    shape(statement, {"v": Is.word(1), "type": Is.word("talla-log-key"), "origin": Is.filled, "public": Is.base64,
                      "development": Is.boolean})
    public = unbase64(statement["public"])
    need(len(public) == 32, "the log's key has 32 bytes")
    tool = OpenSsl()
    pems = [tool.certificate(unbase64(der), f"c{i}") for i, der in enumerate(log_key["chain"])]
    untrusted = []
    if len(pems) > 1:
        joined = b"".join(open(pem, "rb").read() for pem in pems[1:])
        untrusted = ["-untrusted", tool.file("untrusted.pem", joined)]
    ok, _ = tool.run("verify", "-no-CApath", "-no-CAstore", "-attime", str(time_us // 1000000),
                     "-CAfile", roots, *untrusted, pems[0])
    need(ok, "certificates: no valid chain to a trusted root at the recorded time")
    _, names = tool.run("x509", "-in", pems[0], "-noout", "-ext", "subjectAltName")
    need(("URI:talla:log:" + statement["origin"]) in re.split(r",\s*|\n\s*", names), "the certificate names another log")
    _, subject = tool.run("x509", "-in", pems[0], "-noout", "-subject", "-nameopt", "RFC2253")
    need(bool(re.search(r"[=,]OU=development(,|\s|$)", subject)) == statement["development"], "development mark")
    _, key = tool.run("x509", "-in", pems[0], "-noout", "-pubkey")
    _, words = tool.run("pkey", "-pubin", "-noout", "-text", "-in", tool.file("key.pem", key.encode()))
    need("prime256v1" in words, "the certificate's key is not P-256")
    ok, _ = tool.run("dgst", "-sha256", "-verify", tool.file("key.pem", key.encode()), "-signature",
                     tool.file("sig", unbase64(log_key["signature"])),
                     tool.file("statement", D("log-key") + log_key["statement"].encode()))
    need(ok, "the log key statement's signature is wrong")
    return statement, public


def check_checkpoint(note, statement, public):
    origin, size, root, text, key_id, signature = parse_checkpoint(note)
    need(origin == statement["origin"], "checkpoint and log key name different logs")
    need(key_id == H(origin.encode() + b"\n\x01" + public)[:4], "checkpoint: another key")
    need(OpenSsl().ed25519(public, text.encode(), signature), "checkpoint: wrong signature")
    return origin, size, root


# --- tapes, digits, shuffles (shuffle/README.md) ---------------------------------------------------------------------

class Tape:
    """Words from given bytes, or from HMAC blocks."""

    def __init__(self, data=b"", key=None, purpose="", inputs=()):
        self.data, self.key, self.used, self.rejected, self.block = data, key, 0, 0, 0
        self.head, self.tail = D(purpose), b"".join(field(i) for i in inputs)

    def word(self):
        if self.key is not None and len(self.data) < 8 * (self.used + 1):
            self.data += HMAC(self.key, self.head, u32(self.block), self.tail)
            self.block += 1
        piece = self.data[8 * self.used:8 * self.used + 8]
        need(len(piece) == 8, "the tape is too short")
        self.used += 1
        return int.from_bytes(piece, "big")

    def consumed(self):
        return self.data[:8 * self.used]

    def digits(self, bounds):
        out, at = [], 0
        while at < len(bounds):
            product, end = 1, at
            while end < len(bounds) and (end == at or product * bounds[end] < 2**56):
                product *= bounds[end]
                end += 1
            out += self.batch(bounds[at:end], product)
            at = end
        return out

    def batch(self, bounds, product):
        for redraws in range(65):
            rest, digits = self.word(), []
            for bound in bounds:
                digits.append(rest * bound >> 64)
                rest = rest * bound & (2**64 - 1)
            if rest >= 2**64 % product:
                return digits
            self.rejected += 1
        raise Refused("generator fault")


FRENCH, SPANISH = "A23456789TJQK", "123456789SCR"
CARD_BYTES = {"Jk": 52}
for suit_index, suit in enumerate("CDHS"):
    for rank_index, rank in enumerate(FRENCH):
        CARD_BYTES[rank + suit] = 13 * suit_index + rank_index
for suit_index, suit in enumerate("oceb"):
    for rank_index, rank in enumerate(SPANISH):
        CARD_BYTES[rank + suit] = 64 + 12 * suit_index + rank_index


def deck_cards(text):
    match = re.fullmatch(r"(french52|spanish40|spanish48)(?:-([A-Za-z0-9]+))?(?:\+([1-4])j)?x([1-8])", text)
    need(match, "malformed deck")
    family, removed, jokers, decks = match.groups()
    french = family == "french52"
    need(french or not jokers, "jokers are French")
    ranks = FRENCH if french else SPANISH if family == "spanish48" else SPANISH.replace("8", "").replace("9", "")
    removed = removed or ""
    need("".join(r for r in ranks if r in removed) == removed, "removed ranks in another order")
    deck = [r + s for s in ("CDHS" if french else "oceb") for r in ranks if r not in removed] + ["Jk"] * int(jokers or 0)
    need(deck, "no card left")
    return deck * int(decks)


def check_tape(tape, body):
    need(tape.used == body["words_used"] and tape.rejected == body["words_rejected"]
         and H(tape.consumed()).hex() == body["tape_digest"], "another account of the tape")


# --- shoes (FORMAT section 7) ----------------------------------------------------------------------------------------

class Shoe:
    def __init__(self, evidence, name):
        self.evidence, self.name = evidence, name
        self.cut, self.dealt, self.openings, self.copies, self.closed = None, [], {}, {}, False

    def step(self, record):
        need(not self.closed, "the shoe was closed before")
        body, kind = record["body"], record["kind"]
        if kind == "SHOE_COMMIT":
            self.commit(body)
        elif kind == "SHOE_CUT":
            self.make_cut(record, body)
        elif kind == "CARD_DEAL":
            need(self.cut is not None and body["position"] == len(self.dealt) < self.n, "not the next position")
            self.dealt.append(body)
            if body["face"] == "open":
                self.open(body)
        elif kind == "CARD_OPEN":
            need(body["position"] < len(self.dealt), "not dealt yet")
            dealt = self.dealt[body["position"]]
            need(dealt["face"] == "covered" and dealt["place"] == body["place"] and body["position"] not in self.openings,
                 "no covered card lies there")
            self.open(body)
        elif kind == "SHOE_CLOSE":
            self.close(body)
        elif kind == "SHOE_RECOMMIT":
            raise Refused("recommitted shoes cannot be verified")

    def commit(self, body):
        self.evidence.context(body["context"])
        self.body, self.n, self.deck = body, body["cards"], deck_cards(body["deck"])
        self.root = unhex(body["root"])
        need(len(self.deck) == self.n and body["cut_min"] <= body["cut_max"] < self.n, "cards or cut bounds")
        need(body["stop_depth"] <= self.n, "stop depth")
        if body["cut"] == "rotation":
            need(body["cut_min"] == 0 and body["cut_max"] == self.n - 1, "a rotation covers the whole shoe")
        table = self.evidence.table
        if table["settled_by"] == "client" and "deck" in table["parameters"]:
            need(table["parameters"]["deck"] == body["deck"], "the table is opened for another deck")

    def make_cut(self, record, body):
        need(self.cut is None and self.body["cut"] != "none", "a second cut, or one where none belongs")
        need(body["root"] == self.body["root"], "the cut names another root")
        secret = unhex(body["secret"])
        need(H(D("cut-secret"), field(self.name), secret).hex() == self.body["cut_commitment"], "another cut secret")
        client = record.get("client", {}).get("id", "")
        tape = Tape(key=secret, purpose="cut", inputs=[self.name.encode(), self.root, unhex(body["nonce"], None), client.encode()])
        low, high = self.body["cut_min"], self.body["cut_max"]
        offset = low + tape.digits([high - low + 1])[0]
        need(offset == body["offset"], "the offset does not follow")
        check_tape(tape, body)
        self.cut = offset

    def leaf(self, index, code, salt):
        return leaf_hash(D("shoe-leaf") + field(self.name) + u32(self.n) + u32(index) + bytes([code]) + salt)

    def open(self, body):
        need(body["leaf"] == (body["position"] + self.cut) % self.n, "leaf, position and cut disagree")
        leaf = self.leaf(body["leaf"], CARD_BYTES[body["card"]], unhex(body["salt"]))
        path = [unhex(h) for h in body["path"]]
        need(root_from_path(body["leaf"], self.n, leaf, path) == self.root, "the card does not open its leaf")
        self.openings[body["position"]] = body
        self.copies[body["card"]] = self.copies.get(body["card"], 0) + 1
        need(self.copies[body["card"]] <= self.deck.count(body["card"]), "more of a card than the deck has")

    def close(self, body):
        self.closed = True
        need(body["dealt"] == len(self.dealt), "another count was dealt")
        need(("key" in body) == (self.body["disclosure"] == "public"), "disclosure")
        if "key" not in body:
            return
        key, secret, tape_bytes = unhex(body["key"]), unhex(body["secret"]), unbase64(body["tape"])
        need(H(D("cut-secret"), field(self.name), secret).hex() == self.body["cut_commitment"], "another cut secret")
        need(HMAC(key, D("shoe-tape"), field(self.name), tape_bytes).hex() == self.body["tape_mac"], "another tape")
        tape, order = Tape(tape_bytes), list(self.deck)
        digits = tape.digits(list(range(2, self.n + 1)))
        for i, j in enumerate(digits, start=1):
            order[i], order[j] = order[j], order[i]
        need(tape.consumed() == tape_bytes, "the tape is longer than the shuffle")
        check_tape(tape, body)
        salts = [HMAC(key, D("shoe-salt"), field(self.name), u32(i)) for i in range(self.n)]
        root = root_of([self.leaf(i, CARD_BYTES[order[i]], salts[i]) for i in range(self.n)])
        need(root == self.root, "the order leads to another root")
        for opened in self.openings.values():
            need(order[opened["leaf"]] == opened["card"] and salts[opened["leaf"]].hex() == opened["salt"],
                 "a dealt card is not the one of the order")
        self.evidence.checked.append(f"{self.name}: the whole shuffle was run again and gives the committed order")

    def conclude(self):
        self.evidence.checked.append(f"{self.name}: {len(self.openings)} opened cards are the committed ones")
        if not self.closed or self.body["disclosure"] == "covered":
            left = self.n - len(self.openings)
            self.evidence.not_checked.append(f"{self.name}: composition of {left} unopened cards")


# --- draws (FORMAT section 8) ----------------------------------------------------------------------------------------

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
            intent = self.take(body["intent"])
            need(body["index"] == intent["index"] and body["context"] == intent["context"], "index or context differ")
            tape = self.outcome(intent, body)
            check_tape(tape, body)
            self.draws += 1
        elif kind == "VOID":
            intent = self.take(body["intent"])
            if body["cause"] == "order":
                need(len(set(body["by"])) >= 2, "ordered by fewer than two persons")
                self.outcome(intent, body)
            else:
                self.evidence.not_checked.append(f"{self.name}: an outcome is unrecoverable by the appliance's word")
        elif kind == "BATCH_CLOSE":
            self.closed = True
            need([o["index"] for o in body["opened"]] == list(range(self.next, self.body["count"])),
                 "not exactly the unused secrets")
            for opened in body["opened"]:
                self.secret(opened["index"], opened)

    def take(self, seq):
        need(seq in self.intents, "no such open INTENT")
        return self.intents.pop(seq)

    def secret(self, index, opened):
        secret = unhex(opened["secret"])
        leaf = leaf_hash(D("batch-leaf") + field(self.name) + u32(index) + secret)
        path = [unhex(h) for h in opened["path"]]
        need(root_from_path(index, self.body["count"], leaf, path) == unhex(self.body["root"]), "the secret does not open its leaf")
        return secret

    def intent(self, record, body):
        client = record.get("client", {}).get("id", "")
        need(client == self.client, "the batch belongs to another client")
        need(all(body[k] == self.body[k] for k in ("table", "root", "context")), "table, root or context differ")
        need(body["index"] == self.next < self.body["count"], "not the next secret")
        self.next += 1
        need(body["nonce"] not in self.nonces, "a nonce used before")
        self.nonces.add(body["nonce"])
        table = self.evidence.table
        if table["settled_by"] == "client" and "range" in table["parameters"]:
            need(table["parameters"]["range"] == body["specification"], "the table is opened for another range")
        self.bets(record, body)
        c = body["context"]
        digest = H(D("draw"), field(record["origin"]), field(client), field(body["table"]), field(body["round"]),
                   field(c["game"]), field(c["variant"]), unhex(c["catalogue"]), unhex(c["parameters"]),
                   unhex(body["bets"]), unhex(body["root"]), u32(body["index"]), field(unhex(body["nonce"], None)))
        need(digest.hex() == body["digest"], "another draw digest")
        self.intents[record["seq"]] = body

    def bets(self, record, body):
        if body["round"] == "0":
            return
        cited = [self.evidence.by_seq.get(seq) for seq in record["cites"]]
        closed = [r for r in cited if r and r["kind"] == "BETS_CLOSED" and r["object"] == body["round"]]
        if closed:
            need(closed[0]["body"]["digest"] == body["bets"], "other bets than the BETS_CLOSED it cites")
        else:
            need(None in cited, "does not cite the BETS_CLOSED of its round")
            self.evidence.not_checked.append(f"{self.name}: the bets of {body['round']} are not in the bundle")

    def outcome(self, intent, opened):
        secret = self.secret(intent["index"], opened)
        tape = Tape(key=secret, purpose="draw", inputs=[unhex(intent["root"]), u32(intent["index"]), unhex(intent["digest"])])
        kind = intent["specification"]["kind"]
        digits = tape.digits(specification(intent["specification"]))
        found = {"pocket": digits[0]} if kind == "wheel" else {"dice": [d + 1 for d in digits]} if kind == "dice" else {"lots": digits}
        need(found == opened["outcome"], "the outcome does not follow")
        return tape

    def conclude(self):
        if self.draws:
            self.evidence.checked.append(f"{self.name}: {self.draws} outcomes follow from secret, nonce and bets")
        if self.intents:
            self.evidence.not_checked.append(f"{self.name}: {len(self.intents)} draws are not completed here")


# --- the bundle (FORMAT section 9) -----------------------------------------------------------------------------------

CLAIMS = {"CARD_DEAL", "CARD_OPEN", "SHOE_CUT", "SHOE_CLOSE", "DRAW", "VOID", "BATCH_CLOSE", "SETTLEMENT", "TABLE_OPEN",
          "ROUND_OPEN", "SHOE_COMMIT", "BATCH_COMMIT"}


class Evidence:
    def __init__(self, text, roots):
        self.checked, self.not_checked, self.contexts = [], [], []
        bundle = parse(text)
        shape(bundle, {"v": Is.word(1), "type": Is.word("talla-bundle"), "claim": Is.integer, "checkpoint": Is.text,
                       "records": Is.each(shaped({"record": Is.filled, "path": Is.each(Is.base64)})),
                       "log_key": Is.obj}, {"catalogue": Is.text, "state_before": Is.obj})
        self.bundle = bundle
        self.records = [parse_record(entry["record"]) for entry in bundle["records"]]
        self.by_seq = {record["seq"]: record for record in self.records}
        self.claim = self.by_seq.get(bundle["claim"])
        need(self.claim is not None and self.claim["kind"] in CLAIMS, "the claim is not there, or cannot be proven")
        statement, public = check_log_key(bundle["log_key"], roots, self.claim["time"])
        self.development = statement["development"]
        self.checked.append("the log's key is bound to a trusted root by certificates valid at the recorded time")
        self.log(check_checkpoint(bundle["checkpoint"], statement, public))
        self.chains()
        self.objects()
        if self.claim["kind"] == "SETTLEMENT":
            self.settlement()
        self.not_checked += ["unwitnessed: does not exclude a second history", "revocation not checked"]

    def log(self, head):
        origin, size, root = head
        before = None
        for entry, record in zip(self.bundle["records"], self.records):
            need(record["origin"] == origin, "a record of another log")
            leaf = leaf_hash(entry["record"].encode())
            path = [unbase64(h) for h in entry["path"]]
            need(root_from_path(record["seq"], size, leaf, path) == root, f"record {record['seq']} is not in the log")
            if before:
                need(before["seq"] < record["seq"], "the records do not ascend")
                need(before["time"] <= record["time"] and before["boot"] <= record["boot"], "time or boot counter goes back")
            before = record
        self.checked.append(f"each of {len(self.records)} records is in the signed log of {size}")

    def chains(self):
        self.chain_of = {}
        for record in self.records:
            if "object" in record:
                self.chain_of.setdefault(record["object"], []).append(record)
        table_id = None
        for name, chain in self.chain_of.items():
            opening = KINDS.get(chain[0]["kind"])
            need(opening and opening[1], f"{name}: its opening record is missing")
            for before, record in zip(chain, chain[1:]):
                need(record.get("prev") == before["seq"], f"{name}: a gap before record {record['seq']}")
        first = self.chain_of[self.claim["object"]][0]
        table_id = first["object"] if first["kind"] == "TABLE_OPEN" else first["body"]["table"]
        need(self.chain_of.get(table_id, [{}])[0].get("kind") == "TABLE_OPEN", "TABLE_OPEN of the claim is missing")
        opened = self.chain_of[table_id][0]
        self.table = opened["body"]
        for chain in self.chain_of.values():
            named = chain[0]["object"] if chain[0]["kind"] == "TABLE_OPEN" else chain[0]["body"]["table"]
            need(named == table_id and chain[0]["seq"] >= opened["seq"], "a record of another table")
        self.checked.append("the records of each object follow one another without a gap")

    def context(self, value):
        self.contexts.append(value)
        parameters = H(D("parameters"), canonical(self.table["parameters"]).encode()).hex()
        need(all(value[k] == self.table[k] for k in ("catalogue", "game", "variant")) and value["parameters"] == parameters,
             "a commitment under other rules than the table's")

    def objects(self):
        walks = {"SHOE_COMMIT": Shoe, "BATCH_COMMIT": Batch}
        for name, chain in self.chain_of.items():
            if chain[0]["kind"] in walks:
                walk = walks[chain[0]["kind"]](self, name)
                for record in chain:
                    walk.step(record)
                walk.conclude()
            closed = [r for r in chain if r["kind"] == "BETS_CLOSED"]
            need(len(closed) <= 1, "bets closed twice")
            for record in closed:
                digest = H(D("bets"), canonical(record["body"]["bets"]).encode()).hex()
                need(digest == record["body"]["digest"], "another bets digest")

    def settlement(self):
        claim, bundle = self.claim, self.bundle
        need("catalogue" in bundle and "state_before" in bundle, "a settlement needs catalogue and state")
        need(H(bundle["catalogue"].encode()).hex() == self.table["catalogue"], "another catalogue")
        before = H(D("state"), canonical(bundle["state_before"]).encode()).hex()
        opening = self.chain_of[claim["object"]][0]["body"]
        need(before == opening["state_before"] == claim["body"]["state_before"], "another state before")
        need(all(seq in self.by_seq for seq in claim["cites"]), "a cited record is missing")
        closed, dealt = None, False
        for record in self.records:
            if record["seq"] >= claim["seq"]:
                break
            own = record.get("object") == claim["object"]
            if own and record["kind"] == "BETS_CLOSED":
                closed = record["seq"]
            rests = own and record["kind"] in ("BETS_CLOSED", "ACTION")
            if record["kind"] == "DRAW":
                intent = self.by_seq.get(record["body"]["intent"])
                rests = intent and intent["body"].get("round") == claim["object"]
            if record["kind"] == "CARD_DEAL" and record["body"].get("round") == claim["object"]:
                cuts = [r["seq"] for r in self.chain_of[record["object"]] if r["kind"] == "SHOE_CUT"]
                if closed is not None:
                    need(cuts and cuts[0] < closed, "the shoe was cut after the bets")
                    need(dealt or closed in record["cites"], "the first card does not cite the bets")
                    dealt = True
                rests = True
            cited = record["seq"] in claim["cites"] or record["seq"] == claim.get("prev")
            need(not rests or cited, f"does not cite record {record['seq']}")
        need(closed is not None, "the bets were never closed")
        self.checked.append("the settlement cites the bets, decisions and outcomes it rests on; its state before fits")
        self.not_checked.append("settlement: results and state after not computed again (rules of the games)")

    def code(self):
        if any(s["class"] == "lab" for c in self.contexts for s in c["sources"]):
            return LAB
        return CERTIFIED if self.contexts and not any(c["uncertified"] for c in self.contexts) else UNCERTIFIED


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.strip().splitlines()[-2], file=sys.stderr)
        return USAGE
    try:
        with open(arguments[0], "rb") as file:
            text = file.read()
        open(arguments[1], "rb").close()
    except OSError as error:
        print(error, file=sys.stderr)
        return USAGE
    try:
        evidence = Evidence(text.decode(), arguments[1])
    except (Refused, UnicodeDecodeError, TypeError, KeyError, IndexError, AttributeError) as error:
        print(f"invalid: {error}")
        return INVALID
    code = evidence.code()
    print("verified:", ["certified", "", "", "uncertified source", "lab"][code] + (", development keys" if evidence.development else ""))
    print(f"claim: record {evidence.claim['seq']}, {evidence.claim['kind']} of {evidence.claim['origin']}")
    for line in evidence.checked:
        print("checked:", line)
    for line in dict.fromkeys(evidence.not_checked):
        print("not checked:", line)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
