"""Shoes: commitment, mix, opened cards, shuffles on the way and every shuffle at the end (FORMAT
section 7)."""
from .calls import digest_of
from .cards import CARD_BYTES, deck_cards
from .contributors import values_of
from .records import ends_content, is_lapsed
from .reports import check_signed, released_head
from .tape import Tape, check_tape, fisher_yates
from .text import D, H, HMAC, Refused, field, need, u32, unbase64, unhex
from .tree import leaf_hash, root_from_path, root_of


RECOMMITS_MAX = 48


def mix_of(core, body, before=None):
    """The order of dealing that a SHOE_MIX stands for: dealt position p is leaf mix[p]. `before`:
    the mix until then, whose dealt leaves stay; None: it is the first."""
    tape = Tape(key=digest_of(core), purpose="mix", inputs=values_of(body["openings"]))
    stay = before[:core["at"]] if before else []
    left = sorted(set(range(len(stay) + core["specification"]["places"])) - set(stay))
    pick_of(tape, core)
    fisher_yates(tape, left)
    check_tape(tape, body)
    return stay + left


def pick_of(tape, core):
    """The candidate that the tape of a mix picks, before the order; None: there is one root."""
    count = core["specification"]["candidates"]
    return tape.digits([count])[0] if count > 1 else None


class Root:
    """One commitment of the shoe, its mix, what was dealt under it, what of that was opened and
    what went back since."""

    def __init__(self, body, returned=(), older=()):
        self.n = body["cards"]
        self.become(body)
        self.returned, self.older = returned, older
        self.core, self.mix, self.dealt, self.openings, self.gone = None, None, [], {}, set()
        self.due = True  # a mix, before the next card
        self.burned, self.played = 0, False  # cards dealt outside rounds, and whether in one
        self.release, self.released, self.reports = None, None, []

    def become(self, body):
        self.body, self.root = body, unhex(body["root"])

    @property
    def candidates(self):
        """Roots that the next mix picks from; none: there is one."""
        return self.body.get("candidates", [])

    def picked(self, index):
        """Its commitment when this candidate was picked."""
        return {name: value for name, value in self.body.items() if name != "candidates"} | \
            self.candidates[index]

    def at(self, order, position):
        return order[self.mix[position]]


