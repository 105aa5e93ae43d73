#!/usr/bin/env python3
# Goal: the openssl command and programs get their randomness from the appliance through the
#   provider, and from nowhere else when it is gone.
# Method: the shipped configuration with this test's paths; the openssl command and libcrypto
#   (ctypes) before, while and after an appliance runs; what the appliance counted must fit.  usage:
#   openssl_test.py FOLDER_OF_PROGRAMS
import os
import subprocess
import sys

from facts import main

HERE = os.path.dirname(os.path.abspath(__file__))
SECTION = '\n[egd]\nsocket = "egd.sock"\nuncertified = true\n'
PROGRAM = """
import ctypes, sys
crypto = ctypes.CDLL("libcrypto.so.3")
out = ctypes.create_string_buffer(64)
good = crypto.RAND_bytes(out, 64)
print(out.raw.hex() if good == 1 else "refused")
sys.exit(0 if good == 1 else 1)
"""


def conf(appliance, name="openssl.cnf", **changes):
    text = open(f"{HERE}/../../rngd/packaging/openssl-talla.cnf").read()
    module = os.path.abspath(f"{appliance.binaries}/../lib/talla.so")
    text = text.replace("/usr/lib/x86_64-linux-gnu/ossl-modules/talla.so",
                        changes.get("module", module))
    text = text.replace("/run/talla/egd.sock",
                        changes.get("socket", f"{appliance.folder}/egd.sock"))
    text = text.replace("timeout_ms = 5000", f"timeout_ms = {changes.get('timeout', 3000)}")
    if changes.get("everything"):
        text = text.replace("#random =", "random =").replace("#properties =", "properties =")
    path = f"{appliance.folder}/{name}"
    open(path, "w").write(text)
    return path


def openssl(path, *arguments):
    return subprocess.run(["openssl", *arguments], capture_output=True, text=True, timeout=60,
                          env=dict(os.environ, OPENSSL_CONF=path))


def library(path):
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True,
                          timeout=60, env=dict(os.environ, OPENSSL_CONF=path))
    return done.returncode, done.stdout.strip()


def given(appliance):
    for line in appliance.health("/metrics")[1].splitlines():
        if line.startswith("talla_egd_bytes_total "):
            return float(line.split()[1])
    raise AssertionError("/metrics has no talla_egd_bytes_total")


def the_provider_is_loaded(appliance):
    listed = openssl(conf(appliance), "list", "-providers", "-random-generators")
    assert "Talla seed source" in openssl(conf(appliance), "list", "-providers").stdout, listed
    assert ("TALLA-SEED-SRC @ talla" in openssl(conf(appliance), "list",
                                                "-random-generators").stdout), listed


def seeds_come_from_the_appliance(appliance):
    path = conf(appliance)
    before = given(appliance)
    words = [openssl(path, "rand", "-hex", "32") for _ in range(3)]
    assert all(one.returncode == 0 and len(one.stdout.strip()) == 64 for one in words), words
    assert len({one.stdout for one in words}) == 3
    # A primary DRBG of 256 bits takes entropy and nonce in one: 48 bytes.
    assert given(appliance) - before == 3 * 48, given(appliance) - before
    code, _ = library(path)
    assert code == 0 and given(appliance) - before == 4 * 48


def keys_and_signatures_work_with_it(appliance):
    path = conf(appliance)
    key = f"{appliance.folder}/try.pem"
    made = openssl(path, "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256",
                   "-out", key)
    assert made.returncode == 0, made.stderr
    signed = openssl(path, "dgst", "-sha256", "-sign", key, "-out", f"{appliance.folder}/try.sig",
                     key)
    assert signed.returncode == 0, signed.stderr


def as_the_generator_every_byte_is_the_appliances(appliance):
    path = conf(appliance, "all.cnf", everything=True)
    before = given(appliance)
    done = openssl(path, "rand", "-hex", "1000")
    assert done.returncode == 0 and len(done.stdout.strip()) == 2000, done.stderr
    assert given(appliance) - before >= 1000


def the_command_line_alone_finds_it_too(appliance):
    folder = os.path.abspath(f"{appliance.binaries}/../lib")
    done = subprocess.run(["openssl", "list", "-providers", "-provider-path", folder, "-provider",
                           "talla", "-provider", "default"], capture_output=True, text=True,
                           timeout=60)
    assert done.returncode == 0 and "Talla seed source" in done.stdout, done.stderr


def without_the_appliance_nothing_is_made(appliance):
    path = conf(appliance)
    everything = conf(appliance, "all.cnf", everything=True)
    appliance.stop()
    for each in (path, everything):
        done = openssl(each, "rand", "-hex", "32")
        assert done.returncode != 0 and done.stdout == "", done
        assert library(each) == (1, "refused")
    made = openssl(path, "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
    assert made.returncode != 0 and "PRIVATE" not in made.stdout
    assert "the Talla appliance is not there" in made.stderr and "egd.sock" in made.stderr, (
        made.stderr)
    appliance.start()
    assert openssl(path, "rand", "-hex", "32").returncode == 0, "and it comes back by itself"


def an_appliance_that_gives_nothing_is_an_error_in_time(appliance):
    """A source that is not operational, played by a socket that always answers 0 bytes."""
    import socket
    import threading
    path = f"{appliance.folder}/silent.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(8)

        def serve():
            while True:
                try:
                    one, _ = listener.accept()
                except OSError:
                    return
                with one:
                    try:
                        while one.recv(2):
                            one.sendall(b"\x00")
                    except OSError:
                        pass
        threading.Thread(target=serve, daemon=True).start()
        made = openssl(conf(appliance, "silent.cnf", socket=path, timeout=300), "genpkey",
                       "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
        assert made.returncode != 0 and "the Talla appliance gives no entropy" in made.stderr, (
            made.stderr)


def a_module_that_is_missing_is_no_way_around_with_random_set(appliance):
    nowhere = conf(appliance, "none.cnf", module="/nowhere/talla.so", everything=True)
    done = openssl(nowhere, "rand", "-hex", "32")
    assert done.returncode != 0 and done.stdout == "", done
    assert library(nowhere) == (1, "refused")


def a_bad_timeout_is_refused(appliance):
    wrong = conf(appliance, "wrong.cnf", timeout="soon", everything=True)
    assert openssl(wrong, "rand", "-hex", "32").returncode != 0


if __name__ == "__main__":
    if not os.path.exists(f"{sys.argv[1]}/../lib/talla.so"):
        print("the provider is not built")
        sys.exit(1)

    def outlet(appliance):
        open(appliance.config, "a").write(SECTION)

    main([the_provider_is_loaded, seeds_come_from_the_appliance, keys_and_signatures_work_with_it,
          as_the_generator_every_byte_is_the_appliances, the_command_line_alone_finds_it_too,
          without_the_appliance_nothing_is_made,
          an_appliance_that_gives_nothing_is_an_error_in_time,
          a_module_that_is_missing_is_no_way_around_with_random_set, a_bad_timeout_is_refused],
          before=outlet)
