#!/usr/bin/env python3
# Goal: the log's key is rotated by two persons, announced in the log by the old key (PROTOCOL
#   sections 1 and 8): nothing given before changes by a byte, both verifiers follow the chain of
#   keys, and the old key can go.
# Method: a real appliance, real certificates, both verifiers, both reference clients, a witness,
#   kills.
#   usage: rotation_test.py FOLDER_OF_PROGRAMS
import http.client
import json
import os
import random
import re
import subprocess
import sys
import threading
import time

from facts import SHOE, WHEEL, mix_shoe, deal, events, hold, new_batch, open_table, refused, seq_of
from appliance import Appliance, new_key, seed_of_this_run
from witness_test import Witness
from verifier import here

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
OFFICER, INSPECTOR = "talla:officer-1", "talla:inspector-1"
ROTATE = {"act": "log-key-rotate"}
kept = {}


def with_next_key(text):
    return text.replace('sealing_key = "sealing.key"\n',
                        'sealing_key = "sealing.key"\nnext_log_key = "next.key"\n'
                        'next_log_statement = "next.json"\n')


def make_next(appliance, present, key, out):
    """The digest of the act by which two persons know the new key."""
    folder = appliance.folder
    done = appliance.talla("keys", "next-log", f"{folder}/{present}", "--certificate",
                           f"{folder}/log-certificate.pem", "--certificate-key",
                           f"{folder}/log-certificate.key", "--key", f"{folder}/{key}", "--out",
                           f"{folder}/{out}", check=True)
    return re.search("[0-9a-f]{64}", done.stdout).group()


def configured(appliance, now, following=None):
    """keys.log_key and its statement, and those of the next one where there is one."""
    text = re.sub(r'next_log_key = .*\nnext_log_statement = .*\n', "",
                  open(appliance.config).read())
    text = re.sub(r'\nlog_key = .*\nlog_statement = .*\n',
                  f'\nlog_key = "{now[0]}"\nlog_statement = "{now[1]}"\n', text)
    if following:
        text = text.replace('\nsealing_key',
                            f'\nnext_log_key = "{following[0]}"\n'
                            f'next_log_statement = "{following[1]}"\nsealing_key')
    open(appliance.config, "w").write(text)


def second_verifier(appliance, path, *options):
    done = here.bundle(path, f"{appliance.folder}/ca.pem", *options)
    return done.returncode, done.stdout + done.stderr


def both_verify(appliance, bundle, name, keys):
    path = f"{appliance.folder}/{name}.talla"
    with open(path, "wb") as out:
        out.write(bundle)
    code, words = appliance.verify(path)
    assert code == 3, words
    second, said_too = second_verifier(appliance, path)
    assert second == 3, said_too
    for said in (words, said_too) if keys else ():
        assert (f"{keys} keys of the log" in said) == (keys > 1), said
    return path


def bundle_of(client, seq):
    status, bundle = client.send("GET", f"/v1/bundles/{seq}")
    assert status == 200, bundle
    return bundle


def players(appliance, draws):
    """Both reference clients, which know the first key alone; their tables stay open over the
    rotation."""
    c_table = f"{appliance.binaries}/client_table"
    for name, program in (("python", [sys.executable, f"{HERE}/client_player.py"]),
                          ("c", [c_table])):
        if name == "c" and not os.path.exists(c_table):
            continue
        books = [f"{appliance.folder}/{name}.{what}" for what in ("journal", "books")]
        done = subprocess.run([*program, f"{appliance.folder}/client", *books, str(draws), "0"],
                              capture_output=True, text=True, timeout=120,
                              env=appliance.environment)
        assert done.returncode == 0, f"{name}: {done.returncode} {done.stdout}{done.stderr}"


def play(appliance, name, keys):
    client = appliance.client()
    table = open_table(client, SHOE)
    shoe = mix_shoe(client, table)["id"]
    deal(client, shoe, 0, 3)
    key = new_key()
    status, reply = client.send("POST", f"/v1/shoes/{shoe}/close", {}, key)
    assert status == 200, reply
    kept[name] = (f"/v1/shoes/{shoe}/close", key, reply)
    client.post(f"/v1/tables/{table}/close")
    seq = seq_of(json.loads(reply), "SHOE_CLOSE")
    both_verify(appliance, bundle_of(client, seq), name, keys)
    return seq


