"""The mathematics report of a game: what it says is what the catalogue's file and the odds say."""

import hashlib
import html
import re
import subprocess
import tempfile
from fractions import Fraction
from pathlib import Path

GAME = ("es-euskadi-2010", "wheel-of-fortune")
LETTERS = {"es": ("GANA EL JUGADOR", "Informe matemático"),
           "en": ("THE PLAYER WINS", "Mathematics report")}


def run(folder, *arguments):
    return subprocess.run([str(Path(folder) / "talla"), "odds", "sheet", *arguments],
                          capture_output=True, text=True, check=False)


def sheet(folder, out, *arguments):
    page, document = Path(out) / "sheet.html", Path(out) / "sheet.pdf"
    done = run(folder, *arguments, "--html", str(page), "--pdf", str(document))
    assert done.returncode == 0, done.stderr
    return page.read_text(), document.read_bytes()


def cells(page):
    """Texts of every row of every table, without markup."""
    plain = [[html.unescape(re.sub("<[^>]*>", " ", cell)).split()
              for cell in re.findall("<td.*?</td>", row, re.S)]
             for row in re.findall("<tr.*?</tr>", page, re.S)]
    return [row for row in plain if row]


def beside(folder, out, odds_of):
    """What the house takes where players hold the bank, and what jackpots are worth."""
    for arguments, of in ((("es-1977", "chemin-de-fer"), lambda one: [one["house_share"]]
                           if "house_share" in one else []),
                          (("es-euskadi-2010", "caribbean-stud", "--param", "jackpot=true",
                            "--param", "jackpot_seed=1000"),
                           lambda one: [one["jackpot"][name] for name in (
                               "hit", "whole", "growth", "mean", "break_even")]
                           if "jackpot" in one else [])):
        page = sheet(folder, out, *arguments, "--language", "es", "--short")[0]
        rows = [[cell[-1] for cell in row if cell] for row in cells(page)]
        told = [figures for one in odds_of(folder, *arguments) if (figures := of(one))]
        assert told, arguments
        for figures in told:
            assert any(row[1:] == figures for row in rows), (arguments, figures)
    plain = sheet(folder, out, *GAME, "--language", "es", "--short")[0]
    assert "Acumulados" not in plain and "se lleva la casa" not in plain


def check(folder, odds_of, tree):
    catalogue = hashlib.sha256((tree / f"games/catalogues/{GAME[0]}.toml").read_bytes())
    program = hashlib.sha256((Path(folder) / "talla").read_bytes())
    with tempfile.TemporaryDirectory() as out:
        for language, (wins, title) in LETTERS.items():
            page, document = sheet(folder, out, *GAME, "--language", language)
            assert sheet(folder, out, *GAME, "--language", language) == (page, document)
            assert document.startswith(b"%PDF-1.4"), document[:20]
            assert title in page and f'lang="{language}"' in page
            for digest in (catalogue, program):
                assert digest.hexdigest() in page, digest.hexdigest()
            first = page.split("<h2")[0]
            assert wins not in first, "no bet of the table as it stands"
            assert wins in page, "the jokers as one cell: -19/27"
            changed = sheet(folder, out, *GAME, "--language", language, "--param",
                            "joker_boxes=one")[0]
            assert wins in changed.split("<h2")[0], "said first, where it is so"
            for bet in odds_of(folder, *GAME):
                if "house_edge" in bet:
                    assert any([bet["house_edge"]] == cell[-1:] for row in cells(page)
                               for cell in row), bet
        chances = [Fraction(row[3][-1]) for row in cells(page)
                   if len(row) == 4 and re.fullmatch(r"\d+/\d+", row[3][-1])]
        assert sum(chances) == 6, f"six bets, each with all ends of a round: {sum(chances)}"
        short = sheet(folder, out, *GAME, "--language", "en", "--short")[0]
        assert "other readings" not in short and "other readings" in page
        beside(folder, out, odds_of)
    nowhere = run(folder, *GAME)
    assert nowhere.returncode == 2 and "--html FILE" in nowhere.stderr, nowhere.stderr
    unknown = run(folder, GAME[0], "whist", "--html", "/nonexistent/sheet.html")
    assert unknown.returncode == 1 and "whist" in unknown.stderr, unknown.stderr
