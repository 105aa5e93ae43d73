"""Who signed the log: its key's certificates and its checkpoint (FORMAT sections 3 and 5), by the `openssl` command."""
import base64, os, re, subprocess, tempfile

from .shapes import Is, shape
from .text import D, H, need, parse, unbase64


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


def parse_checkpoint(note):
    match = re.fullmatch("([!-*,-~]{1,200})\n(0|[1-9][0-9]{0,19})\n([A-Za-z0-9+/=]+)\n\n\u2014 ([!-*,-~]+) ([A-Za-z0-9+/=]+)\n", note)
    need(match, "malformed checkpoint")
    origin, size, root, name, signature = match.groups()
    root, signature = unbase64(root), unbase64(signature)
    need(name == origin and len(root) == 32 and len(signature) == 68, "malformed checkpoint")
    return origin, int(size), root, note[:note.index("\n\n") + 1], signature[:4], signature[4:]


def check_checkpoint(note, statement, public):
    origin, size, root, text, key_id, signature = parse_checkpoint(note)
    need(origin == statement["origin"], "checkpoint and log key name different logs")
    need(key_id == H(origin.encode() + b"\n\x01" + public)[:4], "checkpoint: another key")
    need(OpenSsl().ed25519(public, text.encode(), signature), "checkpoint: wrong signature")
    return origin, size, root
