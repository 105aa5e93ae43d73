#!/usr/bin/env python3
# Goal: the report of `talla-lab submit` draws what its files hold, has each game's mathematics
#   report and the role matrix of the appliance that is examined, and says of what the long tests
#   counted the figures or that they are open.
# Method: a run as in lab_run_test.py; every bar is counted again from the files in plain Python;
#   files of figures are given, left out and changed.
#   usage: lab_report_test.py FOLDER_OF_PROGRAMS
import collections
import itertools
import json
import subprocess
import sys
import tempfile

from facts import hold
from lab_run_test import PROGRAMS, Laboratory, canonical, load, store


def the_run_passes(lab):
    lab.submit()
    report = load(f"{lab.out}/report.json")
    summary = report["summary"]
    scenarios = [one["value"] for step in report["steps"] for one in step["figures"]
                 if one["what"] == "scenarios_passed"]
    with open(lab.scenarios, encoding="utf-8") as file:
        assert scenarios == [str(sum(bool(line.strip()) for line in file))], scenarios
    assert summary["passed"] == summary["steps"] and summary["evidence_open"] == 3, summary


def every_game_has_its_mathematics_report(lab):
    for game, bet in (("french-roulette", "1/37"), ("craps", "7/495")):
        folder = f"{lab.out}/rules/es-1977-{game}-sheet"
        for language in ("en", "es"):
            with open(f"{folder}/sheet-{language}.html", encoding="utf-8") as file:
                page = file.read()
            assert f'lang="{language}"' in page and bet in page, (game, language)
            with open(f"{folder}/sheet-{language}.pdf", "rb") as file:
                assert file.read(5) == b"%PDF-"


def plots_are_counted_from_the_files_of_the_steps(lab):
    plots = collections.defaultdict(list)
    for step in load(f"{lab.out}/report.json")["steps"]:
        for plot in step["plots"]:
            plots[step["step"], plot["what"]].append(plot)

    def bars(step, what, number=0):
        return {one["label"]: one["count"] for one in plots[step, what][number]["bars"]}
    with open(lab.raw, "rb") as file:
        raw = file.read()
    assert bars("device/raw", "samples") == {
        str(value): raw.count(bytes([value])) for value in range(max(raw) + 1)}
    runs = collections.Counter(min(16, len(list(run))) for _, run in itertools.groupby(raw))
    assert bars("device/raw", "runs") == {
        str(length) + "+" * (length == 16): runs[length] for length in range(1, 17)}
    for game, dice in (("french-roulette", 1), ("craps", 2)):
        step = f"mapping/es-1977-{game}"
        with open(f"{lab.out}/{step}/results.txt", encoding="ascii") as file:
            lines = [line.split() for line in file if not line.startswith("#")]
        counted = [[line[die] for line in lines] for die in range(dice)]
        if dice > 1:
            counted.append([str(sum(map(int, line))) for line in lines])
        for number, results in enumerate(counted):
            assert bars(step, "outcomes", number) == dict(collections.Counter(results)), step
            assert plots[step, "outcomes"][number]["even"] is (dice == 1)
        assert len(plots[step, "outcomes"]) == len(counted)
        p = [row["p"] for row in load(f"{lab.out}/{step}/outcomes.json")["rows"]
             if row["p"] is not None]
        assert sum(bars(step, "p-values").values()) == len(p), step
        assert bars(step, "p-values")["0.95"] == sum(one >= 0.95 for one in p), step
    with open(f"{lab.out}/report-en.html", encoding="utf-8") as file:
        page = file.read()
    assert page.count("<figure>") == sum(map(len, plots.values())) and \
        "how often each result came" in page, page.count("<figure>")


def the_role_matrix_is_what_the_appliance_says_of_itself(lab):
    matrix = load(f"{lab.out}/report.json")["roles"]
    with open(f"{lab.out}/{matrix['file']}", "rb") as file:
        said = file.read()
    assert said == subprocess.run([f"{PROGRAMS}/rngd", "--openapi"], capture_output=True,
                                  check=True).stdout
    wanted = {one["operationId"]: (f"{method.upper()} {path}", one["x-talla-roles"])
              for path, methods in json.loads(said)["paths"].items()
              for method, one in methods.items() if "x-talla-roles" in one}
    assert len(wanted) > 40 and wanted == {
        one["operation"]: (one["request"], one["roles"]) for one in matrix["operations"]}
    assert "lab" in wanted["getMonth"][1] and "lab" not in wanted["listTables"][1]


def figures_of_tests_are_shown_or_open(lab):
    def of(report):
        step = next(one for one in report["steps"] if one["step"] == "evidence/figures")
        return {one["what"]: one["value"] for one in step["figures"]}
    report = load(f"{lab.out}/report.json")
    assert of(report) == {f"{of}: {name}": str(number) for of, numbers in lab.counted.items()
                          for name, number in numbers.items()}
    assert [one["what"] for one in report["open_evidence"]] == [
        "false-alarms", "fault-matrix", "liars"], report
    for language, words in (("en", "OPEN: fault matrix"), ("es", "ABIERTO: matriz de fallos")):
        with open(f"{lab.out}/report-{language}.html", encoding="utf-8") as file:
            assert f'class="bad">{words}' in file.read()
    # A file of another form counts as none, and so does one that counts nothing.
    good = load(f"{lab.folder}/figures/kills.json")
    for change in ({"figures": {}}, {"kind": "x"}, {"of": "x"}, {"figures": {"kills": "many"}}):
        store(f"{lab.folder}/figures/kills.json", canonical({**good, **change}))
        out = lab.copy()
        lab.submit(out=out)
        report = load(f"{out}/report.json")
        assert [one["what"] for one in report["open_evidence"]] == [
            "false-alarms", "fault-matrix", "kills", "liars"], change
        assert not any(what.startswith("kills") for what in of(report)), change
    store(f"{lab.folder}/figures/kills.json", canonical(good))
    assert lab.check(lab.out, "--signer", lab.signer) == []


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        sys.exit(1 if hold([the_run_passes, every_game_has_its_mathematics_report,
                            plots_are_counted_from_the_files_of_the_steps,
                            the_role_matrix_is_what_the_appliance_says_of_itself,
                            figures_of_tests_are_shown_or_open], Laboratory(name)) else 0)
