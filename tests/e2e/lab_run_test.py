#!/usr/bin/env python3
# Goal: `talla-lab submit` does a laboratory's run by a plan, goes on where a kill ended it, reports
#   every figure with its place and every clause with evidence or as open; a planted fault is named,
#   and so is whatever is done to the folder afterwards.
# Method: the program as a laboratory runs it, on samples of an emulated generator; figures are
#   looked up again in plain Python; each cheat is made on a copy of a good folder, with a manifest
#   that fits it where the cheat would not be seen otherwise.
#   usage: lab_run_test.py FOLDER_OF_PROGRAMS
import fcntl
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

from facts import hold, wait_for

sys.path.insert(1, os.path.join(sys.path[0], "..", "support"))
import figures  # noqa: E402

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PROGRAMS = os.path.realpath(sys.argv[1])
SCENARIOS = "american-roulette-single-zero-limits.jsonl"


def run(program, *arguments, code=0, wrap=()):
    done = subprocess.run([*wrap, f"{PROGRAMS}/{program}", *map(str, arguments)],
                          capture_output=True, text=True, timeout=280)
    assert done.returncode == code, (
        f"{program} {arguments}: exit {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def store(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Laboratory:
    """Sources, samples of a generator, a report of the tests, a signed manifest, and a plan."""

    def __init__(self, folder, device="ChaosKey,seed=3", millibits=5000, collect=()):
        self.folder, self.plan, self.out = folder, f"{folder}/plan.toml", f"{folder}/out"
        self.tree = f"{folder}/source"
        os.makedirs(f"{self.tree}/tests/scenarios/es-1977")
        for name in os.listdir(ROOT):
            if name not in ("tests", "build") and not name.startswith("."):
                os.symlink(f"{ROOT}/{name}", f"{self.tree}/{name}")
        for name in os.listdir(f"{ROOT}/tests"):
            if name not in ("scenarios", "vectors"):
                os.symlink(f"{ROOT}/tests/{name}", f"{self.tree}/tests/{name}")
        self.vectors = f"{self.tree}/tests/vectors/acvp/ctrDRBG-1.0"
        shutil.copytree(f"{ROOT}/tests/vectors/acvp/ctrDRBG-1.0", self.vectors)
        self.scenarios = f"{self.tree}/tests/scenarios/es-1977/{SCENARIOS}"
        shutil.copy(f"{ROOT}/tests/scenarios/es-1977/{SCENARIOS}", self.scenarios)
        self.raw = f"{folder}/raw.bin"
        run("talla-lab", "collect", "--raw", "--samples", 150_000, "--out", self.raw, *collect,
            wrap=[f"{PROGRAMS}/emulated_usb", device, "--"])
        self.tests = f"{folder}/tests.xml"
        self.write_tests()
        self.data, self.software = f"{folder}/data.bin", f"{folder}/software.manifest"
        shutil.copy(f"{ROOT}/LICENSE", self.data)
        maker = self.key("maker.key", "maker.example/talla")
        run("talla", "software", "manifest", "--data", self.data, "--catalogue",
            f"{ROOT}/games/catalogues/es-1977.toml", "--out", self.software, "--build", "1")
        run("talla", "software", "sign", self.software, "--key", f"{folder}/maker.key", "--name",
            "maker.example/talla")
        self.signer = self.key("lab.key", "lab.example/runs")
        self.counted = {"kills": {"kills": 20, "draws": 1311}, "simulator": {"lives": 7},
                        "fuzzing": {"inputs": 10**12, "seconds": 7200, "targets": 22}}
        for of, numbers in self.counted.items():
            figures.keep(of, numbers, f"{folder}/figures")
        store(self.plan, f"""
title = "Type T, run 1"
tree = "source"
tests = ["tests.xml"]
seed = "{'0123456789abcdef' * 4}"
[laboratory]
name = "Example Laboratory"
key = "lab.key"
key_name = "lab.example/runs"
[device]
raw = "raw.bin"
assessed_millibits = {millibits}
iid_rounds = 0
[generator]
vectors = ["ctrDRBG-1.0"]
bits = 1000000
[[game]]
catalogue = "es-1977"
game = "french-roulette"
results = 20000
[[game]]
catalogue = "es-1977"
game = "craps"
results = 2000
[evidence]
programs = ["{PROGRAMS}/talla", "{PROGRAMS}/rngd"]
figures = [{", ".join(f'"figures/{of}.json"' for of in self.counted)}]
manifest = "software.manifest"
signers = ["{maker}"]
""")

    def key(self, name, signer):
        return run("talla", "software", "key", f"{self.folder}/{name}", "--name",
                   signer).splitlines()[-1]

    def write_tests(self, without="", failed=""):
        """A report in which every test that the matrix names ran and passed, but two."""
        named = {test for group in json.loads(run("talla-lab", "--json", "requirements"))["groups"]
                 for clause in group["clauses"] for test in clause["tests"]} - {without}
        lines = []
        for test in sorted(named):
            suite, _, case = test.partition(".")
            if suite == "e2e":
                status = "fail" if test == failed else "run"
                lines.append(f'<testcase name="{test}" time="1" status="{status}"/>')
                continue
            said = f"[ RUN      ] {suite}.{case or 'it_holds'}\n" \
                f"[       OK ] {suite}.{case or 'it_holds'} (0 ms)\n"
            lines.append(f'<testcase name="unit_x.{suite}" status="run"><system-out>{said}'
                         "</system-out></testcase>")
        store(self.tests, "<testsuite>" + "\n".join(lines) + "</testsuite>\n")

    def submit(self, *arguments, out=None, code=0):
        return run("talla-lab", "submit", "--plan", self.plan, out or self.out, *arguments,
                   code=code)

    def check(self, out, *arguments, code=0):
        return json.loads(run("talla-lab", "--json", "submit", "--check", out, *arguments,
                              code=code))["findings"]

    def copy(self):
        """A copy of the good folder, in the place that it is checked at."""
        shutil.rmtree(f"{self.folder}/copy", ignore_errors=True)
        return shutil.copytree(self.out, f"{self.folder}/copy")


def remake(out):
    """A manifest that fits what lies there, as who has no key can make it."""
    manifest = load(f"{out}/manifest.json")
    names = sorted(os.path.relpath(os.path.join(folder, name), out)
                   for folder, _, files in os.walk(out) for name in files)
    manifest["files"] = [{"bytes": os.path.getsize(f"{out}/{name}"), "name": name,
                          "sha256": sha256(f"{out}/{name}")} for name in names
                         if name not in ("manifest.json", "manifest.note", ".lock")]
    store(f"{out}/manifest.json", canonical(manifest))


def whats(findings):
    return {(one["path"], one["what"]) for one in findings}


def at_pointer(path, figure):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    value = json.loads(text.splitlines()[figure["line"] - 1] if "line" in figure else text)
    for part in figure["pointer"].split("/")[1:]:
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def a_run_ends_with_every_step_its_figures_and_the_matrix(lab):
    text = lab.submit()
    report = load(f"{lab.out}/report.json")
    summary = report["summary"]
    assert summary["passed"] == summary["steps"] == len(report["steps"]), (summary, text)
    assert "step 1 of " in text and " left" in text, text
    parts = {one["step"].split("/")[0] for one in report["steps"]}
    assert parts == {"device", "generator", "mapping", "rules", "evidence"}, parts
    seen = {}
    for step in report["steps"]:
        assert sha256(f"{lab.out}/{step['file']}") == step["sha256"], step
        for figure in step["figures"]:
            if figure["pointer"]:
                value = at_pointer(f"{lab.out}/{figure['file']}", figure)
                said = figure["value"]
                assert (value if isinstance(value, str) else json.loads(said)) in \
                    (value, said), (figure, value)
            seen[step["step"], figure["what"]] = figure["value"]
    assert float(seen["device/assess", "min_entropy"]) > 3, seen
    assert seen["generator/ctrDRBG-1.0", "cases"] == "30", seen
    for step in ("device/conditioned", "generator/bits-ctr-drbg-aes-256-df",
                 "generator/bits-hmac-drbg-sha-512"):
        assert seen[step, "verdict"] == "consistent" and int(seen[step, "bytes"]) > 80_000, seen
    assert seen["device/model", "page"] == "entropy/docs/chaoskey.md", seen
    assert seen["evidence/materials", "vulnerabilities"] == "not looked up", seen
    assert seen["rules/es-1977-french-roulette-odds", "pleno"] == "1/37", seen
    assert seen["mapping/es-1977-craps", "family_error"] == "0.005", seen
    matrix = json.loads(run("talla-lab", "--json", "requirements"))["groups"]
    assert [[one["clause"] for one in group["clauses"]] for group in matrix] == \
        [[one["clause"] for one in group["clauses"]] for group in report["requirements"]]
    clauses = [one for group in report["requirements"] for one in group["clauses"]]
    assert all(one["open"] or one["shown"] for one in clauses)
    assert summary["clauses"] == len(clauses)
    assert summary["clauses_open"] == sum(bool(one["open"]) for one in clauses)
    assert 0 < summary["clauses_open"] < len(clauses), summary
    for language, word in (("en", "OPEN"), ("es", "ABIERTO")):
        with open(f"{lab.out}/report-{language}.html", encoding="utf-8") as file:
            page = file.read()
        assert word in page and "1/37" in page and "Example Laboratory" in page
        with open(f"{lab.out}/report-{language}.pdf", "rb") as file:
            assert file.read(5) == b"%PDF-"


def a_folder_is_as_the_run_left_it_and_signed(lab):
    assert lab.check(lab.out, "--signer", lab.signer) == []
    away = lab.copy()
    assert lab.check(away, "--signer", lab.signer) == []
    with open(f"{lab.out}/manifest.note", encoding="utf-8") as file:
        assert file.read().splitlines()[:2] == ["talla-lab submission v1",
                                                sha256(f"{lab.out}/manifest.json")]


def a_second_run_does_again_what_looks_at_the_machine_and_nothing_else(lab):
    text = lab.submit()
    again = [line.split(": ")[1].split(",")[0] for line in text.splitlines()
             if line.startswith("step ")]
    assert again == ["generator/known-answers", "evidence/software", "evidence/materials",
                     "evidence/signed-software"], text
    assert lab.check(lab.out, "--signer", lab.signer) == []


def children_of(process):
    with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
        return [int(one) for one in file.read().split()]


def alive(process):
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def a_killed_run_goes_on_behind_its_last_whole_step(lab):
    out = f"{lab.folder}/killed"
    kept = {}
    for step in ("device/raw", "device/health", "mapping/es-1977-french-roulette"):
        process = subprocess.Popen([f"{PROGRAMS}/talla-lab", "submit", "--plan", lab.plan, out],
                                   stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        wait_for(step, lambda: os.path.exists(f"{out}/{step}/step.json"), 120)
        children = children_of(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
        wait_for("the children's end", lambda: not any(map(alive, children)), 10)
        for name, digest in kept.items():
            assert sha256(f"{out}/{name}/step.json") == digest, name
        kept[step] = sha256(f"{out}/{step}/step.json")
    text = lab.submit(out=out)
    assert "device/raw" not in text, text
    assert all(sha256(f"{out}/{name}/step.json") == digest for name, digest in kept.items())
    assert not any(name.endswith(".part") for _, folders, _ in os.walk(out) for name in folders)
    assert lab.check(out, "--signer", lab.signer) == []
    results = "mapping/es-1977-craps/results.txt"
    assert sha256(f"{out}/{results}") == sha256(f"{lab.out}/{results}")


def two_runs_at_once_and_steps_that_are_none_are_refused(lab):
    with open(f"{lab.out}/.lock", "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert "another run works" in lab.submit(code=1)
    said = lab.submit("--only", "device/never", code=1)
    assert "there are device/raw, device/model" in said, said
    store(f"{lab.folder}/bad.toml", "never = 1\n")
    said = run("talla-lab", "submit", "--plan", f"{lab.folder}/bad.toml", lab.out, code=1)
    assert "title" in said, said
    assert lab.check(lab.out, "--signer", lab.signer) == []


def a_folder_with_what_no_run_made_is_not_touched(lab):
    home = f"{lab.folder}/home"
    os.makedirs(f"{home}/evidence/photographs")
    store(f"{home}/evidence/photographs/1.txt", "mine")
    said = lab.submit(out=home, code=1)
    assert "evidence/photographs: no run made this" in said, said
    assert [name for _, _, files in os.walk(home) for name in files] == ["1.txt"]
    out = lab.copy()
    store(f"{out}/rules/notes.txt", "mine")
    assert "rules/notes.txt: no run made this" in lab.submit(out=out, code=1)
    assert os.path.exists(f"{out}/rules/notes.txt")
    remake(out)
    assert ("rules/notes.txt", "not-of-plan") in whats(lab.check(out, code=3))


def a_file_of_another_form_ends_no_check(lab):
    for text in ('{"groups":5}\n', '{"groups":[{"name":"x","clauses":5}]}\n', '[]\n', "x"):
        out = lab.copy()
        group = json.loads(run("talla-lab", "--json", "requirements"))["groups"][0]["name"]
        store(f"{out}/evidence/requirements/requirements.json",
              text.replace('"x"', json.dumps(group)))
        assert ("evidence/requirements/requirements.json", "cut-short") in whats(
            lab.check(out, code=3))


def with_fault(lab, out, code):
    """Runs over a copy of the good folder: what the fault does not touch is not run again."""
    text = lab.submit(out=out, code=code)
    report = load(f"{out}/report.json")
    return text, {one["step"]: one for one in report["deviations"]}, report


def a_wrong_payout_is_named_by_file_and_line(lab):
    out = lab.copy()
    with open(lab.scenarios, encoding="utf-8") as file:
        good = file.read()
    assert '"returned": 1800' in good.splitlines()[0], good[:400]
    store(lab.scenarios, good.replace('"returned": 1800', '"returned": 1900', 1))
    text, deviations, report = with_fault(lab, out, 3)
    store(lab.scenarios, good)
    assert list(deviations) == ["rules/es-1977-scenarios"], deviations
    assert "rules/es-1977-scenarios: not-passed" in text, text
    step = next(one for one in report["steps"] if one["step"] == "rules/es-1977-scenarios")
    assert any(one["what"].endswith(f"{SCENARIOS}:1") and one["value"] == "false"
               for one in step["figures"]), step


def a_missing_test_and_a_failed_one_leave_their_clauses_open(lab):
    out = lab.copy()
    missing, failed = "AcvpVectors", "e2e.lab_submission_test"
    lab.write_tests(missing, failed)
    text, deviations, report = with_fault(lab, out, 3)
    lab.write_tests()
    assert "evidence/requirements" in deviations, text
    clauses = [one for group in report["requirements"] for one in group["clauses"]]
    for test, words in ((missing, "the test did not run"), (failed, "the test failed")):
        named = [one for one in clauses if test in one["tests"]]
        assert named and all(f"{test}: {words}" in one["open"] for one in named), test


def a_changed_library_is_named(lab):
    out = lab.copy()
    with open(lab.data, encoding="utf-8") as file:
        good = file.read()
    store(lab.data, good + "x")
    text, deviations, _ = with_fault(lab, out, 3)
    store(lab.data, good)
    assert list(deviations) == ["evidence/signed-software"], text
    assert deviations["evidence/signed-software"]["why"] == f"{lab.data}: changed", deviations


def a_biased_device_does_not_pass(lab):
    out = lab.copy()
    with open(lab.raw, "rb") as file:
        good = file.read()
    biased = bytearray(good)
    biased[1000::2] = bytes(len(biased[1000::2]))
    with open(lab.raw, "wb") as file:
        file.write(biased)
    text, deviations, _ = with_fault(lab, out, 1)
    with open(lab.raw, "wb") as file:
        file.write(good)
    assert list(deviations) == ["device/assess", "device/health"], text
    assert "above the assessment" in deviations["device/assess"]["why"], deviations
    assert load(f"{out}/device/health.failed.json")["why"]


def a_stale_digest_is_named(lab):
    prompt = f"{lab.vectors}/prompt.json"
    with open(prompt, encoding="utf-8") as file:
        good = file.read()
    store(prompt, good + "\n")
    found = lab.check(lab.out, code=3)
    store(prompt, good)
    assert whats(found) == {("generator/ctrDRBG-1.0/step.json", "stale")}, found


def files_that_were_swapped_cut_added_or_taken_away_are_named(lab):
    for change, path, what in (
            (lambda path: store(path, "x" * os.path.getsize(path)), "device/assess/assess.json",
             "changed"),
            (lambda path: os.truncate(path, 100), "mapping/es-1977-craps/results.txt", "cut-short"),
            (lambda path: store(path, "x"), "device/more.txt", "not-listed"),
            (os.unlink, "report-es.pdf", "missing")):
        out = lab.copy()
        change(f"{out}/{path}")
        found = whats(lab.check(out, code=3))
        assert (path, what) in found, (path, found)
        remake(out)
        found = whats(lab.check(out, "--signer", lab.signer, code=3))
        assert ("manifest.note", "wrong-signature") in found, found


def a_step_that_was_edited_is_named_with_a_manifest_that_fits(lab):
    def edit(name, change, refit=False):
        out = lab.copy()
        path = f"{out}/{name}/step.json"
        record = load(path)
        change(record, f"{out}/{name}")
        if refit:
            record["key"] = key_of(record)
        store(path, canonical(record))
        remake(out)
        os.unlink(f"{out}/manifest.note")
        assert ("manifest.note", "unsigned") in whats(lab.check(out, "--signer", lab.signer,
                                                                 code=3))
        return whats(lab.check(out, code=3))

    def key_of(record):
        parts = {name: record[name] for name in ("commands", "inputs", "needs", "programs", "step")}
        return hashlib.sha256(canonical(parts)[:-1].encode()).hexdigest()

    craps = "mapping/es-1977-craps"
    # Another verdict than its exit codes have.
    found = edit(craps, lambda record, _: record.update(verdict="failed"))
    assert (f"{craps}/step.json", "edited") in found, found
    # Other results than those it lists.
    def swap(_, folder):
        with open(f"{folder}/results.txt", encoding="ascii") as file:
            lines = file.read().splitlines()
        store(f"{folder}/results.txt", "\n".join([*lines[:-1], "1 1"]) + "\n")
    assert (f"{craps}/step.json", "edited") in edit(craps, swap)
    # Another digest of a program than the key has.
    found = edit(craps, lambda record, _: record["programs"].update({"talla-lab": "0" * 64}))
    assert (f"{craps}/step.json", "edited") in found, found
    # Made of other samples than those that lie there, the key fitting.
    found = edit("device/assess", lambda record, _: record["needs"].update(
        {"device/raw": "0" * 64}), refit=True)
    assert ("device/assess/step.json", "stale") in found, found


def a_step_of_another_plan_is_named(lab):
    out, other = lab.copy(), f"{lab.folder}/other"
    with open(lab.plan, encoding="utf-8") as file:
        good = file.read()
    store(lab.plan, good.replace("results = 2000\n", "results = 1000\n"))
    lab.submit("--only", "mapping/es-1977-craps", out=other)
    store(lab.plan, good)
    step = "mapping/es-1977-craps"
    shutil.rmtree(f"{out}/{step}")
    shutil.copytree(f"{other}/{step}", f"{out}/{step}")
    remake(out)
    assert (f"{step}/step.json", "not-of-plan") in whats(lab.check(out, code=3))
    shutil.rmtree(f"{out}/{step}")
    remake(out)
    assert (step, "missing") in whats(lab.check(out, code=3))
    # A run takes it for what it is, too.
    assert step in lab.submit(out=out)
    assert lab.check(out) == []


def a_report_that_says_more_than_the_steps_is_named(lab):
    out = lab.copy()
    report = load(f"{out}/report.json")
    report["requirements"][0]["clauses"][0]["open"] = []
    report["title"] = "Type T, run 2"
    store(f"{out}/report.json", canonical(report))
    remake(out)
    assert ("report.json", "report") in whats(lab.check(out, code=3))


def what_changed_between_two_runs_is_sorted(lab):
    def changes(after, code):
        said = json.loads(run("talla-lab", "--json", "compare", lab.out, after, code=code))
        return {(one["step"], one["what"], one["major"]) for one in said["changes"]}
    out = lab.copy()
    assert changes(out, 0) == set()
    # Other results of the same wish, another rule, another library: each examined anew.
    for step, name in (("mapping/es-1977-craps", "results.txt"),
                       ("rules/es-1977-craps-odds", "odds.jsonl"),
                       ("generator/ctrDRBG-1.0", "judged.json")):
        record = load(f"{out}/{step}/step.json")
        next(one for one in record["outputs"] if one["name"] == name)["sha256"] = "0" * 64
        store(f"{out}/{step}/step.json", canonical(record))
    manifest = load(f"{out}/evidence/software/software.manifest")
    library = next(one for one in manifest["files"] if one["kind"] == "library")
    library["sha256"] = "0" * 64
    store(f"{out}/evidence/software/software.manifest", canonical(manifest))
    assert changes(out, 3) == {("mapping/es-1977-craps", "results.txt", True),
                               ("rules/es-1977-craps-odds", "odds.jsonl", True),
                               ("generator/ctrDRBG-1.0", "judged.json", True),
                               ("evidence/software", library["path"], True)}, changes(out, 3)
    # New samples of the unit, another page, another sample asked for: nobody need look again.
    out = lab.copy()
    about = load(f"{out}/device/raw/raw.bin.manifest.json")
    about["file"]["sha256"], about["device"]["serial"] = "0" * 64, "0124"
    store(f"{out}/device/raw/raw.bin.manifest.json", canonical(about))
    for step, change in (
            ("mapping/es-1977-craps", lambda record: record["commands"][0].update(out="x.json")),
            ("evidence/pages", lambda record: record["outputs"][0].update(sha256="0" * 64))):
        record = load(f"{out}/{step}/step.json")
        change(record)
        store(f"{out}/{step}/step.json", canonical(record))
    page = record["outputs"][0]["name"]
    assert changes(out, 0) == {("device/raw", "samples", False),
                               ("device/raw", "serial number", False),
                               ("mapping/es-1977-craps", "plan", False),
                               ("evidence/pages", page, False)}, changes(out, 0)
    about["device"]["model"] = "infnoise"
    store(f"{out}/device/raw/raw.bin.manifest.json", canonical(about))
    shutil.rmtree(f"{out}/rules/es-1977-craps")
    found = changes(out, 3)
    assert {("device/raw", "model", True), ("rules/es-1977-craps", "verdict", True)} <= found
    assert "no folder of talla-lab submit" in run("talla-lab", "compare", lab.out, lab.folder,
                                                  code=1)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        sys.exit(1 if hold([a_run_ends_with_every_step_its_figures_and_the_matrix,
                            a_folder_is_as_the_run_left_it_and_signed,
                            a_second_run_does_again_what_looks_at_the_machine_and_nothing_else,
                            a_killed_run_goes_on_behind_its_last_whole_step,
                            two_runs_at_once_and_steps_that_are_none_are_refused,
                            a_folder_with_what_no_run_made_is_not_touched,
                            a_file_of_another_form_ends_no_check,
                            a_wrong_payout_is_named_by_file_and_line,
                            a_missing_test_and_a_failed_one_leave_their_clauses_open,
                            a_changed_library_is_named, a_biased_device_does_not_pass,
                            a_stale_digest_is_named,
                            files_that_were_swapped_cut_added_or_taken_away_are_named,
                            a_step_that_was_edited_is_named_with_a_manifest_that_fits,
                            a_step_of_another_plan_is_named,
                            a_report_that_says_more_than_the_steps_is_named,
                            what_changed_between_two_runs_is_sorted],
                           Laboratory(name)) else 0)
