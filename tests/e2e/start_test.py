#!/usr/bin/env python3
# Goal: the daemon ends cleanly, goes on where it was, and refuses to start on anything that is not
#   as it should be.
# Method: one appliance in a folder, stopped and started; files of it changed, removed or shortened
#   in between; what it says on refusing is read.
#   usage: start_test.py FOLDER_OF_PROGRAMS
import glob
import json
import os
import shutil
import sqlite3
import sys

from calls import draw_body
from facts import (SHOE, WHEEL, mix_shoe, deal, events, game_table, hold, new_batch,
                   open_table)
from appliance import Appliance


class Changed:
    """A copy of the folder's files that is put back at the end."""

    def __init__(self, appliance, *paths):
        self.paths = [os.path.join(appliance.folder, path) for path in paths]

    def __enter__(self):
        for path in self.paths:
            if os.path.isdir(path):
                shutil.copytree(path, path + ".kept")
            else:
                shutil.copy2(path, path + ".kept")
        return self.paths[0]

    def __exit__(self, *_):
        for path in self.paths:
            if os.path.isdir(path + ".kept"):
                shutil.rmtree(path, ignore_errors=True)
            elif os.path.exists(path):
                os.remove(path)
            os.rename(path + ".kept", path)


def refuses(appliance, *words):
    said = appliance.start_refused()
    for word in words:
        assert word in said, f"'{word}' is not in: {said}"
    assert "Traceback" not in said and "terminate called" not in said, said


def a_clean_end_is_logged_and_a_live_shoe_goes_on_after_it(appliance):
    appliance.start()
    client = appliance.client()
    table = open_table(client, SHOE)
    shoe = mix_shoe(client, table)
    first = deal(client, shoe["id"], 0, 7)
    game = game_table(client, "punto-banco")
    played = mix_shoe(client, game)
    burned = client.post(f"/v1/shoes/{played['id']}/deal",
                         {"expected": 0, "until": "needs"})["shoe"]["position"]
    spun = game_table(client, "french-roulette")
    opened = client.post(f"/v1/tables/{spun}/rounds")["round"]
    client.post(f"/v1/rounds/{opened['id']}/bets",
                {"bets": [{"id": "a", "seat": 1, "kind": "rojo", "stake": 100}]})
    batch = new_batch(client, spun)
    client.close()
    assert appliance.stop() == 0, appliance.log()
    appliance.start()
    assert client.get(f"/v1/shoes/{shoe['id']}")["shoe"] == first["shoe"]
    assert deal(client, shoe["id"], 7, 3)["shoe"]["position"] == 10
    view = client.get(f"/v1/rounds/{opened['id']}")["round"]
    assert [bet["id"] for bet in view["bets"]] == ["a"], "the draft of the bets is durable"
    client.post(f"/v1/rounds/{opened['id']}/close-bets")
    spin = client.post("/v1/draws", draw_body(client, spun, batch, round=opened["id"]))
    assert spin["round"]["state"] == "ended"
    coup = client.post(f"/v1/tables/{game}/rounds")["round"]
    client.post(f"/v1/rounds/{coup['id']}/close-bets",
                {"bets": [{"id": "b", "seat": 1, "kind": "banca", "stake": 100}]})
    assert client.post(f"/v1/shoes/{played['id']}/deal",
                       {"expected": burned, "until": "needs"})["round"]["state"] == "ended"
    power = [json.loads(event["record"])["body"]
             for event in events(appliance.client("talla:auditor-1")) if event["kind"] == "POWER"]
    assert [one["event"] for one in power] == ["start", "stop", "start"] and \
        power[-1]["clean"] is True, power
    client.close()


def an_unclean_end_is_told_from_a_clean_one(appliance):
    appliance.kill()
    appliance.start()
    power = [json.loads(event["record"])["body"]
             for event in events(appliance.client("talla:auditor-1")) if event["kind"] == "POWER"]
    assert power[-1] == {"event": "start", "clean": False}, power[-1]


