#!/usr/bin/env python3
# Goal: nothing is called certified but what certifications of both kinds cover, and each reason
#   against it has a code of its own, the same in all three verifiers.
# Method: a true story of a draw whose log has a production key, with a laboratory and a regulator
#   of this test. One thing is changed at a time and everything signed anew, so that each lie is
#   valid in every other respect: another appliance's certification, another model, a root of the
#   operator, a certificate for something else, texts that are over, withdrawn or of a stolen key,
#   software, settings, rules and sources that nobody listed. Beside it commitments to shoes, at
#   tables whose policy is below the floor of the type. usage: certified_test.py TALLA (node,
#   openssl, python3)
import base64
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path[:0] = [HERE, TESTS]
from authority import Authority, canonical  # noqa: E402
from certifier import Certifier, digest_of, serial_of  # noqa: E402
from floors import DRAW, SHOES, at_table, commitment_of, to_its_commitment  # noqa: E402
from story import Story  # noqa: E402
from verifier import certified, log  # noqa: E402
from verifier.certified import CODES  # noqa: E402
from verifier.evidence import Evidence  # noqa: E402
from verifier.text import Refused  # noqa: E402

FROZEN = os.path.join(TESTS, "unit", "verify", "frozen")
ORIGIN = "casino.example/talla-1"
DAY = 86_400_000_000
NEW_YEAR = 1_767_225_600_000_000  # 2026-01-01, when the story is told
MANIFEST, SETTINGS, REPORT = "a1" * 32, "b2" * 32, "c3" * 32
OTHER = "d4" * 32
SOURCE = {"assessment": "unit", "assessment_digest": REPORT, "class": "raw_physical",
          "millibits": 6000, "model": "chaoskey", "serial": "0001", "verdict": "healthy"}
LABORATORY, REGULATOR = "lab.example", "regulator.example"


class World:
    """Who signs, and the texts as they should be; `change` makes the lie."""

    def __init__(self, folder):
        self.laboratory = Certifier(os.path.join(folder, "laboratory"))
        self.regulator = Certifier(os.path.join(folder, "regulator"))
        self.operator = Certifier(os.path.join(folder, "operator"))
        self.log = Authority(os.path.join(folder, "log"), ORIGIN, development=False)
        self.trial = Authority(os.path.join(folder, "trial"), ORIGIN, development=True)
        self.signers = {
            "type": self.laboratory.signer(f"talla:certification:type:{LABORATORY}"),
            "installation": self.regulator.signer(
                f"talla:certification:installation:{REGULATOR}"),
            "type withdrawn": self.laboratory.signer(
                f"talla:certification-withdrawal:{LABORATORY}"),
            "installation withdrawn": self.regulator.signer(
                f"talla:certification-withdrawal:{REGULATOR}")}

    def story(self, name):
        with open(os.path.join(FROZEN, f"{name}.talla"), encoding="utf-8") as file:
            story = Story("certified", json.load(file))
        if name != DRAW:
            to_its_commitment(story)
        batch = commitment_of(story)
        context = batch["body"]["context"]
        context.update(construction="rbg3-xor", uncertified=False, sources=[dict(SOURCE)],
                       rollback_protection="witness", sealing="hsm")
        common = {"boot": batch["boot"], "cites": [], "origin": ORIGIN,
                  "time": story.records[0]["time"] - DAY, "time_quality": "synced", "v": 2}
        software = {**common, "seq": 0, "kind": "SOFTWARE",
                    "body": {"digest": context["software"], "manifest": MANIFEST,
                             "version": "1.0"}}
        config = {**common, "seq": 1, "kind": "CONFIG",
                  "body": {"digest": context["config"], "profile": "production",
                           "settings": SETTINGS}}
        story.records[:0] = [software, config]
        batch["cites"] = sorted({0, 1, *batch["cites"]})
        return story


