"""What a liar without the log's key tells a client: replies that say other things than their
receipts, and receipts that do not hold.

A lie takes the true reply and those before it, and gives what is told, or None where it has nothing
to lie about. Beside each stand the words by which a client may refuse it."""
import json
import re


def kinds_of(reply):
    return [json.loads(one["record"])["kind"] for one in reply.get("receipts", [])]


def changed(receipt, what, to):
    return {"proof": receipt["proof"], "record": re.sub(what, to, receipt["record"], count=1)}


def told_of(member):
    """Of replies with that member; the lie changes it and gives nothing, or None for no lie."""
    def make(lie):
        def told(reply, before):
            if not reply.get(member):
                return None
            return None if lie(reply[member], reply) is False else reply
        told.__name__ = lie.__name__
        return told
    return make


def of_record(kind):
    """Of replies with a record of that kind."""
    def make(lie):
        def told(reply, before):
            kinds = kinds_of(reply)
            if kind not in kinds:
                return None
            return None if lie(reply, kinds.index(kind)) is False else reply
        told.__name__ = lie.__name__
        return told
    return make


# ---- other words than the record


@told_of("draw")
def another_outcome_in_words(draw, reply):
    draw["outcome"]["pocket"] = (draw["outcome"]["pocket"] + 1) % 37


@told_of("draw")
def another_record_of_the_draw(draw, reply):
    draw["seq"] -= 1


@told_of("draw")
def a_draw_told_as_lapsed(draw, reply):
    reply["lapsed"] = {"seq": draw["seq"], "table": "table-1", "turn": 1, "code": "head_wrong",
                       "detail": "not the newest record"}


@told_of("draw")
def a_draw_told_as_waiting_for_others(draw, reply):
    core = json.loads(reply["receipts"][0]["record"])["body"]["core"]
    reply["call"] = {"seq": draw["call"], "table": core["table"], "turn": core["turn"],
                     "object": core["object"], "until": 1}
    del reply["draw"], reply["receipts"][1:]


@told_of("draw")
def a_draw_without_its_result_in_words(draw, reply):
    del reply["draw"]


def of_spin(lie):
    """Of the draw of a round of roulette; the player spins only for these."""
    def told(reply, before):
        if "draw" not in reply or not reply.get("round", {}).get("outcome"):
            return None
        return None if lie(reply["round"], reply["draw"]) is False else reply
    told.__name__, told.spins = lie.__name__, True
    return told


@of_spin
def another_number_of_the_round(round_, draw):
    round_["outcome"] = ["17" if round_["outcome"] != ["17"] else "20"]


@of_spin
def the_place_on_the_wheel_for_its_number(round_, draw):
    place = str(draw["outcome"]["pocket"])
    if round_["outcome"] == [place]:
        return False
    round_["outcome"] = [place]
    return True


@of_spin
def two_numbers_of_one_spin(round_, draw):
    round_["outcome"] = round_["outcome"] * 2


@of_spin
def a_round_without_its_number(round_, draw):
    del round_["outcome"]


@told_of("batch")
def another_batch_in_words(batch, reply):
    batch["id"] = "batch-1"


@told_of("batch")
def another_root_of_the_batch_in_words(batch, reply):
    batch["root"] = "00" * 32


@of_record("TABLE_OPEN")
def another_table_in_words(reply, at):
    reply["table"]["id"] = "table-1"


@of_record("SHOE_COMMIT")
def another_shoe_in_words(reply, at):
    reply["shoe"]["id"] = "shoe-1"


@of_record("SHOE_COMMIT")
def another_root_of_the_shoe_in_words(reply, at):
    reply["shoe"]["root"] = "00" * 32


@of_record("ROUND_OPEN")
def another_round_in_words(reply, at):
    reply["round"]["id"] = "round-1"


@told_of("cards")
def another_card(cards, reply):
    found = [card for card in cards if "card" in card]
    if not found:
        return False
    found[0]["card"] = "AS" if found[0]["card"] != "AS" else "KS"
    return True


@told_of("cards")
def another_place_of_a_card(cards, reply):
    cards[0]["place"] = "elsewhere-1"


@told_of("cards")
def another_position_of_a_card(cards, reply):
    cards[0]["position"] += 1


@told_of("cards")
def an_open_card_told_as_covered(cards, reply):
    found = [card for card in cards if card["face"] == "open"]
    if not found:
        return False
    del found[0]["card"]
    found[0]["face"] = "covered"
    return True


@told_of("cards")
def a_card_twice(cards, reply):
    cards.append(dict(cards[-1]))


@told_of("cards")
def a_card_less_in_words(cards, reply):
    del cards[-1]


@told_of("cards")
def a_card_turned_that_was_not(cards, reply):
    reply["revealed"] = [{"position": 0, "place": cards[0]["place"], "card": "AS"}]


def results_of(reply):
    return reply.get("round", {}).get("results")


def of_results(lie):
    def told(reply, before):
        if not results_of(reply):
            return None
        lie(results_of(reply))
        return reply
    told.__name__ = lie.__name__
    return told


@of_results
def another_payment(results):
    results[0]["returned"] += 1


