#!/usr/bin/env python3
# Goal: when a log key is stolen the root ends the log: true evidence is made again at its end and
#   verifies, what the thief signs is refused by every verifier and client, the appliance is
#   read-only, and the log that the root names goes on (certs/FORMAT.md section 5, "End of a log").
# Method: a real appliance draws; the test takes its log key and signs other histories, and the
#   stolen machine itself draws on; the statement is made at a ceremony; then each program is given
#   it.
#   usage: log_end_test.py FOLDER_OF_PROGRAMS
import base64
import ctypes
import json
import os
import re
import shutil
import subprocess
import sys

from calls import draw_body  # noqa: E402
from appliance import Appliance, new_key
from facts import (SHOE, WHEEL, mix_shoe, deal, events, hold, new_batch, open_table,
                   refused, seq_of)

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [f"{ROOT}/tests", f"{ROOT}/rngd/sdk/client/python"]
from talla_client import Table  # noqa: E402
from talla_log import NotBelieved  # noqa: E402
from verifier import here  # noqa: E402
from verifier.text import D, H, canonical  # noqa: E402
from verifier.tree import leaf_hash, root_of  # noqa: E402

OLD, NEW = "casino.example/old", "casino.example/new"
FORGED = b"a history that was never played"


def write(path, content):
    with open(path, "wb") as out:
        out.write(content if isinstance(content, bytes) else content.encode())
    return path


class Thief:
    """Has the log key, and signs what it likes."""

    def __init__(self, folder):
        self.folder = folder

    def checkpoint(self, size, root):
        text = f"{OLD}\n{size}\n{base64.b64encode(root).decode()}\n"
        subprocess.run(["openssl", "pkeyutl", "-sign", "-inkey", f"{self.folder}/log.key", "-rawin",
                        "-in", write(f"{self.folder}/thief", text), "-out",
                        f"{self.folder}/thief.sig"], check=True, capture_output=True)
        public = base64.b64decode(
            json.loads(json.load(open(f"{self.folder}/log-key.json"))["statement"])["public"])
        line = H(OLD.encode() + b"\n\x01" + public)[:4] + open(f"{self.folder}/thief.sig",
                                                               "rb").read()
        return f"{text}\n\u2014 {OLD} {base64.b64encode(line).decode()}\n"

    def bundle(self, true, size):
        """The claim of a TABLE_OPEN with another limit, in a tree of that size."""
        forged = json.loads(true)
        record = json.loads(forged["records"][0]["record"])
        record["body"]["max"] = 999_999
        text, seq = canonical(record), record["seq"]
        leaves = [H(FORGED + bytes([at % 251])) for at in range(size)]
        leaves[seq] = leaf_hash(text.encode())
        forged["records"] = [{"record": text,
                              "path": [base64.b64encode(one).decode()
                                       for one in path_of(leaves, seq)]}]
        forged["checkpoint"] = self.checkpoint(size, root_of(leaves))
        return canonical(forged)


def path_of(leaves, index):
    if len(leaves) == 1:
        return []
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    if index < split:
        return path_of(leaves[:split], index) + [root_of(leaves[split:])]
    return path_of(leaves[split:], index - split) + [root_of(leaves[:split])]


class World:
    def __init__(self, old, new):
        self.old, self.new, self.folder = old, new, old.folder
        self.roots, self.end, self.backup = (f"{old.folder}/{name}"
                                             for name in ("roots.pem", "end.json", "backup"))

    def judge(self, path, *options):
        """Exit codes of both verifiers, which must agree, and all their words."""
        done = self.old.talla("verify", path, "--root", self.roots, *options)
        second = here.bundle(path, self.roots, *options)
        words = done.stdout + done.stderr + second.stdout + second.stderr
        assert done.returncode == second.returncode, words
        return done.returncode, words

    def good(self, path, *options):
        code, words = self.judge(path, *options)
        assert code == 3, words
        return words

    def bad(self, path, *options):
        code, words = self.judge(path, *options)
        assert code == 1, words
        return words


