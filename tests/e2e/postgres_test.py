#!/usr/bin/env python3
# Goal: appliances whose ledger is on a PostgreSQL server lose nothing, verify, keep apart on one
#   cluster, and give way to a second daemon of their origin; servers and ways that are not safe are
#   refused.
# Method: a real server and real daemons; both are killed, stopped and started again. usage:
#   postgres_test.py FOLDER_OF_PROGRAMS
import base64
import glob
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import postgres  # noqa: E402
from calls import draw_body  # noqa: E402
from appliance import Appliance  # noqa: E402
from crash_test import Drawer, all_records, check  # noqa: E402
from facts import WHEEL, hold, new_batch, open_table  # noqa: E402
from verifier.tree import leaf_hash, root_of  # noqa: E402

BINARIES = sys.argv[1]


def on(connection, more=""):
    """An edit of rngd.toml that puts the ledger on a server."""
    def edit(text):
        return text.replace("\n[api]", "\ntiles = \"published\"\n[ledger]\nkind = \"postgres\"\n"
                                       f"connection = \"{connection}\"\n{more}\n[api]", 1)
    return edit


def one_draw(appliance):
    client = appliance.client()
    table = open_table(client, WHEEL)
    return client.post("/v1/draws", draw_body(client, table, new_batch(client, table)))


def ends_with(appliance, code, wait=60):
    got = appliance.process.wait(wait)
    assert got == code, f"rngd ended with {got}, not {code}\n{appliance.log()[-2000:]}"


def draws_are_made_and_verified_and_the_log_is_read_offline(server, appliance):
    appliance.start()
    path = f"{appliance.folder}/spin.talla"
    appliance.talla("spin", "--catalogue", "es-1977", "--game", "french-roulette", "--out", path,
                    check=True)
    code, words = appliance.verify(path)
    assert code == 3 and words.startswith("verified:"), words
    archive = f"{appliance.folder}/log.archive"
    sealed = json.loads(appliance.talla("--json", "archive", "seal", "--config", appliance.config,
                                        archive, check=True).stdout)
    assert (sealed["to"] > 5 and appliance.talla("archive", "verify", archive, "--root",
                                                 f"{appliance.folder}/ca.pem").returncode == 3)
    assert appliance.stop() == 0
    size = json.loads(appliance.talla("--json", "log", "rebuild", appliance.config,
                                      check=True).stdout)["size"]
    schemas = server.sql("SELECT count(*) FROM pg_namespace WHERE nspname LIKE "
                         "'talla_talla_local_development_%'")
    assert size > 5 and schemas == "1", (size, schemas)
    assert not glob.glob(f"{appliance.folder}/data/ledger.db*"), (
        "there is no ledger file beside the server's")


def a_published_folder_of_tiles_is_the_log_for_everybody(server, appliance):
    folder = f"{appliance.folder}/published"
    origin, size, root = open(f"{folder}/checkpoint").read().splitlines()[:3]
    records = []
    while len(records) < int(size):
        index = len(records) // 256
        width = min(256, int(size) - 256 * index)
        assert index < 1000
        path = f"{folder}/tile/entries/{index:03}" + ("" if width == 256 else f".p/{width}")
        content = open(path, "rb").read()
        while content:
            length = int.from_bytes(content[:2], "big")
            records.append(content[2:2 + length])
            content = content[2 + length:]
    assert base64.b64encode(root_of([leaf_hash(record)
                                     for record in records])).decode() == root, (origin, size)
    for place, _, names in os.walk(folder):
        assert stat.S_IMODE(os.stat(place).st_mode) == 0o755, place
        for name in names:
            assert stat.S_IMODE(os.stat(f"{place}/{name}").st_mode) == 0o644, name
    assert stat.S_IMODE(os.stat(f"{appliance.folder}/data").st_mode) == 0o700


