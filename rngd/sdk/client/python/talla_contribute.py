#!/usr/bin/env python3
"""A program that takes part in the calls of a table by the link that the table gave: it hands in
commitments, answers each call once everything about it is checked (talla_contributor.py), and
says what became of its numbers, one JSON object a line."""
import argparse, base64, http.client, json, os, re, ssl, sys, tempfile, time, urllib.parse

from talla_contributor import AHEAD_MAX, Contributor, Link, Open, number
from talla_log import H, LogKey, NotBelieved, canonical, need, ssl_pem

WALK_MAX = 4096


class Refusal(Exception):
    """The appliance said no; `problem`: its problem document."""
    def __init__(self, status, problem):
        super().__init__(f"{status} {problem.get('code')}: {problem.get('detail', '')}")
        self.status, self.problem = status, problem


class Program:
    """A contributor that is led by a link, step by step. Tells what happens by `say`."""

    def __init__(self, link, file, root_file=None, look=lambda bets: None, say=print):
        self.link, self.file, self.look, self.say = Link(link), file, look, say
        self.folder = tempfile.TemporaryDirectory()
        self.at = urllib.parse.urlsplit(self.link.base)
        self.tls = None
        self.root_file = os.path.join(self.folder.name, "root.pem")
        self.find_root(root_file)
        if self.at.scheme == "https":
            self.tls = ssl.create_default_context(cafile=self.root_file)
            self.tls.load_default_certs()
        keys = self.get("/v1/log-keys")
        known = os.path.join(self.folder.name, "log-keys.json")
        with open(known, "w") as text:
            json.dump(keys, text)
        need(json.loads(keys["log_key"]["statement"])["origin"] == self.link.origin,
             "other_origin: the log is not the one of the link")
        try:
            self.log = LogKey(known, self.root_file, self.get)
        except NotBelieved as why:
            raise NotBelieved(f"log_key: {why}") from why
        self.records, self.refused, self.opening = {}, set(), None
        self.contributor = None

    def find_root(self, root_file):
        """The one certificate whose digest the link names."""
        if root_file:
            with open(root_file) as file:
                text = file.read()
        else:  # before there is anything to know the server by; nothing is told to it
            self.tls = ssl._create_unverified_context() if self.at.scheme == "https" else None
            text = self.ask("GET", "/v1/roots", token=False).decode()
        for body in re.findall("-----BEGIN CERTIFICATE-----(.*?)-----END", text, re.S):
            body = "".join(body.split())
            if H(base64.b64decode(body)).hex() == self.link.root:
                with open(self.root_file, "wb") as file:
                    file.write(ssl_pem(body))
                return
        need(False, "other_root: the root certificate of the link is not here")

    # ---- Asking

    def ask(self, method, path, body=None, token=True):
        kind = http.client.HTTPSConnection if self.tls else http.client.HTTPConnection
        connection = kind(self.at.netloc, timeout=10, **({"context": self.tls} if self.tls
                                                         else {}))
        try:
            headers = {"Content-Type": "application/json"} if body else {}
            if token:
                headers["Authorization"] = "Bearer " + self.link.token
            connection.request(method, path, json.dumps(body) if body else None, headers)
            reply = connection.getresponse()
            text = reply.read()
        finally:
            connection.close()
        if reply.status != 200:
            try:
                problem = json.loads(text)
            except ValueError:
                problem = {}
            raise Refusal(reply.status, problem)
        return text

    def get(self, path):
        return json.loads(self.ask("GET", path))

    def post(self, path, body):
        return json.loads(self.ask("POST", path, body))

    def believed(self, seq):
        if seq not in self.records:
            receipt = self.get(f"/v1/receipts/{seq}")
            try:
                record = self.log.believed(receipt)
                need(record["seq"] == seq, "another one was given")
            except (NotBelieved, AttributeError, KeyError, TypeError, ValueError) as why:
                raise NotBelieved(f"not_in_log: record {seq}: {why}") from why
            self.records[seq] = {"record": record, "leaf": H(b"\0", receipt["record"].encode())}
        return self.records[seq]

    # ---- Steps

    def step(self):
        """Everything that is due now. NotBelieved: what must not be gone on from."""
        table = "/v1/tables/" + self.link.table
        view = self.get(table)["table"]
        if self.opening is None:
            opening = self.believed(self.link.table_seq)
            Open(opening, {"table": self.link.table, "opening": self.link.opening},
                 self.log).check_opening()
            self.opening = opening
            self.contributor = Contributor.found(self.file, self.log, opening)
        if self.contributor is None:
            self.join(table, view["last"])
            return
        self.end_of_last()
        mine = [one for one in view.get("contributors", []) if one["id"] == self.link.id]
        if mine and mine[0]["key"] != self.contributor.memory["key"]:
            need(False, "not_named: another device takes part for this seat")
        if view["state"] == "closed":
            return
        if "call" in view:
            self.answer(view["call"])
        self.hand_in(table, mine[0] if mine else None)

    def join(self, table, last=None):
        """With a key and a seed of its own."""
        last = self.get(table)["table"]["last"] if last is None else last
        made = Contributor.fresh(self.file, self.log, self.opening, self.believed(last),
                                 self.link.id, self.link.seat)
        self.post(table + "/commitments", made.commitments(1, AHEAD_MAX))
        self.contributor = made
        self.say({"joined": self.link.id, "key": made.memory["key"]})

    def hand_in(self, table, mine):
        ahead = mine["ahead"] if mine else 0
        if ahead <= AHEAD_MAX // 2:
            start = mine["t"] + ahead if mine else self.contributor.memory["next"]
            try:
                self.post(table + "/commitments",
                          self.contributor.commitments(start, AHEAD_MAX - ahead))
            except Refusal as why:
                if why.problem.get("code") == "duplicate":
                    # a core that lapsed has bound this key to another id: it serves no more
                    self.join(table)
                    return
                # calls that named this key meanwhile have spent theirs; a commitment tells nothing
                if why.problem.get("code") != "t_gap" or "next" not in why.problem:
                    raise
                self.post(table + "/commitments", self.contributor.commitments(
                    why.problem["next"], AHEAD_MAX - ahead))

    def answer(self, seq):
        if seq in self.refused:
            return
        call = self.believed(seq)
        try:
            need(call["record"]["kind"] == "CALL" and
                 call["record"].get("table") == self.link.table, "core_mismatch: no CALL of here")
            commit = self.believed(number(call["record"]["body"]["core"]["object"]))
            start = Open(self.opening, self.contributor.memory, self.log).begin(
                call["record"], commit)
            walk = [call]
            while walk[0]["record"]["seq"] > start:
                need(len(walk) < WALK_MAX and "prev" in walk[0]["record"],
                     "link_gap: too many records since the last call")
                walk.insert(0, self.believed(walk[0]["record"]["prev"]))
            body = self.contributor.answer(walk, commit, self.look)
        except NotBelieved:
            self.refused.add(seq)
            raise
        except (KeyError, TypeError, ValueError) as why:
            self.refused.add(seq)
            raise NotBelieved(f"core_mismatch: malformed: {why}") from why
        self.post(f"/v1/calls/{seq}/openings", body)
        self.say({"opened": seq, "turn": call["record"]["body"]["core"]["turn"]})

    def end_of_last(self):
        last, ends = self.contributor.memory["last"], self.contributor.kept["ends"]
        if last and not any(one["call"] == last["seq"] for one in ends):
            ended = self.get(f"/v1/calls/{last['seq']}").get("ended")
            if ended:
                self.say({"ended": self.contributor.take_end(self.believed(ended["seq"]))})


