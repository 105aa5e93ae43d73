#!/usr/bin/env python3
# Goal: every page of the tree is true where a program can see it: links and anchors lead somewhere,
#   files that it names are there, command lines parse, READMEs are short, lines are not long,
#   Spanish pages use the house's words.
# Method: all Markdown of the source, the programs' own --help, the glossary. Each check is first
#   shown a page that is wrong.
#   usage: pages_test.py SOURCE_FOLDER FOLDER_OF_PROGRAMS
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, f"{HERE}/../e2e", f"{HERE}/../../rngd/packaging"]
import commands  # noqa: E402
import helptext  # noqa: E402
from facts import hold  # noqa: E402
from markdown import Page  # noqa: E402
from tree import FILES, SOURCE, TEST, TEST_SOURCES, read  # noqa: E402

PROGRAMS = os.path.abspath(sys.argv[2])
WORDS_MAX, COLUMNS_MAX = 900, 100
# Pages that programs write from data, in lines as the data have them, and the words of others.
LONG_LINES = {"games/catalogues/READINGS.md": "written by talla catalogue readings",
              "games/catalogues/LECTURAS.md": "the same in Spanish",
              "tests/vectors/sp800-90b/NIST-LICENSE.md": "the words of its publisher"}
# What is to come, which no source has yet.
WRITTEN_ELSEWHERE = {"certs/PROTOCOL.md"}
LONG_LINES_BELOW = {"games/catalogues/readings/": "digests of official texts, read by programs"}
PAGES = {path: Page(path, read(path)) for path in FILES if path.endswith(".md")}
# What a page may name by the end of its path; headers are named as they are included.
ENDINGS = {path[at:] for path in FILES for at in [0, *(i.end() for i in re.finditer("/", path))]}
TREES = commands.Programs(PROGRAMS, helptext)


def link_faults(page):
    for target in page.links():
        if re.match(r"(https?|mailto):", target):
            continue
        path, _, anchor = target.partition("#")
        there = os.path.normpath(os.path.join(page.folder, path)) if path else page.path
        meant = page if there == page.path else PAGES.get(there)
        if not meant and there not in FILES and not os.path.isdir(f"{SOURCE}/{there}"):
            yield f"{page.path}: [{target}] leads nowhere"
        elif anchor and meant and anchor not in meant.anchors():
            yield f"{page.path}: [{target}]: no such heading"


def word_faults(page):
    name, folder = os.path.basename(page.path), page.folder.split("/")
    if name != "README.md" or "docs" in folder:
        return
    count = len(page.text.split())
    if count > WORDS_MAX:
        yield f"{page.path}: {count} words, at most {WORDS_MAX}"


def breakable(line):
    """A line that would fit if it were broken: no single word of it is too long."""
    indent = len(line.text) - len(line.text.lstrip())
    words = re.findall(r"`[^`]+`\S*|\[[^\]]*\]\([^)]*\)\S*|\S+", line.text)
    return all(indent + len(word) + 4 <= COLUMNS_MAX for word in words)


def line_faults(page):
    if page.path in LONG_LINES or any(page.path.startswith(folder) for folder in LONG_LINES_BELOW):
        return
    for line in page.lines:
        if line.kind != "table" and len(line.text) > COLUMNS_MAX and breakable(line):
            yield f"{page.path}:{line.number}: {len(line.text)} columns, at most {COLUMNS_MAX}"


# Words in backquotes that look like names of the source and are somebody else's, or examples.
FOREIGN = {"ea_iid", "ea_non_iid", "ea_restart", "synchronous_standby_names", "tpm2_nvundefine",
           "latency_us_max", "stake_min", "snake_case", "member_", "rngd_NAME"}


def words_of_sources():
    """Every word of every text of the tree that is no page, and of its path."""
    words = set()
    for path in FILES:
        words.update(re.split(r"\W", path))
        if not path.endswith(".md"):
            with open(f"{SOURCE}/{path}", encoding="utf-8", errors="ignore") as file:
                words.update(re.findall(r"\w+", file.read()))
    return words | {f"fuzz_{word}" for word in words}


