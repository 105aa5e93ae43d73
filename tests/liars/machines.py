"""A shuffling machine that an order is given to, and tables whose machine reports: written from
FORMAT section 7. Each lie of a report is well signed by whom it names, and breaks one rule."""
import base64
import copy
import os

from authority import canonical, fixed_numbers
from seats import Contributor
from story import sha256
from tales import plain, tale

MACHINE = "urn:talla:shuffler-1"
HASH = "5c" * 32
UNSIGNED = ("key", "signature")
HERE = os.path.dirname(os.path.abspath(__file__))


class Machine(Contributor):
    """One for each authority, under whatever id."""

    def __init__(self, authority, name="machine"):
        super().__init__(authority, name)
        self.spki = sha256(base64.b64decode(self.key)).hex()
        self.client = {"id": MACHINE, "spki": self.spki}

    @classmethod
    def of(cls, authority, name="machine"):
        known = vars(authority).setdefault("machines", {})
        if name not in known:
            known[name] = cls(authority, name)
        return known[name]

    def signed(self, head, record):
        """Its signature over the report of this record, behind the release of this head."""
        said = {"head": head, "object": record["object"], "origin": record["origin"],
                "table": record["table"], "report": unsigned(record["body"])}
        der = self.authority.signed(self.file, b"talla/v2/report\0" + canonical(said).encode())
        return base64.b64encode(fixed_numbers(der)).decode()


class FrozenMachine(Machine):
    """That of the frozen story, whose key is here."""

    def __init__(self, authority):
        self.authority, self.file = authority, os.path.join(HERE, "machine.key")


def unsigned(body):
    return {name: value for name, value in body.items() if name not in UNSIGNED}


def released(table, machine=None, **members):
    """The order of the newest root goes to the machine."""
    table.machine = machine = machine or Machine.of(table.authority)
    table.add("SHOE_RELEASE", table.shoe.name, {
        "machine": MACHINE, "order_known_to": machine.spki, "ciphertext": HASH, **members})
    table.given, table.released = table.last, table.link
    return table


def reported(table, client=MACHINE, signs=None, told=lambda record: None, signer=None, **members):
    """The next report of the newest release. `signs`: the head that it is signed for; `told`: what
    is changed once it is signed; `signer`: who signs, of the machine's key."""
    machine = getattr(table, "machine", None) or Machine.of(table.authority)
    kinds = [one["kind"] for one in table.records]
    begun = max((at for at, kind in enumerate(kinds) if kind == "SHOE_RELEASE"), default=0)
    record = table.add("SHUFFLE_REPORT", table.shoe.name, {
        "number": kinds[begun:].count("SHUFFLE_REPORT") + 1, "recognised": 0, "result": "jam",
        **members}, [table.given] if hasattr(table, "given") else [])
    table.forget_last()
    record["client"] = {"id": client, "spki": machine.spki}
    head = signs or getattr(table, "released", HASH)
    record["body"].update(key=machine.key, signature=(signer or machine).signed(head, record))
    told(record)
    table._push(record)
    return table


# ---- Lies

def asked(authority):
    """A shoe whose order a machine has."""
    return released(plain(authority))


def dealt(table):
    table.deal("p")
    return table


@tale(tries=0, printed="the order was known to")
def a_machine_that_reports_twice(authority):
    return dealt(reported(reported(asked(authority)), result="lid"))


@tale("report_number")
def a_report_told_twice(authority):
    table = reported(asked(authority))
    again = copy.deepcopy(table.records[-1]["body"])
    return dealt(reported(table, told=lambda one: one.update(body=again)))


@tale("report_number")
def a_report_before_it_left_out(authority):
    return dealt(reported(asked(authority), number=2))


@tale("report_uncited")
def a_report_that_does_not_say_of_what(authority):
    return dealt(reported(asked(authority), told=lambda one: one.update(cites=[])))


@tale("report_signature")
def a_jam_that_its_machine_called_a_lid(authority):
    return dealt(reported(asked(authority), told=lambda one: one["body"].update(result="lid")))


@tale("report_signature")
def more_cards_than_its_machine_recognised(authority):
    return dealt(reported(asked(authority), told=lambda one: one["body"].update(recognised=5)))


@tale("report_signature")
def a_report_that_nobody_signed(authority):
    return dealt(reported(asked(authority), told=lambda one: one["body"].update(
        signature="A" * 86 + "==")))


@tale("report_signature")
def a_report_that_another_machine_signed(authority):
    return dealt(reported(asked(authority), signer=Machine.of(authority, "machine-2")))


@tale("report_key")
def a_report_of_another_machine(authority):
    other = Machine.of(authority, "machine-2")
    return dealt(reported(asked(authority), signer=other,
                          told=lambda one: one["body"].update(key=other.key)))


@tale("report_signature")
def a_report_of_the_shoe_before(authority):
    """The machine reported a jam of it; the same words are told of the next shoe."""
    table = reported(asked(authority))
    before = copy.deepcopy(table.records[-1]["body"])
    table.close("closed")
    table.commit()
    table.mix()
    return dealt(reported(released(table), told=lambda one: one.update(body=before)))


@tale("report_signature")
def a_report_of_the_root_before(authority):
    table = dealt(reported(asked(authority)))
    before = copy.deepcopy(table.records[-2]["body"])
    table.recommit()
    table.mix()
    return dealt(reported(released(table), told=lambda one: one.update(body=before)))


@tale("report_signature")
def a_report_of_another_table(authority):
    table = asked(authority)

    def elsewhere(record):
        record["body"]["signature"] = Machine.of(authority).signed(
            table.released, {**record, "table": "table-9"})
    return dealt(reported(table, told=elsewhere))


@tale("report_signature")
def a_report_for_another_state_of_the_table(authority):
    return dealt(reported(asked(authority), signs="11" * 32))


@tale("release_own")
def an_order_given_to_its_table(authority):
    """The key that calls is that of the machine too, and it signs what it reports."""
    table, own = plain(authority), copy.copy(Machine.of(authority))
    own.key, own.file = table.body["key"], authority.table_key
    own.spki = table.open["client"]["spki"]
    return dealt(reported(released(table, own)))
