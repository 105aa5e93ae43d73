#!/usr/bin/env python3
# Goal: black jack at a table whose machine shuffles all the time (03 V.3.b of Euskadi) is played
#   over the API: the cards of a round go back under a new commitment and mixed before the next bet,
#   through a crash too, and every settlement and the closed shoe verify offline.
# Method: hands as in blackjack_test; which positions go back and how many cards are left is worked
#   out from the text; kill -9 before and between commitment and mix; bundles through both
#   verifiers.
#   usage: continuous_test.py FOLDER_OF_PROGRAMS
import json

from calls import mix_body, mix_core, signed
from appliance import record_of
from blackjack_test import play
from facts import close_early, lapsed, mix_shoe, main, open_table, refused, seq_of
from play_test import verified

RECOMMITS_MAX = 48


def table_of(client, **params):
    return open_table(client,
                      {"catalogue": "es-euskadi-2010", "game": "blackjack", "max_voids": 16,
                       "table": {"currency": "EUR", "unit": 1, "min": 10,
                                 "params": {"retiro": False, "shuffler": "continuous", **params}}})


def again(client, shoe):
    """The cards go back: commitment, then the mix."""
    view = client.post(f"/v1/shoes/{shoe}/recommit")["shoe"]
    assert view["state"] == "committed" and view["position"] == 0, view
    return client.post(f"/v1/shoes/{shoe}/mix", mix_body(client, shoe))["shoe"]


def needs_of(client, table):
    return [need["need"] for need in client.get(f"/v1/tables/{table}")["table"]["needs"]]


def the_cards_of_a_round_go_back_under_a_new_root_before_the_next_bet(appliance):
    client = appliance.client()
    table = table_of(client)
    shoe = mix_shoe(client, table)
    assert shoe["stop_depth"] == 0, "no separator"
    refused(client, "POST", f"/v1/shoes/{shoe['id']}/recommit", 409, "wrong_state")
    client.post(f"/v1/shoes/{shoe['id']}/deal", {"expected": 0, "until": "needs"})
    position, root, seen = 5, shoe["root"], {}
    for number in range(6):
        reply, state, expected, position = play(client, table, shoe["id"], position, seen)
        assert {one["bet"]: one["returned"] for one in state["results"]} == expected, \
            (state, expected)
        verified(appliance, client, seq_of(reply, "SETTLEMENT"))
        assert needs_of(client, table) == ["shuffle", "settled"], needs_of(client, table)
        if number == 3:
            appliance.kill()
            appliance.start()
            client = appliance.client()
        lapsed(client, f"/v1/shoes/{shoe['id']}/mix", "wrong_state", mix_body(client, shoe["id"]))
        back = client.post(f"/v1/shoes/{shoe['id']}/recommit")
        body = record_of(back, "SHOE_RECOMMIT")["body"]
        first = 5 if number == 0 else 0
        assert body["of"] == root and body["root"] != root and body["rule"] == "03 V.3.b", body
        assert body["returned"] == list(range(first, position)), \
            "every card but the five set aside goes back"
        assert body["positions"] == body["cards"] == 307, "all but those five"
        assert "key" not in body and "tape" not in body, "nothing of the old order is opened"
        assert needs_of(client, table) == ["shuffle", "settled"], "not before the mix"
        refused(client, "POST", f"/v1/shoes/{shoe['id']}/deal", 409, "shoe_not_mixed",
                {"expected": 0, "until": "needs"})
        lapsed(client, f"/v1/shoes/{shoe['id']}/mix", "wrong_root",
               signed(client, mix_core(client, shoe["id"]) | {"root": root}))
        if number == 4:
            appliance.kill()
            appliance.start()
            client = appliance.client()
        root = body["root"]
        mixed = client.post(f"/v1/shoes/{shoe['id']}/mix", mix_body(client, shoe["id"]))
        assert mixed["shoe"]["recommits"] == number + 1, mixed["shoe"]
        verified(appliance, client, seq_of(mixed, "SHOE_MIX"))
        assert "shuffle" not in needs_of(client, table)
        position = 0
    closed = close_early(appliance, shoe["id"])
    assert len(closed["body"]["replaced"]) == 6
    verified(appliance, client, closed["seq"])
    client.post(f"/v1/tables/{table}/close")


def a_shuffle_may_come_inside_the_next_round_and_then_verifies_with_it(appliance):
    client = appliance.client()
    table = table_of(client, continuous_burn="every-round")
    shoe = mix_shoe(client, table)["id"]
    client.post(f"/v1/shoes/{shoe}/deal", {"expected": 0, "until": "needs"})
    _, _, _, position = play(client, table, shoe, 5, {})
    opened = client.post(f"/v1/tables/{table}/rounds")["round"]
    bets = {"bets": [{"id": "b1", "seat": 1, "kind": "juego-simple", "stake": 100}]}
    refused(client, "POST", f"/v1/rounds/{opened['id']}/close-bets", 422, "bets_closed", bets)
    back = client.post(f"/v1/shoes/{shoe}/recommit")
    assert record_of(back, "SHOE_RECOMMIT")["body"]["returned"] == list(range(position)), \
        "the five set aside go back too"
    assert back["shoe"]["cards"] == 312
    client.post(f"/v1/shoes/{shoe}/mix", mix_body(client, shoe))
    burned = client.post(f"/v1/shoes/{shoe}/deal", {"expected": 0, "until": 5})
    assert [card["place"] for card in burned["cards"]] == ["burn"] * 5
    client.post(f"/v1/rounds/{opened['id']}/close-bets", bets)
    position, state = 5, client.get(f"/v1/rounds/{opened['id']}")["round"]
    while state["state"] != "ended":
        if any(need["need"] == "decide" for need in state["needs"]):
            reply = client.post(f"/v1/rounds/{opened['id']}/actions",
                                {"expected_state": state["state_digest"], "seat": 1,
                                 "time_out": True})
        else:
            reply = client.post(f"/v1/shoes/{shoe}/deal", {"expected": position, "until": "needs"})
            position = reply["shoe"]["position"]
        state = reply["round"]
    verified(appliance, client, state["settlement"])
    client.post(f"/v1/tables/{table}/close")


def a_shoe_is_shuffled_again_as_often_as_its_close_can_open_and_then_replaced(appliance):
    client = appliance.client()
    table = table_of(client, continuous_burn="none")
    shoe = mix_shoe(client, table)["id"]
    for _ in range(RECOMMITS_MAX):
        play(client, table, shoe, 0, {})
        again(client, shoe)
    play(client, table, shoe, 0, {})
    refused(client, "POST", f"/v1/shoes/{shoe}/recommit", 422, "limit_exceeded")
    closed = client.post(f"/v1/shoes/{shoe}/close")
    assert len(json.dumps(record_of(closed, "SHOE_CLOSE"))) > 30_000
    verified(appliance, client, seq_of(closed, "SHOE_CLOSE"))
    fresh = mix_shoe(client, table)["id"]
    reply, _, _, _ = play(client, table, fresh, 0, {})
    verified(appliance, client, seq_of(reply, "SETTLEMENT"))
    client.post(f"/v1/tables/{table}/close")


if __name__ == "__main__":
    main([the_cards_of_a_round_go_back_under_a_new_root_before_the_next_bet,
          a_shuffle_may_come_inside_the_next_round_and_then_verifies_with_it,
          a_shoe_is_shuffled_again_as_often_as_its_close_can_open_and_then_replaced])
