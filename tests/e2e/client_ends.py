"""What a liar tells a client that waits for the contributors of its call: another end of it than
the appliance recorded.

Each lie takes the true end (`kind`, `seq`, `receipt` of GET /v1/calls/{call}), the ends before and,
where it `forges`, who signs with the log's key; it gives what is told, or None for no lie."""
import base64
import json

from client_forgeries import other


def of_ends(lie):
    lie.of_ends = True
    return lie


def forged(kind):
    """Changes the record of an end of that kind and signs it."""
    def make(lie):
        def told(end, before, forger):
            record = json.loads(end["receipt"]["record"])
            if record["kind"] != kind or lie(record, record["body"]) is False:
                return None
            return end | {"receipt": forger.receipt(end["receipt"], record)}
        told.__name__, told.forges = lie.__name__, True
        return of_ends(told)
    return make


# ---- without the log's key


@of_ends
def the_end_of_the_call_before(end, before):
    return before[-1] if before else None


@of_ends
def the_receipt_of_the_end_before(end, before):
    return end | {"receipt": before[-1]["receipt"]} if before else None


@of_ends
def the_proof_of_the_end_before(end, before):
    return end | {"receipt": end["receipt"] | {"proof": before[-1]["receipt"]["proof"]}} \
        if before else None


@of_ends
def an_end_in_another_record(end, before):
    record = end["receipt"]["record"].replace('"boot":', '"boot":1')
    return end | {"receipt": end["receipt"] | {"record": record}}


@of_ends
def an_end_without_its_receipt(end, before):
    return {"kind": end["kind"], "seq": end["seq"]}


# ---- with it


@forged("DRAW")
def an_end_with_another_outcome(record, body):
    body["outcome"] = {"pocket": (body["outcome"]["pocket"] + 1) % 37}


@forged("DRAW")
def an_end_with_another_secret(record, body):
    body["secret"] = other(body["secret"])


@forged("DRAW")
def an_end_with_another_number_of_a_contributor(record, body):
    body["openings"][0]["value"] = other(body["openings"][0]["value"])


@forged("DRAW")
def an_end_that_no_contributor_signed(record, body):
    body["openings"][0]["signature"] = base64.b64encode(b"\1" * 64).decode()


@forged("DRAW")
def an_end_without_the_contributors(record, body):
    body["openings"] = []


@forged("DRAW")
def an_end_of_another_call(record, body):
    record["cites"] = [seq - 1 if seq == body["call"] else seq for seq in record["cites"]]
    body["call"] -= 1


@forged("DRAW")
def an_end_that_does_not_follow(record, body):
    record["link"] = other(record["link"])


@forged("DRAW")
def an_end_that_is_none(record, body):
    record["kind"] = "BATCH_CLOSE"
    record["body"] = {"reason": "closed", "first": 16, "secrets": [], "left": ["11" * 32]}


def void(record, body, secret):
    return {"call": body["call"], "cause": "withheld", "missing": ["talla:partner-1"],
            "outcome": "unknown", "path": body["path"], "secret": secret}


@forged("DRAW")
def a_void_that_opens_another_secret(record, body):
    record["kind"], record["body"] = "VOID", void(record, body, other(body["secret"]))


@forged("DRAW")
def a_void_that_keeps_its_secret(record, body):
    record["kind"], record["body"] = "VOID", void(record, body, "")
    del record["body"]["secret"], record["body"]["path"]


@forged("DRAW")
def a_void_that_misses_a_stranger(record, body):
    record["kind"], record["body"] = "VOID", void(record, body, body["secret"])
    record["body"]["missing"] = ["seat-9"]


@forged("SHOE_MIX")
def a_mix_of_another_root_at_the_end(record, body):
    body["root"] = other(body["root"])


@forged("SHOE_MIX")
def a_mix_with_another_number_of_a_contributor(record, body):
    body["openings"][0]["value"] = other(body["openings"][0]["value"])


NOT_IN_LOG = "not in the log|not_in_log|not_included|another index|proof of another"
OTHER_END = "said to end|another call|without its CALL|result of|no result|open call|follow"
NUMBER = "opening|commit|number"
ENDS = {
    the_end_of_the_call_before: OTHER_END, the_receipt_of_the_end_before: OTHER_END,
    the_proof_of_the_end_before: NOT_IN_LOG, an_end_in_another_record: NOT_IN_LOG,
    an_end_without_its_receipt: "no record|another form|an object is expected",
    an_end_with_another_outcome: "does not follow", an_end_with_another_secret: "secret",
    an_end_with_another_number_of_a_contributor: NUMBER,
    an_end_that_no_contributor_signed: NUMBER + "|sign", an_end_without_the_contributors: NUMBER,
    an_end_of_another_call: OTHER_END, an_end_that_does_not_follow: "follow",
    an_end_that_is_none: OTHER_END + "|ends no call",
    a_void_that_opens_another_secret: "secret",
    a_void_that_keeps_its_secret: "secret|another form|object",
    a_void_that_misses_a_stranger: "not to open",
    a_mix_of_another_root_at_the_end: "root",
    a_mix_with_another_number_of_a_contributor: NUMBER}
