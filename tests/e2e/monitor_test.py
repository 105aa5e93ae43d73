#!/usr/bin/env python3
# Goal: the running daemon watches its noise, its bits and its outcomes, says so everywhere, and
#   keeps what it knows over a stop, a kill and a damaged state.
# Method: one appliance; draws and a shoe through the API, then /metrics, the status, `talla status`
#   and the log's records.
#   usage: monitor_test.py FOLDER_OF_PROGRAMS
import json
import os
import re
import time

from calls import draw_body
from facts import (SHOE, game_table, mix_shoe, events, main, new_batch, open_table, spin,
                   wait_for)

NAME = "wheel-37/frequency"


def rows(appliance):
    status = appliance.client("talla:auditor-1").get("/v1/status")
    return status["monitors"], {one["name"]: one for one in status["monitors"]["watching"]}


def seen(appliance, name=NAME):
    row = rows(appliance)[1].get(name)
    return row["seen"] if row else 0


def draws_and_shoes_are_seen_once_they_are_open(appliance):
    spin(appliance, 9)
    wait_for("nine numbers seen", lambda: seen(appliance) == 9)
    client = appliance.client()
    table = open_table(client, SHOE)
    shoe = mix_shoe(client, table)
    time.sleep(0.5)
    assert seen(appliance, "shoe-french52x8/position") == 0, "an open shoe is nobody's business"
    client.post(f"/v1/shoes/{shoe['id']}/close")
    wait_for("the closed shoe", lambda: seen(appliance, "shoe-french52x8/position") == 416)
    client.post(f"/v1/tables/{table}/close")


def noise_and_bits_are_watched_too(appliance):
    wait_for("sacrificed bits", lambda: seen(appliance, "bits/ones") >= 512)
    whole, all_rows = rows(appliance)
    assert whole["alpha"] == "0.001" and whole["alarms_standing"] == 0, whole
    classes = {one["class"] for one in all_rows.values()}
    assert classes == {"noise", "bits", "outcomes"}, classes
    noise = [one for one in all_rows.values() if one["class"] == "noise"]
    assert all(one["seen"] % 131072 == 0 for one in noise), noise
    assert whole["quality"] and all(one["samples"] % 131072 == 0 for one in whole["quality"]), \
        whole["quality"]
    for one in whole["quality"]:
        names = [measure["name"] for measure in one["measures"]]
        assert len(names) == 24 and \
            {"lag 1", "successor", "ones of bit 7", "failed blocks"} <= set(names), names
        assert one["alarms_standing"] == 0 and \
            all(measure["short_alarm"] == "none" for measure in one["measures"]), one


def metrics_and_the_client_show_each_monitor(appliance):
    status, text = appliance.health("/metrics")
    assert status == 200
    label = f'{{class="outcomes",monitor="{NAME}"}}'
    for name in ("steps", "process_log", "process_log_threshold", "process_epoch", "process_alarm",
                 "process_alarms_total", "detector_log", "detector_log_threshold",
                 "detector_alarms_total"):
        assert re.search(rf"^talla_monitor_{name}{re.escape(label)} ", text, re.M), name
    said = appliance.talla("status", check=True).stdout
    assert "no alarm stands" in said and \
        f"{NAME}: 9 numbers seen; evidence of bias: none that counts" in said, said
    assert "alarm at" in said and "at most 0.001" in said, said
    assert re.search(r"quality of \S+: \d+ samples looked at, no alarm", said), said
    for name in (r"talla_quality_windows_total{source=\"[^\"]+\"}",
                 r"talla_quality_alarm{source=\"[^\"]+\",measure=\"lag 1\",window=\"short\"} 0"):
        assert re.search("^" + name, text, re.M), name


def figures(appliance):
    _, all_rows = rows(appliance)
    return {name: (one["seen"], one["process"], one["detector"])
            for name, one in all_rows.items() if one["class"] == "outcomes"}


def a_clean_stop_and_a_kill_lose_nothing_of_the_outcomes(appliance):
    before = figures(appliance)
    assert appliance.stop() == 0
    appliance.start()
    wait_for("the same figures after a stop", lambda: figures(appliance) == before)
    spin(appliance, 5)
    wait_for("five more numbers", lambda: seen(appliance) == 14)
    before = figures(appliance)
    appliance.kill()
    appliance.start()
    wait_for("the same figures after a kill: the log is read again", lambda: figures(appliance) ==
             before)


