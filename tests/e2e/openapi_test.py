#!/usr/bin/env python3
# Goal: rngd/openapi.json is what the server serves, takes and gives.
# Method: every operation is carried out as described; requests are checked against their schema
#   before they are sent, replies against theirs (tests/e2e/schema.py); whatever a schema forbids
#   the server refuses.
#   usage: openapi_test.py FOLDER_OF_PROGRAMS
import base64
import json
import os
import re
import time

from blackjack_test import play
from calls import draw_body, draw_core, mix_body, mix_core, signed
from contributor import Contributor, others_of
from facts import SHOE, WHEEL, close_early, events, mix_shoe, hold, main, new_key
from schema import check, resolve
from signed_software import SignedSoftware
from shuffler import Shuffler, spki_of

MACHINE = "talla:shuffler-1"
PARTNER = "talla:partner-1"
LAB = "talla:lab-1"
# What makes no record needs no key.
UNKEYED = ("bets", "nextTarget", "challengeSoftware", "invite", "handInCommitments",
           "openContribution")

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
with open(f"{ROOT}/rngd/openapi.json", "rb") as source:
    TEXT = source.read()
API = json.loads(TEXT)
OPERATIONS = {one["operationId"]: (method.upper(), path, one) for path,
              methods in API["paths"].items() for method, one in methods.items()}
answered = set()


def reply_schema(operation, status, content_type):
    responses = operation["responses"]
    response = resolve(API, responses.get(str(status), responses["default"]))
    assert str(status) in responses or status >= 400, f"status {status} is not described"
    assert content_type in response["content"], f"{content_type} is not described for {status}"
    return response["content"][content_type]["schema"]


def ask(client, operation_id, body=None, query="", status=None, **arguments):
    """Carries out one operation as described; the reply, checked."""
    method, path, operation = OPERATIONS[operation_id]
    for one in (resolve(API, one) for one in operation.get("parameters", [])):
        if one["in"] == "path":
            check(API, one["schema"], arguments[one["name"]], f"{operation_id} {one['name']}")
    target = re.sub(r"{(\w+)}", lambda name: str(arguments[name[1]]), path) + query
    if method == "POST":
        body = {} if body is None else body
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        if status is None:
            check(API, schema, body, operation_id)
    got, text = client.send(method, target, body,
                            key=new_key() if operation["x-talla-record"] else None)
    content_type = client.headers["Content-Type"].split(";")[0]
    assert got == status if status else 200 <= got < 300, f"{operation_id}: {got} {text.decode()}"
    value = text.decode() if content_type == "text/plain" else json.loads(text)
    check(API, reply_schema(operation, got, content_type), value, operation_id)
    if got < 300:
        answered.add(operation_id)
    return value


def the_server_serves_the_file_as_it_is(appliance):
    for name in ("talla:table-1", "talla:auditor-1", "talla:operator-1"):
        client = appliance.client(name)
        assert client.send("GET", "/openapi.json") == (200, TEXT)
        assert client.headers["Content-Type"] == "application/json"


def the_file_is_openapi_3_1_and_whole(_appliance):
    assert API["openapi"].startswith("3.1."), API["openapi"]
    assert len(OPERATIONS) == sum(len(methods) for methods in API["paths"].values()), (
        "operation ids are unique")
    for name, (method, path, operation) in OPERATIONS.items():
        named = {resolve(API, one)["name"] for one in operation.get("parameters", [])
                 if resolve(API, one)["in"] == "path"}
        assert named == set(re.findall(r"{(\w+)}", path)), f"{name}: path parameters"
        assert operation["summary"] and "default" in operation["responses"], name
        keyed = any(resolve(API, one)["name"] == "Idempotency-Key"
                    for one in operation.get("parameters", []))
        assert keyed == operation["x-talla-record"] == (method == "POST" and
                                                        name not in UNKEYED), \
            f"{name}: Idempotency-Key"
        assert ("requestBody" in operation) == (method == "POST"), name


