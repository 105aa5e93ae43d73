#!/usr/bin/env python3
# Goal: an appliance with the keys of a ceremony and of a PKCS#11 token runs in the production
#   profile, and every condition that is missing is refused with its own words; clients whose
#   certificate is over are told so, and the log says it.
# Method: the real programs: `talla keys ceremony` on both sides, SoftHSM 2, an emulated raw
#   generator under the real rngd-source (`emulated_usb`); the daemon is started with one thing
#   wrong at a time. usage: keys_test.py FOLDER_OF_PROGRAMS
import datetime
import http.client
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time

from appliance import new_key, record_of
from assessed import assessed, document
from ceremony_house import ORIGIN, PHRASE, PEOPLE, MODULE, run, House
from certifier import what_two_certify_is_certified_until_it_is_withdrawn
from facts import WHEEL, hold, open_table


def a_ceremony_makes_root_appliance_and_clients(house):
    house.ceremony("root", house.root, "--name", "Casino root", "--passphrase", house.phrase)
    house.make_token()
    house.talla("keys", "token", house.uri("log", 1), "--for", "log")
    house.talla("keys", "token", house.uri("sealing", 2), "--for", "sealing")
    assert ("object_refused" in house.talla("keys", "token", house.uri("log", 1), "--for",
                                            "log", code=1))
    house.ceremony("request", house.keys, "--origin", ORIGIN, "--log-key", house.uri("log", 1))
    assert not os.path.exists(f"{house.keys}/log.key")
    house.sign(f"{house.keys}/server.csr", "server", "localhost", f"{house.folder}/s.pem")
    house.sign(f"{house.keys}/log-certificate.csr", "log", ORIGIN, f"{house.folder}/l.pem")
    house.ceremony("install", house.keys, "--origin", ORIGIN, "--root", f"{house.root}/root.pem",
                   "--server", f"{house.folder}/s.pem", "--log", f"{house.folder}/l.pem",
                   "--log-key", house.uri("log", 1))
    for client, role in PEOPLE.items():
        house.enrol(client, role)
    for name in ("log-certificate", "server"):
        run("openssl", "verify", "-x509_strict", "-crl_check", "-CRLfile", f"{house.root}/crl.pem",
            "-CAfile", f"{house.root}/root.pem", f"{house.keys}/{name}.pem")


def witnesses_sign_the_transcript(house):
    text = house.ceremony("transcript", house.root)
    path = f"{house.root}/transcript.txt"
    digest = run("openssl", "dgst", "-sha256", "-r", path).split()[0]
    assert digest in text and text.count("certificate given") == 2 + len(PEOPLE), text
    run("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out",
        f"{house.folder}/witness.key")
    run("openssl", "dgst", "-sha256", "-sign", f"{house.folder}/witness.key", "-out",
        f"{house.folder}/signature", path)
    run("openssl", "pkey", "-in", f"{house.folder}/witness.key", "-pubout", "-out",
        f"{house.folder}/witness.pub")
    assert "OK" in run("openssl", "dgst", "-sha256", "-verify", f"{house.folder}/witness.pub",
                       "-signature", f"{house.folder}/signature", path)
    kept = open(path).read()
    open(path, "w").write(kept.replace("talla:table-1", "talla:table-2", 1))
    assert "was changed" in house.ceremony("transcript", house.root, code=1)
    open(path, "w").write(kept)


