"""Command lines of a page against the programs: commands, options, values."""
import re
import shlex
import subprocess

PROGRAMS = ("talla", "talla-lab", "rngd", "rngd-source")
# What only reads what the program has inside: these are run as they stand.
HARMLESS = (("catalogue",), ("odds",), ("settle",))


def split(line):
    """The commands of a line, without comment, `$`, variables before and files beside them."""
    line = re.sub(r"(^|\s)#\s.*$", "", line).strip().removeprefix("$ ")
    lexer = shlex.shlex(line, posix=True, punctuation_chars=";&|<>")
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        words = list(lexer)
    except ValueError:  # a quotation mark that is none: prose
        words = line.split()
    parts, held = [], []
    for word in words:
        if re.fullmatch(r"[;&|]+", word):
            parts.append(held)
            held = []
        else:
            held.append(word)
    parts.append(held)
    for part in parts:
        while part and re.fullmatch(r"[A-Z_]+=.*", part[0]):
            part = part[1:]
        cut = [at for at, word in enumerate(part) if re.fullmatch(r"[<>]+", word)]
        part = part[:cut[0]] if cut else part
        if part:
            yield part


class Programs:
    """The command trees of the programs, read once from their --help."""

    def __init__(self, folder, helptext):
        self.folder = folder
        self.trees = {name: helptext.read(f"{folder}/{name}") for name in PROGRAMS}

    def fault(self, words, whole):
        """What is wrong with a command line. `whole`: it must have all that is required."""
        name = words[0].rsplit("/", 1)[-1]
        command, given, above, places = self.trees[name], set(), [], 0
        rest = list(words[1:])
        while rest:
            word = rest.pop(0).rstrip(",")
            if word.startswith("["):  # what may be left out
                word, rest = word[1:], [more.rstrip("]") for more in rest]
            if word in ("...", ""):
                whole = False
                continue
            if re.fullmatch(r"--?[A-Za-z][\w-]*(=.*)?", word):
                word, _, value = word.partition("=")
                item = option(word, command, above)
                if item is None:
                    return f"{' '.join([name, *command.path])} has no {word}"
                given.add(item.names[0])
                if item.type and not value:
                    wrong = take(item, rest, whole)
                    if wrong:
                        return wrong
                continue
            below = [child for child in command.commands if child.path[-1] == word]
            if below:
                above, command = [*above, command], below[0]
            elif command.commands and not command.positionals and not placeholder(word):
                return f"{' '.join([name, *command.path])} has no command {word}"
            elif placeholder(word) and command.commands:
                return None
            else:
                places += 1
        if places > len(command.positionals) and not any(item.many for item in command.positionals):
            return f"{' '.join([name, *command.path])}: more than it takes"
        return missing(name, command, given, places) if whole else None


def placeholder(word):
    return bool(re.fullmatch(r"[A-Z][A-Z_.:-]*", word))


def option(word, command, above):
    for level in (command, *above):
        for item in level.options:
            if word in item.names:
                return item
    return None


def take(item, rest, whole):
    """The value behind an option."""
    if not rest or re.match(r"--?[a-z]", rest[0]):
        return f"{item.names[0]} needs a value" if whole else None
    value = rest.pop(0).rstrip(",")
    if item.choices and value not in item.choices and not placeholder(value):
        return f"{item.names[0]}: {value} is none of {', '.join(item.choices)}"
    while item.many and rest and re.fullmatch(r"\d+", rest[0]):
        rest.pop(0)
    return None


def missing(name, command, given, places):
    title = " ".join([name, *command.path])
    if command.commands and not command.positionals and len(command.options) <= 1:
        return f"{title}: which of its commands?"
    for item in command.options:
        if item.required and item.names[0] not in given:
            return f"{title} needs {item.names[0]}"
    if places < sum(item.required for item in command.positionals):
        return f"{title} needs {command.positionals[places].names[0]}"
    return None


def harmless(words):
    path = tuple(word for word in words[1:3] if not word.startswith("-"))
    if any(placeholder(word) or word == "..." for word in words):
        return False
    return any(path[:len(known)] == known for known in HARMLESS) and ">" not in words


def run(programs, words, source):
    program = f"{programs}/{words[0].rsplit('/', 1)[-1]}"
    return subprocess.run([program, *words[1:]], cwd=source, capture_output=True, text=True,
                          timeout=120)
