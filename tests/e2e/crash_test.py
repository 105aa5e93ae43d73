#!/usr/bin/env python3
# Goal: kill -9 in the middle of draws, and of a start, loses nothing that was acknowledged and
#   doubles nothing.
# Method: clients draw without pause from a real daemon; it is killed again and again and started
#   again. At the end: every acknowledged reply is given again byte for byte, every acknowledged
#   record is in the log as it was, no sequence number has two contents, every CALL has its DRAW
#   with the committed secret. usage: crash_test.py BINARIES [KILLS]
import concurrent.futures
import http.client
import json
import os
import random
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.join(sys.path[0], "..", "support"))
from calls import draw_body  # noqa: E402
from appliance import Appliance, new_key, seed_of_this_run  # noqa: E402
import figures  # noqa: E402

CLIENTS = 6
KILLS_OF_ONE = 200  # appliance; then a fresh one, whose log is read in a moment


class Drawer(threading.Thread):
    """Draws at one table of its own; keeps what was acknowledged and what was sent and not
    answered."""

    def __init__(self, appliance):
        super().__init__(daemon=True)
        self.appliance, self.running = appliance, True
        self.client = appliance.client(timeout=10)
        self.acknowledged, self.unanswered, self.failure = [], [], None
        self.table, self.batch = None, None

    def call(self, path, body):
        """One POST, sent again with the same key until it is answered."""
        key, raw = new_key(), json.dumps(body).encode()
        self.unanswered.append((path, raw, key))
        while self.running:
            try:
                status, text = self.client.send("POST", path, key=key, raw=raw)
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)
                continue
            if status == 503 or status == 429:
                time.sleep(0.01)
                continue
            self.unanswered.pop()
            if not 200 <= status < 300:
                raise AssertionError(f"POST {path}: {status} {text.decode()}")
            self.acknowledged.append((path, raw, key, text))
            return json.loads(text)
        return None

    def made(self, make):
        """A call, which asks for the table's picture: again and again where nobody answers."""
        while self.running:
            try:
                return make()
            except (OSError, http.client.HTTPException, AssertionError):
                time.sleep(0.01)
        return None

    def step(self):
        if self.table is None:
            reply = self.call("/v1/tables",
                              {"settled_by": "client", "range": {"kind": "wheel", "pockets": 37}})
            self.table = reply and reply["table"]["id"]
        elif self.batch is None:
            reply = self.call(f"/v1/tables/{self.table}/batches", {"count": 8})
            self.batch = reply and reply["batch"]
        else:
            batch = self.batch
            body = self.made(lambda: draw_body(self.client, self.table, batch))
            if body is None:
                return
            self.call("/v1/draws", body)
            batch["index"] += 1
            if batch["index"] == batch["count"]:
                self.batch = None

    def run(self):
        try:
            while self.running:
                self.step()
        except Exception as error:  # noqa: BLE001: reported by the main thread
            self.failure = repr(error)


def all_records(auditor):
    records, after = {}, -1
    while True:
        page = auditor.get(f"/v1/events?after={after}&limit=1000")["events"]
        if not page:
            return records
        for event in page:
            records[event["seq"]] = event["record"]
        after = page[-1]["seq"]


def check(appliance, drawers, known):
    auditor = appliance.client("talla:auditor-1")
    records = all_records(auditor)
    assert sorted(records) == list(range(len(records))), "the sequence has a gap"
    for seq, text in known.items():
        assert records.get(seq) == text, f"record {seq} changed or is gone"
    replies = 0
    for drawer in drawers:
        client = appliance.client()
        for path, raw, key, text in drawer.acknowledged[-40:]:
            status, again = client.send("POST", path, key=key, raw=raw)
            assert (status // 100, again) == (2, text), (
                f"reply to {path} with key {key} is not given again byte for byte")
            replies += 1
        for _, _, _, text in drawer.acknowledged:
            for receipt in json.loads(text).get("receipts", []):
                seq = json.loads(receipt["record"])["seq"]
                assert records.get(seq) == receipt["record"], (
                    f"acknowledged record {seq} is not in the log")
    parsed = [json.loads(records[seq]) for seq in range(len(records))]
    calls = {record["seq"]: record for record in parsed if record["kind"] == "CALL"}
    drawn = [record["body"]["call"] for record in parsed if record["kind"] == "DRAW"]
    assert len(drawn) == len(set(drawn)), "a CALL was drawn twice"
    still_open = sorted(set(calls) - set(drawn))
    assert not still_open, f"open CALLs after a restart: {still_open}"
    return records, replies, len(drawn)


def live(binaries, kills):
    """One appliance that is killed so often: acknowledged requests, draws, records."""
    with Appliance(binaries) as appliance:
        appliance.start()
        drawers = [Drawer(appliance) for _ in range(CLIENTS)]
        for drawer in drawers:
            drawer.start()
        for number in range(kills):
            time.sleep(random.uniform(0.02, 0.25))
            appliance.kill()
            if number % 5 == 4 and number + 1 < kills:  # the next one meets it while it starts
                appliance.launch()
            else:
                appliance.start()
        for drawer in drawers:
            drawer.running = False
        for drawer in drawers:
            drawer.join(20)
            assert drawer.failure is None, drawer.failure
        appliance.kill()
        appliance.start()
        known, _, _ = check(appliance, drawers, {})
        assert appliance.stop() == 0
        appliance.start()
        known, _, draws = check(appliance, drawers, known)
        assert draws > kills, "too few draws for the test to mean anything"
        return sum(len(drawer.acknowledged) for drawer in drawers), draws, len(known)


def life(binaries, kills, seed):
    random.seed(seed)
    return live(binaries, kills)


def main():
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else (10_000 if os.environ.get("TALLA_LONG")
                                                        else 20)
    seed = seed_of_this_run(20261120)
    lives = [min(KILLS_OF_ONE, kills - done) for done in range(0, kills, KILLS_OF_ONE)]
    done, acknowledged, draws, records = 0, 0, 0, 0
    with concurrent.futures.ProcessPoolExecutor(min(len(lives), os.cpu_count())) as pool:
        under_way = {pool.submit(life, sys.argv[1], part, seed + i): part
                     for i, part in enumerate(lives)}
        try:
            for ended in concurrent.futures.as_completed(under_way):
                found = ended.result()
                done, acknowledged = done + under_way[ended], acknowledged + found[0]
                draws, records = draws + found[1], records + found[2]
                print(f"{done} kills, {acknowledged} acknowledged requests, {draws} draws, "
                      f"{records} records: nothing"
                      f" lost, nothing doubled (seeds from {seed})", flush=True)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    figures.keep("kills", {"acknowledged": acknowledged, "draws": draws, "kills": done,
                           "records": records})


if __name__ == "__main__":
    main()
