#!/usr/bin/env python3
# Goal: who looks for a table, a round or a moment finds it, reads numbers as the game calls them,
#   and a round keeps its cards when it has ended; `talla` leaves no table open behind a refusal.
# Method: tables with places, rounds of roulette and cards over the API and by `talla play`; what is
#   listed is compared with the records of the log and with the views of the open rounds.
#   All of it where clocks on the wall show half an hour beside UTC.
#   usage: find_test.py FOLDER_OF_PROGRAMS
import calendar
import json
import os
import re
import time
import urllib.parse

from facts import deal, events, main, mix_shoe, open_table, refused
from dispute_test import another_table
from play_test import spin

ROULETTE = {"catalogue": "es-1977", "game": "french-roulette",
            "table": {"currency": "ESP", "unit": 1, "min": 25}}
CARDS = {**ROULETTE, "game": "punto-banco"}


def listed(client, **query):
    return client.get("/v1/tables?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote))


def ids(rows):
    return [row["id"] for row in rows]


def now_us():
    return time.time_ns() // 1000


def tables_are_found_by_place_game_and_time(appliance):
    client = appliance.client()
    before = now_us()
    seven = open_table(client, {**ROULETTE, "place": "Mesa 7"})
    number = open_table(client, {**CARDS, "place": "12"})
    assert ids(listed(client, place="Mesa 7")["tables"]) == [seven]
    assert ids(listed(client, place="12")["tables"]) == [number], "a place may be a number"
    assert ids(listed(client, game="punto-banco")["tables"]) == [number]
    assert listed(client, place="Mesa")["tables"] == []
    assert "closed" not in listed(client, place="Mesa 7")
    between = now_us()
    client.post(f"/v1/tables/{seven}/close")
    again = open_table(client, {**ROULETTE, "place": "Mesa 7"})
    assert ids(listed(client, place="Mesa 7")["tables"]) == [again]
    found = listed(client, place="Mesa 7", open="false")
    assert (ids(found["closed"]), found["tables"], found["more"]) == ([seven], [], False), found
    row = found["closed"][0]
    assert (row["place"], row["opened"], row["game"], row["currency"], row["rounds"],
            row["reason"]) == ("Mesa 7", 1, "french-roulette", "ESP", 0, "closed"), row
    assert before <= row["since"] <= between <= row["until"] <= now_us(), row
    # Both that stood there at some time since: one is open still.
    both = listed(client, place="Mesa 7", **{"from": before})
    assert (ids(both["tables"]), ids(both["closed"])) == ([again], [seven]), both
    early = listed(client, place="Mesa 7", to=between)
    assert (early["tables"], ids(early["closed"])) == ([], [seven]), early
    late = listed(client, place="Mesa 7", open="false", **{"from": now_us()})
    assert (late["closed"], late["more"]) == ([], False), late
    other = appliance.client("talla:table-2")
    assert listed(other, place="Mesa 7", open="false")["closed"] == [], "another's are not shown"
    auditor = appliance.client("talla:auditor-1")
    assert ids(listed(auditor, place="Mesa 7", open="false")["closed"]) == [seven]
    for table in (number, again):
        client.post(f"/v1/tables/{table}/close")


def a_place_has_a_room_and_a_label(appliance):
    client = appliance.client()
    goya, dali, alone = (open_table(client, {**ROULETTE, "place": place})
                         for place in ("Sala Goya/Mesa 1", "Sala Dali/Mesa 1", "Mesa 1"))
    assert ids(listed(client, label="Mesa 1")["tables"]) == [goya, dali, alone]
    assert ids(listed(client, room="Sala Goya")["tables"]) == [goya]
    assert ids(listed(client, room="Sala Dali", label="Mesa 1")["tables"]) == [dali]
    assert ids(listed(client, place="Mesa 1")["tables"]) == [alone], "a place is the whole name"
    for wanted in ({"room": "Sala"}, {"label": "Goya/Mesa 1"}, {"label": "esa 1"},
                   {"room": "Mesa 1"}, {"room": "Sala Goya", "game": "punto-banco"}):
        assert listed(client, **wanted)["tables"] == [], wanted
    for table in (goya, dali, alone):
        client.post(f"/v1/tables/{table}/close")
    assert ids(listed(client, room="Sala Goya", open="false")["closed"]) == [goya]
    assert ids(listed(client, label="Mesa 1", open="false")["closed"]) == [alone, dali, goya]
    said = appliance.talla("tables", "--closed", "--room", "Sala Dali", "--label", "Mesa 1",
                           check=True).stdout
    assert "Sala Dali/Mesa 1" in said and dali in said and goya not in said, said


def closed_tables_come_in_pages_that_lead_on(appliance):
    client = appliance.client()
    closed = []
    for number in range(5):
        table = open_table(client, {**ROULETTE, "place": "Mesa 9"})
        client.post(f"/v1/tables/{table}/close")
        closed.insert(0, table)
    first = listed(client, place="Mesa 9", open="false", limit=2)
    assert ids(first["closed"]) == closed[:2] and first["more"], first
    second = listed(client, place="Mesa 9", open="false", limit=2, before=first["next"])
    assert ids(second["closed"]) == closed[2:4] and second["more"], second
    third = listed(client, place="Mesa 9", open="false", limit=2, before=second["next"])
    assert ids(third["closed"]) == closed[4:] and not third["more"], third


def what_cannot_be_asked_for_is_refused_with_its_name(appliance):
    client = appliance.client()
    for query, said in (("open=maybe", "query.open: expected true or false"),
                        ("limit=0", "query.limit: must be from 1 to 100"),
                        ("sign=7", "query.sign: is not known here"), ("room=", "query.room"),
                        ("place=", "query.place"), ("place=%4", "%XX"), ("place=%zz", "%XX"),
                        ("place=Sal%C3%B3n", "printable ASCII"), ("from=yesterday", "query.from")):
        problem = refused(client, "GET", f"/v1/tables?{query}", 400, "malformed_request")
        assert said in problem["detail"], problem
    table = open_table(client, ROULETTE)
    for query in ("from=-1", "to=x", "before=round-0"):
        refused(client, "GET", f"/v1/tables/{table}/rounds?{query}", 400, "malformed_request")
    client.post(f"/v1/tables/{table}/close")


def bets_of(number):
    return [{"id": f"b{number}", "seat": 1, "kind": "pleno", "on": ["17"], "stake": 25},
            {"id": f"r{number}", "seat": 2, "kind": "rojo", "stake": 100},
            {"id": f"n{number}", "seat": 3, "kind": "negro", "stake": 50}]


def rounds_have_time_result_and_winners_and_are_found_by_time(appliance):
    client = appliance.client()
    table = open_table(client, ROULETTE)
    played, moments = [], []
    for number in range(1, 7):
        moments.append(now_us())
        view, reply = spin(client, table, bets_of(number))
        if view["state"] == "ended":
            played.append(view)
    rows = client.get(f"/v1/tables/{table}/rounds?limit=100")["rounds"]
    settled = {row["id"]: row for row in rows if "settlement" in row}
    assert played, rows
    for view in played:
        row = settled[view["id"]]
        assert row["outcome"] == view["outcome"], (row, view)
        nets = {}
        for one in view["results"]:
            nets[one["seat"]] = nets.get(one["seat"], 0) + one["returned"] - one["stake"]
        assert row["winners"] == [{"seat": seat, "net": net} for seat, net in sorted(nets.items())
                                  if net > 0], (row, view)
        assert row["staked"] == sum(one["stake"] for one in view["results"]), row
        assert row["returned"] == sum(one["returned"] for one in view["results"]), row
    path = f"/v1/tables/{table}/rounds?limit=100"
    third = client.get(f"{path}&from={moments[2]}&to={moments[3]}")
    assert [row["number"] for row in third["rounds"]] == [3] and not third["more"], third
    first = client.get(f"{path}&to={moments[2]}")
    assert [row["number"] for row in first["rounds"]] == [2, 1], first
    page = client.get(f"/v1/tables/{table}/rounds?limit=2&to={moments[4]}")
    assert [row["number"] for row in page["rounds"]] == [4, 3] and page["more"], page
    rest = client.get(f"/v1/tables/{table}/rounds?limit=2&to={moments[4]}&before={page['next']}")
    assert [row["number"] for row in rest["rounds"]] == [2, 1] and not rest["more"], rest
    words = appliance.talla("log", "rounds", "--table", table, "--last", "100", check=True).stdout
    for view in played:
        assert f"({view['id']})" in words and f"; drawn {view['outcome'][0]};" in words, words
    for row in client.get(path)["rounds"]:
        shown = time.strftime("%Y-%m-%d %H:%M:%S IST", time.localtime(row["opened"] // 1000000))
        assert f"({row['id']}), {row['state']}, opened {shown}, ended " in words, (shown, words)
    clock = time.strftime("%H:%M", time.localtime(time.time() - 120))
    late = appliance.talla("log", "rounds", "--table", table, "--from", clock, "--last", "100",
                           check=True).stdout
    assert late == words, "the last time that the clock showed it, also across midnight"
    early = appliance.talla("log", "rounds", "--table", table, "--to", clock, check=True).stdout
    assert "no round was opened" in early, early
    day = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(time.time() + 3600))
    none = appliance.talla("log", "rounds", "--table", table, "--from", day, check=True).stdout
    assert "no round was opened" in none and "then" in none, none
    wrong = appliance.talla("log", "rounds", "--table", table, "--from", "last night")
    assert wrong.returncode == 2 and "23:10" in wrong.stderr, wrong


def a_round_keeps_its_cards_bets_and_draw_when_it_has_ended(appliance):
    client = appliance.client()
    table = open_table(client, CARDS)
    shoe = mix_shoe(client, table)["id"]
    opened = client.post(f"/v1/tables/{table}/rounds")["round"]["id"]
    bets = [{"id": "p", "seat": 1, "kind": "punto", "stake": 100},
            {"id": "b", "seat": 2, "kind": "banca", "stake": 100}]
    view = client.get(f"/v1/rounds/{opened}")["round"]
    for _ in range(20):
        needs = [one["need"] for one in view["needs"]]
        if "deal" in needs:
            at = client.get(f"/v1/shoes/{shoe}")["shoe"]["position"]
            reply = deal(client, shoe, at, "needs")
            view = reply["round"]
        else:
            assert "bets" in needs, view
            view = client.post(f"/v1/rounds/{opened}/close-bets", {"bets": bets})["round"]
        if view["state"] == "ended":
            break
    past = client.get(f"/v1/rounds/{opened}")["round"]
    assert past["state"] == "ended" and "opening" in past, past
    for member in ("cards", "bets", "results", "settlement"):
        assert past[member] == view[member], (member, past[member], view[member])
    assert any(card["place"] == "punto-1" and "card" in card for card in past["cards"]), past
    assert "outcome" not in past, past
    client.post(f"/v1/tables/{table}/close")
    assert client.get(f"/v1/rounds/{opened}")["round"]["cards"] == view["cards"]
    table = open_table(client, ROULETTE)
    view, _ = spin(client, table, bets_of(1)[:1])
    past = client.get(f"/v1/rounds/{view['id']}")["round"]
    assert (past["outcome"], past["cards"], past["bets"]) == (view["outcome"], [], view["bets"])
    client.post(f"/v1/tables/{table}/close")


def a_bet_that_the_rules_refuse_is_named_by_its_place_in_the_list(appliance):
    client = appliance.client()
    table = open_table(client, ROULETTE)
    opened = client.post(f"/v1/tables/{table}/rounds")["round"]["id"]
    good = bets_of(1)
    for at, change, code in ((2, {"stake": 3}, "below_minimum"), (1, {"kind": "red"},
                                                                "bet_kind_unknown")):
        bets = [dict(one) for one in good]
        bets[at].update(change)
        for path in ("bets", "close-bets"):
            problem = refused(client, "POST", f"/v1/rounds/{opened}/{path}", 422, code,
                              {"bets": bets})
            assert problem["detail"].startswith(f"bets[{at}]: "), problem
    client.language = "es"
    bets = [dict(one) for one in good]
    bets[2]["stake"] = 3
    problem = refused(client, "POST", f"/v1/rounds/{opened}/bets", 422, "below_minimum",
                      {"bets": bets})
    assert problem["detail"].startswith("bets[2]: ") and "mínimo" in problem["detail"], problem
    client.language = ""
    assert client.get(f"/v1/rounds/{opened}")["round"]["bets"] == []


def open_tables(appliance):
    return ids(appliance.client("talla:auditor-1").get("/v1/tables")["tables"])


def a_refused_demonstration_closes_its_table(appliance):
    before = open_tables(appliance)
    # No table is opened: one whose round nobody plays could be ended by two persons alone.
    for game, bet, code in (("punto-banco", "1:punto:100000000", "above_maximum: bets[0]: "),
                            ("punto-banco", "1:puto:100", "bet_kind_unknown: bets[0]: "),
                            ("french-roulette", "1:pleno:25:99", "bets[0]: "),
                            ("blackjack", "1:simple:50", "there are: juego-simple"),
                            ("craps", "1:no:50", "bets[0]: "),
                            ("bingo", "1:no:50", "bets[0]: "),
                            ("chemin-de-fer", "1:punto:50", "there is no bank yet"),
                            ("baccarat-banque-open", "1:punto:50", "there is no bank yet"),
                            ("baccarat-banque-limited", "1:punto:50", "there is no bank yet"),
                            ("blackjack", "1:juego-simple:1", "below_minimum: bets[0]: ")):
        done = appliance.talla("play", "--catalogue", "es-1977", "--game", game, "--bet", bet)
        assert done.returncode == 1 and code in done.stderr, (done.stdout, done.stderr)
        assert done.stdout == "" and open_tables(appliance) == before, done.stdout
    done = appliance.talla("play", "--catalogue", "es-1977", "--game", "blackjack", "--bet",
                           "1:juego-simple:50", "--bet", "2:nada:50")
    assert "bets[1]: " in done.stderr and open_tables(appliance) == before, done.stderr
    # What is refused later ends the round without it.
    done = appliance.talla("play", "--catalogue", "es-1977", "--game", "blackjack", "--bet",
                           "1:juego-simple:50", "--act", "1:fly")
    if "refused: " in done.stdout:  # else black jack: there was nothing to decide
        assert done.returncode == 1 and "fly" in done.stderr, done.stderr
        assert "the round goes on without further decisions" in done.stdout, done.stdout
    assert "table closed: " in done.stdout and open_tables(appliance) == before, done.stdout
    done = appliance.talla("play", "--catalogue", "es-1999", "--game", "craps", "--bet",
                           "1:line:100")
    assert done.returncode == 2 and "es-1977" in done.stderr, done.stderr


def a_wheel_is_read_by_its_numbers_everywhere(appliance):
    file = f"{appliance.folder}/wheel.talla"
    done = appliance.talla("play", "--catalogue", "es-1977", "--game", "french-roulette", "--bet",
                           "1:pleno:25:17", "--out", file, check=True).stdout
    client = appliance.client("talla:auditor-1")
    drawn = [one for one in events(client)
             if json.loads(one["record"])["kind"] == "DRAW"][-1]
    index = json.loads(drawn["record"])["body"]["outcome"]["pocket"]
    game = client.get("/v1/catalogues/es-1977/french-roulette")
    number = [one for one in game["equipment"] if one["need"] == "draw"][0]["pockets"][index]
    assert f"drawn: number {number}\n" in done, done
    assert " ESP (" in done and f"talla verify {file}" in done, "currency and the next step"
    tail = appliance.talla("log", "tail", "--kind", "DRAW", "--limit", "1", client="auditor",
                           check=True).stdout
    assert f"drawn: number {number} (the wheel's place {index}, counted from 0)" in tail, tail


def evidence_is_fetched_by_the_number_of_a_record(appliance):
    client = appliance.client()
    table = open_table(client, ROULETTE)
    view, _ = spin(client, table, bets_of(1)[:1])
    file = f"{appliance.folder}/by-number.talla"
    done = appliance.talla("log", "bundle", str(view["settlement"]), "--out", file,
                           check=True).stdout
    assert f"talla verify {file}" in done and "no witness has signed" in done, done
    code, words = appliance.verify(file)
    assert code == 3 and view["id"] in words, words
    refused_one = appliance.talla("log", "bundle", "0", "--out", f"{appliance.folder}/none.talla")
    assert refused_one.returncode == 1 and refused_one.stderr, refused_one
    assert not os.path.exists(f"{appliance.folder}/none.talla")
    client.post(f"/v1/tables/{table}/close")


def the_house_is_seen_in_small_tables(appliance):
    client = appliance.client()
    table = open_table(client, {**ROULETTE, "place": "Mesa 3"})
    said = appliance.talla("tables", check=True).stdout.splitlines()
    head = [line for line in said if line.split() == ["place", "table", "game", "state", "rounds",
                                                     "now", "waits", "for"]]
    row = [line for line in said if line.startswith("  Mesa 3 ")]
    assert len(head) == 1 and len(row) == 1 and table in row[0] and "open" in row[0], said
    assert row[0].index(table) == head[0].index("table"), "columns stand under their heads"
    assert "Mesa 3" in appliance.talla("tables", "--place", "Mesa 3", check=True).stdout
    tail = appliance.talla("log", "tail", "--table", table, check=True).stdout
    assert f"  {table} (Mesa 3)  the table opens" in tail, tail
    client.post(f"/v1/tables/{table}/close")
    closed = appliance.talla("tables", "--closed", "--place", "Mesa 3", check=True).stdout
    assert table in closed, closed
    assert "no open table" in appliance.talla("tables", "--place", "Mesa 3", check=True).stdout
    lines = [json.loads(line) for line in appliance.talla(
        "--json", "tables", "--closed", "--last", "3", client="auditor",
        check=True).stdout.splitlines()]
    assert len(lines) == 3 and all(one["since"] <= one["until"] for one in lines), lines
    assert appliance.talla("tables", "--from", "soon").returncode == 2


def the_status_has_sources_clock_log_and_appliance_in_tables(appliance):
    said = appliance.talla("status", client="operator", check=True).stdout
    lines = said.splitlines()
    assert lines[0] == "READY: new shoes and batches are taken", said
    for title in ("sources", "generator", "clock", "log and rollback anchor", "witnesses",
                  "appliance"):
        assert title in lines, (title, said)
    sources = lines[lines.index("sources") + 1].split()
    assert sources == ["model", "serial", "state", "needed", "credited", "samples", "alarms"], said
    status = appliance.client("talla:operator-1").get("/v1/status")
    for source in status["generator"]["sources"]:
        row = [line.split() for line in lines if line.split()[:1] == [source["model"]]]
        assert len(row) == 1 and row[0][2] == source["verdict"], (source, said)
    assert "talla:operator-1 (operator)" in said and status["origin"] in said, said
    assert "nobody beside the appliance signed" in said, said
    clock = lines[lines.index("clock") + 1]
    both = re.fullmatch(r" *time +(\S+ \S+) IST \((\S+Z)\)", clock)
    assert both, clock
    local, utc = (time.strptime(text, form) for text, form in
                  zip(both.groups(), ("%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ")))
    assert calendar.timegm(local) - calendar.timegm(utc) == 19800, clock
    assert abs(calendar.timegm(utc) - time.time()) < 60, clock


if __name__ == "__main__":
    os.environ["TZ"] = "IST-5:30"  # every program that this test starts has it
    time.tzset()
    main([tables_are_found_by_place_game_and_time, a_place_has_a_room_and_a_label,
          closed_tables_come_in_pages_that_lead_on,
          what_cannot_be_asked_for_is_refused_with_its_name,
          rounds_have_time_result_and_winners_and_are_found_by_time,
          a_round_keeps_its_cards_bets_and_draw_when_it_has_ended,
          a_bet_that_the_rules_refuse_is_named_by_its_place_in_the_list,
          a_refused_demonstration_closes_its_table, a_wheel_is_read_by_its_numbers_everywhere,
          evidence_is_fetched_by_the_number_of_a_record, the_house_is_seen_in_small_tables,
          the_status_has_sources_clock_log_and_appliance_in_tables], before=another_table)