def an_appliance_plays_and_its_evidence_is_kept(world):
    old, client = world.old, world.old.client()
    world.table = open_table(client, SHOE)
    world.table_seq = int(world.table.split("-")[1])
    shoe = mix_shoe(client, world.table)["id"]
    deal(client, shoe, 0, 3)
    world.close = (f"/v1/shoes/{shoe}/close", new_key())
    status, world.reply = client.send("POST", world.close[0], {}, world.close[1])
    assert status == 200, world.reply
    world.claim = seq_of(json.loads(world.reply), "SHOE_CLOSE")
    world.early = write(f"{old.folder}/early.talla",
                        client.send("GET", f"/v1/bundles/{world.claim}")[1])
    world.opened = client.send("GET", f"/v1/bundles/{world.table_seq}")[1]
    world.receipt = write(f"{old.folder}/early.receipt",
                          canonical(json.loads(world.reply)["receipts"][-1]))
    world.wheel = open_table(client, WHEEL)
    batch = new_batch(client, world.wheel, 4)
    client.post("/v1/draws", draw_body(client, world.wheel, batch, 0))
    assert old.stop() == 0
    old.talla("backup", "make", old.config, world.backup, check=True)
    world.size = json.load(open(f"{world.backup}/manifest.json"))["size"]


def with_the_log_key_a_thief_makes_evidence_that_verifies(world):
    thief = Thief(world.folder)
    write(world.roots, open(f"{world.folder}/ca.pem").read())
    world.forged = {}
    for size in (world.table_seq + 1, world.size - 1, world.size, world.size + 5):
        path = write(f"{world.folder}/forged-{size}.talla", thief.bundle(world.opened, size))
        world.good(path)
        world.forged[size] = path


def the_root_ends_the_log_at_a_ceremony(world):
    old, root = world.old, f"{world.folder}/root"
    os.umask(0o077)
    phrase = write(f"{world.folder}/phrase", "a passphrase for the safe")
    old.talla("keys", "ceremony", "root", root, "--name", "Casino root", "--passphrase", phrase,
              check=True)
    asked = ["keys", "ceremony", "end", root, "--checkpoint", f"{world.backup}/manifest.json",
             "--log-key", f"{world.folder}/log-key.json", "--reason", "compromised", "--known",
             "2026-01-02T03:04:05Z", "--successor", f"{world.new.folder}/log-key.json",
             "--passphrase", phrase]
    alone = old.talla(*asked, "--person", "A. Officer", "--out", world.end)
    assert alone.returncode == 1 and "two persons" in alone.stderr and \
        not os.path.exists(world.end), alone.stderr
    forged = json.loads(open(world.forged[world.size]).read())["checkpoint"].replace(OLD, NEW)
    strange = old.talla(*asked[:5], write(f"{world.folder}/strange", forged), *asked[6:],
                        "--person", "A", "--person", "B", "--out", world.end)
    assert strange.returncode == 1 and not os.path.exists(world.end), strange.stderr
    for known in ("2026-01-02T24:04:05Z", "2026-01-02 03:04:05Z", "2026-01-02T03:04:05",
                  "2026-02-30T03:04:05Z", "2026-01-02T03:-4:05Z"):
        wrong = old.talla(*(known if word == "2026-01-02T03:04:05Z" else word for word in asked),
                          "--person", "A", "--person", "B", "--out", world.end)
        assert wrong.returncode == 2 and "a time like" in wrong.stderr and \
            not os.path.exists(world.end), wrong.stderr
    done = old.talla("--json", *asked, "--person", "A. Officer", "--person", "B. Inspector",
                     "--out", world.end, check=True)
    said = json.loads(done.stdout.splitlines()[-1])
    assert (said["origin"], said["size"], said["reason"]) == (OLD, world.size, "compromised"), said
    transcript = old.talla("keys", "ceremony", "transcript", root, check=True).stdout
    assert "log ended" in transcript and f"records: {world.size}" in transcript and \
        "present: B. Inspector" in transcript, transcript
    write(world.roots, open(f"{world.folder}/ca.pem").read() + open(f"{root}/root.pem").read())
    world.ended = ["--ended", world.end]