def a_second_daemon_on_the_same_data_is_refused(appliance):
    refuses(appliance, "ledger_locked")
    assert appliance.health("/livez")[0] == 200, "the first one goes on"
    assert appliance.stop() == 0


def an_unknown_or_wrong_setting_is_refused_with_its_place(appliance):
    for old, new, words in (("profile =", "colour = 1\nprofile =", ("colour", "rngd.toml:")),
                            ("[api]\n", "[api]\nprot = 1\n", ("api.prot",)),
                            ("requests_per_second = 1000000", "requests_per_second = 0",
                             ("requests_per_second",)),
                            ('profile = "development"', 'profile = "test"', ("profile",)),
                            ("[api]", "[api", ("rngd.toml:",)),
                            ('kind = "system"', 'kind = "dice"', ("kind",)),
                            ('address = "127.0.0.1"', 'address = "nowhere"', ("nowhere",))):
        with Changed(appliance, "rngd.toml") as path:
            text = open(path).read()
            assert old in text, old
            open(path, "w").write(text.replace(old, new, 1))
            refuses(appliance, *words)


def production_takes_no_development_keys_and_no_automatic_source(appliance):
    with Changed(appliance, "rngd.toml") as path:
        text = open(path).read().replace('profile = "development"', 'profile = "production"')
        open(path, "w").write(text)
        refuses(appliance)
        open(path, "w").write(text.replace('kind = "system"', 'kind = "auto"'))
        refuses(appliance, "auto")


def a_source_that_is_not_there_is_refused(appliance):
    with Changed(appliance, "rngd.toml") as path:
        open(path, "a").close()
        missing = 'kind = "usb"\nmodel = "chaoskey"\nserial = "no-such-serial"'
        text = open(path).read().replace('kind = "system"', missing)
        open(path, "w").write(text)
        refuses(appliance, "start_refused")


def keys_that_others_can_read_are_refused(appliance):
    for name in ("log.key", "sealing.key", "server.key"):
        path = f"{appliance.folder}/{name}"
        os.chmod(path, 0o644)
        try:
            refuses(appliance, name)
        finally:
            os.chmod(path, 0o600)


def missing_foreign_and_damaged_keys_are_refused(appliance):
    for name in ("log.key", "sealing.key", "server.key", "server.pem", "ca.pem", "log-key.json",
                 "clients.toml"):
        with Changed(appliance, name) as path:
            os.remove(path)
            refuses(appliance, name)
            with open(path, "w") as out:
                out.write("nothing of the kind\n")
            os.chmod(path, 0o600)
            refuses(appliance)
    with Changed(appliance, "log.key", "log-key.json") as path:
        os.remove(path)
        with open(path, "w") as out:
            os.chmod(path, 0o600)
            out.write(os.popen("openssl genpkey -algorithm ed25519").read())
        refuses(appliance, "log-key.json")


def another_origin_is_refused(appliance):
    with Changed(appliance, "rngd.toml") as path:
        text = open(path).read()
        open(path, "w").write(text.replace("talla.local/development", "talla.local/another"))
        refuses(appliance)


def a_shortened_ledger_is_refused(appliance):
    with Changed(appliance, "data") as data:
        with sqlite3.connect(f"{data}/ledger.db") as ledger:
            end = ledger.execute(
                "SELECT end FROM groups ORDER BY end DESC LIMIT 1 OFFSET 2").fetchone()[0]
            ledger.execute("DELETE FROM records WHERE seq >= ?", (end,))
            ledger.execute("DELETE FROM groups WHERE end > ?", (end,))
        ledger.close()
        refuses(appliance, "ledger_shorter")
    with Changed(appliance, "data") as data:
        for path in glob.glob(f"{data}/ledger.db*"):
            os.remove(path)
        refuses(appliance, "ledger_shorter")


