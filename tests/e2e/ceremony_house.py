"""An appliance with the keys of a ceremony and of a PKCS#11 token (SoftHSM 2), in the production
profile: its root, its machine, its clients' machines, and an emulated raw generator under the real
rngd-source."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

from appliance import Client, free_ports
from assessed import assessed
from signed_software import SignedSoftware

PROGRAMS = os.path.abspath(sys.argv[1])
ORIGIN = "casino.example/appliance-1"
PHRASE = "a passphrase for the safe"
PEOPLE = {"talla:table-1": "table", "talla:auditor-1": "auditor", "talla:gone-1": "table",
          "talla:old-1": "table"}
MODULES = ("/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so")
MODULE = next((path for path in MODULES if os.path.exists(path)), None)


def run(*command, code=0, **more):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          timeout=120, **more)
    assert done.returncode == code, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


class House:
    """A root in one folder, an appliance in another, clients' machines in a third."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="talla-keys-")
        self.root, self.keys, self.people = (f"{self.folder}/{name}"
                                             for name in ("root", "keys", "people"))
        os.makedirs(f"{self.people}/clients")
        self.port, self.health_port = free_ports(2)
        self.phrase = self.private("phrase", PHRASE + "\n")
        self.environment = dict(os.environ)
        if "ASAN_OPTIONS" in self.environment:
            self.environment["ASAN_OPTIONS"] += ":detect_leaks=0"
        self.process, self.bus = None, None
        self.software = ""

    def private(self, name, text):
        path = f"{self.folder}/{name}"
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(text)
        return path

    def talla(self, *arguments, code=0):
        return run(f"{PROGRAMS}/talla", *arguments, code=code, env=self.environment)

    def ceremony(self, *arguments, code=0):
        return self.talla("keys", "ceremony", *arguments, code=code)

    def sign(self, request, use, name, out):
        return self.ceremony("sign", self.root, request, "--for", use, "--name", name, "--out", out,
                             "--passphrase", self.phrase)

    def make_token(self):
        os.makedirs(f"{self.folder}/tokens")
        with open(f"{self.folder}/softhsm2.conf", "w") as file:
            file.write(f"directories.tokendir = {self.folder}/tokens\nobjectstore.backend = file\n"
                       "log.level = ERROR\n")
        self.environment["SOFTHSM2_CONF"] = f"{self.folder}/softhsm2.conf"
        run("softhsm2-util", "--init-token", "--free", "--label", "talla", "--so-pin", "12345678",
            "--pin", "481516", env=self.environment)
        self.pin = self.private("pin", "481516\n")

    def uri(self, name, number):
        return (f"pkcs11:token=talla;object={name};id=%0{number}?"
                f"module-path={MODULE}&pin-source={self.pin}")

    def enrol(self, client, role):
        name = client.split(":")[1]
        base = f"{self.people}/clients/{client}"
        self.ceremony("client-request", base + ".key", base + ".csr", "--id", client)
        self.sign(base + ".csr", "client", client, base + ".pem")
        self.talla("keys", "enrol", f"{self.keys}/clients.toml", base + ".pem", "--role", role)
        return name

    def configure(self, name="rngd.toml", **changes):
        if "source" not in changes:
            changes["source"] = assessed(self.folder)
        values = {"profile": "production", "revoked": "", "log_key": self.uri("log", 1),
                  "sealing": f'sealing_key = "{self.uri("sealing", 2)}"',
                  "certificate": "server.pem", "roots": "root.pem", "statement": "log-key.json",
                  "server_key": "server.key", "software": self.software}
        values.update(changes)
        path = f"{self.keys}/{name}"
        with open(path, "w") as file:
            file.write("profile = \"{profile}\"\norigin = \"{origin}\"\ndata = \"data\"\n[api]\n"
                       "port = {port}\n"
                       "certificate = \"{certificate}\"\nkey = \"{server_key}\"\nclient_roots = "
                       "\"{roots}\"\n"
                       "enrolment = \"clients.toml\"\nrevoked = \"{revoked}\"\n[health]\nport = "
                       "{health}\n[source]\n{source}\n"
                       "[limits]\ndisk_reserve_mib = 1\n[keys]\nlog_key = \"{log_key}\"\n"
                       "log_statement = \"{statement}\"\n{sealing}\n"
                       .format(origin=ORIGIN, port=self.port, health=self.health_port, **values))
            file.write(values["software"])
        return path

    def plug(self):
        """An emulated generator for as long as the house stands; a folder of programs whose
        rngd-source sees it."""
        place = f"{self.folder}/bus"
        self.bus = subprocess.Popen([f"{PROGRAMS}/emulated_usb", "ChaosKey,seed=7", "--", "/bin/sh",
                                     "-c", f'echo "$UMOCKDEV_DIR" > {place}.new; mv {place}.new '
                                           f'{place}; exec sleep 600'])
        for _ in range(500):
            if os.path.exists(place):
                break
            time.sleep(0.02)
        folder = open(place).read().strip()
        self.programs = f"{self.folder}/programs"
        os.makedirs(self.programs)
        shutil.copy(f"{PROGRAMS}/rngd", self.programs)
        with open(f"{self.programs}/rngd-source", "w") as script:
            script.write("#!/bin/sh\nexport LD_PRELOAD=libumockdev-preload.so.0 "
                         "ASAN_OPTIONS=verify_asan_link_order=0\n"
                         f"export UMOCKDEV_DIR={folder} TALLA_EMULATED_BUS={folder}\nexec "
                         f"{PROGRAMS}/emulated_source \"$@\"\n")
        os.chmod(f"{self.programs}/rngd-source", 0o755)
        shutil.copy(f"{PROGRAMS}/talla", self.programs)
        signed = SignedSoftware(self.talla, self.programs, self.folder)
        signed.make("--library", os.path.realpath(MODULE), *self.module_libraries())
        self.software = signed.section()
        self.manifest = signed.manifest

    def module_libraries(self):
        """What the module of the token brings with it, as the loader lists it."""
        listed = run("ldd", MODULE)
        paths = [word for word in listed.split() if word.startswith("/")]
        return [part for path in paths for part in ("--library", os.path.realpath(path))]

    def refused(self, *words, config=None, before=()):
        done = subprocess.run([*before, f"{self.programs}/rngd", "--config", config
                               or self.configure()], capture_output=True,
                              text=True, timeout=60, env=self.environment)
        assert done.returncode == 1, f"{done.returncode}\n{done.stderr}"
        for word in words:
            assert word in done.stderr, f"'{word}' is not in: {done.stderr}"
        assert "481516" not in done.stderr and PHRASE not in done.stderr, done.stderr

    def start(self, config):
        self.log = open(f"{self.folder}/rngd.log", "a")
        self.process = subprocess.Popen([f"{self.programs}/rngd", "--config", config],
                                        stdout=self.log, stderr=self.log, env=self.environment)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            assert self.process.poll() is None, open(f"{self.folder}/rngd.log").read()
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.health_port}/readyz",
                                            timeout=5):
                    return
            except OSError:
                time.sleep(0.05)
        raise AssertionError(open(f"{self.folder}/rngd.log").read())

    def stop(self):
        self.process.terminate()
        assert self.process.wait(30) == 0, open(f"{self.folder}/rngd.log").read()
        self.process = None

    def hang_up(self, word):
        """SIGHUP; waits until the daemon says this of it."""
        path = f"{self.folder}/rngd.log"
        before = open(path).read().count(word)
        self.process.send_signal(signal.SIGHUP)
        end = time.monotonic() + 10
        while open(path).read().count(word) == before:
            assert time.monotonic() < end and self.process.poll() is None, open(path).read()[-2000:]
            time.sleep(0.05)

    def client(self, name):
        if not os.path.exists(f"{self.people}/ca.pem"):
            shutil.copy(f"{self.root}/root.pem", f"{self.people}/ca.pem")
        return Client(self.people, self.port, name)

    def records(self, kind):
        client = self.client("talla:auditor-1")
        found = client.get("/v1/events?after=-1&limit=1000")["events"]
        client.close()
        return [json.loads(event["record"]) for event in found if event["kind"] == kind]

    def close(self):
        for process in (self.process, self.bus):
            if process and process.poll() is None:
                process.send_signal(signal.SIGKILL if process is self.process else signal.SIGTERM)
                process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)