def identifier_faults(page, words, ends):
    """`Class::member` and `names_with_underscores` stand in the source; `_max` ends one there."""
    if page.path.startswith("games/catalogues/readings/") or page.path in WRITTEN_ELSEWHERE:
        return
    for number, text in page.spans():
        if not re.fullmatch(r"[\w:]+(?:\(\))?", text) or not re.search("_|::", text):
            continue
        for word in set(re.findall(r"\w+", text)) - words - FOREIGN:
            if not word.startswith("_") or word not in ends:
                yield f"{page.path}:{number}: no source has {word}"


def tests_of(paths):
    """`Suite.name` of every C++ test, and the suites."""
    names = {f"{suite}.{name}" for path in paths for suite, name in TEST.findall(read(path))}
    return names, {name.split(".")[0] for name in names}


def test_name_faults(page, names, suites):
    """A test that a page cites is there; `...` stands for the rest of its name."""
    for number, text in page.spans():
        cited = re.fullmatch(r"([A-Z]\w+)\.(\w+?)(_?\.\.\.)?", text)
        if not cited or (cited[1] not in suites and "_" not in cited[2]):
            continue
        name = f"{cited[1]}.{cited[2]}"
        if name not in names and not (cited[3] and any(one.startswith(name) for one in names)):
            yield f"{page.path}:{number}: there is no test {text}"


def command_lines(page):
    """Number, words and whether the line is meant to be typed as it stands."""
    for whole, lines in ((True, page.code_lines()), (False, page.spans())):
        for number, text in lines:
            for words in commands.split(text):
                yield number, words, whole


def command_faults(page):
    for number, words, whole in command_lines(page):
        name = words[0].removeprefix("./")
        if name.removeprefix("build/bin/") in commands.PROGRAMS:
            if len(words) == 1:
                continue
            fault = TREES.fault(words, whole)
            if fault:
                yield f"{page.path}:{number}: {' '.join(words)}: {fault}"
        elif re.match(r"(rngd|tests|\.ci)/", name) and whole and name not in FILES:
            yield f"{page.path}:{number}: there is no {name}"


def run_faults(page, tried):
    """What can do no harm is done."""
    for number, words, whole in command_lines(page):
        if not whole or words[0].rsplit("/", 1)[-1] != "talla" or not commands.harmless(words):
            continue
        key = tuple(words[1:])
        if key not in tried:
            tried[key] = commands.run(PROGRAMS, words, SOURCE)
        if tried[key].returncode != 0:
            yield f"{page.path}:{number}: {' '.join(words)}: {tried[key].stderr.strip()}"


NAMED = re.compile(r"[\w./-]*[\w-]\.(?:cpp|hpp|py|mjs|md|toml|jsonl?|service|rules|cmake|cnf|conf)")
# Files that a page names and that are made, or are of somebody else.
MADE = {"rngd.toml", "clients.toml", "client.toml", "witness.toml", "log-key.json", "log-end.json",
        "manifest.json", "anchor.json", "predecessor.json", "keys.json", "next.json", "end.json",
        "policy.json", "step.json", "report.json"}


def name_faults(page):
    """Sources and pages named in backquotes are in the tree, by the end of their path."""
    if page.path.startswith("games/catalogues/readings/"):
        return
    for number, text in page.spans():
        name = text.split(":")[0].removeprefix("../").removeprefix("./")
        made = os.path.basename(name) in MADE or re.search(r"[A-Z]{4,}[\w.-]*\.json", name)
        if not NAMED.fullmatch(name) or made or name.startswith(("/", "data/")):
            continue
        if name not in ENDINGS:
            yield f"{page.path}:{number}: there is no {text}"


def forbidden():
    """Spanish words that the glossary does not say."""
    found = {}
    for line in read("rngd/docs/glosario.md").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and cells[0] not in ("en inglés", "---") and cells[3]:
            for word in cells[3].split(","):
                found[word.strip()] = cells[1]
    return found


def spanish_of(page):
    """All of a Spanish page; what stands in italics of a page in two languages."""
    if page.path.endswith("-es.md"):
        return page.prose()
    if page.path == "rngd/docs/access.md":
        return "\n".join(re.findall(r"(?<![\w*])\*([^*]+)\*", page.prose()))
    return ""


