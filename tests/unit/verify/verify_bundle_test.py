#!/usr/bin/env python3
# Goal: FORMAT.md says all that a stranger needs: the Python verifier accepts the frozen bundles and
#   refuses changed ones.
# Method: each frozen bundle as it is, with flipped bytes at fixed places, with a foreign root; exit
#   codes compared, in this process and, a few, of the commands themselves; every lie about a shoe
#   shuffled again, about releases, about shared meters and about logs that have ended that
#   unit_verify tells, well signed. usage: verify_bundle_test.py [UNIT_VERIFY]
import os, shutil, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
frozen = os.path.join(here, "frozen")
roots = os.path.join(frozen, "roots.pem")
failed = 0
sys.path.insert(0, os.path.join(here, "..", ".."))
from verifier.here import archive, bundle  # noqa: E402


def run(path, root=roots, *openings):
    done = bundle(path, root, *openings)
    return done.returncode, done.stdout + done.stderr


def run_archives(root, *paths):
    done = archive(root, *paths)
    return done.returncode, done.stdout + done.stderr


def command(tool, *arguments):
    done = subprocess.run([sys.executable, os.path.join(here, "..", "..", tool), *arguments],
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def expect(what, got, want):
    global failed
    if got[0] != want:
        failed += 1
        print(f"FAILED {what}: exit {got[0]} instead of {want}\n{got[1]}")


with tempfile.TemporaryDirectory() as folder:
    foreign = os.path.join(folder, "foreign.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=x", "-keyout",
                    os.path.join(folder, "key.pem"), "-out", foreign], check=True,
                    capture_output=True)
    count = 0
    for name in sorted(os.listdir(frozen)):
        if not name.endswith(".talla"):
            continue
        path = os.path.join(frozen, name)
        expect(name, run(path), 3)
        expect(name + " with a foreign root", run(path, foreign), 1)
        data = open(path, "rb").read()
        for part in range(1, 8):
            at = len(data) * part // 8
            changed = os.path.join(folder, "changed.talla")
            with open(changed, "wb") as out:
                out.write(data[:at] + bytes([data[at] ^ 1]) + data[at + 1:])
            expect(f"{name} with byte {at} changed", run(changed), 1)
        count += 1
    lies = os.path.join(folder, "lies")
    os.mkdir(lies)
    if len(sys.argv) > 1:
        subprocess.run([sys.argv[1], "--gtest_filter=*WrongAgain*:"
                                     "*WrongSharedMeter*:*Release*:Ended.*:*TableChain*:"
                                     "*WrongPlace*:*WrongCoups*:*Call*:WrongMix.*:*Laps*:"
                                     "*Contribut*:*EachRound*:*OfRounds*:*LogChains*:"
                                     "RepeatedCall.*"],
                                     check=True,
                                     capture_output=True, env=dict(os.environ, TALLA_LIES=lies))
        expect("lies told", (0 if len(os.listdir(lies)) > 60 else 1, ""), 0)
    for name in sorted(name for name in os.listdir(lies) if name.endswith(".talla")):
        openings = os.path.join(lies, name[:-6] + ".openings")
        beside = ["--openings", openings] if os.path.exists(openings) else []
        for kind, option in ((".1.ended", "--ended"), (".2.ended", "--ended"),
                             (".consistency", "--consistency")):
            path = os.path.join(lies, name[:-6] + kind)
            beside += [option, path] if os.path.exists(path) else []
        path = os.path.join(lies, name[:-6] + ".mine")
        beside += ["--mine", open(path).read()] if os.path.exists(path) else []
        told = run(os.path.join(lies, name), roots, *beside)
        if name.startswith("chain-"):  # chain-CODE-WHAT.talla
            expect("the code of " + name, (0 if name.split("-")[1] in told[1] else 1, told[1]), 0)
        expect("the lie " + name if not name.startswith("true_") else name, told,
               3 if name.startswith("true_") else 1)
    if shutil.which("node") and len(sys.argv) > 1:
        browser = os.path.join(here, "..", "..", "web", "chain_lies_test.mjs")
        done = subprocess.run(["node", browser, lies, roots], capture_output=True, text=True)
        expect("the browser's verifier on them", (done.returncode, done.stdout + done.stderr), 0)
    archives = [os.path.join(frozen, f"spin-{part}.archive") for part in (1, 2)]
    expect("archives", command("verify_archive.py", roots, *archives), 3)
    expect("archives in another order", run_archives(roots, *archives[::-1]), 1)
    expect("archives with a foreign root", command("verify_archive.py", foreign, *archives), 1)
    told = sorted(name[:-len(".1.archive")] for name in os.listdir(lies)
                  if name.endswith(".1.archive"))
    expect("archives told", (0 if len(told) > 30 or len(sys.argv) == 1 else 1, str(told)), 0)
    for name in told:  # archive-CODE-WHAT.1.archive, true_archive-WHAT.1.archive
        parts = [os.path.join(lies, f"{name}.{part}.archive") for part in (1, 2)]
        done = run_archives(roots, *parts)
        expect(name, done, 3 if name.startswith("true_") else 1)
        if name.startswith("archive-"):
            expect("the code of " + name, (0 if name.split("-")[1] in done[1] else 1, done[1]), 0)
    for path in archives:
        data = open(path, "rb").read()
        for part in range(1, 5):
            at = len(data) * part // 5
            for what, bad in (("changed", data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]),
                              ("cut", data[:at])):
                with open(changed, "wb") as out:
                    out.write(bad)
                expect(f"{path} with byte {at} {what}", run_archives(roots, changed), 1)
    card = os.path.join(frozen, "card.talla")
    for path, root, code in ((card, roots, 3), (card, foreign, 1), ("none.talla", roots, 2)):
        expect(f"the command on {path}", command("verify_bundle.py", path, root), code)
    print(f"{count} bundles, {failed} failures")
sys.exit(1 if failed or count == 0 else 0)
