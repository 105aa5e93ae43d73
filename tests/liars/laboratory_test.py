#!/usr/bin/env python3
# Goal: outcomes of a laboratory's table can be told neither as play nor otherwise than they came,
#   and play cannot be told as a laboratory's: all three verifiers refuse it, each true file ends in
#   "laboratory" and says so first.
# Method: orders of a wheel, of dice and of a shoe, whose outcomes are mapped here in plain Python;
#   two honest persons sign, the liar has every other key: every member of the records told
#   otherwise (fields.py), and lies of their own with the rule that refuses each.
#   usage: laboratory_test.py TALLA (node, openssl, python3)
import base64
import copy
import hashlib
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path[:0] = [HERE, TESTS]
import fields  # noqa: E402
import judges  # noqa: E402
from liars_test import readable  # noqa: E402
from authority import Authority, canonical  # noqa: E402
from ordered import PERSONS, Person  # noqa: E402
from seats import field  # noqa: E402
from story import Story, sha256  # noqa: E402
from verifier.cards import deck_cards  # noqa: E402
from verifier.tape import Tape, fisher_yates  # noqa: E402

FROZEN = os.path.join(TESTS, "unit", "verify", "frozen", "draw.talla")
WHEEL = "lab/es-1977/french-roulette/wheel-37"
DICE = "lab/es-1977/craps/dice-2x6"
SHOE = "lab/es-1977/punto-banco/shoe-french52x6"
BEGIN = 1767225600000000
ASKED, CONFIRMED, DONE = 3, 4, 9
# What no verifier can know of a record: when it was, in which start (it only never goes back), and
# under which key the second person confirmed.
FREE = (": ACCESS.time ", ": ACCESS.time_quality ", ": ACCESS.boot ", " 1: ACCESS.key ")


