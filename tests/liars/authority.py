"""A root, a log's certificate and a log key that a liar holds: whatever he writes is well signed.

By OpenSSL alone, its command and its library, so that nothing of what is tested takes part."""
import base64
import hashlib
import json
import os
import subprocess
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from verifier.libcrypto import PrivateKey  # noqa: E402

ORIGIN = "casino.example/talla-1"
CONFIG = """[ca]
default_ca = house
[house]
database = index.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = names
[names]
commonName = supplied
organizationalUnitName = optional
[root]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
[log]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
subjectAltName = URI:talla:log:{origin}
"""
DATES = ("20251231000000Z", "20270101000000Z")  # around the frozen stories


def canonical(value):
    """RFC 8785 for what stands in evidence: keys of ASCII, integers, texts."""
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)


TABLE_KEY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "unit", "verify",
                         "frozen", "table.key")


def fixed_numbers(der):
    """r || s, 32 bytes each, of a DER signature."""
    numbers, at = b"", 2
    for _ in range(2):
        size = der[at + 1]
        numbers += der[at + 2:at + 2 + size].lstrip(b"\0").rjust(32, b"\0")
        at += 2 + size
    return numbers


class Authority:
    """Files in `folder`; `roots` is the path of the trusted root, `log_key` what bundles hold.
    The key of the story's table is the liar's too; `dates`: of the certificates."""

    def __init__(self, folder, origin=ORIGIN, development=True, table_key=TABLE_KEY, dates=DATES):
        self.folder, self.origin, self.calls = os.path.abspath(folder), origin, {}
        self.table_key, self.dates = table_key, dates
        self.development = development
        unit = "/OU=development" if development else ""
        os.makedirs(self.folder, exist_ok=True)
        self.file("ca.cnf", CONFIG.format(origin=origin).encode())
        self.file("index.txt", b"")
        self.roots = self._certificate("root", "/CN=root of a liar" + unit, "-selfsign")
        signer = self._certificate("log", "/CN=log of a liar" + unit, "-cert", "root.pem")
        self.chain = [base64.b64encode(self.openssl("x509", "-in", signer, "-outform",
                                                     "DER")).decode()]
        self.public = self._new_log_key("key.log")
        self.log_key = self.log_key_of(self.public)
        self._next = None

    def file(self, name, content):
        with open(os.path.join(self.folder, name), "wb") as out:
            out.write(content)
        return os.path.join(self.folder, name)

    def openssl(self, *arguments):
        return subprocess.run(["openssl", *arguments], cwd=self.folder, check=True,
                              capture_output=True).stdout

    def signed(self, key, message):
        """By the key in a file of this folder, or anywhere."""
        return PrivateKey(os.path.join(self.folder, key)).sign(message)

    def _certificate(self, name, subject, *issuer):
        self.openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                      "-nodes", "-keyout", f"{name}.key", "-subj", subject, "-out", f"{name}.csr")
        self.openssl("ca", "-batch", "-config", "ca.cnf", "-extensions", name, *issuer,
                     "-startdate", self.dates[0], "-enddate", self.dates[1], "-keyfile",
                     "root.key", "-notext", "-in", f"{name}.csr", "-out", f"{name}.pem")
        return os.path.join(self.folder, f"{name}.pem")

    def _new_log_key(self, name):
        """Makes an Ed25519 key of the log; gives its 32 public bytes."""
        self.openssl("genpkey", "-algorithm", "ed25519", "-out", name)
        return self.openssl("pkey", "-in", name, "-pubout", "-outform", "DER")[-32:]

    def next_public(self):
        """Of the log's next key, made when it is first asked for."""
        if self._next is None:
            self._next = self._new_log_key("next.log")
        return self._next

    def log_key_of(self, public, previous=None, signer="log.key", **more):
        """The log key statement of FORMAT section 5; `previous`: of the key before it."""
        said = {"development": self.development, "origin": self.origin, "type": "talla-log-key",
                "v": 2, "public": base64.b64encode(public).decode()}
        if previous is not None:
            said["previous"] = base64.b64encode(previous).decode()
        statement = canonical({**said, **more})
        signature = self.signed(signer, b"talla/v2/log-key\0" + statement.encode())
        return {"chain": self.chain, "signature": base64.b64encode(signature).decode(),
                "statement": statement}

    def next_log_key(self):
        return self.log_key_of(self.next_public(), self.public)

    def sign_call(self, core, key=None):
        """FORMAT section 8; the same core has the same signature. `key`: another than the
        table's."""
        signer = key or self.table_key
        if (core, signer) not in self.calls:
            der = self.signed(signer, b"talla/v2/call\0" + core.encode())
            self.calls[core, signer] = base64.b64encode(fixed_numbers(der)).decode()
        return self.calls[core, signer]

    def checkpoint(self, size, root, renewed=False):
        """FORMAT section 3; `renewed`: by the log's next key."""
        key, public = ("next.log", self.next_public()) if renewed else ("key.log", self.public)
        text = f"{self.origin}\n{size}\n{base64.b64encode(root).decode()}\n"
        signature = self.signed(key, text.encode())
        key_id = hashlib.sha256(self.origin.encode() + b"\n\x01" + public).digest()[:4]
        line = base64.b64encode(key_id + signature).decode()
        return f"{text}\n\u2014 {self.origin} {line}\n"
