"""Pai gow from a deck of jacks to aces and the joker, every deal played out: the bank lays the
best low or keeps the best high hand, the client sets his cards so too, or as is best for him.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

JOKER = (14, None)
DECK = [(rank, suit) for suit in "CDHS" for rank in (11, 12, 13, 14)] + [JOKER]
PAIR, TWO_PAIR, TRIO, STRAIGHT, FULL, FOUR, ROYAL, FIVE_ACES = 1, 2, 3, 4, 6, 7, 9, 10


def five(cards):
    """Ranks by how often they come. With a joker all four ranks make a run to the ace, of one suit
    the royal flush; else the joker is an ace."""
    ranks = Counter(rank for rank, _ in cards)
    if JOKER in cards:
        others = [card for card in cards if card != JOKER]
        if len({rank for rank, _ in others}) == 4:
            return ROYAL if len({suit for _, suit in others}) == 1 else STRAIGHT, ()
    groups = sorted(((times, rank) for rank, times in ranks.items()), reverse=True)
    shape = tuple(times for times, _ in groups)
    kind = {(5,): FIVE_ACES, (4, 1): FOUR, (3, 2): FULL, (3, 1, 1): TRIO, (2, 2, 1): TWO_PAIR,
            (2, 1, 1, 1): PAIR}[shape]
    return kind, tuple(rank for _, rank in groups)


def two(cards):
    first, second = sorted((rank for rank, _ in cards), reverse=True)
    return first == second, first, second


def outranks(high, low):
    """Five cards of four ranks hold a pair at least."""
    kind, ranks = high
    return kind > PAIR or not low[0] or ranks[0] >= low[1]


def settings(hand):
    """All that are not wrong."""
    out = set()
    for low in combinations(hand, 2):
        high = five([card for card in hand if card not in low])
        if outranks(high, two(low)):
            out.add((high, two(low)))
    return out


def best_high(hand):
    return max(settings(hand))


def best_low(hand):
    return max(settings(hand), key=lambda one: (one[1], one[0]))


WAYS = {"best-high": best_high, "best-low": best_low}


def key(hand):
    """The same for hands that differ only by suits."""
    def turned(order):
        names = dict(zip("CDHS", order))
        return tuple(sorted((rank, names.get(suit, "")) for rank, suit in hand))

    return min(map(turned, permutations("CDHS")))


def chances():
    """Won and lost, by the way of the bank and that of the client."""
    hands = list(combinations(DECK, 7))
    of_bank = {way: [setting(hand) for hand in hands] for way, setting in WAYS.items()}
    sets = [frozenset(hand) for hand in hands]
    classes = Counter(key(hand) for hand in hands)
    told, seen = Counter(), set()
    for hand, mine in zip(hands, sets):
        if key(hand) in seen:
            continue
        seen.add(key(hand))
        times = classes[key(hand)]
        beside = [i for i, its in enumerate(sets) if not mine & its]
        for bank, made in of_bank.items():
            against = Counter(made[i] for i in beside)

            def result(own):
                wins = sum(many for its, many in against.items()
                           if own[0] > its[0] and own[1] > its[1])
                loses = sum(many for its, many in against.items()
                            if own[0] <= its[0] and own[1] <= its[1])
                return wins, loses

            tried = {way: result(setting(hand)) for way, setting in WAYS.items()}
            tried["best"] = max(map(result, settings(hand)),
                                key=lambda one: 19 * one[0] - 20 * one[1])
            for way, (wins, loses) in tried.items():
                told[bank, way, "win"] += times * wins
                told[bank, way, "lose"] += times * loses
            told["deals"] += times * len(beside)
    deals = told.pop("deals") // len(of_bank)
    return {what: Fraction(many, deals) for what, many in told.items()}
