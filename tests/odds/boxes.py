"""Bets beside a hand of black jack, card by card: six decks as 312 cards in 52 kinds of six."""

from fractions import Fraction

KINDS = [(rank, suit) for rank in range(1, 14) for suit in range(4)]
EACH, CARDS = 6, 312


def pairs(first, second):
    """What comes back of 1 on a pair (es-euskadi-2010, 03 V.1.e)."""
    if first[0] != second[0]:
        return 0
    if first[1] == second[1]:
        return 26
    return 13 if first[1] // 2 == second[1] // 2 else 7


def below(first, second):
    """Under thirteen, an ace one (es-valencia-2003, 03 V.1.e)."""
    return 2 if sum(min(card[0], 10) for card in (first, second)) < 13 else 0


def of_two(paid):
    ends = {}
    for first in KINDS:
        for second in KINDS:
            deals = EACH * (EACH - (first == second))
            back = paid(first, second)
            ends[back] = ends.get(back, 0) + deals
    return {back: Fraction(deals, CARDS * (CARDS - 1)) for back, deals in ends.items()}


def sevens(prizes, third):
    """Prizes to one for a first seven, two of different suits, two of one, three, and what comes
    back for three of one suit; the highest counts. A blackjack has no seven: every seven may have
    a third card."""
    seven, off, suited, three, three_suited = prizes
    ends = {}

    def add(back, chance):
        ends[back] = ends.get(back, 0) + chance

    sevens_in = 4 * EACH
    add(0, 1 - Fraction(sevens_in, CARDS))
    one = Fraction(sevens_in, CARDS)
    add(1 + seven, one * (1 - Fraction(sevens_in - 1, CARDS - 1)))
    for same in (True, False):
        two = one * Fraction(EACH - 1 if same else 3 * EACH, CARDS - 1)
        back = 1 + (suited if same else off)
        if not third:
            add(back, two)
            continue
        last = Fraction(sevens_in - 2, CARDS - 2)
        alike = Fraction(EACH - 2, CARDS - 2) if same else 0
        add(back, two * (1 - last))
        add(three_suited, two * alike)
        add(1 + three, two * (last - alike))
    return ends


def figures(ends):
    assert sum(ends.values()) == 1
    return (sum(part for back, part in ends.items() if back > 1), ends.get(0, Fraction(0)),
            sum(back * part for back, part in ends.items()))
