#!/usr/bin/env python3
# Goal: with a TPM 2 or an HSM as rollback anchor an older copy of the whole disk does not start, a
#   lost anchor stops new commitments, and `talla anchor adopt` takes up a new one only where none
#   knows the ledger.
# Method: the daemon with a real swtpm and a real SoftHSM 2; its data folder put back; the TPM ended
#   while it runs and replaced by another. What is absent is left out with a message. usage:
#   anchor_test.py FOLDER_OF_PROGRAMS
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from calls import draw_body
from appliance import Appliance, free_ports, record_of
from facts import WHEEL, new_batch, open_table, wait_for

MODULES = ("/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so")


class SoftTpm:
    """swtpm: its NV memory is in the folder and outlives it."""

    def __init__(self):
        self.folder, self.process = tempfile.mkdtemp(prefix="talla-tpm-"), None
        self.port, _ = free_ports(2)  # the library asks for the control channel at the next one
        self.tcti = f"swtpm:host=127.0.0.1,port={self.port}"
        self.start()

    def start(self):
        self.process = subprocess.Popen(["swtpm", "socket", "--tpm2", "--tpmstate",
                                         f"dir={self.folder}", "--server",
                                         f"type=tcp,bindaddr=127.0.0.1,port={self.port}", "--ctrl",
                                         f"type=tcp,bindaddr=127.0.0.1,port={self.port + 1}",
                                         "--flags", "not-need-init,startup-clear"])
        end = time.monotonic() + 10
        while time.monotonic() < end:
            try:
                for port in (self.port, self.port + 1):  # it opens one after the other
                    socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("swtpm does not listen")

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()

    def replace(self):
        """Another chip: nothing is defined in it."""
        self.stop()
        shutil.rmtree(self.folder)
        os.mkdir(self.folder)
        self.start()

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def lag(appliance):
    return [float(line.split()[1]) for line in appliance.health("/metrics")[1].split("\n")
            if line.startswith("talla_anchor_lag_records ")][0]


def an_older_disk_is_refused(appliance, kind):
    data = f"{appliance.folder}/data"
    appliance.start()
    client = appliance.client()
    table = open_table(client, WHEEL)
    commit = client.post(f"/v1/tables/{table}/batches", {"count": 4})
    batch, context = commit["batch"], record_of(commit, "BATCH_COMMIT")["body"]["context"]
    assert context["rollback_protection"] == kind, context
    client.post("/v1/draws", draw_body(client, table, batch, 0))
    wait_for("the anchor is written while running", lambda: lag(appliance) == 0)
    assert appliance.stop() == 0
    shutil.copytree(data, data + ".old")
    appliance.start()
    client = appliance.client()
    client.post("/v1/draws", draw_body(client, table, batch, 1))
    # after a kill at most an interval is missing
    appliance.kill() if kind == "tpm" else appliance.stop()
    os.rename(data, data + ".new")
    shutil.copytree(data + ".old", data)
    said = appliance.start_refused()
    assert "ledger_shorter" in said, said
    done = appliance.talla("anchor", "adopt", appliance.config)
    assert done.returncode == 1 and "ledger_shorter" in done.stderr, done.stderr
    shutil.rmtree(data)
    os.rename(data + ".new", data)
    shutil.rmtree(data + ".old")
    appliance.start()
    client = appliance.client()
    client.post("/v1/draws", draw_body(client, table, batch, 2))
    return table, batch


def a_tpm(binaries):
    tpm = SoftTpm()
    try:
        with Appliance(binaries, lambda text: text +
                       f'\n[anchor]\nkind = "tpm"\ntpm_tcti = "{tpm.tcti}"\ntpm_auth = "tpm.auth"\n'
                       'interval_seconds = 1\nlost_after_seconds = 3\n') as appliance:
            with open(os.open(f"{appliance.folder}/tpm.auth", os.O_CREAT | os.O_WRONLY, 0o600),
                      "wb") as out:
                out.write(os.urandom(31) + b"x")
            table, batch = an_older_disk_is_refused(appliance, "tpm")
            client = appliance.client()
            # The TPM goes away: what is committed goes on, nothing new is committed to, until it is
            # back.
            tpm.stop()
            client.post("/v1/draws", draw_body(client, table, batch, 3))
            wait_for("the anchor is lost", lambda: "anchor_lost" in appliance.health("/readyz")[1])
            status, text = client.send("POST", f"/v1/tables/{table}/batches", {}, key="lost-1")
            assert status == 503 and b"anchor_lost" in text, text
            tpm.start()
            wait_for("the anchor is back", lambda: appliance.health("/readyz")[0] == 200)
            new_batch(client, table, 1)
            assert appliance.stop() == 0
            # Gone, and then another chip: refused until it is adopted.
            tpm.stop()
            said = appliance.start_refused()
            assert "anchor_unreachable" in said, said
            tpm.replace()
            said = appliance.start_refused()
            assert "anchor_malformed" in said and "gone" in said, said
            done = appliance.talla("anchor", "check", appliance.config)
            assert done.returncode == 1 and "anchor_malformed" in done.stderr, done.stderr
            os.rename(f"{appliance.folder}/tpm.auth", f"{appliance.folder}/tpm.auth.kept")
            with open(os.open(f"{appliance.folder}/tpm.auth", os.O_CREAT | os.O_WRONLY, 0o600),
                      "wb"):
                pass  # an empty value
            said = appliance.start_refused()
            assert "key_malformed" in said and "openssl rand" in said, said
            os.replace(f"{appliance.folder}/tpm.auth.kept", f"{appliance.folder}/tpm.auth")
            appliance.talla("anchor", "adopt", appliance.config, check=True)
            appliance.start()
            assert appliance.stop() == 0
            an_operator_who_writes_tpm_memory_back(appliance, tpm)
    finally:
        tpm.remove()


