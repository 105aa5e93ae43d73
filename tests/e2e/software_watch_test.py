#!/usr/bin/env python3
# Goal: an appliance runs the software that its maker signed and nothing else: a start is refused
#   without that, a challenge is answered over all of it, and one changed byte of a catalogue stops
#   new commitments until two persons go on (PROTOCOL sections 7 and 8).
# Method: the real programs under a manifest made here; answers and digests are worked out anew in
#   Python; files are changed under the running daemon.
#   usage: software_watch_test.py FOLDER_OF_PROGRAMS
import hashlib
import json
import os
import shutil
import subprocess
import sys

from facts import SHOE, WHEEL, mix_shoe, deal, events, hold, new_batch, open_table, ready, refused
from appliance import Appliance
from signed_software import SignedSoftware

OFFICER, INSPECTOR, AUDITOR = "talla:officer-1", "talla:inspector-1", "talla:auditor-1"
LAB = "talla:lab-1"
CHALLENGE = "/v1/software/challenge"


def bodies(appliance, kind):
    return [json.loads(event["record"])["body"] for event in events(appliance.client(AUDITOR))
            if event["kind"] == kind]


def metrics(appliance):
    lines = appliance.health("/metrics")[1].splitlines()
    return {line.split(" ")[0]: float(line.split(" ")[1]) for line in lines
            if line.startswith("talla_software")}


def challenge(appliance, who=INSPECTOR, nonce=None):
    nonce = nonce or os.urandom(32)
    status, text = appliance.client(who).send("POST", CHALLENGE, {"nonce": nonce.hex()})
    assert status == 200, text
    reply = json.loads(text)
    assert reply["challenge"]["nonce"] == nonce.hex()
    return reply


def start_refused(appliance, *words, production=False):
    kept = open(appliance.config).read()
    if production:
        open(appliance.config,
             "w").write(kept.replace('profile = "development"', 'profile = "production"'))
    said = appliance.start_refused()
    open(appliance.config, "w").write(kept)
    for word in words:
        assert word in said, f"'{word}' is not in: {said}"


def development_without_a_manifest_says_so_loudly(appliance):
    appliance.start()
    assert "software_unsigned" in appliance.log(), appliance.log()
    auditor = appliance.client(AUDITOR)
    assert auditor.get("/v1/status")["software"] == {"state": "unsigned"}
    assert "software: UNSIGNED" in appliance.talla("status", check=True).stdout
    refused(auditor, "POST", CHALLENGE, 409, "software_unsigned", {"nonce": "00" * 16})
    assert metrics(appliance) == {"talla_software_signed": 0, "talla_software_not_approved": 0}, \
        metrics(appliance)
    assert "manifest" not in bodies(appliance, "SOFTWARE")[-1]
    auditor.close()
    assert appliance.stop() == 0


def production_without_a_manifest_does_not_start(appliance):
    start_refused(appliance, "software.manifest: production runs signed software only",
                  production=True)


def a_manifest_that_the_wrong_key_signed_does_not_start_anything(appliance):
    own = appliance.software
    own.text = own.make()
    with open(appliance.config, "a") as config:
        config.write(own.section())
    kept = open(own.manifest, "rb").read()
    open(own.manifest, "wb").write(kept.replace(b'"size":', b'"size":1', 1))
    start_refused(appliance, "unsigned_manifest", "does not verify", production=True)
    os.rename(own.key_file, own.key_file + ".kept")
    appliance.talla("software", "key", own.key_file, "--name", "maker.example/talla", check=True)
    own.make()
    start_refused(appliance, "unsigned_manifest", "maker.example/talla is missing", production=True)
    os.replace(own.key_file + ".kept", own.key_file)
    open(own.manifest, "wb").write(own.text)
    start_refused(appliance, "unsigned_manifest", "nobody has signed it")
    open(own.manifest, "wb").write(kept)
    # With the right one production goes on to its next condition.
    start_refused(appliance, "development key", production=True)


