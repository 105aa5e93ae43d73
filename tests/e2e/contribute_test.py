#!/usr/bin/env python3
# Goal: a partner's program (talla contribute) puts its number into every draw and every shoe of
#   another appliance's tables, through kills of its own, of the table's client and of the daemon;
#   nobody waits for it longer than the table says, and evidence shows whether its number is in. A
#   shoe of a table, three phones and a partner verifies from its file in all three verifiers.
# Method: the real daemon, the C client as table, the program as contributor; the log as an auditor
#   reads it, and claims through the offline verifiers with the partner's key.
#   usage: contribute_test.py FOLDER_OF_PROGRAMS
import json
import os
import shutil
import subprocess
import sys
import time

from appliance import Appliance, record_of
from calls import mix_core, signed
from client_seat import players
from contributor import others_of
from contributors_test import end_of, seated, verified, with_public
from facts import SHOE, events, hold

DRAWS, ROUNDS = 40, 3
PARTNER = "talla:partner-1"
VERIFIED = 3  # development keys


def own_folder(appliance, name, role):
    """A folder with client.toml of a client with files of its own."""
    appliance.talla("keys", "client", appliance.folder, f"talla:{name}", "--role", role, check=True)
    folder = f"{appliance.folder}/{name}"
    os.mkdir(folder)
    with open(f"{appliance.folder}/client/client.toml") as file:
        lines = [line for line in file if line.split(" =")[0] not in ("certificate", "key")]
    with open(f"{folder}/client.toml", "w") as file:
        file.write("".join(lines) + f'certificate = "../clients/talla:{name}.pem"\n'
                   f'key = "../clients/talla:{name}.key"\n')
    return folder


class Partner:
    """talla contribute, killed and started again as often as a test likes."""

    def __init__(self, appliance):
        self.appliance, self.process, self.more = appliance, None, ()
        self.folder = own_folder(appliance, "partner-1", "contributor")
        self.state = f"{appliance.folder}/partner-state"
        self.said = f"{appliance.folder}/partner.out"

    def start(self):
        self.process = subprocess.Popen(
            [f"{self.appliance.binaries}/talla", "--json", "--client", self.folder, "contribute",
             "--state", self.state, *self.more],
            stdout=open(self.said, "ab"), stderr=subprocess.STDOUT)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        assert self.process.wait(timeout=30) == 0

    def events(self):
        return [json.loads(line) for line in open(self.said, "rb") if line.startswith(b"{")]

    def key(self):
        """SHA-256 of its SubjectPublicKeyInfo, hex."""
        der = subprocess.run(["openssl", "x509", "-in",
                              f"{self.appliance.folder}/clients/{PARTNER}.pem", "-pubkey",
                              "-noout"], capture_output=True, check=True).stdout
        spki = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "DER"], input=der,
                              capture_output=True, check=True).stdout
        return subprocess.run(["openssl", "dgst", "-sha256", "-r"], input=spki,
                              capture_output=True, check=True).stdout.split()[0].decode()


