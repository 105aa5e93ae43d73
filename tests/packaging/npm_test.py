#!/usr/bin/env python3
# Goal: what `npm pack` makes of the node client is whole: a stranger's TypeScript is checked by its
#   types and runs with it against a real appliance; types and code name the same things.
# Method: the packed file unpacked as node_modules of an empty project; Debian's tsc, strict; the
#   package's own example, compiled and run, its covered card against the card that is turned.
#   usage: npm_test.py SOURCE_FOLDER FOLDER_OF_PROGRAMS
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE, PROGRAMS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from appliance import Appliance  # noqa: E402
from facts import hold  # noqa: E402

STRICT = ("--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "node16",
          "--moduleResolution", "node16")
WRONG = {"no such member of a request":
         "const a: Body<'openTable'> = { settled_by: 'client', wheel: 37 };",
         "a number where an id is expected": "const a: Body<'openTable'> = { settled_by: 'client', "
                                             "range: { kind: 'wheel', pockets: 'x' } };",
         "a reply has no such member": "declare const r: Reply<'newShoe'>; r.shoe.nothing;",
         "an operation that is none": "declare const r: Reply<'nothing'>;",
         "a promise that is not awaited": "const t = Table.open('.'); t.draw('table-1');"}
HEAD = ("import { Table } from '@talla/client';\n"
        "import type { Body, Reply } from '@talla/client/api';\nexport { Table };\n"
        "export type { Body, Reply };\n")


def run(*command, cwd=None, **more):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=200, **more)


def tsc(project, *arguments):
    return run("tsc", *STRICT, *arguments, cwd=project)


def the_package_holds_what_it_needs_and_nothing_else(project):
    files = sorted(os.path.relpath(os.path.join(at, name), f"{project}/node_modules/@talla/client")
                   for at, _, names in os.walk(f"{project}/node_modules/@talla/client")
                   for name in names)
    for name in ("package.json", "README.md", "LICENSE", "index.js", "index.d.ts", "api.d.ts",
                 "example.ts", "web/verify/verify.js"):
        assert name in files, files
    for name in files:
        owner = f"{SOURCE}/rngd/{name}" if name.startswith("web/") else \
            f"{SOURCE}/rngd/sdk/client/node/{name}"
        if name in ("LICENSE", "house.js"):
            continue
        with open(f"{project}/node_modules/@talla/client/{name}", "rb") as shipped, \
                open(owner, "rb") as own:
            assert shipped.read() == own.read(), f"{name} is not the one of the tree"
    with open(f"{project}/node_modules/@talla/client/package.json", encoding="utf-8") as file:
        package = json.load(file)
    assert not package.get("dependencies") and package["version"] == version(), package


def version():
    with open(f"{SOURCE}/CMakeLists.txt", encoding="utf-8") as file:
        return re.search(r"^project\(talla VERSION ([0-9.]+)", file.read(), re.M)[1]


def types_and_code_name_the_same_things(project):
    with open(f"{project}/node_modules/@talla/client/index.d.ts", encoding="utf-8") as file:
        typed = set(re.findall(r"^export (?:class|function|const) (\w+)", file.read(), re.M))
    named = run("node", "--input-type=module", "-e", "import * as all from '@talla/client';"
                "console.log(JSON.stringify(Object.keys(all)))", cwd=project)
    assert named.returncode == 0, named.stderr
    assert set(json.loads(named.stdout)) == typed, set(json.loads(named.stdout)) ^ typed
    members = run("node", "--input-type=module", "-e", "import { Table } from '@talla/client';"
                  "console.log(JSON.stringify([...Object.getOwnPropertyNames(Table.prototype),"
                  "'open']))", cwd=project)
    with open(f"{project}/node_modules/@talla/client/index.d.ts", encoding="utf-8") as file:
        table = re.search(r"^export class Table \{(.*?)^\}", file.read(), re.M | re.S)[1]
    promised = set(re.findall(r"^  (?:static |readonly )?(\w+)(?=[<(:])", table, re.M))
    assert len(promised) >= 12 and promised <= set(json.loads(members.stdout)), promised


def what_is_wrong_is_found_by_the_types(project):
    shutil.copy(f"{SOURCE}/rngd/sdk/client/node/example.ts", f"{project}/example.ts")
    good = tsc(project, "--noEmit", "example.ts")
    assert good.returncode == 0, good.stdout
    for what, line in WRONG.items():
        if "await" in what:
            line += " const never: number = t;"
        with open(f"{project}/wrong.ts", "w", encoding="utf-8") as file:
            file.write(HEAD + line + "\n")
        done = tsc(project, "--noEmit", "wrong.ts")
        assert done.returncode != 0 and "wrong.ts(5," in done.stdout, f"{what}: {done.stdout}"


def the_example_runs_from_the_package(project):
    assert tsc(project, "--outDir", ".", f"{project}/example.ts").returncode == 0
    with Appliance(PROGRAMS) as appliance:
        appliance.start()
        done = run("node", "example.js", f"{appliance.folder}/client", cwd=project)
    assert done.returncode == 0, done.stdout + done.stderr
    pocket = re.search(r"^pocket (\d+)$", done.stdout, re.M)
    cards = re.search(r"^open (\w\w) seat 3 sees (\w\w)\nturned (\w\w)$", done.stdout, re.M)
    assert pocket and int(pocket[1]) < 37, done.stdout
    assert cards and cards[2] == cards[3] != cards[1], done.stdout


def main():
    with tempfile.TemporaryDirectory(prefix="talla-npm-") as folder:
        made = run(f"{SOURCE}/rngd/packaging/npm", f"{folder}/out")
        assert made.returncode == 0, made.stdout + made.stderr
        project = f"{folder}/project"
        os.makedirs(f"{project}/node_modules/@talla")
        with open(f"{project}/package.json", "w", encoding="utf-8") as file:
            file.write('{"private": true, "type": "module"}\n')
        packed = f"{folder}/out/talla-client-{version()}.tgz"
        assert run("tar", "-xzf", packed, "-C", folder).returncode == 0, made.stdout
        os.rename(f"{folder}/package", f"{project}/node_modules/@talla/client")
        return hold([the_package_holds_what_it_needs_and_nothing_else,
                     types_and_code_name_the_same_things, what_is_wrong_is_found_by_the_types,
                     the_example_runs_from_the_package], project)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
