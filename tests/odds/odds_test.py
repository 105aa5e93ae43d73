"""What `talla odds` shows, against second derivations that share nothing with it.

    odds_test.py BIN PART      BIN: folder of the programs; PART: rows, banque, cloths, monte,
                               bingo, boxes, hands, pots,
                               jackpots, advice, stored, draws, boards, settings, unanswered,
                               sheet, ends, coups, spots, throws

Figures that take more than a few seconds are frozen in `frozen.json`, with the program beside it
that made them; TALLA_LONG=1 makes them anew first.
"""

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import advice
import banque
import bingo
import boards
import boxes
import cloths
import coups
import draws
import ends
import hands
import jackpots
import monte
import pots
import rows
import settings
import sheet
import spots
import throws

HERE = Path(__file__).parent


def talla(folder, *arguments):
    done = subprocess.run([os.path.join(folder, "talla"), "--json", *arguments],
                          check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def odds(folder, *arguments):
    return talla(folder, "odds", *arguments)


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
             "banco": lambda one, other: Fraction(one + other, 2),
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
    assert checked == len(gains) * len(plays) // 2, found  # half of them are of banco alone


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


def of_jackpots(folder):
    def agrees(shares, opening, growth, *arguments, prizes=None, kept=1, fed=0):
        """`fed`: what the bet has put in before it is paid."""
        found = odds(folder, *arguments)
        assert len(found) == 1 and found[0]["play"] == ["meter-opening"], found
        one, jackpot = found[0], found[0]["jackpot"]
        returned, hit, whole, mean = jackpots.figures(shares, opening, growth, prizes, kept)
        assert Fraction(one["returned"]) == returned(opening + fed), one
        assert (Fraction(jackpot["hit"]), Fraction(jackpot["whole"])) == (hit, whole), one
        assert Fraction(jackpot["mean"]) == mean, (one, mean)
        assert Fraction(jackpot["growth"]) == growth, one
        assert returned(Fraction(jackpot["break_even"])) == 1, one

    caribbean = {jackpots.ROYAL: 1, jackpots.STRAIGHT_FLUSH: Fraction(1, 10),
                 jackpots.FOUR: Fraction(1, 20)}
    # A stake of half a minimum; a thousand minimums at its opening, fed after it has paid.
    agrees(caribbean, 2000, 1, "es-euskadi-2010", "caribbean-stud", "jackpot", "--param",
           "jackpot=true", "--param", "jackpot_seed=1000", "--param", "jackpot_fed=after-awards")
    agrees(caribbean, 2000, Fraction(1, 5), "es-euskadi-2010", "caribbean-stud", "jackpot",
           "--param", "jackpot=true", "--param", "jackpot_seed=1000", "--param",
           "jackpot_deduction=1/5", "--param", "jackpot_contribution=1/5", "--param",
           "jackpot_fed=before-awards", kept=Fraction(4, 5), fed=Fraction(1, 5))
    # Draw poker, where hands that were changed are not paid: a fixed one is always what it is.
    found, = odds(folder, "es-euskadi-2010", "draw-poker-house", "jackpot", "--param",
                  "jackpot=true", "--param", "jackpot_kind=fixed", "--param",
                  "jackpot_fixed=3000")
    returned = jackpots.figures(caribbean, 3000, 0)[0]
    assert Fraction(found["returned"]) == returned(3000), found
    assert Fraction(found["jackpot"]["mean"]) == 3000, found
    # What a pass loses: nobody passes with such hands.
    aragon = {jackpots.ROYAL: 1, jackpots.STRAIGHT_FLUSH: Fraction(1, 10)}
    for bet, flag in (("progresivo", "progressive"), ("carrusel", "carrousel")):
        agrees(aragon, 0, 1, "es-aragon-2010", "caribbean-stud", bet, "--param", f"{flag}=true",
               fed=1)
    # Announced prizes stand beside the shares: the higher counts.
    hands_of = (jackpots.ROYAL, jackpots.STRAIGHT_FLUSH, jackpots.FOUR, jackpots.FULL,
                jackpots.FLUSH)
    prizes = dict(zip(hands_of, (12001, 2001, 401, 101, 61)))
    agrees({jackpots.ROYAL: 1, jackpots.STRAIGHT_FLUSH: Fraction(1, 10)}, 200000, 1,
           "es-valencia-2003", "caribbean-stud", "carrusel", "--param", "carrousel=true",
           "--param", "carrousel_share_royal=1", "--param",
           "carrousel_share_straight_flush=1/10", "--param", "carrousel_stake=1/2", "--param",
           "carrousel_contribution=1", "--param", "carrousel_seed=100000", prizes=prizes, fed=1)


def of_advice(folder):
    def choices(*arguments):
        found, = talla(folder, "advise", *arguments)
        assert all(one["rule"] for one in found["choices"]), found
        return {" ".join([one["action"], *one.get("cards", [])]): Fraction(one["gain"])
                for one in found["choices"]}

    for hand, own, bank, first, doubles in (("TS6H", (10, 6), "TD", 10, False),
                                            ("5S6H", (5, 6), "6D", 6, True),
                                            ("AS7H", (1, 7), "9D", 9, False),
                                            ("9S2H5C", (9, 2, 5), "TD", 10, False)):
        told = choices("es-1977", "blackjack", "--hand", hand, "--bank", bank)
        made = advice.black_jack(own, first)
        for choice in ("stand", "hit") + (("double",) if doubles else ()):
            assert told[choice] == made[choice], (hand, bank, choice)
        assert "double" in told or not doubles, told
    told = choices("es-euskadi-2010", "blackjack", "--hand", "TS6H", "--bank", "TD")
    assert told["surrender"] == Fraction(-1, 2) == max(told.values()), told

    chart, = talla(folder, "odds", "chart", "es-1977", "blackjack")
    rows = {row["hand"]: dict(zip(chart["dealer"], row["against"]))
            for row in chart["hard"] + chart["soft"] + chart["pairs"]}
    for hand, dealer, first, pairs in (("12", "4", 4, [(2, 10), (3, 9), (4, 8), (5, 7)]),
                                       ("16", "10", 10, [(6, 10), (7, 9)]),
                                       ("11", "10", 10, [(2, 9), (3, 8), (4, 7), (5, 6)])):
        gains = advice.cell(pairs, first)
        assert rows[hand][dealer]["action"] == max(gains, key=gains.get), (hand, dealer, gains)
    assert {"hand": "2-10", "dealer": "4", "action": "hit"} in chart["exceptions"], chart
    assert 0 <= Fraction(chart["chart_edge"]) - Fraction(chart["best_edge"]) < Fraction(1, 5000)

    pays = (1, 1, 2, 3, 4, 5, 7, 20, 25)  # by kind of hand, an ace and a king at par
    for hand, shown in (("ASKDJH7C3D", "JS"), ("9S9DTH4C2D", "AS")):
        told = choices("es-euskadi-2010", "caribbean-stud", "--hand", hand, "--bank", shown)
        own = tuple(hand[i:i + 2] for i in range(0, 10, 2))
        assert told == {"voy": advice.caribbean(own, shown, pays), "paso": -1}, told
    for hand, bonus in (("QS6D4H", 0), ("7S8D9H", 1)):
        told = choices("es-euskadi-2010", "three-card-poker", "--hand", hand)
        own = tuple(hand[i:i + 2] for i in range(0, 6, 2))
        made = advice.three(own, advice.three_value, (0, [10, 1, 0]), bonus)
        assert told == {"voy": made, "paso": -1}, (told, made)


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


def of_stored(folder):
    """What was counted once is what is counted now; what takes minutes only with TALLA_LONG."""
    cases = [(catalogue, "caribbean-stud", "apuesta-inicial")
             for catalogue in ("es-valencia-2003", "es-aragon-2010", "es-euskadi-2010")]
    if os.environ.get("TALLA_LONG"):
        for run in ("false", "true"):
            cases += [("es-euskadi-2010", "draw-poker-house", "apuesta-inicial",
                       "--param", f"bank_low_ace_run={run}", "--param", f"tie_cards={tie}")
                      for tie in ("full", "combination")]
        for kickers in ("full", "combination"):
            cases += [(catalogue, game, "ante", "--param", f"kickers={kickers}")
                      for catalogue, game in (("es-euskadi-2010", "texas-holdem-house"),
                                              ("es-aragon-2010", "texas-holdem-house"),
                                              ("es-aragon-2010", "texas-holdem-bonus"))]
    for case in cases:
        told = odds(folder, *case)
        counted = odds(folder, *case, "--count")
        assert "house_edge" in counted[0], counted
        assert told == counted, (told, counted)
        if case[1] == "caribbean-stud":
            edge = Fraction(1049219398372, 19933230517200)  # the published count, 25 for 50
            assert Fraction(told[0]["house_edge"]) == edge, told
    # With a card for sale each count takes a minute: what is stored is shown.
    for catalogue in ("es-aragon-2010", "es-euskadi-2010"):
        sold = (catalogue, "caribbean-stud", "apuesta-inicial", "--param", "card_purchase=true")
        told = odds(folder, *sold)
        edge = Fraction(283076022209, 23255435603400)
        assert Fraction(told[0]["house_edge"]) == edge, told
        if os.environ.get("TALLA_LONG"):
            assert told == odds(folder, *sold, "--count"), told
    # Pai gow counts all its settings for five minutes: its first reading anew in the long run.
    for catalogue in ("es-aragon-2010", "es-euskadi-2010"):
        told = odds(folder, catalogue, "pai-gow-poker", "apuesta")
        assert [one["play"] for one in told] == [["best-play"], ["way-informative"],
                                                 ["way-best-high"], ["way-best-low"]], told
    if os.environ.get("TALLA_LONG"):
        assert told == odds(folder, "es-euskadi-2010", "pai-gow-poker", "apuesta", "--count"), told
    told = odds(folder, "es-euskadi-2010", "texas-holdem-house", "ante")
    assert Fraction(told[0]["house_edge"]) == Fraction(1363917077, 63213204600), told


def of_draws(folder):
    """Of each hand: none given up, each card alone, and the two first (the others take long)."""
    lines = subprocess.run([os.path.join(folder, "make_odds"), "small"], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == 3 * 16, lines
    checked = 0
    for line in lines:
        hand, given_up, told = line.split()
        cards = [hand[i:i + 2] for i in range(0, 10, 2)]
        gone = [] if given_up == "-" else [given_up[i:i + 2] for i in range(0, len(given_up), 2)]
        if len(gone) == 2 and (gone != cards[:2] or not os.environ.get("TALLA_LONG")):
            continue
        assert draws.of_choice(cards, gone) == Fraction(told), line
        checked += 1
    assert checked >= 18, lines


def of_settings(folder):
    """Pai gow of four ranks and the joker: as every deal in Python, by two ways and the best."""
    lines = subprocess.run([os.path.join(folder, "make_odds"), "set"], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == 3 * 4, lines
    told = {}
    for bank, way, win, lose in map(str.split, lines):
        told[bank, way, "win"], told[bank, way, "lose"] = Fraction(win), Fraction(lose)
    played = settings.chances()
    assert len(played) == 2 * 3 * 2, played
    for what, chance in played.items():
        assert told[what] == chance, (what, told[what], chance)


def of_boards(folder):
    """Hold'em with three decisions, all deals beside one board."""
    lines = subprocess.run([os.path.join(folder, "make_odds"), "boards"], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == 2, lines
    for line in lines:
        board, net, laid = line.split()
        cards = tuple(board[i:i + 2] for i in range(0, 10, 2))
        assert boards.best(cards) == (int(net), int(laid)), (line, boards.best(cards))


def of_ends(folder):
    """Lengths and ends of lines of dice and of stakes in prison."""
    many = 60
    for bet, made in (("win", ends.line((7, 11), (2, 3, 12), many, "made")),
                      ("dont-win", ends.line((2, 3), (7, 11), many, "missed"))):
        course, = talla(folder, "odds", "ends", "es-1977", "craps", bet, "--rounds", str(many))
        over, won, lost = made
        assert [Fraction(one) for one in course["over"]] == over, bet
        told = {one["result"]: Fraction(one["probability"]) for one in course["ends"]}
        for result, by_then in (("win", won), ("lose", lost)):
            # What is not over yet decides the rest: both sides of a narrow gap.
            assert by_then[-1] <= told[result] <= by_then[-1] + 1 - over[-1], (bet, told)
        # The mean is the sum of the chances that it goes on: less than its tail is missing.
        longer = 1 + sum(1 - one for one in over)
        assert longer <= Fraction(course["rounds"]) <= longer + 4 * (1 - over[-1]), bet
    courses = talla(folder, "odds", "ends", "es-valencia-2003", "french-roulette", "negro",
                    "--rounds", "5")
    kept = [one for one in courses if one.get("from_prison") and one.get("choice") == "prison"]
    assert kept, courses
    for one in kept:
        assert [Fraction(part) for part in one["over"]] == ends.prison(37, 5), one
        freed, = [end for end in one["ends"] if end["result"] == "freed"]
        assert Fraction(freed["probability"]) == Fraction(1, 2), one


def of_coups(folder):
    """Punto y banca of full decks, and of what cards seen have left of them."""
    for decks, catalogue, seen in ((8, "es-1977", ""), (6, "es-valencia-2003", "8C8D8HASKDTC" * 5)):
        told = {one["bet"]: one for one in odds(folder, catalogue, "punto-banco",
                                                *(("--seen", seen) if seen else ()))}
        punto, bank = coups.figures(decks, [seen[i:i + 2] for i in range(0, len(seen), 2)])
        for bet, won, lost in (("punto", punto, bank), ("banca", bank, punto)):
            assert Fraction(told[bet]["win"]) == won, (seen, told[bet], won)
            assert Fraction(told[bet]["lose"]) == lost, (seen, told[bet], lost)
        assert Fraction(told["punto"]["house_edge"]) == bank - punto, told


def of_spots(folder):
    """Trijoker's three bets and a bet on the own three cards, every hand."""
    made = spots.trijoker()
    for catalogue in ("es-aragon-2010", "es-euskadi-2010"):
        told = {one["bet"]: one for one in odds(folder, catalogue, "trijoker")}
        for bet, (gain, staked) in made.items():
            assert Fraction(told[bet]["staked"]) == staked, told[bet]
            assert Fraction(told[bet]["returned"]) == gain + staked, (told[bet], gain)
    told, = odds(folder, "es-euskadi-2010", "three-card-poker", "pareja-plus")
    assert Fraction(told["returned"]) == spots.pair_plus(), told


def of_throws(folder):
    """Places, gains and edges of roulette; craps where its throws need no point."""
    for catalogue in ("es-1977", "es-valencia-2003", "es-euskadi-2010"):
        told = {}
        for one in odds(folder, catalogue, "french-roulette"):
            told.setdefault(one["bet"], []).append(one)
        for bet, gain in throws.GAINS.items():
            for one in told[bet]:
                numbers = 36 // (gain + 1)
                assert Fraction(one["win"]) == Fraction(numbers, 37), one
                assert Fraction(one["returned"]) == Fraction(numbers * (gain + 1), 37), one
        for bet, places in throws.cloth().items():
            on = {tuple(sorted(map(int, place))) for one in told[bet] for place in one["on"]}
            # What is left touches the zero.
            assert {place for place in on if 0 not in place} == set(map(tuple, places)), bet
        for bet in ("rojo", "negro", "par", "impar", "falta", "pasa"):
            assert Fraction(told[bet][0]["house_edge"]) == throws.even_chance(), bet
    told = {one["bet"]: one for one in odds(folder, "es-1977", "craps")}
    for bet, edge in throws.craps().items():
        assert Fraction(told[bet]["house_edge"]) == edge, (told[bet], edge)


PARTS = {"rows": of_rows, "banque": of_banque, "cloths": of_cloths, "monte": of_monte,
         "bingo": of_bingo, "boxes": of_boxes, "hands": of_hands, "pots": of_pots,
         "jackpots": of_jackpots, "advice": of_advice, "stored": of_stored, "draws": of_draws,
         "boards": of_boards, "settings": of_settings, "unanswered": of_unanswered,
         "ends": of_ends, "coups": of_coups, "spots": of_spots, "throws": of_throws,
         "sheet": lambda folder: sheet.check(folder, odds, HERE.parent.parent)}

if __name__ == "__main__":
    PARTS[sys.argv[2]](sys.argv[1])
