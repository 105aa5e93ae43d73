#!/usr/bin/env python3
# Goal: monte is played over the API from sealed decks, both rounds of a deal, and every settlement
#   verifies offline.
# Method: the layout and the cards turned are read from the replies, and what each bet returns is
#   worked out here from the words of the text (13 V, VI), for plain layouts; bundles through both
#   verifiers.
#   usage: monte_test.py FOLDER_OF_PROGRAMS
from facts import mix_shoe, main, open_table, seq_of
from play_test import verified

SUITS = "oceb"


def steps(placed, card):
    """How far the suit of `card` lies behind that of the placed card in the circle: 1 camo, 2
    viudo, 3 anti."""
    return (SUITS.index(card[1]) - SUITS.index(placed[1])) % 4


def deal_on(client, shoe, position):
    return client.post(f"/v1/shoes/{shoe}/deal", {"expected": position, "until": "needs"})


def new_layout(client):
    """A table and a deck with four cards placed, none stacked or burned: table, shoe, position,
    the cards, and the round that they are part of. Other deals are given up with their table."""
    while True:
        table = open_table(client,
                           {"catalogue": "es-valencia-2003", "game": "monte",
                            "table": {"currency": "EUR", "unit": 1, "min": 10, "params": {}}})
        shoe = mix_shoe(client, table)
        opened = client.post(f"/v1/tables/{table}/rounds")["round"]["id"]
        dealt = deal_on(client, shoe["id"], 0)
        cards = [one["card"] for one in dealt["cards"]]
        assert [one["place"] for one in dealt["cards"]][:2] == ["carta-1", "carta-2"], \
            dealt["cards"]
        if len(cards) == 4:
            assert len({card[0] for card in cards}) == 4, cards
            return table, shoe["id"], 4, cards, opened


def paid(stake, to_one, first):
    """A win, less a tenth of it when the first card turned brought it."""
    profit = stake * to_one
    return stake + (profit * 9 // 10 if first else profit)


def play(client, table, shoe, position, bets, opened=None):
    opened = opened or client.post(f"/v1/tables/{table}/rounds")["round"]["id"]
    client.post(f"/v1/rounds/{opened}/close-bets", {"bets": bets})
    dealt = deal_on(client, shoe, position)
    assert dealt["round"]["state"] == "ended", dealt["round"]
    results = {one["bet"]: one["returned"] for one in dealt["round"]["results"]}
    return dealt, [one["card"] for one in dealt["cards"]], results


def a_deal_of_monte_is_played_in_two_rounds_and_settled_from_its_cards(appliance):
    client = appliance.client()
    for _ in range(6):
        table, shoe, position, layout, opened = new_layout(client)
        bets = [{"id": "v", "seat": 1, "kind": "vista-hermosa", "on": ["1"], "stake": 100},
                {"id": "c", "seat": 1, "kind": "camo", "on": ["2"], "stake": 100},
                {"id": "s", "seat": 2, "kind": "salto", "on": ["3"], "stake": 100},
                {"id": "h", "seat": 2, "kind": "cartas-horizontal", "on": ["4"], "stake": 100},
                {"id": "d", "seat": 3, "kind": "cartas-dos", "on": ["1", "4"], "stake": 100}]
        dealt, turned, got = play(client, table, shoe, position, bets, opened)
        ranks = [card[0] for card in layout]
        assert turned[-1][0] in ranks and not any(card[0] in ranks for card in turned[:-1]), \
            (layout, turned)
        at, first = ranks.index(turned[-1][0]), len(turned) == 1
        expected = {"v": 3300 if turned[0][0] == ranks[0] and steps(layout[0], turned[0]) == 1
                    else 0, "c": paid(100, 11, first) if at == 1 and
                    steps(layout[1], turned[-1]) == 1 else 0,
                    "s": paid(100, 3, first) if at == 2 else 0,
                    "d": paid(100, 1, first) if at in (0, 3) else 0}
        if at in (2, 3):
            expected["h"] = paid(100, 1, first) if at == 3 else 0
        assert got == expected, (layout, turned, got, expected)
        verified(appliance, client, seq_of(dealt, "SETTLEMENT"))
        segundas(appliance, client, table, shoe, dealt["shoe"]["position"], layout, at)
        client.post(f"/v1/tables/{table}/close")


def segundas(appliance, client, table, shoe, position, layout, decided):
    """The other row; the stake on it that Primeras left open is decided too."""
    row = (2, 3) if decided < 2 else (0, 1)
    bets = [{"id": "a", "seat": 1, "kind": "anti-segundas", "on": [str(row[0] + 1)], "stake": 100},
            {"id": "k", "seat": 1, "kind": "cartas-horizontal", "on": [str(row[1] + 1)],
             "stake": 100}]
    dealt, turned, got = play(client, table, shoe, position, bets)
    ranks = {layout[place][0]: place for place in row}
    assert turned[-1][0] in ranks and not any(card[0] in ranks for card in turned[:-1]), \
        (layout, turned)
    at, first = ranks[turned[-1][0]], len(turned) == 1
    expected = {"a": paid(100, 5, first) if at == row[0] and steps(layout[at], turned[-1]) == 3
                else 0, "k": paid(100, 1, first) if at == row[1] else 0}
    if decided < 2:
        expected["h"] = paid(100, 1, first) if at == 3 else 0
    assert got == expected, (layout, turned, got, expected)
    verified(appliance, client, seq_of(dealt, "SETTLEMENT"))
    closed = client.post(f"/v1/shoes/{shoe}/close")
    verified(appliance, client, seq_of(closed, "SHOE_CLOSE"))


if __name__ == "__main__":
    main([a_deal_of_monte_is_played_in_two_rounds_and_settled_from_its_cards])
