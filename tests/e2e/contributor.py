"""One who contributes to a table's calls, for the tests: written from certs/FORMAT.md section 8,
with OpenSSL for its key."""
import base64
import hashlib
import hmac
import json
import os
import secrets
import subprocess

from calls import raw_signature
from verifier.libcrypto import PrivateKey


def domain(name):
    return b"talla/v2/" + name + b"\0"


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


class Contributor:
    """Key and seed of one id at the table whose TABLE_OPEN is `record`; the key in that file, which
    is made where it is not there."""

    def __init__(self, contributor_id, record, pem):
        self.id, self.pem, self.seed = contributor_id, pem, secrets.token_bytes(32)
        if not os.path.exists(pem):
            subprocess.run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout",
                            "-out", pem], check=True)
        self.key = PrivateKey(pem)
        self.spki = self.key.spki
        self.opening = hashlib.sha256(b"\0" + record.encode()).digest()

    def value(self, t):
        return hmac.digest(self.seed, domain(b"contribution") + self.opening +
                           t.to_bytes(4, "big"), "sha256")

    def field(self):
        return len(self.id).to_bytes(4, "big") + self.id.encode()

    def commitments(self, first=1, count=16):
        """Body of POST /v1/tables/{table}/commitments."""
        commits = [hashlib.sha256(domain(b"contribution-commit") + self.opening + self.field() +
                                  t.to_bytes(4, "big") + self.value(t)).hexdigest()
                   for t in range(first, first + count)]
        return {"id": self.id, "key": base64.b64encode(self.spki).decode(), "from": first,
                "commits": commits}

    def opened(self, core, own=None):
        """Body of POST /v1/calls/{call}/openings, behind this core; `own`: what it says of this
        one, where that stands there more than once."""
        own = own or next(one for one in core["others"] if one["id"] == self.id)
        number = hashlib.sha256(domain(b"core") + canonical(core)).digest()
        value = self.value(own["t"])
        der = self.key.sign(domain(b"opening") + number + self.field() +
                            own["t"].to_bytes(4, "big") + value)
        return {"id": self.id, "value": value.hex(),
                "signature": base64.b64encode(raw_signature(der)).decode()}


def others_of(client, table):
    """What the next core of the table says of those who contribute."""
    return [{name: one[name] for name in ("id", "key", "t", "commit")}
            for one in client.get(f"/v1/tables/{table}")["table"]["contributors"]]
