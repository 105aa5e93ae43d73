#!/usr/bin/env python3
# Goal: witnesses cosign one history of an appliance, verifiers can ask for their quorum, and an
#   older ledger does not start.
# Method: two real witnesses (one behind TLS) beside a real appliance; witnesses killed, a data
#   folder put back to an older copy; bundles and proofs through both verifiers under policies.
#   usage: witness_test.py FOLDER_OF_PROGRAMS
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from calls import draw_body
from appliance import Appliance, free_ports, record_of
from facts import WHEEL, open_table, wait_for
from verifier import here

HERE = os.path.dirname(os.path.abspath(__file__))


class Witness:
    def __init__(self, binaries, name, log_key, certificates=None):
        self.program = f"{binaries}/talla"
        self.folder = tempfile.mkdtemp(prefix="talla-witness-")
        self.port = free_ports(1)[0]
        done = subprocess.run([self.program, "witness", "init", self.folder, "--name", name,
                               "--port", str(self.port), "--log", log_key], capture_output=True,
                               text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        self.key = done.stdout.strip()
        self.config = f"{self.folder}/witness.toml"
        self.url = f"http://127.0.0.1:{self.port}"
        if certificates:
            self.url = f"https://localhost:{self.port}"
            text = open(self.config).read()
            text = text.replace("\n[[log]]", f'\n[tls]\ncertificate = "{certificates}/server.pem"\n'
                                             f'key = "{certificates}/server.key"\n\n[[log]]')
            open(self.config, "w").write(text)
        self.process = None

    def start(self):
        self.process = subprocess.Popen([self.program, "witness", "run", self.config],
                                        stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert "listens on" in line, line
        return self

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def ask(self, path, body=None):
        try:
            with urllib.request.urlopen(urllib.request.Request(self.url + path, body),
                                        timeout=10) as reply:
                return reply.status, reply.read().decode(), reply.headers
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(), error.headers

    def remove(self):
        if self.process and self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def one_draw(client, table, batch, index):
    reply = client.post("/v1/draws", draw_body(client, table, batch, index))
    return record_of(reply, "DRAW")


def cosigned_size(client):
    status, text = client.send("GET", "/v1/checkpoint/cosigned")
    return int(text.decode().split("\n")[1]) if status == 200 else 0


def cosigned_beyond(appliance, client, seq, lines):
    """Waits until a checkpoint that covers the record has so many cosignatures."""
    def enough():
        status, text = client.send("GET", f"/v1/proofs/{seq}")
        assert status == 200, text
        return json.loads(text)["proof"].count("\u2014 ") >= 1 + lines
    wait_for("cosignatures\n" + appliance.log(), enough)


def policy(folder, name, *lines):
    path = f"{folder}/{name}.policy"
    open(path, "w").write("\n".join(lines) + "\n")
    return path


def second(path, roots, *policy_file):
    done = here.bundle(path, roots, *policy_file)
    return done.returncode, done.stdout + done.stderr


def evidence_carries_cosignatures_and_policies_decide(appliance, witnesses, client, draw):
    cosigned_beyond(appliance, client, draw["seq"], 2)
    status, text = client.send("GET", f"/v1/bundles/{draw['seq']}")
    assert status == 200, text
    path, roots = f"{appliance.folder}/draw.talla", f"{appliance.folder}/ca.pem"
    open(path, "wb").write(text)
    names = [f"witness W{i} {one.key}" for i, one in enumerate(witnesses)]
    log_key = appliance.talla("log", "key", f"{appliance.folder}/log-key.json",
                              check=True).stdout.strip()
    both = policy(appliance.folder, "both", f"log {log_key}", *names, "group both all W0 W1",
                  "quorum both")
    stranger = "witness S witness.example.org+b8a2cf20+BFLN3yikSfFkVAJtrnh/CiY3Zozkoy7clp+P7XB28qUN"
    third = policy(appliance.folder, "third", *names, stranger, "group three all W0 W1 S",
                   "quorum three")
    foreign = policy(appliance.folder, "foreign",
                     "log sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8",
                     "quorum none")
    broken = policy(appliance.folder, "broken", *names, "quorum all")
    for verify in (lambda *more: appliance.verify(path, *(["--policy", *more] if more else [])),
                   lambda *more: second(path, roots, *more)):
        code, words = verify()
        assert code == 3 and "unwitnessed" in words and "2 signatures of others" in words, words
        code, words = verify(both)
        assert (code == 3 and "witnessed: the policy's quorum both is met by W0, W1" in words
                and "unwitnessed" not in words), words
        for other in (third, foreign, broken):
            code, words = verify(other)
            assert code == 1, f"{other}: {code} {words}"
    # An archive takes a cosigned checkpoint by itself.
    archive = f"{appliance.folder}/cosigned.archive"
    appliance.talla("archive", "seal", "--config", appliance.config, archive, check=True)
    for program in ([f"{appliance.binaries}/talla", "archive", "verify", archive, "--root", roots],
                    [sys.executable, os.path.join(os.path.dirname(HERE), "verify_archive.py"),
                     roots, archive]):
        for file, wanted in ((both, 3), (third, 1), (foreign, 1)):
            done = subprocess.run([*program, "--policy", file], capture_output=True, text=True,
                                  timeout=60)
            assert (done.returncode == wanted
                    and ("witnessed: the policy's quorum both" in done.stdout) == (
                        wanted == 3)), f"{file}: {done}"
    # One bit of a cosignature: only a policy sees it.
    changed = json.loads(text)
    lines = changed["checkpoint"].split("\n")
    lines[-2] = lines[-2][:-6] + ("A" if lines[-2][-6] != "A" else "B") + lines[-2][-5:]
    changed["checkpoint"] = "\n".join(lines)
    path = f"{appliance.folder}/changed.talla"
    open(path, "w", encoding="utf-8").write(json.dumps(changed, sort_keys=True,
                                                       separators=(",", ":"), ensure_ascii=False))
    for code, words in (appliance.verify(path, "--policy", both), second(path, roots, both)):
        assert code == 1, words
    # The stored receipt stays as it was; the newest proof has its own place.
    receipt = client.send("GET", f"/v1/receipts/{draw['seq']}")[1]
    assert receipt.decode().count("\u2014 ") == 1
    proof = f"{appliance.folder}/proof.json"
    open(proof, "wb").write(client.send("GET", f"/v1/proofs/{draw['seq']}")[1])
    code, words = appliance.verify(proof, "--log-key", f"{appliance.folder}/log-key.json",
                                   "--policy", both)
    assert code == 3 and "witnessed: the policy's quorum" in words, words


def a_witness_keeps_one_history_over_kills(appliance, witness, client):
    """Killed again and again while checkpoints come in, it goes on from what it cosigned; another
    history is refused."""
    for _ in range(5):
        before = cosigned_size(client)
        witness.kill()
        open_table(client, WHEEL)
        witness.start()
        wait_for("cosigned after a kill", lambda: cosigned_size(client) > before)
    status, size, headers = witness.ask("/add-checkpoint",
                                        b"old 0\n\n" + client.send("GET", "/v1/checkpoint")[1])
    assert (status == 409 and headers["Content-Type"] == "text/x.tlog.size"
            and int(size) >= before), (status, size)
    note = client.send("GET", "/v1/checkpoint")[1].replace(b"\n\n", b"\nextension\n\n")
    assert witness.ask("/add-checkpoint", b"old 0\n\n" + note)[0] == 403
    assert "talla_witness_log_size" in witness.ask("/metrics")[1]


def draws_go_on_without_witnesses(appliance, witnesses, client, table, batch):
    for one in witnesses:
        one.kill()
    for index in range(3, 8):
        one_draw(client, table, batch, index)
    wait_for("failures are counted",
             lambda: "talla_witness_failures_total" in appliance.health("/metrics")[1]
             and float([line for line in appliance.health("/metrics")[1].split("\n")
                        if line.startswith("talla_witness_failures_total")][0].split()[-1]) > 0)


def a_fresh_bundle_tells_how_to_get_its_cosignatures(appliance, witnesses, client):
    """While no witness answers, and again when they do."""
    file = f"{appliance.folder}/fresh.talla"
    said = appliance.talla("spin", "--out", file, check=True).stdout
    hint = re.search(r"no witness has signed for it yet; in a minute with their signatures: "
                     r"talla (log bundle (\d+) --out \S+)\n", said)
    assert hint, said
    for one in witnesses:
        one.start()
    cosigned_beyond(appliance, client, int(hint[2]), 2)
    said = appliance.talla(*hint[1].split(), check=True).stdout
    assert "cosigned by inspector.example/w1, regulator.example/w2" in said or \
        "cosigned by regulator.example/w2, inspector.example/w1" in said, said


def an_older_copy_does_not_start(appliance, witnesses):
    data = f"{appliance.folder}/data"
    shutil.copytree(data, data + ".old")
    appliance.start()
    client = appliance.client()
    table = open_table(client, WHEEL)
    cosigned_beyond(appliance, client, int(table.split("-")[1]), 2)
    assert appliance.stop() == 0
    os.rename(data, data + ".new")
    shutil.copytree(data + ".old", data)
    said = appliance.start_refused()
    assert "ledger_shorter" in said and "witness" in said, said
    # Nobody to ask: nothing shows that the copy is not an older one.
    for one in witnesses:
        one.kill()
    said = appliance.start_refused(wait=60)
    assert "anchor_unreachable" in said, said
    shutil.rmtree(data)
    os.rename(data + ".new", data)
    said = appliance.start_refused(wait=60)
    assert "anchor_unreachable" in said, said
    witnesses[0].start()
    appliance.start()
    status = appliance.client().get("/v1/status")
    assert status["rollback_protection"] == "witness", status
    witnesses[1].start()


def main(binaries):
    witnesses = []

    def with_witnesses(text):
        witnessed = "".join(f'\n[[witness]]\nkey = "{one.key}"\nurl = "{one.url}"\n' +
                            ('roots = "ca.pem"\n' if "https" in one.url else "")
                            for one in witnesses)
        anchor = ('\n[anchor]\nkind = "witness"\ninterval_seconds = 1\nwitness_seconds = 1\n'
                  'witness_timeout_seconds = 3\n')
        return text + anchor + witnessed

    with Appliance(binaries) as appliance:
        try:
            log_key = appliance.talla("log", "key", f"{appliance.folder}/log-key.json",
                                      check=True).stdout.strip()
            witnesses.append(Witness(appliance.binaries, "inspector.example/w1", log_key))
            witnesses.append(Witness(appliance.binaries, "regulator.example/w2", log_key,
                                     appliance.folder))
            text = open(appliance.config).read()
            open(appliance.config, "w").write(with_witnesses(text))
            for one in witnesses:
                one.start()
            appliance.start()
            client = appliance.client()
            table = open_table(client, WHEEL)
            commit = client.post(f"/v1/tables/{table}/batches", {"count": 16})
            batch = commit["batch"]
            context = record_of(commit, "BATCH_COMMIT")["body"]["context"]
            assert context["rollback_protection"] == "witness", context
            draw = one_draw(client, table, batch, 0)
            evidence_carries_cosignatures_and_policies_decide(appliance, witnesses, client, draw)
            print("evidence under policies: done")
            a_witness_keeps_one_history_over_kills(appliance, witnesses[0], client)
            print("kills of a witness: done")
            for index in (1, 2):
                one_draw(client, table, batch, index)
            draws_go_on_without_witnesses(appliance, witnesses, client, table, batch)
            print("draws without witnesses: done")
            a_fresh_bundle_tells_how_to_get_its_cosignatures(appliance, witnesses, client)
            print("cosignatures of a fresh bundle: done")
            cosigned_beyond(appliance, client, 0, 2)
            assert appliance.stop() == 0
            an_older_copy_does_not_start(appliance, witnesses)
            print("an older copy refused: done")
        finally:
            for one in witnesses:
                one.remove()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
