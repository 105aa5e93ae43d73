#!/usr/bin/env python3
# Goal: the page's engines are the same bytes from the same source, wherever it lies, and one lie
#   more in a source gives others; what does not compile leaves no module behind.
# Method: a copy of the source in a folder of another name, compiled without the compiler cache,
#   against the module of this build. Two minutes of processor each: with TALLA_LONG=1 alone, and
#   where TALLA_SETTLE built one; else 77. usage: settle_test.py SOURCE_FOLDER FOLDER_OF_PROGRAMS
import os
import shutil
import subprocess
import sys
import tempfile

SOURCE, PROGRAMS = map(os.path.abspath, sys.argv[1:])
BUILT = os.path.join(PROGRAMS, "..", "settle")
FILES = ("settle.wasm.gz", "digest.js")
LEFT_OUT = 77
WRONG = "certs/verify/src/settlement_steps.cpp"


def copied(folder):
    source = os.path.join(folder, "another name", "further down")
    for part in ("certs", "entropy/base", "shuffle", "games", "rngd/web", "rngd/packaging"):
        shutil.copytree(f"{SOURCE}/{part}", f"{source}/{part}")
    return source


def settle(source, out):
    return subprocess.run([f"{source}/rngd/packaging/settle", out], text=True, capture_output=True,
                          env={**os.environ, "CCACHE_DISABLE": "1"}, check=False)


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def rewrite(path, old, new):
    text = read(path).decode()
    assert old in text, f"{path} has no {old}"
    with open(path, "w", encoding="utf-8") as out:
        out.write(text.replace(old, new))


def main():
    if not os.path.exists(f"{BUILT}/settle.wasm.gz"):
        print("LEFT OUT: the engines of the page were not built (TALLA_SETTLE)")
        return LEFT_OUT
    if os.environ.get("TALLA_LONG") != "1":
        print("LEFT OUT: two builds of the page's engines are compared with TALLA_LONG=1")
        return LEFT_OUT
    with tempfile.TemporaryDirectory() as folder:
        source = copied(folder)
        done = settle(source, f"{folder}/out")
        assert done.returncode == 0, done.stderr
        for name in FILES:
            assert read(folder, "out", name) == read(BUILT, name), f"{name} differs"
        rewrite(f"{source}/{WRONG}", "settled[i]) != claimed", "settled[i]) == claimed")
        assert settle(source, f"{folder}/other").returncode == 0
        assert read(folder, "other", FILES[0]) != read(BUILT, FILES[0]), "a lie is not in it"
        rewrite(f"{source}/{WRONG}", "settled[i]) == claimed", "settled[i] == claimed")
        assert settle(source, f"{folder}/none").returncode != 0, "it compiles"
        assert not os.path.exists(f"{folder}/none/{FILES[0]}")
    print("the same bytes twice")
    return 0


if __name__ == "__main__":
    sys.exit(main())
