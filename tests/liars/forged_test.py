#!/usr/bin/env python3
# Goal: a liar who makes a whole table, shuffles, mixes and deals it himself, gets no second try
#   that nobody sees: each lie is refused for a rule of its own, or counted as a repetition, or is a
#   row of certs/LIMITS.md and printed. Beside each lie stands honest play that is taken and not
#   counted.
# Method: tables of forge.py, signed by root, log and table; three verifiers. Honest ones beside the
#   lies differ from them in the one thing that is the lie; those of honest.py are of every deck,
#   face and policy. Lies of ruled.py break one rule each. usage: forged_test.py TALLA (node,
#   openssl)
import hashlib
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import honest  # noqa: E402
import judges  # noqa: E402
import machines  # noqa: E402,F401
import mixes  # noqa: E402
import neighbours  # noqa: E402
import orders  # noqa: E402
import ruled  # noqa: E402
import steps  # noqa: E402,F401
import succeeded  # noqa: E402
from authority import Authority  # noqa: E402
from forge import BETS, Table  # noqa: E402
from liars_test import Rows, prints  # noqa: E402
from seats import Contributor  # noqa: E402
from tales import TALES, VERIFIED, coups, fresh, played, tale  # noqa: E402

LEAST_HONEST = 40

# ---- A settlement, once and when the round is over

@tale(tries=0)
def honest_rounds(authority):
    table = fresh(authority, coups(2))
    table.burn()
    played(table, end=True)
    played(table)
    return table


@tale(rules="round_unfinished", tries=0)
def settled_before_its_cards(authority):
    table = fresh(authority)
    table.burn()
    game = table.begin()
    after = {"bets": BETS, "dealing": True, "shoe": "in-play"}
    table.settle(game, [], after, [table.closed])
    return table


@tale("round_settled")
def settled_twice(authority):
    table = fresh(authority)
    table.burn()
    game = table.begin()
    table.settle(game, [], {"bets": BETS, "dealing": True, "shoe": "in-play"}, [table.closed])
    table.settle(game, *table.coup(game))
    return table


@tale("round_settled")
def card_behind_the_settlement(authority):
    table = fresh(authority)
    table.burn()
    game = played(table)[0]
    table.deal("punto-3", "open", game)
    return table


def mixed_rounds(authority, settled, bets=True):
    """Where each round is mixed, a round with a bad order is given up for the next one."""
    table = fresh(authority, mix="round")
    table.burn()
    game = table.begin(bets=bets)
    table.mix(bets=BETS if bets else [], game=game)
    if settled:
        table.settle(game, [], {"shoe": "in-play"}, [table.closed])
    table.end(game, {"shoe": "in-play"})
    game = table.begin()
    table.mix(coups(1, lambda shoe: shoe.dealt), BETS, game)
    table.settle(game, *table.coup(game))
    return table


@tale(tries=1)
def round_settled_with_nothing(authority):
    return mixed_rounds(authority, True)


@tale(tries=1)
def round_given_up(authority):
    return mixed_rounds(authority, False)


# ---- Shoes thrown away

@tale(tries=0)
def honest_stop_card(authority):
    """Of a table whose client settles: all but the cards behind the stop card are dealt."""
    table = Table(authority, "shoe")
    table.commit(stop_depth=5)
    table.mix()
    while table.shoe.dealt < table.shoe.count - 5:
        table.deal("p", "unseen")
    table.close("stop_card")
    return next_shoe(table)


@tale(tries=0)
def honest_end_of_a_shoe(authority):
    """One is dealt out, and one was never mixed."""
    table = Table(authority, "shoe")
    table.commit()
    table.mix()
    while table.shoe.dealt < table.shoe.count:
        table.deal("p", "unseen")
    table.close("ended")
    table.commit()
    table.close("ended")
    return next_shoe(table)


def next_shoe(table):
    table.commit()
    table.mix()
    table.deal("p")
    return table


@tale("stop_card_early")
def stop_card_of_a_shoe_without(authority):
    table = Table(authority, "shoe")
    table.commit(stop_depth=0)
    table.mix()
    table.deal("p")
    table.close("stop_card")
    return next_shoe(table)


@tale("stop_card_early")
def stop_card_before_its_place(authority):
    table = fresh(authority)
    table.close("stop_card")
    table.commit()
    table.mix(coups(1))
    table.burn()
    played(table)
    return table


@tale(tries=1)
def stop_card_near_the_top(authority):
    """The client asks for a stop card that stands before almost all cards."""
    table = Table(authority, "shoe")
    table.commit(stop_depth=400)
    table.mix()
    while table.shoe.dealt < table.shoe.count - 400:
        table.deal("p", "unseen")
    table.close("stop_card")
    return next_shoe(table)


@tale(rules="event_wrong", tries=3)
def shoes_ended(authority):
    table = fresh(authority)
    for _ in range(3):
        table.close("ended")
        table.commit()
        table.mix(coups(1))
    table.burn()
    played(table)
    return table


@tale(tries=3)
def shoes_shuffled_again(authority):
    """Rules that never shuffle again, between two rounds."""
    table = fresh(authority, coups(2))
    table.burn()
    game, _, after, _ = played(table)
    table.end(game, after)
    for _ in range(3):
        table.recommit()
        table.mix()
        table.deal("basket", "unseen")
    return table


