#!/usr/bin/env python3
# Goal: `talla-lab month` counts a month from the records of a log alone: outcomes, stakes and
#   returns of each table, voids, alarms; a record that is missing, another one than the signed
#   checkpoint has, or one of another log is named.
# Method: the records of a running appliance as `talla log tail --raw` prints them, counted again in
#   plain Python; each cheat is made on a copy of them.
#   usage: lab_month_test.py FOLDER_OF_PROGRAMS
import datetime
import json
import os
import re
import subprocess
import sys

from calls import draw_body, draw_core, signed
from facts import (SHOE, WHEEL, game_table, lapsed, main, mix_shoe, new_batch, open_table,
                   wait_for)
from play_test import spin

LAB = os.path.join(os.path.abspath(sys.argv[1]), "talla-lab")
NOW = datetime.datetime.now(datetime.timezone.utc)
MONTH = NOW.strftime("%Y-%m")
# The order of the numbers round a wheel with one zero.
EUROPEAN = ("0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 "
            "7 28 12 35 3 26").split()


class Log:
    """The records of an appliance in files, its checkpoint and its key."""
    records, folder = [], ""

    @classmethod
    def take(cls, appliance):
        cls.folder = appliance.folder
        inspector = appliance.client("talla:inspector-1")
        cls.note = inspector.send("GET", "/v1/checkpoint")[1].decode()
        cls.key = appliance.talla("log", "key", f"{cls.folder}/log-key.json",
                                  check=True).stdout.split()[-1]
        said = appliance.talla("log", "tail", "--raw", "--after", "-1", "--limit", "1000",
                               client="inspector", check=True).stdout
        cls.records = said.splitlines()
        with open(f"{cls.folder}/note", "w", encoding="utf-8") as file:
            file.write(cls.note)


