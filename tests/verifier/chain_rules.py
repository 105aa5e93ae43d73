"""What the chain of one table holds to, record by record: links, which opening of a place follows
which, one round and one shoe at a time, counts, turns (FORMAT section 2 and 8)."""
import base64

from .records import class_of, ends_content, is_lapsed
from .text import D, H, need, unhex
from .tree import leaf_hash

COUNTS = ("turns", "voids", "early_closes")
EARLY = ("closed", "voided")
ENDS_OBJECT = ("SHOE_CLOSE", "BATCH_CLOSE", "SHOE_RECOMMIT")
OWN = ("ROUND_OPEN", "BETS_CLOSED", "CARD_DEAL", "CARD_OPEN", "SHOE_COMMIT", "SHOE_RECOMMIT",
       "SHOE_RELEASE")  # of the table's client alone
RESULTS = ("SHOE_MIX", "DRAW", "VOID")


def head_of(record, text):
    """What the chain is with this record: the link of the one behind it."""
    return H(D("link"), unhex(record["link"]), leaf_hash(text.encode())).hex()


def counts_of(body):
    return {name: body[name] for name in COUNTS}


def takes_turn(record):
    return record["kind"] == "CALL" or is_lapsed(record)


def ends_turn(record):
    return record["kind"] in RESULTS and not is_lapsed(record)


def has_purpose(record, purpose):
    return record["kind"] == "KEY" and record["body"]["purpose"] == purpose


def is_place_key(record):
    """A KEY that says what the log before left of a place."""
    return has_purpose(record, "place")


def names_predecessor(record):
    """The KEY that names the log before: the first record of its log."""
    return record["seq"] == 0 and has_purpose(record, "log") and "predecessor" in record["body"]


def check_place_key(key, first):
    """The KEY of a place is of the log that the KEY `first` names."""
    named = base64.b64decode(first["body"]["predecessor"]).split(b"\n")[0]
    need(named == key["body"]["origin"].encode(),
         f"predecessor_wrong: record {key['seq']}: is of another log than the first KEY names")


def check_place(opening, close, head):
    """A TABLE_OPEN follows this TABLE_CLOSE, whose chain has this head, or this KEY of its place
    in the log before; none: a first opening."""
    body, named = opening["body"], opening["body"].get("predecessor")
    if body["opened"] == 1:
        need(close is None and "continues" not in body and set(opening["link"]) == {"0"},
             "place_gap: the first opening of a place follows none")
        return
    need(close is not None or named is None,
         "predecessor_wrong: the KEY of its place in the log before is not cited")
    need(close is not None, "place_gap: the TABLE_CLOSE before at its place is missing")
    said, before = close["body"], close["body"]["origin"] if is_place_key(close) else None
    need(named == before, f"predecessor_wrong: goes on from {before or 'this log'}, names {named}")
    need(said["place"] == body["place"] and said["opened"] + 1 == body["opened"]
         and body.get("continues", close.get("table")) == close.get("table"),
         "place_gap: does not follow the opening before at its place")
    need(opening["link"] == (head if before is None else "0" * 64),
         "link_gap: its link is not that behind the opening before")
    need(counts_of(said) == counts_of(body), "totals_wrong: not the counts of the close before")


class Live:
    """The round or shoe that is open at this point; not known where what was read begins behind
    what would say it."""

    def __init__(self, known=False, number=None):
        self.known, self.id, self.number = known, "", number


