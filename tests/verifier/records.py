"""Records: the members that each kind has, and what holds for every record (FORMAT sections 2
and 6)."""
import base64
import re

from .cards import deck_cards
from .shapes import (CALL_OPENINGS, Is, context, contributor_id, core, few, log_statement, outcome,
                     shape, shaped, specification)
from .text import need, parse, unbase64


OPENING = {"leaf": Is.index, "card": Is.card, "salt": Is.digest, "path": Is.path}
SHOE_COMMIT = {"table": Is.id_of("table"), "number": Is.positive,
               "cards": Is.between(1, 1024), "deck": Is.deck,
               "root": Is.digest, "stop_depth": Is.index, "burn": Is.text,
               "disclosure": Is.word("public", "covered"), "context": context}
CANDIDATES = lambda v: Is.each(shaped({"root": Is.digest, "tape_mac": Is.digest}))(v) and \
    2 <= len(v) <= 8
COUNTS = {"turns": Is.integer, "voids": Is.integer, "early_closes": Is.integer}
TAPE = {"words_used": Is.integer, "words_rejected": Is.integer, "tape_digest": Is.digest}
DISCLOSURE = {"key": Is.digest, "tape": Is.base64, **TAPE}
# secrets of candidates, all of them or all but one
OPENED = lambda v: Is.each(shaped(DISCLOSURE))(v) and 1 <= len(v) <= 8
BET = shaped({"id": Is.filled, "seat": Is.integer, "kind": Is.filled, "stake": Is.integer},
             {"on": Is.some_texts, "box": Is.integer})
RESULT = shaped({"bet": Is.filled, "seat": Is.integer, "kind": Is.filled, "stake": Is.integer,
                 "result": Is.word("win", "lose", "push", "half", "prison", "freed", "void"),
                 "returned": Is.integer, "rule": Is.filled}, {"remainder": Is.filled})
COPY = shaped({"seat": Is.seat, "key": Is.digest, "ciphertext": Is.digest})
SEAT_KEY = shaped({"seat": Is.seat, "spki": Is.filled_base64})
CHAIN = lambda v: Is.each(Is.filled_base64)(v) and 1 <= len(v) <= 8
LOG_KEY = shaped({"statement": log_statement, "signature": Is.base64, "chain": CHAIN})
ORDERER = shaped({"id": Is.filled, "key": Is.filled_base64, "signature": Is.signature})
ORDER = shaped({"head": Is.digest, "by": lambda v: Is.each(ORDERER)(v) and len(v) == 2})
REQUIRED = lambda v: few(Is.filled_base64)(v) and rising([unbase64(key) for key in v])
POLICY = shaped({"required": REQUIRED, "mix": Is.word("shoe", "round"),
                 "candidates": Is.between(1, 8), "max_voids": Is.between(0, 16),
                 "open_within": Is.between(1, 3600)})


def place_name(value):
    return Is.filled(value) and len(value) <= 64


def session_end(value):
    return value is True or value == "shoe" or Is.between(2, 100)(value)


def rising(numbers):
    return all(a < b for a, b in zip(numbers, numbers[1:]))


def positions(value):
    return Is.each(Is.integer)(value) and rising(value) and \
        all(position < 1024 for position in value)


OLDER = shaped({"recommits": Is.index, "positions": lambda v: v and positions(v)})


def ascending(seats):
    return all(a["seat"] < b["seat"] for a, b in zip(seats, seats[1:]))


