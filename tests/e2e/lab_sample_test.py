#!/usr/bin/env python3
# Goal: `talla-lab sample` gives the results that the mapping gives from a stated seed, the same
#   bytes every time; `talla-lab outcomes` reads them, and a file that was cut, mixed up or said to
#   be of another game is refused.
# Method: every result again in plain Python: HMAC_DRBG of SHA-512 from SP 800-90A and the mapping
#   that the frozen vectors are held against (tests/unit/shuffle/replay.py).
#   usage: lab_sample_test.py FOLDER_OF_PROGRAMS
import hashlib
import hmac
import json
import os
import subprocess
import sys
import tempfile
import tomllib

from facts import hold

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(TREE, "tests", "unit", "shuffle"))
import replay  # noqa: E402

SEED = "00112233445566778899aabbccddeeff" * 2


def run(*arguments, code=0):
    done = subprocess.run([LAB, *map(str, arguments)], capture_output=True, timeout=250)
    text, errors = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == code, (
        f"talla-lab {arguments}: exit {done.returncode}, not {code}\n{text}{errors}")
    return text + errors


def sample(folder, game, count, *arguments, catalogue="es-1977", code=0):
    path = os.path.join(folder, f"{game}-{len(os.listdir(folder))}")
    text = run("sample", catalogue, game, "--count", count, "--seed", SEED, "--out", path,
               *arguments, code=code)
    return path if code == 0 else text


def lines_of(path):
    with open(path, encoding="ascii") as file:
        first, *rest = file.read().splitlines()
    assert first.startswith("# "), first
    return json.loads(first[2:]), rest


class Drbg:
    """HMAC_DRBG (SP 800-90A 10.1.2) of SHA-512."""

    def __init__(self, seed, personalisation):
        self.key, self.value = bytes(64), b"\1" * 64
        self.update(seed + personalisation)

    def mac(self, data):
        return hmac.new(self.key, data, hashlib.sha512).digest()

    def update(self, data):
        for mark in (b"\0", b"\1") if data else (b"\0",):
            self.key = self.mac(self.value + mark + data)
            self.value = self.mac(self.value)

    def generate(self, count):
        out = b""
        while len(out) < count:
            self.value = self.mac(self.value)
            out += self.value
        self.update(b"")
        return out[:count]


def drbg_of(manifest):
    seed = hashlib.sha512(b"talla-lab sample v1" + bytes.fromhex(manifest["seed"])).digest()
    parameters = json.dumps(manifest["parameters"], sort_keys=True, separators=(",", ":"))
    return Drbg(seed, f"{manifest['catalogue']} {manifest['game']} {parameters}".encode())


def drawn(drbg, bounds):
    bits = drbg.generate(64)
    return replay.draw(replay.hmac_tape(bits[:32], "draw", [bits[32:]]), bounds)


def shuffled(drbg, cards, bytes_count):
    bits = drbg.generate(bytes_count)
    while True:
        try:
            return replay.permutation(replay.entropy_tape(bits), cards)
        except EOFError:
            bits += drbg.generate(8)


def rules_of(catalogue, game):
    with open(os.path.join(TREE, "games", "catalogues", catalogue + ".toml"), "rb") as file:
        text = file.read()
    rules = next(one for one in tomllib.loads(text.decode())["game"] if one["id"] == game)
    return rules, hashlib.sha256(text).hexdigest()


def spins_are_those_of_the_mapping_in_plain_python(folder):
    manifest, spins = lines_of(sample(folder, "french-roulette", 300))
    rules, digest = rules_of("es-1977", "french-roulette")
    assert manifest == {"catalogue": "es-1977", "catalogue_sha256": digest, "count": 300,
                        "format": 1, "game": "french-roulette", "generator": "hmac-drbg-sha-512",
                        "kind": "talla-lab sample", "outcomes": "wheel:37", "parameters": {},
                        "seed": SEED}, manifest
    drbg = drbg_of(manifest)
    pockets = rules["draw"]["pockets"]
    assert spins == [pockets[drawn(drbg, [37])[0]] for _ in range(300)], spins[:5]


def throws_are_those_of_the_mapping_too(folder):
    manifest, throws = lines_of(sample(folder, "craps", 300))
    drbg = drbg_of(manifest)
    assert manifest["outcomes"] == "dice:2x6", manifest
    assert throws == [" ".join(str(one + 1) for one in drawn(drbg, [6, 6])) for _ in range(300)]
    manifest, throws = lines_of(sample(folder, "pai-gow-poker", 50, "--draw",
                                       catalogue="es-aragon-2010"))
    assert manifest["outcomes"] == "dice:3x6", manifest


