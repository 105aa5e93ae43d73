"""A shuffling machine, as its maker would begin: reads the order released to it, takes targets,
reports what it saw.

Python's standard library and the `openssl` command; formats: certs/FORMAT.md, section 7, "Release
to a machine".

usage: shuffler.py FOLDER_OF_KEYS PORT MACHINE_ID SHOE     takes the order, plays a perfect machine,
prints the report
"""
import base64
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from appliance import Client, new_key  # noqa: E402
from calls import raw_signature  # noqa: E402
from verifier.cards import CARD_BYTES, deck_cards  # noqa: E402
from verifier.covered import agree, gcm_open, hkdf, spki_of  # noqa: E402
from verifier.chain_rules import head_of  # noqa: E402
from verifier.libcrypto import PrivateKey  # noqa: E402
from verifier.records import parse_record  # noqa: E402
from verifier.text import D, H, HMAC, canonical, field, u32  # noqa: E402

CARDS = {byte: card for card, byte in CARD_BYTES.items()}
TARGET_BYTES = 1 + 16


class Shuffler:
    def __init__(self, folder, port, machine, origin):
        self.client, self.machine, self.origin = Client(folder, port, machine), machine, origin
        self.key_path = f"{folder}/clients/{machine}.key"
        self.spki = spki_of(self.key_path)

    def take(self, shoe):
        """Reads what was released; the cards in order of dealing, as far as the form tells them."""
        self.shoe, self.path = shoe, f"/v1/shoes/{shoe}"
        self.release = self.client.get(self.path + "/release")["release"]
        whole = base64.b64decode(self.release["ciphertext"])
        self.check_release(whole)
        self.point = whole[:65]
        self.shared = agree(self.key_path, self.point)
        head = self.open(0, whole[65:])
        self.report_key, rest = head[:32], head[32:]
        self.known = []
        if self.release["form"] == "order":
            self.known = [CARDS[byte] for byte in rest]
        if self.release["form"] == "shelf":
            self.known = self.run_shelves(rest)
        self.given = self.release.get("targets", 0)
        self.number = self.release.get("report", {"number": 0})["number"] + 1
        for number in range(self.given):  # what was given before is given again
            self.target(number)
        return [] if self.release["form"] == "targets" else list(self.known)

    def check_release(self, whole):
        """What is signed for is this release, and no other: its head follows from its bytes."""
        text = self.release["record"]
        record = parse_record(text)
        body = record["body"]
        assert record["kind"] == "SHOE_RELEASE" and record["object"] == self.shoe and \
            record["origin"] == self.origin and body["machine"] == self.machine and \
            body["order_known_to"] == H(self.spki).hex(), record
        assert self.release["form"] == "targets" or body["ciphertext"] == H(whole).hex(), record
        self.seq, self.table, self.head = record["seq"], record["table"], head_of(record, text)

    def open(self, part, sealed):
        release = self.release
        info = (D("shoe-release") + field(self.origin) + field(self.shoe) + u32(
            release["recommits"])
                + bytes.fromhex(release["root"]) + field(self.machine) + H(self.spki) + field(
                    release["form"]) + self.point
                + u32(part))
        return gcm_open(hkdf(self.shared, info), info, sealed)

    def run_shelves(self, told):
        """A new deck runs through the compartments, pass by pass."""
        passes, rows = told[0], told[1:]
        cards, n = deck_cards(self.release["deck"]), self.release["cards"]
        for number in range(passes):
            row, shelves = rows[number * n:(number + 1) * n], [
                [] for _ in range(self.release["compartments"])]
            for card, compartment in zip(cards, row):
                shelves[compartment].append(card)
            cards = [card for shelf in shelves
                     for card in (shelf[::-1] if self.release["reverses"] else shelf)]
        return cards

    def target(self, number, before=None):
        """The card for this place; `before`: the card that lies at the place before."""
        body = {"target": number, **({"seen": self.code(number - 1, before)} if before else {})}
        got = self.client.post(self.path + "/targets", body)
        card = CARDS[self.open(number + 1, base64.b64decode(got["ciphertext"]))[0]]
        self.given = max(self.given, number + 1)
        self.known[number:number + 1] = [card]
        return card

    def targets(self):
        cards = []
        for number in range(self.release["cards"]):
            cards.append(self.target(number, cards[-1] if cards else None))
        return cards

    def code(self, place, card):
        data = D("shuffle-seen") + field(self.shoe) + u32(place) + bytes([CARD_BYTES[card]])
        return HMAC(self.report_key, data)[:16].hex()

    def found(self, cards, jam=False, lid=False):
        """What the report says (FORMAT section 7), and its codes; `cards` None: nothing seen."""
        body, codes = {"number": self.number, "recognised": 0, "result": "match"}, None
        if self.release["form"] == "targets":
            body["targets"] = self.given
        if cards is not None:
            codes = [self.code(place, card) if card else "" for place, card in enumerate(cards)]
            deck = sorted(deck_cards(self.release["deck"]))
            right = [card == known for card, known in zip(cards, self.known)]
            wrong = right.index(False) if False in right else len(right)
            seen = [card for card in cards if card in deck]
            whole = sorted(seen) == deck and len(cards) == len(deck)
            body.update(recognised=len(seen), census="complete" if whole else "wrong",
                        seen=H(D("shuffle-seen-list"),
                               *[field(bytes.fromhex(code)) for code in codes]).hex())
            if wrong < len(cards) or len(cards) < len(deck):
                body.update(position=wrong, result="mismatch")
        if jam or lid:
            body["result"] = "lid" if lid else "jam"
        return body, codes

    def signature(self, report):
        said = {"head": self.head, "object": self.shoe, "origin": self.origin, "report": report,
                "table": self.table}
        der = PrivateKey(self.key_path).sign(D("report") + canonical(said).encode())
        return base64.b64encode(raw_signature(der)).decode()

    def signed(self, cards, **flags):
        """Body of a report; None in the place of a card: not recognised."""
        report, codes = self.found(cards, **flags)
        return {**({} if codes is None else {"seen": codes}), **flags,
                "signature": self.signature(report)}

    def report(self, cards, key=None, **flags):
        got = self.client.post(self.path + "/report", self.signed(cards, **flags),
                               key or new_key())
        self.number = got["report"]["number"] + 1
        return got


def main(folder, port, machine, shoe):
    client = Client(folder, int(port), machine)
    shuffler = Shuffler(folder, int(port), machine, client.get("/v1/status")["origin"])
    cards = shuffler.take(shoe) or shuffler.targets()
    print(shuffler.report(cards)["report"]["result"])


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__.strip().splitlines()[-1])
    main(*sys.argv[1:])
