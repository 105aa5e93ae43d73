"""The three verifiers, asked about many files at once: C++ (`talla verify`), Python
(tests/verifier), the browser's (rngd/web/verify, in node)."""
import dataclasses
import functools
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from verifier import evidence, log  # noqa: E402
from verifier.text import Refused, canonical  # noqa: E402

INVALID = 1
REPETITIONS = re.compile(r"; repetitions before, as far as this file shows: (\d+)$")


@dataclasses.dataclass
class Verdict:
    """What one verifier says of one file: the exit code, and the refusal or what was left open, and
    how often somebody could try again (None: not said)."""
    code: int
    why: str = ""
    not_checked: tuple = ()
    repetitions: int | None = None
    settled: dict | None = None  # what the engines of the page said

    @property
    def rule(self):
        """The name of the rule that refused, where the verifier names rules."""
        found = re.search(r"NOT VALID: [^\[]+ \[([a-z_]+)\]", self.why)
        return found[1] if found else ""


class Native:
    name = "C++"

    def __init__(self, talla):
        self.talla = talla

    def judge(self, files, roots):
        """`files`: (path of the bundle, path of the openings or None)."""
        plain = [path for path, openings in files if openings is None]
        found = {}
        for start in range(0, len(plain), 200):
            found.update(self._ask(plain[start:start + 200], roots))
        for path, openings in files:
            if openings is not None:
                found.update(self._ask([path], roots, "--openings", openings))
        return [found[path] for path, _ in files]

    def _ask(self, paths, roots, *more):
        done = subprocess.run([self.talla, "verify", "--root", roots, *more, *paths],
                              capture_output=True, text=True, check=False)
        found = {}
        for line in done.stderr.splitlines():
            path = next((one for one in paths if f" {one}: " in line), None)
            if path is None:
                raise RuntimeError(f"talla verify: {line}")
            found[path] = Verdict(INVALID, line[line.index(path) + len(path) + 2:])
        path = None
        for line in done.stdout.splitlines():
            if line.startswith("verified: "):
                path = next(one for one in paths if f"({one}; " in line)
                words = line[line.rindex(f"({path}; ") + len(path) + 3:]
                code = 4 if words.startswith("LABORATORY") else \
                    0 if words.startswith("certified;") else 3
                found[path] = Verdict(code)
            elif line.startswith("  not checked: "):
                found[path].not_checked += (line.removeprefix("  not checked: "),)
            elif REPETITIONS.search(line):
                found[path].repetitions = int(REPETITIONS.search(line)[1])
        missing = [one for one in paths if one not in found]
        if missing:
            raise RuntimeError(f"talla verify says nothing of {missing[0]}\n{done.stderr}")
        return found


class Python:
    name = "Python"

    def __init__(self):
        # every file of a liar has the same certificates: they are judged once for each time
        judged = functools.lru_cache(None)(
            lambda text, roots, time: whole(json.loads(text), roots, time))
        whole = log.check_log_key
        log.check_log_key = lambda key, roots, time: judged(canonical(key), roots, time)

    @staticmethod
    def judge(files, roots):
        return [Python._ask(path, openings, roots) for path, openings in files]

    @staticmethod
    def _ask(path, openings, roots):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        beside = None
        if openings is not None:
            with open(openings, encoding="utf-8") as file:
                beside = file.read()
        try:
            told = evidence.Evidence(text, roots, openings=beside)
        except (Refused, StopIteration, ValueError, UnicodeDecodeError, TypeError, KeyError,
                IndexError, AttributeError) as error:
            return Verdict(INVALID, f"{type(error).__name__}: {error}")
        return Verdict(told.code(), "", tuple(told.not_checked), told.repetitions)


class Browser:
    name = "browser"

    def __init__(self, engines=None):
        """`engines`: the folder of the page's engines; without it no settlement is run again."""
        self.engines = engines

    def judge(self, files, roots, mine=None):
        """`mine`: SHA-256 of the reader's own key."""
        asked = json.dumps({"files": files, "roots": roots, "mine": mine,
                            "engines": self.engines})
        done = subprocess.run(["node", os.path.join(HERE, "judge.mjs")], input=asked, text=True,
                              capture_output=True, check=True)
        return [Verdict(one["code"], one.get("why", ""), tuple(one.get("notChecked", ())),
                        one.get("repetitions"), one.get("settled"))
                for one in json.loads(done.stdout)]
