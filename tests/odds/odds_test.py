"""What `talla odds` shows, against second derivations that share nothing with it.

    odds_test.py BIN PART      BIN: folder of the programs; PART: rows, banque, cloths, monte,
                               bingo, boxes, hands, pots,
                               unanswered

Figures that take more than a few seconds are frozen in `frozen.json`, with the program beside it
that made them; TALLA_LONG=1 makes them anew first.
"""

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import banque
import bingo
import boxes
import cloths
import hands
import monte
import pots
import rows

HERE = Path(__file__).parent


def odds(folder, *arguments):
    done = subprocess.run([os.path.join(folder, "talla"), "--json", "odds", *arguments],
                          check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def frozen(part, made):
    told = [Fraction(one) for one in json.loads((HERE / "frozen.json").read_text())[part]]
    if os.environ.get("TALLA_LONG"):
        assert list(made()) == told, part
    return told


def of_rows(folder):
    refait, tie = frozen("rows", lambda: rows.chances(rows.deck(6)))
    decided = 1 - refait - tie
    kept = {"kept-unless-null": decided + refait, "kept-always": 1, "kept-when-decided": decided,
            "kept-unless-refait": 1 - refait}
    for policy, share in kept.items():
        found = odds(folder, "es-1977", "trente-et-quarante", "--param",
                     f"insurance_premium_policy={policy}")
        bets = [one for one in found if "house_edge" in one]
        assert len(bets) == 8, found
        for one in bets:
            edge = share * Fraction(1, 100) if "with" in one else refait / 2
            assert Fraction(one["house_edge"]) == edge, one
            assert Fraction(one["win"]) == Fraction(one["lose"]) == decided / 2, one


def of_banque(folder):
    found = odds(folder, "es-1977", "chemin-de-fer")
    plays = banque.figures()
    checked = 0
    for one in found:
        if one["bet"] not in ("punto", "banca"):
            continue
        bank, player = plays[" ".join(one["play"])]
        assert Fraction(one["house_share"]) == bank / 20, one
        won, lost = (player, bank) if one["bet"] == "punto" else (bank, player)
        assert (Fraction(one["win"]), Fraction(one["lose"])) == (won, lost), one
        edge = lost - (won if one["bet"] == "punto" else won * Fraction(19, 20))
        assert Fraction(one["house_edge"]) == edge, one
        checked += 1
    assert checked == 2 * len(plays), found


def of_cloths(folder):
    found = odds(folder, "es-1977", "baccarat-banque-limited")
    plays = cloths.figures()
    gains = {"pano-1": lambda one, other: one, "pano-2": lambda one, other: other,
             "a-caballo": lambda one, other: Fraction(one + other, 2),
             "banca": lambda one, other: -(one + other + cloths.deducted((one, other))) / 2}
    checked = 0
    for one in found:
        if one["bet"] not in gains:
            continue
        ends = plays[" ".join(one["play"])].items()
        gain = gains[one["bet"]]
        assert Fraction(one["house_edge"]) == -sum(part * gain(*end) for end, part in ends), one
        assert Fraction(one["win"]) == sum(part for end, part in ends if gain(*end) > 0), one
        share = sum(part * cloths.deducted(end) for end, part in ends) / 2
        assert Fraction(one["house_share"]) == share, one
        checked += 1
    assert checked == len(gains) * len(plays), found


def of_monte(folder):
    checked = 0
    for one in odds(folder, "es-valencia-2003", "monte"):
        segundas = "in-segundas" in one["play"]
        for position in one["on"]:
            on = tuple(int(code) - 1 for code in position)
            ends = monte.ends_of(one["play"][0], one["bet"], on, segundas)
            assert sum(ends.values()) == 1, one
            returned = sum(paid * part for paid, part in ends.items())
            assert Fraction(one["returned"]) == returned, (one, returned)
            assert Fraction(one["lose"]) == ends.get(Fraction(0), 0), (one, ends)
            assert Fraction(one["win"]) == sum(part for paid, part in ends.items() if paid > 1), one
            checked += 1
    # Every bet that the text lets be made on those layouts, and no more.
    wanted = 0
    single = [(place,) for place in range(4)]
    pairs = [(0, 1), (2, 3), (0, 2), (1, 3), (0, 3), (1, 2)]
    for layout in monte.LAYOUTS:
        for bet, places, rounds in (
                ("vista-hermosa", single, (False,)), ("salto", single, (False,)),
                ("camo", single, (False,)), ("anti", single, (False,)),
                ("viudo", single, (False,)), ("camo-segundas", single, (True,)),
                ("anti-segundas", single, (True,)), ("viudo-segundas", single, (True,)),
                ("cartas-horizontal", single, (False, True)),
                ("cartas-vertical", single, (False,)), ("cartas-dos", pairs, (False,))):
            wanted += sum(monte.ends_of(layout, bet, on, segundas) is not None
                          for on in places for segundas in rounds)
    assert checked == wanted, (checked, wanted)


def of_bingo(folder):
    found = odds(folder, "es-1977", "bingo")
    assert [one["play"] for one in found] == [["sold-1"], ["sold-5"], ["sold-10"]], found
    for one in found[:2]:
        sold = int(one["play"][0].split("-")[1])
        figures = bingo.figures(sold)
        assert tuple(Fraction(one[name]) for name in ("win", "lose", "returned")) == figures, one
    assert all(Fraction(one["house_edge"]) == Fraction(2, 5) for one in found), found
    # Prizes that are so many times the price of one card: the fewer are sold, the better.
    fixed = odds(folder, "es-1977", "bingo", "--param", "prize_basis=card-price",
                 "--param", "line_prize=2", "--param", "bingo_prize=3")
    assert [Fraction(one["returned"]) for one in fixed] == [5, 1, Fraction(1, 2)], fixed


def of_boxes(folder):
    def agrees(bet, play, ends, *arguments):
        found = [one for one in odds(folder, *arguments[:2], bet, *arguments[2:])
                 if one.get("play", []) == play]
        assert len(found) == 1, (arguments, found)
        told = tuple(Fraction(found[0][name]) for name in ("win", "lose", "returned"))
        assert told == boxes.figures(ends), (found, boxes.figures(ends))

    agrees("parejas", [], boxes.of_two(boxes.pairs), "es-euskadi-2010", "blackjack")
    agrees("menor", [], boxes.of_two(boxes.below), "es-valencia-2003", "blackjack")
    for play, third in (("third-card", True), ("two-cards", False)):
        agrees("jackpot", [play], boxes.sevens((2, 10, 50, 200, 5000), third),
               "es-aragon-2010", "blackjack", "--param", "base=es-1977")
        agrees("acumulada", [play], boxes.sevens((2, 10, 50, 200, 2000), third),
               "es-euskadi-2010", "blackjack", "--param", "acumulada=true")


def of_hands(folder):
    """Floating point against fractions: 13 places."""
    told = json.loads((HERE / "frozen.json").read_text())["hands"]
    for catalogue, made in (("es-1977", hands.spain), ("es-valencia-2003", hands.valencia)):
        if os.environ.get("TALLA_LONG"):
            assert abs(made() - float(told[catalogue])) < 1e-13, catalogue
        rows = {one["play"][0]: one for one in odds(folder, catalogue, "blackjack", "juego-simple")}
        edge = Fraction(rows["never-split"]["house_edge"])
        assert abs(edge - Fraction(told[catalogue])) < Fraction(1, 10**13), float(edge)
        assert Fraction(rows["best-play"]["house_edge"]) < edge, rows


def of_pots(folder):
    def cards(text):
        return [text[i:i + 2] for i in range(0, len(text), 2)]

    for game, values_of, hands, board in (
            ("circle-holdem", pots.holdem, ("ASKD", "7C7H", "TSJS"), "2S7D9S"),
            ("circle-omaha-hi-lo", pots.omaha_high_low, ("AS2D7CKH", "3S4HTDJD"), "5C8HQS")):
        found = odds(folder, "equity", "es-euskadi-2010", game, *hands, "--common", board)
        told = [Fraction(one["share"]) for one in found]
        assert told == pots.shares(values_of, map(cards, hands), cards(board)), (game, found)


def of_unanswered(folder):
    """Bets that no odds are shown of: exactly those that unanswered.json names. The list shrinks
    only: what is answered is struck off, and no line may come."""
    told = json.loads((HERE / "unanswered.json").read_text())
    named = {(catalogue, game, bet) for reason in told.values()
             for catalogue, games in reason.items() for game, bets in games.items()
             for bet in bets}
    shown, silent = set(), set()
    for one in odds(folder, "--all"):
        key = (one["catalogue"], one["game"], one["bet"])
        (silent if "without_odds" in one else shown).add(key)
    silent -= shown
    assert silent == named, {"not named": sorted(silent - named),
                             "answered, strike off": sorted(named - silent)}


PARTS = {"rows": of_rows, "banque": of_banque, "cloths": of_cloths, "monte": of_monte,
         "bingo": of_bingo, "boxes": of_boxes, "hands": of_hands, "pots": of_pots,
         "unanswered": of_unanswered}

if __name__ == "__main__":
    PARTS[sys.argv[2]](sys.argv[1])