def what_the_thief_signs_is_refused_below_at_and_behind_the_end(world):
    for size, path in world.forged.items():
        words = world.bad(path, *world.ended)
        assert "ended with" in words, words
        proof = world.old.talla("log", "prove", path, "--backup", world.backup, *world.ended,
                                "--root", world.roots, "--out", f"{world.folder}/no")
        assert proof.returncode == 1 and not os.path.exists(f"{world.folder}/no"), proof.stdout
        again = world.old.talla("log", "reissue", path, "--backup", world.backup, *world.ended,
                                "--root", world.roots, "--out", f"{world.folder}/no")
        assert again.returncode == 1 and not os.path.exists(f"{world.folder}/no"), again.stdout


def true_evidence_counts_made_again_or_with_its_proof(world):
    folder, tool = world.folder, [*world.ended, "--root", world.roots]
    world.good(world.early)
    assert "ended with" in world.bad(world.early, *world.ended)
    made = f"{folder}/again.talla"
    world.old.talla("log", "reissue", world.early, "--backup", world.backup, *tool, "--out", made,
                    check=True)
    words = world.good(made, *world.ended)
    assert f"the root ended the log with {world.size} records (compromised)" in words and \
        NEW in words, words
    proofs = f"{folder}/proofs.json"
    world.old.talla("log", "prove", world.early, world.receipt, "--backup", world.backup, *tool,
                    "--out", proofs, check=True)
    world.good(world.early, *world.ended, "--consistency", proofs)
    keys = ["--log-key", f"{folder}/log-key.json"]
    world.bad(world.receipt, *keys, *world.ended)
    world.good(world.receipt, *keys, *world.ended, "--consistency", proofs)
    for size, path in world.forged.items():
        world.bad(path, *world.ended, "--consistency", proofs)
    lines = f"{folder}/records.jsonl"
    world.old.talla("log", "export", "--backup", world.backup, *tool, "--out", lines, check=True)
    one = write(f"{folder}/one.json", open(lines).read().splitlines()[world.claim])
    world.good(one, *keys, *world.ended)
    archive = f"{folder}/all.talla-archive"
    world.old.talla("archive", "seal", "--backup", world.backup, archive, check=True)
    assert "the root ended the log" in archived(world, archive, 3, *world.ended)
    world.archive = archive
    os.mkdir(f"{folder}/ends")
    shutil.copy(world.end, f"{folder}/ends/old.json")
    done = world.old.talla("verify", made, "--root", world.roots, "--ended", f"{folder}/ends")
    assert done.returncode == 3, done.stderr


def archived(world, path, code, *options):
    """Both verifiers of archives."""
    done = world.old.talla("archive", "verify", path, "--root", world.roots, *options)
    second = here.archive(world.roots, path, *options)
    words = done.stdout + done.stderr + second.stdout + second.stderr
    assert (done.returncode, second.returncode) == (code, code), words
    return words


def nobody_but_the_root_ends_it(world):
    """The statement itself, signed with what lies on the appliance."""
    folder, end = world.folder, json.load(open(world.end))
    signed = write(f"{folder}/message", D("log-end") + end["statement"].encode())
    signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign",
                                f"{folder}/log-certificate.key", signed], check=True,
                               capture_output=True).stdout
    own = dict(end, signature=base64.b64encode(signature).decode(),
               chain=json.load(open(f"{folder}/log-key.json"))["chain"])
    world.own = write(f"{folder}/own-end.json", canonical(own))
    changed = dict(end, statement=end["statement"].replace("compromised", "closed"))
    for path in (world.own, write(f"{folder}/changed-end.json", canonical(changed))):
        assert "for something else" in (words := world.bad(f"{folder}/again.talla", "--ended",
                                                           path)) or \
            "signature is wrong" in words, words
        world.bad(f"{folder}/again.talla", "--ended", path, *world.ended)
    root = write(f"{folder}/only-ca.pem", open(f"{folder}/ca.pem").read())
    done = world.old.talla("verify", f"{folder}/again.talla", "--root", root, *world.ended)
    assert done.returncode == 1 and "untrusted_chain" in done.stderr, done.stderr