# kind: (class of object, opens it, members, optional members); None: checked in `check_body` below
KINDS = {"POWER": ("", False, None), "KEY": ("", False, None),
         "SOFTWARE": ("", False, {"version": Is.filled, "digest": Is.digest},
                      {"manifest": Is.digest}),
         "CONFIG": ("", False,
                    {"digest": Is.digest, "profile": Is.word("development", "production")},
                    {"rollback_limits": Is.word(["disk-copy"],
                                                ["authorisation-holder", "unproven-device"],
                                                ["pin-holder", "token-copy"], ["witness-keys"]),
                     "settings": Is.digest, "certifications": lambda v: Is.path(v) and v != []}),
         "SELFTEST": ("", False,
                      {"test": Is.filled, "result": Is.word("pass", "fail"), "count": Is.integer}),
         "HEALTH": ("", False,
                    {"source": Is.filled, "test": Is.filled, "level": Is.word(1, 2),
                     "dropped": Is.integer, "last_good_us": Is.integer, "alarm_us": Is.integer,
                     "overlapping": Is.texts}),
         "RESEED": ("", False,
                    {"counter": Is.integer, "cause": Is.word("startup", "request", "timer"),
                     "assessed_millibits": Is.integer}),
         "ACCESS": ("", False, {"what": Is.filled, "result": Is.word("allowed", "refused")},
                    {"object": Is.filled, "by": Is.some_texts, "digest": Is.digest,
                    "key": lambda v: check_body("KEY", v) is None,
                    "order": shaped({"head": Is.digest, "key": Is.filled_base64,
                                     "signature": Is.signature})}),
         "ANSWER": ("", False,
                    {"core": core, "opening": Is.digest, "id": contributor_id,
                     "value": Is.digest, "signature": Is.signature}),
         "TABLE_OPEN": ("table", True,
                        {"place": place_name, "opened": Is.positive, **COUNTS,
                         "key": Is.filled_base64, "chain": CHAIN, "policy": POLICY,
                         "game": Is.text, "variant": Is.text, "catalogue": Is.digest,
                         "parameters": Is.obj, "currency": Is.text, "unit": Is.fraction,
                         "chip": Is.positive, "rounding": Is.word("down", "up", "nearest"),
                         "min": Is.integer, "max": Is.integer,
                         "settled_by": Is.word("appliance", "client")},
                        {"predecessor": Is.filled, "continues": Is.id_of("table"),
                         "carried": Is.digest,
                         "meters": lambda v: type(v) is dict and v and all(v) and
                         all(map(Is.id_of("meter"), v.values()))}),
         "TABLE_CLOSE": ("table", False,
                         {"place": place_name, "opened": Is.positive, "rounds": Is.integer,
                          "reason": Is.word("closed", "voided"), **COUNTS}),
         "METER": ("table", False,
                   {"meter": Is.filled, "before": Is.integer, "contribution": Is.integer,
                    "award": Is.integer, "after": Is.integer}, {"round": Is.id_of("round")}),
         "METER_OPEN": ("meter", True,
                        {"meter": Is.filled, "catalogue": Is.digest, "game": Is.filled,
                         "variant": Is.text, "currency": Is.filled, "unit": Is.fraction,
                         "terms": Is.obj, "value": Is.integer}, {"continues": Is.id_of("meter")}),
         "METER_CLOSE": ("meter", False, {"value": Is.integer}),
         "ROUND_OPEN": ("round", True,
                        {"table": Is.id_of("table"), "number": Is.positive,
                         "state_before": Is.digest},
                        {"shoe": Is.id_of("shoe"), "last": session_end,
                         "keys": lambda v: v and Is.each(SEAT_KEY)(v) and ascending(v)}),
         "BETS_CLOSED": ("round", False,
                         {"bets": Is.each(BET), "digest": Is.digest, "withdrawn": Is.texts}),
         "ACTION": ("round", False,
                    {"seat": Is.integer, "do": Is.text, "cause": Is.word("decision", "time_out"),
                     "state_before": Is.digest},
                    {"bet": Is.filled, "amount": Is.integer, "cards": Is.some_texts,
                     "to": Is.filled}),
         "MISDEAL": ("round", False, {"code": Is.filled, "effect": Is.filled},
                     {"place": Is.filled, "amount": Is.positive}),
         "HAND_CONFIRMED": ("round", False, {"state_before": Is.digest}),
         "SETTLEMENT": ("round", False,
                        {"results": Is.each(RESULT), "state_before": Is.digest,
                         "state_after": Is.digest}),
         "ROUND_END": ("round", False, {"state_after": Is.digest, "dealt": Is.index, **COUNTS}),
         "SHOE_COMMIT": ("shoe", True, SHOE_COMMIT,
                         {"tape_mac": Is.digest, "candidates": CANDIDATES}),
         "SHOE_MIX": ("shoe", False,
                      {"call": Is.integer, "openings": CALL_OPENINGS, "root": Is.digest, **TAPE},
                      {"picked": Is.between(0, 7), "opened": OPENED}),
         "CARD_DEAL": ("shoe", False, None),
         "CARD_OPEN": ("shoe", False, {"position": Is.index, "place": Is.filled, **OPENING},
                       {"recommits": Is.index}),
         "SHOE_RECOMMIT": ("shoe", False,
                           {**SHOE_COMMIT, "tape_mac": Is.digest, "of": Is.digest,
                            "positions": Is.between(1, 1024), "rule": Is.filled,
                            "returned": positions},
                           {"older": lambda v: v and Is.each(OLDER)(v) and
                            rising([one["recommits"] for one in v])}),
         "SHOE_RELEASE": ("shoe", False, None), "SHUFFLE_REPORT": ("shoe", False, None),
         "SHOE_CLOSE": ("shoe", False, None),
         "BATCH_COMMIT": ("batch", True,
                          {"table": Is.id_of("table"), "count": lambda v: type(v) is int and
                           1 <= v <= 256, "root": Is.digest, "expires": Is.integer,
                           "context": context}),
         "CALL": ("batch", False, {"core": core, "signature": Is.signature}, {"order": ORDER}),
         "DRAW": ("batch", False,
                  {"call": Is.integer, "openings": CALL_OPENINGS, "index": Is.between(0, 255),
                   "secret": Is.digest, "path": Is.path, "outcome": outcome, **TAPE}),
         "VOID": ("batch", False, None),
         "BATCH_CLOSE": ("batch", False,
                         {"reason": Is.word("expired", "used", "closed"),
                          "first": Is.between(0, 256),
                          "left": Is.path, "secrets": Is.each(Is.digest)}),}


