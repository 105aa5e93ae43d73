#!/usr/bin/env python3
# Goal: no function of the house is defined twice under one name, once inline and once out of line,
#   or in two sources: the linker would choose, and another choice without optimisation.
# Method: the symbols of every static library that the programs are linked of.
#   usage: names_once.py FOLDER_OF_THE_BUILD [NM]
import collections
import pathlib
import subprocess
import sys

BUILD, NM = pathlib.Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "nm"
STRONG, INLINE = "T", "WV"


def symbols(library):
    """(member and kind) of each global function or object that the library defines."""
    member = library.name
    done = subprocess.run([NM, "--defined-only", "--extern-only", str(library)],
                          capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        parts = line.split()
        if line.endswith(":"):
            member = f"{library.name}({line[:-1]})"
        elif len(parts) == 3:
            yield parts[2], parts[1], member


def main():
    libraries = sorted(BUILD.rglob("lib*.a"))
    assert libraries, f"no static library below {BUILD}"
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    for library in libraries:
        for name, kind, member in symbols(library):
            found[name][kind].add(member)
    faults = []
    for name, kinds in found.items():
        strong = kinds.get(STRONG, set())
        inline = set().union(*(kinds.get(kind, set()) for kind in INLINE))
        if len(strong) > 1 or (strong and inline):
            also = f"; inline in {sorted(inline)[0]}" if inline else ""
            faults.append(f"{name}: {', '.join(sorted(strong)[:3])}{also}")
    if faults:
        names = subprocess.run(["c++filt"], input="\n".join(faults), capture_output=True,
                               text=True, check=True).stdout
        sys.exit(f"defined twice:\n{names}")
    print(f"{len(found)} names of {len(libraries)} libraries, each defined once")


if __name__ == "__main__":
    main()
