"""The tables that play through the clients of rngd/sdk/client, each a program with a certificate of
its own."""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def players(programs):
    """What starts each; the one in C where it is built."""
    found = {"python": [sys.executable, os.path.join(HERE, "client_player.py")],
             "node": ["node", os.path.join(HERE, "client_player.mjs")]}
    if os.path.exists(f"{programs}/client_table"):
        found["c"] = [f"{programs}/client_table"]
    return found


def commands(programs):
    """talla beside them: it keeps nothing from one command to the next."""
    return {"talla": [sys.executable, os.path.join(HERE, "client_talla.py"), f"{programs}/talla"]}


class Seat:
    """One client of the appliance with files of its own, and what leads it through a port."""

    def __init__(self, appliance, name, command):
        self.appliance, self.id = appliance, f"talla:{name}-player"
        self.folder = f"{appliance.folder}/{name}"
        self.command = command
        appliance.talla("keys", "client", appliance.folder, self.id, "--role", "table", check=True)
        os.mkdir(self.folder)

    def through(self, port):
        with open(f"{self.appliance.folder}/client/client.toml") as file:
            lines = [line for line in file
                     if line.split(" =")[0] not in ("port", "certificate", "key")]
        own = f'port = {port}\ncertificate = "../clients/{self.id}.pem"\n' \
            f'key = "../clients/{self.id}.key"\n'
        with open(f"{self.folder}/client.toml", "w") as file:
            file.write("".join(lines) + own)

    def start(self, draws, rounds, *more):
        files = [f"{self.folder}/{name}" for name in ("journal", "books")]
        return subprocess.Popen([*self.command, self.folder, *files, str(draws), str(rounds),
                                 *more],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def replies(self):
        with open(f"{self.folder}/books") as file:
            return [json.loads(line) for line in file]
