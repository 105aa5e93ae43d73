#!/usr/bin/env python3
# Goal: the dispute report on paper is the same as HTML and PDF: cards with what the rules count of
#   each hand, every amount and rule, room for signatures, and a QR code that leads to the evidence.
# Method: rounds played over the API; the files of `talla dispute --out` are read here by themselves
#   (an own reader of the PDF, zbarimg for the codes) and compared with the facts and with own sums
#   of the cards; clocks on the wall are not UTC. usage: paper_test.py FOLDER_OF_PROGRAMS
import hashlib
import json
import os
import random
import re
import ssl
import subprocess
import sys
import time
import urllib.request

from appliance import Appliance, free_ports, record_of, seed_of_this_run
from facts import game_table, hold, open_table
from paper import Pdf, squeezed
from play_test import spin
from player import Player

PORT = free_ports(1)[0]


def with_public(text):
    return text + f"\n[public]\nenabled = true\nport = {PORT}\n"


def read_code(folder, modules):
    """What a reader of codes sees in these dark (x, y)."""
    size = max(max(one) for one in modules) + 5  # a quiet zone on each side
    rows = [[255] * (size * 4) for _ in range(size * 4)]
    for x, y in modules:
        for dy in range(4):
            for dx in range(4):
                rows[y * 4 + dy][x * 4 + dx] = 0
    path = f"{folder}/code.pgm"
    with open(path, "wb") as file:
        file.write(f"P5 {size * 4} {size * 4} 255\n".encode() + b"".join(map(bytes, rows)))
    return subprocess.run(["zbarimg", "-q", "--raw", path], capture_output=True, text=True,
                          check=True).stdout.strip()


def modules_of_page(page):
    path = re.search(r'<path fill="#000" d="([^"]*)"', page)[1]
    return {(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path)}


def modules_of_pdf(pdf):
    side = pdf.squares[0][2]
    left = min(one[0] for one in pdf.squares)
    top = max(one[1] for one in pdf.squares)
    return {(round((x - left) / side) + 4, round((top - y) / side) + 4)
            for x, y, _, _ in pdf.squares}


def dispute(appliance, table, number, base, *more):
    done = appliance.talla("dispute", "--table", table, "--round", str(number), "--out", base,
                           *more)
    assert done.returncode == 3, (done.stdout, done.stderr)  # development keys
    facts = {}
    for language in ("es", "en"):
        facts[language] = json.loads(appliance.talla(
            "--json", "dispute", f"{base}.talla", "--root", f"{appliance.folder}/ca.pem",
            "--language", language).stdout)
    return facts


def value(card):
    return "A23456789TJQK".index(card[0]) + 1


def points(game, cards):
    """What the cards count, by the books of the game and not by the program."""
    values = [min(value(card), 10) for card in cards]
    if game == "punto-banco":
        return sum(values) % 10
    total = sum(values)
    return total + 10 if 1 in values and total <= 11 else total


def check_counts(game, facts, text, page, pdf):
    held = {}
    for event in facts["events"]:
        if event["what"] in ("card", "opened") and "card" in event:
            holder = re.match(r"box-\d+|[a-z]+", event["place"])[0]
            if holder != "burn":
                held.setdefault(holder, []).append(event["card"])
    split = any(event.get("do") == "split" for event in facts["events"])
    counted = {one["holder"]: one["total"] for one in facts["counts"]}
    wanted = {holder: points(game, cards) for holder, cards in held.items()
              if holder in ("punto", "banca", "dealer") or not split}
    assert wanted and wanted.items() <= counted.items(), (wanted, counted)
    for total in wanted.values():
        assert re.search(rf"(counts|suma) (\d+, )*{total}\b", page), (total, page)
        assert re.search(rf"(counts|suma) (\d+, )*{total}\b", pdf.text), (total, pdf.text)
        assert f": {total}\n" in text, text
    return len(wanted)


def both_times(moment):
    """Microseconds since 1970 as the wall's clock shows them, and in UTC."""
    seconds, millis = moment // 1000000, moment // 1000 % 1000
    return (time.strftime("%Y-%m-%d %H:%M:%S %Z", time.localtime(seconds)) +
            time.strftime(f" (%Y-%m-%d %H:%M:%S.{millis:03} UTC)", time.gmtime(seconds)))


