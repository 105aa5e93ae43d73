#!/usr/bin/env python3
# Goal: whatever is wrong with a request gets its own stable code, the present value where one was
#   expected, and changes nothing.
# Method: every refusal that a client can bring about, sent to the real appliance; each is checked
#   against RFC 9457, its status, code and retry (facts.refused).
#   usage: refusal_test.py FOLDER_OF_PROGRAMS
import http.client
import json
import socket
import sys
import time

from calls import draw_body, draw_core, mix_body, mix_core, signed
from facts import (SHOE, WHEEL, mix_shoe, deal, events, game_table, hold, main,
                   lapsed, new_batch, open_table, refused)
from appliance import Appliance, nonce


def malformed_bodies_and_queries_are_refused(appliance):
    client = appliance.client()
    table = open_table(client, WHEEL)
    for raw in (b"{", b"[]", b"null", b'{"count":1,"count":2}', b'{"count":1.5}', b'{"count":null}',
                b"\xff\xfe", b"[" * 100, b'{"count":9007199254740993}'):
        refused(client, "POST", f"/v1/tables/{table}/batches", 400, "malformed_request", raw=raw)
    for body in ({"count": 0}, {"count": 257}, {"count": "1"}, {"unknown": 1}, {"count": True}):
        refused(client, "POST", f"/v1/tables/{table}/batches", 400, "malformed_request", body)
    for path in ("/v1/events?after=x", "/v1/events?after", "/v1/events?after=1&after=2",
                 "/v1/events?limit=1001", "/v1/catalogues/es-1977/craps?language=fr"):
        refused(client, "GET", path, 400, "malformed_request")


def tables_that_cannot_be_are_refused_with_the_reason(appliance):
    client = appliance.client()
    money = {"currency": "ESP", "unit": 1, "min": 25}
    wrong = [({"catalogue": "xx-1900", "game": "craps", "table": money}, 422, "catalogue_unknown"),
             ({"catalogue": "es-1977", "game": "whist", "table": money}, 422, "game_unknown"),
             ({"catalogue": "es-1977", "game": "craps", "table": {**money, "min": 0}}, 400,
              "malformed_request"),
             ({"catalogue": "es-1977", "game": "craps", "table": {**money, "currency": "pesetas"}},
              422, "table_invalid"),
             ({"catalogue": "es-1977", "game": "craps",
               "table": {**money, "params": {"no_such": 1}}}, 422, "parameter_unknown"),
             ({"catalogue": "es-1977", "game": "craps",
               "table": {**money, "params": {"max_simple": 7}}}, 422, "parameter_not_allowed"),
             ({"catalogue": "es-aragon-2010", "game": "american-roulette-double-zero",
               "table": {"currency": "EUR", "unit": 1, "min": 10}}, 422, "decree_missing"),
             ({"settled_by": "nobody"}, 400, "malformed_request"),
             ({"settled_by": "client", "deck": "french52x99"}, 400, "malformed_request"),
             ({"settled_by": "client", "range": {"kind": "wheel", "pockets": 1}}, 400,
              "malformed_request"),
             ({"settled_by": "client", "range": {"kind": "lots", "bounds": [4294967295] * 16}}, 400,
              "malformed_request"),
             ({"settled_by": "client", "deck": "french52x1", "game": "x" * 65}, 400,
              "malformed_request"), ({**WHEEL, "more": 1}, 400, "malformed_request")]
    for body, status, code in wrong:
        refused(client, "POST", "/v1/tables", status, code, body)


def who_asks_in_spanish_reads_refusals_in_spanish(appliance):
    client = appliance.client()
    money = {"currency": "ESP", "unit": 1, "min": 25}
    body = {"catalogue": "es-1977", "game": "craps",
            "table": {**money, "params": {"max_simple": 7}}}
    key = nonce()
    said = {}
    for language in ("es-ES,es;q=0.9,en;q=0.8", "en", "fr", "es;q=x"):
        client.language = language
        status, text = client.send("POST", "/v1/tables", body, key)
        problem = json.loads(text)
        assert status == 422 and problem["code"] == "parameter_not_allowed", (language, text)
        said[language] = problem["title"], problem["detail"]
        spanish = language.startswith("es-ES")
        assert client.headers.get("Content-Language") == ("es" if spanish else None), client.headers
    title, detail = said.pop("es-ES,es;q=0.9,en;q=0.8")
    assert title == "Lo impiden las reglas del juego", title
    assert "no llega a" in detail and "lo menos que admite el catálogo" in detail, detail
    assert set(said.values()) == {("Refused by the rules", said["en"][1])}, said
    client.language = "es"
    refused(client, "GET", "/v1/tables/table-999999", 404, "not_found")
    client.language = ""


