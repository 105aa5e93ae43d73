#!/usr/bin/env python3
# Goal: the operator's handbook says the same in Spanish and English, and leaves no refusal and no
#   latch reason without an answer.
# Method: headings, tables and commands of both are compared; codes and reasons are taken from the
#   sources that print them, commands from the programs' own help. usage: handbook_test.py
#   SOURCE_FOLDER FOLDER_OF_PROGRAMS
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from facts import hold  # noqa: E402

SOURCE, PROGRAMS = sys.argv[1], sys.argv[2]


def read(path):
    with open(f"{SOURCE}/{path}") as file:
        return file.read()


BOOKS = {language: read(f"rngd/docs/operator-{language}.md") for language in ("en", "es")}


def function(path, name):
    """The strings that one function of a source returns."""
    body = read(path).split(f"std::string_view {name}(")[1].split("\n}")[0]
    found = set(re.findall(r'return "([a-z_0-9-]+)"', body))
    assert len(found) > 5, f"{path}: {name} has {found}"
    return found


def every_code():
    codes = function("rngd/appliance/core/src/errc.cpp", "errc_name")
    codes |= function("games/src/errc.cpp", "errc_name")
    codes |= function("entropy/src/names.cpp", "errc_name")
    near = re.findall(r'problem\(\s*\d+, "(\w+)"', read("rngd/appliance/daemon/src/gateway.cpp"))
    near += re.findall(r'refuse\(\s*\d+, "(\w+)"', read("rngd/appliance/http/src/connection.hpp"))
    assert {"not_enrolled", "body_too_large"} <= set(near), near
    return (codes | set(near)) - {"unknown", "entropy_unknown", "games_unknown_error"}


def marked(book):
    """What stands between backquotes."""
    return set(re.findall(r"`([^`]+)`", BOOKS[book]))


def every_code_of_a_refusal_stands_in_both():
    codes = every_code()
    assert len(codes) > 80, codes
    for book in BOOKS:
        assert not codes - marked(book), f"operator-{book}.md lacks {sorted(codes - marked(book))}"


def every_latch_reason_stands_in_both():
    reasons = function("entropy/src/names.cpp", "latch_reason_name") - {"unknown"}
    for book, text in BOOKS.items():
        rows = set(re.findall(r"^\| `(\w+)` \|", text, re.M))
        assert not reasons - rows, f"operator-{book}.md lacks {sorted(reasons - rows)}"


def both_have_the_same_headings_tables_and_codes():
    def shape(text):
        return [re.match(r"(#+) ?([0-9.]*)", line).groups() for line in text.splitlines()
                if line.startswith("#")]
    assert shape(BOOKS["en"]) == shape(BOOKS["es"]) and len(shape(BOOKS["en"])) > 25

    def rows(text):
        return [len(block.splitlines()) for block in re.findall(r"(?:^\|.*\n)+", text, re.M)]
    assert rows(BOOKS["en"]) == rows(BOOKS["es"]) and len(rows(BOOKS["en"])) >= 6
    only = {word for word in marked("en") ^ marked("es") if re.fullmatch(r"[a-z_]+", word)}
    assert not only, f"in one book only: {only}"


def every_command_in_them_exists():
    known = {}

    def exists(program, path):
        if (program, path) not in known:
            done = subprocess.run([f"{PROGRAMS}/{program}", *path, "--help"], capture_output=True,
                                  text=True)
            below = done.stdout.split(
                "Subcommands:\n")[1].split("\n\n")[0] if "Subcommands:" in done.stdout else ""
            known[program, path] = (done.returncode == 0, set(re.findall(r"^  (\S+)", below, re.M)),
                                    done.stdout)
        return known[program, path]

    seen = set()
    for text in BOOKS.values():
        lines = re.findall(r"`((?:talla|talla-lab|rngd) [^`]+)`", text)
        lines += re.findall(r"^    ((?:talla|talla-lab|rngd) [^#\n]+)", text, re.M)
        for line in lines:
            program, *words = line.split()
            path, options = (), [word for word in words if word.startswith("--")]
            while words:
                word = words.pop(0)
                if word in ("--client", "--config", "--root"):
                    words = words[1:]
                elif word in exists(program, path)[1]:
                    path = (*path, word)
                elif exists(program, path)[1] and not word.startswith("-"):
                    raise AssertionError(f"{line}: there is no command {word}")
            page = exists(program, path)[2] + exists(program, ())[2]
            for option in options:
                assert option in page, f"{line}: there is no {option}"
            seen.add((program, path))
    assert len(seen) > 12, seen


if __name__ == "__main__":
    failures = hold([every_code_of_a_refusal_stands_in_both, every_latch_reason_stands_in_both,
                     both_have_the_same_headings_tables_and_codes, every_command_in_them_exists])
    sys.exit(1 if failures else 0)
