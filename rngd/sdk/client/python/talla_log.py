"""What a Talla appliance signed, believed: the key of its log by its certificates, signature and
inclusion of each record.

Standard library and the `openssl` command. Bytes and digests are those of certs/FORMAT.md."""
import base64, hashlib, json, os, subprocess, tempfile


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

    def root_digest(self):
        """SHA-256 of the trusted root certificate, the first of its file."""
        return H(self.openssl("x509", "-in", self.root_file, "-outform", "DER") or b"")

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
