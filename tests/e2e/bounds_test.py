#!/usr/bin/env python3
# Goal: rngd/openapi.json and the server draw every line in the same place: what an example shows is
#   understood, and what is just beyond a bound, a list of words or a set of members is refused as
#   malformed, with the name of the member.
# Method: the example of every request, and then each of its values once below, once above, once of
#   another kind, left out or unknown, as its schema forbids it; the same for every query. Objects
#   that are not there are named, for a request is judged before its object is looked for. Where a
#   value may have one of several forms, which member is named depends on the form that is meant:
#   there the refusal alone is asked for.
#   usage: bounds_test.py FOLDER_OF_PROGRAMS
import copy
import json
import re
import urllib.parse

from facts import main, new_key
from openapi_test import API, OPERATIONS
from schema import check, resolve

CLIENTS = {"table": "talla:table-1", "auditor": "talla:auditor-1", "operator": "talla:operator-1",
           "security-officer": "talla:officer-1", "inspector": "talla:inspector-1",
           "shuffler": "talla:shuffler-1", "lab": "talla:lab-1", "seat": "talla:seat-1"}
CHANGES_THE_APPLIANCE = {"latchGenerator", "testGenerator"}  # by an example as it stands


def client_for(appliance, operation):
    return appliance.client(CLIENTS[operation["x-talla-roles"][0]])


def target_of(path):
    return re.sub(r"{(\w+)}", lambda name: {"position": "1", "seq": "999999", "key": "none",
                                            "catalogue": "es-1977", "game": "craps"}.get(
                                                name[1], f"{name[1]}-999999"), path)


def fits(schema, value):
    try:
        check(API, schema, value)
        return True
    except AssertionError:
        return False


def forms(schema):
    schema = resolve(API, schema)
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return [form for one in schema[word] for form in forms(one)]
    return [schema]


def beyond(schema):
    """Values that the schema forbids, each just so."""
    schema = resolve(API, schema)
    if "minimum" in schema:
        yield schema["minimum"] - 1
    if "maximum" in schema and schema["maximum"] < 9007199254740991:
        yield schema["maximum"] + 1
    if schema.get("type") == "integer":
        yield from ("one", True, [1], None)
    if schema.get("type") == "string":
        yield from (7, {}, None)
        if "minLength" in schema and schema["minLength"] > 0:
            yield "a" * (schema["minLength"] - 1)
        if schema.get("maxLength", 1 << 20) < 1 << 16:
            yield "a" * (schema["maxLength"] + 1)
        if "pattern" in schema:
            yield "no such form!"
    if "enum" in schema:
        yield "no-such-word"
    if schema.get("type") == "boolean":
        yield from (0, "true")
    if schema.get("type") == "object":
        yield from ([], "x", 1)
    if schema.get("type") == "array":
        yield from ({}, "x")


def changed(schema, value, path=(), sure=True):
    """(where, another value there, whether the member must be named) for each change of one."""
    all_forms = forms(schema)
    sure = sure and len(all_forms) == 1
    for form in all_forms:
        for other in beyond(form):
            yield path, lambda _, other=other: other, sure and other is not None
        if not isinstance(value, dict) or "properties" not in form:
            continue
        if form.get("additionalProperties", True) is False:
            yield path + ("no_such_member",), None, sure
        for name, member in form["properties"].items():
            if name in form.get("required", []) and name in value:
                yield path + (name,), "left out", sure
            if name in value:
                yield from changed(member, value[name], path + (name,), sure)
    if isinstance(value, list) and value:
        for form in forms(schema):
            if "items" in form:
                yield from changed(form["items"], value[0], path + (0,), sure)


def with_change(body, path, how):
    """The body with that change; nothing where the path is the body itself."""
    whole = copy.deepcopy(body)
    if not path:
        return how(whole) if callable(how) else None
    at = whole
    for name in path[:-1]:
        at = at[name]
    if how is None:
        at[path[-1]] = 1
    elif how == "left out":
        del at[path[-1]]
    else:
        at[path[-1]] = how(None)
    return whole


def send(appliance, operation_id, body=None, query=""):
    method, path, operation = OPERATIONS[operation_id]
    client = client_for(appliance, operation)
    got, text = client.send(method, target_of(path) + query, body if method == "POST" else None,
                            key=new_key() if operation["x-talla-record"] else None)
    client.close()
    return got, text.decode(errors="replace")


def posts():
    for name, (method, _, operation) in OPERATIONS.items():
        if method == "POST":
            media = operation["requestBody"]["content"]["application/json"]
            yield name, media["schema"], media.get("example", {})


def every_example_is_understood(appliance):
    asked = 0
    for name, schema, example in posts():
        assert fits(schema, example), (name, example)
        if name in CHANGES_THE_APPLIANCE:
            continue
        got, text = send(appliance, name, example)
        malformed = got == 400 or '"code":"malformed' in text
        assert not malformed and got < 500, f"{name}: {got} {text}"
        asked += 1
    assert asked > 20, asked


def every_bound_of_a_body_is_the_servers(appliance):
    sent, named, faults = 0, 0, []
    for name, schema, example in posts():
        for path, how, sure in changed(schema, example):
            body = with_change(example, path, how)
            if body is None or fits(schema, body):
                continue
            got, text = send(appliance, name, body)
            sent += 1
            if got != 400:
                faults.append(f"{name} {path} {json.dumps(body)[:200]}: {got} {text[:200]}")
            elif sure and path and isinstance(path[-1], str):
                named += 1
                if path[-1] not in text:
                    faults.append(f"{name} {path} is not named: {text[:300]}")
    print(f"{sent} bodies beyond a bound, the member named in {named}")
    assert not faults, f"{len(faults)} of {sent}:\n" + "\n".join(faults[:40])
    assert sent > 300 and named > 200, (sent, named)


def every_bound_of_a_query_is_the_servers(appliance):
    sent, faults = 0, []
    for name, (method, _, operation) in OPERATIONS.items():
        known = [one for one in operation.get("parameters", []) if one.get("in") == "query"]
        wrong = [f"no_such={1}"]
        for one in known:
            schema = resolve(API, one["schema"])
            for other in beyond(schema):
                text = other if isinstance(other, str) else json.dumps(other)
                as_number = int(text) if re.fullmatch(r"-?(0|[1-9]\d*)", text) else None
                if fits(schema, text) or (as_number is not None and fits(schema, as_number)):
                    continue
                wrong.append(f"{one['name']}={urllib.parse.quote(text, safe='')}")
            if one.get("required"):
                wrong.append("")
        for query in wrong:
            if method == "POST":
                media = operation["requestBody"]["content"]["application/json"]
                got, text = send(appliance, name, media.get("example", {}), "?" + query)
            else:
                got, text = send(appliance, name, None, "?" + query if query else "")
            sent += 1
            if got != 400 or (query and query.split("=")[0] not in text):
                faults.append(f"{name}?{query}: {got} {text[:200]}")
    print(f"{sent} queries beyond a bound")
    assert not faults, f"{len(faults)} of {sent}:\n" + "\n".join(faults[:40])
    assert sent > 80, sent


def everybody(appliance):
    for role in ("shuffler", "lab", "seat"):
        appliance.talla("keys", "client", appliance.folder, CLIENTS[role], "--role", role,
                        check=True)


if __name__ == "__main__":
    main([every_example_is_understood, every_bound_of_a_body_is_the_servers,
          every_bound_of_a_query_is_the_servers], before=everybody)
