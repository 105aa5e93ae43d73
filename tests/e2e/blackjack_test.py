#!/usr/bin/env python3
# Goal: black jack is played over the API from a sealed shoe, with splits, doubles, insurance and
#   even money, and every settlement verifies offline.
# Method: hands are kept here from the cards of the replies, and what each stake returns is worked
#   out from the words of the text (03 V.1 of Euskadi); bundles through both verifiers.
#   usage: blackjack_test.py FOLDER_OF_PROGRAMS
from facts import close_early, mix_shoe, main, open_table, refused, seq_of
from play_test import verified

STAKE = 100
SHOES_MAX = 60  # a double is played in every fifth round, a split in every tenth


def points(card):
    return 1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def total(cards, fixed=0):
    """The best total; aces among the first `fixed` cards count one."""
    low = sum(points(card) for card in cards)
    return low + 10 if any(card[0] == "A" for card in cards[fixed:]) and low + 10 <= 21 else low


class Hand:
    def __init__(self, bet, cards, split=False):
        self.bet, self.cards, self.split = bet, cards, split
        self.stake, self.asked, self.doubled, self.out = STAKE, False, False, False

    def total(self):
        return total(self.cards, 2 if self.doubled else 0)

    def blackjack(self):
        return len(self.cards) == 2 and not self.split and self.total() == 21


class Round:
    """What lies on the table: one stake in front of each of two players."""

    def __init__(self):
        self.boxes = {1: [Hand("b1", [])], 2: [Hand("b2", [])]}
        self.dealer, self.expected = [], {}

    def card(self, place, card):
        if place.startswith("dealer"):
            return self.dealer.append(card)
        hands = self.boxes[int(place.split("-")[1])]
        asked = [hand for hand in hands if hand.asked]
        hand = asked[0] if asked else [one for one in hands if len(one.cards) < 2][0]
        hand.asked = False
        hand.cards.append(card)

    def of_bet(self, bet):
        return [hand for hands in self.boxes.values() for hand in hands if hand.bet == bet][0]

    def split(self, hand):
        hands = self.boxes[int(hand.bet[1])]
        other = Hand(f"{hand.bet.split('.')[0]}.{len(hands) + 1}", [hand.cards.pop()], split=True)
        hand.split = True
        hands.insert(hands.index(hand) + 1, other)

    def settle(self):
        bank, natural = total(self.dealer), len(self.dealer) == 2 and total(self.dealer) == 21
        for hand in (hand for hands in self.boxes.values() for hand in hands):
            if hand.out:
                continue
            own, stake = hand.total(), hand.stake
            if own > 21:
                back = 0
            elif hand.blackjack():
                back = stake if natural else stake * 5 // 2
            elif natural:
                back = 0
            else:
                back = 2 * stake if bank > 21 or own > bank else stake if own == bank else 0
            self.expected[hand.bet] = back
        for bet, amount in list(self.expected.items()):
            if bet.endswith(".seguro"):
                self.expected[bet] = 3 * amount if natural else 0
        return self.expected


def choose(table, need, seen):
    """Even money, insurance, split, double, draw to 17: whatever comes first of what is offered."""
    offered = {one["do"]: one for one in need["choices"]}
    for action in ("even-money", "insurance", "split"):
        if action in offered:
            seen[action] = seen.get(action, 0) + 1
            return offered[action]
    hand = table.of_bet(offered["stand"]["bet"])
    if "double" in offered and hand.total() in (9, 10, 11):
        seen["double"] = seen.get("double", 0) + 1
        return offered["double"]
    return offered["hit"] if "hit" in offered and hand.total() < 17 else offered["stand"]


def apply(table, choice):
    hand = table.of_bet(choice["bet"])
    if choice["do"] == "even-money":
        table.expected[hand.bet], hand.out = 2 * STAKE, True
    elif choice["do"] == "insurance":
        table.expected[hand.bet + ".seguro"] = choice["max"]
    elif choice["do"] == "split":
        table.split(hand)
    elif choice["do"] in ("hit", "double"):
        hand.asked = True
        hand.doubled = choice["do"] == "double"
        hand.stake *= 2 if hand.doubled else 1


def play(client, table_id, shoe, position, seen):
    """One round to its end: the last reply, what was expected, the position."""
    state = client.post(f"/v1/tables/{table_id}/rounds")["round"]
    table, reply = Round(), None
    bets = [{"id": f"b{seat}", "seat": seat, "kind": "juego-simple", "stake": STAKE}
            for seat in (1, 2)]
    state = client.post(f"/v1/rounds/{state['id']}/close-bets", {"bets": bets})["round"]
    while state["state"] != "ended":
        required = [one for one in state["needs"] if one["need"] == "decide" and one["required"]]
        if not required:
            reply = client.post(f"/v1/shoes/{shoe}/deal", {"expected": position, "until": "needs"})
            position, state = reply["shoe"]["position"], reply["round"]
            for card in reply["cards"]:
                table.card(card["place"], card["card"])
            continue
        choice = choose(table, required[0], seen)
        body = {"expected_state": state["state_digest"], "seat": required[0]["seat"],
                "do": choice["do"], "bet": choice["bet"]}
        if "max" in choice:
            body["amount"] = choice["max"]
        path = f"/v1/rounds/{state['id']}/actions"
        refused(client, "POST", path, 422, "action_refused", {**body, "seat": 3 - body["seat"]})
        reply = client.post(path, body)
        state = reply["round"]
        apply(table, choice)
    return reply, state, table.settle(), position


def rounds_of_black_jack_are_settled_from_their_cards_and_choices(appliance):
    client = appliance.client()
    table = open_table(client,
                       {"catalogue": "es-euskadi-2010", "game": "blackjack",
                        "table": {"currency": "EUR", "unit": 1, "min": 10,
                                  "params": {"retiro": False}}})
    seen = {}
    for number in range(SHOES_MAX):
        if number >= 2 and seen.get("double") and seen.get("split"):
            break
        shoe = mix_shoe(client, table)["id"]
        burned = client.post(f"/v1/shoes/{shoe}/deal", {"expected": 0, "until": "needs"})
        assert [one["place"] for one in burned["cards"]] == ["burn"] * 5, burned["cards"]
        assert not any("card" in one for one in burned["cards"]), \
            "the five cards are set aside without showing them"
        position = 5
        for _ in range(12):
            reply, state, expected, position = play(client, table, shoe, position, seen)
            got = {one["bet"]: one["returned"] for one in state["results"]}
            assert got == expected, (state, expected)
            verified(appliance, client, seq_of(reply, "SETTLEMENT"))
        verified(appliance, client, close_early(appliance, shoe)["seq"])
    assert seen.get("double") and seen.get("split"), f"no round with a double or a split: {seen}"
    client.post(f"/v1/tables/{table}/close")


if __name__ == "__main__":
    main([rounds_of_black_jack_are_settled_from_their_cards_and_choices])
