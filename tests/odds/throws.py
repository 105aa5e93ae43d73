"""Roulette from the cloth as it is drawn, and single throws of craps from the faces."""

from fractions import Fraction
from itertools import product

# Rows of three from 1 to 36; what a winning chip gains.
GAINS = {"pleno": 35, "caballo": 17, "transversal": 11, "cuadro": 8, "seisena": 5, "columna": 2,
         "docena": 2}
THROWS = list(product(range(1, 7), repeat=2))


def cell(row, column):
    return 3 * row + column + 1


def cloth():
    """The numbers of every place inside 1 to 36, by the bet that lies on it."""
    rows, columns = range(12), range(3)
    line = [[cell(row, column) for column in columns] for row in rows]
    return {
        "pleno": [[one] for one in range(1, 37)],
        "caballo": [[cell(row, c), cell(row, c + 1)] for row in rows for c in range(2)]
                   + [[cell(row, c), cell(row + 1, c)] for row in range(11) for c in columns],
        "transversal": line,
        "cuadro": [[cell(row + i, c + j) for i in range(2) for j in range(2)]
                   for row in range(11) for c in range(2)],
        "seisena": [line[row] + line[row + 1] for row in range(11)],
    }


def even_chance(zeros=1):
    """Half back, or prison until a number comes that is no zero: the same. What is lost of 1."""
    return Fraction(zeros, 36 + zeros) / 2


def single(gain, wins):
    """Edge of a bet that one throw decides; `wins`: what the throw has to be, or its gain."""
    net = 0
    for throw in THROWS:
        won = wins(throw)
        net += (gain if won is True else won) if won else -1
    return Fraction(-net, len(THROWS))


def repeated(gain, wins, loses):
    """One that waits for either of two kinds of throws."""
    ways, others = sum(map(wins, THROWS)), sum(map(loses, THROWS))
    return Fraction(others - gain * ways, ways + others)


def craps():
    def hard(number):
        return repeated({4: 7, 10: 7, 6: 9, 8: 9}[number],
                        lambda t: t == (number // 2, number // 2),
                        lambda t: sum(t) == 7 or (sum(t) == number and t[0] != t[1]))

    out = {f"hard-{number}": hard(number) for number in (4, 6, 8, 10)}
    for number in (6, 8):
        out[f"big-{number}"] = repeated(1, lambda t, n=number: sum(t) == n,
                                        lambda t: sum(t) == 7)
    field = {2: 2, 12: 2, 3: 1, 4: 1, 9: 1, 10: 1, 11: 1}
    out["field"] = single(0, lambda t: field.get(sum(t), 0))
    out["any-craps"] = single(7, lambda t: sum(t) in (2, 3, 12))
    out["juego-de-7"] = single(4, lambda t: sum(t) == 7)
    out["juego-de-11"] = single(15, lambda t: sum(t) == 11)
    out["craps-2"] = out["craps-12"] = single(30, lambda t: sum(t) == 2)
    out["craps-3"] = single(15, lambda t: sum(t) == 3)
    out["under-7"] = single(1, lambda t: sum(t) < 7)
    out["over-7"] = single(1, lambda t: sum(t) > 7)
    return out
