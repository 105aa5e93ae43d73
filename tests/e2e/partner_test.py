#!/usr/bin/env python3
# Goal: a partner appliance of another origin contributes: what its program opens at the house
#   stands in its own log first, the same bytes; over kills between the two; and a lying own
#   appliance, a copied folder, a second history of the house and an own log that went back get
#   nothing opened. A shoe of a table, three phones and the partner appliance verifies from its file
#   in all three verifiers, from its commitment to its close, and as one's own with each key.
# Method: two real daemons of two origins; the program (talla contribute --record) between them;
#   proxies with the own appliance's certificate that stop or change its replies; a fork of the
#   house with all its keys. Evidence of the house goes to all three verifiers, each receipt of the
#   partner's log to two.
#   usage: partner_test.py FOLDER_OF_PROGRAMS
import base64
import copy
import hashlib
import http.server
import json
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import time

from appliance import Appliance, Client, free_ports, record_of
from calls import draw_core, mix_core, signed
from contribute_test import VERIFIED, Partner, log_of, own_folder, wait_until
from contributor import canonical, domain, others_of
from contributors_test import PUBLIC_PORT, end_of, seated, verified, with_public
from facts import SHOE, WHEEL, hold, new_batch, open_table, wait_for

LONG = {"open_within": 600}
LOOKS = 1.5  # seconds in which the program looks at its tables several times


class Between:
    """An HTTPS server with the appliance's certificate, before it. `fate` is told each POST and
    answers with what to do: "through", "never asked" (ends before it is handed on), "never told"
    (behind it), or a function that changes the reply."""

    def __init__(self, appliance, client_id):
        self.fate, self.asked, outer = (lambda: "through"), 0, self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self):
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or None
                post = self.command == "POST"
                outer.asked += post
                fate = outer.fate() if post else "through"
                upstream = Client(appliance.folder, appliance.port, client_id)
                if fate == "never asked":
                    self.close_connection = True
                    return
                status, text = upstream.send(self.command, self.path, raw=raw,
                                             key=self.headers.get("Idempotency-Key"))
                upstream.close()
                if fate == "never told":
                    outer.told.set()
                    self.close_connection = True
                    return
                if callable(fate):
                    text = canonical(fate(json.loads(text)))
                self.send_response(status)
                self.send_header("Content-Type", upstream.headers["Content-Type"])
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = answer

        self.told = threading.Event()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{appliance.folder}/server.pem", f"{appliance.folder}/server.key")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()


def points_to(folder, port):
    with open(f"{folder}/client.toml") as file:
        text = re.sub(r"port = \d+", f"port = {port}", file.read())
    with open(f"{folder}/client.toml", "w") as file:
        file.write(text)


def fork_of(appliance):
    """The same appliance once more, with all its keys and its log as it is: not started."""
    appliance.kill()
    other = copy.copy(appliance)
    other.folder = tempfile.mkdtemp(prefix="talla-e2e-", dir=appliance.folder)
    shutil.copytree(appliance.folder, other.folder, dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("talla-e2e-*"))
    other.port, other.health_port = free_ports(2)
    other.config, other.log_path = f"{other.folder}/rngd.toml", f"{other.folder}/rngd.log"
    with open(appliance.config) as file:
        text = file.read()
    for mine, its in ((appliance.port, other.port), (appliance.health_port, other.health_port),
                      (PUBLIC_PORT, free_ports(1)[0])):
        text = text.replace(f"port = {mine}", f"port = {its}")
    with open(other.config, "w") as file:
        file.write(text)
    appliance.start()
    return other


def answers(own):
    """ANSWERs of the partner's log by number."""
    return {seq: record for seq, record in log_of(own).items() if record["kind"] == "ANSWER"}


def answer_to(own, core):
    """The one ANSWER to this core."""
    found = [record for record in answers(own).values() if record["body"]["core"] == core]
    assert len(found) == 1, found
    return found[0]


def table_of(house, program, kind, **more):
    """A table that requires the partner, who has handed in commitments."""
    client = house.client()
    table = open_table(client, kind | LONG | {"required": [program.spki()]} | more)
    wait_until(lambda: len(others_of(client, table)) == 1, "the partner hands in nothing")
    return client, table


def draw_call(client, table, batch):
    core = draw_core(client, table, batch) | {"others": others_of(client, table)}
    batch["index"] += 1
    reply = client.post("/v1/draws", signed(client, core))
    assert "call" in reply, reply
    return core, reply["call"]["seq"]


def result_of(client, call):
    _, seq = end_of(client, call)
    return seq, json.loads(client.get(f"/v1/receipts/{seq}")["record"])


