#!/usr/bin/env python3
# Goal: `talla-lab outcomes` judges wheels, dice, balls, shoes and hands from text and from the
#   appliance's own records, says when there is too little, and names line and fault of what it
#   cannot read.
# Method: fair and unfair results made here with fixed seeds; records of a running appliance as
#   `talla log tail --raw` prints them.
#   usage: outcomes_test.py FOLDER_OF_PROGRAMS
import json
import os
import random
import subprocess
import sys
import xml.etree.ElementTree

from calls import draw_body
from facts import SHOE, WHEEL, mix_shoe, main, new_batch, open_table

RANKS = "A23456789TJQK"
DECK = [rank + suit for suit in "CDHS" for rank in RANKS]
SPANISH = [rank + suit for suit in "oceb" for rank in "1234567SCR"]


def run(game, lines, *arguments, code=0):
    data = lines if isinstance(lines, str) else "\n".join(lines) + "\n"
    done = subprocess.run([LAB, "outcomes", "-", "--game", game, *map(str, arguments)],
                          input=data.encode(), capture_output=True, timeout=250)
    text, errors = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == code, \
        f"outcomes --game {game} {arguments}: exit {done.returncode}, not {code}\n{text}{errors}"
    return text + errors


def report(game, lines, *arguments, code=0):
    return json.loads(run(game, lines, "--json", *arguments, code=code))


def shuffled(cards, draws):
    cards = list(cards)
    draws.shuffle(cards)
    return cards


def fair_spins_are_consistent_and_every_p_value_is_there(_):
    draws = random.Random(1)
    spins = [str(draws.randrange(37)) for _ in range(20_000)]
    text = run("wheel:37", ["# a comment", "", *spins])
    assert "20000 spins" in text and "Verdict: consistent" in text and "95 % consistent" in text, \
        text
    found = report("wheel:37", spins)
    assert found["verdict"] == "consistent" and found["outcomes"] == 20_000
    tests = {row["test"] for row in found["rows"]}
    assert tests == {"frequency", "serial", "serial correlation", "runs", "gap", "coupon collector",
                     "poker", "permutation", "order statistic", "duplicates",
                     "Kolmogorov-Smirnov"}, tests
    for row in found["rows"]:
        assert (row["p"] is None) == (row["needs"] > 0) and \
            row["basis"] in ("exact", "approximate"), row
        assert row["p"] is None or 0 <= row["p"] <= 1, row


def the_chi_square_is_that_of_the_counts(_):
    draws = random.Random(2)
    spins = [draws.randrange(38) for _ in range(5_000)]
    first = report("wheel:38", ["00" if spin == 37 else str(spin) for spin in spins])["rows"][0]
    expected = 5_000 / 38
    chi = sum((spins.count(i) - expected) ** 2 / expected for i in range(38))
    assert abs(first["statistic"] - chi) < 1e-9 and first["degrees"] == 37, (first, chi)


def a_favoured_pocket_a_repeating_wheel_and_a_too_even_one_are_caught(_):
    draws = random.Random(3)
    favoured = ["0" if draws.random() < 0.01 else str(draws.randrange(37)) for _ in range(50_000)]
    text = run("wheel:37", favoured, code=3)
    assert "NOT consistent" in text and "frequency, 0: p =" in text, text
    again = [str(draws.randrange(37)) for _ in range(4_000)] * 2
    assert report("wheel:37", again, code=3)["verdict"] == "not-consistent"
    even = [str(pocket) for _ in range(500) for pocket in shuffled(range(37), draws)]
    assert report("wheel:37", even, code=3)["rows"][0]["p"] < 1e-9


def too_few_results_need_more(_):
    text = run("wheel:37", ["1", "2", "3"], code=4)
    assert "needs 182 more" in text and "Verdict: none yet" in text, text
    found = report("wheel:37", ["1"] * 50, code=3)
    assert found["rows"][0]["needs"] == 135 and found["verdict"] == "not-consistent", \
        found["rows"][0]
    assert report("shoe:french52x1", "", code=4)["verdict"] == "more-data"


def dice_are_judged_alone_together_and_against_each_other(_):
    draws = random.Random(4)
    throws = [(draws.randint(1, 6), draws.randint(1, 6)) for _ in range(20_000)]
    found = report("dice:2x6", [f"{a} {b}" for a, b in throws])
    series = {row.get("series", "") for row in found["rows"]}
    assert {"die 1", "die 2", "sum", "whole throw"} <= series and \
        found["verdict"] == "consistent", series
    tied = [f"{a} {a if draws.random() < 0.05 else b}" for a, b in throws]
    assert "interplay" in run("dice:2x6", tied, code=3)


