#!/usr/bin/env python3
# Goal: through each client of rngd/sdk/client (Python, C, node) a table that keeps losing its
#   connection, is killed and comes back, and whose appliance is killed, plays draws and settled
#   rounds, each exactly once.
# Method: the real daemon behind a proxy that cuts at random (seed printed, TALLA_SEED=n plays it
#   again); the client's books against the log as an auditor reads it, and claims through both
#   offline verifiers. An appliance that lies: client_lies_test.py.
#   usage: client_test.py FOLDER_OF_PROGRAMS
import collections
import json
import os
import random
import subprocess
import sys
import time

from appliance import Appliance, seed_of_this_run
from client_seat import Seat, players
from cutting_proxy import FATES, CuttingProxy
from facts import events, hold
from play_test import verified

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "rngd", "sdk", "client", "python"))
from talla_client import Lapsed, Table  # noqa: E402

WHEEL = {"settled_by": "client", "range": {"kind": "wheel", "pockets": 37}}
PLAY = {"python": (60, 4), "node": (100, 6), "c": (200, 10)}  # draws, rounds
KILLS = 3
SEED = seed_of_this_run()


def records_in(replies):
    return {record["seq"]: record for reply in replies
            for record in (json.loads(one["record"]) for one in reply.get("receipts", []))}


def lines(path):
    return open(path, "rb").read().count(b"\n") if os.path.exists(path) else 0


def played_to_the_end(seat, chance, play):
    """The player is killed when its books have come to three random lengths, the daemon at one
    of them; then it plays to the end."""
    killed = collections.Counter()
    for length in sorted(chance.sample(range(4, play[0]), KILLS)):
        player = seat.start(*play)
        while lines(f"{seat.folder}/books") < length:
            if player.poll() is not None:
                raise AssertionError(f"exit {player.returncode}: {player.communicate()[0]}")
            time.sleep(0.002)
        if not killed["daemon"]:
            seat.appliance.kill()
            killed["daemon"] += 1
            seat.appliance.start()
        player.kill()
        player.communicate()
        killed["player"] += 1
    player = seat.start(*play)
    words = player.communicate(timeout=900)[0]
    assert player.returncode == 0, f"exit {player.returncode}: {words}"
    return killed


