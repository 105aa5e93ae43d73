#!/usr/bin/env python3
# Goal: well-signed lies are refused by all three verifiers, or are known limits of evidence.
# Method: the frozen bundles as stories; every member of every kind told otherwise (fields.py),
#   records left out, told twice and in another order (order.py), as long as each record by itself
#   can be read; keys of a table and of the log that change (renewed.py); all signed anew by a liar
#   who has root and log key (authority.py), in two stories more beside honest contributors
#   (seats.py, partner.py). Each is refused for the rule that rules.txt names for such lies
#   (`--write` writes that file for a review). What is accepted must be a row of certs/LIMITS.md,
#   and every row must be needed. The stories themselves, signed anew, are taken by all. usage:
#   liars_test.py TALLA [--write] (node, openssl, python3)
import collections
import fnmatch
import functools
import glob
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path[:0] = [HERE, TESTS, os.path.join(TESTS, "support")]
import fields  # noqa: E402
import figures  # noqa: E402
import judges  # noqa: E402
import order  # noqa: E402
import renewed  # noqa: E402
from authority import Authority, canonical  # noqa: E402
from ordered import ordered  # noqa: E402
from partner import partnered  # noqa: E402
from persons import Directed, Persons  # noqa: E402
from seats import seated  # noqa: E402
from verifier.records import parse_record  # noqa: E402
from verifier.text import Refused  # noqa: E402

FROZEN = os.path.join(TESTS, "unit", "verify", "frozen", "*.talla")
LIMITS = os.path.join(TESTS, "..", "certs", "LIMITS.md")
RULES = os.path.join(HERE, "rules.txt")
LEAST_LIES, LEAST_STORIES = 1300, 21


def stories(authority):
    ordering = Persons(authority)
    for path in sorted(glob.glob(FROZEN)):
        with open(path, encoding="utf-8") as file:
            yield Directed(os.path.basename(path)[:-6], json.load(file), ordering)
    with tempfile.TemporaryDirectory() as folder:
        yield seated(FROZEN.replace("*", "draw"), Authority(folder))
    with tempfile.TemporaryDirectory() as folder:
        yield partnered(FROZEN.replace("*", "draw"), Authority(folder))
    with tempfile.TemporaryDirectory() as folder:
        yield ordered(FROZEN.replace("*", "lapsed"), Authority(folder))
    with tempfile.TemporaryDirectory() as folder:
        yield renewed.renewed(FROZEN.replace("*", "places"), Authority(folder))


@functools.lru_cache(None)
def is_record(text):
    try:
        parse_record(text)
        return True
    except (Refused, ValueError, TypeError, KeyError, AttributeError):
        return False


def readable(story):
    """Whether each record by itself is one: what is not is readers_test.py's. All but a few of a
    lie are the true ones."""
    return all(is_record(canonical(record)) for record in story.records)


def group_of(lie):
    """Kind and member, or kind and way: lies that one rule refuses, or a few."""
    if ": " not in lie:
        return lie.split(" ")[0]
    kind, _, way = lie.split(": ")[1].split(" ", 2)
    return f"{kind} {way}"


def known_rules():
    with open(RULES, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split(": ") for line in file if not line.startswith("#")]
    return {group: set(rules.split(", ")) for group, rules in rows}


def write_rules(found):
    with open(RULES, "w", encoding="utf-8") as out:
        out.write("# What refuses a lie: kind and member told otherwise, or kind and way; the "
                  "rules' names are\n# those of FORMAT.md and certs/verify.\n")
        for group in sorted(found):
            out.write(f"{group}: {', '.join(sorted(found[group]))}\n")