def spanish_faults(page):
    text = re.sub(r"`[^`]*`|\]\([^)]*\)", " ", spanish_of(page)).replace("\n", " ")
    text = re.sub(r"(?i)archivos? sellados?", " ", text)
    for word, instead in forbidden().items():
        plural = f"{word}(?:s|es)?" if not word.endswith("ión") else f"{word}|{word[:-3]}iones"
        found = re.search(rf"(?i)\b(?:{plural})\b", text)
        if found:
            around = text[max(0, found.start() - 30):found.end() + 30].strip()
            yield f"{page.path}: {found[0]} for {instead}: ... {around} ..."


def faultless(check, *more):
    faults = [fault for page in PAGES.values() for fault in check(page, *more)]
    assert not faults, f"{len(faults)}:\n  " + "\n  ".join(faults)


def each_check_finds_what_is_wrong():
    wrong = {
        link_faults: ["[a](nowhere.md)", "[a](#nowhere)", "[a](rngd/README.md#nowhere)",
                      "![a](a.svg)", '<img src="a.png">'],
        word_faults: ["word " * (WORDS_MAX + 1)],
        line_faults: ["word " * 21, "    talla verify " + "a.talla " * 20, "- " + "`code` " * 15],
        command_faults: ["`talla papers`", "`talla verify --rot ca.pem`", "    talla verify",
                         "    talla keys", "    talla shoe --form round --out a",
                         "    talla log rounds --table", "    talla log rounds --last 3",
                         "    cd a && talla shoe --dek 8", "`talla-lab asses`",
                         "    talla backup check a b", "    tests/nothing --only a",
                         "    rngd --chek", "    talla shoe --decks 8 \\\n      --dael 5",
                         "    build/bin/talla dispute --tabel a"],
        name_faults: ["`rngd/appliance/core/src/nothing.cpp`", "`nothing.hpp`"],
    }
    for check, texts in wrong.items():
        for text in texts:
            assert list(check(Page("README.md", text))), f"{check.__name__} passes {text[:60]!r}"
    assert list(run_faults(Page("a.md", "    talla odds es-1977 nothing"), {}))
    known = ({"Gate.closes_for_good"}, {"Gate"})
    for text in ("`Gate.opens`", "`Door.closes_for_good`", "`Gate.opens_...`"):
        assert list(test_name_faults(Page("a.md", text), *known)), text
    for text in ("`Gate::opens`", "`opens_never`", "`_never_total`"):
        assert list(identifier_faults(Page("a.md", text), {"Gate"}, {"_refused_total"})), text
    for text in ("Tiene un rol.", "las evidencias", "un archivo", "ordenadores", "la bitácora"):
        assert list(spanish_faults(Page("rngd/docs/a-es.md", text))), text
    assert list(spanish_faults(Page("rngd/docs/access.md", "A role. *Un rol.*")))


def each_check_passes_what_is_right():
    right = Page("README.md", "# A b\n\n[a](#a-b) [c](rngd/README.md) <https://a.example/"
                 + "a" * 120 + ">\n\n| " + "cell " * 40 + "|\n\n"
                 "`talla verify FILE --root root.pem`, `talla keys`, `talla_draws_total`\n\n"
                 "    TALLA_CLIENT=a talla --json status --wait 3 | head -1     # a comment\n"
                 "    talla log rounds --table table-1 --last 3 && talla act list\n")
    for check in (link_faults, word_faults, line_faults, command_faults, name_faults):
        assert not list(check(right)), list(check(right))
    for text in ("`Gate.closes_for_good`", "`Gate.closes...`", "`Journal.append`"):
        assert not list(test_name_faults(Page("a.md", text), {"Gate.closes_for_good"}, {"Gate"}))
    for text in ("`Gate::feed`", "`feed()`", "`_refused_total`", "`opens`", "`ea_iid`"):
        assert not list(identifier_faults(Page("a.md", text), {"Gate", "feed"}, {"_refused_total"}))
    spanish = Page("rngd/docs/a-es.md", "El control del archivo sellado, en el `rol`.")
    assert not list(spanish_faults(spanish)), list(spanish_faults(spanish))


def links_and_anchors_lead_somewhere():
    faultless(link_faults)


def readmes_are_short():
    faultless(word_faults)
    assert len(PAGES["README.md"].text.split()) > 200


