#!/usr/bin/env python3
# Goal: the report of `talla-lab submit` draws what its files hold, has each game's mathematics
#   report and the role matrix of the appliance that is examined, and says of what the long tests
#   counted the figures or that they are open; every known answer of a start is in it with its
#   module, and one that differs is named; every clause of the 24 groups is printed, what is open in
#   red, on paper too, and nothing else.
# Method: a run as in lab_run_test.py; every bar is counted again from the files in plain Python;
#   files of figures are given, left out and changed; a digit of an expected answer is changed in a
#   copy of rngd, a constant in a copy of the library; the letters of each PDF are read with their
#   ink.
#   usage: lab_report_test.py FOLDER_OF_PROGRAMS
import collections
import hashlib
import html
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

from facts import hold
from lab_run_test import PROGRAMS, Laboratory, canonical, figures, load, store
from paper import Pdf, squeezed

# What the report says of evidence that is open, by language.
OPEN_WORDS = {"en": "OPEN: {}: the plan gives no figures of it (evidence.figures)",
              "es": "ABIERTO: {}: el plan no da ninguna cifra de ello (evidence.figures)"}
NAMES = {"en": {"false-alarms": "false alarms of health tests", "fault-matrix": "fault matrix",
                "fuzzing": "fuzzing", "kills": "kills of the program",
                "liars": "well-signed lies", "simulator": "simulator"},
         "es": {"false-alarms": "falsas alarmas de las pruebas de salud",
                "fault-matrix": "matriz de fallos", "fuzzing": "prueba con datos aleatorios",
                "kills": "cortes del programa", "liars": "mentiras bien firmadas",
                "simulator": "simulador"}}


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


def every_clause_is_printed_and_what_is_open_is_red(lab):
    groups = load(f"{lab.out}/report.json")["requirements"]
    assert len(groups) == 24 and [one["number"] for one in groups] == list(range(1, 25))
    opened = 0
    for language, words in (("en", "OPEN: "), ("es", "ABIERTO: ")):
        with open(f"{lab.out}/report-{language}.html", encoding="utf-8") as file:
            page = file.read()
        assert re.search(r"\.open {[^}]*color: #8a1c1c", page)
        rows = [html.unescape(row) for row in page.split("<tr>")]
        for group in groups:
            assert f">{group['number']}. {group['name']}<" in html.unescape(page), group["name"]
            for clause in group["clauses"]:
                (row,) = (row for row in rows if row.startswith(f"<td>{clause['clause']}<") and
                          f">{clause['asks']}<" in row)
                red = f'<td class="open">{words}{"; ".join(clause["open"])}<'
                assert (red in row) is bool(clause["open"]), (clause, row)
                opened += bool(clause["open"])
        assert page.count('class="open"') * 2 == opened or language == "en"
    assert opened == 2 * load(f"{lab.out}/report.json")["summary"]["clauses_open"] > 0


def is_red_on_paper(out):
    """Exactly the deviations and open points of its report.json, in both languages; the clauses
    that are open."""
    report = load(f"{out}/report.json")
    clauses = [one for group in report["requirements"] for one in group["clauses"]]
    warnings = report["deviations"] + report["open_evidence"]
    for language, opened in (("en", "OPEN: "), ("es", "ABIERTO: ")):
        pdf = Pdf(f"{out}/report-{language}.pdf")
        expected = [f"{one['step']}: {'no pasa' if language == 'es' else 'not-passed'}"
                    f"{': ' * bool(one['why'])}{one['why']}" for one in report["deviations"]]
        expected += [OPEN_WORDS[language].format(NAMES[language][one["what"]])
                     for one in report["open_evidence"]]
        expected += [opened + "; ".join(one["open"]) for one in clauses if one["open"]]
        assert pdf.language == language and pdf.red() == squeezed("".join(expected)), (
            language, pdf.red(), expected)
        assert pdf.red_frames() == len(warnings), (language, pdf.red_frames())
        even = sum(plot["even"] for step in report["steps"] for plot in step["plots"])
        assert pdf.red_lines() == even > 0, "the line of equal shares in a drawing"
        for one in clauses:  # it reads as a whole, the closed ones in black
            assert squeezed(one["asks"]) in pdf.squeezed(), one
    return {one["clause"] for one in clauses if one["open"]}


def on_paper_what_is_open_is_red_and_nothing_else(lab):
    was = is_red_on_paper(lab.out)
    assert len(was) > 0
    # A test that failed opens what it shows, one that did not pass deviates; the others stay.
    test = "e2e.lab_report_test"
    named = {clause["clause"] for group in load(f"{lab.out}/report.json")["requirements"]
             for clause in group["clauses"] if test in clause["tests"]}
    lab.write_tests(failed=test)
    out = lab.copy()
    lab.submit(out=out, code=3)
    now = is_red_on_paper(out)
    assert named and now == was | named, (was, now, named)
    assert [one["step"] for one in load(f"{out}/report.json")["deviations"]] == [
        "evidence/requirements"]
    lab.write_tests()
    # Figures that are given close what was open.
    with open(lab.plan, encoding="utf-8") as file:
        plan = file.read()
    given = ", ".join(f'"figures/{of}.json"' for of in ("false-alarms", "fault-matrix", "liars"))
    for of in ("false-alarms", "fault-matrix", "liars"):
        figures.keep(of, {"cases": 3}, f"{lab.folder}/figures")
    store(lab.plan, plan.replace("figures = [", f"figures = [{given}, "))
    out = lab.copy()
    lab.submit(out=out)
    store(lab.plan, plan)
    assert load(f"{out}/report.json")["open_evidence"] == [] and is_red_on_paper(out) == was


