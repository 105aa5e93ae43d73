#!/usr/bin/env python3
# Goal: `talla` teaches, says what is wrong and what to do, ends in the documented codes, and with
#   --json prints JSON lines only.
# Method: the program as a person or a script runs it, offline, against a live appliance and against
#   none.
#   usage: cli_test.py FOLDER_OF_PROGRAMS
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

from appliance import free_ports
from facts import hold, main

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMANDS = ["status", "tables", "shoe", "spin", "roll", "draw", "play", "verify", "settle",
            "catalogue", "log", "keys", "devices", "dispute"]
DEEPER = [["catalogue", "list"], ["catalogue", "show"], ["catalogue", "rules"],
          ["catalogue", "ambiguities"], ["catalogue", "diff"], ["log", "checkpoint"],
          ["log", "record"], ["log", "tail"], ["log", "rounds"], ["log", "incomplete"],
          ["log", "rebuild"], ["keys", "init"], ["keys", "client"], ["keys", "show"]]
ZERO = {"catalogue": "es-1977", "game": "french-roulette",
        "table": {"currency": "ESP", "unit": 1, "min": 25},
        "steps": [{"bet": {"id": "b1", "seat": 1, "kind": "rojo", "stake": 100}}, {"close": True},
                  {"wheel": "0"}, {"act": {"seat": 1, "bet": "b1", "do": "prison"}},
                  {"close": True}, {"wheel": "3"}],
        "expect": [{"bet": "b1", "result": "freed", "returned": 100}], "source": "01 IV.1.B.b"}


def run(*arguments, environment=None, text=None):
    clean = {name: value for name, value in os.environ.items() if name != "TALLA_CLIENT"}
    done = subprocess.run([TALLA, *arguments], capture_output=True, text=True, input=text,
                          timeout=400, env={**clean, **(environment or {})})
    assert "terminate called" not in done.stderr and done.returncode >= 0, (
        f"talla {' '.join(arguments)}: {done.stderr}")
    return done


def ends(code, *arguments, says="", **more):
    """The command ends in that code and its words hold `says`."""
    done = run(*arguments, **more)
    assert done.returncode == code, (
        f"talla {' '.join(arguments)}: exit {done.returncode}, not {code}\n"
        f"{done.stdout}{done.stderr}")
    assert says in done.stdout + done.stderr, (
        f"talla {' '.join(arguments)}: '{says}' is not in\n{done.stdout}{done.stderr}")
    return done


def json_lines(done):
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines, f"no line: {done.stderr}"
    return lines


def tree(folder):
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(at, name), "rb") as source:
                found[os.path.join(at, name)] = hashlib.sha256(source.read()).hexdigest()
    return found


# Without an appliance.

def every_command_explains_itself():
    top = ends(0, "--help").stdout
    for command in COMMANDS:
        assert f"  {command} " in top, f"{command} is not in talla --help"
        assert len(ends(0, command, "--help").stdout.splitlines()) >= 4, command
    for words in DEEPER:
        assert words[1] in ends(0, words[0], "--help").stdout
        ends(0, *words, "--help", says="--help")
    assert "Exit codes:" in top
    ends(0, "--version", says="talla ")


def wrong_usage_ends_in_2_and_says_what_is_wrong():
    for arguments in ([], ["dance"], ["spin", "--pockets", "1"], ["spin", "--pockets", "x"],
                      ["roll", "--dice", "9"], ["shoe", "--decks", "9"], ["draw"],
                      ["draw", "--below", "1"], ["verify"], ["play", "--catalogue", "es-1977"],
                      ["log"], ["log", "record"], ["keys"], ["keys", "init"], ["catalogue", "show"],
                      ["status", "--wait", "-1"], ["spin", "--catalogue", "es-1977"],
                      ["--no-such-flag", "status"]):
        done = ends(2, *arguments)
        assert len((done.stderr + done.stdout).strip()) > 10, arguments