def two_statements_that_contradict_each_other_refuse_everything(world):
    folder = world.folder
    asked = ["keys", "ceremony", "end", f"{folder}/root", "--log-key", f"{folder}/log-key.json",
             "--reason", "closed", "--passphrase", f"{folder}/phrase", "--person", "A", "--person",
             "B"]
    other = f"{folder}/other-end.json"
    world.old.talla(*asked, "--checkpoint",
                    write(f"{folder}/early.checkpoint",
                          json.loads(open(world.early).read())["checkpoint"]), "--out", other,
                    check=True)
    assert "contradict" in world.bad(f"{folder}/again.talla", *world.ended, "--ended", other)
    world.bad(world.early, *world.ended, "--ended", other)
    same = f"{folder}/same-end.json"
    world.old.talla(*asked, "--checkpoint", f"{world.backup}/manifest.json", "--out", same,
                    check=True)
    world.good(f"{folder}/again.talla", *world.ended, "--ended", same)
    assert "counts for nothing" in archived(world, world.archive, 1, "--ended", other)
    world.other = other


def clients_refuse_what_the_stolen_machine_draws(world):
    """It runs on, for somebody; the clients have the statement."""
    old, folder = world.old, world.folder
    for name in ("client", "python", "c"):
        if name != "client":
            shutil.copytree(f"{folder}/client", f"{folder}/{name}")
        text = open(f"{folder}/{name}/client.toml").read()
        write(f"{folder}/{name}/client.toml",
              re.sub(r'root = ".*"', f'root = "{world.roots}"', text))
    old.start()
    table = Table(f"{folder}/client", journal=f"{folder}/journal")
    before = table.post("/v1/tables", WHEEL)["table"]["id"]
    table.draw(before)  # without the statement there is nothing to see
    table = Table(f"{folder}/python", journal=f"{folder}/journal", ended=world.end)
    try:
        table.draw(before)
        raise AssertionError("the Python client believed it")
    except NotBelieved as why:
        assert "ended" in str(why), why
    told = open(f"{folder}/c/client.toml").read()
    write(f"{folder}/c/client.toml", f'{told}\nended = "{world.own}"\n')
    try:
        Table(f"{folder}/c")
        raise AssertionError("the Python client took a statement of the log key")
    except NotBelieved as why:
        assert "something else" in str(why), why
    assert old.talla("shoe", "--deal", "3", client="c").returncode == 1
    c_client(world, before)
    write(f"{folder}/c/client.toml", f'{told}\nended = "{world.end}"\n')
    done = old.talla("shoe", "--deal", "3", client="c")
    assert done.returncode == 1 and "log_ended" in done.stderr, done.stdout + done.stderr
    assert old.stop() == 0


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("folder", ctypes.c_char_p),
                ("journal", ctypes.c_char_p), ("timeout_s", ctypes.c_uint),
                ("patience_s", ctypes.c_uint), ("on_reply", ctypes.c_void_p),
                ("context", ctypes.c_void_p), ("ended", ctypes.c_char_p)]


def c_client(world, table):
    """The library through its header's structure: as a caller of before that knows no `ended`,
    and with it."""
    library = f"{world.old.binaries}/../lib/libtalla-client.so"
    if not os.path.exists(library) or "ASAN_OPTIONS" in world.old.environment or \
            "TSAN_OPTIONS" in world.old.environment:
        return print("the C client is not looked at here")
    c = ctypes.CDLL(library)
    c.talla_words.restype = ctypes.c_char_p
    c.talla_words.argtypes = c.talla_close.argtypes = [ctypes.c_void_p]
    c.talla_draw.argtypes = [ctypes.c_void_p, ctypes.c_char_p] + [ctypes.c_void_p] * 4
    c.talla_evidence.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_char_p]
    folder, out = f"{world.folder}/client".encode(), f"{world.folder}/c.talla".encode()
    ok, not_believed, bad_files = 0, 3, 6
    for ended, size, opened, drawn in ((None, Options.ended.offset, ok, ok),
                                       (world.end, Options.ended.offset, ok, ok),
                                       (world.end, ctypes.sizeof(Options), ok, not_believed),
                                       (world.own, ctypes.sizeof(Options), bad_files, None)):
        options = Options(size=size, folder=folder, journal=f"{world.folder}/journal".encode(),
                          ended=ended and ended.encode())
        client, words = ctypes.c_void_p(), ctypes.create_string_buffer(500)
        assert c.talla_open(ctypes.byref(options), ctypes.byref(client), words, 500) == opened, \
            words.value
        if opened != ok:
            continue
        assert c.talla_draw(client, table.encode(), None, None, None, None) == drawn, \
            c.talla_words(client)
        if drawn == not_believed:
            assert b"ended" in c.talla_words(client)
        assert c.talla_evidence(client, world.claim, out) == drawn, c.talla_words(client)
        c.talla_close(client)