def a_ledger_with_a_gap_a_changed_record_or_changed_bytes_is_refused(appliance):
    with Changed(appliance, "data") as data:
        with sqlite3.connect(f"{data}/ledger.db") as ledger:
            ledger.execute("DELETE FROM records WHERE seq = (SELECT max(seq) - 5 FROM records)")
        ledger.close()
        refuses(appliance, "ledger_damaged")
    with Changed(appliance, "data") as data:
        with sqlite3.connect(f"{data}/ledger.db") as ledger:
            seq, record = ledger.execute(
                "SELECT seq, bytes FROM records WHERE kind = 'CARD_DEAL' "
                "ORDER BY seq DESC").fetchone()
            record = record.decode() if isinstance(record, bytes) else record
            ledger.execute("UPDATE records SET bytes = CAST(? AS BLOB) WHERE seq = ?",
                           (record.replace('"time_quality":"', '"time_quality":"x'), seq))
        ledger.close()
        refuses(appliance, "start_refused")
    with Changed(appliance, "data") as data:
        with sqlite3.connect(f"{data}/ledger.db") as ledger:
            page_size = ledger.execute("PRAGMA page_size").fetchone()[0]
            root = ledger.execute(
                "SELECT rootpage FROM sqlite_master WHERE name = 'records'").fetchone()[0]
        ledger.close()
        with open(f"{data}/ledger.db", "r+b") as file:
            file.seek(page_size * (root - 1))
            file.write(b"\xa5" * page_size)
        refuses(appliance, "start_refused")
    # a start reads what it goes on with, the full check everything
    with Changed(appliance, "data") as data:
        with open(f"{data}/ledger.db", "r+b") as file:
            file.seek(file.read().index(b'"time_quality"'))
            file.write(b'"time_qualitY"')
        done = appliance.talla("log", "rebuild", appliance.config)
        assert done.returncode != 0 and "does not have its leaf hash" in done.stderr, done.stderr
    with Changed(appliance, "data") as data:
        with open(f"{data}/ledger.db", "wb") as ledger:
            ledger.write(b"nothing of the kind" * 400)
        refuses(appliance, "ledger_")


def a_taken_port_is_named(appliance):
    import socket
    with socket.socket() as other:
        other.bind(("127.0.0.1", appliance.port))
        other.listen()
        refuses(appliance, str(appliance.port))


def after_all_these_refusals_it_starts_as_if_nothing_had_been(appliance):
    size = json.loads(appliance.talla("--json", "log", "rebuild", appliance.config,
                                      check=True).stdout)["size"]
    appliance.start()
    seqs = [event["seq"] for event in events(appliance.client("talla:auditor-1"))]
    assert seqs == list(range(len(seqs))) and len(seqs) > size, (len(seqs), size)
    new_batch(appliance.client(), open_table(appliance.client(), WHEEL))
    assert appliance.stop() == 0


if __name__ == "__main__":
    with Appliance(sys.argv[1]) as own:
        failed = hold([a_clean_end_is_logged_and_a_live_shoe_goes_on_after_it,
                       an_unclean_end_is_told_from_a_clean_one,
                       a_second_daemon_on_the_same_data_is_refused,
                       an_unknown_or_wrong_setting_is_refused_with_its_place,
                       production_takes_no_development_keys_and_no_automatic_source,
                       a_source_that_is_not_there_is_refused, keys_that_others_can_read_are_refused,
                       missing_foreign_and_damaged_keys_are_refused, another_origin_is_refused,
                       a_shortened_ledger_is_refused,
                       a_ledger_with_a_gap_a_changed_record_or_changed_bytes_is_refused,
                       a_taken_port_is_named,
                       after_all_these_refusals_it_starts_as_if_nothing_had_been], own)
        if failed:
            print(f"--- the daemon's log\n{own.log()[-4000:]}")
    sys.exit(1 if failed else 0)
