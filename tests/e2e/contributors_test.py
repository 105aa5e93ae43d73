#!/usr/bin/env python3
# Goal: seats with a link and nothing else put their numbers into draws and shoes of the real
#   appliance, over its public listener; what comes of it verifies in all three verifiers, and with
#   a seat's own key as its own; a wrong, replaced or ended token opens nothing and is in no log.
# Method: the daemon with its public listener; contributors written from certs/FORMAT.md
#   section 8 (contributor.py); kills between CALL and openings.
#   usage: contributors_test.py FOLDER_OF_PROGRAMS
import base64
import hashlib
import http.client
import json
import os
import secrets
import ssl
import sys

from appliance import Appliance, free_ports, record_of
from calls import draw_core, mix_core, signed
from contributor import Contributor, others_of
from facts import SHOE, WHEEL, hold, new_batch, open_table, refused, wait_for

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                                "liars"))
import judges  # noqa: E402

PUBLIC_PORT = free_ports(1)[0]
LIMIT = {"open_within": 2}


def with_public(text):
    return text + f"\n[public]\nenabled = true\nport = {PUBLIC_PORT}\n"


class Seat:
    """A phone: a token, and a contributor's key and seed."""

    def __init__(self, appliance, table_client, table, number):
        self.appliance, self.table, self.id = appliance, table, f"seat-{number}"
        self.token = base64.urlsafe_b64encode(secrets.token_bytes(16)).decode().rstrip("=")
        digest = hashlib.sha256(self.token.encode()).hexdigest()
        table_client.post(f"/v1/tables/{table}/invitations", {"seat": number, "token": digest})
        record = self.get(f"/v1/receipts/{table.removeprefix('table-')}")["record"]
        self.own = Contributor(self.id, record, f"{appliance.folder}/{self.token}.pem")

    def ask(self, method, path, body=None, token=None, headers=None):
        """Status, headers and value of the reply."""
        context = ssl.create_default_context(cafile=f"{self.appliance.folder}/ca.pem")
        connection = http.client.HTTPSConnection("localhost", PUBLIC_PORT, context=context,
                                                 timeout=30)
        said = {"Authorization": "Bearer " + (self.token if token is None else token),
                "Content-Type": "application/json"}
        connection.request(method, path, None if body is None else json.dumps(body),
                           said | (headers or {}))
        reply = connection.getresponse()
        text = reply.read()
        connection.close()
        return reply.status, reply.headers, json.loads(text)

    def get(self, path):
        status, _, value = self.ask("GET", path)
        assert status == 200, f"GET {path}: {status} {value}"
        return value

    def post(self, path, body):
        status, _, value = self.ask("POST", path, body)
        assert status == 200, f"POST {path}: {status} {value}"
        return value

    def commit(self):
        return self.post(f"/v1/tables/{self.table}/commitments", self.own.commitments())

    def open(self, call):
        core = self.get(f"/v1/calls/{call}")["call"]["core"]
        return self.post(f"/v1/calls/{call}/openings", self.own.opened(core))


def seated(appliance, kind, seats=3):
    client = appliance.client()
    table = open_table(client, kind)
    players = [Seat(appliance, client, table, number) for number in range(1, seats + 1)]
    for player in players:
        assert player.commit() == {"id": player.id, "next": 17, "ahead": 16}
    return client, table, players


def end_of(client, call):
    ended = wait_for("a result", lambda: client.get(f"/v1/calls/{call}").get("ended"))
    return ended["kind"], ended["seq"]


def verified(appliance, client, seq, players, missing=()):
    """By all three verifiers, and by talla with the own key of each; the words of talla."""
    path, root = f"{appliance.folder}/{seq}.talla", f"{appliance.folder}/ca.pem"
    status, text = client.send("GET", f"/v1/bundles/{seq}")
    assert status == 200, text
    with open(path, "wb") as file:
        file.write(text)
    for verifier in (judges.Native(f"{appliance.binaries}/talla"), judges.Python(),
                     judges.Browser()):
        verdict, = verifier.judge([(path, None)], root)
        assert verdict.code == 3, (verifier.name, verdict)
    for player in players:
        key = hashlib.sha256(player.own.spki).hexdigest()
        assert appliance.verify(path, "--mine", key)[0] == (1 if player in missing else 3), key
    return appliance.verify(path)[1]


