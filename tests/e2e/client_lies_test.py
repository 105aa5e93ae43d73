#!/usr/bin/env python3
# Goal: no client of rngd/sdk/client, nor talla, goes on from a reply that is not true, whoever
#   signed it.
# Method: the real daemon behind a liar with the appliance's own TLS key and, for forgeries, the
#   log's key too (client_lies.py, client_forgeries.py, client_ends.py); each client plays until it
#   is lied to, and must stop at that reply with a reason. Who can wait for contributors (all but
#   talla, which names none) is lied to about the end of its call too; talla contribute is there.
#   usage: client_lies_test.py FOLDER_OF_PROGRAMS [CLIENT [LIE]]
import json
import os
import re
import sys

from appliance import Appliance
from client_ends import ENDS
from client_forgeries import FORGERIES
from client_liar import Liar
from client_lies import LIES
from client_seat import Seat, commands, players
from contribute_test import Partner
from facts import events, hold, wait_for

ALL = LIES | FORGERIES
WANTED = sys.argv[3:]


def caught(appliance, seat, lie, words_for_it):
    with Liar(appliance, seat.id, lie) as liar:
        seat.through(liar.port)
        for file in ("journal", "books"):
            if os.path.exists(f"{seat.folder}/{file}"):
                os.remove(f"{seat.folder}/{file}")
        how = ["roulette"] if hasattr(lie, "spins") else \
            ["contributors"] if hasattr(lie, "of_ends") else []
        # A wheel's pocket 0 has the number 0; who contributes may be late, later on a busy machine.
        for _ in range(24):
            player = seat.start(3, 2, *how)  # one may have lost its bets to the lie before
            words = player.communicate(timeout=900)[0]
            if liar.lied or not how:
                break
        assert liar.lied, f"there was nothing to lie about\n{words}"
        assert player.returncode == 3 and "not believed" in words, (
            f"exit {player.returncode}: {words}")
        assert re.search(words_for_it, words), f"for another reason: {words}"


def catches_every_lie(name, seat, lies, what):
    def fact(appliance):
        missed = []
        for lie, words_for_it in lies.items():
            if WANTED and lie.__name__ not in WANTED:
                continue
            try:
                caught(appliance, seat, lie, words_for_it)
            except AssertionError as why:
                missed.append(f"{lie.__name__}: {why}")
        assert not missed, f"{len(missed)} of {len(lies)}\n" + "\n".join(missed)
    fact.__name__ = f"the_{name}_client_catches_every_lie_{what}at_once"
    return fact


def believes_the_truth(name, seat):
    def fact(appliance):
        seat.through(appliance.port)
        player = seat.start(1, 0, "roulette")
        words = player.communicate(timeout=900)[0]
        assert player.returncode == 0, words
        drawn = re.search(r"^drawn: ([0-9]+)$", words, re.M)
        last = [json.loads(one["record"]) for one in events(appliance.client("talla:auditor-1"))
                if one["kind"] == "SETTLEMENT"
                and json.loads(one["record"])["client"]["id"] == seat.id][0]
        told = appliance.client("talla:auditor-1").get(f"/v1/rounds/{last['object']}")["round"]
        assert drawn and told["outcome"] == [drawn[1]], (words, told)
    fact.__name__ = f"the_{name}_client_believes_a_spin_and_reads_the_number_on_the_pocket"
    return fact


def there_are_many_ways_to_lie():
    assert len(LIES) + len(FORGERIES) == len(ALL) >= 70, len(ALL)
    assert len(ENDS) >= 18, len(ENDS)


def there_is_who_contributes(appliance, partner):
    partner.start()
    wait_for("it contributes", lambda: any(one["event"] == "contributes"
                                           for one in partner.events()))


if __name__ == "__main__":
    only = sys.argv[2:3]
    failed = hold([there_are_many_ways_to_lie])
    with Appliance(sys.argv[1]) as real:
        there = players(sys.argv[1]) | commands(sys.argv[1])
        seats = {name: Seat(real, name, command) for name, command in there.items()
                 if not only or name in only}
        partner = Partner(real)
        real.start()
        if not WANTED:
            failed += hold([believes_the_truth(*one) for one in seats.items()], real)
        failed += hold([catches_every_lie(*one, ALL, "") for one in seats.items()], real)
        failed += hold([there_is_who_contributes], real, partner)
        failed += hold([catches_every_lie(*one, ENDS, "about_the_end_of_a_call_")
                        for one in seats.items() if one[0] in players(sys.argv[1])], real)
        partner.kill()
        if failed:
            print(f"--- the daemon's log\n{real.log()[-4000:]}")
    sys.exit(1 if failed else 0)