def bits_of(number, size):
    """Other bytes for each line, as a generator would give them."""
    return b"".join(sha256(f"{number} {block}".encode()) for block in range(size // 32 + 1))[:size]


def drawn(bounds, first, bits, asked, purpose="lab"):
    digits = Tape(key=bits, purpose=purpose, inputs=[asked]).digits(bounds)
    return " ".join(str(digit + first) for digit in digits)


def dealt(deck, number):
    """A shoe's bits, all of them used, and its order."""
    tape = Tape(bits_of(number, 4096))
    cards = deck_cards(deck)
    fisher_yates(tape, cards)
    return tape.consumed(), " ".join(cards)


class Order(Story):
    """The three steps of an order for a laboratory's table, and its outcomes; `lines` makes them
    of the leaf hash of the first. Who asked and confirmed signed once, and no more."""

    def __init__(self, authority, persons, samples, count, lines):
        self.persons, self.lines = persons, lines
        self.object = f"{samples}:{count}:talla:lab-1"
        envelope = {"v": 2, "origin": authority.origin, "time_quality": "synced", "boot": 1,
                    "kind": "ACCESS"}
        steps = (("asked", ASKED, 1), ("confirmed", CONFIRMED, 2), ("done", DONE, 2))
        records = []
        for step, seq, names in steps:
            body = {"what": f"sampling-order.{step}", "result": "allowed", "object": self.object,
                    "by": list(PERSONS[:names])}
            record = {**envelope, "seq": seq, "time": BEGIN + seq,
                      "cites": [] if step == "asked" else [ASKED], "body": body}
            if step != "done":
                key = persons[PERSONS[names - 1]].key
                record["key"] = f"key-{seq}"
                record["client"] = {"id": PERSONS[names - 1],
                                    "spki": hashlib.sha256(base64.b64decode(key)).hexdigest()}
                head = sha256(b"talla/v2/request-key\0", field(record["key"])).hex() \
                    if step == "asked" else self.leaf(records[0])
                order = {"act": "sampling-order", "digest": "", "head": head,
                         "object": self.object, "origin": authority.origin}
                body["order"] = {"head": head, "key": key,
                                 "signature": persons[PERSONS[names - 1]].signed(order)}
            records.append(record)
        super().__init__(samples, {
            "v": 2, "type": "talla-laboratory", "claim": DONE,
            "records": [{"record": canonical(record)} for record in records]})
        self.give(lines(bytes.fromhex(self.leaf(self.records[0]))))

    @staticmethod
    def leaf(record):
        return sha256(b"\0", canonical(record).encode()).hex()

    def give(self, outcomes):
        """These outcomes, as the log has them."""
        self.more["outcomes"] = outcomes
        self.records[-1]["body"]["digest"] = hashlib.sha256(outcomes.encode()).hexdigest()

    def asked(self):
        return bytes.fromhex(self.leaf(self.records[0]))


def wheel_lines(asked, purpose="lab"):
    return "".join(f"{bits_of(j, 32).hex()} {drawn([37], 0, bits_of(j, 32), asked, purpose)}\n"
                   for j in range(5))


def dice_lines(asked):
    return "".join(f"{bits_of(j, 32).hex()} {drawn([6, 6], 1, bits_of(j, 32), asked)}\n"
                   for j in range(3))


def shoe_lines(_):
    return "".join(f"{bits.hex()} {cards}\n" for bits, cards in
                   (dealt("french52x6", j) for j in range(2)))


def honest(authority):
    persons = {name: Person(authority, name.rpartition(":")[2]) for name in PERSONS}
    return [Order(authority, persons, WHEEL, 5, wheel_lines),
            Order(authority, persons, DICE, 3, dice_lines),
            Order(authority, persons, SHOE, 2, shoe_lines)]


LIES = []


def lie(code, number=0):
    """A lie about the order of that number, refused for `code` by all."""
    def keep(function):
        LIES.append((function.__name__.replace("_", " "), code, number, function))
        return function
    return keep


def with_lines(story, change):
    story.give("\n".join(change(story.more["outcomes"].split("\n"))))


@lie("wrong_mapping")
def outcomes_that_were_drawn_as_play_is(story):
    story.give(wheel_lines(story.asked(), "draw"))


@lie("wrong_mapping")
def outcomes_of_another_order(story):
    story.give(wheel_lines(bytes(32)))


@lie("wrong_mapping")
def an_outcome_that_somebody_liked_better(story):
    def better(lines):
        bits, outcome = lines[0].split()
        return [f"{bits} {(int(outcome) + 1) % 37}"] + lines[1:]
    with_lines(story, better)


@lie("wrong_mapping", 1)
def a_throw_turned_round(story):
    def turned(lines):
        at = next(i for i, line in enumerate(lines) if line.split()[1] != line.split()[2])
        bits, one, other = lines[at].split()
        return lines[:at] + [f"{bits} {other} {one}"] + lines[at + 1:]
    with_lines(story, turned)


@lie("wrong_mapping", 2)
def two_cards_that_changed_their_places(story):
    def changed(lines):
        words = lines[0].split()
        at = next(i for i in range(2, len(words)) if words[i] != words[1])
        words[1], words[at] = words[at], words[1]
        return [" ".join(words)] + lines[1:]
    with_lines(story, changed)


@lie("wrong_mapping", 2)
def a_shoe_with_bits_that_it_does_not_use(story):
    with_lines(story, lambda lines: [lines[0].replace(" ", "00" * 8 + " ", 1)] + lines[1:])


@lie("wrong_mapping", 2)
def a_shoe_without_its_last_bits(story):
    with_lines(story, lambda lines: [lines[0][16:]] + lines[1:])


@lie("lab_outcomes")
def an_outcome_told_twice(story):
    with_lines(story, lambda lines: lines[:1] + lines[:1] + lines[2:])


@lie("lab_outcomes")
def an_outcome_kept_back(story):
    with_lines(story, lambda lines: lines[1:])


@lie("lab_outcomes")
def one_outcome_more_than_was_ordered(story):
    bits = bits_of(77, 32)
    story.give(story.more["outcomes"] +
               f"{bits.hex()} {drawn([37], 0, bits, story.asked())}\n")


@lie("lab_outcomes")
def an_outcome_without_its_end_of_line(story):
    story.give(story.more["outcomes"][:-1])


@lie("lab_outcomes")
def bits_in_capitals(story):
    bits = next(line.split()[0] for line in story.more["outcomes"].splitlines()
                if line[:64].upper() != line[:64])
    story.give(story.more["outcomes"].replace(bits, bits.upper()))


@lie("lab_outcomes")
def outcomes_that_are_not_those_of_the_log(story):
    story.more["outcomes"] = story.more["outcomes"].replace("\n", " \n", 1)


@lie("unsupported_claim")
def a_laboratorys_order_told_as_evidence_of_play(story):
    story.more["type"] = "talla-bundle"
    del story.more["outcomes"]


@lie("malformed_bundle")
def a_laboratorys_outcomes_in_evidence_of_play(story):
    story.more["type"] = "talla-bundle"


@lie("malformed_bundle")
def a_catalogue_in_a_laboratorys_file(story):
    story.more["catalogue"] = ""


@lie("lab_file")
def an_order_of_bits_told_as_a_table(story):
    for record in story.records:
        record["body"]["object"] = "bits:64:talla:lab-1"
        record["body"].pop("order", None)


@lie("lab_file")
def an_order_that_nobody_confirmed(story):
    del story.records[1]


@lie("lab_file")
def an_order_that_is_not_done(story):
    story.more["claim"] = CONFIRMED
    del story.records[2]


@lie("lab_file")
def an_order_that_failed(story):
    story.records[-1]["body"].update(what="sampling-order.failed", result="refused")
    del story.records[-1]["body"]["digest"], story.more["outcomes"]


@lie("lab_file")
def an_end_that_names_others(story):
    story.records[-1]["body"]["by"] = [PERSONS[0], "talla:officer-2"]


@lie("lab_file")
def an_end_of_another_order(story):
    story.records[-1]["body"]["object"] = story.object.replace(":5:", ":6:")


@lie("lab_file")
def a_second_end(story):
    other = copy.deepcopy(story.records[-1])
    other["seq"], other["time"] = DONE - 1, other["time"] - 1
    story.records.insert(2, other)


@lie("access_person")
def an_order_of_one_person(story):
    asked, confirmed = story.records[:2]
    confirmed["client"], confirmed["body"]["by"] = asked["client"], [PERSONS[0], PERSONS[0]]
    confirmed["body"].pop("order")


@lie("access_signature")
def more_outcomes_than_two_persons_signed_for(story):
    for record in story.records:
        record["body"]["object"] = story.object.replace(":5:", ":6:")


@lie("lab_order")
def a_table_of_more_outcomes_than_may_be_ordered(story):
    for record in story.records:
        record["body"]["object"] = story.object.replace(":5:", ":80001:")
        record["body"].pop("order", None)


def of_play(name, change):
    """A lie about a true draw of play."""
    with open(FROZEN, encoding="utf-8") as file:
        story = Story(name, json.load(file))
    change(story)
    return story


def play_as_laboratory(story):
    story.more["type"] = "talla-laboratory"
    for name in ("catalogue", "state_before", "certifications"):
        story.more.pop(name, None)


def table_of_class_lab(story):
    story.record("TABLE_OPEN")["body"]["class"] = "lab"


def drawn_for_a_laboratory(story):
    """A draw of play by the tape of a laboratory's table."""
    draw = story.record("DRAW", -1)
    call = next(one for one in story.records if one["seq"] == draw["body"]["call"])
    core = call["body"]["core"]
    kinds = {"wheel": lambda one: ([one["pockets"]], 0, "pocket"),
             "dice": lambda one: ([one["faces"]] * one["count"], 1, "dice")}
    bounds, first, name = kinds[core["specification"]["kind"]](core["specification"])
    tape = Tape(key=bytes.fromhex(draw["body"]["secret"]), purpose="lab",
                inputs=[sha256(b"talla/v2/core\0", canonical(core).encode())])
    digits = [digit + first for digit in tape.digits(bounds)]
    draw["body"].update(outcome={name: digits if name == "dice" else digits[0]},
                        words_used=tape.used, words_rejected=tape.rejected,
                        tape_digest=sha256(tape.consumed()).hex())


PLAY = (("play told as a laboratory's", "unsupported_claim", play_as_laboratory),
        ("a table of play that says class lab", "malformed_body", table_of_class_lab),
        ("a draw of play by a laboratory's tape", "tape_", drawn_for_a_laboratory))


def tales(stories):
    """(name, code or None, story): None where what is told may be free."""
    for number, story in enumerate(stories):
        for index, record in enumerate(story.records):
            for name, change in fields.told_otherwise(record):
                told = story.copy()
                change(told.records[index])
                if not readable(told):
                    continue
                yield f"{story.name} {index}: {name}", None, told
    for name, code, number, change in LIES:
        told = stories[number].copy()
        change(told)
        yield name, code, told
    for name, code, change in PLAY:
        yield name, code, of_play(name, change)


def is_free(name):
    return any(one in name for one in FREE)


def wrong(name, code, verdicts):
    """What is wrong with these verdicts on a lie; empty: nothing."""
    codes = {verdict.code for verdict in verdicts}
    if code is None and codes != {judges.INVALID}:
        return "" if is_free(name) and len(codes) == 1 else "accepted"
    if code is None:
        return ""
    if codes != {judges.INVALID}:
        return "accepted"
    if not verdicts[0].rule.startswith(code):
        return f"refused for {verdicts[0].rule}, not {code}"
    missing = [one.why for one in verdicts[1:] if f"{code}" not in one.why]
    # What is badly formed has no code in the other readers.
    return f"not refused for {code}: {missing}" if missing and not code.startswith(
        ("malformed", "tape_")) else ""


def first_words(talla, path, roots):
    """The first line of each verifier's verdict on a true file."""
    native = subprocess.run([talla, "verify", "--root", roots, path], capture_output=True,
                            text=True, check=False)
    python = subprocess.run([sys.executable, os.path.join(TESTS, "verify_bundle.py"), path, roots],
                            capture_output=True, text=True, check=False)
    spanish = subprocess.run([talla, "verify", "--language", "es", "--root", roots, path],
                             capture_output=True, text=True, check=False)
    assert (native.returncode, python.returncode, spanish.returncode) == (4, 4, 4), (native, python)
    told = subprocess.run(["node", os.path.join(HERE, "judge.mjs")], capture_output=True, text=True,
                          check=True, input=json.dumps({"files": [[path, None]], "roots": roots}))
    return [one.stdout.splitlines()[0] for one in (native, python, spanish)] + \
        json.loads(told.stdout)[0]["story"]


def main():
    talla = sys.argv[1]
    three = (judges.Native(talla), judges.Python(), judges.Browser())
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(os.path.join(folder, "authority"))
        stories = honest(Authority(os.path.join(folder, "persons")))
        shown = [story.copy() for story in stories]
        for story in shown:
            del story.more["outcomes"]  # evidence of the order alone is good too
        told = [(f"{one.name}, true", 0, one) for one in stories + shown] + list(tales(stories))
        files = []
        for number, (_, _, story) in enumerate(told):
            path = os.path.join(folder, f"{number}.talla")
            with open(path, "w", encoding="utf-8") as out:
                out.write(story.told(authority))
            files.append((path, None))
        judged = list(zip(*(one.judge(files, authority.roots) for one in three)))
        for line in first_words(talla, files[0][0], authority.roots):
            if not ("LABORATORY, not play: 5 outcomes" in line or
                    "LABORATORIO, no es juego: 5 resultados" in line):
                failed += 1
                print(f"FAILED the first line does not say it: {line}")
    true, lies = 2 * len(stories), len(told) - 2 * len(stories)
    for (name, _, _), verdicts in zip(told[:true], judged[:true]):
        if {verdict.code for verdict in verdicts} != {4}:
            failed += 1
            print(f"FAILED {name}: {verdicts}")
    free = 0
    for (name, code, _), verdicts in zip(told[true:], judged[true:]):
        free += verdicts[0].code != judges.INVALID
        why = wrong(name, code, verdicts)
        if why:
            failed += 1
            print(f"FAILED {name}: {why}", *(f"  {one.name}: {verdict.code} {verdict.why}"
                                             for one, verdict in zip(three, verdicts)), sep="\n")
    print(f"{true} true files, {lies} lies, {free} of them about what no verifier sees, "
          f"{failed} failures")
    return 1 if failed or lies < 150 else 0


if __name__ == "__main__":
    sys.exit(main())
