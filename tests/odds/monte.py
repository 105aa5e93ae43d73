"""Monte (es-valencia-2003, 13) from its text, default readings: every bet on each kind of layout.

A card that can decide is (place, relation); all others are alike. Places 0 1 above, 2 3 below.
Everything below follows section VI of the text: nothing is shared with the program.
"""

from fractions import Fraction
from functools import lru_cache

RELATIONS = ("camo", "anti", "viudo")
# Extra cards on the first and second card, and cards burned.
LAYOUTS = {"layout-plain": ((), (), 0), "layout-doubled-camo": (("camo",), (), 0),
           "layout-doubled-anti": (("anti",), (), 0), "layout-doubled-viudo": (("viudo",), (), 0),
           "layout-tripled-camo": (("anti", "viudo"), (), 0),
           "layout-tripled-anti": (("camo", "viudo"), (), 0),
           "layout-tripled-viudo": (("camo", "anti"), (), 0),
           "layout-both-doubled": (("camo",), ("camo",), 0), "layout-burned": ((), (), 2)}
TENTH = Fraction(1, 10)


def annulled_against(extras, burned, card, stacked, diagonal):
    """Whether `card` decides nothing against a side on which `stacked` lies (VI.4)."""
    place, relation = card
    first, second = len(extras[0]), len(extras[1])
    if stacked == 0 and first == 1 and second == 0:
        return place in (1, 2) and relation == "camo"
    if stacked == 0 and first == 2:
        return (place == 1 and relation in ("camo", "viudo")) or \
            (place in (2, 3) and relation == "camo")
    if first == 1 and second == 1 and not diagonal:
        return relation == "camo" and (stacked, place) in ((0, 2), (1, 3))
    return False


class Deal:
    def __init__(self, name):
        first, second, burned = LAYOUTS[name]
        self.extras = (first, second)
        self.burned = burned
        self.cards = frozenset((place, relation) for place in range(4) for relation in RELATIONS
                               if place > 1 or relation not in self.extras[place])
        out = 4 + len(first) + len(second) + burned
        self.others = 40 - out - len(self.cards)

    def void(self, card, chosen, against):
        """In Cartas between these sides."""
        facing = against if card[0] in chosen else chosen
        diagonal = len(chosen) == 2 and sum(chosen) == 3
        return any(annulled_against(self.extras, self.burned, card, one, diagonal)
                   for one in facing)

    def ends_round(self, card):
        return not self.void(card, (card[0],), (card[0] ^ 1,))

    def void_in_salto(self, card):
        most = max(map(len, self.extras))
        alive = [one for one in ("anti", "viudo", "camo") if (card[0], one) in self.cards]
        return most > 0 and alive.index(card[1]) >= 3 - most

    def points(self):
        return sum(map(len, self.extras))


def sides(bet, on):
    if bet == "cartas-dos":
        return tuple(on), tuple(one for one in range(4) if one not in on)
    return (on[0],), (on[0] ^ (1 if bet == "cartas-horizontal" else 2),)


def fate(deal, bet, on, card, first, live):
    """What comes back of 1 when this card is turned; None: the bet stays. `live`: in play."""
    whole = 1 - (TENTH if first and card[0] in live else 0)
    price = None
    if bet == "vista-hermosa":
        if card == (on[0], "camo"):
            return Fraction(1 + 32 - deal.points() - deal.burned)
        return Fraction(0)
    if bet.split("-")[0] in RELATIONS:
        if card[0] not in live:
            return None
        price = 5 if bet.endswith("segundas") else 11 - deal.points()
        hit = card == (on[0], bet.split("-")[0])
    elif bet == "salto":
        if card[0] not in live or deal.void_in_salto(card):
            return None
        price, hit = 3, card[0] == on[0]
    else:
        chosen, against = sides(bet, on)
        if card[0] not in chosen + against or deal.void(card, chosen, against):
            return None
        price, hit = 1, card[0] in chosen
    return 1 + whole * price if hit else Fraction(0)


