#!/usr/bin/env python3
# Goal: whoever builds a table can type the guide of rounds: each block of it runs and says what the
#   guide says, in both languages alike.
# Method: the blocks of rounds-en.md and rounds-es.md are the same; they are run in their order,
#   with the real daemon, the packed npm package and the shared library.
#   usage: rounds_test.py SOURCE_FOLDER FOLDER_OF_PROGRAMS
import os
import re
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(HERE, "..", "e2e")]
from appliance import free_ports  # noqa: E402
from facts import hold  # noqa: E402

SOURCE, PROGRAMS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
LIBRARY = os.path.join(os.path.dirname(PROGRAMS), "lib")
CODES = {"talla verify": (3,)}  # an uncertified source
SAYS = [r"^READY|ready", r"seat 1 gets \d+ for 100, record \d+", r"^verified: SETTLEMENT",
        r"seat 1 gets \d+", r"seat 1 gets \d+", r"table-\d+", r"(index \d+\n){3}",
        r"seat 3 holds( \w\w){5} and shows", r"the machine says b'match"]
WORDS_MAX = 1200
BLOCK = r"^```(\w+)\n(.*?)^```$"


def blocks(language):
    with open(f"{SOURCE}/rngd/docs/rounds-{language}.md", encoding="utf-8") as file:
        text = file.read()
    words = len(re.sub(BLOCK, "", text, flags=re.M | re.S).split())
    assert words <= WORDS_MAX, f"{words} words beside the blocks"
    return re.findall(BLOCK, text, re.M | re.S)


class Follower:
    """Somebody who types the blocks into files of an empty folder."""

    def __init__(self, folder):
        self.folder, self.daemon = folder, None
        self.env = dict(os.environ, PATH=f"{PROGRAMS}:{os.environ['PATH']}",
                        PYTHONPATH=f"{SOURCE}/rngd/sdk/client/python", LD_LIBRARY_PATH=LIBRARY,
                        PYTHONDONTWRITEBYTECODE="1")
        self.env.pop("TALLA_CLIENT", None)

    def run(self, *command, codes=(0,), cwd=None):
        done = subprocess.run(command, cwd=cwd or self.folder, env=self.env, text=True,
                              capture_output=True, timeout=120)
        assert done.returncode in codes, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text.replace("SOURCE/", f"{SOURCE}/"))

    def sh(self, text):
        if "talla keys init" not in text:
            codes = next((found for word, found in CODES.items() if word in text), (0,))
            return self.run("bash", "-c", f"set -e\n{text}", codes=codes)
        said = ""
        for line in text.splitlines():
            if line.endswith("&"):
                self.start(line.rstrip("& ").split())
                continue
            if line.startswith("talla keys init"):
                port, health = free_ports(2)
                line += f" --port {port} --health-port {health}"
            said += self.run("bash", "-c", line)
        return said

    def start(self, command):
        path = f"{self.folder}/keys/rngd.toml"
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.write("keys/rngd.toml", text.replace('kind = "auto"', 'kind = "system"'))
        with open(f"{self.folder}/rngd.log", "w", encoding="utf-8") as log:
            self.daemon = subprocess.Popen(command, cwd=self.folder, env=self.env, stdout=log,
                                           stderr=log)

    def python(self, text):
        self.write("round.py", text)
        return self.run(sys.executable, "round.py")

    def ts(self, text):
        os.makedirs(f"{self.folder}/node_modules/@talla")
        self.run(f"{SOURCE}/rngd/packaging/npm", f"{self.folder}/npm")
        packed, = [name for name in os.listdir(f"{self.folder}/npm") if name.endswith(".tgz")]
        self.run("tar", "-xzf", f"npm/{packed}")
        os.rename(f"{self.folder}/package", f"{self.folder}/node_modules/@talla/client")
        self.write("package.json", '{"private": true, "type": "module"}\n')
        self.write("round.ts", text)
        self.run("tsc", "--strict", "--target", "es2022", "--module", "node16",
                 "--moduleResolution", "node16", "--lib", "es2022,dom", "round.ts")
        return self.run("node", "round.js")

    def c(self, text):
        self.write("round.c", text)
        self.run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I",
                 f"{SOURCE}/rngd/sdk/client/c", "round.c", "-L", LIBRARY, "-ltalla-client", "-o",
                 "round")
        return self.run("./round")

    def stop(self):
        if self.daemon and self.daemon.poll() is None:
            self.daemon.send_signal(signal.SIGTERM)
            assert self.daemon.wait(30) == 0, "the daemon did not end well"


def both_languages_have_the_same_blocks():
    assert blocks("en") == blocks("es")
    assert len(blocks("en")) == len(SAYS)


def every_block_runs_and_says_what_the_guide_says():
    with tempfile.TemporaryDirectory(prefix="talla-rounds-") as folder:
        follower = Follower(folder)
        try:
            for (language, text), wanted in zip(blocks("en"), SAYS):
                said = getattr(follower, language)(text)
                assert re.search(wanted, said, re.M), f"{wanted} is not said:\n{text}\n{said}"
        finally:
            follower.stop()


if __name__ == "__main__":
    sys.exit(1 if hold([both_languages_have_the_same_blocks,
                        every_block_runs_and_says_what_the_guide_says]) else 0)