class Case:
    """One telling: every part of it may be changed before it is signed."""

    def __init__(self, world, name):
        self.world, self.story = world, world.story(name)
        self.context = commitment_of(self.story)["body"]["context"]
        self.config, self.software = (self.story.record(kind)["body"]
                                      for kind in ("CONFIG", "SOFTWARE"))
        begin = self.story.records[0]["time"]
        self.type = {
            "v": 2, "type": "talla-type-certification", "issuer": LABORATORY, "number": "T-1",
            "made": begin - DAY // 2, "from": begin - DAY, "until": begin + 300 * DAY,
            "manifests": [MANIFEST], "formats": [2], "mappings": ["talla-map-v1"],
            "catalogues": [self.context["catalogue"]],
            "sources": [{"assessments": [], "class": "raw_physical", "millibits": 6000,
                         "model": "chaoskey"}],
            "rollback": ["tpm", "witness"], "sealing": ["hsm", "tpm"],
            "policy": {"candidates": 1, "mix": "shoe"}}
        self.installation = {
            "v": 2, "type": "talla-installation-certification", "issuer": REGULATOR,
            "number": "I-1", "made": begin - DAY // 2, "from": begin - DAY,
            "until": begin + 300 * DAY, "types": None, "origin": ORIGIN, "log_key": None,
            "serials": [serial_of("chaoskey", "0001")], "independent": [],
            "assessments": [REPORT], "manifests": [MANIFEST], "settings": [SETTINGS]}
        self.signers = {"type": (world.laboratory, world.signers["type"]),
                        "installation": (world.regulator, world.signers["installation"])}
        self.roots = {"type": world.laboratory.root, "installation": world.regulator.root}
        self.authority, self.names, self.more, self.withdrawals = world.log, None, [], []
        self.files, self.damage, self.then = None, None, None

    def settle(self):
        """The texts, their files, and what follows from them in the story."""
        if self.installation["log_key"] is None:
            self.installation["log_key"] = base64.b64encode(self.authority.public).decode()
        if self.installation["types"] is None:
            self.installation["types"] = [digest_of(self.type)]
        files = [by.signed(text, name) for text, (by, name) in (
            (self.type, self.signers["type"]), (self.installation, self.signers["installation"]))]
        named = sorted(digest_of(file["statement"]) for file in files)
        self.config.setdefault("certifications", named)
        if self.config["certifications"] == []:
            del self.config["certifications"]
        if self.damage:
            self.damage(files)
        if self.then:
            self.then(self, files)
        return self.files if self.files is not None else files

    def told(self):
        files = self.settle()
        more = {"certifications": files} if files else {}
        return self.story.told(self.authority, **more)

    def withdraw(self, kind, text, signer=None, **more):
        by = self.world.laboratory if kind == "type" else self.world.regulator
        issuer = LABORATORY if kind == "type" else REGULATOR
        said = {"v": 2, "type": "talla-certification-withdrawal", "issuer": issuer,
                "number": "W-1", "made": NEW_YEAR, "of": kind, **more}
        if text is not None:
            said["certification"] = text
        self.withdrawals.append(canonical(by.signed(
            said, signer or self.world.signers[f"{kind} withdrawn"])))


def set_to(part, **members):
    return lambda case: getattr(case, part).update(members)


def signed_by(kind, by, **terms):
    """Another certificate under the root of `by` (a name of World) signs the text."""
    def change(case):
        issuer = LABORATORY if kind == "type" else REGULATOR
        who = getattr(case.world, by)
        uri = terms.pop("uri", f"talla:certification:{kind}:{issuer}")
        case.signers[kind] = (who, who.signer(uri, **terms))
    return change


def only(number):
    return lambda case: setattr(case, "then", lambda one, files: setattr(one, "files",
                                                                         [files[number]]))


def none(case):
    case.files = []


def cut_context(**members):
    return lambda case: case.context.update(members)


def source(**members):
    def change(case):
        for name, value in members.items():
            if value is None:
                del case.context["sources"][0][name]
            else:
                case.context["sources"][0][name] = value
    return change


def record_of(kind, **members):
    return lambda case: case.story.record(kind).update(members)


def two_configs(case):
    again = json.loads(json.dumps(case.story.record("CONFIG")))
    again["seq"] = 2
    case.story.records.insert(2, again)
    batch = case.story.record("BATCH_COMMIT")
    batch["cites"] = sorted({2, *batch["cites"]})
    again["body"]["certifications"] = [OTHER]


def without_config(case):
    batch = case.story.record("BATCH_COMMIT")
    batch["cites"] = [seq for seq in batch["cites"] if seq != 1]


def later_start(case):
    for one in case.story.records:
        one["boot"] += one["seq"] > 10


def two_sources(case):
    second = {**SOURCE, "serial": "0002"}
    case.context["sources"].append(second)
    case.installation["serials"] = sorted([serial_of("chaoskey", "0001"),
                                           serial_of("chaoskey", "0002")])


