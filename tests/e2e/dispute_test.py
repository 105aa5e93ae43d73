#!/usr/bin/env python3
# Goal: an inspector gets the last rounds of a table, what is not finished, and one round in full in
#   Spanish and English, from the log alone.
# Method: rounds played over the API; what `talla log rounds`, `talla log incomplete` and `talla
#   dispute` print is compared with the records of the log, read here by themselves.
#   usage: dispute_test.py FOLDER_OF_PROGRAMS
import hashlib
import html.parser
import json
import os
import random

from appliance import record_of, seed_of_this_run
from facts import mix_shoe, deal, events, game_table, main, open_table, refused
from play_test import spin
from player import Player

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
RESULTS = {"win": ("gana", "wins"), "lose": ("pierde", "loses"), "push": ("empate", "push"),
           "half": ("pierde la mitad", "half is lost"),
           "prison": ("queda en prisión", "goes to prison"),
           "freed": ("sale de prisión", "leaves prison"), "void": ("nula", "void")}


def card_words(code):
    if len(code) != 2 or code[1] not in SIGNS:
        return code
    return code[0].replace("T", "10") + SIGNS[code[1]]


def records(client):
    return [json.loads(one["record"]) for one in events(client)]


def listed(appliance, table, last, client="client"):
    done = appliance.talla("--json", "log", "rounds", "--table", table, "--last", str(last),
                           client=client)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def red(number):
    return [{"id": f"r{number}", "seat": 2, "kind": "rojo", "stake": 100}]


def the_last_rounds_of_a_table_are_listed_also_when_it_is_closed(appliance):
    client = appliance.client()
    table, other = game_table(client, "french-roulette"), game_table(client, "french-roulette")
    settled = []
    for number in range(1, 13):
        view, reply = spin(client, table,
                           [{"id": f"b{number}", "seat": 1, "kind": "pleno", "on": ["17"],
                             "stake": 25}])
        spin(client, other, red(number))
        settled.append((number, view["id"], record_of(reply, "SETTLEMENT")["seq"]))
    for closed in (False, True):
        rows = listed(appliance, table, 10)
        assert [(row["number"], row["id"], row["settlement"])
                for row in rows] == settled[::-1][:10], rows
        assert all(row["state"] == "ended" and row["opened"] <= row["ended"] and
                   row["table"] == table for row in rows)
        assert len(listed(appliance, table, 500)) == 12, "there are no more"
        page = client.get(f"/v1/tables/{table}/rounds?limit=5&before={settled[6][1]}")
        assert [row["number"] for row in page["rounds"]] == [6, 5, 4, 3, 2] and page["more"], page
        page = client.get(f"/v1/tables/{table}/rounds?limit=5&before={settled[3][1]}")
        assert [row["number"] for row in page["rounds"]] == [3, 2, 1] and not page["more"], page
        if not closed:
            client.post(f"/v1/tables/{table}/close")
    refused(client, "GET", f"/v1/tables/{other}/rounds?before={settled[3][1]}", 400,
            "malformed_request")
    refused(client, "GET", f"/v1/tables/{table}/rounds?limit=101", 400, "malformed_request")
    refused(appliance.client("talla:table-2"), "GET", f"/v1/tables/{table}/rounds", 404,
            "not_found")
    assert len(
        appliance.client("talla:auditor-1").get(
            f"/v1/tables/{table}/rounds?limit=100")["rounds"]) == 12
    empty = game_table(client, "french-roulette")
    assert "no round was opened" in appliance.talla("log", "rounds", "--table", empty).stdout
    client.post(f"/v1/tables/{empty}/close")
    assert client.get(f"/v1/tables/{empty}/rounds") == {"rounds": [], "more": False}


def a_round_that_is_not_ended_says_what_it_waits_for(appliance):
    client = appliance.client()
    table = game_table(client, "punto-banco")
    shoe = mix_shoe(client, table)["id"]
    position = deal(client, shoe, 0, "needs")["shoe"]["position"]
    opened = client.post(f"/v1/tables/{table}/rounds")["round"]["id"]

    def row():
        done = appliance.talla("--json", "log", "incomplete")
        found = [json.loads(line) for line in done.stdout.splitlines()]
        return next((one for one in found if one["id"] == opened), None)

    assert row()["state"] == "betting" and any(need["need"] == "bets" for need in row()["needs"]), \
        row()
    done = appliance.talla("dispute", "--table", table, "--round", "1")
    assert done.returncode == 2 and "no settlement yet" in done.stderr, done
    client.post(f"/v1/rounds/{opened}/close-bets",
                {"bets": [{"id": "b", "seat": 1, "kind": "punto", "stake": 100}]})
    assert row()["state"] == "playing" and [need["need"] for need in row()["needs"]] == ["deal"], \
        row()
    appliance.kill()
    appliance.start()
    client = appliance.client()
    assert row()["table"] == table and row()["bets"][0]["stake"] == 100, "a crash does not hide it"
    words = appliance.talla("log", "incomplete").stdout
    assert f"{table} (punto-banco): round 1 ({opened}), playing, waits for: deal" in words, words
    assert not any(one["id"] == opened
                   for one in appliance.client("talla:table-2").get("/v1/incomplete")["rounds"])
    deal(client, shoe, position, "needs")
    assert row() is None, "it is ended"
    client.post(f"/v1/tables/{table}/close")


