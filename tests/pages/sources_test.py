#!/usr/bin/env python3
# Goal: every source keeps the house's style where a program can see it: it begins with what it is
#   for and is not long, nor are its lines; public declarations have comments, numbers units, errors
#   numbers of their own; tests are named in one style; every kind of build compiles, each joining
#   the sources of a folder in batches of its own size.
# Method: all sources, scripts and configurations of the tree. Each check is first shown what is
#   wrong, and what only looks so.
#   usage: sources_test.py SOURCE_FOLDER FOLDER_OF_PROGRAMS
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, f"{HERE}/../e2e"]
import declarations  # noqa: E402
from batches import batch_faults  # noqa: E402
from facts import hold  # noqa: E402
from tree import FILES, SOURCE, TEST, TEST_SOURCES, read  # noqa: E402

COLUMNS_MAX, LINES_MAX = 100, 560
POINT_MAX = 78  # of a changelog: a package sets it in by two and has 80 columns
# Sources by the end of their name; scripts without an ending begin with #!.
SOURCE_ENDINGS = (".cpp", ".hpp", ".h", ".py", ".js", ".mjs", ".css", ".html", ".cmake", ".toml",
                  ".yaml", ".conf", ".service", ".cnf", "CMakeLists.txt", "CHANGELOG")
DATA_BELOW = {"tests/vectors/": "data of others and frozen values",
              "tests/fuzz/corpus/": "inputs of the fuzzers",
              "tests/unit/verify/frozen/": "frozen evidence",
              "games/catalogues/es-": "the law as data: its bytes are hashed"}
# A rule that its reader takes from one line alone.
ONE_LINE = {"rngd/packaging/monitoring/alerts.yaml": re.compile(r" *expr: '"),
            "rngd/packaging/rngd.toml": re.compile(r"#?[a-z_]+ = ")}
# Every source here is a program, or a test program's only one.
PROGRAMS_BELOW = ("tests/bench/", "tests/fuzz/", "tests/kernel/", "tests/unit/usb/")



def is_source(path):
    if any(path.startswith(folder) for folder in DATA_BELOW):
        return False
    if path.endswith(SOURCE_ENDINGS):
        return True
    if "." in os.path.basename(path):
        return False
    with open(f"{SOURCE}/{path}", "rb") as file:
        return file.read(2) == b"#!"


def without_data(path, text):
    """Its lines; what a raw string of C++ holds (JSON, SQL, a schema) is data."""
    if path.endswith((".cpp", ".hpp")):
        text = re.sub(r'R"(\w*)\(.*?\)\1"', lambda raw: "\n" * raw[0].count("\n"), text,
                      flags=re.S)
    return text.split("\n")


def begins_with_a_sentence(path, text):
    """What a source is for stands in its first comment, or in that of its header, read first."""
    text = re.sub(r"\A#![^\n]*\n", "", text)
    stem = re.escape(os.path.splitext(os.path.basename(path))[0])
    header = rf'#include "(?:[\w/]*/)?{stem}\.hpp"'
    return bool(re.match(rf'\s*(?:// |///|/\* |# |"""|<!|{header})', text))


def source_line_faults(path, text):
    for number, line in enumerate(without_data(path, text), 1):
        spared = path in ONE_LINE and ONE_LINE[path].match(line)
        word = max(map(len, line.split()), default=0)
        if path.endswith("CHANGELOG") and line.startswith("- ") and len(line) > POINT_MAX:
            yield f"{path}:{number}: {len(line)} columns, at most {POINT_MAX} in a package"
        if len(line) > COLUMNS_MAX and not spared and word + 8 <= COLUMNS_MAX:
            yield f"{path}:{number}: {len(line)} columns, at most {COLUMNS_MAX}"


def declaration_faults(path, text):
    for number, name in declarations.bare(text):
        yield f"{path}:{number}: {name} has no comment above it"


def number_faults(path, text):
    for number, name in declarations.bare_numbers(text):
        yield f"{path}:{number}: nothing says what {name} counts"


def test_name_is_good(name):
    """A sentence of fact in lower case; sections, ids and words of records keep their capitals."""
    return all(re.fullmatch(r"[a-z0-9]+|[A-Z0-9]+", word) for word in name.split("_"))