def killed_again_and_again_it_loses_and_doubles_nothing(server, appliance):
    appliance.start()
    drawers = [Drawer(appliance) for _ in range(4)]
    for drawer in drawers:
        drawer.start()
    for _ in range(40 if os.environ.get("TALLA_LONG") else 3):
        time.sleep(0.3)
        appliance.kill()
        appliance.start()
    finish(appliance, drawers)


def finish(appliance, drawers):
    time.sleep(0.3)
    for drawer in drawers:
        drawer.running = False
    for drawer in drawers:
        drawer.join(20)
        assert drawer.failure is None, drawer.failure
    appliance.kill()
    appliance.start()
    records, replies, draws = check(appliance, drawers, {})
    assert replies > 0 and draws > 10, (replies, draws)
    assert appliance.stop() == 0


def a_server_that_ends_in_mid_work_ends_the_daemon_and_nothing_acknowledged_is_lost(
    server, appliance):
    for how in (signal.SIGINT, signal.SIGQUIT):
        appliance.start()
        drawers = [Drawer(appliance) for _ in range(4)]
        for drawer in drawers:
            drawer.start()
        time.sleep(0.5)
        server.stop(how)
        ends_with(appliance, 3)
        assert "ledger_failed" in appliance.log()
        server.start()
        appliance.start()
        finish(appliance, drawers)


def a_start_waits_for_its_server_and_is_given_up_by_a_signal(server, appliance):
    server.stop()

    def begin():
        os.remove(appliance.log_path)
        log = open(appliance.log_path, "w")
        appliance.process = subprocess.Popen([f"{appliance.binaries}/rngd", "--config",
                                              appliance.config], stdout=log, stderr=log)
        end = time.monotonic() + 20
        while "ledger_waits" not in appliance.log() and time.monotonic() < end:
            time.sleep(0.05)
        assert "ledger_waits" in appliance.log()
    begin()
    assert appliance.stop() == 0
    begin()
    server.start()
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            if appliance.health("/readyz")[0] == 200:
                break
        except OSError:
            pass
        time.sleep(0.1)
    one_draw(appliance)
    assert appliance.stop() == 0


def two_appliances_on_one_cluster_keep_their_own_logs(server, appliance):
    with Appliance(BINARIES, on(server.connection()), origin="talla.local/second") as second:
        appliance.start()
        second.start()
        for _ in range(3):
            mine, other = one_draw(appliance), one_draw(second)
            for reply, origin in ((mine, "talla.local/development"), (other, "talla.local/second")):
                for receipt in reply["receipts"]:
                    assert json.loads(receipt["record"])["origin"] == origin
        second.kill()
        one_draw(appliance)
        second.start()
        records = all_records(second.client("talla:auditor-1"))
        assert sorted(records) == list(range(len(records)))
        assert second.stop() == 0 and appliance.stop() == 0
    assert server.sql("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'talla_%'") == "2"


def a_second_daemon_on_the_same_data_is_kept_out_and_one_elsewhere_fences_the_first(
    server, appliance):
    appliance.start()
    one_draw(appliance)
    assert "ledger_locked" in appliance.start_refused()
    # another machine with the same keys, anchor and configuration
    with Appliance(BINARIES) as other:
        for name in os.listdir(other.folder):
            path = f"{other.folder}/{name}"
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        text = open(appliance.config).read()
        for name in os.listdir(appliance.folder):
            if name not in ("rngd.toml", "rngd.log", "published"):
                path = f"{appliance.folder}/{name}"
                (shutil.copytree if os.path.isdir(path)
                 else shutil.copy2)(path, f"{other.folder}/{name}")
        text = text.replace(str(appliance.port), str(other.port),
                            1).replace(str(appliance.health_port), str(other.health_port), 1)
        open(other.config, "w").write(text)
        other.start()
        reply = one_draw(other)
        client = appliance.client()
        status, words = client.send("POST", "/v1/tables", WHEEL, key="one-more")
        assert status == 503 and json.loads(words)["code"] == "ledger_failed", (status, words)
        ends_with(appliance, 4)
        assert "ledger_fenced" in appliance.log()
        records = all_records(other.client("talla:auditor-1"))
        assert sorted(records) == list(range(len(records)))
        for receipt in reply["receipts"]:
            assert records[json.loads(receipt["record"])["seq"]] == receipt["record"]
        assert other.stop() == 0
    appliance.start()
    one_draw(appliance)
    assert appliance.stop() == 0


