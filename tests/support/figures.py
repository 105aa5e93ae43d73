#!/usr/bin/env python3
"""What a long test counted, as a file that `talla-lab submit` takes into its report
(`[evidence] figures`). Written where TALLA_FIGURES names a folder, and by a test that passed alone.

usage: figures.py FOLDER OF NAME=NUMBER... for what is no Python
"""
import json
import os
import sys


def keep(of, numbers, folder=None):
    """`of`: what was counted, as the file is named; submit/src/examined.cpp knows the names."""
    folder = folder or os.environ.get("TALLA_FIGURES")
    if not folder:
        return
    os.makedirs(folder, exist_ok=True)
    text = json.dumps({"figures": numbers, "format": 1, "kind": "talla test figures", "of": of},
                      sort_keys=True, separators=(",", ":"))
    path = os.path.join(folder, of + ".json")
    with open(path + ".new", "w", encoding="ascii") as file:
        file.write(text + "\n")
    os.replace(path + ".new", path)


if __name__ == "__main__":
    keep(sys.argv[2], {name: int(number) for name, _, number in
                       (one.partition("=") for one in sys.argv[3:])}, sys.argv[1])
