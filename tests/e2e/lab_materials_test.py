#!/usr/bin/env python3
# Goal: a laboratory's run has the bill of materials, two builds compared, conditioned bits and
#   those of the DRBG, and the page on the device's noise; a changed library, a byte of a build, a
#   tracker's file that says nothing and a device without a page are named.
# Method: the bill is judged by CycloneDX's own schema, its files, packages and licences are looked
#   up again by other programs (sha256sum's function, ldd, dpkg); bits are made again in plain
#   Python; each fault is planted beside something that is right.
#   usage: lab_materials_test.py FOLDER_OF_PROGRAMS
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import draft7
from facts import hold
from lab_run_test import PROGRAMS, ROOT, Laboratory, canonical, load, run, sha256, store, whats

SCHEMAS = f"{ROOT}/tests/vectors/sbom/cyclonedx"
BILL = "evidence/materials/materials.json"


class Materials:
    """A program with a library of its own, a bill of it, and a laboratory that examines it."""

    def __init__(self, folder):
        self.folder = folder
        self.library, self.program = f"{folder}/lib/libown.so", f"{folder}/bin/own"
        for place in ("lib", "bin"):
            os.makedirs(f"{folder}/{place}")
        self.make_library(1)
        store(f"{folder}/own.c", "int own(void);\nint main(void) { return own(); }\n")
        subprocess.run(["cc", "-o", self.program, f"{folder}/own.c", f"-L{folder}/lib", "-lown",
                        f"-Wl,-rpath,{folder}/lib", "-Wl,--build-id"], check=True)
        self.bill = f"{folder}/bill.json"
        self.said = json.loads(run("talla-lab", "--json", "materials", self.bill, "--program",
                                   f"{PROGRAMS}/talla", "--program", self.program))
        os.makedirs(f"{folder}/lab")
        self.lab = Laboratory(f"{folder}/lab")
        with open(self.lab.plan, encoding="utf-8") as file:
            self.plan = file.read().replace(f'["{PROGRAMS}/talla", "{PROGRAMS}/rngd"]',
                                            f'["{PROGRAMS}/talla", "{self.program}"]')

    def make_library(self, number):
        store(f"{self.folder}/libown.c", f"int own(void) {{ return {number}; }}\n")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.library, f"{self.folder}/libown.c"],
                       check=True)

    def step(self, name, out, more="", code=0):
        store(self.lab.plan, self.plan + more)
        return self.lab.submit("--only", name, out=f"{self.folder}/{out}", code=code)


def components(bill):
    for one in bill["components"]:
        yield one
        yield from one.get("components", [])


def property_of(component, name):
    return next((one["value"] for one in component.get("properties", [])
                 if one["name"] == f"talla:{name}"), "")


def schemas():
    return {name: load(f"{SCHEMAS}/{name}") for name in os.listdir(SCHEMAS)
            if name.endswith(".json")}


def the_checker_takes_and_refuses_the_published_examples(_):
    known, seen = schemas(), [0, 0]
    for name in os.listdir(f"{SCHEMAS}/examples"):
        found = draft7.faults(known, "bom-1.6.schema.json", load(f"{SCHEMAS}/examples/{name}"))
        assert bool(found) == name.startswith("invalid-"), (name, found[:3])
        seen[bool(found)] += 1
    assert seen == [13, 12], seen


def a_bill_fits_the_schema_and_its_references_lead_somewhere(made):
    bill = load(made.bill)
    assert draft7.faults(schemas(), "bom-1.6.schema.json", bill) == []
    refs = [one["bom-ref"] for one in components(bill)] + [bill["metadata"]["component"]["bom-ref"]]
    assert len(refs) == len(set(refs)), "a reference stands there twice"
    for one in bill["dependencies"]:
        assert {one["ref"], *one["dependsOn"]} <= set(refs), one
    again = f"{made.folder}/again.json"
    run("talla-lab", "materials", again, "--program", f"{PROGRAMS}/talla", "--program",
        made.program)
    assert sha256(again) == sha256(made.bill), "the same machine gives the same bytes"
    assert "exists" in run("talla-lab", "materials", again, "--program", made.program, code=1)


