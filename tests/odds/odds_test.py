"""What `talla odds` shows, against second derivations that share nothing with it.

    odds_test.py BIN PART      BIN: folder of the programs; PART: rows, banque, cloths

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
import cloths
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


PARTS = {"rows": of_rows, "banque": of_banque, "cloths": of_cloths}

if __name__ == "__main__":
    PARTS[sys.argv[2]](sys.argv[1])
