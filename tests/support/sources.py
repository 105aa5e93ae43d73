"""The sources of a build folder, and digests that say when one need not be looked at again.

For tests/tidy and tests/plain.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(rb'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)


def output(*command):
    return subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True).stdout


class Units:
    """What a preset compiles: options, sources and digests of each unit, a source or a batch.

    A unit's digest covers its sources, the headers of the house that they include, its compiler
    options, the libraries' packages and what `more` says (the tool's version and settings).
    """

    def __init__(self, preset, *more):
        self.build = ROOT / f"build-{preset}"
        done = subprocess.run(["cmake", "--preset", preset], cwd=ROOT, capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        self.options, self.commands = {}, {}
        for entry in json.loads((self.build / "compile_commands.json").read_text()):
            unit = pathlib.Path(entry["file"])
            if unit.suffix not in (".cpp", ".cxx"):
                continue
            self.commands[unit] = shlex.split(entry["command"])
            self.options[unit] = shlex.split(entry["command"].replace(str(ROOT), "."))[1:]
        self.common = hashlib.sha256()
        for text in (*more, output("dpkg-query", "-W", "lib*-dev")):
            self.common.update(text.encode())
        self.read, self.found, self.there = {}, {}, {}
        self.make_generated()

    def make_generated(self):
        """Has the build write the sources that a batch names and that are not there yet."""
        named = [path for unit in self.options if self.build in unit.parents and unit.exists()
                 for path in map(pathlib.Path, self.content(unit)[1])
                 if path.suffix == ".cpp" and self.build in path.parents and not path.exists()]
        if named:
            output("ninja", "-C", str(self.build),
                   *(str(path.relative_to(self.build)) for path in named))

    def content(self, path):
        """Digest of a file, and what it includes."""
        if path not in self.read:
            raw = path.read_bytes()
            included = [name.decode() for name in INCLUDE.findall(raw)]
            self.read[path] = (hashlib.sha256(raw).digest(), included)
        return self.read[path]

    @staticmethod
    def is_header(unit):
        """Whether the unit is a public header by itself (VERIFY_INTERFACE_HEADER_SETS)."""
        return "_verify_interface_header_sets/" in str(unit)

    def sources(self, unit):
        """The house's own sources of a unit: a batch's, or itself; none of what is generated."""
        if self.build not in unit.parents:
            return [unit]
        if not unit.exists():
            return []
        named = [pathlib.Path(name) for name in self.content(unit)[1]]
        return [path for path in named if path.is_absolute() and self.build not in path.parents]

    def included(self, path, folders):
        """The headers of the house that a file includes, found beside it or in the folders."""
        key = path, folders
        if key not in self.found:
            self.found[key] = []
            for name in self.content(path)[1]:
                place = next((folder for folder in (path.parent, *folders)
                              if self.exists(folder, name)), None)
                if place is not None:
                    self.found[key].append(pathlib.Path(os.path.normpath(place / name)))
        return self.found[key]

    def exists(self, folder, name):
        key = folder, name
        if key not in self.there:
            self.there[key] = os.path.isfile(os.path.join(folder, name))
        return self.there[key]

    def digest(self, unit):
        options = self.options[unit]
        folders = tuple(ROOT / text[2:] for text in options if text.startswith("-I."))
        seen, waiting = {unit}, [unit]
        while waiting:
            for found in self.included(waiting.pop(), folders):
                if found not in seen:
                    seen.add(found)
                    waiting.append(found)
        whole = self.common.copy()
        whole.update("\0".join(options).encode())
        for one in sorted(seen):
            # A batch names its sources by their place on this machine.
            content = b"" if self.build in one.parents else self.content(one)[0]
            whole.update(str(one.relative_to(ROOT)).encode() + content)
        return whole.hexdigest()


def look_at_all(kind, units, chosen, look_at, jobs=None):
    """Runs look_at(unit) -> (clean, text) over those chosen that were not found clean before.

    Prints progress. Returns (texts of those that were not clean, how many were looked at). What was
    clean is kept in ~/.cache/talla/KIND.
    """
    home = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    cache = home / "talla" / kind
    cache.mkdir(parents=True, exist_ok=True)
    digests = {unit: units.digest(unit) for unit in chosen}
    unknown = [unit for unit in digests if not (cache / digests[unit]).exists()]
    said = []
    with concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        for number, (unit, (clean, text)) in enumerate(zip(unknown, pool.map(look_at, unknown)), 1):
            if clean:
                (cache / digests[unit]).touch()
            else:
                said.append(text)
            if number % max(1, len(unknown) // 10) == 0 or number == len(unknown):
                print(f"{kind}: {number} of {len(unknown)}", flush=True)
    return said, len(unknown)
