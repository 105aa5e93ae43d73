#!/usr/bin/env python3
# Goal: a covered shoe is shuffled again over the API in the middle of a hand, through kill -9:
#   cards dealt before stay with their seats and open under the root they were dealt under, nothing
#   of a replaced root is opened, and both verifiers accept every claim.
# Method: synthetic poker of Aragon (10.2.B.e V.2.b: a common card turned too early is mixed into
#   the rest) with a seat of its own key; what the seat decrypts held against what is opened later;
#   disk, pages and replies kept before and searched for it; then a full table of five-card draw,
#   whose deck of 32 runs out.
#   usage: again_test.py FOLDER_OF_PROGRAMS
import base64
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from calls import mix_body, mix_core, signed  # noqa: E402
from appliance import record_of  # noqa: E402
from facts import lapsed, mix_shoe, events, main, open_table, refused, seq_of  # noqa: E402
from games_test import SEAT, seat_of  # noqa: E402
from play_test import verified  # noqa: E402
from secrecy_test import Kept, search, spellings  # noqa: E402
from verifier.covered import open_copy  # noqa: E402
from verifier.text import Refused  # noqa: E402

ORIGIN, TABLE_KEY, OWN = "talla.local/development", "talla:table-1", 2


def synthetic(client):
    return open_table(client,
                      {"catalogue": "es-aragon-2010", "game": "circle-synthetic",
                       "table": {"currency": "EUR", "unit": 1, "min": 20,
                                 "params": {"fee_rate": "0"}}})


def needs_of(client, table):
    return [need["need"] for need in client.get(f"/v1/tables/{table}")["table"]["needs"]]


def started(client, table, spki):
    """Four players with their cards: the round's id, the shoe's view, the covered cards by
    place."""
    shoe = mix_shoe(client, table)["id"]
    opened = client.post(f"/v1/tables/{table}/rounds",
                         {"keys": [{"seat": OWN, "spki": spki}]})["round"]["id"]
    client.post(f"/v1/rounds/{opened}/close-bets",
                {"bets": [{"id": f"r{seat}", "seat": seat, "kind": "resto", "stake": 400}
                          for seat in (1, 2, 3, 4)]})
    dealt = client.post(f"/v1/shoes/{shoe}/deal", {"expected": 0, "until": "needs"})
    return opened, dealt["shoe"], {card["place"]: card for card in dealt["cards"]}


def read_card(appliance, client, shoe, card, recommits=None, own=OWN):
    """What the seat's key makes of its copy; the card was dealt under the root that the listing
    names."""
    again = card.get("recommits", 0) if recommits is None else recommits
    seat = card["seats"][0]
    reply = client.get(f"/v1/shoes/{shoe}/cards/{card['position']}?recommits={again}")["card"]
    assert reply.get("recommits", 0) == again and reply["place"] == card["place"], reply
    name = SEAT if seat == own else TABLE_KEY
    return open_copy(f"{appliance.folder}/clients/{name}.key", ORIGIN, shoe, card["position"], seat,
                     base64.b64decode(reply["copies"][0]["ciphertext"]), again)


def too_early(client, round_id):
    """A common card is turned while somebody may speak; the round's view."""
    now = client.get(f"/v1/rounds/{round_id}")["round"]["state_digest"]
    return client.post(f"/v1/rounds/{round_id}/misdeal",
                       {"expected_state": now, "code": "common-too-early"})["round"]


def check_all(client, round_id, shoe):
    """Everybody checks, and shows his hand, until it is settled; the replies."""
    replies = []
    for _ in range(60):
        state = client.get(f"/v1/rounds/{round_id}")["round"]
        if state["state"] == "ended":
            return replies
        decide = [need for need in state["needs"] if need["need"] == "decide" and need["required"]]
        if decide:
            offered = [choice["do"] for choice in decide[0]["choices"]]
            what = "pasar" if "pasar" in offered else "mostrar"
            body = {"expected_state": state["state_digest"], "seat": decide[0]["seat"], "do": what}
            replies.append(client.post(f"/v1/rounds/{round_id}/actions", body))
        else:
            position = client.get(f"/v1/shoes/{shoe}")["shoe"]["position"]
            replies.append(client.post(f"/v1/shoes/{shoe}/deal",
                                       {"expected": position, "until": "needs"}))
    raise AssertionError("the hand does not end")


