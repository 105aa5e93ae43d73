"""Acts of two persons that no table follows from, signed and not: what is told of them otherwise
(FORMAT section 6, ACCESS, and section 8)."""
import base64
import hashlib

from authority import canonical
from forge import BEGIN
from ordered import PERSONS, Person
from seats import field
from story import sha256
from tales import fresh, played, tale

OTHER = "urn:talla:officer"
ALONE = ("who asked for or confirmed the acts of {} records: nobody signed these, they came over "
         "the connection alone, as the appliance says")


def key_head(key):
    return sha256(b"talla/v2/request-key\0", field(key)).hex()


class Acts:
    """ACCESS in the log of a table, by persons who sign what the liar has them sign."""

    def __init__(self, authority):
        self.authority, self.persons, self.table = authority, {}, fresh(authority)
        self.table.burn()

    def person(self, name):
        if name not in self.persons:
            self.persons[name] = Person(self.authority, name.rpartition(":")[2])
        return self.persons[name]

    def leaf(self, seq):
        return sha256(b"\0", self.table.texts[seq].encode()).hex()

    def step(self, step, by, signs=True, said=None, signer=None, act="config-change", **more):
        """One ACCESS of the last of `by`; `said`: what is signed otherwise than the record has it;
        `signer`: whose key that is; `holder`: whose key the record has for its client's."""
        seq, name = len(self.table.records), by[-1]
        key = self.person(more.pop("holder", None) or name).key
        client = {"id": name, "spki": hashlib.sha256(base64.b64decode(key)).hexdigest()}
        body = {"what": f"{act}.{step}", "result": "allowed", "by": list(by), "digest": "5a" * 32}
        body.update(more.pop("body", {}))
        body = {name: value for name, value in body.items() if value is not None}
        record = {"boot": 1, "cites": more.pop("cites", []), "kind": "ACCESS",
                  "origin": self.table.open["origin"], "client": client, "seq": seq,
                  "time": BEGIN + 1000 * seq, "time_quality": "synced", "v": 2,
                  "key": f"key-{seq}", "body": body, **more}
        if signs:
            signer = self.person(signer) if signer else self.holder_of(key)
            head = self.leaf(record["cites"][-1]) if record["cites"] else key_head(record["key"])
            order = {"act": act, "digest": body.get("digest", ""), "object": body.get("object", ""),
                     "origin": record["origin"], "head": head, **(said or {})}
            body["order"] = {"head": order["head"], "key": signer.key,
                             "signature": signer.signed(order)}
        return self.told(record)

    def holder_of(self, key):
        return next(one for one in self.persons.values() if one.key == key)

    def told(self, record):
        self.table._push(record)
        return record["seq"]

    def taken_back(self, seq):
        """The last record, of that number, to be told again."""
        del self.table.texts[seq]
        return self.table.records.pop(seq)

    def asked(self, name=PERSONS[0], **how):
        return self.step("asked", [name], **how)

    def confirmed(self, asked, by=PERSONS, **how):
        return self.step("confirmed", by, cites=[asked], **how)

    def done(self):
        played(self.table)
        return self.table


def acts(*codes, **how):
    """A tale whose table has the acts that the function tells."""
    def keep(function):
        def told(authority):
            one = Acts(authority)
            function(one)
            return one.done()
        told.__name__ = function.__name__
        return tale(*codes, **how)(told)
    return keep


@acts(tries=0)
def honest_act_that_both_signed(one):
    one.confirmed(one.asked())


@acts(tries=0, printed=ALONE.format(2))
def honest_act_over_the_connection_alone(one):
    one.confirmed(one.asked(signs=False), signs=False)


@acts(tries=0, printed=ALONE.format(1))
def honest_act_that_the_second_person_signed(one):
    one.confirmed(one.asked(signs=False))


@acts(tries=0, printed=ALONE.format(1))
def honest_act_that_the_first_person_signed(one):
    one.confirmed(one.asked(), signs=False)


@acts(tries=0)
def honest_act_asked_for_again_when_it_was_withdrawn(one):
    asked = one.asked()
    one.step("withdrawn", PERSONS, cites=[asked], signs=False)
    one.confirmed(one.asked())


