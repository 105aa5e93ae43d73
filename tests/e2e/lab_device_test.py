#!/usr/bin/env python3
# Goal: `talla-lab` collects data sets from a generator, says in their manifest how, and leaves
#   nothing behind when it cannot; it makes every health test fail on purpose and shows what came of
#   it. `talla devices` lists what is supported, what comes, what goes; `talla devices try` says in
#   plain words whether a device works and writes it into a file.
# Method: the program among emulated generators under the real libusb (`emulated_usb`), as a
#   laboratory runs it.
#   usage: lab_device_test.py FOLDER_OF_PROGRAMS
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

from facts import hold


def run(devices, *arguments, code=0):
    done = subprocess.run([EMULATED, *devices, "--", LAB, *map(str, arguments)],
                          capture_output=True, timeout=250)
    text, errors = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == code, (
        f"{devices} talla-lab {arguments}: exit {done.returncode}, not {code}\n{text}{errors}")
    return text, errors


def manifest_of(path):
    with open(path + ".manifest.json") as file:
        manifest = json.load(file)
    with open(path, "rb") as file:
        data = file.read()
    assert manifest["file"] == {"name": os.path.basename(path), "bytes": len(data),
                                "sha256": hashlib.sha256(data).hexdigest()}, manifest
    assert (manifest["samples"]["count"] == len(data)
            and max(data) < 1 << manifest["samples"]["width_bits"])
    return manifest


def consecutive_raw_samples_have_a_manifest_and_can_be_assessed(folder):
    path = os.path.join(folder, "noise.bin")
    text, _ = run(["ChaosKey,seed=3"], "collect", "--raw", "--out", path)
    assert "1000000 raw samples of 8 bits" in text and "1 consecutive set" in text, text
    manifest = manifest_of(path)
    assert (manifest["as_the_standard_asks"]
            and manifest["samples"]["consecutive_sets"] == [1000000]), manifest
    assert manifest["device"]["model"] == "chaoskey" and manifest["device"]["serial"] == "0123", (
        manifest)
    assert (manifest["device"]["firmware_bcd_device"] == "1.00"
            and manifest["device"]["usb_id"] == "1d50:60c6"), manifest
    with open(LAB, "rb") as file:
        assert manifest["software"]["sha256"] == hashlib.sha256(file.read()).hexdigest()
    done = subprocess.run([LAB, "figures", "--json", path], capture_output=True, timeout=60)
    assert done.returncode in (0, 3), done
    short = os.path.join(folder, "short.bin")
    text, _ = run(["OneRng"], "collect", "--raw", "--samples", 20000, "--out", short)
    assert "fewer than the 1,000,000" in text and not manifest_of(short)["as_the_standard_asks"], (
        text)
    report = json.loads(subprocess.run([LAB, "assess", "--json", short], capture_output=True,
                                       check=True, timeout=100).stdout)
    assert report["samples"] == 20000 and report["min_entropy"] > 3, report


def settings_and_the_sites_figures_stand_in_the_manifest(folder):
    path = os.path.join(folder, "babbler.bin")
    said = json.loads(run(["BitBabblerWhite,serial=A1", "BitBabblerWhite,serial=B2"], "collect",
                          "--raw", "--device", "bitbabbler:B2", "--settings", "mask=3,rate=1000000",
                          "--assessed-millibits", 2500, "--samples", 5000, "--json", "--out",
                          path)[0])
    manifest = manifest_of(path)
    assert said == manifest and manifest["settings"] == {"mask": "3", "rate": "1000000"}, manifest
    assert (manifest["device"]["serial"] == "B2"
            and manifest["device"]["assessed_millibits_per_sample"] == 2500), manifest