def check_forms(appliance, base, facts, code):
    """Text, HTML and PDF of both languages say the same."""
    with open(f"{base}.talla", "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    for language in ("es", "en"):
        pdf = Pdf(f"{base}.{language}.pdf")
        with open(f"{base}.{language}.html", encoding="utf-8") as file:
            page = file.read()
        told, said = facts[language], pdf.squeezed()
        assert pdf.language == language and digest in said, pdf.text
        for one in told["results"]:
            for word in (one["name"], one["money_net"], one["money_stake"], one["rule"],
                         *one["sentences"]):
                assert squeezed(word) in said, (word, pdf.text)
        for one in told["totals"]:
            assert squeezed(one["money_net"]) in said, one
        for moment in (told["round"]["opened"], told["round"]["settled"]):
            words = both_times(moment)
            assert squeezed(words) in said and words in page, (words, pdf.text)
        for event in told["events"]:
            assert str(event["seq"]) in pdf.text, event
            if "card" in event and event["card"][1:] in ("S", "H", "D", "C"):
                rank, suit = event["card"][0].replace("T", "10"), "SHDC".index(event["card"][1])
                assert f"{rank} {'♠♥♦♣'[suit]}" in pdf.text, (event, pdf.text)
        for words in (("Cliente: nombre", "Casino: nombre", "Inspección: nombre")
                      if language == "es" else
                      ("Guest: name", "Casino: name", "Inspector: name")):
            assert squeezed(words) in said, words
        assert "?" not in pdf.text.replace("http", ""), "a sign that the fonts do not have"
        assert modules_of_page(page) == modules_of_pdf(pdf), "another code on the other paper"
        assert read_code(appliance.folder, modules_of_page(page)) == code, language
        again = appliance.talla("dispute", f"{base}.talla", "--root",
                                f"{appliance.folder}/ca.pem", "--out", f"{base}-again")
        assert again.returncode == 3, again
        if not code.startswith("https"):
            with open(f"{base}.{language}.pdf", "rb") as one, \
                    open(f"{base}-again.{language}.pdf", "rb") as other:
                assert one.read() == other.read(), "the file alone gives the same paper"


def the_papers_of_card_games_say_what_each_hand_counts(appliance):
    client, chance = appliance.client(), random.Random(seed_of_this_run())
    catalogues = {one["id"]: one for one in client.get("/v1/catalogues")["catalogues"]}
    counted = 0
    for game in ("punto-banco", "blackjack"):
        player = Player(client, catalogues["es-1977"], game, seed=chance.randrange(1 << 30))
        for number in (1, 2, 3):
            told = player.play()
            base = f"{appliance.folder}/{game}-{number}"
            facts = dispute(appliance, player.table, told["object"], base)
            for language in ("es", "en"):
                if not any("card" in one for one in facts[language]["events"]):
                    continue
                with open(f"{base}.{language}.txt", encoding="utf-8") as text, \
                        open(f"{base}.{language}.html", encoding="utf-8") as page:
                    counted += check_counts(game, facts[language], text.read(), page.read(),
                                            Pdf(f"{base}.{language}.pdf"))
            digest = hashlib.sha256(open(f"{base}.talla", "rb").read()).hexdigest()
            code = f"sha256:{digest} {facts['es']['origin']} {facts['es']['record']}"
            check_forms(appliance, base, facts, code)
    assert counted >= 12, counted


def what_the_house_chose_stands_last_and_in_words_and_a_table_is_named_once(appliance):
    client = appliance.client()
    for place, leads in (("Mesa 8", {"es": "Mesa 8", "en": "Mesa 8"}),
                         ("7", {"es": "Mesa 7", "en": "Table 7"})):
        table = open_table(client, {"catalogue": "es-1977", "game": "french-roulette",
                                    "max_voids": 16, "place": place,
                                    "table": {"currency": "ESP", "unit": 1, "min": 25,
                                              "params": {"zero_combinations": "none"}}})
        spin(client, table, [{"id": "b", "seat": 1, "kind": "pleno", "on": ["17"], "stake": 25}])
        base = f"{appliance.folder}/named-{len(place)}"
        dispute(appliance, table, 1, base)
        for language, last, words in (
                ("es", "Parámetros", ("ninguna", "se queda en prisión")),
                ("en", "Parameters", ("none", "it stays in prison"))):
            with open(f"{base}.{language}.txt", encoding="utf-8") as file:
                text = file.read()
            with open(f"{base}.{language}.html", encoding="utf-8") as file:
                page = file.read()
            assert f" · {leads[language]} · " in page, (leads, page[:2000])
            assert "Mesa Mesa" not in page and "Table Mesa" not in page
            check = "Comprobación" if language == "es" else "Verification"
            chosen = text[text.rindex(last):]
            assert text.rindex(check) < text.rindex(last), text
            for one in words:
                assert f": {one} [" in chosen and one in page, (one, chosen)
            assert not re.search(r": (prison|residual|bet) \[", chosen), chosen


def a_code_leads_to_the_evidence_where_the_house_has_a_public_page(appliance):
    client = appliance.client()
    table = game_table(client, "french-roulette")
    _, reply = spin(client, table, [{"id": "b", "seat": 1, "kind": "pleno", "on": ["17"],
                                     "stake": 25}])
    base, public = f"{appliance.folder}/public", f"https://127.0.0.1:{PORT}"
    facts = dispute(appliance, table, 1, base, "--public", public)
    with open(f"{base}.en.html", encoding="utf-8") as file:
        link = read_code(appliance.folder, modules_of_page(file.read()))
    seq = record_of(reply, "SETTLEMENT")["seq"]
    assert re.fullmatch(rf"{public}/web/verify\.html\?bundle=/bundles/{seq}-[0-9a-f]{{32}}", link)
    check_forms(appliance, base, facts, link)
    context = ssl.create_default_context(cafile=f"{appliance.folder}/ca.pem")
    context.check_hostname = False
    with urllib.request.urlopen(public + link.split("bundle=")[1], context=context) as answer, \
            open(f"{base}.talla", "rb") as file:
        assert json.load(answer)["claim"] == json.load(file)["claim"] == seq
    for more, words in ((("--public", "casino.example"), "https://HOST:PORT"),
                        (("--public", 'https://a"b'), "https://HOST:PORT")):
        done = appliance.talla("dispute", "--table", table, "--round", "1", "--out", base, *more)
        assert done.returncode == 2 and words in done.stderr, done
    done = appliance.talla("dispute", f"{base}.talla", "--public", public, "--out", base)
    assert done.returncode == 2 and "--public goes with" in done.stderr, done


if __name__ == "__main__":
    os.environ["TZ"] = "CET-1CEST,M3.5.0,M10.5.0/3"  # every program that this test starts has it
    time.tzset()
    with Appliance(sys.argv[1], edit_config=with_public) as one:
        one.start()
        failed = hold([the_papers_of_card_games_say_what_each_hand_counts,
                       what_the_house_chose_stands_last_and_in_words_and_a_table_is_named_once,
                       a_code_leads_to_the_evidence_where_the_house_has_a_public_page], one)
        if failed:
            print(f"--- the daemon's log\n{one.log()[-4000:]}")
    sys.exit(1 if failed else 0)