def draws_follow_from_the_numbers_of_all_seats(appliance):
    client, table, players = seated(appliance, WHEEL)
    batch = new_batch(client, table)
    for index in range(2):
        batch["index"] = index
        core = draw_core(client, table, batch) | {"others": others_of(client, table)}
        called = client.post("/v1/draws", signed(client, core))
        call = called["call"]["seq"]
        assert record_of(called, "CALL")["seq"] == call
        assert players[0].get(f"/v1/tables/{table}")["table"]["open_call"] == call
        for player in players:
            player.open(call)
        kind, seq = end_of(client, call)
        assert kind == "draw"
        words = verified(appliance, client, seq, players)
        assert all(player.id in words for player in players), words


def a_shoe_is_mixed_by_all_seats_over_a_kill_between_call_and_openings(appliance):
    client, table, players = seated(appliance, SHOE)
    shoe = client.post(f"/v1/tables/{table}/shoes")["shoe"]["id"]
    core = mix_core(client, shoe) | {"others": others_of(client, table)}
    call = client.post(f"/v1/shoes/{shoe}/mix", signed(client, core))["call"]["seq"]
    players[0].open(call)
    appliance.kill()
    appliance.start()
    client = appliance.client()
    assert client.get(f"/v1/calls/{call}")["missing"] == ["seat-2", "seat-3"]
    for player in players[1:]:
        player.open(call)
    kind, seq = end_of(client, call)
    assert kind == "shoe_mix"
    verified(appliance, client, seq, players)
    dealt = client.post(f"/v1/shoes/{shoe}/deal",
                        {"expected": 0, "until": 2, "place": "hand", "face": "open"})
    verified(appliance, client, record_of(dealt, "CARD_DEAL")["seq"], players)


def who_opens_nothing_is_named_and_the_next_turn_goes_without(appliance):
    client, table, players = seated(appliance, WHEEL | LIMIT)
    batch = new_batch(client, table)
    core = draw_core(client, table, batch) | {"others": others_of(client, table)}
    call = client.post("/v1/draws", signed(client, core))["call"]["seq"]
    for player in players[:2]:
        player.open(call)
    kind, seq = end_of(client, call)
    assert kind == "void"
    assert client.get(f"/v1/calls/{call}")["missing"] == ["seat-3"]
    record = json.loads(client.get(f"/v1/receipts/{seq}")["record"])
    assert (record["body"]["cause"], record["body"]["missing"]) == ("withheld", ["seat-3"])
    verified(appliance, client, seq, [])
    batch["index"] = 1
    core = draw_core(client, table, batch) | {"others": others_of(client, table)[:2]}
    call = client.post("/v1/draws", signed(client, core))["call"]["seq"]
    for player in players[:2]:
        player.open(call)
    kind, seq = end_of(client, call)
    words = verified(appliance, client, seq, players, missing=players[2:])
    assert "seat-3" in words, words


def behind_too_many_voids_two_persons_sign_that_it_is_called_for_again(appliance):
    client, table, _ = seated(appliance, WHEEL | LIMIT | {"max_voids": 0}, 1)
    batch = new_batch(client, table)
    core = draw_core(client, table, batch) | {"others": others_of(client, table)}
    call = client.post("/v1/draws", signed(client, core))["call"]["seq"]
    assert end_of(client, call)[0] == "void"
    batch["index"] = 1
    body = signed(client, draw_core(client, table, batch))
    problem = refused(client, "POST", "/v1/draws", 409, "void_limit", body)
    assert problem["object"] == batch["id"] and problem["ended_by"]["act"] == "call-again", problem
    asked = appliance.talla("--json", "act", "ask", "call-again", "--object", problem["object"],
                            "--head", problem["head"], client="inspector", check=True)
    act = json.loads(asked.stdout.splitlines()[0])["id"]
    assert appliance.talla("act", "confirm", act, client="inspector").returncode != 0
    appliance.talla("act", "confirm", act, client="operator", check=True)
    drawn = client.post("/v1/draws", body)
    by = [one["id"] for one in record_of(drawn, "CALL")["body"]["order"]["by"]]
    assert by == ["talla:inspector-1", "talla:operator-1"], by
    verified(appliance, client, drawn["draw"]["seq"], [])
    batch["index"] = 2
    refused(client, "POST", "/v1/draws", 409, "void_limit",
            signed(client, draw_core(client, table, batch)))


