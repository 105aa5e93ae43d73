"""A table's side of a Talla appliance: asks until it is answered, and believes nothing that it
has not checked.

Python 3.11's standard library and the `openssl` command, nothing else. One Table belongs to one
thread. What it rests on: rngd/docs/interface.md (requests and replies), certs/FORMAT.md (records,
proofs, draws), shuffle/MAPPING.md (the mapping). rngd/sdk/client/README.md tells how to use it."""
import base64, hashlib, http.client, json, os, random, secrets, socket, ssl, time, tomllib

from talla_contributor import make_link
from talla_covered import look
from talla_evidence import Evidence, need


# So long a question for the end of a call is left with the appliance.
WAIT_S = 5


class Refused(Exception):
    """The appliance said no: `problem` is its problem document (RFC 9457). Nothing was done
    under this request."""
    def __init__(self, problem):
        super().__init__(f"{problem['code']}: {problem.get('detail', '')}")
        self.problem = problem


class Lapsed(Refused):
    """The call of a draw or mix did not stand any more. The log says so in a VOID that was checked:
    the table's turn is spent and counted, and the next call is free. `problem` is the reply's
    `lapsed`: `code` and `detail` of why, `now`, and what the outcome would have been where a
    secret was opened."""


class Withheld(Refused):
    """The call ended in a VOID without a result, which was checked and is counted; the next one is
    free. `problem`: `cause`, and who is `missing`: the next call of the same round or object goes
    on without them."""


class Unanswered(Exception):
    """No answer within `patience` seconds. Whether it was done is not known: it stays pending,
    `resume` asks for it again."""


def draw_due(needs):
    """What the rules of a round ask to be drawn now."""
    for need_ in needs:
        if need_["need"] == "draw":
            return {"wheel": lambda: {"kind": "wheel", "pockets": len(need_["pockets"])},
                    "dice": lambda: {"kind": "dice", "count": need_["count"],
                                     "faces": need_["faces"]},
                    "lots": lambda: {"kind": "lots", "bounds": [need_["faces"]]}}[need_["kind"]]()
    need(False, "no draw is due")


