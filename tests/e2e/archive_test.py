#!/usr/bin/env python3
# Goal: archives sealed beside a running appliance hold each record as the API gave it, follow one
#   another over a change of the log's key, and give an inspector the evidence of a round again;
#   nothing changed, cut or exchanged passes (certs/FORMAT.md section 13).
# Method: a real appliance with rounds, a shoe and draws; `talla archive` beside it; the file is
#   read here by its format alone too, and both verifiers judge archives and the bundles out of
#   them.
#   usage: archive_test.py FOLDER_OF_PROGRAMS
import json
import os
import struct
import subprocess
import sys
import time

from calls import draw_body
from facts import (SHOE, WHEEL, mix_shoe, deal, events, game_table, hold, new_batch,
                   open_table, seq_of, wait_for)
from appliance import Appliance, record_of
from play_test import spin
from rotation_test import INSPECTOR, OFFICER, ROTATE, make_next, with_next_key
from verifier import here

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
kept = {}


def at(appliance, name):
    return f"{appliance.folder}/{name}"


def seal(appliance, name, *options, config=True):
    where = ["--config", appliance.config] if config else []
    return appliance.talla("--json", "archive", "seal", *where, at(appliance, name), *options)


def sealed(appliance, name, *options, config=True):
    done = seal(appliance, name, *options, config=config)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def judged(appliance, *names, command="verify", options=()):
    """Exit code and words of `talla archive verify`, then of the second verifier."""
    root = at(appliance, "ca.pem")
    files = [at(appliance, name) for name in names]
    own = appliance.talla("archive", command, *files, "--root", root, *options, client="nobody")
    if command != "verify":
        return own.returncode, own.stdout + own.stderr
    second = here.archive(root, *files, *options)
    assert second.returncode == own.returncode, \
        f"{own.stdout}{own.stderr}\n{second.returncode} {second.stdout}{second.stderr}"
    return own.returncode, own.stdout + own.stderr


def entries(path):
    """(tag, content) one by one, by the format alone."""
    with open(path, "rb") as file:
        assert file.readline() == b"talla-archive v1\n"
        while front := file.read(5):
            yield front[:1], file.read(struct.unpack(">I", front[1:])[0])


def play(appliance, name):
    """A settled round, a closed shoe, a draw: what evidence is asked for later."""
    client = appliance.client()
    table = kept.setdefault("table", game_table(client, "french-roulette"))
    _, reply = spin(client, table,
                    [{"id": "b", "seat": 1, "kind": "pleno", "on": ["17"], "stake": 25}])
    settled = record_of(reply, "SETTLEMENT")
    shoes = open_table(client, SHOE)
    shoe = mix_shoe(client, shoes)["id"]
    deal(client, shoe, 0, 4)
    closed = seq_of(client.post(f"/v1/shoes/{shoe}/close"), "SHOE_CLOSE")
    wheel = open_table(client, WHEEL)
    body = draw_body(client, wheel, new_batch(client, wheel), 0)
    drawn = seq_of(client.post("/v1/draws", body), "DRAW")
    wait_for("a checkpoint behind the draw", lambda:
             int(open(at(appliance, "data/tiles/checkpoint")).read().split("\n")[1]) > drawn)
    kept[name] = {"round": settled["object"], "settlement": settled["seq"], "shoe": shoe,
                  "closed": closed, "drawn": drawn}


def an_archive_is_sealed_beside_the_daemon_and_holds_each_record_as_the_api_gives_it(appliance):
    play(appliance, "a")
    made = sealed(appliance, "a.archive")
    play(appliance, "b")  # the daemon goes on
    assert made["from"] == 0 and made["to"] == made["tree_size"] > kept["a"]["drawn"], made
    code, words = judged(appliance, "a.archive")
    assert code == 3 and made["digest"] in words and "not checked: unwitnessed" in words, words
    given = {one["seq"]: one["record"] for one in events(appliance.client("talla:auditor-1"))}
    found = list(entries(at(appliance, "a.archive")))
    records = [content.decode() for tag, content in found if tag == b"R"]
    assert len(records) == made["to"] and records == [given[seq] for seq in range(made["to"])]
    states = [json.loads(content) for tag, content in found if tag == b"S"]
    assert len(states) == sum('"kind":"ROUND_OPEN"' in record for record in records) == 1
    catalogues = [content for tag, content in found if tag == b"C"]
    assert len(catalogues) == made["catalogues"] == 1 and b"es-1977" in catalogues[0]
    assert oct(os.stat(at(appliance, "a.archive")).st_mode & 0o777) == "0o600"