def category(cards):
    """The kind of a hand of five from the cards alone; nothing with a joker."""
    ranks = sorted(("A23456789TJQK".index(card[0]) for card in cards), reverse=True)
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    high = ranks == [12, 11, 10, 9, 0]
    run = high or (len(counts) == 5 and ranks[0] - ranks[4] == 4)
    if counts[0] == 4:
        return {"four"}
    if counts[:2] == [3, 2]:
        return {"full"}
    if flush or run:
        both = "royal-flush" if high else "straight-flush"
        return {both if flush and run else "flush" if flush else "straight"}
    if counts[0] == 3:
        return {"trio"}
    if counts[0] == 2:
        return {"two-pair" if counts[1] == 2 else "pair"}
    return {"ace-king", "high-card"} if {0, 12} <= set(ranks) else {"high-card"}


def check_hands(facts, text, game):
    """Each hand named is of cards open at its holder's places or common, and is what they make."""
    lying = {}
    for event in facts["events"]:
        if event["what"] in ("card", "opened") and "card" in event:
            holder = event["place"].rsplit("-", 1)[0].removesuffix("-card").removesuffix("-draw")
            lying.setdefault(holder, []).append(event["card"])
    for hand in facts["hands"]:
        there = lying[hand["holder"]] + lying.get("common", [])
        made = hand["cards"]
        assert len(made) == 5 and all(card in there for card in made), (hand, lying)
        assert hand["category"] in category(hand["cards"]), hand
        assert hand["text"] + " (" in text, (hand, text)
    if game == "caribbean-stud":
        assert any(hand["holder"] == "bank" for hand in facts["hands"]), facts["hands"]


def records_of_round(log, settlement):
    """The records of a round and of its table's shoes, between its opening and this settlement."""
    opening = next(one for one in log if one["kind"] == "ROUND_OPEN" and
                   one["object"] == settlement["object"])
    table = opening["body"]["table"]
    shoes = {one["object"] for one in log if one["kind"] == "SHOE_COMMIT" and
             one["body"]["table"] == table}
    return [one for one in log if opening["seq"] < one["seq"] < settlement["seq"]
            and one.get("object") in shoes | {settlement["object"]}]


def bank_shows(log, settlement):
    """Whether the bank's five cards lie open; it keeps them down where every seat gave up."""
    places = {one["body"]["place"] for one in records_of_round(log, settlement)
              if one["kind"] in ("CARD_DEAL", "CARD_OPEN") and "card" in one["body"]}
    return sum(place.startswith("bank-") for place in places) == 5


def expected_lines(log, settlement):
    """What must stand in a report of this round: (card code, seq), actions and results, from the
    records."""
    between = records_of_round(log, settlement)
    cards = [(one["seq"], one["body"]["card"]) for one in between
             if one["kind"] in ("CARD_DEAL", "CARD_OPEN") and "card" in one["body"]]
    results = [result for one in between + [settlement] if one["kind"] == "SETTLEMENT"
               for result in one["body"]["results"]]
    acts = [(one["seq"], one["body"]["do"]) for one in between if one["kind"] == "ACTION" and
            one["body"]["cause"] == "decision"]
    return cards, acts, results


def check_report(text, names, language, expected, log_settlement):
    cards, acts, results = expected
    lines = text.splitlines()
    for seq, code in cards:
        line = next(line for line in lines if line.startswith(f"  #{seq} "))
        assert f"] {card_words(code)} (" in line, (code, line)
    for seq, action in acts:
        line = next(line for line in lines if line.startswith(f"  #{seq} "))
        assert names["actions"][action] in line, (action, line)
    seqs = [int(line.split()[0][1:]) for line in lines if line.startswith("  #")]
    assert seqs == sorted(seqs), "the order of the log"
    for one in results:
        found = [line for line in lines if line.startswith(f"  {one['bet']}: ") and
                 line.endswith(one["rule"])]
        word = RESULTS[one["result"]][0 if language == "es" else 1]
        assert any(names["bets"].get(one["kind"], one["kind"]) in line and word in line and
                   f" {one['returned']} " in line for line in found), (one, text)
    assert f" {log_settlement['seq']}" in lines[1], lines[1]


