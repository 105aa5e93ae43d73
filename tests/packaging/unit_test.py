#!/usr/bin/env python3
# Goal: the unit keeps its sandbox, and names what the project has: programs' options, users,
#   folders, keys of the example.
# Method: `systemd-analyze security --offline=true` at most 1.5 (skipped where it is absent); the
#   files of rngd/packaging against each other. usage: unit_test.py SOURCE_FOLDER FOLDER_OF_PROGRAMS
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from facts import hold  # noqa: E402

SOURCE, PROGRAMS = sys.argv[1], sys.argv[2]
EXPOSURE_MAX = 1.5


def packaged(name):
    with open(f"{SOURCE}/rngd/packaging/{name}") as file:
        return file.read()


def settings(name):
    """Every `Key=Value` of the unit, repeated keys as a list."""
    found = {}
    for line in packaged(name).splitlines():
        if "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            found.setdefault(key, []).append(value)
    return found


def the_exposure_is_at_most_1_5():
    for unit in ("rngd.service", "rngd-source@.service"):
        done = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager",
                               "--threshold=15", f"{SOURCE}/rngd/packaging/{unit}"],
                               capture_output=True, text=True)
        overall = re.search(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
        assert overall, done.stdout + done.stderr
        print(f"{unit}: exposure {overall[1]}")
        assert float(overall[1]) <= EXPOSURE_MAX and done.returncode == 0, done.stdout


def an_open_unit_would_not_pass():
    bare = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"talla-bare-{os.getpid()}.service")
    with open(bare, "w") as file:
        file.write("[Service]\nExecStart=/usr/sbin/rngd\nUser=talla\n")
    done = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager",
                           "--threshold=15", bare],
                          capture_output=True, text=True)
    os.remove(bare)
    assert done.returncode != 0, done.stdout


def systemd_reads_every_setting():
    names = ("rngd.service", "rngd-source.socket", "rngd-source@.service")
    done = subprocess.run(["systemd-analyze", "verify", "--man=no",
                           *(f"{SOURCE}/rngd/packaging/{name}" for name in names)],
                          capture_output=True, text=True)
    strange = [line for line in done.stderr.splitlines()
               if re.search(r"rngd\.service|rngd-source", line) and "is not executable" not in line]
    assert not strange, strange


def the_unit_starts_the_daemon_as_the_daemon_understands_it():
    unit = settings("rngd.service")
    assert unit["Type"] == ["notify"] and int(unit["WatchdogSec"][0]) >= 10, unit
    page = subprocess.run([f"{PROGRAMS}/rngd", "--help"], capture_output=True, text=True).stdout
    for command in unit["ExecStart"]:
        assert command.split()[0] == "/usr/sbin/rngd", command
        for option in re.findall(r"--[a-z-]+", command):
            assert option in page, option
    assert unit["RestartPreventExitStatus"] == ["1 2 4"], unit
    words = " ".join(page.split())
    assert ("1 refused to start; 2 wrong usage" in words
            and "4 another daemon has taken the log over" in words), page


def users_groups_and_folders_are_made_by_what_is_installed():
    unit = settings("rngd.service")
    source = settings("rngd-source@.service")
    made = packaged("sysusers.conf")
    for one in (unit, source):
        assert re.search(rf"^u {one['User'][0]} ", made, re.M), made
    assert re.search(rf"^g {source['Group'][0]} ", made, re.M), made
    rules = subprocess.run([f"{PROGRAMS}/talla", "devices", "--udev"], capture_output=True,
                           text=True).stdout
    assert rules == packaged("60-talla.rules"), (
        "60-talla.rules is not what `talla devices --udev` prints")
    assert f'GROUP="{source["Group"][0]}"' in rules
    folders = packaged("tmpfiles.conf")
    for credential in unit["LoadCredential"]:
        folder = os.path.dirname(credential.split(":")[1])
        assert re.search(rf"^d {folder} ", folders, re.M), f"{folder} is not made"
    assert f"/var/lib/{unit['StateDirectory'][0]} " in folders


def the_drop_in_for_the_kernel_feed_adds_one_capability_and_takes_nothing_away():
    assert settings("kernel-feed.conf") == {"CapabilityBoundingSet": ["CAP_SYS_ADMIN"],
                                            "AmbientCapabilities": ["CAP_SYS_ADMIN"],
                                            "PrivateUsers": ["no"]}


def rngd_source_has_a_user_of_its_own_and_the_daemon_no_way_to_a_device():
    """PROTOCOL section 7: whoever speaks with a device may touch neither the core's files nor its
    processes."""
    unit, source, door = settings("rngd.service"), settings("rngd-source@.service"), settings(
        "rngd-source.socket")
    assert source["User"] == ["talla-source"] and source["Group"] == ["talla-source"], source
    assert (unit["User"] == ["talla"] and "SupplementaryGroups" not in unit
            and "DeviceAllow" not in unit), unit
    for one in (unit, source):
        assert one["CapabilityBoundingSet"] == [""] and one["NoNewPrivileges"] == ["yes"], one
    for place in ("/etc/talla", f"/var/lib/{unit['StateDirectory'][0]}"):
        assert f"-{place}" in source["InaccessiblePaths"][0].split(), source
    assert "LoadCredential" not in source and source["IPAddressDeny"] == ["any"], source
    # The daemon's user alone may ask; a process for each connection.
    assert (door["SocketUser"] == unit["User"] and door["SocketMode"] == ["0600"]
            and door["Accept"] == ["yes"]), door
    assert f"--source-socket {door['ListenStream'][0]}" in unit["ExecStart"][0], unit
    assert "rngd-source.socket" in unit["Requires"] and "rngd-source.socket" in unit["After"], unit


def rngd_source_is_started_as_it_understands_it():
    page = subprocess.run([f"{PROGRAMS}/rngd-source", "--help"], capture_output=True,
                          text=True).stdout
    (command,) = settings("rngd-source@.service")["ExecStart"]
    assert command.split()[0] == "/usr/sbin/rngd-source", command
    for option in re.findall(r"--[a-z-]+", command):
        assert option in page, option


def rngd_source_may_confine_itself():
    """What its own hardening calls beyond the list of ordinary services."""
    allowed = " ".join(settings("rngd-source@.service")["SystemCallFilter"]).split()
    for call in ("capset", "seccomp", "landlock_create_ruleset", "landlock_add_rule",
                 "landlock_restrict_self"):
        assert call in allowed, call


if __name__ == "__main__":
    facts = [the_unit_starts_the_daemon_as_the_daemon_understands_it,
             users_groups_and_folders_are_made_by_what_is_installed,
             the_drop_in_for_the_kernel_feed_adds_one_capability_and_takes_nothing_away,
             rngd_source_may_confine_itself,
             rngd_source_has_a_user_of_its_own_and_the_daemon_no_way_to_a_device,
             rngd_source_is_started_as_it_understands_it]
    present = shutil.which("systemd-analyze")
    if present:
        facts += [the_exposure_is_at_most_1_5, an_open_unit_would_not_pass,
                  systemd_reads_every_setting]
    failures = hold(facts)
    if failures == 0 and not present:
        print("skipped: systemd-analyze is not here, the exposure was not looked at")
        sys.exit(77)
    sys.exit(1 if failures else 0)
