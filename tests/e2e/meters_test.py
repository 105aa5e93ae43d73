#!/usr/bin/env python3
# Goal: a carrousel of Caribbean stud over the API: two tables, each with several seats, feed and
#   win from one meter; nothing is lost or paid twice, also over a kill; a stranger is shown what
#   the meter held.
# Method: 10.1.A VII of Aragón: everything accumulated for the royal flush, ten per cent for a
#   straight flush, nothing else; hands of real cards judged a second time here, each METER reckoned
#   from stakes and cards; bundles through both verifiers, and with the record before taken out.
#   usage: meters_test.py FOLDER_OF_PROGRAMS [HANDS]
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from facts import mix_shoe, events, main, open_table, refused  # noqa: E402
from play_test import SECOND_VERIFIER, verified  # noqa: E402

HANDS = int(sys.argv[2]) if len(sys.argv) > 2 else 10
OPERATOR, OTHER_TABLE, AUDITOR = "talla:operator-1", "talla:table-2", "talla:auditor-1"
GAME = {"catalogue": "es-aragon-2010", "game": "caribbean-stud",
        "table": {"currency": "EUR", "unit": 1, "min": 10,
                  "params": {"carrousel": True, "side_bets_fold": "stays"}}}
STAKE, SEATS, BEGIN = 5, (1, 2, 3), 40000
ROUNDS_MAX = 400  # a box's first card is a seven in every thirteenth: never without one


def straight_flush(cards):
    """10 for a royal flush, 1 for another straight flush, else 0: tenths of what is accumulated."""
    ranks = sorted("A23456789TJQK".index(card[0]) for card in cards)
    run = ranks[4] - ranks[0] == 4 and len(set(ranks)) == 5
    royal = ranks == [0, 9, 10, 11, 12]
    if len({card[1] for card in cards}) != 1 or not (run or royal):
        return 0
    return 10 if royal else 1


