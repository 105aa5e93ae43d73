"""Commitments to shoes, at tables whose policy reaches the floor of a type certification or does
not (FORMAT section 14)."""
from verifier.certified import COMMITMENTS

DRAW = "places"  # the story of most tellings


def commitment_of(story):
    return next(one for one in story.records if one["kind"] in COMMITMENTS)


def to_its_commitment(story):
    """A table and its first shoe: what is mixed behind it would follow from another core."""
    story.records = [story.record("TABLE_OPEN"), story.record("SHOE_COMMIT")]
    opened, committed = story.records
    opened.update(seq=2, object="table-2")
    committed.update(seq=3, object="shoe-3", prev=2)
    for named in (opened, committed, committed["body"]):
        if "table" in named:
            named["table"] = "table-2"
    story.more["claim"] = 3


def at_table(floor):
    """A type with this floor."""
    return lambda case: case.type.update(policy=floor)


ONCE, EACH, PICKED = ({"candidates": 1, "mix": "shoe"}, {"candidates": 1, "mix": "round"},
                      {"candidates": 4, "mix": "shoe"})
# what is told: frozen bundle, code that must refuse it or nothing
SHOES = [
    ("a shoe as it is certified", "shoe", "", at_table(ONCE)),
    ("mixed more often than is certified", "rounds", "", at_table(ONCE)),
    ("mixed for each round", "rounds", "", at_table(EACH)),
    ("a public shoe under a floor of candidates", "shoe", "", at_table(PICKED)),
    ("candidates as they are certified", "candidates", "", at_table(PICKED)),
    ("a covered shoe of one root", "covered-again", "", at_table(ONCE)),
    ("a draw under a floor of shoes", DRAW, "", at_table({"candidates": 8, "mix": "round"})),
    ("mixed once where each round is certified", "shoe", "table", at_table(EACH)),
    ("candidates, and mixed once", "candidates", "table",
     at_table({"candidates": 4, "mix": "round"})),
    ("fewer candidates than are certified", "candidates", "table",
     at_table({"candidates": 5, "mix": "shoe"})),
    ("one root where candidates are certified", "covered-again", "table", at_table(PICKED)),
]
