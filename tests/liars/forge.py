"""Whole tables made from nothing by a liar who has every key but the contributors': own shuffles,
mixes, deals, bets and settlements of punto banco, all of it signed.

Where a story (story.py) changes records that were true, here everything follows from what was
changed. Bodies that say nothing of play (context, rules, certificates) are those of frozen
bundles."""
import base64
import copy
import hashlib
import hmac
import json
import os
import random

from authority import TABLE_KEY, canonical
from ordered import PERSONS, Person
from seats import field, u32
from story import head_of, path_of, root_of, sha256
from verifier.cards import CARD_BYTES, deck_cards
from verifier.tape import Tape, fisher_yates

FROZEN = os.path.dirname(TABLE_KEY)
BEGIN = 1767225600000000  # 2026-01-01, in microseconds
IN_PLAY = {"shoe": "in-play"}
PART_BYTES = 40000
BETS = [{"id": "b1", "kind": "punto", "seat": 1, "stake": 100},
        {"id": "b2", "kind": "banca", "seat": 2, "stake": 100}]
PLACES = ("punto-1", "banca-1", "punto-2", "banca-2")


def domain(name):
    return b"talla/v2/" + name.encode() + b"\0"


def digest(name, value):
    return sha256(domain(name), canonical(value).encode()).hex()


def mac(key, *parts):
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


def points(card):
    return "A23456789".find(card[0]) + 1


def burned(card):
    """Cards that are burned behind the one that is shown."""
    return points(card) or 10


def natural(cards):
    """Whether these first cards of a coup end it, with a winner."""
    punto, banca = (sum(map(points, cards[first::2])) % 10 for first in (0, 1))
    return max(punto, banca) >= 8 and punto != banca


class Shoe:
    """One root: `order` as it was committed, `mix` as it is dealt."""

    def __init__(self, name, cards, noise, arranged):
        self.name, self.key, self.count = name, noise.randbytes(32), len(cards)
        tape, self.order = Tape(noise.randbytes(8 * self.count)), list(cards)
        fisher_yates(tape, self.order)
        self.used, self.rejected, self.tape = tape.used, tape.rejected, tape.consumed()
        if arranged:
            self.order = arranged(self.order)
        own = field(name)
        self.salts = [mac(self.key, domain("shoe-salt"), own, u32(i)) for i in range(self.count)]
        self.leaves = [
            sha256(b"\0", domain("shoe-leaf"), own, u32(self.count), u32(i),
                   bytes([CARD_BYTES[card]]), self.salts[i]) for i, card in enumerate(self.order)]
        self.root = root_of(self.leaves).hex()
        self.tape_mac = mac(self.key, domain("shoe-tape"), own, self.tape).hex()
        self.mix, self.dealt, self.called = [], 0, False

    def card(self, position):
        return self.order[self.mix[position]]

    def first_coup(self):
        """Position behind the burns of a fresh shoe."""
        return 1 + burned(self.card(0))

    def opening(self, position):
        leaf = self.mix[position]
        return {"card": self.order[leaf], "leaf": leaf, "salt": self.salts[leaf].hex(),
                "path": [one.hex() for one in path_of(leaf, self.leaves)]}