class Shoe:
    def __init__(self, evidence, name):
        self.evidence, self.name = evidence, name
        self.roots, self.copies, self.closed, self.opened = [], {}, False, False
        self.shown = False  # at its close
        self.each_round = evidence.table["policy"]["mix"] == "round"
        # roots of its SHOE_COMMIT; whether a call ended, of its own or one that lapsed, before one
        # of them was picked
        self.candidates, self.spoiled = 1, False
        self.lapse = min((r["seq"] for r in evidence.records if is_lapsed(r) and
                          r["body"]["core"]["use"] == "mix" and
                          r["body"]["core"]["object"] == name and
                          r["seq"] > int(name.split("-")[1])), default=None)
        self.bets = [r["seq"] for r in evidence.records if self.each_round and
                     r["kind"] == "BETS_CLOSED" and ends_content(r) and
                     r["table"] == evidence.table_record["object"]]

    @property
    def newest(self):
        return self.roots[-1]

    def step(self, record):
        need(not self.closed, "object_closed: the shoe was closed before")
        body, kind = record["body"], record["kind"]
        while self.bets and self.bets[0] < record["seq"]:  # closed bets ask for another mix
            self.bets.pop(0)
            if self.roots:
                self.newest.due = True
        if self.lapse is not None and self.lapse < record["seq"]:
            self.spoil()
        if kind == "SHOE_COMMIT":
            self.commit(body)
        elif kind == "CALL":
            self.call(body["core"])
        elif kind == "SHOE_MIX":
            self.make_mix(body)
        elif kind == "VOID":  # the call is spent; the shoe stays where its root is picked
            self.newest.core = None
            self.spoil()
        elif kind == "CARD_DEAL":
            root = self.newest
            need(not root.due, "mix_missing: not mixed yet, or not since the bets were closed")
            need(root.release is None or root.reports,
                 "report_missing: the machine has not reported its shuffle yet")
            need(body["position"] == len(root.dealt) < root.n,
                 "deal_order: not the next position")
            self.outside(root, body)
            root.dealt.append(body)
            if body["face"] == "open":
                self.open(root, body)
            if body["face"] == "covered":
                self.copies_of(body)
        elif kind == "CARD_OPEN":
            self.turn(body)
        elif kind == "SHOE_CLOSE":
            self.close(body)
        elif kind == "SHOE_RECOMMIT":
            self.recommit(body)
        elif kind == "SHOE_RELEASE":
            self.release(record, body)
        elif kind == "SHUFFLE_REPORT":
            self.report(record, body)

    def outside(self, root, body):
        """Where the appliance settles only burns stand outside rounds: behind a shuffle, before
        the first round."""
        root.played = root.played or "round" in body
        if self.evidence.table["settled_by"] == "client" or "round" in body:
            return
        need(not root.played, "card_undue: a card outside rounds, behind one of a round")
        root.burned += 1

    def release(self, record, body):
        root = self.newest
        need(not self.each_round, "release_early: each round mixes anew")
        need(root.release is None, "release_twice: the order was released before")
        need(root.mix is not None, "mix_missing: released before its mix")
        need(not root.dealt, "release_late: cards were dealt before")
        need(body.get("form") != "shelf" or len(self.roots) == 1, "release_form: no new deck")
        own = self.evidence.table["key"]
        need(body["order_known_to"] != H(unbase64(own)).hex(), "release_own: the table's own key")
        root.release, root.release_seq = body, record["seq"]
        root.released = released_head(record)

    def report(self, record, body):
        root, client = self.newest, record.get("client", {})
        need(root.release is not None, "report_undue: no machine has the order")
        need(client.get("id") == root.release["machine"] and
             client.get("spki") == root.release["order_known_to"],
             "report_client: another client than the machine reports")
        targets = root.release.get("form") == "targets"
        need(("targets" in body) == targets and body.get("targets", 0) <= root.n,
             "report_count: count of targets")
        if body["result"] == "match":
            need(body["recognised"] == root.n == body.get("targets", root.n),
                 "report_count: a match is of all cards")
        check_signed(record, root)
        root.reports.append(body)

    def turn(self, body):
        index = body.get("recommits", len(self.roots) - 1)
        need("recommits" not in body or index < len(self.roots) - 1,
             "root_index: names no root that was replaced")
        root, position = self.roots[index], body["position"]
        need(position < len(root.dealt), "not_covered: not dealt yet")
        dealt = root.dealt[position]
        need(position not in root.gone, "card_gone: the card went back into the shoe")
        need(dealt["face"] == "covered" and dealt["place"] == body["place"] and
             position not in root.openings, "not_covered: no covered card lies there")
        self.open(root, body)

    def take_root(self, root):
        body = root.body
        self.evidence.context(body["context"])
        need(body["stop_depth"] <= root.n, "stop depth")
        self.roots.append(root)

    def recommit(self, body):
        root, returned, older = self.newest, body["returned"], body.get("older", [])
        before = root.body
        need(root.mix is not None and root.dealt,
             "recommit_early: nothing was dealt under the root it replaces")
        need(body["of"] == before["root"], "recommit_root: replaces another root")
        need(all(body[m] == before[m]
                 for m in ("table", "number", "deck", "stop_depth", "disclosure")),
             "recommit_shoe: not of the same shoe")
        back = len(returned) + sum(len(one["positions"]) for one in older)
        need(body["positions"] == body["cards"] == root.n - len(root.dealt) + back,
             "recommit_count: another number of cards")
        need(len(self.roots) <= RECOMMITS_MAX, "recommit_often: shuffled too often")
        self.put_back(root, returned)
        for one in older:
            need(one["recommits"] < len(self.roots) - 1,
                 "root_index: a card goes back from a root that was not replaced before")
            self.put_back(self.roots[one["recommits"]], one["positions"])
        self.take_root(Root(body, returned, older))

    def put_back(self, root, positions):
        for position in positions:
            need(position < len(root.dealt) and position not in root.gone,
                 "returned_wrong: a card goes back that was not dealt, or went back")
            root.gone.add(position)
            if position in root.openings:
                self.copies[root.openings[position]["card"]] -= 1

    def spoil(self):
        self.spoiled = self.spoiled or bool(self.newest.candidates)

    def commit(self, body):
        self.deck = deck_cards(body["deck"])
        need(len(self.deck) == body["cards"], "deck_cards: another number of cards")
        self.check_candidates(body)
        self.take_root(Root(body))
        table = self.evidence.table
        if table["settled_by"] == "client" and "deck" in table["parameters"]:
            need(table["parameters"]["deck"] == body["deck"],
                 "deck_other: the table is opened for another deck")

    def check_candidates(self, body):
        """As many roots to pick from as the policy asks for, none twice, and their digest."""
        roots = [one["root"] for one in body.get("candidates", [])]
        self.candidates = len(roots) or 1
        need(self.candidates == self.evidence.table["policy"]["candidates"],
             "candidate_wrong: another number of roots than the table asks for")
        need(len(set(roots)) == len(roots), "candidate_wrong: two candidates are one root")
        need(not roots or
             H(D("shoe-roots"), *[unhex(root) for root in roots]).hex() == body["root"],
             "candidate_wrong: the root is not the digest of the candidates")

    def call(self, core):
        """What it binds of the shoe; what of the table, calls.py knows."""
        root = self.newest
        need(root.due, "mix_twice: the root was mixed before")
        need(not self.spoiled,
             "candidate_wrong: a call ended before a root was picked: the shoe closes")
        need(core["root"] == root.body["root"], "root_unknown: not the newest of the shoe")
        need(core["at"] == len(root.dealt), "mix_at: another number of cards was dealt")
        need(core["specification"] == {"candidates": len(root.candidates) or 1,
                                       "places": root.n - core["at"]},
             "core_mismatch: not all leaves that are not dealt, or another number of roots")
        root.core = core

    def make_mix(self, body):
        root = self.newest
        need(root.due, "mix_twice: the root was mixed before")
        need(root.core is not None, "mix_early: no CALL of this root")
        self.pick(root, body)
        need(body["root"] == root.body["root"], "mix_root: the mix names another root")
        root.mix, root.core, root.due = mix_of(root.core, body, root.mix), None, False

    def pick(self, root, body):
        if not root.candidates:
            need("picked" not in body, "candidate_wrong: there is one root, and none to pick")
            return
        index = pick_of(Tape(key=digest_of(root.core), purpose="mix",
                             inputs=values_of(body["openings"])), root.core)
        need(body.get("picked") == index, f"candidate_wrong: the tape picks candidate {index}")
        self.check_opened(root, index, body["opened"])
        root.become(root.picked(index))

    def check_opened(self, root, picked, opened):
        """All other candidates, each a shuffle of the whole deck, none like another."""
        others = [i for i in range(len(root.candidates)) if i != picked]
        need(len(opened) == len(others), "candidate_wrong: not all other candidates are opened")
        for member in ("key", "tape"):
            need(len({one[member] for one in opened}) == len(opened),
                 f"candidate_wrong: two candidates have one {member}")
        for i, one in zip(others, opened):
            try:
                self.rerun(one, Root(root.picked(i)), self.deck)
            except Refused as refused:
                raise Refused(f"candidate_wrong: {i}: {refused}") from None

    def copies_of(self, body):
        """Each copy is for the key that ROUND_OPEN names for its seat, else for the table's."""
        if not body["copies"]:
            return
        self.evidence.not_checked.append(f"{self.name}: what the ciphertexts of covered cards hold")
        chain = self.evidence.chain_of.get(body.get("round"))
        if "round" in body and chain is None:
            self.evidence.not_checked.append(
                f"{self.name}: whose keys covered cards were encrypted to")
            return
        named = {k["seat"]: H(unbase64(k["spki"])).hex()
                 for k in chain[0]["body"].get("keys", [])} if chain else {}
        table = self.evidence.table_record.get("client", {}).get("spki")
        for copy in body["copies"]:
            need(copy["key"] == named.get(copy["seat"], table),
                 "copy_key: a copy is encrypted to another key than the seat's")
            if copy["seat"] not in named:
                self.evidence.not_checked.append(
                    f"{self.name}: covered cards of seat {copy['seat']} went to "
                    "the table's own key")

    def leaf_data(self, n, index, code, salt):
        return D("shoe-leaf") + field(self.name) + u32(n) + u32(index) + bytes([code]) + salt

    def open(self, root, body):
        need(body["leaf"] == root.mix[body["position"]],
             "wrong_position: leaf, position and mix disagree")
        leaf = leaf_hash(self.leaf_data(root.n, body["leaf"], CARD_BYTES[body["card"]],
                                        unhex(body["salt"])))
        path = [unhex(h) for h in body["path"]]
        need(root_from_path(body["leaf"], root.n, leaf, path) == root.root,
             "wrong_opening: the card does not open its leaf")
        root.openings[body["position"]] = body
        self.copies[body["card"]] = self.copies.get(body["card"], 0) + 1
        need(self.copies[body["card"]] <= self.deck.count(body["card"]),
             "card_excess: more of a card than the deck has")

    def close(self, body):
        self.closed, self.reason = True, body["reason"]
        need(body["dealt"] == len(self.newest.dealt), "close_count: another count was dealt")
        over = self.newest.mix is None or len(self.newest.dealt) == self.newest.n
        need(body["reason"] != "ended" or self.evidence.table["settled_by"] == "appliance" or over,
             "ended_early: cards are left that could still come")
        need(body["reason"] != "stop_card" or self.stop_card_came(),
             "stop_card_early: no stop card can have come")
        if self.newest.candidates:
            self.check_opened(self.newest, None, body.get("candidates", []))
            return
        need("candidates" not in body, "candidate_wrong: there are no candidates to open")
        # nobody has a card of it: that it is a whole deck can still be seen
        untouched = len(self.roots) == 1 and not self.newest.dealt and not self.newest.release
        need(("key" in body) == (untouched or self.newest.body["disclosure"] == "public"),
             "disclosure_wrong: a public shoe and one of which no card was dealt open their "
             "secrets, another covered one does not")
        self.shown = "key" in body
        if "key" not in body:
            return
        replaced = body.get("replaced", [])
        need(len(replaced) == len(self.roots) - 1, "roots_opened: not each replaced root is opened")
        self.run_again(replaced + [body])

    def stop_card_came(self):
        """It was asked for under the newest root, or came out before a card of one before."""
        depth = self.newest.body["stop_depth"]
        return depth > 0 and (len(self.newest.dealt) >= self.newest.n - depth or
                              any(len(root.dealt) > root.n - depth for root in self.roots))

    def by_openings(self, given):
        """The auditor's file: what a public shoe opens at its close."""
        roots, last = given["roots"], self.evidence.chain_of[self.name][-1]
        need(given["origin"] == last["origin"], "openings_other: openings of another log")
        need(given["close"] == last["seq"] if self.closed else given["close"] > last["seq"],
             "openings_other: openings of another close")
        need(len(roots) == len(self.roots) if self.closed else len(roots) >= len(self.roots),
             "roots_opened: openings of other roots")
        self.opened = True
        self.evidence.checked.append(f"{self.name}: what follows is by the auditor's openings")
        self.run_again(roots)

    def run_again(self, disclosures):
        order, orders = list(self.deck), []
        for opened, root in zip(disclosures, self.roots):
            if orders:
                before = self.roots[len(orders) - 1]
                order = [before.at(orders[-1], p)
                         for p in [*range(len(before.dealt), before.n), *root.returned]]
                order += [self.roots[one["recommits"]].at(orders[one["recommits"]], p)
                          for one in root.older for p in one["positions"]]
            order = self.rerun(opened, root, order)
            orders.append(order)
        replaced = len(self.roots) - 1
        again = f", and {replaced} shuffles on the way," if replaced else ""
        self.evidence.checked.append(
            f"{self.name}: the whole shuffle{again} was run again and gives the committed order")

    def rerun(self, opened, root, order):
        body, n, order = root.body, root.n, list(order)
        key, tape_bytes = unhex(opened["key"]), unbase64(opened["tape"])
        need(HMAC(key, D("shoe-tape"), field(self.name), tape_bytes).hex() == body["tape_mac"],
             "tape_wrong: key and tape are not the committed ones")
        self.spent(opened, tape_bytes, order)
        salts = [HMAC(key, D("shoe-salt"), field(self.name), u32(i)) for i in range(n)]
        leaves = [leaf_hash(self.leaf_data(n, i, CARD_BYTES[order[i]], salts[i])) for i in range(n)]
        need(root_of(leaves) == root.root, "wrong_commitment: the order leads to another root")
        for card in root.openings.values():
            need(order[card["leaf"]] == card["card"] and salts[card["leaf"]].hex() == card["salt"],
                 "wrong_opening: a dealt card is not the one of the order")
        self.check_reports(key, root, order)
        return order

    @staticmethod
    def spent(opened, tape_bytes, order):
        """Shuffles; the tape is exactly what that takes, as its account has it."""
        need("tape_digest" not in opened or H(tape_bytes).hex() == opened["tape_digest"],
             "tape_digest: the digest is of another tape")
        tape, whole = Tape(tape_bytes), True
        try:
            fisher_yates(tape, order)
        except Refused:
            whole = False
        said = opened.get("words_used", tape.used), opened.get("words_rejected", tape.rejected)
        need(whole and tape.consumed() == tape_bytes and said == (tape.used, tape.rejected),
             "tape_account: the tape is not exactly what the shuffle took")

    def check_reports(self, key, root, order):
        """A match says exactly the codes of the order."""
        if not any(report["result"] == "match" for report in root.reports):
            return  # of a shoe that nobody mixed there is no order of dealing
        secret = HMAC(key, D("shuffle-report"), field(self.name))
        codes = [HMAC(secret, D("shuffle-seen"), field(self.name), u32(i),
                      bytes([CARD_BYTES[root.at(order, i)]]))[:16] for i in range(root.n)]
        seen = H(D("shuffle-seen-list"), *[field(code) for code in codes]).hex()
        for report in root.reports:
            if report["result"] == "match":
                need(report["seen"] == seen,
                     "report_seen: the machine did not report this order as a match")
                self.evidence.checked.append(
                    f"{self.name}: the machine reported each of {root.n} cards at its place")

    def conclude(self):
        count, again = sum(len(root.openings) for root in self.roots), len(self.roots) - 1
        if self.each_round and self.newest.dealt:
            self.evidence.checked.append(f"{self.name}: mixed again behind the bets of each round: "
                                         "nobody knew a card of a round while its bets were open")
        if self.candidates > 1:
            self.evidence.checked.append(
                f"{self.name}: none of {self.candidates} sealed orders was picked"
                if self.newest.candidates else
                f"{self.name}: the call picked one of {self.candidates} sealed orders; the others "
                "were opened, and each is a shuffle of the whole deck")
        self.evidence.checked.append(f"{self.name}: {count} opened cards are the committed ones")
        if again:
            self.evidence.checked.append(f"{self.name}: shuffled again {again} times")
            self.evidence.not_checked.append(
                f"{self.name}: whether the cards that went back are those the rules name")
        burned = sum(root.burned for root in self.roots)
        if burned:
            self.evidence.not_checked.append(f"{self.name}: whether the {burned} cards dealt "
                                             "outside rounds are those that the rules burn")
        for root in self.roots:
            if root.release:
                self.conclude_release(root)
        if self.opened or self.shown:
            return
        if self.closed and self.newest.candidates:
            self.evidence.checked.append(
                f"{self.name}: all of them were opened, and each is a shuffle of the whole deck")
            return
        left = self.newest.n - len(self.newest.openings)
        left += sum(len(set(range(len(root.dealt))) - root.gone - set(root.openings))
                    for root in self.roots[:-1])
        found = ""
        if self.candidates > 1 and again:
            self.evidence.not_checked.append(
                f"{self.name}: its composition when it was shuffled again: a covered shoe has one "
                "root then, and nothing to pick from")
        elif self.candidates > 1 and not self.newest.candidates:
            found = ": a wrong one would have been found with probability " \
                f"{self.candidates - 1}/{self.candidates}, if the table's key or a contributor " \
                "was honest"
        self.evidence.unopened = True
        self.evidence.not_checked.append(
            f"{self.name}: composition of {left} unopened cards{found}")

    def conclude_release(self, root):
        machine, unchecked = root.release["machine"], self.evidence.not_checked
        self.evidence.checked.append(f"{self.name}: its order was released once, to {machine}")
        unchecked.append(f"{self.name}: the order was known to {machine}: what it did with it")
        unchecked.append(f"{self.name}: what the ciphertext for {machine} holds")
        if not root.reports:
            unchecked.append(f"{self.name}: no report of {machine}")
        for report in root.reports:
            if report["result"] == "match":
                if not self.opened and (not self.closed or root.body["disclosure"] == "covered"):
                    unchecked.append(
                        f"{self.name}: whether {machine} reported a match of the committed order")
            elif self.closed and self.reason == "voided":
                unchecked.append(
                    f"{self.name}: void, because {machine} reported {report['result']}: "
                    "whether it was so")
            else:
                unchecked.append(
                    f"{self.name}: {machine} reported {report['result']}: "
                    "whether two persons decided to go on")
