#!/usr/bin/env python3
# Goal: the Debian packages build, are clean, and make a working appliance of a clean Debian 12:
#   sandboxed, started by systemd, brought back by it, left running by an update, its ledger left
#   alone by a removal.
# Method: rngd/packaging/package over programs that are built already, lintian, the list of files.
#   With TALLA_LONG=1, as root and with mmdebstrap and systemd-nspawn: a fresh root, the package
#   installed by apt, systemd booted in it, a script of an operator's first day.
#   usage: package_test.py SOURCE_FOLDER FOLDER_OF_PROGRAMS
import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from facts import hold  # noqa: E402

SOURCE, PROGRAMS = sys.argv[1], os.path.abspath(sys.argv[2])
# What is asked here does not depend on how a package is packed, and xz takes a minute; the long run
# packs as a release is packed.
if os.environ.get("TALLA_LONG") != "1":
    os.environ |= {"DPKG_DEB_COMPRESSOR_TYPE": "gzip", "DPKG_DEB_COMPRESSOR_LEVEL": "1"}
PACKAGES = ("talla", "talla-lab", "talla-provider", "libtalla-client0", "libtalla-client-dev")


def run(*command, seconds=600, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=seconds, **more)


def package(folder, name):
    found = glob.glob(f"{folder}/{name}_*.deb")
    assert len(found) == 1, f"{name}: {os.listdir(folder)}"
    return found[0]


def listing(folder, name):
    return {line.split()[5][1:]: line.split()[0] for line in
            run("dpkg-deb", "--contents", package(folder, name)).stdout.splitlines()}


