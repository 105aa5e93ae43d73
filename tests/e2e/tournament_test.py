#!/usr/bin/env python3
# Goal: a tournament over the API: the fees of all entries and rebuys are paid out to the last cent,
#   in the order in which players went out; reports that would make a chip are refused in both
#   languages; the settlement verifies.
# Method: es-euskadi-2010 art. 2 bis 1.b and 1.d by hand: three entries and a rebuy of 50, a tenth
#   kept, 180 in parts of 500, 300 and 200 thousandths; both verifiers; a bundle with another prize.
#   usage: tournament_test.py FOLDER_OF_PROGRAMS
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from facts import main, open_table, refused  # noqa: E402
from play_test import verified  # noqa: E402

RULES = {"organisation_share": "10%", "rebuys_max": 1, "rebuy_levels": 1}


def game(**params):
    return {"catalogue": "es-euskadi-2010", "game": "tournament",
            "table": {"currency": "EUR", "unit": 1, "min": 50, "params": params}}


def entry(seat, kind="inscripcion"):
    return {"id": f"{kind[:1]}{seat}", "seat": seat, "kind": kind, "stake": 50}


class Tournament:
    def __init__(self, client, **params):
        self.client, self.table, self.settlements = client, open_table(client, game(**params)), []

    def hand(self, *bets):
        """A round whose bets are closed."""
        self.round = self.client.post(f"/v1/tables/{self.table}/rounds")["round"]["id"]
        return self.take(self.client.post(f"/v1/rounds/{self.round}/close-bets",
                                          {"bets": list(bets)}))

    def body(self, seat, what, amount=None):
        state = self.client.get(f"/v1/rounds/{self.round}")["round"]["state_digest"]
        body = {"expected_state": state, "seat": seat, "do": what}
        return body if amount is None else {**body, "amount": amount}

    def says(self, seat, what, amount=None):
        return self.take(self.client.post(f"/v1/rounds/{self.round}/actions",
                                          self.body(seat, what, amount)))

    def take(self, reply):
        for one in reply["receipts"]:
            record = json.loads(one["record"])
            if record["kind"] == "SETTLEMENT":
                self.settlements.append(record)
        return reply["round"]

    def view(self):
        return self.client.get(f"/v1/tables/{self.table}")["table"]["view"]


def every_fee_is_paid_out_in_the_order_of_going_out(appliance):
    client = appliance.client()
    play = Tournament(client, **RULES)
    play.hand(entry(1), entry(2), entry(3))
    play.says(1, "sin-fichas")
    play.says(2, "recuento", 20000)
    play.says(2, "fin-mano")
    assert play.settlements[-1]["body"]["results"] == [], play.settlements[-1]
    play.hand(entry(1, "recompra"))  # he had lost all, and comes back
    play.says(3, "sin-fichas")
    play.says(2, "recuento", 30000)
    play.says(2, "fin-mano")
    play.hand()
    play.says(1, "sin-fichas")
    play.says(2, "recuento", 40000)
    view = play.view()
    assert (view["prizes"], view["fees"], view["kept"],
            view["chips"]) == ([90, 54, 36], 200, 20, 40000), view
    play.says(2, "fin-mano")  # seat 1 has had his rebuy, and seat 3 was not there in time
    assert play.view()["order"] == [[2], [1], [3]], play.view()
    results = {one["bet"]: (one["stake"], one["returned"])
               for one in play.settlements[-1]["body"]["results"]}
    assert results == {"i1": (50, 54), "i2": (50, 90), "i3": (50, 36), "r1": (50, 0),
                       "organizacion": (0, 20)}, results
    assert sum(stake for stake, _ in results.values()) == sum(back for _, back in results.values())
    verified(appliance, client, play.settlements[-1]["seq"])


def a_report_that_makes_or_loses_a_chip_is_refused_in_both_languages(appliance):
    client = appliance.client()
    play = Tournament(client)
    play.hand(entry(1), entry(2))
    play.says(1, "recuento", 9000)
    path = f"/v1/rounds/{play.round}/actions"
    for language, words in (("en", "it has 10000, and 1000 have no owner yet"),
                            ("es", "tiene 10000, y 1000 están sin dueño")):
        client.language = language
        problem = refused(client, "POST", path, 422, "action_refused",
                          play.body(2, "recuento", 11001))
        assert words in problem["detail"] and "2 bis 1.a" in problem["detail"], problem
        problem = refused(client, "POST", path, 422, "action_refused", play.body(2, "fin-mano"))
        assert "1000" in problem["detail"], problem
    client.language = ""
    play.says(2, "recuento", 11000)
    play.says(2, "fin-mano")
    assert play.view()["order"] == [[2], [1]], play.view()


def a_tournament_that_is_called_off_gives_every_fee_back(appliance):
    client = appliance.client()
    play = Tournament(client)
    play.hand(entry(1), entry(2))
    play.says(1, "sin-fichas")
    state = client.get(f"/v1/rounds/{play.round}")["round"]["state_digest"]
    play.take(client.post(f"/v1/rounds/{play.round}/misdeal",
                          {"expected_state": state, "code": "tournament-cancelled"}))
    results = play.settlements[-1]["body"]["results"]
    assert [(one["result"], one["returned"]) for one in results] == [("void", 50), ("void", 50)], (
        results)
    verified(appliance, client, play.settlements[-1]["seq"])


def a_client_that_settles_itself_has_no_tournament_to_draw_for(appliance):
    asked = {"settled_by": "client", "catalogue": "es-euskadi-2010", "game": "tournament"}
    problem = refused(appliance.client(), "POST", "/v1/tables", 409, "not_settled_here", asked)
    assert "neither a shoe nor a draw" in problem["detail"], problem


if __name__ == "__main__":
    main([every_fee_is_paid_out_in_the_order_of_going_out,
          a_report_that_makes_or_loses_a_chip_is_refused_in_both_languages,
          a_tournament_that_is_called_off_gives_every_fee_back,
          a_client_that_settles_itself_has_no_tournament_to_draw_for])