def a_ledger_that_is_not_what_it_was_is_refused(server, appliance):
    schema = server.sql("SELECT nspname FROM pg_namespace WHERE nspname LIKE "
                        "'talla_talla_local_development_%'")
    server.sql(f"CREATE TABLE {schema}.kept AS SELECT * FROM {schema}.records")
    server.sql(f"UPDATE {schema}.records SET bytes = set_byte(bytes, 30, 65) WHERE seq = 2")
    done = appliance.talla("log", "rebuild", appliance.config)
    assert done.returncode != 0 and "record 2" in done.stderr, done.stderr
    server.sql(f"UPDATE {schema}.records r SET bytes = k.bytes FROM {schema}.kept k WHERE r.seq = "
               "k.seq AND r.seq = 2")
    server.sql(f"DELETE FROM {schema}.records WHERE seq = (SELECT max(seq) - 5 FROM "
               f"{schema}.records)")
    assert "ledger_damaged" in appliance.start_refused()
    server.sql(f"INSERT INTO {schema}.records SELECT * FROM {schema}.kept k WHERE NOT EXISTS "
               f"(SELECT 1 FROM {schema}.records r"
               " WHERE r.seq = k.seq)")
    server.sql(f"DROP TABLE {schema}.kept")
    server.sql(f"ALTER SCHEMA {schema} RENAME TO away")
    assert "ledger_shorter" in appliance.start_refused(), (
        "a new ledger in the place of one that the anchor knows")
    server.sql(f"DROP SCHEMA {schema} CASCADE")
    server.sql(f"ALTER SCHEMA away RENAME TO {schema}")
    appliance.talla("log", "rebuild", appliance.config, check=True)


def over_a_network_only_tls_with_a_verified_server_is_taken_and_no_password_is_seen(
    server, appliance):
    server.sql(f"ALTER ROLE talla PASSWORD '{postgres.PASSWORD}'")
    passfile = f"{appliance.folder}/pgpass"
    with open(passfile, "w") as out:
        out.write(f"*:*:*:*:{postgres.PASSWORD}\n")
    os.chmod(passfile, 0o600)
    plain = open(appliance.config).read()
    own = server.connection()

    def told(more):
        open(appliance.config, "w").write(plain.replace(own, server.over_the_network(more)))
    for more in ("sslmode=disable", f"sslmode=require passfile={passfile}"):
        told(more)
        assert "ledger_unsafe" in appliance.start_refused(), more
    told(f"sslmode=verify-full sslrootcert={appliance.folder}/ca.pem passfile={passfile}")
    open(appliance.config, "a").close()
    text = open(appliance.config).read()
    open(appliance.config, "w").write(text.replace("\n[api]", "\nwait_seconds = 0\n[api]", 1))
    said = appliance.start_refused()
    assert "ledger_unreachable" in said and "certificate verify failed" in said, said
    told(f"sslmode=verify-full sslrootcert={server.folder}/server.pem password={postgres.PASSWORD}")
    said = appliance.start_refused()
    assert "configuration_refused" in said and postgres.PASSWORD not in said, said
    told(f"sslmode=verify-full sslrootcert={server.folder}/server.pem passfile={passfile}")
    appliance.start()
    one_draw(appliance)
    ways = server.sql("SELECT count(*) >= 2, bool_and(s.ssl) FROM pg_stat_ssl s JOIN "
                      "pg_stat_activity a USING (pid)"
                      " WHERE a.application_name = 'talla'")
    assert ways == "t|t", ways
    assert appliance.stop() == 0
    assert postgres.PASSWORD not in appliance.log()
    open(appliance.config, "w").write(plain)