def a_file_that_is_not_as_signed_or_not_listed_does_not_start(appliance):
    own = appliance.software
    kept = open(own.catalogue(), "rb").read()
    open(own.catalogue(), "wb").write(kept + b"#")
    start_refused(appliance, "software_mismatch", own.catalogue() + " (changed)")
    open(own.catalogue(), "wb").write(kept)
    signed = open(own.manifest, "rb").read()
    own.make("--no-libraries")
    start_refused(appliance, "software_mismatch", "(not-listed)", "ld-linux")
    open(own.manifest, "wb").write(signed)


def the_start_records_which_software_runs(appliance):
    appliance.start()
    digest = hashlib.sha256(appliance.software.text).hexdigest()
    auditor = appliance.client(AUDITOR)
    status = auditor.get("/v1/status")["software"]
    assert (status["state"], status["manifest"],
            status["signers"]) == ("signed", digest, ["maker.example/talla"]), status
    assert auditor.get("/v1/software")["software"]["signed_manifest"].encode() == open(
        appliance.software.manifest, "rb").read()
    assert bodies(appliance, "SOFTWARE")[-1]["manifest"] == digest
    checks = [one for one in bodies(appliance, "SELFTEST") if one["test"] == "software-manifest"]
    assert checks == [{"test": "software-manifest", "result": "pass", "count": status["files"]}], \
        checks
    found = metrics(appliance)
    assert (found["talla_software_signed"], found["talla_software_mismatch"]) == (1, 0), found
    assert digest in appliance.talla("status", check=True).stdout
    auditor.close()


def a_challenge_is_answered_over_every_file(appliance):
    for who in (INSPECTOR, AUDITOR, "talla:operator-1", LAB):
        nonce = os.urandom(32)
        reply = challenge(appliance, who, nonce)
        got = reply["challenge"]
        each, whole = appliance.software.answer(nonce)
        assert got["result"] == "good" and got["findings"] == [], got
        assert {one["path"]: one["answer"] for one in got["files"]} == each
        assert got["answer"] == whole, (got["answer"], whole)
        for file in got["files"]:
            with open(file["path"], "rb") as source:
                assert file["sha256"] == hashlib.sha256(source.read()).hexdigest(), file
        receipt = json.loads(appliance.client(AUDITOR).send("GET",
                                                            f"/v1/receipts/{reply['seq']}")[1])
        record = json.loads(receipt["record"])
        assert record["body"] == {"what": "software-challenge", "result": "allowed",
                                  "object": whole, "by": [who]}, record
        assert record["client"]["id"] == who, record
    laboratory = appliance.client(LAB)
    assert laboratory.get("/v1/software")["software"]["state"] == "signed"
    assert laboratory.get("/v1/catalogues")["catalogues"]
    refused(laboratory, "GET", "/v1/tables", 403, "forbidden")
    refused(appliance.client(), "POST", CHALLENGE, 403, "forbidden", {"nonce": "00" * 16})
    for nonce in ("", "00" * 15, "00" * 65, "zz" * 16):
        refused(appliance.client(INSPECTOR), "POST", CHALLENGE, 400, "nonce_malformed",
                {"nonce": nonce})


def the_command_checks_and_challenges(appliance):
    own = appliance.software
    said = appliance.talla("software", "check", own.manifest, "--signer", own.key,
                           check=True).stdout
    assert "all as signed" in said, said
    said = appliance.talla("software", "challenge", "--manifest", own.manifest, "--signer", own.key,
                           check=True, client="inspector").stdout
    assert "the reference gives the same answer" in said, said
    copy = f"{appliance.folder}/reference"  # an inspector's own copy, on a machine of his own
    with open(own.manifest) as file:
        listed = json.loads(file.read().split("\n\n")[0])["files"]
    for one in listed:
        os.makedirs(os.path.dirname(copy + one["path"]), exist_ok=True)
        shutil.copy(one["path"], copy + one["path"])
    arguments = ["software", "challenge", "--manifest", own.manifest, "--signer", own.key,
                 "--reference", copy]
    said = appliance.talla(*arguments, check=True, client="inspector").stdout
    assert "the reference gives the same answer" in said, said
    with open(copy + own.catalogue(), "ab") as file:
        file.write(b"#")
    done = appliance.talla(*arguments, client="inspector")
    assert done.returncode == 1 and "the reference itself is not as signed" in done.stderr, done


