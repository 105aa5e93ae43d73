"""Records left out, told twice or in another order, with numbers, citations and links that fit what
is told: only the story is wrong."""
import copy
import re

ID = re.compile(r"(table|round|shoe|batch|meter)-(\d+)")


def renumbered(value, seqs):
    """A member with the numbers in it by their new ones; ids follow their opening record."""
    if isinstance(value, dict):
        return {key: renumbered(inner, seqs) for key, inner in value.items()}
    if isinstance(value, list):
        return [renumbered(inner, seqs) for inner in value]
    found = ID.fullmatch(value) if isinstance(value, str) else None
    return f"{found[1]}-{seqs(int(found[2]))}" if found else value


def chained(records):
    """`prev` of the records of a table is the one before, also where one was put in or out."""
    last = None
    for record in records:
        if "prev" in record and last is not None:
            record["prev"] = last["seq"]
        if "link" in record:
            last = record


def moved(story, order, number):
    """The story with these records in this order, counted from the first record's number on."""
    told = story.copy()
    shift = {}  # of a record that is told twice, the first counts
    for at, record in enumerate(order):
        shift.setdefault(record["seq"], number + at)

    def seqs(seq):
        return shift.get(seq, seq)
    told.records = []
    for at, record in enumerate(order):
        one = {**copy.deepcopy(record), "seq": number + at}
        one["cites"] = sorted({seqs(seq) for seq in record["cites"]})
        one.update({name: renumbered(record[name], seqs)
                    for name in ("object", "table", "body") if name in record})
        if "call" in one["body"]:
            one["body"]["call"] = seqs(one["body"]["call"])
        if "meter_prev" in one:
            one["meter_prev"] = seqs(one["meter_prev"])
        told.records.append(one)
    times = sorted(record["time"] for record in told.records)
    for record, time in zip(told.records, times):
        record["time"] = time
    if told.records[0]["kind"] == "TABLE_OPEN":
        chained(told.records)
    told.more["claim"] = seqs(story.more["claim"])
    return told


def whole(stories):
    """Stories whose records have all numbers from the first on: those that can be counted anew."""
    for story in stories:
        seqs = [record["seq"] for record in story.records]
        if seqs == list(range(seqs[0], seqs[0] + len(seqs))):
            yield story


def lies(stories):
    """(name, story)."""
    for story in whole(stories):
        records, begin, seen = story.records, story.records[0]["seq"], {}
        for at, record in enumerate(records):
            kind = record["kind"]
            nth = seen[kind] = seen.get(kind, 0) + 1
            if nth > 2:
                continue
            which = f"{story.name}: {kind} {nth}"
            if record["seq"] != story.more["claim"]:
                yield f"{which} kept back", _without(story, at)
                yield f"{which} left out", moved(story, records[:at] + records[at + 1:], begin)
            yield f"{which} told twice", moved(
                story, records[:at + 1] + [copy.deepcopy(record)] + records[at + 1:], begin)
            if at + 1 < len(records) and records[at + 1]["seq"] != story.more["claim"]:
                order = records[:at] + [records[at + 1], record] + records[at + 2:]
                yield f"{which} behind the next", moved(story, order, begin)


def _without(story, at):
    told = story.copy()
    del told.records[at]
    return told
