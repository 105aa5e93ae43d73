#!/usr/bin/env python3
# Goal: `talla-lab` gives the same figures from a file, a pipe and ASCII digits, judges with its exit code, and says what is wrong.
# Method: the program as a laboratory runs it, on made data with and without a fault.
#   usage: lab_test.py FOLDER_OF_PROGRAMS
import json
import os
import random
import subprocess
import sys
import tempfile
import xml.dom.minidom

from facts import hold

GOOD = random.Random(1).randbytes(500_000)


def run(*arguments, data=None, code=0):
    done = subprocess.run([LAB, *map(str, arguments)], input=data, capture_output=True, timeout=250)
    text, errors = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == code, f"talla-lab {arguments}: exit {done.returncode}, not {code}\n{text}{errors}"
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


def one_bit_of_eight_that_is_too_often_one_is_caught(folder):
    draws = random.Random(2)
    biased = bytes(byte | (0x80 if draws.random() < 0.1 else 0) for byte in GOOD[:125_000])
    text, _ = run("battery", write(folder, biased), code=3)
    assert "NOT consistent" in text, text


def noise_is_assessed_on_both_tracks(folder):
    draws = random.Random(3)
    fair = bytes(draws.getrandbits(4) for _ in range(20_000))
    report = json.loads(run("assess", "--json", "--bits", 4, write(folder, fair))[0])
    assert 2.5 < report["min_entropy"] < 4 and len(report["literal"]) == 7 and len(report["bitstring"]) == 10, report
    sticky = bytes(fair[i - 1] if i % 2 else fair[i] for i in range(20_000))
    assert json.loads(run("assess", "--json", write(folder, sticky))[0])["min_entropy"] < 2.1
    text, _ = run("assess", "--iid", "--rounds", 600, "--no-compression", write(folder, sticky), code=3)
    assert "NOT independent" in text, text
    one = run("assess", "--iid", "--rounds", 300, "--no-compression", "--json", "--threads", 1, write(folder, fair))[0]
    assert one == run("assess", "--iid", "--rounds", 300, "--no-compression", "--json", "--threads", 2, write(folder, fair))[0]


def restarts_and_conditioning_are_judged(folder):
    draws = random.Random(4)
    rows = draws.randbytes(1_000_000)
    report = json.loads(run("assess", "--restart", "--initial", 7, "--json", write(folder, rows))[0])
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
    assert "cannot be written" in run("battery", "--plot", os.path.join(folder, "absent", "x"), odd, code=1)[1]


def errors_say_what_and_where(folder):
    assert "absent" in run("battery", os.path.join(folder, "absent"), code=1)[1]
    text, _ = run("--json", "battery", "--sequences", 2, "-", data=b"01" * 500_100, code=1)
    assert "sequence 2 of 2" in json.loads(text)["error"], text
    run("battery", "--profile", "x", "-", data=b"", code=2)
    said = run("battery", "--serial", 30, "-", data=bytes(125_000), code=1)[1]
    assert "serial = 30" in said and "2 to 16" in said, said
    assert "sample 2 is 9" in run("assess", "--bits", 3, "-", data=b"\1\2\x09", code=1)[1]
    assert "equal" in run("assess", "-", data=bytes(10_000), code=1)[1]
    assert "1,000 restarts" in run("assess", "--restart", "--initial", 1, "-", data=GOOD[:5000], code=1)[1]
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
                            one_bit_of_eight_that_is_too_often_one_is_caught, noise_is_assessed_on_both_tracks,
                            restarts_and_conditioning_are_judged, a_battery_draws_its_p_values, errors_say_what_and_where], name) else 0)
