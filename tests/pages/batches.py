"""Names that two sources of a folder both keep to themselves.

Each is right where a source is compiled by itself; the build compiles them in batches, and which
ones meet in a batch differs between its kinds. A constant or a type of that name is then defined
twice, or as a function too. Functions may stand beside each other: most differ in what they take.
"""
import re

CONSTANT = re.compile(r"(?:constexpr|const|constinit|thread_local|static)\b[^(=]*?[\s&*>](\w+)"
                      r"(?:\[[^\]]*\])?\s*(?:=|\{|;)")
TYPE = re.compile(r"(?:struct|class|union|enum class|enum) (\w+)(?=[^;]*$)")
FUNCTION = re.compile(r"(?:\[\[nodiscard\]\] )?[A-Za-z][\w:<>,&* ]*?[\s&*>](\w+)\((?=.*[{,(]$|$)")
ALIAS = re.compile(r"using (\w+ = .*;)$")
USING = re.compile(r"using (?:\w+::)+(\w+);$")


def kept_names(text):
    """Of each name at the top of an unnamed namespace: line, enclosing namespace, name, and whether
    it is a function's."""
    around, inside = "", False
    for number, line in enumerate(text.splitlines(), 1):
        named = re.match(r"namespace ([\w:]+) \{", line)
        around = named[1] if named else around
        inside = (inside or line == "namespace {") and not re.match(r"\} *// namespace$", line)
        if not inside or line.startswith(" "):
            continue
        found = CONSTANT.match(line) or TYPE.match(line) or ALIAS.match(line)
        taken = USING.match(line)
        if taken:
            yield number, around, f"{taken[1]} = {line}", False
            continue
        function = None if found else FUNCTION.match(line)
        if found or function:
            yield number, around, (found or function)[1], bool(function)


def batch_faults(sources):
    """`sources`: text by path. Names that would be defined twice where two sources are one."""
    first = {}
    for path, text in sorted(sources.items()):
        folder = path.rpartition("/")[0]
        for line, around, name, function in kept_names(text):
            place, whole = f"{path}:{line}", name
            name = name.split(" ")[0]
            before = first.setdefault((folder, around, name), (path, whole, function))
            may_stand = before[2] and function or " = " in whole and before[1] == whole
            if before[0] != path and not may_stand:
                yield f"{place}: {name} is a name of {before[0]} too"