def told(program, before, word):
    return [one for one in program.events()[before:] if one["event"] == word]


def same_in_both_logs(own, core, result):
    """What the house's result holds is what the partner's log held: number and signature."""
    at = [one["id"] for one in core["others"]].index("talla:partner-1")
    recorded, opened = answer_to(own, core)["body"], result["body"]["openings"][at]
    assert {name: recorded[name] for name in ("value", "signature")} == opened, (recorded, opened)
    call = hashlib.sha256(domain(b"core") + canonical(core)).hexdigest()
    assert hashlib.sha256(domain(b"core") + canonical(recorded["core"])).hexdigest() == call


class Program(Partner):
    """talla contribute of the partner, with its own appliance."""

    def __init__(self, house, own):
        super().__init__(house)
        self.own = own_folder(own, "program-1", "contributor")
        self.more = ("--record", self.own)

    def spki(self):
        pem = subprocess.run(["openssl", "x509", "-in",
                              f"{self.appliance.folder}/clients/talla:partner-1.pem", "-pubkey",
                              "-noout"], capture_output=True, text=True, check=True).stdout
        return "".join(pem.split("-----")[2].split())

    def copied(self, name, folder):
        """The same program with a copy of its folder, which looks at that house."""
        other = copy.copy(self)
        other.state, other.said = f"{self.state}-{name}", f"{self.said}-{name}"
        shutil.copytree(self.state, other.state)
        other.folder = folder
        return other


def what_is_opened_stands_in_the_own_log_first(house, own):
    program = State["program"]
    program.start()
    client, table = table_of(house, program, WHEEL)
    batch = new_batch(client, table, 16)
    shoe_client, shoe_table = table_of(house, program, SHOE)
    found = []
    for _ in range(3):
        core, call = draw_call(client, table, batch)
        found.append((core, *result_of(client, call)))
    shoe = shoe_client.post(f"/v1/tables/{shoe_table}/shoes")["shoe"]["id"]
    core = mix_core(shoe_client, shoe) | {"others": others_of(shoe_client, shoe_table)}
    call = shoe_client.post(f"/v1/shoes/{shoe}/mix", signed(shoe_client, core))["call"]["seq"]
    found.append((core, *result_of(shoe_client, call)))
    for core, seq, result in found:
        assert result["kind"] in ("DRAW", "SHOE_MIX"), result
        same_in_both_logs(own, core, result)
        assert "talla:partner-1" in verified(house, client, seq, [])
        assert house.verify(f"{house.folder}/{seq}.talla", "--mine", program.key())[0] == VERIFIED
    dealt = shoe_client.post(f"/v1/shoes/{shoe}/deal",
                             {"expected": 0, "until": 2, "place": "hand", "face": "open"})
    verified(house, shoe_client, record_of(dealt, "CARD_DEAL")["seq"], [])
    State.update(client=client, table=table, batch=batch)


def a_shoe_of_a_table_three_phones_and_the_partner_verifies_from_its_file(house, own):
    program = State["program"]
    client, table, phones = seated(house, SHOE | LONG | {"required": [program.spki()]})
    wait_until(lambda: len(others_of(client, table)) == 4, "the partner hands in nothing")
    for number in (1, 2):  # the second shoe rests on the end of the first
        shoe = client.post(f"/v1/tables/{table}/shoes")["shoe"]["id"]
        core = mix_core(client, shoe) | {"others": others_of(client, table)}
        assert len(core["others"]) == 4, core
        call = client.post(f"/v1/shoes/{shoe}/mix", signed(client, core))["call"]["seq"]
        for phone in phones:
            phone.open(call)
        mixed, result = result_of(client, call)
        assert result["kind"] == "SHOE_MIX" and len(result["body"]["openings"]) == 4, result
        same_in_both_logs(own, core, result)
        dealt = client.post(f"/v1/shoes/{shoe}/deal",
                            {"expected": 0, "until": 5, "place": "hand", "face": "open"})
        closed = record_of(client.post(f"/v1/shoes/{shoe}/close"), "SHOE_CLOSE")
        for claim in (mixed, record_of(dealt, "CARD_DEAL")["seq"], closed["seq"]):
            words = verified(house, client, claim, phones)
            assert all(one in words for one in (
                "talla:partner-1", "seat-1", "seat-2", "seat-3")), words
            path = f"{house.folder}/{claim}.talla"
            assert house.verify(path, "--mine", program.key())[0] == VERIFIED
            code, refused = house.verify(path, "--mine", "00" * 32)
            assert code == 1 and "not_mine" in refused, refused
        assert "416 cards" in words or "key and tape" in words, words
        call = json.loads(client.get(f"/v1/receipts/{call}")["record"])
        assert len(call["cites"]) == number, call


