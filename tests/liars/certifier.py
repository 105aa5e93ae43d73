"""Laboratories and regulators that a test has in its hand: roots, certificates and texts of FORMAT
section 14, signed.

By OpenSSL alone, its command and its library, so that nothing of what is tested takes part."""
import base64
import hashlib
import os
import subprocess

from authority import PrivateKey, canonical

DATES = ("20251201000000Z", "20270101000000Z")
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
[given]
basicConstraints = critical,{constraints}
keyUsage = critical,{usage}
subjectAltName = URI:{uri}
{more}
"""


def number_of(der, at):
    size = der[at + 1]
    return der[at + 2:at + 2 + size].lstrip(b"\0").rjust(32, b"\0"), at + 2 + size


def pair_of(der):
    """r || s of a DER signature on P-256, or on a longer curve cut to fit."""
    r, at = number_of(der, 2)
    s, _ = number_of(der, at)
    return (r[-32:] + s[-32:])


class Certifier:
    """A root in `folder`, and who signs under it. `root`: path of its certificate."""

    def __init__(self, folder, development=False):
        self.folder, self.count, self.files = os.path.abspath(folder), 0, {}
        self.unit = "/OU=development" if development else ""
        os.makedirs(self.folder)
        self._write("index.txt", b"")
        self._write("index.txt.attr", b"unique_subject = no\n")
        self.root = self._given("root", ("root", CONFIG.format(
            constraints="CA:FALSE", usage="digitalSignature", uri="a", more="")), "-selfsign")

    def _write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as out:
            out.write(content)
        return path

    def _openssl(self, *arguments):
        done = subprocess.run(["openssl", *arguments], cwd=self.folder, capture_output=True,
                              check=False)
        if done.returncode != 0:
            raise RuntimeError(f"openssl {arguments}: {done.stderr.decode()}")
        return done.stdout

    def _given(self, name, section, *issuer, curve="P-256", dates=DATES, unit=None):
        extensions, config = section
        self._write(f"{name}.cnf", config.encode())
        self._openssl("req", "-new", "-newkey", "ec", "-pkeyopt", f"ec_paramgen_curve:{curve}",
                      "-nodes", "-keyout", f"{name}.key", "-subj",
                      f"/CN={name} of a test" + (self.unit if unit is None else unit), "-out",
                      f"{name}.csr")
        self._openssl("ca", "-batch", "-config", f"{name}.cnf", "-extensions", extensions, *issuer,
                      "-startdate", dates[0], "-enddate", dates[1], "-keyfile", "root.key",
                      "-notext", "-in", f"{name}.csr", "-out", f"{name}.pem")
        return os.path.join(self.folder, f"{name}.pem")

    def signer(self, uri, usage="digitalSignature", extended="", authority=False, **terms):
        """Name of a fresh certificate."""
        self.count += 1
        name = f"signer{self.count}"
        more = f"extendedKeyUsage = {extended}" if extended else ""
        self._given(name, ("given", CONFIG.format(
            constraints="CA:TRUE" if authority else "CA:FALSE", usage=usage, uri=uri, more=more)),
            "-cert", "root.pem", **terms)
        return name

    def spki(self, name):
        """SHA-256 of its SubjectPublicKeyInfo, in hex."""
        pem = self._openssl("x509", "-in", f"{name}.pem", "-noout", "-pubkey").decode()
        body = "".join(pem.split("-----")[2].split())
        return hashlib.sha256(base64.b64decode(body)).hexdigest()

    def signed(self, text, name):
        """The file of a text, signed by that certificate's key; the same one each time."""
        statement = text if isinstance(text, str) else canonical(text)
        if (statement, name) not in self.files:
            self.files[statement, name] = self._signed(statement, name)
        return dict(self.files[statement, name])

    def _signed(self, statement, name):
        key = PrivateKey(os.path.join(self.folder, f"{name}.key"))
        der = key.sign(b"talla/v2/certification\0" + statement.encode())
        chain = self._openssl("x509", "-in", f"{name}.pem", "-outform", "DER")
        return {"chain": [base64.b64encode(chain).decode()],
                "signature": base64.b64encode(pair_of(der)).decode(), "statement": statement}


def digest_of(statement):
    text = statement if isinstance(statement, str) else canonical(statement)
    return hashlib.sha256(b"talla/v2/certification-text\0" + text.encode()).hexdigest()


def serial_of(model, serial):
    def field(text):
        return len(text).to_bytes(4, "big") + text.encode()
    return hashlib.sha256(b"talla/v2/certification-serial\0" + field(model) +
                          field(serial)).hexdigest()