def numbers_that_are_too_small_are_refused_in_words():
    for low, arguments in ((0, ["log", "record", "--", "-1"]),
                           (0, ["log", "export", "--out", "o", "--from", "-1"]),
                           (0, ["archive", "show", "a.archive", "--seq", "-1"]),
                           (1, ["archive", "seal", "a.archive", "--to", "-1"]),
                           (1, ["archive", "seal", "a.archive", "--to", "0"])):
        ends(2, *arguments, says=f"must be {low} or more")
    ends(2, "archive", "show", "a.archive", "--seq", "x", says="x")


def without_a_client_folder_it_says_how_to_name_one():
    for command in (["status"], ["spin"], ["shoe"], ["log", "checkpoint"]):
        ends(2, *command, says="--client")
    ends(2, "verify", "/nowhere.talla", says="--root")
    ends(2, "archive", "verify", "/nowhere.talla-archive", says="--root")
    ends(2, "dispute", "/nowhere.talla", says="--root")
    with tempfile.TemporaryDirectory() as folder:
        ends(1, "--client", folder, "status", says="client.toml")


def settle_runs_scenarios_and_compares():
    with tempfile.TemporaryDirectory() as folder:
        def write(name, *scenarios):
            path = f"{folder}/{name}"
            with open(path, "w", encoding="utf-8") as out:
                out.write("\n".join(json.dumps(one) for one in scenarios) + "\n")
            return path
        good = write("good.jsonl", ZERO, {**ZERO, "expect": []})
        words = ends(0, "settle", good).stdout
        assert "freed" in words and "01 IV.1.B.b" in words, words
        lines = json_lines(ends(0, "--json", "settle", good))
        assert [line.get("result") for line in lines if "bet" in line] == ["prison", "freed"] * 2, \
            lines
        assert [line["passed"] for line in lines if "passed" in line] == [True, True], lines
        assert words.count("good.jsonl:") == 2 and "good.jsonl:2" in words, \
            "each with file and line"
        named = write("named.json", {**ZERO, "name": "a stake is freed"})
        spanish = ends(0, "settle", named, "--language", "es").stdout
        for word in ("named.json:1  a stake is freed", "sale de prisión sin ganancia (freed)"):
            assert word in spanish, spanish
        wrong = write("wrong.json", {**ZERO, "expect": [{"bet": "b1", "result": "win"}]})
        ends(1, "settle", wrong, says="b1")
        ends(1, "settle", write("refused.json", {**ZERO, "steps": [{"wheel": "3"}], "expect": []}),
             says="not_due")
        refused = ends(1, "settle", f"{folder}/refused.json", "--language", "es").stdout
        assert refused.count("not_due") == 1 and "no toca la bola" in refused, refused
        ends(0, "settle",
             write("expected.json",
                   {**{name: value for name, value in ZERO.items() if name != "expect"},
                    "steps": [{"wheel": "3"}], "expect_error": "not_due"}))
        ends(1, "settle", write("broken.json", {"catalogue": "es-1977"}), says="scenario_malformed")
        table = ends(1, "settle", folder).stdout
        assert "good.jsonl" in table and "wrong.json" in table and \
            table.splitlines()[-1] == "4 passed, 3 failed", table
        assert "a stake is freed [01 IV.1.B.b]  passed" in table, table
        json_lines(ends(1, "--json", "settle", folder))
        ends(0, "settle", "-", text=json.dumps(ZERO))
        view = json_lines(ends(0, "--json", "settle", good, "--view", "public"))
        assert any("view" in line for line in view), view
        ends(2, "settle", good, "--view", "nobody")
        ends(2, "settle")
        ends(1, "settle", f"{folder}/none.json", says="none.json")
    schema = json.loads(ends(0, "settle", "--schema").stdout)
    assert schema["$schema"].endswith("2020-12/schema"), schema


