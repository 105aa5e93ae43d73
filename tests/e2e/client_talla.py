#!/usr/bin/env python3
"""A table that plays by the commands of talla: single draws, and rounds of punto y banca up to
settlement.

usage: client_talla.py TALLA FOLDER JOURNAL BOOKS DRAWS ROUNDS [roulette]. FOLDER holds client.toml.
Each command begins anew and keeps nothing. `roulette`: a round of French roulette before all else.
exit: 0 done, 3 a reply was not believed, 4 refused."""
import subprocess
import sys

PUNTO = ["play", "--catalogue", "es-1977", "--game", "punto-banco", "--mix", "round", "--bet",
         "1:punto:100", "--bet", "2:banca:100"]
ROULETTE = ["play", "--catalogue", "es-1977", "--game", "french-roulette", "--bet", "1:rojo:100"]


def run(talla, folder, *asked):
    done = subprocess.run([talla, "--client", folder, *asked], capture_output=True, text=True)
    print(done.stdout.replace("drawn: number ", "drawn: "), done.stderr, sep="", flush=True)
    if done.returncode != 0:
        believed = "receipt_refused" not in done.stderr
        print("refused" if believed else "not believed")
        sys.exit(4 if believed else 3)


if __name__ == "__main__":
    talla, folder = sys.argv[1:3]
    draws, rounds = map(int, sys.argv[5:7])
    if sys.argv[7:] == ["roulette"]:
        run(talla, folder, *ROULETTE)
    for n in range(max(draws, rounds)):
        if n < draws:
            run(talla, folder, "spin", "--pockets", "37")
        if n < rounds:
            run(talla, folder, *PUNTO)
