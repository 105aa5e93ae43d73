"""One record of each kind and form, with every optional member, written from FORMAT section 6."""
HASH = "a" * 64
PATH = [HASH]
TAPE = {"words_used": 1, "words_rejected": 0, "tape_digest": HASH}
COUNTS = {"turns": 9, "voids": 1, "early_closes": 0}
SOURCE = {"model": "chaoskey", "class": "raw_physical", "millibits": 500, "verdict": "healthy",
          "assessment": "unit", "assessment_digest": HASH, "serial": "A1"}
PLAIN_SOURCE = {"model": "getrandom", "class": "system", "millibits": 8000, "verdict": "not_tested"}
CONTEXT = {"catalogue": HASH, "game": "g", "variant": "", "parameters": HASH,
           "mapping": "talla-map-v1", "construction": "rbg3-xor", "uncertified": False,
           "sources": [SOURCE, PLAIN_SOURCE], "reseeds": 1, "generates": 2, "software": HASH,
           "config": HASH, "rollback_protection": "tpm", "anchor_lag": 3, "sealing": "credential"}
BARE = {**CONTEXT, "construction": "system", "uncertified": True, "sources": [PLAIN_SOURCE],
        "rollback_protection": "local", "sealing": "file"}
COMMIT = {"table": "table-1", "number": 1, "cards": 416, "deck": "french52x8", "root": HASH,
          "tape_mac": HASH, "stop_depth": 7, "burn": "b", "disclosure": "public",
          "context": CONTEXT}
OPENING = {"card": "7H", "leaf": 3, "path": PATH, "salt": HASH}
SECRETS = {"key": HASH, "tape": "AAAA", **TAPE}
STATEMENT = ('{"development":true,"origin":"casino.example/talla-1","public":"' + "A" * 43 + '=",'
             '"type":"talla-log-key","v":2}')
LOG_KEY = {"statement": STATEMENT, "signature": "AAAA", "chain": ["AAAA"]}
DRAW = {"call": 4, "openings": [], "index": 0, "secret": HASH, "path": PATH,
        "outcome": {"dice": [6, 2]}, **TAPE}
CLOSE = {"reason": "expired", "first": 1, "left": PATH, "secrets": PATH}
OPEN = {"place": "Mesa 7", "opened": 2, "game": "g", "variant": "v", "catalogue": HASH,
        "parameters": {"a": 1}, "currency": "EUR", "unit": "1/100", "chip": 5, "rounding": "down",
        "min": 25, "max": 500, "settled_by": "appliance", "key": "AAAA", "chain": ["AAAA"],
        "policy": {"required": [], "mix": "shoe", "candidates": 1, "max_voids": 1,
                   "open_within": 60}, **COUNTS}
CORE = {"v": 2, "type": "talla-call", "origin": "casino.example/talla-1", "table": "table-1",
        "turn": 3, "head": HASH, "use": "draw", "object": "batch-5", "root": HASH, "at": 7,
        "round": "round-3", "bets": HASH, "specification": {"kind": "wheel", "pockets": 37},
        "game": "g", "variant": "v", "catalogue": HASH, "parameters": HASH, "value": HASH,
        "others": []}
SEAT = {"id": "seat-1", "key": "AAAA", "t": 1, "commit": HASH}
PARTNER = {"id": "urn:talla:partner", "key": "AAAB", "t": 4294967295, "commit": HASH}
MIX = {**CORE, "use": "mix", "object": "shoe-4", "at": 0, "round": "0",
       "specification": {"candidates": 1, "places": 416}}
SIGNATURE = "A" * 86 + "=="
SIGNED = {"key": "AAAA", "number": 1, "signature": SIGNATURE}
OPENED = {"value": HASH, "signature": SIGNATURE}
RESULT = {"bet": "b", "seat": 1, "kind": "k", "stake": 5, "result": "half", "returned": 2,
          "rule": "01 I", "remainder": "1/2"}
