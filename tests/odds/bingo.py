"""A card of bingo (es-1977, 10): what it is paid when some are sold, from the card's point of view.

A ball hits each number left on a card with the same chance: the rows of one card fill as a chain.
"""

from fractions import Fraction
from math import comb, lcm

BALLS, ROW, ROWS = 90, 5, 3


def course():
    """Chance that a card has its first line with ball l and its last number with ball b, in whole
    parts of the second value."""
    out = {}
    level = {((0, 0, 0), 0): Fraction(1)}
    for ball in range(1, BALLS + 1):
        below = {}
        for (rows, line), chance in level.items():
            left = BALLS - ball + 1
            missing = sum(ROW - one for one in rows)
            for row in range(ROWS):
                if rows[row] == ROW:
                    continue
                hit = list(rows)
                hit[row] += 1
                first = ball if hit[row] == ROW and not line else line
                part = chance * Fraction(ROW - rows[row], left)
                if sum(hit) == ROW * ROWS:
                    out[first, ball] = out.get((first, ball), 0) + part
                else:
                    key = (tuple(sorted(hit)), first)
                    below[key] = below.get(key, 0) + part
            if left > missing:
                below[rows, line] = below.get((rows, line), 0) + \
                    chance * Fraction(left - missing, left)
        level = below
    return out


def ends(sold):
    """{(cards with the line or 0, cards with the bingo or 0): chance} of one card among `sold`."""
    f = course()
    assert sum(f.values()) == 1
    at_least = [[Fraction(0)] * (BALLS + 2) for _ in range(BALLS + 2)]
    for line in range(BALLS, 0, -1):
        row = Fraction(0)
        for whole in range(BALLS, 0, -1):
            row += f.get((line, whole), 0)
            at_least[line][whole] = row + at_least[line + 1][whole]
    scale = lcm(*(one.denominator for row in at_least for one in row))
    whole_of = [[int(one * scale) for one in row] for row in at_least]
    others = sold - 1
    out = {}

    def add(key, ways):
        out[key] = out.get(key, 0) + ways

    for (line, whole), chance in f.items():
        mine = int(chance * scale)
        # The others: not before, and so many with the same ball.
        equal = whole_of[line][1] - whole_of[line + 1][1]
        later = whole_of[line + 1][1]
        same = whole_of[1][whole] - whole_of[1][whole + 1]
        after = whole_of[1][whole + 1]
        lines = [comb(others, k) * equal**k * later**(others - k) for k in range(others + 1)]
        wholes = [comb(others, k) * same**k * after**(others - k) for k in range(others + 1)]
        a = whole_of[line][whole] - whole_of[line + 1][whole] - whole_of[line][whole + 1] + \
            whole_of[line + 1][whole + 1]
        b = whole_of[line][whole + 1] - whole_of[line + 1][whole + 1]
        c = whole_of[line + 1][whole] - whole_of[line + 1][whole + 1]
        d = whole_of[line + 1][whole + 1]
        for i in range(others + 1):
            for j in range(others - i + 1):
                for k in range(others - i - j + 1):
                    ways = comb(others, i) * comb(others - i, j) * comb(others - i - j, k) * \
                        a**i * b**j * c**k * d**(others - i - j - k)
                    add((1 + i + j, 1 + i + k), mine * ways)
                    lines[i + j] -= ways
                    wholes[i + k] -= ways
        for k in range(others + 1):
            add((1 + k, 0), mine * lines[k])
            add((0, 1 + k), mine * wholes[k])
    out = {key: Fraction(ways, scale**sold) for key, ways in out.items()}
    out[0, 0] = 1 - sum(out.values())
    return out


def figures(sold, line=Fraction(1, 10), bingo=Fraction(1, 2)):
    """(win, lose, returned) of prizes that are parts of all that was paid."""
    win = lose = returned = Fraction(0)
    for (x, y), chance in ends(sold).items():
        paid = (line * sold / x if x else 0) + (bingo * sold / y if y else 0)
        win += chance if paid > 1 else 0
        lose += chance if paid == 0 else 0
        returned += chance * paid
    return win, lose, returned
