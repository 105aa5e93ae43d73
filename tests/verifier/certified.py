"""Certifications and their withdrawal, and whether they cover what a commitment rested on (FORMAT
section 14)."""
import re

from .libcrypto import certificates_of
from .log import check_certificates
from .shapes import Is, shape, shaped
from .text import D, H, Refused, field, need, parse, unbase64

TYPE, INSTALLATION = "type", "installation"
COMMITMENTS = ("SHOE_COMMIT", "SHOE_RECOMMIT", "BATCH_COMMIT")
# In the order in which it is asked: of several pairs of texts the one that comes furthest is named.
CODES = ("missing", "untrusted", "name", "usage", "signature", "nothing", "origin", "key", "type",
         "record", "development", "unnamed", "late", "clock", "time", "withdrawn", "serial_twice",
         "manifest", "settings", "format", "catalogue", "uncertified", "source", "assessment",
         "serial", "independent", "policy", "table")
PHYSICAL = ("raw_physical", "conditioned_physical")


class Uncovered(Exception):
    """`code`: one of CODES."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


def rising(values):
    return all(a < b for a, b in zip(values, values[1:]))


def listed(check, least):
    return lambda v: type(v) is list and least <= len(v) <= 64 and all(map(check, v)) and rising(v)


def issuer(v):
    return type(v) is str and re.fullmatch(r"[a-z0-9.-]{1,64}", v) is not None


def number(v):
    return type(v) is str and re.fullmatch(r"[ -~]{1,64}", v) is not None


def key(v):
    return Is.base64(v) and len(unbase64(v)) == 32


SOURCE = shaped({"model": Is.filled, "class": Is.word(*PHYSICAL), "millibits": Is.positive,
                 "assessments": listed(Is.digest, 0)})
HEAD = {"v": Is.word(2), "issuer": issuer, "number": number, "made": Is.integer}
TERM = {"from": Is.integer, "until": Is.integer}
TEXTS = {
    "talla-type-certification": {
        **HEAD, **TERM, "manifests": listed(Is.digest, 1), "formats": listed(
            lambda v: type(v) is int, 1),
        "mappings": listed(Is.filled, 1), "catalogues": listed(Is.digest, 1),
        "sources": lambda v: Is.each(SOURCE)(v) and 1 <= len(v) <= 64,
        "rollback": listed(Is.filled, 1), "sealing": listed(Is.filled, 1), "policy": shaped({
            "candidates": lambda v: Is.positive(v) and v <= 8, "mix": Is.word("shoe", "round")})},
    "talla-installation-certification": {
        **HEAD, **TERM, "types": listed(Is.digest, 1), "origin": lambda v: type(v) is str and
        re.fullmatch("[!-*,-~]{1,200}", v) is not None, "log_key": key,
        "serials": listed(Is.digest, 1), "independent": listed(Is.digest, 0),
        "assessments": listed(Is.digest, 0), "manifests": listed(Is.digest, 1),
        "settings": listed(Is.digest, 1)},
}
WITHDRAWAL = {**HEAD, "of": Is.word(TYPE, INSTALLATION),
              "reason": Is.word("superseded", "false", "stolen")}
BY_REASON = {"superseded": {"certification": Is.digest, "from": Is.integer},
             "false": {"certification": Is.digest},
             "stolen": {"key": Is.digest, "counts": listed(Is.digest, 0)}}


def parse_text(statement):
    """Kind and members of a text."""
    need(len(statement.encode()) <= 60000, "certification: too long")
    text = parse(statement)
    need(type(text) is dict and type(text.get("type")) is str, "certification: its type")
    name = text["type"]
    if name == "talla-certification-withdrawal":
        need(text.get("reason") in BY_REASON, "certification: why it is withdrawn")
        shape(text, {"type": Is.text, **WITHDRAWAL, **BY_REASON[text["reason"]]})
        return "withdrawal", text
    need(name in TEXTS, "certification: its type")
    shape(text, {"type": Is.text, **TEXTS[name]})
    need(text["from"] < text["until"], "certification: its term")
    if name == "talla-installation-certification":
        need(set(text["independent"]) <= set(text["serials"]), "certification: independent")
        return INSTALLATION, text
    return TYPE, text


def certification_file(value):
    """A file of a certification, its form judged."""
    shape(value, {"statement": Is.text, "signature": lambda v: len(unbase64(v)) == 64,
                  "chain": lambda v: Is.each(Is.filled_base64)(v) and 1 <= len(v) <= 8})
    parse_text(value["statement"])
    return True


def carried(value):
    """Member `certifications` of a bundle."""
    return type(value) is list and 1 <= len(value) <= 16 and all(
        certification_file(one) and parse_text(one["statement"])[0] != "withdrawal"
        for one in value)


class Text:
    """One file whose signer holds. Errors: Uncovered with the first of CODES that it does not
    pass."""

    def __init__(self, file, roots):
        self.kind, self.said = parse_text(file["statement"])
        self.digest = H(D("certification-text"), file["statement"].encode()).hex()
        root_kind = self.said["of"] if self.kind == "withdrawal" else self.kind
        if root_kind not in roots:
            raise Uncovered("untrusted")
        name = ("talla:certification-withdrawal:" if self.kind == "withdrawal" else
                f"talla:certification:{self.kind}:") + self.said["issuer"]
        signer = check_certificates(
            file, roots[root_kind], self.said["made"], name,
            D("certification") + file["statement"].encode(), Uncovered)
        self.signer, self.development = signer["spki"], signer["any_development"]

    def holds(self, time):
        return self.said["from"] <= time < self.said["until"]


class Certifications:
    """`roots`: paths by kind; `more` and `withdrawals`: texts of files; `log_roots`: path."""

    def __init__(self, files, roots, more=(), withdrawals=(), log_roots=None):
        for path in roots.values():
            need(log_roots is None
                 or not set(certificates_of(path)) & set(certificates_of(log_roots)),
                 "a root of the log's own keys certifies nothing")
        self.good, self.faults, self.withdrawals = {TYPE: [], INSTALLATION: []}, [], []
        for text in more:
            file = parse(text)
            certification_file(file)
            need(parse_text(file["statement"])[0] != "withdrawal", "a withdrawal certifies nothing")
            files = files + [file]
        for file in files:
            try:
                text = Text(file, roots)
                self.good[text.kind].append(text)
            except Uncovered as fault:
                self.faults.append((parse_text(file["statement"])[0], fault.code))
        for text in withdrawals:
            file = parse(text)
            certification_file(file)
            try:
                one = Text(file, roots)
            except Uncovered as fault:
                raise Refused(f"certification_{fault.code}: a withdrawal that does not hold")
            need(one.kind == "withdrawal", "no withdrawal")
            self.withdrawals.append(one.said)

    def withdrawn(self, text, time):
        for one in self.withdrawals:
            if one["of"] != text.kind or one["issuer"] != text.said["issuer"]:
                continue
            if one["reason"] == "stolen":
                if one["key"] == text.signer and text.digest not in one["counts"]:
                    return True
            elif one["certification"] == text.digest and (one["reason"] == "false"
                                                          or time >= one["from"]):
                return True
        return False

    def serial_twice(self, own, time):
        return any(other.said["origin"] != own.said["origin"] and other.holds(time)
                   and not self.withdrawn(other, time)
                   and set(other.said["serials"]) & set(own.said["serials"])
                   for other in self.good[INSTALLATION])

    def covers(self, asked):
        """The two texts that cover it. Errors: Uncovered."""
        for kind in (TYPE, INSTALLATION):
            if not self.good[kind]:
                faults = [code for of, code in self.faults if of == kind] or ["missing"]
                raise Uncovered(max(faults, key=CODES.index))
        furthest = []
        for installation in self.good[INSTALLATION]:
            for of_type in self.good[TYPE]:
                code = self.objection(of_type, installation, asked)
                if code is None:
                    return of_type, installation
                furthest.append(code)
        raise Uncovered(max(furthest, key=CODES.index))

    def objection(self, of_type, installation, asked):
        """The first of CODES that does not hold, or None."""
        kind, here, time = of_type.said, installation.said, asked["time"]
        start, context = asked["start"], asked["context"]
        yes = (
            ("origin", lambda: here["origin"] == asked["origin"]),
            ("key", lambda: here["log_key"] in asked["log_keys"]),
            ("type", lambda: of_type.digest in here["types"]),
            ("record", lambda: start is not None),
            ("development", lambda: not (asked["development"] or of_type.development
                                         or installation.development)
             and start["config"]["profile"] == "production"),
            ("unnamed", lambda: {of_type.digest, installation.digest}
             <= set(start["config"].get("certifications", []))),
            ("late", lambda: max(kind["made"], here["made"]) <= start["time"]),
            ("clock", lambda: asked["time_quality"] != "unset"),
            ("time", lambda: of_type.holds(time) and installation.holds(time)),
            ("withdrawn", lambda: not self.withdrawn(of_type, time)
             and not self.withdrawn(installation, time)),
            ("serial_twice", lambda: not self.serial_twice(installation, time)),
            ("manifest", lambda: start["manifest"] in kind["manifests"]
             and start["manifest"] in here["manifests"]),
            ("settings", lambda: start["config"].get("settings") in here["settings"]),
            ("format", lambda: 2 in kind["formats"] and context["mapping"] in kind["mappings"]),
            ("catalogue", lambda: context["catalogue"] in kind["catalogues"]))
        for code, holds in yes:
            if not holds():
                return code
        code = source_objection(kind, here, context)
        if code is None and not (context["rollback_protection"] in kind["rollback"]
                                 and context["sealing"] in kind["sealing"]):
            code = "policy"
        if code is None and asked["shoe"] is not None and not reaches(kind["policy"],
                                                                      asked["shoe"]):
            code = "table"
        return code


def reaches(floor, shoe):
    """Whether a shoe's table asks at least this of its mixes."""
    policy = shoe["policy"]
    if policy is None or (floor["mix"] == "round" and policy["mix"] != "round"):
        return False
    return not shoe["covered"] or policy["candidates"] >= floor["candidates"]