def restarts_switch_the_power_of_the_port(folder):
    path = os.path.join(folder, "power.bin")
    text, _ = run(["hub:ChaosKey"], "collect", "--restart", "--rows", 12, "--columns", 200,
                  "--off-ms", 20, "--out", path)
    assert ("by port-power: the device lost its power" in text
            and "asks for 1,000 restarts" in text), text
    restarts = manifest_of(path)["restarts"]
    assert restarts["method"] == "port-power" and restarts["sp800_90b_restart_set"] == "yes", (
        restarts)
    with open(path, "rb") as file:
        rows = [file.read(200) for _ in range(12)]
    assert len(set(rows)) == 12, "each power-up of the emulated device has another noise"


def a_hub_that_lies_is_found_out_and_reopening_is_labelled(folder):
    path = os.path.join(folder, "liar.bin")
    text, _ = run(["liar:ChaosKey"], "collect", "--restart", "--rows", 3, "--columns", 50,
                  "--out", path)
    assert "by port-reset" in text and "the device stayed" in text, text
    restarts = manifest_of(path)["restarts"]
    assert (restarts["sp800_90b_restart_set"] == "undecided"
            and "port-power" in restarts["weaker_because"]), restarts
    said = run(["ChaosKey"], "collect", "--restart", "--method", "port-power", "--out", path + "2",
               code=1)[1]
    assert "no hub is known above" in said, said
    assert not os.path.exists(path + "2")


def a_matrix_of_reopened_rows_is_labelled_and_can_be_assessed(folder):
    path = os.path.join(folder, "rows.bin")
    text, _ = run(["ChaosKey,seed=5"], "collect", "--restart", "--method", "reopen", "--out", path)
    assert "1000 restarts x 1000 samples by reopen: not a 90B restart set" in text, text
    manifest = manifest_of(path)
    assert not manifest["as_the_standard_asks"], manifest
    assert manifest["restarts"]["meaning"].startswith("not a 90B restart set"), manifest
    done = subprocess.run([LAB, "assess", "--restart", "--initial", "5", "--json", path],
                          capture_output=True, timeout=250)
    assert json.loads(done.stdout)["sane"], done


def what_cannot_be_collected_leaves_nothing(folder):
    empty = os.path.join(folder, "nothing")
    os.mkdir(empty)
    path = os.path.join(empty, "x.bin")
    for devices, arguments, words in (
            ([], ["--raw"], "usb_no_device"),
            (["ChaosKey,gone=40000"], ["--raw"], "after"),
            (["Quantis"], ["--raw"], "conditioned"),
            (["TrueRngPro"], ["--conditioned"], "is raw"),
            (["ChaosKey"], ["--raw", "--settings", "mode=raw"], "bad_option"),
            (["ChaosKey"], ["--raw", "--settings", "mode"], "bad_option"),
            (["ChaosKey"], ["--raw", "--device", "auto:1"], "bad_selector"),
            (["ChaosKey", "ChaosKey"], ["--restart", "--rows", "2"], "ambiguous")):
        said = run(devices, "collect", *arguments, "--out", path, code=1)[1]
        assert words in said, (devices, arguments, said)
        assert os.listdir(empty) == [], os.listdir(empty)
    said = json.loads(run([], "--json", "collect", "--raw", "--out", path, code=1)[0])
    assert "usb_no_device" in said["error"], said
    with open(path + ".manifest.json", "w") as file:
        file.write("old")
    assert "never overwritten" in run(["ChaosKey"], "collect", "--raw", "--out", path, code=1)[1]
    assert os.listdir(empty) == ["x.bin.manifest.json"], os.listdir(empty)