def a_damaged_state_is_refused_by_name_and_counted_as_a_reset(appliance):
    assert appliance.stop() == 0
    path = [os.path.join(folder, "monitors.state") for folder, _, files in os.walk(appliance.folder)
            if "monitors.state" in files][0]
    data = bytearray(open(path, "rb").read())
    data[len(data) // 2] ^= 1
    open(path, "wb").write(data)
    appliance.start()
    log = appliance.log()
    assert "monitor_state_refused" in log and path in log and "checksum" in log, log
    whole, all_rows = rows(appliance)
    assert whole["states_refused"] == 1
    assert all_rows[NAME]["process"]["epoch"] == 2 and all_rows[NAME]["seen"] == 0, all_rows[NAME]
    found = [json.loads(one["record"]) for one in events(appliance.client("talla:auditor-1"))]
    tests = [one["body"] for one in found if one["kind"] == "SELFTEST" and
             one["body"]["test"] == "monitor-state"]
    assert len(tests) == 1 and tests[0]["result"] == "fail" and tests[0]["count"] >= 2, tests
    spin(appliance, 3)
    wait_for("the fresh epoch counts", lambda: seen(appliance) == 3)


def play(client, table, bet, *draw):
    """One round with one bet; the place of its table."""
    opened = client.post(f"/v1/tables/{table}/rounds")["round"]
    client.post(f"/v1/rounds/{opened['id']}/close-bets", {"bets": [bet]})
    batch = new_batch(client, table, 1)
    client.post("/v1/draws", draw_body(client, table, batch, round=opened["id"]))
    return client.get(f"/v1/tables/{table}")["table"]["place"]


def payments_are_shown_with_theory_practice_and_band(appliance):
    client = appliance.client()
    table = game_table(client, "french-roulette")
    for number in range(4):
        place = play(client, table, {"id": f"d{number}", "seat": 1, "kind": "docena", "on": ["1"],
                                     "stake": 100})

    def bets(name="talla:operator-1"):
        return appliance.client(name).get("/v1/return")["bets"]

    wait_for("four rounds", lambda: bets() and bets()[0]["rounds"] == 4)
    bet = bets()[0]
    assert (bet["place"], bet["game"], bet["bet"], bet["places"]) == \
        (place, "french-roulette", "docena", 3), bet
    assert bet["staked"] == "400.0000" and bet["theory"] == "97.2973 %" and bet["within"], bet
    assert bet["practice"] in [f"{75 * won}.0000 %" for won in range(5)], bet
    for asked in ([], ["--table", place], ["--table", table]):
        said = appliance.talla("return", *asked, check=True).stdout
        assert "docena (1 and such: 3)" in said and "97.2973 %" in said and "within" in said, said
    line = json.loads(appliance.talla("return", "--json", check=True).stdout.splitlines()[0])
    assert line == dict(bet, alarm=False), line
    assert bets("talla:table-1") == [bet], "a table's own"
    for page in (json.dumps(client.get("/v1/status")), appliance.health("/metrics")[1]):
        assert "docena" not in page and place not in page, "no table's money for everybody"
    none = appliance.talla("return", "--table", "Mesa 99")
    assert none.returncode != 0 and "no bet was settled yet" in none.stderr, none
    dice = game_table(client, "craps")
    other = play(client, dice, {"id": "p", "seat": 1, "kind": "win", "stake": 100})
    wait_for("the other game is named", lambda: appliance.client("talla:operator-1").get(
        "/v1/return")["not_watched"])
    none = appliance.talla("return", "--table", other)
    assert none.returncode != 0 and f"not watched: craps at {other}" in none.stderr, none
    client.post(f"/v1/tables/{table}/close")
    assert appliance.stop() == 0
    appliance.start()
    wait_for("the same sums after a stop", lambda: bets() == [bet])


def good_operation_made_no_alarm(appliance):
    found = [json.loads(one["record"]) for one in events(appliance.client("talla:auditor-1"))]
    assert not [one for one in found if one["kind"] == "HEALTH"], found


if __name__ == "__main__":
    main([draws_and_shoes_are_seen_once_they_are_open, noise_and_bits_are_watched_too,
          metrics_and_the_client_show_each_monitor,
          a_clean_stop_and_a_kill_lose_nothing_of_the_outcomes,
          a_damaged_state_is_refused_by_name_and_counted_as_a_reset,
          payments_are_shown_with_theory_practice_and_band, good_operation_made_no_alarm])
