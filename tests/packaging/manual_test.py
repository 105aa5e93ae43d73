#!/usr/bin/env python3
# Goal: manual pages and completion say what the programs say: every command, every option, nothing
#   else.
# Method: pages and completion are made as the package makes them; the programs' --help is read here
#   by a walk of its own, rendered pages are compared with it; bash completes real lines, zsh and
#   fish (where present) read theirs.
#   usage: manual_test.py SOURCE_FOLDER FOLDER_OF_PROGRAMS
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from facts import hold  # noqa: E402

SOURCE, PROGRAMS = sys.argv[1], os.path.abspath(sys.argv[2])
MADE = tempfile.mkdtemp(prefix="talla-manual-")
PAGES = {"talla": 1, "talla-lab": 1, "rngd": 8, "rngd-source": 8}


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **more)


def helps(program, path=()):
    """Path and --help of the program and every command below."""
    text = run(f"{PROGRAMS}/{program}", *path, "--help").stdout
    found = {path: text}
    for name in re.findall(r"^  (\S+)", text.split("Subcommands:\n")[1].split("\n\n")[0],
                           re.M) if "Subcommands:" in text else []:
        found.update(helps(program, (*path, name)))
    return found


def options_in(text):
    """Names at the beginning of the lines under Options."""
    block = text.split("Options:\n")[1].split("\n\n")[0]
    names = set()
    for line in re.findall(r"^  (-\S+)", block, re.M):
        names |= set(line.split(","))
    return names


def rendered(name):
    done = run("groff", "-man", "-Tascii", "-P-cbou", "-ww", "-rHY=0", f"{MADE}/man/{name}")
    assert done.returncode == 0 and not done.stderr, f"{name}: {done.stderr}"
    return done.stdout


def the_generator_runs():
    done = run(f"{SOURCE}/rngd/packaging/manual", PROGRAMS, MADE, "--date", "2026-01-01")
    assert done.returncode == 0, done.stderr


def pages_render_without_a_warning():
    for name in sorted(os.listdir(f"{MADE}/man")):
        text = rendered(name)
        for part in ("NAME", "DESCRIPTION", "SEE ALSO"):
            assert re.search(rf"^{part}$", text, re.M), f"{name} has no {part}"
    assert len(os.listdir(f"{MADE}/man")) == 5


def only_groups(page):
    """A command that does nothing itself; `talla devices` lists and has `try` too."""
    return "Subcommands:" in page and options_in(page) == {"-h", "--help"}


def each_page_has_every_option_of_every_command_and_no_other():
    for program, section in PAGES.items():
        text = rendered(f"{program}.{section}")
        assert re.search(rf"^ +{program} +- +\S", text, re.M), f"{program}: no name line"
        general = text.split("\nOPTIONS\n")[1].split("\nCOMMANDS\n")[0].split("\nEXIT STATUS\n")[0]
        found = helps(program)
        subsections = dict(re.findall(r"^   (\S[^\n]*)\n(.*?)(?=^   \S|^\S|\Z)",
                                      text.split("\nCOMMANDS\n")[-1], re.M | re.S))
        for path, page in found.items():
            if path and only_groups(page):
                continue
            part = general if not path else subsections[" ".join(path)]
            named = set(re.findall(r"^ {7}(-[^\s,]+)", part,
                                   re.M)) | set(re.findall(r"^ {7}-\w, (--[\w-]+)", part, re.M))
            wanted = options_in(page) - ({"-h", "--help"} if path else set())
            assert named == wanted, f"{program} {' '.join(path)}: {named ^ wanted}"
            for words in re.findall(r"^  [A-Z]\S* TEXT.*", page.split("Options:")[0], re.M):
                assert words.split()[0] in part, f"{program} {' '.join(path)}: {words}"
        if section == 1:
            leaves = {" ".join(path) for path, page in found.items() if path
                      and not only_groups(page)}
            assert leaves == set(subsections), leaves ^ set(subsections)


def the_configuration_page_has_every_line_of_the_example():
    text = re.sub(r"\s+", " ", rendered("rngd.toml.5"))
    with open(f"{SOURCE}/rngd/packaging/rngd.toml") as file:
        keys = re.findall(r"^#?([a-z_]+) = (.+)$", file.read(), re.M)
    assert len(keys) > 40
    for key, value in keys:
        assert f"{key} = {value}" in text, key


def completed(line, program="talla"):
    """What bash offers behind `line`."""
    words = line.split(" ")
    script = (f". {MADE}/completion/bash/{program}; "
              f"COMP_WORDS=({' '.join(repr(word) for word in words)}); "
              f"COMP_CWORD={len(words) - 1}; _{program.replace('-', '_')}; printf '%s\\n' "
              f"\"${{COMPREPLY[@]}}\"")
    done = run("bash", "--norc", "-c", script)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return set(done.stdout.split())


def bash_completes_commands_options_and_values():
    found = helps("talla")
    assert completed("talla ") == {path[0] for path in found if len(path) == 1}
    assert (completed("talla keys ") == {path[1] for path in found if len(path) == 2
                                         and path[0] == "keys"})
    assert completed("talla sho") == {"shoe"}
    assert completed("talla --json --client folder keys cl") == {"client"}, (
        "an option's value is no command")
    assert completed("talla keys client --r") == {"--role", "--request"}
    assert completed("talla catalogue rules es-1977 --language ") == {"es", "en"}
    assert completed("talla shoe --out ") == set(), "a file: bash's own completion"
    assert completed("talla log rebuild ") == set(), "a file"
    assert "--json" in completed("talla verify --"), (
        "options of the program stand behind a command too")
    assert completed("rngd --c", "rngd") == {"--config", "--check"}
    assert completed("talla-lab battery --format ", "talla-lab") == {"auto", "binary", "ascii"}
    for path, page in found.items():
        offered = completed(" ".join(["talla", *path, "-"]))
        above = set().union(*(options_in(found[path[:depth]]) for depth in range(len(path) + 1)))
        assert offered == above | {"-h"}, f"{path}: {offered}"


def zsh_and_fish_read_theirs():
    for shell, check in (("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"])):
        if not shutil.which(shell):
            print(f"not tried: {shell} is not here")
            continue
        for program in PAGES:
            done = run(*check, f"{MADE}/completion/{shell}/{program}")
            assert done.returncode == 0 and not done.stderr, f"{shell} {program}: {done.stderr}"
    if shutil.which("fish"):
        def offers(line):
            script = f"source {MADE}/completion/fish/talla; complete -C '{line}'"
            return {word.split("\t")[0] for word in run("fish", "--no-config", "-c",
                                                        script).stdout.splitlines()}
        assert {"keys", "verify", "shoe"} <= offers("talla "), offers("talla ")
        assert {"client", "init", "show"} <= offers("talla keys "), offers("talla keys ")
        assert "--role" in offers("talla keys client --r"), offers("talla keys client --r")
        assert {"es", "en"} <= offers("talla catalogue rules es-1977 --language "), "values"


if __name__ == "__main__":
    try:
        failures = hold([the_generator_runs, pages_render_without_a_warning,
                         each_page_has_every_option_of_every_command_and_no_other,
                         the_configuration_page_has_every_line_of_the_example,
                         bash_completes_commands_options_and_values, zsh_and_fish_read_theirs])
    finally:
        shutil.rmtree(MADE, ignore_errors=True)
    sys.exit(1 if failures else 0)