def shoes_and_draws_are_as_described(appliance):
    client = appliance.client()
    table = ask(client, "openTable", SHOE)["table"]["id"]
    shoe = ask(client, "newShoe", {"stop_depth": 7}, table=table)["shoe"]
    ask(client, "getShoe", shoe=shoe["id"])
    ask(client, "mixShoe", mix_body(client, shoe["id"]), shoe=shoe["id"])
    dealt = ask(client, "deal", {"expected": 0, "until": 3, "place": "table", "face": "open"},
                shoe=shoe["id"])
    assert len(dealt["cards"]) == 3
    ask(client, "openCard", {"position": 0}, shoe=shoe["id"], status=409)
    ask(client, "deal", {"expected": 3, "until": 1, "place": "hand", "face": "covered", "seat": 2},
        shoe=shoe["id"])
    ask(client, "getCard", shoe=shoe["id"], position=3)
    ask(client, "getCard", shoe=shoe["id"], position=2, status=409)
    ask(client, "openCard", {"position": 3}, shoe=shoe["id"])
    ask(client, "closeShoe", shoe=shoe["id"])
    ask(client, "getShoe", shoe=shoe["id"])
    ask(client, "closeTable", table=table)
    ask(client, "getTable", table=table)
    wheel = ask(client, "openTable", WHEEL)["table"]["id"]
    batch = ask(client, "newBatch", {"count": 2}, table=wheel)["batch"]
    ask(client, "draw", draw_body(client, wheel, batch))
    ask(client, "draw", draw_body(client, wheel, batch, 1, bets="00" * 32))
    ask(client, "getTable", table=wheel)
    ask(client, "listTables")


def contributions_are_as_described(appliance):
    client, partner = appliance.client(), appliance.client(PARTNER)
    wheel = ask(client, "openTable", {**WHEEL, "open_within": 60})["table"]["id"]
    ask(client, "invite", {"seat": 2, "token": "00" * 32}, table=wheel)
    ask(client, "invite", {"seat": 2}, table=wheel)
    record = client.get(f"/v1/receipts/{wheel.removeprefix('table-')}")["record"]
    own = Contributor(PARTNER, record, f"{appliance.folder}/partner.pem")
    ask(partner, "handInCommitments", own.commitments(1, 2), table=wheel)
    ask(partner, "handInCommitments", own.commitments(9, 2), table=wheel, status=409)
    ask(partner, "getTable", table=wheel)
    batch = ask(client, "newBatch", {"count": 2}, table=wheel)["batch"]
    core = draw_core(client, wheel, batch) | {"others": others_of(client, wheel)}
    call = ask(client, "draw", signed(client, core))["call"]["seq"]
    seen = ask(partner, "getCall", call=call)
    ask(client, "draw", draw_body(client, wheel, batch), status=409)
    ask(partner, "openContribution", own.opened(seen["call"]["core"]), call=call)
    assert ask(client, "getCall", call=call)["ended"]["kind"] == "draw"
    example = OPERATIONS["recordAnswer"][2]["requestBody"]["content"]["application/json"]["example"]
    recorded = ask(partner, "recordAnswer", example)["answer"]["seq"]
    assert ask(partner, "recordAnswer", example)["answer"]["seq"] == recorded
    ask(partner, "recordAnswer", {**example, "opening": "11" * 32}, status=409)


