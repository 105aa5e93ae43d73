#!/usr/bin/env python3
# Goal: no class has more than 40 members (fields and functions together): what has more does more
#   than one thing, and nobody reads it whole.
# Method: the text of every source is read class by class. A declaration with brackets is a
#   function, any other a field (or several); types, aliases and friends in a class do not count.
#   usage: members_most.py FOLDER_OF_THE_SOURCES
import pathlib
import re
import sys

MOST = 40

ACCESS = re.compile(r"^(\s*(public|private|protected)\s*:)+")
CLASS = re.compile(r"(?:^|[;{}>\s])(?:class|struct|union)\s+(?:\[\[[^\]]*\]\]\s*)?"
                   r"([\w:]+)\s*(?:final\s*)?(?::\s*[^;{()]*)?$", re.S)
TYPE = re.compile(r"(using|typedef|friend|static_assert|enum|(class|struct|union)\s+[\w:]+\s*$)")
BODY = re.compile(r"\)\s*(const|noexcept|override|final|&|mutable|->[^{;]*|\s)*$"
                  r"|\)\s*:\s*[^;]*$", re.S)


def plain(text):
    """Without comments, directives and what stands in quotes."""
    def blank(found):
        return " " if found[0][0] == "/" else '""'
    text = re.sub(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"'
                  r"|'(?:\\.|[^'\\\n])'", blank, text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)


def declared(text):
    """How many members one declaration brings."""
    text = re.sub(r"^template\s*<.*?>\s*(?=\w)", "", ACCESS.sub("", text).strip(), flags=re.S)
    if not text or TYPE.match(text):
        return 0
    if "(" in re.split(r"[={]", text, maxsplit=1)[0]:
        return 1
    depth, fields = 0, 1
    for char in text:
        depth += (char in "<({[") - (char in ">)}]")
        fields += char == "," and depth == 0
    return fields


def closing(text, opened):
    """The place behind the bracket that closes the one at `opened`."""
    depth, at = 1, opened + 1
    while depth and at < len(text):
        depth += (text[at] == "{") - (text[at] == "}")
        at += 1
    return at


def classes(text):
    """(name, members) of each class of one plain text."""
    frames = [[None, 0]]  # name of a class, or None for a namespace; members so far
    begin = at = brackets = 0
    while at < len(text):
        char = text[at]
        brackets += (char in "([") - (char in ")]")
        if char == "{" and brackets == 0:
            head = ACCESS.sub("", text[begin:at])
            named = CLASS.search(head)
            if named and not re.search(r"\benum\s+(class|struct)\s", head):
                frames.append([named[1], 0])
                begin = at + 1
            elif re.search(r"\bnamespace\b[\w:\s]*$|^\s*extern\s+\"\"\s*$", head):
                frames.append([None, 0])
                begin = at + 1
            else:
                end = closing(text, at)
                if BODY.search(head) and text[end:].lstrip()[:1] not in ("{", ",", ";"):
                    frames[-1][1] += 1
                    begin = end
                at = end
                continue
        elif char == "{":
            at = closing(text, at)
            continue
        elif char == "}" and brackets == 0 and len(frames) > 1:
            name, members = frames.pop()
            if name:
                outer = [one for one, _ in frames if one]
                yield "::".join(outer + [name]), members
                end = text.find(";", at)
                frames[-1][1] += bool(text[at + 1:end].strip())  # a field of this very type
                at = end
            begin = at + 1
        elif char == ";" and brackets == 0:
            frames[-1][1] += declared(text[begin:at])
            begin = at + 1
        at += 1


def main():
    # The measure itself: two functions, three fields, no type.
    known = plain("class A final : public B { public: A(); int f() const { return 1; } private:\n"
                  "  struct C { int d; }; using E = int; int g_ = 0, h_{1};\n"
                  "  std::map<int, C> i_; };")
    assert dict(classes(known)) == {"A::C": 1, "A": 5}, dict(classes(known))

    root = pathlib.Path(sys.argv[1])
    folders = ("entropy", "shuffle", "games", "certs", "stats", "rngd", "tests")
    sources = [path for folder in folders for path in sorted((root / folder).rglob("*.?pp"))]
    found = [(members, name, path.relative_to(root).as_posix()) for path in sources
             for name, members in classes(plain(path.read_text(encoding="utf-8")))]
    assert len(found) > 1000, f"only {len(found)} classes below {root}"
    faults = [f"{path}: {name} has {members} members, {MOST} at most"
              for members, name, path in found if members > MOST]
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(found)} classes, the largest of {max(found)[0]} members")


if __name__ == "__main__":
    main()