def records(replies, kind):
    return [json.loads(one["record"]) for reply in replies for one in reply["receipts"]
            if json.loads(one["record"])["kind"] == kind]


def restarted(appliance):
    appliance.kill()
    appliance.start()
    return appliance.client()


def a_covered_shoe_is_shuffled_again_in_the_middle_of_a_hand(appliance):
    client, (seat, spki), kept = appliance.client(), seat_of(appliance), Kept(appliance)
    table = synthetic(client)
    hand, view, cards = started(client, table, spki)
    shoe, root = view["id"], view["root"]
    own, mine = cards[f"seat-{OWN}-card-1"], cards["seat-1-card-1"]
    read = read_card(appliance, seat, shoe, own)
    table_read = read_card(appliance, client, shoe, mine)
    refused(client, "POST", f"/v1/shoes/{shoe}/recommit", 409, "wrong_state")
    too_early(client, hand)
    laid = client.post(f"/v1/shoes/{shoe}/deal", {"expected": view["position"], "until": "needs"})
    covered = [card["place"] for card in laid["cards"] if card["face"] == "covered"]
    assert covered and all("seats" not in card for card in laid["cards"]), laid["cards"]
    assert needs_of(client, table) == ["shuffle"], needs_of(client, table)
    back = kept.reply("recommit", client.post(f"/v1/shoes/{shoe}/recommit"))
    again = record_of(back, "SHOE_RECOMMIT")["body"]
    assert again["of"] == root and again["disclosure"] == "covered" and \
        again["rule"] == "10.2.B.e V.2.a", again
    assert len(again["returned"]) == 1 and "older" not in again and \
        not {"key", "tape", "secret"} & again.keys(), again
    assert again["cards"] == view["cards"] - laid["shoe"]["position"] + 1, \
        "what is left, and the card that goes back"
    refused(client, "POST", f"/v1/shoes/{shoe}/deal", 409, "shoe_not_mixed",
            {"expected": 0, "until": "needs"})
    client = restarted(appliance)  # between commitment and mix
    seat = appliance.client(SEAT)
    assert read_card(appliance, seat, shoe, own) == read, "the copy is read again, under its root"
    lapsed(client, f"/v1/shoes/{shoe}/mix", "wrong_root",
           signed(client, mix_core(client, shoe) | {"root": root}))
    mixed = kept.reply("mix",
                       client.post(f"/v1/shoes/{shoe}/mix", mix_body(client, shoe)))
    assert mixed["shoe"]["recommits"] == 1 and mixed["shoe"]["cards"] == again["cards"], \
        mixed["shoe"]
    verified(appliance, client, seq_of(mixed, "SHOE_MIX"))
    placed = client.post(f"/v1/shoes/{shoe}/deal", {"expected": 0, "until": 1})
    assert placed["cards"][0]["recommits"] == 1 and placed["cards"][0]["face"] == "covered", \
        placed["cards"]
    refused(seat, "GET", f"/v1/shoes/{shoe}/cards/{placed['cards'][0]['position']}", 403,
            "forbidden")
    try:
        read_card(appliance, seat, shoe, own, recommits=1)
        raise AssertionError("a card of the first root is read as one of the second")
    except (AssertionError, Refused) as error:
        assert "is read as" not in str(error), error
    kept.pages(shoe, table)
    kept.disk("before anything is opened")
    client.close()
    client = restarted(appliance)  # between commitment and the first opening of an older card
    for opening in (read, table_read):
        found = search(kept.seen, spellings(bytes.fromhex(opening["salt"])))
        assert not found, f"a card that nobody opened is in {found}"
    client.close()
    replies = check_all(client, hand, shoe)
    opened = {record["body"]["place"]: record for record in records(replies, "CARD_OPEN")}
    assert opened["seat-2-card-1"]["body"]["recommits"] == 0, \
        "opened under the root it was dealt under"
    for place, opening in (("seat-2-card-1", read), ("seat-1-card-1", table_read)):
        assert {name: opened[place]["body"][name] for name in opening} == opening, place
    assert "recommits" not in opened[placed["cards"][0]["place"]]["body"], \
        "that one is of the newest root"
    for place in (placed["cards"][0]["place"], "seat-2-card-1"):
        verified(appliance, client, opened[place]["seq"])
    settled = records(replies, "SETTLEMENT")[0]
    words = appliance.verify(verified(appliance, client, settled["seq"]))[1]
    assert "the rules of the catalogue give exactly" in words and \
        "shuffled again 1 times" in words, words
    shown = replies[-1]["round"]["cards"]
    gone = [card for card in shown if card.get("returned")]
    assert len(gone) == 1 and gone[0]["position"] == again["returned"][0], shown
    closed = client.post(f"/v1/shoes/{shoe}/close")
    assert set(record_of(closed, "SHOE_CLOSE")["body"]) == {"dealt", "reason"}, \
        "nothing of any root is opened"
    words = appliance.verify(verified(appliance, client, seq_of(closed, "SHOE_CLOSE")))[1]
    lying = len(records(replies, "CARD_OPEN")) + sum("card" in card and not card.get("returned")
                                                     for card in shown if card["face"] == "open")
    assert f"composition of {view['cards'] - lying} unopened cards" in words, (lying, words)
    refused(appliance.client(SEAT), "GET", f"/v1/shoes/{shoe}/cards/{own['position']}?recommits=0",
            404, "not_found")
    client.post(f"/v1/tables/{table}/close")


