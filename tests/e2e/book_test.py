#!/usr/bin/env python3
# Goal: every command line of the operator's handbook does what the handbook says, in both
#   languages.
# Method: the lines are taken from both books; the Spanish ones are the English ones but for names
#   of files, folders and keys (WORDS). Each is executed as it stands there, with the book's names
#   in the place of a folder, an appliance and people of this test (its world); what a machine of
#   this test lacks, or another test does in full, is named with that test, and the test is looked
#   into. usage: book_test.py FOLDER_OF_PROGRAMS
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from appliance import Appliance
from facts import game_table, hold
from play_test import spin

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = ("talla", "talla-lab", "rngd")
# Spanish name: English name, in the order of replacing.
WORDS = {
    "RESPONSABLE": "OFFICER", "A. Responsable": "A. Officer", "OPERADOR": "OPERATOR",
    "CARPETA": "FOLDER", "CLAVE": "KEY", "HUELLA": "DIGEST", "PAQUETE": "BUNDLE",
    "samples ACTO": "samples ACT",
    "FICHERO": "FILE", "NOMBRE": "NAME", "SABOT": "SHOE", "OBJETO": "OBJECT", "COPIA": "BACKUP",
    "NUEVO": "NEW", "ORIGEN": "ORIGIN", "ORIGIN-NEW": "NEW-ORIGIN", "RAÍZ": "ROOT",
    "RAIZ": "ROOT", "ca-ANTERIOR.pem": "OLD-ca.pem", "rngd-ANTERIOR.toml": "OLD-rngd.toml",
    "Raiz del laboratorio": "Laboratory root", "clave.csr": "key.csr", "tipo.": "type.",
    "instalacion.": "installation.", "informe.json": "assessment.json", "raiz-lab": "lab-root",
    "raiz-regulador": "regulator-root", "regulador.": "regulator.", "retiradas/": "withdrawn/",
    "sabot.talla": "shoe.talla", "asientos.jsonl": "records.jsonl", "SERIE": "STREAM"}
# What other tests do: the line, the test, and what must stand in it.
ELSEWHERE = {
    "talla monitors --name STREAM": ("curves_test", '"monitors", "--name", NAME'),
    "talla devices try": ("lab_device_test", '"devices", "try"'),
    "talla setup /etc/talla": ("setup_test", '"setup", folder'),
    "talla setup /etc/talla --language es": ("setup_test", '"--language", language'),
    "talla keys token URI --for sealing": ("keys_test", '"--for", "sealing"|"sealing"'),
    "talla keys tpm sealing-tpm.json --tcti device:/dev/tpmrm0": ("anchor_test", '"tpm"'),
    "talla --client OFFICER act ask log-key-rotate": ("rotation_test", "log-key-rotate"),
    "talla --client INSPECTOR act confirm act-840 --digest DIGEST": ("rotation_test", "digest"),
    "talla witness run FOLDER/witness.toml": ("witness_test", '"witness", "run"'),
    "talla restore run FOLDER /etc/talla/rngd.toml --root OLD-ca.pem --old OLD-rngd.toml "
    "--approval officer.approval --approval inspector.approval [--checkpoint FILE]":
        ("backup_test", '"restore", "run"'),
    "talla keys ceremony end ROOT --checkpoint BACKUP/manifest.json --log-key log-key.json "
    "--reason compromised --known 2026-11-22T04:05:06Z --successor NEW/log-key.json --person "
    '"A. Officer" --person "B. Inspector" --out end.json': ("log_end_test", '"ceremony", "end"'),
    "talla verify --ended end.json": ("log_end_test", "--ended"),
    "talla verify --consistency": ("log_end_test", '"--consistency"'),
    "talla log export --ended": ("log_end_test", '"--ended"'),
    "talla log reissue": ("log_end_test", "reissue"),
    "talla log prove": ("log_end_test", "prove"),
    "talla log export --backup": ("backup_test", '"--backup"'),
    "talla --client INSPECTOR software challenge": ("software_watch_test", '"challenge"'),
    "talla software challenge --manifest M --signer KEY --reference FOLDER":
        ("software_watch_test", '"--reference"'),
    "talla act ask call-again --object OBJECT --head HEAD": ("contributors_test", "call-again"),
    "talla act ask shoe-close --object SHOE": ("continuous_test", "close_early"),
    "rngd --check": ("check_test", '"--check"'),
    "talla act ask sampling-order --object LAB --samples bits --bytes N":
        ("sampling_test", '"sampling-order", "--object", LAB, "--samples"'),
    "talla samples ACT FILE": ("sampling_test", '"samples", act'),
    "talla openings SHOE --out FILE": ("partner_test", "openings"),
    "talla verify BUNDLE --openings FILE": ("contribute_test", "openings"),
}
CERTIFIER = ("talla-lab certify type ", "talla-lab certify installation ",
             "talla-lab certify withdraw ", "talla verify shoe.talla --root ca.pem "
             "--certification-root ")


