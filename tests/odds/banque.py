"""Chemin de fer a second time: every hand of six decks, and the play from which nobody departs.

Nothing is shared with the program under test: hands are listed card by card, and of the frequencies
at which a cell of the banker's table is worth the same drawn and not, that one is looked for at
which neither side has anything better.
"""

from collections import defaultdict
from fractions import Fraction

FREE = 5
CHART = ["TTTTTTTTTTT", "TTTTTTTTTTT", "TTTTTTTTTTT", "TTTTTTTTSOT", "SSTTTTTTSST", "SSSSOTTTSST",
         "SSSSSSTTSSS", "SSSSSSSSSSS"]
STOOD = 10


def deck(decks):
    return [(16 if points == 0 else 4) * decks for points in range(10)]


def sign(a, b):
    return (a > b) - (a < b)


def hands(cards):
    """Ordered draws of six cards: {None: naturals, (player, column, bank, drawn): ends}."""
    left, total = list(cards), sum(cards)
    out = defaultdict(lambda: defaultdict(int))

    def taken(ways, value):
        more = ways * left[value]
        left[value] -= 1
        return more

    for a in range(10):
        one = taken(1, a)
        for b in range(10):
            two = taken(one, b)
            for c in range(10):
                three = taken(two, c)
                for d in range(10):
                    ways = taken(three, d)
                    player, bank = (a + b) % 10, (c + d) % 10
                    rest = total - 4
                    if player > 7 or bank > 7:
                        out[None][sign(player, bank)] += ways * rest * (rest - 1)
                    elif ways:
                        kept = out[player, STOOD, bank, False]
                        kept[sign(player, bank)] += ways * rest * (rest - 1)
                        for e in range(10):
                            more = taken(ways, e)
                            drawn = (bank + e) % 10
                            out[player, STOOD, bank, True][sign(player, drawn)] += more * (rest - 1)
                            his = (player + e) % 10
                            out[player, e, bank, False][sign(his, bank)] += more * (rest - 1)
                            for f in range(10):
                                last = (bank + f) % 10
                                out[player, e, bank, True][sign(his, last)] += more * left[f]
                            left[e] += 1
                    left[d] += 1
                left[c] += 1
            left[b] += 1
        left[a] += 1
    draws = 1
    for i in range(6):
        draws *= total - i
    return out, draws


class Game:
    def __init__(self, cards, commission):
        self.hands, self.draws = hands(cards)
        self.commission = commission

    def often(self, player, column, free):
        """How often that player lets this column come about."""
        draws = 1 if player < FREE else free if player == FREE else 0
        return 1 - draws if column == STOOD else draws

    def bank_worth(self, bank, column, drawn, free):
        out = Fraction(0)
        for player in range(8):
            ends = self.hands[player, column, bank, drawn]
            out += self.often(player, column, free) * ((1 - self.commission) * ends[-1] - ends[1])
        return out

    def better(self, bank, column, free):
        drawn, kept = (self.bank_worth(bank, column, card, free) for card in (True, False))
        return drawn - kept

    def reply(self, free, chart):
        out = {}
        for bank in range(8):
            for column in range(11):
                duty = CHART[bank][column] if chart else "T" if bank == 0 else "O"
                draws = duty == "T" or (duty == "O" and self.better(bank, column, free) > 0)
                out[bank, column] = Fraction(draws)
        return out

    def ends(self, free, banker):
        out = {end: Fraction(self.hands[None][end]) for end in (-1, 0, 1)}
        for (bank, column), draws in banker.items():
            for player in range(8):
                often = self.often(player, column, free)
                for drawn, weight in ((True, draws), (False, 1 - draws)):
                    for end, ways in self.hands[player, column, bank, drawn].items():
                        out[end] += often * weight * ways
        return {end: ways / self.draws for end, ways in out.items()}

    def player_better(self, banker):
        gains = [self.ends(free, banker) for free in (1, 0)]
        return (gains[0][1] - gains[0][-1]) - (gains[1][1] - gains[1][-1])

    def balance(self):
        """The one frequency and mixture from which nobody departs."""
        found = []
        for bank in range(1, 8):
            for column in range(11):
                never, always = (self.better(bank, column, Fraction(free)) for free in (0, 1))
                if never == always or not 0 < never / (never - always) < 1:
                    continue
                free = never / (never - always)
                banker = self.reply(free, False)
                drawn, kept = dict(banker), dict(banker)
                drawn[bank, column], kept[bank, column] = Fraction(1), Fraction(0)
                with_card, without = self.player_better(drawn), self.player_better(kept)
                if with_card == without or not 0 <= without / (without - with_card) <= 1:
                    continue
                often = without / (without - with_card)
                banker[bank, column] = often
                found.append((free, banker))
        assert len(found) == 1, len(found)
        return found[0]


def figures():
    """{play of both: (chance that the bank wins, that the player does)}."""
    game = Game(deck(6), Fraction(1, 20))
    free, banker = game.balance()
    plays = {"five-best bank-best": game.ends(free, banker)}
    for name, chart in (("bank-best", False), ("bank-chart", True)):
        for word, often in (("five-draws", Fraction(1)), ("five-stands", Fraction(0))):
            plays[f"{word} {name}"] = game.ends(often, game.reply(often, chart))
    return {play: (ends[-1], ends[1]) for play, ends in plays.items()}


if __name__ == "__main__":
    for play, (bank, player) in figures().items():
        print(play, bank, player, float(player - bank))
