"""A real appliance for end-to-end tests: own keys, own ledger, free ports, HTTPS with a client
certificate.

Standard library only. Every test works in a temporary folder that is removed at the end.
"""
import http.client
import json
import os
import random
import secrets
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
import uuid


taken = []  # what says to other tests that a port is this process's, until it ends


def take(port):
    """Whether nobody listens there and no other test has taken it: its daemon may just be down."""
    mark = socket.socket(socket.AF_UNIX)
    with socket.socket() as one:
        try:
            mark.bind(f"\0talla-test-port-{port}")  # a name without a file, gone with the process
            one.bind(("127.0.0.1", port))
        except OSError:
            mark.close()
            return False
    taken.append(mark)
    return True


def free_ports(count):
    """Ports in a row that are this test's alone, below those that the system gives to outgoing
    connections: a daemon that is down for a moment finds its own again."""
    with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
        end = int(file.read().split()[0])
    while True:
        first = secrets.choice(range(max(1024, end - 12000), end - count))
        ports = range(first, first + count)
        if all(take(port) for port in ports):
            return list(ports)


def seed_of_this_run(fixed=None):
    """What this test chooses by itself follows from this seed; TALLA_SEED=n chooses it again.
    Cards, numbers and the moments of kills are not the test's to choose."""
    seed = int(os.environ.get("TALLA_SEED", random.randrange(1 << 32) if fixed is None else fixed))
    print(f"TALLA_SEED={seed}", flush=True)
    return seed


RESTS = 40  # seconds that a connection may lie unused before the daemon, after 60, ends it


class Client:
    """One kept-alive connection of one enrolled client; a new one when it has rested long."""

    def __init__(self, folder, port, client_id, timeout=30):
        self.context = ssl.create_default_context(cafile=f"{folder}/ca.pem")
        self.context.load_cert_chain(f"{folder}/clients/{client_id}.pem",
                                     f"{folder}/clients/{client_id}.key")
        self.port, self.timeout, self.connection, self.used = port, timeout, None, 0.0
        self.folder, self.id = folder, client_id
        self.headers = {}  # of the last reply
        self.language = ""  # Accept-Language of the next requests

    def send(self, method, path, body=None, key=None, raw=None):
        """Status and bytes of the reply. Raises OSError or http.client.HTTPException when the
        connection breaks."""
        if time.monotonic() - self.used > RESTS:
            self.close()
        self.used = time.monotonic()
        if self.connection is None:
            self.connection = http.client.HTTPSConnection("localhost", self.port,
                                                          context=self.context,
                                                          timeout=self.timeout)
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Idempotency-Key"] = key
        if self.language:
            headers["Accept-Language"] = self.language
        data = raw if raw is not None else (json.dumps(body).encode() if body is not None else None)
        try:
            self.connection.request(method, path, data, headers)
            reply = self.connection.getresponse()
            self.headers = reply.headers
            return reply.status, reply.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def post(self, path, body=None, key=None):
        """The reply as a value; fails the test unless the status is 2xx."""
        status, text = self.send("POST", path, {} if body is None else body, key or new_key())
        assert 200 <= status < 300, f"POST {path}: {status} {text.decode()}"
        return json.loads(text)

    def get(self, path):
        status, text = self.send("GET", path)
        assert status == 200, f"GET {path}: {status} {text.decode()}"
        return json.loads(text)

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None


def new_key():
    return uuid.uuid4().hex


def nonce():
    return os.urandom(16).hex()


class Appliance:
    def __init__(self, binaries, edit_config=None, environment=None, origin=None):
        self.binaries = os.path.abspath(binaries)
        self.folder = tempfile.mkdtemp(prefix="talla-e2e-")
        self.port, self.health_port = free_ports(2)
        self.environment = dict(os.environ, **(environment or {}))
        # The daemon forbids tracing, which the leak check of the address sanitizer needs.
        if "ASAN_OPTIONS" in self.environment:
            self.environment["ASAN_OPTIONS"] += ":detect_leaks=0"
        self.process = None
        self.talla("keys", "init", self.folder, "--port", str(self.port), "--health-port",
                   str(self.health_port), *(["--origin", origin] if origin else []), check=True)
        self.config = f"{self.folder}/rngd.toml"
        # No USB generator of this machine may take part in a test.
        text = open(self.config).read().replace('kind = "auto"', 'kind = "system"')
        text += "\n[limits]\nrequests_per_second = 1000000\nburst = 1000000\ndisk_reserve_mib = 1\n"
        open(self.config, "w").write(edit_config(text) if edit_config else text)
        self.log_path = f"{self.folder}/rngd.log"

    def talla(self, *arguments, check=False, client="client"):
        environment = dict(self.environment, TALLA_CLIENT=f"{self.folder}/{client}")
        done = subprocess.run([f"{self.binaries}/talla", *arguments], capture_output=True,
                              text=True, env=environment, timeout=120)
        assert not check or done.returncode == 0, (
            f"talla {' '.join(arguments)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def launch(self):
        """Waits for nothing."""
        with open(self.log_path, "a") as log:
            self.process = subprocess.Popen([f"{self.binaries}/rngd", "--config", self.config],
                                            stdout=log, stderr=log, env=self.environment)

    def start(self, wait=30, page="/readyz"):
        """Returns when the page answers 200."""
        self.launch()
        end = time.monotonic() + wait
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise AssertionError(f"rngd ended with {self.process.returncode}:\n"
                                     f"{self.log()[-4000:]}")
            try:
                if self.health(page)[0] == 200:
                    return self
            except OSError:
                pass
            time.sleep(0.02)
        raise AssertionError(f"rngd: {page} was not well in {wait} s:\n{self.log()[-4000:]}")

    def start_refused(self, wait=30):
        """Starts a daemon that must refuse; its last words. The running one, if any, is left
        alone."""
        done = subprocess.run([f"{self.binaries}/rngd", "--config", self.config],
                              capture_output=True, text=True, env=self.environment, timeout=wait)
        assert done.returncode > 0, (
            f"rngd ended with {done.returncode}, a refusal was expected:\n{done.stderr}")
        return done.stderr

    def verify(self, path, *options):
        """Exit code and words of the offline verifier."""
        done = subprocess.run([f"{self.binaries}/talla", "verify", path, "--root",
                               f"{self.folder}/ca.pem", *options], capture_output=True, text=True,
                               timeout=60)
        return done.returncode, done.stdout + done.stderr

    def health(self, path):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.health_port}{path}",
                                        timeout=5) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def client(self, client_id="talla:table-1", timeout=30):
        return Client(self.folder, self.port, client_id, timeout)

    def kill(self):
        """kill -9: no goodbye of any kind."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self, wait=30):
        """Clean end; the exit code."""
        self.process.terminate()
        return self.process.wait(wait)

    def log(self):
        return open(self.log_path).read() if os.path.exists(self.log_path) else ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def record_of(reply, kind):
    """The last record of that kind among a reply's receipts."""
    found = [json.loads(receipt["record"]) for receipt in reply["receipts"]]
    return [record for record in found if record["kind"] == kind][-1]
