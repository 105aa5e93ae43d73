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


def draws_third(total, draws_with_five):
    """Whether the rules make a cloth take a third card."""
    return total < 5 or (total == 5 and draws_with_five)


WIDTH = 80  # bits of a count: 156 cards in nine draws have 66
MASK = (1 << WIDTH) - 1


class Bank:
    """What it may hold of the cards that are left, counted once for each such set, as one number:
    the fields of `fields`, each WIDTH bits."""

    def __init__(self):
        self.known = {}

    def of(self, left):
        if left not in self.known:
            counts = [0] * 110
            for a in range(10):
                for b in range(10):
                    ways = left[a] * (left[b] - (a == b))
                    at = (a + b) % 10 * 11
                    counts[at] += ways
                    for value in range(10):
                        counts[at + 1 + value] += ways * (left[value] - (value == a) -
                                                          (value == b))
            self.known[left] = sum(one << WIDTH * at for at, one in enumerate(counts))
        return self.known[left]


def fields(counted):
    """Of each two-card total: how often the bank has it, and that with each third card."""
    counts = [counted >> WIDTH * at & MASK for at in range(110)]
    return [(counts[at], counts[at + 1:at + 11]) for at in range(0, 110, 11)]


def against(total, seen, bank, three):
    """1: the cloth wins. A natural keeps its rank against three cards."""
    return 1 if seen == SHOWN and three else sign(total, bank)


def orders_behind(count):
    """[drawn]: ordered ways of the cards that complete nine of `count`."""
    behind = [1] * 10
    for drawn in range(8, -1, -1):
        behind[drawn] = behind[drawn + 1] * (count - drawn)
    return behind


def final(total, seen):
    """A cloth's total with the third card that was seen."""
    return total if seen in (SHOWN, STOOD) else (total + seen) % 10


def free_hands():
    """Where each cloth may do anything on every total but a natural, by both two-card totals too:
    {(total, seen, total, seen, bank, drawn): ends}, {ends: ways} of the bank's naturals, all
    draws."""
    cards, bank = deck(3), Bank()
    behind = orders_behind(sum(cards))
    options = []
    for pair in combinations_with_replacement(range(10), 2):
        total, orders = sum(pair) % 10, 1 if pair[0] == pair[1] else 2
        options.append((pair, orders, total, SHOWN if total > 7 else STOOD))
        options += [(pair + (third,), orders, total, third) for third in range(10) if total < 8]
    counted, naturals = defaultdict(int), defaultdict(int)
    for one, one_orders, one_two, one_seen in options:
        for other, other_orders, other_two, other_seen in options:
            ways, left = taken(cards, one + other)
            if ways:
                counted[one_two, one_seen, other_two, other_seen] += \
                    ways * one_orders * other_orders * bank.of(left)
    out = defaultdict(lambda: defaultdict(int))
    for key, number in counted.items():
        one_two, one_seen, other_two, other_seen = key
        one_total, other_total = final(one_two, one_seen), final(other_two, other_seen)
        drawn = 6 + sum(seen not in (SHOWN, STOOD) for seen in (one_seen, other_seen))
        for total, (kept, thirds) in enumerate(fields(number)):
            if total > 7:
                if drawn == 6:  # nobody draws against a natural
                    naturals[sign(one_two, total), sign(other_two, total)] += kept * behind[6]
                continue
            ends = (against(one_total, one_seen, total, False),
                    against(other_total, other_seen, total, False))
            out[key + (total, False)][ends] += kept * behind[drawn]
            sums = out[key + (total, True)]
            for value, ways in enumerate(thirds):
                now = (total + value) % 10
                ends = (against(one_total, one_seen, now, True),
                        against(other_total, other_seen, now, True))
                sums[ends] += ways * behind[drawn + 1]
    return out, naturals, behind[0]


def hands(free, naturals, first_draws, second_draws):
    """{None: naturals of the bank, (bank, seen, seen, drawn): ends of both cloths} where both
    cloths do what the rules say."""
    def ruled(total, seen, draws_with_five):
        return seen == SHOWN or (seen != STOOD) == draws_third(total, draws_with_five)

    out = defaultdict(lambda: defaultdict(int))
    out[None] = naturals
    for (one_two, one_seen, other_two, other_seen, total, drawn), ends in free.items():
        if ruled(one_two, one_seen, first_draws) and ruled(other_two, other_seen, second_draws):
            sums = out[total, one_seen, other_seen, drawn]
            for end, ways in ends.items():
                sums[end] += ways
    return out


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
    free, naturals, draws = free_hands()
    for word, first, second in (("five-draws", True, True), ("five-stands", False, False),
                                ("five-draws-first", True, False)):
        all_hands = hands(free, naturals, first, second)
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
            out[f"{word} {name}"] = {ends: Fraction(ways, draws) for ends, ways in sums.items()}
            out[f"{word} {name} banco-best"] = banco(free, draws, all_hands[None], banker)
    return out


if __name__ == "__main__":
    for play, ends in figures().items():
        print(play, float(sum(chance * (one + other) / 2 for (one, other), chance in ends.items())))
