"""Cards as bytes, and decks by their names (shuffle/MAPPING.md)."""
import re

from .text import need


FRENCH, SPANISH = "A23456789TJQK", "123456789SCR"
CARD_BYTES = {"Jk": 52}
for suit_index, suit in enumerate("CDHS"):
    for rank_index, rank in enumerate(FRENCH):
        CARD_BYTES[rank + suit] = 13 * suit_index + rank_index
for suit_index, suit in enumerate("oceb"):
    for rank_index, rank in enumerate(SPANISH):
        CARD_BYTES[rank + suit] = 64 + 12 * suit_index + rank_index
BALLS = [f"B{number}" for number in range(1, 91)]
for ball_index, ball in enumerate(BALLS):
    CARD_BYTES[ball] = 128 + ball_index


def deck_cards(text):
    if text == "balls90x1":
        return list(BALLS)
    match = re.fullmatch(r"(french52|spanish40|spanish48)(?:"
                         r"-([A-Za-z0-9]+))?(?:\+([1-4])j)?x([1-8])", text)
    need(match, "malformed deck")
    family, removed, jokers, decks = match.groups()
    french = family == "french52"
    need(french or not jokers, "jokers are French")
    spanish = SPANISH if family == "spanish48" else SPANISH.replace("8", "").replace("9", "")
    ranks = FRENCH if french else spanish
    removed = removed or ""
    need("".join(r for r in ranks if r in removed) == removed, "removed ranks in another order")
    deck = [r + s for s in ("CDHS" if french else "oceb") for r in ranks
            if r not in removed] + ["Jk"] * int(jokers or 0)
    need(deck, "no card left")
    return deck * int(decks)
