"""The types of the HTTP interface for TypeScript, from the document that `rngd --openapi` prints:
one for each schema, and of each operation its body, query and reply."""
import json
import re
import textwrap

WIDTH = 100
HEAD = """// The HTTP interface of the appliance, as `rngd --openapi` describes it. Written by
// rngd/packaging/pages; a test compares. Bounds and patterns that TypeScript cannot say stand in
// openapi.json.
"""


def comment(words, indent):
    """A description as a doc comment; of one line where it fits."""
    if not words:
        return ""
    words = words.replace("*/", "* /")
    if len(indent) + len(words) + 7 <= WIDTH:
        return f"{indent}/** {words} */\n"
    lines = textwrap.wrap(words, WIDTH - len(indent) - 3, break_long_words=False,
                          break_on_hyphens=False)
    return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"


def name_of(reference):
    return reference.rsplit("/", 1)[1]


def identity(pattern):
    """Of `^table-(0|[1-9][0-9]*)$` the type of such an id; of other texts nothing more."""
    kind = (pattern or "").removeprefix("^").removesuffix("-(0|[1-9][0-9]*)$")
    return f"`{kind}-${{number}}`" if kind.isalpha() and kind != pattern else "string"


def listed(kinds, indent):
    """A union, over several lines where it is long."""
    line = " | ".join(kinds)
    if len(indent) + len(line) <= WIDTH - 20 and "\n" not in line:
        return line
    return "".join(f"\n{indent}  | {kind}" for kind in kinds)


def type_of(schema, indent=""):
    if "$ref" in schema:
        return name_of(schema["$ref"])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return listed([json.dumps(one) for one in schema["enum"]], indent)
    if "oneOf" in schema:
        return listed([type_of(one, indent + "  ") for one in schema["oneOf"]], indent)
    kind = schema.get("type")
    if kind == "array":
        item = type_of(schema["items"], indent)
        plain = item.isidentifier() or item.startswith("{")
        return f"{item}[]" if plain else f"Array<{item}>"
    if kind == "object":
        return object_type(schema, indent)
    if kind == "string":
        return identity(schema.get("pattern"))
    return {"integer": "number", "number": "number", "boolean": "boolean"}.get(kind, "unknown")


def object_type(schema, indent):
    members, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    if not members:
        of = type_of(more, indent) if isinstance(more, dict) else "unknown"
        return "Record<string, never>" if more is False else f"Record<string, {of}>"
    inner, text = indent + "  ", "{\n"
    for name, member in members.items():
        mark = "" if name in schema.get("required", []) else "?"
        text += comment(member.get("description"), inner)
        text += f"{inner}{name}{mark}: {type_of(member, inner)};\n"
    return text + indent + "}"


def content(part, indent):
    """Type of a body or reply: JSON, or bytes as a text."""
    kinds = part.get("content", {})
    if "application/json" not in kinds:
        return "string" if kinds else "never"
    return type_of(kinds["application/json"]["schema"], indent)


def operation(method, path, row):
    good = next(row["responses"][code] for code in row["responses"] if code.startswith("2"))
    query = {"properties": {one["name"]: one["schema"] | {"description": one.get("description", "")}
                            for one in row.get("parameters", []) if one.get("in") == "query"},
             "additionalProperties": False,
             "required": [one["name"] for one in row.get("parameters", [])
                          if one.get("in") == "query" and one.get("required")]}
    body = content(row["requestBody"], "    ") if "requestBody" in row else "never"
    text = comment(row["summary"], "  ") + f"  {row['operationId']}: {{\n"
    route = re.sub(r"\{\w+\}", "${string}", path)
    text += f"    method: \"{method.upper()}\";\n    path: `{route}`;\n"
    text += f"    query: {object_type(query, '    ')};\n"
    return text + f"    body: {body};\n    reply: {content(good, '    ')};\n  }};\n"


def module(document):
    text = HEAD
    for name, schema in document["components"]["schemas"].items():
        text += "\n" + comment(schema.get("description"), "")
        text += f"export type {name} = {type_of(schema).lstrip()};\n"
    text += "\n/** Each operation by its name. */\nexport interface Operations {\n"
    for path, methods in document["paths"].items():
        for method, row in methods.items():
            text += operation(method, path, row)
    text += "}\n\n/** What an operation answers. */\n"
    text += "export type Reply<Name extends keyof Operations> = Operations[Name]['reply'];\n"
    text += "/** What an operation takes. */\n"
    text += "export type Body<Name extends keyof Operations> = Operations[Name]['body'];\n"
    return re.sub(r" +$", "", text, flags=re.M)