def shoes_are_those_of_the_mapping_with_words_refused(folder):
    manifest, shoes = lines_of(sample(folder, "punto-banco", 40))
    deck = manifest["outcomes"].removeprefix("shoe:")
    cards = replay.french(int(deck.removeprefix("french52x")))
    drbg = drbg_of(manifest)
    words = 0
    bound = 2
    while bound <= len(cards):  # the batches of MAPPING.md
        product = 1
        while bound <= len(cards) and product * bound < replay.PRODUCT_LIMIT:
            product *= bound
            bound += 1
        words += 1
    assert shoes == [" ".join(shuffled(drbg, cards, 8 * words)) for _ in range(40)]
    short, beginnings = lines_of(sample(folder, "punto-banco", 40, "--first", 6))
    assert short["first"] == 6
    assert beginnings == [" ".join(shoe.split()[:6]) for shoe in shoes]


def the_same_seed_gives_the_same_bytes_and_another_others(folder):
    def content(path):
        with open(path, "rb") as file:
            return file.read()
    one, two = (sample(folder, "boule", 500) for _ in range(2))
    assert content(one) == content(two)
    other = os.path.join(folder, "other")
    run("sample", "es-1977", "boule", "--count", 500, "--seed", SEED[:-1] + "e", "--out", other)
    assert lines_of(other)[1] != lines_of(one)[1]


def outcomes_reads_what_the_first_line_says(folder):
    path = sample(folder, "french-roulette", 20_000)
    report = json.loads(run("--json", "outcomes", path))
    assert report["game"] == "wheel:37" and report["verdict"] == "consistent", report
    assert report["outcomes"] == 20_000
    shoes = sample(folder, "punto-banco", 300, "--first", 6)
    assert json.loads(run("--json", "outcomes", shoes))["outcomes"] == 300
    assert "not wheel:38" in run("outcomes", path, "--game", "wheel:38", code=1)


def a_sample_that_was_cut_or_swapped_is_refused(folder):
    path = sample(folder, "french-roulette", 2_000)
    with open(path, encoding="ascii") as file:
        first, *rest = file.read().splitlines()
    def changed(first, rest):
        name = os.path.join(folder, "changed")
        with open(name, "w", encoding="ascii") as file:
            file.write("\n".join([first, *rest]) + "\n")
        return name
    said = run("outcomes", changed(first, rest[:-1]), code=1)
    assert "says 2000 results, 1999 are in it" in said, said
    craps = sample(folder, "craps", 2_000)
    with open(craps, encoding="ascii") as file:
        other = file.read().splitlines()[0]
    said = run("outcomes", changed(other, rest), code=1)
    assert "line 2" in said, said


def a_wrong_mapping_is_found(folder):
    """Digits taken modulo the pockets instead of by the mapping."""
    path = sample(folder, "french-roulette", 20_000)
    manifest, _ = lines_of(path)
    drbg = drbg_of(manifest)
    biased = [str(drbg.generate(1)[0] % 37) for _ in range(20_000)]
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(["# " + json.dumps(manifest), *biased]) + "\n")
    assert "NOT consistent" in run("outcomes", path, code=3)


def what_cannot_be_sampled_is_refused_and_nothing_is_left(folder):
    there = os.listdir(folder)
    for game, arguments, words in (
            ("never", (), "never"),
            ("craps", ("--first", 3), "is for shoes"),
            ("punto-banco", ("--first", 1000), "cards"),
            ("punto-banco", ("--draw",), "has no draw, but a shoe"),
            ("craps", ("--param", "x"), "NAME=VALUE"),
            ("craps", ("--param", "never=1"), "never")):
        said = sample(folder, game, 10, *arguments, code=1)
        assert words in said, said
    out = os.path.join(folder, "out")
    said = run("sample", "es-1977", "craps", "--count", 1, "--seed", SEED.upper(), "--out", out,
               code=1)
    assert "64 hex digits" in said, said
    run("sample", "es-1977", "craps", "--count", 0, "--seed", SEED, "--out", out, code=2)
    assert os.listdir(folder) == there, os.listdir(folder)
    path = sample(folder, "craps", 10)
    said = run("sample", "es-1977", "craps", "--count", 10, "--seed", SEED, "--out", path, code=1)
    assert "never overwritten" in said, said


if __name__ == "__main__":
    LAB = os.path.join(os.path.abspath(sys.argv[1]), "talla-lab")
    with tempfile.TemporaryDirectory() as name:
        sys.exit(1 if hold([spins_are_those_of_the_mapping_in_plain_python,
                            throws_are_those_of_the_mapping_too,
                            shoes_are_those_of_the_mapping_with_words_refused,
                            the_same_seed_gives_the_same_bytes_and_another_others,
                            outcomes_reads_what_the_first_line_says,
                            a_sample_that_was_cut_or_swapped_is_refused,
                            a_wrong_mapping_is_found,
                            what_cannot_be_sampled_is_refused_and_nothing_is_left], name) else 0)
