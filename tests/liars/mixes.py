"""An order that is mixed until it suits, or given away though each round mixes it anew; an answer
to one's own call; and a file whose results rest on the reader's own key, or do not (FORMAT sections
7 to 9)."""
import base64
import hashlib
import json
import os
import subprocess
import sys

import judges
from forge import BETS
from machines import released, reported
from seats import Contributor
from story import sha256
from tales import VERIFIED, coups, fresh, played, tale

HERE = os.path.dirname(os.path.abspath(__file__))


@tale("mix_twice")
def an_order_mixed_until_it_suits(authority):
    table = fresh(authority)
    table.mix(coups(1))
    table.burn()
    played(table)
    return table


def given_away(authority, each_round):
    """A machine has the order before the first card, and reports that it is what it was given."""
    table = fresh(authority, **{"mix": "round"} if each_round else {})
    reported(released(table), recognised=table.shoe.count, result="match", census="complete",
             seen="55" * 32)
    table.burn()
    game = table.begin()
    if each_round:
        table.mix(coups(1, lambda shoe: shoe.dealt), BETS, game)
    table.settle(game, *table.coup(game))
    return table


@tale(tries=0, printed="the order was known to")
def an_order_that_a_machine_has(authority):
    return given_away(authority, False)


@tale("release_early")
def an_order_given_away_that_each_round_mixes(authority):
    return given_away(authority, True)


def answered(authority, origin):
    """The log also says what a client of it has opened behind a call of `origin`; None: its own."""
    person = Contributor(authority, "partner-1")
    table = fresh(authority)
    table.burn()
    opening = table.opening if origin is None else sha256(b"a TABLE_OPEN of the house")
    call = next(one for one in table.records if one["kind"] == "CALL")
    core = {**call["body"]["core"], "others": [person.named(opening)]}
    core["origin"] = origin or core["origin"]
    last = table.records[-1]
    envelope = {name: last[name] for name in ("v", "origin", "boot", "time", "time_quality")}
    table._push({**envelope, "seq": last["seq"] + 1, "kind": "ANSWER", "cites": [],
                 "client": table.open["client"],
                 "body": {"core": core, "opening": opening.hex(), "id": person.name,
                          **person.opened(opening, core)}})
    played(table)
    return table


@tale(tries=0)
def an_answer_to_another_log(authority):
    return answered(authority, "house.example/talla-1")


@tale("answer_own")
def an_answer_to_its_own_log(authority):
    return answered(authority, None)


def not_mine(talla, path, roots):
    """The key that the call of this bundle names has its number in the order, and no other key has:
    how often a verifier says something else."""
    with open(path, encoding="utf-8") as file:
        records = [json.loads(one["record"]) for one in json.load(file)["records"]]
    named, = next(one for one in records if one["kind"] == "CALL")["body"]["core"]["others"]
    own = hashlib.sha256(base64.b64decode(named["key"])).hexdigest()
    python = os.path.join(os.path.dirname(HERE), "verify_bundle.py")
    failed = 0
    for mine, code in ((own, VERIFIED), ("00" * 32, judges.INVALID)):
        told = []
        for asked in ([talla, "verify", "--root", roots, path],
                      [sys.executable, python, path, roots]):
            done = subprocess.run([*asked, "--mine", mine], capture_output=True, text=True)
            told.append((done.returncode, done.stdout + done.stderr))
        verdict, = judges.Browser().judge([(path, None)], roots, mine)
        for got, words in (*told, (verdict.code, verdict.why)):
            if got != code or (code == judges.INVALID) != ("not_mine" in words):
                failed += 1
                print(f"FAILED not_mine, {mine}: {got} {words}")
    return failed
