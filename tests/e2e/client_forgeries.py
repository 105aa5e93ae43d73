"""What a liar who has the log's key tells a client: records that were changed, signed anew under a
checkpoint that holds them. What is left to refuse them by is what the client knows itself: its
request, its call byte for byte, the chain of its table, what was committed before.

A forgery changes one record of a reply, and with it the words of the reply."""
import base64
import json
import os
import subprocess
import sys
import tempfile

from client_lies import kinds_of

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "rngd", "sdk", "client", "python"))
sys.path.insert(1, os.path.dirname(HERE))
from talla_log import H, bets_digest, canonical, domain, root_of  # noqa: E402
from verifier.libcrypto import PrivateKey  # noqa: E402


class Forger:
    """Signs with the log's key of an appliance's folder."""

    def __init__(self, folder):
        self.key = f"{folder}/log.key"
        with open(f"{folder}/log-key.json", encoding="utf-8") as file:
            known = json.load(file)
        statement = json.loads(known.get("log_key", known)["statement"])
        self.origin, public = statement["origin"], base64.b64decode(statement["public"])
        self.id = H(self.origin.encode(), b"\n\x01", public)[:4]

    def signature(self, text, key=None):
        if key is None:
            return PrivateKey(self.key).sign(text)
        with tempfile.NamedTemporaryFile() as file:
            file.write(key)
            file.flush()
            return PrivateKey(file.name).sign(text)

    def receipt(self, true, record, key=None, origin=None):
        """Of a record (a value, or its text) in the place of the true one."""
        text = record if isinstance(record, str) else canonical(record)
        proof, _, note = true["proof"].partition("\n\n")
        version, index, *path = proof.split("\n")
        size = note.split("\n")[1]
        root = root_of(int(index.split()[1]), int(size), H(b"\0", text.encode()),
                       [base64.b64decode(one) for one in path])
        origin = origin or self.origin
        said = f"{origin}\n{size}\n{base64.b64encode(root).decode()}\n"
        line = base64.b64encode(self.id + self.signature(said.encode(), key)).decode()
        note = said + f"\n\u2014 {origin} {line}\n"
        return {"record": text, "proof": "\n".join([version, index, *path, "", note])}


    def replace(self, receipts, at, record):
        """The records of the table behind it follow the changed one."""
        receipts[at] = self.receipt(receipts[at], record)
        for i in range(at + 1, len(receipts)):
            before, behind = (json.loads(one["record"]) for one in receipts[i - 1:i + 1])
            if behind.get("prev") != before["seq"]:
                break
            leaf = H(b"\0", receipts[i - 1]["record"].encode())
            behind["link"] = H(domain("link"), bytes.fromhex(before["link"]), leaf).hex()
            receipts[i] = self.receipt(receipts[i], behind)


def in_record(kind):
    """Changes a record of that kind and signs it; the words of the reply may follow."""
    def make(lie):
        def told(reply, before, forger):
            if kind not in kinds_of(reply):
                return None
            at = kinds_of(reply).index(kind)
            record = json.loads(reply["receipts"][at]["record"])
            if lie(record, record["body"], reply) is False:
                return None
            forger.replace(reply["receipts"], at, record)
            return reply
        told.__name__ = lie.__name__
        told.forges = True
        return told
    return make


def other(digest):
    """Another value of the same form."""
    return f"{int(digest[0], 16) ^ 1:x}{digest[1:]}"


# ---- whose record it is


@in_record("DRAW")
def a_record_of_another_request(record, body, reply):
    record["request"] = other(record["request"])


@in_record("DRAW")
def a_record_under_another_key(record, body, reply):
    record["key"] = record["key"] + "0" if len(record["key"]) < 64 else "0"


@in_record("CALL")
def a_call_of_another_table(record, body, reply):
    record["table"] = "table-1"


@in_record("DRAW")
def a_record_of_another_log(record, body, reply):
    record["origin"] = "elsewhere/log"


@in_record("DRAW")
def a_record_of_another_version(record, body, reply):
    record["v"] = 1


@in_record("SHOE_COMMIT")
def a_link_that_does_not_follow(record, body, reply):
    record["link"] = other(record["link"])


# ---- the call is the one that was signed, byte for byte


def in_core(lie):
    def told(record, body, reply):
        lie(body["core"])
    told.__name__ = lie.__name__
    return in_record("CALL")(told)


@in_core
def another_number_of_the_table(core):
    core["value"] = other(core["value"])


@in_core
def another_digest_of_the_bets_in_the_call(core):
    core["bets"] = other(core["bets"])


@in_core
def another_head(core):
    core["head"] = other(core["head"])


@in_core
def another_turn(core):
    core["turn"] += 1


@in_core
def a_wheel_of_38(core):
    if core["use"] == "draw":
        core["specification"]["pockets"] = 38
    else:
        core["specification"]["places"] -= 1


@in_core
def other_parameters_of_the_game(core):
    core["parameters"] = other(core["parameters"])


@in_core
def a_contributor_whom_the_table_did_not_name(core):
    point = subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                            "ec_paramgen_curve:P-256", "-outform", "DER"], capture_output=True,
                           check=True).stdout
    spki = subprocess.run(["openssl", "pkey", "-inform", "DER", "-pubout", "-outform", "DER"],
                          input=point, capture_output=True, check=True).stdout
    core["others"] = [{"id": "seat-1", "key": base64.b64encode(spki).decode(), "t": 1,
                       "commit": "11" * 32}]


@in_record("CALL")
def a_signature_of_nobody(record, body, reply):
    raw = bytearray(base64.b64decode(body["signature"]))
    raw[5] ^= 1
    body["signature"] = base64.b64encode(raw).decode()