def the_appliance_is_read_only_once_it_has_the_statement(world):
    old, place = world.old, f"{world.folder}/data/log-end.json"
    text = open(old.config).read()
    write(old.config, text.replace('client_roots = "ca.pem"', 'client_roots = "roots.pem"'))
    for wrong, words in ((world.own, "wrong_statement"),
                         (write(f"{world.folder}/broken", "{}"), "malformed_statement")):
        shutil.copy(wrong, place)
        assert words in (said := old.start_refused()), said
    shutil.copy(world.end, place)
    held = ledger_of(old)
    old.start(page="/livez")
    status, words = old.health("/readyz")
    assert status == 503 and json.loads(words)["reasons"] == ["log_ended"], words
    client = old.client()
    assert client.send("POST", world.close[0], {}, world.close[1]) == (200, world.reply), \
        "a known reply is given again"
    problem = refused(client, "POST", "/v1/tables", 409, "log_ended", WHEEL)
    assert f"{world.size} records (compromised)" in problem["detail"], problem
    batch = client.get(f"/v1/tables/{world.wheel}")["table"]["batches"]
    assert batch, "what is open can be read, and stays open"
    refused(client, "POST", f"/v1/tables/{world.wheel}/batches", 409, "log_ended", {"count": 1})
    refused(client, "POST", f"/v1/tables/{world.wheel}/close", 409, "log_ended", {})
    bundle = client.send("GET", f"/v1/bundles/{world.claim}")[1]
    world.good(write(f"{world.folder}/served.talla", bundle), *world.ended)
    status, cosigned = client.send("GET", "/v1/checkpoint/cosigned")
    assert status == 200 and \
        cosigned.decode() == json.loads(json.load(open(world.end))["statement"])["checkpoint"]
    behind = [json.loads(one["record"]) for one in events(old.client("talla:auditor-1"))
              if one["seq"] >= world.size]
    opened = [record["seq"] for record in behind if record["kind"] == "TABLE_OPEN"]
    assert opened, "the stolen machine has played on"
    refused(client, "GET", f"/v1/bundles/{opened[0]}", 409, "log_ended")
    assert re.search(r"^talla_log_ended 1", old.health("/metrics")[1], re.M)
    assert old.stop() == 0
    old.start(page="/livez")
    old.kill()
    assert ledger_of(old) == held, "not one record was added"


def ledger_of(appliance):
    out = f"{appliance.folder}/ledger.jsonl"
    done = appliance.talla("--json", "log", "export", "--config", appliance.config, "--out", out,
                           check=True)
    return json.loads(done.stdout)["records"]


def approve(world, backup, *flags):
    approvals = []
    for who in ("officer", "inspector"):
        out = f"{world.new.folder}/{who}.approval"
        world.new.talla("restore", "approve", backup, "--for", NEW, "--out", out, *flags,
                        client=who, check=True)
        approvals += ["--approval", out]
    return approvals


def restore(world, backup, *more):
    return world.new.talla("restore", "run", backup, world.new.config, "--root", world.roots,
                           "--old", world.old.config, *more)