def the_same_span_by_the_same_checkpoint_gives_the_same_bytes(appliance):
    header = next(content for tag, content in entries(at(appliance, "a.archive")) if tag == b"H")
    with open(at(appliance, "checkpoint"), "w", encoding="utf-8") as out:
        out.write(json.loads(header)["checkpoint"])
    sealed(appliance, "again.archive", "--checkpoint", at(appliance, "checkpoint"))
    one, other = (open(at(appliance, name), "rb").read() for name in ("a.archive", "again.archive"))
    assert one == other
    done = seal(appliance, "a.archive")
    assert done.returncode == 1 and "exists already" in done.stdout, done.stdout
    assert open(at(appliance, "a.archive"), "rb").read() == one


def a_period_that_is_not_over_is_said_to_be_so(appliance):
    def day(days):
        return time.strftime("%Y-%m-%d", time.gmtime(time.time() + days * 86400))
    done = appliance.talla("archive", "seal", "--config", appliance.config,
                           at(appliance, "early.archive"), "--until", day(2))
    assert done.returncode == 0 and "WARNING: the period is not over" in done.stdout, done.stdout
    made = sealed(appliance, "early2.archive", "--until", day(2))
    assert made["period_over"] is False, made
    assert sealed(appliance, "all.archive")["period_over"] is True, "no day was named"
    for name in ("early", "early2", "all"):
        os.remove(at(appliance, f"{name}.archive"))


def the_next_one_follows_over_a_change_of_the_key(appliance):
    digest = make_next(appliance, "log-key.json", "next.key", "next.json")
    act = appliance.client(OFFICER).post("/v1/acts", ROTATE)["act"]["id"]
    appliance.talla("act", "confirm", act, "--digest", digest, client="inspector", check=True)
    play(appliance, "c")
    middle = kept["c"]["settlement"]  # in the middle of a round
    sealed(appliance, "b.archive", "--after", at(appliance, "a.archive"), "--to", str(middle))
    sealed(appliance, "c.archive", "--after", at(appliance, "b.archive"))
    code, words = judged(appliance, "a.archive", "b.archive", "c.archive")
    assert code == 3 and words.count("goes on where the archive before ends") == 2 and \
        "2 keys of the log" in words, words
    code, words = judged(appliance, "c.archive")
    assert code == 3 and f"the {middle} records before" in words, words
    spanish = appliance.talla("archive", "verify", at(appliance, "c.archive"), "--root",
                              at(appliance, "ca.pem"), "--language", "es", client="nobody")
    lines = spanish.stdout.splitlines()
    assert spanish.returncode == 3 and lines[0].startswith("verificado: asientos ") and \
        f"  no comprobado: los {middle} asientos anteriores" in spanish.stdout and \
        all(line.startswith(("  asentado", "  huella", "  comprobado: ", "  no comprobado: "))
            for line in lines[1:]) and "the " not in spanish.stdout, spanish.stdout
    assert judged(appliance, "a.archive", "b.archive",
                  options=["--known-key", at(appliance, "log-key.json")])[0] == 3


def tree_alone(appliance, *names):
    """What a reading says that leaves single draws, cards and bets unread; the second verifier
    reads everything."""
    files = [at(appliance, name) for name in names]
    done = appliance.talla("archive", "verify", "--tree", *files, "--root", at(appliance, "ca.pem"),
                           client="nobody")
    return done.returncode, done.stdout + done.stderr


def the_tree_alone_gives_the_same_verdict_and_says_what_was_not_read(appliance):
    code, words = tree_alone(appliance, "a.archive", "b.archive", "c.archive")
    assert code == 3 and words.count("goes on where the archive before ends") == 2, words
    records = [content for tag, content in entries(at(appliance, "a.archive")) if tag == b"R"][1:-1]
    mass = ("BETS_CLOSED", "ACTION", "SETTLEMENT", "ROUND_END", "CARD_DEAL", "CARD_OPEN", "CALL",
            "DRAW")
    unread = sum(json.loads(record)["kind"] in mass for record in records)
    assert unread > 5 and f"the content of {unread} records" in words, words


