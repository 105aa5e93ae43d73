"""The part of JSON Schema (draft 2020-12) that rngd/openapi.json and `talla settle --schema` use,
and no more: an unknown keyword is an error.

check(document, schema, value) raises AssertionError with the path of what does not fit.
"""
import re

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
ABOUT = {"description", "title", "default", "example", "contentEncoding", "$schema", "$defs"}
KNOWN = ABOUT | {"$ref", "type", "properties", "required", "additionalProperties", "items", "enum",
                 "const", "oneOf", "anyOf", "pattern", "minProperties", "maxProperties",
                 "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"}


def resolve(document, schema):
    while "$ref" in schema:
        assert schema["$ref"].startswith("#/"), schema
        found = document
        for part in schema["$ref"][2:].split("/"):
            found = found[part]
        schema = found
    return schema


def is_type(name, value):
    return isinstance(value, TYPES[name]) and (name != "integer" or not isinstance(value, bool))


def check(document, schema, value, where="$"):
    schema = resolve(document, schema)
    unknown = set(schema) - KNOWN
    assert not unknown, f"{where}: this checker does not know {unknown}"
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        assert any(is_type(name, value) for name in names), (
            f"{where}: {names} is expected, not {value!r}")
    if "const" in schema:
        assert type(value) is type(schema["const"]) and value == schema["const"], (
            f"{where}: {schema['const']!r} is expected, not {value!r}")
    if "enum" in schema:
        assert value in schema["enum"], (
            f"{where}: one of {schema['enum']} is expected, not {value!r}")
    for word in ("oneOf", "anyOf"):
        if word in schema:
            check_forms(document, word, schema[word], value, where)
    if isinstance(value, str):
        assert re.search(schema.get("pattern", ""), value), (
            f"{where}: {value!r} does not match {schema['pattern']}")
        assert schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 1 << 60), (
            f"{where}: length {len(value)}")
    if is_type("integer", value):
        assert schema.get("minimum", value) <= value <= schema.get("maximum", value), (
            f"{where}: {value} is out of range")
    if isinstance(value, list):
        assert schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 1 << 60), (
            f"{where}: {len(value)} items")
        for index, item in enumerate(value):
            check(document, schema.get("items", {}), item, f"{where}[{index}]")
    if isinstance(value, dict):
        check_members(document, schema, value, where)


def check_forms(document, word, schemas, value, where):
    reasons = []
    for one in schemas:
        try:
            check(document, one, value, where)
            reasons.append(None)
        except AssertionError as reason:
            reasons.append(str(reason))
    fits = reasons.count(None)
    assert fits == 1 or (fits > 1 and word == "anyOf"), f"{where}: {word} must fit: {reasons}"


def check_members(document, schema, value, where):
    missing = [name for name in schema.get("required", []) if name not in value]
    assert not missing, f"{where}: {missing} is missing in {sorted(value)}"
    assert schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", 1 << 60), (
        f"{where}: {len(value)} members")
    properties = schema.get("properties", {})
    more = schema.get("additionalProperties", True)
    for name, member in value.items():
        if name in properties:
            check(document, properties[name], member, f"{where}.{name}")
        elif more is False:
            raise AssertionError(f"{where}: {name} is not described")
        elif isinstance(more, dict):
            check(document, more, member, f"{where}.{name}")
