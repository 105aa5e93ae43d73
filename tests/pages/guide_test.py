#!/usr/bin/env python3
# Goal: the guide can be followed: every command in it does what the guide says, in both languages,
#   and from the running appliance to a stranger's first settled round it takes under ten minutes.
# Method: the code lines of guide-en.md and guide-es.md are run in their order in an empty folder,
#   with the numbers of tables, rounds and acts that the appliance really gave; what the machine's
#   administrator does (apt, a build) is left out. The ten minutes are counted in the guide's steps:
#   every word of it read and every command typed, slowly, and the time that the programs took.
#   usage: guide_test.py SOURCE_FOLDER FOLDER_OF_PROGRAMS
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(HERE, "..", "e2e")]
from appliance import free_ports  # noqa: E402
from facts import hold  # noqa: E402
from markdown import Page  # noqa: E402

SOURCE, PROGRAMS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
RUN = ("talla ", "rngd --", "sed ", "python3 ", "export TALLA_CLIENT")
READ_A_MINUTE, TYPED_A_MINUTE = 150, 120  # words, characters: a slow reader, no typist
MINUTES_MAX = 10
RUNS, SETTLED = "talla status --wait", "talla play "  # the way that is counted
# Exit codes other than 0, as the guide says: an uncertified source, a changed file, a latch.
CODES = (("changed.talla --root", 1), ("talla shoe --decks 1", 1), ("verify_bundle.py", 3),
         ("talla verify", 3), (" dispute ", 3), ("talla archive verify", 3),
         ("talla archive show", 3))


def guide(language):
    """Its text, and its commands with the numbers of their lines, from 1."""
    path = f"rngd/docs/guide-{language}.md"
    with open(f"{SOURCE}/{path}", encoding="utf-8") as file:
        text = file.read()
    lines = Page(path, text).code_lines()
    return text, [(number, line) for number, line in lines if line.startswith(RUN)]


def commands_of(language):
    return [line for _, line in guide(language)[1]]


def minutes_of(language, seconds):
    """From the running appliance to the settled round, whose words are read too."""
    text, commands = guide(language)
    first, last = (next(i for i, (_, line) in enumerate(commands) if line.startswith(part))
                   for part in (RUNS, SETTLED))
    lines = text.splitlines()[commands[first][0] - 1:commands[last + 1][0] - 1]
    typed = [line for _, line in commands[first:last + 1]]
    assert len(typed) == last - first + 1 >= 5 and len(lines) > 20, (typed, len(lines))
    return (len(" ".join(lines).split()) / READ_A_MINUTE +
            sum(map(len, typed)) / TYPED_A_MINUTE + sum(seconds[first:last + 1]) / 60)


class Follower:
    """Somebody who types what the guide says into a shell."""

    def __init__(self, folder):
        self.folder, self.daemon, self.said, self.ids = folder, None, "", {}
        self.env = dict(os.environ, PATH=f"{PROGRAMS}:{os.environ['PATH']}")
        self.env.pop("TALLA_CLIENT", None)

    def type(self, line):
        if line.startswith("export"):
            self.env["TALLA_CLIENT"] = f"{self.folder}/keys/client"
            return
        if line.endswith("&"):
            with open(f"{self.folder}/rngd.log", "w", encoding="utf-8") as log:
                self.daemon = subprocess.Popen(line.rstrip("& ").split(), cwd=self.folder,
                                               env=self.env, stdout=log, stderr=log)
            return
        for kind, number in self.ids.items():
            line = re.sub(rf"\b{kind}-\d+\b", f"{kind}-{number}", line)
        line = line.replace("SOURCE/", f"{SOURCE}/")
        if line.startswith("talla keys init"):
            port, health = free_ports(2)
            line += f" --port {port} --health-port {health}"
        wanted = next((code for part, code in CODES if part in line), 0)
        done = subprocess.run(["bash", "-c", line], cwd=self.folder, env=self.env, text=True,
                              capture_output=True, timeout=120)
        said = done.stdout + done.stderr
        assert done.returncode == wanted, f"{line}: {done.returncode}, not {wanted}: {said}"
        self.said += said
        if line.startswith("talla keys init"):
            self.no_generator_of_this_machine()
        self.remember(line, said)

    def no_generator_of_this_machine(self):
        path = f"{self.folder}/keys/rngd.toml"
        with open(path, encoding="utf-8") as file:
            text = file.read()
        assert 'kind = "auto"' in text
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace('kind = "auto"', 'kind = "system"'))

    def remember(self, line, said):
        """The numbers that later commands name."""
        wanted = {"talla play": "table", "talla log rounds": "round", "act ask": "act"}
        for part, kind in wanted.items():
            found = re.search(rf"\b{kind}-(\d+)\b", said)
            if part in line and found:
                self.ids[kind] = found[1]

    def stop(self):
        if self.daemon and self.daemon.poll() is None:
            self.daemon.send_signal(signal.SIGTERM)
            assert self.daemon.wait(30) == 0, "the daemon did not end well"


def both_say_the_same_commands():
    plain = {language: [" ".join(re.sub(r"--language \w+", "", line).split())
                        for line in commands_of(language)]
             for language in ("en", "es")}
    assert plain["en"] == plain["es"] and len(plain["en"]) > 25, plain


def followed(language):
    with tempfile.TemporaryDirectory(prefix="talla-guide-") as folder:
        follower = Follower(folder)
        try:
            seconds = []
            for line in commands_of(language):
                begun = time.monotonic()
                follower.type(line)
                seconds.append(time.monotonic() - begun)
            for word in ("416 cards", "settled", "latch-reset, done", "entropy_latched",
                         "[not_included]", "whole and signed"):
                assert word in follower.said, f"nothing said {word}"
            assert set(follower.ids) == {"table", "round", "act"}, follower.ids
            minutes = minutes_of(language, seconds)
            print(f"{minutes:.1f} minutes from the running appliance to the first settled round")
            assert minutes < MINUTES_MAX, minutes
        finally:
            follower.stop()


def the_english_guide_can_be_followed():
    followed("en")


def the_spanish_guide_can_be_followed():
    followed("es")


if __name__ == "__main__":
    failures = hold([both_say_the_same_commands, the_english_guide_can_be_followed,
                     the_spanish_guide_can_be_followed])
    sys.exit(1 if failures else 0)
