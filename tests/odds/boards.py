"""Hold'em against the house with three decisions (es-aragon-2010, 10.1.E) beside one board alone:
every pair of own cards against every pair of the bank, in every order of the common cards.
"""

from collections import defaultdict
from itertools import combinations

import pots

STRAIGHT = 4  # the ante of a winner is paid from there on


def known(own, common):
    """What is known of cards whose suits have no names."""
    suits = [("".join(sorted(card[0] for card in own if card[1] == suit)),
              "".join(sorted(card[0] for card in common if card[1] == suit))) for suit in "CDHS"]
    return tuple(sorted(suits))


def best(board):
    """What all deals gain and what they lay down, in antes."""
    rest = [card for card in pots.DECK if card not in board]
    value = {own: pots.holdem(own, board)[0] for own in combinations(rest, 2)}
    wins, loses = {}, {}
    for own, mine in value.items():
        others = [its for bank, its in value.items() if not set(own) & set(bank)]
        wins[own] = sum(mine > its for its in others)
        loses[own] = sum(mine < its for its in others)
    bank_hands = 990
    # What one unit more gains, by what is known; the choices of three and of four cards.
    one_more = defaultdict(int)
    for own in value:
        for size in (3, 4):
            for common in combinations(board, size):
                one_more[known(own, common)] += wins[own] - loses[own]
    orders = [(three, three + (fourth,)) for three in combinations(board, 3)
              for fourth in board if fourth not in three]
    going = defaultdict(lambda: [0, 0, 0])  # gained, laid down, deals
    for own, mine in value.items():
        ante = 1 if mine[0] >= STRAIGHT else 0
        told = going[known(own, ())]
        for three, four in orders:
            bets = (2 + (one_more[known(own, three)] > 0) + (one_more[known(own, four)] > 0))
            told[0] += wins[own] * (ante + bets) - loses[own] * (1 + bets)
            told[1] += (1 + bets) * bank_hands
            told[2] += bank_hands
    net = sum(gained if gained > -deals else -deals for gained, _, deals in going.values())
    laid = sum(all_laid if gained > -deals else deals
               for gained, all_laid, deals in going.values())
    return net, laid
