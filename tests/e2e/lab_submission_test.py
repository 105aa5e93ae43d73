#!/usr/bin/env python3
# Goal: `talla-lab acvp` answers NIST's prompts from files, never overwrites a response, finds an
#   altered one and refuses what is no prompt; `talla-lab esv` says by its exit code whether a
#   submission breaks a rule.
# Method: the program as a laboratory runs it, on the published sets and on changed ones.
#   usage: lab_submission_test.py FOLDER_OF_PROGRAMS
import json
import os
import subprocess
import sys
import tempfile

from facts import hold

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "vectors")
DRBG = os.path.join(VECTORS, "acvp", "ctrDRBG-1.0")
SIGNED = os.path.join(VECTORS, "acvp", "EDDSA-SigGen-1.0")


def run(*arguments, code=0, data=None):
    done = subprocess.run([LAB, *map(str, arguments)], input=data, capture_output=True, timeout=250)
    text, errors = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == code, (
        f"talla-lab {arguments}: exit {done.returncode}, not {code}\n{text}{errors}")
    return text, errors


def prompt(folder):
    return os.path.join(folder, "prompt.json")


def expected(folder):
    return os.path.join(folder, "expectedResults.json")


def load(path):
    with open(path, encoding="ascii") as file:
        return json.load(file)


def store(folder, value):
    path = os.path.join(folder, "changed.json")
    with open(path, "w", encoding="ascii") as file:
        json.dump(value, file)
    return path


def a_response_has_the_published_answers_and_is_never_overwritten(folder):
    out = os.path.join(folder, "response.json")
    run("acvp", prompt(DRBG), "-o", out)
    assert load(out)["testGroups"] == load(expected(DRBG))["testGroups"]
    _, errors = run("acvp", prompt(DRBG), "-o", out, code=1)
    assert out in errors, errors
    with open(prompt(DRBG), "rb") as file:
        text, _ = run("acvp", "-", data=file.read())
    assert json.loads(text) == load(out)


def signatures_with_the_samples_keys_are_the_published_ones(folder):
    text, _ = run("acvp", prompt(SIGNED), "--keys",
                  os.path.join(SIGNED, "internalProjection.json"))
    assert json.loads(text)["testGroups"] == load(expected(SIGNED))["testGroups"]
    fresh = os.path.join(folder, "fresh.json")
    run("acvp", prompt(SIGNED), "--out", fresh)
    assert load(fresh)["testGroups"] != load(expected(SIGNED))["testGroups"]
    text, _ = run("acvp", prompt(SIGNED), "--check", fresh)
    assert "0 of 42 cases differ" in text, text


def an_altered_response_is_found_with_its_case(folder):
    answers = load(expected(DRBG))
    test = answers["testGroups"][1]["tests"][4]
    test["returnedBits"] = "0" * len(test["returnedBits"])
    path = store(folder, answers)
    text, _ = run("acvp", prompt(DRBG), "--check", path, code=3)
    assert f"tcId {test['tcId']}:" in text and "1 of 30 cases differ" in text, text
    told = json.loads(run("--json", "acvp", prompt(DRBG), "--check", path, code=3)[0])
    assert [one["tcId"] for one in told["differences"]] == [test["tcId"]], told


def what_is_no_prompt_is_refused_and_nothing_is_written(folder):
    out = os.path.join(folder, "never.json")
    _, errors = run("acvp", expected(DRBG), "-o", out, code=1)
    assert "these are answers" in errors, errors
    cut = os.path.join(folder, "cut.json")
    with open(prompt(DRBG), "rb") as file, open(cut, "wb") as short:
        short.write(file.read()[:-40])
    _, errors = run("acvp", cut, "-o", out, code=1)
    assert "a whole JSON file is expected" in errors, errors
    other = load(prompt(DRBG))
    other["algorithm"] = "hashDRBG"
    _, errors = run("acvp", store(folder, other), "-o", out, code=1)
    assert "not used: the generators are CTR_DRBG and HMAC_DRBG" in errors, errors
    assert not os.path.exists(out)


def algorithms_and_registration_name_the_same(folder):
    del folder
    listed = json.loads(run("--json", "acvp", "--algorithms")[0])["answered"]
    registered = json.loads(run("acvp", "--registration")[0])[1]["algorithms"]
    assert ([(one["algorithm"], one["mode"], one["revision"]) for one in listed]
            == [(one["algorithm"], one.get("mode", ""), one["revision"]) for one in registered])
    run("acvp", code=2)


def a_broken_rule_is_named_and_the_exit_code_says_so(folder):
    good = os.path.join(VECTORS, "esv", "made-register-rbg3xor.json")
    text, _ = run("esv", good)
    assert "0 are broken" in text and "open" in text, text
    request = load(good)
    request[1]["rbg"][0]["drbg"]["seed"][0]["minHIn"] = 383.5
    text, _ = run("esv", store(folder, request), code=3)
    assert "drbg.seed[].minHIn" in text and "1.5 times" in text, text
    rules = json.loads(run("--json", "esv", "--rules")[0])
    assert len(rules) == 58, len(rules)
    _, errors = run("esv", prompt(DRBG), code=1)
    assert "a run file has" in errors, errors


if __name__ == "__main__":
    LAB = os.path.join(os.path.abspath(sys.argv[1]), "talla-lab")
    with tempfile.TemporaryDirectory() as place:
        sys.exit(1 if hold([a_response_has_the_published_answers_and_is_never_overwritten,
                            signatures_with_the_samples_keys_are_the_published_ones,
                            an_altered_response_is_found_with_its_case,
                            what_is_no_prompt_is_refused_and_nothing_is_written,
                            algorithms_and_registration_name_the_same,
                            a_broken_rule_is_named_and_the_exit_code_says_so], place) else 0)
