"""The bundle as a whole: what it claims, and what was checked of it (FORMAT section 9)."""
import pathlib

from . import laboratory
from .answers import Answers
from .signed_steps import SignedSteps
from .batch import Batch
from .calls import Calls
from .certified import carried, judge
from .log import check_checkpoint, check_key_chain, check_known
from .records import KINDS, PARTED, class_of, ends_content, is_lapsed, parse_record
from .shapes import Is, shape, shaped
from .shoe import Shoe
from .summary import of_bundle, of_laboratory
from .table_chain import TableChain
from .text import D, H, canonical, need, parse, unbase64
from .tree import leaf_hash, root_from_path


CERTIFIED, UNCERTIFIED, LAB = 0, 3, 4
CLAIMS = {"CARD_DEAL", "CARD_OPEN", "SHOE_MIX", "SHOE_CLOSE", "DRAW", "VOID", "BATCH_CLOSE",
          "SETTLEMENT", "TABLE_OPEN", "ROUND_OPEN", "SHOE_COMMIT", "BATCH_COMMIT"}

CATALOGUES = pathlib.Path(__file__).parents[2] / "games" / "catalogues"


def known_catalogues():
    """Digests of the catalogues that are part of the same source; none where there is no source."""
    return {H(path.read_bytes()).hex() for path in CATALOGUES.glob("*.toml")}


ROOT = shaped({"key": Is.digest, "tape": Is.base64})
ENTRIES = Is.each(shaped({"record": Is.filled, "path": Is.each(Is.base64)}))
RECORDS_MAX = 20000


