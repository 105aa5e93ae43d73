"""The reference page of the HTTP interface, from the document that `rngd --openapi` prints.

The rows of operations own what is said here (rngd/appliance/core/src/operations.hpp); this module
only sets it: routes by heading, one section an operation, the types that bodies share behind them.
"""
import json
import re
import textwrap

WIDTH = 100
LARGEST = 9007199254740991  # of JSON: no bound of ours
INTRODUCTION = (
    "Every request of the API, written by `rngd/packaging/pages` from what requests are checked by "
    "(`rngd --openapi`; a test compares). [openapi.json](../openapi.json) says the same to "
    "programs, with an example of each; [api.md](api.md) has the way of the work, "
    "[access.md](access.md) who may do what and when.")
NOTATION = (
    "`{a, b?}` is an object whose member `b` may be left out, `[T]` a list, `\"x\" | \"y\"` one of "
    "these, `0..8` an integer within these bounds (`1..` has none above but that of JSON), "
    "`text 1..64` a text of so many characters, `hex 32` so many bytes in lower-case hex, `shoe-N` "
    "an id. A name in capitals is one of the [types](#types).")
REFUSALS = (
    "A refusal is a [Problem](#problem) (RFC 9457). What follows from the row itself is refused "
    "everywhere alike: another method `method_not_allowed`; a certificate without one of the roles "
    "`forbidden`; an unknown or wrong member or query name `malformed_request`; an object of the "
    "path that is not there, or not this client's, `not_found`; beyond the client's rate "
    "`too_many_requests`, with a full queue `too_busy`. A request that makes a record (\"key\") "
    "without `Idempotency-Key` is `key_missing`, with one that cannot be `key_malformed`, with one "
    "of another request `key_reused`; the same request with the same key gets the same bytes for "
    "ever. The [table](#refusals) has every code of the appliance; the rules of games refuse bets "
    "and acts with codes of their own (422).")


def wrapped(text, indent=""):
    return "\n".join(textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False,
                                   initial_indent=indent, subsequent_indent=indent))


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def anchor(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def bounds(least, most):
    return f"{least}..{'' if most is None or most >= LARGEST else most}"


def pattern_words(pattern):
    """The patterns that the schemas are built of (rngd/appliance/core/src/schema.cpp)."""
    digits = re.fullmatch(r"\^\[0-9a-f\]\{(\d+)\}\$", pattern)
    if digits:
        return f"hex {int(digits[1]) // 2}"
    pairs = re.fullmatch(r"\^\(\[0-9a-f\]\{2\}\)\{(\d+),(\d+)\}\$", pattern)
    if pairs:
        return f"hex {pairs[1]}..{pairs[2]}"
    identity = re.fullmatch(r"\^([a-z]+)-\(0\|\[1-9\]\[0-9\]\*\)\$", pattern)
    return f"{identity[1]}-N" if identity else f"text {pattern}"


def text_words(schema):
    if "pattern" in schema:
        return pattern_words(schema["pattern"])
    if "contentEncoding" in schema:
        return schema["contentEncoding"]
    if "minLength" in schema or "maxLength" in schema:
        return f"text {bounds(schema.get('minLength', 0), schema.get('maxLength'))}"
    return "text"


def form(schema):
    """One schema in the page's notation."""
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    if "oneOf" in schema:
        return " | ".join(dict.fromkeys(form(one) for one in schema["oneOf"]))
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(one) for one in schema["enum"])
    kind = schema.get("type")
    if kind == "object":
        members = schema.get("properties", {})
        needed = schema.get("required", [])
        names = [f"{name}{'' if name in needed else '?'}: {form(one)}"
                 for name, one in sorted(members.items(),
                                         key=lambda item: item[0] not in needed)]
        further = schema.get("additionalProperties", True)
        if isinstance(further, dict):
            names.append(f"*: {form(further)}")
        elif further:
            names.append("...")
        return "{" + ", ".join(names) + "}"
    if kind == "array":
        inner = form(schema.get("items", {}))
        counted = "minItems" in schema or "maxItems" in schema
        many = f" {bounds(schema.get('minItems', 0), schema.get('maxItems'))}" if counted else ""
        return f"[{inner}]{many}"
    if kind == "integer":
        return bounds(schema.get("minimum", 0), schema.get("maximum"))
    if kind == "boolean":
        return "true | false"
    return text_words(schema) if kind == "string" else "any"


def described(schema, before=""):
    """(path of the member, its words) of all that have some, in the order of the text."""
    for one in schema.get("oneOf", []):
        yield from described(one, before)
    for name, one in schema.get("properties", {}).items():
        path = f"{before}{name}"
        said = one.get("description", "")
        if "default" in one:
            said += ("; " if said else "") + f"default {json.dumps(one['default'])}"
        if said:
            yield path, said
        yield from described(one, path + ".")
    if "items" in schema:
        yield from described(schema["items"], before[:-1] + "[]." if before else "[].")