def awards(value, hands):
    """What each seat takes of the amount at the start of the hand; royal flushes share what the
    others leave."""
    kinds = {seat: straight_flush(cards) for seat, cards in hands.items()}
    out = {seat: value * kind // 10 if kind == 1 else 0 for seat, kind in kinds.items()}
    royals = [seat for seat, kind in kinds.items() if kind == 10]
    rest = value - sum(out.values())
    out.update({seat: rest // len(royals) for seat in royals})
    return out


def hand(client, table):
    """One hand with a stake of every seat in the carrousel: its last reply, and the cards of the
    seats."""
    shoe = mix_shoe(client, table)["id"]
    opened = client.post(f"/v1/tables/{table}/rounds")["round"]["id"]
    bets = [{"id": f"{name}{seat}", "seat": seat, "box": seat, "kind": kind, "stake": amount}
            for seat in SEATS for name, kind,
            amount in (("b", "apuesta-inicial", 10), ("c", "carrusel", STAKE))]
    client.post(f"/v1/rounds/{opened}/close-bets", {"bets": bets})
    position, receipts = 0, []
    while True:
        state = client.get(f"/v1/rounds/{opened}")["round"]
        if state["state"] == "ended":
            break
        decide = [need for need in state["needs"] if need["need"] == "decide"]
        if decide:
            body = {"expected_state": state["state_digest"], "seat": decide[0]["seat"],
                    "do": "voy" if decide[0]["seat"] != 2 else "paso"}
            reply = client.post(f"/v1/rounds/{opened}/actions", body)
        else:
            reply = client.post(f"/v1/shoes/{shoe}/deal", {"expected": position, "until": "needs"})
            position = reply["shoe"]["position"]
        receipts += reply["receipts"]
    records = [json.loads(one["record"]) for one in receipts]
    shown = {record["body"]["place"]: record["body"]["card"] for record in records
             if record["kind"] == "CARD_OPEN"}
    cards = {seat: [shown[f"seat-{seat}-card-{number}"] for number in range(1, 6)]
             for seat in SEATS}
    client.post(f"/v1/shoes/{shoe}/close")
    return state, cards, records


def two_tables_feed_and_win_from_one_carrousel(appliance):
    operator, clients = appliance.client(OPERATOR), [appliance.client(),
                                                     appliance.client(OTHER_TABLE)]
    meter = operator.post("/v1/meters",
                          {**GAME, "meter": "carrusel", "value": BEGIN})["meter"]["id"]
    shared = {**GAME, "meters": {"carrusel": meter}}
    tables = [open_table(client, shared) for client in clients]
    value, last, moves, seqs = BEGIN, None, [], []
    for number in range(HANDS):
        at = number * 2 % 3 % 2  # 0 0 1 0 0 1 ...
        state, cards, records = hand(clients[at], tables[at])
        returned = {one["bet"]: one["returned"] for one in state["results"]}
        move = next(record for record in records if record["kind"] == "METER")
        settlement = next(record for record in records if record["kind"] == "SETTLEMENT")
        body, start = move["body"], value + STAKE * len(SEATS)
        prizes = awards(start, cards)
        assert {seat: returned[f"c{seat}"] for seat in SEATS} == prizes, (cards, returned)
        assert body == {"meter": "carrusel", "round": state["id"], "before": value,
                        "contribution": STAKE * len(SEATS), "award": sum(prizes.values()),
                        "after": start - sum(prizes.values())}, body
        assert move["object"] == meter and move["seq"] in settlement["cites"]
        assert last is None or move["meter_prev"] == last, \
            "the record before of the same meter, of whichever table"
        value, last = body["after"], move["seq"]
        moves.append(body)
        seqs.append((at, settlement["seq"]))
        assert clients[1 - at].get(f"/v1/meters/{meter}")["meter"]["value"] == value
        if number == HANDS // 2:
            appliance.kill()
            appliance.start()
            operator, clients = appliance.client(OPERATOR), [appliance.client(),
                                                             appliance.client(OTHER_TABLE)]
    logged = [json.loads(one["record"])["body"] for one in events(operator)
              if one["kind"] == "METER"]
    assert logged == moves, "what stands in the log, in its order"
    assert value == BEGIN + HANDS * STAKE * len(SEATS) - sum(body["award"] for body in moves)
    for at, seq in seqs[-2:]:
        path = verified(appliance, clients[at], seq)
        bounded(appliance, path)
    refused(operator, "POST", f"/v1/meters/{meter}/close", 409, "meter_in_use")
    for client, table in zip(clients, tables):
        client.post(f"/v1/tables/{table}/close")
    closed = operator.post(f"/v1/meters/{meter}/close")
    assert closed["meter"]["state"] == "closed" and closed["meter"]["value"] == value
    refused(clients[0], "POST", "/v1/tables", 404, "not_found", shared)
    print(
        f"  {HANDS} hands, {sum(1 for body in moves if body['award'])} with a prize, {value} left")


def usable_shoe(client, table, shoe):
    """The shoe, or a new one when its stop card is out."""
    needs = client.get(f"/v1/tables/{table}")["table"]["needs"]
    if not any(need["need"] == "shoe" for need in needs):
        return shoe
    client.post(f"/v1/shoes/{shoe}/close")
    return mix_shoe(client, table)["id"]


def blackjack_hand(client, table, shoe):
    """A round of all seats, each with a stake in the progressive; silence stands. Its final
    view, the records, the first cards."""
    opened = client.post(f"/v1/tables/{table}/rounds")["round"]["id"]
    bets = [{"id": f"{name}{seat}", "seat": seat, "box": seat, "kind": kind, "stake": amount}
            for seat in SEATS for name, kind,
            amount in (("b", "juego-simple", 10), ("p", "progresivo", STAKE))]
    receipts = client.post(f"/v1/rounds/{opened}/close-bets", {"bets": bets})["receipts"]
    for _ in range(60):
        view = client.get(f"/v1/tables/{table}")["table"]
        decide = [need for need in view["needs"] if need["need"] == "decide" and need["required"]]
        if decide:
            reply = client.post(f"/v1/rounds/{opened}/actions",
                                {"expected_state": view["state_digest"], "seat": decide[0]["seat"],
                                 "time_out": True})
        else:
            reply = client.post(f"/v1/shoes/{shoe}/deal",
                                {"expected": view["position"], "until": "needs"})
        receipts += reply["receipts"]
        if reply["round"]["state"] == "ended":
            records = [json.loads(one["record"]) for one in receipts]
            first = {record["body"]["place"]: record["body"].get("card") for record in records
                     if record["kind"] == "CARD_DEAL"}
            return reply["round"], records, [first[f"box-{seat}-1"] for seat in SEATS]
    raise AssertionError("a round without end")


def two_tables_of_blackjack_win_from_one_progressive(appliance):
    """03 V.2 of Valencia: the authorisation says what it pays; here half of it for a first
    seven, box by box, the last one first."""
    operator, client = appliance.client(OPERATOR), appliance.client()
    game = {"catalogue": "es-valencia-2003", "game": "blackjack",
            "table": {"currency": "EUR", "unit": 1, "min": 10,
                      "params": {"progressive": True, "progressive_seven": "1/2"}}}
    meter = operator.post("/v1/meters",
                          {**game, "meter": "progresivo", "value": BEGIN})["meter"]["id"]
    tables = [open_table(client, {**game, "meters": {"progresivo": meter}}) for _ in range(2)]
    shoes = [mix_shoe(client, table)["id"] for table in tables]
    value, won, number = BEGIN, 0, 0
    while number < 4 * HANDS or (not won and number < ROUNDS_MAX):
        at = number % 2
        number += 1
        shoes[at] = usable_shoe(client, tables[at], shoes[at])
        state, records, first = blackjack_hand(client, tables[at], shoes[at])
        start = value + STAKE * len(SEATS)
        expected, left = {}, start
        for seat, card in reversed(list(zip(SEATS, first))):
            expected[f"p{seat}"] = left // 2 if card[0] == "7" else 0
            left -= expected[f"p{seat}"]
        returned = {one["bet"]: one["returned"] for one in state["results"]
                    if one["kind"] == "progresivo"}
        body = next(record["body"] for record in records if record["kind"] == "METER")
        assert returned == expected, (first, returned, expected)
        assert (body["before"], body["contribution"], body["award"],
                body["after"]) == (value, STAKE * len(SEATS), start - left, left), body
        value, last, won = left, state["settlement"], won + (start > left)
    assert won, f"no first seven in {number * len(SEATS)} boxes"
    verified(appliance, client, last)
    for table in tables:
        client.post(f"/v1/tables/{table}/close")
    assert operator.post(f"/v1/meters/{meter}/close")["meter"]["value"] == value
    print(f"  {number} rounds of blackjack, {won} with a prize, {value} left")


def bounded(appliance, path):
    """The file holds the opening of the meter, the record before and the move; without the
    record before it proves nothing."""
    bundle = json.load(open(path))
    kinds = [json.loads(one["record"]) for one in bundle["records"]]
    found = [record["kind"] for record in kinds if record.get("object", "").startswith("meter-")]
    assert found == ["METER_OPEN", "METER", "METER"], found
    told = appliance.talla("dispute", path, "--root", f"{appliance.folder}/ca.pem", "--language",
                           "en", client="nobody").stdout
    assert "meter of several tables: " in told and "(meter-" in told, told
    before = [record["seq"] for record in kinds if record["kind"] == "METER"][0]
    bundle["records"] = [one for one in bundle["records"]
                         if json.loads(one["record"])["seq"] != before]
    changed = path + ".less"
    with open(changed, "w") as out:
        json.dump(bundle, out, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert appliance.verify(changed)[0] == 1, "the first verifier wants the record before"
    second = subprocess.run([sys.executable, SECOND_VERIFIER, changed,
                             f"{appliance.folder}/ca.pem"], capture_output=True, timeout=60)
    assert second.returncode == 1, "the second verifier wants the record before"


def a_table_joins_on_the_meter_s_terms_only(appliance):
    operator, client = appliance.client(OPERATOR), appliance.client()
    meter = operator.post("/v1/meters", {**GAME, "meter": "carrusel"})["meter"]
    assert meter["value"] == 0 and meter["terms"]["stake"] == "5", meter
    dearer = json.loads(json.dumps({**GAME, "meters": {"carrusel": meter["id"]}}))
    dearer["table"]["params"]["carrousel_stake"] = "1/5"
    refused(client, "POST", "/v1/tables", 422, "meter_terms_differ", dearer)
    refused(client, "POST", "/v1/meters", 403, "forbidden", {**GAME, "meter": "carrusel"})
    refused(appliance.client(AUDITOR), "POST", f"/v1/meters/{meter['id']}/close", 403, "forbidden")
    refused(operator, "POST", "/v1/meters", 400, "malformed_request", {**GAME, "meter": "seguro"})
    operator.post(f"/v1/meters/{meter['id']}/close")


def enrol_another_table(appliance):
    appliance.talla("keys", "client", appliance.folder, OTHER_TABLE, "--role", "table", check=True)


if __name__ == "__main__":
    main([two_tables_feed_and_win_from_one_carrousel,
          two_tables_of_blackjack_win_from_one_progressive,
          a_table_joins_on_the_meter_s_terms_only], before=enrol_another_table)
