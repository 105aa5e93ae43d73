"""Tables that break one rule of shoes, machines, draws and citations, and nothing else: each lie is
refused for the code of that rule. Beside what the records of true stories can be told otherwise
(fields.py) these are whole: cards, paths, signatures and links follow from the lie."""
import copy

from forge import BETS, IN_PLAY, Table
from machines import released, reported
from neighbours import Shown, Wheel, json_state
from tales import coups, fresh, plain, played, tale

HASH = "5c" * 32


def retold(table, change):
    """The last record otherwise: nothing is linked to it yet."""
    record = table.forget_last()
    change(record)
    table._push(record)
    return table


# ---- Cards

@tale("deal_order")
def a_card_passed_over(authority):
    table = plain(authority)
    table.shoe.dealt += 1
    table.deal("p")
    return table


@tale("deal_order")
def a_card_behind_the_last(authority):
    table = plain(authority)
    while table.shoe.dealt < table.shoe.count:
        table.deal("p", "unseen")
    table.deal("p", "unseen")
    return table


@tale("card_excess")
def nine_of_one_card(authority):
    table = Table(authority, "shoe")
    table.commit(lambda order: [order[0]] * len(order))
    table.mix()
    for _ in range(9):
        table.deal("p")
    return table


@tale("wrong_position")
def a_card_from_another_place(authority):
    table = plain(authority)
    table.shoe.mix[0], table.shoe.mix[1] = table.shoe.mix[1], table.shoe.mix[0]
    table.deal("p")
    return table


@tale("copy_key")
def a_covered_card_for_somebody_else(authority):
    table = plain(authority)
    table.deal("p", "covered")
    return retold(table, lambda one: one["body"].update(
        copies=[{"seat": 1, "key": HASH, "ciphertext": HASH}]))


@tale("not_covered")
def an_open_card_opened(authority):
    table = plain(authority)
    table.deal("p")
    table.add("CARD_OPEN", table.shoe.name, {"position": 0, "place": "p",
                                             **table.shoe.opening(0)})
    return table


@tale("deck_cards")
def a_shoe_with_a_card_less(authority):
    table = Table(authority, "shoe")
    table.commit()
    return retold(table, lambda one: one["body"].update(cards=table.shoe.count - 1))


@tale("deck_other")
def a_shoe_of_another_deck(authority):
    table = Table(authority, "shoe")
    table.reopen(parameters={"deck": "french52x1"})
    table.commit()
    return table


@tale("ended_early")
def a_shoe_ended_in_play(authority):
    table = plain(authority)
    table.deal("p")
    table.close("ended")
    return table


@tale("wrong_commitment")
def an_arranged_order(authority):
    table = Table(authority, "shoe")
    table.commit(lambda order: order[1:] + order[:1])
    table.mix()
    table.close("closed")
    return table


@tale("close_count")
def a_close_that_counts_a_card_more(authority):
    table = plain(authority)
    table.deal("p")
    table.close("closed")
    return retold(table, lambda one: one["body"].update(dealt=2))


# ---- Shuffled again

@tale("recommit_early")
def shuffled_again_before_a_card(authority):
    table = plain(authority)
    table.recommit()
    return mixed_and_dealt(table)


@tale("recommit_often")
def shuffled_again_forty_nine_times(authority):
    return shuffled_again(authority, 49)


@tale(tries=48)
def honest_shuffled_again_forty_eight_times(authority):
    return shuffled_again(authority, 48)


def shuffled_again(authority, times):
    table = plain(authority)
    for _ in range(times):
        table.deal("p", "unseen")
        table.recommit()
        table.mix()
    table.deal("p")
    return table


def mixed_and_dealt(table):
    table.mix()
    table.deal("p")
    return table


# ---- Machines

@tale(tries=0, printed="the order was known to")
def honest_release(authority):
    table = reported(released(plain(authority)))
    table.deal("p")
    return table


@tale("report_missing")
def a_card_before_the_report(authority):
    table = released(plain(authority))
    table.deal("p")
    return table


@tale("release_twice")
def an_order_given_to_two_machines(authority):
    table = reported(released(released(plain(authority))))
    table.deal("p")
    return table


@tale("release_late")
def an_order_given_in_play(authority):
    table = plain(authority)
    table.deal("p")
    reported(released(table))
    table.deal("p")
    return table


@tale("release_form")
def a_shelf_fed_what_is_left(authority):
    table = plain(authority)
    table.deal("p", "unseen")
    table.recommit()
    table.mix()
    reported(released(table, form="shelf", compartments=10))
    table.deal("p")
    return table


@tale("report_undue")
def a_report_of_no_release(authority):
    table = reported(plain(authority))
    table.deal("p")
    return table


@tale("report_client")
def a_report_of_somebody_else(authority):
    table = reported(released(plain(authority)), "urn:talla:shuffler-2")
    table.deal("p")
    return table