def the_packages_build_from_programs_that_are_there(folder):
    done = run(f"{SOURCE}/rngd/packaging/package", "--binaries", PROGRAMS, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    version = run(f"{PROGRAMS}/talla", "--version").stdout.split()[-1]
    for name in PACKAGES:
        assert (run("dpkg-deb", "--field", package(folder, name),
                    "Version").stdout.strip() == version)


def lintian_finds_no_error_and_no_warning(folder):
    if not shutil.which("lintian"):
        print("not tried: lintian is not here")
        return
    done = run("lintian", "--allow-root", "--fail-on", "error,warning",
               *[package(folder, name) for name in PACKAGES])
    assert done.returncode == 0 and not re.search(r"^[EW]:", done.stdout, re.M), (
        done.stdout + done.stderr)
    overrides = [path for name in PACKAGES for path in listing(folder, name)
                 if "lintian/overrides" in path]
    assert not overrides, "an override needs its reason here"


def everything_is_where_the_unit_and_the_handbook_say(folder):
    files = listing(folder, "talla")
    with open(f"{SOURCE}/rngd/packaging/rngd.service") as file:
        unit = file.read()
    # which every system has
    for program in set(re.findall(r"^Exec\w+=(\S+)", unit, re.M)) - {"/bin/sh"}:
        assert files[program] == "-rwxr-xr-x", program
    for path in ("/usr/sbin/rngd-source", "/usr/bin/talla", "/lib/systemd/system/rngd.service",
                 "/lib/systemd/system/rngd-source.socket",
                 "/lib/systemd/system/rngd-source@.service", "/lib/udev/rules.d/60-talla.rules",
                 "/usr/lib/sysusers.d/talla.conf", "/usr/lib/tmpfiles.d/talla.conf",
                 "/usr/share/man/man8/rngd.8.gz", "/usr/share/man/man8/rngd-source.8.gz",
                 "/usr/share/man/man5/rngd.toml.5.gz", "/usr/share/man/man1/talla.1.gz",
                 "/usr/share/bash-completion/completions/talla",
                 "/usr/share/doc/talla/examples/rngd.toml",
                 "/usr/share/doc/talla/examples/kernel-feed.conf",
                 "/usr/share/talla/software.manifest"):
        assert path in files, path
    manifest = json.loads(run("sh", "-c", f"dpkg-deb --fsys-tarfile {package(folder, 'talla')} | "
                                          "tar -xO ./usr/share/talla/software.manifest").stdout)
    listed = {file["path"]: file["kind"] for file in manifest["files"]}
    assert set(listed) <= set(files) and listed["/usr/sbin/rngd"] == "program", listed
    assert (sum(path.startswith("/usr/share/talla/catalogues/")
                for path in listed) == len(glob.glob(f"{SOURCE}/games/catalogues/*.toml")))
    engines = f"{PROGRAMS}/../settle/digest.js"
    if os.path.exists(engines):  # what the page shows of them stands in the manifest
        with open(engines, encoding="utf-8") as file:
            pinned = re.search(r"digest: '(\w+)', size: (\d+)", file.read())
        assert [(file["kind"], file["sha256"], file["size"]) for file in manifest["files"]
                if file["path"] == "/usr/share/talla/settle.wasm.gz"] == [
                    ("data", pinned[1], int(pinned[2]))], manifest
    for book in ("en", "es"):
        assert f"/usr/share/doc/talla/operator-{book}.md" in files
        with open(f"{SOURCE}/rngd/docs/operator-{book}.md") as file:
            for path in re.findall(r"/usr/share/doc/talla/[\w./-]*\w", file.read()):
                assert path in files or path + "/" in files, path
    for name in PACKAGES:
        for path, mode in listing(folder, name).items():
            assert mode[0] == "l" or ("s" not in mode[1:] and mode[8] != "w"), f"{path} {mode}"
    assert "/usr/bin/talla-lab" in listing(folder,
                                           "talla-lab") and "/usr/bin/talla-lab" not in files, (
        "FFTW is under the GPL: its program is a package of its own")
    depends = run("dpkg-deb", "--field", package(folder, "talla"), "Depends").stdout
    assert "fftw" not in depends, depends


def a_table_is_compiled_and_linked_with_what_the_developers_package_has(folder):
    root = f"{folder}/developer"
    for name in ("libtalla-client0", "libtalla-client-dev"):
        assert run("dpkg-deb", "--extract", package(folder, name), root).returncode == 0, name
    where = os.path.dirname(glob.glob(f"{root}/usr/lib/*/libtalla-client.so")[0])
    environment = dict(os.environ, PKG_CONFIG_PATH=f"{where}/pkgconfig",
                       PKG_CONFIG_SYSROOT_DIR=root, LD_LIBRARY_PATH=where)
    shipped = os.listdir(f"{root}/usr/share/doc/libtalla-client-dev")
    for page in ("README.md", "FORMAT.md", "PROTOCOL.md", "MAPPING.md", "LIMITS.md", "openapi.json",
                 "api.md", "interface.md", "access.md", "client-trust.md", "contribute.md",
                 "shuffler.md", "rounds-en.md", "rounds-es.md"):
        assert page in shipped, f"{page} is not among {shipped}"
    flags = run("pkg-config", "--cflags", "--libs", "talla-client", env=environment)
    assert flags.returncode == 0, flags.stderr
    table = f"{root}/usr/share/doc/libtalla-client-dev/examples/client_table.c"
    made = run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", table, "-o", f"{root}/table",
               *flags.stdout.split())
    assert made.returncode == 0, made.stderr
    asked = run(f"{root}/table", f"{root}/nothing", f"{root}/journal", f"{root}/books", "1", "0",
                env=environment)
    assert asked.returncode > 0 and "client.toml" in asked.stdout + asked.stderr, (
        f"{asked.returncode} {asked.stdout}{asked.stderr}")


def every_package_says_what_has_changed(folder):
    with open(f"{SOURCE}/rngd/packaging/CHANGELOG") as file:
        points = re.findall(r"^- (.*)$", file.read(), re.M)
    version = run("dpkg-deb", "--field", package(folder, "talla"), "Version").stdout.strip()
    for name in PACKAGES:
        root = f"{folder}/changes"
        assert run("dpkg-deb", "--extract", package(folder, name), root).returncode == 0, name
        with gzip.open(f"{root}/usr/share/doc/{name}/changelog.gz", "rt") as file:
            text = file.read()
        assert text.startswith(f"talla ({version}) ") and points, f"{name}: {text[:80]}"
        assert re.findall(r"^  \* (.*)$", text, re.M) == points, f"{name}: {text}"


def a_changelog_of_another_version_makes_no_package(folder):
    copy = f"{folder}/older"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("build*", ".git"))
    with open(f"{copy}/rngd/packaging/CHANGELOG", "w") as file:
        file.write("0.0.9\n- Nothing.\n")
    done = run(f"{copy}/rngd/packaging/package", "--binaries", PROGRAMS, f"{folder}/none")
    assert done.returncode != 0 and "0.0.9" in done.stderr, done.stdout + done.stderr
    assert not glob.glob(f"{folder}/none/*.deb")


