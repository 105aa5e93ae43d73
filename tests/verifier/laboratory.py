"""Orders for a laboratory, and files of outcomes of a table of class lab (FORMAT section 15)."""
import re

from .cards import deck_cards
from .shapes import specification
from .tape import Tape, fisher_yates
from .text import H, Refused, need

BYTES, DRAWS, SHOES = (64, 10485760), (1, 80000), (1, 3000)
NUMBER = "(0|[1-9][0-9]*)"
STEPS = ("asked", "confirmed", "done")


def table_of(text):
    """What a table of class lab draws from: its bounds, or its deck; None: it is no such table."""
    match = re.fullmatch("lab/[a-z0-9-]{1,64}/[a-z0-9-]{1,64}/([^:]*)", text)
    kind, _, what = match[1].partition("-") if match else ("", "", "")
    forms = {"wheel": NUMBER, "dice": f"{NUMBER}x{NUMBER}", "lots": f"{NUMBER}(?:-{NUMBER})*"}
    try:
        if kind == "shoe":
            return {"deck": deck_cards(what)}
        if not re.fullmatch(forms.get(kind, "(?!)"), what):
            return None
        numbers = [int(one) for one in re.split("[x-]", what)]
        drawn = {"wheel": {"kind": "wheel", "pockets": numbers[0]},
                 "dice": {"kind": "dice", "count": numbers[0], "faces": numbers[-1]},
                 "lots": {"kind": "lots", "bounds": numbers}}[kind]
        return {"bounds": specification(drawn), "faces": kind == "dice"}
    except (Refused, ValueError, IndexError):
        return None


def samples_of(said):
    """What an `object` orders: samples, how many, for whom; None: nothing."""
    match = re.fullmatch("([^:]*):([1-9][0-9]*):(.+)", said, re.S)
    if not match or len(match[2]) > 16:
        return None
    table, count = table_of(match[1]), int(match[2])
    if table is None and not re.fullmatch("bits|raw-[0-7]", match[1]):
        return None
    least, most = BYTES if table is None else SHOES if "deck" in table else DRAWS
    return {"samples": match[1], "count": count, "client": match[3], "table": table} \
        if least <= count <= most else None


def table_ordered(record):
    """The same of an ACCESS of an order for a table of class lab; of any other record None."""
    if record["kind"] != "ACCESS" or not record["body"]["what"].startswith("sampling-order."):
        return None
    ordered = samples_of(record["body"].get("object", ""))
    return ordered if ordered and ordered["table"] else None


def claim_words(ordered):
    return f"LABORATORY, not play: {ordered['count']} outcomes of the table " \
        f"{ordered['samples']} of class lab, for {ordered['client']}"


def outcome(table, bits, asked):
    """As a line says it; `asked`: leaf hash of the ACCESS that asked."""
    if "deck" in table:
        tape, cards = Tape(bits), list(table["deck"])
        try:
            fisher_yates(tape, cards)
        except Refused as why:
            raise Refused(f"wrong_mapping: {why}") from why
        need(8 * tape.used == len(bits), "wrong_mapping: bits are left over")
        return " ".join(cards)
    need(len(bits) == 32, "wrong_mapping: not the bits of one draw")
    digits = Tape(key=bits, purpose="lab", inputs=[asked]).digits(table["bounds"])
    return " ".join(str(digit + table["faces"]) for digit in digits)


def check_lines(text, ordered, asked):
    lines, seen = text.split("\n"), set()
    need(lines.pop() == "" and len(lines) == ordered["count"],
         "lab_outcomes: not as many as were ordered")
    for number, line in enumerate(lines, 1):
        bits, space, rest = line.partition(" ")
        need(space and re.fullmatch("([0-9a-f]{2})+", bits), f"lab_outcomes: line {number}")
        need(bits not in seen, f"lab_outcomes: line {number} has bits that were there before")
        seen.add(bits)
        need(outcome(ordered["table"], bytes.fromhex(bits), asked) == rest,
             f"wrong_mapping: line {number} does not follow from its bits")


def check(records, claim, asked, text):
    """The three steps of one order, and its outcomes (None: not shown). `asked`: leaf hash of the
    first. What was ordered."""
    ordered = table_ordered(claim)
    need(ordered is not None, "lab_file: orders no laboratory's table")
    need(len(records) == 3 and records[-1] is claim, "lab_file: not the three steps of an order")
    first = records[0]
    for step, record in zip(STEPS, records):
        need(record["kind"] == "ACCESS", "lab_file: no step of the order")
        body = record["body"]
        need(body["what"] == f"sampling-order.{step}" and body["result"] == "allowed" and
             body.get("object") == first["body"].get("object") and
             (record is first or record["cites"] == [first["seq"]]),
             f"lab_file: record {record['seq']} is another step, or of another order")
    need(claim["body"].get("by") == records[1]["body"].get("by"), "lab_file: other persons")
    if text is not None:
        need(H(text.encode()).hex() == claim["body"]["digest"],
             "lab_outcomes: the digest of other outcomes")
        check_lines(text, ordered, asked)
    return ordered