def nv_command(tpm, code, auth, parameters):
    """One NV command to the anchor's index with its value in the clear, as an operator sends it;
    the answer's parameters."""
    index = (0x01815454).to_bytes(4, "big")
    session = bytes.fromhex("40000009" "0000" "01") + len(auth).to_bytes(2, "big") + auth
    body = index + index + len(session).to_bytes(4, "big") + session + parameters
    with socket.create_connection(("127.0.0.1", tpm.port), 5) as line:
        line.sendall(b"\x80\x02" +
                     (10 + len(body)).to_bytes(4, "big") + code.to_bytes(4, "big") + body)
        answer = line.recv(4096)
    assert answer[6:10] == b"\0\0\0\0", answer.hex()
    return answer[14:14 + int.from_bytes(answer[10:14], "big")]


def an_operator_who_writes_tpm_memory_back(appliance, tpm):
    """With the value itself he puts older content of the index back: its counter has gone on."""
    with open(f"{appliance.folder}/tpm.auth", "rb") as source:
        auth = source.read()
    # TPM2_NV_Read: TPM2B of the content
    old = nv_command(tpm, 0x14E, auth, (128).to_bytes(2, "big") + b"\0\0")
    assert len(old) == 130 and old[2:10] == b"TALLANV2", old
    appliance.start()
    assert appliance.stop() == 0
    newer = nv_command(tpm, 0x14E, auth, (128).to_bytes(2, "big") + b"\0\0")
    nv_command(tpm, 0x137, auth, old + b"\0\0")  # TPM2_NV_Write
    said = appliance.start_refused()
    assert "anchor_foreign" in said and "older content" in said, said
    nv_command(tpm, 0x137, auth, newer + b"\0\0")
    appliance.start()
    assert appliance.stop() == 0


def a_key_that_the_tpm_unseals(binaries):
    """The records say `tpm` when the daemon had the TPM unseal the key, and no other TPM does."""
    tpm = SoftTpm()
    try:
        with Appliance(binaries, lambda text: text.replace(
                'sealing_key = "sealing.key"',
                f'sealing_key = "tpm:sealing-tpm.json"\ntpm_tcti = "{tpm.tcti}"')) as appliance:
            said = appliance.start_refused()
            assert "keys.sealing_key" in said, said
            appliance.talla("keys", "tpm", f"{appliance.folder}/sealing-tpm.json", "--tcti",
                            tpm.tcti, check=True)
            appliance.start()
            assert appliance.client("talla:auditor-1").get("/v1/status")["sealing"] == "tpm"
            assert appliance.stop() == 0
            tpm.replace()
            said = appliance.start_refused()
            assert "seal_refused" in said and "another TPM" in said, said
    finally:
        tpm.remove()


def an_hsm(binaries, module):
    folder = tempfile.mkdtemp(prefix="talla-hsm-")
    try:
        os.mkdir(f"{folder}/tokens")
        with open(f"{folder}/softhsm2.conf", "w") as out:
            out.write(f"directories.tokendir = {folder}/tokens\nobjectstore.backend = file\n"
                      "log.level = ERROR\n")
        with open(os.open(f"{folder}/pin", os.O_CREAT | os.O_WRONLY, 0o600), "w") as out:
            out.write("4711-secret")
        environment = {"SOFTHSM2_CONF": f"{folder}/softhsm2.conf"}
        subprocess.run(["softhsm2-util", "--init-token", "--free", "--label", "casino", "--so-pin",
                        "12345678", "--pin", "4711-secret"],
                       check=True, capture_output=True, env=dict(os.environ, **environment))
        uri = ("pkcs11:token=casino;object=talla-anchor?"
               f"module-path={module}&pin-source={folder}/pin")
        with Appliance(binaries, lambda text: text +
                       f'\n[anchor]\nkind = "hsm"\nhsm = "{uri}"\ninterval_seconds = 1\n',
                       environment) as appliance:
            an_older_disk_is_refused(appliance, "hsm")
            assert appliance.stop() == 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if shutil.which("swtpm"):
        a_tpm(sys.argv[1])
        a_key_that_the_tpm_unseals(sys.argv[1])
        print("TPM: done")
    else:
        print("swtpm is not here: the TPM was left out")
    found = [path for path in MODULES if os.path.exists(path)]
    if found and shutil.which("softhsm2-util"):
        an_hsm(sys.argv[1], found[0])
        print("HSM: done")
    else:
        print("SoftHSM 2 is not here: the HSM was left out")