def the_same_programs_give_the_same_bytes(folder):
    again = f"{folder}/again"
    done = run(f"{SOURCE}/rngd/packaging/package", "--binaries", PROGRAMS, again)
    assert done.returncode == 0, done.stderr
    for name in PACKAGES:
        with open(package(folder, name), "rb") as one, open(package(again, name), "rb") as other:
            assert one.read() == other.read(), name
    shutil.rmtree(again)


FIRST_DAY = r"""
cd /root
say() { name="$1"; shift; "$@" >"out/$name" 2>&1; echo "$name $?" >>result; }
mkdir -p out; : >result
export TALLA_CLIENT=/etc/talla/keys/client
pid() { systemctl show -p MainPID --value rngd; }
draw() { talla --json spin --catalogue es-1977 --game french-roulette --out "$1"; }
back() {
  for _ in $(seq 60); do talla status >/dev/null 2>&1 && return 0; sleep 0.5; done
  return 1
}

say disabled_after_installation systemctl is-enabled rngd
say inactive_after_installation systemctl is-active rngd
say start_without_configuration systemctl start rngd
say inactive_without_configuration systemctl is-active rngd
say user id talla
say folders stat -c '%a %U %G %n' /etc/talla /etc/talla/keys /var/lib/talla
say keys talla keys init /etc/talla/keys --origin casino.example/appliance-1
cp /usr/share/doc/talla/examples/rngd.toml /etc/talla/rngd.toml
say check rngd --config /etc/talla/rngd.toml --check
say start systemctl enable --now rngd
say active systemctl is-active rngd
sleep 1
say status systemctl status --no-pager -l rngd
say draw draw /root/one.talla
say verify talla verify one.talla --root /etc/talla/keys/ca.pem
say process cat /proc/$(pid)/status
say owner stat -c '%U' /proc/$(pid)
say ledger runuser -u nobody -- cat /var/lib/talla/ledger.db
say key_is_not_the_daemons runuser -u talla -- cat /etc/talla/keys/log.key
credentials=/run/credentials/rngd.service
say credentials stat -c '%a %U %n' $credentials/log.key $credentials/sealing.key

before=$(pid)
say reload systemctl reload rngd
sleep 1
say running_through_reload test "$(pid)" = "$before"
say draw_after_reload draw /root/reload.talla

before=$(pid)
say update dpkg -i /root/talla.deb
say running_through_update test "$(pid)" = "$before"

kill -KILL "$(pid)"; sleep 3
say back_after_kill back
say another_process test "$(pid)" != "$before"
say draw_after_kill draw /root/two.talla

mkdir -p /etc/systemd/system/rngd.service.d
printf '[Service]\nWatchdogSec=3\nTimeoutAbortSec=2\n' >/etc/systemd/system/rngd.service.d/test.conf
systemctl daemon-reload; systemctl restart rngd; back; sleep 5
say well_with_a_short_watchdog systemctl show -p NRestarts --value rngd
before=$(pid)
kill -STOP "$before"; sleep 9
say back_after_watchdog back
say watchdog_restarts systemctl show -p NRestarts --value rngd
say draw_after_watchdog draw /root/three.talla
say verify_all talla verify one.talla two.talla three.talla --root /etc/talla/keys/ca.pem

rm /etc/systemd/system/rngd.service.d/test.conf
page() {
  exec 3<>/dev/tcp/127.0.0.1/8444 &&
    printf 'GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' >&3 && cat <&3
}
enough='$1 == "talla_kernel_feed_bytes_total" && $2 >= 128 { found = 1 } END { exit !found }'
fed() {
  for _ in $(seq 20); do
    page | tr -d '\r' >metrics
    awk "$enough" metrics && return 0
    sleep 0.5
  done
  return 1
}
cp /etc/talla/rngd.toml before.toml
printf '\n[kernel_feed]\nenabled = true\n' >>/etc/talla/rngd.toml
systemctl daemon-reload
say feed_without_the_drop_in systemctl restart rngd
cp /usr/share/doc/talla/examples/kernel-feed.conf /etc/systemd/system/rngd.service.d/
systemctl daemon-reload; systemctl reset-failed rngd
say feed_with_the_drop_in systemctl restart rngd
say fed fed
say feed_metrics grep talla_kernel_feed metrics
say feed_process cat /proc/$(pid)/status
say feed_draw draw /root/four.talla
systemctl stop rngd
rm /etc/systemd/system/rngd.service.d/kernel-feed.conf; systemctl daemon-reload
cp before.toml /etc/talla/rngd.toml
say start_without_the_feed systemctl start rngd

say stop systemctl stop rngd
say exit systemctl show -p Result -p ExecMainStatus rngd
sed -i 's/^origin = /origin_ = /' /etc/talla/rngd.toml
say start_with_a_wrong_setting systemctl start rngd
sleep 3
say not_tried_again systemctl show -p NRestarts -p Result rngd
say journal journalctl -u rngd --no-pager -o cat
say remove dpkg --remove talla
say ledger_stays stat /var/lib/talla/ledger.db /etc/talla/rngd.toml
"""

