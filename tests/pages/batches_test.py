#!/usr/bin/env python3
# Goal: every kind of build compiles: it joins sources of a folder in batches of its own size.
# Method: the names that sources keep to themselves, none of them twice in a folder. The check is
#   first shown what is wrong, and what looks so.
#   usage: batches_test.py SOURCE_FOLDER FOLDER_OF_PROGRAMS
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, f"{HERE}/../e2e"]
from batches import batch_faults  # noqa: E402
from facts import hold  # noqa: E402

SOURCE = os.path.abspath(sys.argv[1])
# Every source here is a program, or a test program's only one.
PROGRAMS_BELOW = ("tests/bench/", "tests/fuzz/", "tests/kernel/", "tests/unit/usb/")


def sources():
    for folder, below, names in os.walk(SOURCE):
        below[:] = [name for name in below if name not in (".git", "node_modules") and
                    not (folder == SOURCE and name.startswith("build"))]
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), SOURCE)
            if name.endswith(".cpp") and not path.startswith(PROGRAMS_BELOW):
                with open(f"{SOURCE}/{path}", encoding="utf-8") as file:
                    yield path, file.read()


def kept(*lines, namespace="talla"):
    return "\n".join([f"namespace {namespace} {{", "namespace {", *lines, "}  // namespace", "}"])


def a_name_of_two_sources_is_found():
    for one, other in (("constexpr int a = 1;", "constexpr std::uint64_t a = 1;"),
                       ("const Context a{", "const Context a{"), ("struct A {", "class A final {"),
                       ("using A = int;", "using A = long;"), ("constexpr char a[] = {", "enum a {")):
        faults = list(batch_faults({"b/c.cpp": kept(one), "b/d.cpp": kept(other)}))
        assert faults, (one, other)


def names_apart_and_functions_may_stand():
    for one, other in (("constexpr int a = 1;", "constexpr int b = 1;"),
                       ("void a(int b) {", "void a(long b) {"), ("struct A;", "struct A;"),
                       ("using A = int;", "using A = int;"), ("  int a = 1;", "  int a = 1;")):
        faults = list(batch_faults({"b/c.cpp": kept(one), "b/d.cpp": kept(other)}))
        assert not faults, faults
    name = "constexpr int a = 1;"
    for apart in ({"b/c.cpp": kept(name), "d/c.cpp": kept(name)},
                  {"b/c.cpp": kept(name), "b/d.cpp": kept(name, namespace="talla::b")},
                  {"b/c.cpp": kept(name), "b/d.cpp": "namespace talla {\n" + name + "\n}"}):
        assert not list(batch_faults(apart)), apart


def no_source_has_a_name_of_its_neighbour():
    texts = dict(sources())
    assert len(texts) > 1000, len(texts)
    faults = list(batch_faults(texts))
    assert not faults, f"{len(faults)}:\n  " + "\n  ".join(faults)


if __name__ == "__main__":
    failures = hold([a_name_of_two_sources_is_found, names_apart_and_functions_may_stand,
                     no_source_has_a_name_of_its_neighbour])
    sys.exit(1 if failures else 0)