def each_missing_condition_is_refused_with_its_own_words(house):
    house.plug()
    house.talla("keys", "init", f"{house.folder}/development", "--origin", ORIGIN)
    dev = f"{house.folder}/development"
    with open(f"{house.keys}/sealing.key", "wb") as file:
        file.write(os.urandom(32))
    os.chmod(f"{house.keys}/sealing.key", 0o600)
    refused = house.refused
    refused("software.manifest: production runs signed software only",
            config=house.configure(software=""))
    refused("development key", config=house.configure(log_key=f"{dev}/log.key",
                                                      statement=f"{dev}/log-key.json"))
    refused("server.pem: development certificate",
            config=house.configure(certificate=f"{dev}/server.pem"))
    refused("ca.pem: development certificate", config=house.configure(roots=f"{dev}/ca.pem"))
    refused("lies in a file is for development",
            config=house.configure(sealing='sealing_key = "sealing.key"'))
    refused("source.kind", "auto is for development",
            config=house.configure(source='kind = "auto"'))
    bare = 'kind = "usb"\nmodel = "chaoskey"\n'
    figure = 'serial = "0123"\nassessed_millibits = 4000\n'
    whole = assessed(house.folder)
    for source, missing in ((bare, "serial, assessed_millibits, assessment, assessment_file"),
                            (bare + 'serial = "0123"\n', "missing: assessed_millibits, assessment"),
                            (bare + figure, "missing: assessment, assessment_file"),
                            (whole.replace('serial = "0123"', 'port = "1-4"'),
                             "missing: serial"),
                            (whole.replace("chaoskey",
                                              "onerng").replace(
                                                  "0123", "00") + '\nsettings = "version=2"\n',
                             "missing: port"),
                            (whole.replace("chaoskey",
                                              "onerng").replace('serial = "0123"', 'port = "1-4"') +
                             '\nsettings = "version=none"\n', "missing: version= in settings")):
        refused("production credits a unit by what was found on it", missing,
                config=house.configure(source=source))
        checked = subprocess.run([f"{house.programs}/rngd", "--check", "--config",
                                  house.configure(source=source)],
                                 capture_output=True, text=True, timeout=60, env=house.environment)
        assert checked.returncode == 1 and missing in checked.stderr, checked
    a_document_credits_the_unit_it_is_about(house)
    refused("uncertified; production needs a raw physical source",
            config=house.configure(source='kind = "system"'))
    refused("C_Login: CKR_PIN_INCORRECT",
            config=house.configure(log_key=house.uri("log",
                                                     1).replace(house.pin,
                                                                house.private("other",
                                                                              "999999\n"))))
    refused("keys.sealing_key", "holds no secret key",
            config=house.configure(sealing=f'sealing_key = "{house.uri("none", 9)}"'))


def a_document_credits_the_unit_it_is_about(house):
    """Whoever claims more than the document found, or shows another one, does not start."""
    source = assessed(house.folder)
    path = f"{house.folder}/assessment.json"

    def refused(words, text=source):
        config = house.configure(source=text)
        house.refused("source: chaoskey 0123: assessment_file", words, config=config)
        checked = subprocess.run([f"{house.programs}/rngd", "--check", "--config", config],
                                 capture_output=True, text=True, timeout=60, env=house.environment)
        assert checked.returncode == 1 and words in checked.stderr, checked

    def with_document(**changes):
        old = source.split('assessment = "')[1][:64]
        return source.replace(old, document(house.folder, **changes))

    refused("it found 3999 thousandths of a bit a sample, and assessed_millibits claims 4000",
            with_document(min_entropy_millibits=3999))
    refused('it is of the unit with serial number "0124", the device has "0123"',
            with_document(serial="0124"))
    refused('it is of a "bitbabbler", the device is a "chaoskey"',
            with_document(model="bitbabbler"))
    refused("only raw_physical noise is credited", with_document(device__class="system"))
    refused("its samples were taken with mode=raw, the device is configured with no settings",
            with_document(device__settings={"mode": "raw"}))
    refused("999999 samples are not what SP 800-90B 3.1.1 asks for",
            with_document(samples__count=999999))
    narrow = house.configure(source=with_document(samples__width_bits=7))
    house.refused("is about samples of 7 bits, the device gives 8-bit ones", config=narrow)
    document(house.folder)
    with open(path, "a", encoding="ascii") as file:
        file.write(" ")
    refused("this is another document, or it was changed")
    os.remove(path)
    refused(path)
    report = b'{"standard":"SP 800-90B","min_entropy":4.5}\n'
    with open(path, "wb") as file:
        file.write(report)
    other = source.split('assessment = "')[1][:64]
    refused("this is no document of `talla-lab assess --document`",
            source.replace(other, hashlib.sha256(report).hexdigest()))
    house.refused("source.assessment_file: the document and its digest, assessment, go together",
                  config=house.configure(source=source.replace("assessment_file", "#")))
    document(house.folder)


def memory_that_does_not_lock_and_swap_are_refused(house):
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        print("skipped: needs root and setpriv")
        return
    house.refused("memory cannot be locked", config=house.configure(), before=(
        "prlimit", "--memlock=0", "setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock"))
    swaps = f"{house.folder}/swaps"
    open(swaps, "w").write("Filename Type Size Used Priority\n/dev/sda2 partition 1000 0 -2\n")
    isolated = ("unshare", "-m", "/bin/sh", "-c", f'mount --bind {swaps} /proc/swaps && exec "$@"',
                "sh")
    if subprocess.run([*isolated, "true"], capture_output=True).returncode != 0:
        print("skipped: no mount namespace here")
        return
    house.refused("swap is on", before=isolated)


