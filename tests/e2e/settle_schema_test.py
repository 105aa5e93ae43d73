"""The schema that `talla settle --schema` prints says what `talla settle` reads.

Every scenario of the suite fits it. Of scenarios that are changed in one place, `talla settle`
calls malformed exactly those that the schema refuses; of a table it also judges the values
(currency, unit). usage: settle_schema_test.py FOLDER_OF_PROGRAMS
"""
import copy
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from facts import hold  # noqa: E402
from schema import check  # noqa: E402

TALLA = os.path.join(sys.argv[1], "talla")
SCENARIOS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scenarios")
TABLE = {"currency": "ESP", "unit": 1, "min": 25, "params": {}}
BET = {"id": "b1", "seat": 1, "kind": "pleno", "on": 7, "stake": 100}
GOOD = {"catalogue": "es-1977", "game": "french-roulette", "name": "n", "source": "01",
        "table": TABLE, "steps": [{"bet": BET}, {"close": True}, {"wheel": "7"}],
        "expect": [{"bet": "b1", "result": "win", "returned": 3600, "rule": "01 IV.1.A.a",
                    "kind": "pleno", "stake": 100, "seat": 1, "remainder": "0"}]}
STEPS = [{"bet": BET}, {"withdraw": {"bet": "b1", "amount": 25}}, {"close": True},
         {"act": {"seat": 1, "do": "half", "bet": "b1", "amount": 1, "cards": ["7H"], "to": "x"}},
         {"timeout": {"seat": 1}}, {"wheel": 7}, {"dice": [3, "4"]}, {"balls": [1]},
         {"lots": ["1"]}, {"shoe": "new"}, {"cards": ["7H", "Jk", "7o"]}, {"at": {"punto-1": "7H"}},
         {"stop_card_after": 3}, {"void": True}, {"misdeal": {"code": "c", "place": "p"}},
         {"session": "last"}]
OTHER = [None, True, False, 0, -1, 7, 1.5, "", "x", [], ["x"], {}, {"x": 1}]


def asked(*arguments, text=""):
    return subprocess.run([TALLA, *arguments], input=text, capture_output=True, text=True,
                          timeout=120, check=False)


def schema():
    return json.loads(asked("settle", "--schema").stdout)


def fits(document, value):
    try:
        check(document, document, value)
        return True
    except AssertionError:
        return False


MALFORMED = {"scenario_malformed", "table_invalid"}


def judged(scenarios):
    """For each: whether `talla settle` takes it as a scenario, whatever then becomes of it."""
    out = asked("--json", "settle", "-", text="\n".join(json.dumps(one)
                                                        for one in scenarios)).stdout
    lines = [json.loads(line) for line in out.splitlines()]
    ends = [line for line in lines if "passed" in line or "error" in line and "bet" not in line]
    assert len(ends) == len(scenarios), (len(ends), len(scenarios), ends[:3])
    return [code_of(line) not in MALFORMED for line in ends]


def code_of(line):
    error = line.get("error", "")
    return error["code"] if isinstance(error, dict) else error.split(":")[0]


def places(value, path=()):
    """Paths of all that lies inside."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], path + (key,))
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, path + (index,))


def at(value, path):
    for part in path:
        value = value[part]
    return value


def variants(good, below=()):
    """The good one with one thing taken out, added, or put in the place of another."""
    for path in places(good):
        if path[:len(below)] != below:
            continue
        if path:
            for new in OTHER:
                out = copy.deepcopy(good)
                at(out, path[:-1])[path[-1]] = new
                yield path, out
            out = copy.deepcopy(good)
            del at(out, path[:-1])[path[-1]]
            yield path, out
        if isinstance(at(good, path), dict):
            out = copy.deepcopy(good)
            at(out, path)["unheard-of"] = 1
            yield path, out


def every_scenario_of_the_suite_fits_the_schema():
    document = schema()
    count = 0
    for folder, _, names in os.walk(SCENARIOS):
        for name in sorted(names):
            if name.endswith((".jsonl", ".json")):
                with open(os.path.join(folder, name), encoding="utf-8") as lines:
                    for number, line in enumerate(lines, 1):
                        if not line.strip():
                            continue
                        scenario = json.loads(line)
                        count += 1
                        if scenario.get("expect_error") == "scenario_malformed":
                            continue  # wrong on purpose, in form or in sense
                        check(document, document, scenario, f"{name}:{number}")
    assert count > 300, count


def what_is_read_fits_the_schema_and_what_is_malformed_does_not():
    document = schema()
    assert fits(document, GOOD) and judged([GOOD]) == [True]
    cases = list(variants(GOOD))
    for step in STEPS:
        one = {**GOOD, "steps": [step], "expect": []}
        assert fits(document, one), step
        cases += variants(one, ("steps",))
    verdicts = judged([one for _, one in cases])
    wrong = [(path, one, verdict) for (path, one), verdict in zip(cases, verdicts)
             if verdict != fits(document, one) and (verdict or path[:1] != ("table",))]
    assert not wrong, f"{len(wrong)} of {len(cases)} differ, e.g. {wrong[:5]}"
    refused = verdicts.count(False)
    assert refused > 300 and verdicts.count(True) > 50, (refused, len(verdicts))


if __name__ == "__main__":
    sys.exit(1 if hold([every_scenario_of_the_suite_fits_the_schema,
                        what_is_read_fits_the_schema_and_what_is_malformed_does_not]) else 0)
