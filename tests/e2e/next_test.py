#!/usr/bin/env python3
# Goal: whoever makes keys and certificates reads after every step what was written where and what
#   comes next, and the next command is one that there is.
# Method: a development set, a client of it, and a ceremony from the root to an enrolled client,
#   each step taken as the one before said; the words of every `next:` are looked up in the help.
#   usage: next_test.py FOLDER_OF_PROGRAMS
import os
import re
import subprocess
import sys
import tempfile

from facts import hold

PROGRAMS = os.path.abspath(sys.argv[1])
ORIGIN = "casino.example/appliance-1"


def run(*arguments, program="talla", code=0):
    done = subprocess.run([f"{PROGRAMS}/{program}", *arguments], capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == code, (arguments, done.stdout, done.stderr)
    return done.stdout


def commands_of(text):
    """`talla` and `rngd` commands in a text, each as its words."""
    found = re.findall(r"\b((?:talla|rngd) [^;,]*)", text)
    return [one.split() for one in found]


def is_a_command(words):
    """Its subcommands and options stand in the help."""
    program, rest = words[0], words[1:]
    if rest[:1] == ["--client"]:
        rest = rest[2:]
    path = []
    while rest and re.fullmatch(r"[a-z][a-z-]*", rest[0]) and re.search(
            rf"Usage: \S*{program} {' '.join([*path, rest[0]])} ",
            run(*path, rest[0], "--help", program=program)):
        path.append(rest.pop(0))
    said = run(*path, "--help", program=program)
    for option in [one for one in rest if one.startswith("--")]:
        assert option in said, (words, path, option)


def next_of(text):
    """The words behind `next:`; every command in them is one."""
    line, = [one for one in text.splitlines() if one.startswith("next: ")]
    for words in commands_of(line):
        is_a_command(words)
    return line


def a_development_set_says_what_was_made_and_how_it_is_started(folder):
    keys = f"{folder}/development"
    said = run("keys", "init", keys)
    assert keys in said and "development" in said, said
    line = next_of(said)
    assert f"rngd --config {keys}/rngd.toml --check" in line and "status" in line, line
    assert run("--config", f"{keys}/rngd.toml", "--check", program="rngd").endswith(": good\n")
    said = run("keys", "client", keys, "talla:table-7", "--role", "table")
    assert f"{keys}/clients.toml" in said and f"{keys}/clients/talla:table-7.pem" in said, said
    assert os.path.exists(f"{keys}/clients/talla:table-7.pem") and "restart" in next_of(said), said
    run("keys", "ceremony", "client-request", f"{folder}/8.key", f"{folder}/8.csr", "--id",
        "talla:table-8")
    said = run("keys", "client", keys, "talla:table-8", "--role", "table", "--request",
               f"{folder}/8.csr", "--out", f"{folder}/8.pem")
    assert f"{folder}/8.pem" in said and os.path.exists(f"{folder}/8.pem"), said


def each_step_of_the_ceremony_names_the_next_one(folder):
    root, keys, phrase = f"{folder}/root", f"{folder}/keys", f"{folder}/phrase"
    with open(os.open(phrase, os.O_WRONLY | os.O_CREAT, 0o600), "w") as out:
        out.write("a passphrase for the safe\n")

    def ceremony(*arguments):
        return run("keys", "ceremony", *arguments)

    line = next_of(ceremony("root", root, "--name", "Casino root", "--passphrase", phrase))
    assert "talla keys ceremony request" in line and "transcript" in line, line
    line = next_of(ceremony("request", keys, "--origin", ORIGIN))
    assert "server.csr --for server" in line and f"--for log --name {ORIGIN}" in line, line
    for request, use, name in (("server", "server", "localhost"),
                               ("log-certificate", "log", ORIGIN)):
        line = next_of(ceremony("sign", root, f"{keys}/{request}.csr", "--for", use, "--name", name,
                                "--out", f"{folder}/{request}.pem", "--passphrase", phrase))
        assert "talla keys ceremony install" in line, line
    line = next_of(ceremony("install", keys, "--origin", ORIGIN, "--root", f"{root}/root.pem",
                            "--server", f"{folder}/server.pem", "--log",
                            f"{folder}/log-certificate.pem"))
    assert f"talla keys enrol {keys}/clients.toml" in line and "--check" in line, line
    line = next_of(ceremony("client-request", f"{folder}/a.key", f"{folder}/a.csr", "--id",
                            "talla:table-1"))
    assert f"{folder}/a.csr --for client --name talla:table-1" in line, line
    line = next_of(ceremony("sign", root, f"{folder}/a.csr", "--for", "client", "--name",
                            "talla:table-1", "--out", f"{folder}/a.pem", "--passphrase", phrase))
    assert f"{folder}/a.pem --role" in line and "client-enrol" in line, line
    said = run("keys", "enrol", f"{keys}/clients.toml", f"{folder}/a.pem", "--role", "table")
    assert "next start" in said, said
    line = next_of(ceremony("revoke", root, f"{folder}/a.pem", "--passphrase", phrase))
    assert "crl.pem" in line and "reload" in line, line
    line = next_of(ceremony("list", root, "--passphrase", phrase))
    assert "crl.pem" in line, line


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="talla-next-") as where:
        failed = hold([a_development_set_says_what_was_made_and_how_it_is_started,
                       each_step_of_the_ceremony_names_the_next_one], where)
    sys.exit(1 if failed else 0)