@tale(rules="event_wrong", tries=1)
def shoe_exchanged_behind_the_bets(authority):
    table = fresh(authority)
    table.burn()
    game = table.begin()
    table.close("ended")
    table.commit()
    table.mix(coups(1), BETS, game)
    burned = table.burn(game=game)
    results, after, cites = table.coup(game)
    table.settle(game, results, after, burned + cites)
    return table


# ---- Cards thrown away

@tale(rules="card_undue", tries=0)
def cards_discarded_before_the_first_round(authority):
    table = fresh(authority, coups(1, lambda shoe: shoe.first_coup() + 3))
    table.burn()
    for _ in range(3):
        table.deal("basket", "unseen")
    played(table)
    return table


@tale(rules="card_undue", tries=0)
def burns_left_out(authority):
    table = fresh(authority, coups(1, lambda shoe: shoe.first_coup() - 1))
    table.burn(less=1)
    played(table)
    return table


@tale("card_undue")
def cards_discarded_between_rounds(authority):
    def both(shoe):
        first = shoe.first_coup()
        return coups(1)(shoe) and coups(1, lambda shoe: first + 5)(shoe)
    table = fresh(authority, both)
    table.burn()
    played(table, end=True)
    table.deal("basket", "unseen")
    played(table)
    return table


@tale(tries=0)
def honest_contributor(authority):
    """Nobody chooses: the shoe is dealt as it comes, with the number of a seat."""
    table = Table(authority, people=[Contributor(authority, "seat-1")])
    table.commit()
    table.mix()
    table.burn()
    return table


def wrong(name, verdicts, rows):
    """What is wrong with these verdicts; empty: nothing."""
    _, refused, rules, tries, printed = TALES[name]
    codes = [verdict.code for verdict in verdicts]
    wanted = [judges.INVALID] * 3 if refused else \
        [judges.INVALID, VERIFIED, VERIFIED] if rules else [VERIFIED] * 3
    if codes != wanted:
        return f"exit codes {codes}, not {wanted}"
    code = refused or rules
    if code and verdicts[0].rule != code:
        return f"refused by C++ for {verdicts[0].rule}, not {code}"
    if refused and any(code not in verdict.why for verdict in verdicts):
        return f"not refused for {code} by all"
    if rules:
        words = rows.printed(name)
        if words is None:
            return "no row of LIMITS.md has it"
        if not words or not prints(verdicts[1:], words):
            return f"the two others do not print: {words}"
    if printed and not prints([one for one in verdicts if one.code == VERIFIED], printed):
        return f"taken without the line: {printed}"
    taken = [verdict.repetitions for verdict in verdicts if verdict.code == VERIFIED]
    if tries is not None and set(taken) - {tries}:
        return f"repetitions {taken}, not {tries}"
    return ""


def named_catalogue(talla, files, roots):
    """Rules that nobody knows are named in the first line of `talla verify`, and the fourth of
    tests/verify_bundle.py, but to a reader who gives them. How often they are not so."""
    path = files["rules_that_nobody_knows"][0]
    with open(path, encoding="utf-8") as file:
        rules = json.load(file)["catalogue"].encode()
    digest, given = hashlib.sha256(rules).hexdigest(), path + ".toml"
    with open(given, "wb") as out:
        out.write(rules)
    python = os.path.join(os.path.dirname(HERE), "verify_bundle.py")
    failed = 0
    for asked, line in (([talla, "verify", "--root", roots, path], 0),
                        ([sys.executable, python, path, roots], 3)):
        for more in ([], ["--catalogue", given]):
            said = subprocess.run(asked + more, capture_output=True, text=True).stdout.splitlines()
            named = digest in said[line] and "UNKNOWN" in said[line]
            if named == bool(more) or more and any(digest in one for one in said):
                failed += 1
                print(f"FAILED the unknown catalogue, {asked[0]} {more}: {said[line]}")
    return failed


def main():
    three = (judges.Native(sys.argv[1]), judges.Python(), judges.Browser())
    rows, failed = Rows("Whole tables that only a verifier that settles sees through"), 0
    with tempfile.TemporaryDirectory() as folder:
        authority, files = Authority(os.path.join(folder, "authority")), []
        for name, (make, *_) in TALES.items():
            files.append((os.path.join(folder, f"{name}.talla"), None))
            with open(files[-1][0], "w", encoding="utf-8") as out:
                out.write(make(authority).told())
        judged = list(zip(*(one.judge(files, authority.roots) for one in three)))
        failed += named_catalogue(sys.argv[1], dict(zip(TALES, files)), authority.roots)
        failed += mixes.not_mine(sys.argv[1], dict(zip(TALES, files))["honest_contributor"][0],
                                 authority.roots)
    for name, verdicts in zip(TALES, judged):
        why = wrong(name, verdicts, rows)
        if why:
            failed += 1
            print(f"FAILED {name}: {why}", *(f"  {one.name}: {verdict.code} {verdict.why}"
                                             for one, verdict in zip(three, verdicts)), sep="\n")
    for pattern in rows.unused():
        failed += 1
        print(f"FAILED no lie needs the row {pattern} of LIMITS.md")
    honest_tales = len([name for name in TALES if name.startswith("honest_")])
    codes = {one for _, *refused, _, _ in TALES.values() for one in refused if one}
    print(f"{len(TALES)} tables, {honest_tales} of them honest and taken by all, "
          f"lies of {len(codes)} rules, {failed} failures")
    return 1 if failed or honest_tales < LEAST_HONEST else 0


if __name__ == "__main__":
    sys.exit(main())