class Croupier:
    """The table: the C client, or another of its clients (client_seat.py)."""

    def __init__(self, appliance, client):
        self.appliance, self.command = appliance, players(appliance.binaries)[client]
        self.folder = own_folder(appliance, "croupier-1", "table")
        self.books = f"{self.folder}/books"

    def start(self):
        return subprocess.Popen(
            [*self.command, self.folder, f"{self.folder}/journal", self.books, str(DRAWS),
             str(ROUNDS), "contributors"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def lines(self):
        return open(self.books, "rb").read().count(b"\n") if os.path.exists(self.books) else 0


def log_of(appliance):
    """The records by number, as an auditor reads them."""
    auditor = appliance.client("talla:auditor-1")
    records = [event["record"] if isinstance(event["record"], dict) else json.loads(event["record"])
               for event in events(auditor)]
    return {record["seq"]: record for record in records}


def wait_until(true, what, seconds=120):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def reach(croupier, player, count):
    def there():
        assert player.poll() is None or croupier.lines() >= count, player.communicate()[0]
        return croupier.lines() >= count
    wait_until(there, f"the books have {croupier.lines()} lines of {count}")


def everybody_comes_back_from_a_kill_and_the_table_plays_on(appliance):
    """The contributor is killed, then the client, then the daemon; the contributor stays away for
    some calls, which go on without it."""
    partner, croupier = State["partner"], State["croupier"]
    partner.start()
    wait_until(lambda: any(e["event"] == "contributes" for e in partner.events()), "no start")
    player = croupier.start()
    reach(croupier, player, 12)
    partner.kill()
    partner.start()
    reach(croupier, player, 18)
    player.kill()
    player.communicate()
    player = croupier.start()
    reach(croupier, player, 24)
    appliance.kill()
    appliance.start()
    reach(croupier, player, 30)
    partner.kill()
    reach(croupier, player, 36)
    partner.start()
    words = player.communicate(timeout=300)[0]
    assert player.returncode == 0, f"exit {player.returncode}: {words}"
    partner.stop()
    State["log"] = log_of(appliance)


def its_number_is_in_every_result_that_names_it(appliance):
    log, partner = State["log"], State["partner"]
    cores = {seq: record["body"]["core"] for seq, record in log.items() if record["kind"] == "CALL"}
    named = {seq for seq, core in cores.items()
             if [one["id"] for one in core["others"]] == [PARTNER]}
    results = {record["body"]["call"]: record for record in log.values()
               if record["kind"] in ("DRAW", "SHOE_MIX", "VOID")}
    assert set(results) == set(cores), "a call without its end"
    opened = {seq for seq in named if results[seq]["kind"] != "VOID"}
    withheld = named - opened
    # How many depends on how fast the table plays while it is away.
    assert len(opened) >= 3, f"{len(opened)} of {len(cores)} calls with its number"
    assert any(cores[seq]["use"] == "mix" for seq in opened), "no shoe with its number"
    for seq in opened:
        assert len(results[seq]["body"]["openings"]) == 1, results[seq]
    for seq in withheld:
        assert results[seq]["body"]["missing"] == [PARTNER], results[seq]
    assert withheld, "it was away, and no call waited for it"
    for table in {core["table"] for core in cores.values()}:
        counts = [cores[seq]["others"][0]["t"] for seq in sorted(named)
                  if cores[seq]["table"] == table]
        assert counts == list(range(1, len(counts) + 1)), counts
    said = [event for event in partner.events() if event["event"] in ("left", "refused")]
    assert not said, said
    State["opened"], State["cores"], State["results"] = opened, cores, results


def evidence_shows_whether_the_number_is_in(appliance):
    """`talla verify --mine` passes exactly where the number is in what the claim rests on."""
    auditor = appliance.client("talla:auditor-1")
    root, mine = f"{appliance.folder}/ca.pem", State["partner"].key()

    def verdict(seq):
        path = f"{appliance.folder}/claim-{seq}.talla"
        with open(path, "wb") as file:
            file.write(auditor.send("GET", f"/v1/bundles/{seq}")[1])
        plain = appliance.talla("verify", path, "--root", root)
        assert plain.returncode == VERIFIED, plain.stdout + plain.stderr
        return appliance.talla("verify", path, "--root", root, "--mine", mine)
    draws = {seq: State["results"][seq] for seq, core in State["cores"].items()
             if core["use"] == "draw" and State["results"][seq]["kind"] == "DRAW"}
    inside = [seq for seq in draws if seq in State["opened"]]
    outside = [seq for seq in draws if seq not in State["opened"]]
    for call in (inside[0], inside[len(inside) // 2], inside[-1]):
        seen = verdict(draws[call]["seq"])
        assert seen.returncode == VERIFIED and PARTNER in seen.stdout, seen.stdout + seen.stderr
    for call in outside[:2]:
        seen = verdict(draws[call]["seq"])
        assert seen.returncode == 1 and "not_mine" in seen.stdout + seen.stderr, seen.stdout


def a_shoe_of_a_table_three_phones_and_a_partner_verifies_in_all_three(appliance):
    partner = State["partner"]
    partner.start()
    client, table, players = seated(appliance, SHOE)
    wait_until(lambda: len(others_of(client, table)) == 4, "the partner hands in nothing")
    shoe = client.post(f"/v1/tables/{table}/shoes")["shoe"]["id"]
    core = mix_core(client, shoe) | {"others": others_of(client, table)}
    call = client.post(f"/v1/shoes/{shoe}/mix", signed(client, core))["call"]["seq"]
    for player in players:
        player.open(call)
    kind, seq = end_of(client, call)
    assert kind == "shoe_mix", kind
    partner.stop()
    dealt = client.post(f"/v1/shoes/{shoe}/deal",
                        {"expected": 0, "until": 2, "place": "hand", "face": "open"})
    for claim in (seq, record_of(dealt, "CARD_DEAL")["seq"]):
        words = verified(appliance, client, claim, players)
        assert all(one in words for one in (PARTNER, "seat-1", "seat-2", "seat-3")), words
        assert appliance.verify(f"{appliance.folder}/{claim}.talla", "--mine",
                                partner.key())[0] == VERIFIED


def numbers_that_its_file_does_not_know_are_never_opened(appliance):
    """What is lost needs a new key: it is said once, and the table is left."""
    partner = State["partner"]
    shutil.rmtree(partner.state)
    before = len(partner.events())
    partner.start()
    wait_until(lambda: [one for one in partner.events()[before:] if one["event"] == "left"],
               "nothing is said of the lost file")
    time.sleep(1)
    partner.stop()
    said = [one for one in partner.events()[before:] if one["event"] != "contributes"]
    assert [one["event"] for one in said] == ["left"] and "new key" in said[0]["why"], said


State = {}

PLAYED = [everybody_comes_back_from_a_kill_and_the_table_plays_on,
          its_number_is_in_every_result_that_names_it, evidence_shows_whether_the_number_is_in]
MORE = [a_shoe_of_a_table_three_phones_and_a_partner_verifies_in_all_three,
        numbers_that_its_file_does_not_know_are_never_opened]


def main():
    failed = 0
    for client, facts in (("c", PLAYED + MORE), ("node", PLAYED)):
        with Appliance(sys.argv[1], edit_config=with_public) as real:
            State["partner"], State["croupier"] = Partner(real), Croupier(real, client)
            real.start()
            failed += hold(facts, real)
            if failed:
                print(open(State["partner"].said).read()[-4000:])
                print(f"--- the daemon's log\n{real.log()[-4000:]}")
    return failed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
