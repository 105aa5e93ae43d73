#!/usr/bin/env python3
"""A table that plays through the Python client: draws of a wheel, and rounds of punto y banca up
to settlement, in turn.

usage: client_player.py FOLDER JOURNAL BOOKS DRAWS ROUNDS [roulette|contributors]. FOLDER holds
client.toml. BOOKS gets every believed reply, one JSON a line. `roulette`: a round of French
roulette before all else. `contributors`: its calls name everybody who has handed in commitments;
who does not open in a second is gone without. Killed and started again with the same files, it goes
on where it was. usage: client_player.py FOLDER events LAST: prints the numbers of the records of
the event stream up to that one. exit: 0 done, 3 a reply was not believed, 4 refused, 5 no
answer."""
import json
import os
import sys
import time

sys.path.insert(0,
                os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "rngd", "sdk",
                             "client", "python"))
from talla_client import Refused, Table, Unanswered, Withheld  # noqa: E402
from talla_log import NotBelieved  # noqa: E402

WHEEL = {"settled_by": "client", "range": {"kind": "wheel", "pockets": 37}}
PUNTO = {"catalogue": "es-1977", "game": "punto-banco", "mix": "round",
         "table": {"currency": "ESP", "unit": 1, "min": 25, "params": {}}}
ROULETTE = {**PUNTO, "game": "french-roulette", "mix": "shoe"}
RED = [{"id": "r", "seat": 1, "kind": "rojo", "stake": 100}]
BETS = [{"id": "p", "seat": 1, "kind": "punto", "stake": 100},
        {"id": "b", "seat": 2, "kind": "banca", "stake": 100}]


class Player:
    def __init__(self, folder, journal, books, joined=False):
        self.books, self.done, self.joined = books, {}, joined
        if os.path.exists(books):
            with open(books) as file:
                # a line that a kill cut short was never believed
                for line in file.read().split("\n")[:-1]:
                    self.count([json.loads(receipt["record"])
                                for receipt in json.loads(line).get("receipts", [])])
            with open(books, "r+") as file:
                file.truncate(file.read().rfind("\n") + 1)
        self.table = Table(folder, journal, timeout=1, on_reply=self.write)
        self.free(self.table.resume)

    def free(self, ask, *what):
        """Others who did not open are gone without: the next call is free."""
        try:
            ask(*what)
        except Withheld:
            if not self.joined:
                raise

    def count(self, records):
        for record in records:
            self.done.setdefault(record["kind"], {})[record["seq"]] = record

    def write(self, reply, records):
        with open(self.books, "a") as file:
            file.write(json.dumps(reply) + "\n")
        self.count(records)

    def number(self, kind):
        return len(self.done.get(kind, {}))

    def own_table(self, game, body):
        """The open table of that game, which a life before this one may have opened."""
        for view in self.table.get("/v1/tables")["tables"]:
            if view["state"] != "open" or view["game"] != game:
                continue
            if view["id"] not in self.table.calls:  # its seed is lost: it is opened again
                try:
                    self.table.post(f"/v1/tables/{view['id']}/close")
                except Refused:  # in the middle of a round
                    pass
                continue
            return view["id"]
        # Who contributes is late as often as the machine is busy.
        more = {"open_within": 1, "max_voids": 16} if self.joined else {}
        return self.table.post("/v1/tables", body | more)["table"]["id"]

    def join(self, table):
        """Calls name contributors from here on; the first one is waited for ten seconds at most."""
        self.table.with_contributors(table)
        end = time.monotonic() + 10
        while not self.table.picture(table).get("contributors") and time.monotonic() < end:
            time.sleep(0.1)

    def step(self, table):
        """The one thing that is due at the punto y banca table."""
        now = self.table.picture(table)
        needs = {need["need"]: need for need in now["needs"]}
        if "shoe" not in now:
            self.table.post(f"/v1/tables/{table}/shoes")
        elif now.get("mix_due"):  # of the shoe, or behind the bets of this round
            self.free(self.table.mix, now["shoe"])
        elif "shoe" in needs:  # the stop card is out
            self.table.post(f"/v1/shoes/{now['shoe']}/close")
        elif "deal" in needs:
            self.table.post(f"/v1/shoes/{now['shoe']}/deal",
                            {"expected": now["position"], "until": "needs"})
        elif "round" not in now:
            self.table.post(f"/v1/tables/{table}/rounds")
        elif not self.table.get("/v1/rounds/" + now["round"])["round"]["bets"]:
            self.table.post(f"/v1/rounds/{now['round']}/bets", {"bets": BETS})
        else:
            self.table.post(f"/v1/rounds/{now['round']}/close-bets", {"bets": BETS})

    def spin(self):
        """One settled round of a wheel, at a table of its own."""
        table = self.table.post("/v1/tables", ROULETTE)["table"]["id"]
        opened = self.table.post(f"/v1/tables/{table}/rounds")["round"]["id"]
        self.table.post(f"/v1/rounds/{opened}/close-bets", {"bets": RED})
        drawn = self.table.draw(table, round=opened)
        print("drawn:", *drawn["round"]["outcome"])
        self.table.post(f"/v1/tables/{table}/close")

    def play(self, draws, rounds):
        wheel, punto = self.own_table("", WHEEL), self.own_table("punto-banco", PUNTO)
        for table in (wheel, punto) if self.joined else ():
            self.join(table)
        while self.number("DRAW") < draws or self.number("SETTLEMENT") < rounds:
            if self.number("DRAW") < draws:
                self.free(self.table.draw, wheel)
            if self.number("SETTLEMENT") < rounds:
                self.step(punto)
        for table in (wheel, punto):
            self.table.post(f"/v1/tables/{table}/close")


def print_events(folder, last):
    for seq, _, record in Table(folder).events():
        assert record["seq"] == seq, record
        print(seq)
        if seq >= last:
            return


if __name__ == "__main__":
    if sys.argv[2] == "events":
        sys.exit(print_events(sys.argv[1], int(sys.argv[3])))
    try:
        player = Player(*sys.argv[1:4], joined=sys.argv[6:] == ["contributors"])
        if sys.argv[6:] == ["roulette"]:
            player.spin()
        if player.number("TABLE_CLOSE") < 2:
            player.play(*map(int, sys.argv[4:6]))
    except NotBelieved as why:
        sys.exit(print(f"not believed: {why}") or 3)
    except Refused as why:
        sys.exit(print(f"refused: {why}") or 4)
    except Unanswered as why:
        sys.exit(print(f"unanswered: {why}") or 5)
