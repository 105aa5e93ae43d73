#!/usr/bin/env python3
# Goal: three new users get on by what they are given: an engineer plays a settled round by the
#   API's description alone, a technician and an inspector find, prove and print it with the
#   handbook's commands and end a stop, a player reads on a phone what the paper's code leads to.
# Method: an appliance as `talla setup` leaves it; a client made here from `rngd --openapi` that
#   checks each request and reply against the description; commands of the handbook's sections 5, 7
#   and 8; zbarimg and a real Chromium, 1280 and 390 points wide (tests/web/three_people.mjs). From
#   the running appliance to the settled round, requests and minutes are counted.
#   usage: three_people_test.py FOLDER_OF_PROGRAMS
import base64
import http.client
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import time

import schema
from appliance import free_ports, new_key
from calls import draw_core, raw_signature
from facts import hold
from paper_test import modules_of_page, read_code

PROGRAMS = sys.argv[1]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ENGINEER, OFFICER, INSPECTOR = "talla:mesa-7", "talla:officer-1", "talla:inspector-1"
PEOPLE = {ENGINEER: "table", "talla:operator-1": "operator", OFFICER: "security-officer",
          INSPECTOR: "inspector"}
PLACE = "Sala Goya/Mesa 7"


class House:
    def __init__(self, folder):
        self.folder, self.talla_folder = folder, f"{folder}/talla"
        self.port, self.health, self.public = free_ports(3)
        self.facts = {}

    def run(self, *words, code=0):
        done = subprocess.run([f"{PROGRAMS}/{words[0]}", *words[1:]], capture_output=True,
                              text=True, cwd=self.folder, timeout=120)
        assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
        return done.stdout

    def talla(self, who, *words, code=0):
        return self.run("talla", "--client", self.hand_out(who), *words, code=code)

    def hand_out(self, who):
        return f"{self.talla_folder}/hand-out/{who}"

    def start(self):
        people = [word for who, role in PEOPLE.items() for word in ("--person", f"{who}={role}")]
        said = self.run("talla", "setup", self.talla_folder, "--profile", "trial", "--origin",
                        "casino.example/appliance-1", "--name", "localhost", "--address",
                        "127.0.0.1", "--port", str(self.port), "--source", "system", *people)
        config = f"{self.talla_folder}/rngd.toml"
        with open(config, "a") as file:
            file.write(f"\n[public]\nenabled = true\nport = {self.public}\n")
        self.run("rngd", "--config", config, "--check")
        assert f"rngd --config {config} --check" in said, said
        self.log = open(f"{self.folder}/log", "w")
        self.daemon = subprocess.Popen([f"{PROGRAMS}/rngd", "--config", config], stdout=self.log,
                                       stderr=self.log)
        assert self.talla(ENGINEER, "status", "--wait", "60").startswith("READY")

    def stop(self):
        self.daemon.terminate()
        self.daemon.wait()
        self.log.close()


