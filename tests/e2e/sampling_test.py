#!/usr/bin/env python3
# Goal: two persons order bits, raw samples or outcomes of a table of class lab for a laboratory of
#   a running appliance; that laboratory alone gets them, held against the log, while tables play
#   on; outcomes are a laboratory's for every verifier; one person, another laboratory (an appliance
#   that lies gives it another's), a latch or a stop in the middle give it nothing.
# Method: one appliance on the operating system's source, real certificates, the command `talla
#   samples` of the laboratory; `talla-lab battery` reads what came.
#   usage: sampling_test.py FOLDER_OF_PROGRAMS
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading

from calls import draw_body
from client_liar import Liar
from facts import WHEEL, events, main, new_batch, open_table, ready, refused, wait_for

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAB, OTHER = "talla:lab-1", "talla:lab-2"
OFFICER, INSPECTOR = "talla:officer-1", "talla:inspector-1"


def order(count, lab=LAB):
    return {"act": "sampling-order", "object": lab, "samples": "bits", "bytes": count}


def ask(appliance, count, samples="bits", number="--bytes"):
    asked = appliance.talla("--json", "act", "ask", "sampling-order", "--object", LAB, "--samples",
                            samples, number, str(count), client="officer", check=True)
    return json.loads(asked.stdout.splitlines()[0])["id"]


def confirm(appliance, act):
    appliance.talla("act", "confirm", act, client="inspector", check=True)


def fetch(appliance, act, name, client="lab", *more):
    return appliance.talla("samples", act, f"{appliance.folder}/{name}", *more, client=client)


def read(appliance, name):
    with open(f"{appliance.folder}/{name}", "rb") as file:
        return file.read()


def ends(appliance):
    """Steps of sampling orders, oldest first."""
    found = [json.loads(event["record"]) for event in events(appliance.client("talla:auditor-1"))
             if event["kind"] == "ACCESS"]
    return [record for record in found if record["body"]["what"].startswith("sampling-order.")]


def set_rate(appliance, rate):
    text = open(appliance.config).read().split("\n[laboratory]\n")[0]
    open(appliance.config, "w").write(f"{text}\n[laboratory]\nbytes_per_second = {rate}\n")


def without_the_setting_nothing_is_ordered(appliance):
    refused(appliance.client(OFFICER), "POST", "/v1/acts", 409, "wrong_state", order(64))
    assert "talla_outlet" not in appliance.health("/metrics")[1]
    appliance.stop()
    set_rate(appliance, 255)
    assert "laboratory.bytes_per_second" in appliance.start_refused()
    set_rate(appliance, 1048576)
    appliance.start()


def the_laboratory_has_the_bits_and_the_log_says_so(appliance):
    act = ask(appliance, 300000)
    early = fetch(appliance, act, "early.bin")
    assert early.returncode == 1 and "not_found" in early.stdout + early.stderr, early
    confirm(appliance, act)
    done = fetch(appliance, act, "bits.bin")
    assert done.returncode == 0, done.stdout + done.stderr
    bits = read(appliance, "bits.bin")
    end = ends(appliance)[-1]
    digest = hashlib.sha256(bits).hexdigest()
    assert (len(bits), end["body"]["digest"]) == (300000, digest), end
    assert end["body"]["object"] == f"bits:300000:{LAB}", end
    manifest = json.loads(read(appliance, "bits.bin.manifest.json"))
    assert manifest == {"act": act, "bytes": 300000, "file": "bits.bin", "record": end["seq"],
                        "samples": "bits", "sha256": digest}, manifest
    code, words = appliance.verify(f"{appliance.folder}/bits.bin.receipt.json", "--log-key",
                                   f"{appliance.folder}/log-key.json")
    assert code == 3, words  # development keys
    assert not [name for name in os.listdir(appliance.folder) if name.endswith(".part")]
    mode = os.stat(f"{appliance.folder}/bits.bin").st_mode & 0o777
    assert mode == 0o600, oct(mode)
    again = fetch(appliance, act, "bits.bin")
    assert again.returncode == 1 and "is there" in again.stderr, again
    battery = subprocess.run([f"{appliance.binaries}/talla-lab", "battery",
                              f"{appliance.folder}/bits.bin"], capture_output=True, text=True,
                             timeout=120)
    assert battery.returncode in (0, 4), battery.stdout + battery.stderr  # 4: too little for some