def each_check_finds_what_is_wrong():
    for path, text in (("a.py", "call(" + "one, " * 20 + ")"), ("a.cpp", "// " + "word " * 20),
                       ("a.cpp", 'call(R"({"a":1})", ' + "one, " * 20 + ")"),
                       ("a.cpp", 'R"(' + "one " * 40 + ')"\n// ' + "word " * 20)):
        assert list(source_line_faults(path, text)), f"a long line passes: {text[:60]!r}"
    for text in ("struct A {\n};\n", "/// \\file\nstruct A {\n};\n\nstruct B {\n};\n",
                 "/// Of A.\nstruct A {\n};\n\nenum class B { c };\n",
                 "/// Of A.\n\nstruct A {\n};\n", "[[nodiscard]] int a(int b);\n",
                 "/// Of A.\nstruct A {\n};\n\ninline constexpr int a = 1;\n", "using A = int;\n",
                 "// Of A.\nclass A {\n};\n",
                 "namespace a {\ntemplate <class T, std::size_t n>\nstruct A {\n};\n}\n"):
        assert list(declaration_faults("a.hpp", text)), f"a type without a comment: {text!r}"
    for text in ("struct A {\n  int a = 1;\n};\n", "class A {\n public:\n  double a, b;\n};\n",
                 "struct A {\n  int a;  ///< Of A.\n\n  std::uint8_t b{};\n};\n",
                 "namespace a {\nstruct A {\n  struct B {\n    int a;\n  };\n};\n}\n"):
        assert list(number_faults("a.hpp", text)), f"a number without its unit: {text!r}"
    assert not begins_with_a_sentence("a.py", "#!/usr/bin/env python3\nimport os\n")
    assert not begins_with_a_sentence("a.cpp", '#include "b/aa.hpp"\n')
    assert not test_name_is_good("DealsTwice") and not test_name_is_good("deals_Twice")


def each_check_passes_what_is_right():
    for path, text in (("a.cpp", 'const auto a = R"(' + '{"a": 1}, ' * 12 + ')";'),
                       ("a.py", "# https://a.example/" + "a" * 100)):
        assert not list(source_line_faults(path, text)), text
    for text in ("class A;\nenum class B : int;\n", "/// Of A.\nstruct A {\n  struct B {};\n};\n",
                 "/// \\file\nnamespace a {\nclass A {\n};\n}\n",
                 "/// Of both.\nint a();\nint b();\n", "using a::b;\n", "int A::b() {\n}\n",
                 "/// Of both.\nenum class A { b };\nstruct B {\n};\n",
                 "/// Of A.\ntemplate <class T>\nstruct A {\n  char text[3] = {';', '{'};\n};\n"):
        assert not list(declaration_faults("a.hpp", text)), text
    for text in ("struct A {\n  int a = 1;  ///< Of A.\n  int b = 1;\n};\n",
                 "struct A {\n  /// Of A.\n  int a{1};\n  int size_bytes, seq;\n};\n",
                 "class A {\n  int a = 1;\n\n public:\n  int b() {\n    int c = 1;\n  }\n};\n",
                 "struct A {\n  std::string a = {};\n  void b(int c = 1);\n};\nint d = 1;\n"):
        assert not list(number_faults("a.hpp", text)), text
    assert begins_with_a_sentence("a.py", "#!/usr/bin/env python3\n# For this.\nimport os\n")
    assert begins_with_a_sentence("c/a.cpp", '#include "b/a.hpp"\n')
    assert test_name_is_good("FORMAT_2_a_list_ends") and test_name_is_good("deals_twice")


def kept(*lines, namespace="talla"):
    return "\n".join([f"namespace {namespace} {{", "namespace {", *lines, "}  // namespace", "}"])


def a_name_of_two_sources_is_found():
    for one, other in (("constexpr int a = 1;", "constexpr std::uint64_t a = 1;"),
                       ("const Context a{", "const Context a{"), ("struct A {", "class A final {"),
                       ("using A = int;", "using A = long;"), ("const char a[] = {", "enum a {"),
                       ("constexpr std::array a{", "bool a(int b) {"),
                       ("using b::A;", "using c::A;"),
                       ("const Kind& a(int b) {", "struct a {")):
        faults = list(batch_faults({"b/c.cpp": kept(one), "b/d.cpp": kept(other)}))
        assert faults, (one, other)


