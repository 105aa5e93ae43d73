"""JSON Schema draft-07 as CycloneDX uses it, schemas that refer to each other by file name
included; an unknown keyword is an error.

faults(schemas, name, value) gives what does not fit; `schemas`: file name, document.
"""
import re

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool,
         "number": (int, float)}
ABOUT = {"$schema", "$id", "$comment", "title", "description", "default", "examples", "definitions",
         "meta:enum", "deprecated"}
FORMATS = {"date-time": r"^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$",
           "uri": r"^[A-Za-z][A-Za-z0-9+.-]*:", "iri-reference": r"^[^\s<>\"{}|\\^`]*$",
           "idn-email": r"^[^@\s]+@[^@\s]+$"}


class Checker:
    def __init__(self, schemas):
        self.schemas = schemas

    def resolve(self, schema, document):
        while "$ref" in schema:
            name, _, pointer = schema["$ref"].partition("#")
            document = self.schemas[name.rsplit("/", 1)[-1]] if name else document
            schema = document
            for part in pointer.split("/")[1:]:
                schema = schema[part]
        return schema, document

    def fits(self, schema, document, value):
        return not list(self.faults(schema, document, value, "$"))

    def faults(self, schema, document, value, where):
        if isinstance(schema, bool):
            if not schema:
                yield f"{where}: nothing is allowed"
            return
        schema, document = self.resolve(schema, document)
        for word in schema.keys() - ABOUT:
            rule = getattr(self, "rule_" + word.lower(), None)
            assert rule, f"{where}: this checker does not know {word}"
            yield from rule(schema[word], schema, document, value, where)

    def rule_type(self, names, _, __, value, where):
        for name in names if isinstance(names, list) else [names]:
            if isinstance(value, TYPES[name]) and (name == "boolean") == isinstance(value, bool):
                return
        yield f"{where}: {names} is expected"

    def rule_const(self, wanted, _, __, value, where):
        if value != wanted:
            yield f"{where}: {wanted!r} is expected"

    def rule_enum(self, wanted, _, __, value, where):
        if value not in wanted:
            yield f"{where}: {value!r} is none of those listed"

    def rule_pattern(self, pattern, _, __, value, where):
        if isinstance(value, str) and not re.search(pattern, value):
            yield f"{where}: {value!r} does not match {pattern}"

    def rule_format(self, name, _, __, value, where):
        if isinstance(value, str) and not re.search(FORMATS[name], value):
            yield f"{where}: {value!r} is no {name}"

    def rule_minimum(self, least, _, __, value, where):
        if isinstance(value, (int, float)) and value < least:
            yield f"{where}: less than {least}"

    def rule_maximum(self, most, _, __, value, where):
        if isinstance(value, (int, float)) and value > most:
            yield f"{where}: more than {most}"

    def rule_minlength(self, least, _, __, value, where):
        if isinstance(value, str) and len(value) < least:
            yield f"{where}: shorter than {least}"

    def rule_maxlength(self, most, _, __, value, where):
        if isinstance(value, str) and len(value) > most:
            yield f"{where}: longer than {most}"

    def rule_minitems(self, least, _, __, value, where):
        if isinstance(value, list) and len(value) < least:
            yield f"{where}: fewer than {least}"

    def rule_maxitems(self, most, _, __, value, where):
        if isinstance(value, list) and len(value) > most:
            yield f"{where}: more than {most}"

    def rule_uniqueitems(self, asked, _, __, value, where):
        if asked and isinstance(value, list) and any(
                one == other for i, one in enumerate(value) for other in value[:i]):
            yield f"{where}: something is there twice"

    def rule_required(self, names, _, __, value, where):
        if isinstance(value, dict):
            for name in names:
                if name not in value:
                    yield f"{where}: {name} is missing"

    def rule_properties(self, properties, _, document, value, where):
        if isinstance(value, dict):
            for name in value.keys() & properties.keys():
                yield from self.faults(properties[name], document, value[name], f"{where}.{name}")

    def rule_additionalproperties(self, more, schema, document, value, where):
        if isinstance(value, dict):
            for name in value.keys() - schema.get("properties", {}).keys():
                yield from self.faults(more, document, value[name], f"{where}.{name}")

    def rule_items(self, items, _, document, value, where):
        if isinstance(value, list):
            for at, one in enumerate(value):
                if not isinstance(items, list):
                    yield from self.faults(items, document, one, f"{where}[{at}]")
                elif at < len(items):
                    yield from self.faults(items[at], document, one, f"{where}[{at}]")

    def rule_additionalitems(self, more, schema, document, value, where):
        items = schema.get("items")
        if isinstance(value, list) and isinstance(items, list):
            for at in range(len(items), len(value)):
                yield from self.faults(more, document, value[at], f"{where}[{at}]")

    def rule_allof(self, forms, _, document, value, where):
        for form in forms:
            yield from self.faults(form, document, value, where)

    def rule_anyof(self, forms, _, document, value, where):
        if not any(self.fits(form, document, value) for form in forms):
            yield f"{where}: none of the forms fits"

    def rule_oneof(self, forms, _, document, value, where):
        count = sum(self.fits(form, document, value) for form in forms)
        if count != 1:
            yield f"{where}: {count} forms fit, not one"

    def rule_if(self, condition, schema, document, value, where):
        if "then" in schema and self.fits(condition, document, value):
            yield from self.faults(schema["then"], document, value, where)

    def rule_then(self, *_):
        return ()


def faults(schemas, name, value):
    return list(Checker(schemas).faults(schemas[name], schemas[name], value, "$"))
