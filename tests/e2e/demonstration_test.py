#!/usr/bin/env python3
# Goal: what rngd/up shows on a running appliance: four pieces of evidence of the table alone, and a
#   shoe and a spin with the number of one who contributes, told in plain words, each verified from
#   its file; what has no number of the contributor is refused as its own.
# Method: rngd/packaging/demonstration, the part of rngd/up behind the build, twice on one real
#   daemon; its lines are read, and the two files are verified by Python too, with the key.
#   usage: demonstration_test.py FOLDER_OF_PROGRAMS
import os
import re
import subprocess
import sys

from appliance import Appliance

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "..", "..", "rngd", "packaging", "demonstration")
VERIFIED = 3  # development keys
GUEST = "talla:guest-1"

# What the demonstration says, in this order; the test of rngd/up reads the same.
EXPECTED = [r"table opened: table-\d+",
            r"shoe sealed: shoe-\d+, 416 cards, commitment [0-9a-f]{16}",
            r"shoe mixed by this client's call: the first card dealt is leaf \d+",
            r"10 cards dealt and opened: (?:[A2-9TJQK][CDHS] ?){10}",
            r"shoe closed: key and tape are open", r"wheel spun: number \d+",
            r"dice rolled: dice \[[1-6],[1-6]\]", r"dealt: burn ", r"bets closed: 2",
            r"dealt: punto-1 ", r"settled \(record \d+\):",
            rf"once more, and {GUEST} puts numbers of its own in",
            rf"table-\d+: {GUEST} is bound to 16 numbers",
            rf"shoe-\d+: mixed by the numbers of the table and of {GUEST} \(record \d+\)",
            r"10 cards dealt and opened: (?:[A2-9TJQK][CDHS] ?){10}",
            r"evidence written: \S+/shoe-with-guest\.talla \(\d+ bytes\)",
            rf"wheel spun by the numbers of appliance, table and {GUEST}: pocket \d+",
            r"evidence written: \S+/spin-with-guest\.talla \(\d+ bytes\)",
            r"verifying offline, with the root certificate alone:",
            rf"and with the key of {GUEST} as one's own \(--mine\):",
            rf"the number of {GUEST} is in the order of this shoe",
            rf"the number of {GUEST} is in this draw",
            rf"refused: the first shoe, as one with a number of {GUEST} \(.*\[not_mine\]",
            r"refused: the same bundle with one byte changed"]


def read(words):
    """The lines of one demonstration, in their order."""
    at = 0
    for line in EXPECTED:
        found = re.compile(line).search(words, at)
        assert found, f"no line with '{line}' behind what came before it in:\n{words}"
        at = found.end()
    assert len(re.findall(r"^verified: ", words, re.MULTILINE)) == 6, words
    spun = re.search(r"wheel spun: number (\d+)", words)[1]
    assert re.search(rf"verified: DRAW \S+ number {spun} \(pocket index \d+\)", words), words


def run(appliance, what):
    done = subprocess.run([SCRIPT, what, appliance.binaries, appliance.folder],
                          capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def main():
    with Appliance(sys.argv[1]) as appliance:
        run(appliance, "prepare")
        run(appliance, "prepare")  # who is enrolled stays as it is
        appliance.start()
        for _ in range(2):
            words = run(appliance, "show")
            read(words)
        print(words)
        key = subprocess.run(
            f"openssl x509 -in {appliance.folder}/clients/{GUEST}.pem -pubkey -noout | openssl "
            "pkey -pubin -outform DER | openssl dgst -sha256 -r", shell=True, capture_output=True,
            text=True, check=True).stdout.split()[0]
        for name, mine in (("shoe-with-guest", True), ("spin-with-guest", True), ("spin", False)):
            done = subprocess.run(
                [sys.executable, f"{HERE}/../verify_bundle.py",
                 f"{appliance.folder}/evidence/{name}.talla", f"{appliance.folder}/ca.pem",
                 "--mine", key], capture_output=True, text=True)
            assert done.returncode == (VERIFIED if mine else 1), done.stdout + done.stderr
            assert (GUEST in done.stdout) == mine, done.stdout


if __name__ == "__main__":
    main()
