#!/usr/bin/env python3
# Goal: `talla-lab verify-appliance` finds nothing wrong with an honest appliance and writes the
#   page that an inspector signs; whatever a lying one says instead is named, by the check that it
#   was told to.
# Method: a signed appliance that played; a proxy with its TLS key that changes one kind of answer;
#   every lie is believable in every other respect.
#   usage: lab_field_test.py FOLDER_OF_PROGRAMS
import base64
import http.server
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import threading

from appliance import Appliance, Client
from calls import draw_body
from facts import WHEEL, game_table, hold, new_batch, open_table
from play_test import spin
from signed_software import SignedSoftware

LAB = os.path.join(os.path.abspath(sys.argv[1]), "talla-lab")
INSPECTOR = "talla:inspector-1"
NOT_FOUND = 404, json.dumps({"code": "not_found", "retry": "never", "status": 404, "title": "x",
                             "type": "urn:talla:problem:not_found"}).encode()


class Liar:
    """Asks the real appliance, and gives what `lie` makes of the answer."""

    def __init__(self, appliance, lie):
        self.told = 0
        upstream = Client(appliance.folder, appliance.port, INSPECTOR)
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self):
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or None
                status, text = upstream.send(self.command, self.path, raw=raw,
                                             key=self.headers.get("Idempotency-Key"))
                kind = upstream.headers["Content-Type"]
                told = lie(self.path, status, text, upstream)
                if told is not None:
                    outer.told += 1
                    status, text = told
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = answer

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{appliance.folder}/server.pem", f"{appliance.folder}/server.key")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.client = f"{appliance.folder}/lied-to"
        shutil.rmtree(self.client, ignore_errors=True)
        shutil.copytree(f"{appliance.folder}/inspector", self.client)
        path = f"{self.client}/client.toml"
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"(?m)^port = \d+", f"port = {self.server.server_port}", file.read())
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def inspect(appliance, *arguments, client=None, code=0, software=True, records=8, rounds=4,
            log_key=None):
    """The checks by name, and what was said at all."""
    out = f"{appliance.folder}/inspection"
    shutil.rmtree(out, ignore_errors=True)
    known = ["--manifest", appliance.software.manifest, "--signer",
             appliance.software.key] if software else []
    done = subprocess.run(
        [LAB, "--json", "verify-appliance", out, "--client", client or
         f"{appliance.folder}/inspector", "--root", f"{appliance.folder}/ca.pem", "--log-key",
         log_key or f"{appliance.folder}/log-key.json", "--inspector", "I. Example", "--records",
         str(records), "--rounds", str(rounds), *known, *arguments],
        capture_output=True, text=True, timeout=120)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    found = json.loads(done.stdout)
    return {one["name"]: (one["verdict"], one["words"]) for one in found.get("checks", [])}, found


def revisit(appliance, kept, **more):
    """Of a later visit that looks at little else."""
    return inspect(appliance, "--since", kept, records=4, rounds=1, **more)


def bad(checks):
    return {name for name, (verdict, _) in checks.items() if verdict == "bad"}


def an_appliance_plays(appliance):
    client = appliance.client()
    wheel = open_table(client, WHEEL)
    batch = new_batch(client, wheel, 2)
    for index in range(2):
        client.post("/v1/draws", draw_body(client, wheel, batch, index))
    table = game_table(client, "french-roulette")
    for stake in (25, 50, 100):  # a zero keeps a stake in prison, and its name
        spin(client, table, [{"id": f"a{stake}", "seat": 1, "kind": "rojo", "stake": stake},
                             {"id": f"b{stake}", "seat": 2, "kind": "negro", "stake": stake}])