def shoe_of(evidence, commitment):
    """What the floor of a type is held against; None for a batch of draws."""
    if commitment["kind"] == "BATCH_COMMIT":
        return None
    own = commitment.get("table") == evidence.table_record["object"]
    return {"policy": evidence.table["policy"] if own else None,
            "covered": commitment["body"].get("disclosure") == "covered"}


def source_objection(kind, here, context):
    counting = [one for one in context["sources"]
                if one["class"] in PHYSICAL and one["millibits"] > 0]
    if context["uncertified"]:
        return "uncertified"
    found = []
    for use in counting:
        fits = [one for one in kind["sources"] if one["model"] == use["model"]
                and one["class"] == use["class"] and use["millibits"] <= one["millibits"]]
        if not fits:
            return "source"
        found.append(fits[0])
    for use, one in zip(counting, found):
        if use.get("assessment_digest") not in one["assessments"] + here["assessments"]:
            return "assessment"
    serials = [H(D("certification-serial"), field(use["model"]), field(use.get("serial", ""))).hex()
               for use in counting]
    if not all("serial" in use for use in counting) or not set(serials) <= set(here["serials"]):
        return "serial"
    if len(counting) > 1 and not set(serials) <= set(here["independent"]):
        return "independent"
    return None


def start_of(evidence, commitment):
    """CONFIG and SOFTWARE of the same start, of the digests that the context names; or None."""
    context, found = commitment["body"]["context"], {}
    for kind, member in (("CONFIG", "config"), ("SOFTWARE", "software")):
        cited = [evidence.by_seq[seq] for seq in commitment["cites"] if seq in evidence.by_seq
                 and evidence.by_seq[seq]["kind"] == kind]
        if len(cited) != 1 or cited[0]["boot"] != commitment["boot"] \
                or cited[0]["body"]["digest"] != context[member]:
            return None
        found[kind] = cited[0]
    return {"config": found["CONFIG"]["body"], "time": found["CONFIG"]["time"],
            "manifest": found["SOFTWARE"]["body"].get("manifest")}


