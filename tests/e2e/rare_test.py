#!/usr/bin/env python3
# Goal: what seldom happens at a table, over the API: jackpots in METER records, errors of the deal,
#   limits changed in a session, covered cards asked for by those who may not, hands that are thrown
#   away unseen.
# Method: expected amounts from the words of the text (03 V.1.f, V.3.c of Euskadi; 01 2.B for
#   limits); every record read back from the log; bundles through both verifiers and searched for
#   what must not be in them.
#   usage: rare_test.py FOLDER_OF_PROGRAMS
import base64
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from appliance import record_of  # noqa: E402
from facts import close_early, mix_shoe, events, main, open_table, refused, seq_of  # noqa: E402
from games_test import SEAT, Looks, seat_of  # noqa: E402
from play_test import verified  # noqa: E402
from player import Player  # noqa: E402
from verifier.covered import open_copy  # noqa: E402

MINIMUM, SEED, STAKE = 10, 100, 5
OPERATOR, AUDITOR = "talla:operator-1", "talla:auditor-1"
OTHER_SEAT, OTHER_TABLE = "talla:seat-2", "talla:table-2"


def blackjack(client, minimum=MINIMUM, **more):
    params = {"retiro": False, "acumulada": True, "acumulada_contribution": "1/2",
              "acumulada_seed": SEED}
    return open_table(client,
                      {"catalogue": "es-euskadi-2010", "game": "blackjack", **more,
                       "table": {"currency": "EUR", "unit": 1, "min": minimum, "params": params}})


