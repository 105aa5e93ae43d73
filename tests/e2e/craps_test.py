#!/usr/bin/env python3
# Goal: over the API the shooter of craps is a seat that stakes on Win or Don't Win before it
#   throws, the dice pass as the text says, the last shooter's session ends with his losing 7, and
#   every throw verifies offline.
# Method: who must have the dice, and what each Win returns, is worked out here from the words of
#   the text (06 IV.1.A, IV.3) and the totals of the replies; bundles through both verifiers. usage:
#   craps_test.py FOLDER_OF_PROGRAMS
from calls import draw_body
from facts import game_table, main, new_batch, refused, seq_of
from play_test import verified

STAKE = 100
CATALOGUES = ("es-1977", "es-valencia-2003", "es-euskadi-2010")


def bet(name, seat, kind):
    return {"id": name, "seat": seat, "kind": kind, "stake": STAKE}


def thrown(client, table, round_id):
    body = draw_body(client, table, new_batch(client, table, 1), round=round_id)
    reply = client.post("/v1/draws", body)
    view = reply["round"]
    assert view["state"] == "ended", view
    return reply, view, sum(int(die) for die in view["outcome"])


def at(client, table):
    """What the table shows of its state."""
    return client.get(f"/v1/tables/{table}")["table"]["view"]


def say(client, round_id, seat, word):
    now = client.get(f"/v1/rounds/{round_id}")["round"]["state_digest"]
    return f"/v1/rounds/{round_id}/actions", {"expected_state": now, "seat": seat, "do": word}


def open_round(client, table, **more):
    return client.post(f"/v1/tables/{table}/rounds", more)["round"]["id"]


def close(client, round_id, *bets):
    return client.post(f"/v1/rounds/{round_id}/close-bets", {"bets": list(bets)})["round"]


def the_shooter_stakes_on_a_line_and_no_other_seat_does_it_for_him(appliance):
    client = appliance.client()
    table = game_table(client, "craps")
    opened = open_round(client, table)
    path = f"/v1/rounds/{opened}/close-bets"
    refused(client, "POST", path, 422, "not_due", {"bets": [bet("f", 1, "field")]})
    refused(client, "POST", path, 422, "not_due",
            {"bets": [bet("f", 1, "field"), bet("w", 2, "win")]})
    close(client, opened, bet("f", 1, "field"), bet("w", 1, "win"), bet("v", 2, "win"))
    reply, _, _ = thrown(client, table, opened)
    assert at(client, table)["shooter"] == 1
    verified(appliance, client, seq_of(reply, "SETTLEMENT"))


def who_refuses_leaves_the_dice_to_the_next(appliance):
    client = appliance.client()
    table = game_table(client, "craps")
    opened = open_round(client, table)
    client.post(*say(client, opened, 1, "pasar-dados"))
    client.post(*say(client, opened, 2, "tomar-dados"))
    for seat, word in ((3, "tomar-dados"), (1, "pasar-dados"), (2, "tomar-dados")):
        path, body = say(client, opened, seat, word)
        refused(client, "POST", path, 422, "action_refused", body)
    refused(client, "POST", f"/v1/rounds/{opened}/close-bets", 422, "not_due",
            {"bets": [bet("w", 1, "win")]})
    close(client, opened, bet("w", 1, "win"), bet("v", 2, "dont-win"))
    reply, _, _ = thrown(client, table, opened)
    assert at(client, table)["shooter"] == 2
    verified(appliance, client, seq_of(reply, "SETTLEMENT"))


def series(appliance, client, table, shooter, others, last=False, opened=None):
    """One shooter from his first throw to the 7 that loses; every seat has Win down for every first
    throw."""
    point = None
    opened = opened or open_round(client, table, **({"last": True} if last else {}))
    for number in range(400):
        opened = opened or open_round(client, table)
        seats = [shooter, *others] if point is None else []
        close(client, opened, *[bet(f"w{seat}", seat, "win") for seat in seats])
        reply, view, total = thrown(client, table, opened)
        results = {one["bet"]: one["returned"] for one in view["results"]}
        if point is None:
            wanted = 2 * STAKE if total in (7, 11) else 0 if total in (2, 3, 12) else None
        else:
            wanted = 2 * STAKE if total == point else 0 if total == 7 else None
        expected = {} if wanted is None else {f"w{seat}": wanted for seat in (shooter, *others)}
        assert results == expected, (point, total, results)
        loses_the_dice = point is not None and total == 7
        point = (total if point is None else point) if wanted is None else None
        opened = None
        if loses_the_dice:
            verified(appliance, client, seq_of(reply, "SETTLEMENT"))
            assert "shooter" not in at(client, table), number
            return
        assert at(client, table)["shooter"] == shooter, number
    raise AssertionError("no losing 7 in 400 throws")


def the_dice_go_round_with_each_losing_7(appliance):
    client = appliance.client()
    table = game_table(client, "craps")
    seats = (1, 2, 4)
    for shooter in (1, 2, 4, 1):
        opened = open_round(client, table)
        wrong = [bet("f", shooter, "field")] + [bet(f"x{seat}", seat, "win") for seat in seats
                                                if seat != shooter]
        refused(client, "POST", f"/v1/rounds/{opened}/close-bets", 422, "not_due", {"bets": wrong})
        series(appliance, client, table, shooter, [seat for seat in seats if seat != shooter],
               opened=opened)


def the_session_ends_with_the_last_shooter(appliance):
    client = appliance.client()
    for catalogue in CATALOGUES:
        currency = "ESP" if catalogue == "es-1977" else "EUR"
        table = client.post("/v1/tables", {"catalogue": catalogue, "game": "craps", "table": {
            "currency": currency, "unit": 1, "min": 25, "params": {}}})["table"]["id"]
        series(appliance, client, table, 1, [2], last=True)
        refused(client, "POST", f"/v1/tables/{table}/rounds", 422, "bets_closed", {})


if __name__ == "__main__":
    main([the_shooter_stakes_on_a_line_and_no_other_seat_does_it_for_him,
          who_refuses_leaves_the_dice_to_the_next, the_dice_go_round_with_each_losing_7,
          the_session_ends_with_the_last_shooter])