def balls_and_their_beginnings_are_judged(_):
    draws = random.Random(5)
    lines = [" ".join(map(str, shuffled(range(1, 91), draws))) for _ in range(1_200)]
    assert report("balls:90", lines)["outcomes"] == 1_200
    assert report("balls:90", lines, "--first", 20)["verdict"] == "consistent"
    six = [" ".join(map(str, draws.sample(range(1, 50), 6))) for _ in range(2_000)]
    assert report("balls:49", six, "--first", 6)["verdict"] == "consistent"
    low = [" ".join(map(str, draws.sample(range(1, 50 if draws.random() < 0.9 else 40), 6)))
           for _ in range(5_000)]
    assert "drawn" in run("balls:49", low, "--first", 6, code=3)


def shoes_french_and_spanish_are_judged_with_their_hands(folder):
    draws = random.Random(6)
    lines = [" ".join(shuffled(DECK * 6, draws)) for _ in range(600)]
    found = report("shoe:french52x6", lines)
    items = {row["item"] for row in found["rows"] if row["test"] == "hands"}
    assert {"first coup of baccarat", "natural of blackjack",
            "52 coups of baccarat a shoe: banca"} <= items, items
    assert found["verdict"] == "consistent"
    assert report("shoe:spanish40x1",
                  [" ".join(shuffled(SPANISH, draws))
                   for _ in range(1_000)])["verdict"] == "consistent"
    path = os.path.join(folder.folder, "map.svg")
    naive = []
    for _ in range(2_000):
        cards = list(DECK)
        for i in range(52):
            j = draws.randrange(52)
            cards[i], cards[j] = cards[j], cards[i]
        naive.append(" ".join(cards))
    text = run("shoe:french52x1", naive, "--plot", path, code=3)
    assert "place x card" in text and "incomplete or biased shuffle" in text, text
    assert xml.etree.ElementTree.parse(path).getroot().tag.endswith("svg")
    assert "Verdict: consistent" in run("shoe:french52x1",
                                        [" ".join(shuffled(DECK, draws)) for _ in range(1_100)])


def hands_are_compared_with_exact_frequencies(folder):
    draws = random.Random(7)
    names = ["punto", "banca", "tie", "punto-natural", "banca-natural", "tie-natural"]
    weights = report("hands:baccarat:8", ["banca", "punto"] * 5, code=4)["rows"]
    assert weights[0]["test"] == "frequency", weights[0]
    odds = os.path.join(folder.folder, "odds")
    with open(odds, "w") as out:
        out.write(
            "# weights\nbanca 2292252566437888\npunto 2230518282592256\ntie 475627426473216\n")
    hands = draws.choices(["banca", "punto", "tie"],
                          [2292252566437888, 2230518282592256, 475627426473216], k=20_000)
    assert report("hands:own", hands, "--odds", odds)["verdict"] == "consistent"
    assert report("hands:own", ["tie" if draws.random() < 0.02 else hand for hand in hands],
                  "--odds", odds, code=3)["verdict"] == "not-consistent"
    assert "no name and weight" in bad_odds(folder, "banca\n")
    assert "comes twice" in bad_odds(folder, "banca 1\nbanca 2\n")
    run("hands:baccarat:8", draws.choices(names, k=500), code=3)


def bad_odds(folder, text):
    path = os.path.join(folder.folder, "bad")
    with open(path, "w") as out:
        out.write(text)
    return run("hands:own", "banca\n", "--odds", path, code=1)


def errors_name_line_and_fault(_):
    for game, lines, words in (("wheel:37", "1\n2\n37\n", 'line 3: "37" is no result'),
                               ("wheel:37", "1\n07\n", "line 2"),
                               ("dice:2x6", "1 2\n3 7\n", 'line 2: "7" is no face from 1 to 6'),
                               ("dice:2x6", "1 2 3\n", "line 1: 3 dice instead of 2"),
                               ("shoe:french52x1", " ".join(DECK[:-1]) + "\n",
                                "line 1: 51 cards instead of 52; give --first 51"),
                               ("shoe:french52x1", " ".join(DECK[:-1] + ["AC"]) + "\n",
                                "line 1: card AC comes more than 1 time"),
                               ("shoe:french52x1", " ".join(DECK[:-1] + ["Ro"]) + "\n",
                                'place 52: "Ro" is none of the cards of french52x1'),
                               ("shoe:spanish40x1", " ".join(SPANISH + ["1o"]) + "\n",
                                "41 in a shoe of 40"), ("balls:90", "1 2 91\n", 'place 3: "91"'),
                               ("hands:poker", "royal\n", 'line 1: "royal"'),
                               ("wheel:37", "1\n" * 3 + "x" * 70_000, "line 4"),
                               ("wheel:37", '{"v":1}\n', "line 1: no record of version 2"),
                               ("wheel:37", '{"v":1\n', "line 1: no record"),
                               ("wheel:1", "", '"1" is no number of pockets'),
                               ("wheel:0,1,0", "", 'pocket "0"'), ("dice:6", "", "2x6"),
                               ("shoe:french52x9", "", "french52x9"),
                               ("hands:whist", "", "hands:whist"),
                               ("lotto", "", "known are wheel:37")):
        text = run(game, lines, code=1)
        assert words in text, f"{game}: {text}"
    assert "error" in report("wheel:37", "x\n", code=1)
    assert "--first" in run("wheel:37", "1\n", "--first", 5, code=1)
    done = subprocess.run([LAB, "outcomes", "/absent", "--game", "wheel:37"], capture_output=True)
    assert done.returncode == 1 and b"cannot be read" in done.stderr, done


