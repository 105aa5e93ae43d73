"""Draw poker against the house with twenty cards, the tens to the aces: what a hand gains by each
change of cards, every deal played out (es-euskadi-2010, 12; readings A2, A13, A15).
"""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

RANKS = "TJQKA"
DECK = [rank + suit for suit in "CDHS" for rank in RANKS]
SECOND = {"pair": 1, "two-pair": 1, "trio": 2, "straight": 3, "flush": 5, "full": 7, "four": 20,
          "straight-flush": 25, "royal-flush": 100}
ORDER = ["high", *SECOND]


@lru_cache(maxsize=None)
def worth(hand):
    """(place of its kind, ranks that compare) of five cards."""
    counts = Counter(RANKS.index(card[0]) for card in hand)
    groups = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
    shape = [count for count, _ in groups]
    flush = len({card[1] for card in hand}) == 1
    straight = len(counts) == 5  # five of five ranks
    kind = ("royal-flush" if flush and straight else "four" if shape[0] == 4 else
            "full" if shape == [3, 2] else "flush" if flush else "straight" if straight else
            "trio" if shape[0] == 3 else "two-pair" if shape[:2] == [2, 2] else
            "pair" if shape[0] == 2 else "high")
    return ORDER.index(kind), [rank for _, rank in groups]


@lru_cache(maxsize=None)
def bank_gives(hand):
    """From straight up nothing; trio, pair and nothing the two lowest beside, two pair the one."""
    kind = ORDER[worth(hand)[0]]
    if ORDER.index(kind) >= ORDER.index("straight"):
        return ()
    counts = Counter(card[0] for card in hand)
    beside = sorted((card for card in hand if counts[card[0]] == 1),
                    key=lambda card: RANKS.index(card[0]))
    if kind == "high":
        raise ValueError("five of five ranks are a straight")
    return tuple(beside[:1 if kind == "two-pair" else 2])


def gain(own, bank):
    """The bank plays: in this deck its lowest hand is a pair of tens."""
    if own == bank:
        return 0
    return 1 + 2 * SECOND[ORDER[own[0]]] if own > bank else -3


def of_choice(hand, given_up):
    kept = [card for card in hand if card not in given_up]
    others = [card for card in DECK if card not in hand]
    total = Fraction(0)
    finals = list(combinations(others, len(given_up)))
    for came in finals:
        own = worth(tuple(sorted(kept + list(came))))
        left = [card for card in others if card not in came]
        gained, deals = Fraction(0), 0
        for first in combinations(left, 5):
            gone = bank_gives(first)
            rest = [card for card in left if card not in first]
            stays = [card for card in first if card not in gone]
            draws = list(combinations(rest, len(gone)))
            gained += Fraction(sum(gain(own, worth(tuple(sorted(stays + list(new)))))
                                   for new in draws), len(draws))
            deals += 1
        total += gained / deals
    return total / len(finals)
