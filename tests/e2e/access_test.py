#!/usr/bin/env python3
# Goal: nobody without an enrolled certificate gets anything, and with one nobody gets more than the
#   role allows.
# Method: certificates made with the openssl command (another root, self-signed, an id that is not
#   enrolled, an enrolled id with another key); the whole operation list of rngd/openapi.json asked
#   by each role. usage: access_test.py FOLDER_OF_PROGRAMS
import http.client
import json
import os
import re
import ssl
import subprocess
import time

from calls import draw_core, signed
from facts import WHEEL, events, main, new_batch, new_key, open_table, refused

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EC = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]


def openssl(folder, *arguments):
    done = subprocess.run(["openssl", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def certificate(folder, name, client_id, ca, ca_key):
    with open(f"{folder}/{name}.ext", "w", encoding="ascii") as out:
        out.write(f"subjectAltName=URI:{client_id}\nextendedKeyUsage=clientAuth\n")
    openssl(folder, "req", *EC, "-subj", f"/CN={name}", "-keyout", f"clients/{name}.key", "-out",
            f"{name}.csr")
    openssl(folder, "x509", "-req", "-days", "2", "-in", f"{name}.csr", "-CA", ca, "-CAkey", ca_key,
            "-CAcreateserial",
            "-extfile", f"{name}.ext", "-out", f"clients/{name}.pem")


def more_clients(appliance):
    appliance.talla("keys", "client", appliance.folder, "talla:table-2", "--role", "table",
                    check=True)
    folder = appliance.folder
    openssl(folder, "req", "-x509", *EC, "-days", "2", "-subj", "/CN=other root", "-keyout",
            "other.key", "-out", "other.pem")
    certificate(folder, "foreign", "talla:table-1", "other.pem", "other.key")
    certificate(folder, "unknown", "talla:table-99", "ca.pem", "ca.key")
    certificate(folder, "twin", "talla:table-1", "ca.pem", "ca.key")


def cut_off(call):
    """The connection ends without an HTTP reply."""
    try:
        reply = call()
    except (ssl.SSLError, ConnectionError, http.client.HTTPException, BrokenPipeError):
        return
    raise AssertionError(f"an answer came: {reply}")


def a_certificate_of_another_root_is_refused_by_tls(appliance):
    cut_off(lambda: appliance.client("foreign").send("GET", "/v1/status"))


def no_certificate_is_refused_by_tls(appliance):
    context = ssl.create_default_context(cafile=f"{appliance.folder}/ca.pem")
    connection = http.client.HTTPSConnection("localhost", appliance.port, context=context,
                                             timeout=10)

    def ask():
        connection.request("GET", "/livez")
        return connection.getresponse().status
    cut_off(ask)


def plain_http_and_older_tls_are_refused(appliance):
    connection = http.client.HTTPConnection("localhost", appliance.port, timeout=10)

    def ask():
        connection.request("GET", "/livez")
        return connection.getresponse().status
    cut_off(ask)
    client = appliance.client()
    client.context.maximum_version = ssl.TLSVersion.TLSv1_2
    cut_off(lambda: client.send("GET", "/v1/status"))


def a_trusted_certificate_that_is_not_enrolled_gets_403_everywhere(appliance):
    for name in ("unknown", "twin"):
        client = appliance.client(name)
        for path in ("/v1/status", "/livez", "/metrics", "/openapi.json", "/v1/nothing",
                     "/v1/checkpoint"):
            refused(client, "GET", path, 403, "not_enrolled")
        refused(client, "POST", "/v1/tables", 403, "not_enrolled", WHEEL)


def every_role_may_do_what_the_description_says_and_nothing_else(appliance):
    with open(f"{ROOT}/rngd/openapi.json", encoding="utf-8") as source:
        paths = json.load(source)["paths"]
    clients = {"table": appliance.client(), "auditor": appliance.client("talla:auditor-1"),
               "operator": appliance.client("talla:operator-1"),
               "security-officer": appliance.client("talla:officer-1"),
               "inspector": appliance.client("talla:inspector-1")}
    asked = 0
    for path, methods in paths.items():
        for method, operation in methods.items():
            places = {"table": "table-999999", "shoe": "shoe-999999", "round": "round-999999",
                      "act": "act-999999", "seq": "999999", "key": "none", "catalogue": "none",
                      "game": "none"}
            concrete = re.sub(r"\{(\w+)\}", lambda m: places.get(m[1], m[0]), path)
            for role, client in clients.items():
                status, text = client.send(method.upper(), concrete, {} if method == "post"
                                           else None, key=new_key())
                allowed = role in operation["x-talla-roles"]
                assert (status == 403) == (not allowed), (
                    f"{role} {method} {concrete}: {status} {text.decode()}")
                assert status < 500 and status != 405, (
                    f"{role} {method} {concrete}: {status} {text.decode()}")
                asked += 1
    assert asked >= 150, asked
    # Somebody who may has stopped new commitments above: two persons end it.
    act = clients["security-officer"].post("/v1/acts", {"act": "latch-reset"})["act"]["id"]
    clients["inspector"].post(f"/v1/acts/{act}/confirm")
    end = time.monotonic() + 30
    while appliance.health("/readyz")[0] != 200:
        assert time.monotonic() < end, appliance.health("/readyz")
        time.sleep(0.05)


def a_table_client_does_not_see_the_tables_of_another(appliance):
    one, two = appliance.client(), appliance.client("talla:table-2")
    table = open_table(one, WHEEL)
    batch = new_batch(one, table)
    seq = int(batch["id"].split("-")[1])
    assert table not in [view["id"] for view in two.get("/v1/tables")["tables"]]
    for path in (f"/v1/tables/{table}", f"/v1/receipts/{seq}", f"/v1/bundles/{seq}",
                 f"/v1/receipts/{table.split('-')[1]}"):
        refused(two, "GET", path, 404, "not_found")
    for path in (f"/v1/tables/{table}/close", f"/v1/tables/{table}/batches",
                 f"/v1/tables/{table}/shoes"):
        refused(two, "POST", path, 404, "not_found")
    seen = {event["object"] for event in events(two)}
    assert table not in seen and batch["id"] not in seen, seen
    refused(two, "POST", "/v1/draws", 404, "not_found",
            signed(two, draw_core(one, table, batch)))
    own = {event["object"] for event in events(one)}
    assert table in own and batch["id"] in own
    one.post(f"/v1/tables/{table}/close")
    refused(two, "GET", f"/v1/tables/{table}", 404, "not_found")
    refused(two, "POST", f"/v1/tables/{table}/close", 404, "not_found")


def auditor_operator_officer_and_inspector_see_every_table_and_the_whole_log(appliance):
    table = open_table(appliance.client("talla:table-2"), WHEEL)
    for name in ("talla:auditor-1", "talla:operator-1", "talla:officer-1", "talla:inspector-1"):
        client = appliance.client(name)
        assert client.get(f"/v1/tables/{table}")["table"]["id"] == table
        assert table in [view["id"] for view in client.get("/v1/tables")["tables"]]
        seqs = [event["seq"] for event in events(client)]
        assert seqs == list(range(len(seqs))), "the log has a gap"
        refused(client, "POST", f"/v1/tables/{table}/close", 403, "forbidden")


if __name__ == "__main__":
    main([a_certificate_of_another_root_is_refused_by_tls, no_certificate_is_refused_by_tls,
          plain_http_and_older_tls_are_refused,
          a_trusted_certificate_that_is_not_enrolled_gets_403_everywhere,
          every_role_may_do_what_the_description_says_and_nothing_else,
          a_table_client_does_not_see_the_tables_of_another,
          auditor_operator_officer_and_inspector_see_every_table_and_the_whole_log],
          before=more_clients)