@in_record("CALL")
def a_call_for_another_object(record, body, reply):
    name, _, seq = record["object"].partition("-")
    record["object"] = f"{name}-{int(seq) - 1}"


# ---- what follows from it, and from what was committed


@in_record("DRAW")
def another_secret(record, body, reply):
    body["secret"] = other(body["secret"])


@in_record("DRAW")
def another_path_of_the_secret(record, body, reply):
    body["path"] = [other(hash_) for hash_ in body["path"]] or ["11" * 32]  # of one secret: none


@in_record("DRAW")
def another_outcome(record, body, reply):
    pocket = (body["outcome"]["pocket"] + 1) % 37
    body["outcome"] = reply["draw"]["outcome"] = {"pocket": pocket}


@in_record("DRAW")
def another_index(record, body, reply):
    body["index"] += 1


@in_record("DRAW")
def a_draw_of_another_call(record, body, reply):
    record["cites"] = [seq - 1 if seq == body["call"] else seq for seq in record["cites"]]
    body["call"] -= 1


@in_record("DRAW")
def a_number_that_nobody_gave(record, body, reply):
    body["openings"] = [{"value": "22" * 32, "signature": base64.b64encode(b"\1" * 64).decode()}]


@in_record("SHOE_MIX")
def a_mix_of_another_root(record, body, reply):
    body["root"] = other(body["root"])


@in_record("SHOE_MIX")
def a_mix_with_a_number_that_nobody_gave(record, body, reply):
    body["openings"] = [{"value": "22" * 32, "signature": base64.b64encode(b"\1" * 64).decode()}]


@in_record("CARD_DEAL")
def another_card_of_the_shoe(record, body, reply):
    body["card"] = "AS" if body["card"] != "AS" else "KS"
    shown = next(card for card in reply["cards"] if card["position"] == body["position"])
    shown["card"] = body["card"]


@in_record("CARD_DEAL")
def another_leaf_of_the_shoe(record, body, reply):
    body["leaf"] ^= 1


@in_record("CARD_DEAL")
def another_salt_of_a_card(record, body, reply):
    body["salt"] = other(body["salt"])


@in_record("CARD_DEAL")
def a_card_passed_over(record, body, reply):
    shown = next(card for card in reply["cards"] if card["position"] == body["position"])
    shown["position"] = body["position"] = body["position"] + 9


@in_record("BETS_CLOSED")
def other_bets(record, body, reply):
    body["bets"][0]["stake"] += 25
    body["digest"] = bets_digest(body["bets"])


@in_record("BETS_CLOSED")
def another_digest_of_the_bets(record, body, reply):
    body["digest"] = other(body["digest"])


@in_record("SETTLEMENT")
def a_settlement_that_the_words_do_not_tell(record, body, reply):
    body["results"][0]["returned"] += 1


@in_record("TABLE_OPEN")
def a_table_for_another_range(record, body, reply):
    if "range" not in body["parameters"]:
        return False
    body["parameters"]["range"]["pockets"] = 38
    return True


@in_record("TABLE_OPEN")
def a_table_with_another_least_stake(record, body, reply):
    if body["settled_by"] != "appliance":
        return False
    body["min"] += 25
    return True


@in_record("TABLE_OPEN")
def a_table_for_another_key(record, body, reply):
    spki = bytearray(base64.b64decode(body["key"]))
    spki[-1] ^= 1
    body["key"] = base64.b64encode(spki).decode()


# ---- whoever signs


def by_another_key(reply, before, forger):
    if "draw" not in reply:
        return None
    key = subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519"], capture_output=True,
                         check=True).stdout
    true = reply["receipts"][-1]
    reply["receipts"][-1] = forger.receipt(true, true["record"], key)
    return reply


def under_the_name_of_another_log(reply, before, forger):
    if "draw" not in reply:
        return None
    true = reply["receipts"][-1]
    reply["receipts"][-1] = forger.receipt(true, true["record"], origin="elsewhere/log")
    return reply


by_another_key.forges = under_the_name_of_another_log.forges = True

OWN = "did not sign"
FORM = "another form|v is malformed|version"
FORGERIES = {
    a_record_of_another_request: "not about this request",
    a_record_under_another_key: "not about this request",
    a_call_of_another_table: ".", a_record_of_another_log: "another form|other_origin|origin",
    a_record_of_another_version: FORM + "|malformed", a_link_that_does_not_follow: "follow",
    another_number_of_the_table: OWN, another_digest_of_the_bets_in_the_call: OWN,
    another_head: OWN, another_turn: OWN, a_wheel_of_38: OWN, other_parameters_of_the_game: OWN,
    a_contributor_whom_the_table_did_not_name: OWN, a_signature_of_nobody: OWN,
    a_call_for_another_object: ".", another_secret: "secret", another_path_of_the_secret: "secret",
    another_outcome: "does not follow", another_index: "another batch|index",
    a_draw_of_another_call: "result of", a_number_that_nobody_gave: "openings",
    a_mix_of_another_root: "root", a_mix_with_a_number_that_nobody_gave: "openings",
    another_card_of_the_shoe: "committed|leaf", another_leaf_of_the_shoe: "mix",
    another_salt_of_a_card: "committed|leaf", a_card_passed_over: "next card|mix",
    other_bets: "other bets", another_digest_of_the_bets: "another digest",
    a_settlement_that_the_words_do_not_tell: "pays what the log does not say",
    a_table_for_another_range: "otherwise", a_table_with_another_least_stake: "otherwise",
    a_table_for_another_key: "another key|table_key", by_another_key: "signature|another key",
    under_the_name_of_another_log: "another log|differ|signature|origin"}
