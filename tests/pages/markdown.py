"""A Markdown page as its checks need it: lines with what they are, links, anchors, code."""
import os
import re
from dataclasses import dataclass, field

LIST = re.compile(r"\s*([-*]|\d+\.) ")


@dataclass
class Line:
    number: int
    text: str
    kind: str  # text, code, table
    language: str = ""  # of a fenced block


@dataclass
class Page:
    path: str  # from the top of the source
    text: str
    lines: list = field(default_factory=list)

    def __post_init__(self):
        self.lines = list(classified(self.text))

    @property
    def folder(self):
        return os.path.dirname(self.path)

    def prose(self):
        """The page without code blocks, spans kept."""
        return "\n".join("" if line.kind == "code" else line.text for line in self.lines)

    def links(self):
        """Targets of links and pictures."""
        plain = re.sub(r"`[^`]*`", "", self.prose())
        found = re.findall(r"\]\(([^()\s]*(?:\([^()\s]*\))?[^()\s]*)(?:\s+\"[^\"]*\")?\)", plain)
        return found + re.findall(r"(?:src|srcset|href)=\"([^\"]+)\"", plain)

    def anchors(self):
        """Those of its headings, as the usual renderers make them."""
        seen, found = {}, set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", self.text))
        for line in self.lines:
            heading = re.match(r"#{1,6} +(.*?) *#*$", line.text) if line.kind == "text" else None
            if not heading:
                continue
            slug = slug_of(heading[1])
            count = seen.get(slug, 0)
            seen[slug] = count + 1
            found.add(f"{slug}-{count}" if count else slug)
        return found

    def spans(self):
        """Inline code with its line."""
        text = self.prose()
        for span in re.finditer(r"(`+)(.+?)\1", text, re.S):
            yield text.count("\n", 0, span.start()) + 1, re.sub(r"\s+", " ", span[2].strip())

    def code_lines(self):
        """Lines of code blocks, continuations joined."""
        held, number = "", 0
        for line in self.lines:
            if line.kind != "code" or line.language not in ("", "sh"):
                held = ""
                continue
            text = line.text.strip()
            number = number if held else line.number
            held += text.removesuffix("\\").strip() + " "
            if not text.endswith("\\"):
                yield number, held.strip()
                held = ""


def slug_of(heading):
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    plain = plain.replace("`", "").replace("*", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def classified(text):
    fence, language, inside_list, before = "", "", False, ""
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
            yield Line(number, line if fence else "", "code", language)
        elif mark:
            fence, language = mark[1], line.strip().strip("`~").strip()
            yield Line(number, "", "code")
        elif (line.startswith("    ") and not inside_list and
              (not before.strip() or before == "code")):
            yield Line(number, line, "code")
            before = "code"
            continue
        elif re.match(r"\s*\|", line):
            yield Line(number, line, "table")
        else:
            if line.strip():
                inside_list = bool(LIST.match(line)) or (inside_list and line.startswith(" "))
            yield Line(number, line, "text")
        before = line
