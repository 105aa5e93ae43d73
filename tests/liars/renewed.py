"""Lies about keys that change: of a table that is opened again with another key, and of a log whose
key is announced by the one before (FORMAT sections 5 and 8). The liar has all of them, the old ones
too; whatever else a lie touches is signed anew."""
import base64
import json
import os

from authority import TABLE_KEY, canonical
from story import Story, consistency_of, path_of, root_of, sha256, spelled

NAME = "renewed"
HERE = os.path.dirname(os.path.abspath(__file__))
FROZEN = os.path.dirname(TABLE_KEY)
RENEWED_KEY = os.path.join(HERE, "renewed.key")  # of the table, from its second opening on
KEY_SEQ = 9  # among records that the story leaves out


def renewed(path, authority):
    """The story of the frozen bundle `path`, of a place that is opened again: by another key of its
    table, before the log's key changes."""
    with open(path, encoding="utf-8") as file:
        story = Story(NAME, json.load(file))
    opening = story.record("TABLE_OPEN")
    spki = authority.openssl("pkey", "-in", RENEWED_KEY, "-pubout", "-outform", "DER")
    certificate = authority.openssl("req", "-x509", "-key", RENEWED_KEY, "-subj", "/CN=table",
                                    "-sha256", "-days", "365", "-outform", "DER")
    opening["body"].update(key=base64.b64encode(spki).decode(),
                           chain=[base64.b64encode(certificate).decode()])
    client = {**opening["client"], "spki": sha256(spki).hex()}
    for record in story.records:
        if record["kind"] != "TABLE_CLOSE":
            record["client"] = dict(client)
    envelope = {name: opening[name] for name in ("v", "origin", "time", "time_quality", "boot")}
    story.change = {**envelope, "kind": "KEY", "seq": KEY_SEQ, "cites": [],
                    "body": {"purpose": "log"}}
    story.signers = {opening["object"]: RENEWED_KEY}
    return story


class Renewed(Story):
    """One lie: `records` changes the story, `keys` what shows the change of the log's key."""

    def __init__(self, story, keys=None, records=None):
        self.__dict__.update(story.copy().__dict__)
        self.keys = keys
        if records is not None:
            records(self)

    def signed(self, authority, leaves):
        signed = super().signed(authority, leaves)
        if self.keys is not None:
            self.keys(authority, leaves, signed)
        return signed


def first_key():
    """What a TABLE_OPEN says of the tables' first key, and its client."""
    with open(os.path.join(FROZEN, "draw.talla"), encoding="utf-8") as file:
        opening = Story("draw", json.load(file)).record("TABLE_OPEN")
    return opening["body"]["key"], opening["body"]["chain"], opening["client"]


def table_lies():
    key, chain, client = first_key()

    def opened(*members):
        def change(story):
            opening = story.record("TABLE_OPEN")
            opening["body"].update({name: value for name, value in (("key", key), ("chain", chain))
                                    if name in members})
            if "client" in members:
                opening["client"] = client
        return change

    def signed_by_old(story):
        story.signers = {}

    def asked_by_old(kind):
        def change(story):
            story.record(kind)["client"] = client
        return change

    yield "TABLE_OPEN 1 under the key before", opened("key")
    yield "TABLE_OPEN 1 with the certificates before", opened("chain")
    yield "TABLE_OPEN 1 by the client before", opened("client")
    yield "TABLE_OPEN 1 under key and certificates before", opened("key", "chain")
    yield "TABLE_OPEN 1 with all of the key before", opened("key", "chain", "client")
    yield "CALL 1 signed by the key before", signed_by_old
    yield "CALL 1 by the client before", asked_by_old("CALL")
    yield "DRAW 1 by the client before", asked_by_old("DRAW")


def shown(signed):
    return signed["key_changes"][0]


def reannounced(authority, leaves, signed, body, **members):
    """KEY says this instead; tree, checkpoints and paths are those of what it says."""
    change = shown(signed)
    record = json.loads(change["record"])
    record["body"] = body
    record.update(members)
    change["record"], at = canonical(record), record["seq"]
    leaves[at] = sha256(b"\0", change["record"].encode())
    own = at + 1
    change.update(checkpoint=authority.checkpoint(own, root_of(leaves[:own])),
                  path=spelled(path_of(at, leaves[:own])),
                  consistency=spelled(consistency_of(own, leaves)))
    signed["checkpoint"] = authority.checkpoint(len(leaves), root_of(leaves), renewed=True)