class Rows:
    """The rows of one table of certs/LIMITS.md: pattern and what verdicts print, if anything."""

    def __init__(self, heading):
        with open(LIMITS, encoding="utf-8") as file:
            part = file.read().split(f"\n## {heading}\n")[1].split("\n## ")[0]
        cells = [[cell.strip() for cell in line.strip("|").split("|")]
                 for line in part.splitlines() if line.startswith("| `")]
        self.rows = {cell[0].strip("`"): cell[-1] for cell in cells}
        self.used = collections.Counter()

    def printed(self, lie):
        """None: no row has it; else what its row says that verdicts print."""
        for pattern, words in self.rows.items():
            if fnmatch.fnmatchcase(lie, pattern):
                self.used[pattern] += 1
                return words
        return None

    def unused(self):
        return [pattern for pattern in self.rows if not self.used[pattern]]


def prints(verdicts, words):
    plain = re.sub(r"\W+", " ", words)
    return all(any(plain in re.sub(r"\W+", " ", line) for line in one.not_checked)
               for one in verdicts)


def wrong(lie, verdicts, seen_by_none, seen_by_rules):
    """What is wrong with these verdicts on a lie; empty: nothing."""
    codes = [verdict.code == judges.INVALID for verdict in verdicts]
    if all(codes):
        return ""
    rows, others = (seen_by_rules, verdicts[1:]) if codes == [True, False, False] else (
        seen_by_none, verdicts)
    words = rows.printed(lie) if codes[1:] == [False, False] else None
    if words is None:
        return "accepted, and no row of LIMITS.md says so"
    return "" if prints(others, words) else f"the verdict does not print: {words}"


def told(folder, authority, chosen):
    for number, (name, story) in enumerate(chosen):
        path = os.path.join(folder, f"{number}.talla")
        with open(path, "w", encoding="utf-8") as out:
            out.write(story.told(authority))
        yield name, (path, None)


def main():
    three = (judges.Native(sys.argv[1]), judges.Python(), judges.Browser())
    failed, by_none, by_rules = 0, Rows("No verifier sees"), Rows("Only a verifier that settles "
                                                                   "sees")
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(os.path.join(folder, "authority"))
        honest = list(stories(Authority(os.path.join(folder, "persons"))))
        lies = [(name, story) for name, story in (*fields.lies(honest), *order.lies(honest),
                                                *renewed.lies(honest))
                if readable(story)]
        files = list(told(folder, authority, [(one.name, one) for one in honest] + lies))
        judged = list(zip(*(one.judge([file for _, file in files], authority.roots)
                            for one in three)))
    for (name, _), verdicts in zip(files[:len(honest)], judged):
        if {verdict.code for verdict in verdicts} != {3}:
            failed += 1
            print(f"FAILED {name}, signed anew: {verdicts}")
    rules, found = collections.Counter(), collections.defaultdict(set)
    known = known_rules() if "--write" not in sys.argv else {}
    for (name, _), verdicts in zip(files[len(honest):], judged[len(honest):]):
        rule, group = verdicts[0].rule, group_of(name)
        rules[rule or "accepted"] += 1
        if rule:
            found[group].add(rule)
        why = wrong(name, verdicts, by_none, by_rules)
        if not why and rule and known and rule not in known.get(group, ()):
            why = f"refused for {rule}, which rules.txt does not name for {group}"
        if why:
            failed += 1
            print(f"FAILED {name}: {why}", *(f"  {one.name}: {verdict.code} {verdict.why}"
                                             for one, verdict in zip(three, verdicts)), sep="\n")
    if not known:
        write_rules(found)
    for group in [one for one in known if not known[one] <= found[one]]:
        failed += 1
        print(f"FAILED rules.txt: no lie of {group} is refused for all of {sorted(known[group])}")
    for pattern in by_none.unused() + by_rules.unused():
        failed += 1
        print(f"FAILED no accepted lie needs the row {pattern} of LIMITS.md")
    print("refused for:", ", ".join(f"{rule} {count}" for rule, count in sorted(rules.items())))
    print(f"{len(honest)} true stories, {len(lies)} lies, {failed} failures")
    if failed or len(lies) < LEAST_LIES or len(honest) < LEAST_STORIES:
        return 1
    figures.keep("liars", {"lies": len(lies), "refused": len(lies) - rules["accepted"],
                           "true_stories": len(honest), "verifiers": len(three)})
    return 0


if __name__ == "__main__":
    sys.exit(main())
