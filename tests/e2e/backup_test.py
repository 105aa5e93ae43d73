#!/usr/bin/env python3
# Goal: a backup made while draws go on is consistent and holds no secret; a machine that is lost
#   goes on as a new log from it, by two persons; a backup that is older than what an anchor or a
#   checkpoint knows is refused unless both have signed that; nothing that was open in it is dealt
#   or drawn again, and what was answered is answered again byte for byte (PROTOCOL sections 2, 4, 5
#   and 8).
# Method: a real appliance under load is copied twice and killed; a second one with other keys
#   follows it; every refusal is provoked; what the new log opens is compared with what the old one
#   revealed later and looked for in the bytes of the backup.
#   usage: backup_test.py FOLDER_OF_PROGRAMS
import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading

from calls import draw_body, signed
from appliance import Appliance, new_key
from facts import (SHOE, WHEEL, mix_shoe, deal, events, hold, new_batch, open_table,
                   refused)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OLD, NEW = "casino.example/old", "casino.example/new"


class Load:
    """Draws until it is told to stop; remembers each request with its reply."""

    def __init__(self, appliance):
        self.client, self.stop, self.done = appliance.client(), threading.Event(), []
        self.table = open_table(self.client, WHEEL)
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while not self.stop.is_set():
            batch = new_batch(self.client, self.table, 16)
            for index in range(16):
                body, key = draw_body(self.client, self.table, batch, index), new_key()
                status, text = self.client.send("POST", "/v1/draws", body, key=key)
                assert status == 200, text
                self.done.append((body, key, text))

    def end(self):
        self.stop.set()
        self.thread.join()


class World:
    """What the facts share: the old appliance with its two backups, and the new one."""

    def __init__(self, old, new):
        self.old, self.new = old, new
        self.early, self.late = f"{old.folder}/early", f"{old.folder}/late"

    def approve(self, who, backup, *flags, origin=NEW):
        out = f"{self.new.folder}/{who}.approval"
        self.new.talla("restore", "approve", backup, "--for", origin, "--out", out, *flags,
                       client=who, check=True)
        return ["--approval", out]

    def both(self, backup, *flags):
        return self.approve("officer", backup, *flags) + self.approve("inspector", backup, *flags)

    def run(self, backup, *more):
        return self.new.talla("restore", "run", backup, self.new.config, "--root",
                              f"{self.old.folder}/ca.pem", *more)

    def old_config(self):
        return ["--old", self.old.config]


def data_of(appliance):
    return os.path.exists(f"{appliance.folder}/data") and os.listdir(f"{appliance.folder}/data")


def a_backup_is_made_under_load_and_no_draw_waits_for_it(world):
    old, load = world.old, Load(world.old)
    client = old.client()
    world.table = open_table(client, {**SHOE, "place": "Mesa 7"})
    closed = open_table(client, {**SHOE, "place": "Mesa 8"})
    mix_shoe(client, closed)
    client.post(f"/v1/tables/{closed}/close")
    world.shoe = mix_shoe(client, world.table)["id"]
    deal(client, world.shoe, 0, 3)
    world.batch = new_batch(client, open_table(client, WHEEL), 8)
    for folder in (world.early, world.late):
        before = len(load.done)
        made = json.loads(old.talla("--json", "backup", "make", old.config, folder,
                                    check=True).stdout)
        assert made["origin"] == OLD and made["size"] > 0, made
        assert len(load.done) > before, "draws stood still"
        checked = old.talla("--json", "backup", "check", folder, "--root", f"{old.folder}/ca.pem",
                            check=True)
        assert json.loads(checked.stdout) == made
    load.end()
    world.load = load
    # Used after the backup: the new log must open the same secrets.
    world.later = deal(client, world.shoe, 3, 2)
    world.size = client.get("/v1/status")["size"]
    old.kill()


def a_backup_is_exported_and_each_line_verifies_by_itself(world):
    out = f"{world.old.folder}/records.jsonl"
    done = world.old.talla("--json", "log", "export", "--backup", world.late, "--table",
                           world.table, "--out", out, check=True)
    lines = open(out).read().splitlines()
    assert json.loads(done.stdout)["records"] == len(lines) > 0
    kinds = [json.loads(json.loads(line)["record"])["kind"] for line in lines]
    assert kinds[0] == "TABLE_OPEN" and "SHOE_COMMIT" in kinds and kinds.count("CARD_DEAL") == 3, \
        kinds
    for at in (0, len(lines) - 1):
        one = f"{world.old.folder}/one.json"
        open(one, "w").write(lines[at])
        code, words = world.old.verify(one, "--log-key", f"{world.late}/log-key.json")
        assert code == 3, words
    open(one, "w").write(lines[0].replace("TABLE_OPEN", "TABLE_0PEN"))
    assert world.old.verify(one, "--log-key", f"{world.late}/log-key.json")[0] == 1
    ranged = world.old.talla("--json", "log", "export", "--config", world.old.config, "--from", "3",
                             "--to", "9", "--out", out, check=True)
    assert json.loads(ranged.stdout)["records"] == 6