# ---- Whose key

@acts("access_key")
def an_act_signed_by_another(one):
    one.confirmed(one.asked(signer=OTHER))


@acts("access_key")
def an_end_that_nobody_signed(one):
    seq = one.step("done", PERSONS, cites=[one.asked()])
    record = one.taken_back(seq)
    del record["client"]
    one.told(record)


@acts("access_key")
def an_act_signed_with_a_key_on_no_curve(one):
    record = one.taken_back(one.confirmed(one.asked()))
    der = bytearray(base64.b64decode(record["body"]["order"]["key"]))
    der[-1] ^= 1
    record["body"]["order"]["key"] = base64.b64encode(der).decode()
    record["client"]["spki"] = hashlib.sha256(der).hexdigest()
    one.told(record)


# ---- What was signed

@acts("access_signature")
def an_act_signed_for_another_file(one):
    one.confirmed(one.asked(said={"digest": "5b" * 32}))


@acts("access_signature")
def another_act_than_was_signed(one):
    one.confirmed(one.asked(said={"act": "enrolment-change"}))


@acts("access_signature")
def an_act_signed_for_another_object(one):
    one.confirmed(one.asked(said={"object": "urn:talla:table-1"}))


@acts("access_signature")
def an_act_signed_for_another_appliance(one):
    one.confirmed(one.asked(), said={"origin": "house.example/talla-1"})


@acts("access_signature")
def an_act_signed_for_a_table(one):
    one.confirmed(one.asked(said={"act": "table-void", "digest": "", "head": "00" * 32}))


@acts("access_signature")
def an_order_on_a_table_that_one_has_not_signed(one):
    asked = one.asked(act="table-void", said={"act": "shoe-close"}, body={"object": "table-1"})
    one.confirmed(asked, act="table-void", body={"object": "table-1"})


# ---- For which request

@acts("access_head")
def a_request_told_a_second_time(one):
    one.asked(key="once")
    one.confirmed(one.asked(key="once"))


@acts("access_head")
def a_request_signed_for_another_one(one):
    one.confirmed(one.asked(said={"head": key_head("before")}))


@acts("access_head")
def a_request_without_its_key(one):
    one.confirmed(one.asked(key="known", said={"head": key_head("")}))


@acts("access_head")
def a_confirmation_of_another_request(one):
    first, second = one.asked(), one.asked()
    one.confirmed(second, said={"head": one.leaf(first)})


@acts("access_head")
def a_request_told_for_a_confirmation(one):
    one.confirmed(one.asked(), key="late", said={"head": key_head("late")})


@acts("access_head")
def a_confirmation_told_for_an_end(one):
    asked = one.asked()
    one.step("done", PERSONS, cites=[asked])


# ---- Who

@acts("access_person")
def an_act_that_one_person_confirms(one):
    one.confirmed(one.asked(), by=(PERSONS[1], PERSONS[0]))


@acts("access_person")
def an_act_that_one_confirms_over_the_connection(one):
    one.confirmed(one.asked(signs=False), by=(PERSONS[0], PERSONS[0]), signs=False)


@acts("access_person")
def an_act_that_one_confirms_under_a_second_name(one):
    one.confirmed(one.asked(), by=(PERSONS[0], OTHER), holder=PERSONS[0])


@acts("access_person")
def an_act_that_one_confirms_with_a_second_key(one):
    one.confirmed(one.asked(), by=(PERSONS[0], PERSONS[0]), holder=OTHER)


@acts("access_person")
def an_act_asked_for_by_another_than_it_names(one):
    one.confirmed(one.asked(), by=(OTHER, PERSONS[1]))


@acts("access_person")
def an_act_that_names_a_third(one):
    one.confirmed(one.asked(), by=(PERSONS[0], OTHER, PERSONS[1]))


@acts("access_person")
def an_act_that_nobody_asked_for(one):
    asked = one.asked(signs=False)
    record = one.taken_back(asked)
    del record["client"]
    one.told(record)
    one.confirmed(asked)


