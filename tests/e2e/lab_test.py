#!/usr/bin/env python3
# Goal: `talla-lab` gives the same figures from a file, a pipe and ASCII digits, judges with its
#   exit code, and says what is wrong.
# Method: the program as a laboratory runs it, on made data with and without a fault.
#   usage: lab_test.py FOLDER_OF_PROGRAMS
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import xml.dom.minidom

from facts import hold

GOOD = random.Random(1).randbytes(500_000)


def run(*arguments, data=None, code=0):
    done = subprocess.run([LAB, *map(str, arguments)], input=data, capture_output=True, timeout=250)
    text, errors = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == code, (
        f"talla-lab {arguments}: exit {done.returncode}, not {code}\n{text}{errors}")
    return text, errors


def rows(text):
    return [row["p"] for row in json.loads(text)["rows"]]


def good_bits_are_consistent(folder):
    text, _ = run("battery", write(folder, GOOD))
    assert "consistent with random bits" in text and "4 sequences" in text, text


def one_json_object_holds_every_row_and_p_value(folder):
    report = json.loads(run("battery", "--json", "--profile", "corrected", write(folder, GOOD))[0])
    assert report["verdict"] == "consistent" and len(report["rows"]) == 188
    assert all(len(row["p"]) == 4 for row in report["rows"])


def a_pipe_and_ascii_digits_give_the_same_p_values(folder):
    whole = run("battery", "--json", write(folder, GOOD))[0]
    assert rows(run("battery", "--json", "--sequences", 4, "-", data=GOOD)[0]) == rows(whole)
    digits = "".join(f"{byte:08b}" for byte in GOOD[:125_000]).encode()
    assert rows(run("battery", "--json", "-", data=digits)[0]) == [p[:1] for p in rows(whole)]
    assert rows(run("battery", "--json", "--threads", 1, write(folder, GOOD))[0]) == rows(whole)


def the_figures_of_a_sequence_are_those_of_the_examples_of_the_standard(folder):
    # SP 800-22 Rev. 1a, 2.1.8, 2.3.8 and 2.13.8: the first 100 binary digits of pi. Other tests
    # need far longer sequences, so of all rows together nothing follows (exit 3).
    digits = ("11001001000011111101101010100010001000010110100011"
              "00001000110100110001001100011001100010100010111000")
    path = write(folder, (digits + "\n").encode())
    report = json.loads(run("battery", "--json", "--figures", "--length", 100, path,
                            code=3)[0])
    found = {(row["test"], row["item"]): row for row in report["rows"]}
    frequency, runs = found["Frequency", ""], found["Runs", ""]
    assert frequency["figures"] == {"partial sum": -16}, frequency
    assert abs(frequency["p"][0] - 0.109599) < 5e-7, frequency
    assert runs["figures"] == {"share of ones": 0.42, "runs": 52}, runs
    assert abs(runs["p"][0] - 0.500798) < 5e-7, runs
    sums = next(row for row in report["rows"] if row["test"] == "CumulativeSums")
    walk = [sum(2 * int(one) - 1 for one in digits[:k]) for k in range(101)]
    assert sums["figures"] == {
        "largest partial sum, forward": max(map(abs, walk)),
        "largest partial sum, reverse": max(abs(walk[100] - one) for one in walk)}, sums
    assert abs(sums["p"][0] - 0.219194) < 5e-7, sums
    assert not report["rest_untested"]
    text, _ = run("battery", "--figures", "--length", 100, path, code=3)
    assert "partial sum -16\n" in text and "share of ones 0.42\n" in text, text
    both = write(folder, (digits + digits).encode())
    text, _ = run("battery", "--length", 100, both, code=3)
    assert "Bits behind the last sequence were not tested." in text, text
    _, said = run("battery", "--figures", "--length", 100, "--sequences", 2, both, code=1)
    assert "--sequences 1" in said, said


