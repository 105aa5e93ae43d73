"""Black jack, six decks (es-1977 and es-valencia-2003, 03), without splitting: the best play of the
first hand by plain recursion in floating point. Made anew it takes some minutes.

Points 1 (ace) to 10; the dealer has no second card before the players are done, stands on 17, an
ace of his high when that is 17 to 21.
"""

from functools import lru_cache

DECKS = 6


def total(low, ace):
    return low + 10 if ace and low + 10 <= 21 else low


class Shoe:
    def __init__(self):
        self.left = [0] + [4 * DECKS] * 9 + [16 * DECKS]
        self.cards = 52 * DECKS

    def take(self, card):
        self.left[card] -= 1
        self.cards -= 1

    def back(self, card):
        self.left[card] += 1
        self.cards += 1


def orders(first):
    """The dealer's hands behind that card: (cards drawn by points, total or 22, blackjack, in how
    many orders)."""
    found = {}

    def draw(hand, low, ace):
        for card in range(1, 11):
            more = hand + (card,)
            points, aces = low + card, ace or card == 1
            best = total(points, aces)
            if best < 17:
                draw(more, points, aces)
                continue
            key = (tuple(sorted(more)), min(best, 22), len(more) == 1 and best == 21)
            found[key] = found.get(key, 0) + 1
    draw((), first, first == 1)
    return [(cards, best, natural, count) for (cards, best, natural), count in found.items()]


class Best:
    def __init__(self, doubles, low_aces):
        """`doubles(a, b)`: whether these two cards may be doubled; `low_aces`: their aces count
        one then."""
        self.doubles, self.low_aces = doubles, low_aces

    def edge(self):
        """What the house keeps of the first stake."""
        out = 0.0
        shoe = Shoe()
        for first in range(1, 11):
            dealer = orders(first)
            chance = shoe.left[first] / shoe.cards
            shoe.take(first)
            out -= chance * self.against(shoe, dealer)
            shoe.back(first)
        return out

    def against(self, shoe, dealer):
        @lru_cache(maxsize=None)
        def chances(own):
            """The dealer's totals, 17 to 21, 22 (over) and 0 (blackjack)."""
            out = {}
            for card in own:
                shoe.take(card)
            for cards, best, natural, count in dealer:
                chance, left = float(count), shoe.cards
                taken = [0] * 11
                for card in cards:
                    chance *= (shoe.left[card] - taken[card]) / left
                    taken[card] += 1
                    left -= 1
                key = 0 if natural else best
                out[key] = out.get(key, 0.0) + chance
            for card in own:
                shoe.back(card)
            return out

        def stand(own, points):
            out = 0.0
            for best, chance in chances(own).items():
                if best == 22 or (best and points > best):
                    out += chance
                elif best == 0 or points < best:
                    out -= chance
            return out

        def each(own, value):
            for card in own:
                shoe.take(card)
            parts = [(shoe.left[card] / shoe.cards, card) for card in range(1, 11)]
            for card in own:
                shoe.back(card)
            return sum(part * value(tuple(sorted(own + (card,))), card) for part, card in parts)

        @lru_cache(maxsize=None)
        def best(own):
            low = sum(own)
            if low > 21:
                return -1.0
            points = total(low, 1 in own)
            stays = stand(own, points)
            return stays if points == 21 else max(stays, each(own, lambda more, _: best(more)))

        def twice(own):
            def value(more, card):
                low = sum(more)
                points = total(low, card == 1 or (1 in own and not self.low_aces))
                return -2.0 if points > 21 else 2 * stand(more, points)
            return each(own, value)

        out = 0.0
        for a in range(1, 11):
            for b in range(a, 11):
                chance = (1 if a == b else 2) * shoe.left[a] / shoe.cards
                shoe.take(a)
                chance *= shoe.left[b] / shoe.cards
                shoe.back(a)
                if (a, b) == (1, 10):
                    value = 1.5 * (1 - chances((1, 10)).get(0, 0.0))
                else:
                    value = best((a, b))
                    if self.doubles(a, b):
                        value = max(value, twice((a, b)))
                out += chance * value
        return out


def spain():
    """Nine to eleven with two cards, an ace one (A27: also beside another card)."""
    return Best(lambda a, b: 9 <= a + b <= 11 and (a, b) != (1, 1), False).edge()


def valencia():
    """The same, and the ace stays one."""
    return Best(lambda a, b: 9 <= a + b <= 11 and (a, b) != (1, 1), True).edge()