def independent(case):
    two_sources(case)
    case.installation["independent"] = case.installation["serials"]


def other_house(case):
    text = {**case.installation, "origin": "casino.example/other", "types": [OTHER],
            "log_key": "AA" * 21 + "A=", "number": "I-2"}
    case.more.append(canonical(case.world.regulator.signed(text,
                                                           case.world.signers["installation"])))


def other_house_over(case):
    other_house(case)
    text = json.loads(json.loads(case.more[0])["statement"])
    case.withdraw("installation", digest_of(text), reason="false")


def withdrawn(kind, **members):
    def change(case):
        def then(one, files):
            text = files[0 if kind == "type" else 1]["statement"]
            one.withdraw(kind, digest_of(text), **members)
        case.then = then
    return change


def stolen(counting):
    def change(case):
        def then(one, files):
            by, name = one.signers["type"]
            counts = [digest_of(files[0]["statement"])] if counting else []
            one.withdraw("type", None, reason="stolen", key=by.spki(name), counts=counts)
        case.then = then
    return change


def forged_withdrawal(case):
    """The operator's own root signs that the regulator's text counts no more."""
    name = case.world.operator.signer(f"talla:certification-withdrawal:{REGULATOR}")
    said = {"v": 2, "type": "talla-certification-withdrawal", "issuer": REGULATOR, "number": "W",
            "made": NEW_YEAR, "of": "installation", "reason": "false", "certification": OTHER}
    case.withdrawals.append(canonical(case.world.operator.signed(said, name)))


def text_changed(case):
    def damage(files):
        files[1]["statement"] = files[1]["statement"].replace('"number":"I-1"', '"number":"I-9"')
    case.damage = damage


def of_other_text(case):
    def damage(files):
        files[1]["signature"] = files[0]["signature"]
    case.damage = damage


def claim_of_table(case):
    case.story.records = [one for one in case.story.records if one["seq"] <= 6]
    case.story.more["claim"] = 6


def development_key(case):
    case.authority = case.world.trial


def own_root(case):
    case.roots["type"] = case.world.log.roots


def withdrawal_inside(case):
    def then(one, files):
        one.withdraw("type", OTHER, reason="false")
        one.files = [*files, json.loads(one.withdrawals.pop())]
    case.then = then


def extra_member(case):
    case.type["more"] = 1