def one_bit_of_eight_that_is_too_often_one_is_caught(folder):
    draws = random.Random(2)
    biased = bytes(byte | (0x80 if draws.random() < 0.1 else 0) for byte in GOOD[:125_000])
    text, _ = run("battery", write(folder, biased), code=3)
    assert "NOT consistent" in text, text


def noise_is_assessed_on_both_tracks(folder):
    draws = random.Random(3)
    fair = bytes(draws.getrandbits(4) for _ in range(20_000))
    report = json.loads(run("assess", "--json", "--bits", 4, write(folder, fair))[0])
    assert (2.5 < report["min_entropy"] < 4 and len(report["literal"]) == 7
            and len(report["bitstring"]) == 10), report
    sticky = bytes(fair[i - 1] if i % 2 else fair[i] for i in range(20_000))
    assert json.loads(run("assess", "--json", write(folder, sticky))[0])["min_entropy"] < 2.1
    text, _ = run("assess", "--iid", "--rounds", 600, "--no-compression", write(folder, sticky),
                  code=3)
    assert "NOT independent" in text, text
    one = run("assess", "--iid", "--rounds", 300, "--no-compression", "--json", "--threads", 1,
              write(folder, fair))[0]
    assert (one == run("assess", "--iid", "--rounds", 300, "--no-compression", "--json",
                       "--threads", 2, write(folder, fair))[0])


def few_permutations_call_nothing_a_failure(folder):
    """100 rounds leave a statistic open sooner or later; the standard calls it failed after
    10,000."""
    draws = random.Random(11)
    verdicts = set()
    for seed in range(4):
        data = bytes(draws.getrandbits(4) for _ in range(5000))
        done = subprocess.run([LAB, "assess", "--iid", "--rounds", "100", "--no-compression",
                               "--json", "--seed", str(seed), write(folder, data)],
                               capture_output=True, timeout=100)
        report = json.loads(done.stdout)
        verdicts.add(report["verdict"])
        assert done.returncode == {"iid": 0, "more-rounds": 4}[report["verdict"]], report["verdict"]
    assert "more-rounds" in verdicts, verdicts


