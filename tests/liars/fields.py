"""Every member of every kind of record, told otherwise: the simplest lies of all.

A way of lying is tried once for each kind and member over all stories, at the first record that
has the member."""
import copy
import re

ENVELOPE = ("boot", "cites", "client", "key", "kind", "link", "meter_prev", "note", "object",
            "origin", "prev", "request", "table", "time", "time_quality", "v")
WORDS = {
    "synced": "holdover", "public": "covered", "covered": "unseen", "open": "unseen",
    "closed": "voided", "used": "expired", "expired": "used", "order": "unrecoverable",
    "win": "lose", "lose": "win", "push": "win", "down": "up", "appliance": "client",
    "client": "appliance", "decision": "time_out", "match": "jam", "complete": "wrong",
}


def ways(value):
    """(what, other value) for a member that is a text, a number, a boolean or a list."""
    if isinstance(value, bool):
        yield "other", not value
    elif isinstance(value, int):
        yield "one more", value + 1
        if value > 0:
            yield "one less", value - 1
            yield "none", 0
        yield "very many", 2**53 - 1
        yield "a text", str(value)
    elif isinstance(value, str):
        yield from text_ways(value)
    elif isinstance(value, list):
        if value:
            yield "first left out", value[1:]
            yield "last twice", value + value[-1:]
            yield "empty", []
        if len(value) > 1:
            yield "turned round", value[::-1]


def text_ways(value):
    if re.fullmatch(r"[0-9a-f]{32,}", value):
        yield "another digit", value[:-1] + format(int(value[-1], 16) ^ 1, "x")
        yield "zeros", "0" * len(value)
        yield "upper case", value.upper() if value.upper() != value else value[:-1] + "A"
        yield "shorter", value[:-2]
    elif re.fullmatch(r"[a-z]+-[0-9]+", value):
        kind, number = value.rsplit("-", 1)
        yield "another", f"{kind}-{int(number) + 1}"
        yield "leading zero", f"{kind}-0{number}"
    elif value in WORDS:
        yield "another word", WORDS[value]
        yield "no such word", value + "x"
    else:
        yield "longer", value + "A"
        if value:
            yield "empty", ""


def places(value, at=()):
    """The way to each member of a body, down to what holds no others."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, at + (key,))
    elif isinstance(value, list):
        yield at
        for index, inner in enumerate(value[:1]):
            if isinstance(inner, dict):
                yield from places(inner, at + (index,))
            else:
                yield at + (index,)
    else:
        yield at


def found(record, at):
    for step in at:
        record = record[step]
    return record


def put(record, at, value):
    found(record, at[:-1])[at[-1]] = value


def drop(record, at):
    del found(record, at[:-1])[at[-1]]


def named(at):
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in at)


def told_otherwise(record):
    """(name, change) for each way in which one member of a record can be told otherwise."""
    around = [place for key in ENVELOPE if key in record for place in places(record[key], (key,))]
    for at in around + list(places(record["body"], ("body",))):
        for what, change in changes(record, at):
            yield f"{record['kind']}{named(at)} {what}", change


def record_lies(records):
    """(name, record): every way, of every record."""
    for record in records:
        for name, change in told_otherwise(record):
            lie = copy.deepcopy(record)
            change(lie)
            yield name, lie


def lies(stories):
    """(name, story): each way once for each kind and member over all stories."""
    told = set()
    for story in stories:
        for index, record in enumerate(story.records):
            for name, change in told_otherwise(record):
                if name in told:
                    continue
                told.add(name)
                lie = story.copy()
                change(lie.records[index])
                if name.split(" ")[0].endswith((".link", ".head")):
                    lie.links.add(story.records[index]["seq"])
                yield name, lie


def changes(record, at):
    for what, value in ways(found(record, at)):
        if value != found(record, at):
            yield what, lambda record, value=value: put(record, at, value)
    if not isinstance(at[-1], int):
        yield "left out", lambda record: drop(record, at)
        if at[0] == "body":
            yield "beside one of no meaning", lambda record: put(record, at[:-1] + ("also",), 1)
