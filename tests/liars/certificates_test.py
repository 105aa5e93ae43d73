#!/usr/bin/env python3
# Goal: all three verifiers take and refuse the same certificates, those that FORMAT section 5 has.
# Method: a true story under a root and a log certificate of each form, well signed: keys and
#   signatures of other kinds, critical extensions that nobody knows, name constraints, and subjects
#   that say `development` where openssl's text of them looks otherwise. Honest forms stand beside.
#   usage: certificates_test.py TALLA (node, openssl, python3)
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import authority  # noqa: E402
import judges  # noqa: E402
from story import Story  # noqa: E402

VERIFIED = 3
STORY = os.path.join(os.path.dirname(HERE), "unit", "verify", "frozen", "card.talla")
CONFIG = authority.CONFIG
LOG, ROOT = "[log]\n", "[root]\n"
NAME = "URI:talla:log:{origin}"


class House(authority.Authority):
    """`root`: how openssl makes its key; `digest`: of signatures; `subject`: of the log's
    certificate; `more`: lines for a section of the configuration; `uri`: what stands for its
    name."""

    def __init__(self, folder, root="ec:P-256", digest="sha256", subject=None, more=("", ""),
                 development=True, uri=None):
        self.root_key, self.digest, self.subject = root, digest, subject
        authority.CONFIG = CONFIG.replace(more[0], more[0] + more[1]) if more[0] else CONFIG
        if uri:
            authority.CONFIG = CONFIG.replace(NAME, "@uris") + f"[uris]\nURI.1 = {uri}\n"
        try:
            super().__init__(folder, development=development)
        finally:
            authority.CONFIG = CONFIG

    def _certificate(self, name, subject, *issuer):
        kind, _, size = (self.root_key if name == "root" else "ec:P-256").partition(":")
        key = {"ec": ["-newkey", "ec", "-pkeyopt", f"ec_paramgen_curve:{size}"],
               "rsa": ["-newkey", f"rsa:{size}"], "ed25519": ["-newkey", "ed25519"]}[kind]
        if self.subject:
            subject = self.subject if name == "log" else "/CN=root of a liar"
        many = ["-multivalue-rdn"] if "+" in subject else []
        self.openssl("req", "-new", *key, "-nodes", "-keyout", f"{name}.key", "-subj", subject,
                     *many, "-out", f"{name}.csr")
        digest = "null" if self.root_key == "ed25519" else self.digest
        self.openssl("ca", "-batch", "-config", "ca.cnf", "-preserveDN", "-extensions", name,
                     *issuer, "-md", digest, "-startdate", self.dates[0], "-enddate",
                     self.dates[1], "-keyfile", "root.key", "-notext", "-in", f"{name}.csr",
                     "-out", f"{name}.pem")
        return os.path.join(self.folder, f"{name}.pem")


# what: (whether it is taken, how it is made)
FORMS = {
    "P-256 with SHA-256": (True, {}),
    "P-384 with SHA-384": (True, {"root": "ec:P-384", "digest": "sha384"}),
    "P-521 with SHA-512": (True, {"root": "ec:P-521", "digest": "sha512"}),
    "P-384 with SHA-256": (True, {"root": "ec:P-384"}),
    "an extension that is not critical": (True, {"more": (LOG, "1.2.3.4.5=DER:0500\n")}),
    "key identifiers": (True, {"more": (ROOT, "subjectKeyIdentifier=hash\n")}),
    "a name of its own in a section": (True, {"uri": "talla:log:{origin}"}),
    "a name that holds the log's behind a comma": (False, {"uri": "x:y, " + NAME}),
    "a name that goes on behind the log's": (False, {"uri": "talla:log:{origin}-2"}),
    "RSA of 2048 bits": (False, {"root": "rsa:2048"}),
    "RSA of 1024 bits": (False, {"root": "rsa:1024"}),
    "Ed25519": (False, {"root": "ed25519"}),
    "secp256k1": (False, {"root": "ec:secp256k1"}),
    "brainpool": (False, {"root": "ec:brainpoolP256r1"}),
    "SHA-1": (False, {"digest": "sha1"}),
    "SHA-224": (False, {"digest": "sha224"}),
    "a critical extension": (False, {"more": (LOG, "1.2.3.4.5=critical,DER:0500\n")}),
    "critical policies": (False, {"more": (LOG, "certificatePolicies=critical,1.2.3.4\n")}),
    "policies are required": (False, {"more": (
        ROOT, "policyConstraints=critical,requireExplicitPolicy:0\n")}),
    "no other policy": (False, {"more": (ROOT, "inhibitAnyPolicy=critical,0\n")}),
    "name constraints": (False, {"more": (
        ROOT, "nameConstraints=permitted;DNS:example.com\n")}),
    "critical name constraints": (False, {"more": (
        ROOT, "nameConstraints=critical,permitted;URI:example.com\n")}),
}
# A subject, and whether it says development: the statement must agree.
SUBJECTS = {"/CN=log": False, "/CN=log/OU=development": True, "/CN=log+OU=development": True,
            "/OU=development+CN=log": True, "/OU=x/OU=development/CN=log": True,
            "/CN=a,OU=development": False, "/OU=Development/CN=log": False,
            "/OU=development /CN=log": False}


def cases():
    yield from ((what, taken, how) for what, (taken, how) in FORMS.items())
    for subject, marked in SUBJECTS.items():
        for said in (True, False):
            yield (f"{subject}, which is {'' if said else 'not '}said to be development",
                   said == marked, {"subject": subject, "development": said})


def main():
    three = (judges.Native(sys.argv[1]), judges.Python(), judges.Browser())
    with open(STORY, encoding="utf-8") as file:
        story = Story("card", json.load(file))
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for what, taken, how in cases():
            count += 1
            house = House(os.path.join(folder, re.sub(r"\W", "-", f"{count} {what}")), **how)
            path = os.path.join(house.folder, "story.talla")
            with open(path, "w", encoding="utf-8") as out:
                out.write(story.copy().told(house))
            found = [one.judge([(path, None)], house.roots)[0] for one in three]
            wanted = VERIFIED if taken else judges.INVALID
            if any(one.code != wanted for one in found):
                failed += 1
                print(f"FAILED {what}: {'refused' if taken else 'taken'}",
                      *(f"  {one.name}: {verdict.code} {verdict.why}"
                        for one, verdict in zip(three, found)), sep="\n")
    print(f"{count} kinds of certificates, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