def main():
    parser = argparse.ArgumentParser(description="Takes part in the calls of a table.")
    parser.add_argument("link", help="as the table gives it (rngd/docs/contribute.md)")
    parser.add_argument("--state", required=True, metavar="FILE",
                        help="kept private: key, seed and what was answered")
    parser.add_argument("--root", metavar="PEM", help="else the appliance is asked for it; it is "
                        "believed by the digest in the link alone")
    parser.add_argument("--bets", metavar="JSON", type=json.loads, help="bets of this seat: a "
                        "call that rests on others is not answered")
    parser.add_argument("--once", action="store_true", help="one step, and no more")
    asked = parser.parse_args()

    def look(bets):
        need(asked.bets is None or bets is None or canonical(bets) == canonical(asked.bets),
             "bets_other: not the bets of this seat")

    def say(what):
        print(json.dumps(what), flush=True)
    program = None
    while True:
        try:
            program = program or Program(asked.link, asked.state, asked.root, look, say)
            program.step()
        except NotBelieved as why:
            say({"refused": str(why)})
            if asked.once or program is None:
                return 4
        except (Refusal, OSError, http.client.HTTPException) as why:
            say({"waiting": str(why)})
            if isinstance(why, Refusal) and why.status == 401 or asked.once:
                return 5
        if asked.once:
            return 0
        time.sleep(1)


if __name__ == "__main__":
    sys.exit(main())
