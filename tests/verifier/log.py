"""Who signed the log: its key's certificates and its checkpoint (FORMAT sections 3 and 5), by the
`openssl` command."""
import base64, os, re, subprocess, tempfile

from .certificate import units_if_formed
from .records import LOG_KEY, parse_record
from .shapes import Is, log_statement, shape
from .text import D, H, Refused, need, parse, unbase64
from .tree import consistent, leaf_hash, root_from_path


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

    def roots_of(self, path):
        """Bytes of each certificate of a PEM file."""
        with open(path, encoding="ascii", errors="replace") as file:
            found = re.findall("-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----",
                               file.read())
        return [base64.b64decode("".join(one.split())) for one in found]

    def ed25519(self, key, message, signature):
        pem = b"-----BEGIN PUBLIC KEY-----\n" + base64.b64encode(
            bytes.fromhex("302a300506032b6570032100") + key)
        pem += b"\n-----END PUBLIC KEY-----\n"
        return self.run("pkeyutl", "-verify", "-pubin", "-inkey", self.file("log.pem", pem),
                        "-rawin", "-in", self.file("message", message), "-sigfile",
                        self.file("signature", signature))[0]


def usage_of(tool, pem):
    """What a certificate says its key is for: its key usages, whether it is an authority's, and
    whether it has extended usages."""
    asked = "keyUsage,basicConstraints,extendedKeyUsage"
    _, words = tool.run("x509", "-in", pem, "-noout", "-ext", asked)
    found = re.search(r"X509v3 Key Usage:[^\n]*\n\s*([^\n]*)", words)
    usages = set(re.split(r",\s*", found[1].strip())) if found else set()
    return usages, "CA:TRUE" in words, "Extended Key Usage" in words


def signs_alone(tool, pem):
    usages, authority, extended = usage_of(tool, pem)
    alone = "Digital Signature" in usages and not usages & {"Certificate Sign", "CRL Sign"}
    return alone and not authority and not extended


def check_certificates(signed, roots, time_us, uri, message, fault=None):
    """The chain at that time, the name in its first certificate, what its key is for, the
    signature. `spki` of it, and whether it, or any with the roots, is a development certificate.
    `fault`: exception that is raised with the name of the check; its signatures are r || s."""
    def need_for(code, condition, why):
        if not condition:
            raise fault(code) if fault else Refused(why)
    tool = OpenSsl()
    own_roots = [units_if_formed(der) for der in tool.roots_of(roots)]
    try:
        pems, formed = check_path(tool, signed, roots, time_us)
    except Refused as why:
        need_for("untrusted", False, str(why))
    _, names = tool.run("x509", "-in", pems[0], "-noout", "-ext", "subjectAltName")
    need_for("name", "URI:" + uri in re.split(r",\s*|\n\s*", names),
             "the certificate names another log, or is for something else")
    need_for("usage", signs_alone(tool, pems[0]),
             "the first certificate's key is not for signatures alone")
    _, key = tool.run("x509", "-in", pems[0], "-noout", "-pubkey")
    _, words = tool.run("pkey", "-pubin", "-noout", "-text", "-in",
                        tool.file("key.pem", key.encode()))
    need_for("usage", "prime256v1" in words, "the certificate's key is not P-256")
    signature = unbase64(signed["signature"])
    ok, _ = tool.run("dgst", "-sha256", "-verify", tool.file("key.pem", key.encode()), "-signature",
                     tool.file("sig", pair_der(signature) if fault else signature),
                     tool.file("statement", message))
    need_for("signature", ok, "the statement's signature is wrong")
    body = base64.b64decode("".join(key.split("-----")[2].split()))
    marks = ["development" in units for units in [*formed, *own_roots]]
    return {"spki": H(body).hex(), "development": marks[0], "any_development": any(marks)}


def integer_der(raw):
    raw = raw.lstrip(b"\0") or b"\0"
    raw = b"\0" + raw if raw[0] & 0x80 else raw
    return b"\2" + bytes([len(raw)]) + raw


def pair_der(pair):
    """A signature r || s as DER."""
    inner = integer_der(pair[:32]) + integer_der(pair[32:])
    return b"\x30" + bytes([len(inner)]) + inner