def a_call_that_two_persons_void_is_told_as_ended(appliance):
    """Of a mix that waits, and of a draw: by whoever asks, over a restart too; the next call is
    answered."""
    for kind in (SHOE, WHEEL):
        client, table, players = seated(appliance, kind | {"open_within": 600}, 2)
        if kind is SHOE:
            about = client.post(f"/v1/tables/{table}/shoes")["shoe"]["id"]
            path, make = f"/v1/shoes/{about}/mix", lambda: mix_core(client, about)
        else:
            batch = new_batch(client, table)
            about, path, make = batch["id"], "/v1/draws", lambda: draw_core(client, table, batch)
        core = make() | {"others": others_of(client, table)}
        call = client.post(path, signed(client, core))["call"]["seq"]
        players[0].open(call)
        said = client.get(f"/v1/calls/{call}")
        assert "ended" not in said and said["missing"] == ["seat-2"], said
        asked = appliance.talla("--json", "act", "ask", "draw-void", "--object", about, "--call",
                                str(call), client="officer", check=True)
        act = json.loads(asked.stdout.splitlines()[0])["id"]
        appliance.talla("act", "confirm", act, client="inspector", check=True)
        for restarted in (False, True):
            if restarted:
                appliance.kill()
                appliance.start()
                client = appliance.client()
            said = client.get(f"/v1/calls/{call}")
            assert said["ended"]["kind"] == "void" and said["call"]["core"] == core, said
            assert players[0].get(f"/v1/calls/{call}")["ended"] == said["ended"]
            void = json.loads(client.get(f"/v1/receipts/{said['ended']['seq']}")["record"])
            assert void["body"]["cause"] == "order" and void["body"]["call"] == call, void
            assert [one["id"] for one in void["body"]["openings"]] == ["seat-1"], void
        words = verified(appliance, client, said["ended"]["seq"], [])
        assert "seat-1" in words, words
        if kind is WHEEL:
            batch["index"] += 1
        core = make() | {"others": others_of(client, table)}
        call = client.post(path, signed(client, core))["call"]["seq"]
        for player in players:
            player.open(call)
        assert end_of(client, call)[0] in ("shoe_mix", "draw")


def a_token_opens_its_own_table_and_no_longer_than_it_stands(appliance):
    client, table, (player, *_) = seated(appliance, WHEEL, 1)
    other = open_table(client, WHEEL)
    refusals = set()

    def turned_away(status, path, method="GET", body=None, **more):
        got, headers, value = player.ask(method, path, body, **more)
        assert got == status, (path, got, value)
        if status == 401:
            assert headers["WWW-Authenticate"] == "Bearer"
            refusals.add(json.dumps(value))
        return value

    turned_away(404, f"/v1/tables/{other}")
    turned_away(404, f"/v1/receipts/{other.removeprefix('table-')}")
    turned_away(403, "/v1/tables")
    turned_away(403, f"/v1/tables/{table}/close", "POST", {})
    turned_away(415, f"/v1/tables/{table}/commitments", "POST", {},
            headers={"Content-Type": "text/plain"})
    turned_away(403, f"/v1/tables/{table}/commitments", "POST", {},
            headers={"Origin": "https://elsewhere.example"})
    path = f"/v1/tables/{table}"
    for wrong in ("", "x", "A" * 22, player.token[:-1], player.token + "A"):
        turned_away(401, path, token=wrong)
    assert player.get(path)["table"]["id"] == table
    again = Seat(appliance, client, table, 1)
    turned_away(401, path)
    client.post(f"/v1/tables/{table}/invitations", {"seat": 1})
    player.token, first = again.token, player.token
    turned_away(401, path)
    assert len(refusals) == 1, refusals
    assert first not in appliance.log() and again.token not in appliance.log()
    # Nothing else of the public listener changes: without a token it is read.
    context = ssl.create_default_context(cafile=f"{appliance.folder}/ca.pem")
    connection = http.client.HTTPSConnection("localhost", PUBLIC_PORT, context=context, timeout=30)
    connection.request("POST", f"/v1/tables/{table}/commitments", "{}")
    assert connection.getresponse().status == 405


FACTS = [draws_follow_from_the_numbers_of_all_seats,
         a_shoe_is_mixed_by_all_seats_over_a_kill_between_call_and_openings,
         who_opens_nothing_is_named_and_the_next_turn_goes_without,
         behind_too_many_voids_two_persons_sign_that_it_is_called_for_again,
         a_call_that_two_persons_void_is_told_as_ended,
         a_token_opens_its_own_table_and_no_longer_than_it_stands]

if __name__ == "__main__":
    with Appliance(sys.argv[1], edit_config=with_public) as one:
        one.start()
        failures = hold(FACTS, one)
        if failures:
            print(f"--- the daemon's log\n{one.log()[-4000:]}")
    sys.exit(1 if failures else 0)
