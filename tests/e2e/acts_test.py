#!/usr/bin/env python3
# Goal: what one person may do alone is to stop; to go on takes two, of the right roles, with
#   certificates of their own, and neither a restart nor kill -9 goes round them (PROTOCOL sections
#   7 and 8).
# Method: a real appliance, four real certificates, the API and the talla command; evidence of
#   before and after is verified by both verifiers.
#   usage: acts_test.py FOLDER_OF_PROGRAMS
import base64
import hashlib
import json
import os
import subprocess
import sys

from access_test import certificate
from facts import (SHOE, mix_shoe, deal, events, main, new_batch, open_table, ready, refused,
                   seq_of, wait_for, WHEEL)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OFFICER, INSPECTOR, OPERATOR = "talla:officer-1", "talla:inspector-1", "talla:operator-1"
RESET = {"act": "latch-reset"}


def accesses(appliance):
    found = [json.loads(event["record"]) for event in events(appliance.client("talla:auditor-1"))
             if event["kind"] == "ACCESS"]
    return [(record["body"]["what"], record["body"]["result"], record["body"]["by"])
            for record in found]


def verified_by_both(appliance, bundle, name):
    path = f"{appliance.folder}/{name}.talla"
    with open(path, "wb") as out:
        out.write(bundle)
    code, words = appliance.verify(path)
    assert code == 3, words
    second = subprocess.run([sys.executable, f"{ROOT}/tests/verify_bundle.py", path,
                             f"{appliance.folder}/ca.pem"], capture_output=True, text=True)
    assert second.returncode == 3, second.stdout + second.stderr


def signed_shoe(appliance, name):
    client = appliance.client()
    table = open_table(client, SHOE)
    shoe = mix_shoe(client, table)["id"]
    deal(client, shoe, 0, 3)
    closed = client.post(f"/v1/shoes/{shoe}/close")
    status, bundle = client.send("GET", f"/v1/bundles/{seq_of(closed, 'SHOE_CLOSE')}")
    assert status == 200, bundle
    verified_by_both(appliance, bundle, name)


def one_person_has_the_generator_tested_as_at_a_start(appliance):
    refused(appliance.client("talla:officer-1"), "POST", "/v1/generator/test", 403, "forbidden")
    done = appliance.talla("test", client="operator", check=True)
    assert "generator-known-answers: pass" in done.stdout and \
        "generator: operational" in done.stdout, done.stdout
    assert "startup:system: pass" in done.stdout, done.stdout
    assert ("generator-test", "allowed", [OPERATOR]) in accesses(appliance)
    signed_shoe(appliance, "tested")


def one_person_stops_new_commitments(appliance):
    signed_shoe(appliance, "before")
    table = open_table(appliance.client(), WHEEL)
    refused(appliance.client(), "POST", "/v1/generator/latch", 403, "forbidden")
    done = appliance.talla("latch", "--reason", "humo en la sala", client="operator", check=True)
    assert "no new commitments" in done.stdout, done.stdout
    refused(appliance.client(), "POST", f"/v1/tables/{table}/batches", 503, "entropy_latched",
            retry="after")
    said = appliance.talla("spin", "--catalogue", "es-1977", "--game", "french-roulette").stderr
    assert "entropy_latched" in said and "latch-reset" in said, said
    assert "try again" not in said, "no later try ends what two persons must end"
    assert ready(appliance, False) == ["entropy_latched"]
    assert ("generator-latch", "allowed", [OPERATOR]) in accesses(appliance)


def a_latch_says_who_why_since_when_and_what_ends_it(appliance):
    latch = appliance.client("talla:auditor-1").get("/v1/status")["latch"]
    assert (latch["by"], latch["reason"], latch["note"]) == (
        OPERATOR, "operator_request", "humo en la sala"), latch
    assert latch["ended_by"] == {"act": "latch-reset",
                                 "roles": [["security-officer"], ["inspector"]]}, latch
    words = appliance.talla("status", check=True).stdout.splitlines()
    assert words[0] == "NOT READY because the generator is latched", words[0]
    assert words[1].startswith(f'  latched by {OPERATOR}: a person stopped it (operator_request), '
                               '"humo en la sala", since '), words[1]
    assert words[1].endswith(f", record {latch['record']}"), words[1]
    assert words[2].startswith("  next: ") and "latch-reset" in words[2], words[2]
    line = wait_for("the journal", lambda: [one for one in appliance.log().splitlines()
                                            if " latched by=" in one])[-1]
    for part in (f"by={OPERATOR}", "reason=operator_request", 'words="humo en la sala"',
                 f"record={latch['record']}", "latch-reset"):
        assert part in line, line
    tail = appliance.talla("log", "tail", "--kind", "ACCESS", "--limit", "1", client="auditor",
                           check=True).stdout
    said = f'NEW COMMITMENTS ARE STOPPED by {OPERATOR}, "humo en la sala"'
    assert tail.rstrip().endswith(said), tail


