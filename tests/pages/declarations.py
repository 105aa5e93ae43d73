"""What a public header declares, and which declarations say nothing of themselves.

A type, function, constant or alias of a namespace has a `///` comment above it, or stands in a row
without a blank line below one that has. The first type of a header may leave its comment to the
header's own (`/// \\file`): that one is about it. What is declared for later, taken over from
elsewhere (`using a::b;`) or defined behind its class needs none, nor does an operator.

A public data member that is a number says what it counts, in which unit or range: by a comment
above it or behind it (`///<`), by standing in a row below one that has, by the last word of its
name (`size_bytes`), or by a name that means one thing in the whole house (`seq`).
"""
import re

TYPE = re.compile(r"^(?:class|struct|union|enum class|enum|concept)(?: \[\[[^\]]*\]\])* (\w+)")
SILENT = re.compile(r"\bnamespace\b|^static_assert|\boperator\b|^extern\b|^using [\w:]+;"
                    r"|^(?:class|struct|enum class|enum) \w+(?:\s*:\s*[\w:]+)?;|^[^(=]*\w::~?\w+\(")
NAME = re.compile(r"(\w+)\s*(?:\(|=|\{|;)")
TEMPLATE = re.compile(r"^template <(?:[^<>]|<[^<>]*>)*>\s*")
# Comments, raw strings, strings, characters (not the marks that part the digits of a number).
DATA = re.compile(r'///[^\n]*|//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:[^"\\\n]|\\.)*"|'
                  r"(?<!\w)'(?:[^'\\]|\\.)+'", re.S)


def blanked(text):
    """The text without what comments, strings and characters hold; `///` stays."""
    def blank(found):
        word = found[0]
        return word if word.startswith("///") else re.sub(r"[^\n]", " ", word)
    return DATA.sub(blank, text)


def statements(text):
    """Of each statement of a namespace: its first line, text, comment above, blank line above."""
    around, held, begin, comment, gap, parens = ["namespace"], "", 0, False, True, 0
    for number, line in enumerate(blanked(text).split("\n"), 1):
        plain = line.strip()
        if not held and (not plain or plain.startswith(("///", "#"))):
            comment, gap = comment and not gap or plain.startswith("///"), not plain
            comment = comment and bool(plain)
            continue
        for sign in line.split("///")[0] + "\n":
            if not held and sign.isspace():
                continue
            begin, held = (begin, held + sign) if held else (number, sign)
            parens += (sign == "(") - (sign == ")")
            if sign not in "{};" or parens:
                continue
            if sign == "}":
                around.pop()
            elif around[-1] == "namespace" and held != ";":
                yield begin, held, comment, gap
            if sign == "{":
                inside = around[-1] == "namespace" and re.search(r'\bnamespace\b|extern\s*$', held)
                around.append("namespace" if inside else "body")
            if sign != ";" or held != ";":
                comment, gap = False, False
            held = ""


def bare(text):
    """Line and name of each declaration that says nothing of itself."""
    told, first = False, r"/// \file" in text
    for line, statement, comment, gap in statements(text):
        told = comment or (told and not gap)
        plain = TEMPLATE.sub("", statement)
        if SILENT.search(plain):
            continue
        found = TYPE.match(plain)
        if not told and not (found and first):
            yield line, (found or NAME.search(plain))[1]
        first = first and not found


OWNER = re.compile(r"(class|struct|union)\b[^;=()]*$", re.S)
NUMBER = re.compile(r"(?:mutable )?(?:std::optional<)?(?:std::)?(?:u?int(?:8|16|32|64)_t|size_t|"
                    r"int|unsigned|double|float|long double)>? (\w+(?:, \w+)*)\s*(?:=.*|\{.*)?;")
UNIT = re.compile(r"_(?:[num]?s|seconds|bytes|bits|samples|cards|count|log2|millibits|ppm|permille|"
                  r"hz|words|windows|min|max)$|_per_\w+$")
# Where these stand, they count the same: a record's number in the log, a place from 0, the starts
# of an appliance, a TCP port, a status of HTTP.
ONE_MEANING = {"seq", "index", "boot", "port", "status"}


def bare_numbers(text):
    """Line and name of each public data member that is a number and does not say of what."""
    around, head, told, above, gap = [], "", False, False, True
    for line, whole in enumerate(blanked(text).split("\n"), 1):
        code = whole.split("///")[0].strip()
        if not code:
            above, gap = whole.strip().startswith("///"), gap or not whole.strip()
            continue
        access = re.fullmatch(r"(public|private|protected)\s*:", code)
        if access:
            around[-1], above, gap = access[1] == "public", False, True
            continue
        if around and around[-1] is True and all(one in (True, None) for one in around):
            told = above or "///<" in whole or (told and not gap)
            found = NUMBER.fullmatch(code)
            names = found[1].split(", ") if found and not told else []
            if not all(UNIT.search(name) or name in ONE_MEANING for name in names):
                yield line, found[1]
        above, gap = False, False
        for sign in code + " ":
            head = head + sign if sign not in "{};" else head
            if sign == "{":  # None: a namespace; True or False: a type, now public or not
                owner = OWNER.match(TEMPLATE.sub("", head.strip()))
                around.append(None if "namespace" in head else owner[1] != "class" if owner else "")
                told, gap = told and not owner, gap or bool(owner)
            elif sign == "}":
                around.pop()
            head = head if sign not in "{};" else ""


# Number ranges of errors (base/result.hpp) by the folder a header lies in: the first that fits.
ERROR_RANGES = {"entropy/base/": [(1, 99)], "entropy/": [(100, 199)], "shuffle/": [(200, 299)],
                "games/": [(300, 499)], "certs/": [(500, 699), (900, 999)], "rngd/": [(700, 899)]}


def error_number_faults(headers):
    """`headers`: text by path. A number of two errors, or of another module's range."""
    given = {}
    for path, text in sorted(headers.items()):
        ranges = next((ends for folder, ends in ERROR_RANGES.items()
                       if path.startswith(folder)), [])
        right = " or ".join(f"{first} to {last}" for first, last in ranges)
        enums = re.findall(r"enum class (\w*Errc) : std::uint16_t \{(.*?)\};", text, re.S)
        for name, body in enums:
            for code, number in re.findall(r"(\w+)\s*=\s*(\d+)", body):
                one = f"{path}: {name}::{code} = {number}"
                if not any(first <= int(number) <= last for first, last in ranges):
                    yield f"{one}: {right} is right here"
                if number in given:
                    yield f"{one}: {given[number]} has it"
                given[number] = one