class Evidence:
    def __init__(self, text, roots, policy=None, openings=None, known=None, ended=None,
                 trust=None, mine=None, catalogues=()):
        self.checked, self.not_checked, self.contexts = [], [], []
        self.certification, self.mine = "", mine
        self.joined, self.unopened, self.shown_from = None, False, None
        self.openings = parse(openings) if openings is not None else None
        if self.openings is not None:
            shape(self.openings,
                  {"v": Is.word(2), "type": Is.word("talla-openings"), "origin": Is.filled,
                   "shoe": Is.id_of("shoe"), "close": Is.integer,
                   "roots": lambda v: v and len(v) <= 49 and Is.each(ROOT)(v)})
        bundle = parse(text)
        self.laboratory = type(bundle) is dict and bundle.get("type") == "talla-laboratory"
        shape(bundle,
              {"v": Is.word(2), "type": Is.word("talla-bundle", "talla-laboratory"),
               "claim": Is.integer, "checkpoint": Is.text,
               "records": lambda v: ENTRIES(v) and 1 <= len(v) <= RECORDS_MAX,
               "log_key": Is.obj},
              {"key_changes": lambda v: type(v) is list and 1 <= len(v) <= 256} |
              ({"outcomes": Is.text} if self.laboratory else
               {"catalogue": Is.text, "state_before": Is.obj, "certifications": carried}))
        self.bundle = bundle
        self.records = [parse_record(entry["record"]) for entry in bundle["records"]]
        self.by_seq = {record["seq"]: record for record in self.records}
        self.claim = self.by_seq.get(bundle["claim"])
        need(self.claim is not None, "gap: the claim is not there")
        need(self.claim["kind"] in ({"ACCESS"} if self.laboratory else CLAIMS),
             "unsupported_claim: it cannot be proven")
        changes = bundle.get("key_changes", [])
        keys = check_key_chain(changes, bundle["log_key"], bundle["checkpoint"], roots,
                               self.claim["time"])
        statement, public, _ = keys[-1]
        self.development = any(one["development"] for one, _, _ in keys)
        if known is not None:
            check_known(known, keys)
        self.checked.append(
            "the log's key is bound to a trusted root by certificates valid at the recorded time")
        if changes:
            self.checked.append(
                f"each of the {len(changes) + 1} keys of the log was announced in it "
                "by the one before")
        origin, size, root, body, signatures = check_checkpoint(bundle["checkpoint"], statement,
                                                                public)
        if ended:
            self.checked += ended.judge(origin, size, root, [one for one, _, _ in keys])
        witnessed = policy.judge(origin, body, signatures) if policy else None
        if witnessed:
            self.checked.append(witnessed)
        elif len(signatures) > 1 and not policy:
            self.not_checked.append(
                f"{len(signatures) - 1} signatures of others on the checkpoint: "
                "no policy was given")
        self.log((origin, size, root))
        if self.laboratory:
            self.of_laboratory(witnessed)
            return
        self.chains()
        self.objects()
        if self.claim["kind"] == "SETTLEMENT":
            self.settlement()
        self.steps()
        self.certified = judge(self, trust, roots, [one["public"] for one, _, _ in keys])
        self.unknown_catalogue = self.name_catalogue(catalogues)
        if self.table["settled_by"] == "client" and set(self.table["catalogue"]) != {"0"}:
            self.not_checked.append("whether deck or range are those of the catalogue's game")
        if "continues" in self.table:
            self.not_checked.append("whether what the table took over is what " +
                                    self.table["continues"] + " left")
        self.not_checked += [] if witnessed else ["unwitnessed: does not exclude a second history"]
        self.not_checked.append("revocation not checked")
        self.proven, self.not_proven = of_bundle(self, self.joined, witnessed)

    def steps(self):
        steps = SignedSteps()
        for entry, record in zip(self.bundle["records"], self.records):
            steps.take(record, leaf_hash(entry["record"].encode()))
        self.not_checked += steps.said()

    def of_laboratory(self, witnessed):
        """Outcomes of a table of class lab, in the place of all that is of play."""
        need(self.mine is None, "not_mine: it shows no result of play")
        need(self.openings is None, "openings_other: of no covered shoe of this file")
        self.unknown_catalogue, self.certified, self.repetitions = "", False, None
        self.steps()
        outcomes = self.bundle.get("outcomes")
        self.ordered = laboratory.check(self.records, self.claim, leaf_hash(
            self.bundle["records"][0]["record"].encode()), outcomes)
        if outcomes is None:
            self.not_checked.append("outcomes: this file does not show them")
        else:
            self.checked.append(f"each of the {self.ordered['count']} outcomes follows from its "
                                "bits, all different, by the mapping of play")
        self.not_checked += [] if witnessed else ["unwitnessed: does not exclude a second history"]
        self.not_checked.append("revocation not checked")
        self.proven, self.not_proven = of_laboratory(outcomes is not None, witnessed,
                                                     self.development)

    def log(self, head):
        origin, size, root = head
        before = None
        for entry, record in zip(self.bundle["records"], self.records):
            need(record["origin"] == origin, "wrong_origin: a record of another log")
            leaf = leaf_hash(entry["record"].encode())
            path = [unbase64(h) for h in entry["path"]]
            need(root_from_path(record["seq"], size, leaf, path) == root,
                 f"not_included: record {record['seq']} is not in the log")
            if before:
                need(before["seq"] < record["seq"], "seq_order: the records do not ascend")
                need(before["time"] <= record["time"], "time_back: time goes back")
                need(before["boot"] <= record["boot"], "boot_back: the boot counter goes back")
            before = record
        self.checked.append(f"each of {len(self.records)} records is in the signed log of {size}")

    def chains(self):
        for record in self.records:
            need(record["kind"] in KINDS,
                 f"unknown_kind: record {record['seq']}: of a kind that is not known")
        answers = Answers()
        for record in self.records:
            answers.take(record)
        self.chain_of, table_id = {}, self.claim["table"]
        for record in self.records:
            place_before = record["kind"] == "TABLE_CLOSE" and record["table"] != table_id
            if "object" in record and not place_before:
                self.chain_of.setdefault(record["object"], []).append(record)
        need(self.chain_of.get(table_id, [{}])[0].get("kind") == "TABLE_OPEN",
             "gap: TABLE_OPEN of the claim is missing")
        opened = self.chain_of[table_id][0]
        self.table, self.table_record = opened["body"], opened
        self.leave_headless()
        TableChain(self).run()
        calls = Calls(self)
        calls.run()
        self.joined = calls.contributors.joined
        if self.mine is not None:
            calls.contributors.check_mine(self.mine)
            self.checked.append(f"the key {self.mine} that you named has its number in every "
                                "result that this rests on")
        for name, chain in self.chain_of.items():
            # what other tables did to a meter that they share may be left out between
            for before, record in zip(chain, chain[1:]):
                need(chain[0]["kind"] != "METER_OPEN" or record["meter_prev"] >= before["seq"],
                     f"meter_passed: {name}: record {record['seq']} passes over one before")
            if chain[0]["kind"] == "METER_OPEN":
                body = chain[0]["body"]
                need(self.table.get("meters", {}).get(body["meter"]) == name and
                     chain[0]["seq"] in opened["cites"],
                     "meter_foreign: a meter that the table does not share")
                need(all(body[key] == self.table[key]
                         for key in ("catalogue", "game", "variant", "currency", "unit")),
                     "meter_terms: a meter of another game or money")
                continue
            need(chain[0]["table"] == table_id,
                 "object_foreign: a record of another table")

    def class_of(self, record):
        """Of the record's kind: table, round, shoe, batch or meter; empty: a machine's, or not
        known."""
        return class_of(record)

    def leave_headless(self):
        """What was opened before the file's part of the table: nothing may rest on it."""
        table = self.claim["table"]
        begin = [record["seq"] for record in self.records
                 if record.get("table") == table and record["kind"] != "TABLE_OPEN"][:1]
        for name in list(self.chain_of):
            first = self.chain_of[name][0]
            row = KINDS.get(first["kind"])
            if row and row[1]:
                continue
            chained = row and row[0] not in ("", "meter") and first["table"] == table
            need(chained and name != self.claim["object"] and begin
                 and int(name.split("-")[1]) < begin[0],
                 f"gap: {name}: its opening record is missing")
            del self.chain_of[name]

    def context(self, value):
        self.contexts.append(value)
        parameters = H(D("parameters"), canonical(self.table["parameters"]).encode()).hex()
        need(all(value[k] == self.table[k] for k in ("catalogue", "game", "variant")) and
             value["parameters"] == parameters,
             "context_other: a commitment under other rules than the table's")

    def objects(self):
        walks, used = {"SHOE_COMMIT": Shoe, "BATCH_COMMIT": Batch}, False
        for name, chain in self.chain_of.items():
            if chain[0]["kind"] in walks:
                walk = walks[chain[0]["kind"]](self, name)
                for record in chain:
                    walk.step(record)
                if self.openings and self.openings["shoe"] == name and \
                        chain[0]["body"]["disclosure"] == "covered":
                    walk.by_openings(self.openings)
                    used = True
                walk.conclude()
            self.meters(chain)
            self.bets(chain)
        need(used or not self.openings,
             "openings_other: the openings are of no covered shoe of this bundle")

    def bets(self, chain):
        """One BETS_CLOSED, perhaps in numbered parts, directly one behind the other; so a
        SETTLEMENT."""
        before, bets, closed = None, [], 0
        for record in chain:
            part = record["body"].get("part", 1) if record["kind"] in PARTED else 1
            if before is not None and not ends_content(before):
                need(record["kind"] == before["kind"] and part == before["body"]["part"] + 1 and
                     record["body"].get("parts") == before["body"]["parts"],
                     "part_missing: a numbered part is missing")
            else:
                need(part == 1, "part_missing: a numbered part without those before it")
            before = record if record["kind"] in PARTED else None
            if record["kind"] != "BETS_CLOSED":
                continue
            need(closed == 0, "bets_twice: the bets were closed before")
            bets += record["body"]["bets"]
            if ends_content(record):
                closed += 1
                digest = H(D("bets"), canonical(bets).encode()).hex()
                need(digest == record["body"]["digest"], "bets_digest: another bets digest")

    def meters(self, chain):
        """METER is compare-and-set: before is what the last one of that meter left."""
        opening, values = chain[0], {}
        shared = opening["kind"] == "METER_OPEN"
        if shared:
            values[opening["body"]["meter"]] = opening["body"]["value"]
            need(all(r["kind"] == "METER" for r in chain[1:]), "meter_over: it was closed")
            need(all(r["body"]["meter"] in values for r in chain[1:]), "meter_stood: another meter")
        for before, record in zip([None, *chain], chain):
            if record["kind"] != "METER":
                continue
            body = record["body"]
            if shared and record["meter_prev"] != before["seq"]:
                values.clear()
                self.not_checked.append(f"what other rounds made of {opening['object']} before")
            need(values.get(body["meter"], body["before"]) == body["before"],
                 "meter_stood: a meter that stood elsewhere")
            values[body["meter"]] = body["after"]

    def settlement(self):
        claim, bundle = self.claim, self.bundle
        need(ends_content(claim), "unsupported_claim: a part alone proves nothing")
        need("catalogue" in bundle and "state_before" in bundle,
             "rules_unavailable: a settlement needs catalogue and state")
        need(H(bundle["catalogue"].encode()).hex() == self.table["catalogue"],
             "catalogue_other: another catalogue")
        before = H(D("state"), canonical(bundle["state_before"]).encode()).hex()
        opened = self.chain_of[claim["object"]][0]
        need(before == opened["body"]["state_before"] == claim["body"]["state_before"],
             "state_other: another state before")
        need(all(seq in self.by_seq for seq in claim["cites"]),
             "cited_missing: a cited record is missing")
        self.draws()
        closed, dealt = None, False
        for record in self.records:
            if record["seq"] >= claim["seq"]:
                break
            own = record.get("object") == claim["object"] and not (record["kind"] in PARTED and
                                                                   not ends_content(record))
            if own and record["kind"] == "BETS_CLOSED":
                closed = record["seq"]
            rests = own and record["kind"] in ("BETS_CLOSED", "ACTION", "MISDEAL", "HAND_CONFIRMED")
            rests = rests or (record["kind"] == "CARD_OPEN" and record["seq"] > opened["seq"])
            if record["kind"] == "METER" and record["body"].get("round") == claim["object"]:
                before, rests = self.by_seq.get(record["meter_prev"], {}), True
                need(before.get("object") == record["object"],
                     "meter_passed: what a meter held before is not there")
            if record["kind"] in ("DRAW", "VOID") and not is_lapsed(record):
                call = self.by_seq.get(record["body"]["call"])
                core = call["body"].get("core", {}) if call else {}
                rests = core.get("use") == "draw" and core.get("round") == claim["object"]
            if record["kind"] == "CARD_DEAL" and record["seq"] > opened["seq"]:
                need(record["body"].get("round") == claim["object"],
                     "wrong_settlement: a card of another round, or of none")
                need(record["object"] in self.chain_of,
                     "object_before: a card of a shoe that was opened before what the file holds")
                before = [r for r in self.chain_of[record["object"]] if r["seq"] < record["seq"]]
                committed = [r["seq"] for r in before
                             if r["kind"] in ("SHOE_COMMIT", "SHOE_RECOMMIT")][-1]
                mixes = [r["seq"] for r in before if r["kind"] == "SHOE_MIX" and
                         r["seq"] > committed]
                if closed is not None:
                    each_round = self.table["policy"]["mix"] == "round"  # shoe.py's
                    need(each_round or mixes and (mixes[0] < closed or committed > closed),
                         "mixed_late: the shoe was mixed after the bets")
                    need(dealt or closed in record["cites"],
                         "bets_uncited: the first card does not cite the bets")
                    dealt = True
                    asked = f"whether the rules asked for {record['object']}, which was " \
                        "committed behind the bets"
                    if committed > closed and asked not in self.not_checked:
                        self.not_checked.append(asked)
                rests = True
            need(not rests or record["seq"] in claim["cites"],
                 f"wrong_citation: does not cite record {record['seq']}")
        need(closed is not None, "bets_missing: the bets were never closed")
        seats = {bet["seat"] for record in self.chain_of[claim["object"]]
                 if record["kind"] == "BETS_CLOSED" for bet in record["body"]["bets"]}
        keyless = sorted(seat for seat in seats - {0}
                         if f"seat-{seat}" not in (self.joined or {}).values())
        if keyless:
            self.not_checked.append("seats that bet and have no key of their own in it: " +
                                    ", ".join(map(str, keyless)))
        self.checked.append(
            "the settlement cites the bets, decisions and outcomes it rests on; "
            "its state before fits")
        self.not_checked.append(
            "settlement: results and state after not computed again (rules of the games)")

    def name_catalogue(self, given):
        """The digest of the table's catalogue where nobody here knows it, else an empty text.
        `given`: catalogue files' bytes."""
        digest = self.table["catalogue"]
        if set(digest) == {"0"} or self.certified or \
                digest in known_catalogues() | {H(one).hex() for one in given}:
            return ""
        self.not_checked.insert(0, f"the rules: the catalogue {digest} is none that is known here")
        return digest

    def draws(self):
        """Of a batch that is not there the round could have had any number of draws, and one could
        have been picked."""
        of_round = {record["seq"] for record in self.records if record["kind"] == "CALL"
                    and record["body"]["core"]["round"] == self.claim["object"]}
        for seq in of_round:
            name = self.by_seq[seq]["object"]
            need(name in self.chain_of, f"batch_missing: the opening record of {name}, of a call "
                 f"of the claim's round (record {seq})")
        drawn = [record for record in self.records if record["kind"] == "DRAW"
                 and record["body"]["call"] in of_round]
        if len(drawn) > 1:
            self.not_checked.append(f"{self.claim['object']}: whether the rules ask for "
                                    f"{len(drawn)} draws")

    def code(self):
        if self.laboratory:
            return LAB
        if any(s["class"] == "lab" for c in self.contexts for s in c["sources"]):
            return LAB
        return CERTIFIED if self.certified else UNCERTIFIED
