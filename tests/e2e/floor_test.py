#!/usr/bin/env python3
# Goal: the appliance's page shows in a real Chromium what the records say, verifies a real round on
#   a phone, and lets people stop the appliance and start it again.
# Method: tables played over the API on one appliance; what the page must show is taken from its
#   records; tests/web/real_page.mjs looks and acts. usage: floor_test.py FOLDER_OF_PROGRAMS
import json
import os
import shutil
import subprocess
import sys

from appliance import Appliance, free_ports
from player import Player

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SPINS = 6


def table_at(client, catalogue, game, place):
    """A player whose table stands at this place."""
    send = client.post
    client.post = lambda path, body=None, key=None: send(
        path, dict(body, place=place) if path == "/v1/tables" else body, key)
    try:
        return Player(client, catalogue, game, f"the floor, {game}")
    finally:
        del client.post


def records_of(client, table):
    found, after = [], -1
    while True:
        page = client.get(f"/v1/events?after={after}&limit=1000&table={table}")
        found += [json.loads(one["record"]) for one in page["events"]]
        if not page["more"]:
            return found
        after = page["next"]


def facts(appliance):
    client = appliance.client()
    catalogue = next(one for one in client.get("/v1/catalogues")["catalogues"]
                     if one["id"] == "es-1977")
    wheel = table_at(client, catalogue, "french-roulette", "Ruleta 1")
    cards = table_at(client, catalogue, "blackjack", "Mesa 7")
    for _ in range(SPINS):
        wheel.play()
    for _ in range(2):
        settled = cards.play()
    pockets = next(one for one in wheel.game["equipment"] if one["kind"] == "wheel")["pockets"]
    drawn = [record["body"]["outcome"]["pocket"] for record in records_of(client, wheel.table)
             if record["kind"] == "DRAW"]
    own = [record for record in records_of(client, cards.table)
           if record["kind"] == "CARD_DEAL" and record["body"].get("round") == settled["object"]]
    return {"numbers": [str(pockets[index]) for index in reversed(drawn)],
            "round": settled["object"], "results": len(settled["body"]["results"]),
            "cards": sum("card" in one["body"] for one in own)}


def with_public(text):
    return text + f"\n[public]\nenabled = true\nport = {free_ports(1)[0]}\n"


if __name__ == "__main__":
    with Appliance(sys.argv[1], edit_config=with_public) as one:
        one.start()
        with open(f"{one.folder}/facts.json", "w") as file:
            json.dump(facts(one), file)
        done = subprocess.run([shutil.which("node"), f"{ROOT}/tests/web/real_page.mjs", one.folder,
                               str(one.port)])
        sys.exit(done.returncode)