def what_is_changed_cut_exchanged_or_foreign_is_refused(appliance):
    good = open(at(appliance, "b.archive"), "rb").read()
    for place in range(3, len(good), len(good) // 6):
        with open(at(appliance, "bad.archive"), "wb") as out:
            out.write(good[:place] + bytes([good[place] ^ 1]) + good[place + 1:])
        code, words = judged(appliance, "bad.archive")
        assert code == 1 and "NOT VALID" in words, f"byte {place}: {words}"
        code, words = tree_alone(appliance, "bad.archive")
        assert code == 1 and "NOT VALID" in words, f"byte {place}, the tree alone: {words}"
    for cut in (good[:-1], good[:len(good) // 2], good[:10], b"", good + b"\n"):
        with open(at(appliance, "bad.archive"), "wb") as out:
            out.write(cut)
        assert judged(appliance, "bad.archive")[0] == 1
    for wrong in (("a.archive", "c.archive"), ("b.archive", "a.archive"),
                  ("a.archive", "a.archive")):
        code, words = judged(appliance, *wrong)
        assert code == 1 and "archive_differs" in words, words
    done = seal(appliance, "x.archive", "--after", at(appliance, "bad.archive"))
    assert done.returncode == 1 and "bytes behind the end" in done.stdout and \
        not os.path.exists(at(appliance, "x.archive")), done.stdout
    assert judged(appliance, "a.archive",
                  options=["--known-key", at(appliance, "clients/talla:table-1.pem")])[0] == 1
    assert appliance.talla("archive", "verify", at(appliance, "a.archive"),
                           client="nobody").returncode == 1, "no client.toml to name a root"
    assert appliance.talla("archive", "seal", at(appliance, "x.archive")).returncode == 2, \
        "no ledger"


def an_inspector_gets_the_evidence_of_a_round_out_of_archives(appliance):
    everything = ("a.archive", "b.archive", "c.archive")
    for name in "abc":
        one = kept[name]
        claims = ((["--object", one["round"]], one["settlement"]),
                  (["--object", one["shoe"]], one["closed"]),
                  (["--seq", str(one["drawn"])], one["drawn"]))
        for what, claim in claims if name == "c" else claims[:1]:
            out = at(appliance, "evidence.talla")
            code, words = judged(appliance, *everything, command="show",
                                 options=[*what, "--bundle", out])
            assert code == 3, words
            assert json.load(open(out, encoding="utf-8"))["claim"] == claim
            code, words = appliance.verify(out)
            assert code == 3, words
            second = here.bundle(out, at(appliance, "ca.pem"))
            assert second.returncode == 3, second.stdout
            if claim == one["settlement"]:
                told = appliance.talla("dispute", out, "--root", at(appliance, "ca.pem"),
                                       client="nobody")
                assert told.returncode == 3 and "17" in told.stdout, told.stdout + told.stderr
    code, words = judged(appliance, "c.archive", command="show",
                         options=["--object", kept["c"]["round"], "--bundle",
                                  at(appliance, "x.talla")])
    assert code == 1 and "these archives hold" in words and \
        not os.path.exists(at(appliance, "x.talla")), words
    code, words = judged(appliance, *everything, command="show",
                         options=["--object", kept["b"]["round"]])
    kinds = [json.loads(line)["kind"] for line in words.splitlines()]
    assert code == 3 and kinds[0] == "ROUND_OPEN" and kinds[-1] == "ROUND_END", words
    assert judged(appliance, "bad.archive", command="show", options=["--seq", "0"])[0] == 1, \
        "nothing is shown of what is not valid"


def the_whole_log_is_there_when_the_appliance_is_gone(appliance):
    """From a backup, without any private key; and by the day."""
    play(appliance, "d")
    appliance.talla("backup", "make", appliance.config, at(appliance, "copy"), check=True)
    appliance.kill()
    made = sealed(appliance, "d.archive", "--backup", at(appliance, "copy"), "--after",
                  at(appliance, "c.archive"), config=False)
    assert made["to"] == json.load(open(at(appliance, "copy/manifest.json"),
                                        encoding="utf-8"))["size"]
    for name in ("log.key", "next.key"):
        os.rename(at(appliance, name), at(appliance, name + ".away"))
    sealed(appliance, "days.archive", "--until", "2100-01-01")
    for day in ("2026-02-29", "2026-1-010", "-026-01-01", "2026-01-01T00:00:00Z", "2026/01/01"):
        done = seal(appliance, "x.archive", f"--until={day}")
        assert done.returncode == 2 and "a date like" in done.stdout, done.stdout
    done = seal(appliance, "x.archive", "--until", "2001-01-01")
    assert done.returncode == 1 and "no record from 0" in done.stdout, done.stdout
    assert judged(appliance, "a.archive", "b.archive", "c.archive", "d.archive")[0] == 3
    assert judged(appliance, "days.archive")[0] == 3


if __name__ == "__main__":
    with Appliance(sys.argv[1], edit_config=with_next_key) as own:
        own.start()
        failed = hold(
            [an_archive_is_sealed_beside_the_daemon_and_holds_each_record_as_the_api_gives_it,
             the_same_span_by_the_same_checkpoint_gives_the_same_bytes,
             a_period_that_is_not_over_is_said_to_be_so,
             the_next_one_follows_over_a_change_of_the_key,
             what_is_changed_cut_exchanged_or_foreign_is_refused,
             an_inspector_gets_the_evidence_of_a_round_out_of_archives,
             the_whole_log_is_there_when_the_appliance_is_gone], own)
        if failed:
            print(own.log()[-4000:])
    sys.exit(1 if failed else 0)
