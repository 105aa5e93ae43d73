#!/usr/bin/env python3
# Goal: `rngd --check` opens every file and key that a start needs, names each that is wrong by its
#   setting, and does nothing else.
# Method: the folder of a development appliance; each file taken away, damaged or shown to others in
#   turn; the same beside the running daemon; keys that the service manager brings.
#   usage: check_test.py FOLDER_OF_PROGRAMS
import os
import shutil
import subprocess
import sys

from appliance import Appliance
from facts import hold


def check(appliance, environment=None):
    return subprocess.run([f"{appliance.binaries}/rngd", "--check", "--config", appliance.config],
                          capture_output=True, text=True, timeout=60,
                          env={**appliance.environment, **(environment or {})})


def good(appliance, *words):
    done = check(appliance)
    assert done.returncode == 0 and done.stdout.endswith("rngd.toml: good\n"), (done.stdout,
                                                                               done.stderr)
    for word in words:
        assert word in done.stdout, (word, done.stdout)
    return done.stdout


def wrong(appliance, *words):
    done = check(appliance)
    assert done.returncode == 1 and "rngd.toml: good" not in done.stdout, done
    for word in words:
        assert word in done.stderr, (word, done.stderr)
    return [line for line in done.stderr.splitlines() if "configuration_refused" in line]


class Without:
    """The folder while a file is away, has another content, or other rights."""

    def __init__(self, appliance, name, content=None, mode=None):
        self.path, self.content, self.mode = os.path.join(appliance.folder, name), content, mode

    def __enter__(self):
        shutil.copy2(self.path, self.path + ".kept")
        if self.mode is not None:
            os.chmod(self.path, self.mode)
        elif self.content is None:
            os.remove(self.path)
        else:
            open(self.path, "w").write(self.content)

    def __exit__(self, *_):
        if os.path.exists(self.path):
            os.remove(self.path)
        os.rename(self.path + ".kept", self.path)


FILES = {"log.key": "keys", "log-key.json": "keys", "sealing.key": "keys",
         "server.key": "api", "server.pem": "api", "ca.pem": "api",
         "clients.toml": "api.enrolment"}


def a_folder_that_a_start_takes_is_good_and_left_as_it_was(appliance):
    before = sorted(os.listdir(appliance.folder))
    good(appliance, "  keys: good\n", "  api: good\n", "  api.enrolment: good\n",
         "  data: good\n")
    assert sorted(os.listdir(appliance.folder)) == before, "the check made files"


def each_file_that_is_missing_is_named_with_its_setting(appliance):
    for name, setting in FILES.items():
        with Without(appliance, name):
            lines = wrong(appliance, f": {setting}: ", name)
            assert len(lines) == 1, lines
    good(appliance)


def each_file_that_is_no_such_thing_is_named(appliance):
    for name, setting in FILES.items():
        with Without(appliance, name, "no key and no list\n"):
            wrong(appliance, f": {setting}: ")
    good(appliance)


def a_key_that_others_can_read_is_refused(appliance):
    for name in ("log.key", "sealing.key", "server.key"):
        with Without(appliance, name, mode=0o644):
            wrong(appliance, name)


def a_key_that_belongs_to_another_certificate_or_statement_is_refused(appliance):
    with Appliance(sys.argv[1]) as other:
        def of_other(name):
            return open(f"{other.folder}/{name}").read()
        with Without(appliance, "server.key", of_other("server.key")):
            os.chmod(f"{appliance.folder}/server.key", 0o600)
            wrong(appliance, ": api: ", "server.key")
        with Without(appliance, "log-key.json", of_other("log-key.json")):
            wrong(appliance, ": keys: ")


def every_fault_is_told_at_once(appliance):
    with Without(appliance, "server.pem"), Without(appliance, "clients.toml"), \
            Without(appliance, "log.key"):
        lines = wrong(appliance, ": api: ", ": api.enrolment: ", ": keys: ")
        assert len(lines) == 3, lines


def a_data_folder_that_cannot_be_one_is_refused(appliance):
    text = open(appliance.config).read()
    open(f"{appliance.folder}/file", "w").close()
    for line, words in (('data = "file"', "is no folder"),
                        ('data = "none/such/data"', "cannot be made")):
        with Without(appliance, "rngd.toml", text.replace('data = "data"', line)):
            wrong(appliance, ": data: ", words)


def what_the_service_manager_brings_is_looked_at_when_it_is_there(appliance):
    text = open(appliance.config).read()
    brought = text.replace('"log.key"', '"credential:log.key"').replace(
        '"server.key"', '"/run/credentials/no-such.service/server.key"')
    with Without(appliance, "rngd.toml", brought):
        said = good(appliance, "  keys.log_key: not looked at, credential:log.key is handed over",
                    "  api.key: not looked at", "  keys.log_statement: good\n")
        assert "  keys: good" not in said, said
        with Without(appliance, "log-key.json", "{}"):
            wrong(appliance, ": keys.log_statement: ")
        with Without(appliance, "ca.pem", "nothing\n"):
            wrong(appliance, ": api.client_roots: ")
    with Without(appliance, "rngd.toml", text.replace('"log.key"', '"credential:log.key"')):
        folder = f"{appliance.folder}/credentials"
        os.mkdir(folder)
        environment = {"CREDENTIALS_DIRECTORY": folder}
        done = check(appliance, environment)
        assert done.returncode == 1 and "log.key" in done.stderr, done
        shutil.copy2(f"{appliance.folder}/log.key", f"{folder}/log.key")
        done = check(appliance, environment)
        assert done.returncode == 0 and "  keys: good\n" in done.stdout, done
        shutil.rmtree(folder)


def a_running_daemon_is_not_disturbed(appliance):
    appliance.start()
    client = appliance.client("talla:auditor-1")
    before = client.get("/v1/status")["size"]
    good(appliance, "  data: good\n")
    assert client.get("/v1/status")["size"] == before and appliance.process.poll() is None
    assert appliance.stop() == 0
    good(appliance, "  data: good\n")


if __name__ == "__main__":
    with Appliance(sys.argv[1]) as one:
        failed = hold([a_folder_that_a_start_takes_is_good_and_left_as_it_was,
                       each_file_that_is_missing_is_named_with_its_setting,
                       each_file_that_is_no_such_thing_is_named,
                       a_key_that_others_can_read_is_refused,
                       a_key_that_belongs_to_another_certificate_or_statement_is_refused,
                       every_fault_is_told_at_once, a_data_folder_that_cannot_be_one_is_refused,
                       what_the_service_manager_brings_is_looked_at_when_it_is_there,
                       a_running_daemon_is_not_disturbed], one)
    sys.exit(1 if failed else 0)