def judge(appliance, seat, draws, rounds):
    """The books hold exactly the client's records of the log, each act once."""
    books = records_in(seat.replies())
    auditor = appliance.client("talla:auditor-1")
    log = {}
    for event in events(auditor):
        record = event["record"] if isinstance(event["record"],
                                               dict) else json.loads(event["record"])
        if record.get("client", {}).get("id") == seat.id:
            log[record["seq"]] = record
    assert books == log, \
        f"only in the books: {sorted(set(books) - set(log))}, " \
        f"only in the log: {sorted(set(log) - set(books))}"
    kinds = collections.Counter(record["kind"] for record in log.values())
    assert (kinds["CALL"] - kinds["SHOE_MIX"], kinds["DRAW"]) == (draws, draws), kinds
    assert kinds["TABLE_OPEN"] == kinds["TABLE_CLOSE"] == 2, kinds
    assert kinds["ROUND_OPEN"] == kinds["BETS_CLOSED"] == kinds["SETTLEMENT"] == kinds[
        "ROUND_END"] == rounds, kinds
    requests = collections.defaultdict(set)
    for record in log.values():
        requests[record["key"]].add(record["request"])
    assert all(len(one) == 1 for one in requests.values()), "a key of two requests"
    acts = collections.Counter((record["kind"], record["key"]) for record in log.values()
                               if record["kind"] not in ("CARD_DEAL", "CARD_OPEN", "BATCH_CLOSE"))
    assert set(acts.values()) == {1}, [act for act, count in acts.items() if count > 1]
    cores = [record["body"]["core"] for record in log.values() if record["kind"] == "CALL"]
    assert len({core["value"] for core in cores}) == len(cores), "a number of the table twice"
    for table in {core["table"] for core in cores}:
        turns = [core["turn"] for core in cores if core["table"] == table]
        assert turns == list(range(1, len(turns) + 1)), turns
    for shoe in {record["object"] for record in log.values() if record["kind"] == "CARD_DEAL"}:
        positions = [record["body"]["position"] for record in log.values()
                     if record["kind"] == "CARD_DEAL" and record["object"] == shoe]
        assert positions == list(range(len(positions))), positions
    claims = [seq for seq, record in log.items()
              if record["kind"] in ("DRAW", "SETTLEMENT", "SHOE_CLOSE")]
    for seq in claims[::len(claims) // 8] + claims[-2:]:
        verified(appliance, auditor, seq)
    return log, len(requests)


def a_table_that_keeps_losing_its_connection_does_everything_once(appliance, name, number):
    chance = random.Random(SEED + number)
    proxy = CuttingProxy(appliance.port, SEED + number)
    seat = Seats[name]
    seat.through(proxy.port)
    begin = time.monotonic()
    killed = played_to_the_end(seat, chance, PLAY[name])
    took = time.monotonic() - begin
    proxy.close()
    log, asked = judge(appliance, seat, *PLAY[name])
    print(f"{name}: {asked} requests that made {len(log)} records in {took:.1f} s, "
          f"{proxy.turns} turns, cut {dict(proxy.counts)}, killed {dict(killed)}")
    assert all(proxy.counts[fate] >= 3 for fate in FATES[:-1]), f"seldom cut: {proxy.counts}"


def a_broken_stream_of_events_goes_on_behind_the_last_one(appliance, name):
    seat = Seats[name]
    log = [event["seq"] for event in events(appliance.client(seat.id))]
    proxy = CuttingProxy(appliance.port, SEED, share=0, stream_share=0.2, streams_cut=3, piece=4096)
    seat.through(proxy.port)
    done = subprocess.run([*seat.command, seat.folder, "events", str(log[-1])], capture_output=True,
                          text=True, timeout=900)
    proxy.close()
    seen = [int(line) for line in done.stdout.split()]
    assert done.returncode == 0 and seen == log, \
        f"exit {done.returncode}, {len(seen)} of {len(log)}: {done.stderr}"
    assert proxy.counts["inside a stream"] >= 3, proxy.counts


Seats = {}


def a_call_that_does_not_stand_lapses_and_the_next_one_is_free(appliance):
    """The client shows its number, gets a VOID that carries it, and goes on with the next turn."""
    seat = Seats["python"]
    seat.through(appliance.port)
    table = Table(seat.folder)
    wheel = table.post("/v1/tables", WHEEL)["table"]["id"]
    assert table.draw(wheel)["draw"]["index"] == 0
    caller = table.evidence.callers[wheel]
    changes = [("game", lambda: caller.fixed.update(game="whist"), "core_mismatch", True),
               ("index", lambda: table.evidence.batches[wheel].update(index=9), "wrong_index",
                False)]
    for what, change, code, opens in changes:
        kept = dict(caller.fixed)
        change()
        try:
            table.draw(wheel)
        except Lapsed as lapsed:
            assert lapsed.problem["code"] == code, (what, lapsed)
            assert ("outcome" in lapsed.problem) == opens, (what, lapsed.problem)
            verified(appliance, appliance.client("talla:auditor-1"), lapsed.problem["seq"])
        else:
            raise AssertionError(f"another {what} did not lapse")
        caller.fixed = kept
        drawn = table.draw(wheel)
        verified(appliance, appliance.client("talla:auditor-1"), drawn["draw"]["seq"])
    assert caller.turn == 6, caller.turn
    closed = table.post(f"/v1/tables/{wheel}/close")
    record = json.loads(closed["receipts"][-1]["record"])
    assert (record["body"]["turns"], record["body"]["voids"]) == (5, 2), record


def facts_of(name, number):
    def plays(appliance):
        a_table_that_keeps_losing_its_connection_does_everything_once(appliance, name, number)

    def streams(appliance):
        a_broken_stream_of_events_goes_on_behind_the_last_one(appliance, name)
    plays.__name__ = f"through_the_{name}_client_a_table_that_keeps_losing_its_connection_" \
        "does_everything_once"
    streams.__name__ = "a_broken_stream_of_events_goes_on_behind_the_last_one_through_the_" \
        f"{name}_client"
    return [plays, streams]


if __name__ == "__main__":
    with Appliance(sys.argv[1]) as real:
        commands = players(sys.argv[1])
        for player_name, command in commands.items():
            Seats[player_name] = Seat(real, player_name, command)
        real.start()
        failed = hold([fact for number, player_name in enumerate(commands)
                       for fact in facts_of(player_name, number)] +
                      [a_call_that_does_not_stand_lapses_and_the_next_one_is_free], real)
        if failed:
            print(f"--- the daemon's log\n{real.log()[-4000:]}")
    sys.exit(1 if failed else 0)