def catalogues_are_listed_and_shown():
    ends(0, "catalogue", "list", says="es-1977")
    lines = json_lines(ends(0, "--json", "catalogue", "list"))
    assert all(one.keys() >= {"catalogue", "game", "section", "source", "served"}
               for one in lines), lines
    games = {(one["catalogue"], one["game"]): one for one in lines}
    assert len(games) == len(lines), "a game of a catalogue is one line"
    for catalogue, game, section in (("es-1977", "french-roulette", "01"),
                                     ("es-1977", "craps", "06"), ("es-1977", "punto-banco", "07"),
                                     ("es-1977", "bingo", "10"),
                                     ("es-valencia-2003", "craps", "09"),
                                     ("es-euskadi-2010", "craps", "06")):
        line = games[catalogue, game]
        assert line["section"] == section and line["served"] is True and line["source"], line
    only = json_lines(ends(0, "--json", "catalogue", "list", "es-valencia-2003"))
    assert only and {one["catalogue"] for one in only} == {"es-valencia-2003"}, only
    ends(1, "catalogue", "list", "xx-1900", says="catalogue_unknown")
    for game, bet in (("french-roulette", "pleno"), ("craps", "dont-win"), ("punto-banco", "banca"),
                      ("bingo", "carton")):
        shown = json_lines(ends(0, "--json", "catalogue", "show", "es-1977", game))
        assert len(shown) == 1 and bet in [one["id"] for one in shown[0]["bets"]], shown
        assert all(one["cite"] for one in shown[0]["bets"] + shown[0]["limits"] +
                   shown[0]["parameters"]), ("every figure has its section")
        spanish = ends(0, "catalogue", "show", "es-1977", game).stdout
        english = ends(0, "catalogue", "show", "es-1977", game, "--language", "en").stdout
        assert bet in spanish and bet in english and spanish != english
        for one in shown[0]["bets"] + shown[0]["parameters"]:
            assert one["id"] in spanish and one["cite"] in spanish, one
    whole = json_lines(ends(0, "--json", "catalogue", "show", "es-1977"))
    assert len(whole[0]["digest"]) == 64 and \
        whole[0]["digest"] in ends(0, "catalogue", "show", "es-1977").stdout
    ends(1, "catalogue", "show", "xx-1900", says="catalogue_unknown")
    ends(2, "catalogue", "show", "es-1977", "whist", says="catalogue list")
    ends(2, "catalogue", "show", "es-1977", "craps", "--language", "fr")


def rules_read_sentence_by_sentence_with_their_sections():
    for language, word, price in (("es", "Apuestas", "paga 30 por 1"),
                                  ("en", "Bets", "pays 30 to 1")):
        text = ends(0, "catalogue", "rules", "es-1977", "craps", "--language", language,
                    says=word).stdout
        assert "[06 IV.1.A" in text and price in text, text
    lines = json_lines(ends(0, "--json", "catalogue", "rules", "es-valencia-2003", "craps"))
    assert all(line["rule"].startswith("09 ") and line["text"] and line["part"]
               for line in lines), lines
    said = {line["id"]: line for line in lines if "id" in line}
    assert "15" in said["juego-de-7"]["text"] and said["juego-de-7"]["reading"] == "A16", \
        said["juego-de-7"]
    ends(1, "catalogue", "rules", "xx-1900", "craps", says="catalogue_unknown")
    ends(2, "catalogue", "rules", "es-1977", "whist", says="catalogue list")
    ends(2, "catalogue", "rules", "es-1977")