def an_interrupted_fetch_goes_on_and_a_changed_one_is_found(appliance):
    act = ends(appliance)[0]["seq"]
    bits = read(appliance, "bits.bin")
    part = f"{appliance.folder}/again.bin.act-{act}.part"
    with open(part, "wb") as file:
        file.write(bits[:100001])
    done = fetch(appliance, f"act-{act}", "again.bin")
    assert done.returncode == 0 and "behind 100001 bytes" in done.stdout, done
    assert read(appliance, "again.bin") == bits
    with open(f"{appliance.folder}/other.bin.act-{act}.part", "wb") as file:
        file.write(b"x" + bits[1:65536])
    done = fetch(appliance, f"act-{act}", "other.bin")
    assert done.returncode == 1 and "says that was given" in done.stderr, done
    assert not os.path.exists(f"{appliance.folder}/other.bin")


def nobody_else_gets_them(appliance):
    act = f"act-{ends(appliance)[0]['seq']}"
    path = f"/v1/samples/{act}"
    refused(appliance.client(OTHER), "GET", path, 404, "not_found")
    for name in ("talla:table-1", OFFICER, INSPECTOR, "talla:operator-1", "talla:auditor-1"):
        refused(appliance.client(name), "GET", path, 403, "forbidden")
    got = appliance.client(LAB).get(path + "?offset=299999")["samples"]
    assert len(base64.b64decode(got["data"])) == 1, got
    refused(appliance.client(LAB), "GET", path + "?offset=300000", 400, "malformed_request")
    refused(appliance.client(LAB), "GET", "/v1/samples/act-0", 404, "not_found")


def samples_that_were_ordered_for_another_laboratory_are_not_taken(appliance):
    """An appliance that gives one laboratory what another one ordered, with its true record."""
    act = f"act-{ends(appliance)[0]['seq']}"
    with Liar(appliance, LAB, lambda *_: None) as liar:
        folder = f"{appliance.folder}/lab-2"
        shutil.copytree(f"{appliance.folder}/lab", folder)
        with open(f"{folder}/client.toml", encoding="utf-8") as file:
            text = file.read().replace(LAB, OTHER)
        with open(f"{folder}/client.toml", "w", encoding="utf-8") as file:
            file.write(re.sub(r"(?m)^port = \d+", f"port = {liar.port}", text))
        done = fetch(appliance, act, "theirs.bin", "lab-2")
    assert done.returncode != 0 and f"ordered for {LAB}, not for {OTHER}" in done.stderr, done
    assert not [name for name in os.listdir(appliance.folder) if name.startswith("theirs")]


def one_person_is_not_two(appliance):
    refused(appliance.client(LAB), "POST", "/v1/acts", 403, "forbidden", order(64))
    act = ask(appliance, 64)
    path = f"/v1/acts/{act}/confirm"
    refused(appliance.client(OFFICER), "POST", path, 403, "same_person")
    refused(appliance.client("talla:operator-1"), "POST", path, 403, "forbidden")
    refused(appliance.client(LAB), "POST", path, 403, "forbidden")
    appliance.talla("act", "withdraw", act, client="inspector", check=True)
    for count in (63, 10485761):
        refused(appliance.client(OFFICER), "POST", "/v1/acts", 400, "malformed_request",
                order(count))