def each_act_of_two_persons_has_left_a_line_in_the_journal(appliance):
    def told():
        return [one for one in appliance.log().splitlines() if " act what=" in one]
    for what, result, by in accesses(appliance):
        if what == "generator-latch":
            continue
        persons = " and ".join(by)
        persons = f'"{persons}"' if " " in persons else persons
        line = f"what={what} by={persons} result={result} "
        wait_for(line, lambda: any(line in one for one in told()))


def a_restart_does_not_end_a_latch(appliance):
    appliance.kill()
    appliance.start(page="/livez")
    assert "entropy_latched" in ready(appliance, False)


def who_may_not_ask_and_who_may_not_confirm(appliance):
    for name in ("talla:table-1", "talla:auditor-1", OPERATOR):
        refused(appliance.client(name), "POST", "/v1/acts", 403, "forbidden", RESET)
    asked = appliance.client(OFFICER).post("/v1/acts", RESET)["act"]
    path = f"/v1/acts/{asked['id']}/confirm"
    refused(appliance.client(OFFICER), "POST", path, 403, "same_person")
    for name in ("talla:table-1", "talla:auditor-1", OPERATOR):
        refused(appliance.client(name), "POST", path, 403, "forbidden")
    refused(appliance.client("talla:officer-2"), "POST", path, 403, "forbidden")
    refused(appliance.client("talla:officer-2"), "POST", "/v1/acts", 409, "act_pending", RESET)
    refused(appliance.client(OFFICER), "POST", "/v1/acts", 400, "malformed_request",
            {"act": "open-the-safe"})
    refused(appliance.client(INSPECTOR), "POST", "/v1/acts/act-0/confirm", 404, "not_found")
    refused(appliance.client(OFFICER), "GET", "/v1/acts/act-0", 404, "not_found")
    assert [act["id"]
            for act in appliance.client("talla:auditor-1").get("/v1/acts")["acts"]] == [asked["id"]]
    assert "entropy_latched" in ready(appliance, False)


def a_pending_request_outlives_kill_and_the_second_person_confirms_it(appliance):
    before = appliance.client(INSPECTOR).get("/v1/acts")
    appliance.kill()
    appliance.start(page="/livez")
    assert appliance.client(INSPECTOR).get("/v1/acts") == before
    act = before["acts"][0]["id"]
    done = appliance.talla("act", "confirm", act, client="inspector", check=True)
    assert "done" in done.stdout, done.stdout
    assert ready(appliance, True) == []
    both = [OFFICER, INSPECTOR]
    assert accesses(appliance)[-3:] == [("latch-reset.asked", "allowed", [OFFICER]),
                                        ("latch-reset.confirmed", "allowed", both),
                                        ("latch-reset.done", "allowed", both)]
    refused(appliance.client(INSPECTOR), "POST", f"/v1/acts/{act}/confirm", 409, "act_over")
    refused(appliance.client(INSPECTOR), "POST", "/v1/acts", 409, "wrong_state", RESET)


def the_log_has_tests_and_seed_between_confirmation_and_end(appliance):
    found = [json.loads(event["record"]) for event in events(appliance.client("talla:auditor-1"))]
    steps = {record["body"]["what"]: record["seq"] for record in found
             if record["kind"] == "ACCESS"}
    between = [record for record in found
               if steps["latch-reset.confirmed"] < record["seq"] < steps["latch-reset.done"]]
    tests = [record["body"]["test"] for record in between if record["kind"] == "SELFTEST"]
    assert "generator-known-answers" in tests and "startup:system" in tests, tests
    assert "RESEED" in [record["kind"] for record in between]


def shoes_are_signed_again(appliance):
    signed_shoe(appliance, "after")
    client = appliance.client()
    assert new_batch(client, open_table(client, WHEEL))["count"] == 4


