"""What a public header declares, and which declarations say nothing of themselves.

A type, function, constant or alias of a namespace has a `///` comment above it, or stands in a row
without a blank line below one that has. The first type of a header may leave its comment to the
header's own (`/// \\file`): that one is about it. What is declared for later, taken over from
elsewhere (`using a::b;`) or defined behind its class needs none, nor does an operator.
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