def names_apart_and_functions_may_stand():
    for one, other in (("constexpr int a = 1;", "constexpr int b = 1;"),
                       ("void a(int b) {", "void a(long b) {"), ("struct A;", "struct A;"),
                       ("using A = int;", "using A = int;"), ("using b::A;", "using b::A;"),
                       ("  int a = 1;", "  int a = 1;")):
        faults = list(batch_faults({"b/c.cpp": kept(one), "b/d.cpp": kept(other)}))
        assert not faults, faults
    name = "constexpr int a = 1;"
    for apart in ({"b/c.cpp": kept(name), "d/c.cpp": kept(name)},
                  {"b/c.cpp": kept(name), "b/d.cpp": kept(name, namespace="talla::b")},
                  {"b/c.cpp": kept(name), "b/d.cpp": "namespace talla {\n" + name + "\n}"}):
        assert not list(batch_faults(apart)), apart


def no_source_has_a_name_of_its_neighbour():
    texts = {path: read(path) for path in FILES if path.endswith(".cpp") and
             not path.startswith(PROGRAMS_BELOW)}
    assert len(texts) > 1000, len(texts)
    faults = list(batch_faults(texts))
    assert not faults, f"{len(faults)}:\n  " + "\n  ".join(faults)


def lines_of_sources_are_not_long():
    sources = [path for path in FILES if is_source(path)]
    assert len(sources) > 1500, len(sources)
    faults = [fault for path in sources for fault in source_line_faults(path, read(path))]
    assert not faults, f"{len(faults)}:\n  " + "\n  ".join(faults)


def sources_begin_with_what_they_are_for():
    faults = [path for path in FILES if is_source(path) and
              path.endswith((".cpp", ".hpp", ".h", ".py", ".js", ".mjs", ".css")) and
              not begins_with_a_sentence(path, read(path))]
    assert not faults, f"no comment at the top: {faults}"


def public_declarations_say_what_they_are():
    headers = [path for path in FILES if re.search(r"(^|/)include/.*\.hpp$", path)]
    assert len(headers) > 200, len(headers)
    faults = [fault for path in headers for fault in declaration_faults(path, read(path))]
    faults += [fault for path in headers for fault in number_faults(path, read(path))]
    assert not faults, f"{len(faults)}:\n  " + "\n  ".join(faults)


def errors_have_numbers_of_their_own():
    headers = {path: read(path) for path in FILES if path.endswith(".hpp")}
    faults = list(declarations.error_number_faults(headers))
    assert not faults, f"{len(faults)}:\n  " + "\n  ".join(faults)
    twice = "enum class Errc : std::uint16_t { a = 200,  ///< one\n  b = 200, c = 300 };"
    assert len(list(declarations.error_number_faults({"shuffle/a.hpp": twice}))) == 2


def tests_are_named_in_one_style():
    names = [(path, name) for path in TEST_SOURCES for _, name in TEST.findall(read(path))]
    assert len(names) > 1500, len(names)
    faults = [f"{path}: {name}" for path, name in names if not test_name_is_good(name)]
    assert not faults, f"{len(faults)}:\n  " + "\n  ".join(faults)


def length_faults(path, text):
    lines = text.count("\n")
    if lines > LINES_MAX:
        yield f"{path}: {lines} lines, about 500 are right"


def sources_are_not_long():
    assert list(length_faults("a.cpp", "\n" * (LINES_MAX + 1)))
    assert not list(length_faults("a.cpp", "\n" * LINES_MAX))
    sources = [path for path in FILES if is_source(path)]
    long = [fault for path in sources for fault in length_faults(path, read(path))]
    assert not long, f"{len(long)}:\n  " + "\n  ".join(long)


if __name__ == "__main__":
    failures = hold([each_check_finds_what_is_wrong, each_check_passes_what_is_right,
                     a_name_of_two_sources_is_found, names_apart_and_functions_may_stand,
                     no_source_has_a_name_of_its_neighbour, lines_of_sources_are_not_long,
                     sources_begin_with_what_they_are_for, public_declarations_say_what_they_are,
                     errors_have_numbers_of_their_own, tests_are_named_in_one_style,
                     sources_are_not_long])
    sys.exit(1 if failures else 0)