def every_library_that_is_loaded_is_there_with_its_digest_package_and_version(made):
    bill, loaded = load(made.bill), {made.program, f"{PROGRAMS}/talla"}
    for program in tuple(loaded):
        said = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        loaded |= {os.path.realpath(path) for path in re.findall(r"(/\S+) \(0x", said)}
    files = {one["name"]: one for one in components(bill) if one["name"].startswith("/")}
    assert set(files) == loaded, set(files) ^ loaded
    for path, one in files.items():
        assert one["hashes"] == [{"alg": "SHA-256", "content": sha256(path)}], one
    packages = [one for one in bill["components"] if one.get("components")]
    assert len(packages) == made.said["packages"] > 3
    assert made.said["files"] == len(files) + sum(
        one["type"] == "data" for one in bill["components"])
    for one in packages:
        version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", one["name"]],
                                 capture_output=True, text=True, check=True).stdout
        owned = subprocess.run(["dpkg-query", "-L", one["name"]], capture_output=True, text=True,
                               check=True).stdout.split()
        assert one["version"] == version, one
        for part in one["components"]:
            assert part["name"] in owned or part["name"].removeprefix("/usr") in owned, part
    own = files[made.library]
    assert property_of(own, "use") == "library of no package", own
    depends = next(one for one in bill["dependencies"] if one["ref"] == f"file:{made.program}")
    assert f"file:{made.library}" in depends["dependsOn"], depends


def licences_are_those_of_the_copyright_files_or_said_unknown(made):
    bill, unknown = load(made.bill), 0
    for one in bill["components"]:
        for choice in one.get("licenses", []):
            unknown += choice["license"].get("name", "").startswith("unknown: ")
    assert unknown == made.said["unknown_licences"] > 0
    libc = next(one for one in bill["components"] if one["name"] == "libc6")
    assert libc["licenses"][0]["license"]["name"] == (
        "unknown: /usr/share/doc/libc6/copyright is not machine-readable"), libc
    ssl = next(one for one in bill["components"] if one["name"] == "libssl3")
    assert "Apache-2.0" in [one["license"].get("id") for one in ssl["licenses"]], ssl
    with open(f"{ROOT}/rngd/packaging/debian/control", encoding="utf-8") as file:
        control = file.read().split("Build-Depends:\n")[1].split("\nStandards")[0]
    asked = {line.split()[0].rstrip(",") for line in control.splitlines()}
    uses = {one["name"]: (property_of(one, "use"), one["scope"]) for one in bill["components"]
            if one["bom-ref"].startswith("build:")}
    assert asked < set(uses) and len(uses) == len(asked) + 1, asked ^ set(uses)
    assert uses["cmake"] == ("build-time tool", "excluded"), uses
    assert uses["libtomlplusplus-dev"] == ("compiled into the programs", "required"), uses


