#!/usr/bin/env python3
# Goal: a laboratory's run is whole on a generator of single bits too, an Infinite Noise; a biased
#   one and a wrong mapping are named by the report.
# Method: samples of an emulated Infinite Noise; the wrong mapping is that of a program beside the
#   laboratory's own, which changes some results and nothing else.
#   usage: lab_infnoise_test.py FOLDER_OF_PROGRAMS
import os
import random
import shutil
import sys
import tempfile

from facts import hold
from lab_run_test import PROGRAMS, Laboratory, load, run, store


def patient(make, folder):
    """On a busy machine an emulated device may be silent for longer than a real one may be."""
    for attempt in range(8):
        try:
            place = f"{folder}/{attempt}"
            os.makedirs(place)
            return make(place)
        except AssertionError as said:
            if "usb_silent" not in str(said):
                raise
    raise AssertionError("the emulated device was silent eight times")


def figures_of(report):
    return {(step["step"], figure["what"]): figure["value"] for step in report["steps"]
            for figure in step["figures"]}


def a_run_on_single_bits_ends_with_every_step(lab):
    lab.submit()
    report = load(f"{lab.out}/report.json")
    assert report["summary"]["passed"] == report["summary"]["steps"], report["deviations"]
    seen = figures_of(report)
    assert seen["device/raw", "device"] == "infnoise", seen
    assert seen["device/model", "page"] == "entropy/docs/infnoise.md", seen
    assert 0.35 < float(seen["device/assess", "min_entropy"]) <= 1, seen
    assert seen["device/conditioned", "verdict"] == "consistent", seen
    assert seen["device/health", "passed"] == "true", seen
    assert lab.check(lab.out, "--signer", lab.signer) == []


def a_biased_one_is_named(lab):
    out = lab.copy()
    with open(lab.raw, "rb") as file:
        good = file.read()
    draws = random.Random(1)
    with open(lab.raw, "wb") as file:
        file.write(bytes(1 if draws.random() < 0.8 else one for one in good))
    lab.submit(out=out, code=1)
    with open(lab.raw, "wb") as file:
        file.write(good)
    named = {one["step"]: one for one in load(f"{out}/report.json")["deviations"]}
    assert named["device/health"]["verdict"] == "failed" and named["device/health"]["why"], named


def a_claim_above_the_assessment_is_named(lab):
    out = lab.copy()
    with open(lab.plan, encoding="utf-8") as file:
        good = file.read()
    store(lab.plan, good.replace("assessed_millibits = 350", "assessed_millibits = 900"))
    lab.submit("--only", "device/assess", out=out, code=3)
    store(lab.plan, good)
    named = {one["step"]: one for one in load(f"{out}/report.json")["deviations"]}
    assert named["device/assess"]["verdict"] == "not-passed", named
    assert "the claim, 900 millibits a sample, is above" in named["device/assess"]["why"], named


def a_wrong_mapping_is_named(lab):
    programs = f"{lab.folder}/programs"
    os.makedirs(programs)
    shutil.copy(f"{PROGRAMS}/talla-lab", f"{programs}/laboratory")
    shutil.copy(f"{PROGRAMS}/talla", programs)
    store(f"{programs}/talla-lab", f"""#!/bin/sh
"{programs}/laboratory" "$@" || exit $?
case "$*" in *sample*french-roulette*) sed -i '2~2s/^17$/18/' results.txt ;; esac
""")
    os.chmod(f"{programs}/talla-lab", 0o755)
    out = f"{lab.folder}/wrong"
    text = run(f"../{os.path.relpath(programs, os.path.dirname(PROGRAMS))}/laboratory", "submit",
               "--plan", lab.plan, out, "--only", "mapping/es-1977-french-roulette", code=3)
    assert "mapping/es-1977-french-roulette: not-passed" in text, text
    named = {one["step"]: one["verdict"] for one in load(f"{out}/report.json")["deviations"]}
    assert named["mapping/es-1977-french-roulette"] == "not-passed", named
    assert load(f"{out}/mapping/es-1977-french-roulette/outcomes.json")["verdict"] == (
        "not-consistent")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        # On a busy machine blocks are dropped: the sets between are put together.
        of_bits = patient(lambda folder: Laboratory(folder, "InfiniteNoise,seed=5", 350,
                                                    ["--pieces"]), os.path.realpath(name))
        sys.exit(1 if hold([a_run_on_single_bits_ends_with_every_step, a_biased_one_is_named,
                            a_claim_above_the_assessment_is_named,
                            a_wrong_mapping_is_named], of_bits) else 0)