def tables_play_on_beside_an_order_and_no_two_orders_share_a_byte(appliance):
    bits = read(appliance, "bits.bin")
    act = ask(appliance, 1000000)
    confirm(appliance, act)
    drawn, failed = [], []

    def play():
        client = appliance.client()
        table = open_table(client, WHEEL)
        for _ in range(6):
            batch = new_batch(client, table, 16)
            for index in range(16):
                try:
                    client.post("/v1/draws", draw_body(client, table, batch, index))
                    drawn.append(1)
                except AssertionError as error:
                    failed.append(error)

    player = threading.Thread(target=play)
    player.start()
    done = fetch(appliance, act, "more.bin")
    player.join()
    assert done.returncode == 0, done.stdout + done.stderr
    assert (len(drawn), failed) == (96, []), failed
    more = read(appliance, "more.bin")
    assert len(more) == 1000000
    seen = {bits[at:at + 16] for at in range(0, len(bits) - 15, 16)}
    assert not any(more[at:at + 16] in seen for at in range(0, len(more) - 15, 16))
    assert len({more[at:at + 16] for at in range(0, len(more), 16)}) == len(more) // 16
    refused(appliance.client(LAB), "GET", f"/v1/samples/act-{ends(appliance)[0]['seq']}", 404,
            "not_found")  # those of the order before are gone


def raw_samples_of_the_source_come_too(appliance):
    refused(appliance.client(OFFICER), "POST", "/v1/acts", 404, "not_found",
            order(64) | {"samples": "raw-7"})
    act = ask(appliance, 50000, "raw-0")
    confirm(appliance, act)
    done = fetch(appliance, act, "raw.bin")
    assert done.returncode == 0, done.stdout + done.stderr
    raw = read(appliance, "raw.bin")
    manifest = json.loads(read(appliance, "raw.bin.manifest.json"))
    assert (len(raw), manifest["samples"], manifest["bits_per_sample"]) == (50000, "raw-0", 8)
    assert ends(appliance)[-1]["body"]["object"] == f"raw-0:50000:{LAB}"
    assert len(set(raw)) == 256, "the system's source gives bytes"


def judged(appliance, path):
    """Exit code and first line of each verifier; the browser's, in node, has a code alone."""
    root = f"{appliance.folder}/ca.pem"
    code, words = appliance.verify(path)
    python = subprocess.run([sys.executable, f"{TESTS}/verify_bundle.py", path, root],
                            capture_output=True, text=True)
    told = subprocess.run(["node", f"{TESTS}/liars/judge.mjs"], capture_output=True, text=True,
                          check=True, input=json.dumps({"files": [[path, None]], "roots": root}))
    return ([code, python.returncode, json.loads(told.stdout)[0]["code"]],
            [words.splitlines()[0], python.stdout.splitlines()[0]])


def outcomes_of_a_table_of_class_lab_are_a_laboratorys_for_every_verifier(appliance):
    play = appliance.client(OFFICER).get("/v1/tables")
    for samples, count, results in (("lab/es-1977/french-roulette/wheel-37", 2000, "wheel:37"),
                                    ("lab/es-1977/craps/dice-2x6", 500, "dice:2x6"),
                                    ("lab/es-1977/punto-banco/shoe-french52x8", 100,
                                     "shoe:french52x8")):
        act = ask(appliance, count, samples, "--count")
        confirm(appliance, act)
        name = results.replace(":", "-")
        done = fetch(appliance, act, name)
        assert done.returncode == 0, done.stdout + done.stderr
        path = f"{appliance.folder}/{name}"
        file = json.loads(read(appliance, name))
        end = ends(appliance)[-1]
        assert end["body"]["object"] == f"{samples}:{count}:{LAB}", end
        assert end["body"]["digest"] == hashlib.sha256(file["outcomes"].encode()).hexdigest()
        codes, lines = judged(appliance, path)
        assert codes == [4, 4, 4], (codes, lines)
        for line in lines:
            assert f"LABORATORY, not play: {count} outcomes of the table {samples}" in line, line
        lines = read(appliance, name + ".results.txt").decode().splitlines()
        assert json.loads(lines[0][2:])["class"] == "lab" and len(lines) == count + 1
        outcomes = subprocess.run([f"{appliance.binaries}/talla-lab", "outcomes",
                                   path + ".results.txt"], capture_output=True, text=True)
        assert outcomes.returncode in (0, 4), outcomes.stdout + outcomes.stderr  # 4: too few
        assert results in outcomes.stdout, outcomes.stdout
        # One outcome told otherwise, or the order told as play.
        for change in ({"outcomes": file["outcomes"].replace(lines[1], lines[2], 1)
                        if lines[1] != lines[2] else file["outcomes"] + "x"},
                       {"type": "talla-bundle"}):
            with open(path + ".lie", "w", encoding="utf-8") as lie:
                lie.write(json.dumps({**file, **change}, sort_keys=True, separators=(",", ":"),
                                     ensure_ascii=False))
            assert judged(appliance, path + ".lie")[0] == [1, 1, 1], change
        code, words = appliance.verify(path + ".receipt.json", "--log-key",
                                       f"{appliance.folder}/log-key.json")
        assert code == 4 and "LABORATORY" in words.splitlines()[0], words
    lab = appliance.client(LAB)
    assert appliance.client(OFFICER).get("/v1/tables") == play, "no table came or went"
    opened = next(event for event in events(appliance.client("talla:auditor-1"))
                  if event["kind"] == "TABLE_OPEN")
    refused(lab, "GET", f"/v1/bundles/{opened['seq']}", 404, "not_found")
    shown = appliance.client("talla:auditor-1").get(f"/v1/bundles/{end['seq']}")
    assert shown["type"] == "talla-laboratory" and "outcomes" not in shown, "nobody else has them"
    wheel = order(100) | {"samples": "lab/es-1977/french-roulette/wheel-38", "count": 100}
    wheel.pop("bytes")
    refused(appliance.client(OFFICER), "POST", "/v1/acts", 400, "malformed_request", wheel)