# ---- Of which key

ENROL = {"purpose": "client", "id": "urn:talla:officer", "spki": "11" * 32,
         "roles": ["security-officer"], "action": "enrol"}


def enrolled(one, key, digest_of=None):
    text = canonical(digest_of or key).encode()
    body = {"object": key["id"], "digest": sha256(b"talla/v2/key\0", text).hex()}
    asked = one.asked(act="client-enrol", body=body | {"key": key})
    one.confirmed(asked, act="client-enrol", body=body)


@acts(tries=0)
def honest_client_let_in(one):
    enrolled(one, ENROL)


@acts("access_digest")
def another_client_let_in_than_two_signed(one):
    enrolled(one, ENROL, ENROL | {"spki": "22" * 32})


# ---- Orders for a laboratory

LAB = "lab/es-1977/french-roulette/wheel-37:1000:talla:lab-1"
SAMPLES = {"act": "sampling-order", "body": {"object": "bits:64:talla:lab-1", "digest": None}}


@acts(tries=0)
def honest_order_of_samples(one):
    asked = one.asked(**SAMPLES)
    one.confirmed(asked, **SAMPLES)
    one.step("done", PERSONS, cites=[asked], signs=False, act="sampling-order",
             body={"object": SAMPLES["body"]["object"]})


@acts("lab_order")
def an_order_that_says_no_samples(one):
    one.asked(act="sampling-order", body={"object": "cards:64:talla:lab-1", "digest": None})


@acts("lab_order")
def an_order_of_a_table_that_cannot_be(one):
    one.asked(act="sampling-order", body={"digest": None,
                                          "object": "lab/es-1977/x/wheel-1:10:talla:lab-1"})


@acts("lab_order")
def an_order_of_more_than_may_be(one):
    one.asked(act="sampling-order", body={"object": LAB.replace("1000", "80001"), "digest": None})


@acts("lab_order")
def an_order_that_knows_its_samples_before(one):
    one.asked(act="sampling-order", body={"object": LAB})


@acts("lab_order")
def an_order_that_ends_without_its_samples(one):
    asked = one.asked(**SAMPLES)
    one.confirmed(asked, **SAMPLES)
    one.step("done", PERSONS, cites=[asked], signs=False, **SAMPLES)


@acts("lab_order")
def a_laboratorys_table_finished_like_one_of_play(one):
    one.asked(act="table-finish", body={"object": LAB, "digest": None})


# ---- Of which request

@acts("access_step")
def a_request_that_two_confirm(one):
    asked = one.asked()
    one.confirmed(asked)
    one.confirmed(asked, by=(PERSONS[0], OTHER))


@acts("access_step")
def a_request_confirmed_twice_over_the_connection(one):
    asked = one.asked(signs=False)
    one.confirmed(asked, signs=False)
    one.confirmed(asked, by=(PERSONS[0], OTHER), signs=False)


@acts("access_step")
def a_confirmation_of_nothing(one):
    one.asked()
    one.step("confirmed", PERSONS, said={"head": "77" * 32})


@acts("access_step")
def a_confirmation_of_nothing_over_the_connection(one):
    one.step("confirmed", PERSONS, signs=False)


@acts("access_step")
def a_confirmation_of_what_is_no_request(one):
    one.confirmed(len(one.table.records) - 1)


@acts("access_step")
def a_confirmation_of_another_act_than_was_asked_for(one):
    one.confirmed(one.asked(), act="enrolment-change")


@acts("access_step")
def a_confirmation_of_another_file_than_was_asked_for(one):
    one.confirmed(one.asked(), body={"digest": "5b" * 32})


@acts("access_step")
def a_request_confirmed_when_it_was_withdrawn(one):
    asked = one.asked()
    one.step("withdrawn", PERSONS, cites=[asked], signs=False)
    one.confirmed(asked)


@acts("access_step")
def a_request_confirmed_when_it_had_expired(one):
    asked = one.asked(signs=False)
    one.step("expired", PERSONS[:1], cites=[asked], signs=False)
    one.confirmed(asked, signs=False)
