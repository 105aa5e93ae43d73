#!/usr/bin/env python3
# Goal: a game of bingo with 2,000 cards, more than one record holds, is played over the API to its
#   settlement and verifies offline; so does a small one in a single record. es-1977 10.
# Method: the winners are found here from the numbers of the cards and the order of the balls; bets
#   and results in the log are put together from their numbered parts; kill -9 behind the sale; one
#   record of the bundle left out.
#   usage: bingo_test.py FOLDER_OF_PROGRAMS
import json
import os
import random
import subprocess
import sys

from facts import mix_shoe, events, game_table, main, refused
from play_test import SECOND_VERIFIER, verified

PRICE = 100


def cards_of(count, seats, rng):
    """Different cards of fifteen numbers, as they are spelled: row by row."""
    return [{"id": f"c{i}", "seat": 1 + i % seats, "kind": "carton", "stake": PRICE,
             "on": [str(number) for number in rng.sample(range(1, 91), 15)]} for i in range(count)]


def complete(numbers, balls):
    return set(numbers) <= set(balls)


def claims(cards, balls, line_out, bingo):
    """Who may announce on the last ball: (card, action)."""
    last, found = balls[-1], []
    for card in cards:
        if last not in card["on"]:
            continue
        rows = [card["on"][5 * row:5 * row + 5] for row in range(3)]
        if line_out is None and any(last in row and complete(row, balls) for row in rows):
            found.append((card["id"], card["seat"], "linea"))
        if complete(card["on"], balls) and card["id"] not in bingo:
            found.append((card["id"], card["seat"], "bingo"))
    return found


def hall(client, count, seats):
    """Table, shoe, round, and the cards that will be sold."""
    table = game_table(client, "bingo", minimum=PRICE, series_size=4000)
    shoe = mix_shoe(client, table)["id"]
    opened = client.post(f"/v1/tables/{table}/rounds")["round"]["id"]
    return table, shoe, opened, cards_of(count, seats, random.Random(count))


def play_out(client, shoe, opened, cards):
    """Balls until somebody has everything: the final view, line winners, bingo winners."""
    state, balls, line, bingo, position = client.get(f"/v1/rounds/{opened}")["round"], [], [], [], 0
    while state["state"] != "ended":
        due = claims(cards, balls, line or None, bingo) if balls else []
        decisions = sorted((choice["bet"], need["seat"], choice["do"]) for need in state["needs"]
                           if need["need"] == "decide" for choice in need["choices"])
        assert decisions == sorted(due), (decisions, due, balls)
        if not due:
            reply = client.post(f"/v1/shoes/{shoe}/deal", {"expected": position, "until": 1})
            balls.append(reply["cards"][0]["card"][1:])
            position, state = position + 1, reply["round"]
            continue
        for card, seat, action in due:
            (line if action == "linea" else bingo).append(card)
            state = client.post(f"/v1/rounds/{opened}/actions",
                                {"expected_state": state["state_digest"], "seat": seat,
                                 "do": action, "bet": card})["round"]
    return state, line, bingo


def whole(client, kind, name, opened):
    """The list of a content from its numbered parts in the log, and how many records it took."""
    records = [json.loads(one["record"]) if isinstance(one["record"], str) else one["record"]
               for one in events(client) if one["kind"] == kind and one["object"] == opened]
    numbers = [(record["body"].get("part"), record["body"].get("parts")) for record in records]
    if len(records) > 1:
        assert numbers == [(i + 1, len(records)) for i in range(len(records))], numbers
        assert [record["seq"]
                for record in records] == list(range(records[0]["seq"],
                                                     records[0]["seq"] + len(records)))
    return [entry for record in records for entry in record["body"][name]], len(records)


def a_game_of_two_thousand_cards_is_sold_played_and_verified(appliance):
    client = appliance.client()
    table, shoe, opened, cards = hall(client, 2000, 300)
    client.post(f"/v1/rounds/{opened}/close-bets", {"bets": cards})
    appliance.kill()
    appliance.start()
    client = appliance.client()
    refused(client, "POST", f"/v1/rounds/{opened}/close-bets", 409, "bets_not_open",
            {"bets": cards[:2]})
    state, line, bingo = play_out(client, shoe, opened, cards)
    bets, parts = whole(client, "BETS_CLOSED", "bets", opened)
    assert bets == cards and parts > 5, parts
    results, parts = whole(client, "SETTLEMENT", "results", opened)
    assert parts > 4 and [one["bet"] for one in results] == [card["id"] for card in cards]
    assert {one["bet"] for one in results if one["result"] == "win"} == set(line) | set(bingo), \
        (line, bingo)
    assert state["results"] == results
    path = verified(appliance, client, state["settlement"])
    refused(client, "GET", f"/v1/bundles/{state['settlement'] - 1}", 404, "not_found")
    without_a_part_it_is_refused(appliance, path)
    client.post(f"/v1/tables/{table}/close")


def without_a_part_it_is_refused(appliance, path):
    bundle = json.load(open(path, encoding="utf-8"))
    second = [i for i, one in enumerate(bundle["records"])
              if json.loads(one["record"])["body"].get("part") == 2]
    for index in second:
        changed = {**bundle, "records": bundle["records"][:index] + bundle["records"][index + 1:]}
        damaged = f"{appliance.folder}/damaged.talla"
        with open(damaged, "w", encoding="utf-8") as out:
            out.write(json.dumps(changed, sort_keys=True, separators=(",", ":"),
                                 ensure_ascii=False))
        assert appliance.verify(damaged)[0] == 1
        other = subprocess.run([sys.executable, SECOND_VERIFIER, damaged,
                                f"{appliance.folder}/ca.pem"], capture_output=True, timeout=60,
                               check=False)
        assert other.returncode == 1, other.stdout
        os.remove(damaged)
    assert len(second) == 2, "one of the bets, one of the results"


def a_game_of_few_cards_is_one_record(appliance):
    client = appliance.client()
    table, shoe, opened, cards = hall(client, 20, 6)
    client.post(f"/v1/rounds/{opened}/close-bets", {"bets": cards})
    state, line, bingo = play_out(client, shoe, opened, cards)
    assert whole(client, "BETS_CLOSED", "bets", opened) == (cards, 1)
    results, parts = whole(client, "SETTLEMENT", "results", opened)
    assert parts == 1 and \
        {one["bet"] for one in results if one["result"] == "win"} == set(line) | set(bingo)
    verified(appliance, client, state["settlement"])
    client.post(f"/v1/tables/{table}/close")


if __name__ == "__main__":
    main([a_game_of_few_cards_is_one_record,
          a_game_of_two_thousand_cards_is_sold_played_and_verified])