def a_latch_and_a_stop_in_the_middle_fail_the_order(appliance):
    appliance.stop()
    set_rate(appliance, 4096)
    appliance.start()
    act = ask(appliance, 10485760)
    confirm(appliance, act)
    lab = appliance.client(LAB)
    wait_for("bytes", lambda: lab.get(f"/v1/samples/{act}")["samples"]["taken"])
    appliance.talla("latch", client="operator", check=True)
    wait_for("the end", lambda: lab.get(f"/v1/samples/{act}")["samples"]["state"] == "failed")
    done = fetch(appliance, act, "latched.bin")
    assert done.returncode == 1 and "has failed" in done.stderr, done
    refused(appliance.client(OFFICER), "POST", "/v1/acts", 503, "entropy_latched", order(64),
            retry="after")
    reset = appliance.client(OFFICER).post("/v1/acts", {"act": "latch-reset"})["act"]["id"]
    confirm(appliance, reset)
    assert ready(appliance, True) == []
    act = ask(appliance, 10485760)
    confirm(appliance, act)
    wait_for("bytes", lambda: lab.get(f"/v1/samples/{act}")["samples"]["taken"])
    waits = fetch(appliance, act, "waits.bin", "lab", "--wait", "0")
    assert waits.returncode == 1 and "is under way" in waits.stderr, waits
    appliance.kill()
    appliance.start()
    refused(appliance.client(LAB), "GET", f"/v1/samples/{act}", 404, "not_found")
    end = ends(appliance)[-1]
    assert (end["body"]["what"], end["body"]["result"], "digest" in end["body"]) == \
        ("sampling-order.failed", "refused", False), end
    assert 'talla_sampling_orders_total{result="failed"}' not in appliance.health("/metrics")[1]


def laboratories(appliance):
    for name in (LAB, OTHER):
        appliance.talla("keys", "client", appliance.folder, name, "--role", "lab", check=True)
    shutil.copytree(f"{appliance.folder}/auditor", f"{appliance.folder}/lab")
    path = f"{appliance.folder}/lab/client.toml"
    text = open(path).read().replace("talla:auditor-1", LAB)
    open(path, "w").write(text)


if __name__ == "__main__":
    main([without_the_setting_nothing_is_ordered, the_laboratory_has_the_bits_and_the_log_says_so,
          an_interrupted_fetch_goes_on_and_a_changed_one_is_found, nobody_else_gets_them,
          samples_that_were_ordered_for_another_laboratory_are_not_taken, one_person_is_not_two,
          tables_play_on_beside_an_order_and_no_two_orders_share_a_byte,
          raw_samples_of_the_source_come_too,
          outcomes_of_a_table_of_class_lab_are_a_laboratorys_for_every_verifier,
          a_latch_and_a_stop_in_the_middle_fail_the_order],
         before=laboratories)