UNIT = """[Unit]
After=basic.target dbus.service
[Service]
Type=oneshot
ExecStart=/bin/bash /root/first-day.sh
ExecStopPost=/usr/bin/systemctl poweroff --force
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


class FirstDay:
    """The fresh root after its day: exit codes and words by step."""

    def __init__(self, folder):
        root = f"{folder}/root"
        deb = package(folder, "talla")
        hook = (f'cp {deb} "$1"/root/talla.deb; chroot "$1" apt-get install -y '
                '--no-install-recommends /root/talla.deb')
        self.made = run("mmdebstrap", "--variant=minbase", "--include=systemd-sysv,dbus",
                        f"--customize-hook={hook}", "bookworm", root, seconds=1200)
        assert self.made.returncode == 0, self.made.stderr[-3000:]
        write(f"{root}/root/first-day.sh", FIRST_DAY)
        write(f"{root}/etc/systemd/system/first-day.service", UNIT)
        wants = f"{root}/etc/systemd/system/multi-user.target.wants"
        os.makedirs(wants, exist_ok=True)
        os.symlink("../first-day.service", f"{wants}/first-day.service")
        # The container's own filter forbids memory locks; the appliance's unit asks for them.
        self.booted = run("systemd-nspawn", "--directory", root, "--boot", "--register=no",
                          "--keep-unit", "--private-network", "--system-call-filter=@memlock",
                          stdin=subprocess.DEVNULL, seconds=300)
        path = f"{root}/root/result"
        assert os.path.exists(path), self.booted.stdout[-3000:] + self.booted.stderr[-1000:]
        with open(path) as file:
            self.codes = dict(line.split() for line in file)
        self.root = root

    def words(self, step):
        with open(f"{self.root}/root/out/{step}") as file:
            return file.read()

    def check(self, step, code=0, says=()):
        assert self.codes.get(step) == str(code), (
            f"{step}: {self.codes.get(step)}\n{self.words(step)}")
        for word in says:
            assert re.search(word, self.words(step), re.M), (
                f"{step}: no {word} in\n{self.words(step)}")


def installing_starts_nothing_and_makes_user_and_folders(day):
    day.check("disabled_after_installation", 1, ["^disabled"])
    day.check("inactive_after_installation", 3)
    day.check("inactive_without_configuration", 3)
    day.check("user", 0, [r"\(talla\)"])
    day.check("folders", 0, ["^755 root root /etc/talla$", "^700 talla talla /var/lib/talla$"])


def the_example_starts_a_daemon_that_draws_what_verifies(day):
    for step in ("keys", "check", "start", "active", "draw"):
        day.check(step)
    day.check("status", 0, ['Status: "ready"', "active \\(running\\)"])
    day.check("verify", 3, ["^verified: DRAW"])


def it_runs_in_its_sandbox_as_its_user(day):
    day.check("owner", 0, ["^talla$"])
    day.check("process", 0, [r"^CapEff:\s+0+$", r"^CapBnd:\s+0+$", r"^NoNewPrivs:\s+1$",
                             r"^Seccomp:\s+2$"])
    day.check("ledger", 1, ["Permission denied"])
    day.check("key_is_not_the_daemons", 1, ["Permission denied"])
    day.check("credentials", 0, ["^400 talla .*log.key$", "^400 talla .*sealing.key$"])
    assert "usb_no_device" in day.words("journal"), (
        "rngd-source looked for generators inside the sandbox")
    assert "memory_not_locked" not in day.words("journal"), day.words("journal")


def a_reload_reads_the_certificates_again(day):
    day.check("reload")
    day.check("running_through_reload")
    day.check("draw_after_reload")
    assert "clients connect again and are judged anew" in day.words("journal"), day.words("journal")


def an_update_leaves_it_running(day):
    day.check("update")
    day.check("running_through_update")


def systemd_brings_it_back_after_a_kill_and_after_a_hang(day):
    day.check("back_after_kill")
    day.check("another_process")
    day.check("draw_after_kill")
    day.check("well_with_a_short_watchdog", 0, ["^0$"])
    day.check("back_after_watchdog")
    day.check("watchdog_restarts", 0, ["^1$"])
    day.check("draw_after_watchdog")
    day.check("verify_all", 3)
    assert "atchdog" in day.words("journal"), day.words("journal")


def the_kernel_is_fed_with_the_shipped_drop_in_and_not_without(day):
    assert day.codes["feed_without_the_drop_in"] != "0", "no capability, no feed"
    assert "CAP_SYS_ADMIN" in day.words("journal"), "and the daemon says what it lacks"
    for step in ("feed_with_the_drop_in", "fed", "feed_draw", "start_without_the_feed"):
        day.check(step)
    day.check("feed_metrics", 0, [r"^talla_kernel_feed_bytes_total [1-9]",
                                  r"^talla_kernel_feed_failed 0$",
                                  r"^talla_kernel_feed_credited_bits_total 0$"])
    # CAP_SYS_ADMIN is number 21; nothing else, and the filter of system calls stays.
    day.check("feed_process", 0, [r"^CapEff:\s+0000000000200000$", r"^CapBnd:\s+0000000000200000$",
                                  r"^NoNewPrivs:\s+1$", r"^Seccomp:\s+2$"])


def a_stop_is_clean_and_a_wrong_setting_is_not_tried_again(day):
    day.check("stop")
    day.check("exit", 0, ["^Result=success$", "^ExecMainStatus=0$"])
    assert day.codes["start_with_a_wrong_setting"] != "0"
    day.check("not_tried_again", 0, ["^NRestarts=0$"])
    assert "configuration_refused" in day.words("journal")


def a_removal_leaves_ledger_and_configuration(day):
    day.check("remove")
    day.check("ledger_stays")


def first_day_possible():
    if os.environ.get("TALLA_LONG") != "1":
        return "the clean root is for --long"
    if os.geteuid() != 0:
        return "no root"
    missing = [tool for tool in ("mmdebstrap", "systemd-nspawn") if not shutil.which(tool)]
    return f"{' and '.join(missing)} not here" if missing else ""


if __name__ == "__main__":
    made = tempfile.mkdtemp(prefix="talla-package-")
    try:
        failures = hold([the_packages_build_from_programs_that_are_there,
                         lintian_finds_no_error_and_no_warning, every_package_says_what_has_changed,
                         a_changelog_of_another_version_makes_no_package,
                         everything_is_where_the_unit_and_the_handbook_say,
                         a_table_is_compiled_and_linked_with_what_the_developers_package_has], made)
        why_not = first_day_possible()
        if why_not:
            print(f"not tried: a clean root ({why_not})")
        elif failures == 0:
            failures += hold([the_same_programs_give_the_same_bytes], made)
            failures += hold([installing_starts_nothing_and_makes_user_and_folders,
                              the_example_starts_a_daemon_that_draws_what_verifies,
                              it_runs_in_its_sandbox_as_its_user,
                              a_reload_reads_the_certificates_again, an_update_leaves_it_running,
                              systemd_brings_it_back_after_a_kill_and_after_a_hang,
                              the_kernel_is_fed_with_the_shipped_drop_in_and_not_without,
                              a_stop_is_clean_and_a_wrong_setting_is_not_tried_again,
                              a_removal_leaves_ledger_and_configuration], FirstDay(made))
    finally:
        shutil.rmtree(made, ignore_errors=True)
    sys.exit(1 if failures else 0)