def blend(parts):
    out = {}
    for chance, ends in parts:
        for paid, part in ends.items():
            out[paid] = out.get(paid, 0) + chance * part
    return out


class Bet:
    """One bet; `ends` maps what comes back to its chance."""

    def __init__(self, deal, bet, on):
        self.deal, self.bet, self.on = deal, bet, on
        self.primeras = lru_cache(maxsize=None)(self._primeras)
        self.segundas = lru_cache(maxsize=None)(self._segundas)

    def _primeras(self, cards, others, first):
        left = len(cards) + others
        if left == 0:
            return {Fraction(1): Fraction(1)}
        parts = []
        if others:
            lost = first and self.bet == "vista-hermosa"
            parts.append((Fraction(others, left), {Fraction(0): Fraction(1)} if lost
                          else self.primeras(cards, others - 1, False)))
        for card in cards:
            paid = fate(self.deal, self.bet, self.on, card, first, (0, 1, 2, 3))
            rest = cards - {card}
            if paid is not None:
                ends = {paid: Fraction(1)}
            elif self.deal.ends_round(card):
                ends = self.between(rest, others, card[0] ^ 1)
            else:
                ends = self.primeras(rest, others, False)
            parts.append((Fraction(1, left), ends))
        return blend(parts)

    def between(self, cards, others, down):
        """Primeras is over and the bet undecided: Cartas go on if no card of theirs is down."""
        back = {Fraction(1): Fraction(1)}
        if not self.bet.startswith("cartas") or not cards and not others:
            return back
        if down in sum(sides(self.bet, self.on), ()):
            return back
        return self.into(cards, others, down)

    def into(self, cards, others, down):
        gone = frozenset(card for card in cards if card[0] == down)
        return self.segundas(cards - gone, others + len(gone), down, True)

    def _segundas(self, cards, others, down, first):
        left = len(cards) + others
        if left == 0:
            return {Fraction(1): Fraction(1)}
        live = tuple(place for place in range(4) if place // 2 != down // 2)
        parts = []
        if others:
            parts.append((Fraction(others, left), self.segundas(cards, others - 1, down, False)))
        for card in cards:
            paid = fate(self.deal, self.bet, self.on, card, first, live)
            rest = cards - {card}
            if paid is not None:
                ends = {paid: Fraction(1)}
            elif card[0] in live and self.deal.ends_round(card):
                ends = {Fraction(1): Fraction(1)}
            else:
                ends = self.segundas(rest, others, down, False)
            parts.append((Fraction(1, left), ends))
        return blend(parts)


def reached(deal):
    """Every state in which Segundas opens: (cards, others, down) and its chance."""
    out = {}
    level = {(deal.cards, deal.others): Fraction(1)}
    while level:
        below = {}
        for (cards, others), chance in level.items():
            left = len(cards) + others
            if others:
                key = (cards, others - 1)
                below[key] = below.get(key, 0) + chance * Fraction(others, left)
            for card in cards:
                rest = cards - {card}
                if not deal.ends_round(card):
                    below[rest, others] = below.get((rest, others), 0) + chance / left
                elif rest or others:
                    key = (rest, others, card[0] ^ 1)
                    out[key] = out.get(key, 0) + chance / left
        level = below
    return out


@lru_cache(maxsize=None)
def opened(layout):
    return reached(Deal(layout))


def ends_of(layout, bet, on, segundas):
    """on: places from 0. None: never taken."""
    deal = Deal(layout)
    followed = Bet(deal, bet, on)
    relation = bet.split("-")[0]
    relation = "camo" if bet == "vista-hermosa" else relation if relation in RELATIONS else None
    if not segundas:
        taken = relation is None or (on[0], relation) in deal.cards
        return followed.primeras(deal.cards, deal.others, True) if taken else None
    parts, whole = [], Fraction(0)
    for (cards, others, down), chance in opened(layout).items():
        if on[0] // 2 == down // 2 or (relation and (on[0], relation) not in cards):
            continue
        whole += chance
        parts.append((chance, followed.into(cards, others, down)))
    return {paid: part / whole for paid, part in blend(parts).items()} if whole else None
