#!/usr/bin/env python3
# Goal: while a shoe is open nothing outside the daemon's memory tells a card that was not opened,
#   nor what would tell it.
# Method: everything on disk, in the log, on the pages and in every reply is kept while a shoe and a
#   batch are open; then they are closed, the truth is computed from what SHOE_CLOSE and BATCH_CLOSE
#   open (tests/unit/shuffle/replay.py), and every 8-byte window of it is looked for in what was
#   kept, raw and in the usual spellings.
#   usage: secrecy_test.py FOLDER_OF_PROGRAMS
import base64
import json
import os
import sys

sys.path.insert(0,
                os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "unit",
                             "shuffle"))
import replay  # noqa: E402
from calls import draw_body, mix_body  # noqa: E402
from appliance import record_of  # noqa: E402
# noqa: E402
from facts import SHOE, WHEEL, deal, game_table, main, mix_of, new_batch, open_table

WINDOW = 8


class Kept:
    """Everything seen so far, by name."""

    def __init__(self, appliance):
        self.appliance, self.seen = appliance, {}

    def reply(self, name, value):
        self.seen[f"reply {name} {len(self.seen)}"] = value if isinstance(value,
                bytes) else json.dumps(value).encode()
        return value

    def disk(self, when):
        folders = [f"{self.appliance.folder}/data", self.appliance.log_path]
        for top in folders:
            paths = [top] if os.path.isfile(top) else [os.path.join(at, name) for at, _,
                                                       names in os.walk(top) for name in names]
            for path in paths:
                with open(path, "rb") as source:
                    self.seen[
                        f"{when}: {os.path.relpath(path, self.appliance.folder)}"] = source.read()

    def pages(self, shoe, table):
        for name in ("talla:table-1", "talla:auditor-1", "talla:operator-1"):
            client = self.appliance.client(name)
            size = client.get("/v1/status")["size"]
            paths = ["/v1/status", "/v1/tables", f"/v1/tables/{table}", f"/v1/shoes/{shoe}",
                     "/v1/events?limit=1000", "/metrics", "/readyz", "/v1/checkpoint"]
            paths += [f"/v1/{kind}/{seq}" for kind in ("receipts", "bundles")
                      for seq in range(size)]
            for path in paths:
                self.reply(f"{name} {path}", client.send("GET", path)[1])


def spellings(secret):
    """Windows of a secret as bytes, hex and base64."""
    found = set()
    for at in range(len(secret) - WINDOW + 1):
        part = secret[at:at + WINDOW]
        found |= {part, part.hex().encode(), part.hex().upper().encode()}
    for shift in range(3):
        text = base64.b64encode(secret[shift:]).rstrip(b"=")
        for alphabet in (text, text.replace(b"+", b"-").replace(b"/", b"_")):
            found |= {alphabet[at:at + 11] for at in range(0, len(alphabet) - 13)}
    return found


def card_spellings(cards):
    """Windows of an order of cards as codes in a row, with spaces, as JSON, and as card bytes."""
    found = set()
    for join in ("", " ", '","', '", "'):
        found |= {join.join(cards[at:at + 4]).encode() for at in range(len(cards) - 3)}
    codes = bytes(replay.french(1).index(card) for card in cards)
    return found | spellings(codes)


FEW = 30  # patterns that are faster looked for one by one


def holds(data, patterns, length):
    """Whether one of the patterns, all of this length, is in the data. Of many each place is looked
    up among them: secrets have ten thousands of windows."""
    if len(patterns) < FEW:
        return any(pattern in data for pattern in patterns)
    return any(data[at:at + length] in patterns for at in range(len(data) - length + 1))


def search(kept, patterns):
    """The names under which something was kept that has one of the patterns in it."""
    lengths = {}
    for pattern in patterns:
        lengths.setdefault(len(pattern), set()).add(pattern)
    found = {}
    for data in set(kept.values()):  # a page is the same for several clients
        found[data] = any(holds(data, some, length) for length, some in lengths.items())
    return [name for name, data in kept.items() if found[data]]