def bets(minimum=MINIMUM):
    return {"bets": [{"id": "b1", "seat": 1, "kind": "juego-simple", "stake": 10 * minimum},
                     {"id": "a1", "seat": 1, "box": 1, "kind": "acumulada", "stake": minimum // 2}]}


def started(client, table, shoe, minimum=MINIMUM):
    """A round with its bets closed: its view and the next position."""
    opened = client.post(f"/v1/tables/{table}/rounds")["round"]["id"]
    client.post(f"/v1/rounds/{opened}/close-bets", bets(minimum))
    return client.get(f"/v1/rounds/{opened}")["round"], client.get(
        f"/v1/shoes/{shoe}")["shoe"]["position"]


def played_out(client, shoe, state, position):
    """Silence stands; the final view."""
    while state["state"] != "ended":
        if any(need["need"] == "decide" and need["required"] for need in state["needs"]):
            reply = client.post(f"/v1/rounds/{state['id']}/actions",
                                {"expected_state": state["state_digest"], "seat": 1,
                                 "time_out": True})
        else:
            reply = client.post(f"/v1/shoes/{shoe}/deal", {"expected": position, "until": "needs"})
            position = reply["shoe"]["position"]
        state = reply["round"]
    return state


def meters_of(client, table):
    return [record for record in (json.loads(one["record"]) for one in events(client)
                                  if one["kind"] == "METER" and one["object"] == table)]


def a_jackpot_moves_in_METER_records_and_goes_along_when_the_limits_change(appliance):
    client = appliance.client()
    table, value = blackjack(client), SEED * MINIMUM
    shoe = mix_shoe(client, table)["id"]
    for number in range(4):
        state = played_out(client, shoe, *started(client, table, shoe))
        won = {one["bet"]: one["returned"] for one in state["results"]}["a1"]
        record = meters_of(client, table)[-1]
        assert record["cites"] == [state["settlement"]], "it rests on its settlement"
        body = record["body"]
        # three sevens of one suit: all of it; every smaller prize is the house's
        award = won if won > 200 * STAKE else 0
        # half a unit is carried to the next round
        share = (number + 1) * STAKE // 2 - number * STAKE // 2
        value += share - award
        assert (body["meter"], body["contribution"], body["award"],
                body["after"]) == ("acumulada", share, award, value), body
        assert body["before"] + body["contribution"] - body["award"] == body["after"]
        verified(appliance, client, state["settlement"])
        if number == 1:
            appliance.kill()
            appliance.start()
            client = appliance.client()
    assert len(meters_of(client, table)) == 4
    limits = {"catalogue": "es-euskadi-2010", "game": "blackjack", "continues": table,
              "table": {"currency": "EUR", "unit": 1, "min": 20, "params": {}}}
    # the last shoe with the old minimum comes first: 03 V.2.a
    refused(client, "POST", "/v1/tables", 409, "shoe_live", limits)
    close_early(appliance, shoe)
    refused(client, "POST", "/v1/tables", 409, "wrong_state", limits)  # the jackpot would be lost
    higher = blackjack(client, minimum=20, continues=table)
    refused(client, "POST", f"/v1/tables/{table}/rounds", 409, "table_closed")
    shoe = mix_shoe(client, higher)["id"]
    opened = client.post(f"/v1/tables/{higher}/rounds")["round"]["id"]
    status, text = client.send("POST", f"/v1/rounds/{opened}/close-bets",
                               {**bets(), "bets": [{**bets()["bets"][0], "stake": 10}]}, key="low")
    assert status == 422 and json.loads(text)["code"] == "below_minimum", text
    client.post(f"/v1/rounds/{opened}/close-bets", bets(20))
    state = played_out(client, shoe, client.get(f"/v1/rounds/{opened}")["round"], 0)
    body = meters_of(client, higher)[0]["body"]
    assert body["before"] == value and body["contribution"] == 5, (body, value)
    path = verified(appliance, client, state["settlement"])
    assert f"what the table took over is what {table} left" in appliance.verify(path)[1]
    client.post(f"/v1/tables/{higher}/close")


def errors_of_the_deal_are_recorded_and_do_what_the_catalogue_says(appliance):
    client, operator = appliance.client(), appliance.client(OPERATOR)
    table = blackjack(client)
    shoe = mix_shoe(client, table)["id"]
    client.post(f"/v1/shoes/{shoe}/deal", {"expected": 0, "until": "needs"})
    state, position = started(client, table, shoe)
    path, now = f"/v1/rounds/{state['id']}/misdeal", state["state_digest"]
    refused(client, "POST", path, 422, "misdeal_unknown", {"expected_state": now, "code": "rain"})
    refused(client, "POST", path, 409, "wrong_state",
            {"expected_state": "0" * 64, "code": "face-up-card"})
    refused(appliance.client(OTHER_TABLE), "POST", path, 404, "not_found",
            {"expected_state": now, "code": "face-up-card"})
    refused(appliance.client(AUDITOR), "POST", path, 403, "forbidden",
            {"expected_state": now, "code": "face-up-card"})
    reply = operator.post(path, {"expected_state": now, "code": "face-up-card"})
    body = record_of(reply, "MISDEAL")["body"]
    assert body == {"code": "face-up-card", "effect": "remove-card"}, body
    refused(client, "POST", path, 422, "not_due",
            {"expected_state": reply["round"]["state_digest"], "code": "face-up-card"})
    dealt = client.post(f"/v1/shoes/{shoe}/deal", {"expected": position, "until": 1})
    assert dealt["cards"][0]["place"] == "removed" and "card" in dealt["cards"][0], dealt["cards"]
    state = played_out(client, shoe, dealt["round"], dealt["shoe"]["position"])
    words = appliance.verify(verified(appliance, client, state["settlement"]))[1]
    assert "the rules of the catalogue give exactly" in words
    state, position = started(client, table, shoe)
    dealt = client.post(f"/v1/shoes/{shoe}/deal", {"expected": position, "until": 2})
    reply = client.post(f"/v1/rounds/{state['id']}/misdeal",
                        {"expected_state": dealt["round"]["state_digest"], "code": "deal-error"})
    assert record_of(reply, "MISDEAL")["body"]["effect"] == "void-round"
    results = {one["bet"]: (one["result"], one["returned"], one["rule"])
               for one in reply["round"]["results"]}
    assert results["b1"] == ("void", 100, "03 V.3.c"), results
    assert reply["round"]["state"] == "ended"
    verified(appliance, client, seq_of(reply, "SETTLEMENT"))
    client.post(f"/v1/tables/{table}/close")


def covered_cards_of_a_seat_are_refused_to_everybody_else(appliance):
    client = appliance.client()
    strangers = [appliance.client(name) for name in (OPERATOR, AUDITOR, OTHER_SEAT, OTHER_TABLE)]
    looks, asked = Looks(appliance), []

    def looked(player, shoe, card):
        for stranger in strangers:
            status, text = stranger.send("GET", f"/v1/shoes/{shoe}/cards/{card['position']}")
            assert status in (403, 404), f"{status} {text.decode()}"
            status, text = stranger.send("GET", f"/v1/rounds/{player.round}")
            if status == 200:  # auditor and operator see the round, not the card
                shown = [one for one in json.loads(text)["round"]["cards"]
                         if one["position"] == card["position"]]
                assert shown and all("card" not in one for one in shown), shown
            asked.append(card["position"])
        looks(player, shoe, card)

    catalogue = [one for one in client.get("/v1/catalogues")["catalogues"]
                 if one["id"] == "es-1977"][0]
    player = Player(client, catalogue, "chemin-de-fer", "rare", seat_client=seat_of(appliance),
                    looked=looked)
    for _ in range(3):
        settled = player.play()
        verified(appliance, client, settled["seq"])
    assert asked and looks.compare(client), "no covered card was dealt, or none was turned"
    player.finish()


def a_hand_thrown_away_stays_private_in_bundles_and_disclosure(appliance):
    client = appliance.client()
    table = open_table(client, {"settled_by": "client", "deck": "french52x1"})
    shoe = mix_shoe(client, table, disclosure="covered")["id"]
    openings = []
    for position in range(4):
        client.post(f"/v1/shoes/{shoe}/deal",
                    {"expected": position, "until": 1, "place": f"hand-{position % 2}",
                     "face": "covered", "seat": 1 + position % 2})
        copy = client.get(f"/v1/shoes/{shoe}/cards/{position}")["card"]["copies"][0]["ciphertext"]
        openings.append(open_copy(f"{appliance.folder}/clients/talla:table-1.key",
                                  "talla.local/development", shoe, position, 1 + position % 2,
                                  base64.b64decode(copy)))
    shown = [seq_of(client.post(f"/v1/shoes/{shoe}/open", {"position": position}), "CARD_OPEN")
             for position in (1, 3)]
    closed = client.post(f"/v1/shoes/{shoe}/close")
    body = record_of(closed, "SHOE_CLOSE")["body"]
    assert not {"key", "secret", "tape", "replaced"} & body.keys(), body
    texts = json.dumps(events(client))
    for seq in [*shown, seq_of(closed, "SHOE_CLOSE")]:
        path = verified(appliance, client, seq)
        texts += open(path, encoding="utf-8").read()
        code, words = appliance.verify(path)
        assert f"composition of {50 if seq != shown[0] else 51} unopened cards" in words, words
    for position, opening in enumerate(openings):
        found = opening["salt"] in texts
        assert found == (position in (1, 3)), \
            f"position {position}: its salt {'is' if found else 'is not'} in the evidence"
    refused(client, "POST", f"/v1/shoes/{shoe}/open", 409, "shoe_finished", {"position": 0})
    refused(client, "GET", f"/v1/shoes/{shoe}/cards/0", 404, "not_found")
    client.post(f"/v1/tables/{table}/close")


def more_clients(appliance):
    for name, role in ((SEAT, "seat"), (OTHER_SEAT, "seat"), (OTHER_TABLE, "table")):
        appliance.talla("keys", "client", appliance.folder, name, "--role", role, check=True)


if __name__ == "__main__":
    main([a_jackpot_moves_in_METER_records_and_goes_along_when_the_limits_change,
          errors_of_the_deal_are_recorded_and_do_what_the_catalogue_says,
          covered_cards_of_a_seat_are_refused_to_everybody_else,
          a_hand_thrown_away_stays_private_in_bundles_and_disclosure], before=more_clients)
