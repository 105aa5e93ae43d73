#!/usr/bin/env python3
# Goal: of what a real appliance has logged with contributors (two seats and a partner whom the
#   table requires) no lie about them passes: each is refused for its own rule by all three
#   verifiers, and the true stories are taken.
# Method: the real daemon plays spins, a shoe and a settled round (played.py); one thing is told
#   otherwise at a time and everything signed anew: by root, log and table, and by the contributors
#   too, who work with the liar, so that nothing else is wrong. What is accepted is listed here with
#   the page that says so. usage: played_test.py TALLA (in the folder of rngd; node, openssl)
import datetime
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "e2e")]
import judges  # noqa: E402
import played  # noqa: E402
from appliance import Appliance  # noqa: E402
from authority import ORIGIN, Authority  # noqa: E402
from contributors_test import with_public  # noqa: E402
from played import PARTNER, named, under  # noqa: E402

RULES = {"commit_mismatch", "duplicate", "missing_wrong", "opening_signature", "openings_count",
         "others_order", "required_missing", "t_gap", "tape_other", "withheld_early"}
VERIFIED = 3  # development keys


# ---- Ways to lie about what was opened: (story, core, openings as the people give them)

def one_changed(at, **change):
    def lie(story, core, given):
        given[at] = given[at] | {name: make(story, core, given) for name, make in change.items()}
        return given
    return lie


def another_value(story, core, given):
    """Whoever opens last has seen the others' numbers; it signs another one of its own."""
    person = story.people[core["others"][0]["id"]]
    real, person.value = person.value, lambda t: real(t + 1)
    try:
        return [person.opened(core), *given[1:]]
    finally:
        person.value = real


def signed_for(change):
    """The signature of a core that is otherwise, with the value that the true one asks for."""
    def lie(story, core, given):
        other = story.people[core["others"][0]["id"]].opened(change(core))
        return [given[0] | {"signature": other["signature"]}, *given[1:]]
    return lie


def of_another_t(core):
    """Its value is that of the next t: what is signed says both."""
    others = [core["others"][0] | {"t": core["others"][0]["t"] + 1}, *core["others"][1:]]
    return core | {"others": others}


OPENINGS = {
    "another value, well signed": ("commit_mismatch", another_value),
    "the value of another": ("commit_mismatch", one_changed(
        0, value=lambda story, core, given: given[1]["value"])),
    "openings of two swapped": ("commit_mismatch",
                                lambda story, core, given: [given[1], given[0], *given[2:]]),
    "openings turned round": ("commit_mismatch", lambda story, core, given: given[::-1]),
    "the signature of another": ("opening_signature", one_changed(
        0, signature=lambda story, core, given: given[1]["signature"])),
    "a signature of nobody": ("opening_signature", one_changed(
        1, signature=lambda story, core, given: "A" * 86 + "==")),
    "signed for the next count": ("opening_signature", signed_for(of_another_t)),
    "signed for a call of another number": ("opening_signature", signed_for(
        lambda core: core | {"value": "00" * 32})),
    "signed for another table": ("opening_signature", signed_for(
        lambda core: core | {"table": "table-1"})),
    "one left out": ("openings_count", lambda story, core, given: given[1:]),
    "all left out": ("openings_count", lambda story, core, given: []),
    "one twice": ("openings_count", lambda story, core, given: [*given, given[-1]]),
}
# The openings are true, and what is said to follow from them is not.
VALUES = {
    "numbers in another order": lambda values: values[::-1],
    "without the last number": lambda values: values[:-1],
    "with the table alone": lambda values: [],
    "with a number twice": lambda values: [*values, values[0]],
}


# ---- Ways to lie about who is named: (story, nth call)

def change(name, make):
    def lie(story, nth):
        others = story.core(nth)["others"]
        at = next(at for at, one in enumerate(others) if one["id"] == name)
        others[at] = others[at] | make(story, nth)
    return lie


def left_out(name):
    def lie(story, nth):
        core = story.core(nth)
        core["others"] = [one for one in core["others"] if one["id"] != name]
    return lie


def joins(person, t):
    """One more, in its place."""
    def lie(story, nth):
        who = person(story)
        story.people[who.id] = who
        core = story.core(nth)
        core["others"] = sorted([*core["others"], named(who, t(story, nth))],
                                key=lambda one: one["id"])
    return lie