def a_hand_is_shuffled_twice_and_a_card_of_the_first_root_goes_back_then(appliance):
    client, (_, spki) = appliance.client(), seat_of(appliance)
    table = synthetic(client)
    hand, view, _ = started(client, table, spki)
    shoe, older, placed = view["id"], [], []
    for number in range(1, 4):
        too_early(client, hand)
        while "shuffle" not in needs_of(client, table):
            position = client.get(f"/v1/shoes/{shoe}")["shoe"]["position"]
            client.post(f"/v1/shoes/{shoe}/deal", {"expected": position, "until": "needs"})
        if number == 2:
            client = restarted(appliance)
        back = client.post(f"/v1/shoes/{shoe}/recommit")
        body = record_of(back, "SHOE_RECOMMIT")["body"]
        older += body.get("older", [])
        placed.append(body["returned"])
        if number == 3:
            client = restarted(appliance)
        client.post(f"/v1/shoes/{shoe}/mix", mix_body(client, shoe))
        client.post(f"/v1/shoes/{shoe}/deal", {"expected": 0, "until": "needs"})
        # The first betting interval ends, so that the next common card is one laid before the first
        # shuffle.
        while [need["need"]
               for need in client.get(f"/v1/rounds/{hand}")["round"]["needs"]] == ["decide"]:
            state = client.get(f"/v1/rounds/{hand}")["round"]
            client.post(f"/v1/rounds/{hand}/actions",
                        {"expected_state": state["state_digest"], "seat": state["needs"][0]["seat"],
                         "do": "pasar"})
        position = client.get(f"/v1/shoes/{shoe}")["shoe"]["position"]
        client.post(f"/v1/shoes/{shoe}/deal", {"expected": position, "until": "needs"})
    assert older and older[0]["recommits"] == 0, (older, placed)
    replies = check_all(client, hand, shoe)
    verified(appliance, client, records(replies, "SETTLEMENT")[0]["seq"])
    closed = client.post(f"/v1/shoes/{shoe}/close")
    words = appliance.verify(verified(appliance, client, seq_of(closed, "SHOE_CLOSE")))[1]
    assert "shuffled again 3 times" in words, words
    client.post(f"/v1/tables/{table}/close")