def an_honest_one_is_good_and_the_page_says_so(appliance):
    checks, found = inspect(appliance)
    assert {name: verdict for name, (verdict, _) in checks.items()} == {
        "software": "good", "answers": "good", "records": "good", "alive": "good",
        "since": "not-looked-at",
        "settlements": "good", "rules": "good", "certification": "not-looked-at",
        "witnesses": "not-looked-at"}, checks
    assert found["verdict"] == "good" and found["origin"] in checks["answers"][1]
    assert checks["settlements"][1] == "4 verified", checks
    for language, words in (("en", ("I. Example", "settled again", "good")),
                            ("es", ("I. Example", "jugadas", "bien"))):
        with open(f"{appliance.folder}/inspection/page-{language}.html", encoding="utf-8") as file:
            page = file.read()
        assert all(word in page for word in (*words, found["files_sha256"])), language
        with open(f"{appliance.folder}/inspection/page-{language}.pdf", "rb") as file:
            assert file.read(5) == b"%PDF-"
    received = {one["name"] for one in found["files"]}
    assert sum(name.startswith("records/") for name in received) == 8
    assert sum(name.startswith("rounds/") for name in received) == 4, received
    again = subprocess.run([LAB, "verify-appliance", f"{appliance.folder}/inspection", "--client",
                            "x", "--root", "x", "--log-key", "x", "--inspector", "x"],
                           capture_output=True, text=True, timeout=60)
    assert again.returncode == 1 and "a new folder is expected" in again.stderr, again


class Kept:
    """Checkpoints as an earlier visit may have kept them, signed with the log's own key."""
    note = ""  # that of the first visit

    @classmethod
    def file(cls, appliance, size=None, root=None, origin=None, key="log.key"):
        name, kept_size, kept_root = cls.note.split("\n")[:3]
        text = f"{origin or name}\n{size or kept_size}\n{root or kept_root}\n"
        with open(f"{appliance.folder}/kept.text", "w", encoding="utf-8") as file:
            file.write(text)
        signature = subprocess.run(
            ["openssl", "pkeyutl", "-sign", "-inkey", f"{appliance.folder}/{key}", "-rawin", "-in",
             f"{appliance.folder}/kept.text"], check=True, capture_output=True).stdout
        key_id = base64.b64decode(cls.note.split(" ")[-1])[:4]
        line = base64.b64encode(key_id + signature).decode()
        return cls.write(appliance, f"{text}\n\u2014 {name} {line}\n")

    @staticmethod
    def write(appliance, text):
        path = f"{appliance.folder}/kept"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


def what_an_earlier_visit_kept_is_the_beginning_of_the_log_of_now(appliance):
    with open(f"{appliance.folder}/inspection/checkpoint", encoding="utf-8") as file:
        Kept.note = file.read()
    size = int(Kept.note.split("\n")[1])
    for kept in (Kept.write(appliance, Kept.note), Kept.file(appliance)):
        checks, found = revisit(appliance, kept)
        assert checks["since"][0] == "good" and found["verdict"] == "good", checks
        assert checks["since"][1].startswith(f"the {size} records of then are the beginning of")
    keys = f"{appliance.folder}/all-keys.json"
    appliance.talla("log", "keys", "--out", keys, client="inspector", check=True)
    assert revisit(appliance, kept, log_key=keys)[0]["since"][0] == "good"


def a_log_that_is_shorter_or_another_than_it_was_is_named(appliance):
    other = base64.b64encode(bytes(32)).decode()
    size = int(Kept.note.split("\n")[1])
    for lie, words in (({"root": other}, "another history"),
                       ({"size": size - 1}, "another history"),
                       ({"size": size + 100_000}, "shorter than it was")):
        kept = Kept.file(appliance, **lie)
        checks = revisit(appliance, kept, code=3)[0]
        assert bad(checks) == {"since"} and words in checks["since"][1], checks


def a_checkpoint_that_nobody_known_has_signed_is_refused(appliance):
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out",
                    f"{appliance.folder}/thief.key"], check=True, capture_output=True)
    for lie, words in (({"key": "thief.key"}, "no key of --log-key"),
                       ({"origin": "other.example/log"}, "is of other.example/log"),
                       (None, "no checkpoint")):
        kept = Kept.write(appliance, "nothing") if lie is None else Kept.file(appliance, **lie)
        found = revisit(appliance, kept, code=1)[1]
        assert words in found["error"], found
        assert not os.path.exists(f"{appliance.folder}/inspection"), "nothing was asked"


