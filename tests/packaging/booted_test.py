#!/usr/bin/env python3
# Goal: under a booted systemd the shipped units give rngd-source a user of its own with nothing but
#   its device: the daemon's user alone reaches it, neither can signal the other, and its noise
#   makes the daemon ready.
# Method: systemd as process 1 in namespaces of its own over a copy-on-write view of this machine
#   (nothing of it is changed), without its devices and network; units, users and socket as the
#   package installs them; an emulated generator, whose bus a drop-in names. Skipped without root,
#   the right to namespaces, or systemd. usage: booted_test.py SOURCE_FOLDER FOLDER_OF_PROGRAMS
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

SOURCE, PROGRAMS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
INSIDE = "/srv/booted"  # the shared folder, as the booted system sees it
SKIPPED = 77
WISH = '{"assessed_millibits":0,"device":"%s","rate":0,"settings":"","wait":%d}\n'

BOOT = """
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs {work}/over
mkdir {work}/over/up {work}/over/work
mount -t overlay overlay -o lowerdir=/,upperdir={work}/over/up,workdir={work}/over/work {work}/root
cd {work}/root
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
for folder in run tmp; do mount -t tmpfs tmpfs $folder; done
mount -t sysfs -o ro sysfs sys
mount --rbind /sys/fs/cgroup sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for node in null zero full random urandom tty; do
  touch dev/$node
  mount --bind /dev/$node dev/$node
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ip link set lo up
mkdir -p .{inside}
mount --bind {work}/share .{inside}
{bus}
install -m 755 {programs}/rngd {programs}/talla usr/sbin/
install -m 755 {work}/share/source usr/sbin/rngd-source
for unit in rngd.service rngd-source.socket rngd-source@.service; do
  install -m 644 {packaging}/$unit etc/systemd/system/
done
install -D -m 644 {packaging}/sysusers.conf usr/lib/sysusers.d/talla.conf
cp -a {work}/share/units/. etc/systemd/system/
mkdir .before
pivot_root . .before
cd /
umount -l /.before
mount --make-rshared /
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=booted.target --log-target=journal --show-status=0
"""

UNITS = {
    "booted.target": "[Unit]\nDescription=The test\n"
                     "Wants=systemd-journald.service booted.service\n",
    "booted.service": "[Unit]\nDefaultDependencies=no\nAfter=systemd-journald.service\n"
                      "[Service]\nType=oneshot\nTimeoutStartSec=240\n"
                      "ExecStart=/usr/bin/python3 "
                      f"{INSIDE}/booted_test.py {INSIDE} {INSIDE} --inside\n"
                      "ExecStopPost=/bin/systemctl --no-block --force exit\n",
}
NAMESPACES = ("unshare", "--pid", "--fork", "--kill-child", "--mount", "--uts", "--ipc",
              "--cgroup", "--net", "sh", "-c")


SETTINGS = """
profile = "development"
origin = "booted.example/test"
data = "/var/lib/talla"
[api]
port = 18443
certificate = "keys/server.pem"
key = "/run/credentials/rngd.service/server.key"
client_roots = "keys/ca.pem"
enrolment = "keys/clients.toml"
[health]
port = 18080
[source]
kind = "usb"
model = "chaoskey"
[limits]
disk_reserve_mib = 1
[keys]
log_key = "/run/credentials/rngd.service/log.key"
log_statement = "keys/log-key.json"
sealing_key = "/run/credentials/rngd.service/sealing.key"
"""


# The bus of the emulated generator, where the unit's own /tmp does not hide it.
BUS = "/srv/bus"
BUS_MOUNT = "mkdir -p .%s && mount --bind %s .%s"
BUS_DROP_IN = ("[Service]\nEnvironment=LD_PRELOAD=libumockdev-preload.so.0 "
               f"UMOCKDEV_DIR={BUS} TALLA_EMULATED_BUS={BUS}\nReadWritePaths={BUS}\n")


class Booted:
    """One boot; what the inside found."""

    def __init__(self, source, bus=None, keys=None):
        self.work = tempfile.mkdtemp(prefix="talla-booted-", dir="/var/tmp")
        share = f"{self.work}/share"
        for folder in ("over", "root", "share/units"):
            os.makedirs(f"{self.work}/{folder}")
        os.chmod(self.work, 0o755)
        shutil.copy(os.path.abspath(__file__), share)
        shutil.copy(source, f"{share}/source")
        for name, text in UNITS.items():
            open(f"{share}/units/{name}", "w").write(text)
        if bus:
            os.makedirs(f"{share}/units/rngd-source@.service.d")
            open(f"{share}/units/rngd-source@.service.d/bus.conf", "w").write(BUS_DROP_IN)
            subprocess.run(["chmod", "-R", "a+rwX", bus], check=True)
        if keys:
            shutil.copytree(keys, f"{share}/talla")
        script = BOOT.format(work=self.work, inside=INSIDE, programs=PROGRAMS,
                             packaging=f"{SOURCE}/rngd/packaging",
                             bus=BUS_MOUNT % (BUS, bus, BUS) if bus else "true")
        self.said = subprocess.run([*NAMESPACES, script], capture_output=True, text=True,
                                   timeout=280, errors="replace")
        try:
            self.found = json.load(open(f"{share}/found"))
        except OSError:
            said = self.said.stdout[-3000:] + self.said.stderr[-3000:]
            raise AssertionError(f"nothing was found:\n{said}")

    def close(self):
        shutil.rmtree(self.work, ignore_errors=True)