def rounds_are_as_described(appliance):
    client = appliance.client()
    money = {"currency": "ESP", "unit": 1, "min": 25, "max": 1000, "chip": 25, "rounding": "down",
             "params": {"zero_combinations": "all"}}
    table = ask(client, "openTable",
                {"catalogue": "es-1977", "game": "french-roulette", "table": money})["table"]["id"]
    done = None
    for number in range(1, 801):
        opened = ask(client, "newRound", table=table)["round"]
        if done is not None:
            decided = ask(client, "action",
                          {"expected_state": opened["state_digest"], "seat": 1, "do": "half",
                           "bet": done}, round=opened["id"])["round"]
            break
        bets = [{"id": f"a{number}", "seat": 1, "kind": "rojo", "stake": 50},
                {"id": f"b{number}", "seat": 2, "kind": "pleno", "on": ["0"], "stake": 25}]
        ask(client, "bets", {"bets": bets[:1], "withdrawn": []}, round=opened["id"])
        ask(client, "getIncomplete")
        ask(client, "listRounds", table=table, query="?limit=5")
        ask(client, "getRound", round=opened["id"])
        ask(client, "closeBets", {"bets": bets}, round=opened["id"])
        batch = ask(client, "newBatch", {"count": 1}, table=table)["batch"]
        drawn = ask(client, "draw", draw_body(client, table, batch, round=opened["id"]))
        ask(client, "getRound", round=opened["id"])
        done = f"a{number}" if drawn["round"]["outcome"] == ["0"] else None
    assert "action" in answered, "800 spins without a zero: (36/37)^800 is below 10^-9"
    ask(client, "misdeal", {"expected_state": decided["state_digest"], "code": "weather"},
        round=opened["id"], status=422)
    answered.add("misdeal")  # answers with a refusal: the game has no error of that code
    table = ask(client, "openTable",
                {"catalogue": "es-1977", "game": "punto-banco",
                 "table": {"currency": "ESP", "unit": 1, "min": 25,
                           "params": {"settle_on": "confirmation"}}})["table"]["id"]
    shoe = mix_shoe(client, table)["id"]
    burned = ask(client, "deal", {"expected": 0, "until": "needs"}, shoe=shoe)["shoe"]["position"]
    opened = ask(client, "newRound", table=table)["round"]["id"]
    ask(client, "closeBets", {"bets": [{"id": "p", "seat": 1, "kind": "punto", "stake": 50}]},
        round=opened)
    held = ask(client, "deal", {"expected": burned, "until": "needs"}, shoe=shoe)["round"]
    assert [need["need"] for need in held["needs"]] == ["confirm"], held["needs"]
    ended = ask(client, "confirmHand", {"expected_state": held["state_digest"]},
                round=opened)["round"]
    assert ended["state"] == "ended" and ended["results"], ended


def a_shoe_shuffled_again_and_a_table_under_other_limits_are_as_described(appliance):
    client = appliance.client()
    params = {"shuffler": "continuous", "continuous_burn": "none", "retiro": False}
    opened = {"catalogue": "es-euskadi-2010", "game": "blackjack",
              "table": {"currency": "EUR", "unit": 1, "min": 10, "params": params}}
    table = ask(client, "openTable", opened)["table"]["id"]
    shoe = ask(client, "newShoe", table=table)["shoe"]
    ask(client, "recommitShoe", shoe=shoe["id"], status=409)
    ask(client, "mixShoe", mix_body(client, shoe["id"]), shoe=shoe["id"])
    play(client, table, shoe["id"], 0, {})
    ask(client, "recommitShoe", shoe=shoe["id"])
    ask(client, "mixShoe", mix_body(client, shoe["id"]), shoe=shoe["id"])
    close_early(appliance, shoe["id"])
    ask(client, "openTable", {**opened, "continues": table})


def meters_of_several_tables_are_as_described(appliance):
    client, operator = appliance.client(), appliance.client("talla:operator-1")
    opened = {"catalogue": "es-aragon-2010", "game": "caribbean-stud",
              "table": {"currency": "EUR", "unit": 1, "min": 10, "params": {"carrousel": True}}}
    ask(operator, "openMeter", {**opened, "meter": "rain"}, status=400)
    meter = ask(operator, "openMeter", {**opened, "meter": "carrusel", "value": 500})["meter"]["id"]
    table = ask(client, "openTable", {**opened, "meters": {"carrusel": meter}})["table"]
    assert table["meters"] == {"carrusel": meter}
    ask(operator, "closeMeter", meter=meter, status=409)
    ask(client, "closeTable", table=table["id"])
    next_one = ask(operator, "openMeter",
                   {**opened, "meter": "carrusel", "continues": meter})["meter"]
    assert next_one["value"] == 500 and next_one["continues"] == meter
    assert ask(operator, "listMeters")["meters"] == [next_one] and \
        ask(client, "getMeter", meter=next_one["id"])["meter"] == next_one
    ask(operator, "getMeter", meter=meter)
    ask(operator, "closeMeter", meter=next_one["id"])


def returns_are_as_described(appliance):
    client, operator = appliance.client(), appliance.client("talla:operator-1")
    assert ask(client, "getReturn")["watched"] and "together" not in ask(client, "getReturn")
    assert ask(operator, "getReturn", query="?table=Mesa%2099")["bets"] == []
    assert "together" in ask(operator, "getReturn")
    ask(client, "getReturn", query="?table=table-999999", status=404)
    ask(client, "getReturn", query="?table=" + "m" * 65, status=400)
    assert ask(client, "getMonitorHistory")["watched"]
    assert ask(operator, "getMonitorHistory", query="?step=hour&limit=1500&name=none")["step"] == \
        3_600_000_000
    ask(client, "getMonitorHistory", query="?limit=0", status=400)


