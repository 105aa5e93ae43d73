#!/usr/bin/env python3
# Goal: `talla software` lists what is there, signs it so that a stranger can verify it, and says
#   which file is not what was signed.
# Method: the real program over its own binaries and copies of the catalogues; digests by hashlib,
#   signatures by the openssl command, both from certs/FORMAT.md section 12 alone. usage:
#   software_test.py FOLDER_OF_PROGRAMS
import base64
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

from facts import hold

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.path.realpath(sys.argv[1])
MAKER, LABORATORY = "maker.example/talla", "lab.example"


class Workshop:
    """A folder with copies of the catalogues, two keys and a manifest."""

    def __init__(self, folder):
        self.folder, self.manifest = folder, f"{folder}/software.manifest"
        for path in glob.glob(f"{ROOT}/games/catalogues/*.toml"):
            shutil.copy(path, folder)
        self.rules = sorted(glob.glob(f"{folder}/*.toml"))
        self.keys = {name: self.talla("key", self.key(name), "--name", name).splitlines()[-1]
                     for name in (MAKER, LABORATORY)}

    def key(self, name):
        return f"{self.folder}/{name.split('.')[0]}.key"

    def talla(self, *arguments, code=0):
        done = subprocess.run([f"{PROGRAMS}/talla", "software", *arguments], capture_output=True,
                              text=True, timeout=120)
        assert done.returncode == code, (
            f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def check(self, *signers, code=0):
        keys = [part for name in signers for part in ("--signer", self.keys[name])]
        return self.talla("check", self.manifest, *keys, code=code)


def every_program_and_its_libraries_are_listed_with_their_digests(shop):
    arguments = [part for name in ("talla", "rngd", "rngd-source")
                 for part in ("--program", f"{PROGRAMS}/{name}")]
    arguments += [part for path in shop.rules for part in ("--catalogue", path)]
    said = shop.talla("manifest", "--out", shop.manifest, *arguments)
    shop.text = open(shop.manifest, "rb").read()
    assert hashlib.sha256(shop.text).hexdigest() in said, said
    listed = json.loads(shop.text)
    assert (shop.text == json.dumps(listed, sort_keys=True,
                                    separators=(",", ":")).encode() + b"\n"), "canonical"
    kinds = {file["path"]: file["kind"] for file in listed["files"]}
    for file in listed["files"]:
        with open(file["path"], "rb") as source:
            content = source.read()
        assert (file["size"], file["sha256"]) == (len(content),
                                                  hashlib.sha256(content).hexdigest()), file
    loaded = subprocess.run(["ldd", f"{PROGRAMS}/rngd"], capture_output=True, text=True,
                            check=True).stdout
    for path in {os.path.realpath(word) for word in loaded.split() if word.startswith("/")}:
        assert kinds[path] == "library", path
    assert (all(kinds[path] == "catalogue" for path in shop.rules)
            and kinds[f"{PROGRAMS}/rngd"] == "program")


def a_stranger_verifies_both_signatures(shop):
    assert "nobody has signed it" in shop.check(MAKER, code=1)
    for name in (MAKER, LABORATORY):
        shop.talla("sign", shop.manifest, "--key", shop.key(name), "--name", name)
    text, lines = open(shop.manifest, "rb").read().split(b"\n\n")
    assert text + b"\n" == shop.text
    for name, line in zip((MAKER, LABORATORY), lines.decode().splitlines()):
        dash, signer, blob = line.split(" ")
        blob = base64.b64decode(blob)
        named, key_id, material = shop.keys[name].split("+", 2)
        public = base64.b64decode(material)
        assert (dash, signer, named, public[0],
                blob[:4].hex()) == ("\u2014", name, name, 1, key_id), line
        assert hashlib.sha256(name.encode() + b"\n" + public).hexdigest()[:8] == key_id
        for path, content in (("text", shop.text), ("signature", blob[4:]),
                              ("public", bytes.fromhex("302a300506032b6570032100") + public[1:])):
            open(f"{shop.folder}/{path}", "wb").write(content)
        done = subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER",
                               "-inkey", "public", "-rawin", "-in", "text", "-sigfile",
                               "signature"], cwd=shop.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "all as signed" in shop.check(MAKER, LABORATORY)
    assert oct(os.stat(shop.key(MAKER)).st_mode)[-3:] == "600"
    assert ("has signed it already" in shop.talla("sign", shop.manifest, "--key", shop.key(MAKER),
                                                  "--name", MAKER, code=1))


def a_changed_file_and_a_changed_manifest_are_told_apart(shop):
    kept = open(shop.rules[0], "rb").read()
    open(shop.rules[0], "wb").write(kept + b"\n")
    assert f"{shop.rules[0]}: changed" in shop.check(MAKER, code=1)
    os.remove(shop.rules[0])
    assert f"{shop.rules[0]}: unreadable" in shop.check(MAKER, code=1)
    open(shop.rules[0], "wb").write(kept)
    signed = open(shop.manifest, "rb").read()
    open(shop.manifest, "wb").write(signed.replace(b'"size":', b'"size":1', 1))
    assert f"the signature of {MAKER} does not verify" in shop.check(MAKER, code=1)
    open(shop.manifest, "wb").write(signed)
    shop.check(MAKER)


def a_copy_elsewhere_is_checked_by_its_own_root(shop):
    own = f"{shop.folder}/own.manifest"
    for path in shop.rules:
        os.makedirs(f"{shop.folder}/copy/rules", exist_ok=True)
        shutil.copy(path, f"{shop.folder}/copy/rules")
    names = [f"/rules/{os.path.basename(path)}" for path in shop.rules]
    shop.talla("manifest", "--out", own, "--build", "r1", "--root", f"{shop.folder}/copy",
               *[part for name in names for part in ("--catalogue", name)])
    assert [file["path"] for file in json.loads(open(own).read())["files"]] == names
    shop.talla("sign", own, "--key", shop.key(MAKER), "--name", MAKER)
    shop.talla("check", own, "--signer", shop.keys[MAKER], "--root", f"{shop.folder}/copy")
    assert "unreadable" in shop.talla("check", own, "--signer", shop.keys[MAKER], code=1)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="talla-software-") as place:
        failed = hold([every_program_and_its_libraries_are_listed_with_their_digests,
                       a_stranger_verifies_both_signatures,
                       a_changed_file_and_a_changed_manifest_are_told_apart,
                       a_copy_elsewhere_is_checked_by_its_own_root],
                      Workshop(os.path.realpath(place)))
    sys.exit(1 if failed else 0)