def the_same_bytes(appliance):
    for name, (path, key, reply) in kept.items():
        assert appliance.client().send("POST", path, {}, key) == (200, reply), name


def one_person_or_a_key_that_does_not_follow_changes_nothing(appliance):
    appliance.before_seq = play(appliance, "before", 1)
    players(appliance, 1)
    problem = refused(appliance.client(OFFICER), "POST", "/v1/acts", 409, "wrong_state", ROTATE)
    assert "key_file_missing" in problem["detail"], problem
    appliance.digest = make_next(appliance, "log-key.json", "next.key", "next.json")
    act = appliance.client(OFFICER).post("/v1/acts", ROTATE)["act"]["id"]
    refused(appliance.client(OFFICER), "POST", f"/v1/acts/{act}/confirm", 403, "same_person")
    assert appliance.client().get("/v1/log-keys").get("key_changes") is None
    appliance.client(INSPECTOR).post(f"/v1/acts/{act}/withdraw")


def two_persons_rotate_the_key_and_the_log_says_so_under_the_old_one(appliance):
    asked = appliance.talla("--json", "act", "ask", "log-key-rotate", client="officer", check=True)
    act = json.loads(asked.stdout.splitlines()[0])["id"]
    wrong = appliance.talla("act", "confirm", act, "--digest", "0" * 64, client="inspector")
    assert wrong.returncode == 1 and "something else" in wrong.stderr, wrong.stderr
    done = appliance.talla("act", "confirm", act, "--digest", appliance.digest, client="inspector",
                           check=True)
    assert "done" in done.stdout, done.stdout
    found = [json.loads(event["record"]) for event in events(appliance.client("talla:auditor-1"))]
    announced = [record for record in found if record["kind"] == "KEY" and
                 record["body"]["purpose"] == "log"]
    assert len(announced) == 2 and int(act.split("-")[1]) in announced[1]["cites"], announced
    keys = appliance.client().get("/v1/log-keys")
    change = keys["key_changes"][0]
    assert json.loads(change["record"]) == announced[1]
    assert int(change["checkpoint"].split("\n")[1]) == announced[1]["seq"] + 1
    old = json.loads(open(f"{appliance.folder}/log-key.json").read())
    assert change["log_key"] == old and \
        keys["log_key"] == json.loads(open(f"{appliance.folder}/next.json").read())


def what_was_given_before_stays_and_what_comes_is_signed_by_the_new_key(appliance):
    the_same_bytes(appliance)
    both_verify(appliance, bundle_of(appliance.client(), appliance.before_seq), "old-claim", 2)
    play(appliance, "after", 2)
    players(appliance, 2)
    shoe = appliance.talla("shoe", "--deal", "3")
    # the client knows the old statement and follows
    assert shoe.returncode in (0, 3), shoe.stdout + shoe.stderr


def a_broken_chain_of_keys_is_refused_by_both(appliance):
    text = open(f"{appliance.folder}/after.talla").read()
    bundle = json.loads(text)
    without = {name: value for name, value in bundle.items() if name != "key_changes"}
    other = json.loads(text)
    other["key_changes"][0]["consistency"][0] = "A" * 43 + "="
    for changed in (without, other):
        path = f"{appliance.folder}/broken.talla"
        with open(path, "w") as out:
            out.write(json.dumps(changed, sort_keys=True, separators=(",", ":"),
                                 ensure_ascii=False))
        assert appliance.verify(path)[0] == 1
        code, words = second_verifier(appliance, path)
        assert code == 1 and "invalid" in words, words


