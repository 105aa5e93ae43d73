#!/usr/bin/env python3
# Goal: every game of every catalogue that the appliance lists as playable is played to its
#   settlement over the API, and its evidence verifies.
# Method: random legal play from the listing and `needs` alone (player.py), so that a new game is
#   played without a word here; the bundles of settlements and of closed shoes through both
#   verifiers.
#   usage: games_test.py FOLDER_OF_PROGRAMS [ROUNDS [SEED]]
import base64
import json
import os
import sys
import traceback

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from calls import mix_body  # noqa: E402
from appliance import record_of  # noqa: E402
from facts import events, main, refused  # noqa: E402
from player import Player  # noqa: E402
from verifier import here  # noqa: E402
from verifier.covered import open_copy, spki_of  # noqa: E402
from verifier.text import Refused  # noqa: E402

ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 2
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 20261121
SEAT = "talla:seat-1"


def verified(appliance, client, seq):
    status, text = client.send("GET", f"/v1/bundles/{seq}")
    assert status == 200, text.decode()
    path = f"{appliance.folder}/{seq}.talla"
    with open(path, "wb") as out:
        out.write(text)
    code, words = appliance.verify(path)
    assert code == 3 and words.startswith("verified:"), f"bundle of {seq}: exit {code}\n{words}"
    second = here.bundle(path, f"{appliance.folder}/ca.pem")
    assert second.returncode == 3, \
        f"the second verifier on {seq}: {second.returncode}\n{second.stdout}{second.stderr}"
    return words


def seat_of(appliance):
    """The enrolled seat's client and its public key."""
    key = spki_of(f"{appliance.folder}/clients/{SEAT}.key")
    return appliance.client(SEAT), base64.b64encode(key).decode()


def turned_cards(client):
    """What each CARD_OPEN says, by shoe, how often that was shuffled again, and position."""
    turned, shuffles = {}, {}
    for event in events(client):
        shoe, body = event.get("object"), json.loads(event["record"])["body"]
        if event["kind"] == "SHOE_RECOMMIT":
            shuffles[shoe] = shuffles.get(shoe, 0) + 1
        if event["kind"] == "CARD_OPEN":
            turned[shoe, body.get("recommits", shuffles.get(shoe, 0)), body["position"]] = body
    return turned


class Looks:
    """Reads each covered card with the key of its seat, and holds it against the card that is
    turned later."""

    def __init__(self, appliance):
        self.appliance, self.seen, self.count = appliance, {}, 0

    def __call__(self, player, shoe, card):
        # positions count from 0 again when the shoe is shuffled again
        again = card.get("recommits", 0)
        path = f"/v1/shoes/{shoe}/cards/{card['position']}?recommits={again}"
        for seat in card.get("seats", []):
            own = seat == player.own_seat
            reader, name = (player.seat_client[0], SEAT) if own else (player.client,
                                                                      "talla:table-1")
            other = player.client if own else player.seat_client[0]
            copies = {copy["seat"]: copy["ciphertext"]
                      for copy in reader.get(path)["card"]["copies"]}
            assert (player.own_seat in copies) == own or len(card["seats"]) > 1, copies
            opening = open_copy(f"{self.appliance.folder}/clients/{name}.key",
                                "talla.local/development", shoe, card["position"], seat,
                                base64.b64decode(copies[seat]), again)
            self.seen[shoe, again, card["position"]], self.count = opening, self.count + 1
            if len(card["seats"]) == 1:
                status, text = other.send("GET", path)
                assert status == 403, f"another key reads it: {status} {text.decode()}"
        if player.seat_client:
            shown = player.seat_client[0].get(f"/v1/rounds/{player.round}")["round"]
            seen = [one for one in shown.get("cards", []) if "card" in one and
                    (one.get("recommits", 0), one["position"]) == (again, card["position"])]
            # The deal may have ended the round: then what the log has turned is shown.
            assert not seen or (shoe, again, card["position"]) in turned_cards(player.client), shown

    def compare(self, client):
        """Every card that was read and turned is the one that was read."""
        turned = turned_cards(client)
        for place, opening in self.seen.items():
            if place in turned:
                assert all(turned[place][name] == opening[name]
                           for name in ("card", "leaf", "path", "salt")), place
        return len(self.seen.keys() & turned.keys())


def play(appliance, client, catalogue, game):
    looks = Looks(appliance)
    player = Player(client, catalogue, game, f"{SEED} {catalogue['id']} {game}",
                    seat_client=seat_of(appliance), looked=looks)
    try:
        for number in range(ROUNDS):
            settlement = player.play(last=number > 0 and number == ROUNDS - 1)
            words = verified(appliance, client, settlement["seq"])
            assert "the rules of the catalogue give exactly" in words, words
            assert all(result["rule"] for result in settlement["body"]["results"]), \
                settlement["body"]
        if looks.count:
            player.tell(f"covered cards read {looks.count}, turned {looks.compare(client)}")
        closed = player.finish()
        if "SHOE_CLOSE" in kinds_of(closed):
            verified(appliance, client, record_of(closed, "SHOE_CLOSE")["seq"])
    except AssertionError as error:
        raise AssertionError(f"{error}\nplay: {player.told[-20:]}") from error
    return player


def kinds_of(reply):
    return {json.loads(one["record"])["kind"] for one in reply["receipts"]}