class Described:
    """A client that knows the description and its own folder, and nothing else: operations by
    their ids, bodies and replies held against the schemas."""

    def __init__(self, house, folder):
        self.folder, self.made = folder, []
        self.described = json.loads(house.run("rngd", "--openapi"))
        self.operations = {operation["operationId"]: (method.upper(), path, operation)
                           for path, of_path in self.described["paths"].items()
                           for method, operation in of_path.items() if "operationId" in operation}
        context = ssl.create_default_context(cafile=f"{folder}/root.pem")
        context.load_cert_chain(f"{folder}/client.pem", f"{folder}/client.key")
        self.connection = http.client.HTTPSConnection("localhost", house.port, context=context,
                                                      timeout=60)

    def ask(self, name, body=None, **places):
        method, path, operation = self.operations[name]
        headers = {"Content-Type": "application/json"}
        for given in operation.get("parameters", []):
            given = schema.resolve(self.described, given)
            if given["in"] == "path":
                schema.check(self.described, given["schema"], places[given["name"]])
                path = path.replace("{" + given["name"] + "}", places[given["name"]])
            elif given["in"] == "header" and given.get("required"):
                headers[given["name"]] = new_key()
        if "requestBody" in operation:
            content = operation["requestBody"]["content"]["application/json"]
            schema.check(self.described, content["schema"], body)
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        reply = self.connection.getresponse()
        text = reply.read()
        wanted = operation["responses"].get(str(reply.status))
        assert wanted is not None, (name, reply.status, text)
        value = json.loads(text)
        schema.check(self.described, wanted["content"]["application/json"]["schema"], value)
        if method == "POST":
            self.made.append(name)
        return value

    def get(self, path):
        """What calls.py asks to make a core: pictures of table and round."""
        kind, name = path.split("/")[2:4]
        return self.ask({"tables": "getTable", "rounds": "getRound"}[kind],
                        **{kind.removesuffix("s"): name})

    def signed(self, core):
        """The core's statement signed by the table's own key (description of the draw)."""
        text = json.dumps(core, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        with tempfile.NamedTemporaryFile() as message:
            message.write(b"talla/v2/call\0" + text.encode())
            message.flush()
            der = subprocess.run(["openssl", "dgst", "-sha256", "-sign",
                                  f"{self.folder}/client.key", message.name], check=True,
                                 capture_output=True).stdout
        return {"core": core, "signature": base64.b64encode(raw_signature(der)).decode()}


def an_engineer_plays_a_settled_round_by_the_description_alone(house):
    begun = time.monotonic()
    client = Described(house, house.hand_out(ENGINEER))
    game = client.ask("getGame", catalogue="es-1977", game="french-roulette")
    opened = client.ask("openTable", {"catalogue": "es-1977", "game": "french-roulette",
                                      "place": PLACE,
                                      "table": {"currency": game.get("currency", "ESP"),
                                                "unit": 1, "min": 25}})["table"]
    round_id = client.ask("newRound", {}, table=opened["id"])["round"]["id"]
    client.ask("closeBets", {"bets": [
        {"id": "a1", "kind": "rojo", "seat": 1, "stake": 50},
        {"id": "b1", "kind": "pleno", "on": ["17"], "seat": 2, "stake": 25}]}, round=round_id)
    batch = client.ask("newBatch", {"count": 4}, table=opened["id"])["batch"]
    drawn = client.ask("draw", client.signed(draw_core(client, opened["id"], batch,
                                                       round=round_id)))
    round_ = drawn["round"]
    assert round_["state"] == "ended" and len(round_["results"]) == 2, round_
    wheel = next(one["pockets"] for one in game["equipment"] if "pockets" in one)
    # a client reads the number on the pocket; the place on the wheel has another name
    assert round_["outcome"] == [wheel[drawn["draw"]["outcome"]["pocket"]]], drawn
    minutes = (time.monotonic() - begun) / 60
    assert len(client.made) <= 8 and minutes < 10, (client.made, minutes)
    house.facts |= {"table": opened["id"], "round": round_id, "number": round_["outcome"][0],
                    "nets": {str(one["seat"]): one["returned"] - one["stake"]
                             for one in round_["results"]}}
    assert client.ask("getRound", round=round_id)["round"]["outcome"] == round_["outcome"]
    client.ask("closeTable", {}, table=opened["id"])


def an_inspector_finds_the_round_by_place_and_time_and_prints_it(house):
    facts = house.facts
    since = time.strftime("%H:%M", time.localtime(time.time() - 120))
    said = house.talla(INSPECTOR, "tables", "--closed", "--room", "Sala Goya", "--label",
                       "Mesa 7", "--from", since)
    assert facts["table"] in said and PLACE in said, said
    said = house.talla(INSPECTOR, "log", "rounds", "--table", facts["table"], "--from", since)
    assert f"({facts['round']})" in said and f"; drawn {facts['number']};" in said, said
    winners = [seat for seat, net in facts["nets"].items() if net > 0]
    assert all(f"seat {seat} wins" in said for seat in winners), said
    base = f"{house.folder}/paper"
    house.talla(INSPECTOR, "dispute", "--table", facts["table"], "--round", "1", "--out", base,
                "--public", f"https://localhost:{house.public}", code=3)
    assert {f"paper.{one}" for one in ("talla", "es.txt", "en.txt", "es.html", "en.html", "es.pdf",
                                       "en.pdf")} <= set(os.listdir(house.folder))
    house.run("talla", "verify", f"{base}.talla", "--root", f"{house.hand_out(INSPECTOR)}/root.pem",
              code=3)
    with open(f"{base}.es.html", encoding="utf-8") as file:
        house.facts["link"] = read_code(house.folder, modules_of_page(file.read()))


def a_stop_is_made_by_one_and_ended_by_two(house):
    house.talla("talla:operator-1", "latch", "--reason", "smoke in the room")
    said = house.talla("talla:operator-1", "status")
    assert said.startswith("NOT READY") and "smoke in the room" in said, said
    asked = house.talla(OFFICER, "act", "ask", "latch-reset")
    act = re.search(r"act-\d+", asked)[0]
    house.talla(INSPECTOR, "act", "confirm", act)
    assert house.talla("talla:operator-1", "status").startswith("READY")


def a_player_reads_the_papers_code_on_a_phone_and_the_floor_shows_the_house(house):
    node = shutil.which("node")
    assert node, "node is needed: rngd/packaging/dependencies test"
    with open(f"{house.folder}/facts.json", "w") as file:
        json.dump(house.facts, file)
    done = subprocess.run([node, f"{ROOT}/tests/web/three_people.mjs",
                           f"{house.talla_folder}/keys", str(house.port), str(house.public),
                           f"{house.folder}/facts.json"], timeout=300)
    assert done.returncode == 0, done.returncode


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        one = House(place)
        one.start()
        try:
            failed = hold([an_engineer_plays_a_settled_round_by_the_description_alone,
                           an_inspector_finds_the_round_by_place_and_time_and_prints_it,
                           a_stop_is_made_by_one_and_ended_by_two,
                           a_player_reads_the_papers_code_on_a_phone_and_the_floor_shows_the_house],
                          one)
        finally:
            one.stop()
        if failed:
            print(open(f"{place}/log").read()[-4000:])
    sys.exit(1 if failed else 0)
