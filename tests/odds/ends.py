"""How stakes at dice and in prison end, thrown out face by face: plain lists of chances."""

from fractions import Fraction

WAYS = {total: Fraction(6 - abs(total - 7), 36) for total in range(2, 13)}


def line(wins, loses, rounds, point=None):
    """Chances that a line has ended behind each throw, and that it was won and lost by then.

    `wins`, `loses`: totals that do so at once; then its point against a seven, by `point`:
    "made" wins with it, "missed" with the seven."""
    over, won, lost = [], [], []
    waiting = {total: chance for total, chance in WAYS.items()
               if total in (4, 5, 6, 8, 9, 10)}
    done = [sum(WAYS[total] for total in wins), sum(WAYS[total] for total in loses)]
    rest = 1 - sum(waiting.values())
    for _ in range(rounds):
        over.append(rest)
        won.append(done[0])
        lost.append(done[1])
        for total in waiting:
            made, seven = waiting[total] * WAYS[total], waiting[total] * WAYS[7]
            done[0] += made if point == "made" else seven
            done[1] += seven if point == "made" else made
            rest += made + seven
            waiting[total] -= made + seven
    return over, won, lost


def prison(pockets, rounds):
    """One zero of so many pockets: freed or lost behind each spin, once in prison."""
    over, stays = [], Fraction(1)
    for _ in range(rounds):
        stays /= pockets
        over.append(1 - stays)
    return over