# --- inside the booted system ---

def command(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    return done.returncode, (done.stdout + done.stderr).strip()


def as_user(name, work):
    """What `work` returns, in a child of that user."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            import pwd
            entry = pwd.getpwnam(name)
            os.setgroups([])
            os.setgid(entry.pw_gid)
            os.setuid(entry.pw_uid)
            answer = work()
        except OSError as error:
            answer = error.strerror
        os.write(write, json.dumps(answer).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        answer = json.loads(pipe.read() or b"null")
    os.waitpid(child, 0)
    return answer


def ask(device, wait, seconds):
    """The frames that a wish brings, by type and length; the error's code."""
    with socket.socket(socket.AF_UNIX) as door:
        door.connect("/run/talla-source.sock")
        door.sendall((WISH % (device, wait)).encode())
        door.settimeout(seconds)
        got = b""
        frames = {}
        try:
            while len(got) < 400_000:
                piece = door.recv(65536)
                if not piece:
                    break
                got += piece
        except socket.timeout:
            pass
    at = 0
    while at + 8 <= len(got):
        size = int.from_bytes(got[at + 4:at + 8], "big")
        kind = {1: "hello", 2: "samples", 4: "error", 5: "bye"}.get(got[at + 3], "other")
        if kind in ("hello", "error"):
            frames[kind] = got[at + 8:at + 8 + size].decode()
        else:
            frames[kind] = frames.get(kind, 0) + size
        at += 8 + size
    return frames


LOOKED_AT = ("Uid", "CapEff", "CapBnd", "NoNewPrivs", "Seccomp")


def sources():
    """Processes of rngd-source: number and what /proc says of each."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.path.basename(os.readlink(f"/proc/{number}/exe")) != "rngd-source":
                continue
            lines = open(f"/proc/{number}/status").read().splitlines()
            fields = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
            found.append((int(number), {key: fields[key].strip() for key in LOOKED_AT}))
        except OSError:
            continue
    return found


def one_is_looked_at(facts):
    """While it waits for a device that does not come."""
    child = os.fork()
    if child == 0:
        os.setsid()
        as_user("talla", lambda: ask("bitbabbler", 20, 20))
        os._exit(0)
    end = time.monotonic() + 30
    while not facts.get("process") and time.monotonic() < end:
        time.sleep(0.2)
        for number, fields in sources():
            if fields["Seccomp"] == "2":  # it has confined itself too
                facts["process"] = fields
                facts["signal from talla"] = as_user(
                    "talla", lambda: os.kill(number, signal.SIGTERM))
                facts["signal from talla-source to process 1"] = as_user(
                    "talla-source", lambda: os.kill(1, 0))
                facts["unit"] = open(f"/proc/{number}/cgroup").read()
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while sources() and time.monotonic() < end:  # it ends with its connection
        time.sleep(0.2)


def the_daemon(facts):
    facts["daemon start"] = command("systemctl", "start", "rngd.service")
    facts["daemon"] = command("systemctl", "show", "rngd.service",
                              "--property=ActiveState,StatusText,User")[1]
    facts["readers"] = [fields["Uid"].split()[0] for _, fields in sources()]
    number = int(command("systemctl", "show", "rngd.service", "--property=MainPID",
                         "--value")[1] or 0)
    if number:
        facts["daemon signals"] = [as_user("talla", lambda to=other: os.kill(to, 0))
                                   for other, _ in sources()]
        facts["source signals daemon"] = as_user("talla-source", lambda: os.kill(number, 0))


def inside():
    import pwd
    facts = {}
    facts["users"] = command("systemd-sysusers")
    facts["ids"] = {name: pwd.getpwnam(name).pw_uid for name in ("talla", "talla-source")}
    facts["socket"] = command("systemctl", "start", "rngd-source.socket")
    about = os.stat("/run/talla-source.sock")
    facts["door"] = [pwd.getpwuid(about.st_uid).pw_name, oct(about.st_mode & 0o777)]
    for name in ("nobody", "talla-source"):
        facts[f"asked by {name}"] = as_user(name, lambda: ask("auto", 0, 20))
    facts["asked by talla"] = as_user("talla", lambda: ask("auto", 0, 20))
    one_is_looked_at(facts)
    if os.path.isdir(f"{INSIDE}/talla"):
        shutil.copytree(f"{INSIDE}/talla", "/etc/talla", dirs_exist_ok=True)
        the_daemon(facts)
    facts["journal"] = command("journalctl", "--no-pager", "-n", "60")[1][-6000:]
    with open(f"{INSIDE}/found.new", "w") as file:
        json.dump(facts, file)
    os.rename(f"{INSIDE}/found.new", f"{INSIDE}/found")


# --- outside ---

def bootable():
    there = os.path.exists("/lib/systemd/systemd") and shutil.which("unshare")
    if os.geteuid() != 0 or not there:
        return False
    tried = subprocess.run(
        [*NAMESPACES, "mount --make-rprivate / && mount -t tmpfs tmpfs /mnt && "
         "mkdir /mnt/u /mnt/w /mnt/r && mount -t overlay overlay "
         "-o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/r"], capture_output=True)
    return tried.returncode == 0


def the_program_that_is_shipped_runs_as_a_user_of_its_own(house):
    house["plain"] = booted = Booted(f"{PROGRAMS}/rngd-source")
    found = booted.found
    assert found["socket"][0] == 0, found
    assert found["door"] == ["talla", "0o600"], found["door"]
    assert found["process"]["Uid"].split() == [str(found["ids"]["talla-source"])] * 4, found
    assert "rngd-source@" in found["unit"], found["unit"]


def it_has_no_capability_and_a_filter(house):
    process = house["plain"].found["process"]
    assert int(process["CapEff"], 16) == 0 and int(process["CapBnd"], 16) == 0, process
    assert process["NoNewPrivs"] == "1" and process["Seccomp"] == "2", process


def the_daemons_user_alone_reaches_it(house):
    found = house["plain"].found
    assert found["asked by nobody"] == found["asked by talla-source"] == "Permission denied", found
    assert json.loads(found["asked by talla"]["error"])["code"] == "usb_no_device", found


def neither_can_signal_the_other(house):
    found = house["plain"].found
    assert found["signal from talla"] == "Operation not permitted", found
    assert found["signal from talla-source to process 1"] == "Operation not permitted", found


def an_emulated_generator_is_read_through_it_and_makes_the_daemon_ready(house):
    folder = tempfile.mkdtemp(prefix="talla-booted-keys-")
    place = f"{folder}/bus"
    bus = subprocess.Popen([f"{PROGRAMS}/emulated_usb", "ChaosKey,seed=7", "--", "/bin/sh", "-c",
                            f'echo "$UMOCKDEV_DIR" > {place}.new; mv {place}.new {place}; '
                            "exec sleep 600"])
    try:
        end = time.monotonic() + 30
        while not os.path.exists(place) and time.monotonic() < end:
            time.sleep(0.02)
        emulated = open(place).read().strip()
        keys = f"{folder}/talla"
        subprocess.run([f"{PROGRAMS}/talla", "keys", "init", f"{keys}/keys", "--origin",
                        "booted.example/test"], check=True, capture_output=True)
        configure(keys)
        house["emulated"] = booted = Booted(f"{PROGRAMS}/emulated_source", bus=emulated, keys=keys)
        found = booted.found
        read = found["asked by talla"]
        assert "hello" in read and read["samples"] > 100_000, (read, found["journal"])
        assert found["daemon start"][0] == 0, (found["daemon start"], found["journal"])
        assert "ActiveState=active" in found["daemon"], (found["daemon"], found["journal"])
        assert found["readers"] == [str(found["ids"]["talla-source"])], found
        assert found["daemon signals"] == ["Operation not permitted"], found
        assert found["source signals daemon"] == "Operation not permitted", found
    finally:
        bus.terminate()
        bus.wait(10)
        shutil.rmtree(folder, ignore_errors=True)


def configure(folder):
    """A development appliance with the emulated generator, its secrets the unit's credentials."""
    with open(f"{folder}/rngd.toml", "w") as file:
        file.write(SETTINGS)
    os.chmod(folder, 0o755)
    os.chmod(f"{folder}/rngd.toml", 0o644)
    os.chmod(f"{folder}/keys", 0o755)
    for name in os.listdir(f"{folder}/keys"):
        if not name.endswith(".key") and os.path.isfile(f"{folder}/keys/{name}"):
            os.chmod(f"{folder}/keys/{name}", 0o644)


def main():
    if "--inside" in sys.argv:
        return inside()
    if not bootable():
        print("skipped: needs root, namespaces and systemd")
        return SKIPPED
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
    from facts import hold
    house = {}
    try:
        return hold([the_program_that_is_shipped_runs_as_a_user_of_its_own,
                     it_has_no_capability_and_a_filter, the_daemons_user_alone_reaches_it,
                     neither_can_signal_the_other,
                     an_emulated_generator_is_read_through_it_and_makes_the_daemon_ready], house)
    finally:
        for booted in house.values():
            booted.close()


if __name__ == "__main__":
    sys.exit(main())