def draw_choice(need, opened):
    """One opens, all stay in, everybody changes as many cards as he may."""
    offered = {choice["do"]: choice for choice in need["choices"]}
    for name in ("descartar", "cubrir", *(() if opened else ("apostar",)), "pasar", "mostrar",
                 "servido"):
        if name in offered:
            return offered[name]
    raise AssertionError(f"no choice to play on: {need}")


def decided(client, hand, opened):
    """One decision of a hand of five-card draw; what was done."""
    state = client.get(f"/v1/rounds/{hand}")["round"]
    need = [need for need in state["needs"] if need["need"] == "decide" and need["required"]][0]
    choice = draw_choice(need, opened)
    body = {"expected_state": state["state_digest"], "seat": need["seat"], "do": choice["do"]}
    if "cards" in choice:
        body["cards"] = choice["cards"]["places"][:choice["cards"]["max"]]
    if choice.get("max"):
        body["amount"] = choice["min"]
    return choice["do"], client.post(f"/v1/rounds/{hand}/actions", body)


def the_deck_of_five_card_draw_runs_out_at_a_full_table_and_discards_go_back_unseen(appliance):
    client = appliance.client()
    table = open_table(client,
                       {"catalogue": "es-aragon-2010", "game": "circle-five-card-draw",
                        "table": {"currency": "EUR", "unit": 1, "min": 20,
                                  "params": {"fee_rate": "0", "deck": "32"}}})
    shoe = mix_shoe(client, table)["id"]
    hand = client.post(f"/v1/tables/{table}/rounds")["round"]["id"]
    client.post(f"/v1/rounds/{hand}/close-bets",
                {"bets": [{"id": f"r{seat}", "seat": seat, "kind": "resto", "stake": 400}
                          for seat in range(1, 7)]})
    replies, opened, held, unseen, older = [], False, {}, [], []
    for _ in range(120):
        names = needs_of(client, table)
        if client.get(f"/v1/rounds/{hand}")["round"]["state"] == "ended":
            break
        if "shuffle" in names:
            before = {key: card for key, card in held.items()}
            body = record_of(client.post(f"/v1/shoes/{shoe}/recommit"), "SHOE_RECOMMIT")["body"]
            client = restarted(appliance)
            client.post(f"/v1/shoes/{shoe}/mix", mix_body(client, shoe))
            root = client.get(f"/v1/shoes/{shoe}")["shoe"]["recommits"] - 1
            unseen += [before.pop((root, position)) for position in body["returned"]
                       if (root, position) in before]
            for one in body.get("older", []):
                older.append(one["recommits"])
                unseen += [before.pop((one["recommits"], position))
                           for position in one["positions"]]
            held = before
        elif "decide" in names:
            done, reply = decided(client, hand, opened)
            opened = opened or done == "apostar"
            replies.append(reply)
        else:
            position = client.get(f"/v1/shoes/{shoe}")["shoe"]["position"]
            reply = client.post(f"/v1/shoes/{shoe}/deal", {"expected": position, "until": "needs"})
            replies.append(reply)
            held |= {(card.get("recommits", 0),
                      card["position"]): read_card(appliance, client, shoe, card, own=0)
                     for card in reply["cards"] if card.get("seats")}
    again = client.get(f"/v1/shoes/{shoe}")["shoe"]["recommits"]
    assert again >= 2 and older and unseen, (again, older, len(unseen))
    shown = {record["body"]["salt"]: record["body"] for record in records(replies, "CARD_OPEN")}
    assert shown and any(body.get("recommits") == 0 for body in shown.values()), \
        "hands are shown under the roots they were dealt under"
    assert all(opening["salt"] not in shown for opening in unseen), "what went back stays unseen"
    for opening in (one for one in held.values() if one["salt"] in shown):
        assert shown[opening["salt"]]["card"] == opening["card"]
    out = [opening["card"] for opening in held.values()]
    assert len(out) == len(set(out)), "no card is held twice"
    words = appliance.verify(verified(appliance, client,
                                      records(replies, "SETTLEMENT")[0]["seq"]))[1]
    assert "the rules of the catalogue give exactly" in words and \
        f"shuffled again {again} times" in words, words
    closed = client.post(f"/v1/shoes/{shoe}/close")
    path = verified(appliance, client, seq_of(closed, "SHOE_CLOSE"))
    evidence = open(path, encoding="utf-8").read() + json.dumps(events(client))
    assert not any(opening["salt"] in evidence for opening in unseen), \
        "a discard is in the evidence"
    assert any(salt in evidence for salt in shown), "the search finds nothing at all"
    client.post(f"/v1/tables/{table}/close")


