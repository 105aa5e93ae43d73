"""Tables that end a shoe or a call early, with and without two persons, or forget the shoe before;
rounds that count other cards (FORMAT sections 6 to 8). Each lie is one change of a table that is
taken."""
from forge import BETS, Table
from ordered import PERSONS
from tales import coups, fresh, played, tale


def next_coup(table):
    table.commit()
    table.mix(coups(1))
    table.burn()
    played(table)
    return table


def closed(authority, **how):
    """A mixed shoe that two persons close, and their order; `how`: what that is made with."""
    table = fresh(authority)
    order = table.order("shoe-close", how.pop("about", table.shoe.name), **how)
    table.close("closed", order)
    return table, order


# ---- A shoe that the rules would play on

@tale(tries=1)
def a_shoe_that_two_persons_close(authority):
    return next_coup(closed(authority)[0])


@tale("early_close")
def a_shoe_closed_by_nobody(authority):
    table = fresh(authority)
    table.close("closed", 0)
    return next_coup(table)


@tale("early_close")
def a_shoe_closed_by_one_person(authority):
    return next_coup(closed(authority, names=(PERSONS[0], PERSONS[0]))[0])


@tale("early_close")
def a_close_that_the_second_did_not_sign(authority):
    def unsigned(step, record):
        if step == "confirmed":
            record["body"]["order"]["signature"] = "A" * 86 + "=="
    return next_coup(closed(authority, lie=unsigned)[0])


@tale("early_close")
def a_close_that_the_first_did_not_sign(authority):
    def unsigned(step, record):
        if step == "asked":
            record["body"]["order"]["signature"] = "A" * 86 + "=="
    return next_coup(closed(authority, lie=unsigned)[0])


@tale("early_close")
def a_close_that_was_withdrawn(authority):
    def withdrawn(step, record):
        if step == "confirmed":
            record["body"].update(what="shoe-close.withdrawn", result="refused")
    return next_coup(closed(authority, lie=withdrawn)[0])


@tale("early_close")
def a_close_that_nobody_asked_for(authority):
    def alone(step, record):
        if step == "confirmed":
            record["cites"] = []
    return next_coup(closed(authority, lie=alone)[0])


@tale("early_close")
def a_close_confirmed_under_another_certificate(authority):
    def another(step, record):
        if step == "confirmed":
            record["client"]["spki"] = "00" * 32
    return next_coup(closed(authority, lie=another)[0])


@tale("early_close")
def a_close_of_other_persons_than_it_says(authority):
    def others(step, record):
        if step == "confirmed":
            record["body"]["by"][0] = "urn:talla:somebody"
    return next_coup(closed(authority, lie=others)[0])


@tale("early_close")
def a_close_of_another_shoe(authority):
    return next_coup(closed(authority, about="shoe-99")[0])


@tale("early_close")
def a_close_by_an_order_to_call_again(authority):
    table = fresh(authority)
    table.close("closed", table.order("call-again", table.shoe.name))
    return next_coup(table)


@tale("early_close")
def a_close_ordered_before_the_last_coup(authority):
    """They signed when the shoe was fresh; a coup was played since."""
    table = fresh(authority, coups(1))
    order = table.order("shoe-close", table.shoe.name)
    table.burn()
    played(table, end=True)
    table.close("closed", order)
    return next_coup(table)


@tale("early_close")
def an_order_that_closed_a_shoe_before(authority):
    table, order = closed(authority)
    table.commit()
    table.mix()
    table.close("closed", order)
    return next_coup(table)


@tale("early_close")
def a_shoe_voided_by_nobody(authority):
    table = fresh(authority)
    table.close("voided", 0)
    return next_coup(table)


@tale(tries=1)
def a_shoe_voided_with_its_table(authority):
    table = fresh(authority)
    table.close("voided")
    return next_coup(table)


@tale("early_close")
def a_shoe_voided_by_an_order_to_close_it(authority):
    table = fresh(authority)
    table.close("voided", table.order("shoe-close", table.shoe.name))
    return next_coup(table)


# ---- A call that two persons void

def voided(authority, act="draw-void", about=None, by=PERSONS, asks=None, **how):
    """The first call of a shoe ends by order, the second one is answered; a coup."""
    table = Table(authority)
    table.commit()
    table.mix()
    table.forget_last()
    call = table.last
    order = table.order(act, about or table.shoe.name, cites=[call if asks is None else asks],
                        **how)
    table.counts["voids"] += 1
    table.add("VOID", table.shoe.name, {"call": call, "cause": "order", "by": list(by),
                                        "outcome": "unknown"}, [call, order])
    table.mix(coups(1))
    table.burn()
    played(table)
    return table


@tale(tries=1)
def a_call_that_two_persons_void(authority):
    return voided(authority)


@tale(tries=1)
def a_call_void_with_its_table(authority):
    return voided(authority, act="table-void", about="table-0")


@tale("void_order")
def a_call_void_by_invented_persons(authority):
    return voided(authority, by=("urn:talla:anna", "urn:talla:bruno"))


@tale("void_persons")
def a_call_void_by_one_person(authority):
    return voided(authority, names=(PERSONS[1], PERSONS[1]), by=(PERSONS[1], PERSONS[1]))


@tale("void_order")
def a_call_void_by_the_order_for_another(authority):
    return voided(authority, asks=0)


@tale("void_order")
def a_call_void_by_an_order_to_close_its_shoe(authority):
    return voided(authority, act="shoe-close")


@tale("void_order")
def a_call_void_that_the_second_did_not_sign(authority):
    def unsigned(step, record):
        if step == "confirmed":
            record["body"]["order"]["signature"] = "A" * 86 + "=="
    return voided(authority, lie=unsigned)


@tale("void_order")
def a_call_void_at_another_state_of_the_table(authority):
    return voided(authority, head="11" * 32)


# ---- The shoe before

@tale("shoe_before")
def a_shoe_that_forgets_the_one_before(authority):
    table = fresh(authority)
    table.close("closed")
    table.ended = None
    return next_coup(table)


@tale("shoe_before")
def a_shoe_that_names_an_earlier_one(authority):
    table = fresh(authority)
    table.close("closed")
    first = table.ended
    table.commit()
    table.mix()
    table.close("closed")
    table.ended = first
    return next_coup(table)


@tale("shoe_before")
def a_second_call_that_names_the_shoe_before(authority):
    """Where each round is mixed only the first call of a shoe does."""
    table = fresh(authority, mix="round")
    table.close("closed")
    table.commit()
    table.mix()
    table.burn()
    table.shoe.called = False
    game = table.begin()
    table.mix(coups(1, lambda shoe: shoe.dealt), BETS, game)
    results, after, cites = table.coup(game)
    table.settle(game, results, after, cites)
    return table


# ---- Cards of a round, and an order of its own

@tale("dealt_wrong")
def a_round_that_counts_a_card_less(authority):
    table = fresh(authority, coups(2))
    table.burn()
    game, _, after, _ = played(table)
    table.end(game, after, -1)
    played(table)
    return table
