#!/usr/bin/env python3
# Goal: a table's client takes a result with contributors only where each opened what it had handed
#   in and signed it for this call, in their order; it names who counts on, and goes on without who
#   withheld.
# Method: the client's own Caller with keys made here, honest contributors of talla_contributor.py,
#   and one lie at a time. No daemon. usage: caller_test.py [FOLDER_OF_PROGRAMS]
import base64
import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "rngd", "sdk", "client", "python"))
from talla_calls import (CallKey, Caller, call_digest, check_draw, check_openings,  # noqa: E402
                         digits)
from talla_contributor import Contributor, Link, commitment, make_link  # noqa: E402
from talla_contributor import opening_statement  # noqa: E402
from talla_log import H, LogKey, NotBelieved, bets_digest, canonical  # noqa: E402
from talla_log import domain, field, u32  # noqa: E402

ORIGIN = "casino.example/talla-1"
SECRET = b"s" * 32


class Keys(LogKey):
    """Files and openssl, of a log that is nobody's."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()

    def private(self, name):
        return self.file(name, self.openssl("genpkey", "-algorithm", "EC", "-pkeyopt",
                                            "ec_paramgen_curve:P-256"))


keys = Keys()
table_key = CallKey(keys.private("table.key"), keys)
opening = {"v": 2, "kind": "TABLE_OPEN", "origin": ORIGIN, "object": "table-0", "table": "table-0",
           "seq": 0, "link": "00" * 32,
           "body": {"key": base64.b64encode(table_key.spki).decode(), "game": "", "variant": "",
                    "catalogue": "00" * 32, "parameters": {}, "policy": {"max_voids": 1}}}
LEAF = H(b"\0", canonical(opening).encode())
one = {"record": opening, "leaf": LEAF}


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def contributor(id, seat):
    return Contributor.fresh(os.path.join(keys.folder.name, id), keys, one, one, id, seat)


seat_1, seat_2 = contributor("seat-1", 1), contributor("seat-2", 2)
batch = {"object": "batch-1", "seq": 1, "client": {"id": "t"},
         "body": {"table": "table-0", "count": 1, "root": H(
             b"\0", domain("batch-leaf"), field("batch-1"), u32(0), SECRET).hex()}}
WISH = {"use": "draw", "object": "batch-1", "root": batch["body"]["root"], "at": 0, "round": "0",
        "bets": bets_digest([]), "specification": {"kind": "wheel", "pockets": 37}}


def view(who, t=1):
    return {"id": who.memory["id"], "key": who.memory["key"], "t": t, "ahead": 3,
            "commit": who.commit(t).hex()}


def opened(who, core, t=1):
    value = who.value(t)
    statement = opening_statement(call_digest(core), who.memory["id"], t, value)
    return {"value": value.hex(), "signature": who.key.sign(statement)}


def refused(what, work):
    try:
        work()
    except NotBelieved:
        return
    raise AssertionError(f"{what} is taken")


def new_caller():
    made = Caller(table_key, opening, LEAF)
    made.invites = True
    return made


caller = new_caller()
core = caller.make(WISH, caller.others([view(seat_1), view(seat_2)], WISH))["core"]
check([other["id"] for other in core["others"]] == ["seat-1", "seat-2"], "both are named")
good = [opened(seat_1, core), opened(seat_2, core)]
values = check_openings(keys, LEAF, core, good)
check(values == [seat_1.value(1), seat_2.value(1)], "their numbers are taken")

found = digits(SECRET, "draw", [call_digest(core)] + values, [37])[0]
draw = {"object": "batch-1", "seq": 3, "client": {"id": "t"},
        "body": {"index": 0, "secret": SECRET.hex(), "path": [], "outcome": {"pocket": found}}}
check_draw(batch, core, draw, values)
others = [n for n in range(37) if n != found]
draw["body"]["outcome"] = {"pocket": others[0]}
refused("another outcome", lambda: check_draw(batch, core, draw, values))
draw["body"]["outcome"] = {"pocket": digits(SECRET, "draw", [call_digest(core)], [37])[0]}
if draw["body"]["outcome"]["pocket"] != found:
    refused("an outcome without their numbers", lambda: check_draw(batch, core, draw, values))

other_core = core | {"turn": 2}
for what, lie in {
        "one opening too few": good[:1], "one too many": good + good[:1],
        "another order": good[::-1],
        "a number that was not committed to": [good[0] | {"value": "11" * 32}, good[1]],
        "the number of another count": [opened(seat_1, core, 2), good[1]],
        "an opening for another call": [opened(seat_1, other_core), good[1]],
        "another's signature": [good[0] | {"signature": good[1]["signature"]}, good[1]],
        "no signature": [good[0] | {"signature": base64.b64encode(bytes(64)).decode()}, good[1]],
}.items():
    refused(what, lambda lie=lie: check_openings(keys, LEAF, core, lie))

refused("a key with two ids", lambda: new_caller().others(
    [view(seat_1), view(seat_1) | {"id": "seat-2"}], WISH))
refused("the table's own key", lambda: new_caller().others(
    [view(seat_1) | {"key": base64.b64encode(table_key.spki).decode()}], WISH))
refused("another order", lambda: new_caller().others([view(seat_2), view(seat_1)], WISH))
refused("a count that was skipped", lambda: new_caller().others([view(seat_1, 2)], WISH))
check(new_caller().others([view(seat_1) | {"commit": ""}], WISH) == [], "who handed in nothing")


def record(kind, seq, body):
    head = caller.head.hex()
    made = {"kind": kind, "seq": seq, "prev": caller.last, "table": "table-0", "link": head,
            "object": "batch-1", "body": body}
    return made, H(b"\0", canonical(made).encode())


caller.take(*record("CALL", 2, caller.waiting))
refused("a VOID that names a stranger", lambda: caller.take(*record(
    "VOID", 3, {"call": 2, "cause": "withheld", "missing": ["seat-9"]})))
caller.take(*record("VOID", 3, {"call": 2, "cause": "withheld", "missing": ["seat-2"]}))
kept = json.loads(json.dumps(caller.kept()))
again = Caller(table_key, opening, LEAF, kept)
again.rest_on(*record("VOID", 3, {}))
named = again.others([view(seat_1, 2), view(seat_2, 2)], WISH)
check([other["id"] for other in named] == ["seat-1"], "the next call goes without who withheld")
check(again.turn == 2 and again.counted == {seat_1.memory["key"]: 1, seat_2.memory["key"]: 1},
     "each has spent its count, after a restart too")
later = WISH | {"object": "batch-9"}
check(len(again.others([view(seat_1, 2), view(seat_2, 2)], later)) == 2, "the next object has both")
refused("a count again", lambda: again.others([view(seat_1)], later))

link = make_link("https://localhost:8444", "A" * 22, "table-0", 3, LEAF, b"r" * 32, ORIGIN)
read = Link(link)
check((read.table, read.seat, read.id, read.opening, read.root, read.origin, read.token) ==
     ("table-0", 3, "seat-3", LEAF.hex(), (b"r" * 32).hex(), ORIGIN, "A" * 22), "the link")
strange = Link(make_link("https://h", "A" * 22, "table-7", 1, LEAF, LEAF, 'a"%b<c>#1'))
check(strange.origin == 'a"%b<c>#1', "an origin of strange letters")
check(commitment(LEAF, "seat-1", 1, seat_1.value(1)).hex() == view(seat_1)["commit"], "commit")
print("ok")