def ambiguities_list_every_reading_with_its_values():
    lines = json_lines(ends(0, "--json", "catalogue", "ambiguities", "es-euskadi-2010", "craps"))
    chosen = {line["id"]: line for line in lines if line["kind"] == "parameter"}
    why = chosen["withdrawable_lines"].pop("why")
    assert "Win" in why, "each says what the text says and why it is read so"
    assert chosen["withdrawable_lines"] == {"catalogue": "es-euskadi-2010", "game": "craps",
                                            "kind": "parameter", "id": "withdrawable_lines",
                                            "decides": "Suertes de línea que pueden retirarse",
                                            "type": "choice",
                                            "allowed": ["dont", "all-but-win", "none"],
                                            "default": "dont", "set_by": "reading",
                                            "section": "06 IV.1.A", "reading": "A31",
                                            "digest": "es-euskadi-2010-a"}, \
        chosen["withdrawable_lines"]
    assert chosen["odds_max"]["min"] == "1" and chosen["odds_max"]["max"] == "100", \
        chosen["odds_max"]
    assert chosen["place_eight"]["allowed"] == [True, False] and "max_simple" not in chosen, chosen
    lines = json_lines(ends(0, "--json", "catalogue", "ambiguities", "es-euskadi-2010", "craps"))
    whole = json_lines(ends(0, "--json", "catalogue", "ambiguities", "es-euskadi-2010"))
    assert len(whole) > len(lines) and all(line in whole for line in lines)
    assert any(line["kind"] == "text" for line in whole), \
        "readings on which nothing hangs are listed too"
    for language, name in (("en", "READINGS.md"), ("es", "LECTURAS.md")):
        page = ends(0, "catalogue", "readings", "--language", language).stdout
        with open(f"{ROOT}/games/catalogues/{name}", encoding="utf-8") as there:
            assert there.read() == page, f"write games/catalogues/{name} anew"
    lent = json_lines(ends(0, "--json", "catalogue", "ambiguities", "es-aragon-2010", "blackjack",
                           "--language", "es"))
    tie = next(line for line in lent if line["id"] == "blackjack_tie")
    assert tie["digest"] == "es-1977" and "3 por 2" in tie["why"], tie
    text = ends(0, "catalogue", "ambiguities", "es-1977", "craps", "--language", "en").stdout
    for word in ("dont_12", "push | locked", "A79", "06 IV.1.A"):
        assert word in text, text
    ends(1, "catalogue", "ambiguities", "xx-1900", says="catalogue_unknown")
    ends(2, "catalogue", "ambiguities", "es-1977", "whist", says="catalogue list")


def what_talla_refuses_is_said_in_spanish_too():
    for code, words, arguments in (
            (1, "no hay catálogo es-1999; hay: es-1977", ("catalogue", "show", "es-1999")),
            (2, "es-1977 no tiene el juego whist", ("catalogue", "rules", "es-1977", "whist")),
            (1, "no se puede leer", ("settle", "/nowhere/at.all")),
            (2, "¿qué escenario?", ("settle",)),
            (2, "se esperaba public, inspector o el número de un puesto",
             ("settle", "-", "--view", "x")),
            (1, "la ventaja de los juegos de esta clase",
             ("odds", "es-euskadi-2010", "circle-omaha")),
            (2, "no tiene la apuesta 17; hay: pleno", ("odds", "es-1977", "french-roulette", "17")),
            (2, "¿qué juego?", ("odds", "es-1977")),
            (2, "--all no lleva juego", ("odds", "es-1977", "craps", "--all")),
            (2, "se esperaba NOMBRE=VALOR", ("odds", "es-1977", "craps", "--param", "ab")),
            (1, "lo que cambian las cartas vistas", ("odds", "es-1977", "craps", "--seen", "AS")),
            (1, "no es una carta de este sabot",
             ("odds", "es-1977", "punto-banco", "--seen", "Jk")),
            (2, "indique --table y --round", ("dispute",))):
        done = ends(code, *arguments, "--language", "es", says=words)
        assert words not in ends(code, *arguments, "--language", "en").stderr, words
        told = json_lines(run("--json", *arguments, "--language", "es"))[0]
        assert words in told["detail"] and told["error"] in done.stderr, told
    done = ends(1, "settle", "-", "--language", "es", text="[1")
    assert "JSON en el byte 2: se esperaba ',' o ']'" in done.stdout, done.stdout


def odds_as_values_are_one_table_without_other_lines():
    for arguments in (("odds", "es-1977", "craps"), ("odds", "--all")):
        lines = ends(0, *arguments, "--csv").stdout.splitlines()
        assert lines[0].split(",")[:3] == ["catalogue", "game", "bet"], lines[0]
        assert len(lines) > 5 and {line.count(",") for line in lines} == {16}, lines
    listed = json_lines(run("--json", "odds", "--all"))
    assert len(lines) - 1 == sum("house_edge" in one for one in listed), len(lines)
    silent = {one["game"] for one in listed if "without_odds" in one}
    assert silent >= {"pai-gow-poker", "circle-omaha"}, silent