def what_is_not_there_is_not_found_and_other_methods_are_not_taken(appliance):
    client = appliance.client()
    for path in ("/web", "/v1", "/v2/tables", "/v1/tables/", "/v1/tables/table-999999",
                 "/v1/shoes/shoe-0", "/v1/rounds/table-1", "/v1/receipts/999999", "/v1/receipts/-1",
                 "/v1/receipts/01", "/v1/bundles/999999", "/v1/requests/never-used",
                 "/v1/catalogues/es-1977/whist", "/v1/tables/%74able-1"):
        refused(client, "GET", path, 404, "not_found")
    for method, path in (("POST", "/v1/status"), ("DELETE", "/v1/tables"), ("PUT", "/v1/draws"),
                         ("GET", "/v1/draws"), ("PATCH", "/v1/events")):
        got, text = client.send(method, path, key=nonce())
        assert got == 405 and b'"code":"method_not_allowed"' in text, (
            f"{method} {path}: {got} {text.decode()}")


def a_bundle_is_made_for_claims_only(appliance):
    auditor = appliance.client("talla:auditor-1")
    got, text = auditor.send("GET", "/v1/bundles/0")  # POWER: no claim
    assert 400 <= got < 500 and auditor.headers["Content-Type"] == "application/problem+json", (
        f"{got} {text.decode()}")


def a_record_needs_a_well_formed_key(appliance):
    client = appliance.client()
    got, text = client.send("POST", "/v1/tables", WHEEL)
    assert got == 400 and b'"code":"key_missing"' in text, text
    for key in ("two words", "a" * 65, "slash/", "ke\u00fd".encode().decode("latin-1")):
        refused(client, "POST", "/v1/tables", 400, "key_malformed", WHEEL, key=key)


def a_shoe_is_mixed_once_dealt_in_order_and_not_beyond_its_end(appliance):
    client = appliance.client()
    table = open_table(client, {"settled_by": "client", "deck": "french52x1", "max_voids": 16})
    for wish in ({"cut_min": 0, "cut_max": 51}, {"cut": "none"}, {"stop_depth": 53}):
        refused(client, "POST", f"/v1/tables/{table}/shoes", 400, "malformed_request", wish)
    shoe = client.post(f"/v1/tables/{table}/shoes")["shoe"]
    path = f"/v1/shoes/{shoe['id']}"
    assert refused(client, "POST", f"/v1/tables/{table}/shoes", 409,
                   "shoe_live")["shoe"] == shoe["id"]
    refused(client, "POST", path + "/deal", 409, "shoe_not_mixed",
            {"expected": 0, "until": 1, "place": "a", "face": "open"})
    wrong = lapsed(client, path + "/mix", "wrong_root",
                   signed(client, mix_core(client, shoe["id"]) | {"root": "00" * 32}))
    assert wrong["now"]["root"] == shoe["root"], wrong
    good = mix_core(client, shoe["id"])
    for bad in ("", "00" * 31, "00" * 33, "zz" * 32, "0" * 63, "AB" * 32):
        refused(client, "POST", path + "/mix", 400, "malformed_request",
                signed(client, good | {"value": bad}))
    for bad in ("AAAA", "A" * 86 + "=="):
        refused(client, "POST", path + "/mix", 422, "call_signature",
                {"core": good, "signature": bad})
    refused(client, "POST", path + "/mix", 409, "turn_gap", signed(client, good | {"turn": 3}))
    lapsed(client, path + "/mix", "head_wrong", signed(client, good | {"head": "11" * 32}))
    refused(client, "POST", path + "/mix", 409, "core_mismatch", signed(client, good))
    good = mix_core(client, shoe["id"])
    client.post(path + "/mix", signed(client, good))
    refused(client, "POST", path + "/mix", 409, "core_mismatch",
            signed(client, good | {"value": "11" * 32}))
    assert lapsed(client, path + "/mix", "wrong_state",
                  mix_body(client, shoe["id"]))["now"]["state"] == "mixed"
    for body in ({"expected": 0, "until": 0, "place": "a", "face": "open"},
                 {"expected": 0, "until": 53, "place": "a", "face": "open"},
                 {"expected": 0, "until": "needs", "place": "a", "face": "open"},
                 {"expected": 0, "until": 1, "place": "", "face": "open"},
                 {"expected": 0, "until": 1, "place": "a", "face": "hidden"},
                 {"expected": 0, "until": 1, "place": "a", "face": "open", "seat": 1}):
        refused(client, "POST", path + "/deal", 400, "malformed_request", body)
    deal(client, shoe["id"], 0, 50)
    for expected in (0, 49, 51):
        assert refused(client, "POST", path + "/deal", 409, "wrong_position",
                       {"expected": expected, "until": 1, "place": "a",
                        "face": "open"})["position"] == 50
    assert refused(client, "POST", path + "/deal", 409, "shoe_finished",
                   {"expected": 50, "until": 3, "place": "a", "face": "open"})["position"] == 50
    refused(client, "POST", path + "/open", 409, "card_not_covered", {"position": 3})
    refused(client, "POST", f"/v1/tables/{table}/batches", 409, "not_settled_here", {})
    refused(client, "POST", f"/v1/tables/{table}/rounds", 409, "not_settled_here", {})
    assert client.get(path)["shoe"]["position"] == 50, "a refusal dealt a card"
    client.post(path + "/close")
    refused(client, "POST", path + "/deal", 409, "shoe_finished",
            {"expected": 50, "until": 1, "place": "a", "face": "open"})
    other = client.post(f"/v1/tables/{table}/shoes")["shoe"]
    refused(client, "POST", f"/v1/shoes/{other['id']}/mix", 409, "core_mismatch",
            signed(client, mix_core(client, other["id"]) | {"turn": 1}))
    client.post(f"/v1/tables/{table}/close")
    refused(client, "POST", f"/v1/tables/{table}/shoes", 409, "table_closed")