VOID = {"call": 4, "cause": "order", "by": ["a", "b"], "outcome": {"pocket": 5}, "secret": HASH,
        "path": PATH}
RECOMMIT = {**COMMIT, "of": HASH, "positions": 416, "rule": "r", "returned": [0, 7],
            "older": [{"recommits": 0, "positions": [3, 9]}]}
RELEASE = {"machine": "urn:m", "order_known_to": HASH, "ciphertext": HASH}
BET = {"id": "b", "seat": 1, "kind": "pleno", "stake": 5, "on": ["00"], "box": 2}
ROUND_OPEN = {"table": "table-1", "number": 1, "state_before": HASH, "shoe": "shoe-2",
              "last": 2, "keys": [{"seat": 1, "spki": "AAAA"}, {"seat": 3, "spki": "AAAA"}]}

BODIES = [
    ("POWER", {"event": "start", "clean": True}), ("POWER", {"event": "stop"}),
    ("SOFTWARE", {"version": "1.0", "digest": HASH, "manifest": HASH}),
    ("CONFIG", {"digest": HASH, "profile": "production", "rollback_limits": ["disk-copy"]}),
    ("CONFIG", {"digest": HASH, "profile": "development",
                "rollback_limits": ["pin-holder", "token-copy"]}),
    ("KEY", {"purpose": "log", "log_key": LOG_KEY, "predecessor": "AAAA"}),
    ("KEY", {"purpose": "client", "id": "urn:a", "spki": HASH, "roles": ["table"],
             "action": "enrol"}),
    ("KEY", {"purpose": "predecessor", "origin": "o", "object": "shoe-3", "commit": 3,
             "result": "opened", "root": {"key": HASH, "tape": "AAAA"}}),
    ("KEY", {"purpose": "predecessor", "origin": "o", "object": "batch-3", "commit": 3,
             "result": "opened", "close": CLOSE}),
    ("KEY", {"purpose": "predecessor", "origin": "o", "object": "batch-3", "commit": 3,
             "result": "opened", "draw": DRAW}),
    ("KEY", {"purpose": "predecessor", "origin": "o", "object": "shoe-3", "commit": 3,
             "result": "lost"}),
    ("KEY", {"purpose": "place", "origin": "o", "place": "Mesa 7", "opened": 4, **COUNTS}),
    ("SELFTEST", {"test": "sha256", "result": "pass", "count": 3}),
    ("HEALTH", {"source": "x", "test": "rct", "level": 1, "dropped": 9, "last_good_us": 1,
                "alarm_us": 2, "overlapping": ["shoe-3"]}),
    ("RESEED", {"counter": 2, "cause": "timer", "assessed_millibits": 384000}),
    ("ACCESS", {"what": "client-enrol.asked", "result": "allowed", "object": "o",
                "by": ["a", "b"], "digest": HASH,
                "key": {"purpose": "client", "id": "urn:a", "spki": HASH, "roles": ["table"],
                        "action": "enrol"}}),
    ("ANSWER", {"core": {**CORE, "others": [SEAT, PARTNER]}, "opening": HASH, "id": PARTNER["id"],
                **OPENED}),
    ("TABLE_OPEN", {**OPEN, "continues": "table-0", "carried": HASH, "meters": {"m": "meter-1"}}),
    ("TABLE_OPEN", {**OPEN, "predecessor": "casino.example/talla-0"}),
    ("TABLE_OPEN", {**OPEN, "opened": 1, "turns": 0, "voids": 0, "settled_by": "client",
                    "game": "", "parameters": {"range": {"kind": "dice", "count": 2, "faces": 6},
                                               "deck": "spanish40x1"}}),
    ("TABLE_CLOSE", {"place": "Mesa 7", "opened": 2, "rounds": 3, "reason": "closed", **COUNTS}),
    ("ROUND_OPEN", ROUND_OPEN), ("ROUND_OPEN", {**ROUND_OPEN, "last": True}),
    ("ROUND_OPEN", {**ROUND_OPEN, "last": "shoe"}),
    ("BETS_CLOSED", {"bets": [BET], "digest": HASH, "withdrawn": ["c"]}),
    ("BETS_CLOSED", {"bets": [BET], "part": 1, "parts": 2}),
    ("BETS_CLOSED", {"bets": [], "digest": HASH, "withdrawn": [], "part": 2, "parts": 2}),
    ("ACTION", {"seat": 1, "do": "d", "cause": "decision", "bet": "b", "amount": 5,
                "cards": ["7H"], "to": "t", "state_before": HASH}),
    ("ACTION", {"seat": 1, "do": "", "cause": "time_out", "state_before": HASH}),
    ("MISDEAL", {"code": "c", "place": "p", "amount": 5, "effect": "void"}),
    ("HAND_CONFIRMED", {"state_before": HASH}),
    ("SETTLEMENT", {"results": [RESULT], "state_before": HASH, "state_after": HASH}),
    ("SETTLEMENT", {"results": [RESULT], "part": 1, "parts": 64}),
    ("SETTLEMENT", {"results": [], "state_before": HASH, "state_after": HASH, "part": 2,
                    "parts": 2}),
    ("ROUND_END", {"dealt": 6, "state_after": HASH, **COUNTS}),
    ("METER", {"meter": "m", "before": 1, "contribution": 2, "award": 0, "after": 3}),
    ("METER", {"meter": "m", "before": 1, "contribution": 2, "award": 0, "after": 3,
               "round": "round-3"}),
    ("METER_OPEN", {"meter": "m", "catalogue": HASH, "game": "g", "variant": "v",
                    "currency": "EUR", "unit": "1", "terms": {"a": 1}, "value": 0,
                    "continues": "meter-2"}),
    ("METER_CLOSE", {"value": 3}),
    ("SHOE_COMMIT", COMMIT), ("SHOE_COMMIT", {**COMMIT, "context": BARE}),
    ("SHOE_MIX", {"call": 4, "openings": [], "root": HASH, **TAPE}),
    ("CARD_DEAL", {"position": 0, "place": "p", "face": "open", "round": "round-3", **OPENING}),
    ("CARD_DEAL", {"position": 0, "place": "p", "face": "covered", "round": "round-3",
                   "copies": [{"seat": 1, "key": HASH, "ciphertext": HASH},
                              {"seat": 2, "key": HASH, "ciphertext": HASH}]}),
    ("CARD_DEAL", {"position": 0, "place": "p", "face": "unseen"}),
    ("CARD_OPEN", {"position": 0, "place": "p", "recommits": 1, **OPENING}),
    ("SHOE_RECOMMIT", RECOMMIT),
    ("SHOE_RELEASE", RELEASE), ("SHOE_RELEASE", {**RELEASE, "form": "targets"}),
    ("SHOE_RELEASE", {**RELEASE, "form": "shelf", "compartments": 10, "reverses": True}),
    ("SHUFFLE_REPORT", {"recognised": 416, "result": "match", "census": "complete", "seen": HASH,
                        "targets": 416, **SIGNED}),
    ("SHUFFLE_REPORT", {"recognised": 416, "result": "mismatch", "census": "wrong", "seen": HASH,
                        "position": 3, **SIGNED}),
    ("SHUFFLE_REPORT", {"recognised": 0, "result": "jam", **SIGNED}),
    ("SHOE_CLOSE", {"dealt": 10, "reason": "closed", "replaced": [SECRETS], **SECRETS}),
    ("SHOE_CLOSE", {"dealt": 10, "reason": "stop_card"}),
    ("BATCH_COMMIT", {"table": "table-1", "count": 16, "root": HASH, "expires": 9,
                      "context": CONTEXT}),
    ("CALL", {"core": CORE, "signature": SIGNATURE}),
    ("CALL", {"core": {**CORE, "specification": {"kind": "dice", "count": 2, "faces": 6}},
              "signature": SIGNATURE}),
    ("CALL", {"core": {**CORE, "specification": {"kind": "lots", "bounds": [90, 89]}},
              "signature": SIGNATURE}),
    ("CALL", {"core": MIX, "signature": SIGNATURE}),
    ("CALL", {"core": {**CORE, "others": [SEAT, PARTNER]}, "signature": SIGNATURE}),
    ("DRAW", {**DRAW, "openings": [OPENED, OPENED]}),
    ("DRAW", DRAW), ("DRAW", {**DRAW, "outcome": {"lots": [1, 0]}}),
    ("VOID", VOID),
    ("VOID", {"call": 4, "cause": "unrecoverable", "outcome": "unknown"}),
    ("VOID", {"cause": "lapsed", "core": CORE, "signature": SIGNATURE, "outcome": {"pocket": 5},
              "secret": HASH, "path": PATH}),
    ("VOID", {"call": 4, "cause": "withheld", "missing": ["seat-1", "seat-2"],
              "outcome": "unknown", "secret": HASH, "path": PATH}),
    ("VOID", {"call": 4, "cause": "withheld", "missing": ["seat-1"], "outcome": "unknown"}),
    ("VOID", {"call": 4, "cause": "order", "by": ["a", "b"], "outcome": "unknown"}),
    ("VOID", {"cause": "lapsed", "core": MIX, "signature": SIGNATURE, "outcome": "unknown"}),
    ("BATCH_CLOSE", CLOSE),
]
OPENS = {"TABLE_OPEN": "table", "SHOE_COMMIT": "shoe", "BATCH_COMMIT": "batch",
         "ROUND_OPEN": "round", "METER_OPEN": "meter"}