def diff_shows_where_two_catalogues_differ():
    assert ends(0, "--json", "catalogue", "diff", "es-1977", "es-1977").stdout == ""
    lines = json_lines(ends(0, "--json", "catalogue", "diff", "es-1977", "es-euskadi-2010",
                            "craps"))
    found = {(line["what"], line["id"], line.get("field", "")): line for line in lines}
    assert found["parameter", "max_simple", "min"] == {"game": "craps", "what": "parameter",
                                                       "id": "max_simple", "field": "min",
                                                       "a": "100", "b": "20"}
    assert "a" not in found["parameter", "odds_max", ""], found
    assert not [key for key in found if key[:2] == ("bet", "field")], "the same in both"
    whole = json_lines(ends(0, "--json", "catalogue", "diff", "es-1977", "es-euskadi-2010"))
    assert {"game": "bingo", "what": "game", "id": "bingo", "a": "es-1977 10"} in whole, whole
    text = ends(0, "catalogue", "diff", "es-1977", "es-euskadi-2010", "craps",
                says="max_simple").stdout
    assert "es-euskadi-2010: 20" in text, text
    ends(0, "catalogue", "diff", "es-1977", "es-1977", "craps", "--language", "en",
         says="no differences")
    ends(1, "catalogue", "diff", "es-1977", "xx-1900", says="catalogue_unknown")
    ends(2, "catalogue", "diff", "es-1977", "es-valencia-2003", "whist", says="catalogue list")
    ends(2, "catalogue", "diff", "es-1977")


def devices_says_what_is_attached_also_when_nothing_is():
    done = ends(0, "devices")
    assert done.stdout.strip(), "one line at least"
    assert isinstance(json_lines(ends(0, "--json", "devices"))[0], (list, dict))


def a_key_set_is_made_once_and_never_overwritten():
    with tempfile.TemporaryDirectory() as parent:
        folder = f"{parent}/keys"
        ends(0, "keys", "init", folder, says="development")
        before = tree(folder)
        private = [path for path in before if path.endswith(".key")]
        assert len(private) >= 7 and \
            all(os.stat(path).st_mode & 0o777 == 0o600 for path in private), private
        ends(1, "keys", "init", folder, says="key_exists")
        ends(1, "keys", "client", folder, "talla:table-1", "--role", "table", says="key_exists")
        assert tree(folder) == before, "a refusal changed a file"
        ends(1, "keys", "client", folder, "talla:table-7", "--role", "king", says="king")
        ends(1, "keys", "client", folder, "two words", "--role", "table")
        assert tree(folder) == before, "a refusal changed a file"
        ends(0, "keys", "client", folder, "talla:table-7", "--role", "table", "--role", "auditor")
        assert os.path.exists(f"{folder}/clients/talla:table-7.pem") and \
            "talla:table-7" in open(f"{folder}/clients.toml").read()
        shown = json_lines(ends(0, "--json", "keys", "show", folder))
        assert all(one["development"] for one in shown) and \
            sum(one["authority"] for one in shown) == 1, shown
        assert ["talla:table-7"] in [one["names"] for one in shown], shown
        ends(0, "keys", "show", folder, says="DEVELOPMENT")
        request = ["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                   "-nodes", "-subj", "/CN=x", "-keyout", f"{parent}/own.key", "-out",
                   f"{parent}/own.csr"]
        assert subprocess.run(request, capture_output=True).returncode == 0
        ends(0, "keys", "client", folder, "talla:table-8", "--role", "table", "--request",
             f"{parent}/own.csr", "--out", f"{parent}/own.pem")
        checked = subprocess.run(["openssl", "verify", "-CAfile", f"{folder}/ca.pem",
                                  f"{parent}/own.pem"], capture_output=True, text=True)
        assert checked.returncode == 0, checked.stderr
        assert not os.path.exists(f"{folder}/clients/talla:table-8.key"), (
            "the client's own key never comes here")


def an_appliance_that_does_not_answer_is_exit_5():
    with tempfile.TemporaryDirectory() as parent:
        folder = f"{parent}/keys"
        ends(0, "keys", "init", folder, "--port", str(free_ports(1)[0]))
        for command in (["status"], ["shoe"], ["spin"], ["log", "checkpoint"],
                        ["play", "--catalogue", "es-1977", "--game", "craps", "--bet",
                         "1:win:100"]):
            ends(5, "--client", f"{folder}/client", *command, says="does it run there")
        line = json_lines(ends(5, "--json", "--client", f"{folder}/client", "status"))
        assert line[0]["error"] == "cannot_connect", line


