"""Baccarat with two cloths a second time: three decks, equal stakes, what the bank knows of each.

Written from the text (Spain 1977, 09): cards are taken out by value; what the bank may then hold is
worked out once for each set of cards that the cloths have.
"""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations_with_replacement

from banque import CHART, STOOD, deck, sign

SHOWN = 11
COMMISSION = Fraction(1, 50)


def taken(cards, values):
    """Ordered ways to draw these values, and what is left; no ways: (0, None)."""
    left, ways = list(cards), 1
    for value in values:
        ways *= left[value]
        left[value] -= 1
    return (ways, tuple(left)) if ways > 0 else (0, None)


def cloths(cards, draws_with_five):
    """Each cloth's first cards and third: (values, two-card total, final total, what is seen)."""
    for pair in combinations_with_replacement(range(10), 2):
        total = sum(pair) % 10
        orders = 1 if pair[0] == pair[1] else 2
        if total > 7:
            yield pair, orders, total, SHOWN
        elif total < 5 or (total == 5 and draws_with_five):
            for third in range(10):
                yield pair + (third,), orders, (total + third) % 10, third
        else:
            yield pair, orders, total, STOOD


class Bank:
    """What it may hold of the cards that are left, counted once for each such set."""

    def __init__(self):
        self.known = {}

    def of(self, left):
        if left not in self.known:
            pairs = defaultdict(int)
            thirds = defaultdict(lambda: [0] * 10)
            for a in range(10):
                for b in range(10):
                    ways = left[a] * (left[b] - (a == b))
                    pairs[(a + b) % 10] += ways
                    for value in range(10):
                        thirds[(a + b) % 10][value] += \
                            ways * (left[value] - (value == a) - (value == b))
            self.known[left] = pairs, thirds
        return self.known[left]


def against(total, seen, bank, three):
    """1: the cloth wins. A natural keeps its rank against three cards."""
    return 1 if seen == SHOWN and three else sign(total, bank)


def hands(first_draws, second_draws):
    """{None: naturals of the bank, (bank, seen, seen, drawn): ends of both cloths}, all draws."""
    cards = deck(3)
    count, bank = sum(cards), Bank()
    out = defaultdict(lambda: defaultdict(int))

    def orders(drawn):
        """Of the cards that complete nine."""
        ways = 1
        for i in range(drawn, 9):
            ways *= count - i
        return ways

    firsts, seconds = list(cloths(cards, first_draws)), list(cloths(cards, second_draws))
    for one, one_orders, one_total, one_seen in firsts:
        for other, other_orders, other_total, other_seen in seconds:
            ways, left = taken(cards, one + other)
            if not ways:
                continue
            ways *= one_orders * other_orders
            drawn = len(one) + len(other) + 2
            pairs, thirds = bank.of(left)
            for total in range(8):
                kept = out[total, one_seen, other_seen, False]
                ends = (against(one_total, one_seen, total, False),
                        against(other_total, other_seen, total, False))
                kept[ends] += ways * pairs[total] * orders(drawn)
                card = out[total, one_seen, other_seen, True]
                for value in range(10):
                    now = (total + value) % 10
                    ends = (against(one_total, one_seen, now, True),
                            against(other_total, other_seen, now, True))
                    card[ends] += ways * thirds[total][value] * orders(drawn + 1)
    for one in combinations_with_replacement(range(10), 2):
        for other in combinations_with_replacement(range(10), 2):
            ways, left = taken(cards, one + other)
            if not ways:
                continue
            ways *= (1 + (one[0] != one[1])) * (1 + (other[0] != other[1]))
            for total in (8, 9):
                ends = (sign(sum(one) % 10, total), sign(sum(other) % 10, total))
                out[None][ends] += ways * bank.of(left)[0][total] * orders(6)
    return out, orders(0)