def known_answers(program, code=0, **environment):
    done = subprocess.run([program, "--known-answers"], capture_output=True, text=True,
                          env={**os.environ, **environment}, check=False)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return json.loads(done.stdout)


def every_known_answer_of_a_start_is_shown_with_its_module(lab):
    said = known_answers(f"{PROGRAMS}/rngd")
    assert [one["algorithm"] for one in said["tests"]] == [
        "SHA-512", "HMAC-SHA-512", "CTR_DRBG", "SHA-256", "HMAC-SHA-256", "HKDF-SHA-256",
        "AES-256-GCM", "ECDH P-256", "Ed25519"] and said["failures"] == []
    digests = {one["path"]: one["sha256"] for one in said["modules"]}
    for path, digest in digests.items():
        with open(path, "rb") as file:
            assert hashlib.sha256(file.read()).hexdigest() == digest, path
    assert f"{PROGRAMS}/rngd" in digests
    module = next(digest for path, digest in digests.items() if "/libcrypto.so" in path)
    assert {one["module"] for one in said["tests"]} == {module}
    report = load(f"{lab.out}/report.json")
    step = next(one for one in report["steps"] if one["step"] == "generator/known-answers")
    assert [(one["what"], one["value"]) for one in step["figures"]] == [
        pair for one in said["tests"]
        for pair in ((f"{one['algorithm']}, {one['mode']}", "passed"),
                     (f"{one['algorithm']}, module", module))], step


def a_known_answer_that_differs_is_named_by_the_report(lab):
    with open(f"{PROGRAMS}/rngd", "rb") as file:
        good = file.read()
    # One digit of the answer that HKDF-SHA-256 is expected to give.
    answer = b"8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
    assert good.count(answer) == 1
    other = f"{lab.folder}/other/rngd"
    os.makedirs(os.path.dirname(other))
    with open(other, "wb") as file:
        file.write(good.replace(answer, b"9" + answer[1:]))
    os.chmod(other, 0o755)
    with open(lab.plan, encoding="utf-8") as file:
        plan = file.read()
    store(lab.plan, plan.replace(f"{PROGRAMS}/rngd", other))
    out = lab.copy()
    text = lab.submit(out=out, code=3)
    store(lab.plan, plan)
    assert "generator/known-answers: not-passed" in text, text
    report = load(f"{out}/report.json")
    assert [one["step"] for one in report["deviations"]] == ["generator/known-answers"], report
    why = report["deviations"][0]["why"]
    assert why.startswith("HKDF-SHA-256: ") and ";" not in why, why
    step = next(one for one in report["steps"] if one["step"] == "generator/known-answers")
    assert [one["what"] for one in step["figures"] if one["value"] == "failed"] == [
        "HKDF-SHA-256, extract and expand"], step
    with open(f"{out}/report-es.html", encoding="utf-8") as file:
        assert 'class="bad">generator/known-answers: no pasa: HKDF-SHA-256' in file.read()


def a_library_that_computes_wrongly_fails_what_rests_on_it(lab):
    library = next(one["path"] for one in known_answers(f"{PROGRAMS}/rngd")["modules"]
                   if "/libcrypto.so" in one["path"])
    with open(library, "rb") as file:
        good = file.read()
    constant = (0x428a2f98d728ae22).to_bytes(8, "little")  # the first of SHA-512's rounds
    assert constant in good
    folder = f"{lab.folder}/library"
    os.makedirs(folder)
    changed = f"{folder}/{os.path.basename(library)}"
    with open(changed, "wb") as file:
        file.write(good.replace(constant, bytes([constant[0] ^ 1]) + constant[1:]))
    if os.path.basename(changed) != "libcrypto.so.3":
        os.symlink(os.path.basename(changed), f"{folder}/libcrypto.so.3")
    said = known_answers(f"{PROGRAMS}/rngd", 3, LD_LIBRARY_PATH=folder)
    failed = {one["algorithm"] for one in said["tests"] if one["result"] == "failed"}
    assert failed == {"SHA-512", "HMAC-SHA-512", "Ed25519"}, failed
    assert {one["algorithm"] for one in said["failures"]} == failed
    with open(changed, "rb") as file:
        assert {one["module"] for one in said["tests"]} == {
            hashlib.sha256(file.read()).hexdigest()}


def without_an_appliance_known_answers_are_open(lab):
    with open(lab.plan, encoding="utf-8") as file:
        plan = file.read()
    store(lab.plan, plan.replace(f', "{PROGRAMS}/rngd"', ""))
    out = f"{lab.folder}/without"
    lab.submit("--only", "device/raw", out=out)
    store(lab.plan, plan)
    assert "known-answers" in [one["what"] for one in load(f"{out}/report.json")["open_evidence"]]
    with open(f"{out}/report-es.html", encoding="utf-8") as file:
        assert "ABIERTO: respuestas conocidas del arranque" in file.read()


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
                            every_clause_is_printed_and_what_is_open_is_red,
                            on_paper_what_is_open_is_red_and_nothing_else,
                            every_known_answer_of_a_start_is_shown_with_its_module,
                            a_known_answer_that_differs_is_named_by_the_report,
                            a_library_that_computes_wrongly_fails_what_rests_on_it,
                            without_an_appliance_known_answers_are_open,
                            figures_of_tests_are_shown_or_open], Laboratory(name)) else 0)
