#!/usr/bin/env python3
# Goal: the running daemon itself keeps what the monitors' curves were: over a stop, a kill and a
#   damaged file, for every browser alike, and drawing does not wait for who reads them.
# Method: one appliance; spins and a few minutes of the daemon's life; GET /v1/monitors/history
#   before and after; tests/web/real_curves.mjs in a real Chromium; a reader that never stops beside
#   draws. usage: curves_test.py FOLDER_OF_PROGRAMS
import glob
import json
import os
import shutil
import subprocess
import threading
import time

from calls import draw_body
from facts import WHEEL, main, new_batch, open_table, spin, wait_for

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NAME = "wheel-37/frequency"
ASKED = f"/v1/monitors/history?limit=1500&name={NAME.replace('/', '%2F')}"


def stretches(appliance, side="process", asked=ASKED):
    answer = appliance.client("talla:auditor-1").get(asked)
    assert answer["watched"] and answer["step"] in (60_000_000, 3_600_000_000), answer
    found = [one for one in answer["curves"] if one["side"] == side and one["name"] == NAME]
    return found[0]["stretches"] if found else []


def points(appliance, **how):
    """(beginning, last value) of each interval."""
    return [(one["from"] + index * 60_000_000, last) for one in stretches(appliance, **how)
            for index, last in enumerate(one["last"])]


def now_of(appliance):
    watching = appliance.client("talla:auditor-1").get("/v1/status")["monitors"]["watching"]
    return {one["name"]: one["process"]["log_e_milli"] for one in watching}.get(NAME)


def the_past_is_what_the_status_said(appliance):
    spin(appliance, 30)
    wait_for("the curve is there", lambda: points(appliance))
    wait_for("it ends with what the status says", lambda: points(appliance)[-1][1] ==
             now_of(appliance))
    one = stretches(appliance)[-1]
    assert all(low <= last <= high
               for low, last, high in zip(one["low"], one["last"], one["high"])), one
    hours = stretches(appliance, asked=ASKED + "&step=hour")
    assert hours[-1]["last"][-1] == now_of(appliance), hours
    everybody = appliance.client().get("/v1/monitors/history")
    sides = {one["side"] for one in everybody["curves"]}
    assert {"process", "detector", "short"} <= sides, sides
    assert not [one for one in everybody["curves"] if "payments" in one["name"]]


def a_stop_loses_nothing_and_shows_itself_as_a_gap(appliance):
    # A restart within the first minute would be a gap before which nothing is.
    wait_for("a second minute", lambda: len(points(appliance)) > 1, seconds=90)
    before = points(appliance)
    pieces = len(stretches(appliance))
    assert appliance.stop() == 0
    appliance.start()
    wait_for("a stretch of the new life", lambda: len(stretches(appliance)) > pieces)
    assert [at for at, _ in before] == [at for at, _ in points(appliance)][:len(before)]


def a_kill_costs_a_minute_at_most(appliance):
    path = os.path.join(appliance.folder, "**", "curves", "minutes-00")
    wait_for("the first chunk is stored", lambda: glob.glob(path, recursive=True))
    before = points(appliance)
    appliance.kill()
    appliance.start()
    wait_for("the curve is there again", lambda: points(appliance))
    times = [at for at, _ in points(appliance)]
    assert [at for at, _ in before][:-2] == times[:max(len(before) - 2, 0)], (before, times)


def the_command_tells_it_in_words_and_to_programs(appliance):
    said = appliance.talla("monitors", "--name", NAME, "--last", "1500", check=True).stdout
    assert f"{NAME}, e-process" in said and f"{NAME}, change detector" in said, said
    assert said.count("gap") == 2 * (len(stretches(appliance)) - 1) and "kept since" in said, said
    lines = [json.loads(one) for one in appliance.talla(
        "--json", "monitors", "--name", NAME, "--last", "1500", check=True).stdout.splitlines()]
    told = [(one["time"], one["last"]) for one in lines if one["side"] == "process"]
    assert told[:-1] == points(appliance)[:len(told) - 1], (told, points(appliance))
    shown = f"{told[0][1] / 1000:.3f}"
    assert f" {shown}" in said, (shown, said)
    everything = appliance.talla("monitors", "--hours", check=True).stdout
    assert NAME in everything and "short window" in everything and "by the hour" in everything
    none = appliance.talla("monitors", "--name", "wheel-99/frequency")
    assert none.returncode == 2 and "nothing is kept of" in none.stderr, none


def new_browsers_show_what_was_before_them(appliance):
    found = stretches(appliance)
    count = sum(len(one["last"]) for one in found)
    done = subprocess.run([shutil.which("node"), f"{ROOT}/tests/web/real_curves.mjs",
                           appliance.folder, str(appliance.port), NAME, str(count),
                           str(len(found))])
    assert done.returncode == 0


def who_reads_without_a_pause_does_not_hold_up_a_draw(appliance):
    """The answers are made on the readers' threads; figures for the report."""
    over = threading.Event()
    asked = [0]

    def read():
        client = appliance.client("talla:auditor-1")
        while not over.is_set():
            client.get("/v1/monitors/history?limit=60")
            asked[0] += 1

    def draws():
        client = appliance.client()
        table = open_table(client, WHEEL)
        batch = new_batch(client, table, 100)
        times = []
        for index in range(100):
            begun = time.monotonic()
            client.post("/v1/draws", draw_body(client, table, batch, index))
            times.append(time.monotonic() - begun)
        client.post(f"/v1/tables/{table}/close")
        return sorted(times)[50]

    alone = draws()
    readers = [threading.Thread(target=read) for _ in range(2)]
    for one in readers:
        one.start()
    beside = draws()
    over.set()
    for one in readers:
        one.join()
    print(f"a draw: {alone * 1000:.1f} ms alone, {beside * 1000:.1f} ms beside {asked[0]} answers")
    assert asked[0] > 0 and beside < 20 * alone + 0.5, (alone, beside)


def a_damaged_file_is_a_gap_and_is_told(appliance):
    assert appliance.stop() == 0
    path = glob.glob(os.path.join(appliance.folder, "**", "curves", "minutes-00"),
                     recursive=True)[0]
    data = bytearray(open(path, "rb").read())
    data[len(data) // 2] ^= 1
    open(path, "wb").write(data)
    appliance.start()
    assert "curves_refused" in appliance.log() and path in appliance.log()
    answer = appliance.client("talla:auditor-1").get(ASKED)
    assert answer["refused"] == 1, answer
    wait_for("it begins anew", lambda: points(appliance))
    assert appliance.client("talla:auditor-1").get("/v1/status")["monitors"]["states_refused"] == 0


if __name__ == "__main__":
    main([the_past_is_what_the_status_said, a_stop_loses_nothing_and_shows_itself_as_a_gap,
          a_kill_costs_a_minute_at_most, the_command_tells_it_in_words_and_to_programs,
          new_browsers_show_what_was_before_them,
          who_reads_without_a_pause_does_not_hold_up_a_draw, a_damaged_file_is_a_gap_and_is_told])