# the list that numbered parts are pieces of
PARTED = {"BETS_CLOSED": "bets", "SETTLEMENT": "results"}


def check_part(kind, body):
    """A numbered part: the last has all but the list, the others nothing but a piece of it."""
    name, row = PARTED[kind], KINDS[kind][2]
    last = body["part"] == body["parts"]
    need(type(body["parts"]) is int and 2 <= body["parts"] <= 64 and
         1 <= body["part"] <= body["parts"], "part of parts")
    need((body.get(name) == []) == last, "the last part, and no other, has an empty list")
    shape(body, {**(row if last else {name: row[name]}), "part": Is.positive, "parts": Is.positive})


def ends_content(record):
    return record["body"].get("part") == record["body"].get("parts")


def check_body(kind, body):
    if kind in PARTED and ("part" in body or "parts" in body):
        return check_part(kind, body)
    if kind == "POWER":
        members = {"event": Is.word("start", "stop"),
                   **({"clean": Is.boolean} if body.get("event") == "start" else {})}
    elif kind == "KEY" and body.get("purpose") == "log":
        shape(body, {"purpose": Is.text, "log_key": LOG_KEY}, {"predecessor": Is.filled_base64})
        return
    elif kind == "KEY" and body.get("purpose") == "predecessor":
        members = {"purpose": Is.text, "origin": Is.filled, "object": Is.filled,
                   "commit": Is.integer, "result": Is.word("opened", "kept", "lost")}
        if body.get("result") == "opened":
            inner = {"draw": lambda v: check_body("DRAW", v) is None,
                     "close": lambda v: check_body("BATCH_CLOSE", v) is None,
                     "root": shaped({"key": Is.digest, "tape": Is.base64})}
            name = next((one for one in inner if one in body), "root")
            members[name] = inner[name]
    elif kind == "KEY" and body.get("purpose") == "place":
        members = {"purpose": Is.text, "origin": Is.filled, "place": place_name,
                   "opened": Is.positive, **COUNTS}
    elif kind == "KEY":
        members = {"purpose": Is.word("client"), "id": Is.filled, "spki": Is.digest,
                   "roles": Is.texts, "action": Is.word("enrol", "revoke")}
    elif kind == "CARD_DEAL":
        members = {"position": Is.index, "place": Is.filled,
                   "face": Is.word("open", "covered", "unseen")}
        if body.get("face") == "open":
            members.update(OPENING)
        if body.get("face") == "covered":
            members["copies"] = lambda v: Is.each(COPY)(v) and ascending(v)
        return shape(body, members, {"round": Is.id_of("round")})
    elif kind == "SHOE_RELEASE":
        members = {"machine": Is.filled, "ciphertext": Is.digest, "order_known_to": Is.digest}
        if "form" in body:
            members["form"] = Is.word("targets", "shelf")
        if body.get("form") == "shelf":
            members["compartments"] = lambda v: type(v) is int and 2 <= v <= 256
        return shape(body, members,
                     {"reverses": lambda v: v is True and body.get("form") == "shelf"})
    elif kind == "SHUFFLE_REPORT":
        places = lambda v: type(v) is int and 0 <= v <= 4096
        shape(body, {"number": Is.positive, "recognised": places, "key": Is.filled_base64,
                     "signature": Is.signature,
                     "result": Is.word("match", "mismatch", "jam", "lid")},
              {"position": places, "census": Is.word("complete", "wrong"), "seen": Is.digest,
               "targets": places})
        need(("seen" in body) == ("census" in body), "census and seen")
        need(body["result"] != "match" or
             (body.get("census") == "complete" and "position" not in body), "no match")
        need(body["result"] != "mismatch" or ("seen" in body and "position" in body),
             "a mismatch is somewhere")
        return
    elif kind == "SHOE_CLOSE":
        members = {"dealt": Is.index, "reason": Is.word("stop_card", "ended", "closed", "voided"),
                   **(DISCLOSURE if "key" in body else {})}
        return shape(body, members,
                     {"replaced": lambda v: "key" in body and v and Is.each(shaped(DISCLOSURE))(v),
                      "candidates": lambda v: "key" not in body and OPENED(v)})
    elif kind == "VOID":
        cause = body.get("cause")
        lapsed, opens = cause == "lapsed", "secret" in body
        said = opens and cause != "withheld" and body.get("outcome") != "unknown"
        members = {"cause": Is.word("order", "unrecoverable", "lapsed", "withheld"),
                   "outcome": outcome if said else Is.word("unknown"),
                   **({"core": core, "signature": Is.signature} if lapsed
                      else {"call": Is.integer}),
                   **({"by": Is.texts} if cause == "order" else {}),
                   **({"missing": lambda v: v and few(contributor_id)(v) and rising(v)}
                      if cause == "withheld" else {}),
                   **({"secret": Is.digest, "path": Is.path} if opens else {})}
        opened = shaped({"id": contributor_id, "value": Is.digest, "signature": Is.signature})
        shape(body, members, {} if cause != "order" else {"openings": lambda v: v and Is.each(
            opened)(v) and rising([one["id"] for one in v])})
        need(not opens or cause != "unrecoverable", "a secret that does not unseal is not opened")
        need(not lapsed or not opens or body["core"]["use"] == "draw", "a mix opens no secret")
        return
    else:
        check_row(kind, body)
        check_rules(kind, body)
        return
    shape(body, members)