def receipts_and_bundles_verify_from_either_key(appliance):
    folder = appliance.folder
    appliance.talla("log", "keys", "--out", f"{folder}/log-keys.json", client="operator",
                    check=True)
    make_next(appliance, "log-key.json", "unannounced.key", "unannounced.json")
    for name in ("before", "after"):
        receipt = json.loads(kept[name][2])["receipts"][-1]
        path = f"{folder}/{name}.receipt"
        with open(path, "w") as out:
            out.write(json.dumps(receipt, sort_keys=True, separators=(",", ":"),
                                 ensure_ascii=False))
        for known, code in (("log-key.json", 3), ("next.json", 3), ("unannounced.json", 1)):
            options = ["--log-key", f"{folder}/log-keys.json", "--known-key", f"{folder}/{known}"]
            got, words = appliance.verify(path, *options)
            assert got == code, words
            got, words = second_verifier(appliance, path, *options)
            assert got == code, words
    for known, code in (("log-key.json", 3), ("next.json", 3), ("unannounced.json", 1)):
        bundle = f"{folder}/after.talla"
        got, words = appliance.verify(bundle, "--known-key", f"{folder}/{known}")
        assert got == code and (code == 3 or "none of the log's keys" in words), words
        got, words = second_verifier(appliance, bundle, "--known-key", f"{folder}/{known}")
        assert got == code, words
    # The old statement alone is enough for what it signed, and for nothing after it.
    for verify in (appliance.verify, lambda *more: second_verifier(appliance, *more)):
        assert verify(f"{folder}/before.receipt", "--log-key", f"{folder}/log-key.json")[0] == 3
        assert verify(f"{folder}/after.receipt", "--log-key", f"{folder}/log-key.json")[0] == 1
        assert verify(f"{folder}/after.receipt", "--log-key", f"{folder}/next.json")[0] == 1


def the_end_of_the_old_key_changes_nothing(appliance):
    appliance.kill()
    appliance.start()
    the_same_bytes(appliance)
    appliance.stop()
    os.rename(f"{appliance.folder}/log.key", f"{appliance.folder}/old.key")
    configured(appliance, ("old.key", "log-key.json"))
    assert "wrong_log_key" in appliance.start_refused()
    os.remove(f"{appliance.folder}/old.key")
    configured(appliance, ("next.key", "next.json"))
    appliance.start()
    the_same_bytes(appliance)
    play(appliance, "later", 2)
    assert new_batch(appliance.client(), open_table(appliance.client(), WHEEL))["count"] == 4
    backup = f"{appliance.folder}/backup"
    appliance.talla("backup", "make", appliance.config, backup, check=True)
    checked = appliance.talla("backup", "check", backup, "--root", f"{appliance.folder}/ca.pem",
                              check=True)
    assert "checked: log key of" in checked.stdout, checked.stdout


def a_key_that_nobody_announced_signs_nothing(appliance):
    appliance.stop()
    make_next(appliance, "next.json", "stranger.key", "stranger.json")
    configured(appliance, ("stranger.key", "stranger.json"))
    assert "wrong_log_key" in appliance.start_refused()
    configured(appliance, ("next.key", "next.json"))
    appliance.start()
    the_same_bytes(appliance)


def a_kill_at_any_moment_leaves_one_key_or_the_other(appliance):
    """Rotation after rotation, each with a kill somewhere behind its confirmation."""
    now, chance = ("next.key", "next.json"), random.Random(seed_of_this_run())
    for number in range(4):
        following = (f"k{number}.key", f"k{number}.json")
        make_next(appliance, now[1], *following)
        appliance.stop()
        configured(appliance, now, following)
        appliance.start()
        act = appliance.client(OFFICER).post("/v1/acts", ROTATE)["act"]["id"]
        inspector = appliance.client(INSPECTOR)
        sender = threading.Thread(target=lambda: try_confirm(inspector, act))
        sender.start()
        time.sleep(chance.random() * 0.02)
        appliance.kill()
        sender.join()
        appliance.start()
        the_same_bytes(appliance)
        if appliance.client(INSPECTOR).get(f"/v1/acts/{act}")["act"]["state"] == "asked":
            appliance.client(INSPECTOR).post(f"/v1/acts/{act}/confirm")
        end = time.monotonic() + 20
        while appliance.client(INSPECTOR).get(f"/v1/acts/{act}")["act"]["state"] != "done":
            assert time.monotonic() < end, appliance.client(INSPECTOR).get(f"/v1/acts/{act}")
            time.sleep(0.02)
        assert len(appliance.client().get("/v1/log-keys")["key_changes"]) == number + 2
        now = following
        play(appliance, f"kill-{number}", number + 3)
    appliance.stop()
    configured(appliance, now)
    appliance.start()
    the_same_bytes(appliance)


