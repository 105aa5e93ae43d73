#!/usr/bin/env python3
# Goal: a table client plays shoes, draws and whole rounds on the real appliance, and every piece of
#   evidence verifies offline.
# Method: the programs as they are installed, mutual TLS on loopback; results recomputed here from
#   the rules' own words; every bundle and receipt through `talla verify`, bundles through
#   tests/verify_bundle.py too.
#   usage: play_test.py FOLDER_OF_PROGRAMS
import json
import os
import subprocess
import sys

from calls import draw_body, mix_body, mix_core, signed
from facts import (SHOE, WHEEL, mix_of, mix_shoe, deal, events, game_table, main,
                   new_batch, open_table, refused, seq_of)
from appliance import record_of
from verifier import here

SECOND_VERIFIER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                               "verify_bundle.py")
RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}


def verified(appliance, client, seq):
    """The claim's bundle verifies, and says that source and keys are for development."""
    status, text = client.send("GET", f"/v1/bundles/{seq}")
    assert status == 200, text.decode()
    path = f"{appliance.folder}/{seq}.talla"
    with open(path, "wb") as out:
        out.write(text)
    code, words = appliance.verify(path)
    assert code == 3 and words.startswith("verified:"), f"bundle of {seq}: exit {code}\n{words}"
    assert "not checked:" in words, words
    second = here.bundle(path, f"{appliance.folder}/ca.pem")
    assert second.returncode == 3, (
        f"the second verifier on {seq}: exit {second.returncode}\n{second.stdout}{second.stderr}")
    return path


def receipts_verify(appliance, reply):
    assert reply["receipts"], "a record was made and no receipt came"
    for receipt in reply["receipts"]:
        assert sorted(receipt) == ["proof", "record"], receipt
        path = f"{appliance.folder}/receipt.json"
        with open(path, "w", encoding="utf-8") as out:
            out.write(json.dumps(receipt, sort_keys=True, separators=(",", ":"),
                                 ensure_ascii=False))
        code, words = appliance.verify(path, "--log-key", f"{appliance.folder}/log-key.json")
        assert code == 3, f"exit {code}: {words}"


