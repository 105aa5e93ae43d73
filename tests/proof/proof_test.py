#!/usr/bin/env python3
# Goal: the mapping is proven, and what is proven is what the library does.
# Method: Coq checks shuffle/proof, no theorem rests on anything; planted errors in the definitions
#   break the proofs. The program extracted from the definitions and the library give the same
#   outcomes, words and refusals on all frozen vectors and on random tapes (10,000; TALLA_LONG=1:
#   a million), refused, short and faulty ones among them.
#   usage: proof_test.py SOURCE_FOLDER FOLDER_OF_PROGRAMS theorems | agreement
#   exit code 77: there is no Coq here (never with TALLA_LONG=1)
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [f"{HERE}/../e2e", f"{HERE}/../unit/shuffle"]
import replay  # noqa: E402
from facts import hold  # noqa: E402

SOURCE, PROGRAMS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
PROOF = f"{SOURCE}/shuffle/proof"
LONG = os.environ.get("TALLA_LONG") == "1"
THEORIES = ["Mapping", "Words", "Draws", "Orders", "Counting", "Uniform"]
CLOSED = "Closed under the global context"
# One line of Mapping.v each, and the same with an error that the mapping must not have.
PLANTED = {
    "a refusal forgotten": ("if M %% product bounds <= t.2 then", "if 0 <= t.2 then"),
    "one word too many refused": ("if M %% product bounds <= t.2 then",
                                  "if M %% product bounds < t.2 then"),
    "a batch that takes too much": ("if product (rcons batch b) < L then",
                                    "if product batch < L then"),
    "a remainder kept": ("digits M rest (m %% M) in", "digits M rest (m %/ M) in"),
    "a swap that copies": ("(nth x0 s j)) j (nth x0 s i).", "(nth x0 s j)) i (nth x0 s i)."),
    "Sattolo's bounds": ("iota 2 n.-1.", "iota 1 n.-1."),
    "a die with two equal faces": ("[seq d.+1 | d <- ds] else", "[seq d.-1 | d <- ds] else"),
}