def months_and_proofs_of_the_log_are_as_described(appliance):
    client, inspector = appliance.client(), appliance.client("talla:inspector-1")
    month = time.strftime("%Y-%m", time.gmtime())
    assert ask(inspector, "getMonth", query=f"?month={month}")["month"] == month
    ask(inspector, "getMonth", query="?month=2026-13", status=400)
    ask(client, "getMonth", query=f"?month={month}", status=403)
    size = int(ask(client, "getCheckpoint").split("\n")[1])
    proof = ask(client, "getConsistency", query=f"?from=1&to={size}")
    assert proof["size"] == size and proof["proofs"][0]["size"] == 1
    ask(client, "getConsistency", query=f"?from={size}&to={size}", status=400)


def machines_and_auditors_are_as_described(appliance):
    client, machine, auditor = appliance.client(), appliance.client(MACHINE), appliance.client(
        "talla:auditor-1")
    key = base64.b64encode(spki_of(f"{appliance.folder}/clients/{MACHINE}.key")).decode()
    table = ask(client, "openTable", {"settled_by": "client", "deck": "spanish40x1"})["table"]["id"]
    made = ask(client, "newShoe", {"disclosure": "covered"}, table=table)["shoe"]
    shoe = made["id"]
    ask(client, "mixShoe", mix_body(client, shoe), shoe=shoe)
    ask(client, "releaseShoe", {"machine": "nobody", "key": key}, shoe=shoe, status=422)
    ask(client, "releaseShoe", {"machine": MACHINE, "key": key, "form": "targets"}, shoe=shoe)
    ask(machine, "getRelease", shoe=shoe)
    ask(machine, "nextTarget", {"target": 1}, shoe=shoe, status=409)
    ask(machine, "nextTarget", {"target": 0}, shoe=shoe)
    ask(machine, "getShoe", shoe=shoe)
    ask(auditor, "askOpenings", shoe=shoe, status=409)
    shuffler = Shuffler(appliance.folder, appliance.port, MACHINE,
                        auditor.get("/v1/status")["origin"])
    shuffler.take(shoe)
    ask(machine, "reportShuffle", {"jam": True, "signature": "AAAA"}, shoe=shoe, status=422)
    ask(machine, "reportShuffle", shuffler.signed(None, jam=True), shoe=shoe)
    access = ask(auditor, "askOpenings", shoe=shoe)["access"]
    ask(auditor, "getOpenings", query=f"?access={access}", shoe=shoe)
    ask(auditor, "getOpenings", query="?access=0", shoe=shoe, status=403)


def selftests(client, name):
    """SELFTEST records of that name since the last operator's wish for a test."""
    records = [json.loads(event["record"]) for event in events(client)]
    asked = max((one["seq"] for one in records if one["kind"] == "ACCESS"
                 and one["body"]["what"] == "generator-test"), default=None)
    return [one for one in records if asked is not None and one["seq"] > asked
            and one["kind"] == "SELFTEST" and one["body"]["test"] == name]


def acts_of_two_persons_are_as_described(appliance):
    officer, inspector = appliance.client("talla:officer-1"), appliance.client("talla:inspector-1")
    operator = appliance.client("talla:operator-1")
    ask(officer, "testGenerator", status=403)
    assert ask(operator, "testGenerator")["generator"]["state"] == "testing"
    end = time.monotonic() + 30
    while (not selftests(officer, "generator-known-answers")
           or ask(officer, "getStatus")["generator"]["state"] != "operational"):
        assert time.monotonic() < end
        time.sleep(0.05)
    ask(officer, "latchGenerator")
    ask(operator, "testGenerator", status=409)
    ask(officer, "latchGenerator", status=409)
    ask(officer, "askAct", {"act": "open-the-safe"}, status=400)
    ask(officer, "askAct", {"act": "draw-void", "object": "batch-999999", "call": 1,
                           "head": "0" * 64, "signature": "A" * 86 + "=="}, status=422)
    ask(officer, "askAct", {"act": "table-finish", "object": "table-999999"}, status=404)
    first = ask(officer, "askAct", {"act": "latch-reset"})["act"]["id"]
    ask(officer, "confirmAct", act=first, status=403)
    ask(inspector, "withdrawAct", act=first)
    act = ask(officer, "askAct", {"act": "latch-reset"})["act"]["id"]
    ask(inspector, "confirmAct", act=act)
    end = time.monotonic() + 30
    while ask(inspector, "getAct", act=act)["act"]["state"] == "confirmed":
        assert time.monotonic() < end
        time.sleep(0.05)
    assert ask(inspector, "getAct", act=act)["act"]["state"] == "done"
    resets = [one["id"] for one in ask(inspector, "listActs")["acts"]
              if one["act"] == "latch-reset"]
    assert resets == [first, act], resets
    assert ask(inspector, "getStatus")["generator"]["state"] == "operational"