def check_verified(base, words):
    """What the verifier says was checked and what was not stands in each report in its language."""
    said = [line.split("checked: ", 1)[1] for line in words.splitlines() if "checked: " in line]
    assert len(said) > 5, words
    with open(f"{base}.en.txt", encoding="utf-8") as source:
        english = source.read()
    with open(f"{base}.es.txt", encoding="utf-8") as source:
        spanish = source.read()
    for line in said:
        assert f"checked: {line}" in english and line not in spanish, line
    told = [line for line in spanish.splitlines() if "comprobado: " in line]
    assert len(told) == len(said), spanish


class Reader(html.parser.HTMLParser):
    """A page's text in the order of reading, and what it would load or run."""

    def __init__(self, page):
        super().__init__()
        self.words, self.tags, self.loads, self.cards, self.card = [], [], [], [], False
        self.feed(page)
        self.close()
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.loads += [value for name, value in attributes if name in ("src", "href", "style")]
        if dict(attributes).get("class", "").split(" ")[0] == "card":
            self.cards.append("")
            self.card = True

    def handle_endtag(self, tag):
        self.card = self.card and tag != "span"

    def handle_data(self, data):
        if self.tags and self.tags[-1] == "style":
            return
        self.words.append(data)
        if self.card:
            self.cards[-1] += data.strip()


def check_page(base, language, facts, expected):
    """First what people ask, then what was verified, the parameters last; whole in itself."""
    with open(f"{base}.{language}.html", encoding="utf-8") as source:
        page = source.read()
    read = Reader(page)
    assert f'<html lang="{language}">' in page and not read.loads, read.loads
    assert not {"script", "link", "img", "iframe"} & set(read.tags) and "url(" not in page, "loads"
    at = -1
    for title in (("Informe de una jugada", "resultado", "Cliente: nombre", "Comprobación",
                   "Desarrollo", "Parámetros") if language == "es" else
                  ("Report of one round", "result", "Guest: name", "Verification", "Play",
                   "Parameters")):
        assert read.text.find(title, at + 1) > at, (title, read.text)
        at = read.text.find(title, at + 1)
    first = read.text[:read.text.find("Comprobación" if language == "es" else "Verification")]
    shown = {card_words(code) for _, code in expected[0]}
    assert shown == set(read.cards), (shown, read.cards)
    for one in facts["results"]:
        assert one["money_net"] in first and one["sentences"], one
        assert one["net"] == (0 if one["result"] == "prison" else one["returned"] - one["stake"])
        for sentence in one["sentences"]:
            assert " ".join(sentence.split()) in first, (sentence, first)
    for one in facts["totals"]:
        assert one["net"] == one["returned"] - one["staked"] and one["money_net"] in first, one
    with open(f"{base}.talla", "rb") as source:
        assert hashlib.sha256(source.read()).hexdigest() in read.text, "the paper names its file"


def what_a_record_says_is_text_on_paper(appliance):
    client = appliance.client()
    table = open_table(client, {"catalogue": "es-1977", "game": "french-roulette",
                                "place": "<b>Mesa & 'sal\"</b>",
                                "table": {"currency": "ESP", "unit": 1, "min": 25}})
    spin(client, table, [{"id": "b", "seat": 1, "kind": "pleno", "on": ["17"], "stake": 25}])
    base = f"{appliance.folder}/escaped"
    appliance.talla("dispute", "--table", table, "--round", "1", "--out", base)
    with open(f"{base}.en.html", encoding="utf-8") as source:
        page = source.read()
    assert "<b>Mesa" not in page, page
    assert "&lt;b&gt;Mesa &amp; 'sal&quot;&lt;/b&gt;" in page, page


def names_of(client, catalogue, game, language):
    described = client.get(f"/v1/catalogues/{catalogue}/{game}?language={language}")
    return {"actions": {one["id"]: one["text"] for one in described["actions"]},
            "bets": {one["id"]: one["text"] for one in described["bets"]}}