def check_row(kind, body):
    row = KINDS[kind]
    shape(body, row[2], row[3] if len(row) > 3 else None)
    return True


def check_rules(kind, body):
    """What holds over several members."""
    rules = {"TABLE_OPEN": table_open_rules, "SHOE_COMMIT": commit_rules, "SHOE_MIX": mix_rules,
             "SHOE_RECOMMIT": commit_rules, "ACTION": action_rules, "METER": meter_rules,
             "BATCH_CLOSE": batch_close_rules, "ANSWER": answer_rules}
    if kind in rules:
        rules[kind](body)


def table_open_rules(body):
    mine = body["settled_by"] == "appliance"
    need(("continues" in body) == ("carried" in body), "continues and carried")
    need(body["opened"] > 1 or not any(body[name] for name in COUNTS), "counts of a first opening")
    need("predecessor" not in body or body["opened"] > 1 and "continues" not in body,
         "a predecessor of a first opening, or of a table that continues one")
    need(mine or not ("continues" in body or "meters" in body), "meters or tables of the client")
    need(mine or body["policy"]["mix"] == "shoe", "rounds of the client, to mix in")
    need(not mine or body["game"], "a table that the appliance settles has a game")
    for name, check in (("range", specification), ("deck", Is.deck)):
        need(mine or name not in body["parameters"] or check(body["parameters"][name]), name)


def answer_rules(body):
    need(any(one["id"] == body["id"] for one in body["core"]["others"]),
         "an answer of nobody in its core")


def commit_rules(body):
    need(body["cards"] <= len(deck_cards(body["deck"])), "more cards than the deck has")
    need(body["stop_depth"] <= body["cards"], "a stop card behind more cards than there are")
    need(body.get("positions", body["cards"]) == body["cards"], "positions are those of the cards")
    need(("candidates" in body) != ("tape_mac" in body), "candidates, or a tape_mac")
    need("candidates" not in body or body["disclosure"] == "covered",
         "candidates of a covered shoe")


def mix_rules(body):
    need(("picked" in body) == ("opened" in body) and
         body.get("picked", 0) <= len(body.get("opened", ())), "picked and opened stand together")


