"""The command tree of a program, read from its own --help: what manual pages and completion are
made of.

Standard library only. The layout is that of rngd/tools/commandline: headings, two spaces,
28 columns of names and type, then words.
"""
import os
import re
import subprocess
from dataclasses import dataclass, field

COLUMN = 30
TYPED = re.compile(r"^(TEXT|INT|UINT|FLOAT)(:\S+)?$")


@dataclass
class Item:
    """An option or a positional."""
    names: list
    type: str = ""  # TEXT, INT, ...; empty: a flag
    choices: list = field(default_factory=list)
    range: str = ""
    default: str = ""
    many: bool = False
    required: bool = False
    needs: list = field(default_factory=list)
    excludes: list = field(default_factory=list)
    env: str = ""
    words: str = ""


@dataclass
class Command:
    path: list  # [] for the program itself
    summary: str = ""
    positionals: list = field(default_factory=list)
    options: list = field(default_factory=list)
    commands: list = field(default_factory=list)
    footer: str = ""

    def every(self):
        yield self
        for command in self.commands:
            yield from command.every()


def item_of(left, words):
    """`--decks INT:INT in [1 - 8]=8` and its words."""
    names, _, meta = left.strip().partition(" ")
    item = Item(names.split(","), words=words)
    env = re.search(r"\(Env:(\w+)\)", meta)
    if env:
        item.env, meta = env[1], meta.replace(env[0], "")
    for key in ("excludes", "needs"):
        found = re.search(rf"\b{key.capitalize()}: ((?:--?[\w-]+ ?)+)", meta)
        if found:
            setattr(item, key, found[1].split())
            meta = meta.replace(found[0], " ")
    if re.search(r"\bREQUIRED\b", meta):
        item.required, meta = True, re.sub(r"\bREQUIRED\b", "", meta)
    if re.search(r"\.\.\.|\bx \d+", meta):
        item.many, meta = True, re.sub(r"\.\.\.|\bx \d+", "", meta)
    kind = re.match(r"\s*(TEXT|INT|UINT|FLOAT)(.*)$", meta)
    if kind:
        item.type, rest = kind[1], kind[2]
        limits = re.search(r":(?:INT|UINT|FLOAT) in (\[[^\]]*\])", rest)
        named = re.match(r":([A-Z]+)\b(?! in)", rest)
        if named:
            item.range, rest = named[1].lower(), rest.replace(named[0], "", 1)
        choices = re.search(r":\{([^}]*)\}", rest)
        if limits:
            item.range, rest = limits[1], rest.replace(limits[0], "")
        if choices:
            item.choices, rest = choices[1].split(","), rest.replace(choices[0], "")
        if rest.strip().startswith("="):
            item.default, rest = rest.strip()[1:].strip(), ""
        meta = rest
    if meta.strip():
        raise ValueError(f"not understood: {left!r} (left over: {meta!r})")
    return item


def sections(text):
    """Heading and its lines; what stands before the first and behind the last under '' and
    'footer'."""
    found, name, known = {"": [], "footer": []}, "", ("Positionals", "Options", "Subcommands")
    for line in text.splitlines():
        if line.rstrip(":") in known and line.endswith(":"):
            name = line[:-1]
            found[name] = []
        elif line and not line.startswith(" ") and name in known:
            name = "footer"
            found[name] = [line]
        else:
            found[name].append(line)
    return found


def whole(line):
    """Whether all of a line is names and type, without words."""
    try:
        item_of(line, "")
    except ValueError:
        return False
    return True


def entries(lines):
    """Left part and words of each entry. A left part wider than its column has its words on the
    next line."""
    found = []
    for at, line in enumerate(lines):
        if not line.strip():
            continue
        wide = at + 1 < len(lines) and lines[at + 1].startswith(" " * COLUMN) and whole(line)
        if line.startswith(" " * COLUMN) and found:
            found[-1][1] = (found[-1][1] + " " + line.strip()).strip()
        elif len(line) > COLUMN and line[COLUMN - 1] == " " and not wide:
            found.append([line[:COLUMN].rstrip(), line[COLUMN:].strip()])
        else:
            found.append([line.rstrip(), ""])
    return found


def read(program, path=()):
    """The command at `path` and all below it."""
    done = subprocess.run([program, *path, "--help"], capture_output=True, text=True, timeout=60,
                          check=True)
    parts = sections(done.stdout)
    command = Command(list(path), footer="\n".join(parts["footer"]).strip())
    command.summary = "\n".join(line for line in parts[""] if not line.startswith("Usage:")).strip()
    command.positionals = [item_of(*entry) for entry in entries(parts.get("Positionals", []))]
    command.options = [item_of(*entry) for entry in entries(parts.get("Options", []))]
    for left, words in entries(parts.get("Subcommands", [])):
        child = read(program, (*path, left.strip()))
        assert words == child.summary.splitlines()[0] or words, left
        command.commands.append(child)
    return command


def version(program):
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60,
                          check=True)
    return done.stdout.split()[-1]


def name_of(program):
    return os.path.basename(program)