def lines_of(language):
    """Command lines of one book: those of blocks, and those between backquotes."""
    with open(f"{ROOT}/rngd/docs/operator-{language}.md", encoding="utf-8") as file:
        text = file.read()
    found = []
    for block in re.findall(r"(?:^    .*\n)+", text, re.M):
        for line in re.sub(r"\\\n\s*", " ", block).splitlines():
            found.append(line.split("  #")[0])
    found += re.findall(r"`([^`]+)`", text)
    found = [" ".join(line.split()) for line in found]
    return [line for line in found if line.split(" ")[0] in PROGRAMS and " " in line]


def in_english(line):
    for spanish, english in WORDS.items():
        line = line.replace(spanish, english)
    return line


class World:
    """An appliance with people, and a folder in which the book's files lie."""

    def __init__(self, appliance, folder):
        self.one, self.here, self.acts, self.keys = appliance, folder, [], {}
        self.table = self.round = None
        with open(f"{folder}/phrase", "w",
                  opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write("a passphrase of the root\n")
        # The book's names, the longest first.
        self.names = {"/etc/talla/rngd.toml": appliance.config,
                      "/etc/talla/keys/client ": f"{appliance.folder}/client ",
                      "/etc/talla/keys/ca.pem": f"{appliance.folder}/ca.pem"}
        for name in ("officer", "inspector", "operator", "lab"):
            self.names[f"--client {name.upper()} "] = f"--client {appliance.folder}/{name} "

    def call(self, *words, code=0):
        done = subprocess.run([f"{self.one.binaries}/{words[0]}", *words[1:]], cwd=self.here,
                              capture_output=True, text=True, timeout=300,
                              env={**os.environ, "TALLA_CLIENT": f"{self.one.folder}/client"})
        assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
        return done.stdout

    def step(self, line, code=0, more="", **names):
        """One line of the book; the world's names and those given stand for the book's own, and
        `more` behind it."""
        said = line
        for name, value in {**self.names, **dict(self.more_names(names))}.items():
            said = said.replace(name, value)
        out = self.call(*shlex.split(f"{said} {more}"), code=code)
        act = re.search(r"\bact-\d+\b", out)
        if act and " act ask " in line:
            self.acts.append(act[0])
        return out

    @staticmethod
    def more_names(names):
        """keys="first" stands for /etc/talla/keys, act="act-5" for any act of the book; any other
        for itself."""
        for name, value in names.items():
            if name == "act":
                yield from ((one, value) for one in ("act-907", "act-812", "act-831"))
            else:
                yield ("/etc/talla/keys" if name == "keys" else name), value

    def copy(self, source, name):
        shutil.copy(source, f"{self.here}/{name}")

    def sign(self, request, use, name, out):
        self.call("talla", "keys", "ceremony", "sign", "root", request, "--for", use, "--name",
                  name, "--out", out, "--passphrase", "phrase")


PHRASE = "--passphrase phrase"


def first_start(world):
    """Section 3."""
    yield "talla devices", {}
    yield ("talla keys init /etc/talla/keys --origin casino.example/appliance-1 --name "
           "appliance-1.casino.example"), {"keys": "first"}
    yield "rngd --config /etc/talla/rngd.toml --check", {}
    yield ("talla --client /etc/talla/keys/client spin --catalogue es-1977 --game "
           "french-roulette --out spin.talla"), {}
    yield "talla verify spin.talla --root /etc/talla/keys/ca.pem", {"code": 3}


def keys_and_ceremony(world):
    """Section 4 and 4.1."""
    world.call("talla", "keys", "ceremony", "client-request", "seven.key", "request.pem", "--id",
               "talla:table-7")
    yield ("talla keys client /etc/talla/keys talla:table-7 --role table --request "
           "request.pem"), {"keys": "first"}
    own = {"keys": "production", "ROOT": "root"}
    yield 'talla keys ceremony root ROOT --name "Casino root"', {**own, "more": PHRASE}
    yield "talla keys ceremony request /etc/talla/keys --origin casino.example/appliance-1", own
    for name in ("server.csr", "log-certificate.csr"):
        world.copy(f"{world.here}/production/{name}", name)
    yield ("talla keys ceremony sign ROOT server.csr --for server --name "
           "appliance-1.casino.example --out server.pem"), {**own, "more": PHRASE}
    world.sign("log-certificate.csr", "log", "casino.example/appliance-1", "log-certificate.pem")
    world.copy(f"{world.here}/root/root.pem", "root.pem")
    yield ("talla keys ceremony install /etc/talla/keys --origin casino.example/appliance-1 "
           "--root root.pem --server server.pem --log log-certificate.pem"), own
    yield "talla keys ceremony transcript ROOT", own
    yield "talla keys ceremony client-request client.key client.csr --id talla:table-7", {}
    world.sign("client.csr", "client", "talla:table-7", "client.pem")
    yield "talla keys enrol /etc/talla/keys/clients.toml client.pem --role table", own
    yield "talla keys passphrase sealing.json", {"more": PHRASE}


def software_and_keys_of_the_log(world):
    """Sections 4.2 to 4.4."""
    program = os.path.realpath(f"{world.one.binaries}/talla")
    yield "talla software manifest --out software.manifest", {"more": f"--program {program}"}
    said = yield "talla software key maker.key --name maker.example/talla", {}
    key = said.splitlines()[-1]
    yield "talla software sign software.manifest --key maker.key --name maker.example/talla", {}
    yield "talla software check software.manifest --signer KEY", {"KEY": f"'{key}'"}
    for name in ("log-certificate.pem", "log-certificate.key"):
        world.copy(f"{world.here}/production/{name}", name)
    yield ("talla keys next-log /etc/talla/keys/log-key.json --certificate log-certificate.pem "
           "--certificate-key log-certificate.key --key next.key --out next.json"), {
               "keys": "production"}
    yield "talla log key next.json", {}
    yield "talla log keys --out keys.json", {}
    world.copy(f"{world.one.folder}/ca.pem", "ca.pem")
    world.call("talla", "--client", f"{world.one.folder}/auditor", "log", "record", "0", "--out",
               "first.receipt")
    yield "talla verify --log-key keys.json", {"more": "first.receipt --root ca.pem", "code": 3}
    yield 'talla keys ceremony root ROOT --name "Laboratory root"', {"ROOT": "lab-root",
                                                                    "more": PHRASE}
    world.call("talla", "keys", "ceremony", "client-request", "lab.key", "key.csr", "--id", "lab")
    yield ("talla keys ceremony sign ROOT key.csr --for certification --name type:lab.example "
           "--out type.pem"), {"ROOT": "lab-root", "more": PHRASE}
    world.copy(world.one.config, "rngd.toml")
    yield "talla-lab certify settings rngd.toml", {}


def daily_work_and_two_persons(world):
    """Sections 5 and 7."""
    yield "talla status", {}
    yield "talla tables", {}
    yield "talla --client OPERATOR test", {}
    yield "talla --client LAB test", {}
    yield "talla --client OPERATOR latch", {}
    yield "talla --client OFFICER act ask latch-reset", {}
    yield "talla --client INSPECTOR act confirm act-812", {"act": world.acts[-1]}
    world.one.talla("keys", "client", world.one.folder, "talla:table-70", "--role", "table",
                    check=True)
    world.copy(f"{world.one.folder}/clients/talla:table-70.pem", "table-7.pem")
    yield ("talla --client OFFICER act ask client-enrol --certificate table-7.pem --role "
           "table"), {}
    with open(world.one.config) as file, open(f"{world.here}/changed.toml", "w") as changed:
        changed.write(file.read() + "# a change\n")
    wanted = {"/etc/talla/rngd.toml": "changed.toml"}
    yield "talla --client OFFICER act ask config-change --file /etc/talla/rngd.toml", wanted
    yield ("talla --client INSPECTOR act confirm act-831 --file /etc/talla/rngd.toml"), {
        **wanted, "act": world.acts[-1]}
    world.copy(f"{world.here}/software.manifest", "new.manifest")
    yield "talla --client OFFICER act ask software-update --file new.manifest", {}
    yield ("talla --client INSPECTOR act confirm act-907 --file new.manifest"), {
        "act": world.acts[-1]}


def a_dispute(world):
    """Sections 8 and 10."""
    client = world.one.client()
    world.table = game_table(client, "french-roulette")
    view, _ = spin(client, world.table, [{"id": "r", "seat": 1, "kind": "rojo", "stake": 100}])
    world.round = view["id"]
    yield "talla log incomplete", {}
    yield "talla dispute --table T --round R", {
        "--table T": f"--table {world.table}", "--round R": "--round 1", "code": 3,
        "more": "--out dispute"}
    yield "talla verify BUNDLE --root ca.pem", {"BUNDLE": "dispute.talla", "code": 3}
    yield "talla log checkpoint", {}
    yield "talla log tail --kind ACCESS", {"more": f"--client {world.one.folder}/auditor"}


def copies_and_archives(world):
    """Section 9."""
    copied = {"FOLDER": "backup"}
    yield "talla backup make /etc/talla/rngd.toml FOLDER", copied
    yield "talla backup check FOLDER --root ca.pem", copied
    yield "talla log export --backup FOLDER --table table-17 --out records.jsonl", {
        **copied, "table-17": world.table}
    yield ("talla --client OFFICER restore approve FOLDER --for NEW-ORIGIN --out "
           "officer.approval"), {**copied, "NEW-ORIGIN": "casino.example/new"}
    world.copy(f"{world.one.folder}/log-key.json", "log-key.json")
    said = yield "talla log key log-key.json", {}
    yield "talla witness init FOLDER --name NAME --log KEY", {
        "FOLDER": "witness", "NAME": "inspector.example/witness", "KEY": f"'{said.strip()}'"}
    yield ("talla archive seal --config /etc/talla/rngd.toml --until 2027-01-01 2026.archive"), {}
    world.one.client().post(f"/v1/tables/{world.table}/close")
    seal = [f"{world.one.binaries}/talla", "archive", "seal", "--config", world.one.config,
            "--after", "2026.archive", "2027.archive"]
    for _ in range(100):  # the files of the log follow its records
        done = subprocess.run(seal, cwd=world.here, capture_output=True, text=True)
        if done.returncode == 0:
            break
        time.sleep(0.2)
    assert done.returncode == 0, done
    yield "talla archive verify 2026.archive 2027.archive --root ca.pem", {"code": 3}
    yield ("talla archive show 2026.archive --object round-431 --bundle r431.talla --root "
           "ca.pem"), {"round-431": world.round, "code": 3}
    yield "talla dispute r431.talla --root ca.pem", {"code": 3}


def with_the_daemon_stopped(world):
    """Sections 6.8 and 6.16."""
    assert world.one.stop() == 0
    yield "talla log rebuild /etc/talla/rngd.toml", {}
    yield "talla anchor adopt /etc/talla/rngd.toml", {}


PARTS = (first_start, keys_and_ceremony, software_and_keys_of_the_log, daily_work_and_two_persons,
         a_dispute, copies_and_archives, with_the_daemon_stopped)
done_lines = set()


def executed(part):
    def fact(world):
        lines, said = part(world), None
        while True:
            try:
                line, more = lines.send(said)
            except StopIteration:
                return
            said = world.step(line, **more)
            done_lines.add(line)
    fact.__name__ = f"the_lines_of_{part.__name__}_do_what_the_book_says"
    return fact


def both_books_have_the_same_lines(_):
    english, spanish = set(lines_of("en")), {in_english(line) for line in lines_of("es")}
    assert len(english) > 90, len(english)
    names = {line for line in english ^ spanish if names_only(line)}
    assert english ^ spanish == names, (english - spanish, spanish - english)


def names_only(line):
    """It names a command and does not say what it shall do."""
    words = line.split()[1:]
    return all(re.fullmatch(r"[a-z]+(-[a-z]+)*", word) for word in words)


def every_line_was_executed_here_or_by_the_test_that_is_named(_):
    read = {}

    def text_of(test):
        if test not in read:
            with open(f"{ROOT}/tests/e2e/{test}.py", encoding="utf-8") as file:
                read[test] = file.read()
        return read[test]

    lines = set(lines_of("en"))
    assert done_lines <= lines, f"not in the book: {done_lines - lines}"
    for line, (test, words) in ELSEWHERE.items():
        assert line in lines, f"not in the book: {line}"
        assert any(one in text_of(test) for one in words.split("|")), (line, test, words)
    left = set()
    for line in lines - done_lines - set(ELSEWHERE):
        if line.startswith(CERTIFIER):
            options = [word for word in line.split() if word.startswith("--")]
            lacking = [one for one in options if one.strip("-") not in text_of("certifier")]
            assert not lacking, (line, lacking)
        elif not names_only(line):
            left.add(line)
    assert not left, f"nobody executes {left}"


def people_beside_those_of_the_set(appliance):
    appliance.talla("keys", "client", appliance.folder, "talla:lab-1", "--role", "lab", check=True)
    os.mkdir(f"{appliance.folder}/lab")
    with open(f"{appliance.folder}/operator/client.toml") as file:
        text = file.read().replace("talla:operator-1", "talla:lab-1")
    with open(f"{appliance.folder}/lab/client.toml", "w") as file:
        file.write(text)


if __name__ == "__main__":
    with Appliance(sys.argv[1]) as one, tempfile.TemporaryDirectory() as place:
        people_beside_those_of_the_set(one)
        one.start()
        failed = hold([both_books_have_the_same_lines, *map(executed, PARTS),
                       every_line_was_executed_here_or_by_the_test_that_is_named],
                      World(one, place))
        if failed:
            print(f"--- the daemon's log\n{one.log()[-4000:]}")
    sys.exit(1 if failed else 0)