def a_backup_never_becomes_the_ledger_of_its_own_log(world):
    data, kept = f"{world.old.folder}/data", f"{world.old.folder}/data.kept"
    shutil.copytree(data, kept)
    for name in ("ledger.db-wal", "ledger.db-shm"):
        if os.path.exists(f"{data}/{name}"):
            os.remove(f"{data}/{name}")
    shutil.copy(f"{world.late}/ledger.db", f"{data}/ledger.db")
    said = world.old.start_refused()
    assert "ledger_foreign" in said and "read-only" in said, said
    shutil.rmtree(data)
    os.rename(kept, data)


def two_persons_of_the_right_roles_must_have_signed_for_this_backup(world):
    officer, inspector = world.approve("officer", world.late,
                                       "--older"), world.approve("inspector", world.late, "--older")
    for approvals in ([], officer, officer + officer):
        done = world.run(world.late, *approvals, *world.old_config(), "--older")
        assert done.returncode == 1 and "approval_refused" in done.stderr, done.stderr
    operator = world.approve("operator", world.late, "--older")
    done = world.run(world.late, *officer, *operator, *world.old_config(), "--older")
    assert done.returncode == 1 and "inspector" in done.stderr, done.stderr
    done = world.run(world.early, *officer, *inspector, *world.old_config(), "--older")
    assert done.returncode == 1 and "another backup" in done.stderr, done.stderr
    done = world.run(world.late, *officer, *inspector, *world.old_config())
    assert done.returncode == 1 and "other terms" in done.stderr, done.stderr
    assert not data_of(world.new), "a refusal changes nothing"


def an_older_backup_is_refused_without_their_agreement(world):
    done = world.run(world.late, *world.both(world.late), *world.old_config())
    assert done.returncode == 1 and "older_than_anchor" in done.stderr and \
        "--older" in done.stderr, done.stderr
    done = world.run(world.late, *world.both(world.late), "--lost", *world.old_config())
    assert done.returncode == 2 and "usage" in done.stderr, done.stderr
    assert not data_of(world.new)


