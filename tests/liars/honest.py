"""Honest tables that all verifiers have to take: every deck, face, policy and way to end, with
seats or without. A verifier that refused more than it must would refuse one of them."""
import base64
import hashlib

from forge import Table, domain, mac
from machines import released, reported
from neighbours import Shown, Wheel, json_state
from ruled import HASH, retold
from seats import Contributor, field, u32
from story import sha256
from tales import TALES, coups, fresh, played
from verifier.cards import CARD_BYTES

BUNDLE_BYTES, BETS_MOST = 8 * 1024 * 1024, 4096
DECKS = ("french52x1", "french52x2", "french52x6", "french52x8", "french52-234567x1",
         "french52-TJQKx1", "french52+1jx1", "french52+4jx2", "spanish40x1", "spanish40x2",
         "spanish48x1", "spanish48x8", "balls90x1")


def honest(name, function, tries=0, printed=""):
    TALES[f"honest_{name}"] = (function, None, None, tries, printed)


def sealed(authority, deck="french52x1", people=0, policy=None, **members):
    """A shoe of a table whose client settles, mixed; `people`: seats that contribute."""
    seats = [Contributor(authority, f"seat-{number + 1}") for number in range(people)]
    table = Table(authority, "shoe", people=seats, **policy or {})
    table.reopen(parameters={})  # the frozen one names a deck
    table.commit(deck=deck, **members)
    table.mix()
    return table


def dealt(table, count, face="open"):
    for _ in range(count):
        table.deal("p", face)
    return table


def closed(table, reason="closed"):
    table.close(reason)
    return table


def covered(table, opens):
    """A card for the table's own key; opened, or not."""
    table.deal("p", "covered")
    key = hashlib.sha256(base64.b64decode(table.body["key"])).hexdigest()
    retold(table, lambda one: one["body"].update(
        copies=[{"seat": 1, "key": key, "ciphertext": HASH}]))
    if opens:
        table.add("CARD_OPEN", table.shoe.name, {"position": 0, "place": "p",
                                                 **table.shoe.opening(0)})
    return table


def matched(table):
    """Its machine reports the order that it was given, code by code."""
    shoe = table.shoe
    own = field(shoe.name)
    secret = mac(shoe.key, domain("shuffle-report"), own)
    seen = b"".join(u32(16) + mac(secret, domain("shuffle-seen"), own, u32(place),
                                  bytes([CARD_BYTES[shoe.card(place)]]))[:16]
                    for place in range(shoe.count))
    return reported(released(table), recognised=shoe.count, result="match", census="complete",
                    seen=sha256(domain("shuffle-seen-list"), seen).hex())


def again(authority, times):
    table = sealed(authority)
    for _ in range(times):
        dealt(table, 2)
        table.recommit()
        table.mix()
    return dealt(table, 1)


def rounds(authority, count, mix="shoe"):
    """Coups of punto banco, one behind the other; each settled."""
    table = fresh(authority, coups(count) if mix == "shoe" else lambda shoe: True, mix=mix)
    table.burn()
    for number in range(count):
        if mix == "shoe":
            played(table, end=number + 1 < count)
            continue
        game = table.begin()
        table.mix(coups(1, lambda shoe: shoe.dealt), table.records[-1]["body"]["bets"], game)
        results, after, cites = table.coup(game)
        table.settle(game, results, after, cites)
        if number + 1 < count:
            table.end(game, after)
    return table


def spins(authority, count, shown=False):
    table, ends = Wheel(authority), []
    for number in range(count):
        game = table.spin([(table.batch(), True)])
        if number + 1 < count:
            ends.append(table.over(game))
            table.state = json_state(table)
    return Shown(table, ends[-1]) if shown else table


def unused(authority, drawn):
    """A batch that is closed; one secret of it is drawn, or none."""
    table = Wheel(authority)
    batch = table.batch()
    if drawn:
        table.over(table.spin([(batch, True)]))
    left = batch["leaves"][:batch["next"]]
    table.add("BATCH_CLOSE", batch["name"], {
        "reason": "closed", "first": batch["next"], "left": [one.hex() for one in left],
        "secrets": [one.hex() for one in batch["secrets"][batch["next"]:]]})
    return table