def every_listed_game_is_played_to_its_settlement_and_both_verifiers_accept_it(appliance):
    client = appliance.client()
    failed, played = [], 0
    print(f"  what is staked and chosen follows from ROUNDS SEED: {ROUNDS} {SEED}", flush=True)
    for catalogue in client.get("/v1/catalogues")["catalogues"]:
        for game in catalogue["games"]:
            if not game["playable"]:
                continue
            played += 1
            try:
                player = play(appliance, client, catalogue, game["id"])
                print(
                    f"  played: {catalogue['id']} {game['id']} ({', '.join(sorted(player.kinds))})",
                    flush=True)
            except Exception:  # noqa: BLE001: the other games are played too
                failed.append(f"{catalogue['id']} {game['id']}")
                print(f"  FAILED: {failed[-1]}\n{traceback.format_exc()}", flush=True)
                client.close()
    assert played > 0 and not failed, f"{len(failed)} of {played} games: {failed}"


def every_shoe_and_draw_of_a_catalogue_is_made_by_its_game_alone(appliance):
    client = appliance.client()
    for catalogue in client.get("/v1/catalogues")["catalogues"]:
        for game in catalogue["games"]:
            if not game["playable"]:
                continue
            equipment = client.get(f"/v1/catalogues/{catalogue['id']}/{game['id']}")["equipment"]
            kinds = {one["need"]: one for one in equipment}
            asked = {"settled_by": "client", "catalogue": catalogue["id"], "game": game["id"]}
            if not kinds:  # a tournament: its hands are dealt at tables of their game
                refused(client, "POST", "/v1/tables", 409, "not_settled_here", asked)
                continue
            table = client.post("/v1/tables", asked)["table"]
            if "shoe" in kinds:
                shoe = client.post(f"/v1/tables/{table['id']}/shoes")["shoe"]
                assert (shoe["cards"], shoe["stop_depth"]) == (kinds["shoe"]["cards_count"],
                                                               kinds["shoe"]["stop_depth"]), shoe
                client.post(f"/v1/shoes/{shoe['id']}/mix", mix_body(client, shoe["id"]))
                client.post(f"/v1/shoes/{shoe['id']}/deal",
                            {"expected": 0, "until": 3, "place": "table", "face": "open"})
            else:
                wanted = kinds["draw"]
                found = table["parameters"]["range"]
                assert found["kind"] == wanted["kind"], (found, wanted)
                assert found.get("pockets", 0) == len(wanted.get("pockets", [])), (found, wanted)
            closed = client.post(f"/v1/tables/{table['id']}/close")
            if "SHOE_CLOSE" in kinds_of(closed):
                verified(appliance, client, record_of(closed, "SHOE_CLOSE")["seq"])


def a_covered_card_is_read_by_its_seat_alone(appliance):
    client = appliance.client()
    table = client.post("/v1/tables",
                        {"settled_by": "client", "deck": "spanish40x1"})["table"]["id"]
    shoe = client.post(f"/v1/tables/{table}/shoes")["shoe"]
    client.post(f"/v1/shoes/{shoe['id']}/mix", mix_body(client, shoe["id"]))
    client.post(f"/v1/shoes/{shoe['id']}/deal",
                {"expected": 0, "until": 1, "place": "hand", "face": "covered", "seat": 3})
    copy = client.get(f"/v1/shoes/{shoe['id']}/cards/0")["card"]["copies"][0]
    key = f"{appliance.folder}/clients/talla:table-1.key"
    data = base64.b64decode(copy["ciphertext"])
    opening = open_copy(key, "talla.local/development", shoe["id"], 0, 3, data)
    for wrong in ((shoe["id"], 1, 3, data), (shoe["id"], 0, 4, data), ("shoe-1", 0, 3, data),
                  (shoe["id"], 0, 3, data[:-1] + bytes([data[-1] ^ 1]))):
        try:
            open_copy(key, "talla.local/development", *wrong)
        except Refused:
            continue
        raise AssertionError(f"opens as {wrong[:3]}")
    opened = record_of(client.post(f"/v1/shoes/{shoe['id']}/open", {"position": 0}), "CARD_OPEN")
    assert {name: opened["body"][name] for name in opening} == opening, (opened["body"], opening)
    verified(appliance, client, opened["seq"])


def shoes_of_every_kind_of_deck_verify(appliance):
    client = appliance.client()
    for deck in ("spanish40x1", "spanish48x2", "french52+1jx1", "french52+4jx8",
                 "french52-234567x1", "spanish40-1x8"):
        table = client.post("/v1/tables", {"settled_by": "client", "deck": deck})["table"]["id"]
        shoe = client.post(f"/v1/tables/{table}/shoes", {"stop_depth": 5})["shoe"]
        client.post(f"/v1/shoes/{shoe['id']}/mix", mix_body(client, shoe["id"]))
        dealt = client.post(f"/v1/shoes/{shoe['id']}/deal",
                            {"expected": 0, "until": 12, "place": "table", "face": "open"})
        verified(appliance, client, record_of(dealt, "CARD_DEAL")["seq"])
        closed = client.post(f"/v1/tables/{table}/close")
        words = verified(appliance, client, record_of(closed, "SHOE_CLOSE")["seq"])
        assert "the whole shuffle" in words, words


def enrol_a_seat(appliance):
    appliance.talla("keys", "client", appliance.folder, SEAT, "--role", "seat", check=True)


if __name__ == "__main__":
    main([a_covered_card_is_read_by_its_seat_alone, shoes_of_every_kind_of_deck_verify,
          every_shoe_and_draw_of_a_catalogue_is_made_by_its_game_alone,
          every_listed_game_is_played_to_its_settlement_and_both_verifiers_accept_it],
         before=enrol_a_seat)