def free_hands():
    """The same where each cloth may do anything on every total but a natural, by both two-card
    totals too: {(total, seen, total, seen, bank, drawn): ends}."""
    cards, bank = deck(3), Bank()
    count = sum(cards)
    options = []
    for pair in combinations_with_replacement(range(10), 2):
        total, orders = sum(pair) % 10, 1 if pair[0] == pair[1] else 2
        if total > 7:
            options.append((pair, orders, total, total, SHOWN))
            continue
        options.append((pair, orders, total, total, STOOD))
        for third in range(10):
            options.append((pair + (third,), orders, total, (total + third) % 10, third))
    behind = [1] * 10
    for drawn in range(8, -1, -1):
        behind[drawn] = behind[drawn + 1] * (count - drawn)
    out = defaultdict(lambda: defaultdict(int))
    for one, one_orders, one_two, one_total, one_seen in options:
        for other, other_orders, other_two, other_total, other_seen in options:
            ways, left = taken(cards, one + other)
            if not ways:
                continue
            ways *= one_orders * other_orders
            drawn = len(one) + len(other) + 2
            pairs, thirds = bank.of(left)
            for total in range(8):
                key = (one_two, one_seen, other_two, other_seen, total)
                ends = (against(one_total, one_seen, total, False),
                        against(other_total, other_seen, total, False))
                out[key + (False,)][ends] += ways * pairs[total] * behind[drawn]
                sums = out[key + (True,)]
                for value in range(10):
                    now = (total + value) % 10
                    ends = (against(one_total, one_seen, now, True),
                            against(other_total, other_seen, now, True))
                    sums[ends] += ways * thirds[total][value] * behind[drawn + 1]
    return out, behind[0]


def banco(all_hands, draws, naturals, banker):
    """What who makes banco makes of it, free on every total, against that banker."""
    def seen(total, card):
        return [SHOWN] if total > 7 else list(range(10)) if card else [STOOD]

    def worth(ends):
        return sum(ways * sum(end) for end, ways in ends.items())

    def better(one, other):
        return one if worth(one) > worth(other) else other

    def second(one_two, one_seen, other_two, card):
        out = defaultdict(int)
        for other_seen in seen(other_two, card):
            for total in range(8):
                card_drawn = banker[total, one_seen, other_seen]
                key = (one_two, one_seen, other_two, other_seen, total, card_drawn)
                for end, ways in all_hands[key].items():
                    out[end] += ways
        return out

    def first(one_two, card):
        out = defaultdict(int)
        for one_seen in seen(one_two, card):
            for other_two in range(10):
                best = better(second(one_two, one_seen, other_two, True),
                              second(one_two, one_seen, other_two, False))
                for end, ways in best.items():
                    out[end] += ways
        return out

    sums = defaultdict(int, naturals)
    for one_two in range(10):
        for end, ways in better(first(one_two, True), first(one_two, False)).items():
            sums[end] += ways
    return {end: Fraction(ways, draws) for end, ways in sums.items()}


def deducted(ends):
    return COMMISSION * max(-sum(ends), 0)


def duty(total, one, other, chart):
    cells = [CHART[total][seen] for seen in (one, other) if seen != SHOWN]
    if not cells:
        return "S"
    if len(cells) == 1:  # a cloth has shown: the chart of the other binds, its optional cells too
        return "T" if cells[0] == "O" else cells[0]
    if chart and cells[0] == cells[1] != "O":
        return cells[0]
    return "T" if total == 0 else "O"


def figures():
    """{play: {ends of both cloths: chance}}; with "banco-best" those of who makes banco."""
    out = {}
    free, free_draws = free_hands()
    for word, first, second in (("five-draws", True, True), ("five-stands", False, False),
                                ("five-draws-first", True, False)):
        all_hands, draws = hands(first, second)
        assert sum(all_hands[None].values()) + sum(
            ways for key, ends in all_hands.items() if key and not key[3]
            for ways in ends.values()) == draws
        for name, chart in (("bank-best", False), ("bank-chart", True)):
            sums = defaultdict(int, all_hands[None])
            banker = {}
            for total, one, other, _ in [key for key in all_hands if key and not key[3]]:
                card, kept = (all_hands[total, one, other, drawn] for drawn in (True, False))
                worth = [sum(ways * (-sum(ends) - deducted(ends)) for ends, ways in some.items())
                         for some in (card, kept)]
                cell = duty(total, one, other, chart)
                draws_here = cell == "T" or (cell == "O" and worth[0] > worth[1])
                banker[total, one, other] = draws_here
                for ends, ways in (card if draws_here else kept).items():
                    sums[ends] += ways
            # What no player of the rules ever shows with another total he may show here.
            for total in range(8):
                for one in range(12):
                    for other in range(12):
                        if (total, one, other) not in banker:
                            banker[total, one, other] = duty(total, one, other, chart) == "T"
            assert free_draws == draws
            out[f"{word} {name}"] = {ends: Fraction(ways, draws) for ends, ways in sums.items()}
            out[f"{word} {name} banco-best"] = banco(free, draws, all_hands[None], banker)
    return out


if __name__ == "__main__":
    for play, ends in figures().items():
        print(play, float(sum(chance * (one + other) / 2 for (one, other), chance in ends.items())))