def vulnerabilities_are_those_that_the_versions_here_have(made):
    bill = load(made.bill)
    assert made.said["vulnerabilities"] == "not looked up" and "vulnerabilities" not in bill
    assert property_of(bill["metadata"], "vulnerabilities").startswith("not looked up")
    version = next(one["version"] for one in bill["components"] if one["name"] == "libssl3")
    with open("/usr/lib/os-release", encoding="utf-8") as file:
        release = re.search("VERSION_CODENAME=(.*)", file.read())[1]

    def case(status, fixed=None, of=release):
        said = {"status": status, "urgency": "low"} | ({"fixed_version": fixed} if fixed else {})
        return {"description": "a \"quoted\" } word", "scope": "remote", "releases": {of: said}}
    data = {"openssl": {"CVE-2026-1": case("open"), "CVE-2026-2": case("resolved", version + "+1"),
                        "CVE-2026-3": case("resolved", version),
                        "CVE-2026-4": case("resolved", "0"),
                        "CVE-2026-5": case("resolved", version + "~rc1"),
                        "CVE-2026-6": case("open", of="trixie"),
                        "CVE-2026-7": case("resolved", "99:0"),
                        "CVE-2026-8": case("undetermined")},
            "never-here": {"CVE-2026-9": case("open")}}
    tracker, out = f"{made.folder}/tracker.json", f"{made.folder}/weak.json"
    store(tracker, json.dumps(data))
    said = json.loads(run("talla-lab", "--json", "materials", out, "--program", f"{PROGRAMS}/talla",
                          "--vulnerabilities", tracker))
    weak = load(out)
    assert draft7.faults(schemas(), "bom-1.6.schema.json", weak) == []
    assert [one["id"] for one in weak["vulnerabilities"]] == [
        "CVE-2026-1", "CVE-2026-2", "CVE-2026-7", "CVE-2026-8"], weak["vulnerabilities"]
    assert said["vulnerabilities"] == 4
    refs = {one["bom-ref"] for one in components(weak)}
    assert all(one["ref"] in refs for weakness in weak["vulnerabilities"]
               for one in weakness["affects"])
    assert sha256(tracker) in property_of(weak["metadata"], "vulnerabilities")
    # A file that knows nothing must not say that there is nothing to know.
    for text, words in (("{}", "knows no package of this machine"),
                        (json.dumps({"openssl": {"CVE-2026-6": case("open", of="trixie")}}),
                         "knows no package of this machine"),
                        (json.dumps(data)[:-30], "is not whole JSON"),
                        ('{"openssl": []}', "openssl is no object"), ("[]", "is not whole JSON")):
        store(tracker, text)
        said = run("talla-lab", "materials", f"{made.folder}/never.json", "--program",
                   f"{PROGRAMS}/talla", "--vulnerabilities", tracker, code=1)
        assert words in said, (text[:40], said)
    assert not os.path.exists(f"{made.folder}/never.json")


def a_changed_library_is_named_by_the_bill_the_check_and_the_comparison(made):
    made.step("evidence/materials", "one")
    assert "every file" in run("talla-lab", "materials", "--check", made.bill)
    assert not [one for one in made.lab.check(f"{made.folder}/one", code=3)
                if one["what"] != "missing"]
    made.make_library(2)
    said = json.loads(run("talla-lab", "--json", "materials", "--check", made.bill, code=3))
    assert [one["path"] for one in said["findings"]] == [made.library], said
    found = [one for one in made.lab.check(f"{made.folder}/one", code=3) if one["what"] == "stale"]
    assert [(one["path"], made.library in one["words"]) for one in found] == [(BILL, True)], found
    made.step("evidence/materials", "two")
    said = json.loads(run("talla-lab", "--json", "compare", f"{made.folder}/one",
                          f"{made.folder}/two", code=3))["changes"]
    assert {"major": True, "step": "evidence/materials", "what": made.library,
            "words": "other bytes"} in said, said
    # A bill with the digest of what lies here now, and no other step that says so.
    bill = load(f"{made.folder}/one/{BILL}")
    for one in components(bill):
        if one["name"] == made.library:
            one["hashes"][0]["content"] = sha256(made.library)
    store(f"{made.folder}/one/{BILL}", canonical(bill))
    assert (BILL, "changed") in whats(made.lab.check(f"{made.folder}/one", code=3))
    assert "no bill" in run("talla-lab", "materials", "--check", f"{made.folder}/one/manifest.json",
                            code=1)


def builds(made, *arguments, code=0):
    return json.loads(run("talla-lab", "--json", "builds", f"{made.folder}/first",
                          f"{made.folder}/second", "--first-by", "maker", "--second-by",
                          "laboratory", *arguments, code=code))


