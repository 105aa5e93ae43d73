"""Trijoker (es-aragon-2010, 10.2): each of the three bets by every hand of five, sets of cards told
apart by the ranks of their suits alone. Pareja plus (es-euskadi-2010, 15): every hand of three."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

DECK = [(rank, suit) for rank in range(2, 15) for suit in range(4)]
PAYS = {"pair": 1, "two-pair": 2, "trio": 3, "straight": 5, "flush": 8, "full": 11, "four": 50,
        "straight-flush": 200, "royal-flush": 500}


def is_run(ranks):
    """Of cards that differ in rank; an ace may be low."""
    low = sorted(1 if rank == 14 else rank for rank in ranks)
    return any(side[-1] - side[0] == len(ranks) - 1 for side in (sorted(ranks), low))


def five(cards):
    """What a chip wins on these, or -1: a pair counts from jacks on."""
    times = Counter(rank for rank, _ in cards)
    kinds = sorted(times.values(), reverse=True)
    flush = len({suit for _, suit in cards}) == 1
    run = kinds[0] == 1 and is_run(list(times))
    if flush and run:
        return PAYS["royal-flush" if min(times) == 10 else "straight-flush"]
    for shape, name in (([4, 1], "four"), ([3, 2], "full")):
        if kinds == shape:
            return PAYS[name]
    if flush or run:
        return PAYS["flush" if flush else "straight"]
    for shape, name in (([3, 1, 1], "trio"), ([2, 2, 1], "two-pair")):
        if kinds == shape:
            return PAYS[name]
    if kinds[0] == 2 and max(rank for rank in times if times[rank] == 2) >= 11:
        return PAYS["pair"]
    return -1


def alike(cards):
    """The same for sets that differ in the names of suits alone."""
    by_suit = {}
    for rank, suit in cards:
        by_suit.setdefault(suit, []).append(rank)
    return tuple(sorted(tuple(sorted(ranks)) for ranks in by_suit.values()))


def classes(size):
    """One set of each kind, and how many are like it."""
    sets, count = {}, Counter()
    for cards in combinations(DECK, size):
        key = alike(cards)
        sets.setdefault(key, cards)
        count[key] += 1
    return sets, count


def trijoker():
    """What comes back and what is left at stake of each bet, taken back where it gains nothing."""
    sets, count = classes(4)
    gains = {}  # of four cards, in sums over the fifth
    for key, cards in sets.items():
        gains[key] = sum(five(cards + (one,)) for one in DECK if one not in cards)
    whole = sum(count.values())
    last = sum(gains[key] * times for key, times in count.items())
    kept = [(gains[key], times) for key, times in count.items() if gains[key] > 0]
    second = sum(gain * times for gain, times in kept)
    left = Fraction(sum(times for _, times in kept), whole)
    threes, times_of = classes(3)
    first = Fraction(0)
    staked = 0
    for key, cards in threes.items():
        gain = Fraction(sum(gains[alike(cards + (one,))] for one in DECK if one not in cards), 49)
        if gain > 0:
            first += gain * times_of[key]
            staked += times_of[key]
    hands = sum(times_of.values())
    return {"apuesta-1": (first / 48 / hands, Fraction(staked, hands)),
            "apuesta-2": (Fraction(second, 48 * whole), left),
            "apuesta-3": (Fraction(last, 48 * whole), Fraction(1))}


def pair_plus():
    """1, 3, 6, 30, 40 and 50 to 1: what comes back of a chip."""
    back = hands = 0
    for cards in combinations(DECK, 3):
        ranks = {rank for rank, _ in cards}
        flush = len({suit for _, suit in cards}) == 1
        run = len(ranks) == 3 and is_run(list(ranks))
        if flush and run:
            pays = 50 if min(ranks) == 12 else 40
        elif len(ranks) == 1:
            pays = 30
        else:
            pays = 6 if run else 3 if flush else 1 if len(ranks) == 2 else -1
        back += pays + 1
        hands += 1
    return Fraction(back, hands)