def requests_are_listed_and_withdrawn_by_the_command(appliance):
    appliance.talla("latch", client="officer", check=True)
    asked = appliance.talla("--json", "act", "ask", "latch-reset", client="inspector", check=True)
    act = json.loads(asked.stdout.splitlines()[0])["id"]
    withdrawn = appliance.talla("act", "withdraw", act, client="officer", check=True)
    assert "withdrawn" in withdrawn.stdout, withdrawn.stdout
    again = appliance.talla("act", "confirm", act, client="officer")
    assert again.returncode == 1 and "act_over" in again.stdout + again.stderr, again
    asked = appliance.talla("--json", "act", "ask", "latch-reset", client="inspector", check=True)
    act = json.loads(asked.stdout.splitlines()[0])["id"]
    appliance.talla("act", "confirm", act, client="officer", check=True)
    listed = appliance.talla("act", "list", client="auditor", check=True).stdout
    assert "withdrawn" in listed and "done" in listed, listed
    assert ready(appliance, True) == []
    metrics = appliance.health("/metrics")[1]
    assert 'talla_latch_resets_total{result="done"} 2' in metrics, metrics
    # The gauge follows when the sequencer has nothing else to do.
    wait_for("the gauge of the latch", lambda: "talla_latched 0" in appliance.health("/metrics")[1])


def the_devices_of_the_appliance_are_listed(appliance):
    lines = [json.loads(line) for line in
             appliance.talla("--json", "devices", client="auditor", check=True).stdout.splitlines()]
    running = [line for line in lines if isinstance(line, dict) and "configured" in line][0]
    assert running["generator"] == "operational", running
    system = [one for one in running["configured"] if one["model"] == "system"][0]
    assert (system["health"], system["lost"], system["credited"]) == ("good", False, False), system
    assert system["rate"] >= 0 and system["samples"] > 4096, system
    words = appliance.talla("devices", client="auditor", check=True).stdout
    assert "in use: system: good" in words and "credited with nothing" in words, words


def two_persons_let_a_client_in_and_put_it_out_while_the_appliance_runs(appliance):
    folder, name = appliance.folder, "talla:table-7"
    certificate(folder, name, name, "ca.pem", "ca.key")
    refused(appliance.client(name), "GET", "/v1/status", 403, "not_enrolled")
    asked = appliance.talla("--json", "act", "ask", "client-enrol", "--certificate",
                            f"{folder}/clients/{name}.pem", "--role", "table", client="officer",
                            check=True)
    act = json.loads(asked.stdout.splitlines()[0])
    assert (act["client"]["id"], act["client"]["roles"],
            len(act["digest"])) == (name, ["table"], 64), act
    refused(appliance.client(name), "GET", "/v1/status", 403, "not_enrolled")
    other = appliance.talla("act", "confirm", act["id"], "--digest", "0" * 64, client="inspector")
    assert other.returncode == 1 and "wrong_state" in other.stdout + other.stderr, other
    appliance.talla("act", "confirm", act["id"], "--digest", act["digest"], client="inspector",
                    check=True)
    signed = appliance.client(name)
    signed.get("/v1/status")
    table = open_table(signed, WHEEL)
    appliance.kill()
    appliance.start()
    assert appliance.client(name).get(f"/v1/tables/{table}")["table"]["id"] == table
    held = appliance.client(name)
    held.get("/v1/status")
    asked = appliance.talla("--json", "act", "ask", "client-revoke", "--object", name,
                            client="inspector", check=True)
    appliance.talla("act", "confirm", json.loads(asked.stdout.splitlines()[0])["id"],
                    client="officer", check=True)
    refused(held, "GET", "/v1/status", 403, "not_enrolled")  # a connection that was open before
    found = [json.loads(event["record"]) for event in events(appliance.client("talla:auditor-1"))]
    keys = [record for record in found if record["kind"] == "KEY" and
            record["body"].get("id") == name]
    assert [key["body"]["action"] for key in keys] == ["enrol", "revoke"], keys
    whats = {record["seq"]: record["body"]["what"] for record in found
             if record["kind"] == "ACCESS"}
    assert [whats[key["cites"][0]] for key in keys] == ["client-enrol.confirmed",
                                                        "client-revoke.confirmed"]


