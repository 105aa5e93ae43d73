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
from verifier.cards import CARD_BYTES, deck_cards  # noqa: E402
from verifier.covered import agree, gcm_open, hkdf, spki_of  # noqa: E402
from verifier.text import D, H, HMAC, field, u32  # noqa: E402

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
        self.point = whole[:65]
        self.shared = agree(self.key_path, self.point)
        head = self.open(0, whole[65:])
        self.report_key, rest = head[:32], head[32:]
        if self.release["form"] == "order":
            return [CARDS[byte] for byte in rest]
        return self.run_shelves(rest) if self.release["form"] == "shelf" else []

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
        return CARDS[self.open(number + 1, base64.b64decode(got["ciphertext"]))[0]]

    def targets(self):
        cards = []
        for number in range(self.release["cards"]):
            cards.append(self.target(number, cards[-1] if cards else None))
        return cards

    def code(self, place, card):
        data = D("shuffle-seen") + field(self.shoe) + u32(place) + bytes([CARD_BYTES[card]])
        return HMAC(self.report_key, data)[:16].hex()

    def report(self, cards, key=None, **flags):
        """None in the place of a card: not recognised."""
        seen = [self.code(place, card) if card else "" for place, card in enumerate(cards)]
        return self.client.post(self.path + "/report", {"seen": seen, **flags}, key or new_key())


def main(folder, port, machine, shoe):
    client = Client(folder, int(port), machine)
    shuffler = Shuffler(folder, int(port), machine, client.get("/v1/status")["origin"])
    cards = shuffler.take(shoe) or shuffler.targets()
    print(shuffler.report(cards)["report"]["result"])


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__.strip().splitlines()[-1])
    main(*sys.argv[1:])