def no_interface_file_or_log_tells_a_card_before_its_opening(appliance):
    client, kept = appliance.client(), Kept(appliance)
    table = open_table(client, SHOE)
    shoe = kept.reply("shoe", client.post(f"/v1/tables/{table}/shoes"))["shoe"]
    draws = open_table(client, WHEEL)
    batch = kept.reply("batch", new_batch(client, draws, 8))
    kept.reply("draw", client.post("/v1/draws", draw_body(client, draws, batch)))
    kept.disk("before the mix")
    mixed = kept.reply("mix",
                       client.post(f"/v1/shoes/{shoe['id']}/mix", mix_body(client, shoe["id"])))
    kept.reply("cards", deal(client, shoe["id"], 0, 10))
    kept.reply("unseen", deal(client, shoe["id"], 10, 3, face="unseen"))
    game = game_table(client, "punto-banco")
    sealed = client.post(f"/v1/tables/{game}/shoes")["shoe"]
    client.post(f"/v1/shoes/{sealed['id']}/mix", mix_body(client, sealed["id"]))
    kept.reply("burn",
               client.post(f"/v1/shoes/{sealed['id']}/deal", {"expected": 0, "until": "needs"}))
    kept.pages(shoe["id"], table)
    kept.disk("in play")
    client.close()
    appliance.kill()
    kept.disk("after kill -9")
    appliance.start()
    kept.pages(shoe["id"], table)
    kept.disk("after the restart")
    closed = client.post(f"/v1/shoes/{shoe['id']}/close")
    opened = record_of(closed, "SHOE_CLOSE")["body"]
    key, tape = bytes.fromhex(opened["key"]), base64.b64decode(opened["tape"])
    order = replay.permutation(replay.entropy_tape(tape), replay.french(8))
    dealt_order = [order[leaf] for leaf in mix_of(record_of(mixed, "CALL")["body"]["core"],
                                                     record_of(mixed, "SHOE_MIX")["body"])]
    shown = [card["card"]
             for card in json.loads(kept.seen[[name for name in kept.seen
                                               if name.startswith("reply cards")][0]])["cards"]]
    assert dealt_order[:10] == shown, "the order computed from the tape is the one that was dealt"

    for name, patterns in (("K", spellings(key)), ("tape", spellings(tape)),
                           ("order", card_spellings(dealt_order[10:]) | card_spellings(order))):
        found = search(kept.seen, patterns)
        assert not found, f"{name} of the open shoe is in: {found}"

    client.close()  # the search took longer than a connection may rest
    other = record_of(client.post(f"/v1/tables/{game}/close"), "SHOE_CLOSE")["body"]
    hidden = replay.permutation(replay.entropy_tape(base64.b64decode(other["tape"])),
                                replay.french(8))
    found = search(kept.seen, spellings(bytes.fromhex(other["key"])) | card_spellings(hidden))
    assert not found, f"the shoe of the game is in: {found}"

    client.close()
    unused = record_of(client.post(f"/v1/tables/{draws}/close"), "BATCH_CLOSE")["body"]["secrets"]
    assert len(unused) == 7, unused
    found = search(kept.seen, set().union(*[spellings(bytes.fromhex(one)) for one in unused]))
    assert not found, f"an unused draw secret is in: {found}"

    # The same search finds what is open now: it can find.
    after = Kept(appliance)
    after.disk("closed")
    after.reply("closed", closed)
    assert search(after.seen,
                  {bytes.fromhex(opened["key"]).hex().encode()}) and search(after.seen,
            spellings(tape)), "the search finds nothing at all"


def a_covered_card_is_with_its_key_alone_until_it_is_opened(appliance):
    client, kept = appliance.client(), Kept(appliance)
    table = open_table(client, SHOE)
    shoe = kept.reply("shoe",
                      client.post(f"/v1/tables/{table}/shoes", {"disclosure": "covered"}))["shoe"]
    client.post(f"/v1/shoes/{shoe['id']}/mix", mix_body(client, shoe["id"]))
    for position in range(4):
        body = {"expected": position, "until": 1, "place": f"hand-{position}", "face": "covered",
                "seat": 1 + position % 2}
        dealt = kept.reply("covered", client.post(f"/v1/shoes/{shoe['id']}/deal", body))
        assert "card" not in dealt["cards"][0], dealt["cards"]
    copies = [client.get(f"/v1/shoes/{shoe['id']}/cards/{position}")["card"]["copies"]
              for position in range(4)]
    again = [client.get(f"/v1/shoes/{shoe['id']}/cards/{position}")["card"]["copies"]
             for position in range(4)]
    assert copies == again, "a copy is read again as it is"
    kept.reply("copies", copies)
    kept.pages(shoe["id"], table)
    for name in ("talla:auditor-1", "talla:operator-1"):
        status, text = appliance.client(name).send("GET", f"/v1/shoes/{shoe['id']}/cards/0")
        kept.reply(f"{name} asks", text)
        assert status == 403, (name, status, text)
    kept.disk("in play")
    client.close()
    appliance.kill()
    kept.disk("after kill -9")
    appliance.start()
    assert [client.get(f"/v1/shoes/{shoe['id']}/cards/{position}")["card"]["copies"]
            for position in range(4)] == copies
    kept.pages(shoe["id"], table)
    ciphertexts = [base64.b64decode(copy["ciphertext"]) for one in copies for copy in one]
    # A copy's length is that of the leaf's number and path, which every reader of the log knows.
    assert len(ciphertexts) == 4
    stored = {name: data for name, data in kept.seen.items() if not name.startswith("reply ")}
    found = search(stored, set().union(*[spellings(one) for one in ciphertexts]))
    assert not found, f"a copy lies unsealed in {found}"
    client.close()  # the search took longer than a connection may rest
    opened = [record_of(client.post(f"/v1/shoes/{shoe['id']}/open", {"position": position}),
                        "CARD_OPEN")["body"] for position in (0, 1)]
    for one in opened:
        found = search(kept.seen, spellings(bytes.fromhex(one["salt"])))
        assert not found, \
            f"the opening of position {one['position']} was in {found} before it was opened"
    client.close()
    closed = kept.reply("closed", client.post(f"/v1/shoes/{shoe['id']}/close"))
    assert "key" not in record_of(closed, "SHOE_CLOSE")["body"], "a covered shoe keeps its secrets"
    kept.disk("closed")
    after = search(kept.seen, {opened[0]["salt"].encode()})
    assert after, "the search finds nothing at all"
    status, _ = client.send("GET", f"/v1/shoes/{shoe['id']}/cards/0")
    assert status == 404, "the copies end with the shoe"


def closed_shoes_leave_no_sealed_secret_behind(appliance):
    import sqlite3
    for table in appliance.client().get("/v1/tables")["tables"]:
        appliance.client().post(f"/v1/tables/{table['id']}/close")
    assert appliance.stop() == 0
    with sqlite3.connect(f"file:{appliance.folder}/data/ledger.db?mode=ro", uri=True) as ledger:
        kept = ledger.execute("SELECT kind, count(*) FROM sealed GROUP BY kind").fetchall()
        assert kept == [("SHOE_CLOSE", 1)], \
            f"only the covered shoe's secret is kept, for the auditor: {kept}"
    appliance.start()


if __name__ == "__main__":
    main([no_interface_file_or_log_tells_a_card_before_its_opening,
          a_covered_card_is_with_its_key_alone_until_it_is_opened,
          closed_shoes_leave_no_sealed_secret_behind])