def an_approved_configuration_is_named_by_the_record_of_the_start_that_takes_it(appliance):
    with open(appliance.config, "a") as config:
        config.write("# changed\n")
    asked = appliance.talla("--json", "act", "ask", "config-change", "--file", appliance.config,
                            client="officer", check=True)
    act = json.loads(asked.stdout.splitlines()[0])["id"]
    appliance.talla("act", "confirm", act, "--file", appliance.config, client="inspector",
                    check=True)
    approvals = appliance.client(INSPECTOR).get("/v1/acts")["approvals"]
    assert [one["act"] for one in approvals] == ["config-change"], approvals
    assert "approved and not carried out: config-change" in appliance.talla(
        "act", "list", client="auditor", check=True).stdout
    appliance.stop()
    appliance.start()
    found = [json.loads(event["record"]) for event in events(appliance.client("talla:auditor-1"))]
    config = [record for record in found if record["kind"] == "CONFIG"][-1]
    assert config["cites"] == [approvals[0]["seq"]] and \
        config["body"]["digest"] == approvals[0]["digest"], config
    assert appliance.client(INSPECTOR).get("/v1/acts")["approvals"] == []


def what_talla_asks_and_confirms_is_signed_and_the_log_says_so(appliance):
    def confirmed(act):
        appliance.talla("act", "confirm", act, client="inspector", check=True)
        appliance.client(OFFICER).get("/v1/acts")
        return [json.loads(event["record"])
                for event in events(appliance.client("talla:auditor-1"))
                if event["kind"] == "ACCESS"][-2:]

    def tail():
        return appliance.talla("log", "tail", "--kind", "ACCESS", "--limit", "2", client="auditor",
                               check=True).stdout.splitlines()
    asked = appliance.talla("--json", "act", "ask", "restore", "--digest", "5a" * 32,
                            client="officer", check=True)
    steps = confirmed(json.loads(asked.stdout.splitlines()[0])["id"])
    for record in steps:
        key = base64.b64decode(record["body"]["order"]["key"])
        assert hashlib.sha256(key).hexdigest() == record["client"]["spki"], record
        appliance.talla("log", "record", str(record["seq"]), "--out", f"{appliance.folder}/step",
                        client="auditor", check=True)
        done = appliance.talla("verify", f"{appliance.folder}/step", "--log-key",
                               f"{appliance.folder}/log-key.json", "--root",
                               f"{appliance.folder}/ca.pem")
        assert done.returncode == 3, done.stdout + done.stderr
    assert all(line.endswith(", signed") for line in tail()), tail()
    other = {"act": "restore", "digest": "5b" * 32}
    refused(appliance.client(OFFICER), "POST", "/v1/acts", 422, "order_signature",
            other | {"signature": steps[0]["body"]["order"]["signature"]})
    alone = appliance.client(OFFICER).post("/v1/acts", other)["act"]["id"]
    refused(appliance.client(INSPECTOR), "POST", f"/v1/acts/{alone}/confirm", 422,
            "order_signature", {"signature": steps[1]["body"]["order"]["signature"]})
    first, second = confirmed(alone)
    assert "order" not in first["body"] and "order" in second["body"], (first, second)
    assert [line.rpartition(", ")[2] for line in tail()] == \
        ["over the connection alone", "signed"], tail()


def more_people(appliance):
    appliance.talla("keys", "client", appliance.folder, "talla:officer-2", "--role",
                    "security-officer", check=True)


if __name__ == "__main__":
    main([one_person_has_the_generator_tested_as_at_a_start, one_person_stops_new_commitments,
          a_latch_says_who_why_since_when_and_what_ends_it,
          a_restart_does_not_end_a_latch, who_may_not_ask_and_who_may_not_confirm,
          a_pending_request_outlives_kill_and_the_second_person_confirms_it,
          the_log_has_tests_and_seed_between_confirmation_and_end, shoes_are_signed_again,
          requests_are_listed_and_withdrawn_by_the_command, the_devices_of_the_appliance_are_listed,
          two_persons_let_a_client_in_and_put_it_out_while_the_appliance_runs,
          an_approved_configuration_is_named_by_the_record_of_the_start_that_takes_it,
          what_talla_asks_and_confirms_is_signed_and_the_log_says_so,
          each_act_of_two_persons_has_left_a_line_in_the_journal],
         before=more_people)
