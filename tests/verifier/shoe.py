"""Shoes: commitment, cut, opened cards and the whole shuffle (FORMAT section 7)."""
from .cards import CARD_BYTES, deck_cards
from .tape import Tape, check_tape
from .text import D, H, HMAC, Refused, field, need, u32, unbase64, unhex
from .tree import leaf_hash, root_from_path, root_of


class Shoe:
    def __init__(self, evidence, name):
        self.evidence, self.name = evidence, name
        self.cut, self.dealt, self.openings, self.copies, self.closed = None, [], {}, {}, False

    def step(self, record):
        need(not self.closed, "the shoe was closed before")
        body, kind = record["body"], record["kind"]
        if kind == "SHOE_COMMIT":
            self.commit(body)
        elif kind == "SHOE_CUT":
            self.make_cut(record, body)
        elif kind == "CARD_DEAL":
            need(self.cut is not None and body["position"] == len(self.dealt) < self.n, "not the next position")
            self.dealt.append(body)
            if body["face"] == "open":
                self.open(body)
            if body["face"] == "covered":
                self.copies_of(body)
        elif kind == "CARD_OPEN":
            need(body["position"] < len(self.dealt), "not dealt yet")
            dealt = self.dealt[body["position"]]
            need(dealt["face"] == "covered" and dealt["place"] == body["place"] and body["position"] not in self.openings,
                 "no covered card lies there")
            self.open(body)
        elif kind == "SHOE_CLOSE":
            self.close(body)
        elif kind == "SHOE_RECOMMIT":
            raise Refused("recommitted shoes cannot be verified")

    def commit(self, body):
        self.evidence.context(body["context"])
        self.body, self.n, self.deck = body, body["cards"], deck_cards(body["deck"])
        self.root = unhex(body["root"])
        need(len(self.deck) == self.n and body["cut_min"] <= body["cut_max"] < self.n, "cards or cut bounds")
        need(body["stop_depth"] <= self.n, "stop depth")
        if body["cut"] == "rotation":
            need(body["cut_min"] == 0 and body["cut_max"] == self.n - 1, "a rotation covers the whole shoe")
        table = self.evidence.table
        if table["settled_by"] == "client" and "deck" in table["parameters"]:
            need(table["parameters"]["deck"] == body["deck"], "the table is opened for another deck")

    def make_cut(self, record, body):
        need(self.cut is None and self.body["cut"] != "none", "a second cut, or one where none belongs")
        need(body["root"] == self.body["root"], "the cut names another root")
        secret = unhex(body["secret"])
        need(H(D("cut-secret"), field(self.name), secret).hex() == self.body["cut_commitment"], "another cut secret")
        client = record.get("client", {}).get("id", "")
        tape = Tape(key=secret, purpose="cut", inputs=[self.name.encode(), self.root, unhex(body["nonce"], None), client.encode()])
        low, high = self.body["cut_min"], self.body["cut_max"]
        offset = low + tape.digits([high - low + 1])[0]
        need(offset == body["offset"], "the offset does not follow")
        check_tape(tape, body)
        self.cut = offset

    def copies_of(self, body):
        """Each copy is for the key that ROUND_OPEN names for its seat, else for the table's."""
        if not body["copies"]:
            return
        self.evidence.not_checked.append(f"{self.name}: what the ciphertexts of covered cards hold")
        chain = self.evidence.chain_of.get(body.get("round"))
        if "round" in body and chain is None:
            self.evidence.not_checked.append(f"{self.name}: whose keys covered cards were encrypted to")
            return
        named = {k["seat"]: H(unbase64(k["spki"])).hex() for k in chain[0]["body"].get("keys", [])} if chain else {}
        table = self.evidence.table_record.get("client", {}).get("spki")
        for copy in body["copies"]:
            need(copy["key"] == named.get(copy["seat"], table), "a copy is encrypted to another key than the seat's")
            if copy["seat"] not in named:
                self.evidence.not_checked.append(f"{self.name}: covered cards of seat {copy['seat']} went to the table's own key")

    def leaf(self, index, code, salt):
        return leaf_hash(D("shoe-leaf") + field(self.name) + u32(self.n) + u32(index) + bytes([code]) + salt)

    def open(self, body):
        need(body["leaf"] == (body["position"] + self.cut) % self.n, "leaf, position and cut disagree")
        leaf = self.leaf(body["leaf"], CARD_BYTES[body["card"]], unhex(body["salt"]))
        path = [unhex(h) for h in body["path"]]
        need(root_from_path(body["leaf"], self.n, leaf, path) == self.root, "the card does not open its leaf")
        self.openings[body["position"]] = body
        self.copies[body["card"]] = self.copies.get(body["card"], 0) + 1
        need(self.copies[body["card"]] <= self.deck.count(body["card"]), "more of a card than the deck has")

    def close(self, body):
        self.closed = True
        need(body["dealt"] == len(self.dealt), "another count was dealt")
        need(("key" in body) == (self.body["disclosure"] == "public"), "disclosure")
        if "key" not in body:
            return
        key, secret, tape_bytes = unhex(body["key"]), unhex(body["secret"]), unbase64(body["tape"])
        need(H(D("cut-secret"), field(self.name), secret).hex() == self.body["cut_commitment"], "another cut secret")
        need(HMAC(key, D("shoe-tape"), field(self.name), tape_bytes).hex() == self.body["tape_mac"], "another tape")
        tape, order = Tape(tape_bytes), list(self.deck)
        digits = tape.digits(list(range(2, self.n + 1)))
        for i, j in enumerate(digits, start=1):
            order[i], order[j] = order[j], order[i]
        need(tape.consumed() == tape_bytes, "the tape is longer than the shuffle")
        check_tape(tape, body)
        salts = [HMAC(key, D("shoe-salt"), field(self.name), u32(i)) for i in range(self.n)]
        root = root_of([self.leaf(i, CARD_BYTES[order[i]], salts[i]) for i in range(self.n)])
        need(root == self.root, "the order leads to another root")
        for opened in self.openings.values():
            need(order[opened["leaf"]] == opened["card"] and salts[opened["leaf"]].hex() == opened["salt"],
                 "a dealt card is not the one of the order")
        self.evidence.checked.append(f"{self.name}: the whole shuffle was run again and gives the committed order")

    def conclude(self):
        self.evidence.checked.append(f"{self.name}: {len(self.openings)} opened cards are the committed ones")
        if not self.closed or self.body["disclosure"] == "covered":
            left = self.n - len(self.openings)
            self.evidence.not_checked.append(f"{self.name}: composition of {left} unopened cards")