def required(authority):
    """A seat without which the table makes no call."""
    seat = Contributor(authority, "seat-1")
    table = Table(authority, "shoe", people=[seat], required=[seat.key])
    table.commit()
    table.mix()
    return dealt(table, 1)


class Whole:
    """A table whose file is as large as one of a round may be."""

    def __init__(self, table):
        self.table = table

    def told(self):
        text = self.table.told()
        size = len(text.encode())
        if not BUNDLE_BYTES // 10 < size < BUNDLE_BYTES:
            raise RuntimeError(f"the largest round has {size} bytes")
        return text


def largest_round(authority):
    """As many bets as a table takes, with long ids."""
    table = Table(authority)
    table.reopen(min=100)
    table.commit()
    table.mix(coups(1))
    table.burn()
    bets = [{"id": f"{number:032}", "kind": ("banca", "punto")[number % 2],
             "seat": number // 100 + 1, "stake": 100} for number in range(BETS_MOST)]
    game = table.begin(bets=bets)
    results, after, cites = table.coup(game, bets)
    table.settle(game, results, after, cites)
    return Whole(table)


for one in DECKS:
    honest(f"deck_{one}", lambda authority, deck=one: closed(dealt(sealed(authority, deck), 5)))
for one in (1, 2, 3, 8):
    honest(f"shoe_with_{one}_seats",
           lambda authority, people=one: closed(dealt(sealed(authority, people=people), 3)))
honest("shoe_dealt_out", lambda authority: closed(dealt(sealed(authority), 52, "unseen"), "ended"))
honest("shoe_never_mixed", lambda authority: closed(unmixed(authority), "ended"), None)
honest("shoe_with_a_stop_card", lambda authority: closed(
    dealt(sealed(authority, stop_depth=12), 40, "unseen"), "stop_card"))
honest("card_dealt_openly", lambda authority: dealt(sealed(authority), 1))
honest("card_unseen", lambda authority: dealt(sealed(authority), 1, "unseen"))
honest("card_covered", lambda authority: covered(sealed(authority), False))
honest("card_covered_and_opened", lambda authority: covered(sealed(authority), True))
honest("covered_shoe", lambda authority: dealt(sealed(authority, disclosure="covered"), 3),
       printed="composition of")
for one in (1, 2):
    honest(f"shuffled_again_{one}", lambda authority, times=one: again(authority, times), one)
honest("table_that_names_its_deck", lambda authority: named_deck(authority))
honest("no_void_allowed", lambda authority: dealt(sealed(authority, policy={"max_voids": 0}), 1))
honest("an_hour_to_open", lambda authority: dealt(
    sealed(authority, policy={"open_within": 3600}), 1))
honest("a_seat_that_is_required", required)
honest("machine_that_matches", lambda authority: closed(dealt(matched(sealed(authority)), 2)))
honest("machine_of_a_shelf", lambda authority: dealt(
    reported(released(sealed(authority), form="shelf", compartments=10)), 1))
for one in (1, 2, 3):
    honest(f"{one}_coups", lambda authority, count=one: rounds(authority, count))
for one in (1, 2):
    honest(f"{one}_coups_each_mixed",
           lambda authority, count=one: rounds(authority, count, "round"))
for one in (1, 2, 3):
    honest(f"{one}_spins", lambda authority, count=one: spins(authority, count))
honest("the_last_of_3_spins_shown", lambda authority: spins(authority, 3, True))
honest("largest_round", largest_round)
honest("batch_closed_unused", lambda authority: unused(authority, False), None)
honest("batch_closed_behind_a_draw", lambda authority: unused(authority, True))


def unmixed(authority):
    table = Table(authority, "shoe")
    table.commit()
    return table


def named_deck(authority):
    table = Table(authority, "shoe")
    table.reopen(parameters={"deck": "spanish40x1"})
    table.commit(deck="spanish40x1")
    table.mix()
    return dealt(table, 2)