# With an appliance.

def draws_shoes_and_rounds_leave_evidence_that_verifies(appliance):
    client, root = f"{appliance.folder}/client", f"{appliance.folder}/ca.pem"
    made = [("shoe", ["shoe", "--decks", "8", "--deal", "10"]),
            ("small", ["shoe", "--deck", "spanish40x1", "--deal", "40"]),
            ("picked", ["shoe", "--decks", "1", "--candidates", "8", "--deal", "3"]),
            ("game", ["shoe", "--catalogue", "es-1977", "--game", "punto-banco", "--deal", "5"]),
            ("spin", ["spin", "--catalogue", "es-1977", "--game", "french-roulette"]),
            ("bare", ["spin", "--pockets", "38"]),
            ("roll", ["roll", "--catalogue", "es-1977", "--game", "craps"]),
            ("dice", ["roll", "--dice", "3"]), ("lots", ["draw", "--below", "49", "10"]),
            ("coup",
             ["play", "--catalogue", "es-1977", "--game", "punto-banco", "--bet", "1:punto:100",
              "--bet", "2:banca:100"]),
            ("mixed",
             ["play", "--catalogue", "es-1977", "--game", "punto-banco", "--bet", "1:punto:100",
              "--mix", "round"]),
            ("again",
             ["play", "--catalogue", "es-euskadi-2010", "--game", "blackjack", "--bet",
              "1:juego-simple:100", "--mix", "round", "--param", "shuffler=continuous",
              "--param", "retiro=false"]),
            ("round",
             ["play", "--catalogue", "es-1977", "--game", "french-roulette", "--bet",
              "1:pleno:25:17", "--param", "zero_combinations=all"])]
    for name, command in made:
        out = f"{appliance.folder}/{name}.talla"
        done = ends(0, "--client", client, *command, "--out", out)
        assert "record" in done.stdout, done.stdout
        json_lines(ends(0, "--json", "--client", client, *command))
        ends(3, "verify", out, "--root", root, says="verified: ")
        ends(3, "--client", client, "verify", out)
        ends(1, "verify", out, "--root", root, "--production", says="NOT VALID")
    files = [f"{appliance.folder}/{name}.talla" for name, _ in made]
    lines = json_lines(ends(3, "--json", "verify", *files, "--root", root))
    assert len(lines) == len(files) and \
        all(line["verified"] and line["development"] and line["not_checked"] for line in lines), \
        lines