def judge(evidence, trust, log_roots, log_keys):
    """Whether each commitment is covered; what was checked and what was not goes to `evidence`.
    `trust`: arguments of Certifications, or None."""
    as_stated = "source, software and settings are as the appliance states them"
    if not trust:
        evidence.not_checked += ["certification: no root of a laboratory or a regulator was given",
                                 as_stated]
        return False
    known = Certifications(evidence.bundle.get("certifications", []), log_roots=log_roots, **trust)
    by, where = None, evidence.claim
    try:
        for record in evidence.records:
            if record["kind"] not in COMMITMENTS:
                continue
            where = record
            by = known.covers({
                "origin": evidence.claim["origin"], "log_keys": log_keys,
                "development": evidence.development, "context": record["body"]["context"],
                "start": start_of(evidence, record), "shoe": shoe_of(evidence, record),
                "time": record["time"], "time_quality": record["time_quality"]})
        where = evidence.claim
        if by is None:
            raise Uncovered("nothing")
    except Uncovered as why:
        evidence.certification = "certification_" + why.code
        evidence.not_checked += [f"not certified: {evidence.certification}, at record "
                                 f"{where['seq']} ({where['kind']})", as_stated]
        return False
    evidence.checked.append(
        f"certified: type certification {by[0].said['number']} of {by[0].said['issuer']} and "
        f"installation certification {by[1].said['number']} of {by[1].said['issuer']} cover "
        "software, settings, rules and source of each commitment")
    if not trust.get("withdrawals"):
        evidence.not_checked.append("withdrawal of certifications: no file was given")
    evidence.not_checked.append("that program, settings and times are those stated, and that no "
                                "device was exchanged behind the same serial number")
    return True
