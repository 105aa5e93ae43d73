#!/usr/bin/env python3
# Goal: `talla setup` asks what a technician knows and leaves an appliance that starts: in a trial
#   at once, for production after the steps that it names, each of them as it stands there.
# Method: answers by a pipe and by options, in both languages, right and wrong ones; the daemon is
#   started on what was written; every command of a production's steps is executed.
#   usage: setup_test.py FOLDER_OF_PROGRAMS
import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile

from appliance import free_ports
from assessed import assessed
from facts import hold

PROGRAMS = sys.argv[1]
TRIAL = ["trial", "casino.example/appliance-1", "localhost", "", None, "system"]
PEOPLE = ["talla:mesa-7=table", "talla:officer-1=security-officer", "talla:inspector-1=inspector"]


def setup(folder, answers, *options):
    return subprocess.run([f"{PROGRAMS}/talla", "setup", folder, *options], text=True,
                          input="".join(f"{line}\n" for line in answers), capture_output=True,
                          timeout=60)


def run(command, folder, code=0):
    """A command as it stands in the steps: the programs are those of this build."""
    words = shlex.split(command)
    assert words[0] in ("talla", "rngd"), command
    done = subprocess.run([f"{PROGRAMS}/{words[0]}", *words[1:]], text=True, capture_output=True,
                          cwd=folder, timeout=120)
    assert done.returncode == code, (command, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def steps_of(folder):
    with open(f"{folder}/steps.txt", encoding="utf-8") as file:
        return [line.strip() for line in file if line.startswith("     ")]


def a_trial_is_asked_for_and_plays(world):
    folder = f"{world}/trial"
    port = free_ports(2)[0]
    answers = [port if one is None else one for one in TRIAL]
    done = setup(folder, [*answers, *PEOPLE, ""])
    assert done.returncode == 0, done
    assert "Clock: " in done.stdout and "[trial]" in done.stdout, done.stdout
    check, start, status = steps_of(folder)
    assert all(f"     {one}\n" in done.stdout for one in (check, start, status)), done.stdout
    assert "rngd.toml: good" in run(check, world)
    words = shlex.split(start)
    with open(f"{world}/log", "w") as log:
        daemon = subprocess.Popen([f"{PROGRAMS}/{words[0]}", *words[1:]], stdout=log, stderr=log)
    try:
        assert run(status, world).startswith("READY")
        carried = f"{world}/carried"  # the folder is all that the table's machine needs
        shutil.move(f"{folder}/hand-out/talla:mesa-7", carried)
        run(f"talla --client {carried} spin --catalogue es-1977 --game french-roulette --out "
            f"{world}/spin.talla", world)
        run(f"talla verify {world}/spin.talla --root {carried}/root.pem", world, code=3)
        said = run(f"talla --client {folder}/hand-out/talla:officer-1 status", world)
        assert "talla:officer-1 (security-officer)" in said, said
    finally:
        daemon.terminate()
        daemon.wait()
    for name in os.listdir(f"{folder}/hand-out"):
        mode = os.stat(f"{folder}/hand-out/{name}/client.key").st_mode
        assert stat.S_IMODE(mode) == 0o600, (name, oct(mode))


def nothing_is_overwritten(world):
    folder = f"{world}/trial"
    before = {name: open(f"{folder}/{name}").read() for name in ("rngd.toml", "keys/clients.toml")}
    done = setup(folder, [])
    assert done.returncode == 2 and "is there already" in done.stderr, done
    for name, text in before.items():
        assert open(f"{folder}/{name}").read() == text, name


def a_wrong_answer_is_asked_again_with_what_would_be_right(world):
    folder = f"{world}/wrong"
    answers = ["maybe", "trial", "two words", "casino.example/appliance-2", "a b/c", "localhost",
               "here!", "127.0.0.1", "70000", "8443", "rolling-dice", "auto", "talla:x",
               "talla:x=king", "talla:x=table", "", *PEOPLE, ""]
    done = setup(folder, answers)
    assert done.returncode == 0, done
    for words in ("  trial, production", "1 to 200 of", "names like", "an address", "1 - 65534",
                  "models: ", "a role is one of: ", "lacking: security-officer"):
        assert words in done.stdout, (words, done.stdout)
    text = open(f"{folder}/rngd.toml").read()
    assert 'origin = "casino.example/appliance-2"' in text and "port = 8443" in text, text
    assert 'kind = "auto"' in text, text


def without_an_answer_nothing_is_written(world):
    folder = f"{world}/none"
    for answers, option in (([], "--profile"), (["trial"], "--origin"),
                            (["trial", "casino.example/a", "", "", "", ""], "--person")):
        done = setup(folder, answers)
        assert done.returncode == 2 and option in done.stderr, (answers, done)
        assert not os.path.exists(folder), os.listdir(folder)
    for options, words in ((["--source", "auto"], "production names its generator"),
                           (["--source", "chaoskey"], "a serial number"),
                           (["--sealing", "file"], "passphrase, tpm, pkcs11"),
                           (["--person", "talla:a=table"], "lacking: security-officer"),
                           (["--person", PEOPLE[1], "--person", PEOPLE[1]], "stands twice")):
        given = {"--profile": "production", "--origin": "casino.example/a", "--name": "localhost",
                 "--address": "127.0.0.1", "--port": "8443", "--source": "chaoskey:1",
                 "--sealing": "tpm"}
        flags = [one for name, value in given.items() if name != options[0]
                 for one in (name, value)]
        done = setup(folder, [], *flags, *options)
        assert done.returncode == 2 and words in done.stderr, (options, done)
        assert not os.path.exists(folder), os.listdir(folder)


def production(world, name, language):
    folder = f"{world}/{name}"
    people = [one for person in PEOPLE for one in ("--person", person)]
    return folder, setup(folder, [], "--profile", "production", "--origin", "casino.example/real",
                         "--name", "localhost,127.0.0.1", "--address", "127.0.0.1", "--port",
                         "8443", "--source", "chaoskey:0001", "--sealing", "passphrase", *people,
                         "--language", language)


def both_languages_leave_the_same(world):
    spanish, said = production(world, "es", "es")
    english, told = production(world, "en", "en")
    assert said.returncode == 0 == told.returncode, (said, told)
    assert "En la raíz" in said.stdout and "At the root" in told.stdout, (said, told)
    assert [one.replace(spanish, english) for one in steps_of(spanish)] == steps_of(english)
    for name in ("rngd.toml", "hand-out/talla:mesa-7/client.toml"):
        assert open(f"{spanish}/{name}").read() == open(f"{english}/{name}").read(), name
    told = json.loads(setup(f"{world}/data", [str(one or "") for one in [*TRIAL, *PEOPLE, ""]],
                            "--json").stdout)
    assert told["profile"] == "development" and [one["command"] for one in told["steps"]
                                                 if one["command"]] == steps_of(f"{world}/data")


def the_steps_of_a_production_are_commands_that_work(world):
    folder, done = production(world, "production", "en")
    assert done.returncode == 0, done
    assert os.path.exists(f"{folder}/keys/server.csr") and not os.path.exists(
        f"{folder}/hand-out/talla:mesa-7/client.key"), "the key is made where it stays"
    phrase = f"{world}/phrase"
    for path, text in ((phrase, "a passphrase of the root\n"),
                       (f"{folder}/keys/passphrase", "a passphrase of the seal\n")):
        with open(path, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(text)
    root = f"{world}/root"
    os.mkdir(root)
    steps = steps_of(folder)
    assert len(steps) == 5 + 3 * len(PEOPLE) + 2, steps
    carried = None
    for step in steps[:-2]:
        if "client-request" in step:
            carried = f"{folder}/hand-out/{step.split()[-1]}"
        at_root = "ceremony root" in step or "ceremony sign" in step
        place = root if at_root else carried if "client" in step else root
        if "sign ROOT" in step:  # what was carried there
            for name in ("server.csr", "log-certificate.csr"):
                shutil.copy(f"{folder}/keys/{name}", root)
            if carried:
                shutil.copy(f"{carried}/client.csr", root)
                if os.path.exists(f"{root}/client.pem"):
                    os.remove(f"{root}/client.pem")
        if "keys enrol" in step:
            shutil.copy(f"{root}/client.pem", carried)
        if "install" in step:
            shutil.copy(f"{root}/ROOT/root.pem", root)
        run(step + (f" --passphrase {phrase}" if at_root else ""), place)
    listed = open(f"{folder}/keys/clients.toml").read()
    assert all(person.split("=")[0] in listed for person in PEOPLE), listed
    # what is left is what no command can know: the report on the unit, and the signed software
    said = run(steps[-2], world, code=1)
    assert "source: chaoskey 0001: " in said and "missing: assessed_millibits, assessment" in said
    with open(f"{folder}/rngd.toml") as file:
        text = file.read()
    noted = re.search(r"# From the report on this unit.*\n(#.*\n)+", text)[0]
    report = "\n".join(assessed(folder, serial="0001").splitlines()[3:])
    with open(f"{folder}/rngd.toml", "w") as file:
        file.write(text.replace(noted, report + "\n"))
    said = run(steps[-2], world, code=1)
    wrong = re.findall(r": ([a-z_.]+): ", "\n".join(
        line for line in said.splitlines() if "configuration_refused" in line))
    assert set(wrong) == {"software.manifest"}, said
    assert "keys: good" in said and "api: good" in said and "api.enrolment: good" in said, said


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as all_of_it:
        failed = hold([a_trial_is_asked_for_and_plays, nothing_is_overwritten,
                       a_wrong_answer_is_asked_again_with_what_would_be_right,
                       without_an_answer_nothing_is_written, both_languages_leave_the_same,
                       the_steps_of_a_production_are_commands_that_work], all_of_it)
    sys.exit(1 if failed else 0)