def two_builds_are_the_same_or_the_file_is_named(made):
    first, second = f"{made.folder}/first", f"{made.folder}/second"
    for folder in (first, second):
        os.makedirs(f"{folder}/bin")
        shutil.copy(made.program, f"{folder}/bin/own")
        shutil.copy(f"{ROOT}/LICENSE", f"{folder}/talla.deb")
    said = builds(made, "--program", made.program)
    assert said["differences"] == [] and [one["sha256"] for one in said["files"]] == [
        sha256(made.program), sha256(f"{ROOT}/LICENSE")], said
    assert (said["first_by"], said["second_by"]) == ("maker", "laboratory")
    plan = (f'[builds]\nfirst = "{first}"\nsecond = "{second}/"\nfirst_by = "maker"\n'
            'second_by = "laboratory"\n')
    with open(f"{PROGRAMS}/talla", "rb") as file:
        talla = file.read()
    for folder in (first, second):
        with open(f"{folder}/bin/talla", "wb") as file:
            file.write(talla)
    made.step("evidence/builds", "built", plan)
    with open(f"{second}/talla.deb", "r+b") as file:
        file.seek(100)
        file.write(b"\0")
    assert [(one["name"], one["what"]) for one in builds(made, code=3)["differences"]] == [
        ("talla.deb", "differs")]
    assert "first at byte 100;" in builds(made, code=3)["differences"][0]["words"]
    said = made.step("evidence/builds", "built", plan, code=3)
    assert "evidence/builds: not-passed" in said, said
    named = next(one for one in load(f"{made.folder}/built/report.json")["deviations"]
                 if one["step"] == "evidence/builds")
    assert "talla.deb: first at byte 100" in named["why"], named
    for language in ("en", "es"):
        with open(f"{made.folder}/built/report-{language}.html", encoding="utf-8") as file:
            page = file.read()
        assert re.search(r'<p class="bad">[^<]*talla\.deb: first at byte 100', page), language
    os.unlink(f"{second}/talla.deb")
    store(f"{second}/more", "x")
    assert {(one["name"], one["what"]) for one in builds(made, code=3)["differences"]} == {
        ("talla.deb", "only-first"), ("more", "only-second")}
    os.unlink(f"{first}/talla.deb")
    os.unlink(f"{second}/more")
    assert builds(made)["differences"] == []
    said = builds(made, "--program", f"{PROGRAMS}/talla-lab", code=3)["differences"]
    assert [one["what"] for one in said] == ["not-of-these-builds"], said


def a_build_that_is_compared_with_itself_is_refused(made):
    first = f"{made.folder}/first"
    for other in (first, f"{first}/../first"):
        said = run("talla-lab", "builds", first, other, "--first-by", "a", "--second-by", "b",
                   code=1)
        assert "is the first folder again" in said, said
    os.makedirs(f"{made.folder}/linked/bin")
    for name in os.listdir(f"{first}/bin"):
        os.link(f"{first}/bin/{name}", f"{made.folder}/linked/bin/{name}")
    said = run("talla-lab", "builds", first, f"{made.folder}/linked", "--first-by", "a",
               "--second-by", "b", code=1)
    assert "is the very file of the first build" in said, said
    os.makedirs(f"{made.folder}/empty")
    said = run("talla-lab", "builds", first, f"{made.folder}/empty", "--first-by", "a",
               "--second-by", "b", code=1)
    assert "no file lies here" in said, said
    run("talla-lab", "builds", first, f"{made.folder}/linked", "--first-by", "a", code=2)


