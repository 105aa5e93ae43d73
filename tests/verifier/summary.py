"""What a verdict says first: in words what is proven, then what is not (FORMAT section 9)."""
from .clauses import CLAUSES

OF_KIND = {"SHOE_MIX": "mix", "SHOE_CLOSE": "close", "DRAW": "draw", "VOID": "void",
           "BATCH_CLOSE": "unused", "SETTLEMENT": "cited"}


def kind_of(claim):
    if claim["kind"] in ("CARD_DEAL", "CARD_OPEN"):
        return "card" if "card" in claim["body"] else "place"
    return OF_KIND.get(claim["kind"], "recorded")


def said(keys):
    return "; ".join(CLAUSES[key].format(**values) for key, values in keys)


def lacks(witnessed, code, development, uncertified, lab="unproven_lab"):
    """Of every file: what it shows besides, and what it lacks."""
    proven, missing = [], []
    (proven if witnessed else missing).append(
        ("proven_witnessed" if witnessed else "unproven_history", {}))
    if code == 0:
        proven.append(("proven_certified", {}))
    else:
        missing.append((lab if code == 4 else uncertified, {}))
    missing += [("unproven_development", {})] if development else []
    return proven, missing


def of_bundle(evidence, joined, witnessed):
    """`joined`: who is in every result that the claim rests on; None: it rests on none."""
    proven, missing = [("proven_" + kind_of(evidence.claim), {})], []
    if joined is not None and kind_of(evidence.claim) not in ("void", "unused", "recorded"):
        proven.append(("proven_joined", {"count": len(joined)}) if joined else ("proven_alone", {}))
        missing.append(("unproven_people" if joined else "unproven_together", {}))
    if evidence.claim["kind"] == "SETTLEMENT":
        missing.append(("unproven_rules", {}))
    missing += [("unproven_catalogue", {})] if evidence.unknown_catalogue else []
    missing += [("unproven_cards", {})] if evidence.unopened else []
    if evidence.shown_from is not None:
        missing.append(("unproven_before", {"first": evidence.shown_from}))
    missing.append(("unproven_later", {}))
    more, less = lacks(witnessed, evidence.code(), evidence.development,
                       "unproven_uncertified" if evidence.certification else "unproven_unasked")
    return said(proven + more), said(missing + less)


def of_laboratory(shown, witnessed, development):
    """`shown`: the outcomes are in the file."""
    more, less = lacks(witnessed, 4, development, "", "unproven_lab_table")
    follows = [] if shown else [("unproven_follows", {})]
    return said([("proven_laboratory", {}), *more]), said(follows + less)


def of_receipt(witnessed, code, development, of_table=False):
    """`of_table`: of an order for a laboratory's table."""
    more, less = lacks(witnessed, code, development, "unproven_elsewhere",
                       "unproven_lab_table" if of_table else "unproven_lab")
    return said([("proven_logged", {}), *more]), said([("unproven_follows", {}), *less])
