"""What forged_test.py and neighbours.py tell their tables with, and the list of them."""
from forge import Table, natural

VERIFIED = 3  # development keys
TALES = {}


def tale(refused=None, rules=None, tries=None, printed=""):
    """`refused`: the code of all three; `rules`: that of C++, which runs the rules, while the two
    others print the row of LIMITS.md; `tries`: N of those that take it; `printed`: what they all
    say that they did not check."""
    def keep(function):
        TALES[function.__name__] = (function, refused, rules, tries, printed)
        return function
    return keep


def coups(count, at=None):
    """Whether so many coups end with four cards, from this position on."""
    def suits(shoe):
        begin = shoe.first_coup() if at is None else at(shoe)
        cards = [shoe.card(begin + i) for i in range(4 * count)]
        return all(natural(cards[4 * i:4 * i + 4]) for i in range(count))
    return suits


def fresh(authority, suits=coups(1), **how):
    table = Table(authority, **how)
    table.commit()
    table.mix(suits)
    return table


def plain(authority, **how):
    """A shoe that is mixed, of a table whose client settles."""
    table = Table(authority, "shoe", **how)
    table.commit()
    table.mix()
    return table


def played(table, end=False):
    game = table.begin()
    results, after, cites = table.coup(game)
    table.settle(game, results, after, cites)
    if end:
        table.end(game, after)
    return game, results, after, cites
