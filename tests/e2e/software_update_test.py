#!/usr/bin/env python3
# Goal: the software of an appliance changes only when two persons have approved exactly the new
#   manifest while nothing was open; any other change latches (PROTOCOL section 8).
# Method: the real programs under manifests made here, which list a unit file that changes; asked
#   and confirmed with the command.
#   usage: software_update_test.py FOLDER_OF_PROGRAMS
import hashlib
import json
import sys

from facts import SHOE, WHEEL, mix_shoe, deal, events, hold, new_batch, open_table, ready, refused
from appliance import Appliance
from signed_software import SignedSoftware

OFFICER, INSPECTOR, AUDITOR = "talla:officer-1", "talla:inspector-1", "talla:auditor-1"


class Version:
    """One content of the unit file, with the manifest that its maker signed over it."""

    def __init__(self, own, unit, content):
        self.own, self.unit, self.content = own, unit, content
        self.write(unit, content)
        self.digest = hashlib.sha256(own.make("--unit", unit)).hexdigest()
        with open(own.manifest, "rb") as file:
            self.signed = file.read()
        self.file = f"{own.folder}/{self.digest[:8]}.manifest"
        self.write(self.file, self.signed)

    @staticmethod
    def write(path, content):
        with open(path, "wb") as file:
            file.write(content)

    def install(self):
        self.write(self.unit, self.content)
        self.write(self.own.manifest, self.signed)


def records(appliance, kind):
    return [json.loads(event["record"]) for event in events(appliance.client(AUDITOR))
            if event["kind"] == kind]


def ask(appliance, version):
    return appliance.talla("--json", "act", "ask", "software-update", "--file", version.file,
                           client="officer")


def approve(appliance, version):
    """The seq of the ACCESS that approves it."""
    asked = ask(appliance, version)
    assert asked.returncode == 0, asked.stderr
    act = json.loads(asked.stdout.splitlines()[0])
    assert act["digest"] == version.digest, act
    appliance.talla("act", "confirm", act["id"], "--file", version.file, client="inspector",
                    check=True)
    access = [record for record in records(appliance, "ACCESS")
              if record["body"]["what"] == "software-update.confirmed"][-1]
    assert access["body"]["digest"] == version.digest, access
    return access["seq"]


def reset(appliance):
    act = appliance.client(OFFICER).post("/v1/acts", {"act": "latch-reset"})["act"]["id"]
    appliance.client(INSPECTOR).post(f"/v1/acts/{act}/confirm")
    ready(appliance, True)


def held(appliance, version, what):
    """This start did not take the manifest: 503, and the log says what runs and why it does not
    count."""
    status, text = appliance.health("/readyz")
    assert status == 503 and "software_mismatch" in json.loads(text)["reasons"], text
    client = appliance.client()
    refused(client, "POST", f"/v1/tables/{open_table(client, WHEEL)}/batches", 503,
            "software_mismatch", retry="after")
    software = records(appliance, "SOFTWARE")[-1]
    assert software["body"]["manifest"] == version.digest and not software.get("cites"), software
    tests = {record["body"]["test"]: record["body"]["result"]
             for record in records(appliance, "SELFTEST")}
    assert tests[f"software-{what}:{version.digest}"] == "fail" and \
        tests["generator-software_mismatch"] == "fail", tests
    shown = appliance.client(AUDITOR).get("/v1/status")["software"]
    assert shown["state"] == "mismatch" and \
        {"path": version.digest, "what": what} in shown["findings"], shown
    refused(appliance.client(OFFICER), "POST", "/v1/acts", 409, "cause_persists",
            {"act": "latch-reset"}, retry="after")
    return shown


def the_first_manifest_needs_nobody(appliance):
    one, _, _ = appliance.versions
    one.install()
    appliance.start()
    software = records(appliance, "SOFTWARE")[-1]
    assert software["body"]["manifest"] == one.digest and not software.get("cites"), software


def nobody_approves_an_update_while_a_shoe_is_open(appliance):
    _, two, _ = appliance.versions
    client = appliance.client()
    shoe = mix_shoe(client, open_table(client, SHOE))["id"]
    done = ask(appliance, two)
    assert done.returncode == 1 and "not_at_rest" in done.stdout + done.stderr and \
        shoe in done.stdout + done.stderr, done
    client.post(f"/v1/shoes/{shoe}/close")
    appliance.approved = approve(appliance, two)


def the_next_start_takes_what_two_persons_approved_and_its_record_cites_them(appliance):
    _, two, _ = appliance.versions
    assert appliance.stop() == 0
    two.install()
    appliance.start()
    software = records(appliance, "SOFTWARE")[-1]
    assert software["body"]["manifest"] == two.digest and \
        software["cites"] == [appliance.approved], software
    client = appliance.client()
    new_batch(client, open_table(client, WHEEL))
    assert appliance.client(OFFICER).get("/v1/acts")["approvals"] == []


def what_nobody_approved_latches(appliance):
    _, two, three = appliance.versions
    assert appliance.stop() == 0
    three.install()
    appliance.start(page="/livez")
    assert held(appliance, three, "not-approved")["approved"] == two.digest
    said = appliance.talla("status", check=True).stdout
    assert "NOT APPROVED" in said and f"{three.digest}: not-approved" in said and \
        two.digest in said, said
    assert "talla_software_not_approved 1" in appliance.health("/metrics")[1]


def with_the_old_software_back_two_persons_reset(appliance):
    _, two, _ = appliance.versions
    appliance.kill()
    two.install()
    appliance.start(page="/livez")
    client = appliance.client()
    refused(client, "POST", f"/v1/tables/{open_table(client, WHEEL)}/batches", 503,
            "entropy_latched", retry="after")
    reset(appliance)
    new_batch(client, open_table(client, WHEEL))


def a_shoe_opened_behind_the_approval_is_played_out_before_the_update_counts(appliance):
    _, _, three = appliance.versions
    seq = approve(appliance, three)
    client = appliance.client()
    shoe = mix_shoe(client, open_table(client, SHOE))["id"]
    assert appliance.stop() == 0
    three.install()
    appliance.start(page="/livez")
    held(appliance, three, "not-at-rest")
    client = appliance.client()
    deal(client, shoe, 0, 3)
    client.post(f"/v1/shoes/{shoe}/close")
    assert appliance.stop() == 0
    appliance.start(page="/livez")
    assert records(appliance, "SOFTWARE")[-1]["cites"] == [seq]
    reset(appliance)


if __name__ == "__main__":
    with Appliance(sys.argv[1]) as one:
        own = SignedSoftware(lambda *arguments: one.talla(*arguments, check=True).stdout,
                             one.binaries, one.folder)
        unit = f"{own.folder}/rngd.service"
        one.versions = [Version(own, unit, b"# as delivered\n"),
                        Version(own, unit, b"# of an update\n"),
                        Version(own, unit, b"# of nobody\n")]
        with open(one.config, "a") as config:
            config.write(own.section())
        failed = hold([the_first_manifest_needs_nobody,
                       nobody_approves_an_update_while_a_shoe_is_open,
                       the_next_start_takes_what_two_persons_approved_and_its_record_cites_them,
                       what_nobody_approved_latches, with_the_old_software_back_two_persons_reset,
                       a_shoe_opened_behind_the_approval_is_played_out_before_the_update_counts],
                      one)
        if failed:
            print(f"--- the daemon's log\n{one.log()[-4000:]}")
    sys.exit(1 if failed else 0)