def records_of_an_appliance_are_read_draw_by_draw_and_shoe_by_shoe(appliance):
    client = appliance.client()
    table = open_table(client, WHEEL)
    batch = new_batch(client, table, 16)
    pockets = []
    for index in range(16):
        reply = client.post("/v1/draws", draw_body(client, table, batch, index))
        pockets.append(reply["draw"]["outcome"]["pocket"])
    dice = open_table(client,
                      {"settled_by": "client", "range": {"kind": "dice", "count": 2, "faces": 6}})
    client.post("/v1/draws", draw_body(client, dice, new_batch(client, dice, 1)))
    shoes = open_table(client, SHOE)
    dealt = []
    for _ in range(3):
        shoe = mix_shoe(client, shoes)
        reply = client.post(f"/v1/shoes/{shoe['id']}/deal",
                            {"expected": 0, "until": 5, "place": "table", "face": "open"})
        dealt.append(reply)
        client.post(f"/v1/shoes/{shoe['id']}/close")
    open_shoe = mix_shoe(client, shoes)
    last = client.post(f"/v1/shoes/{open_shoe['id']}/deal",
                       {"expected": 0, "until": 1, "place": "table", "face": "open"})
    seq = max(json.loads(receipt["record"])["seq"] for receipt in last["receipts"])
    bundle = client.send("GET", f"/v1/bundles/{seq}")[1]
    records = appliance.talla("log", "tail", "--raw", "--limit", "1000", check=True).stdout
    spins = report("wheel:37", records, code=4)
    assert spins["outcomes"] == 16 and spins["left_out_other"] == 5, spins["left_out_other"]
    counts = {row["item"]: row["statistic"] for row in spins["rows"]
              if row["test"] == "frequency" and row["item"]}
    assert all(counts[str(i)] == pockets.count(i) for i in range(37)), (counts, pockets)
    assert report("wheel:37", records, "--table", "table-99999", code=4)["outcomes"] == 0
    assert report("dice:2x6", records, code=4)["outcomes"] == 1
    found = report("shoe:french52x8", records, code=4)
    assert found["outcomes"] == 3 and found["left_out_not_open"] == 1 and \
        found["left_out_other"] == 17, found["left_out_other"]
    # A dealt card that is not the one of the order contradicts the tape.
    lines = records.splitlines()
    at = next(i for i, line in enumerate(lines) if '"kind":"CARD_DEAL"' in line)
    card = json.loads(lines[at])["body"]["card"]
    other = "AC" if card != "AC" else "KS"
    lines[at] = lines[at].replace(f'"card":"{card}"', f'"card":"{other}"')
    text = run("shoe:french52x8", lines, code=1)
    assert "is not that of the order" in text and "SHOE_CLOSE" in text, text
    # Records that begin in the middle of a batch say which one is missing.
    cut = [line for line in records.splitlines() if '"kind":"CALL"' not in line]
    assert "is not among the records" in run("wheel:37", cut, code=1)
    folder = os.path.join(appliance.folder, "bundles")
    os.makedirs(folder)
    done = subprocess.run([LAB, "outcomes", folder, "--game", "shoe:french52x8", "--json"],
                          capture_output=True)
    assert done.returncode == 1 and b"no bundles" in done.stdout, done
    for name in ("a.talla", "b.talla"):  # the same records twice count once
        with open(os.path.join(folder, name), "wb") as out:
            out.write(bundle)
    done = subprocess.run([LAB, "outcomes", folder, "--game", "shoe:french52x8", "--json"],
                          capture_output=True)
    assert done.returncode == 4 and json.loads(done.stdout)["left_out_not_open"] == 1, done


if __name__ == "__main__":
    LAB = os.path.join(os.path.abspath(sys.argv[1]), "talla-lab")
    main([fair_spins_are_consistent_and_every_p_value_is_there,
          the_chi_square_is_that_of_the_counts,
          a_favoured_pocket_a_repeating_wheel_and_a_too_even_one_are_caught,
          too_few_results_need_more, dice_are_judged_alone_together_and_against_each_other,
          balls_and_their_beginnings_are_judged,
          shoes_french_and_spanish_are_judged_with_their_hands,
          hands_are_compared_with_exact_frequencies, errors_name_line_and_fault,
          records_of_an_appliance_are_read_draw_by_draw_and_shoe_by_shoe])