def renamed(before, after):
    """The key of one id under another, which commits and signs as that."""
    def lie(story, nth):
        t = story.other(nth, before)["t"]
        left_out(before)(story, nth)
        joins(lambda story: under(story.people[before], after), lambda *_: t)(story, nth)
    return lie


def counted(name, more):
    def lie(story, nth):
        person, t = story.people[name], story.other(nth, name)["t"] + more
        change(name, lambda *_: named(person, t))(story, nth)
    return lie


def turned_round(story, nth):
    story.core(nth)["others"].reverse()


def next_count(story, nth):
    return story.other(nth, "seat-1")["t"]


CORES = {
    "in another order": ("others_order", turned_round),
    "one named twice": ("duplicate", lambda story, nth: story.core(nth)["others"].append(
        story.other(nth, "seat-1"))),
    "one key under two ids": ("duplicate", joins(
        lambda story: under(story.people["seat-1"], "seat-9"), next_count)),
    "a key under the id of another": ("duplicate", renamed("seat-1", "seat-9")),
    "the table's own key": ("duplicate", change("seat-1", lambda story, nth: {
        "key": story.record("TABLE_OPEN")["body"]["key"]})),
    "a count skipped": ("t_gap", counted("seat-1", 1)),
    "a count told again": ("t_gap", counted("seat-1", -1)),
    "another commitment": ("commit_mismatch", change("seat-1", lambda story, nth: {
        "commit": named(story.people["seat-1"], next_count(story, nth) + 1)["commit"]})),
    "the commitment of another": ("commit_mismatch", change("seat-1", lambda story, nth: {
        "commit": story.other(nth, PARTNER)["commit"]})),
    "the commitment under another id": ("commit_mismatch", change("seat-1", lambda story, nth: {
        "commit": named(under(story.people["seat-1"], "seat-9"),
                        next_count(story, nth))["commit"]})),
    "without whom the table requires": ("required_missing", left_out(PARTNER)),
}


# ---- Ways to lie about who did not open: (story, VOID)

def missing(*names):
    return lambda story, void: void["body"].update(missing=list(names))


def at_once(story, void):
    call = next(one for one in story.records if one["seq"] == void["body"]["call"])
    void["time"] = call["time"] + 999_999


VOIDS = {
    "who was not to open": ("missing_wrong", missing("seat-9")),
    "one more who was not to open": ("missing_wrong", missing("seat-2", "seat-9")),
    "before the time is up": ("withheld_early", at_once),
}
# An opening that the appliance has and does not show: it counts as a repetition all the same.
ACCEPTED = {"one who opened": missing("seat-2", PARTNER)}


def opened_otherwise(story, nth, way):
    told, seq = story.copy(), story.result(nth)["seq"]
    told.opens[seq] = lambda core, given: way(told, core, given)
    return told


def followed_otherwise(story, nth, way):
    told = story.copy()
    told.values[story.result(nth)["seq"]] = way
    return told


def named_otherwise(story, nth, way):
    told = story.copy()
    way(told, nth)
    return told


def ended_otherwise(story, way):
    told = story.copy()
    way(told, told.record("VOID"))
    return told


def lies(stories):
    """(name, rule or empty, story): the newest result of each story with one is the claim's."""
    for name in ("draws", "shoe", "roulette"):
        story = stories[name]
        calls = len([one for one in story.records if one["kind"] == "CALL"])
        seats = [one["id"] for one in story.core(calls - 1)["others"]]
        for what, (rule, way) in OPENINGS.items():
            if what == "openings turned round" and len(seats) < 3:
                continue  # the same as two swapped
            yield f"{name}: {what}", rule, opened_otherwise(story, calls - 1, way)
        for what, way in VALUES.items():
            yield f"{name}: {what}", "tape_other", followed_otherwise(story, calls - 1, way)
    for name in ("draws", "roulette"):
        story = stories[name]
        last = len([one for one in story.records if one["kind"] == "CALL"]) - 1
        for what, (rule, way) in CORES.items():
            if name == "roulette" and what == "a count told again":
                continue  # there is one call
            if name == "roulette" and what == "a key under the id of another":
                continue  # it had none before
            yield f"{name}: {what}", rule, named_otherwise(story, last, way)
    # of a call in the middle, whose own result and all later ones follow
    for what, (rule, way) in CORES.items():
        yield f"draws, the second: {what}", rule, named_otherwise(stories["draws"], 1, way)
    yield "draws: a newcomer who counts from two", "t_gap", named_otherwise(
        stories["draws"], 1, joins(under_another_key, lambda *_: 2))
    yield "draws: a count that the withheld call has spent", "t_gap", named_otherwise(
        stories["draws"], 3, joins(lambda story: story.people["seat-2"], lambda *_: 3))
    for name in ("draws", "withheld", "shoe"):
        for what, (rule, way) in VOIDS.items():
            yield f"{name}, VOID: {what}", rule, ended_otherwise(stories[name], way)
    for what, way in ACCEPTED.items():
        yield f"draws, VOID: {what}", "", ended_otherwise(stories["draws"], way)