class ChainRules:
    """One table; `opening` is its TABLE_OPEN, or the `seq` of one that was not read."""

    def __init__(self, opening, text=None):
        self.end, self.closed = None, False
        self.settled = False  # a SETTLEMENT stands, and the ROUND_END of its round not yet
        self.forget()
        self.said, self.opening, self.client = None, opening, None
        if text is not None:
            self.client = opening.get("client", {}).get("id")
            self.said, self.opening = opening["body"], opening["seq"]
            self.counts = counts_of(self.said)
            self.round, self.shoe, self.dealt = Live(True, 0), Live(True, 0), 0
            self.last, self.head = opening["seq"], head_of(opening, text)

    def forget(self):
        """Records are missing here: what the next one says is taken, and checked from there on."""
        self.counts, self.round, self.shoe, self.head = None, Live(), Live(), None
        self.dealt = None  # cards under the newest root of the live shoe, 0 without one

    def step(self, record, text):
        name, kind = f"record {record['seq']}", record["kind"]
        need(kind != "TABLE_OPEN", f"link_gap: {name} opens the table again")
        need(not self.closed, f"link_gap: {name}: the table was closed before")
        if self.head is not None:
            need(record.get("prev") == self.last,
                 f"link_gap: {name}: the record before of its table is missing")
            need(record["link"] == self.head,
                 f"link_gap: {name}: its link is not that of the record before")
        self.asked(record, name)
        self.count(record)
        if class_of(record) == "round":
            self.step_round(record, name)
        elif class_of(record) == "shoe":
            self.step_shoe(record, name)
            self.cards(record)
        elif kind == "TABLE_CLOSE":
            self.close(record, name)
        self.behind_settlement(record, name)
        self.last, self.head = record["seq"], head_of(record, text)

    def asked(self, record, name):
        """What decides a round or lies in it is asked for by the client of the table alone: seats
        act, a person confirms a hand or a misdeal, a machine reports, what ends may be ordered."""
        if record["kind"] not in OWN:
            return
        client = record.get("client", {}).get("id")
        self.client = self.client or client
        need(client is not None and client == self.client,
             f"client_other: {name}: is not of the client of its table")

    def count(self, record):
        kind, reason = record["kind"], record["body"].get("reason")
        if self.counts is None:
            return
        self.counts["turns"] += takes_turn(record)
        self.counts["voids"] += kind == "VOID"
        self.counts["early_closes"] += kind == "SHOE_CLOSE" and reason in EARLY
        self.counts["early_closes"] += kind == "TABLE_CLOSE" and reason == "voided"

    def compare(self, record, name):
        said = counts_of(record["body"])
        need(self.counts in (None, said), f"totals_wrong: {name}: not the counts of the chain")
        self.counts = said

    def step_round(self, record, name):
        live, body = self.round, record["body"]
        if record["kind"] == "ROUND_OPEN":
            need(not (live.known and live.id), f"two_rounds: {name}: {live.id} is open")
            need(self.opening in record["cites"],
                 f"round_uncited: {name}: does not cite its TABLE_OPEN")
            need(live.number is None or body["number"] == live.number + 1,
                 f"number_gap: {name}: not the next round")
            need(self.end is None or self.end in record["cites"],
                 f"round_uncited: {name}: does not cite the ROUND_END before")
            need(not self.shoe.known or body.get("shoe", self.shoe.id) == self.shoe.id,
                 f"two_live: {name}: names another shoe than the live one")
            live.number = body["number"]
        else:
            need(not live.known or live.id == record["object"],
                 f"two_rounds: {name}: {live.id or 'no round'} is open")
        live.known, live.id = True, record["object"]
        if record["kind"] == "ROUND_END":
            live.id, self.end = "", record["seq"]
            need(self.dealt in (None, body["dealt"]),
                 f"dealt_wrong: {name}: {self.dealt} cards lie under the newest root")
            self.dealt = body["dealt"]
            self.compare(record, name)

    def cards(self, record):
        """Positions and the close's count are the shoe's own matter."""
        if record["kind"] in ("SHOE_COMMIT", "SHOE_RECOMMIT", "SHOE_CLOSE"):
            self.dealt = 0
        elif record["kind"] == "CARD_DEAL":
            self.dealt = record["body"]["position"] + 1

    def behind_settlement(self, record, name):
        """A round is settled once, by its last act: then come METERs of the table, and its end."""
        kind = record["kind"]
        need(not self.settled or kind in ("METER", "ROUND_END"),
             f"round_settled: {name}: the round was settled before")
        if kind in ("SETTLEMENT", "ROUND_END"):
            self.settled = kind == "SETTLEMENT" and ends_content(record)

    def step_shoe(self, record, name):
        live = self.shoe
        if record["kind"] == "SHOE_COMMIT":
            need(not (live.known and live.id), f"two_live: {name}: {live.id} is live")
            need(live.number is None or record["body"]["number"] == live.number + 1,
                 f"number_gap: {name}: not the next shoe")
            live.number = record["body"]["number"]
        else:
            need(not live.known or live.id == record["object"],
                 f"two_live: {name}: {live.id or 'no shoe'} is live")
        live.known, live.id = True, "" if record["kind"] == "SHOE_CLOSE" else record["object"]

    def close(self, record, name):
        body, said = record["body"], self.said or record["body"]
        self.closed = True
        need(body["place"] == said["place"] and body["opened"] == said["opened"],
             f"place_gap: {name}: names another opening than its TABLE_OPEN")
        need(not (self.round.known and self.round.id),
             f"two_rounds: {name}: {self.round.id} is open")
        need(not (self.shoe.known and self.shoe.id), f"two_live: {name}: {self.shoe.id} is live")
        need(self.round.number in (None, body["rounds"]),
             f"totals_wrong: {name}: another number of rounds")
        self.compare(record, name)


class Turns:
    """The calls of one table: they count up by one, and one is open at a time."""

    def __init__(self):
        self.turns, self.known, self.begin, self.open = 0, True, 0, None

    def forget(self, begin):
        """Records before `begin` are not known: one of them may be an open CALL."""
        self.turns, self.known, self.begin, self.open = None, False, begin, None

    def next(self, record, name):
        waits, turn = self.open, record["body"]["core"]["turn"]
        need(waits is None, f"turn_open: {name}: record {(waits or record)['seq']} has no result")
        need(self.turns is None or turn == self.turns + 1, f"turn_gap: {name}")
        self.turns, self.known = turn, True

    def undisturbed(self, record, name, each_round):
        """Nothing that the call is about is decided or ended while it has no result."""
        asked, kind = self.open, record["kind"]
        if asked is None:
            return
        core = asked["body"]["core"]
        # a mix that is called for before the bets are closed is none that follows them
        bets = kind == "BETS_CLOSED" and each_round and core["use"] == "mix"
        ends = kind == "TABLE_CLOSE" or bets or \
            kind in ENDS_OBJECT and record["object"] == asked["object"] or \
            class_of(record) == "round" and record["object"] == core["round"]
        need(not ends, f"turn_open: {name}: record {asked['seq']} has no result yet")

    def ends(self, record, name):
        """The CALL that it is the result of; none where that is not known."""
        seq, asked = record["body"]["call"], self.open
        code = "mix_early" if record["kind"] == "SHOE_MIX" else "call_none"
        if asked is None and not self.known and seq < self.begin:
            return None
        need(asked is not None and seq == asked["seq"] and record["object"] == asked["object"],
             f"{code}: {name}: is not of the open CALL")
        need(seq in record["cites"], f"call_uncited: {name}: does not cite its CALL")
        need(record["kind"] == "VOID" or all(record.get(one) == asked.get(one)
                                             for one in ("client", "key", "request")),
             f"request_other: {name}: answers another request than its CALL")
        return asked

    def end(self):
        self.open, self.known = None, True
