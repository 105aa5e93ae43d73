"""How often both rows of a coup of trente et quarante end alike: a second derivation.

The last card of each row is taken out first, so that what lies before it is any set of cards of at
most 30 points in any order. Pairs of such sets are counted with integers of any size, value by
value. Nothing here is shared with the program under test: another order of work, no remainders.
"""

from collections import defaultdict
from fractions import Fraction
from math import factorial

REACH = 31


def deck(decks):
    """Cards of each number of points."""
    return {points: (16 if points == 10 else 4) * decks for points in range(1, 11)}


def falling(n, k):
    out = 1
    for i in range(k):
        out *= n - i
    return out


def ways_of(cards):
    """In how many ways a cards of a value come before one last card, b before the other."""
    return [[falling(cards, a + b) // (factorial(a) * factorial(b)) if a + b <= cards else 0
             for b in range(REACH)] for a in range(REACH)]


def with_value(layer, value, cards):
    """Adds cards of that value to the sets before the last cards."""
    out = defaultdict(int)
    ways = ways_of(cards)
    for (n1, s1, n2, s2), count in layer.items():
        for a in range((REACH - 1 - s1) // value + 1):
            row, n, s = ways[a], n1 + a, s1 + a * value
            for b in range((REACH - 1 - s2) // value + 1):
                out[n, s, n2 + b, s2 + b * value] += count * row[b]
    return out


def equal_rows(cards):
    """{total: probability that both rows end with it}."""
    total = sum(cards.values())
    out = defaultdict(Fraction)
    for first in range(1, 11):
        for second in range(first, 11):
            left = dict(cards)
            lasts = left[first]
            left[first] -= 1
            lasts *= left[second]
            left[second] -= 1
            if lasts <= 0:
                continue
            layer = {(0, 0, 0, 0): 1}
            for value in range(10, 1, -1):
                layer = with_value(layer, value, left[value])
            numbers = defaultdict(int)  # by total and cards of both rows
            ways = ways_of(left[1])
            for (n1, s1, n2, s2), count in layer.items():
                for a in range(REACH - s1):
                    end = s1 + a + first
                    b = end - second - s2
                    if end < REACH or b < 0 or s2 + b >= REACH:
                        continue
                    orders = factorial(n1 + a) * factorial(n2 + b)
                    numbers[end, n1 + a + n2 + b + 2] += count * ways[a][b] * orders
            twice = 1 if first == second else 2
            for (end, n), count in numbers.items():
                out[end] += Fraction(twice * lasts * count, falling(total, n))
    return out


def chances(cards):
    """Chance of 31-31, and of the other ties together."""
    rows = equal_rows(cards)
    return rows[REACH], sum(rows.values()) - rows[REACH]


if __name__ == "__main__":
    for one in chances(deck(6)):
        print(one)