def production_starts_with_everything_there(house):
    house.start(house.configure())
    client = house.client("talla:table-1")
    status = house.client("talla:auditor-1").get("/v1/status")
    assert (status["profile"], status["sealing"],
            status["generator"]["uncertified"]) == ("production", "hsm", False), status
    table = open_table(client, WHEEL)
    commit = record_of(client.post(f"/v1/tables/{table}/batches", {"count": 4}), "BATCH_COMMIT")
    credited = [s for s in commit["body"]["context"]["sources"] if s["class"] == "raw_physical"]
    assert [(s["serial"], s["millibits"], s["assessment"], s["assessment_digest"])
            for s in credited] == [
        ("0123", 4000, "unit", document(house.folder))], credited
    assert '"sealing":"hsm"' in json.dumps(commit, separators=(",", ":")), commit
    client.close()
    limits = open(f"/proc/{house.process.pid}/limits").read()
    assert ([line.split()[4:6] for line in limits.splitlines()
             if line.startswith("Max core file")] == [["0", "0"]]), limits


def a_restart_unseals_what_the_token_sealed(house):
    house.stop()
    house.start(house.configure())
    assert house.client("talla:auditor-1").get("/v1/status")["generator"]["state"] != "latched"


def openssl_ca(house, request, start, end, out):
    """Signs with dates of the test's own choice, which the ceremony does not offer."""
    folder = f"{house.folder}/ca"
    os.makedirs(folder, exist_ok=True)
    open(f"{folder}/index.txt", "a").close()
    with open(f"{folder}/ca.cnf", "w") as file:
        file.write(f"[ca]\ndefault_ca = d\n[d]\ndatabase = {folder}/index.txt\nnew_certs_dir = "
                   f"{folder}\nrand_serial = yes\n"
                   "default_md = sha256\npolicy = p\nx509_extensions = x\ncopy_extensions = none\n"
                   "[p]\ncommonName = supplied\n"
                   "[x]\nbasicConstraints = critical,CA:FALSE\nkeyUsage = "
                   "critical,digitalSignature\nextendedKeyUsage = clientAuth\n"
                   "subjectAltName = URI:talla:old-1\n")
    run("openssl", "ca", "-batch", "-config", f"{folder}/ca.cnf", "-cert", f"{house.root}/root.pem",
        "-keyfile", f"{house.root}/root.key", "-passin", f"pass:{PHRASE}", "-startdate", start,
        "-enddate", end, "-notext", "-in", request, "-out", out)


def refused_over_tls(house, name, code):
    client = house.client(name)
    for _ in range(3):  # one ACCESS in the hour, however often it comes
        for method, path, body in (("GET", "/v1/tables", None), ("GET", "/livez", None),
                                   ("POST", "/v1/tables", {})):
            status, text = client.send(method, path, body, new_key() if method == "POST" else None)
            assert status == 403 and json.loads(text)["code"] == code, (status, text)
        client.close()


def revoked_and_expired_clients_are_told_so_and_the_log_says_it(house):
    base = f"{house.people}/clients"
    house.ceremony("revoke", house.root, f"{base}/talla:gone-1.pem", "--reason", "keyCompromise",
                   "--passphrase", house.phrase)
    stamp = [(datetime.datetime.utcnow() - datetime.timedelta(days=days)).strftime("%Y%m%d%H%M%SZ")
             for days in (30, 1)]
    openssl_ca(house, f"{base}/talla:old-1.csr", *stamp, f"{base}/talla:old-1.new")
    os.replace(f"{base}/talla:old-1.new", f"{base}/talla:old-1.pem")
    house.client("talla:gone-1").get("/v1/tables")  # until the list is there
    house.stop()
    house.refused("no list of revoked certificates", config=house.configure(revoked="server.pem"))
    house.start(house.configure(revoked=f"{house.root}/crl.pem"))
    refused_over_tls(house, "talla:gone-1", "certificate_revoked")
    refused_over_tls(house, "talla:old-1", "certificate_expired")
    house.client("talla:table-1").get("/v1/tables")
    time.sleep(0.5)
    said = [(one["body"]["what"], one["body"]["result"], one["body"]["by"])
            for one in house.records("ACCESS")]
    assert sorted(said) == [("certificate-expired", "refused", ["talla:old-1"]),
                            ("certificate-revoked", "refused", ["talla:gone-1"])], said