def check_path(tool, signed, roots, time_us):
    """The certificates' files and units, a valid chain to a trusted root at that time."""
    need(1 <= len(signed["chain"]) <= 8, "chain")
    pems = [tool.certificate(unbase64(der), f"c{i}") for i, der in enumerate(signed["chain"])]
    try:
        formed = [units_if_formed(unbase64(der)) for der in signed["chain"]]
    except Refused as why:
        need(False, f"certificate_form: {why}")
    for pem in pems[1:]:
        usages, authority, _ = usage_of(tool, pem)
        need(authority and "Certificate Sign" in usages,
             "an issuer in the chain is no certificate authority")
    untrusted = []
    if len(pems) > 1:
        joined = b"".join(open(pem, "rb").read() for pem in pems[1:])
        untrusted = ["-untrusted", tool.file("untrusted.pem", joined)]
    ok, _ = tool.run("verify", "-no-CApath", "-no-CAstore", "-attime", str(time_us // 1000000),
                     "-CAfile", roots, *untrusted, pems[0])
    need(ok, "certificates: no valid chain to a trusted root at the recorded time")
    return pems, formed


def check_log_key(log_key, roots, time_us):
    need(LOG_KEY(log_key), "log key")
    statement = log_statement(log_key["statement"])
    public = unbase64(statement["public"])
    signer = check_certificates(log_key, roots, time_us, "talla:log:" + statement["origin"],
                                D("log-key") + log_key["statement"].encode())
    need(signer["development"] == statement["development"], "development mark")
    # from here on it says whether any certificate that it rests on is one
    return {**statement, "development": signer["any_development"]}, public


def parse_checkpoint(note):
    """The log's own signature comes first; behind it at most 64 lines of others, whose names are
    not the log's."""
    match = re.fullmatch("([!-*,-~]{1,200})\n(0|[1-9][0-9]{0,19})\n([A-Za-z0-9+/=]+)\n\n((?:\u2014 "
                         "[^ +\\x00-\\x20]+ [A-Za-z0-9+/=]+\n){1,65})", note)
    need(match, "malformed checkpoint")
    origin, size, root, lines = match.groups()
    signatures = []
    for line in lines.splitlines():
        _, name, data = line.split(" ")
        data = unbase64(data)
        need(len(data) > 4, "malformed checkpoint")
        signatures.append((name, data[:4], data[4:]))
    root, own = unbase64(root), signatures[0]
    need([one[0] for one in signatures].count(origin) == 1 and own[0] == origin and len(root) == 32
         and len(own[2]) == 64, "malformed checkpoint")
    return origin, int(size), root, note[:note.index("\n\n") + 1], signatures


def check_checkpoint(note, statement, public):
    origin, size, root, text, signatures = parse_checkpoint(note)
    _, key_id, signature = signatures[0]
    need(origin == statement["origin"], "wrong_origin: checkpoint and log key name different logs")
    need(key_id == H(origin.encode() + b"\n\x01" + public)[:4],
         "wrong_signature: checkpoint: another key")
    need(OpenSsl().ed25519(public, text.encode(), signature), "wrong_signature: checkpoint")
    return origin, size, root, text, signatures


def check_key_chain(changes, log_key, note, roots, time_us):
    """From the log's first key each announces the next in the log: (statement, public key, last
    size or None) of each, the present one last."""
    before, announced, since, keys = None, None, 0, []
    for at, change in enumerate(changes):
        shape(change, {"log_key": Is.obj, "checkpoint": Is.text, "record": Is.filled,
                       "path": Is.each(Is.base64), "consistency": Is.each(Is.base64)})
        record = parse_record(change["record"])
        statement, public = check_log_key(change["log_key"], roots, record["time"])
        need(statement.get("previous") == before and announced in (None, statement["public"]),
             "log keys in another order")
        origin, size, root, _, _ = check_checkpoint(change["checkpoint"], statement, public)
        following = parse_checkpoint(changes[at + 1]["checkpoint"] if at + 1 < len(changes)
                                     else note)
        need(record["kind"] == "KEY" and record["body"]["purpose"] == "log"
             and record["origin"] == origin == following[0], "announces no log key")
        need(size == record["seq"] + 1 and following[1] > size,
             "key_change: not the last record under the old key")
        path = [unbase64(h) for h in change["path"]]
        need(root_from_path(record["seq"], size, leaf_hash(change["record"].encode()),
                            path) == root, "an announcement that is not there")
        need(consistent(size, root, following[1], following[2],
                        [unbase64(h) for h in change["consistency"]]),
             "key_change: the log does not go on from the announcement")
        need(record["time"] >= since, "time_back: key change: time goes back")
        before, since = statement["public"], record["time"]
        keys.append((statement, public, size))
        announced = parse(record["body"]["log_key"]["statement"])["public"]
    statement, public = check_log_key(log_key, roots, max(time_us, since))
    need(statement.get("previous") == before and announced in (None, statement["public"]),
         "the log key follows another one")
    return keys + [(statement, public, None)]


def check_known(known, keys):
    """A key that is known already (text of its statement, or of all keys of a log) is one of
    these."""
    known = parse(known)
    mine = parse((known["log_key"] if "type" in known else known)["statement"])
    need(any(one["public"] == mine["public"] and one["origin"] == mine["origin"] for one, _,
             _ in keys),
         "none of the log's keys is the one that is known")
