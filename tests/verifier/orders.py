"""What of a table two persons have to order, and whether they did; and what the first call of a
shoe rests on: the end of the one before (FORMAT sections 6 and 8)."""
from .text import H, need, unbase64

FOLLOWS = ("VOID", "BATCH_CLOSE", "SHOE_CLOSE", "ROUND_END", "TABLE_CLOSE")


def check_ordered(body):
    by = body.get("by", [])
    need(body["cause"] != "order" or len(set(by)) == len(by) >= 2,
         "void_persons: ordered by fewer than two persons, or by one twice")


class Orders:
    """Of one table, record by record. `again`: checks what two persons signed (again.py)."""

    def __init__(self, evidence, again):
        self.evidence, self.again, self.table = evidence, again, evidence.table
        self.run, self.reported, self.begins, self.left = None, False, False, False

    def forget(self):
        """Records of the table are missing before the next one."""
        self.run, self.reported, self.begins, self.left = None, False, True, False

    def step(self, record, heads, name):
        """`heads`: what an order may have been signed for; None: not known."""
        kind, body, table = record["kind"], record["body"], record["table"]
        need(not self.left or kind == "TABLE_CLOSE",
             f"early_close: {name}: behind a shoe closed early without an order stands no "
             "TABLE_CLOSE")
        self.left = False
        if kind not in FOLLOWS:
            self.run = None
        if kind == "VOID" and body["cause"] == "order":
            check_ordered(body)
            acts = {"draw-void": record["object"], "table-void": table}
            self.check(record, acts, heads, f"void_order: {name}", body["by"], body["call"])
        if kind == "SHOE_CLOSE":
            self.shoe(record, heads, f"early_close: {name}")
        if kind == "TABLE_CLOSE" and body["reason"] == "voided":
            self.check(record, {"table-void": table}, heads, f"early_close: {name}")
        self.begins = False
        self.reported = kind == "SHUFFLE_REPORT" and body["result"] != "match"

    def shoe(self, record, heads, name):
        ordered, reason = self.access_of(record), record["body"]["reason"]
        if reason == "voided":
            if ordered or not (self.reported or self.begins):  # else its machine's report voids it
                self.check(record, {"table-void": record["table"]}, heads, name)
        elif ordered:
            self.check(record, {"shoe-close": record["object"]}, heads, name)
        else:
            self.left = reason == "closed" and self.table["settled_by"] == "appliance"

    def access_of(self, record):
        cited = [self.evidence.by_seq.get(seq) for seq in record["cites"]]
        return next((one for one in cited if one and one["kind"] == "ACCESS"), None)

    def check(self, record, acts, heads, name, by=None, call=None):
        """`acts`: those that may order it, each with the object that it is about."""
        confirmed = self.access_of(record)
        need(confirmed, f"{name}: the ACCESS of its order is not cited, or not there")
        step = confirmed["body"]
        act = next((one for one, about in acts.items() if step["what"] == f"{one}.confirmed" and
                    step.get("object") == about), None)
        need(act and step["result"] == "allowed", f"{name}: an ACCESS that does not order it")
        need(by is None or step.get("by") == by, f"{name}: others than those who ordered it")
        if self.run == confirmed["seq"]:
            return
        self.persons(record, confirmed, act, acts[act], heads, name, call)
        self.run = confirmed["seq"]

    def persons(self, record, confirmed, act, about, heads, name, call):
        """One asked and another confirmed, both signed, for this state of the table."""
        asked, second = self.access_of(confirmed), confirmed["body"]
        need(asked, f"{name}: the ACCESS that asked for it is not cited, or not there")
        first = asked["body"]
        need(first["what"] == f"{act}.asked" and first.get("object") == about and
             first["result"] == "allowed" and "client" in asked and "client" in confirmed and
             "order" in first and "order" in second and
             first["order"]["head"] == second["order"]["head"],
             f"{name}: its ACCESS are not of one act")
        need(call is None or act != "draw-void" or call in asked["cites"],
             f"{name}: was asked for another CALL")
        need(first.get("by") == [asked["client"]["id"]] and
             second.get("by") == [asked["client"]["id"], confirmed["client"]["id"]],
             f"{name}: others than who asked and confirmed")
        by = []
        for one in (asked, confirmed):
            said = one["body"]["order"]
            need(one["client"]["spki"] == H(unbase64(said["key"])).hex(),
                 f"{name}: its ACCESS is of another key than signed it")
            by.append({"id": one["client"]["id"], **said})
        self.again.check_order({"head": first["order"]["head"], "by": by},
                               {"act": act, "object": about, "origin": record["origin"]}, heads,
                               name)


def before_shoe(call):
    """What a CALL of a mix cites from before its shoe."""
    core = call["body"]["core"]
    if core["use"] != "mix":
        return []
    own = int(core["object"].split("-")[1])
    return [seq for seq in call["cites"] if seq < own]


class ShoesBefore:
    """The end of the shoe before, which the first call of a shoe cites."""

    def __init__(self):
        self.close, self.shoe, self.number, self.before, self.called = None, None, 0, None, False

    def forget(self):
        self.close, self.shoe = None, None

    def take(self, record):
        if record["kind"] == "SHOE_CLOSE":
            self.close = record["seq"]
        if record["kind"] == "SHOE_COMMIT":
            self.shoe, self.number = record["object"], record["body"]["number"]
            self.before, self.called = self.close, False

    def check(self, record, name):
        """A CALL, before it is taken."""
        if record["body"]["core"]["use"] != "mix":
            return
        own = record["object"] == self.shoe
        first, cited = own and not self.called, before_shoe(record)
        self.called = self.called or own
        if not first or self.number == 1:
            need(not cited, f"shoe_before: {name}: not the first of a shoe behind another")
            return
        need(self.before is not None and cited == [self.before],
             f"shoe_before: {name}: the SHOE_CLOSE before its shoe is not cited, or not there")
