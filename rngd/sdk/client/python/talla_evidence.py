"""What a Talla appliance's replies rest on, checked: their records (talla_log.py), and the draws,
mixes and cards in them (talla_calls.py)."""
import json, time

from talla_calls import check_draw, check_opened, check_openings, CallKey, Caller, Shoes
from talla_log import need, H, domain, canonical, request_digest, bets_digest, LogKey
from talla_log import NotBelieved


NAMED = {"TABLE_OPEN": "table", "SHOE_COMMIT": "shoe", "ROUND_OPEN": "round"}


def check_named(record, sent, reply):
    """The reply names the object that the record opens, and a table is opened as it was asked
    for."""
    kind, body = record["kind"], record["body"]
    need(kind not in NAMED or reply[NAMED[kind]]["id"] == record["object"],
         "the reply names another object")
    if kind != "TABLE_OPEN":
        return
    wished = [(sent.get(name), body.get(name)) for name in ("settled_by", "game")]
    wished += [(sent.get(name), body["parameters"].get(name)) for name in ("range", "deck")]
    wished += [(sent.get("table", {}).get(name), body.get(name))
               for name in ("currency", "min", "max")]
    wished += [(sent.get(name), body["policy"][name])
               for name in ("open_within", "mix", "candidates")]
    need(all(asked is None or asked == opened for asked, opened in wished) and
         sorted(sent.get("required", [])) == sorted(body["policy"]["required"]),
         "the table was opened otherwise than asked for")