class Table:
    """`folder` holds client.toml. `journal`: a file that keeps the request under way over a
    crash of this program. `on_reply` sees every reply of a POST once it is believed, with its
    records, before the journal forgets the request: write your own books there, and after a
    crash expect the last reply a second time (the same bytes, the same record numbers). `ended`:
    what the root says about the end of logs, files or folders, beside those that client.toml
    names; what they void is not believed."""

    def __init__(self, folder, journal=None, timeout=10, patience=120,
                 on_reply=lambda reply, records: None, ended=()):
        with open(os.path.join(folder, "client.toml"), "rb") as file:
            self.toml = tomllib.load(file)
        path = {name: os.path.join(folder, self.toml[name])
                for name in ("certificate", "key", "root", "log_key")}
        ends = [os.path.join(folder, self.toml["ended"])] if "ended" in self.toml else []
        ends += [ended] if isinstance(ended, str) else list(ended)
        self.tls = ssl.create_default_context(cafile=path["root"])
        self.tls.minimum_version = ssl.TLSVersion.TLSv1_3
        self.tls.load_cert_chain(path["certificate"], path["key"])
        self.evidence = Evidence(path["log_key"], path["root"], self.get, ends, path["key"])
        self.journal, self.timeout = journal, timeout
        self.patience, self.on_reply = patience, on_reply
        self.connection = None
        self.pending = None  # {path, body, key}: sent, perhaps, and not answered
        self.calls = {}  # table: what it keeps of its calls
        if journal and os.path.exists(journal):
            with open(journal) as file:
                kept = json.load(file)
            self.calls = kept.pop("calls", {})
            self.pending = kept or None

    # ---- asking: the same bytes under the same key, until there is an answer

    def connect(self):
        raw = socket.create_connection((self.toml["host"], self.toml["port"]), self.timeout)
        connection = http.client.HTTPConnection(self.toml["server_name"], self.toml["port"],
                                                timeout=self.timeout)
        connection.sock = self.tls.wrap_socket(raw, server_hostname=self.toml["server_name"])
        return connection

    def send(self, method, path, body=None, key=None):
        """One try: status, headers and body of the reply. OSError or HTTPException when the
        connection is lost."""
        try:
            self.connection = self.connection or self.connect()
            headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": key} if key
                                                              else {})
            self.connection.request(method, path, body, headers)
            reply = self.connection.getresponse()
            return reply.status, reply.headers, reply.read()
        except (OSError, http.client.HTTPException):
            if self.connection:
                self.connection.close()
            self.connection = None
            raise

    def until_answered(self, method, path, body=None, key=None):
        """The bytes of a good reply. A lost connection or time-out: once more. A refusal: as its
        `retry` says."""
        end, pause = time.monotonic() + self.patience, 0.02
        while True:
            wait, why = 0, "no answer"
            try:
                status, headers, text = self.send(method, path, body, key)
                if 200 <= status < 300:
                    return text
                if headers["Content-Type"] == "application/problem+json":
                    why = json.loads(text)
                    if why["retry"] == "never":
                        raise Refused(why)
                    wait = int(headers["Retry-After"] or 1)
            except (OSError, http.client.HTTPException) as lost:
                why = lost
            # many tables do not come back at the same moment
            wait = max(wait, random.uniform(pause / 2, pause))
            if time.monotonic() + wait > end:
                raise Unanswered(f"{method} {path}: {why}")
            time.sleep(wait)
            pause = min(2 * pause, 5)

    def get(self, path):
        return json.loads(self.until_answered("GET", path))

    def post(self, path, body=None):
        need(self.pending is None,
             f"{self.pending and self.pending['path']} is not answered yet: resume() first")
        self.keep({"path": path, "body": json.dumps(body or {}), "key": secrets.token_hex(16)})
        return self.resume()

    def resume(self):
        """Asks for what is pending until it is answered; None when nothing is. The reply is
        checked before anybody sees it."""
        if self.pending is None:
            return None
        asked = self.pending
        table = json.loads(asked["body"]).get("core", {}).get("table")
        if table:
            self.evidence.caller(table, self.calls)  # that an earlier life called for
        try:
            reply = json.loads(self.until_answered("POST", asked["path"], asked["body"].encode(),
                                                   asked["key"]))
        except Refused:
            self.keep(None)
            raise
        records = self.evidence.check(reply, asked)
        ended = None
        if self.evidence.waits(table):
            ended, reply = self.wait(reply, json.loads(asked["body"])["core"])
            records = records + [ended]
        self.on_reply(reply, records)
        self.keep(None)
        if ended and ended["kind"] == "VOID":
            raise Withheld({"code": "withheld", "cause": ended["body"]["cause"],
                            "missing": ended["body"].get("missing", [])})
        if "lapsed" in reply:
            raise Lapsed(reply["lapsed"])
        return reply

    def wait(self, reply, core):
        """Until the contributors of a call have opened, or their time is up: the record that ends
        it, and a reply as calls without contributors have it."""
        seq, end = reply["call"]["seq"], time.monotonic() + self.patience
        wait = int(min(WAIT_S, self.timeout / 2))
        path = f"/v1/calls/{seq}" + (f"?wait={wait}" if wait > 0 else "")
        while True:
            ended = self.get(path).get("ended")
            if ended:
                need("receipt" in ended, "a call that ended in no record")
                record, given = self.evidence.check_end(ended["receipt"], core)
                return record, given or reply
            if time.monotonic() > end:
                raise Unanswered(f"call {seq}: its contributors are waited for")
            time.sleep(0.1)

    def keep(self, pending):
        """Before the first byte leaves, the request is in the journal, with what the tables keep
        of their calls; once answered it is not."""
        self.pending, self.calls = pending, self.evidence.kept_calls(self.calls)
        if self.journal and (pending or self.calls):
            with open(self.journal + ".new", "w",
                      opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
                calls = {"calls": self.calls} if self.calls else {}
                file.write(json.dumps((pending or {}) | calls))
                file.flush()
                os.fsync(file.fileno())
            os.replace(self.journal + ".new", self.journal)
        elif self.journal and os.path.exists(self.journal):
            os.remove(self.journal)

    # ---- playing: what a table does most

    def picture(self, table):
        """All there is to know when one comes back: state, `needs`, live shoe with its next
        position, open round, batches."""
        return self.get("/v1/tables/" + table)["table"]

    def mix(self, shoe):
        """Signed only now that the receipt of the shoe's commitment is verified."""
        need(self.pending is None, "a request is not answered yet: resume() first")
        root = self.evidence.shoes.newest(shoe)
        dealt = len(root["dealt"])
        caller = self.evidence.caller(root["table"], self.calls)
        round_id = self.evidence.rest_on_newest(caller).get("round", "0")
        return self.call(caller, f"/v1/shoes/{shoe}/mix", {
            "use": "mix", "object": shoe, "root": root["root"], "at": dealt, "round": round_id,
            "bets": self.evidence.bets_of(round_id, True),
            "specification": {"candidates": len(root.get("candidates", [])) or 1,
                              "places": root["cards"] - dealt}})

    def draw(self, table, **more):
        """A result from the table's committed batch. `round`: of a table that the appliance
        settles; `bets`: digest of bets held elsewhere. A call that was refused is never made
        otherwise: close the table and open it again."""
        need(self.pending is None, "a request is not answered yet: resume() first")
        caller = self.evidence.caller(table, self.calls)
        rules = self.evidence.opening(table)["body"]
        round_id = more.get("round", "0")
        if rules["settled_by"] == "client":
            what = rules["parameters"]["range"]
            bets = more.get("bets") or self.evidence.bets_of(None, True)
        else:
            what = draw_due(self.evidence.rest_on_newest(caller)["needs"])
            bets = self.evidence.bets_of(round_id, what["kind"] == "lots")
        batch = self.evidence.batches.get(table)
        # one that an earlier life of this program took is left to expire
        if not batch or batch["index"] >= batch["count"] or \
                time.monotonic() >= batch["good_until"]:
            self.post(f"/v1/tables/{table}/batches", {"count": 16})
            batch = self.evidence.batches[table]
        return self.call(caller, "/v1/draws", {
            "use": "draw", "object": batch["id"], "root": batch["root"], "at": batch["index"],
            "round": round_id, "bets": bets, "specification": what})

    def look(self, shoe, position, recommits=None):
        """The covered card at this position, for every seat whose copy is for this table's own
        key: `seat`, `place`, `card` and its opening. `recommits`: how often the shoe was shuffled
        again before it was dealt."""
        query = "" if recommits is None else f"?recommits={recommits}"
        given = self.get(f"/v1/shoes/{shoe}/cards/{position}{query}")["card"]
        need(given["position"] == position, "the copies are of another card")
        return look(self.evidence.key, self.evidence.shoes, self.evidence.log_key.origin, shoe,
                    given, recommits)

    def call(self, caller, path, wish):
        """Core and signature leave once, and are the same ever after. Who was invited and has
        handed in a commitment is to open behind it."""
        others, picture = [], {}
        if caller.invites or caller.again.over(wish):
            picture = self.picture(caller.table)
        if caller.invites:
            others = caller.others(picture.get("contributors", []), wish)
        return self.post(path, caller.make(wish, others, picture.get("again")))

    def with_contributors(self, table):
        """From now on the calls of the table name everybody who has handed in commitments, also
        programs that came with a certificate of their own."""
        self.evidence.caller(table, self.calls).invites = True

    def invite(self, table, seat, base):
        """The link by which a seat takes part in the calls of the table, to be shown as a QR code
        to the person there and to nobody else; a link that was given for the seat before ends.
        `base`: "https://HOST:PORT" of the appliance's public listener."""
        token = base64.urlsafe_b64encode(secrets.token_bytes(16)).decode().rstrip("=")
        self.with_contributors(table)
        self.post(f"/v1/tables/{table}/invitations",
                  {"seat": seat, "token": hashlib.sha256(token.encode()).hexdigest()})
        self.evidence.opening(table)
        return make_link(base, token, table, seat, self.evidence.leaves[table],
                         self.evidence.log_key.root_digest(), self.evidence.log_key.origin)

    def events(self, after=-1):
        """Yields (number, kind, record) for ever; a broken stream goes on behind the last one
        seen."""
        while True:
            try:
                stream = self.connect()
                stream.sock.settimeout(max(self.timeout, 15))  # a comment comes every 10 s
                stream.request("GET", "/v1/events",
                               headers={"Accept": "text/event-stream", "Last-Event-ID": str(after)})
                event = {}
                for line in stream.getresponse():
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    event[name] = value
                    if not name and "data" in event:
                        after = int(event["id"])
                        yield after, event["event"], json.loads(event["data"])
                        event = {}
            except (OSError, http.client.HTTPException):
                time.sleep(random.uniform(0.1, 0.5))