def log_lies():
    third = sha256(b"a key of nobody's")

    def with_statement(make):
        """The log's present key as another statement has it, announced as such."""
        def change(authority, leaves, signed):
            signed["log_key"] = make(authority)
            reannounced(authority, leaves, signed,
                        {"purpose": "log", "log_key": signed["log_key"]})
        return change

    def old_key_signs(authority, leaves, signed):
        signed["checkpoint"] = authority.checkpoint(len(leaves), root_of(leaves))

    def old_key_alone(authority, leaves, signed):
        old_key_signs(authority, leaves, signed)
        signed["log_key"] = authority.log_key
        del signed["key_changes"]

    def not_shown(_, __, signed):
        del signed["key_changes"]

    def announces_another(authority, leaves, signed):
        other = authority.log_key_of(third, authority.public)
        reannounced(authority, leaves, signed, {"purpose": "log", "log_key": other})

    def of_a_client(authority, leaves, signed):
        reannounced(authority, leaves, signed,
                    {"purpose": "client", "id": "talla:table-1", "action": "enrol",
                     "roles": ["table"], "spki": "0" * 64})

    def too_late(authority, leaves, signed):
        change = shown(signed)
        own = json.loads(change["record"])["seq"] + 1
        change.update(checkpoint=authority.checkpoint(own + 1, root_of(leaves[:own + 1])),
                      path=spelled(path_of(own - 1, leaves[:own + 1])),
                      consistency=spelled(consistency_of(own + 1, leaves)))

    def signed_by_the_next(authority, leaves, signed):
        own = json.loads(shown(signed)["record"])["seq"] + 1
        shown(signed)["checkpoint"] = authority.checkpoint(own, root_of(leaves[:own]), renewed=True)

    def another_place(_, leaves, signed):
        own = json.loads(shown(signed)["record"])["seq"] + 1
        shown(signed)["path"] = spelled(path_of(own - 2, leaves[:own]))

    def another_history(authority, leaves, signed):
        own = json.loads(shown(signed)["record"])["seq"] + 1
        others = [sha256(leaf) for leaf in leaves[:own - 1]] + [leaves[own - 1]]
        shown(signed).update(checkpoint=authority.checkpoint(own, root_of(others)),
                             path=spelled(path_of(own - 1, others)))

    def twice(_, __, signed):
        signed["key_changes"] *= 2

    def old_statement(make):
        def change(authority, _, signed):
            shown(signed)["log_key"] = make(authority)
        return change

    def of_another_log(authority, leaves, signed):
        body = json.loads(shown(signed)["record"])["body"]
        reannounced(authority, leaves, signed, body, origin="casino.example/talla-2")

    yield "KEY 1 and the old key signs after", old_key_signs
    yield "KEY 1 forgotten by the old key", old_key_alone
    yield "KEY 1 not shown", not_shown
    yield "KEY 1 shown twice", twice
    yield "KEY 1 for another key", announces_another
    yield "KEY 1 for a client", of_a_client
    yield "KEY 1 in another log", of_another_log
    yield "KEY 1 with a record behind it", too_late
    yield "KEY 1 signed by the next key", signed_by_the_next
    yield "KEY 1 at another place", another_place
    yield "KEY 1 in another history", another_history
    yield "KEY 1 for a key that follows none", with_statement(
        lambda one: one.log_key_of(one.next_public()))
    yield "KEY 1 for a key that follows another", with_statement(
        lambda one: one.log_key_of(one.next_public(), third))
    yield "KEY 1 for a key of another log", with_statement(
        lambda one: one.log_key_of(one.next_public(), one.public, origin="casino.example/talla-2"))
    yield "KEY 1 for a key that the root signed", with_statement(
        lambda one: one.log_key_of(one.next_public(), one.public, signer="root.key"))
    yield "KEY 1 under a key that follows another", old_statement(
        lambda one: one.log_key_of(one.public, third))
    yield "KEY 1 under another key", old_statement(
        lambda one: one.log_key_of(third))
    yield "KEY 1 under a key that the root signed", old_statement(
        lambda one: one.log_key_of(one.public, signer="root.key"))


def lies(stories):
    """(name, story)."""
    story = next(one for one in stories if one.name == NAME)
    for name, records in table_lies():
        yield f"{NAME}: {name}", Renewed(story, records=records)
    for name, keys in log_lies():
        yield f"{NAME}: {name}", Renewed(story, keys=keys)
