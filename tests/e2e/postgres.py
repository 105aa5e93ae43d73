"""A real PostgreSQL server for end-to-end tests: made in a temporary folder, ended with it.
Standard library only.

It listens on a UNIX socket there, where everybody is let in, and on a loopback port, where TLS and
a password are asked for. Root makes it as user postgres or nobody, because the server refuses root.
"""
import ctypes
import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

from appliance import free_ports

PASSWORD = "correct-horse-battery"


def absent():
    """Why there can be none here, or None."""
    return None if programs() else "no PostgreSQL server in /usr/lib/postgresql"


def programs():
    found = sorted(path for path in glob.glob("/usr/lib/postgresql/*/bin")
                   if os.path.exists(f"{path}/initdb"))
    return found[-1] if found else None


class Server:
    def __init__(self):
        roomy = os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 512 << 20
        self.folder = tempfile.mkdtemp(prefix="talla-pg-", dir="/dev/shm" if roomy else None)
        self.process, self.owner = None, {}
        if os.geteuid() == 0:
            names = [one.pw_name for one in pwd.getpwall()]
            user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
            self.owner = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        os.chmod(self.folder, 0o755)
        self.port = free_ports(1)[0]
        self.data = f"{self.folder}/data"
        self.run(f"{programs()}/initdb", "-D", self.data, "-U", "talla", "-A", "trust", "--no-sync",
                 "--no-locale", "-E", "UTF8", "--wal-segsize=1")
        self.certificates()
        hba = ("local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n"
               "hostnossl all all 127.0.0.1/32 trust\n")
        with open(f"{self.data}/pg_hba.conf", "w") as out:
            out.write(hba)

    def run(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, cwd="/",
                              env=dict(os.environ, LC_ALL="C"), **self.owner)
        assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"

    def certificates(self):
        self.run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                 "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                 "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout",
                 f"{self.folder}/server.key", "-out", f"{self.folder}/server.pem")

    def start(self):
        def die_with_the_test():  # PR_SET_PDEATHSIG
            ctypes.CDLL(None).prctl(1, signal.SIGQUIT)
        settings = {"shared_buffers": "16MB", "max_connections": "40", "max_wal_size": "64MB",
                    "min_wal_size": "2MB", "port": str(self.port), "listen_addresses": "127.0.0.1",
                    "unix_socket_directories": self.folder, "ssl": "on",
                    "ssl_cert_file": f"{self.folder}/server.pem",
                    "ssl_key_file": f"{self.folder}/server.key"}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        log = open(f"{self.folder}/log", "a")
        self.process = subprocess.Popen([f"{programs()}/postgres", "-D", self.data, *options],
                                        stdout=log, stderr=log, cwd="/",
                                        preexec_fn=die_with_the_test, **self.owner)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise AssertionError(open(f"{self.folder}/log").read())
            if subprocess.run([f"{programs()}/pg_isready", "-q", "-h", self.folder, "-p",
                               str(self.port)]).returncode == 0:
                return self
            time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def stop(self, how=signal.SIGINT):
        """SIGINT: orderly, connections are ended. SIGQUIT: as if its machine lost power, but for
        the disk."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(30)

    def sql(self, text):
        done = subprocess.run(["psql", "-h", self.folder, "-p", str(self.port), "-U", "talla", "-d",
                               "postgres", "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", text],
                               capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def connection(self):
        return f"host={self.folder} port={self.port} user=talla dbname=postgres"

    def over_the_network(self, more):
        return f"host=127.0.0.1 port={self.port} user=talla dbname=postgres {more}"

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)
