"""The files of the source: read by what judges pages and by what judges sources."""
import os
import re
import sys

SOURCE = os.path.abspath(sys.argv[1])


def tree():
    """Every file of the source, from its top."""
    found = []
    for folder, below, names in os.walk(SOURCE):
        below[:] = [name for name in below if name not in (".git", "__pycache__") and
                    not (folder == SOURCE and name.startswith("build"))]
        found += [os.path.relpath(os.path.join(folder, name), SOURCE) for name in names]
    return sorted(found)


def read(path):
    with open(f"{SOURCE}/{path}", encoding="utf-8") as file:
        return file.read()


FILES = tree()
TEST_SOURCES = [path for path in FILES if path.startswith("tests/") and
                path.endswith((".cpp", ".hpp"))]
TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|RC_GTEST_PROP|"
                  r"RC_GTEST_FIXTURE_PROP)\(\s*(\w+)\s*,\s*(\w+)", re.M)