def a_damaged_or_foreign_backup_is_refused(world):
    bad = f"{world.old.folder}/bad"
    shutil.copytree(world.late, bad)
    with open(f"{bad}/ledger.db", "r+b") as file:
        file.seek(os.path.getsize(f"{bad}/ledger.db") // 2)
        byte = file.read(1)
        file.seek(-1, 1)
        file.write(bytes([byte[0] ^ 1]))
    done = world.run(bad, *world.both(world.late, "--older"), *world.old_config(), "--older")
    assert done.returncode == 1 and "backup_refused" in done.stderr, done.stderr
    done = world.new.talla("restore", "run", world.late, world.new.config, "--root",
                           f"{world.new.folder}/ca.pem", "--older",
                           *world.both(world.late, "--older"), *world.old_config())
    assert done.returncode == 1, done.stdout
    done = world.run(world.late, *world.both(world.late, "--older"), "--old", world.new.config,
                     "--older")
    assert done.returncode == 1 and "other_history" in done.stderr, done.stderr
    assert not data_of(world.new)


def while_the_old_daemon_runs_nothing_is_restored(world):
    world.old.start()
    done = world.run(world.late, *world.both(world.late, "--older"), *world.old_config(), "--older")
    world.old.kill()
    assert done.returncode == 1 and "ledger_locked" in done.stderr, done.stderr
    assert not data_of(world.new)


def two_persons_take_the_older_backup_up_and_the_new_log_goes_on(world):
    done = world.run(world.late, *world.both(world.late, "--older"), *world.old_config(), "--older")
    assert done.returncode == 0, done.stderr
    world.new.start()
    client = world.new.client()
    new_batch(client, open_table(client, WHEEL))
    found = [json.loads(event["record"]) for event in events(world.new.client("talla:auditor-1"))]
    assert found[0]["kind"] == "KEY" and found[0]["origin"] == NEW and found[0]["seq"] == 0
    world.manifest = json.load(open(f"{world.late}/manifest.json"))
    assert base64.b64decode(
        found[0]["body"]["predecessor"]).decode() == world.manifest["checkpoint"]
    steps = [(one["body"]["what"], one["client"]["id"]) for one in found
             if one["kind"] == "ACCESS"][:2]
    assert steps == [("succession-older.asked", "talla:officer-1"),
                     ("succession-older.confirmed", "talla:inspector-1")], steps
    world.secrets = [one["body"] for one in found if one["body"].get("purpose") == "predecessor"]
    assert world.secrets and \
        all(one["result"] == "opened" and one["origin"] == OLD for one in world.secrets)
    receipt = world.new.client("talla:auditor-1").send("GET", "/v1/receipts/3")[1]
    path = f"{world.new.folder}/receipt.json"
    open(path, "wb").write(receipt)
    code, words = world.new.verify(path, "--log-key", f"{world.new.folder}/log-key.json")
    assert code == 3, words


def places_of_the_house_go_on_with_their_counts(world):
    """A table that was open there was broken off; the close of a mixed shoe was early."""
    client, left = world.new.client(), {"Mesa 7": (1, 0, 1), "Mesa 8": (1, 0, 1)}
    counted = lambda body: (body["turns"], body["voids"], body["early_closes"])  # noqa: E731
    for place, counts in left.items():
        table = open_table(client, {**SHOE, "place": place})
        mixed = mix_shoe(client, table)
        found = [json.loads(one["record"]) for one in events(world.new.client("talla:auditor-1"))]
        opening = next(one for one in found if one.get("object") == table)
        key = found[opening["cites"][0]]["body"]
        assert (key["purpose"], key["place"], key["origin"], key["opened"]) == \
            ("place", place, OLD, 1), key
        said = opening["body"]
        assert (said["opened"], said["predecessor"], said["place"]) == (2, OLD, place), said
        assert counted(said) == counted(key) == counts, (said, key)
        mix = next(one for one in found
                   if one["kind"] == "SHOE_MIX" and one["object"] == mixed["id"])
        verified(world, client, mix["seq"], place)
    refused(client, "POST", "/v1/tables", 409, "place_taken", {**SHOE, "place": "Mesa 7"})


def verified(world, client, seq, place):
    """By both verifiers, which name the log before; and so is an archive of the log."""
    path = f"{world.new.folder}/bundle.talla"
    open(path, "wb").write(client.send("GET", f"/v1/bundles/{seq}")[1])
    code, words = world.new.verify(path)
    line = f'place "{place}", opening 2: what came before there in the log {OLD}, and its counts'
    assert code == 3 and line in words, words
    second = subprocess.run([sys.executable, f"{ROOT}/tests/verify_bundle.py", path,
                             f"{world.new.folder}/ca.pem"], capture_output=True, text=True)
    assert second.returncode == 3 and line in second.stdout, second.stdout + second.stderr


def an_archive_of_the_new_log_shows_where_its_places_go_on_from(world):
    path, root = f"{world.new.folder}/new.archive", f"{world.new.folder}/ca.pem"
    world.new.talla("archive", "seal", "--config", world.new.config, path, check=True)
    own = world.new.talla("archive", "verify", path, "--root", root)
    assert own.returncode == 3, own.stdout + own.stderr
    second = subprocess.run([sys.executable, f"{ROOT}/tests/verify_archive.py", root, path],
                            capture_output=True, text=True)
    assert second.returncode == 3, second.stdout + second.stderr


def what_is_opened_is_what_the_old_log_committed_to_and_used_afterwards(world):
    sys.path.insert(0, f"{ROOT}/tests")
    domain = lambda name: b"talla/v2/" + name + b"\0"  # noqa: E731
    field = lambda data: len(data).to_bytes(4, "big") + data  # noqa: E731
    root = [one["root"] for one in world.secrets if one["object"] == world.shoe and
            "root" in one][0]
    lines = f"{world.old.folder}/all.jsonl"
    world.old.talla("log", "export", "--backup", world.late, "--out", lines, check=True)
    records = [json.loads(json.loads(line)["record"]) for line in open(lines)]
    commit = [one for one in records if one["kind"] == "SHOE_COMMIT" and
              one["object"] == world.shoe][0]["body"]
    import hmac
    made = hmac.new(bytes.fromhex(root["key"]),
                    domain(b"shoe-tape") + field(world.shoe.encode()) +
                    base64.b64decode(root["tape"]), hashlib.sha256).hexdigest()
    assert made == commit["tape_mac"]
    # The cards that the old appliance dealt after the backup open under the same K: salt_i =
    # HMAC(K, D("shoe-salt") || field(id) || u32 i).
    for card in [json.loads(one["record"])["body"] for one in world.later["receipts"]]:
        if "leaf" not in card:
            continue
        salt = hmac.new(bytes.fromhex(root["key"]),
                        domain(b"shoe-salt") + field(world.shoe.encode()) +
                        card["leaf"].to_bytes(4, "big"), hashlib.sha256).hexdigest()
        assert salt == card["salt"]
    close = [one["close"] for one in world.secrets if one["object"] == world.batch["id"] and
             "close" in one][0]
    assert close["first"] == 0 and len(close["secrets"]) == 8


def nothing_of_the_backup_told_them(world):
    needles = []
    for one in world.secrets:
        if "root" in one:
            needles += [bytes.fromhex(one["root"]["key"]),
                        base64.b64decode(one["root"]["tape"])[:16]]
        if "close" in one:
            needles += [bytes.fromhex(secret) for secret in one["close"]["secrets"]]
    assert len(needles) > 8
    for name in os.listdir(world.late):
        content = open(f"{world.late}/{name}", "rb").read()
        for needle in needles:
            for spelling in (needle[:12], needle.hex()[:24].encode(),
                             base64.b64encode(needle[:12])):
                assert spelling not in content, f"{name} tells a secret"


def what_the_old_log_answered_is_answered_again_byte_for_byte(world):
    client, size = world.new.client(), world.new.client().get("/v1/status")["size"]
    before = [one for one in world.load.done
              if json.loads(json.loads(one[2])["receipts"][-1]["record"])["seq"] <
              world.manifest["size"]]
    assert before
    for body, key, text in before[:3] + before[-3:]:
        assert client.send("POST", "/v1/draws", body, key=key) == (200, text)
        assert client.send("GET", f"/v1/requests/{key}") == (200, text)
        refused(client, "POST", "/v1/draws", 422, "key_reused", dict(body, nonce="00" * 16),
                key=key)
    assert client.get("/v1/status")["size"] == size, "nothing was drawn again"
    # Lost with the old machine: nothing is known of it, and nothing is drawn for it either.
    body, key, _ = world.load.done[-1]
    status, text = client.send("POST", "/v1/draws", signed(client, body["core"]), key=key)
    assert status in (404, 409), (status, text)


def the_old_appliance_never_starts_again(world):
    said = world.old.start_refused()
    assert "log_retired" in said and f"retired, followed by {NEW} as of record " in said, said
    checked = subprocess.run([f"{world.old.binaries}/rngd", "--check", "--config",
                              world.old.config], capture_output=True, text=True)
    assert checked.returncode == 1 and f"followed by {NEW}" in checked.stderr, checked
    # the note is for people: without it, or with another, the retired anchor says the same
    note = f"{world.old.folder}/data/retired.json"
    for content in (None, "{}", json.dumps({"followed_by": NEW, "origin": "casino.example/other",
                                            "size": 1, "v": 1}, separators=(",", ":"))):
        os.remove(note)
        if content is not None:
            with open(note, "w") as file:
                file.write(content)
        said = world.old.start_refused()
        assert "ledger_shorter" in said and "another log follows this one" in said, said
        open(note, "a").close()
    done = world.old.talla("anchor", "adopt", world.old.config)
    assert done.returncode == 1 and "ledger_shorter" in done.stderr, done.stderr


def a_restart_finds_the_predecessor_and_refuses_to_go_on_without_it(world):
    assert world.new.stop() == 0
    folder = f"{world.new.folder}/data/predecessor"
    os.rename(folder, folder + ".away")
    assert "predecessor_refused" in world.new.start_refused()
    shutil.copytree(world.early, folder)
    assert "predecessor_refused" in world.new.start_refused()
    shutil.rmtree(folder)
    os.rename(folder + ".away", folder)
    world.new.start()
    body, key, text = world.load.done[0]
    assert world.new.client().send("POST", "/v1/draws", body, key=key) == (200, text)
    assert "predecessor" in world.new.log()
    done = world.run(world.late, *world.both(world.late, "--older"), *world.old_config(), "--older")
    assert done.returncode == 1, "a log that goes on already takes up nothing"


FACTS = [a_backup_is_made_under_load_and_no_draw_waits_for_it,
         a_backup_is_exported_and_each_line_verifies_by_itself,
         a_backup_never_becomes_the_ledger_of_its_own_log,
         two_persons_of_the_right_roles_must_have_signed_for_this_backup,
         an_older_backup_is_refused_without_their_agreement, a_damaged_or_foreign_backup_is_refused,
         while_the_old_daemon_runs_nothing_is_restored,
         two_persons_take_the_older_backup_up_and_the_new_log_goes_on,
         places_of_the_house_go_on_with_their_counts,
         an_archive_of_the_new_log_shows_where_its_places_go_on_from,
         what_is_opened_is_what_the_old_log_committed_to_and_used_afterwards,
         nothing_of_the_backup_told_them, what_the_old_log_answered_is_answered_again_byte_for_byte,
         the_old_appliance_never_starts_again,
         a_restart_finds_the_predecessor_and_refuses_to_go_on_without_it]

if __name__ == "__main__":
    with Appliance(sys.argv[1], origin=OLD) as old, Appliance(sys.argv[1], origin=NEW) as new:
        old.start()
        failed = hold(FACTS, World(old, new))
        if failed:
            print(f"--- the daemons' logs\n{old.log()[-2000:]}\n{new.log()[-2000:]}")
    sys.exit(1 if failed else 0)