def a_million_samples_take_at_most_110_megabytes(folder):
    """Also when most of memory could go to one long repeat (and its shorter ones)."""
    with open(LAB, "rb") as file:
        if b"__asan_init" in (program := file.read()) or b"__tsan_init" in program:
            return  # a sanitizer takes memory of its own
    half = random.Random(10).randbytes(500_000)
    child = subprocess.Popen([LAB, "assess", "--json", write(folder, 2 * half)],
                             stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0 and usage.ru_maxrss * 1024 <= 110e6, (
        child.returncode, usage.ru_maxrss)


def an_empty_file_gives_no_figures(folder):
    empty = write(folder, b"")
    for command in ("battery", "assess"):
        text, errors = run(command, empty, code=1)
        assert not text and ("is empty" in errors
                             or "no samples" in errors), (command, text, errors)
    text = run("figures", empty, code=4)[0]
    assert "0 bytes" in text and "nan" not in text and "needs" in text, text


def restarts_and_conditioning_are_judged(folder):
    draws = random.Random(4)
    rows = draws.randbytes(1_000_000)
    report = json.loads(run("assess", "--restart", "--initial", 7, "--json",
                            write(folder, rows))[0])
    assert report["valid"] and report["sane"] and 6.5 < report["min_entropy"] <= 7, report
    same = b"".join(draws.randbytes(1) * 1000 for _ in range(1000))
    assert "FAILED" in run("assess", "--restart", "--initial", 7, write(folder, same), code=3)[0]
    vetted = json.loads(run("assess", "--conditioning", 512, 256, 256, 256, "--json")[0])
    assert vetted["min_entropy"] == 255 and vetted["vetted"], vetted


def drawing(path, *words):
    """The texts of an SVG file, read by an XML parser."""
    with open(path, "rb") as file:
        root = xml.dom.minidom.parse(file).documentElement
    assert root.tagName == "svg" and root.getAttribute("viewBox"), root.tagName
    texts = " | ".join(node.firstChild.data for node in root.getElementsByTagName("text"))
    assert all(word in texts for word in words), texts
    assert "nan" not in texts and "inf" not in texts, texts


def a_battery_draws_its_p_values(folder):
    path = os.path.join(folder, "p <&>.svg")
    odd = os.path.join(folder, "data <&\x01>")
    with open(odd, "wb") as file:
        file.write(GOOD)
    run("battery", "--plot", path, odd)
    drawing(path, "p-value", "p-values in a class", "188 rows of 4 sequences")
    assert ("cannot be written" in run("battery", "--plot", os.path.join(folder, "absent", "x"),
                                       odd, code=1)[1])


def manifest(path, data, **changes):
    """What `talla-lab collect` writes beside samples, as far as a document takes it over."""
    about = {"kind": "talla-lab collection", "format": 1, "purpose": "sequential",
             "as_the_standard_asks": False, "settings": {"mask": "15"},
             "device": {"model": "bitbabbler", "serial": "KWIGKC", "class": "raw_physical"},
             "samples": {"count": len(data), "width_bits": 4},
             "file": {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}}
    about.update(changes)
    with open(path + ".manifest.json", "w", encoding="ascii") as file:
        file.write(json.dumps(about))


def a_document_is_about_the_unit_whose_samples_were_assessed(folder):
    draws = random.Random(6)
    noise = bytes(draws.getrandbits(4) for _ in range(20_000))
    path, out = write(folder, noise), os.path.join(folder, "assessment.json")
    asked = ("assess", "--document", out, path)
    assert "manifest.json" in run(*asked, code=1)[1], "whose samples are these?"
    manifest(path, noise)
    said, _ = run(*asked)
    text = open(out, "rb").read()
    got = json.loads(text)
    least = json.loads(run("assess", "--json", "--bits", 4, path)[0])["min_entropy"]
    assert got["min_entropy_millibits"] == int(least * 1000), (got, least)
    assert got["device"] == {"model": "bitbabbler", "serial": "KWIGKC", "class": "raw_physical",
                             "settings": {"mask": "15"}}, got
    assert got["samples"]["sha256"] == hashlib.sha256(noise).hexdigest(), got
    assert got["samples"]["as_the_standard_asks"] is False, got
    for line in ('serial = "KWIGKC"', 'settings = "mask=15"',
                 f'assessed_millibits = {int(least * 1000)}',
                 f'assessment = "{hashlib.sha256(text).hexdigest()}"',
                 'assessment_file = "assessment.json"'):
        assert line in said, (line, said)
    assert "never overwritten" in run(*asked, code=1)[1]
    os.remove(out)
    for more in (("--bits", 4), ("--first-bits", 9000), ("--conditioned",),
                 ("--iid", "--rounds", 100), ("--iid", "--no-compression")):
        assert "the whole assessment" in run(*asked, *more, code=1)[1], more
    assert "these tests need restart ones" in run(*asked, "--restart", "--initial", 4, code=1)[1]
    manifest(path, noise[::-1])
    assert "these are not the samples" in run(*asked, code=1)[1]
    manifest(path, noise, purpose="conditioned")
    assert "these tests need sequential ones" in run(*asked, code=1)[1]
    # Data that fail the test they were put to yield no document.
    stuck = bytes(draws.getrandbits(4) if draws.random() < 0.5 else 3 for _ in range(20_000))
    doubled = bytes(x for x in stuck[:10_000] for _ in range(2))
    manifest(write(folder, doubled), doubled)
    run(*asked, "--iid", code=3)
    assert not os.path.exists(out)
    os.remove(path + ".manifest.json")


def noise_is_drawn_beside_its_assessment(folder):
    path = os.path.join(folder, "noise.svg")
    draws = random.Random(5)
    noise = bytes(draws.getrandbits(4) for _ in range(20_000))
    run("assess", "--plot", path, "--json", write(folder, noise))
    drawing(path, "Autocorrelation", "Spectrum", "Samples", "frequency, cycles per sample",
            "20,000 samples")
    assert ("no samples to draw" in run("assess", "--conditioning", 8, 8, 8, 8, "--plot", path,
                                        code=1)[1])


def blocks_of_good_bits_fail_as_often_as_stated(folder):
    data = random.Random(6).randbytes(20_000_000)
    path = os.path.join(folder, "blocks.svg")
    for name in ("fips-140-2", "fips-140-1"):
        report = json.loads(run("blocks", "--set", name, "--json", "--plot", path,
                                write(folder, data))[0])
        assert (report["verdict"] == "consistent" and report["blocks"] == 7999
                and report["bytes_left"] == 2496), report
        drawing(path, "p-value", "7,999 p-values")
    text, _ = run("blocks", write(folder, data))
    assert "consistent with ideal bits" in text and "one block in 1257" in text, text
    some = json.loads(run("blocks", "--set", "ais-31", "--blocks", 100, "--json", "-",
                          data=data[:500_000])[0])
    assert (some["blocks"] == 100
            and [row["test"] for row in some["tests"]][-2:] == ["autocorrelation", "any test"])
    digits = "".join(f"{byte:08b}" for byte in data[:25_004]).encode()
    from_digits = json.loads(run("blocks", "--json", "-", data=digits)[0])
    from_bytes = json.loads(run("blocks", "--json", "-", data=data[:25_004])[0])
    assert from_digits == from_bytes and from_bytes["blocks"] == 10, (from_digits, from_bytes)


def blocks_with_a_bias_or_chosen_for_beauty_are_caught(folder):
    draws = random.Random(7)
    biased = bytes(draws.getrandbits(8) | (draws.random() < 0.2) for _ in range(250_004))
    text, _ = run("blocks", write(folder, biased), code=3)
    assert "NOT consistent" in text and "failed first: block" in text, text
    report = json.loads(run("blocks", "--json", write(folder, biased), code=3)[0])
    assert sum(len(one["tests"]) for one in report["failed_first"]) == sum(
        row["failed"] for row in report["tests"][:-1]), report
    # one block that passes, 20,000 times; not even the continuous test sees it
    good = random.Random(8).randbytes(2500)
    assert "too few mean" in run("blocks", "-", data=good[:4] + 20_000 * good, code=3)[0]


def procedures_of_ais_31_pass_repeat_reject_and_say_what_is_missing(folder):
    data = bytearray(random.Random(9).randbytes(2_100_000))
    report = json.loads(run("blocks", "--set", "ais-31-a", "--json", write(folder, data))[0])
    assert report["verdict"] == "consistent" and len(report["rounds"]) == 1, report
    assert report["rounds"][0]["bits"] == 48 * 65536 + 257 * 20_000, report
    assert "PASSED" in run("blocks", "--set", "ais-31-b", write(folder, data))[0]
    assert ("no blocks" in run("blocks", "--set", "ais-31-b", "--plot", "x", write(folder, data),
                               code=1)[1])
    data[6:12] = data[:6]
    text, _ = run("blocks", "--set", "ais-31-a", write(folder, data))
    assert "PASSED: one failure in the first round" in text and "FAILED T0" in text, text
    text, _ = run("blocks", "--set", "ais-31-a", write(folder, data[:1_500_000]), code=4)
    assert "too little data" in text and "repeated once" in text, text
    data[400_000:400_010] = bytes(10)
    assert "FAILED: 2 tests" in run("blocks", "--set", "ais-31-a", write(folder, data), code=3)[0]
    assert "T6b" in run("blocks", "--set", "ais-31-b", write(folder, data[:30_000]), code=4)[0]


def figures_of_ent(folder):
    """Digit for digit, where the program is installed."""
    draws = random.Random(10)
    english = b"It was the best of times, it was the worst of times. " * 400
    for data in (GOOD, english, bytes(draws.choice(b"ab") for _ in range(10_000)),
                 draws.randbytes(1281), bytes(2000)):
        path = write(folder, data)
        for option, flag in ((), ()), (("--bits",), ("-b",)):
            good = data is GOOD or len(data) == 1281
            text, _ = run("figures", *option, path, code=0 if good else 3)
            if not shutil.which("ent"):
                continue
            ent = subprocess.run(["ent", *flag, path], capture_output=True, text=True,
                                 check=True).stdout
            mine = {line[:20].strip(): line[20:].split() for line in text.splitlines()
                    if len(line) > 20}
            for name, place, pattern in (
                    ("entropy", 0, r"Entropy = (\S+) bits"),
                    ("compression", 0, r"by (\d+) percent"),
                    ("chi-square", 0, r"samples is (\S+), and"),
                    ("mean", 0, r"data (?:bytes|bits) is (\S+)"),
                    ("pi by Monte Carlo", 0, r"Pi is (\S+) "), ("error", 0, r"error (\S+) percent"),
                    ("serial correlation", 0, r"coefficient is (-?[\d.]+) ")):
                theirs = re.search(pattern, ent)
                if theirs:
                    assert mine[name][place] == theirs[1], (name, mine[name], ent)
                else:
                    assert "all values are equal" in text and "undefined" in ent, (name, ent)
            chance = re.search(r"would exceed this value (.*?) percent", ent)[1]
            assert " ".join(mine["larger by chance"]).replace(" percent", "") == chance, (mine, ent)


def figures_are_judged_and_drawn(folder):
    path = os.path.join(folder, "figures.svg")
    report = json.loads(run("figures", "--json", "--plot", path, write(folder, GOOD))[0])
    assert (report["verdict"] == "consistent"
            and set(report["p"]) == {"chi_square", "mean", "pi", "serial_correlation"})
    drawing(path, "value of a byte", "500,000 samples", "expected")
    assert (report == json.loads(run("figures", "--json", "-",
                                     data=GOOD)[0]) | {"file": report["file"]})
    counting = bytes(range(256)) * 40  # every value equally often: too good
    assert "NOT consistent" in run("figures", write(folder, counting), code=3)[0]
    assert "Too little data" in run("figures", "-", data=b"abc", code=4)[0]
    assert json.loads(run("figures", "--json", "-", data=b"", code=4)[0])["verdict"] == "more-data"


def monitors_watch_a_file_as_they_watch_the_appliance(folder):
    path = os.path.join(folder, "paths.svg")
    draws = random.Random(11)
    report = json.loads(run("monitor", "--as", "bits", "--json", "--plot", path,
                            write(folder, GOOD))[0])
    assert report["verdict"] == "consistent" and [one["name"] for one in report["monitors"]] == [
        "bits/ones", "bits/bytes", "bits/nibbles"], report
    drawing(path, "monitors of", "bits/ones")
    spins = " ".join(str(draws.randrange(37)) for _ in range(20_000)).encode()
    assert ("consistent with the claim" in run("monitor", "--as", "numbers", "--size", 37, "-",
                                               data=spins)[0])
    tilted = " ".join(str(7 if draws.random() < 0.02 else draws.randrange(37))
                      for _ in range(20_000)).encode()
    said = run("monitor", "--as", "numbers", "--size", 37, "-", data=tilted, code=3)[0]
    assert "alarm of numbers/frequency after" in said and "NOT consistent" in said, said
    deck = [kind for kind in range(52) for _ in range(2)]
    shoes = "\n".join(" ".join(map(str, draws.sample(deck, len(deck)))) for _ in range(60)).encode()
    run("monitor", "--as", "shoes", "--size", 52, "--copies", 2, "-", data=shoes)
    alike = "\n".join([" ".join(map(str, draws.sample(deck, len(deck))))] * 60).encode()
    said = run("monitor", "--as", "shoes", "--size", 52, "--copies", 2, "-", data=alike, code=3)[0]
    assert "alarm of shoes/position" in said, said
    noise = bytes(draws.randrange(16) for _ in range(300_000))
    run("monitor", "--as", "noise", "--min-entropy", 3.9, write(folder, noise))
    said = json.loads(run("monitor", "--as", "noise", "--min-entropy", 4.3, "--json",
                          write(folder, noise), code=3)[0])
    assert said["verdict"] == "not-consistent" and said["monitors"][0]["seen"] == 131072, said


def errors_say_what_and_where(folder):
    assert "absent" in run("battery", os.path.join(folder, "absent"), code=1)[1]
    text, _ = run("--json", "battery", "--sequences", 2, "-", data=b"01" * 500_100, code=1)
    assert "sequence 2 of 2" in json.loads(text)["error"], text
    run("battery", "--profile", "x", "-", data=b"", code=2)
    said = run("battery", "--serial", 30, "-", data=bytes(125_000), code=1)[1]
    assert "serial = 30" in said and "2 to 16" in said, said
    assert "sample 2 is 9" in run("assess", "--bits", 3, "-", data=b"\1\2\x09", code=1)[1]
    assert "equal" in run("assess", "-", data=bytes(10_000), code=1)[1]
    assert ("1,000 restarts" in run("assess", "--restart", "--initial", 1, "-", data=GOOD[:5000],
                                    code=1)[1])
    assert "byte 3 is neither" in run("blocks", "--format", "ascii", "-", data=b"010x", code=1)[1]
    assert ("byte 2 is neither" in run("figures", "--format", "ascii", "-", data=b"01\xff",
                                       code=1)[1])
    assert "too little data" in run("blocks", "-", data=bytes(2503), code=4)[0]
    assert json.loads(run("blocks", "--json", "-", data=b"", code=4)[0])["verdict"] == "more-data"
    assert "absent" in run("blocks", os.path.join(folder, "absent"), code=1)[1]
    assert ("take the bits" in run("blocks", "--set", "ais-31-a", "--blocks", 3, "-", data=b"",
                                   code=1)[1])
    run("blocks", "--set", "fips-140-3", "-", data=b"", code=2)
    assert ("131072 samples" in run("monitor", "--as", "noise", "--min-entropy", 4, "-",
                                    data=GOOD[:1000], code=4)[0])
    assert "needs --min-entropy" in run("monitor", "--as", "noise", "-", data=GOOD, code=1)[1]
    said = run("monitor", "--as", "numbers", "--size", 37, "-", data=b"1 2\n36 37", code=1)[1]
    assert "line 2: numbers from 0 to 36" in said, said
    said = run("monitor", "--as", "shoes", "--size", 4, "--copies", 1, "-", data=b"0 1 2\n3 3",
               code=1)[1]
    assert "line 2: more of a card" in said, said
    run("monitor", "--as", "cards", "-", data=b"", code=2)
    assert "h_in" in run("assess", "--conditioning", 8, 8, 8, 9, code=1)[1]


def write(folder, data):
    path = os.path.join(folder, "data")
    with open(path, "wb") as file:
        file.write(data)
    return path


if __name__ == "__main__":
    LAB = os.path.join(os.path.abspath(sys.argv[1]), "talla-lab")
    with tempfile.TemporaryDirectory() as name:
        sys.exit(1 if hold([good_bits_are_consistent, one_json_object_holds_every_row_and_p_value,
                            a_pipe_and_ascii_digits_give_the_same_p_values,
                            the_figures_of_a_sequence_are_those_of_the_examples_of_the_standard,
                            one_bit_of_eight_that_is_too_often_one_is_caught,
                            noise_is_assessed_on_both_tracks,
                            few_permutations_call_nothing_a_failure,
                            a_million_samples_take_at_most_110_megabytes,
                            an_empty_file_gives_no_figures, restarts_and_conditioning_are_judged,
                            a_battery_draws_its_p_values, noise_is_drawn_beside_its_assessment,
                            a_document_is_about_the_unit_whose_samples_were_assessed,
                            blocks_of_good_bits_fail_as_often_as_stated,
                            blocks_with_a_bias_or_chosen_for_beauty_are_caught,
                            procedures_of_ais_31_pass_repeat_reject_and_say_what_is_missing,
                            figures_of_ent, figures_are_judged_and_drawn,
                            monitors_watch_a_file_as_they_watch_the_appliance,
                            errors_say_what_and_where], name) else 0)
