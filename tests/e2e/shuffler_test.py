#!/usr/bin/env python3
# Goal: a shuffling machine of another maker gets a shoe's order, once, and the shoe is played or
#   void as it reports; what the auditor opens of a covered shoe is judged by both verifiers.
# Method: shuffler.py, written from certs/FORMAT.md alone, against a real appliance that is killed
#   in between; bundles to both verifiers; everything on disk searched for the order.
#   usage: shuffler_test.py FOLDER_OF_PROGRAMS
import base64
import json
import os
import subprocess
import sys
import threading
import time

from calls import mix_body
from appliance import new_key, record_of
from facts import main, refused
from shuffler import CARD_BYTES, Shuffler
from verifier import here

HERE = os.path.dirname(os.path.abspath(__file__))
MACHINE, OTHER = "talla:shuffler-1", "talla:shuffler-2"
DECK = {"settled_by": "client", "deck": "spanish40x1"}


def enrol(appliance):
    for name in (MACHINE, OTHER):
        appliance.talla("keys", "client", appliance.folder, name, "--role", "shuffler", check=True)


def machine(appliance, name=MACHINE):
    return Shuffler(appliance.folder, appliance.port, name,
                    appliance.client().get("/v1/status")["origin"])


def sealed(client, deck=None, **wish):
    table = client.post("/v1/tables", deck or DECK)["table"]["id"]
    shoe = client.post(f"/v1/tables/{table}/shoes", wish)["shoe"]
    client.post(f"/v1/shoes/{shoe['id']}/mix", mix_body(client, shoe["id"]))
    return shoe["id"]


def release(client, shuffler, shoe, **form):
    body = {"machine": shuffler.machine, "key": base64.b64encode(shuffler.spki).decode(), **form}
    return client.post(f"/v1/shoes/{shoe}/release", body)


def close_and_verify(appliance, client, shoe, says, claim=None):
    """Both verifiers take the bundle of the close, and say this."""
    seq = claim or record_of(client.post(f"/v1/shoes/{shoe}/close"), "SHOE_CLOSE")["seq"]
    path = f"{appliance.folder}/{shoe}-{seq}.talla"
    open(path, "wb").write(client.send("GET", f"/v1/bundles/{seq}")[1])
    return path, both(appliance, path, says)


def both(appliance, path, says, openings=None, code=3):
    words = []
    mine = ["--openings", openings] if openings else []
    words.append(appliance.verify(path, *mine))
    done = here.bundle(path, f"{appliance.folder}/ca.pem", *mine)
    words.append((done.returncode, done.stdout + done.stderr))
    for got, text in words:
        assert got == code, text
        for line in says:
            assert line in text, f"{line!r} not in\n{text}"
    return [text for _, text in words]


def search(appliance, cards):
    """Nothing on disk holds eight cards in a row, as bytes or as text."""
    pieces = [bytes(CARD_BYTES[card] for card in cards[at:at + 8]) for at in range(len(cards) - 7)]
    pieces += [between.join(cards[at:at + 4]).encode() for at in range(len(cards) - 3)
               for between in (" ", ",", '","')]
    for at, _, names in os.walk(f"{appliance.folder}/data"):
        for name in names:
            data = open(os.path.join(at, name), "rb").read()
            assert not any(piece in data for piece in pieces), name
    assert not any(piece in appliance.log().encode() for piece in pieces)


def the_order_goes_to_one_machine_once_and_its_match_lets_the_shoe_be_played(appliance):
    client, shuffler = appliance.client(), machine(appliance)
    shoe = sealed(client)
    release(client, shuffler, shoe)
    refused(client, "POST", f"/v1/shoes/{shoe}/release", 409, "wrong_state",
            {"machine": MACHINE, "key": base64.b64encode(shuffler.spki).decode()})
    refused(appliance.client(OTHER), "GET", f"/v1/shoes/{shoe}/release", 404, "not_found")
    refused(appliance.client("talla:auditor-1"), "GET", f"/v1/shoes/{shoe}/release", 403,
            "forbidden")
    first = shuffler.client.send("GET", f"/v1/shoes/{shoe}/release")[1]
    cards = shuffler.take(shoe)
    assert sorted(cards) == sorted(set(cards)) and len(cards) == 40
    appliance.kill()
    appliance.start()
    client, shuffler = appliance.client(), machine(appliance)
    assert shuffler.client.send("GET", f"/v1/shoes/{shoe}/release")[1] == first, \
        "the same bytes after a crash"
    assert shuffler.take(shoe) == cards
    deal = {"expected": 0, "until": 40, "place": "t", "face": "open"}
    refused(client, "POST", f"/v1/shoes/{shoe}/deal", 409, "wrong_state", deal)
    key = new_key()
    told = shuffler.signed(cards)
    report = shuffler.client.post(shuffler.path + "/report", told, key)
    assert report["report"]["result"] == "match"
    assert shuffler.client.post(shuffler.path + "/report", told, key) == report
    unsigned_reports_change_nothing(client, shuffler, cards)
    search(appliance, cards)
    dealt = client.post(f"/v1/shoes/{shoe}/deal", deal)
    assert [card["card"] for card in dealt["cards"]] == cards, \
        "the machine's order is that of dealing"
    close_and_verify(appliance, client, shoe,
                     [f"released once, to {MACHINE}", "reported each of 40 cards at its place",
                      f"the order was known to {MACHINE}"])


