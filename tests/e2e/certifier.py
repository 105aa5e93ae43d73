"""Laboratories and regulators that certify an appliance of a ceremony, and what that covers."""
import datetime
import os
import sys
import time

from appliance import record_of
from assessed import assessed, document
from ceremony_house import PROGRAMS, run
from facts import WHEEL, open_table
from machine_clock import called_synchronised


class Certifier:
    """A laboratory or a regulator: a root of its own, and a key in a file or in the token."""

    def __init__(self, house, kind, issuer, number=None):
        self.house, self.kind, self.issuer = house, kind, issuer
        self.folder = f"{house.folder}/{kind}"
        self.root = f"{self.folder}/root"
        os.makedirs(self.folder)
        house.ceremony("root", self.root, "--name", f"Root of {issuer}", "--passphrase",
                       house.phrase)
        self.keys = {name: self.certificate(name) for name in (kind, "withdrawal")}
        self.key = f"{self.folder}/{kind}.key"
        if number is not None:  # into the token, and out of the file
            run("softhsm2-util", "--import", self.key, "--token", "talla", "--label", kind, "--id",
                f"0{number}", "--pin", "481516", env=house.environment)
            os.remove(self.key)
            self.key = house.uri(kind, number)

    def certificate(self, name):
        base = f"{self.folder}/{name}"
        run("openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-keyout", base + ".key", "-subj", "/CN=asks", "-out", base + ".csr")
        os.chmod(base + ".key", 0o600)
        self.house.ceremony("sign", self.root, base + ".csr", "--for", "certification", "--name",
                            f"{name}:{self.issuer}", "--out", base + ".pem", "--passphrase",
                            self.house.phrase)
        return base + ".pem"

    def certify(self, what, out, *more, code=0):
        key = self.key if what == self.kind else f"{self.folder}/withdrawal.key"
        name = what if what == self.kind else "withdrawal"
        return run(f"{PROGRAMS}/talla-lab", "certify", what, "--issuer", self.issuer, "--number",
                   "1", "--key", key, "--certificate", self.keys[name], "--root",
                   f"{self.root}/root.pem", "--out", out, *more, code=code,
                   env=self.house.environment)


def day(days):
    return (datetime.datetime.utcnow() + datetime.timedelta(days=days)).strftime("%Y-%m-%d")


def certification_said(house):
    """What the log says of certification, newest last."""
    return [one["body"]["test"] for one in house.records("SELFTEST")
            if one["body"]["test"].startswith("certification")]


def wait_until_said(house, word):
    house.hang_up("certification digest=")
    end = time.monotonic() + 20
    while certification_said(house)[-1] != word:
        assert time.monotonic() < end, certification_said(house)
        time.sleep(0.1)


def certified_draw(house, name):
    """A bundle of a fresh batch, as a file."""
    client = house.client("talla:table-1")
    table = open_table(client, WHEEL)
    batch = record_of(client.post(f"/v1/tables/{table}/batches", {"count": 2}), "BATCH_COMMIT")
    status, text = client.send("GET", f"/v1/bundles/{batch['seq']}")
    assert status == 200, text
    path = f"{house.folder}/{name}.talla"
    with open(path, "wb") as file:
        file.write(text)
    client.close()
    return path


def what_two_certify_is_certified_until_it_is_withdrawn(house):
    with called_synchronised() as known:
        if known:
            certified_and_withdrawn(house)
        else:
            print("not tried: nobody here may tell the kernel that its clock is right")


def certified_and_withdrawn(house):
    house.stop()
    laboratory = Certifier(house, "type", "lab.example")
    regulator = Certifier(house, "installation", "regulator.example", 7)
    config = house.configure()
    texts = f"{house.keys}/certification"
    os.makedirs(texts)
    term = ("--from", day(-1), "--until", day(30))
    report = document(house.folder)
    laboratory.certify("type", f"{texts}/type.json", *term, "--manifest", house.manifest,
                       "--without-catalogue", "--source", "chaoskey:raw_physical:4000",
                       "--rollback", "local", "--sealing", "hsm", "--mix", "shoe",
                       "--candidates", "1")
    installed = (*term, "--type", f"{texts}/type.json", "--log-key",
                 f"{house.keys}/log-key.json", "--serial", "chaoskey:0123", "--assessment", report,
                 "--manifest", house.manifest, "--settings", config, "--issued", texts)
    regulator.certify("installation", f"{texts}/installation.json", *installed)
    said = regulator.certify("installation", f"{texts}/installation.json", *installed, code=1)
    assert "is never overwritten" in said, said
    with open(config, "a", encoding="ascii") as file:
        file.write(f'\n[certification]\nfolder = "{texts}"\n'
                   f'type_root = "{laboratory.root}/root.pem"\n'
                   f'installation_root = "{regulator.root}/root.pem"\n')
    house.start(config)
    assert certification_said(house)[-1] == "certification", certification_said(house)
    bundle = certified_draw(house, "covered")
    own = ("verify", bundle, "--root", f"{house.root}/root.pem")
    roots = ("--certification-root", f"type={laboratory.root}/root.pem", "--certification-root",
             f"installation={regulator.root}/root.pem")
    assert "; certified; " in house.talla(*own, *roots)
    assert "; uncertified; " in house.talla(*own, code=3)
    others = run(sys.executable, f"{os.path.dirname(__file__)}/../verify_bundle.py", bundle,
                 f"{house.root}/root.pem", *roots)
    assert "verified: certified" in others, others
    swapped = ("--certification-root", f"type={regulator.root}/root.pem", "--certification-root",
               f"installation={laboratory.root}/root.pem")
    assert "certification_untrusted" in house.talla(*own, *swapped, code=3)
    log_root = ("--certification-root", f"type={house.root}/root.pem", *roots[2:])
    assert "NOT VALID" in house.talla(*own, *log_root, code=1)
    # withdrawn, and shown again: the old bundle says when
    regulator.certify("withdraw", f"{texts}/withdrawn.json", "--certification",
                      f"{texts}/installation.json", "--reason", "false")
    wait_until_said(house, "certification:certification_withdrawn")
    withdrawn = (*roots, "--withdrawal", f"{texts}/withdrawn.json")
    assert "certification_withdrawn" in house.talla(*own, *withdrawn, code=3)
    # another text that covers it: play has gone on, and is certified again
    regulator.certify("installation", f"{texts}/again.json", *installed)
    wait_until_said(house, "certification")
    again = certified_draw(house, "again")
    assert "; certified; " in house.talla("verify", again, "--root", f"{house.root}/root.pem",
                                          *withdrawn)
    # settings that nobody has seen: an approval of two persons takes them, no certification does
    settings = [run(f"{PROGRAMS}/talla-lab", "certify", "settings", path, env=house.environment)
                for path in (config, house.configure("other.toml", source=assessed(
                    house.folder, millibits=3999)))]
    assert settings[0].splitlines()[-1] != settings[1].splitlines()[-1], settings
    document(house.folder)
    house.stop()
    house.start(house.configure())
