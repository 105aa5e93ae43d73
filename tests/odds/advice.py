"""What one hand of black jack gains by each choice, six decks, in fractions: cards are taken out
one by one. And poker against the house, every hand of the bank listed."""

from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from hands import Shoe, orders, total
from pots import DECK, high


def black_jack(own, first, low_aces=True):
    """{choice: gain}; points 1 (ace) to 10."""
    dealer = orders(first)
    shoe = Shoe()
    shoe.take(first)

    @lru_cache(maxsize=None)
    def ends(cards):
        """[deals the dealer ends on each total, 22 over, 0 blackjack], and all."""
        for card in cards:
            shoe.take(card)
        out, most = {}, 12
        for drawn, best, natural, count in dealer:
            ways, left, taken = count, shoe.cards, [0] * 11
            for card in drawn:
                ways *= shoe.left[card] - taken[card]
                taken[card] += 1
                left -= 1
            for i in range(most - len(drawn)):
                ways *= left - i
            key = 0 if natural else best
            out[key] = out.get(key, 0) + ways
        for card in cards:
            shoe.back(card)
        return out, sum(out.values())

    def stand(cards, points):
        out, deals = ends(tuple(sorted(cards)))
        net = sum(ways if best == 22 or (best and points > best) else
                  -ways if best == 0 or points < best else 0 for best, ways in out.items())
        return Fraction(net, deals)

    def each(cards, value):
        for card in cards:
            shoe.take(card)
        parts = [(Fraction(shoe.left[card], shoe.cards), card) for card in range(1, 11)]
        for card in cards:
            shoe.back(card)
        return sum(part * value(cards + (card,), card) for part, card in parts)

    @lru_cache(maxsize=None)
    def best(cards):
        low = sum(cards)
        if low > 21:
            return Fraction(-1)
        points = total(low, 1 in cards)
        stays = stand(cards, points)
        return stays if points == 21 else max(stays, hit(cards))

    def hit(cards):
        return each(cards, lambda more, _: best(tuple(sorted(more))))

    def twice(cards):
        def value(more, card):
            points = total(sum(more), card == 1 or (1 in cards and not low_aces))
            return Fraction(-2) if points > 21 else 2 * stand(more, points)
        return each(cards, value)

    own = tuple(sorted(own))
    return {"stand": stand(own, total(sum(own), 1 in own)), "hit": hit(own), "double": twice(own)}


def cell(hands, first):
    """The same of several hands together, each as often as it is dealt."""
    shoe = Shoe()
    shoe.take(first)
    out, all_ways = {}, 0
    for a, b in hands:
        ways = shoe.left[a] * shoe.left[b]
        all_ways += ways
        for choice, gain in black_jack((a, b), first).items():
            out[choice] = out.get(choice, 0) + ways * gain
    return {choice: gain / all_ways for choice, gain in out.items()}


def caribbean(own, shown, pays):
    """The second bet's gain by kind of hand in `pays`; the bank plays with an ace and a king."""
    least = (0, [12, 11, 2, 1, 0])
    mine = high(own)
    rest = [card for card in DECK if card not in own + (shown,)]
    net = deals = 0
    for hidden in combinations(rest, 4):
        bank = high(hidden + (shown,))
        deals += 1
        if bank < least:
            net += 1
        elif mine > bank:
            net += 1 + 2 * pays[mine[0]]
        elif mine < bank:
            net -= 3
    return Fraction(net, deals)


def three(own, value, least, bonus):
    """Three-card poker: `value` of a hand, the bank's least one, the prize of this hand."""
    mine = value(own)
    rest = [card for card in DECK if card not in own]
    net = deals = 0
    for bank in map(value, combinations(rest, 3)):
        deals += 1
        net += bonus + (1 if bank < least else 2 if mine > bank else -2 if mine < bank else 0)
    return Fraction(net, deals)


def three_value(cards):
    ranks = sorted(("23456789TJQKA".index(card[0]) for card in cards), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    straight = len(set(ranks)) == 3 and (ranks[0] - ranks[2] == 2 or ranks == [12, 1, 0])
    top = [1 if ranks == [12, 1, 0] else ranks[0]]
    if straight and flush:
        return (5, top)
    if len(set(ranks)) == 1:
        return (4, ranks)
    if straight:
        return (3, top)
    if flush:
        return (2, ranks)
    if len(set(ranks)) == 2:
        pair = max(ranks, key=ranks.count)
        return (1, [pair, min(ranks, key=ranks.count)])
    return (0, ranks)