def verify_refuses_what_is_not_whole_and_ends_in_1(appliance):
    root, whole = f"{appliance.folder}/ca.pem", open(f"{appliance.folder}/spin.talla", "rb").read()
    changed = f"{appliance.folder}/changed.talla"
    for at in range(7, len(whole), max(1, len(whole) // 60)):
        with open(changed, "wb") as out:
            out.write(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
        ends(1, "verify", changed, "--root", root, says="NOT VALID")
        spanish = ends(1, "verify", changed, "--root", root, "--language", "es", says="NO VÁLIDO: ")
        plain = re.sub(r" \(detalle técnico, en inglés: .*", "", spanish.stderr)
        assert re.search(r"\[[a-z_]+\](: |$)", plain.strip()) and " the " not in plain, plain
    for part in (b"", whole[:-1], whole[:100], whole + b"\n", b"{}", whole * 2):
        with open(changed, "wb") as out:
            out.write(part)
        line = json_lines(ends(1, "--json", "verify", changed, "--root", root))[0]
        assert line["error"] == "receipt_refused" and "changed.talla" in line["detail"], line
    ends(1, "verify", f"{appliance.folder}/spin.talla", changed, "--root", root, says="verified: ")
    ends(1, "verify", f"{appliance.folder}/none.talla", "--root", root, says="none.talla")
    ends(1, "verify", f"{appliance.folder}/spin.talla", "--root", f"{appliance.folder}/none.pem")
    with tempfile.TemporaryDirectory() as parent:
        ends(0, "keys", "init", f"{parent}/other")
        ends(1, "verify", f"{appliance.folder}/spin.talla", "--root", f"{parent}/other/ca.pem",
             says="untrusted_chain")


def the_log_shows_checkpoint_records_and_tail(appliance):
    auditor = ["--client", f"{appliance.folder}/auditor"]
    note = ends(0, *auditor, "log", "checkpoint").stdout
    assert note.startswith("talla.local/development\n") and \
        "\u2014 talla.local/development " in note, note
    size = int(note.splitlines()[1])
    assert json_lines(ends(0, "--json", *auditor, "log",
                           "checkpoint"))[0]["checkpoint"].startswith("talla.local/development\n")
    receipt = f"{appliance.folder}/zero.json"
    record = json.loads(ends(0, *auditor, "log", "record", "0", "--out",
                             receipt).stdout.splitlines()[0])
    assert (record["seq"], record["kind"]) == (0, "POWER"), record
    ends(3, "verify", receipt, "--root", f"{appliance.folder}/ca.pem", "--log-key",
         f"{appliance.folder}/log-key.json", says="verified: ")
    tail = json_lines(ends(0, "--json", *auditor, "log", "tail", "--after", "2", "--limit", "5"))
    assert [one["seq"] for one in tail] == [3, 4, 5, 6, 7], tail
    def is_last(seq, before):
        """The appliance may add a record of its own (a reseed by the clock) at any moment."""
        now = int(ends(0, *auditor, "log", "checkpoint").stdout.splitlines()[1])
        assert before - 1 <= int(seq) <= now - 1, (seq, before, now)

    found = ends(0, *auditor, "log", "tail", "--limit", "1000").stdout.splitlines()
    assert len(found) == min(int(found[-1].split()[3]) + 1, 1000), (len(found), found[-1])
    is_last(found[-1].split()[3], size)
    words = ends(0, *auditor, "log", "tail", "--limit", "3").stdout.splitlines()
    assert len(words) == 3, words
    is_last(words[-1].split()[3], size)
    for kind, said in (("POWER", "the appliance starts"), ("CARD_DEAL", " to "),
                       ("DRAW", "drawn: ")):
        of_kind = [*auditor, "log", "tail", "--kind", kind]
        words = ends(0, *of_kind, "--limit", "2").stdout.splitlines()
        assert words and all(said in one for one in words), words
        found = json_lines(ends(0, "--json", *of_kind, "--limit", "1000"))
        assert {one["kind"] for one in found} == {kind}, found
    table = found[-1]["table"]
    found = json_lines(ends(0, "--json", *auditor, "log", "tail", "--table", table, "--limit",
                            "1000"))
    assert {one["table"] for one in found} == {table} and found[0]["kind"] == "TABLE_OPEN", found
    raw = ends(0, *auditor, "log", "tail", "--raw", "--limit", "1").stdout
    is_last(json.loads(raw)["seq"], size)
    ends(1, *auditor, "log", "tail", "--kind", "CARDS", says="CARD_DEAL")
    ends(2, *auditor, "log", "tail", "--kind", "DRAW&limit=2", says="--kind")
    tables = [*auditor, "log", "tail", "--kind", "TABLE_OPEN"]
    follow = subprocess.Popen([f"{appliance.binaries}/talla", *tables, "--follow"],
                              stdout=subprocess.PIPE, text=True)
    try:
        before = ends(0, *tables).stdout.splitlines()
        assert [follow.stdout.readline().rstrip() for _ in before] == before
        new = appliance.client().post("/v1/tables", {"settled_by": "client",
                                                     "deck": "french52x1"})["table"]["id"]
        assert f"  {new}  the table opens" in follow.stdout.readline()
    finally:
        follow.kill()
        follow.wait()
    ends(1, *auditor, "log", "record", "99999999", says="not_found")


def refusals_of_the_appliance_are_exit_1_with_its_code(appliance):
    client = ["--client", f"{appliance.folder}/client"]
    ends(1, *client, "play", "--catalogue", "es-1977", "--game", "french-roulette", "--bet",
         "1:rojo:1", says="below_minimum")
    ends(1, *client, "play", "--catalogue", "es-1977", "--game", "whist", "--bet", "1:rojo:100",
         says="game_unknown")
    ends(1, *client, "shoe", "--deck", "tarot78", says="malformed")
    ends(1, "--client", f"{appliance.folder}/auditor", "spin", says="forbidden")
    line = json_lines(ends(1, "--json", "--client", f"{appliance.folder}/auditor", "spin"))[-1]
    assert line["error"] == "appliance_refused" and "forbidden" in line["detail"], line


def what_does_not_fit_the_command_is_exit_2_also_with_an_appliance(appliance):
    client = ["--client", f"{appliance.folder}/client"]
    ends(2, *client, "spin", "--catalogue", "es-1977", "--game", "punto-banco", says="talla play")
    ends(2, *client, "spin", "--catalogue", "es-1977", "--game", "craps", says="talla roll")
    ends(2, *client, "roll", "--catalogue", "es-1977", "--game", "boule", says="talla spin")
    ends(2, *client, "play", "--catalogue", "es-1977", "--game", "craps", "--bet", "red",
         says="SEAT:KIND:STAKE")


def status_is_readable_by_people_and_programs(appliance):
    words = ends(0, "--client", f"{appliance.folder}/client", "status").stdout
    assert words.startswith("READY: ") and "every record says so: uncertified" in words, words
    ends(0, "status", "--wait", "5", environment={"TALLA_CLIENT": f"{appliance.folder}/client"},
         says="rollback anchor")
    assert json_lines(ends(0, "--json", "--client", f"{appliance.folder}/client",
                           "status"))[0]["ready"] is True


def needed(tiles):
    """Full tiles, the widest of each partial one, and the checkpoint: what a log of this size
    serves."""
    found, widest = {}, {}
    for path, digest in tree(tiles).items():
        full, _, width = path.partition(".p/")
        if not width:
            found[path] = digest
        elif not os.path.exists(full) and int(width) > widest.get(full, (0, ""))[0]:
            widest[full] = (int(width), digest)
    return {**found, **{f"{full}.p/{width}": digest for full, (width, digest) in widest.items()}}


def tiles_are_rebuilt_from_the_ledger_byte_for_byte(appliance):
    ends(0, "--client", f"{appliance.folder}/client", "shoe", "--deal",
         "300")  # more records than one tile holds
    assert appliance.stop() == 0
    tiles = f"{appliance.folder}/data/tiles"
    before = needed(tiles)
    assert len(before) >= 6, before
    for path in list(before)[::2]:
        os.remove(path)
    ends(0, "log", "rebuild", appliance.config, says="every record checked")
    assert needed(tiles) == before, "a tile differs"
    assert json_lines(ends(0, "--json", "log", "rebuild", appliance.config))[0]["size"] > 0
    ends(1, "log", "rebuild", "/nowhere.toml", says="nowhere.toml")
    appliance.start()


if __name__ == "__main__":
    TALLA = os.path.abspath(sys.argv[1]) + "/talla"
    failures = hold([every_command_explains_itself, wrong_usage_ends_in_2_and_says_what_is_wrong,
                     numbers_that_are_too_small_are_refused_in_words,
                     without_a_client_folder_it_says_how_to_name_one,
                     settle_runs_scenarios_and_compares, catalogues_are_listed_and_shown,
                     rules_read_sentence_by_sentence_with_their_sections,
                     ambiguities_list_every_reading_with_its_values,
                     what_talla_refuses_is_said_in_spanish_too,
                     odds_as_values_are_one_table_without_other_lines,
                     diff_shows_where_two_catalogues_differ,
                     devices_says_what_is_attached_also_when_nothing_is,
                     a_key_set_is_made_once_and_never_overwritten,
                     an_appliance_that_does_not_answer_is_exit_5])
    main([draws_shoes_and_rounds_leave_evidence_that_verifies,
          verify_refuses_what_is_not_whole_and_ends_in_1, the_log_shows_checkpoint_records_and_tail,
          refusals_of_the_appliance_are_exit_1_with_its_code,
          what_does_not_fit_the_command_is_exit_2_also_with_an_appliance,
          status_is_readable_by_people_and_programs,
          tiles_are_rebuilt_from_the_ledger_byte_for_byte], failed=failures)