def code(text):
    """An indented block that breaks between members."""
    lines = textwrap.wrap(text, WIDTH - 4, break_long_words=False, break_on_hyphens=False,
                          subsequent_indent="  ")
    return "\n".join(f"    {line}" for line in lines)


def words_of_members(schema):
    seen = {}
    for path, said in described(schema):
        seen.setdefault(path, said)
    if not seen:
        return ""
    rows = "".join(f"| `{path}` | {cell(said)} |\n" for path, said in seen.items())
    return f"| member | what it is |\n|---|---|\n{rows}\n"


def content_of(holder):
    return next(iter(holder["content"].items()))


def answer(response):
    kind, held = content_of(response)
    schema = held["schema"]
    name = form(schema)
    if "$ref" in schema:
        name = f"[{name}](#{anchor(name)})"
        return name if kind == "application/json" else f"{name} as `{kind}`"
    return f"`{name}`" if kind == "application/json" else f"`{kind}`"


def parameters_of(operation, components):
    for one in operation.get("parameters", []):
        name = one.get("$ref", "").rpartition("/")[2]
        yield components["parameters"][name] if name else one


def route(path, method):
    return f"{method.upper()} {path}"


def section(path, method, operation, components):
    text = f"### {route(path, method)}\n\n{wrapped(operation['description'])}\n\n"
    extra = [one for one in parameters_of(operation, components)
             if one["in"] == "query" or one["name"] == "Last-Event-ID"]
    if extra:
        rows = "".join(
            f"| `{one['name']}`{'' if one['required'] else '?'} | `{cell(form(one['schema']))}` | "
            + cell(one.get("description") or one["schema"].get("description", "")) + " |\n"
            for one in extra)
        text += f"| query or header | type | what it is |\n|---|---|---|\n{rows}\n"
    if "requestBody" in operation:
        schema = content_of(operation["requestBody"])[1]["schema"]
        if "$ref" in schema:
            text += f"Body: [{form(schema)}](#{anchor(form(schema))}).\n\n"
        elif schema.get("properties") or "oneOf" in schema:
            text += f"{code(form(schema))}\n\n{words_of_members(schema)}"
        else:
            text += "Body: `{}`.\n\n"
    replies = [(status, one) for status, one in operation["responses"].items()
               if status != "default"]
    answers = "; ".join(f"{status} {answer(one)}" for status, one in replies)
    return text + wrapped(f"Answer: {answers}.") + "\n\n"


def route_rows(operations):
    rows = "".join(
        f"| [`{route(path, method)}`](#{anchor(route(path, method))}) | "
        f"{', '.join(one['x-talla-roles']) or 'any'} | {'key' if one['x-talla-record'] else ''} | "
        f"{cell(one['summary'])} |\n" for path, method, one in operations)
    return f"| request | roles | | what it does |\n|---|---|---|---|\n{rows}\n"


def type_section(name, schema):
    text = f"### {name}\n\n"
    if schema.get("description"):
        text += wrapped(schema["description"][0].upper() + schema["description"][1:] + ".") + "\n\n"
    return text + f"{code(form(schema))}\n\n{words_of_members(schema)}"


def problem_rows(problems):
    def again(one):
        return one["retry"] + (f", {one['retry_after']} s" if "retry_after" in one else "")
    rows = "".join(f"| `{one['code']}` | {one['status']} | {again(one)} | {cell(one['title'])} |\n"
                   for one in problems)
    return f"| code | status | retry | what it says |\n|---|---|---|---|\n{rows}"


def page(document):
    components = document["components"]
    operations = [(path, method, one) for path, methods in document["paths"].items()
                  for method, one in methods.items()]
    text = "# The HTTP interface\n\n" + wrapped(INTRODUCTION) + "\n\n"
    tags = [(tag["name"], tag["description"]) for tag in document["tags"]]
    text += "".join(f"- [{name}](#requests-{anchor(name)})\n" for name, _ in tags)
    text += "- [types](#types)\n- [refusals](#refusals)\n\n"
    text += f"{wrapped(NOTATION)}\n\n{wrapped(REFUSALS)}\n\n"
    for name, words in tags:
        mine = [one for one in operations if name in one[2]["tags"]]
        text += f"## Requests: {name}\n\n{wrapped(words + '.')}\n\n{route_rows(mine)}"
        text += "".join(section(path, method, one, components) for path, method, one in mine)
    text += "## Types\n\n"
    text += "".join(type_section(name, one) for name, one in sorted(components["schemas"].items()))
    text += f"## Refusals\n\n{problem_rows(document['x-talla-problems'])}"
    return text.rstrip("\n") + "\n"