def an_interruption_leaves_nothing(folder):
    path = os.path.join(folder, "interrupted.bin")
    process = subprocess.Popen([EMULATED, "ChaosKey,rate=20000", "--", LAB, "collect", "--raw",
                                "--out", path],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(2)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1 and b"interrupted after" in errors, (process.returncode, errors)
    assert not [name for name in os.listdir(folder) if name.startswith("interrupted")], (
        os.listdir(folder))


def malformed_options_are_refused(folder):
    path = os.path.join(folder, "never.bin")
    for arguments in ([], ["--raw"], ["--out", path], ["--raw", "--restart", "--out", path],
                      ["--raw", "--samples", "999", "--out", path],
                      ["--raw", "--samples", "-1", "--out", path],
                      ["--raw", "--samples", "1e6", "--out", path],
                      ["--raw", "--rows", "10", "--out", path],
                      ["--restart", "--samples", "5000", "--out", path],
                      ["--restart", "--pieces", "--out", path],
                      ["--restart", "--method", "kick", "--out", path],
                      ["--restart", "--off-ms", "0", "--out", path],
                      ["--restart", "--rows", "0", "--out", path],
                      ["--raw", "--assessed-millibits", "8001", "--out", path],
                      ["--raw", "--rate", "0", "--out", path], ["--raw", "--out", path, "more"]):
        run(["ChaosKey"], "collect", *arguments, code=2)
    assert not os.path.exists(path)


def tests_of(report):
    return {one["test"]: one for one in report["tests"]}


def every_test_fails_on_purpose_on_emulated_noise(folder):
    path = os.path.join(folder, "induced.json")
    text, _ = run([], "induce", "--out", path)
    assert ("12 of 12 tests failed on purpose, latched, gave nothing afterwards and worked again; "
            "1 left out" in text), text
    with open(path) as file:
        report = json.load(file)
    assert report["passed"] and report["source"] == {"kind": "emulated", "seed": "1"}, report
    first, second = (report["cutoffs"][level]["alpha_log2"] for level in ("level_1", "level_2"))
    assert first * 2 == second or second == 80, report["cutoffs"]
    found = tests_of(report)
    assert set(found) == {"repetition_count", "start-up", "three level 1 alarms",
                          "adaptive_proportion", "lag", "successor", "most_common_window",
                          "most_common_long", "duplicate_word", "sample_range", "stall", "rate",
                          "stream"}, found
    for name, one in found.items():
        if name == "sample_range":
            assert "left_out" in one and "latch" not in one, one
            continue
        assert (one["passed"] and one["latch"] and one["nothing_after"] and one["works_again"]
                and one["alarms"]), one
    assert (found["stream"]["latch"] == "source_failed"
            and found["stall"]["us_to_latch"] > 2_000_000), found
    again = json.loads(run([], "--json", "induce")[0])
    assert [one["alarms"] for one in again["tests"] if "alarms" in one] == [
        one["alarms"] for one in report["tests"]
        if "alarms" in one], "the same seed gives the same run"
    binary = json.loads(run([], "--json", "induce", "--bits", 1, "--assessed-millibits", 500)[0])
    assert binary["passed"] and "left_out" not in tests_of(binary)["sample_range"], binary
    assert "never overwritten" in run([], "induce", "--out", path, code=1)[1]


def a_recording_is_judged_and_named_by_its_digest(folder):
    path = os.path.join(folder, "recording.bin")
    run(["ChaosKey,seed=9"], "collect", "--raw", "--samples", 200_000, "--out", path)
    report = json.loads(run([], "--json", "induce", "--recording", path, "--assessed-millibits",
                            5000)[0])
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    assert (report["passed"]
            and report["source"]["file"] == {"name": "recording.bin", "bytes": 200_000,
                                             "sha256": digest})
    said = run([], "induce", "--recording", path, "--assessed-millibits", 7999, "--bits", 4,
               code=1)[1]
    assert "more than 4 bits" in said, said
    worn = os.path.join(folder, "worn.bin")
    with open(worn, "wb") as file:
        file.write(bytes(i * i % 7 for i in range(200_000)))
    said = run([], "induce", "--recording", worn, code=1)[1]
    assert "does not pass its own tests before any fault" in said and "level" in said, said
    short = os.path.join(folder, "short")
    with open(short, "wb") as file:
        file.write(bytes(149_999))
    assert "at least 150000" in run([], "induce", "--recording", short, code=1)[1]
    assert "cannot be read" in run([], "induce", "--recording", short + "x", code=1)[1]


def every_test_and_every_check_of_the_driver_fails_on_purpose_on_a_device(folder):
    text, _ = run(["ChaosKey,rate=400000"], "induce", "--device", "chaoskey")
    assert "17 of 17 tests failed on purpose" in text, text
    for words in ("driver: variance",
                  "usb_unhealthy: ChaosKey: the words of its converter vary too little",
                  "driver: unplugged", "usb_gone",
                  "nothing was given; works again without the fault"):
        assert words in text, (words, text)
    assert "usb_no_device" in run([], "induce", "--device", "chaoskey", code=1)[1]


def induce_refuses_malformed_options(folder):
    for arguments in (["--bits", "9"], ["--bits", "0"], ["--seed", "x"],
                      ["--recording", "x", "--device", "auto"], ["--settings", "mode=raw"],
                      ["--device", "auto", "--bits", "8"], ["--assessed-millibits", "0"],
                      ["--rate", "-5"], ["more"]):
        run([], "induce", *arguments, code=2)
    assert "bad_settings" in run([], "induce", "--bits", 2, "--assessed-millibits", 2001, code=1)[1]


# The rows of the supported devices, by their ids: what the stream is and what is claimed for a
# sample, of how many millibits.
SUPPORTED = {"1d50:60c6": ("chaoskey", 8000), "12d8:0001": ("alea", 0),
             "0403:6015": ("infnoise", 1000), "1209:3701": ("infnoise", 1000),
             "0403:7840": ("bitbabbler", 8000), "1d50:6086": ("onerng", 8000),
             "04d8:f5fe": ("truerng", 0), "16d0:0aa0": ("truerng-pro", 8000),
             "04d8:ebb5": ("truerng-pro", 8000), "1fc9:8110": ("swiftrng", 8000),
             "1fc9:8111": ("swiftrng-cdc", 8000), **{f"3975:000{k}": ("swiftrng-cdc", 8000)
                                                     for k in (1, 2, 3, 4)},
                                                     "0aba:0102": ("quantis-usb", 0),
                                                     "234b:0001": ("neug", 0)}


def every_supported_device_is_listed_with_ids_stream_and_claim(_):
    text = subprocess.run([TALLA, "devices", "--supported"], capture_output=True, text=True,
                          check=True, timeout=60).stdout
    lines = [re.fullmatch(r"(\S+) \(([^)]+)\): (\w+), (credited with nothing|(\d+) of (\d+) "
                          r"millibits a sample), [1-9]\d* samples/s "
                          r"\((?:assumed|its (?:clock|maker|author)): [^)]+\); .+", line)
             for line in text.splitlines()]
    assert all(lines), text
    listed = {}
    for model, ids, kind, _, claim, of in (line.groups() for line in lines):
        assert (kind == "raw_physical") == (claim is not None) and (
            claim is None or 0 < int(claim) <= int(of)), model
        assert kind in ("raw_physical", "conditioned_physical"), kind
        listed.update({one: (model, int(of or 0)) for one in ids.split()})
    assert listed == SUPPORTED, listed


def plugging_and_pulling_out_are_seen_while_one_watches(_):
    with subprocess.Popen([EMULATED, "OneRng,serial=7", "ChaosKey,serial=9,later=1", "--", TALLA,
                           "devices", "--watch"],
                          stdout=subprocess.PIPE, text=True) as program:
        late = threading.Timer(60, program.kill)
        late.start()
        seen = []
        for line in program.stdout:
            seen.append(line.strip())
            # it watches; it has seen the device come
            if len(seen) == 1 or "chaoskey 9: usable" in line:
                program.send_signal(signal.SIGUSR1)
            if "pulled out" in line:
                break
        program.send_signal(signal.SIGTERM)
        program.stdout.read()
        late.cancel()
    seen = [line.split(",")[0].split(" at ")[0] for line in seen]
    assert (seen[2:4] in (["onerng 7: usable", "chaoskey 9: usable"],
                          ["chaoskey 9: usable", "onerng 7: usable"])), seen
    assert (seen[:2] + seen[4:] == ["onerng 7: usable", "plugged in 1d50:60c6",
                                    "pulled out 1d50:60c6"]), seen


def tried(devices, path, *options):
    """As short as the machine allows: where too few samples come it does what the report says."""
    for seconds in ("3", "10", "30"):
        done = subprocess.run([EMULATED, *devices, "--", TALLA, "devices", "try", "--seconds",
                               seconds, "--out", path, *options],
                              capture_output=True, text=True, timeout=600)
        with open(path) as file:
            report = json.load(file)
        if "too few samples came" not in done.stdout:
            break
    return done, report


def a_device_is_tried_in_plain_words_and_a_file_and_an_ill_one_is_not_called_well(folder):
    path = os.path.join(folder, "try.json")
    done, report = tried(["ChaosKey,seed=3,rate=480000"], path, "--no-unplug")
    assert done.returncode == 0 and "answers as the emulation does" in done.stdout, (
        done.stdout + done.stderr)
    assert "usable" not in done.stdout.splitlines()[-1] and path in done.stdout, done.stdout
    stages = {stage["name"]: stage["verdict"] for stage in report["stages"]}
    assert stages.pop("unplug") == "not tried" and set(stages.values()) == {"good"}, (
        report["stages"])
    assert (report["model"] == "chaoskey" and report["device"]["serial"] == "0123"
            and not report["differences"]), report
    assert report["verdict"] == "good" and report["dialogue"] and len(report["stream"]) == 8, report
    # Of a set-up in which a device stays silent on purpose, too: the words are another bus's.
    done, report = tried(["OneRng,seed=3,rate=480000"], path, "--no-unplug")
    assert done.returncode == 0 and not report["differences"], (done.stdout, report["differences"])
    done, report = tried(["ChaosKey,seed=3,rate=480000,gone=300000"], path)
    assert done.returncode == 1 and "does not work here yet" in done.stdout, done.stdout
    assert report["verdict"] == "failed" and "usb_gone" in done.stdout, report
    done, report = tried(["SwiftRng,seed=3,rate=480000,ailment=1,onset=1"], path, "--no-unplug")
    assert (done.returncode == 1 and {s["name"]: s["verdict"]
                                      for s in report["stages"]}["health"] == "failed"), done.stdout


FACTS = [a_device_is_tried_in_plain_words_and_a_file_and_an_ill_one_is_not_called_well,
         every_supported_device_is_listed_with_ids_stream_and_claim,
         plugging_and_pulling_out_are_seen_while_one_watches,
         consecutive_raw_samples_have_a_manifest_and_can_be_assessed,
         settings_and_the_sites_figures_stand_in_the_manifest,
         restarts_switch_the_power_of_the_port,
         a_hub_that_lies_is_found_out_and_reopening_is_labelled,
         a_matrix_of_reopened_rows_is_labelled_and_can_be_assessed,
         what_cannot_be_collected_leaves_nothing, an_interruption_leaves_nothing,
         malformed_options_are_refused, every_test_fails_on_purpose_on_emulated_noise,
         a_recording_is_judged_and_named_by_its_digest,
         every_test_and_every_check_of_the_driver_fails_on_purpose_on_a_device,
         induce_refuses_malformed_options]

if __name__ == "__main__":
    PROGRAMS = os.path.abspath(sys.argv[1])
    LAB, EMULATED, TALLA = (os.path.join(PROGRAMS, name)
                            for name in ("talla-lab", "emulated_usb", "talla"))
    with tempfile.TemporaryDirectory() as name:
        sys.exit(1 if hold(FACTS, name) else 0)
