"""What the end-to-end tests share: facts run one after another and counted, refusals, the usual
ways of play.

Standard library only. A test file is a list of functions; each is one fact and takes the
appliance."""
import json
import os
import sys
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from calls import draw_body, mix_body  # noqa: E402
from appliance import Appliance, new_key, record_of  # noqa: E402
from verifier.shoe import mix_of  # noqa: E402, F401

# They try again as often as a policy can allow.
WHEEL = {"settled_by": "client", "range": {"kind": "wheel", "pockets": 37}, "max_voids": 16}
SHOE = {"settled_by": "client", "deck": "french52x8", "max_voids": 16}


def hold(facts, *arguments):
    """Runs every fact; the count of those that do not hold."""
    failed = 0
    for fact in facts:
        name = fact.__name__.replace("_", " ")
        try:
            fact(*arguments)
            print(f"holds: {name}", flush=True)
        except Exception:  # noqa: BLE001: reported, counted, and the next fact is tried
            failed += 1
            print(f"DOES NOT HOLD: {name}\n{traceback.format_exc()}", flush=True)
    print(f"{len(facts) - failed} of {len(facts)} facts hold", flush=True)
    return failed


def wait_for(what, question, seconds=30):
    """The question's first answer that is not empty."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = question()
        if answer:
            return answer
        time.sleep(0.1)
    raise AssertionError(f"{what}: not within {seconds} s")


def ready(appliance, wanted, seconds=30):
    """Waits until the appliance takes new commitments, or no more; the reasons it gives."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        status, text = appliance.health("/readyz")
        if (status == 200) == wanted:
            return json.loads(text)["reasons"]
        time.sleep(0.05)
    raise AssertionError(f"/readyz: {text}")


def main(facts, before=None, failed=0):
    """One appliance for all facts; `before` may add to it before it starts. usage: NAME_test.py
    FOLDER_OF_PROGRAMS"""
    with Appliance(sys.argv[1]) as appliance:
        if before:
            before(appliance)
        appliance.start()
        failed += hold(facts, appliance)
        if appliance.process.poll() is not None:
            failed += 1
            print(f"rngd ended by itself with {appliance.process.returncode}")
        if failed:
            print(f"--- the daemon's log\n{appliance.log()[-4000:]}")
    sys.exit(1 if failed else 0)


def lapsed(client, path, code, body):
    """Sends a call that does not stand: it is answered by a VOID that carries it, not refused. What
    the reply says of it."""
    reply = client.post(path, body)
    said = reply["lapsed"]
    record, = (json.loads(one["record"]) for one in reply["receipts"])
    assert (said["code"], said["seq"], said["turn"]) == \
        (code, record["seq"], body["core"]["turn"]), reply
    assert record["kind"] == "VOID" and record["body"]["cause"] == "lapsed" and \
        record["body"]["core"] == body["core"], record
    assert ("outcome" in said) == ("secret" in record["body"]), reply
    return said


def refused(client, method, path, status, code, body=None, retry="never", key=None, raw=None):
    """Sends what must be refused; the problem document, checked against RFC 9457 and the house's
    members."""
    if method == "POST" and key is None:
        key = new_key()
    got, text = client.send(method, path, {} if method == "POST" and body is None else body,
                            key=key, raw=raw)
    assert (got, client.headers["Content-Type"]) == (status, "application/problem+json"), (
        f"{method} {path}: {got} {text.decode()}")
    problem = json.loads(text)
    found = (problem["code"], problem["status"], problem["retry"], problem["type"])
    assert found == (code, status, retry, "urn:talla:problem:" + code), \
        f"{method} {path}: {text.decode()}"
    assert isinstance(problem["title"], str) and problem["title"], text
    after = client.headers["Retry-After"]
    assert (after is not None) == (retry != "never"), f"Retry-After: {after} with retry {retry}"
    assert after is None or int(after) >= 1, after
    return problem


def open_table(client, body):
    return client.post("/v1/tables", body)["table"]["id"]


def game_table(client, game, minimum=25, **params):
    """A table of the catalogue of 1977, settled by the appliance."""
    return open_table(client,
                      {"catalogue": "es-1977", "game": game, "max_voids": 16,
                       "table": {"currency": "ESP", "unit": 1, "min": minimum, "params": params}})


def spin(appliance, count):
    """So many spins at a table of their own, which is closed behind them."""
    client = appliance.client()
    table = open_table(client, WHEEL)
    batch = new_batch(client, table, count)
    for index in range(count):
        client.post("/v1/draws", draw_body(client, table, batch, index))
    client.post(f"/v1/tables/{table}/close")


def mix_shoe(client, table, **wish):
    """Seals a shoe and mixes it; the shoe's view."""
    shoe = client.post(f"/v1/tables/{table}/shoes", wish)["shoe"]
    return client.post(f"/v1/shoes/{shoe['id']}/mix", mix_body(client, shoe["id"]))["shoe"]


def deal(client, shoe, expected, until, place="table", face="open"):
    body = {"expected": expected, "until": until}
    if until != "needs":
        body.update(place=place, face=face)
    return client.post(f"/v1/shoes/{shoe}/deal", body)


def new_batch(client, table, count=4):
    return client.post(f"/v1/tables/{table}/batches", {"count": count})["batch"]


def seq_of(reply, kind):
    return record_of(reply, kind)["seq"]


def close_early(appliance, shoe):
    """Two persons close a shoe that the rules would play on: its SHOE_CLOSE. The table alone may
    not."""
    problem = refused(appliance.client(), "POST", f"/v1/shoes/{shoe}/close", 409, "early_close")
    assert (problem["object"], problem["ended_by"]["act"]) == (shoe, "shoe-close"), problem
    asked = appliance.talla("--json", "act", "ask", "shoe-close", "--object", shoe,
                            client="inspector", check=True)
    act = json.loads(asked.stdout.splitlines()[0])["id"]
    appliance.talla("act", "confirm", act, client="operator", check=True)
    records = [event["record"] for event in events(appliance.client())]
    records = [one if isinstance(one, dict) else json.loads(one) for one in records]
    return [one for one in records if one["kind"] == "SHOE_CLOSE" and one["object"] == shoe][0]


def events(client):
    """Every record the client may see, as the API lists them."""
    found, after = [], -1
    while True:
        page = client.get(f"/v1/events?after={after}&limit=1000")
        found += page["events"]
        if not page["more"]:
            return found
        after = page["next"]
