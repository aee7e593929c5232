"""What this machine can do for the confinement of workers. Looks, changes nothing."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import re
from pathlib import Path
from typing import Final

from pool.worker.landlock import kernel_abi
from pool.worker.layers import WORKER_UID, Machine

_PR_SET_SECCOMP: Final = 22
_SECCOMP_MODE_FILTER: Final = 2

_CAP_SETGID: Final = 1 << 6
_CAP_SETUID: Final = 1 << 7

_libc: Final = ctypes.CDLL(None, use_errno=True)


def inspect_machine(worker_uid: int = WORKER_UID) -> Machine:
    """Ask the kernel what it offers and what this process may do. Takes less than 1 ms."""
    system, processor, kernel = platform.system(), platform.machine(), platform.release()
    is_linux, is_root = system == "Linux", os.geteuid() == 0
    abi, abi_errno = _landlock() if is_linux else (0, 0)
    return Machine(
        system=system,
        processor=processor,
        kernel=kernel,
        landlock_abi=abi,
        landlock_errno=abi_errno,
        has_seccomp=is_linux and _has_seccomp(),
        is_root=is_root,
        change_user_obstacle=_change_user_obstacle(worker_uid) if is_linux and is_root else "",
    )


def _landlock() -> tuple[int, int]:
    try:
        return kernel_abi(), 0
    except OSError as error:
        return 0, error.errno or 0


def _has_seccomp() -> bool:
    """Offer the kernel a filter at no address: EFAULT if it takes filters, EINVAL if not."""
    nowhere = ctypes.c_void_p(None)
    refused = _libc.prctl(_PR_SET_SECCOMP, ctypes.c_ulong(_SECCOMP_MODE_FILTER), nowhere) != 0
    return refused and ctypes.get_errno() == errno.EFAULT


def _change_user_obstacle(uid: int) -> str:
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    return change_user_obstacle(
        uid,
        status=status,
        uid_map=Path("/proc/self/uid_map").read_text(encoding="ascii"),
        gid_map=Path("/proc/self/gid_map").read_text(encoding="ascii"),
        setgroups=Path("/proc/self/setgroups").read_text(encoding="ascii"),
    )


def change_user_obstacle(
    uid: int, *, status: str, uid_map: str, gid_map: str, setgroups: str
) -> str:
    """Why root cannot become `uid`, from the texts of its files in /proc/self; empty if it can."""
    effective = re.search(r"^CapEff:\s+([0-9a-f]+)$", status, re.MULTILINE)
    held = int(effective.group(1), 16) if effective else 0
    if not held & _CAP_SETUID or not held & _CAP_SETGID:
        return "the host is root without SETUID and SETGID; give it both or run it as another user"
    if setgroups.strip() == "deny" or not (_maps(uid_map, uid) and _maps(gid_map, uid)):
        return (
            f"user {uid} does not exist in this user namespace; "
            "map it or run the host as another user"
        )
    return ""


def _maps(id_map: str, wanted: int) -> bool:
    ranges = (tuple(map(int, line.split())) for line in id_map.splitlines())
    return any(first <= wanted < first + count for first, _, count in ranges)
