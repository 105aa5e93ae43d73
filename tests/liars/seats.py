"""A story whose calls name two contributors beside the table: written from FORMAT section 8.

It is a frozen one with their numbers put in. They are honest: the liar has every key but theirs, so
what they opened stays what it is when he tells a core otherwise."""
import base64
import hashlib
import hmac
import json

from authority import canonical, fixed_numbers
from story import Story, drawn_by, sha256

SPKI = ("pkey", "-pubout", "-outform", "DER", "-in")


def u32(number):
    return number.to_bytes(4, "big")


def field(text):
    return u32(len(text)) + text.encode()


class Contributor:
    """Key and seed of one id; its files are those of `authority`, who never signs with them."""

    def __init__(self, authority, name):
        self.authority, self.name, self.t = authority, name, 0
        self.seed = sha256(name.encode())
        self.file = f"{name}.contributor"
        authority.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256",
                          "-out", self.file)
        self.key = base64.b64encode(authority.openssl(*SPKI, self.file)).decode()

    def value(self, opening, t):
        return hmac.new(self.seed, b"talla/v2/contribution\0" + opening + u32(t),
                        hashlib.sha256).digest()

    def named(self, opening):
        """What the next core says of it; `opening`: leaf hash of TABLE_OPEN."""
        self.t += 1
        commit = sha256(b"talla/v2/contribution-commit\0", opening, field(self.name), u32(self.t),
                        self.value(opening, self.t))
        return {"id": self.name, "key": self.key, "t": self.t, "commit": commit.hex()}

    def opened(self, opening, core):
        call = sha256(b"talla/v2/core\0", canonical(core).encode())
        value = self.value(opening, self.t)
        der = self.authority.signed(self.file, b"talla/v2/opening\0" + call + field(self.name) +
                                    u32(self.t) + value)
        return {"value": value.hex(), "signature": base64.b64encode(fixed_numbers(der)).decode()}


class Seated(Story):
    """A story of draws while the contributors are put in."""

    def __init__(self, bundle, contributors):
        super().__init__("seats", bundle)
        self.contributors = contributors
        self.opening = sha256(b"\0", canonical(self.record("TABLE_OPEN")).encode())

    def sign(self, record, heads, authority):
        if record["kind"] == "CALL":
            record["body"]["core"]["others"] = [one.named(self.opening)
                                                for one in self.contributors]
        super().sign(record, heads, authority)

    def draw(self, record, calls):
        if record["kind"] == "DRAW":
            body = record["body"]
            core = calls[body["call"]]
            body["openings"] = [one.opened(self.opening, core) for one in self.contributors]
            body.update(drawn_by(core, body["secret"], body["openings"]))


def seated(path, authority):
    """The story of the frozen bundle `path`, of draws, with two contributors."""
    with open(path, encoding="utf-8") as file:
        bundle = json.load(file)
    names = ("partner-1", "seat-1")
    told = Seated(bundle, [Contributor(authority, name) for name in names]).told(authority)
    return Story("seats", json.loads(told))
