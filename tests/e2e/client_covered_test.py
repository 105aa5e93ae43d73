#!/usr/bin/env python3
# Goal: the Python, C and node clients read covered cards that are for their own key, and no others;
#   a copy that is of another card is not believed; nor is a pick of another root than the call's,
#   or an opening of the others that shows no whole deck.
# Method: the real daemon; each client looks, also one that was restarted, then the card is turned;
#   copies are exchanged on their way.
#   usage: client_covered_test.py FOLDER_OF_PROGRAMS
import base64
import json
import os
import subprocess
import sys

from appliance import Appliance
from facts import hold

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "rngd", "sdk", "client", "python"))
from talla_calls import Shoes  # noqa: E402
from talla_client import Refused, Table  # noqa: E402
from talla_log import NotBelieved  # noqa: E402

COVERED = {"settled_by": "client", "deck": "spanish40x1", "candidates": 4}
NODE = """
import {{ Table }} from '{client}';
const table = await Table.open(process.argv[1]);
try {{
  console.log(JSON.stringify(await table.look(process.argv[2], Number(process.argv[3]))));
}} catch (error) {{
  console.log(error.name);
}}
table.close();
"""


def opened(appliance, count, seats):
    """A table's client with a shoe of which so many cards lie covered."""
    table = Table(f"{appliance.folder}/client")
    name = table.post("/v1/tables", COVERED)["table"]["id"]
    shoe = table.post(f"/v1/tables/{name}/shoes", {"disclosure": "covered"})["shoe"]["id"]
    table.mix(shoe)
    for position in range(count):
        seat = {"seat": seats[position % len(seats)]} if seats else {}
        table.post(f"/v1/shoes/{shoe}/deal", {"expected": position, "until": 1, "place": "hand",
                                              "face": "covered"} | seat)
    return table, shoe


def by_node(appliance, shoe, position):
    client = os.path.join(HERE, "..", "..", "rngd", "sdk", "client", "node", "index.js")
    done = subprocess.run(["node", "--input-type=module", "-e", NODE.format(client=client),
                           f"{appliance.folder}/client", shoe, str(position)], capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def by_c(appliance, shoe, position):
    done = subprocess.run([f"{sys.argv[1]}/client_table", f"{appliance.folder}/client", "look",
                           shoe, str(position)], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.strip()


def a_covered_card_is_read_and_is_the_one_that_is_turned(appliance):
    table, shoe = opened(appliance, 6, [3, 1])
    for position in range(6):
        seen, = table.look(shoe, position)
        again, = Table(f"{appliance.folder}/client").look(shoe, position)  # restarted
        assert again == seen and seen["seat"] == [3, 1][position % 2], (seen, again)
        assert json.loads(by_node(appliance, shoe, position)) == [seen]
        if os.path.exists(f"{sys.argv[1]}/client_table"):
            assert by_c(appliance, shoe, position) == (0, seen["card"]), seen
        turned = table.post(f"/v1/shoes/{shoe}/open", {"position": position})["revealed"][0]
        assert turned["card"] == seen["card"], (turned, seen)


def a_card_that_nobody_may_see_is_seen_by_nobody(appliance):
    table, shoe = opened(appliance, 1, None)
    try:
        table.look(shoe, 0)
    except (NotBelieved, Refused):
        assert by_node(appliance, shoe, 0) in ("NotBelieved", "Refused")
        return
    raise AssertionError("a card was seen that is for nobody")


def a_copy_of_another_card_is_not_believed(appliance):
    table, shoe = opened(appliance, 2, [3])
    true, other = (table.get(f"/v1/shoes/{shoe}/cards/{position}")["card"] for position in (0, 1))
    broken = bytearray(base64.b64decode(true["copies"][0]["ciphertext"]))
    broken[-1] ^= 1
    lies = [true | {"copies": other["copies"]}, true | {"place": "elsewhere"},
            true | {"copies": [true["copies"][0] | {"seat": 4}]}, true | {"copies": []},
            true | {"copies": [{"seat": 3, "ciphertext": base64.b64encode(broken).decode()}]},
            other]
    honest = table.get
    for lie in lies:
        table.get = lambda path, lie=lie: {"card": lie} if "/cards/" in path else honest(path)
        try:
            table.look(shoe, 0)
        except NotBelieved:
            continue
        raise AssertionError(f"believed: {lie}")
    table.get = honest
    assert len(table.look(shoe, 0)) == 1


def a_wrong_pick_or_opening_is_not_believed(appliance):
    table, shoe = opened(appliance, 1, [3])
    true = list(table.evidence.records_of(shoe))
    policy = lambda name: table.evidence.opening(name)["body"]["policy"]

    def read(lie=None, policy=policy):
        records = json.loads(json.dumps(true))
        if lie:
            lie({one["kind"]: one["body"] for one in records})
        found = Shoes(lambda name: records, lambda one: one["body"]["core"],
                      lambda core, openings: [], policy)
        return found.newest(shoe)

    def next_one(told):
        told["SHOE_MIX"]["picked"] = (told["SHOE_MIX"]["picked"] + 1) % 4

    def changed(told, kind, at, member, value):
        told[kind]["opened" if kind == "SHOE_MIX" else "candidates"][at][member] = value

    lies = [next_one, lambda told: told["SHOE_MIX"].pop("picked"),
            lambda told: told["SHOE_MIX"]["opened"].pop(),
            lambda told: told["SHOE_MIX"]["opened"].reverse(),
            lambda told: changed(told, "SHOE_MIX", 1, "key", "00" * 32),
            lambda told: changed(told, "SHOE_MIX", 0, "words_used", 99),
            lambda told: changed(told, "SHOE_MIX", 2, "tape", "AAAAAAAAAAA="),
            lambda told: told["SHOE_MIX"].update(root=told["SHOE_COMMIT"]["root"]),
            lambda told: told["SHOE_COMMIT"].update(root="00" * 32),
            lambda told: told["SHOE_COMMIT"]["candidates"].reverse(),
            lambda told: told["SHOE_COMMIT"]["candidates"].pop(),
            lambda told: changed(told, "SHOE_COMMIT", 0, "tape_mac", "00" * 32) or
            changed(told, "SHOE_COMMIT", 1, "tape_mac", "00" * 32)]
    assert len(read()["mix"]) == 40
    for at, lie in enumerate(lies):
        try:
            read(lie)
        except (NotBelieved, KeyError):
            continue
        raise AssertionError(f"believed: lie {at}")
    try:
        read(policy=lambda name: {"candidates": 8})
    except NotBelieved:
        return
    raise AssertionError("believed: half as many roots as the table asks for")


if __name__ == "__main__":
    with Appliance(sys.argv[1]) as real:
        real.start()
        failed = hold([a_covered_card_is_read_and_is_the_one_that_is_turned,
                       a_card_that_nobody_may_see_is_seen_by_nobody,
                       a_copy_of_another_card_is_not_believed,
                       a_wrong_pick_or_opening_is_not_believed], real)
    sys.exit(1 if failed else 0)
