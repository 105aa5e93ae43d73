"""Punto y banca from the cards that are left, by value: court cards and tens are nothing."""

from fractions import Fraction


def value(card):
    return 1 if card[0] == "A" else 0 if card[0] in "TJQK" else int(card[0])


def bank_draws(total, third):
    """`third`: the other hand's third card; None: it stood."""
    if third is None:
        return total <= 5
    return (total <= 2 or (total == 3 and third != 8) or (total == 4 and 2 <= third <= 7)
            or (total == 5 and 4 <= third <= 7) or (total == 6 and third in (6, 7)))


def figures(decks, seen):
    """Chances that punto wins and that banca does."""
    left = [16 * decks] + [4 * decks] * 9
    for card in seen:
        left[value(card)] -= 1
    won = [0, 0]
    cards = sum(left)

    def taken(ways, gone):
        """Each value that may come next, with its ways times those before."""
        for one in range(10):
            more = left[one]
            if more > 0:
                left[one] -= 1
                yield one, ways * more, gone + 1
                left[one] += 1

    def end(punto, bank, ways, gone):
        for rest in range(gone, 6):
            ways *= cards - rest
        if punto != bank:
            won[0 if punto > bank else 1] += ways

    def seconds():
        for a, ways_a, gone_a in taken(1, 0):
            for b, ways_b, gone_b in taken(ways_a, gone_a):
                for c, ways_c, gone_c in taken(ways_b, gone_b):
                    for d, ways, gone in taken(ways_c, gone_c):
                        yield (a + b) % 10, (c + d) % 10, ways, gone

    for punto, bank, ways, gone in seconds():
        if max(punto, bank) >= 8:
            end(punto, bank, ways, gone)
        elif punto > 5:
            last(punto, bank, None, ways, gone, taken, end)
        else:
            for third, more, out in taken(ways, gone):
                last((punto + third) % 10, bank, third, more, out, taken, end)
    whole = 1
    for gone in range(6):
        whole *= cards - gone
    return Fraction(won[0], whole), Fraction(won[1], whole)


def last(punto, bank, third, ways, gone, taken, end):
    """What the bank does, and the end."""
    if not bank_draws(bank, third):
        end(punto, bank, ways, gone)
        return
    for card, more, out in taken(ways, gone):
        end(punto, (bank + card) % 10, more, out)