@of_results
def another_result(results):
    results[0]["result"] = "win" if results[0]["result"] != "win" else "lose"


@of_results
def a_payment_to_another_seat(results):
    results[0]["seat"] += 1


@of_results
def a_payment_left_out(results):
    del results[-1]


@of_results
def a_payment_twice(results):
    results.append(dict(results[0]))


# ---- receipts that do not hold


@told_of("draw")
def another_outcome_in_the_record(draw, reply):
    pocket = (draw["outcome"]["pocket"] + 1) % 37
    draw["outcome"]["pocket"] = pocket
    reply["receipts"][-1] = changed(reply["receipts"][-1], '"pocket":[0-9]+', f'"pocket":{pocket}')


@told_of("draw")
def no_receipts(draw, reply):
    del reply["receipts"]


@told_of("draw")
def an_empty_list_of_receipts(draw, reply):
    reply["receipts"] = []


def the_reply_before_again(reply, before):
    drawn = [one for one in before if "draw" in one]
    return drawn[-1] if "draw" in reply and drawn else None


def the_receipts_of_the_draw_before(reply, before):
    drawn = [one for one in before if "draw" in one]
    return reply | {"receipts": drawn[-1]["receipts"]} if "draw" in reply and drawn else None


@told_of("receipts")
def a_signature_that_is_none(receipts, reply):
    proof = receipts[-1]["proof"]
    at = proof.rindex("=\n") - 8 if proof.endswith("=\n") else len(proof) - 9
    receipts[-1]["proof"] = proof[:at] + ("A" if proof[at] != "A" else "B") + proof[at + 1:]


@told_of("receipts")
def a_proof_of_the_record_before(receipts, reply):
    seq = json.loads(receipts[-1]["record"])["seq"]
    receipts[-1]["proof"] = receipts[-1]["proof"].replace(f"index {seq}\n", f"index {seq - 1}\n")


@told_of("receipts")
def a_path_that_is_too_short(receipts, reply):
    head, note = receipts[-1]["proof"].split("\n\n", 1)
    lines = head.split("\n")
    if len(lines) < 3:
        return False
    receipts[-1]["proof"] = "\n".join(lines[:-1]) + "\n\n" + note
    return True


@told_of("receipts")
def a_record_in_another_spelling(receipts, reply):
    receipts[-1]["record"] = receipts[-1]["record"].replace(",", ", ", 1)


@of_record("DRAW")
def a_draw_without_its_call(reply, at):
    del reply["receipts"][kinds_of(reply).index("CALL")]


@of_record("SHOE_MIX")
def a_mix_without_its_call(reply, at):
    del reply["receipts"][kinds_of(reply).index("CALL")]


@told_of("draw")
def the_call_alone(draw, reply):
    del reply["receipts"][1:]


@of_record("DRAW")
def the_call_behind_its_result(reply, at):
    reply["receipts"].reverse()


@of_record("CARD_DEAL")
def a_card_without_its_record(reply, at):
    del reply["receipts"][at]


FORM = "another form|is missing|malformed|without|not valid|lacks|no member"
CARD = "shows a card"
PAYS = "pays what the log does not say"
SPIN = "the round shows another outcome than the log"
LIES = {another_outcome_in_words: "another outcome", another_record_of_the_draw: "another outcome",
        a_draw_told_as_lapsed: "do not agree on whether the call lapsed",
        a_draw_told_as_waiting_for_others: "no result",
        a_draw_without_its_result_in_words: FORM + "|another outcome",
        another_number_of_the_round: SPIN, the_place_on_the_wheel_for_its_number: SPIN,
        two_numbers_of_one_spin: SPIN, a_round_without_its_number: SPIN,
        another_batch_in_words: "another", another_root_of_the_batch_in_words: "another batch",
        another_table_in_words: "names another", another_shoe_in_words: "names another",
        another_root_of_the_shoe_in_words: "another shoe|another root",
        another_round_in_words: "names another",
        another_card: CARD, another_place_of_a_card: CARD, another_position_of_a_card: CARD,
        an_open_card_told_as_covered: CARD, a_card_twice: CARD, a_card_less_in_words: CARD,
        a_card_turned_that_was_not: CARD, another_payment: PAYS, another_result: PAYS,
        a_payment_to_another_seat: PAYS, a_payment_left_out: PAYS, a_payment_twice: PAYS,
        another_outcome_in_the_record: "not in the log|not_in_log|not_included",
        no_receipts: "without receipts", an_empty_list_of_receipts: "without receipts",
        the_reply_before_again: "not about this request",
        the_receipts_of_the_draw_before: "not about this request",
        a_signature_that_is_none: "wrong signature|wrong_signature",
        a_proof_of_the_record_before: "proof of another record|not_included|another index",
        a_path_that_is_too_short: "too short|another length|not_included|path",
        a_record_in_another_spelling: "another form|JSON|canonical",
        a_draw_without_its_call: "a result of", a_mix_without_its_call: "a result of",
        the_call_alone: "no result", the_call_behind_its_result: "a result of",
        a_card_without_its_record: CARD + "|not the next card"}