def a_server_that_may_lose_what_it_acknowledged_is_refused(server, appliance):
    server.sql("ALTER SYSTEM SET fsync = off")
    server.sql("SELECT pg_reload_conf()")
    time.sleep(0.3)
    said = appliance.start_refused()
    assert "ledger_unsafe" in said and "fsync is off" in said, said
    server.sql("ALTER SYSTEM RESET fsync")
    server.sql("SELECT pg_reload_conf()")


def a_backup_of_it_is_one_file_and_a_new_log_that_follows_it_fences_the_old_daemon(
    server, appliance):
    appliance.start()
    for _ in range(5):
        one_draw(appliance)
    batch = new_batch(appliance.client(), open_table(appliance.client(), WHEEL), 4)
    folder = f"{appliance.folder}/backup"
    made = json.loads(appliance.talla("--json", "backup", "make", appliance.config, folder,
                                      check=True).stdout)
    appliance.talla("backup", "check", folder, "--root", f"{appliance.folder}/ca.pem", check=True)
    assert sorted(os.listdir(folder)) == ["ledger.db", "log-key.json", "manifest.json"], (
        os.listdir(folder))
    assert (made["size"] <= appliance.client().get("/v1/status")["size"]
            and made["open"]["batch"] >= 1), made
    with Appliance(BINARIES, origin="casino.example/after") as new:
        approvals = []
        for who in ("officer", "inspector"):
            approvals += ["--approval", f"{new.folder}/{who}.approval"]
            new.talla("restore", "approve", folder, "--for", "casino.example/after", "--out",
                      approvals[-1], "--older",
                      client=who, check=True)  # the machine's own records go on
        new.talla("restore", "run", folder, new.config, "--root", f"{appliance.folder}/ca.pem",
                  "--old", appliance.config, "--older", *approvals, check=True)
        status, _ = appliance.client().send("POST", "/v1/tables", WHEEL, key="fenced-1")
        assert status == 503
        ends_with(appliance, 4)
        assert "log_retired" in appliance.start_refused()
        new.start()
        one_draw(new)
        found = [json.loads(event["record"])["body"]
                 for event in new.client("talla:auditor-1").get("/v1/events")["events"]]
        assert any(body.get("object") == batch["id"] and "close" in body for body in found), found
        assert new.stop() == 0


if __name__ == "__main__":
    if postgres.absent():
        print(f"skipped: {postgres.absent()}")
        sys.exit(77)
    with postgres.Server() as own_server, Appliance(BINARIES, on(own_server.connection())) as own:
        failed = hold([
            draws_are_made_and_verified_and_the_log_is_read_offline,
            a_published_folder_of_tiles_is_the_log_for_everybody,
            killed_again_and_again_it_loses_and_doubles_nothing,
            a_server_that_ends_in_mid_work_ends_the_daemon_and_nothing_acknowledged_is_lost,
            a_start_waits_for_its_server_and_is_given_up_by_a_signal,
            two_appliances_on_one_cluster_keep_their_own_logs,
            a_second_daemon_on_the_same_data_is_kept_out_and_one_elsewhere_fences_the_first,
            a_ledger_that_is_not_what_it_was_is_refused,
            over_a_network_only_tls_with_a_verified_server_is_taken_and_no_password_is_seen,
            a_server_that_may_lose_what_it_acknowledged_is_refused,
            a_backup_of_it_is_one_file_and_a_new_log_that_follows_it_fences_the_old_daemon],
            own_server, own)
        if failed:
            print(f"--- the daemon's log\n{own.log()[-4000:]}")
    sys.exit(1 if failed else 0)