def under_another_key(story):
    """A person whom no call has named."""
    person = under(story.people["seat-2"], "seat-3")
    person.__init__(person.id, "a record", person.pem + ".new")
    person.opening = story.people["seat-1"].opening
    return person


def true_tellings(stories):
    """What is honest, told by the same machinery."""
    for name, story in stories.items():
        yield f"{name} as it was", story
    yield "draws: the second with a newcomer", named_otherwise(
        stories["draws"], 1, joins(under_another_key, lambda *_: 1))
    yield "draws: seat 2 comes back behind its silence", named_otherwise(
        stories["draws"], 4, joins(lambda story: story.people["seat-2"], lambda *_: 4))
    yield "draws: the last without seat 1", named_otherwise(stories["draws"], 4,
                                                            left_out("seat-1"))
    yield "draws: seat 1 chose other numbers before", named_otherwise(
        stories["draws"], 0, lambda story, nth: [
            other_numbers(story, each) for each in range(len(story.cores))])


def other_numbers(story, nth):
    """All its commitments anew, from another seed."""
    person = story.people["seat-1"]
    person.seed = b"another seed of thirty-two bytes"
    change("seat-1", lambda *_: named(person, story.other(nth, "seat-1")["t"]))(story, nth)


def rule_of(verdict):
    """The code that stands in what a verifier says."""
    found = verdict.rule or next(iter(re.findall(r"\b([a-z]+(?:_[a-z]+)+|duplicate)\b:",
                                                 verdict.why)), "")
    return found


def dates():
    now = datetime.datetime.now(datetime.timezone.utc)
    return [(now + datetime.timedelta(days=days)).strftime("%Y%m%d%H%M%SZ") for days in (-2, 2)]


def main():
    three = (judges.Native(os.path.abspath(sys.argv[1])), judges.Python(), judges.Browser())
    failed, met = 0, set()
    with Appliance(os.path.dirname(os.path.abspath(sys.argv[1])), edit_config=with_public,
                   origin=ORIGIN) as appliance, tempfile.TemporaryDirectory() as folder:
        appliance.talla("keys", "client", appliance.folder, PARTNER, "--role", "contributor",
                        check=True)
        appliance.start()
        stories = {make.__name__: make(appliance) for make in (
            played.draws, played.withheld, played.shoe, played.roulette)}
        authority = Authority(f"{folder}/liar", dates=dates(),
                              table_key=f"{appliance.folder}/clients/talla:table-1.key")
        told = [(name, "", story) for name, story in true_tellings(stories)]
        count = len(told)
        told += list(lies(stories))
        files = []
        for number, (_, _, story) in enumerate(told):
            files.append((f"{folder}/{number}.talla", None))
            with open(files[-1][0], "w", encoding="utf-8") as out:
                out.write(story.told(authority))
        verdicts = list(zip(*(one.judge(files, authority.roots) for one in three)))
    for (name, rule, _), judged in zip(told, verdicts):
        wanted = judges.INVALID if rule else VERIFIED
        met.add(rule)
        if any(one.code != wanted for one in judged) or rule and judged[0].rule != rule or \
                rule and {rule_of(one) for one in judged} != {rule}:
            failed += 1
            print(f"FAILED {name}: wanted {rule or 'accepted'}",
                  *(f"  {one.name}: {verdict.code} {verdict.why}"
                    for one, verdict in zip(three, judged)), sep="\n")
    print(f"{count} true tellings, {len(told) - count} lies of {len(RULES)} rules, "
          f"{failed} failures")
    return 1 if failed or not RULES <= met else 0


if __name__ == "__main__":
    sys.exit(main())