class Table:
    """Records of one table, from its opening on. `frozen`: the bundle whose TABLE_OPEN it has;
    `policy`: what is told otherwise there; `people`: who contributes (seats.py)."""

    def __init__(self, authority, frozen="coup", people=(), **policy):
        with open(os.path.join(FROZEN, f"{frozen}.talla"), encoding="utf-8") as file:
            self.frozen = json.load(file)
        told = [json.loads(one["record"]) for one in self.frozen["records"]]
        self.like = {one["kind"]: one for one in told}
        self.authority, self.people, self.noise = authority, people, random.Random(1)
        self.records, self.texts, self.rounds, self.shoes = [], [], 0, 0
        opened = self.like["TABLE_OPEN"]
        opened.update(seq=0, cites=[], time=BEGIN, link="00" * 32)
        opened["body"]["policy"].update(policy)
        self.open, self.body, self.link, self.last = opened, opened["body"], None, None
        self.counts = {name: self.body[name] for name in ("turns", "voids", "early_closes")}
        self.shoe = self.state = self.closed = self.ended = None
        self.persons = {}
        self.reopen()

    def reopen(self, **members):
        """TABLE_OPEN, with these members told otherwise; before any other record."""
        self.records, self.texts = [], []
        self.body.update(members)
        self.before()
        self.name = f"table-{len(self.records)}"
        self.open.update(seq=len(self.records), object=self.name, table=self.name)
        self._push(self.open)
        self.opening = sha256(b"\0", self.texts[-1].encode())

    def before(self):
        """Records before its opening: none."""

    def _push(self, record):
        self.records.append(record)
        self.texts.append(canonical(record))
        if "link" in record:
            self.link = head_of(record["link"], self.texts[-1])
            self.last = record["seq"]

    def forget_last(self):
        """The last record, which is none any more: what comes next follows the one before."""
        record = self.records.pop()
        self.texts.pop()
        self.link, self.last = record["link"], record.get("prev")
        return record

    def add(self, kind, name, body, cites=()):
        """A record of the object `name`, which ends in a dash where this one opens it."""
        seq = len(self.records)
        name = f"{name}{seq}" if name.endswith("-") else name
        self._push({"body": body, "boot": 1, "cites": sorted(cites), "client": self.open["client"],
                    "kind": kind, "link": self.link, "object": name, "origin": self.open["origin"],
                    "prev": self.last, "seq": seq, "table": self.name, "time": BEGIN + 1000 * seq,
                    "time_quality": "synced", "v": 2})
        return self.records[-1]

    def order(self, act, about, head=None, cites=(), names=PERSONS, lie=lambda step, record: None):
        """Two persons order it, at the head of now: the seq of the ACCESS that confirms it. `lie`:
        changes a step before it is written."""
        said = {"act": act, "digest": "", "head": head or self.link, "object": about,
                "origin": self.open["origin"]}
        by, cites = [], list(cites)
        for name, step in zip(names, ("asked", "confirmed")):
            if name not in self.persons:
                self.persons[name] = Person(self.authority, name.rpartition(":")[2])
            person, seq = self.persons[name], len(self.records)
            by.append(name)
            spki = sha256(base64.b64decode(person.key)).hex()
            record = {"boot": 1, "cites": cites, "client": {"id": name, "spki": spki},
                      "kind": "ACCESS", "origin": self.open["origin"], "seq": seq,
                      "time": BEGIN + 1000 * seq, "time_quality": "synced", "v": 2,
                      "body": {"what": f"{act}.{step}", "result": "allowed", "object": about,
                               "by": list(by), "order": {"head": said["head"], "key": person.key,
                                                         "signature": person.signed(said)}}}
            lie(step, record)
            self._push(record)
            cites = [seq]
        return cites[0]

    # ---- Shoes

    def commit(self, arranged=None, **members):
        """A fresh shoe; `arranged`: how its cards lie whatever was shuffled."""
        self.shoes += 1
        body = copy.deepcopy(self.like["SHOE_COMMIT"]["body"])
        body["context"].update({name: self.body[name] for name in ("catalogue", "game", "variant")},
                               parameters=digest("parameters", self.body["parameters"]))
        body.update(members)
        cards = deck_cards(body["deck"])
        self.shoe = Shoe(f"shoe-{len(self.records)}", cards, self.noise, arranged)
        body.update(table=self.name, number=self.shoes, cards=len(cards), root=self.shoe.root,
                    tape_mac=self.shoe.tape_mac)
        self.add("SHOE_COMMIT", "shoe-", body)
        self.committed = body

    def recommit(self):
        """What was not dealt is shuffled again, and nothing goes back."""
        before = self.shoe
        left = [before.card(at) for at in range(before.dealt, before.count)]
        self.shoe = Shoe(before.name, left, self.noise, None)
        self.shoe.called = before.called
        self.committed = {**self.committed, "root": self.shoe.root, "tape_mac": self.shoe.tape_mac,
                          "cards": len(left), "positions": len(left), "of": before.root,
                          "rule": "07 II", "returned": []}
        self.add("SHOE_RECOMMIT", before.name, self.committed)

    def mix(self, suits=lambda shoe: True, bets=(), game="0"):
        """CALL and SHOE_MIX; the table tries its number until the order suits."""
        shoe, tried, stay = self.shoe, 0, self.shoe.mix[:self.shoe.dealt]
        left = sorted(set(range(shoe.count)) - set(stay))
        others = [one.named(self.opening) for one in self.people]
        while True:
            core = self._core(left, list(bets), game, others)
            openings = [one.opened(self.opening, core) for one in self.people]
            tape, mixed = self._tape(core, openings), list(left)
            fisher_yates(tape, mixed)
            shoe.mix, tried = stay + mixed, tried + 1
            if suits(shoe):
                break
            if tried > 10000 or self.people:
                raise RuntimeError("no such order is found")
        self.counts["turns"] += 1
        signature = self.authority.sign_call(canonical(core))
        call = self.add("CALL", shoe.name, {"core": core, "signature": signature},
                        [self.last, *([] if shoe.called or self.ended is None else [self.ended])])
        shoe.called = True
        self.add("SHOE_MIX", shoe.name, {
            "call": call["seq"], "openings": openings, "root": shoe.root, "words_used": tape.used,
            "words_rejected": tape.rejected, "tape_digest": sha256(tape.consumed()).hex()},
            [call["seq"]])

    @staticmethod
    def _tape(core, openings):
        return Tape(key=sha256(domain("core"), canonical(core).encode()), purpose="mix",
                    inputs=[bytes.fromhex(one["value"]) for one in openings])

    def _core(self, left, bets, game, others):
        rules = {name: self.body[name] for name in ("catalogue", "game", "variant")}
        return {"v": 2, "type": "talla-call", "origin": self.open["origin"], "table": self.name,
                "turn": self.counts["turns"] - self.body["turns"] + 1, "head": self.link,
                "use": "mix", "object": self.shoe.name, "root": self.shoe.root,
                "at": self.shoe.dealt,
                "round": game, "bets": digest("bets", bets), **rules,
                "parameters": digest("parameters", self.body["parameters"]),
                "specification": {"candidates": 1, "places": len(left)},
                "value": self.noise.randbytes(32).hex(), "others": others}

    def deal(self, place, face="open", game=None, cites=()):
        """The next card; `game`: the id of its round."""
        at, self.shoe.dealt = self.shoe.dealt, self.shoe.dealt + 1
        body = {"face": face, "place": place, "position": at}
        body.update({"round": game} if game else {})
        body.update(self.shoe.opening(at) if face == "open" else {})
        return self.add("CARD_DEAL", self.shoe.name, body, cites)

    def burn(self, less=0, game=None):
        """What the rules burn of a fresh shoe, or less; the seqs of these cards."""
        cites, count = [self.closed] if game else [], burned(self.shoe.card(0)) - less
        faces = [("burn", "open"), *[("basket", "unseen")] * count]
        return [self.deal(place, face, game, cites)["seq"] for place, face in faces]

    def close(self, reason, order=None):
        """`order`: the ACCESS that it cites, 0: none; else two persons order it where they must."""
        shoe, act = self.shoe, {"closed": "shoe-close", "voided": "table-void"}.get(reason)
        early = act and (reason == "voided" or self.body["settled_by"] == "appliance")
        if early and order is None:
            order = self.order(act, self.name if reason == "voided" else shoe.name)
        cites = [order] if order else []
        self.counts["early_closes"] += reason in ("closed", "voided")
        self.ended = self.add("SHOE_CLOSE", shoe.name, {
            "dealt": shoe.dealt, "reason": reason, "key": shoe.key.hex(),
            "tape": base64.b64encode(shoe.tape).decode(), "words_used": shoe.used,
            "words_rejected": shoe.rejected, "tape_digest": sha256(shoe.tape).hex()}, cites)["seq"]

    # ---- Rounds

    def begin(self, state=None, bets=True):
        """ROUND_OPEN and BETS_CLOSED; the id of the round."""
        ends = [one["seq"] for one in self.records if one["kind"] == "ROUND_END"]
        self.rounds += 1
        self.state = state or self.state or IN_PLAY
        opened = self.add("ROUND_OPEN", "round-", {
            "table": self.name, "number": self.rounds, "shoe": self.shoe.name,
            "state_before": digest("state", self.state)}, {self.open["seq"], *ends[-1:]})
        said = bets if isinstance(bets, list) else BETS if bets else []
        self.closed = self._parted("BETS_CLOSED", opened["object"], "bets", said, {
            "digest": digest("bets", said), "withdrawn": []})["seq"]
        return opened["object"]

    def _parted(self, kind, game, name, entries, rest, cites=()):
        """One record, or numbered parts of it where its list is long (FORMAT section 2)."""
        pieces, size = [[]], 0
        for one in entries:
            size += len(canonical(one)) + 1
            if size > PART_BYTES:
                pieces, size = [*pieces, []], len(canonical(one)) + 1
            pieces[-1].append(one)
        if len(pieces) == 1:
            return self.add(kind, game, {name: entries, **rest}, cites)
        for number, piece in enumerate(pieces, 1):
            self.add(kind, game, {name: piece, "part": number, "parts": len(pieces) + 1})
        return self.add(kind, game, {name: [], "part": len(pieces) + 1, "parts": len(pieces) + 1,
                                     **rest}, cites)

    def coup(self, game, bets=BETS):
        """Four cards that end a coup: results, state after it, what the settlement cites."""
        dealt = [self.deal(place, "open", game, [self.closed]) for place in PLACES]
        cards = [one["body"]["card"] for one in dealt]
        if not natural(cards):
            raise RuntimeError("the coup would go on")
        banca_wins = sum(map(points, cards[1::2])) % 10 > sum(map(points, cards[::2])) % 10
        results = []
        for bet in bets:
            wins = (bet["kind"] == "banca") == banca_wins
            commission = wins and banca_wins
            results.append({
                "bet": bet["id"], "kind": bet["kind"], "seat": bet["seat"], "stake": 100,
                "result": "win" if wins else "lose", "rule": "07 V" if commission else "07 VI.1",
                "returned": 195 if commission else 200 if wins else 0})
        after = {"banca": cards[1::2], "punto": cards[::2], "round_over": True, "settled": results,
                 "shoe": "in-play"}
        return results, after, [self.closed, *(one["seq"] for one in dealt)]

    def settle(self, game, results, after, cites):
        return self._parted("SETTLEMENT", game, "results", results, {
            "state_before": digest("state", self.state), "state_after": digest("state", after)},
            cites)

    def end(self, game, after, more=0):
        dealt = self.shoe.dealt if self.shoe else 0
        self.add("ROUND_END", game, {"state_after": digest("state", after), "dealt": dealt + more,
                                     **self.counts})
        self.state = after

    def told(self):
        """The text of the bundle; its claim is the last record."""
        leaves = [sha256(b"\0", text.encode()) for text in self.texts]
        more = {}
        if self.records[-1]["kind"] == "SETTLEMENT":
            more = {"catalogue": self.frozen["catalogue"], "state_before": self.state}
        return canonical({
            "v": 2, "type": "talla-bundle", "claim": len(leaves) - 1,
            "checkpoint": self.authority.checkpoint(len(leaves), root_of(leaves)),
            "log_key": self.authority.log_key,
            "records": [{"record": text, "path": [base64.b64encode(one).decode()
                                                  for one in path_of(seq, leaves)]}
                        for seq, text in enumerate(self.texts)], **more})