def the_own_log_verifies_and_its_answers_with_it(house, own):
    auditor, root = own.client("talla:auditor-1"), f"{own.folder}/ca.pem"
    keys = f"{own.folder}/keys.json"
    with open(keys, "wb") as file:
        file.write(auditor.send("GET", "/v1/log-keys")[1])
    for seq in answers(own):
        path = f"{own.folder}/{seq}.receipt"
        with open(path, "wb") as file:
            file.write(auditor.send("GET", f"/v1/receipts/{seq}")[1])
        code, words = own.verify(path, "--log-key", keys)
        assert code == VERIFIED and "ANSWER" in words, words
        plain = subprocess.run([sys.executable, PYTHON, path, root, "--log-key", keys],
                               capture_output=True, text=True)
        assert plain.returncode == VERIFIED, plain.stdout + plain.stderr
    said = own.talla("log", "tail", "--kind", "ANSWER", "--limit", "1", client="auditor")
    assert said.returncode == 0 and "answered as talla:partner-1: turn" in said.stdout, said


def without_its_own_appliance_nothing_is_opened_and_that_is_said_once(house, own):
    program, client = State["program"], State["client"]
    before = len(program.events())
    own.kill()
    core, call = draw_call(client, State["table"], State["batch"])
    wait_until(lambda: told(program, before, "not-recorded"), "nothing is said")
    time.sleep(LOOKS)
    assert len(told(program, before, "not-recorded")) == 1, program.events()[before:]
    assert client.get(f"/v1/calls/{call}")["missing"] == ["talla:partner-1"]
    own.start()
    _, result = result_of(client, call)
    same_in_both_logs(own, core, result)


def kills_between_record_and_number_send_the_same_bytes(house, own):
    program, client = State["program"], State["client"]
    between = Between(own, "talla:program-1")
    program.stop()
    points_to(program.own, between.port)
    for fate in ("never asked", "never told"):
        between.fate = lambda fate=fate: fate
        between.told.clear()
        asked = between.asked
        program.start()
        core, call = draw_call(client, State["table"], State["batch"])
        wait_until(lambda: between.asked > asked, "nothing is recorded")
        if fate == "never told":
            assert between.told.wait(30)
        program.kill()
        own.kill()
        own.start()
        there = [one for one in answers(own).values() if one["body"]["core"] == core]
        assert len(there) == (fate == "never told"), there
        assert client.get(f"/v1/calls/{call}")["missing"] == ["talla:partner-1"]
        between.fate = lambda: "through"
        program.start()
        _, result = result_of(client, call)
        same_in_both_logs(own, core, result)
        assert not there or there[0] == answer_to(own, core), "it is recorded once"
        program.stop()
    State["between"] = between


def changed_record(reply, change):
    """As a server without the log's key changes it."""
    record = json.loads(reply["receipts"][-1]["record"])
    change(record)
    reply["receipts"][-1]["record"] = canonical(record).decode()
    return reply


def a_lying_own_appliance_gets_nothing_opened(house, own):
    program, client, between = State["program"], State["client"], State["between"]
    earlier = own.client("talla:auditor-1").get(f"/v1/receipts/{min(answers(own))}")
    lies = {
        "no receipt": lambda reply: {"answer": reply["answer"]},
        "no receipts in the list": lambda reply: reply | {"receipts": []},
        "the receipt of another answer": lambda reply: reply | {"receipts": [earlier]},
        "a record that is not in the log": lambda reply: changed_record(
            reply, lambda record: record.update(seq=record["seq"] + 1)),
        "another number": lambda reply: changed_record(
            reply, lambda record: record["body"].update(value="0" * 64)),
        "another signature": lambda reply: changed_record(
            reply, lambda record: record["body"].update(
                signature=base64.b64encode(bytes(64)).decode())),
    }
    core, call = draw_call(client, State["table"], State["batch"])
    for name, lie in lies.items():
        before = len(program.events())
        between.fate = lambda lie=lie: lie
        program.start()
        wait_until(lambda: told(program, before, "not-recorded") or told(program, before, "left"),
                   f"{name}: nothing is said")
        time.sleep(LOOKS)
        program.stop()
        assert client.get(f"/v1/calls/{call}")["missing"] == ["talla:partner-1"], name
        assert not told(program, before, "opened"), name
    between.fate = lambda: "through"
    program.start()
    _, result = result_of(client, call)
    same_in_both_logs(own, core, result)
    program.stop()
    points_to(program.own, own.port)