def month(lines, *arguments, code=0, of=MONTH, held=True):
    path = f"{Log.folder}/records"
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))
    known = ["--checkpoint", f"{Log.folder}/note", "--key", Log.key] if held else []
    done = subprocess.run([LAB, "--json", "month", of, "--log", path, *known, *arguments],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return json.loads(done.stdout)


def faults(found):
    return [one["what"] for one in found["faults"]]


def a_day_is_played(appliance):
    client = appliance.client()
    wheel = open_table(client, WHEEL)
    batch = new_batch(client, wheel, 12)
    for index in range(12):
        client.post("/v1/draws", draw_body(client, wheel, batch, index))
    shoes = open_table(client, SHOE)
    client.post(f"/v1/shoes/{mix_shoe(client, shoes)['id']}/close")
    mix_shoe(client, shoes)
    table = game_table(client, "french-roulette")
    for stake in (25, 50, 100):  # bets that a zero keeps nothing of
        spin(client, table, [
            {"id": f"a{stake}", "seat": 1, "kind": "pleno", "on": ["17"], "stake": stake},
            {"id": f"b{stake}", "seat": 2, "kind": "pleno", "on": ["20"], "stake": stake}])
    batch = new_batch(client, wheel, 2)
    core = draw_core(client, wheel, batch, 0) | {"head": "11" * 32}
    lapsed(client, "/v1/draws", "head_wrong", signed(client, core))
    Log.take(appliance)


def what_was_played_is_counted(_):
    found = month(Log.records)
    records = [json.loads(line) for line in Log.records]
    assert [one["seq"] for one in records] == list(range(len(records)))
    assert found["log"]["origin"] == records[0]["origin"] and found["faults"] == []
    assert found["log"]["records_of_month"] == len(records)
    assert found["log"]["held_against"].startswith("a signed checkpoint of ")
    counted = {}
    open_of = {one["table"]: one["body"] for one in records if one["kind"] == "TABLE_OPEN"}
    for one in records:
        if one["kind"] == "DRAW":
            index = one["body"]["outcome"]["pocket"]
            # As the game calls it; a wheel of no game has places alone.
            pocket = EUROPEAN[index] if open_of[one["table"]].get("game") else f"#{index}"
            counts = counted.setdefault(one["table"], {})
            counts[pocket] = counts.get(pocket, 0) + 1
    assert len(counted) == 2
    for table, counts in counted.items():
        draws, = found["tables"][table]["draws"]
        assert draws["specification"] == {"kind": "wheel", "pockets": 37}, draws
        assert draws["results"] == counts and draws["draws"] == sum(counts.values()), draws
        assert "p" not in draws, "12 spins are too few for a chi-square"
    results = [one for record in records if record["kind"] == "SETTLEMENT"
               for one in record["body"]["results"]]
    played, = (one for one in found["tables"].values() if one["settlements"])
    assert (played["staked"], played["returned"], played["rounds"], played["settlements"]) == (
        sum(one["stake"] for one in results), sum(one["returned"] for one in results), 3, 3)
    assert [one["voids"] for one in found["tables"].values() if one["voids"]] == [{"lapsed": 1}]
    assert played["staked"] == 350 and (played["currency"], played["unit"]) == ("ESP", "1"), played
    digest, = {one["catalogue"] for one in open_of.values() if one.get("game")}
    assert played["catalogue"] == digest, played
    assert [one["shoes"] for one in found["tables"].values() if one["shoes"]] == [
        {"closed": 1, "sealed": 2}]
    assert found["power"]["start"] + found["power"].get("start-after-no-clean-stop", 0) >= 1
    assert found["reseeds"] == sum(one["kind"] == "RESEED" for one in records)


def an_export_of_the_ledger_gives_the_same(appliance):
    path = f"{Log.folder}/export"
    size = int(Log.note.split("\n")[1])
    # an export ends with the newest checkpoint that is written beside the tiles
    written = f"{appliance.folder}/data/tiles/checkpoint"
    wait_for("a checkpoint of all records",
             lambda: int(open(written, encoding="utf-8").read().split("\n")[1]) >= size)
    appliance.talla("log", "export", "--config", appliance.config, "--to", str(size), "--out", path,
                    check=True)
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert lines[0].startswith('{"proof":'), lines[0][:80]
    assert month(lines) == month(Log.records[:size])
    assert "line 1: " in month([lines[0].replace('"record"', '"recorded"')], code=1)["error"]


def the_appliance_says_the_same_of_its_own_ledger(appliance):
    size = int(Log.note.split("\n")[1])
    found = month(Log.records[:size])
    told = appliance.client("talla:inspector-1").get(f"/v1/month?month={MONTH}")
    assert told["faults"] == []
    for name in ("log", "accesses_refused"):  # what was recorded since the records were taken
        del found[name], told[name]
    assert told == found


def a_month_without_records_has_none_and_a_word_is_no_month(_):
    found = month(Log.records, of="2001-02")
    assert found["tables"] == {} and found["log"]["records_of_month"] == 0 and found["alarms"] == []
    for word in ("2026-13", "2026-1", "now", "2026-00", "2026/11"):
        assert "a month like 2026-11" in month(Log.records, of=word, code=1)["error"]


def a_report_says_the_same_in_both_languages(_):
    out = f"{Log.folder}/month"
    found = month(Log.records, "--out", out)
    with open(f"{out}.json", encoding="utf-8") as file:
        assert json.load(file) == found
    names = {"en": ("rounds", "staked", "wheel of 37", "French roulette"),
             "es": ("jugadas", "apostado", "ruleta de 37", "Ruleta (europea o francesa)")}
    for language, words in names.items():
        with open(f"{out}-{language}.html", encoding="utf-8") as file:
            page = file.read()
        for word in (*words, found["log"]["root"], ">350 ESP<"):
            assert word in page, (language, word)
        with open(f"{out}-{language}.pdf", "rb") as file:
            assert file.read(5) == b"%PDF-"
    assert "never overwritten" in month(Log.records, "--out", out, code=1)["error"]


def at_of(kind):
    return next(i for i, line in enumerate(Log.records) if f'"kind":"{kind}"' in line)


def a_record_that_is_missing_is_named(_):
    for at in (0, at_of("SETTLEMENT"), at_of("DRAW")):
        lines = [*Log.records[:at], *Log.records[at + 1:]]
        found = month(lines, code=3)
        assert faults(found)[0] == "gap", found["faults"]
        assert found["faults"][0]["words"] == f"records {at} to {at} are not here"
        assert faults(month(lines, code=3, held=False)) == ["gap"]
    # The end of the log, which leaves no gap.
    assert faults(month(Log.records[:-3], code=3)) == ["short"]
    assert faults(month(Log.records[:-3], held=False)) == []


def a_record_that_was_changed_is_not_that_of_the_checkpoint(_):
    at = at_of("SETTLEMENT")
    forged = re.sub(r'"returned":(\d+)', lambda one: f'"returned":{int(one[1]) + 1}',
                    Log.records[at], count=1)
    assert forged != Log.records[at]
    lines = [*Log.records[:at], forged, *Log.records[at + 1:]]
    assert faults(month(lines, code=3)) == ["root"]
    found = month(lines, held=False)
    assert found["faults"] == [] and found["log"]["held_against"] == "nothing"
    assert found["log"]["root"] != month(Log.records)["log"]["root"]


def what_is_no_log_in_order_is_refused(_):
    first, second = Log.records[:2]
    other = re.sub(r'"origin":"[^"]*"', '"origin":"other.example/talla"', second)
    for lines, words in (([], "there is no record"), ([first, first], "is behind record 0"),
                         ([second, first], "is behind record 1"),
                         ([first, other], "among those of"),
                         ([first, "{}"], "line 2: "), ([first, second[:-1]], "line 2: ")):
        assert words in month(lines, code=1)["error"], words


def a_checkpoint_of_somebody_else_is_refused(_):
    def refused(note, key=None):
        with open(f"{Log.folder}/other", "w", encoding="utf-8") as file:
            file.write(note)
        return month(Log.records, "--checkpoint", f"{Log.folder}/other", "--key", key or Log.key,
                     code=1, held=False)["error"]
    name, size, root, *rest = Log.note.split("\n")
    assert "is not signed by" in refused("\n".join([name, str(int(size) - 1), root, *rest]))
    assert "--checkpoint: " in refused("no note")
    assert "--key: " in refused(Log.note, "x")


if __name__ == "__main__":
    main([a_day_is_played, what_was_played_is_counted,
          an_export_of_the_ledger_gives_the_same, the_appliance_says_the_same_of_its_own_ledger,
          a_month_without_records_has_none_and_a_word_is_no_month,
          a_report_says_the_same_in_both_languages, a_record_that_is_missing_is_named,
          a_record_that_was_changed_is_not_that_of_the_checkpoint,
          what_is_no_log_in_order_is_refused, a_checkpoint_of_somebody_else_is_refused])
