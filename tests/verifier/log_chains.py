"""The chains of all tables of a log, followed while it is read once (FORMAT section 13)."""
from .chain_rules import (ChainRules, Turns, check_place, check_place_key, ends_turn, is_place_key,
                          names_predecessor, takes_turn)
from .records import KINDS
from .text import need


class Table:
    def __init__(self, opening, text=None):
        self.rules, self.turns, self.opening = ChainRules(opening, text), Turns(), None
        self.each_round = False
        if text is not None:
            self.opening = opening
            self.each_round = opening["body"]["policy"]["mix"] == "round"


class LogChains:
    """What stands before the first record that is taken is not known."""

    def __init__(self):
        self.begin, self.open, self.count, self.before = None, {}, 0, 0
        self.at, self.ends, self.ended = {}, {}, set()  # places: open table; close and its head
        self.first = None  # the KEY that names the log before

    def take(self, record, text):
        self.begin = record["seq"] if self.begin is None else self.begin
        if record["kind"] == "KEY":
            self.key(record)
        if record["kind"] not in KINDS or "link" not in record:
            return
        if record["kind"] == "TABLE_OPEN":
            self.opened(record, text)
            return
        table, name = self.find(record), f"record {record['seq']}"
        table.rules.step(record, text)
        self.turn(table, record, name)
        if table.rules.closed:
            self.closed(table, record, name)

    def key(self, record):
        """What the log says of the one before: once of each place, before anything is opened
        there."""
        name, cites = f"predecessor_wrong: record {record['seq']}", record["cites"]
        if names_predecessor(record):
            self.first = record
        if not is_place_key(record):
            return
        if self.first is not None and self.first["seq"] in cites:
            check_place_key(record, self.first)
        else:
            need(cites and cites[0] < self.begin,
                 f"{name}: does not cite the KEY that names the log before")
        place = record["body"]["place"]
        need(place not in self.at and place not in self.ends,
             f"{name}: a table was opened at its place, or another KEY says it")
        self.ends[place] = (record, None)

    def find(self, record):
        table, name = record["table"], f"record {record['seq']}"
        if table not in self.open:
            opening = int(table.split("-")[1])
            need(opening < self.begin and table not in self.ended,
                 f"link_gap: {name}: {table} is not open")
            need(record["prev"] < self.begin,
                 f"link_gap: {name}: the record before of its table is missing")
            self.open[table] = Table(opening)
            self.open[table].turns.forget(self.begin)
            self.count, self.before = self.count + 1, self.before + 1
        return self.open[table]

    def opened(self, record, text):
        body, name = record["body"], f"record {record['seq']}"
        place, cites = body["place"], set(record["cites"])
        need(place not in self.at, f"place_gap: {name}: a table is open at its place")
        close, head = self.ends.get(place, (None, None))
        others = {one["seq"] for one, _ in self.ends.values() if one is not close}
        need(not others & cites, f"place_gap: {name}: cites the end of another place")
        if close is None and body["opened"] > 1 and cites and min(cites) < self.begin:
            self.before += 1
        else:
            cited = close is not None and (close["seq"] in cites or body["opened"] == 1)
            check_place(record, close if cited else None, head)
        self.open[record["object"]] = Table(record, text)
        self.at[place] = record["object"]
        self.count += 1

    @staticmethod
    def turn(table, record, name):
        turns = table.turns
        turns.undisturbed(record, name, table.each_round)
        if takes_turn(record):
            turns.next(record, name)
        if record["kind"] == "CALL":
            turns.open = record
        if ends_turn(record):
            turns.ends(record, name)
            turns.end()

    def closed(self, table, record, name):
        place = record["body"]["place"]
        if table.opening is None:
            need(place not in self.at and place not in self.ends,
                 f"place_gap: {name}: another table was opened at its place")
            self.ended.add(record["table"])
        self.at.pop(place, None)
        self.ends[place] = (record, table.rules.head)
        del self.open[record["table"]]

    def said(self):
        """What was checked, and what was not."""
        checked = [f"every record of {self.count} tables is there, linked to the one before: one "
                   "table at a place, one round, one shoe and one call at a time, turns without "
                   "gap, running counts"]
        return checked, [f"what {self.before} tables did before record {self.begin}, and their "
                         "places"] if self.before else []