def a_draw_takes_the_next_secret_of_its_own_batch_and_the_next_turn(appliance):
    client = appliance.client()
    table, other = open_table(client, WHEEL), open_table(client, WHEEL)
    batch = new_batch(client, table, 4)
    good = draw_core(client, table, batch)

    def wrong(status, code, **change):
        return refused(client, "POST", "/v1/draws", status, code, signed(client, good | change))

    def lapse(code, index=0, **change):
        core = draw_core(client, table, batch, index) | change
        return lapsed(client, "/v1/draws", code, signed(client, core))
    wrong(400, "malformed_request", value="00")
    wrong(404, "not_found", table="table-999999")
    assert wrong(409, "turn_gap", turn=2)["turn"] == 1
    assert lapse("wrong_index", 1)["now"]["index"] == 0
    assert lapse("wrong_root", root="11" * 32)["now"]["root"] == batch["root"]
    assert "outcome" not in lapse("not_found", object="batch-999999")
    assert "pocket" in lapse("not_settled_here", round="round-1")["outcome"], "opened and spent"
    assert "pocket" in lapse("core_mismatch", 1, game="whist")["outcome"]
    wrong(409, "core_mismatch")
    good = draw_core(client, table, batch, 2)
    drawn = client.post("/v1/draws", signed(client, good))
    again = client.post("/v1/draws", signed(client, good))
    assert again["draw"] == drawn["draw"], "the same core gets the reply that stands"
    assert wrong(409, "core_mismatch", at=1)["turn"] == good["turn"] + 1
    assert lapse("wrong_index", 0)["now"]["index"] == 3
    client.post("/v1/draws", draw_body(client, table, batch, 3))
    lapse("batch_expired", 3)
    refused(client, "POST", f"/v1/tables/{table}/shoes", 409, "not_settled_here")
    for one in (table, other):
        client.post(f"/v1/tables/{one}/close")