@tale("report_count")
def a_report_of_targets_nobody_gave(authority):
    table = reported(released(plain(authority)), targets=3)
    table.deal("p")
    return table


@tale("report_seen")
def a_match_of_another_order(authority):
    table = plain(authority)
    reported(released(table), recognised=table.shoe.count, result="match", census="complete",
             seen=HASH)
    table.close("closed")
    return table


# ---- Draws

@tale("object_closed")
def a_call_behind_the_close_of_its_batch(authority):
    table = Wheel(authority)
    batch = table.batch()
    table.add("BATCH_CLOSE", batch["name"], {
        "reason": "closed", "first": 0, "left": [],
        "secrets": [one.hex() for one in batch["secrets"]]})
    table.spin([(batch, True)])
    return table


@tale("secret_order")
def a_secret_passed_over(authority):
    table = Wheel(authority)
    batch = table.batch()
    batch["next"] = 1
    table.spin([(batch, True)])
    return table


# ---- What a settlement cites and rests on

@tale("wrong_citation")
def a_card_not_cited(authority):
    table = fresh(authority)
    table.burn()
    played(table)
    return retold(table, lambda one: one.update(cites=one["cites"][:-1]))


@tale("cited_missing")
def a_citation_of_what_is_not_shown(authority):
    table = Wheel(authority)
    first = table.batch()
    end = table.over(table.spin([(first, True)]))
    table.state = json_state(table)
    table.spin([(table.batch(), True)])
    return Shown(retold(table, lambda one: one.update(cites=sorted({*one["cites"], end - 1}))), end)


@tale("bets_uncited")
def cards_that_do_not_cite_the_bets(authority):
    table = fresh(authority)
    table.burn()
    game, deal = table.begin(), table.deal
    table.deal = lambda place, face, round_, cites: deal(place, face, round_)
    results, after, cites = table.coup(game)
    table.settle(game, results, after, cites)
    return table


@tale("mixed_late")
def a_shoe_mixed_behind_the_bets(authority):
    table = Table(authority)
    table.commit()
    game = table.begin()
    table.mix(coups(1), BETS, game)
    burned = table.burn(game=game)
    results, after, cites = table.coup(game)
    table.settle(game, results, after, burned + cites)
    return table


@tale("object_before")
def cards_of_a_shoe_from_before(authority):
    table = fresh(authority, coups(2))
    table.burn()
    played(table, end=True)
    end = table.records[-1]["seq"]
    played(table)
    return Shown(table, end)


@tale("bets_twice")
def bets_closed_twice(authority):
    table = fresh(authority)
    table.burn()
    game = table.begin()
    table.add("BETS_CLOSED", game, copy.deepcopy(table.records[-1]["body"]))
    table.closed = table.records[-1]["seq"]
    results, after, cites = table.coup(game)
    table.settle(game, results, after, cites)
    return table


@tale("bets_missing")
def settled_without_bets(authority):
    table = fresh(authority)
    table.burn()
    game = table.begin()
    table.forget_last()
    table.settle(game, [], IN_PLAY, [])
    return table


@tale("part_missing")
def a_part_of_the_bets_left_out(authority):
    table = fresh(authority)
    table.burn()
    game = table.begin()
    retold(table, lambda one: one["body"].update(bets=[], part=2, parts=2))
    results, after, cites = table.coup(game)
    table.settle(game, results, after, cites)
    return table


@tale("bets_digest")
def bets_of_another_digest(authority):
    table = fresh(authority)
    table.burn()
    game = table.begin()
    retold(table, lambda one: one["body"].update(digest=HASH))
    results, after, cites = table.coup(game)
    table.settle(game, results, after, cites)
    return table


@tale("round_uncited")
def a_round_that_does_not_cite_the_one_before(authority):
    table = fresh(authority, coups(2))
    table.burn()
    played(table, end=True)
    begin = table.add
    table.add = lambda kind, name, body, cites=(): begin(
        kind, name, body, {0} if kind == "ROUND_OPEN" else cites)
    played(table)
    return table


@tale(rules="parameters_missing", tries=0)
def a_table_that_leaves_out_a_parameter(authority):
    table = Table(authority)
    kept = dict(sorted(table.body["parameters"].items())[1:])
    table.reopen(parameters=kept)
    table.commit()
    table.mix(coups(1))
    table.burn()
    played(table)
    return table


# ---- Time

@tale("time_back")
def a_clock_that_goes_back(authority):
    table = plain(authority)
    table.deal("p")
    return retold(table, lambda one: one.update(time=table.records[-1]["time"] - 1))


@tale("boot_back")
def a_start_before_the_last(authority):
    table = plain(authority)
    retold(table, lambda one: one.update(boot=2))
    table.deal("p")
    return table

