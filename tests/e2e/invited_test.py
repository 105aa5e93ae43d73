#!/usr/bin/env python3
# Goal: seats put numbers of their own into a table's draws, shoe and settled round by the links
#   that it gives, and see their bets before; each result is verified with them in it; who does not
#   open is named, counted and gone on without; nothing is lost when daemon, table or contributor is
#   killed in the middle.
# Method: the real daemon with its public listener, the Python table client, and
#   talla_contribute.py as programs of their own. usage: invited_test.py FOLDER_OF_PROGRAMS
import base64
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

from appliance import Appliance, free_ports
from facts import hold, wait_for
from verifier import here

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = os.path.join(HERE, "..", "..", "rngd", "sdk", "client", "python")
sys.path.insert(0, PYTHON)
from talla_client import Table, Withheld  # noqa: E402
from talla_log import NotBelieved  # noqa: E402

WHEEL = {"settled_by": "client", "range": {"kind": "wheel", "pockets": 37}, "open_within": 3}
SHOE = {"settled_by": "client", "deck": "french52x1", "open_within": 3}
ROULETTE = {"catalogue": "es-1977", "game": "french-roulette", "open_within": 120,
            "table": {"currency": "ESP", "unit": 1, "min": 25, "params": {}}}
BETS = [{"id": "a", "seat": 1, "kind": "pleno", "on": ["17"], "stake": 25},
        {"id": "b", "seat": 2, "kind": "pleno", "on": ["32"], "stake": 50}]
PORT = free_ports(1)[0]
CLIENT = "talla:seats-table"


def with_public(text):
    return text + f"\n[public]\nenabled = true\nport = {PORT}\n"


class Phone:
    """A program of a seat, led by its link."""

    def __init__(self, appliance, link, name):
        self.state = f"{appliance.folder}/{name}.json"
        self.link = link
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, f"{PYTHON}/talla_contribute.py", self.link, "--state", self.state],
            stdout=subprocess.PIPE, text=True)
        self.said = []
        threading.Thread(target=self.read, args=(self.process,), daemon=True).start()

    def read(self, process):
        for line in process.stdout:
            self.said.append(json.loads(line))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def kept(self):
        with open(self.state) as file:
            return json.load(file)

    def key(self):
        return hashlib.sha256(base64.b64decode(self.kept()["memory"]["key"])).hexdigest()