def a_round_goes_from_bets_to_outcome_in_that_order(appliance):
    client = appliance.client()
    table = game_table(client, "french-roulette")
    opened = client.post(f"/v1/tables/{table}/rounds")["round"]
    path, batch = f"/v1/rounds/{opened['id']}", new_batch(client, table)
    assert refused(client, "POST", f"/v1/tables/{table}/rounds", 409,
                   "round_open")["round"] == opened["id"]
    refused(client, "POST", f"/v1/tables/{table}/close", 409, "round_open")
    lapsed(client, "/v1/draws", "bets_open",
           draw_body(client, table, batch, round=opened["id"]))
    batch["index"] += 1  # it is open, and spent
    good = {"id": "a", "seat": 1, "kind": "rojo", "stake": 100}
    wrong = [({"stake": 24}, "below_minimum"), ({"stake": 100_000_000}, "above_maximum"),
             ({"kind": "azul"}, "bet_kind_unknown"),
             ({"on": ["1"]}, "bet_position"), ({"kind": "pleno"}, "bet_position"),
             ({"kind": "pleno", "on": ["37"]}, "bet_position")]
    for change, code in wrong:
        for end in ("/bets", "/close-bets"):
            got, text = client.send("POST", path + end, {"bets": [{**good, **change}]}, key=nonce())
            assert got == 422 and f'"code":"{code}"'.encode() in text, (
                f"{change}: {got} {text.decode()}")
    for bets in ([good, good], ):
        refused(client, "POST", path + "/bets", 422, "bet_duplicate", {"bets": bets})
    for bets in ([{**good, "stake": "100"}], [{**good, "stake": 0}], [{**good, "colour": "red"}],
                 ["rojo"], [{"id": "a"}]):
        refused(client, "POST", path + "/bets", 400, "malformed_request", {"bets": bets})
    refused(client, "POST", path + "/bets", 422, "bet_unknown", {"bets": [], "withdrawn": ["z"]})
    refused(client, "POST", path + "/actions", 422, "action_unknown",
            {"expected_state": opened["state_digest"], "seat": 1, "do": "dance", "bet": "a"})
    assert client.get(path)["round"]["state_digest"] == opened["state_digest"], \
        "a refusal changed the state"
    client.post(path + "/close-bets", {"bets": [good]})
    refused(client, "POST", path + "/bets", 409, "bets_not_open", {"bets": [good]})
    refused(client, "POST", path + "/close-bets", 409, "bets_not_open", {})
    lapsed(client, "/v1/draws", "core_mismatch",
           draw_body(client, table, batch, round=opened["id"], bets="00" * 32))
    client.post("/v1/draws", draw_body(client, table, batch, 2, round=opened["id"]))
    lapsed(client, "/v1/draws", "wrong_state",
           draw_body(client, table, batch, 3, round=opened["id"]))
    refused(client, "POST", path + "/bets", 409, "wrong_state", {"bets": [good]})
    client.post(f"/v1/tables/{table}/close")


def a_game_of_cards_needs_its_shoe_and_deals_only_what_is_due(appliance):
    client = appliance.client()
    table = game_table(client, "punto-banco")
    refused(client, "POST", f"/v1/tables/{table}/rounds", 409, "no_shoe")
    refused(client, "POST", f"/v1/tables/{table}/batches", 409, "not_settled_here")
    shoe = mix_shoe(client, table)
    position = client.post(f"/v1/shoes/{shoe['id']}/deal",
                           {"expected": 0, "until": "needs"})["shoe"]["position"]
    refused(client, "POST", f"/v1/shoes/{shoe['id']}/deal", 409, "wrong_state",
            {"expected": position, "until": "needs"})
    opened = client.post(f"/v1/tables/{table}/rounds")["round"]
    refused(client, "POST", f"/v1/shoes/{shoe['id']}/close", 409, "round_open")
    client.post(f"/v1/rounds/{opened['id']}/close-bets",
                {"bets": [{"id": "a", "seat": 1, "kind": "punto", "stake": 100}]})
    client.post(f"/v1/shoes/{shoe['id']}/deal", {"expected": position, "until": "needs"})
    client.post(f"/v1/tables/{table}/close")


def cards_of_a_round_are_dealt_inside_it_only(appliance):
    client = appliance.client()
    table = open_table(client, {"catalogue": "es-valencia-2003", "game": "monte",
                                "table": {"currency": "EUR", "unit": 1, "min": 10, "params": {}}})
    shoe = mix_shoe(client, table)
    refused(client, "POST", f"/v1/shoes/{shoe['id']}/deal", 409, "wrong_state",
            {"expected": 0, "until": "needs"})
    opened = client.post(f"/v1/tables/{table}/rounds")["round"]["id"]
    dealt = client.post(f"/v1/shoes/{shoe['id']}/deal", {"expected": 0, "until": "needs"})
    client.post(f"/v1/rounds/{opened}/close-bets", {"bets": []})
    client.post(f"/v1/shoes/{shoe['id']}/deal",
                {"expected": dealt["shoe"]["position"], "until": "needs"})
    client.post(f"/v1/tables/{table}/close")


