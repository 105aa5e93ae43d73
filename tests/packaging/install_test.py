#!/usr/bin/env python3
# Goal: what is built can be installed below any folder, part by part, and works there.
# Method: `cmake --install` of each component into an empty folder; the programs are started from
#   it.
#   usage: install_test.py SOURCE_FOLDER FOLDER_OF_PROGRAMS
import glob
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from facts import hold  # noqa: E402

SOURCE, PROGRAMS = sys.argv[1], os.path.abspath(sys.argv[2])


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def install(folder, component):
    done = run("cmake", "--install", os.path.dirname(PROGRAMS), "--prefix", folder, "--component",
               component)
    assert done.returncode == 0, done.stdout + done.stderr
    return sorted(os.path.relpath(path, folder)
                  for path in glob.glob(f"{folder}/**", recursive=True)
                  if not os.path.isdir(path))


def the_appliance_has_its_programs_catalogues_and_pages(folder):
    files = install(folder, "appliance")
    for name in ("sbin/rngd", "sbin/rngd-source", "bin/talla"):
        assert name in files, files
        told = run(f"{folder}/{name}", "--version")
        assert told.returncode == 0 and told.stdout.strip(), f"{name}: {told.stdout}{told.stderr}"
    catalogues = {os.path.basename(path) for path in glob.glob(f"{SOURCE}/games/catalogues/*.toml")}
    assert catalogues and {f"share/talla/catalogues/{name}" for name in catalogues} <= set(files), (
        files)
    assert not [path for path in files if "readings" in path], files
    for name in ("guide-en.md", "guide-es.md", "operator-en.md", "operator-es.md", "access.md",
                 "FORMAT.md", "MAPPING.md", "examples/rngd.toml"):
        assert f"share/doc/talla/{name}" in files, files
    assert not [path for path in files if "talla-lab" in path], (
        "FFTW is under the GPL: its program is a part of its own")


def no_program_has_a_door_for_tests(folder):
    """The program of the tests has one; what is shipped does not even hold its name."""
    door = b"TALLA_EMULATED_BUS"
    assert door in open(f"{PROGRAMS}/emulated_source", "rb").read()
    install(folder, "appliance")
    for name in ("sbin/rngd", "sbin/rngd-source", "bin/talla"):
        with open(f"{folder}/{name}", "rb") as file:
            assert door not in file.read(), name


def the_laboratory_is_a_part_of_its_own(folder):
    assert install(folder, "lab") == ["bin/talla-lab"]
    assert run(f"{folder}/bin/talla-lab", "--version").returncode == 0


def the_provider_is_one_module(folder):
    files = install(folder, "provider")
    assert len(files) == 1 and files[0].endswith("ossl-modules/talla.so"), files


def the_client_has_library_header_and_pkg_config(folder):
    files = install(folder, "client")
    assert "include/talla_client.h" in files, files
    assert [path for path in files if path.endswith("/talla-client.pc")], files
    assert [path for path in files if path.endswith("/libtalla-client.so")], files


def main():
    failed = 0
    for fact in (the_appliance_has_its_programs_catalogues_and_pages,
                 no_program_has_a_door_for_tests, the_laboratory_is_a_part_of_its_own,
                 the_provider_is_one_module, the_client_has_library_header_and_pkg_config):
        with tempfile.TemporaryDirectory(prefix="talla-install-") as folder:
            failed += hold([fact], folder)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
