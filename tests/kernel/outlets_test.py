#!/usr/bin/env python3
# Goal: a QEMU machine gets its /dev/hwrng from the appliance: rng-egd at the EGD socket, virtio-rng
#   in the machine.
# Method: an appliance on this host, the machine of tests/kernel/run beside it; what the machine's
#   program says and what the appliance counted must fit.  usage: outlets_test.py FOLDER_OF_PROGRAMS
#   ARGUMENTS_OF_RUN...
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../e2e")
from appliance import Appliance  # noqa: E402

SECTION = '\n[egd]\nsocket = "egd.sock"\nuncertified = true\nbytes_per_second = 1000000\n'


def counted(appliance, name):
    found = [line for line in appliance.health("/metrics")[1].splitlines()
             if line.startswith(name + " ")]
    return float(found[0].split()[1])


with Appliance(sys.argv[1], edit_config=lambda text: text + SECTION) as appliance:
    appliance.start()
    qemu = ["-chardev", f"socket,id=egd,path={appliance.folder}/egd.sock", "-object",
            "rng-egd,id=rng0,chardev=egd", "-device", "virtio-rng-pci,rng=rng0"]
    arguments = [word for each in qemu for word in ("--qemu", each)]
    code = subprocess.run([f"{HERE}/run", *arguments, *sys.argv[2:]], check=False).returncode
    if code not in (0, 77):
        print(f"--- the daemon's log\n{appliance.log()[-4000:]}")
    if code == 0:
        given = counted(appliance, "talla_egd_bytes_total")
        print(f"the host's appliance gave {given:.0f} bytes")
        if given < 65536 or counted(appliance, "talla_outlet_blocks_given_total") * 64 < given:
            sys.exit("the machine read more than the appliance gave")
    sys.exit(code)