def unsigned_reports_change_nothing(client, shuffler, cards):
    """Signed for another report, another release, another number: what is in the log stays."""
    size = client.get("/v1/status")["size"]
    for change in ({"head": "00" * 32}, {"table": "table-999"}, {"number": 1}, {"number": 3}):
        true = vars(shuffler).copy()
        vars(shuffler).update({"number": 2, **change})
        refused(shuffler.client, "POST", shuffler.path + "/report", 422, "report_signature",
                shuffler.signed(cards, lid=True))
        vars(shuffler).update(true)
    assert client.get("/v1/status")["size"] == size


def a_machine_that_takes_one_card_at_a_time_goes_on_after_a_crash(appliance):
    client, shuffler = appliance.client(), machine(appliance)
    shoe = sealed(client)
    release(client, shuffler, shoe, form="targets")
    assert shuffler.take(shoe) == []
    cards = [shuffler.target(0)]
    again = {"target": 0}
    first = shuffler.client.send("POST", f"/v1/shoes/{shoe}/targets", again)[1]
    refused(shuffler.client, "POST", f"/v1/shoes/{shoe}/targets", 409, "wrong_card",
            {"target": 1, "seen": "0" * 32})
    refused(shuffler.client, "POST", f"/v1/shoes/{shoe}/targets", 409, "wrong_position",
            {"target": 2})
    size = client.get("/v1/status")["size"]
    for number in range(1, 20):
        cards.append(shuffler.target(number, cards[-1]))
    assert client.get("/v1/status")["size"] == size, "targets leave no record"
    appliance.kill()
    appliance.start()
    client, shuffler = appliance.client(), machine(appliance)
    shuffler.take(shoe)
    assert shuffler.client.send("POST", f"/v1/shoes/{shoe}/targets", again)[1] == first
    for number in range(20, 40):
        cards.append(shuffler.target(number, cards[-1]))
    search(appliance, cards)
    assert shuffler.report(cards)["report"] ["targets"] == 40
    dealt = client.post(f"/v1/shoes/{shoe}/deal",
                        {"expected": 0, "until": 40, "place": "t", "face": "open"})
    assert [card["card"] for card in dealt["cards"]] == cards
    close_and_verify(appliance, client, shoe, ["reported each of 40 cards at its place"])


def what_is_no_match_voids_the_shoe_and_both_verifiers_say_why(appliance):
    client, shuffler = appliance.client(), machine(appliance)
    cases = [("mismatch", lambda cards: shuffler.report(cards[1:] + cards[:1])),
             ("mismatch", lambda cards: shuffler.report(cards[:-1])),
             ("mismatch", lambda cards: shuffler.report([None] + cards[1:])),
             ("lid", lambda cards: shuffler.report(cards, lid=True)),
             ("jam", lambda _: shuffler.report(None, jam=True))]
    for result, act in cases:
        shoe = sealed(client)
        release(client, shuffler, shoe)
        got = act(shuffler.take(shoe))
        assert got["report"]["result"] == result and got["shoe"]["state"] == "voided", got
        seq = record_of(got, "SHOE_CLOSE")["seq"]
        close_and_verify(appliance, client, shoe, [f"void, because {MACHINE} reported {result}"],
                         seq)


def a_shelf_machine_fed_a_new_deck_is_evidence_of_its_shuffle(appliance):
    client, shuffler = appliance.client(), machine(appliance)
    shoe = sealed(client, {"settled_by": "client", "deck": "french52x1"})
    release(client, shuffler, shoe, form="shelf", compartments=10, reverses=True)
    cards = shuffler.take(shoe)
    assert shuffler.report(cards)["report"]["result"] == "match"
    close_and_verify(appliance, client, shoe, ["reported each of 52 cards at its place"])