def who_is_passed_over_with_the_seventh_card_gets_the_first_dead_one(appliance):
    """10.2.B.a III.b: the others get theirs, the rest of the deck is laid aside, the first dead
    card is his."""
    client = appliance.client()
    table = open_table(client,
                       {"catalogue": "es-aragon-2010", "game": "circle-seven-card-stud",
                        "table": {"currency": "EUR", "unit": 1, "min": 20,
                                  "params": {"fee_rate": "0"}}})
    shoe = mix_shoe(client, table)["id"]
    hand = client.post(f"/v1/tables/{table}/rounds")["round"]["id"]
    client.post(f"/v1/rounds/{hand}/close-bets",
                {"bets": [{"id": f"r{seat}", "seat": seat, "kind": "resto", "stake": 400}
                          for seat in (1, 2, 3, 4)]})
    replies, opened, passed, dead = [], False, None, None
    for _ in range(80):
        state = client.get(f"/v1/rounds/{hand}")["round"]
        if state["state"] == "ended":
            break
        names = needs_of(client, table)
        if "shuffle" in names:
            body = record_of(client.post(f"/v1/shoes/{shoe}/recommit"), "SHOE_RECOMMIT")["body"]
            assert (body["rule"], body["positions"],
                    body["returned"]) == ("10.2.B.a III", 1, [dead]), (body, dead)
            client.post(f"/v1/shoes/{shoe}/mix", mix_body(client, shoe))
            continue
        if "decide" in names:
            done, reply = decided(client, hand, opened)
            opened = opened or done == "apostar"
            replies.append(reply)
            continue
        due = [card["place"] for need in state["needs"] if need["need"] == "deal"
               for card in need["cards"]]
        seventh = not passed and due and due[0].endswith("-card-7")
        position = client.get(f"/v1/shoes/{shoe}")["shoe"]["position"]
        reply = client.post(f"/v1/shoes/{shoe}/deal",
                            {"expected": position, "until": 2 if seventh else "needs"})
        replies.append(reply)
        dead = next((card["position"] for card in reply["cards"] if card["place"] == "dead-1"),
                    dead)
        if seventh:
            passed = due[2]
            now = client.get(f"/v1/rounds/{hand}")["round"]["state_digest"]
            client.post(f"/v1/rounds/{hand}/misdeal",
                        {"expected_state": now, "code": "seventh-passed-over", "place": passed})
    cards = [card for reply in replies for card in reply.get("cards", [])]
    order = [card["place"] for card in cards]
    assert passed and order[-1] == passed, (passed, order[-3:])
    assert cards[-1]["recommits"] == 1 and cards[-1]["position"] == 0, \
        "of the root that holds the dead card alone"
    words = appliance.verify(verified(appliance, client,
                                      records(replies, "SETTLEMENT")[0]["seq"]))[1]
    assert "the rules of the catalogue give exactly" in words and \
        "shuffled again 1 times" in words, words
    client.post(f"/v1/tables/{table}/close")


def enrol_a_seat(appliance):
    appliance.talla("keys", "client", appliance.folder, SEAT, "--role", "seat", check=True)


if __name__ == "__main__":
    main([a_covered_shoe_is_shuffled_again_in_the_middle_of_a_hand,
          a_hand_is_shuffled_twice_and_a_card_of_the_first_root_goes_back_then,
          the_deck_of_five_card_draw_runs_out_at_a_full_table_and_discards_go_back_unseen,
          who_is_passed_over_with_the_seventh_card_gets_the_first_dead_one], before=enrol_a_seat)
