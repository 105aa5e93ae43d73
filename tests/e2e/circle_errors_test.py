#!/usr/bin/env python3
# Goal: chips that were put in by error are bound over the API, and records and both verifiers say
#   how many: a bet out of turn (10.2 VIII.3.f, "se considerará válida"), too few chips to cover
#   (10.2 VIII.3.c, "sin que tenga derecho a retirarlas"); errors outside of their window are
#   refused; a deck whose top is lost is mixed, cut and its first card thrown (10.2.A IV.2).
# Method: hold'em and five-card draw among players of Aragon, played through a kill -9 between the
#   error and the turn that it binds; amounts that a lying table would like: more than the pot, a
#   second bet, an amount where none belongs.
#   usage: circle_errors_test.py FOLDER
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from again_test import needs_of, records, restarted  # noqa: E402
from calls import mix_body  # noqa: E402
from appliance import record_of  # noqa: E402
from facts import mix_shoe, main, open_table, refused  # noqa: E402
from play_test import verified  # noqa: E402


class Hand:
    """One hand of four players with 400 each, up to the first decision."""

    def __init__(self, appliance, game):
        self.appliance, self.client, self.replies = appliance, appliance.client(), []
        self.table = open_table(self.client,
                                {"catalogue": "es-aragon-2010", "game": game,
                                 "table": {"currency": "EUR", "unit": 1, "min": 20,
                                           "params": {"fee_rate": "0"}}})
        self.shoe = mix_shoe(self.client, self.table)["id"]
        self.id = self.client.post(f"/v1/tables/{self.table}/rounds")["round"]["id"]
        self.client.post(f"/v1/rounds/{self.id}/close-bets",
                         {"bets": [{"id": f"r{seat}", "seat": seat, "kind": "resto", "stake": 400}
                                   for seat in (1, 2, 3, 4)]})
        self.deal()

    def deal(self):
        position = self.client.get(f"/v1/shoes/{self.shoe}")["shoe"]["position"]
        return self.kept(self.client.post(f"/v1/shoes/{self.shoe}/deal",
                                          {"expected": position, "until": "needs"}))

    def kept(self, reply):
        self.replies.append(reply)
        return reply

    def error(self, code, **more):
        now = self.client.get(f"/v1/rounds/{self.id}")["round"]["state_digest"]
        return f"/v1/rounds/{self.id}/misdeal", {"expected_state": now, "code": code, **more}

    def say(self, code, **more):
        return self.kept(self.client.post(*self.error(code, **more)))

    def wrong(self, problem, status, code, **more):
        path, body = self.error(code, **more)
        refused(self.client, "POST", path, status, problem, body)

    def act(self, seat, what, **more):
        state = self.client.get(f"/v1/rounds/{self.id}")["round"]
        body = {"expected_state": state["state_digest"], "seat": seat, "do": what, **more}
        return self.kept(self.client.post(f"/v1/rounds/{self.id}/actions", body))

    def turn(self):
        needs = self.client.get(f"/v1/rounds/{self.id}")["round"]["needs"]
        return [need["seat"] for need in needs if need["need"] == "decide" and need["required"]]

    def settled(self):
        """Results by bet; the claim holds against both verifiers."""
        record = records(self.replies, "SETTLEMENT")[0]
        words = self.appliance.verify(verified(self.appliance, self.client, record["seq"]))[1]
        assert "the rules of the catalogue give exactly" in words, words
        self.client.post(f"/v1/tables/{self.table}/close")
        return {one["bet"]: one for one in record["body"]["results"]}


def a_bet_out_of_turn_is_bound_until_its_turn_comes(appliance):
    hand = Hand(appliance, "circle-holdem")
    # more than the pot
    hand.wrong("amount_invalid", 422, "bet-out-of-turn", place="seat-3-card-1", amount=41)
    # it is his turn
    hand.wrong("not_due", 422, "bet-out-of-turn", place="seat-1-card-1", amount=40)
    hand.wrong("amount_invalid", 422, "wrong-order", amount=40)  # carries none
    said = records([hand.say("bet-out-of-turn", place="seat-3-card-1", amount=40)],
                   "MISDEAL")[0]["body"]
    assert said == {"code": "bet-out-of-turn", "place": "seat-3-card-1", "amount": 40,
                    "effect": "no-raise"}, said
    hand.wrong("not_due", 422, "bet-out-of-turn", place="seat-3-card-1", amount=40)  # once
    hand.client = restarted(appliance)
    hand.act(1, "pasar")
    hand.act(4, "pasar")
    assert hand.turn() == [2], "the bet of seat 3 stands: the next one answers it"
    hand.wrong("not_due", 422, "wrong-order")  # the deal is over
    hand.say("short-chips", place="seat-2-card-1", amount=10)
    hand.act(2, "retirarse")
    hand.act(1, "retirarse")
    hand.act(4, "retirarse")
    results = hand.settled()
    assert (results["r3.bote-1"]["stake"], results["r3.bote-1"]["returned"]) == (50, 90), results
    assert (results["r2.bote-1"]["stake"], results["r2.bote-1"]["returned"]) == (20, 0), \
        "too few chips are not taken back"


def a_deck_that_was_put_away_is_mixed_and_its_first_card_thrown(appliance):
    hand = Hand(appliance, "circle-five-card-draw")
    hand.act(1, "apostar", amount=20)
    before = hand.client.get(f"/v1/shoes/{hand.shoe}")["shoe"]
    hand.say("deck-withdrawn-mixed")
    assert needs_of(hand.client, hand.table) == ["shuffle"], needs_of(hand.client, hand.table)
    body = record_of(hand.client.post(f"/v1/shoes/{hand.shoe}/recommit"), "SHOE_RECOMMIT")["body"]
    assert (body["rule"], body["returned"], body["positions"]) == ("10.2.A IV.2", [],
                                                                   before["cards"] -
                                                                   before["position"]), body
    hand.client = restarted(appliance)
    hand.client.post(f"/v1/shoes/{hand.shoe}/mix", mix_body(hand.client, hand.shoe))
    burned = hand.deal()["cards"]
    assert [(card["place"], card["face"]) for card in burned] == [("burn-1", "unseen")], burned
    hand.act(2, "cubrir")
    hand.act(3, "retirarse")
    hand.act(4, "retirarse")
    hand.act(1, "descartar", cards=["seat-1-card-1", "seat-1-card-2"])
    drawn = hand.deal()["cards"]
    assert [card["place"] for card in drawn] == ["seat-1-draw-1", "seat-1-draw-2"], drawn
    assert all(card["recommits"] == 1 for card in drawn), "from the deck that was mixed"
    hand.act(2, "servido")
    hand.wrong("not_due", 422, "deck-withdrawn-mixed")  # no more cards are to be dealt
    hand.act(1, "pasar")
    hand.act(2, "retirarse")
    while hand.client.get(f"/v1/rounds/{hand.id}")["round"]["state"] != "ended":
        hand.deal()  # the opener shows what he could open with
    hand.settled()


if __name__ == "__main__":
    main([a_bet_out_of_turn_is_bound_until_its_turn_comes,
          a_deck_that_was_put_away_is_mixed_and_its_first_card_thrown])