def a_sampling_order_is_as_described(appliance):
    officer, inspector = appliance.client("talla:officer-1"), appliance.client("talla:inspector-1")
    lab = appliance.client(LAB)
    order = {"act": "sampling-order", "object": LAB, "samples": "bits", "bytes": 70000}
    ask(officer, "askAct", order | {"bytes": 63}, status=400)
    ask(officer, "askAct", order | {"object": "talla:operator-1"}, status=409)
    act = ask(officer, "askAct", order)["act"]["id"]
    ask(lab, "getSamples", act=act, status=404)
    ask(inspector, "confirmAct", act=act)
    end = time.monotonic() + 30
    while ask(lab, "getSamples", act=act)["samples"]["state"] == "confirmed":
        assert time.monotonic() < end
        time.sleep(0.05)
    assert "data" in ask(lab, "getSamples", query="?offset=65536", act=act)["samples"]
    outcomes = {"act": "sampling-order", "object": LAB, "count": 10,
                "samples": "lab/es-1977/french-roulette/wheel-37"}
    act = ask(officer, "askAct", outcomes)["act"]["id"]
    ask(inspector, "confirmAct", act=act)
    end = time.monotonic() + 30
    while ask(lab, "getSamples", act=act)["samples"]["state"] == "confirmed":
        assert time.monotonic() < end
        time.sleep(0.05)
    done = ask(lab, "getSamples", act=act)["samples"]
    assert (done["count"], done["state"]) == (10, "done"), done
    assert ask(lab, "getBundle", seq=done["record"])["type"] == "talla-laboratory"
    ask(lab, "getSamples", query="?offset=70000", act=act, status=400)
    ask(officer, "getSamples", act=act, status=403)


def pages_are_as_described(appliance):
    client = appliance.client("talla:auditor-1")
    ask(client, "getStatus")
    assert ask(client, "getSoftware")["software"]["state"] == "signed"
    ask(client, "challengeSoftware", {"nonce": "00"}, status=400)
    assert ask(client, "challengeSoftware", {"nonce": "00" * 16})["challenge"]["result"] == "good"
    ask(client, "getCheckpoint")
    ask(client, "getCatalogues")
    for language in ("es", "en"):
        ask(client, "getGame", query=f"?language={language}", catalogue="es-1977", game="craps")
    found = ask(client, "getEvents", query="?after=2&limit=1000")["events"]
    claim = [event["seq"] for event in found if event["kind"] == "DRAW"][-1]
    ask(client, "getReceipt", seq=claim)
    ask(client, "getProof", seq=claim)
    ask(client, "getCosignedCheckpoint", status=404)  # no witness here; witness_test has some
    ask(client, "getLogKeys")
    ask(client, "getBundle", seq=claim)
    table_client, key = appliance.client(), new_key()
    table_client.post("/v1/tables", WHEEL, key)
    ask(table_client, "getRequest", query="?path=/v1/tables", key=key)


def refusals_are_as_described(appliance):
    client = appliance.client()
    ask(client, "getTable", table="table-999999", status=404)
    ask(client, "openTable", {"settled_by": "client"}, status=400)
    ask(client, "openTable",
        {"catalogue": "es-1977", "game": "whist",
         "table": {"currency": "ESP", "unit": 1, "min": 1}}, status=422)
    ask(appliance.client("talla:auditor-1"), "openTable", WHEEL, status=403)


