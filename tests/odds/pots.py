"""What hands win of a pot, all in, by the rules of the hands alone: hold'em, Omaha high-low."""

from fractions import Fraction
from itertools import combinations

RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "CDHS"]


def high(five):
    """A hand of five as what compares."""
    ranks = sorted((RANKS.index(card[0]) for card in five), reverse=True)
    counts = sorted(((ranks.count(one), one) for one in set(ranks)), reverse=True)
    shape = [count for count, _ in counts]
    flush = len({card[1] for card in five}) == 1
    top = None
    if len(counts) == 5:
        if ranks[0] - ranks[4] == 4:
            top = ranks[0]
        elif ranks == [12, 3, 2, 1, 0]:
            top = 3
    if flush and top is not None:
        kind = 8
    elif shape[0] == 4:
        kind = 7
    elif shape[:2] == [3, 2]:
        kind = 6
    elif flush:
        kind = 5
    elif top is not None:
        kind = 4
    elif shape[0] == 3:
        kind = 3
    elif shape[:2] == [2, 2]:
        kind = 2
    else:
        kind = 1 if shape[0] == 2 else 0
    return (kind, [top] if top is not None and kind in (4, 8) else [one for _, one in counts])


def low(five):
    """Five different ranks up to eight, an ace one; the greater the better. None: no low hand."""
    ranks = sorted((1 if card[0] == "A" else RANKS.index(card[0]) + 2 for card in five),
                   reverse=True)
    return [-one for one in ranks] if len(set(ranks)) == 5 and ranks[0] <= 8 else None


def holdem(own, board):
    return [max(high(five) for five in combinations(own + board, 5))]


def omaha_high_low(own, board):
    fives = [two + three for two in combinations(own, 2) for three in combinations(board, 3)]
    lows = [one for one in map(low, fives) if one]
    return [max(map(high, fives)), max(lows) if lows else None]


def shares(values_of, hands, board):
    """Every way to complete the board."""
    hands = [tuple(hand) for hand in hands]
    rest = [card for card in DECK if card not in sum(hands, tuple(board))]
    sums, ways = [Fraction(0)] * len(hands), 0
    for more in combinations(rest, 5 - len(board)):
        ways += 1
        values = [values_of(hand, tuple(board) + more) for hand in hands]
        rows = [row for row in zip(*values) if any(one is not None for one in row)]
        for row in rows:
            best = max(one for one in row if one is not None)
            winners = [i for i, one in enumerate(row) if one == best]
            for i in winners:
                sums[i] += Fraction(1, len(rows) * len(winners))
    return [one / ways for one in sums]