def the_command_line_releases_and_waits_for_the_machine(appliance):
    public = f"{appliance.folder}/machine.pem"
    subprocess.run(["openssl", "pkey", "-in", f"{appliance.folder}/clients/{MACHINE}.key",
                    "-pubout", "-out", public], check=True)
    out, done = f"{appliance.folder}/released.talla", []
    work = threading.Thread(target=lambda:
                            done.append(appliance.talla("shoe", "--deck", "spanish40x1",
                                                        "--release-to", MACHINE, "--machine-key",
                                                        public, "--wait", "60", "--deal", "5",
                                                        "--out", out)))
    work.start()
    client, end, shoe = appliance.client(), time.monotonic() + 60, None
    while shoe is None:
        assert time.monotonic() < end and work.is_alive(), done
        for table in client.get("/v1/tables")["tables"]:
            live = client.get(f"/v1/shoes/{table['shoe']}")["shoe"] if "shoe" in table else {}
            if live.get("release", {}).get("machine") == MACHINE and \
                    "report" not in live["release"]:
                shoe = live["id"]
        time.sleep(0.05)
    ran = subprocess.run([sys.executable, f"{HERE}/shuffler.py", appliance.folder,
                          str(appliance.port), MACHINE, shoe], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "match\n"), ran.stdout + ran.stderr
    work.join()
    assert done[0].returncode == 0, done[0].stdout + done[0].stderr
    assert f"order released, once, to {MACHINE}" in done[0].stdout and \
        "the machine reports: match" in done[0].stdout
    both(appliance, out, [f"released once, to {MACHINE}"])
    gone = appliance.talla("shoe", "--release-to", MACHINE, "--machine-key", public, "--wait", "0")
    assert gone.returncode == 1 and "no report of the machine yet" in gone.stderr + gone.stdout, \
        gone


def an_auditor_opens_a_covered_shoe_and_both_verifiers_check_every_card(appliance):
    client = appliance.client()
    table = client.post("/v1/tables", DECK)["table"]["id"]
    made = client.post(f"/v1/tables/{table}/shoes", {"disclosure": "covered"})["shoe"]
    shoe = made["id"]
    client.post(f"/v1/shoes/{shoe}/mix", mix_body(client, shoe))
    client.post(f"/v1/shoes/{shoe}/deal", {"expected": 0, "until": 3, "place": "t", "face": "open"})
    path, words = close_and_verify(appliance, client, shoe, ["composition of 37 unopened cards"])
    file = f"{appliance.folder}/openings.json"
    taken = appliance.talla("openings", shoe, "--out", file, client="auditor")
    assert taken.returncode == 0 and "logged: ACCESS" in taken.stdout, taken
    assert os.stat(file).st_mode & 0o077 == 0, "for its user alone"
    for text in both(appliance, path, ["auditor's openings"], file):
        assert "composition" not in text, text
    assert appliance.talla("openings", shoe, "--out", file, client="client").returncode == 1, \
        "auditors only"
    changed = json.load(open(file))
    changed["roots"][0]["key"] = "00" * 32
    lie = f"{appliance.folder}/lie.json"
    open(lie, "w").write(json.dumps(changed, sort_keys=True, separators=(",", ":")))
    both(appliance, path, [], lie, 1)
    other = sealed(client)
    bundle, _ = close_and_verify(appliance, client, other, ["the whole shuffle"])
    both(appliance, bundle, [], file, 1)
    events = appliance.client("talla:auditor-1").get("/v1/events?limit=1000")["events"]
    logged = [json.loads(event["record"]) for event in events if event["kind"] == "ACCESS"]
    assert [record["body"]["object"] for record in logged
            if record["body"]["what"] == "openings"] == [shoe]
    del words


if __name__ == "__main__":
    main([the_order_goes_to_one_machine_once_and_its_match_lets_the_shoe_be_played,
          a_machine_that_takes_one_card_at_a_time_goes_on_after_a_crash,
          what_is_no_match_voids_the_shoe_and_both_verifiers_say_why,
          a_shelf_machine_fed_a_new_deck_is_evidence_of_its_shuffle,
          the_command_line_releases_and_waits_for_the_machine,
          an_auditor_opens_a_covered_shoe_and_both_verifiers_check_every_card], before=enrol)