def counts_have_limits(appliance):
    client = appliance.client()
    table = open_table(client, WHEEL)
    for _ in range(16):
        new_batch(client, table, 1)
    refused(client, "POST", f"/v1/tables/{table}/batches", 422, "limit_exceeded", {"count": 1})
    client.post(f"/v1/tables/{table}/close")
    tables = []
    while len(tables) < 64:
        status, _ = client.send("POST", "/v1/tables", WHEEL, key=nonce())
        if status != 201:
            break
        tables.append(status)
    refused(client, "POST", "/v1/tables", 422, "limit_exceeded", WHEEL)
    for one in client.get("/v1/tables")["tables"]:
        client.post(f"/v1/tables/{one['id']}/close")
    open_table(client, WHEEL)


def bodies_and_heads_have_limits(appliance):
    client = appliance.client()
    for head, status, code in ((f"Content-Length: {1024 * 1024 + 1}", 413, "body_too_large"),
                               ("X: " + "y" * 20000, 431, "head_too_large"),
                               ("no colon", 400, "malformed_http")):
        with client.context.wrap_socket(socket.create_connection(("127.0.0.1", appliance.port),
                                                                 timeout=10),
                                        server_hostname="localhost") as raw:
            raw.sendall(f"POST /v1/tables HTTP/1.1\r\nHost: localhost\r\n{head}\r\n\r\n".encode())
            reply = http.client.HTTPResponse(raw)
            reply.begin()
            problem = json.loads(reply.read())
        found = (reply.status, reply.headers["Content-Type"], problem["code"], problem["status"],
                 problem["type"], problem["retry"])
        assert found == (status, "application/problem+json", code, status,
                         "urn:talla:problem:" + code, "never") and problem["title"], problem
    assert client.get("/v1/status")["ready"]


def refusals_leave_no_record(appliance):
    client = appliance.client()
    before = client.get("/v1/status")["size"]
    refused(client, "POST", "/v1/tables", 400, "malformed_request", {**SHOE, "more": 1})
    refused(client, "POST", "/v1/tables/table-999999/close", 404, "not_found")
    assert client.get("/v1/status")["size"] == before
    assert before == 1 + max(event["seq"] for event in events(appliance.client("talla:auditor-1")))


def too_many_requests_and_a_full_disk_are_refused_until_later(binaries):
    def tight(text):
        text = text.replace("requests_per_second = 1000000",
                            "requests_per_second = 5").replace("burst = 1000000", "burst = 20")
        return text.replace("disk_reserve_mib = 1\n", "disk_reserve_mib = 1048576\n")
    with Appliance(binaries, tight) as appliance:
        appliance.start(page="/livez")
        for _ in range(100):
            status, text = appliance.health("/readyz")
            if "disk_reserve" in text:
                break
            time.sleep(0.05)
        assert status == 503 and "disk_reserve" in text, text
        client = appliance.client()
        table = open_table(client, WHEEL)  # no commitment: goes on
        refused(client, "POST", f"/v1/tables/{table}/batches", 503, "disk_reserve", {},
                retry="after")
        status = 200
        for _ in range(200):
            status, text = client.send("GET", "/v1/status")
            if status != 200:
                break
        assert status == 429, status
        refused(client, "GET", "/v1/status", 429, "too_many_requests", retry="after")
        appliance.client("talla:auditor-1").get("/v1/status")  # each client has its own measure
        assert appliance.stop() == 0


if __name__ == "__main__":
    extra = hold([too_many_requests_and_a_full_disk_are_refused_until_later], sys.argv[1])
    main([malformed_bodies_and_queries_are_refused,
          tables_that_cannot_be_are_refused_with_the_reason,
          who_asks_in_spanish_reads_refusals_in_spanish,
          what_is_not_there_is_not_found_and_other_methods_are_not_taken,
          a_bundle_is_made_for_claims_only, a_record_needs_a_well_formed_key,
          a_shoe_is_mixed_once_dealt_in_order_and_not_beyond_its_end,
          a_draw_takes_the_next_secret_of_its_own_batch_and_the_next_turn,
          a_round_goes_from_bets_to_outcome_in_that_order,
          a_game_of_cards_needs_its_shoe_and_deals_only_what_is_due,
          cards_of_a_round_are_dealt_inside_it_only, counts_have_limits,
          bodies_and_heads_have_limits, refusals_leave_no_record], failed=extra)
