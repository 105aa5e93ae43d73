"""Jackpots of five cards from the text alone: how many hands there are of each kind, by choosing
ranks and suits."""

from fractions import Fraction
from math import comb

DEALS = comb(52, 5)
ROYAL = 4
STRAIGHT_FLUSH = 4 * 10 - ROYAL
FOUR = 13 * 48
FULL = 13 * comb(4, 3) * 12 * comb(4, 2)
FLUSH = 4 * comb(13, 5) - ROYAL - STRAIGHT_FLUSH


def figures(shares, opening, growth, prizes=None, kept=1):
    """`shares`: {hands: part of the jackpot}; `prizes`: {hands: least payment, the stake in it}.
    What a jackpot of `opening` (all in stakes) returns, the chance of a hit, what it holds on
    average, and whether a bet pays at an amount."""
    prizes = prizes or {}

    def returned(amount):
        out = Fraction(0)
        for hands in set(shares) | set(prizes):
            share = Fraction(shares.get(hands, 0)) * kept * amount
            out += Fraction(hands, DEALS) * max(share, prizes.get(hands, 0))
        return out

    hit = Fraction(sum(shares), DEALS)
    whole = Fraction(sum(hands for hands, share in shares.items() if share == 1), DEALS)
    gone = sum(Fraction(hands, DEALS) * Fraction(share) for hands, share in shares.items())
    mean = (growth + whole * opening) / gone if gone else None
    return returned, hit, whole, mean