OF_ROUND = ("BETS_CLOSED", "ACTION", "MISDEAL", "HAND_CONFIRMED", "SETTLEMENT", "ROUND_END")
OF_SHOE = ("SHOE_MIX", "CARD_DEAL", "CARD_OPEN", "SHOE_RECOMMIT", "SHOE_RELEASE",
           "SHUFFLE_REPORT", "SHOE_CLOSE")
OF_BATCH = ("CALL", "DRAW", "VOID", "BATCH_CLOSE")
MACHINE = ("POWER", "SOFTWARE", "CONFIG", "KEY", "SELFTEST", "HEALTH", "RESEED", "ACCESS",
           "ANSWER")


def object_of(kind, body):
    if kind == "CALL":
        return body["core"]["object"]
    if kind == "VOID" and "secret" not in body:
        kept = body["cause"] == "unrecoverable"
        return "table-1" if "core" in body else "batch-5" if kept else "shoe-4"
    if kind in OPENS:
        return OPENS[kind] + "-17"
    if kind in MACHINE:
        return None
    if kind == "METER_CLOSE" or (kind == "METER" and "round" in body):
        return "meter-2"
    return ("round-3" if kind in OF_ROUND else "shoe-4" if kind in OF_SHOE else "batch-5"
            if kind in OF_BATCH else "table-1")


def record(kind, body):
    """A record of this kind with every member that an envelope may have."""
    made = {"v": 2, "origin": "casino.example/talla-1", "seq": 17, "kind": kind, "time": 1,
            "time_quality": "synced", "boot": 1, "cites": [2, 5], "body": body,
            "client": {"id": "urn:talla:table-1", "spki": HASH}, "key": "k-1", "request": HASH,
            "note": "bm90ZQ"}
    name = object_of(kind, body)
    if name is None:
        return made
    made["object"] = name
    if not name.startswith("meter") or kind == "METER":
        made.update(table="table-17" if kind == "TABLE_OPEN" else "table-1", link=HASH)
        if kind != "TABLE_OPEN":
            made["prev"] = 16
    if name.startswith("meter") and kind != "METER_OPEN":
        made["meter_prev"] = 9
    return made


def records():
    return [record(kind, body) for kind, body in BODIES]
