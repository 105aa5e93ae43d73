"""What a Talla appliance's replies rest on, checked: signature and inclusion of each record,
draws, mixes and cards from their commitments.

Standard library and the `openssl` command. Bytes and digests are those of certs/FORMAT.md, the
mapping is that of shuffle/MAPPING.md."""
import base64, hashlib, hmac, json, os, secrets, subprocess, tempfile, time


class NotBelieved(Exception):
    """The reply does not follow from the signed log, or is about something else: do not pay, do
    not go on, call the inspector."""


class OtherKey(NotBelieved):
    """Signed by a key that is not known, perhaps one that was announced since."""


def need(holds, why, kind=NotBelieved):
    if not holds:
        raise kind(why)


def H(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

def u32(number):
    return number.to_bytes(4, "big")

def field(value):
    data = value.encode() if isinstance(value, str) else value
    return u32(len(data)) + data

def domain(name):
    return b"talla/v2/" + name.encode() + b"\0"

def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

def request_digest(method, path, body):
    return H(domain("request"), field(method), field(path), field(body)).hex()

def bets_digest(bets):
    return H(domain("bets"), canonical(bets).encode()).hex()

def root_of(index, size, leaf, path):
    """Root that an inclusion path leads to (RFC 9162, 2.1.3.2)."""
    need(0 <= index < size, "an index outside the tree")
    last, root = size - 1, leaf
    for other in path:
        need(last > 0, "a path that is too long")
        if index & 1 or index == last:
            root = H(b"\1", other, root)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            root = H(b"\1", root, other)
        index, last = index >> 1, last >> 1
    need(last == 0, "a path that is too short")
    return root


class LogKey:
    """The log's Ed25519 keys, bound to the trusted root by certificates; judges checkpoints and
    the records under them."""

    def __init__(self, log_key_file, root_file, get, ended=()):
        self.folder, self.heads = tempfile.TemporaryDirectory(), {}
        self.root_file, self.get = root_file, get
        with open(log_key_file) as file:
            known = json.load(file)
        self.known = json.loads(known.get("log_key", known)["statement"])
        self.origin, self.keys = self.known["origin"], []
        self.ends = [self.end(path) for path in ended_files(ended)]
        for one in self.ends:
            for other in self.ends:
                same = one["origin"] != other["origin"] or one["last"] == other["last"]
                followed = one["origin"] != other["origin"] or None in (
                    one["successor"], other["successor"]) or one["successor"] == other["successor"]
                need(same and followed,
                     f"statements about the end of {one['origin']} contradict each other")
        if "previous" not in self.known:
            self.trust(known.get("log_key", known))

    def trust(self, key, begin=0):
        """The statement of a key that signs sizes above `begin`."""
        statement = json.loads(key["statement"])
        need(statement["origin"] == self.origin, "the statement is for another log")
        self.certified(key, f"talla:log:{self.origin}",
                       domain("log-key") + key["statement"].encode())
        public = base64.b64decode(statement["public"])
        pem = ed25519_pem(public)
        self.keys.append({"public": statement["public"],
                          "id": H(self.origin.encode(), b"\n\x01", public)[:4], "begin": begin,
                          "end": None, "pem": self.file(f"log-{len(self.keys)}.pem", pem)})
        return statement

    def certified(self, signed, uri, message, *when):
        """Signed by a certificate with that name, which leads to the trusted root."""
        chain = [self.file(f"{i}.pem", ssl_pem(der)) for i, der in enumerate(signed["chain"])]
        need(chain, "no certificate")
        others = [argument for name in chain[1:] for argument in ("-untrusted", name)]
        need(self.openssl("verify", "-no-CApath", "-no-CAstore", *when, "-CAfile", self.root_file,
                          *others, chain[0]) is not None,
             "the certificate of a statement does not lead to the trusted root")
        names = self.openssl("x509", "-in", chain[0], "-noout", "-ext", "subjectAltName") or b""
        need(f"URI:{uri}" in names.decode().replace(",", " ").split(),
             "the certificate is for another log, or for something else")
        signer = self.file("signer.pem", self.openssl("x509", "-in", chain[0], "-noout", "-pubkey"))
        signature = self.file("signature", base64.b64decode(signed["signature"]))
        need(self.openssl("dgst", "-sha256", "-verify", signer, "-signature", signature,
                          self.file("message", message)) is not None,
             "a statement is not signed by its certificate")

    def end(self, path):
        """What the root says about the end of a log (FORMAT.md section 5)."""
        with open(path) as file:
            text = file.read()
        signed = json.loads(text)
        said = json.loads(signed["statement"])
        need(canonical(signed) == text and set(signed) == {"statement", "signature", "chain"} and
             canonical(said) == signed["statement"], f"{path}: not canonical")
        need(said["v"] == 2 and said["type"] == "talla-log-end" and
             0 <= said["known"] <= said["made"], f"{path}: no end of a log")
        self.certified(signed, "talla:log-end:" + said["origin"],
                       domain("log-end") + signed["statement"].encode(), "-attime",
                       str(said["made"] // 1000000))
        text, _, signatures = said["checkpoint"].partition("\n\n")
        origin, size, root = text.split("\n")
        mark, name, line = signatures.split("\n")[0].split(" ")
        line = base64.b64decode(line)
        need(origin == said["origin"] and (mark, name) == ("\u2014", origin) and int(size) > 0,
             f"{path}: its checkpoint is of another log")
        files = ["-in", self.file("note", text.encode() + b"\n"), "-sigfile",
                 self.file("note.sig", line[4:])]
        for key in said["keys"]:
            public = base64.b64decode(key)
            pem = self.file("end.pem", ed25519_pem(public))
            if H(origin.encode(), b"\n\x01", public)[:4] == line[:4] and \
                    self.openssl("pkeyutl", "-verify", "-pubin", "-inkey", pem, "-rawin",
                                 *files) is not None:
                return {"origin": origin, "last": (int(size), base64.b64decode(root)),
                        "reason": said["reason"], "successor": said.get("successor")}
        need(False, f"{path}: its checkpoint is signed by none of its keys")

    def check_ended(self, note):
        """A log that has ended: only its last checkpoint is believed. A log that the root names
        as the next: by the key that it names."""
        for end in self.ends:
            if end["origin"] == self.origin:
                size, _ = end["last"]
                need(self.head(note) == end["last"],
                     f"the log ended with {size} records ({end['reason']}): "
                     "this is not proven at its end")
            following = end["successor"]
            if following and following["origin"] == self.origin:
                need(any(key["public"] == following["key"] for key in self.keys),
                     f"the root named another key for the log that follows {end['origin']}")

    def follow(self):
        """The key was rotated: from the log's first key each announces the next one, and ours is
        among them. (That the log goes on from each announcement is for the verifier of its
        evidence.)"""
        given, before, self.keys, self.heads = self.get("/v1/log-keys"), self.keys, [], {}
        try:
            for change in given.get("key_changes", []):
                if not self.keys:
                    need("previous" not in self.trust(change["log_key"]),
                         "keys of a log without the first one")
                record, size = json.loads(change["record"]), self.head(change["checkpoint"])[0]
                proof = "\n".join(["c2sp.org/tlog-proof@v1", f"index {record['seq']}",
                                   *change["path"], "", change["checkpoint"]])
                self.record({"proof": proof, "record": change["record"]})
                need(size == record["seq"] + 1 and record["kind"] == "KEY",
                     "a log key that nobody announced")
                self.keys[-1]["end"] = size
                statement = self.trust(record["body"]["log_key"], size)
                need(statement.get("previous") == self.keys[-2]["public"],
                     "a log key that does not follow the one before")
            need(any(key["public"] == self.known["public"] for key in self.keys),
                 "the log has another key than is known")
        except (NotBelieved, KeyError):
            self.keys = before
            raise

    def file(self, name, data):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as out:
            out.write(data)
        return path

    @staticmethod
    def openssl(*arguments):
        done = subprocess.run(["openssl", *arguments], capture_output=True)
        return done.stdout if done.returncode == 0 else None

    def head(self, note):
        """Size and root of a checkpoint that this log has signed."""
        if note not in self.heads:
            text, _, signatures = note.partition("\n\n")
            origin, size, root = text.split("\n")
            mark, name, signed = signatures.split("\n")[0].split(" ")
            signed = base64.b64decode(signed)
            need((origin, mark, name) == (self.origin, "\u2014", self.origin),
                 "a checkpoint of another log")
            size = int(size)
            mine = [key for key in self.keys if key["id"] == signed[:4] and size > key["begin"] and
                    size <= (key["end"] or size)]
            need(mine, "a checkpoint signed by another key", OtherKey)
            files = ["-in", self.file("note", text.encode() + b"\n"), "-sigfile",
                     self.file("note.sig", signed[4:])]
            need(self.openssl("pkeyutl", "-verify", "-pubin", "-inkey", mine[0]["pem"], "-rawin",
                              *files) is not None, "a checkpoint with a wrong signature")
            # replies in a row seldom share more than one
            self.heads = {note: (size, base64.b64decode(root))}
        return self.heads[note]

    def believed(self, receipt):
        """The record of a receipt; a key that is not known yet must have been announced in the
        log."""
        try:
            record = self.record(receipt)
        except OtherKey:
            self.follow()
            record = self.record(receipt)
        self.check_ended(receipt["proof"].partition("\n\n")[2])
        return record

    def record(self, receipt):
        """The record, once it is known to be in the signed log at its place."""
        proof, _, note = receipt["proof"].partition("\n\n")
        version, index, *path = proof.split("\n")
        size, root = self.head(note)
        record = json.loads(receipt["record"])
        need(version == "c2sp.org/tlog-proof@v1" and index == f"index {record['seq']}",
             "a proof of another record")
        need(canonical(record) == receipt["record"] and record["v"] == 2 and
             record["origin"] == self.origin, "a record of another form")
        leaf = H(b"\0", receipt["record"].encode())
        need(root_of(record["seq"], size, leaf, [base64.b64decode(one) for one in path]) == root,
             f"record {record['seq']} is not in the log")
        return record


def ssl_pem(base64_der, what="CERTIFICATE"):
    return f"-----BEGIN {what}-----\n{base64_der}\n-----END {what}-----\n".encode()


def ed25519_pem(public):
    return ssl_pem(base64.b64encode(bytes.fromhex("302a300506032b6570032100") + public).decode(),
                   "PUBLIC KEY")


def ended_files(paths):
    """Every file, and every *.json of a folder, by name."""
    for path in paths:
        if os.path.isdir(path):
            names = sorted(name for name in os.listdir(path) if name.endswith(".json"))
            need(names, f"{path}: no statement about the end of a log is in it")
            yield from (os.path.join(path, name) for name in names)
        else:
            yield path


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


class Evidence:
    """Judges the replies of one client: every record is in the signed log, is about the request,
    and what it says follows."""

    def __init__(self, log_key_file, root_file, get, ended=(), key_file=None):
        self.log_key, self.get = LogKey(log_key_file, root_file, get, ended), get
        self.key = CallKey(key_file, self.log_key) if key_file else None
        self.shoes, self.openings, self.bets = Shoes(self.records_of, self.signed), {}, {}
        self.batches = {}  # table: the batch that it draws from, its next secret, until when
        self.callers, self.leaves, self.closed = {}, {}, set()

    def check(self, reply, asked):
        """The records of a reply to {path, body, key}."""
        receipts = reply.get("receipts", [])
        records = [self.log_key.believed(receipt) for receipt in receipts]
        # a draft of bets makes no record
        need(records or asked["path"].endswith("/bets"), "a reply without receipts")
        digest, sent = request_digest("POST", asked["path"],
                                      asked["body"]), json.loads(asked["body"])
        for record in records:
            mine = record.get("key") == asked["key"] and record.get("request") == digest
            need(mine or record["kind"] == "VOID" and "core" not in record["body"],
                 f"record {record['seq']} is not about this request")
        for record, receipt in zip(records, receipts):
            self.take_table(record, H(b"\0", receipt["record"].encode()))
        for record in records:
            self.take(record, sent, {one["seq"]: one for one in records}, reply)
        self.check_whole(records, sent, reply)
        return records

    def check_whole(self, records, sent, reply):
        """Each card that the reply shows is in a record of it, and each call that was made has
        its result there."""
        turned = [one["body"] for one in records if one["kind"] == "CARD_OPEN"]
        need(len(reply.get("cards", [])) == sum(one["kind"] == "CARD_DEAL" for one in records) and
             len(reply.get("revealed", [])) == len(turned) and
             all(any(card[name] == body[name] for card in reply["revealed"]
                     if card["position"] == body["position"])
                 for body in turned for name in ("card", "place")),
             "the reply shows a card that the log does not say")
        need(("lapsed" in reply) ==
             any(one["kind"] == "VOID" and "core" in one["body"] for one in records),
             "reply and log do not agree on whether the call lapsed")
        caller = self.callers.get(sent.get("core", {}).get("table"))
        need(caller is None or caller.waiting is None, "the reply holds no result of the call")

    def take_table(self, record, leaf):
        """What a table's chain says of its calls."""
        table = record.get("table")
        if record["kind"] == "TABLE_OPEN" and self.key:
            self.callers.setdefault(record["object"], Caller(self.key, record, leaf))
            self.openings[record["object"]], self.leaves[record["object"]] = record, leaf
        elif record["kind"] == "TABLE_CLOSE":
            self.callers.pop(record["object"], None)
            self.closed.add(record["object"])
        elif table in self.callers:
            self.callers[table].take(record, leaf)

    def caller(self, table, kept):
        """Of a table that this program opened, or whose seed its journal kept."""
        if table not in self.callers:
            need(table in kept and self.key, f"{table}: this program has no seed of its calls, so "
                 "it signs none there: close the table and open it again, and keep a journal")
            opening = self.opening(table)
            self.callers[table] = Caller(self.key, opening, self.leaves[table], kept[table])
            if not self.callers[table].waiting:  # else its reply is to come
                self.rest_on_newest(self.callers[table])
        return self.callers[table]

    def rest_on_newest(self, caller):
        """Others may have made records: seats, and the two persons of an order."""
        picture = self.get("/v1/tables/" + caller.table)["table"]
        if caller.last is None or picture["last"] > caller.last:
            receipt = self.get(f"/v1/receipts/{picture['last']}")
            caller.rest_on(self.log_key.believed(receipt), H(b"\0", receipt["record"].encode()))
        return picture

    def kept_calls(self, before):
        return {table: kept for table, kept in (
            before | {table: one.kept() for table, one in self.callers.items()}).items()
                if table not in self.closed}

    def signed(self, record):
        """The core of a CALL, which this client has signed: now or in an earlier life."""
        core = record["body"]["core"]
        need(self.key and record["table"] == core["table"] and
             record["object"] == core["object"] and
             self.key.has_signed(domain("call") + canonical(core).encode(),
                                 record["body"]["signature"]),
             "a CALL that this client did not sign")
        return core

    def take(self, record, sent, others, reply):
        kind, body = record["kind"], record["body"]
        if kind == "BATCH_COMMIT":
            need(reply["batch"]["root"] == body["root"] and
                 reply["batch"]["id"] == record["object"], "another batch")
            self.openings[record["object"]] = record
            lives = (body["expires"] - record["time"]) / 1e6
            self.batches[body["table"]] = {"id": record["object"], "root": body["root"],
                                           "count": body["count"], "index": 0,
                                           "good_until": time.monotonic() + lives - 5}
        elif kind == "CALL":
            core = self.signed(record)
            self.shoes.calls[record["seq"]] = core
            batch = self.batches.get(core["table"])
            if core["use"] == "draw" and batch and batch["id"] == core["object"]:
                batch["index"] = core["at"] + 1
        elif kind == "DRAW":
            need(others.get(body["call"], {}).get("kind") == "CALL", "a draw without its CALL")
            check_draw(self.opening(record["object"]), self.shoes.calls[body["call"]], record)
            need(reply["draw"]["outcome"] == body["outcome"] and
                 reply["draw"]["seq"] == record["seq"], "another outcome")
        elif kind == "VOID" and "core" in body:
            core, batch = body["core"], self.batches.get(record["table"])
            need(self.key and core["table"] == record["table"] and
                 self.key.has_signed(domain("call") + canonical(core).encode(), body["signature"]),
                 "a VOID of a core that this client did not sign")
            if "secret" in body:
                check_opened(self.opening(record["object"]), core, record, body)
            if batch and batch["id"] == core["object"]:  # what opens nothing ends the batch
                batch["index"] = core["at"] + 1 if "secret" in body else batch["count"]
        # (a list beyond 60,000 bytes comes in parts, which are not checked here)
        elif kind == "BETS_CLOSED" and "part" not in body:
            need(bets_digest(body["bets"]) == body["digest"], "another digest of the bets")
            need(canonical(sent.get("bets", reply["round"]["bets"])) == canonical(body["bets"]),
                 "other bets were closed")
            self.bets[record["object"]] = body["digest"]
        elif kind == "SETTLEMENT" and "part" not in body:
            need(reply["round"]["results"] == body["results"],
                 "the reply pays what the log does not say")
        else:
            self.shoes.take(record)
            for card in reply.get("cards", []) if kind == "CARD_DEAL" else []:
                same = "recommits" not in card and \
                    (card["position"], card["place"]) == (body["position"], body["place"])
                need(not same or card.get("card") == body.get("card"),
                     "the reply shows a card that the log does not say")

    def bets_of(self, round_id, before_bets):
        """Digest of the bets that a call must rest on; a shoe is mixed, and lots for the bank are
        drawn, before the bets too."""
        if round_id in (None, "0"):
            return bets_digest([])
        if round_id not in self.bets:  # closed before this program was restarted, or not yet
            closed = [one["body"].get("digest") for one in self.records_of(round_id)
                      if one["kind"] == "BETS_CLOSED"]
            need(closed or before_bets, "a draw before its bets were closed")
            if not closed:
                return bets_digest([])
            self.bets[round_id] = closed[-1]
        return self.bets[round_id]

    def opening(self, name):
        """The verified record that opened table-N, shoe-N, batch-N or round-N: N is its number
        in the log."""
        if name not in self.openings:
            receipt = self.get("/v1/receipts/" + name.split("-")[1])
            self.openings[name] = self.log_key.believed(receipt)
            self.leaves[name] = H(b"\0", receipt["record"].encode())
            need(self.openings[name].get("object") == name, f"{name} was opened by another record")
        return self.openings[name]

    def records_of(self, name):
        """Every record of an object so far, each verified: what a client that was restarted
        reads again."""
        after = int(name.split("-")[1]) - 1
        more = True
        while more:
            page = self.get(f"/v1/events?after={after}&limit=1000")
            for one in page["events"]:
                if one.get("object") == name:
                    yield self.log_key.believed(self.get(f"/v1/receipts/{one['seq']}"))
            more = page["more"]
            need(not more or page["next"] > after, "a list of events that leads nowhere")
            after = page["next"]