def coqc(folder, name):
    return subprocess.run(["coqc", "-q", "-R", ".", "Talla", f"{name}.v"], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def checked(folder, names):
    """The first theory that Coq refuses, or none."""
    for name in names:
        done = coqc(folder, name)
        if done.returncode != 0:
            return f"{name}: {done.stdout}"
    return None


def copy_of_theories(folder):
    for name in os.listdir(PROOF):
        if name.endswith(".v"):
            shutil.copy(f"{PROOF}/{name}", folder)
    return folder


def every_theorem_is_closed(folder):
    refused = checked(folder, THEORIES)
    assert refused is None, refused
    said = coqc(folder, "Assumptions")
    assert said.returncode == 0, said.stdout
    with open(f"{folder}/Uniform.v", encoding="utf-8") as source:
        theorems = re.findall(r"^Theorem (\w+)", source.read(), re.M)
    with open(f"{folder}/Assumptions.v", encoding="utf-8") as source:
        asked = re.findall(r"^Print Assumptions (\w+)\.", source.read(), re.M)
    assert len(theorems) >= 12 and asked == theorems, (theorems, asked)
    assert said.stdout.split("\n")[:-1] == [CLOSED] * len(theorems), said.stdout


def an_open_theorem_is_noticed(folder):
    with open(f"{folder}/Open.v", "w", encoding="utf-8") as out:
        out.write("From Talla Require Import Mapping.\n"
                  "Lemma open n : order_of n nil = iota 0 n. Proof. Admitted.\n"
                  "Print Assumptions open.\n".replace("iota", "seq.iota"))
    said = coqc(folder, "Open")
    assert said.returncode == 0 and CLOSED not in said.stdout and "open" in said.stdout, said.stdout


def each_planted_error_breaks_the_proof(folder):
    with open(f"{PROOF}/Mapping.v", encoding="utf-8") as source:
        mapping = source.read()
    for name, (right, wrong) in PLANTED.items():
        assert mapping.count(right) == 1, f"{name}: its line is not there once"
        with tempfile.TemporaryDirectory() as other:
            copy_of_theories(other)
            with open(f"{other}/Mapping.v", "w", encoding="utf-8") as out:
                out.write(mapping.replace(right, wrong))
            refused = checked(other, THEORIES)
            assert refused and not refused.startswith("Mapping:"), f"{name}: {refused}"


def extracted(folder):
    """The program made of the definitions."""
    refused = checked(folder, ["Mapping", "Words", "Draws", "Orders", "Counting", "Uniform",
                               "Extract"])
    assert refused is None, refused
    shutil.copy(f"{HERE}/mapped.ml", folder)
    subprocess.run(["ocamlfind", "ocamlopt", "-O3", "-w", "-a", "-package", "zarith", "-linkpkg",
                    "talla_map.mli", "talla_map.ml", "mapped.ml", "-o", "mapped"],
                   cwd=folder, check=True, capture_output=True)
    return f"{folder}/mapped"


def answers(program, requests):
    done = subprocess.run([program], input="\n".join(requests) + "\n", stdout=subprocess.PIPE,
                          text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == len(requests), f"{program}: {len(lines)} of {len(requests)} answers"
    return lines


def vector_request(vector):
    """What the definitions have to map for a frozen vector, or none (plain words)."""
    kind, ask = vector["kind"], vector["ask"]
    tape = replay.make_tape(vector)
    for _ in range(vector["words_used"]):
        tape.word()
    # What the vector consumed and no more: a definition that wants another word has none.
    data = tape.consumed().hex() or "-"
    if kind in ("permutation", "shelf"):
        return f"order {ask if kind == 'permutation' else ask[0]} {data}"
    if kind in ("shoe", "sorting"):
        return f"order {len(replay.DECKS[ask])} {data}"
    if kind in ("wheel", "insertion"):
        return f"wheel {ask + (kind == 'insertion')} {data}"
    if kind == "dice":
        return f"dice {ask[0]} {ask[1]} {data}"
    if kind == "indices":
        return f"lots {','.join(ask)} {data}"
    return None


def vector_outcome(vector, values):
    kind, ask = vector["kind"], vector["ask"]
    if kind == "shoe":
        return " ".join(replay.DECKS[ask][i] for i in values)
    if kind == "sorting":
        return replay.sorting([replay.DECKS[ask][i] for i in values], replay.DECKS[ask])
    if kind == "shelf":
        return replay.shelf(values, ask[1], ask[2])
    if kind in ("wheel", "insertion"):
        return values[0]
    if kind == "indices":
        return [str(one) for one in values]
    return values


def frozen_vectors_are_what_the_definitions_say(mapped):
    with open(f"{SOURCE}/tests/unit/shuffle/vectors.json", encoding="utf-8") as source:
        vectors = json.load(source)["vectors"]
    asked = [(one, vector_request(one)) for one in vectors]
    asked = [(one, request) for one, request in asked if request]
    assert len(asked) == sum(one["kind"] != "words" for one in vectors) >= 80
    for (vector, _), line in zip(asked, answers(mapped, [request for _, request in asked])):
        what, *numbers = line.split()
        assert what == "drawn", (vector["kind"], vector["ask"], line)
        used, refused, *values = [int(one) for one in numbers]
        assert used == vector["words_used"] and refused == vector["words_rejected"], vector["ask"]
        assert vector_outcome(vector, values) == vector["outcome"], (vector["kind"], vector["ask"])


def random_tape(source, words):
    """Random words; among them small ones (often refused), runs of them, ends in the middle."""
    data = [source.getrandbits(64) for _ in range(words)]
    manner = source.randrange(20)
    if manner < 5:
        for _ in range(source.randrange(1, 4)):
            if data:
                data[source.randrange(len(data))] = source.choice([0, 1, source.getrandbits(50)])
    elif manner == 5:
        at = source.randrange(len(data) + 1)
        data[at:at] = [0] * source.choice([63, 64, 65, 66, 70])
    elif manner == 6:
        data = data[:source.randrange(len(data) + 1)]
    tail = source.randbytes(source.randrange(8) if source.randrange(10) == 0 else 0)
    return (b"".join(word.to_bytes(8, "big") for word in data) + tail).hex() or "-"


def random_bound(source):
    limit = 1 << 56
    return source.choice([
        source.randrange(1, 100), source.randrange(1, 1 << 16), source.randrange(1, 1 << 32),
        source.randrange(1, limit), 1 << source.randrange(56), limit - source.randrange(1, 4),
        source.choice([0, limit, limit + 1]) if source.randrange(8) == 0 else 37])


def random_request(source):
    manner = source.randrange(1000)
    if manner < 350:
        n = source.randrange(21)
    elif manner < 600:
        n = source.randrange(21, 105)
    elif manner < 604:
        n = source.choice([208, 312, 416])
    elif manner < 605:
        n = 1024
    elif manner < 700:
        return f"wheel {source.choice([0, 1, 2, 37, 38, 54, 64])} {random_tape(source, 2)}"
    elif manner < 800:
        return (f"dice {source.randrange(1, 52)} {source.choice([1, 2, 6, 6, 8, 20])} "
                f"{random_tape(source, 4)}")
    else:
        bounds = [random_bound(source) for _ in range(source.randrange(7))]
        return f"lots {','.join(map(str, bounds)) or '-'} {random_tape(source, 7)}"
    return f"order {n} {random_tape(source, n // 6 + 3)}"


def random_tapes_give_the_same(mapped):
    source, kinds, refusals = random.Random(24), collections.Counter(), 0
    left = 1_000_000 if LONG else 10_000
    while left > 0:
        requests = [random_request(source) for _ in range(min(left, 20_000))]
        left -= len(requests)
        theirs, ours = answers(mapped, requests), answers(f"{PROGRAMS}/mapped", requests)
        for request, proven, library in zip(requests, theirs, ours):
            assert proven == library, f"{request}\n  proven  {proven}\n  library {library}"
            kinds[library.split()[0]] += 1
            refusals += library.startswith("drawn") and library.split()[2] != "0"
    print(f"tapes: {dict(kinds)}, {refusals} outcomes behind refused words", flush=True)
    assert set(kinds) == {"drawn", "exhausted", "fault", "refused"} and refusals > 100, kinds


def main():
    tools = ["coqc"] if sys.argv[3] == "theorems" else ["coqc", "ocamlfind", "ocamlopt"]
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        print(f"{' and '.join(missing)} not here: rngd/packaging/dependencies check installs it")
        return 1 if LONG else 77
    with tempfile.TemporaryDirectory() as folder:
        copy_of_theories(folder)
        if sys.argv[3] == "theorems":
            return hold([every_theorem_is_closed, an_open_theorem_is_noticed,
                         each_planted_error_breaks_the_proof], folder)
        return hold([frozen_vectors_are_what_the_definitions_say, random_tapes_give_the_same],
                    extracted(folder))


if __name__ == "__main__":
    sys.exit(main())