class Browser:
    """A phone's browser with the page, in one language."""

    def __init__(self, appliance, link, language):
        self.process = subprocess.Popen(
            [shutil.which("node"), f"{HERE}/../web/real_seat.mjs", appliance.folder, str(PORT),
             link, language], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.said = [{"status": "", "bets": "", "ends": []}]
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.said.append(json.loads(line))
            assert not self.said[-1]["wide"] and not self.said[-1]["errors"], line

    def shows(self, words, count=1):
        wait_for(words, lambda: sum(words in one for one in self.said[-1]["ends"]) == count, 60)

    def reload(self):
        self.press("again")

    def press(self, name):
        """What has this id; `again`: the page is opened anew."""
        self.process.stdin.write(name + "\n")
        self.process.stdin.flush()

    def asks(self, words):
        """It waits for its person, who sees bets; what they are."""
        wait_for(words, lambda: words in self.said[-1]["status"] and self.said[-1]["bets"], 60)
        return self.said[-1]["bets"]

    def kill(self):
        self.process.stdin.close()
        self.process.wait(30)


class World:
    def __init__(self, appliance):
        self.appliance = appliance
        appliance.talla("keys", "client", appliance.folder, CLIENT, "--role", "table", check=True)
        self.folder = f"{appliance.folder}/seats-table"
        os.mkdir(self.folder)
        with open(f"{appliance.folder}/client/client.toml") as file:
            lines = [line for line in file if line.split(" =")[0] not in ("certificate", "key")]
        with open(f"{self.folder}/client.toml", "w") as file:
            file.write("".join(lines) + f'certificate = "../clients/{CLIENT}.pem"\n'
                       f'key = "../clients/{CLIENT}.key"\n')
        self.phones, self.opened = [], 0

    def client(self):
        return Table(self.folder, f"{self.folder}/journal-{self.opened}")

    def open(self, what, seats):
        """A table with these seats' programs, who have handed in."""
        for phone in self.phones:
            phone.kill()
        self.opened += 1
        self.table = self.client()
        self.id = self.table.post("/v1/tables", what)["table"]["id"]
        base = f"https://localhost:{PORT}"
        self.phones = [Phone(self.appliance, self.table.invite(self.id, seat, base),
                             f"{self.id}-seat-{seat}") for seat in seats]
        self.until_ahead(len(seats))

    def until_ahead(self, count):
        wait_for("commitments", lambda: sum(
            one["ahead"] > 0 for one in self.table.picture(self.id).get("contributors", [])
        ) == count)

    def end(self):
        for phone in self.phones:
            phone.kill()
        self.phones = []
        self.table.post(f"/v1/tables/{self.id}/close")

    def verified(self, seq, mine=(), refuses=()):
        """The record's bundle, by both verifiers; the keys whose number is in it, and is not."""
        path = f"{self.appliance.folder}/{seq}.talla"
        with open(path, "w") as file:
            file.write(self.table.until_answered("GET", f"/v1/bundles/{seq}").decode())
        root = f"{self.appliance.folder}/ca.pem"
        for key, wanted in [(key, True) for key in mine] + [(key, False) for key in refuses]:
            done = here.bundle(path, root, "--mine", key)
            assert (done.returncode != 1) == wanted, f"{key}: {done.stdout}{done.stderr}"
            talla = self.appliance.talla("verify", path, "--root", root, "--mine", key)
            assert (talla.returncode != 1) == wanted, f"{key}: {talla.stdout}{talla.stderr}"


def numbers_of_two_seats_are_in_each_draw(world):
    world.open(WHEEL, (1, 2))
    keys = [phone.key() for phone in world.phones]
    for _ in range(3):
        drawn = world.table.draw(world.id)["draw"]
        assert 0 <= drawn["outcome"]["pocket"] < 37
        world.verified(drawn["seq"], keys, ["00" * 32])
    for phone in world.phones:
        wait_for("it knows", lambda: len(phone.kept()["ends"]) == 3)
        assert all(end["given"] for end in phone.kept()["ends"])
    world.end()


def numbers_of_three_seats_are_in_the_order_of_a_shoe(world):
    world.open(SHOE, (1, 2, 3))
    shoe = world.table.post(f"/v1/tables/{world.id}/shoes")["shoe"]["id"]
    mixed = world.table.mix(shoe)["shoe"]["mixed"]
    keys = [phone.key() for phone in world.phones]
    world.verified(mixed, keys)
    dealt = world.table.post(f"/v1/shoes/{shoe}/deal",
                             {"place": "box-1", "face": "open", "expected": 0, "until": 1})
    assert dealt["cards"][0]["card"]
    closed = world.table.post(f"/v1/shoes/{shoe}/close")
    world.verified(json.loads(closed["receipts"][-1]["record"])["seq"], keys)
    world.end()


def who_is_gone_is_named_and_the_next_call_goes_without(world):
    world.open(WHEEL, (1, 2))
    first, second = world.phones
    world.table.draw(world.id)
    second.kill()
    try:
        world.table.draw(world.id)
        raise AssertionError("a result without a number that was named")
    except Withheld as why:
        assert why.problem["missing"] == ["seat-2"], why.problem
    drawn = world.table.draw(world.id)["draw"]
    world.verified(drawn["seq"], [first.key()], [second.key()])
    second.start()
    world.until_ahead(2)
    drawn = world.table.draw(world.id)["draw"]
    world.verified(drawn["seq"], [first.key(), second.key()])
    wait_for("it knows", lambda: [end["given"] for end in second.kept()["ends"]] ==
             [True, False, True])
    world.end()


def a_killed_daemon_asks_again_and_gets_the_same_number(world):
    world.open(WHEEL | {"open_within": 60}, (1, 2))
    first, second = world.phones
    second.process.send_signal(signal.SIGSTOP)
    result = []
    thread = threading.Thread(target=lambda: result.append(world.table.draw(world.id)))
    thread.start()
    wait_for("one has opened", lambda: any("opened" in one for one in first.said))
    world.appliance.kill()
    world.appliance.start()
    second.process.send_signal(signal.SIGCONT)
    thread.join(60)
    world.verified(result[0]["draw"]["seq"], [first.key(), second.key()])
    world.end()


def a_killed_table_finds_its_call_again(world):
    world.open(WHEEL | {"open_within": 60}, (1,))
    phone = world.phones[0]
    phone.process.send_signal(signal.SIGSTOP)
    world.table.patience = 1
    try:
        world.table.draw(world.id)
        raise AssertionError("nobody has opened")
    except Exception as why:  # noqa: BLE001: whatever ends the program
        assert type(why).__name__ == "Unanswered", why
    world.table = world.client()
    phone.process.send_signal(signal.SIGCONT)
    drawn = world.table.resume()["draw"]
    world.verified(drawn["seq"], [phone.key()])
    world.verified(world.table.draw(world.id)["draw"]["seq"], [phone.key()])
    world.end()


def an_end_that_is_not_the_calls_own_is_not_believed(world):
    """The view of a call that ended carries the receipt of its end: each lie about it stops the
    client, and behind it the true one is believed."""
    world.open(WHEEL, (1,))
    before = world.table.draw(world.id)["receipts"][-1]
    lies = [lambda end: end | {"receipt": before},
            lambda end: end | {"receipt": end["receipt"] | {"proof": before["proof"]}},
            lambda end: end | {"receipt": end["receipt"] | {
                "record": end["receipt"]["record"].replace('"boot":', '"boot":1')}},
            lambda end: {"kind": end["kind"], "seq": end["seq"]}]
    for lie in lies:
        true = world.table.get

        def told(path, true=true, lie=lie):
            view = true(path)
            return view | {"ended": lie(view["ended"])} if "ended" in view else view

        world.table.get = told
        try:
            world.table.draw(world.id)
            raise AssertionError("it was believed")
        except NotBelieved:
            pass
        world.table = world.client()
        assert world.table.resume()["draw"]["seq"] > json.loads(before["record"])["seq"]
    world.end()


def a_link_is_of_one_seat_and_the_last_that_was_given(world):
    world.open(WHEEL, (1,))
    old = world.phones[0]
    link = world.table.invite(world.id, 1, f"https://localhost:{PORT}")
    wait_for("it ends", lambda: old.process.poll() is not None)
    assert old.process.returncode == 5
    new = Phone(world.appliance, link, "another-device")
    world.phones.append(new)
    wait_for("it joins", lambda: any("joined" in one for one in new.said))
    drawn = world.table.draw(world.id)["draw"]
    world.verified(drawn["seq"], [new.key()], [old.key()])
    world.end()


def phones_with_the_page_take_part_in_both_languages(world):
    world.open(SHOE | {"open_within": 20}, ())
    base = f"https://localhost:{PORT}"
    spanish, english = world.phones = [
        Browser(world.appliance, world.table.invite(world.id, seat, base), language)
        for seat, language in ((1, "es"), (2, "en"))]
    world.until_ahead(2)
    shoe = world.table.post(f"/v1/tables/{world.id}/shoes")["shoe"]["id"]
    mixed = world.table.mix(shoe)["shoe"]["mixed"]
    keys = [hashlib.sha256(base64.b64decode(one["key"])).hexdigest()
            for one in world.table.picture(world.id)["contributors"]]
    assert len(keys) == 2
    world.verified(mixed, keys)
    spanish.shows("Su número está en el orden de este sabot.")
    english.shows("Your number is in the order of this shoe.")
    spanish.shows("Comprobado en este teléfono con el fichero de prueba: válida")
    english.shows("Verified by this phone from the evidence file: valid")
    world.table.post(f"/v1/shoes/{shoe}/close")
    spanish.reload()
    english.kill()
    shoe = world.table.post(f"/v1/tables/{world.id}/shoes")["shoe"]["id"]
    try:
        world.table.mix(shoe)
        raise AssertionError("a result without a number that was named")
    except Withheld as why:
        assert why.problem["missing"] == ["seat-2"], why.problem
    spanish.shows("El puesto 2 no dio su número a tiempo")
    mixed = world.table.mix(shoe)["shoe"]["mixed"]
    world.verified(mixed, keys[:1], keys[1:])
    spanish.shows("Su número está en el orden de este sabot.", 2)
    world.phones = [spanish]
    world.table.post(f"/v1/shoes/{shoe}/close")
    world.end()


def a_settled_round_shows_each_phone_its_own_bets_before_its_number_leaves(world):
    world.open(ROULETTE, ())
    base = f"https://localhost:{PORT}"
    spanish, english = world.phones = [
        Browser(world.appliance, world.table.invite(world.id, seat, base), language)
        for seat, language in ((1, "es"), (2, "en"))]
    world.until_ahead(2)
    keys = [hashlib.sha256(base64.b64decode(one["key"])).hexdigest()
            for one in world.table.picture(world.id)["contributors"]]
    for phone in world.phones:
        phone.press("ask")
    played = world.table.post(f"/v1/tables/{world.id}/rounds")["round"]["id"]
    world.table.post(f"/v1/rounds/{played}/close-bets", {"bets": BETS})
    result = []
    thread = threading.Thread(
        target=lambda: result.append(world.table.draw(world.id, round=played)))
    thread.start()
    for phone, words, own, other in ((spanish, "Mire sus apuestas", "17", "32"),
                                     (english, "Look at your bets", "32", "17")):
        bets = phone.asks(words)
        assert own in bets and other not in bets, bets
    overseer = world.appliance.client("talla:auditor-1")
    call = overseer.get(f"/v1/tables/{world.id}")["table"]["open_call"]
    assert overseer.get(f"/v1/calls/{call}")["missing"] == ["seat-1", "seat-2"]
    spanish.press("give")
    wait_for("one has opened", lambda: overseer.get(f"/v1/calls/{call}")["missing"] == ["seat-2"])
    english.press("give")
    thread.join(60)
    drawn = result[0]["draw"]
    round_now = overseer.get(f"/v1/rounds/{played}")["round"]
    assert round_now["state"] == "ended" and len(round_now["results"]) == 2, round_now
    settled = json.loads(overseer.get(f"/v1/receipts/{drawn['seq'] + 1}")["record"])
    assert settled["kind"] == "SETTLEMENT" and settled["object"] == played, settled
    for seq in (drawn["seq"], settled["seq"]):
        world.verified(seq, keys, ["00" * 32])
    spanish.shows("Su número está en este sorteo.")
    english.shows("Your number is in this draw.")
    spanish.shows("La jugada está liquidada y su número está en aquello en que se apoya.")
    english.shows("The round is settled, and your number is in what it rests on.")
    # Draw and settlement, each by its own evidence.
    spanish.shows("Comprobado en este teléfono con el fichero de prueba: válida", 2)
    english.shows("Verified by this phone from the evidence file: valid", 2)
    world.end()


def main():
    with Appliance(sys.argv[1], edit_config=with_public) as appliance:
        world = World(appliance)
        appliance.start()
        failed = hold([numbers_of_two_seats_are_in_each_draw,
                       numbers_of_three_seats_are_in_the_order_of_a_shoe,
                       who_is_gone_is_named_and_the_next_call_goes_without,
                       a_killed_daemon_asks_again_and_gets_the_same_number,
                       a_killed_table_finds_its_call_again,
                       an_end_that_is_not_the_calls_own_is_not_believed,
                       a_link_is_of_one_seat_and_the_last_that_was_given,
                       phones_with_the_page_take_part_in_both_languages,
                       a_settled_round_shows_each_phone_its_own_bets_before_its_number_leaves],
                      world)
        for phone in world.phones:
            phone.process.kill()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