class Evidence:
    """Judges the replies of one client: every record is in the signed log, is about the request,
    and what it says follows."""

    def __init__(self, log_key_file, root_file, get, ended=(), key_file=None):
        self.log_key, self.get = LogKey(log_key_file, root_file, get, ended), get
        self.key = CallKey(key_file, self.log_key) if key_file else None
        self.shoes = Shoes(self.records_of, self.signed, self.opened,
                           lambda table: self.opening(table)["body"]["policy"])
        self.openings, self.bets = {}, {}
        self.batches = {}  # table: the batch that it draws from, its next secret, until when
        self.callers, self.leaves, self.closed = {}, {}, set()
        self.wheels = {}  # table: the numbers on its pockets

    def check(self, reply, asked):
        """The records of a reply to {path, body, key}."""
        return self.of_form(self.check_reply, reply, asked)

    def of_form(self, checked, *said):
        """What is of another form than it must have is not believed either."""
        try:
            return checked(*said)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as why:
            raise NotBelieved(f"a reply of another form: {why!r}") from why

    def check_reply(self, reply, asked):
        receipts = reply.get("receipts", [])
        records = [self.log_key.believed(receipt) for receipt in receipts]
        # a draft of bets makes no record, nor does an invitation
        need(records or asked["path"].endswith(("/bets", "/invitations")),
             "a reply without receipts")
        digest, sent = request_digest("POST", asked["path"],
                                      asked["body"]), json.loads(asked["body"])
        for record in records:
            mine = record.get("key") == asked["key"] and record.get("request") == digest
            need(mine or record["kind"] == "VOID" and "core" not in record["body"],
                 f"record {record['seq']} is not about this request")
        for record, receipt in zip(records, receipts):
            check_named(record, sent, reply)
            self.take_table(record, H(b"\0", receipt["record"].encode()))
        for record in records:
            self.take(record, sent, {one["seq"]: one for one in records}, reply)
        self.check_whole(records, sent, reply)
        for record in records:
            self.check_round(record, reply)
        return records

    def check_round(self, record, reply):
        """A round that was drawn for is told with what was drawn, as its game calls it."""
        if record["kind"] != "DRAW" or self.shoes.calls[record["body"]["call"]]["round"] == "0":
            return
        (kind, value), = record["body"]["outcome"].items()
        if kind == "pocket":
            drawn = [self.numbers_of(record["table"])[value]]
        else:  # dice count from 1 in records too, lots from 0
            drawn = [str(one + (kind == "lots")) for one in value]
        need(reply["round"].get("outcome") == drawn,
             "the round shows another outcome than the log")

    def numbers_of(self, table):
        """The numbers of its wheel in the order of the pockets, as the appliance tells of the
        catalogue that the table was opened with."""
        if table not in self.wheels:
            opened = self.opening(table)["body"]
            known = {one["digest"]: one["id"] for one in self.get("/v1/catalogues")["catalogues"]}
            need(opened["catalogue"] in known, "the appliance does not have the table's catalogue")
            path = f"/v1/catalogues/{known[opened['catalogue']]}/{opened['game']}"
            wheels = [one["pockets"] for one in self.get(path)["equipment"] if "pockets" in one]
            need(wheels, "the table's game has no wheel")
            self.wheels[table] = wheels[0]
        return self.wheels[table]

    def check_whole(self, records, sent, reply):
        """Each card that the reply shows is in a record of it, and each call that was made has
        its result there."""
        for shown, kind, names in (("cards", "CARD_DEAL", ("position", "place", "face", "card")),
                                   ("revealed", "CARD_OPEN", ("position", "place", "card"))):
            bodies = [one["body"] for one in records if one["kind"] == kind]
            cards = reply.get(shown, [])
            need(len(cards) == len(bodies) and
                 all(any(all(card.get(name) == body.get(name) for name in names)
                         for card in cards) for body in bodies),
                 "the reply shows a card that the log does not say")
        need(("lapsed" in reply) ==
             any(one["kind"] == "VOID" and "core" in one["body"] for one in records),
             "reply and log do not agree on whether the call lapsed")
        caller = self.callers.get(sent.get("core", {}).get("table"))
        waits = "call" in reply and sent.get("core", {}).get("others")
        need(caller is None or caller.waiting is None or waits and caller.call is not None,
             "the reply holds no result of the call")

    def waits(self, table):
        """Whether the open call of the table waits for its contributors."""
        return table in self.callers and self.callers[table].call is not None

    def check_end(self, receipt, core):
        """The record that ends a call which its contributors were waited for; of a result its
        reply."""
        return self.of_form(self.check_ended, receipt, core)

    def check_ended(self, receipt, core):
        record = self.log_key.believed(receipt)
        caller, body = self.callers[core["table"]], record["body"]
        call, kind = caller.call, record["kind"]
        need(kind in ("DRAW", "SHOE_MIX", "VOID") and body.get("call") == call and
             record["table"] == core["table"], "what is said to end the call does not")
        self.take_table(record, H(b"\0", receipt["record"].encode()))
        if kind == "VOID":
            if core["use"] == "draw" and ("secret" in body or body["cause"] != "unrecoverable"):
                opened = [bytes.fromhex(one["value"]) for one in body.get("openings", [])]
                check_opened(self.opening(core["object"]), core, record, body,
                             opened if len(opened) == len(core["others"]) else None)
            return record, None
        if kind == "DRAW":
            named = {"draw": {"batch": record["object"], "call": call, "index": body["index"],
                              "outcome": body["outcome"], "seq": record["seq"]}}
        else:
            named = {"shoe": {"id": record["object"], "mixed": record["seq"], "root": body["root"],
                              "table": record["table"]}}
        reply = named | {"receipts": [receipt]}
        self.take(record, {}, {call: {"kind": "CALL"}}, reply)
        return record, reply

    def opened(self, core, openings):
        """The numbers of a core's contributors, each fixed before and signed for this call."""
        self.opening(core["table"])
        return check_openings(self.log_key, self.leaves[core["table"]], core, openings)

    def take_table(self, record, leaf):
        """What a table's chain says of its calls."""
        table = record.get("table")
        if record["kind"] == "TABLE_OPEN" and self.key:
            self.callers.setdefault(record["object"], Caller(self.key, record, leaf))
            self.openings[record["object"]], self.leaves[record["object"]] = record, leaf
        elif record["kind"] == "TABLE_CLOSE":
            self.callers.pop(record["object"], None)
            self.closed.add(record["object"])
        elif table in self.callers:
            self.callers[table].take(record, leaf)

    def caller(self, table, kept):
        """Of a table that this program opened, or whose seed its journal kept."""
        if table not in self.callers:
            need(table in kept and self.key, f"{table}: this program has no seed of its calls, so "
                 "it signs none there: close the table and open it again, and keep a journal")
            opening = self.opening(table)
            self.callers[table] = Caller(self.key, opening, self.leaves[table], kept[table])
            if not self.callers[table].waiting:  # else its reply is to come
                self.rest_on_newest(self.callers[table])
        return self.callers[table]

    def rest_on_newest(self, caller):
        """Others may have made records: seats, and the two persons of an order."""
        picture = self.get("/v1/tables/" + caller.table)["table"]
        if caller.last is None or picture["last"] > caller.last:
            receipt = self.get(f"/v1/receipts/{picture['last']}")
            caller.rest_on(self.log_key.believed(receipt), H(b"\0", receipt["record"].encode()))
        return picture

    def kept_calls(self, before):
        return {table: kept for table, kept in (
            before | {table: one.kept() for table, one in self.callers.items()}).items()
                if table not in self.closed}

    def signed(self, record):
        """The core of a CALL, which this client has signed: now or in an earlier life."""
        core = record["body"]["core"]
        need(self.key and record["table"] == core["table"] and
             record["object"] == core["object"] and
             self.key.has_signed(domain("call") + canonical(core).encode(),
                                 record["body"]["signature"]),
             "a CALL that this client did not sign")
        return core

    def take(self, record, sent, others, reply):
        kind, body = record["kind"], record["body"]
        if kind == "BATCH_COMMIT":
            need(reply["batch"]["root"] == body["root"] and
                 reply["batch"]["id"] == record["object"], "another batch")
            self.openings[record["object"]] = record
            lives = (body["expires"] - record["time"]) / 1e6
            self.batches[body["table"]] = {"id": record["object"], "root": body["root"],
                                           "count": body["count"], "index": 0,
                                           "good_until": time.monotonic() + lives - 5}
        elif kind == "CALL":
            core = self.signed(record)
            self.shoes.calls[record["seq"]] = core
            batch = self.batches.get(core["table"])
            if core["use"] == "draw" and batch and batch["id"] == core["object"]:
                batch["index"] = core["at"] + 1
        elif kind == "DRAW":
            need(others.get(body["call"], {}).get("kind") == "CALL", "a draw without its CALL")
            core = self.shoes.calls[body["call"]]
            check_draw(self.opening(record["object"]), core, record,
                       self.opened(core, body["openings"]))
            need(reply["draw"]["outcome"] == body["outcome"] and
                 reply["draw"]["seq"] == record["seq"], "another outcome")
        elif kind == "VOID" and "core" in body:
            core, batch = body["core"], self.batches.get(record["table"])
            need(self.key and core["table"] == record["table"] and
                 self.key.has_signed(domain("call") + canonical(core).encode(), body["signature"]),
                 "a VOID of a core that this client did not sign")
            if "secret" in body:
                check_opened(self.opening(record["object"]), core, record, body)
            if batch and batch["id"] == core["object"]:  # what opens nothing ends the batch
                batch["index"] = core["at"] + 1 if "secret" in body else batch["count"]
        # (a list beyond 60,000 bytes comes in parts, which are not checked here)
        elif kind == "BETS_CLOSED" and "part" not in body:
            need(bets_digest(body["bets"]) == body["digest"], "another digest of the bets")
            need(canonical(sent.get("bets", reply["round"]["bets"])) == canonical(body["bets"]),
                 "other bets were closed")
            self.bets[record["object"]] = body["digest"]
        elif kind == "SETTLEMENT" and "part" not in body:
            need(reply["round"]["results"] == body["results"],
                 "the reply pays what the log does not say")
        else:
            need(kind != "SHOE_COMMIT" or reply["shoe"]["root"] == body["root"],
                 "the reply names another root than was committed")
            self.shoes.take(record)

    def bets_of(self, round_id, before_bets):
        """Digest of the bets that a call must rest on; a shoe is mixed, and lots for the bank are
        drawn, before the bets too."""
        if round_id in (None, "0"):
            return bets_digest([])
        if round_id not in self.bets:  # closed before this program was restarted, or not yet
            closed = [one["body"].get("digest") for one in self.records_of(round_id)
                      if one["kind"] == "BETS_CLOSED"]
            need(closed or before_bets, "a draw before its bets were closed")
            if not closed:
                return bets_digest([])
            self.bets[round_id] = closed[-1]
        return self.bets[round_id]

    def opening(self, name):
        """The verified record that opened table-N, shoe-N, batch-N or round-N: N is its number
        in the log."""
        if name not in self.openings:
            receipt = self.get("/v1/receipts/" + name.split("-")[1])
            self.openings[name] = self.log_key.believed(receipt)
            self.leaves[name] = H(b"\0", receipt["record"].encode())
            need(self.openings[name].get("object") == name, f"{name} was opened by another record")
        return self.openings[name]

    def records_of(self, name):
        """Every record of an object so far, each verified: what a client that was restarted
        reads again."""
        after = int(name.split("-")[1]) - 1
        more = True
        while more:
            page = self.get(f"/v1/events?after={after}&limit=1000")
            for one in page["events"]:
                if one.get("object") == name:
                    yield self.log_key.believed(self.get(f"/v1/receipts/{one['seq']}"))
            more = page["more"]
            need(not more or page["next"] > after, "a list of events that leads nowhere")
            after = page["next"]
