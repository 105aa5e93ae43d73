"""Who takes part in the calls of one table: a key, a seed and commitments of its own; a call is
answered once everything about it is checked, and never a second one for the same turn.

Python 3.11's standard library and the `openssl` command. The form of the link and every check:
rngd/docs/contribute.md; bytes: certs/FORMAT.md section 8. A whole program: talla_contribute.py."""
import base64, json, os, re, secrets, urllib.parse

from talla_candidates import check_candidates, count_of
from talla_calls import CallKey, call_digest, commitment, contribution, has_signed
from talla_calls import Again, opening_statement
from talla_log import H, bets_digest, canonical, domain, need

AHEAD_MAX = 16
LINK = re.compile(r"([A-Za-z0-9_-]{22})\.(0|[1-9][0-9]{0,15})\.([1-9][0-9]{0,9})"
                  r"\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})\.(.+)")
COMMITS = ("SHOE_COMMIT", "SHOE_RECOMMIT", "BATCH_COMMIT")
BETWEEN = ("SHOE_COMMIT", "SHOE_RELEASE", "SHUFFLE_REPORT", "BATCH_COMMIT", "BATCH_CLOSE")
RESULTS = ("SHOE_MIX", "DRAW", "VOID")


def url64(text):
    return base64.b64decode(text.replace("-", "+").replace("_", "/") + "=")


class Link:
    """What a link names; `opening` (leaf hash of TABLE_OPEN) and `root` in hex."""

    def __init__(self, text):
        self.base, _, fragment = text.partition("#")
        found = LINK.fullmatch(fragment)
        need(found, "link: it is not whole")
        self.token, table, seat, opening, root, origin = found.groups()
        self.table, self.table_seq = f"table-{table}", int(table)
        self.seat, self.id = int(seat), f"seat-{seat}"
        self.opening, self.root = url64(opening).hex(), url64(root).hex()
        self.origin = urllib.parse.unquote(origin)
        need(re.fullmatch(r"[!-*,-~]{1,200}", self.origin), "link: no name of a log")


def make_link(base, token, table, seat, opening, root, origin):
    """`opening` and `root`: 32 bytes each; `base`: "https://HOST:PORT" of the public listener."""
    url = lambda data: base64.urlsafe_b64encode(data).decode().rstrip("=")
    name = urllib.parse.quote(origin, safe="-._~:/?@!$&'()*,;=")
    return (f"{base}/web/contribute.html#{token}.{table.split('-')[1]}.{seat}."
            f"{url(opening)}.{url(root)}.{name}")


def head_of(one):
    return H(domain("link"), bytes.fromhex(one["record"]["link"]), one["leaf"]).hex()


def before_shoe(call):
    """What a CALL of a mix cites from before its shoe: the end of the one before."""
    core = call["body"]["core"]
    own = number(core["object"]) if core["use"] == "mix" else 0
    return [seq for seq in call["cites"] if seq < own]


def number(id):
    return int(id.partition("-")[2])


def is_lapsed(record):
    return record["kind"] == "VOID" and "core" in record["body"]


def ended(record):
    body = record["body"]
    return {"seq": record["seq"], "kind": record["kind"], "missing": body.get("missing", []),
            "cause": body.get("cause", "")}