def one_changed_byte_of_a_catalogue_stops_new_commitments(appliance):
    own, client = appliance.software, appliance.client()
    appliance.live = mix_shoe(client, open_table(client, SHOE))["id"]
    appliance.table = open_table(client, WHEEL)
    new_batch(client, appliance.table)
    appliance.rules = open(own.catalogue(), "rb").read()
    open(own.catalogue(), "wb").write(appliance.rules.replace(b"=", b":", 1))
    got = challenge(appliance)["challenge"]
    assert got["result"] == "mismatch" and \
        got["findings"] == [{"path": own.catalogue(), "what": "changed"}], got
    refused(client, "POST", f"/v1/tables/{appliance.table}/batches", 503, "software_mismatch",
            retry="after")
    assert "software_mismatch" in ready(appliance, False)
    deal(client, appliance.live, 0, 3)  # what is committed goes on
    tests = {one["test"]: one["result"] for one in bodies(appliance, "SELFTEST")}
    assert tests["software-changed:" + own.catalogue()] == "fail" and \
        tests["generator-software_mismatch"] == "fail", tests
    assert bodies(appliance, "ACCESS")[-1]["result"] == "refused"
    assert metrics(appliance)["talla_software_mismatch"] == 1
    assert f"path={own.catalogue()}" in appliance.log()
    done = appliance.talla("software", "check", own.manifest, "--signer", own.key)
    assert done.returncode == 1 and "changed" in done.stdout, done.stdout
    refused(appliance.client(OFFICER), "POST", "/v1/acts", 409, "cause_persists",
            {"act": "latch-reset"}, retry="after")


def put_right_it_stays_latched_until_two_persons_go_on(appliance):
    client = appliance.client()
    open(appliance.software.catalogue(), "wb").write(appliance.rules)
    assert challenge(appliance)["challenge"]["result"] == "good"
    refused(client, "POST", f"/v1/tables/{appliance.table}/batches", 503, "entropy_latched",
            retry="after")
    act = appliance.client(OFFICER).post("/v1/acts", {"act": "latch-reset"})["act"]["id"]
    appliance.client(INSPECTOR).post(f"/v1/acts/{act}/confirm")
    ready(appliance, True)
    new_batch(client, appliance.table)
    client.close()


def a_program_that_an_update_replaces_under_the_running_daemon_is_found(appliance):
    """The same bytes in another file: what runs is no longer what lies there."""
    program = f"{appliance.binaries}/rngd"
    with open(program, "rb") as source:
        content = source.read()
    with open(program + ".new", "wb") as out:
        out.write(content)
    os.chmod(program + ".new", 0o755)
    os.replace(program + ".new", program)
    got = challenge(appliance)["challenge"]
    assert {"path": os.path.realpath(program), "what": "replaced"} in got["findings"], \
        got["findings"]
    assert appliance.stop() == 0


if __name__ == "__main__":
    with Appliance(sys.argv[1]) as own:
        # Copies: the programs are replaced under the daemon.
        programs = f"{own.folder}/programs"
        os.makedirs(programs)
        for name in ("rngd", "rngd-source", "talla"):
            subprocess.run(["cp", f"{own.binaries}/{name}", programs], check=True)
        own.binaries = programs
        own.software = SignedSoftware(lambda *arguments: own.talla(*arguments, check=True).stdout,
                                      programs, own.folder)
        own.talla("keys", "client", own.folder, LAB, "--role", "lab", check=True)
        failed = hold([development_without_a_manifest_says_so_loudly,
                       production_without_a_manifest_does_not_start,
                       a_manifest_that_the_wrong_key_signed_does_not_start_anything,
                       a_file_that_is_not_as_signed_or_not_listed_does_not_start,
                       the_start_records_which_software_runs,
                       a_challenge_is_answered_over_every_file, the_command_checks_and_challenges,
                       one_changed_byte_of_a_catalogue_stops_new_commitments,
                       put_right_it_stays_latched_until_two_persons_go_on,
                       a_program_that_an_update_replaces_under_the_running_daemon_is_found], own)
        if failed:
            print(f"--- the daemon's log\n{own.log()[-4000:]}")
    sys.exit(1 if failed else 0)