def a_list_read_again_ends_a_connection_that_was_good(house):
    base = f"{house.people}/clients/talla:gone-2"
    house.ceremony("client-request", base + ".key", base + ".csr", "--id", "talla:gone-2")
    house.sign(base + ".csr", "client", "talla:gone-2", base + ".pem")
    gone, table = house.client("talla:gone-2"), house.client("talla:table-1")
    table.get("/v1/tables")
    status, text = gone.send("GET", "/v1/tables")
    assert status == 403 and json.loads(text)["code"] == "not_enrolled", text
    house.ceremony("revoke", house.root, base + ".pem", "--reason", "keyCompromise", "--passphrase",
                   house.phrase)
    house.hang_up("tls_files_read")
    try:
        gone.send("GET", "/v1/tables")
        raise AssertionError("a connection that was judged by the older list")
    except (OSError, http.client.HTTPException):
        gone.close()
    refused_over_tls(house, "talla:gone-2", "certificate_revoked")
    house.client("talla:table-1").get("/v1/tables")
    kept = open(f"{house.root}/crl.pem").read()
    open(f"{house.root}/crl.pem", "w").write("no list\n")
    house.hang_up("tls_files_refused")
    open(f"{house.root}/crl.pem", "w").write(kept)
    refused_over_tls(house, "talla:gone-2", "certificate_revoked")
    house.client("talla:table-1").get("/v1/tables")


def a_renewed_client_comes_in_and_its_old_key_does_not(house):
    base = f"{house.people}/clients/talla:table-1"
    house.ceremony("client-request", base + "-2.key", base + "-2.csr", "--id", "talla:table-1")
    house.sign(base + "-2.csr", "client", "talla:table-1", base + "-2.pem")
    house.talla("keys", "renew", f"{house.keys}/clients.toml", base + "-2.pem")
    house.stop()
    house.start(house.configure(revoked=f"{house.root}/crl.pem"))
    client = house.client("talla:table-1-2")
    assert client.get("/v1/tables")["tables"], "its table is still there"
    client.close()
    status, text = house.client("talla:table-1").send("GET", "/v1/tables")
    assert status == 403 and json.loads(text)["code"] == "not_enrolled", text
    bound = [(one["body"]["id"], one["body"]["action"]) for one in house.records("KEY")
             if one["body"]["purpose"] == "client"]
    assert bound[-2:] == [("talla:table-1", "revoke"), ("talla:table-1", "enrol")], bound
    house.stop()


def a_passphrase_seals_too(house):
    house.talla("keys", "passphrase", f"{house.keys}/sealing.json", "--passphrase", house.phrase)
    place = f'sealing_key = "passphrase:sealing.json"\npassphrase = "{house.phrase}"'
    other = house.private("wrong", "another passphrase entirely")
    wrong = f'sealing_key = "passphrase:sealing.json"\npassphrase = "{other}"'
    house.refused("this is not its passphrase", config=house.configure(sealing=wrong))
    shutil.rmtree(f"{house.keys}/data")
    house.start(house.configure(sealing=place))
    assert house.client("talla:auditor-1").get("/v1/status")["sealing"] == "passphrase"
    house.stop()


if __name__ == "__main__":
    if MODULE is None or not shutil.which("softhsm2-util"):
        print("skipped: SoftHSM 2 (package softhsm2) is not installed")
        sys.exit(77)
    if len(open("/proc/swaps").read().splitlines()) > 1:
        print("skipped: swap is on here, and production refuses it")
        sys.exit(77)
    own = House()
    try:
        failed = hold([a_ceremony_makes_root_appliance_and_clients, witnesses_sign_the_transcript,
                       each_missing_condition_is_refused_with_its_own_words,
                       memory_that_does_not_lock_and_swap_are_refused,
                       production_starts_with_everything_there,
                       a_restart_unseals_what_the_token_sealed,
                       what_two_certify_is_certified_until_it_is_withdrawn,
                       revoked_and_expired_clients_are_told_so_and_the_log_says_it,
                       a_list_read_again_ends_a_connection_that_was_good,
                       a_renewed_client_comes_in_and_its_old_key_does_not, a_passphrase_seals_too],
                       own)
        if failed and os.path.exists(f"{own.folder}/rngd.log"):
            print(open(f"{own.folder}/rngd.log").read()[-4000:])
    finally:
        own.close()
    sys.exit(1 if failed else 0)