def what_a_schema_forbids_the_server_refuses(appliance):
    client = appliance.client()
    table = ask(client, "openTable", SHOE)["table"]["id"]
    shoe = ask(client, "newShoe", table=table)["shoe"]
    wrong = [("newShoe", {"stop_depth": -1}), ("newShoe", {"stop_depth": 1025}),
             ("newShoe", {"disclosure": "secret"}), ("newShoe", {"more": 1}),
             ("mixShoe", {"core": mix_core(client, shoe["id"])}),
             ("mixShoe", signed(client, mix_core(client, shoe["id"]) | {"turn": 0})),
             ("deal", {"expected": -1, "until": 1, "place": "a", "face": "open"}),
             ("deal", {"expected": 0, "until": "all"}),
             ("deal", {"expected": 0, "until": 1, "place": "a", "face": "shut"}), ("openCard", {}),
             ("deal", {"expected": 0, "until": 1, "place": "a", "face": "covered", "seat": 0}),
             ("newBatch", {"count": 0}), ("newBatch", {"count": 257}), ("closeTable", {"more": 1}),
             ("newRound", {"more": 1}), ("closeShoe", {"more": 1})]
    for operation_id, body in wrong:
        schema = OPERATIONS[operation_id][2]["requestBody"]["content"]["application/json"]["schema"]
        try:
            check(API, schema, body)
        except AssertionError:
            method, path, _ = OPERATIONS[operation_id]
            target = path.replace("{table}", table).replace("{shoe}", shoe["id"])
            status, text = client.send(method, target, body, key=new_key())
            assert 400 <= status < 500, f"{operation_id} {body}: {status} {text.decode()}"
            check(API, API["components"]["schemas"]["Problem"], json.loads(text))
            continue
        raise AssertionError(f"{operation_id}: the schema takes {body}")


def every_operation_of_the_file_has_answered(_appliance):
    # 404 here, without a witness; witness_test has its answer
    answered.add("getCosignedCheckpoint")
    assert answered == set(OPERATIONS), f"not asked: {sorted(set(OPERATIONS) - answered)}"


def the_checker_refuses_what_does_not_fit(*_):
    cases = [({"type": "integer"}, True), ({"type": "integer"}, "1"), ({"enum": ["a"]}, "b"),
             ({"type": "string", "pattern": "^[0-9]$"}, "x"),
             ({"type": "object", "required": ["a"]}, {}),
             ({"type": "object", "additionalProperties": False}, {"a": 1}),
             ({"type": "array", "items": {"type": "string"}}, [1]),
             ({"oneOf": [{"const": 1}, {"type": "integer"}]}, 1), ({"maximum": 3}, 4)]
    for schema, value in cases:
        try:
            check({}, schema, value)
        except AssertionError:
            continue
        raise AssertionError(f"{schema} took {value!r}")


def a_machine_and_signed_software(appliance):
    appliance.talla("keys", "client", appliance.folder, MACHINE, "--role", "shuffler", check=True)
    appliance.talla("keys", "client", appliance.folder, PARTNER, "--role", "contributor",
                    check=True)
    appliance.talla("keys", "client", appliance.folder, LAB, "--role", "lab", check=True)
    signed = SignedSoftware(lambda *arguments: appliance.talla(*arguments, check=True).stdout,
                            appliance.binaries, appliance.folder)
    signed.make()
    with open(appliance.config, "a") as config:
        config.write(signed.section())
        config.write("\n[laboratory]\nbytes_per_second = 1048576\n")


if __name__ == "__main__":
    main([the_server_serves_the_file_as_it_is, the_file_is_openapi_3_1_and_whole,
          shoes_and_draws_are_as_described, contributions_are_as_described,
          rounds_are_as_described,
          a_shoe_shuffled_again_and_a_table_under_other_limits_are_as_described,
          meters_of_several_tables_are_as_described, returns_are_as_described,
          months_and_proofs_of_the_log_are_as_described,
          machines_and_auditors_are_as_described, acts_of_two_persons_are_as_described,
          a_sampling_order_is_as_described, pages_are_as_described, refusals_are_as_described,
          what_a_schema_forbids_the_server_refuses, every_operation_of_the_file_has_answered],
         before=a_machine_and_signed_software, failed=hold([the_checker_refuses_what_does_not_fit]))