def another_core_of_a_turn_and_a_copied_folder_get_nothing(house, own):
    """The house, with all its keys, tells a second history behind the same records, and calls
    otherwise in it."""
    program = State["program"]
    fork = fork_of(house)
    lied_to = f"{program.folder}-fork"
    shutil.copytree(program.folder, lied_to)
    points_to(lied_to, fork.port)
    copied = program.copied("fork", lied_to)
    client = State["client"] = house.client()
    program.start()
    core, call = draw_call(client, State["table"], State["batch"])
    _, result = result_of(client, call)
    same_in_both_logs(own, core, result)
    with_it, before = len(answers(own)), len(program.events())
    fork.start()
    try:
        twin = fork.client()
        batch = State["batch"] | {"index": State["batch"]["index"] - 1}
        other, twin_call = draw_call(twin, State["table"], batch)
        assert other["turn"] == core["turn"] and other != core
        copied.start()
        wait_until(lambda: [one for one in told(copied, 0, "left")
                            if "answered_otherwise" in one["why"]], copied.said)
        copied.stop()
        assert not told(copied, 0, "opened"), copied.events()
        # The program itself knows what it has seen.
        program.stop()
        itself = program.copied("itself", lied_to)
        itself.start()
        wait_until(lambda: told(itself, 0, "contributes"), "no start")
        time.sleep(LOOKS)
        itself.stop()
        assert not told(itself, 0, "opened"), itself.events()
        assert twin.get(f"/v1/calls/{twin_call}")["missing"] == ["talla:partner-1"]
    finally:
        fork.kill()
    assert len(answers(own)) == with_it, "nothing else was recorded"
    assert not told(program, before, "refused")


def a_copied_folder_beside_the_program_opens_nothing_different(house, own):
    """Both see the same house: one of them records, both would send the same bytes."""
    program, client = State["program"], State["client"]
    beside = program.copied("beside", program.folder)
    program.start()
    beside.start()
    core, call = draw_call(client, State["table"], State["batch"])
    _, result = result_of(client, call)
    same_in_both_logs(own, core, result)
    beside.stop()
    program.stop()


def a_folder_that_records_is_never_used_without(house, own):
    program = State["program"]
    done = subprocess.run([f"{house.binaries}/talla", "--client", program.folder, "contribute",
                           "--state", program.state], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "--record" in done.stderr, done


def an_own_log_that_went_back_records_nothing_more(house, own):
    """The own appliance is restored from a copy of everything it has: nobody but the program
    remembers."""
    program, client = State["program"], State["client"]
    own.kill()
    kept = f"{own.folder}-kept"
    shutil.copytree(own.folder, kept)
    own.start()
    program.start()
    core, call = draw_call(client, State["table"], State["batch"])
    _, result = result_of(client, call)
    same_in_both_logs(own, core, result)
    own.kill()
    shutil.rmtree(own.folder)
    shutil.move(kept, own.folder)
    own.start()
    before = len(program.events())
    core, call = draw_call(client, State["table"], State["batch"])
    wait_until(lambda: told(program, before, "left"), "nothing is said")
    assert "not there any more" in told(program, before, "left")[0]["why"]
    assert not told(program, before, "opened")
    assert client.get(f"/v1/calls/{call}")["missing"] == ["talla:partner-1"]
    program.stop()


State = {}
FACTS = [what_is_opened_stands_in_the_own_log_first,
         a_shoe_of_a_table_three_phones_and_the_partner_verifies_from_its_file,
         the_own_log_verifies_and_its_answers_with_it,
         without_its_own_appliance_nothing_is_opened_and_that_is_said_once,
         kills_between_record_and_number_send_the_same_bytes,
         a_lying_own_appliance_gets_nothing_opened,
         another_core_of_a_turn_and_a_copied_folder_get_nothing,
         a_copied_folder_beside_the_program_opens_nothing_different,
         a_folder_that_records_is_never_used_without,
         an_own_log_that_went_back_records_nothing_more]

if __name__ == "__main__":
    PYTHON = __file__.replace("e2e/partner_test.py", "verify_bundle.py")
    with Appliance(sys.argv[1], origin="house.example/talla-1", edit_config=with_public) as one, \
            Appliance(sys.argv[1], origin="partner.example/talla-1") as two:
        State["program"] = Program(one, two)
        one.start()
        two.start()
        failed = hold(FACTS, one, two)
        if failed:
            print(open(State["program"].said).read()[-4000:])
            print(f"--- the daemons' logs\n{one.log()[-3000:]}\n---\n{two.log()[-3000:]}")
    sys.exit(1 if failed else 0)
