#!/usr/bin/env python3
# Goal: a hand that staff must confirm: errors of a third card found after the last one change what
#   it pays, over the API; every card that they name is a record, and nothing is settled before the
#   confirmation.
# Method: chemin de fer with settle_on = "confirmation", silent players, until each error has come
#   up; totals from the cards of the records and the words of the text (08 VIII.2 of 1977: "la más
#   alta", "lo contrario", "su puntuación es de 9"); both verifiers; bundles without the
#   confirmation or with another state in it.
#   usage: confirm_test.py FOLDER_OF_PROGRAMS
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from appliance import record_of  # noqa: E402
from facts import mix_shoe, main, open_table, refused  # noqa: E402
from play_test import SECOND_VERIFIER, verified  # noqa: E402

OPERATOR, AUDITOR, OTHER_TABLE = "talla:operator-1", "talla:auditor-1", "talla:table-2"
GAME = {"catalogue": "es-1977", "game": "chemin-de-fer",
        "table": {"currency": "ESP", "unit": 1, "min": 10, "params": {"settle_on": "confirmation"}}}
BANK, STAKE, HANDS_MAX = 1000, 100, 120
POINTS = {rank: index + 1 for index, rank in enumerate("A23456789")}


def points(cards):
    return sum(POINTS.get(card[0], 0) for card in cards) % 10


def needed(view, name):
    return next((need for need in view["needs"] if need["need"] == name), None)


class Hands:
    """One table of chemin de fer; `cards` is what lies at each place of the hand, from the
    records alone."""

    def __init__(self, client, game=GAME):
        self.client = client
        self.table = open_table(client, game)
        self.shoe = None

    def view(self):
        return self.client.get(f"/v1/tables/{self.table}")["table"]

    def take(self, reply):
        """Keeps the cards of the reply's records; the round's view."""
        for receipt in reply["receipts"]:
            record = json.loads(receipt["record"])
            if record["kind"] in ("CARD_DEAL", "CARD_OPEN") and "card" in record["body"]:
                self.cards.setdefault(record["body"]["place"], []).append(record["body"]["card"])
        return reply["round"]

    def deal(self):
        view = self.view()
        return self.take(self.client.post(f"/v1/shoes/{self.shoe}/deal",
                                          {"expected": view["position"], "until": "needs"}))

    def act(self, state, **more):
        return self.take(self.client.post(f"/v1/rounds/{state['id']}/actions",
                                          {"expected_state": state["state_digest"], **more}))

    def say(self, state, verb, **more):
        return self.client.post(f"/v1/rounds/{state['id']}/{verb}",
                                {"expected_state": state["state_digest"], **more})

    def played(self):
        """A hand whose last card has come, or that is over."""
        if needed(self.view(), "shoe"):
            if self.shoe:
                self.client.post(f"/v1/shoes/{self.shoe}/close")
            self.shoe = mix_shoe(self.client, self.table)["id"]
        self.cards, closed = {}, False
        state = self.client.post(f"/v1/tables/{self.table}/rounds")["round"]
        for _ in range(60):
            decide = next((need for need in state["needs"] if need["need"] == "decide" and
                           need["required"]), None)
            if state["state"] == "ended" or needed(state, "confirm"):
                return state
            if needed(state, "deal") or needed(state, "reveal"):
                state = self.deal()
            elif decide:
                taken = next((one for one in decide["choices"] if one["do"] == "tomar-banca"), None)
                what = {"do": "tomar-banca",
                        "amount": max(BANK, taken["min"])} if taken else {"time_out": True}
                state = self.act(state, seat=decide["seat"], **what)
            else:
                assert not closed, state["needs"]
                seat = 2 if state["view"]["banker"] != 2 else 3
                reply = self.client.post(f"/v1/rounds/{state['id']}/close-bets",
                                         {"bets":
                                          [{"id": "b", "seat": seat, "kind": "punto",
                                            "stake": STAKE}]})
                state, closed = self.take(reply), True
        raise AssertionError("a hand without end")

    def total(self, hand):
        return points(self.cards[f"{hand}-1"] + self.cards[f"{hand}-2"] +
                      self.cards.get(f"{hand}-3", []))

    def totals_with(self, hand):
        """The totals that each of the third cards makes, from their records."""
        return [points(self.cards[f"{hand}-1"] + self.cards[f"{hand}-2"] + [card])
                for card in self.cards[f"{hand}-3"]]

    def confirmed(self, state, punto, bank):
        """Staff confirm: the stake is paid on these totals."""
        assert not state["results"], "nothing is settled before the confirmation"
        reply = self.say(state, "confirm")
        body = record_of(reply, "HAND_CONFIRMED")["body"]
        assert body == {"state_before": state["state_digest"]}, body
        ended = reply["round"]
        assert ended["state"] == "ended", ended
        (stake,) = [one for one in ended["results"] if one["bet"] == "b"]
        wanted = ("win", 2 * STAKE) if punto > bank else ("lose",
                                                          0) if punto < bank else ("void", STAKE)
        assert (stake["result"], stake["returned"]) == wanted, (stake, punto, bank, self.cards)
        return ended


def with_error(hands, state, code, place):
    """The error is stated, and what it forces is dealt; the banker has nothing to add."""
    before = {key: list(cards) for key, cards in hands.cards.items()}
    state = hands.take(hands.say(state, "misdeal", code=code,
                                 **({"place": place} if place else {})))
    while needed(state, "deal"):
        state = hands.deal()
    assert needed(state, "confirm"), state["needs"]
    return state, before