def action_rules(body):
    need((body["do"] == "") == (body["cause"] == "time_out"), "do is empty exactly for a time-out")
    need(body["do"] or not {"bet", "amount", "cards", "to"} & set(body),
         "a time-out decides nothing")


def meter_rules(body):
    need(body["before"] + body["contribution"] - body["award"] == body["after"], "the meter's sum")


def batch_close_rules(body):
    need(len(body["left"]) == body["first"].bit_count(), "not one hash for each set bit")


PRINTABLE = re.compile(r"[ -~]*")


def ascii_only(value):
    if type(value) is str:
        return PRINTABLE.fullmatch(value) is not None
    if type(value) is dict:
        return all(ascii_only(k) and ascii_only(v) for k, v in value.items())
    return all(ascii_only(v) for v in value) if type(value) is list else True


def is_note(text):
    """base64url without padding, in its one spelling, of UTF-8."""
    if not isinstance(text, str):
        return False
    try:
        words = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        words.decode()
    except ValueError:
        return False
    return text != "" and base64.urlsafe_b64encode(words).decode().rstrip("=") == text


def parse_record(text):
    need(len(text.encode()) <= 60000, "record too long")
    record = parse(text)
    need(type(record) is dict and record.get("v") == 2 and ascii_only(record),
         "no record of version 2")
    shape(record,
          {"v": Is.integer, "origin": lambda v: re.fullmatch(r"[!-*,-~]{1,200}", v),
           "seq": Is.integer, "kind": Is.filled, "time": Is.integer,
           "time_quality": Is.word("synced", "holdover", "unset"), "boot": Is.positive,
           "cites": Is.each(Is.integer), "body": Is.obj},
          {"client": shaped({"id": Is.filled, "spki": Is.digest}),
           "key": lambda v: re.fullmatch(r"[A-Za-z0-9._-]{1,64}", v), "request": Is.digest,
           "object": Is.filled, "table": Is.filled, "prev": Is.integer, "link": Is.digest,
           "meter_prev": Is.integer,
           "note": is_note})
    cites = record["cites"]
    need(cites == sorted(set(cites)) and all(seq < record["seq"] for seq in cites), "cites")
    need(all(record.get(name, -1) < record["seq"] for name in ("prev", "meter_prev")), "prev")
    row = KINDS.get(record["kind"])
    if row is None:
        return record
    check_place(record, row)
    check_body(record["kind"], record["body"])
    return record


def is_lapsed(record):
    """A VOID of a core that became no CALL."""
    return record["kind"] == "VOID" and "core" in record["body"]


def class_of(record):
    """Of its object: table, round, shoe, batch or meter; empty: a machine's, or not known. A CALL
    is of the shoe or batch that it is for, as is its VOID; one that has no CALL and opens nothing
    is of the table."""
    body = record["body"]
    if record["kind"] == "VOID" and "secret" not in body:
        kept = body.get("cause", "unrecoverable") == "unrecoverable"  # else there is none
        return "table" if "core" in body else "batch" if kept else "shoe"
    if record["kind"] == "CALL" and (body.get("core") or {}).get("use") == "mix":
        return "shoe"
    return KINDS.get(record["kind"], [""])[0]


def check_place(record, row):
    """Its object, the chain of its table, and of a meter the record before."""
    meter = record["kind"] == "METER" and "round" in record["body"]
    wanted = "meter" if meter else class_of(record)
    chained = row[0] not in ("", "meter")
    if wanted == "":
        need("object" not in record, "a record of the machine has no object")
    else:
        need(Is.id_of(wanted)(record.get("object")), "object")
    opened = int(record["object"].split("-")[1]) if wanted else 0
    need(not row[1] or opened == record["seq"], "an opening record names itself")
    moves = wanted == "meter" and not row[1]
    need(("meter_prev" in record) == moves and record.get("meter_prev", opened) >= opened,
         "meter_prev")
    need(("table" in record) == ("link" in record) == chained, "table and link")
    if not chained:
        need("prev" not in record, "prev without a table")
        return
    need(Is.id_of("table")(record["table"]), "table")
    need(wanted != "table" or record["table"] == record["object"], "table is not the object")
    need(record["body"].get("table", record["table"]) == record["table"],
         "table is not that of the body")
    begun = int(record["table"].split("-")[1])
    least = begun if row[1] or wanted == "meter" else max(begun, opened)
    if record["kind"] == "TABLE_OPEN":
        need("prev" not in record, "the first record of a table has no prev")
    else:
        need(record.get("prev", -1) >= least, "prev")