TRUE = {
    "both cover everything": lambda case: None,
    "a withdrawal from a later day": withdrawn("type", reason="superseded",
                                               **{"from": NEW_YEAR + 200 * DAY}),
    "a stolen key, and this text still counts": stolen(True),
    "two devices that are said to add up": independent,
    "the laboratory's own document": lambda case: (
        case.type["sources"][0].update(assessments=[REPORT]),
        case.installation.update(assessments=[])),
    "another house with the same device, withdrawn": other_house_over,
}
# what is told: code that must refuse it
LIES = [
    ("no certification at all", "missing", none),
    ("the type's alone", "missing", only(0)),
    ("the installation's alone", "missing", only(1)),
    ("the operator's own laboratory", "untrusted", signed_by("type", "operator")),
    ("the operator's own regulator", "untrusted", signed_by("installation", "operator")),
    ("a laboratory as regulator", "untrusted", signed_by("installation", "laboratory")),
    ("a certificate that was over when it signed", "untrusted",
     signed_by("type", "laboratory", dates=("20241201000000Z", "20251215000000Z"))),
    ("no root for the laboratory", "untrusted", lambda case: case.roots.pop("type")),
    ("no root for the regulator", "untrusted", lambda case: case.roots.pop("installation")),
    ("signed for another issuer", "name",
     signed_by("type", "laboratory", uri="talla:certification:type:other.example")),
    ("a type signed as an installation", "name",
     signed_by("type", "laboratory", uri=f"talla:certification:installation:{LABORATORY}")),
    ("signed by the certificate of a log", "name",
     signed_by("installation", "regulator", uri=f"talla:log:{ORIGIN}")),
    ("signed by who may withdraw", "name",
     signed_by("installation", "regulator",
               uri=f"talla:certification-withdrawal:{REGULATOR}")),
    ("a key for TLS", "usage", signed_by("type", "laboratory", extended="clientAuth")),
    ("a key without digitalSignature", "usage",
     signed_by("type", "laboratory", usage="keyAgreement")),
    ("a key of an authority", "usage",
     signed_by("installation", "regulator", usage="digitalSignature,keyCertSign",
               authority=True)),
    ("a key that signs lists", "usage",
     signed_by("installation", "regulator", usage="digitalSignature,cRLSign")),
    ("a key on P-384", "usage", signed_by("type", "laboratory", curve="P-384")),
    ("a text changed after it was signed", "signature", text_changed),
    ("the signature of another text", "signature", of_other_text),
    ("a claim without a commitment", "nothing", claim_of_table),
    ("the certification of another appliance", "origin",
     set_to("installation", origin="casino.example/talla-2")),
    ("an appliance that took the name of another", "key",
     set_to("installation", log_key="AA" * 21 + "A=")),
    ("an installation of another type", "type", set_to("installation", types=[OTHER])),
    ("no CONFIG is cited", "record", without_config),
    ("two CONFIGs are cited", "record", two_configs),
    ("a CONFIG of another start", "record",
     later_start),
    ("a CONFIG of other settings than the context's", "record",
     lambda case: case.config.update(digest=OTHER)),
    ("a SOFTWARE of another program than the context's", "record",
     lambda case: case.software.update(digest=OTHER)),
    ("a start for development", "development",
     lambda case: case.config.update(profile="development")),
    ("a log under a development key", "development", development_key),
    ("a laboratory's development key", "development",
     signed_by("type", "laboratory", unit="/OU=development")),
    ("a CONFIG that names no text", "unnamed",
     lambda case: case.config.update(certifications=[])),
    ("a CONFIG that names another text", "unnamed",
     lambda case: case.config.update(certifications=[OTHER])),
    ("a type made after the start", "late",
     lambda case: case.type.update(made=case.story.records[0]["time"] + 1)),
    ("an installation made after the start", "late",
     lambda case: case.installation.update(made=case.story.records[0]["time"] + 1)),
    ("a clock that knows nothing", "clock", record_of("BATCH_COMMIT", time_quality="unset")),
    ("a type that is over", "time",
     lambda case: case.type.update(until=case.story.record("BATCH_COMMIT")["time"])),
    ("an installation that is over", "time",
     lambda case: case.installation.update(until=case.story.record("BATCH_COMMIT")["time"])),
    ("a type that has not begun", "time",
     lambda case: case.type.update({"from": case.story.record("BATCH_COMMIT")["time"] + 1})),
    ("an installation that has not begun", "time",
     lambda case: case.installation.update(
         {"from": case.story.record("BATCH_COMMIT")["time"] + 1})),
    ("a type that never counted", "withdrawn", withdrawn("type", reason="false")),
    ("an installation that never counted", "withdrawn",
     withdrawn("installation", reason="false")),
    ("withdrawn before, and shown again", "withdrawn",
     withdrawn("installation", reason="superseded", **{"from": NEW_YEAR - DAY})),
    ("signed with a stolen key", "withdrawn", stolen(False)),
    ("two houses with one device", "serial_twice", other_house),
    ("software that nobody signed", "manifest", lambda case: case.software.pop("manifest")),
    ("software that the laboratory has not seen", "manifest",
     lambda case: (case.software.update(manifest=OTHER),
                   case.installation.update(manifests=[OTHER]))),
    ("software that the regulator has not seen", "manifest",
     lambda case: (case.software.update(manifest=OTHER), case.type.update(manifests=[OTHER]))),
    ("settings that are not said", "settings", lambda case: case.config.pop("settings")),
    ("settings that nobody has seen", "settings",
     lambda case: case.config.update(settings=OTHER)),
    ("a type of another format", "format", set_to("type", formats=[1])),
    ("a type of another mapping", "format", set_to("type", mappings=["talla-map-v9"])),
    ("rules that nobody has seen", "catalogue", set_to("type", catalogues=[OTHER])),
    ("a commitment that says that nothing counts", "uncertified", cut_context(uncertified=True)),
    ("another model", "source", source(model="onerng")),
    ("another class", "source",
     lambda case: case.type["sources"][0].update({"class": "conditioned_physical"})),
    ("a figure above what was found", "source", source(millibits=6001)),
    ("another document", "assessment", source(assessment_digest=OTHER)),
    ("another device", "serial", source(serial="0002")),
    ("a device without a number", "serial", source(serial=None)),
    ("two devices that nobody said to add up", "independent", two_sources),
    ("an anchor below the floor", "policy", cut_context(rollback_protection="local")),
    ("a sealing key in a file", "policy", cut_context(sealing="file")),
]
# not evidence at all, or a reader's files that do not hold
REFUSED = {
    "a withdrawal that the operator signed": forged_withdrawal,
    "the log's own root as laboratory": own_root,
    "a withdrawal beside the evidence": withdrawal_inside,
    "a text with a member more": extra_member,
    "a floor of more candidates than there can be": at_table({"candidates": 9, "mix": "shoe"}),
    "a floor of no candidate": at_table({"candidates": 0, "mix": "shoe"}),
    "a floor of another mix": at_table({"candidates": 1, "mix": "never"}),
    "a type without a floor": lambda case: case.type.pop("policy"),
}