def conditioned_bits_are_those_of_plain_python(made):
    with open(made.lab.raw, "rb") as file:
        samples = file.read()
    out = f"{made.folder}/conditioned.bin"
    said = json.loads(run("talla-lab", "--json", "bits", "--recording", made.lab.raw,
                          "--assessed-millibits", 5000, "--out", out))
    each = -(-576_000 // 5000)
    blocks = [samples[at:at + each] for at in range(0, len(samples) - each + 1, each)]
    with open(out, "rb") as file:
        assert file.read() == b"".join(hashlib.sha512(
            b"talla/entropy/conditioner/v1" + len(one).to_bytes(4, "big") + one).digest()
            for one in blocks)
    assert (said["samples_each"], said["blocks"], said["recording_sha256"]) == (
        each, len(blocks), sha256(made.lab.raw)), said
    assert said["samples_left_out"] == len(samples) - each * len(blocks)
    store(f"{made.folder}/few", "x" * (each - 1))
    said = run("talla-lab", "bits", "--recording", f"{made.folder}/few", "--assessed-millibits",
               5000, "--out", f"{made.folder}/never", code=1)
    assert f"a block takes {each} samples" in said, said


def bits_of_the_drbg_are_those_of_plain_python(made):
    from lab_sample_test import Drbg
    seed, count, each = "0123456789abcdef" * 4, 40_000, 16_384

    def number(at):
        return hashlib.sha512(b"talla-lab bits v1" + bytes.fromhex(seed)
                              + at.to_bytes(8, "big")).digest()
    drbg, wanted = Drbg(number(0), b"talla-lab bits v1"), b""
    for at in range(0, count, each):
        if at:
            drbg.update(number(at // each))
        wanted += drbg.generate(min(each, count - at))
    for kind in ("hmac-drbg-sha-512", "ctr-drbg-aes-256-df"):
        out = f"{made.folder}/{kind}"
        said = json.loads(run("talla-lab", "--json", "bits", "--drbg", kind, "--seed", seed,
                              "--bytes", count, "--out", out))
        assert said["reseeds"] == 2 and said["sha256"] == sha256(out), said
        with open(out, "rb") as file:
            assert (file.read() == wanted) == kind.startswith("hmac"), kind
    for kind, other, words in (("hash-drbg", seed, "hmac-drbg-sha-512 is expected"),
                               ("hmac-drbg-sha-512", "00", "64 hex digits")):
        said = run("talla-lab", "bits", "--bytes", 10, "--seed", other, "--drbg", kind, "--out",
                   f"{made.folder}/never", code=1)
        assert words in said, said
    assert not os.path.exists(f"{made.folder}/never")


def every_device_has_a_page_of_its_noise_and_a_strange_one_is_named(made):
    listed = subprocess.run([f"{PROGRAMS}/talla", "devices", "--supported"], capture_output=True,
                            text=True, check=True).stdout
    models = {line.split()[0] for line in listed.splitlines()}
    assert len(models) == 11, models
    about = load(f"{made.lab.raw}.manifest.json")
    manifest, page = f"{made.folder}/model.json", f"{made.folder}/page.md"
    for model in sorted(models) + ["never", "../../LICENSE", ""]:
        about["device"]["model"] = model
        store(manifest, canonical(about))
        code = 0 if model in models else 1
        said = run("talla-lab", "model", manifest, "--tree", ROOT, "--out", page, code=code)
        if code:
            assert "no page on the noise" in said or "names no device.model" in said, said
            continue
        with open(page, encoding="utf-8") as file:
            words = file.read()
        os.unlink(page)
        assert 200 < len(words.split()) <= 900, (model, len(words.split()))


FACTS = [the_checker_takes_and_refuses_the_published_examples,
         a_bill_fits_the_schema_and_its_references_lead_somewhere,
         every_library_that_is_loaded_is_there_with_its_digest_package_and_version,
         licences_are_those_of_the_copyright_files_or_said_unknown,
         vulnerabilities_are_those_that_the_versions_here_have,
         a_changed_library_is_named_by_the_bill_the_check_and_the_comparison,
         two_builds_are_the_same_or_the_file_is_named,
         a_build_that_is_compared_with_itself_is_refused,
         conditioned_bits_are_those_of_plain_python,
         bits_of_the_drbg_are_those_of_plain_python,
         every_device_has_a_page_of_its_noise_and_a_strange_one_is_named]

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        sys.exit(1 if hold(FACTS, Materials(os.path.realpath(name))) else 0)
