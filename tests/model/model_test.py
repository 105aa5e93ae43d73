#!/usr/bin/env python3
# Goal: the protocol keeps what it promises whatever fails, in every order of steps.
# Method: Spin visits every state of certs/model at the sizes below; every planted bug
#   (certs/model/bugs) is found; where the page states a window, the window is found.
#   usage: model_test.py SOURCE_FOLDER exhausted | bugs
#   exit code 77: there is no Spin here (never with TALLA_LONG=1)
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, f"{HERE}/../e2e")
from facts import hold  # noqa: E402

SOURCE = os.path.abspath(sys.argv[1])
MODEL = f"{SOURCE}/certs/model"
LONG = os.environ.get("TALLA_LONG") == "1"
MEMORY_MIB = 6000
# Three clients (two tables that draw, one that deals), a rollback, and two crashes in a long run.
EXHAUSTED = [("appliance", f"-DANCHOR=2 -DCRASHES={2 if LONG else 1} -DROLLBACKS=1"),
             ("fence", ""), ("witness", ""), ("calls", "")]
SMALL = "-DANCHOR=2 -DCRASHES=1 -DROLLBACKS=1"  # in which a planted bug is found
# What the page says is not kept: without an anchor outside an old copy goes unnoticed.
WINDOWS = [("appliance", "-DANCHOR=0 -DCRASHES=1 -DROLLBACKS=1")]


def verdict(folder, model, options, optimisation="-O2", slots=26):
    """Errors that Spin finds and how many states it visited; with all of them visited if none.
    `slots`: of the table of states, as a power of two: with few of them it only looks longer."""
    subprocess.run(["spin", "-a", *options.split(), f"{model}.pml"], cwd=folder, check=True,
                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    subprocess.run(["gcc", optimisation, "-w", "-DSAFETY", f"-DMEMLIM={MEMORY_MIB}", "-o",
                    "pan", "pan.c"], cwd=folder, check=True)
    done = subprocess.run(["./pan", "-m1000000", f"-w{slots}"], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    errors = re.search(r"errors: (\d+)", done.stdout)
    states = re.search(r"([\d.e+]+) states, stored", done.stdout)
    assert errors and states, done.stdout
    if errors[1] == "0":
        for cut in ("max search depth too small", "aborted", "out of memory", "not completed"):
            assert cut not in done.stdout, f"{model} {options}: {done.stdout}"
    return int(errors[1]), int(float(states[1]))


def found(folder, model, options):
    """The same of a model that has an error: it is soon met, and optimising takes longer than
    looking."""
    return verdict(folder, model, options, "-O0", 20)


def fresh(folder):
    for name in os.listdir(MODEL):
        if name.endswith(".pml"):
            shutil.copy(f"{MODEL}/{name}", folder)
    return folder


def every_state_keeps_the_promises(_):
    for model, options in EXHAUSTED:
        with tempfile.TemporaryDirectory() as folder:
            begin = time.monotonic()
            errors, states = verdict(fresh(folder), model, options)
            print(f"{model} {options}: {states} states, {time.monotonic() - begin:.0f} s",
                  flush=True)
            assert errors == 0, f"{model} {options}: a promise is broken"


def windows_that_the_page_states_are_there(_):
    for model, options in WINDOWS:
        with tempfile.TemporaryDirectory() as folder:
            assert found(fresh(folder), model, options)[0] > 0, f"{model} {options}"


def planted(name):
    """Model and options of a planted bug."""
    with open(f"{MODEL}/bugs/{name}", encoding="utf-8") as file:
        text = file.read()
    return (re.search(r"^--- (\w+)\.pml", text, re.M)[1],
            (re.search(r"^options: (.*)$", text, re.M) or ("", SMALL))[1])


def each_planted_bug_is_found(_):
    names = sorted(os.listdir(f"{MODEL}/bugs"))
    assert len(names) >= 10
    for name in names:
        model, options = planted(name)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["patch", "-s", "-p0", "-i", f"{MODEL}/bugs/{name}"], cwd=fresh(folder),
                           check=True)
            errors, states = found(folder, model, options)
            print(f"{name}: {'found' if errors else 'NOT FOUND'} ({states} states)", flush=True)
            assert errors > 0, f"{name} is not found"


PARTS = {"exhausted": [every_state_keeps_the_promises, windows_that_the_page_states_are_there],
         "bugs": [each_planted_bug_is_found]}


def main():
    missing = [tool for tool in ("spin", "gcc", "patch") if not shutil.which(tool)]
    if missing:
        print(f"{' and '.join(missing)} not here: rngd/packaging/dependencies check installs it")
        return 1 if LONG else 77
    return hold(PARTS[sys.argv[2]], None)


if __name__ == "__main__":
    sys.exit(main())
