"""A story of a log that also says what its appliance contributes to another one: written from
FORMAT section 8.

It is a frozen one with three ANSWERs behind its claim. Who answers is honest: the liar has every
key but that one, so an answer that is told otherwise is not signed."""
import copy
import json

from authority import canonical
from seats import Contributor
from story import Story, sha256

HOUSE = "house.example/talla-1"


def partnered(path, authority):
    """The story of the frozen bundle `path`, of draws, with a partner's answers."""
    with open(path, encoding="utf-8") as file:
        story = Story("partner", json.load(file))
    partner = Contributor(authority, "partner-2")
    opening = sha256(b"a TABLE_OPEN of the house")
    call, last = story.record("CALL"), story.records[-1]
    for turn in (1, 2, 4):
        core = {**copy.deepcopy(call["body"]["core"]), "origin": HOUSE, "turn": turn,
                "others": [partner.named(opening)]}
        envelope = {name: last[name] for name in ("v", "origin", "time", "time_quality", "boot")}
        story.records.append({**envelope, "seq": story.records[-1]["seq"] + 1, "kind": "ANSWER",
                              "client": copy.deepcopy(call["client"]), "cites": [],
                              "body": {"core": core, "opening": opening.hex(), "id": partner.name,
                                       **partner.opened(opening, core)}})
        story.cores.add(canonical(core))
    return story
