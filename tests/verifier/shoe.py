"""Shoes: commitment, cut, opened cards, shuffles on the way and every shuffle at the end (FORMAT section 7)."""
from .cards import CARD_BYTES, deck_cards
from .tape import Tape, check_tape
from .text import D, H, HMAC, field, need, u32, unbase64, unhex
from .tree import leaf_hash, root_from_path, root_of


class Shoe:
    def __init__(self, evidence, name):
        self.evidence, self.name = evidence, name
        self.cut, self.dealt, self.openings, self.copies, self.closed = None, [], {}, {}, False
        self.layers, self.returned = [], []  # roots replaced: (body, root, n, cut, dealt, openings, returned)

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
            self.recommit(body)

    def take_root(self, body):
        self.evidence.context(body["context"])
        self.body, self.n, self.root = body, body["cards"], unhex(body["root"])
        need(body["cut_min"] <= body["cut_max"] < self.n and body["stop_depth"] <= self.n, "cut bounds or stop depth")
        if body["cut"] == "rotation":
            need(body["cut_min"] == 0 and body["cut_max"] == self.n - 1, "a rotation covers the whole shoe")

    def layer(self):
        return self.body, self.root, self.n, self.cut, self.dealt, self.openings, self.returned

    def recommit(self, body):
        before, returned = self.body, body["returned"]
        need(self.cut is not None and self.dealt and body["of"] == before["root"], "replaces another root, or too early")
        need(all(body[m] == before[m] for m in ("table", "number", "deck", "stop_depth", "disclosure"))
             and body["disclosure"] == "public" and body["cut"] != "none", "not of the same public shoe")
        need(returned == sorted(set(returned)) and all(p < len(self.dealt) for p in returned), "what goes back")
        need(body["positions"] == body["cards"] == self.n - len(self.dealt) + len(returned), "another number of cards")
        need(all(one["face"] != "covered" for one in self.dealt), "a shoe with covered cards")
        for position in returned:
            if position in self.openings:
                self.copies[self.openings[position]["card"]] -= 1
        self.layers.append(self.layer())
        self.cut, self.dealt, self.openings, self.returned = None, [], {}, returned
        self.take_root(body)

    def commit(self, body):
        self.take_root(body)
        self.deck = deck_cards(body["deck"])
        need(len(self.deck) == self.n, "cards")
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

    def leaf_data(self, n, index, code, salt):
        return D("shoe-leaf") + field(self.name) + u32(n) + u32(index) + bytes([code]) + salt

    def open(self, body):
        need(body["leaf"] == (body["position"] + self.cut) % self.n, "leaf, position and cut disagree")
        leaf = leaf_hash(self.leaf_data(self.n, body["leaf"], CARD_BYTES[body["card"]], unhex(body["salt"])))
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
        replaced = body.get("replaced", [])
        need(len(replaced) == len(self.layers), "each replaced root is opened")
        order = list(self.deck)
        for index, (opened, layer) in enumerate(zip(replaced + [body], self.layers + [self.layer()])):
            if index:
                _, _, n, cut, dealt, _, _ = self.layers[index - 1]
                order = [order[(p + cut) % n] for p in [*range(len(dealt), n), *layer[6]]]
            order = self.rerun(opened, layer, order)
        again = f", and {len(self.layers)} shuffles on the way," if self.layers else ""
        self.evidence.checked.append(f"{self.name}: the whole shuffle{again} was run again and gives the committed order")

    def rerun(self, opened, layer, order):
        body, committed, n, _, _, openings, _ = layer
        key, secret, tape_bytes = unhex(opened["key"]), unhex(opened["secret"]), unbase64(opened["tape"])
        need(H(D("cut-secret"), field(self.name), secret).hex() == body["cut_commitment"], "another cut secret")
        need(HMAC(key, D("shoe-tape"), field(self.name), tape_bytes).hex() == body["tape_mac"], "another tape")
        tape = Tape(tape_bytes)
        digits = tape.digits(list(range(2, n + 1)))
        for i, j in enumerate(digits, start=1):
            order[i], order[j] = order[j], order[i]
        need(tape.consumed() == tape_bytes, "the tape is longer than the shuffle")
        check_tape(tape, opened)
        salts = [HMAC(key, D("shoe-salt"), field(self.name), u32(i)) for i in range(n)]
        root = root_of([leaf_hash(self.leaf_data(n, i, CARD_BYTES[order[i]], salts[i])) for i in range(n)])
        need(root == committed, "the order leads to another root")
        for card in openings.values():
            need(order[card["leaf"]] == card["card"] and salts[card["leaf"]].hex() == card["salt"],
                 "a dealt card is not the one of the order")
        return order

    def conclude(self):
        count = len(self.openings) + sum(len(layer[5]) for layer in self.layers)
        self.evidence.checked.append(f"{self.name}: {count} opened cards are the committed ones")
        if self.layers:
            self.evidence.checked.append(f"{self.name}: shuffled again {len(self.layers)} times")
            self.evidence.not_checked.append(f"{self.name}: whether the cards that went back are those the rules name")
        if not self.closed or self.body["disclosure"] == "covered":
            left = self.n - len(self.openings)
            self.evidence.not_checked.append(f"{self.name}: composition of {left} unopened cards")