def what_is_asked_for_and_not_there_is_bad(appliance):
    roots = []
    for name in ("type", "installation"):
        path = f"{appliance.folder}/{name}.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{path}.key", "-out", path,
                        "-subj", f"/CN={name}"], check=True, capture_output=True)
        roots += ["--certification-root", f"{name}={path}"]
    checks = inspect(appliance, *roots, code=3)[0]
    assert bad(checks) == {"certification"}, checks
    rules = f"{appliance.folder}/other.toml"
    shutil.copy(appliance.software.catalogue(), rules)
    checks = inspect(appliance, "--catalogue", rules)[0]
    assert checks["rules"][0] == "good", checks


def json_of(lie):
    """A lie about the value of replies with a member; None from it: no room for the lie."""
    def told(path, status, text, upstream):
        if status >= 300:
            return None
        value = json.loads(text)
        made = lie(path, value, upstream)
        return None if made is None else (status, json.dumps(
            made, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode())
    told.__name__ = lie.__name__
    return told


@json_of
def another_origin(path, value, _):
    return value | {"origin": "casino.example/other"} if path == "/v1/status" else None


@json_of
def newest_records_that_are_not_told(path, value, _):
    return value | {"size": value["size"] - 4} if path == "/v1/status" else None


@json_of
def records_that_do_not_exist(path, value, _):
    return value | {"size": value["size"] + 2} if path == "/v1/status" else None


@json_of
def a_log_without_records(path, value, _):
    return value | {"size": 0} if path == "/v1/status" else None


@json_of
def another_records_receipt(path, _, upstream):
    seq = path.removeprefix("/v1/receipts/")
    return upstream.get(f"/v1/receipts/{int(seq) - 1}") if seq.isdigit() else None


@json_of
def another_text_of_a_record(path, value, _):
    if not path.startswith("/v1/receipts/"):
        return None
    return value | {"record": re.sub(r'"boot":\d+', '"boot":9', value["record"])}


@json_of
def an_answer_to_another_nonce(path, value, _):
    if "challenge" not in value:
        return None
    value["challenge"]["nonce"] = "00" * 32
    return value


@json_of
def another_answer_of_the_software(path, value, _):
    if "challenge" not in value:
        return None
    value["challenge"]["answer"] = "ab" * 32
    return value


@json_of
def software_that_is_not_as_signed(path, value, _):
    if "challenge" not in value:
        return None
    value["challenge"] |= {"result": "bad", "findings": [{"path": "/x", "what": "changed"}]}
    return value


def bundles(lie):
    def told(path, status, text, upstream):
        seq = path.removeprefix("/v1/bundles/")
        return lie(seq, text, upstream) if seq.isdigit() and status < 300 else None
    told.__name__ = lie.__name__
    return told


@bundles
def another_payment_in_the_evidence(_, text, __):
    changed = re.sub(rb'\\"returned\\":(\d+)',
                     lambda one: b'\\"returned\\":%d' % (int(one[1]) + 1), text, count=1)
    return None if changed == text else (200, changed)


@bundles
def evidence_of_another_record(seq, _, upstream):
    # The settlement that is looked for is not there any more: an older one is given.
    events = upstream.get("/v1/events?after=-1&limit=1000&kind=SETTLEMENT")["events"]
    other = [one["seq"] for one in events if one["seq"] != int(seq)][0]
    return upstream.send("GET", f"/v1/bundles/{other}")


@bundles
def no_evidence(_, __, ___):
    return NOT_FOUND


@bundles
def evidence_that_is_cut_short(_, text, __):
    return 200, text[:-200]


LIES = {another_origin: {"answers"}, a_log_without_records: {"answers"},
        newest_records_that_are_not_told: {"alive"}, records_that_do_not_exist: {"records"},
        another_records_receipt: {"records", "alive"},
        another_text_of_a_record: {"records", "alive"},
        an_answer_to_another_nonce: {"software", "alive"},
        another_answer_of_the_software: {"software", "alive"},
        software_that_is_not_as_signed: {"software"},
        another_payment_in_the_evidence: {"settlements"},
        evidence_of_another_record: {"settlements"}, no_evidence: {"settlements"},
        evidence_that_is_cut_short: {"settlements"}}


def every_lie_is_named_by_the_check_that_it_was_told_to(appliance):
    wrong = []
    for lie, wanted in LIES.items():
        with Liar(appliance, lie) as liar:
            checks, found = inspect(appliance, client=liar.client, code=3)
        if not liar.told or bad(checks) != wanted or found["verdict"] != "bad":
            wrong.append((lie.__name__, liar.told, checks))
        with open(f"{appliance.folder}/inspection/page-en.html", encoding="utf-8") as file:
            assert 'class="bad"' in file.read(), lie.__name__
    assert not wrong, wrong


def proofs(lie):
    def told(path, status, text, _):
        if not path.startswith("/v1/consistency") or status >= 300:
            return None
        return lie(json.loads(text))
    told.__name__ = lie.__name__
    return told


def as_reply(value):
    return 200, json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


@proofs
def a_proof_with_another_hash(value):
    value["proofs"][0]["path"][-1] = base64.b64encode(bytes(32)).decode()
    return as_reply(value)


@proofs
def a_proof_without_hashes(value):
    value["proofs"][0]["path"] = []
    return as_reply(value)


@proofs
def no_proof(_):
    return NOT_FOUND


PROOFS = {a_proof_with_another_hash: "another history", a_proof_without_hashes: "another history",
          no_proof: "no proof came"}


def a_proof_that_leads_elsewhere_is_no_proof(appliance):
    for lie, words in PROOFS.items():
        with Liar(appliance, lie) as liar:
            checks, _ = revisit(appliance, Kept.write(appliance, Kept.note),
                                client=liar.client, code=3)
        assert liar.told and bad(checks) == {"since"}, (lie.__name__, checks)
        assert words in checks["since"][1], checks

    @proofs
    def roots_of_its_own(value):
        value["proofs"][0]["root"] = "00" * 32  # that of the other history
        return as_reply(value)

    kept = Kept.file(appliance, root=base64.b64encode(bytes(32)).decode())
    with Liar(appliance, roots_of_its_own) as liar:
        checks, _ = revisit(appliance, kept, client=liar.client, code=3)
    assert liar.told and bad(checks) == {"since"}, checks


def an_answer_that_the_log_does_not_have_is_named_without_a_reference(appliance):
    with Liar(appliance, another_answer_of_the_software) as liar:
        checks, _ = inspect(appliance, client=liar.client, code=3, software=False)
    assert checks["software"][0] == "not-looked-at" and bad(checks) == {"alive"}, checks


def one_that_does_not_answer_is_bad(appliance):
    appliance.stop()
    checks, found = inspect(appliance, code=3)
    assert bad(checks) == {"software", "answers"} and found["verdict"] == "bad", checks


if __name__ == "__main__":
    with Appliance(sys.argv[1]) as own:
        own.software = SignedSoftware(lambda *arguments: own.talla(*arguments, check=True).stdout,
                                      own.binaries, own.folder)
        own.software.text = own.software.make()
        with open(own.config, "a", encoding="utf-8") as config:
            config.write(own.software.section())
        own.start()
        failed = hold([an_appliance_plays, an_honest_one_is_good_and_the_page_says_so,
                       what_an_earlier_visit_kept_is_the_beginning_of_the_log_of_now,
                       a_log_that_is_shorter_or_another_than_it_was_is_named,
                       a_checkpoint_that_nobody_known_has_signed_is_refused,
                       a_proof_that_leads_elsewhere_is_no_proof,
                       what_is_asked_for_and_not_there_is_bad,
                       every_lie_is_named_by_the_check_that_it_was_told_to,
                       an_answer_that_the_log_does_not_have_is_named_without_a_reference,
                       one_that_does_not_answer_is_bad], own)
        if failed:
            print(f"--- the daemon's log\n{own.log()[-3000:]}")
    sys.exit(1 if failed else 0)
