"""What a shuffling machine signs of what it reports of the order released to it (FORMAT section
7)."""
from .calls import TableKey
from .chain_rules import head_of
from .contributors import has_signed
from .text import D, H, canonical, need, unbase64


def released_head(record):
    """What a report is signed for: the head with this SHOE_RELEASE."""
    return head_of(record, canonical(record))


def statement_of(record, head):
    body = {name: value for name, value in record["body"].items()
            if name not in ("key", "signature")}
    return D("report") + canonical({"head": head, "object": record["object"],
                                    "origin": record["origin"], "report": body,
                                    "table": record["table"]}).encode()


def check_signed(record, root):
    """It is the next one of its release, and the machine has signed it for that."""
    body = record["body"]
    need(record["cites"] == [root.release_seq], "report_uncited: not of the release of its root")
    need(body["number"] == len(root.reports) + 1, "report_number: not the next of its release")
    need(H(unbase64(body["key"])).hex() == root.release["order_known_to"],
         "report_key: another key than the order was given to")
    need(has_signed(TableKey, body, statement_of(record, root.released), body),
         "report_signature: not signed by its machine for this release")