def lines_are_not_long():
    faultless(line_faults)


def tests_that_pages_cite_are_there():
    names, suites = tests_of(TEST_SOURCES)
    faultless(test_name_faults, names, suites)


def identifiers_of_pages_are_in_the_sources():
    words = words_of_sources()
    assert len(words) > 20000, len(words)
    ends = {word[at:] for word in words if word.startswith("talla_")
            for at in (i.start() for i in re.finditer("_", word))}
    faultless(identifier_faults, words, ends)


def command_lines_parse():
    count = sum(1 for page in PAGES.values() for _, words, _ in command_lines(page)
                if words[0].rsplit("/", 1)[-1] in commands.PROGRAMS and len(words) > 1)
    assert count > 200, f"only {count} command lines were found"
    faultless(command_faults)


def harmless_command_lines_run():
    tried = {}
    faultless(run_faults, tried)
    assert len(tried) > 5, tried.keys()


def named_files_are_there():
    faultless(name_faults)


def spanish_pages_use_the_words_of_the_house():
    assert len(forbidden()) > 10
    faultless(spanish_faults)


def written_pages_are_what_the_programs_say():
    with tempfile.TemporaryDirectory() as folder:
        assert os.system(f"'{SOURCE}/rngd/packaging/pages' '{PROGRAMS}' '{folder}'") == 0
        for name in ("rngd/docs/commands.md", "rngd/docs/settings.md", "rngd/docs/interface.md",
                     "certs/FORMAT.md", "certs/docs/refusals.md", "rngd/web/verify_codes.js",
                     "rngd/web/verify/catalogues.js", "rngd/web/verify/clauses.js",
                     "rngd/web/verify_rules.js",
                     "tests/verifier/clauses.py",
                     "rngd/sdk/client/node/api.d.ts"):
            with open(f"{folder}/{name}", encoding="utf-8") as file:
                assert file.read() == read(name), \
                    f"{name} is older than the programs: rngd/packaging/pages build/bin"


def members_of(schema):
    """Names of all members of a body, those of every form that it may have."""
    inner = [*schema.get("oneOf", []), *schema.get("properties", {}).values(),
             schema.get("items", {})]
    return set(schema.get("properties", {})).union(*map(members_of, filter(None, inner)))


def every_request_says_what_it_takes():
    page = read("rngd/docs/interface.md")
    asked = [(f"{method.upper()} {path}", one)
             for path, methods in json.loads(read("rngd/openapi.json"))["paths"].items()
             for method, one in methods.items() if path.startswith("/v1/")]
    assert len(asked) > 40, len(asked)
    for name, one in asked:
        section = re.search(rf"^### {re.escape(name)}\n(.*?)^##", page, re.M | re.S)
        assert section, f"no section {name}"
        body = one.get("requestBody", {}).get("content", {}).get("application/json", {})
        missing = [word for word in members_of(body.get("schema", {}))
                   if not re.search(rf"\b{word}\b", section[1])]
        assert not missing, f"{name}: nothing of {missing}"


def every_page_is_reached_from_the_top():
    reached, waiting = set(), ["README.md"]
    while waiting:
        path = waiting.pop()
        if path in reached or path not in PAGES:
            continue
        reached.add(path)
        waiting += [os.path.normpath(os.path.join(os.path.dirname(path), target.partition("#")[0]))
                    for target in PAGES[path].links()]
    lost = {path for path in set(PAGES) - reached if path not in LONG_LINES and
            not any(path.startswith(folder) for folder in LONG_LINES_BELOW)}
    assert not lost, f"no link leads to {sorted(lost)}"


if __name__ == "__main__":
    failures = hold([each_check_finds_what_is_wrong, each_check_passes_what_is_right,
                     links_and_anchors_lead_somewhere, readmes_are_short, lines_are_not_long,
                     tests_that_pages_cite_are_there, identifiers_of_pages_are_in_the_sources,
                     command_lines_parse, harmless_command_lines_run, named_files_are_there,
                     spanish_pages_use_the_words_of_the_house,
                     written_pages_are_what_the_programs_say, every_request_says_what_it_takes,
                     every_page_is_reached_from_the_top])
    sys.exit(1 if failures else 0)