def a_dispute_tells_each_bet_card_decision_and_rule_in_both_languages(appliance):
    client, chance = appliance.client(), random.Random(seed_of_this_run())
    catalogues = {one["id"]: one for one in client.get("/v1/catalogues")["catalogues"]}
    for catalogue, game in (("es-1977", "punto-banco"), ("es-1977", "blackjack"),
                            ("es-euskadi-2010", "caribbean-stud"), ("es-1977", "craps"),
                            ("es-aragon-2010", "circle-holdem")):
        if not any(one["id"] == game for one in catalogues[catalogue]["games"]):
            raise AssertionError(f"{catalogue} has no {game}")
        player = Player(client, catalogues[catalogue], game, seed=chance.randrange(1 << 30))
        player.play()
        told = player.play()
        while game == "caribbean-stud" and not bank_shows(records(client), told):
            told = player.play()
        player.play()
        log = records(client)
        number = next(one["body"]["number"] for one in log if one["kind"] == "ROUND_OPEN" and
                      one["object"] == told["object"])
        base = f"{appliance.folder}/dispute"
        done = appliance.talla("dispute", "--table", player.table, "--round", str(number), "--out",
                               base)
        assert done.returncode == 3, f"{game}: {done.stdout}{done.stderr}"  # development keys
        expected = expected_lines(log, told)
        for language in ("es", "en"):
            with open(f"{base}.{language}.txt", encoding="utf-8") as source:
                text = source.read()
            check_report(text, names_of(client, catalogue, game, language), language, expected,
                         told)
            told_as_data = json.loads(appliance.talla(
                "--json", "dispute", f"{base}.talla", "--root", f"{appliance.folder}/ca.pem",
                "--language", language).stdout)
            check_page(base, language, told_as_data, expected)
        code, words = appliance.verify(f"{base}.talla")
        assert code == 3, words
        check_verified(base, words)
        offline = appliance.talla("dispute", f"{base}.talla", "--root",
                                  f"{appliance.folder}/ca.pem", "--language", "es", client="nobody")
        with open(f"{base}.es.txt", encoding="utf-8") as source:
            assert offline.stdout == source.read(), "the file alone says the same"
        facts = json.loads(appliance.talla("--json", "dispute", "--table", player.table, "--round",
                                           told["object"]).stdout)
        assert [(one["bet"], one["returned"], one["rule"]) for one in facts["results"]] == [
            (one["bet"], one["returned"], one["rule"]) for one in expected[2]], facts["results"]
        assert facts["round"]["number"] == number and facts["class"] == "uncertified"
        check_hands(facts, offline.stdout, game)


def nothing_is_reported_of_evidence_that_does_not_hold(appliance):
    client = appliance.client()
    table = game_table(client, "french-roulette")
    _, reply = spin(client, table, red(1))
    base = f"{appliance.folder}/damaged"
    appliance.talla("dispute", "--table", table, "--round", "1", "--out", base)
    with open(f"{base}.talla", encoding="utf-8") as source:
        text = source.read()
    stake = '\\"stake\\":100'
    assert stake in text
    with open(f"{base}.talla", "w", encoding="utf-8") as out:
        out.write(text.replace(stake, '\\"stake\\":900', 1))
    done = appliance.talla("dispute", f"{base}.talla", "--root", f"{appliance.folder}/ca.pem")
    assert done.returncode == 1 and not done.stdout and done.stderr, done
    for arguments, code, words in ((("dispute",), 2, "give --table and --round"),
                                   (("dispute", "--table", table), 2, "give --table"),
                                   (("dispute", "--table", table, "--round", "7"), 2,
                                    "has no round 7"),
                                   (("dispute", "--table", "table-99999", "--round", "1"), 1,
                                    "not_found"),
                                   (("dispute", f"{base}.none", "--root",
                                     f"{appliance.folder}/ca.pem"), 1, "cannot be read")):
        done = appliance.talla(*arguments)
        assert done.returncode == code and words in done.stderr and not done.stdout, \
            (arguments, done)
    seq = record_of(reply, "DRAW")["seq"]
    path = f"{appliance.folder}/draw.talla"
    with open(path, "wb") as out:
        out.write(client.send("GET", f"/v1/bundles/{seq}")[1])
    done = appliance.talla("dispute", path, "--root", f"{appliance.folder}/ca.pem")
    assert done.returncode == 1 and "not the evidence of a settled round" in done.stderr, done
    assert os.path.exists(f"{base}.es.txt")


def another_table(appliance):
    appliance.talla("keys", "client", appliance.folder, "talla:table-2", "--role", "table",
                    check=True)


if __name__ == "__main__":
    main([the_last_rounds_of_a_table_are_listed_also_when_it_is_closed,
          a_round_that_is_not_ended_says_what_it_waits_for,
          a_dispute_tells_each_bet_card_decision_and_rule_in_both_languages,
          what_a_record_says_is_text_on_paper,
          nothing_is_reported_of_evidence_that_does_not_hold], before=another_table)