class Open:
    """What is checked before a number is given, in this order. `opening` and what is walked are
    {record, leaf}, believed; `memory`: what the contributor keeps."""

    def __init__(self, opening, memory, log):
        self.opening, self.memory, self.log = opening, memory, log

    def check_opening(self):
        record = self.opening["record"]
        need(record["kind"] == "TABLE_OPEN" and record["object"] == self.memory["table"] and
             self.opening["leaf"].hex() == self.memory["opening"],
             "other_table: not the table of the link")

    def known(self, core):
        last = self.memory["last"]
        return last is not None and (last["object"], last["root"]) == (core["object"],
                                                                       core["root"])

    def begin(self, call, commit):
        """From which record on the walk to this CALL must be."""
        core = call["body"]["core"]
        kept = [seq for seq in call["cites"] if seq not in before_shoe(call)]
        start = min([self.memory["base"]["seq"]] + kept)
        if core["round"] != "0":
            start = min(start, number(core["round"]))
        picks = core["specification"].get("candidates", 1) > 1
        if picks or not self.known(core) and \
                commit["record"]["body"].get("root") != core["root"]:
            start = min(start, number(core["object"]))
        return max(start, self.opening["record"]["seq"])

    def check(self, walk, commit):
        """Core, C, the t and commitment that are asked for, bets of this seat, and the calls
        since that ended without its number."""
        self.check_opening()
        call = walk[-1]["record"]
        need(call["kind"] == "CALL", "core_mismatch: no CALL")
        core = call["body"]["core"]
        self.check_links(walk, call, commit)
        need(has_signed(self.log, base64.b64decode(self.opening["record"]["body"]["key"]),
                        domain("call") + canonical(core).encode(), call["body"]["signature"]),
             "call_signature: not by the key of the table")
        t, missed = self.follow(walk)
        self.check_core(call, core, walk)
        self.check_head(walk, core)
        self.check_again(walk, call)
        own = self.check_own(core, t)
        self.check_root(walk, core, commit)
        return core, call_digest(core), t, bytes.fromhex(own["commit"]), \
            self.bets(walk, core), missed

    def check_links(self, walk, call, commit):
        base = self.memory["base"]
        need(walk[0]["record"]["seq"] <= self.begin(call, commit), "link_gap: records are missing")
        for before, one in zip([None] + walk, walk):
            record = one["record"]
            need(record.get("table") == self.memory["table"],
                 f"link_gap: record {record['seq']} of another table")
            need(before is None or (record["prev"], record["link"]) ==
                 (before["record"]["seq"], head_of(before)),
                 f"link_gap: record {record['seq']} does not follow the one before")
        need(any(one["record"]["seq"] == base["seq"] and one["leaf"].hex() == base["leaf"]
                 for one in walk),
             "link_gap: the record that was last known here is another one now")

    def follow(self, walk):
        """The calls since: each ended before the next, turns rise, and every core that named this
        key has spent a t; those that ended without its number are given too."""
        key, id, base = self.memory["key"], self.memory["id"], self.memory["base"]["seq"]
        t, open_call, turn = self.memory["next"], None, 0
        missed = {}
        for one in walk:
            record = one["record"]
            kind, body, seq = record["kind"], record["body"], record["seq"]
            if kind in RESULTS and open_call is not None and body.get("call") == open_call:
                open_call = None
                if body["call"] in missed:
                    missed[body["call"]] |= ended(record)
            if kind != "CALL" and not is_lapsed(record):
                continue
            need(open_call is None, f"turn_open: record {open_call} has no result")
            need(body["core"]["turn"] > turn, f"turn_gap: record {seq}")
            turn, open_call = body["core"]["turn"], seq if kind == "CALL" else None
            if seq <= base or one is walk[-1]:
                continue
            own = [other for other in body["core"]["others"] if other["key"] == key]
            if own and (own[0]["id"], own[0]["t"]) == (id, t):
                t += 1
                if kind == "CALL":
                    missed[seq] = {"call": seq, "turn": turn, "given": False}
            else:
                need(not own or kind != "CALL", f"t_gap: record {seq}")
        last = self.memory["last"]
        need(last is None or turn > last["turn"], "turn_gap: not above that of the last call")
        return t, list(missed.values())

    def check_core(self, call, core, walk):
        record = self.opening["record"]
        wanted = {name: record["body"].get(name, "") for name in ("game", "variant", "catalogue")}
        wanted |= {"origin": record["origin"], "table": record["object"],
                   "object": call["object"], "parameters": self.memory["parameters"]}
        for name, value in wanted.items():
            need(core[name] == value, f"core_mismatch: another {name}")
        current = core["round"]
        for one in walk:
            kind = one["record"]["kind"]
            current = {"ROUND_OPEN": one["record"].get("object"),
                       "ROUND_END": "0"}.get(kind, current)
        need(current == core["round"], "core_mismatch: another round")

    @staticmethod
    def check_head(walk, core):
        call = walk[-1]["record"]
        wanted, before = 2 if "order" in call["body"] else 1, len(before_shoe(call))
        need(before <= 1 and len(call["cites"]) - before == wanted,
             "head_wrong: cites more or less than it may")
        for before in reversed(walk[:-1]):
            record = before["record"]
            if record["seq"] in call["cites"]:
                need(head_of(before) == core["head"], "head_wrong: not that of its record")
                return
            need(record["kind"] in BETWEEN and record["object"] != call["object"],
                 f"head_wrong: record {record['seq']} stands between")
        need(False, "head_wrong: no record of the table")

    def check_again(self, walk, call):
        """Not behind more VOIDs of its round, shoe or batch than the table allows, and with all
        whom the VOID before does not name missing; or by an order of two persons."""
        again, asked = Again(self.opening["record"]), None
        for one in walk[:-1]:
            kind, body = one["record"]["kind"], one["record"]["body"]
            if kind == "CALL":
                asked = body["core"]
                again.called(asked)
            elif kind == "VOID" and "core" in body:
                again.lapsed(body["core"])
            elif kind == "VOID" and asked is not None:
                again.ended(asked, body.get("missing", []))
        again.check(call["body"]["core"], call["body"].get("order"), self.log)
        if "order" not in call["body"]:
            return
        for before in reversed(walk[:-1]):
            if head_of(before) == call["body"]["order"]["head"]:
                return
            need(before["record"]["kind"] in BETWEEN, "order_wrong: of another state of the table")

    def check_own(self, core, t):
        named = [one for one in core["others"] if one["id"] == self.memory["id"]]
        need(named, "not_named: the call does not name this seat")
        need(named[0]["key"] == self.memory["key"],
             "not_named: the call names another key for this seat")
        need(sum(one["key"] == self.memory["key"] for one in core["others"]) == 1,
             "duplicate: the call names this key twice")
        need(named[0]["t"] == t, "t_gap: not the next number of this key")
        return named[0]

    def check_root(self, walk, core, commit):
        """The root stands in a commitment, or was picked from one."""
        found = [record for record in (one["record"] for one in walk + [commit])
                 if record["object"] == core["object"] and
                 record["table"] == self.memory["table"] and
                 (record["kind"] in COMMITS or "picked" in record["body"]) and
                 record["body"]["root"] == core["root"]]
        need(self.known(core) or found, "root_unknown: nobody committed to it before")
        if core["use"] == "mix":
            self.check_pick(walk, core, found)

    def check_pick(self, walk, core, found):
        """As many roots are to be picked from as the table's policy says, and no call of this shoe
        ended before one was picked."""
        commits = [record["body"] for record in found if record["kind"] == "SHOE_COMMIT"]
        if commits:
            check_candidates(commits[0], self.opening["record"]["body"]["policy"]["candidates"])
        wanted = count_of(commits[0]) if commits else 1
        need(core["specification"]["candidates"] == wanted,
             "candidate_wrong: another number of roots")
        need(wanted == 1 or not any(
            one["record"]["kind"] == "VOID" and
            one["record"]["seq"] > number(core["object"]) and core["object"] in
            (one["record"]["object"], one["record"]["body"].get("core", {}).get("object"))
            for one in walk),
             "candidate_wrong: a call of this shoe ended before its root was picked")

    def bets(self, walk, core):
        """Of this seat, as they are logged and the core rests on them; None: there are none."""
        pieces = [one["record"]["body"] for one in walk if one["record"]["kind"] == "BETS_CLOSED"
                  and one["record"]["object"] == core["round"]]
        if core["round"] != "0" and pieces and \
                pieces[-1].get("part") == pieces[-1].get("parts"):
            bets = [bet for piece in pieces for bet in piece["bets"]]
            need(bets_digest(bets) == core["bets"],
                 "bets_other: the call rests on other bets than were closed")
            return [bet for bet in bets if bet["seat"] == self.memory["seat"]]
        if core["bets"] != bets_digest([]):
            need(core["round"] == "0", "bets_other: the bets of the round are not closed")
            need(self.memory["seat"] is None,
                 "bets_unseen: the call shows a digest of bets alone")
        return None