def a_shoe_goes_from_commitment_to_close_and_its_cards_are_those_of_the_opened_order(appliance):
    client = appliance.client()
    opened = client.post("/v1/tables", SHOE)
    receipts_verify(appliance, opened)
    table = opened["table"]["id"]
    sealed = client.post(f"/v1/tables/{table}/shoes", {"stop_depth": 60})
    shoe = sealed["shoe"]
    assert (shoe["state"], shoe["cards"], shoe["position"]) == ("committed", 416, 0), shoe
    receipts_verify(appliance, sealed)
    mixed = client.post(f"/v1/shoes/{shoe['id']}/mix", mix_body(client, shoe["id"]))
    assert mixed["shoe"]["state"] == "mixed", mixed["shoe"]
    assert mixed["shoe"]["mixed"] == seq_of(mixed, "SHOE_MIX"), mixed["shoe"]
    dealt = deal(client, shoe["id"], 0, 10)
    assert [card["position"] for card in dealt["cards"]] == list(range(10)), dealt["cards"]
    assert dealt["shoe"]["position"] == 10 and dealt["shoe"]["state"] == "in_play", dealt["shoe"]
    unseen = deal(client, shoe["id"], 10, 1, face="unseen")
    assert "card" not in unseen["cards"][0], unseen["cards"]
    receipts_verify(appliance, dealt)
    card = verified(appliance, client, seq_of(dealt, "CARD_DEAL"))
    closed = client.post(f"/v1/shoes/{shoe['id']}/close")
    assert closed["shoe"]["state"] == "closed", closed["shoe"]
    whole = verified(appliance, client, seq_of(closed, "SHOE_CLOSE"))
    for path in (card, whole):
        for changed in (os.path.getsize(path) // 3, os.path.getsize(path) // 2):
            data = bytearray(open(path, "rb").read())
            data[changed] = ord("1") if data[changed] != ord("1") else ord("2")
            open(path + ".changed", "wb").write(data)
            code, words = appliance.verify(path + ".changed")
            assert code == 1, f"byte {changed} of {path} changed: exit {code}\n{words}"


def dealing_past_the_stop_depth_says_that_the_stop_card_is_out(appliance):
    client = appliance.client()
    table = open_table(client, {"settled_by": "client", "deck": "french52x1"})
    shoe = mix_shoe(client, table, stop_depth=50)
    assert not deal(client, shoe["id"], 0, 2)["shoe"]["stop_card_out"]
    after = deal(client, shoe["id"], 2, 1)["shoe"]
    assert after["stop_card_out"] and after["state"] == "last_round", after
    client.post(f"/v1/tables/{table}/close")


def cards_come_in_the_order_that_the_tables_call_gives(appliance):
    client = appliance.client()
    table = open_table(client, SHOE)
    shoe = client.post(f"/v1/tables/{table}/shoes")["shoe"]
    core = mix_core(client, shoe["id"])
    reply = client.post(f"/v1/shoes/{shoe['id']}/mix", signed(client, core))
    assert record_of(reply, "CALL")["body"]["core"] == core, "byte for byte what was signed"
    record = record_of(reply, "SHOE_MIX")
    assert record["body"]["root"] == shoe["root"] and \
        record["body"]["call"] == seq_of(reply, "CALL"), record
    mix = mix_of(core, record["body"])
    assert sorted(mix) == list(range(416)), mix
    assert any((after - before) % 416 != 1 for before, after in zip(mix, mix[1:])), \
        "the order of the commitment, only cut"
    dealt = deal(client, shoe["id"], 0, 8)
    leaves = [json.loads(one["record"])["body"]["leaf"] for one in dealt["receipts"]]
    assert leaves == mix[:8], (leaves, mix[:8])
    client.post(f"/v1/tables/{table}/close")


def draws_of_wheel_dice_and_lots_lie_in_their_ranges_and_verify(appliance):
    client = appliance.client()
    asked = [({"kind": "wheel", "pockets": 37}, lambda out: 0 <= out["pocket"] < 37),
             ({"kind": "dice", "count": 2, "faces": 6}, lambda out: len(out["dice"]) == 2 and
              all(1 <= one <= 6 for one in out["dice"])),
             ({"kind": "lots", "bounds": [49, 10]}, lambda out: out["lots"][0] < 49 and
              out["lots"][1] < 10)]
    for wanted, fits in asked:
        table = open_table(client, {"settled_by": "client", "range": wanted})
        batch = new_batch(client, table, 3)
        for index in range(3):
            reply = client.post("/v1/draws", draw_body(client, table, batch, index))
            assert fits(reply["draw"]["outcome"]), reply["draw"]
            kinds = [json.loads(receipt["record"])["kind"] for receipt in reply["receipts"]]
            assert kinds == ["CALL", "DRAW"], kinds
            assert record_of(reply, "DRAW")["body"]["outcome"] == reply["draw"]["outcome"]
            receipts_verify(appliance, reply)
        verified(appliance, client, seq_of(reply, "DRAW"))
        client.post(f"/v1/tables/{table}/close")


def a_closed_batch_opens_every_secret_that_was_not_used(appliance):
    client = appliance.client()
    table = open_table(client, WHEEL)
    batch = new_batch(client, table, 5)
    client.post("/v1/draws", draw_body(client, table, batch))
    body = record_of(client.post(f"/v1/tables/{table}/close"), "BATCH_CLOSE")["body"]
    assert (body["first"], len(body["secrets"]), body["reason"]) == (1, 4, "closed"), body


def spin(client, table, bets, withdrawn=()):
    """One roulette round: the settled round's view and the reply of the draw."""
    opened = client.post(f"/v1/tables/{table}/rounds")["round"]
    client.post(f"/v1/rounds/{opened['id']}/close-bets",
                {"bets": bets, "withdrawn": list(withdrawn)})
    batch = new_batch(client, table, 1)
    reply = client.post("/v1/draws", draw_body(client, table, batch, round=opened["id"]))
    return reply["round"], reply


def a_roulette_round_pays_what_the_catalogue_says(appliance):
    client = appliance.client()
    table = game_table(client, "french-roulette")
    opened = client.post(f"/v1/tables/{table}/rounds")["round"]
    assert opened["state"] == "betting", opened
    bets = [{"id": "a", "seat": 1, "kind": "pleno", "on": [str(number)], "stake": 25}
            for number in (0, 7, 17)]
    for name, bet in zip("abc", bets):
        bet["id"] = name
    draft = client.post(f"/v1/rounds/{opened['id']}/bets", {"bets": bets[:1]})
    assert "receipts" not in draft or not draft["receipts"], "a draft has no receipt"
    client.post(f"/v1/rounds/{opened['id']}/bets",
                {"bets": bets +
                 [{"id": "d", "seat": 2, "kind": "docena", "on": ["1"], "stake": 50}]})
    assert len(client.get(f"/v1/rounds/{opened['id']}")["round"]["bets"]) == 4
    closed = client.post(f"/v1/rounds/{opened['id']}/close-bets")
    assert closed["round"]["state"] == "playing" and len(closed["round"]["bets"]) == 4, \
        closed["round"]
    batch = new_batch(client, table)
    reply = client.post("/v1/draws", draw_body(client, table, batch, round=opened["id"]))
    number = int(reply["round"]["outcome"][0])
    got = {one["bet"]: (one["result"], one["returned"]) for one in reply["round"]["results"]}
    for name, on in zip("abc", (0, 7, 17)):
        assert got[name] == (("win", 25 * 36) if number == on else ("lose", 0)), (number, got)
    assert got["d"] == (("win", 150) if 1 <= number <= 12 else ("lose", 0)), (number, got)
    assert reply["round"]["state"] == "ended"
    verified(appliance, client, seq_of(reply, "SETTLEMENT"))
    again = client.get(f"/v1/rounds/{opened['id']}")["round"]
    assert again["state"] == "ended" and again["results"] == reply["round"]["results"], again


def a_zero_asks_for_a_decision_and_prison_carries_the_stake_into_the_next_round(appliance):
    client = appliance.client()
    table = game_table(client, "french-roulette")
    for number in range(1, 801):
        bet = {"id": f"r{number}", "seat": 3, "kind": "rojo", "stake": 100}
        view, reply = spin(client, table, [bet])
        outcome, result = int(view["outcome"][0]), view["results"][0]
        expected = ("win", 200) if outcome in RED else ("lose", 0) if outcome else ("prison", 0)
        assert (result["result"], result["returned"]) == expected, (outcome, result)
        if outcome == 0:
            break
    assert outcome == 0, "800 spins without a zero: (36/37)^800 is below 10^-9"
    opened = client.post(f"/v1/tables/{table}/rounds")["round"]
    need = [one for one in opened["needs"] if one["need"] == "decide"][0]
    assert need["seat"] == 3 and {one["do"] for one in need["choices"]} == {"half", "prison"}, need
    path = f"/v1/rounds/{opened['id']}/actions"
    stale = refused(client, "POST", path, 409, "wrong_state",
                    {"expected_state": "00" * 32, "seat": 3, "do": "half", "bet": bet["id"]})
    assert stale["state_digest"] == opened["state_digest"], stale
    refused(client, "POST", path, 422, "action_refused",
            {"expected_state": opened["state_digest"], "seat": 4, "do": "half", "bet": bet["id"]})
    after = client.post(path,
                        {"expected_state": opened["state_digest"], "seat": 3, "do": "half",
                         "bet": bet["id"]})
    half = after["round"]["results"][-1]
    assert (half["result"], half["returned"]) == ("half", 50), half
    client.post(f"/v1/rounds/{opened['id']}/close-bets", {"bets": []})
    batch = new_batch(client, table, 1)
    reply = client.post("/v1/draws", draw_body(client, table, batch, round=opened["id"]))
    verified(appliance, client, seq_of(reply, "SETTLEMENT"))


def craps_are_thrown_until_the_series_of_a_win_bet_is_decided(appliance):
    client = appliance.client()
    table = game_table(client, "craps")
    point, bets = None, [{"id": "w", "seat": 1, "kind": "win", "stake": 100}]
    for _ in range(200):
        view, reply = spin(client, table, bets)
        total = sum(int(die) for die in view["outcome"])
        assert 2 <= total <= 12, view["outcome"]
        if point is None:
            wanted = "win" if total in (7, 11) else "lose" if total in (2, 3, 12) else None
            point = total
        else:
            wanted = "win" if total == point else "lose" if total == 7 else None
        results = [one for one in view["results"] if one["bet"] == "w"]
        assert [one["result"] for one in results] == ([wanted] if wanted else []), (
            (total, point, view["results"]))
        verified(appliance, client, seq_of(reply, "SETTLEMENT"))
        if wanted:
            assert results[0]["returned"] == (200 if wanted == "win" else 0), results
            return
        bets = []
    raise AssertionError("no decision in 200 throws")


def value(card):
    return 0 if card[0] in "TJQK" else 1 if card[0] == "A" else int(card[0])


def a_coup_of_punto_y_banca_is_dealt_by_the_rules_and_settled_from_its_cards(appliance):
    client = appliance.client()
    table = game_table(client, "punto-banco")
    shoe = mix_shoe(client, table)
    burned = client.post(f"/v1/shoes/{shoe['id']}/deal", {"expected": 0, "until": "needs"})
    first = burned["cards"][0]
    count = 10 if first["card"][0] in "TJQK" else value(first["card"])
    assert first["place"] == "burn" and len(burned["cards"]) == 1 + count, burned["cards"]
    assert all(card["place"] == "basket" and "card" not in card for card in burned["cards"][1:]), (
        burned["cards"])
    position = burned["shoe"]["position"]
    for _ in range(5):
        opened = client.post(f"/v1/tables/{table}/rounds")["round"]
        bets = [{"id": "p", "seat": 1, "kind": "punto", "stake": 100},
                {"id": "b", "seat": 2, "kind": "banca", "stake": 100}]
        client.post(f"/v1/rounds/{opened['id']}/close-bets", {"bets": bets})
        dealt = client.post(f"/v1/shoes/{shoe['id']}/deal",
                            {"expected": position, "until": "needs"})
        position = dealt["shoe"]["position"]
        hands = {"punto": [], "banca": []}
        for card in dealt["cards"]:
            hands[card["place"].split("-")[0]].append(card["card"])
        punto, banca = (sum(value(card) for card in hands[name]) % 10
                        for name in ("punto", "banca"))
        expected = {"p": 200, "b": 0} if punto > banca else {"p": 0,
                                                             "b": 195} if banca > punto else {
                                                                 "p": 100, "b": 100}
        assert {one["bet"]: one["returned"] for one in dealt["round"]["results"]} == expected, (
            (hands, dealt["round"]["results"]))
        verified(appliance, client, seq_of(dealt, "SETTLEMENT"))
    closed = client.post(f"/v1/tables/{table}/close")
    assert closed["table"]["state"] == "closed"
    verified(appliance, client, seq_of(closed, "SHOE_CLOSE"))


def every_claim_in_the_log_has_a_bundle_that_verifies(appliance):
    auditor = appliance.client("talla:auditor-1")
    claims = {"CARD_DEAL", "SHOE_CLOSE", "DRAW", "SETTLEMENT", "TABLE_OPEN", "SHOE_COMMIT",
              "BATCH_COMMIT", "ROUND_OPEN"}
    found = {}
    for event in events(auditor):
        if event["kind"] in claims:
            found.setdefault(event["kind"], []).append(event["seq"])
    assert set(found) == claims, f"the facts before made none of {claims - set(found)}"
    for seqs in found.values():
        for seq in {seqs[0], seqs[len(seqs) // 2], seqs[-1]}:
            verified(appliance, auditor, seq)


if __name__ == "__main__":
    main([a_shoe_goes_from_commitment_to_close_and_its_cards_are_those_of_the_opened_order,
          dealing_past_the_stop_depth_says_that_the_stop_card_is_out,
          cards_come_in_the_order_that_the_tables_call_gives,
          draws_of_wheel_dice_and_lots_lie_in_their_ranges_and_verify,
          a_closed_batch_opens_every_secret_that_was_not_used,
          a_roulette_round_pays_what_the_catalogue_says,
          a_zero_asks_for_a_decision_and_prison_carries_the_stake_into_the_next_round,
          craps_are_thrown_until_the_series_of_a_win_bet_is_decided,
          a_coup_of_punto_y_banca_is_dealt_by_the_rules_and_settled_from_its_cards,
          every_claim_in_the_log_has_a_bundle_that_verifies])