def two_third_cards_for_the_banker(hands, state):
    if len(hands.cards.get("banca-3", [])) != 1:
        return None
    state, before = with_error(hands, state, "two-third-cards", "banca-3")
    assert len(hands.cards["banca-3"]) == 2 and before["banca-3"] == hands.cards["banca-3"][:1], \
        "both cards are records"
    return hands.confirmed(state, hands.total("punto"), min(hands.totals_with("banca")))


def two_third_cards_for_punto(hands, state):
    if len(hands.cards.get("punto-3", [])) != 1 or hands.cards.get("banca-3"):
        return None
    state, _ = with_error(hands, state, "two-third-cards", "punto-3")
    assert len(hands.cards["punto-3"]) == 2, "both cards are records"
    return hands.confirmed(state, max(hands.totals_with("punto")), hands.total("banca"))


def a_third_card_in_the_basket(hands, state):
    if len(hands.cards.get("punto-3", [])) != 1:
        return None
    seven = points(hands.cards["banca-1"] + hands.cards["banca-2"]) == 7
    state, before = with_error(hands, state, "punto-third-basketed", None)
    assert hands.cards == before, "no card is dealt for it"
    return hands.confirmed(state, 9, 7 if seven else hands.total("banca"))


def errors_of_a_third_card_found_after_the_last_card_change_what_the_hand_pays(appliance):
    client = appliance.client()
    hands = Hands(client)
    wanted = [two_third_cards_for_the_banker, two_third_cards_for_punto, a_third_card_in_the_basket]
    found = []
    for _ in range(HANDS_MAX):
        state = hands.played()
        assert needed(state, "confirm"), state
        ended = None
        for error in wanted:
            ended = error(hands, state)
            if ended:
                wanted.remove(error)
                found.append((error.__name__, ended["settlement"]))
                break
        if not ended:
            hands.confirmed(state, hands.total("punto"), hands.total("banca"))
        if not wanted:
            break
    assert not wanted, [error.__name__ for error in wanted]
    for _, settlement in found:
        path = verified(appliance, client, settlement)
        assert "the rules of the catalogue give exactly" in appliance.verify(path)[1]
    lies(appliance, path)


def lies(appliance, path):
    """A log without the confirmation, or with one of another hand, cannot be had: the bundle
    does not verify."""
    def changed(change):
        bundle = json.load(open(path))
        records = [json.loads(one["record"]) for one in bundle["records"]]
        index = next(i for i, record in enumerate(records) if record["kind"] == "HAND_CONFIRMED")
        change(bundle["records"], records, index)
        with open(path + ".lie", "w") as out:
            json.dump(bundle, out, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert appliance.verify(path + ".lie")[0] == 1
        second = subprocess.run([sys.executable, SECOND_VERIFIER, path + ".lie",
                                 f"{appliance.folder}/ca.pem"], capture_output=True, timeout=60)
        assert second.returncode == 1, second.stdout

    def other_state(rows, records, index):
        records[index]["body"]["state_before"] = "0" * 64
        rows[index]["record"] = json.dumps(records[index], sort_keys=True, separators=(",", ":"),
                                           ensure_ascii=False)

    changed(lambda rows, records, index: rows.pop(index))
    changed(other_state)


def only_staff_confirm_and_only_the_hand_that_lies_there(appliance):
    client = appliance.client()
    hands = Hands(client)
    state = hands.played()
    path, now = f"/v1/rounds/{state['id']}/confirm", {"expected_state": state["state_digest"]}
    refused(client, "POST", path, 409, "wrong_state", {"expected_state": "0" * 64})
    refused(appliance.client(AUDITOR), "POST", path, 403, "forbidden", now)
    refused(appliance.client(OTHER_TABLE), "POST", path, 404, "not_found", now)
    refused(client, "POST", path, 400, "malformed_request", {})
    refused(client, "POST", path, 400, "malformed_request", {**now, "seat": 1})
    view = client.get(f"/v1/rounds/{state['id']}")["round"]
    assert view["state_digest"] == state["state_digest"] and view["state"] == "playing", \
        "refusals change nothing"
    ended = appliance.client(OPERATOR).post(path, now)["round"]
    assert ended["state"] == "ended", "an operator may, at any table"
    refused(client, "POST", path, 409, "wrong_state", now)
    refused(client, "POST", f"/v1/rounds/{state['id']}/misdeal", 409, "wrong_state",
            {**now, "code": "stuck-cards"})
    once = Hands(client, {**GAME, "table": {**GAME["table"], "params": {}}})
    state = once.played()
    assert state["state"] == "ended", "settled with its last card"


def a_hand_that_waits_to_be_confirmed_survives_a_crash(appliance):
    client = appliance.client()
    hands = Hands(client)
    state = hands.played()
    appliance.kill()
    appliance.start()
    hands.client = client = appliance.client()
    again = client.get(f"/v1/rounds/{state['id']}")["round"]
    assert again["state_digest"] == state["state_digest"] and needed(again, "confirm"), again
    ended = hands.confirmed(again, hands.total("punto"), hands.total("banca"))
    verified(appliance, client, ended["settlement"])


def enrol_another_table(appliance):
    appliance.talla("keys", "client", appliance.folder, OTHER_TABLE, "--role", "table", check=True)


if __name__ == "__main__":
    main([errors_of_a_third_card_found_after_the_last_card_change_what_the_hand_pays,
          only_staff_confirm_and_only_the_hand_that_lies_there,
          a_hand_that_waits_to_be_confirmed_survives_a_crash], before=enrol_another_table)
