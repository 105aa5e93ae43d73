#!/usr/bin/env python3
# Goal: an appliance that answers anything at all stops no command of `talla` in its tracks: each
#   says what it could read, or refuses, and never calls good what it was not told.
# Method: a server with the appliance's certificate answers what the real one answered, with one
#   member of the reply left out, or of another type; every member in its turn.
#   usage: nonsense_test.py FOLDER_OF_PROGRAMS
import copy
import http.server
import json
import shutil
import ssl
import threading

from calls import draw_body
from facts import WHEEL, game_table, main, new_batch, open_table, wait_for
from play_test import spin

OTHER_TYPES = (None, 7, "x", True, [], {}, [7], {"x": 7})


class Nonsense:
    """Answers GET from what the appliance said, `change` applied to the replies under a path."""

    def __init__(self, appliance):
        self.real = appliance.client("talla:auditor-1")
        self.replies, self.changed = {}, {}
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                text = outer.answer(self.path)
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{appliance.folder}/server.pem", f"{appliance.folder}/server.key")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        client = f"{appliance.folder}/nonsense"  # the auditor, who asks here
        shutil.copytree(f"{appliance.folder}/auditor", client, dirs_exist_ok=True)
        with open(f"{client}/client.toml", "r+") as file:
            text = file.read().replace(f"port = {appliance.port}\n",
                                       f"port = {self.server.server_port}\n")
            assert f"port = {self.server.server_port}\n" in text, text
            file.seek(0)
            file.write(text)
            file.truncate()

    def answer(self, path):
        if path not in self.replies:
            self.replies[path] = self.real.send("GET", path)[1]
        return self.changed.get(path, self.replies[path])

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def paths_of(value, at=()):
    """Every member; of a list its first item."""
    if at:
        yield at
    if isinstance(value, dict):
        for name in value:
            yield from paths_of(value[name], (*at, name))
    if isinstance(value, list) and value:
        yield from paths_of(value[0], (*at, 0))


def without(reply, path):
    out = copy.deepcopy(reply)
    holder = out
    for name in path[:-1]:
        holder = holder[name]
    del holder[path[-1]]
    return out


def with_other(reply, path, value):
    out = copy.deepcopy(reply)
    holder = out
    for name in path[:-1]:
        holder = holder[name]
    holder[path[-1]] = value
    return out


def changes(reply):
    """One member left out; and of a type that is not its own, another one each time."""
    for number, path in enumerate(paths_of(reply)):
        yield path, without(reply, path)
        holder = reply
        for name in path:
            holder = holder[name]
        others = [one for one in OTHER_TYPES if type(one) is not type(holder)]
        yield path, with_other(reply, path, others[number % len(others)])


def played(appliance):
    """A table with a draw and an act that waits: something to be told of everywhere. And one with
    a round that is settled and one that is not: its id."""
    client = appliance.client()
    roulette = game_table(client, "french-roulette")
    spin(client, roulette, [{"id": "a", "seat": 1, "kind": "docena", "on": ["1"], "stake": 50}])
    client.post(f"/v1/tables/{roulette}/rounds")
    table = open_table(client, WHEEL)
    batch = new_batch(client, table, 3)
    for index in range(3):
        client.post("/v1/draws", draw_body(client, table, batch, index))
    appliance.talla("act", "ask", "client-revoke", "--object", "talla:table-1", client="officer",
                    check=True)
    wait_for("numbers seen", lambda: any(
        one["seen"] for one in appliance.client("talla:auditor-1").get("/v1/status")["monitors"]
        ["watching"] if one["class"] == "outcomes"))
    return roulette


def ask(appliance, server, *command):
    """Exit code and words; a signal, or an end by an exception, is no answer."""
    done = appliance.talla(*command, client="nonsense")
    assert 0 <= done.returncode <= 5, (server.changed, done.returncode, done.stderr)
    assert "terminate" not in done.stderr and "what()" not in done.stderr, done.stderr
    return done


def commands_stand_every_reply(appliance):
    table = played(appliance)
    with Nonsense(appliance) as server:
        runs = 0
        for command, path in ((["status"], "/v1/status"), (["act", "list"], "/v1/acts"),
                              (["tables"], "/v1/tables"), (["return"], "/v1/return"),
                              (["monitors", "--name", "wheel-37/frequency"],
                               "/v1/monitors/history"),
                              (["devices"], "/v1/status"),
                              (["log", "rounds", "--table", table], f"/v1/tables/{table}/rounds"),
                              (["log", "incomplete"], "/v1/incomplete"),
                              (["log", "tail", "--limit", "2"], "/v1/events")):
            server.changed.clear()
            told = ask(appliance, server, *command)
            assert told.returncode == 0, (command, told.stderr)
            calm = told.stdout.count("no alarm")
            asked = [one for one in server.replies if one.split("?")[0] == path]
            assert asked, (command, list(server.replies))
            reply = json.loads(server.replies[asked[0]])
            for where, other in changes(reply):
                server.changed = {one: json.dumps(other).encode() for one in asked}
                said = ask(appliance, server, *command).stdout
                runs += 1
                if where == ("ready",):
                    assert not said.startswith("READY"), said
                if where[-1] == "alarms_standing" and calm:
                    assert said.count("no alarm") == calm - 1, (where, said)
        assert runs > 300, runs


def pages_of_rounds_that_lead_in_a_circle_end(appliance):
    table = game_table(appliance.client(), "french-roulette")
    with Nonsense(appliance) as server:
        path = f"/v1/tables/{table}/rounds?limit=10"
        for nexts in (["round-9", "round-8", "round-9"], ["round-9", "round-9"], ["table-1"]):
            server.changed.clear()
            asked = path
            for following in nexts:
                page = {"rounds": [], "more": True, "next": following}
                server.changed[asked] = json.dumps(page).encode()
                asked = f"{path}&before={following}"
            told = ask(appliance, server, "log", "rounds", "--table", table)
            assert told.returncode == 1 and "leads nowhere" in told.stderr, (nexts, told.stderr)


if __name__ == "__main__":
    main([commands_stand_every_reply, pages_of_rounds_that_lead_in_a_circle_end])
