"""Members and the values they may have (FORMAT sections 2 and 6)."""
import math, re

from .cards import CARD_BYTES, deck_cards
from .text import LARGEST, need, parse, unbase64


class Is:
    """Small checks that a member's value must pass."""
    integer = staticmethod(lambda v: type(v) is int and 0 <= v <= LARGEST)
    positive = staticmethod(lambda v: type(v) is int and 1 <= v <= LARGEST)
    seat = staticmethod(lambda v: type(v) is int and 1 <= v < 2**32)
    index = staticmethod(lambda v: type(v) is int and 0 <= v < 2**32)  # of a card or a root
    boolean = staticmethod(lambda v: type(v) is bool)
    text = staticmethod(lambda v: type(v) is str)
    filled = staticmethod(lambda v: type(v) is str and v != "")
    digest = staticmethod(lambda v: type(v) is str and re.fullmatch(r"[0-9a-f]{64}", v) is not None)
    signature = staticmethod(lambda v: type(v) is str and len(unbase64(v)) == 64)
    base64 = staticmethod(lambda v: type(v) is str and unbase64(v) is not None)
    filled_base64 = staticmethod(lambda v: type(v) is str and len(unbase64(v)) > 0)
    anything = staticmethod(lambda v: True)
    obj = staticmethod(lambda v: type(v) is dict)
    texts = staticmethod(lambda v: type(v) is list and all(type(i) is str and i for i in v))
    some_texts = staticmethod(lambda v: Is.texts(v) and v)
    path = staticmethod(lambda v: type(v) is list and len(v) <= 64 and all(Is.digest(i) for i in v))
    card = staticmethod(lambda v: v in CARD_BYTES)

    @staticmethod
    def between(least, most):
        return lambda v: type(v) is int and least <= v <= most

    @staticmethod
    def fraction(v):
        """`n` or `n/d` in lowest terms, positive."""
        found = re.fullmatch(r"([1-9][0-9]{0,18})(?:/([1-9][0-9]{0,18}))?", v)
        return found is not None and (found[2] is None or found[2] != "1" and math.gcd(
            int(found[1]), int(found[2])) == 1)

    @staticmethod
    def deck(v):
        return type(v) is str and len(deck_cards(v)) > 0

    @staticmethod
    def word(*words):
        return lambda v: any(type(v) is type(word) and v == word for word in words)  # true is not 1

    @staticmethod
    def id_of(kind):
        return lambda v: type(v) is str and re.fullmatch(kind + r"-(0|[1-9][0-9]*)", v) is not None

    @staticmethod
    def each(check):
        return lambda v: type(v) is list and all(check(i) for i in v)


def shape(value, required, optional=None):
    optional = optional or {}
    need(type(value) is dict, "an object is expected")
    for name in required:
        need(name in value, f"{name} is missing")
    for name, inner in value.items():
        check = required.get(name) or optional.get(name)
        need(check is not None, f"{name} is not known here")
        need(check(inner), f"{name} is malformed")
    return True


def shaped(required, optional=None):
    return lambda value: shape(value, required, optional)


def log_statement(text):
    """The statement that binds a log's key to certificates (FORMAT section 5)."""
    statement = parse(text)
    shape(statement, {"v": Is.word(2), "type": Is.word("talla-log-key"), "origin": Is.filled,
                      "public": Is.base64, "development": Is.boolean}, {"previous": Is.base64})
    keys = [statement["public"], statement.get("previous", statement["public"])]
    need(all(len(unbase64(key)) == 32 for key in keys), "a key has 32 bytes")
    need(statement.get("previous") != statement["public"], "a log key that follows itself")
    return statement


def specification(value):
    need(type(value) is dict, "specification")
    if value.get("kind") == "wheel":
        shape(value, {"kind": Is.text, "pockets": lambda v: type(v) is int and 2 <= v <= 1024})
        bounds = [value["pockets"]]
    elif value.get("kind") == "dice":
        shape(value, {"kind": Is.text, "count": lambda v: type(v) is int and 1 <= v <= 8,
                      "faces": lambda v: type(v) is int and 2 <= v <= 100})
        bounds = [value["faces"]] * value["count"]
    else:
        need(value.get("kind") == "lots", "unknown kind of draw")
        shape(value, {"kind": Is.text, "bounds": lambda v: type(v) is list and 1 <= len(v) <= 16
                      and all(type(i) is int and 2 <= i < 2**32 for i in v)})
        bounds = value["bounds"]
    total = 1
    for bound in bounds:
        total *= bound
    need(total < 2**128, "2^128 outcomes or more")
    return bounds