def once(check):
    """The same file of a certification is judged once for each root and time."""
    known = {}

    def judge(signed, roots, time, uri, message, fault=None):
        key = (canonical(signed), roots, time, uri, message, fault)
        if key not in known:
            try:
                known[key] = check(signed, roots, time, uri, message, fault)
            except (Refused, certified.Uncovered) as why:
                known[key] = why
        if isinstance(known[key], Exception):
            raise known[key]
        return known[key]
    return judge


def native(talla, path, log_root, case, folder):
    def files(name, texts):
        out = []
        for at, text in enumerate(texts):
            out.append(os.path.join(folder, f"{name}{at}.json"))
            with open(out[-1], "w", encoding="utf-8") as file:
                file.write(text)
        return out
    asked = [one for kind, root in case.roots.items()
             for one in ("--certification-root", f"{kind}={root}")]
    for option, texts in (("--certification", case.more), ("--withdrawal", case.withdrawals)):
        for one in files(option[2:], texts):
            asked += [option, one]
    done = subprocess.run([talla, "--json", "verify", "--root", log_root, *asked, path],
                          capture_output=True, text=True, check=False)
    if done.returncode == 1:
        return 1, ""
    line = json.loads(done.stdout.splitlines()[0])
    return done.returncode, line.get("certification", "")


def python(text, log_root, case):
    trust = {"roots": case.roots, "more": case.more, "withdrawals": case.withdrawals}
    try:
        told = Evidence(text, log_root, trust=trust if case.roots else None)
    except Refused:
        return 1, ""
    return told.code(), told.certification


def browser(cases):
    asked = json.dumps([{"text": text, "roots": log_root, "certification": case.roots,
                         "more": case.more, "withdrawals": case.withdrawals}
                        for text, log_root, case in cases])
    done = subprocess.run(["node", os.path.join(HERE, "certified.mjs")], input=asked, text=True,
                          capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return [(one["code"], one.get("certification", "")) for one in json.loads(done.stdout)]


def tellings(world):
    """(name, frozen bundle, expected (exit code, code of certification), case)."""
    for name, change in TRUE.items():
        yield name, DRAW, (0, ""), change
    yield "nobody is trusted to certify", DRAW, (3, ""), lambda case: case.roots.clear()
    for name, code, change in LIES:
        yield name, DRAW, (3, "certification_" + code), change
    for name, frozen, code, change in SHOES:
        yield name, frozen, ((3, "certification_" + code) if code else (0, "")), change
    for name, change in REFUSED.items():
        yield name, DRAW, (1, ""), change


def main():
    failed = 0
    log.check_certificates = certified.check_certificates = once(log.check_certificates)
    with tempfile.TemporaryDirectory() as folder:
        world, told = World(folder), []
        for name, frozen, wanted, change in tellings(world):
            case = Case(world, frozen)
            change(case)
            told.append((name, wanted, case, case.told()))
        by_browser = browser([(text, case.authority.roots, case) for _, _, case, text in told])
        for (name, wanted, case, text), third in zip(told, by_browser):
            path = os.path.join(folder, "case.talla")
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
            found = (native(sys.argv[1], path, case.authority.roots, case, folder),
                     python(text, case.authority.roots, case), third)
            if found != (wanted,) * 3:
                failed += 1
                print(f"FAILED {name}: wanted {wanted}; C++ {found[0]}, Python {found[1]}, "
                      f"browser {found[2]}")
    unseen = set(CODES) - {code for _, code, _ in LIES} - {code for _, _, code, _ in SHOES}
    if unseen:
        failed += 1
        print(f"FAILED no lie is refused for {sorted(unseen)}")
    print(f"{len(TRUE)} true tellings, {len(LIES)} lies, {len(SHOES)} of shoes, {len(REFUSED)} "
          f"that are no evidence, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