def the_log_that_the_root_names_follows_from_exactly_there(world):
    late = f"{world.folder}/late"
    world.old.talla("backup", "make", world.old.config, late, check=True)
    done = restore(world, late, *approve(world, late))
    # log-end.json of the old appliance says so
    assert done.returncode == 1 and "ends exactly there" in done.stderr, done.stderr
    strange = f"{world.folder}/strange-end.json"
    world.old.talla("keys", "ceremony", "end", f"{world.folder}/root", "--log-key",
                    f"{world.folder}/log-key.json", "--reason", "replaced", "--passphrase",
                    f"{world.folder}/phrase", "--person", "A", "--person", "B", "--checkpoint",
                    f"{world.backup}/manifest.json", "--successor", write_next_key(world), "--out",
                    strange, check=True)
    # what the thief added is lost, and that is agreed to
    agreed = [*approve(world, world.backup, "--older"), "--older"]
    done = restore(world, world.backup, *agreed, "--ended", strange)
    assert done.returncode == 1 and "names" in done.stderr and \
        not os.path.exists(f"{world.new.folder}/data/ledger.db"), done.stderr
    done = restore(world, world.backup, *agreed)
    assert done.returncode == 0, done.stderr
    new = world.new.start()
    client = new.client()
    table = open_table(client, WHEEL)
    reply = client.post("/v1/draws", draw_body(client, table, new_batch(client, table), 0))
    shutil.copy(f"{new.folder}/ca.pem", f"{world.folder}/new-ca.pem")
    write(world.roots, open(world.roots).read() + open(f"{new.folder}/ca.pem").read())
    path = write(f"{world.folder}/next.talla",
                 client.send("GET", f"/v1/bundles/{seq_of(reply, 'DRAW')}")[1])
    assert f"follows {OLD}" in world.good(path, *world.ended)
    assert "another key" in world.bad(path, "--ended", strange)
    first = write(f"{world.folder}/first.receipt",
                  new.client("talla:auditor-1").send("GET", "/v1/receipts/0")[1])
    world.good(first, "--log-key", f"{new.folder}/log-key.json", *world.ended)
    world.bad(first, "--log-key", f"{new.folder}/log-key.json", "--ended", world.other)
    assert client.send("POST", world.close[0], {}, world.close[1]) == (200, world.reply), \
        "the old replies are given again"
    # A client of the new log that has the statement plays there.
    text = open(f"{new.folder}/client/client.toml").read()
    write(f"{new.folder}/client/client.toml",
          re.sub(r'root = ".*"', f'root = "{world.roots}"', text) + f'\nended = "{world.end}"\n')
    table = Table(f"{new.folder}/client")
    assert table.draw(table.post("/v1/tables", WHEEL)["table"]["id"])["draw"]["outcome"]
    assert (shoe := new.talla("shoe", "--deal", "3")).returncode in (0, 3), shoe.stderr


def write_next_key(world):
    """Of the new origin, another key than the new appliance has."""
    folder = f"{world.folder}/next-keys"
    world.old.talla("keys", "init", folder, "--origin", NEW, check=True)
    return f"{folder}/log-key.json"


def the_old_appliance_can_still_be_read_and_never_plays_again(world):
    old = world.old.start(page="/livez")
    assert json.loads(old.health("/readyz")[1])["reasons"] == ["log_ended"]
    assert old.client().send("GET", f"/v1/bundles/{world.claim}")[0] == 200
    assert old.stop() == 0
    os.remove(f"{world.folder}/data/log-end.json")
    said = old.start_refused()
    assert "log_retired" in said and f"followed by {NEW}" in said, said
    os.remove(f"{world.folder}/data/retired.json")
    said = old.start_refused()
    assert "ledger_shorter" in said, said


FACTS = [an_appliance_plays_and_its_evidence_is_kept,
         with_the_log_key_a_thief_makes_evidence_that_verifies, the_root_ends_the_log_at_a_ceremony,
         what_the_thief_signs_is_refused_below_at_and_behind_the_end,
         true_evidence_counts_made_again_or_with_its_proof, nobody_but_the_root_ends_it,
         two_statements_that_contradict_each_other_refuse_everything,
         clients_refuse_what_the_stolen_machine_draws,
         the_appliance_is_read_only_once_it_has_the_statement,
         the_log_that_the_root_names_follows_from_exactly_there,
         the_old_appliance_can_still_be_read_and_never_plays_again]

if __name__ == "__main__":
    with Appliance(sys.argv[1], origin=OLD) as old, Appliance(sys.argv[1], origin=NEW) as new:
        old.start()
        failed = hold(FACTS, World(old, new))
        if failed:
            print(f"--- the daemons' logs\n{old.log()[-2000:]}\n{new.log()[-2000:]}")
    sys.exit(1 if failed else 0)
