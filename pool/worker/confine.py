"""What a child of the spawner does to itself before it becomes a worker.

Runs between fork and execve, in a process with one thread; nothing here can be undone, and the
worker inherits it all. Standard library and neighbours that keep to it: the spawner loads these
files without the host's half. What is wanted comes as data (`lockdown` makes it).

The order is part of the confinement: change_user, death signal, limits, no_new_privs,
restrict_files, filter_calls, attest, execve. A change of user clears the death signal, the kernel
takes a ruleset or filter only from who has given up new privileges, and the filter must come
last because it refuses what the others need.
"""

from __future__ import annotations

import ctypes
import os
import struct
from typing import NamedTuple

from .landlock import Rules, open_ruleset

_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2
_LANDLOCK_RESTRICT_SELF = 446

# One entry of a filter program, struct sock_filter.
_INSTRUCTION_BYTES = 8

_libc = ctypes.CDLL(None, use_errno=True)


class Confinement(NamedTuple):
    """What takes the rights of a worker away; None for a layer that is off.

    Attributes:
        uid: User to become, with the group of the same number and no other.
        rules: What Landlock leaves of the file system.
        filter: seccomp program.
    """

    uid: int | None = None
    rules: Rules | None = None
    filter: bytes | None = None


UNCONFINED = Confinement()


def change_user(uid: int) -> None:
    """Become another user for good; needs CAP_SETUID and CAP_SETGID."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def restrict_files(rules: Rules) -> None:
    """Enter a Landlock domain; needs no_new_privs."""
    ruleset_fd = open_ruleset(rules)
    words = (_LANDLOCK_RESTRICT_SELF, ruleset_fd, 0)
    _check("landlock_restrict_self", _libc.syscall(*map(ctypes.c_long, words)))
    os.close(ruleset_fd)


def filter_calls(program: bytes) -> None:
    """Have the kernel refuse system calls; needs no_new_privs."""
    instructions = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: a count and, aligned, a pointer.
    filter_program = struct.pack(
        "@HP", len(program) // _INSTRUCTION_BYTES, ctypes.addressof(instructions)
    )
    words = (ctypes.c_ulong(_SECCOMP_MODE_FILTER), ctypes.c_char_p(filter_program))
    _check("seccomp", _libc.prctl(_PR_SET_SECCOMP, *words, ctypes.c_ulong(0), ctypes.c_ulong(0)))


def _check(what: str, result: int) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
