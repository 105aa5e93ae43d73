"""Signed software for an appliance of the tests: a key, a manifest of the programs that run and of
copies of the catalogues.

Standard library only; signatures and answers are worked out here from certs/FORMAT.md, not by the
programs under test.
"""
import glob
import hashlib
import hmac
import json
import os
import shutil

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NAME = "maker.example/talla"


def field(data):
    return len(data).to_bytes(4, "big") + data


class SignedSoftware:
    """`talla` runs the program, `programs` holds rngd, rngd-source and talla; everything else goes
    into `folder`."""

    def __init__(self, talla, programs, folder):
        self.talla, self.folder = talla, os.path.realpath(folder)
        self.programs = [os.path.realpath(f"{programs}/{name}") for name in ("rngd", "rngd-source")]
        self.rules = f"{self.folder}/catalogues"
        os.makedirs(self.rules)
        for path in glob.glob(f"{ROOT}/games/catalogues/*.toml"):
            shutil.copy(path, self.rules)
        self.manifest = f"{self.folder}/software.manifest"
        self.key_file = f"{self.folder}/software.key"
        self.key = talla("software", "key", self.key_file, "--name", NAME).splitlines()[-1]

    def catalogue(self):
        return sorted(glob.glob(f"{self.rules}/*.toml"))[0]

    def make(self, *more):
        """A fresh manifest, signed; its text."""
        arguments = ["software", "manifest", "--out", self.manifest]
        for program in self.programs:
            arguments += ["--program", program]
        for path in sorted(glob.glob(f"{self.rules}/*.toml")):
            arguments += ["--catalogue", path]
        self.talla(*arguments, *more)
        text = open(self.manifest, "rb").read()
        self.talla("software", "sign", self.manifest, "--key", self.key_file, "--name", NAME)
        return text

    def section(self):
        return f'\n[software]\nmanifest = "{self.manifest}"\nsigner = "{self.key}"\n'

    def answer(self, nonce):
        """What FORMAT.md section 12 asks of whoever has these files: each file's answer, and that
        of all."""
        text = open(self.manifest, "rb").read().split(b"\n\n")[0] + b"\n"
        whole, each = b"talla/v2/software\0" + hashlib.sha256(text).digest(), {}
        for file in json.loads(text)["files"]:
            path = file["path"].encode()
            with open(path, "rb") as source:
                content = source.read()
            one = hmac.digest(nonce, b"talla/v2/software-file\0" + field(path) + content, "sha256")
            each[file["path"]] = one.hex()
            whole += field(path) + one
        return each, hmac.digest(nonce, whole, "sha256").hex()
