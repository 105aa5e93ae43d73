"""A place that goes on from another log: what the first records of the new one say of it, and what
its TABLE_OPEN takes over (FORMAT sections 2 and 6). Honest, and told otherwise in each way."""
import base64

from forge import BEGIN, Table
from tales import coups, played, tale

BEFORE, OTHER = "casino.example/before", "casino.example/other"
LEFT = {"turns": 90, "voids": 2, "early_closes": 1}
SAID = f"what came before there in the log {BEFORE}, and its counts"
PERSONS = (("asked", "talla:officer-1"), ("confirmed", "talla:inspector-1"))
FIRST, CONFIRMED, PLACE = 0, 2, 3  # seqs


def ended(origin):
    """The last checkpoint of a log, as the KEY behind it names it."""
    text = f"{origin}\n1234\n{'A' * 43}=\n\n- {origin} AAAA\n"
    return base64.b64encode(text.encode()).decode()


class Succeeded(Table):
    """KEY, ACCESS of two persons, a KEY for each place of the log before; then TABLE_OPEN."""

    def __init__(self, authority, first=None, keys=({},), rests_on=(FIRST, CONFIRMED),
                 opening=None, cites=(PLACE,), link="00" * 32, late=False):
        """`first`, `keys`, `opening`: members told otherwise of the first KEY, of each KEY of the
        place and of TABLE_OPEN, None: left out; `rests_on`, `cites`: what the two last cite;
        `late`: another record stands before all."""
        self.late = late
        self.first, self.keys, self.rests_on = first or {}, keys, list(rests_on)
        self.opened, self.cited, self.linked = opening or {}, list(cites), link
        super().__init__(authority)

    def machine(self, kind, body, cites, **members):
        seq = len(self.records)
        said = {name: value for name, value in body.items() if value is not None}
        self._push({"body": said, "boot": 1, "cites": cites, "kind": kind, "seq": seq, "v": 2,
                    "origin": self.open["origin"], "time": BEGIN - 1000000 + seq,
                    "time_quality": "synced", **members})

    def before(self):
        if self.late:
            self.machine("POWER", {"event": "stop"}, [])
        self.machine("KEY", {"purpose": "log", "log_key": self.authority.log_key,
                             "predecessor": ended(BEFORE), **self.first}, [])
        for at, (step, name) in enumerate(PERSONS, 1):
            self.machine("ACCESS", {"what": f"succession.{step}", "result": "allowed",
                                    "object": BEFORE, "by": [one for _, one in PERSONS[:at]]},
                         list(range(at)), client={"id": name, "spki": f"{at}b" * 32})
        for members in self.keys:
            self.machine("KEY", {"purpose": "place", "origin": BEFORE, "opened": 4,
                                 "place": self.body["place"], **LEFT, **members}, self.rests_on)
        self.open.update(cites=self.cited, link=self.linked)
        self.body.update({"opened": 5, "predecessor": BEFORE, **LEFT, **self.opened})
        for name in [name for name, value in self.body.items() if value is None]:
            del self.body[name]
        self.counts = {name: self.body[name] for name in LEFT}


def told(authority, **how):
    table = Succeeded(authority, **how)
    table.commit()
    table.mix(coups(1))
    table.burn()
    played(table)
    return table


@tale(tries=0, printed=SAID)
def honest_place_that_goes_on_from_another_log(authority):
    return told(authority)


@tale(tries=0)
def honest_place_of_which_the_log_before_knew_nothing(authority):
    return told(authority, keys=[{"place": "Mesa 99"}], cites=[],
                opening={"opened": 1, "predecessor": None, **dict.fromkeys(LEFT, 0)})


@tale("predecessor_wrong")
def a_predecessor_without_its_key(authority):
    return told(authority, cites=[])


@tale("predecessor_wrong")
def a_key_without_its_predecessor(authority):
    return told(authority, opening={"predecessor": None})


@tale("predecessor_wrong")
def a_table_that_names_another_log_than_the_key(authority):
    return told(authority, opening={"predecessor": OTHER})


@tale("predecessor_wrong")
def a_place_of_another_log_than_was_ended(authority):
    return told(authority, keys=[{"origin": OTHER}], opening={"predecessor": OTHER})


@tale("predecessor_wrong")
def a_place_behind_the_end_of_another_log(authority):
    return told(authority, first={"predecessor": ended(OTHER)})


@tale("predecessor_wrong")
def a_place_of_a_log_that_follows_none(authority):
    return told(authority, first={"predecessor": None})


@tale("predecessor_wrong")
def a_log_before_that_is_named_later(authority):
    return told(authority, late=True, rests_on=[FIRST + 1, CONFIRMED + 1], cites=[PLACE + 1])


@tale("predecessor_wrong")
def a_place_that_does_not_rest_on_the_first_key(authority):
    return told(authority, rests_on=[CONFIRMED])


@tale("totals_wrong")
def voids_forgotten_with_the_log_before(authority):
    return told(authority, opening={"voids": 0})


@tale("totals_wrong")
def turns_forgotten_with_the_log_before(authority):
    return told(authority, opening={"turns": 89})


@tale("totals_wrong")
def early_closes_forgotten_with_the_log_before(authority):
    return told(authority, opening={"early_closes": 0})


@tale("place_gap")
def an_opening_skipped_behind_the_log_before(authority):
    return told(authority, opening={"opened": 6})


@tale("place_gap")
def the_counts_of_another_place(authority):
    return told(authority, keys=[{"place": "Mesa 99"}])


@tale("place_gap")
def a_place_begun_anew_that_cites_its_key(authority):
    return told(authority, opening={"opened": 1, "predecessor": None, **dict.fromkeys(LEFT, 0)})


@tale("place_gap")
def two_keys_of_one_place(authority):
    return told(authority, keys=[{}, {}], cites=[PLACE, PLACE + 1])


@tale("link_gap")
def a_link_to_what_this_log_does_not_hold(authority):
    return told(authority, link="11" * 32)
