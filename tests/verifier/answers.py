"""What a log says that its appliance contributes to the calls of other logs (FORMAT section 8)."""
from .calls import TableKey, digest_of
from .contributors import commit_of, has_signed, statement_of
from .text import need, unhex


def own_of(body):
    """The one whose ANSWER it is, as its core names it."""
    return next(one for one in body["core"]["others"] if one["id"] == body["id"])


class Answers:
    """Those of one log, in their order: each key answers a turn and a count once."""

    def __init__(self):
        self.last = {}

    def take(self, record):
        if record["kind"] != "ANSWER":
            return
        body, name = record["body"], f"record {record['seq']}"
        own, core, value = own_of(body), body["core"], unhex(body["value"])
        statement = statement_of(digest_of(core), own["id"], own["t"], value)
        need(has_signed(TableKey, own, statement, body), f"answer_signature: {name}: {own['id']}")
        need(commit_of(unhex(body["opening"]), own["id"], own["t"], value).hex() == own["commit"],
             f"commit_mismatch: {name}: {own['id']}")
        need(core["origin"] != record["origin"], f"answer_own: {name}: a call of its own log")
        series = (own["key"], body["opening"], core["origin"])
        before, self.last[series] = self.last.get(series), (core["turn"], own["t"], own["id"])
        if before is None:
            return
        turn, t, id_before = before
        need(core["turn"] != turn and own["t"] != t, f"answer_twice: {name}: turn {turn}")
        need(core["turn"] > turn and own["t"] > t, f"answer_back: {name}: behind turn {turn}")
        need(own["id"] == id_before, f"answer_back: {name}: its key answered as {id_before}")