class Contributor:
    """One id's part in the calls of one TABLE_OPEN. `file` is private and holds key, seed and
    what was answered, durable before it leaves; without it, it is a new contributor. `log`: a
    LogKey of the log. `opening`: TABLE_OPEN, believed."""

    def __init__(self, file, log, opening, kept):
        self.file, self.log, self.opening, self.kept = file, log, opening, kept
        self.memory, self.seed = kept["memory"], bytes.fromhex(kept["seed"])
        name = H(self.memory["opening"].encode(), self.memory["id"].encode()).hex() + ".key"
        self.key = CallKey(log.file(name, kept["key"].encode()), log)
        need(base64.b64encode(self.key.spki).decode() == self.memory["key"],
             f"{file}: key and number do not belong together")

    @classmethod
    def fresh(cls, file, log, opening, base, id, seat):
        """`base`: the newest record of the table, believed. `seat`: None for who has no bets."""
        key = log.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
        spki = CallKey(log.file("new.key", key), log).spki
        body = opening["record"]["body"]
        memory = {"origin": opening["record"]["origin"], "table": opening["record"]["object"],
                  "opening": opening["leaf"].hex(), "id": id, "seat": seat,
                  "key": base64.b64encode(spki).decode(), "next": 1, "last": None,
                  "parameters": H(domain("parameters"),
                                  canonical(body["parameters"]).encode()).hex(),
                  "base": {"seq": base["record"]["seq"], "leaf": base["leaf"].hex()}}
        made = cls(file, log, opening, {"key": key.decode(), "seed": secrets.token_bytes(32).hex(),
                                        "memory": memory, "ends": []})
        made.keep()
        return made

    @classmethod
    def found(cls, file, log, opening):
        """Of an earlier life, or None: also where it was of another opening of the table."""
        if not os.path.exists(file):
            return None
        with open(file) as text:
            kept = json.load(text)
        return cls(file, log, opening, kept) if kept["memory"]["opening"] == \
            opening["leaf"].hex() else None

    def keep(self):
        """Durable once it returns."""
        self.kept["memory"] = self.memory
        with open(self.file + ".new", "w",
                  opener=lambda path, flags: os.open(path, flags, 0o600)) as text:
            text.write(json.dumps(self.kept))
            text.flush()
            os.fsync(text.fileno())
        os.replace(self.file + ".new", self.file)
        folder = os.open(os.path.dirname(os.path.abspath(self.file)), os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

    def value(self, t):
        return contribution(self.seed, bytes.fromhex(self.memory["opening"]), t)

    def commit(self, t):
        return commitment(bytes.fromhex(self.memory["opening"]), self.memory["id"], t,
                          self.value(t))

    def commitments(self, start, count):
        """Body of a request that hands in those for `start` and behind it."""
        return {"id": self.memory["id"], "key": self.memory["key"], "from": start,
                "commits": [self.commit(t).hex() for t in range(start, start + count)]}

    def answer(self, walk, commit, look=lambda bets: None):
        """The number for the call at the end of `walk`; the same call: the same bytes.
        `look(bets)` sees this seat's bets before; it raises NotBelieved to keep the number."""
        last, call = self.memory["last"], walk[-1]
        seq, leaf = call["record"]["seq"], call["leaf"].hex()
        if last and last["seq"] == seq:
            need(last["leaf"] == leaf, "core_other: another call than was answered")
            return self.opened()
        need(not last or seq > last["seq"], "turn_gap: a call from before the last one")
        checks = Open(self.opening, self.memory, self.log)
        core, digest, t, asked, bets, missed = checks.check(walk, commit)
        need(self.commit(t) == asked,
             "commit_mismatch: not what was handed in for this number")
        look(bets)
        self.add_ends(missed)
        value = self.value(t)
        signature = self.key.sign(opening_statement(digest, self.memory["id"], t, value))
        self.memory = self.memory | {
            "next": t + 1, "base": {"seq": seq, "leaf": leaf},
            "last": {"seq": seq, "leaf": leaf, "turn": core["turn"], "t": t, "core": digest.hex(),
                     "use": core["use"], "object": core["object"], "root": core["root"],
                     "value": value.hex(), "signature": signature}}
        self.keep()
        return self.opened()

    def opened(self):
        """Body of a request that opens the number of the last call."""
        return {"id": self.memory["id"], "value": self.memory["last"]["value"],
                "signature": self.memory["last"]["signature"]}

    def add_ends(self, ends):
        self.kept["ends"] = (self.kept["ends"] + ends)[-30:]

    def take_end(self, one):
        """The record that ends the last call: whether this number is in the result."""
        kind, body, last = one["record"]["kind"], one["record"]["body"], self.memory["last"]
        need(kind in RESULTS and body.get("call") == last["seq"],
             "end_other: what is said to end the call does not")
        mine = {"value": last["value"], "signature": last["signature"]}
        end = {"call": last["seq"], "turn": last["turn"],
               "given": kind != "VOID" and mine in body["openings"]} | ended(one["record"])
        self.add_ends([end])
        self.keep()
        return end
