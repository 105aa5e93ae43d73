"""Calls of a table for the tests: the core as the appliance's own picture of the table has it,
signed with the client's key. (A client that believes nothing makes it from verified records:
rngd/sdk/client.)"""
import base64
import hashlib
import json
import os
import sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from verifier.libcrypto import PrivateKey  # noqa: E402


def digest(domain, value):
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(b"talla/v2/" + domain.encode() + b"\0" + text.encode()).hexdigest()


def raw_signature(der):
    """r || s of a DER signature."""
    def number(data):
        size = data[1]
        return data[2:2 + size].lstrip(b"\0").rjust(32, b"\0"), data[2 + size:]
    r, rest = number(der[2:])
    return r + number(rest)[0]


def signed(client, core):
    """Body of the request that makes this call."""
    text = json.dumps(core, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    key = PrivateKey(f"{client.folder}/clients/{client.id}.key")
    der = key.sign(b"talla/v2/call\0" + text.encode())
    return {"core": core, "signature": base64.b64encode(raw_signature(der)).decode()}


def origin_of(client):
    with open(f"{client.folder}/log-key.json") as file:
        known = json.load(file)
    return json.loads(known.get("log_key", known)["statement"])["origin"]


def core_of(client, table, round_id=None):
    view = client.get("/v1/tables/" + table)["table"]
    played = client.get("/v1/rounds/" + round_id)["round"] if round_id else {}
    bets = played.get("bets", []) if played.get("state", "betting") != "betting" else []
    return view, {"v": 2, "type": "talla-call", "origin": origin_of(client), "table": table,
                  "turn": view["turn"], "head": view["head"], "round": round_id or "0",
                  "bets": digest("bets", bets), "game": view["game"],
                  "variant": view["variant"], "catalogue": view["catalogue"],
                  "parameters": digest("parameters", view["parameters"]),
                  "value": os.urandom(32).hex(), "others": []}


def specification(view):
    if "range" in view["parameters"]:
        return view["parameters"]["range"]
    for need in view.get("needs", []):
        if need["need"] == "draw":
            return {"wheel": lambda: {"kind": "wheel", "pockets": len(need["pockets"])},
                    "dice": lambda: {"kind": "dice", "count": need["count"],
                                     "faces": need["faces"]},
                    "lots": lambda: {"kind": "lots", "bounds": [need["faces"]]}}[need["kind"]]()
    return {"kind": "wheel", "pockets": 37}  # none is due


def draw_core(client, table, batch, index=None, round=None, bets=None):
    view, core = core_of(client, table, round)
    core |= {"use": "draw", "object": batch["id"], "root": batch["root"],
             "at": batch["index"] if index is None else index,
             "specification": specification(view)}
    return core | ({"bets": bets} if bets else {})


def draw_body(client, table, batch, index=None, **more):
    """Of POST /v1/draws: the next secret of the batch."""
    return signed(client, draw_core(client, table, batch, index, **more))


def mix_core(client, shoe):
    seen = client.get("/v1/shoes/" + shoe)["shoe"]
    round_id = client.get("/v1/tables/" + seen["table"])["table"].get("round")
    return core_of(client, seen["table"], round_id)[1] | {
        "use": "mix", "object": shoe, "root": seen["root"], "at": 0,
        "specification": {"candidates": seen.get("candidates", 1), "places": seen["cards"]}}


def mix_body(client, shoe):
    """Of POST /v1/shoes/{shoe}/mix: of its newest root."""
    return signed(client, mix_core(client, shoe))