def few(check):
    """A list of at most 64."""
    return lambda value: Is.each(check)(value) and len(value) <= 64


def contributor_id(value):
    return type(value) is str and re.fullmatch(r"[A-Za-z0-9:./_-]{1,128}", value) is not None


CONTRIBUTOR = shaped({"id": contributor_id, "key": Is.filled_base64,
                      "t": Is.between(1, 2**32 - 1), "commit": Is.digest})
CALL_OPENINGS = Is.each(shaped({"value": Is.digest, "signature": Is.signature}))
CORE = {"v": lambda v: type(v) is int and v == 2, "type": Is.word("talla-call"),
        "origin": Is.filled, "table": Is.id_of("table"), "turn": Is.between(1, 2**32 - 1),
        "head": Is.digest, "use": Is.word("mix", "draw"), "object": Is.text, "root": Is.digest,
        "at": Is.between(0, 1023), "round": lambda v: v == "0" or Is.id_of("round")(v),
        "bets": Is.digest, "specification": Is.obj, "game": Is.text, "variant": Is.text,
        "catalogue": Is.digest, "parameters": Is.digest, "value": Is.digest,
        "others": few(CONTRIBUTOR)}
MIX = {"candidates": Is.between(1, 8), "places": Is.between(1, 1024)}


def core(value):
    """All that a call binds (FORMAT section 8)."""
    shape(value, CORE)
    mix = value["use"] == "mix"
    need(Is.id_of("shoe" if mix else "batch")(value["object"]), "object of another use")
    need(shape(value["specification"], MIX) if mix else specification(value["specification"]),
         "specification")
    need(mix or value["at"] < 256, "an index of a batch")
    return True


def outcome(value):
    need(type(value) is dict and len(value) == 1, "outcome")
    (name, inner), = value.items()
    if name == "pocket":
        return Is.index(inner)
    number = {"dice": Is.between(1, 100), "lots": Is.index}.get(name)
    return number is not None and type(inner) is list and inner and all(map(number, inner))


SOURCE_MEMBERS = {"model": Is.filled, "class": Is.word("raw_physical", "conditioned_physical",
                                                       "system", "rdseed", "lab"),
                  "millibits": Is.integer,
                  "verdict": Is.word("healthy", "startup", "alarm", "not_tested")}
SOURCE_EXTRA = {"serial": Is.filled, "assessment": Is.word("assumed", "stated", "unit", "type"),
                "assessment_digest": Is.digest}


def source(value):
    shape(value, SOURCE_MEMBERS, SOURCE_EXTRA)
    need(("assessment_digest" in value) == (value.get("assessment") in ("unit", "type")),
         "a digest stands with an assessment of origin unit or type, and with no other")
    return True


CONTEXT_MEMBERS = {
    "catalogue": Is.digest, "game": Is.text, "variant": Is.text, "parameters": Is.digest,
    "mapping": Is.word("talla-map-v1"), "construction": Is.word("rbg3-xor", "system"),
    "uncertified": Is.boolean, "sources": Is.each(source), "reseeds": Is.integer,
    "generates": Is.integer, "software": Is.digest, "config": Is.digest,
    "rollback_protection": Is.word("local", "tpm", "hsm", "witness"), "anchor_lag": Is.integer,
    "sealing": Is.word("file", "credential", "tpm", "hsm", "passphrase")}

def context(value):
    shape(value, CONTEXT_MEMBERS)
    counting = [s for s in value["sources"] if s["class"] == "raw_physical" and s["millibits"] > 0]
    credited = any(s["verdict"] in ("healthy", "startup") for s in counting)
    bare = any(s.get("assessment") in ("assumed", "stated") for s in counting)
    need(value["uncertified"] or (credited and not bare and value["construction"] == "rbg3-xor"),
         "a context without a credited source, or with a figure that has no document, must say "
         "uncertified")
    return True
