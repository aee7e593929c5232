"""What this machine says of itself, and recorded texts of others."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

from pool.worker.machine import change_user_obstacle, inspect_machine

ALL = "CapEff:\t000001ffffffffff\n"
DOCKER = "CapEff:\t00000000a80425fb\n"
NONE = "CapEff:\t0000000000000000\n"
EVERYONE = "         0          0 4294967295\n"
ONLY_ROOT = "         0       1000          1\n"
ROOTLESS_PODMAN = "         0       1000          1\n         1     100000      65536\n"


def test_this_machine_is_described() -> None:
    machine = inspect_machine()

    assert (machine.system, machine.processor) == (platform.system(), platform.machine())
    assert machine.is_root == (os.geteuid() == 0)
    assert bool(machine.landlock_abi) != bool(machine.landlock_errno)


def test_looking_at_the_machine_installs_no_filter() -> None:
    look = (
        "from pool.worker.machine import inspect_machine; assert inspect_machine().has_seccomp;"
        "print(open('/proc/self/status').read())"
    )
    said = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)

    assert "Seccomp:\t0" in said.stdout


@pytest.mark.parametrize(
    ("status", "id_map", "setgroups", "said"),
    [
        (ALL, EVERYONE, "allow\n", ""),
        (DOCKER, EVERYONE, "allow\n", ""),
        (ALL, ROOTLESS_PODMAN, "allow\n", ""),
        (NONE, EVERYONE, "allow\n", "SETUID"),
        ("CapEff:\t0000000000000080\n", EVERYONE, "allow\n", "SETGID"),
        (ALL, ONLY_ROOT, "allow\n", "namespace"),
        (ALL, EVERYONE, "deny\n", "namespace"),
    ],
)
def test_root_can_become_another_user_or_says_why_not(
    status: str, id_map: str, setgroups: str, said: str
) -> None:
    obstacle = change_user_obstacle(
        65534, status=status, uid_map=id_map, gid_map=id_map, setgroups=setgroups
    )

    assert said in obstacle
    assert bool(said) == bool(obstacle)