def try_confirm(client, act):
    try:
        client.send("POST", f"/v1/acts/{act}/confirm", {}, new_key())
    except (OSError, http.client.HTTPException):
        pass


def witnesses_follow_when_they_know_both_keys(appliance):
    """Last: from here on the log is witnessed."""
    text = open(appliance.config).read()
    now = re.search(r'\nlog_key = "(.*)"\nlog_statement = "(.*)"', text).groups()
    make_next(appliance, now[1], "w.key", "w.json")
    key = {name: appliance.talla("log", "key", f"{appliance.folder}/{name}",
                                 check=True).stdout.strip() for name in (now[1], "w.json")}
    witness = Witness(appliance.binaries, "inspector.example/w1", key[now[1]])
    try:
        witness.start()
        appliance.stop()
        configured(appliance, now, ("w.key", "w.json"))
        with open(appliance.config, "a") as out:
            out.write(
                '\n[anchor]\nkind = "witness"\ninterval_seconds = 1\nwitness_seconds = 1\n'
                'witness_timeout_seconds = 3\n'
                f'\n[[witness]]\nkey = "{witness.key}"\nurl = "{witness.url}"\n')
        appliance.start()
        seq = play(appliance, "witnessed", None)
        policy = f"{appliance.folder}/policy"
        with open(policy, "w") as out:
            out.write(
                f"log {key[now[1]]}\nlog {key['w.json']}\nwitness W {witness.key}\nquorum W\n")
        cosigned(appliance, seq, policy, 0)
        # A witness that is told of the new key cosigns under it; before, it does not.
        act = appliance.client(OFFICER).post("/v1/acts", ROTATE)["act"]["id"]
        appliance.talla("act", "confirm", act, client="inspector", check=True)
        seq = play(appliance, "unknown", None)
        witness.kill()
        with open(witness.config, "a") as out:
            out.write(f'\n[[log]]\nkey = "{key["w.json"]}"\n')
        witness.start()
        cosigned(appliance, seq, policy, 30)
        appliance.kill()
        appliance.start()
        cosigned(appliance, play(appliance, "again", None), policy, 30)
    finally:
        witness.remove()


def cosigned(appliance, seq, policy, seconds):
    """The bundle of that record verifies under the policy by both verifiers, soon."""
    end = time.monotonic() + max(seconds, 10)
    while True:
        path = f"{appliance.folder}/witnessed.talla"
        with open(path, "wb") as out:
            out.write(bundle_of(appliance.client(), seq))
        code, words = appliance.verify(path, "--policy", policy)
        if code == 3:
            break
        assert time.monotonic() < end, words
        time.sleep(0.2)
    code, words = second_verifier(appliance, path, policy)
    assert code == 3, words


if __name__ == "__main__":
    with Appliance(sys.argv[1], edit_config=with_next_key) as own:
        own.start()
        failed = hold([one_person_or_a_key_that_does_not_follow_changes_nothing,
                       two_persons_rotate_the_key_and_the_log_says_so_under_the_old_one,
                       what_was_given_before_stays_and_what_comes_is_signed_by_the_new_key,
                       a_broken_chain_of_keys_is_refused_by_both,
                       receipts_and_bundles_verify_from_either_key,
                       the_end_of_the_old_key_changes_nothing,
                       a_key_that_nobody_announced_signs_nothing,
                       a_kill_at_any_moment_leaves_one_key_or_the_other,
                       witnesses_follow_when_they_know_both_keys], own)
        if failed:
            print(own.log()[-4000:])
    sys.exit(1 if failed else 0)
