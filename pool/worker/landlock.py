"""Landlock: which files may be opened, and that neither TCP nor other domains can be reached.

The host decides on the rules; every child of the spawner builds its ruleset from them and
restricts itself with it (`confine`), because some of the files are its own. Standard library only,
as in `confine`. What a kernel does not know yet is left out, and `rights_of` says what is in force.
Landlock governs opening, making, moving and removing files; asking for their metadata it does not.

Source: landlock(7), linux/landlock.h, ABI 1 to 7. Newer ABIs are used as 7.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

# The same on all architectures.
_CREATE_RULESET: Final = 444
_ADD_RULE: Final = 445
_CREATE_RULESET_VERSION: Final = 1
_RULE_PATH_BENEATH: Final = 1

# struct landlock_ruleset_attr: files, network, scopes. An older kernel knows fewer fields and
# accepts the others as long as they are 0.
_RULESET: Final = struct.Struct("=QQQ")

# struct landlock_path_beneath_attr: allowed accesses, descriptor of the path.
_PATH_BENEATH: Final = struct.Struct("=Qi")

_EXECUTE: Final = 1 << 0
_WRITE_FILE: Final = 1 << 1
_READ_FILE: Final = 1 << 2
_READ_DIRECTORY: Final = 1 << 3
_TRUNCATE: Final = 1 << 14

# First ABI that knows a right: the bits.
_FILE_RIGHTS: Final = (
    (1, (1 << 13) - 1),  # execute, write, read, list, remove, and make each kind of file
    (2, 1 << 13),  # link or rename to another directory
    (3, _TRUNCATE),
    (5, 1 << 15),  # ioctl on devices
)
_NETWORK_RIGHTS: Final = ((4, 0b11),)  # bind and connect TCP
_SCOPES: Final = ((6, 0b11),)  # abstract Unix sockets, signals

_libc: Final = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class Rights:
    """What a ruleset takes away unless a rule gives it back, as bits of the kernel's interface."""

    files: int
    network: int
    scopes: int


class Rules(NamedTuple):
    """Paths that stay usable; a directory stands for everything below it.

    Attributes:
        abi: Version of Landlock to use.
        execute: Programs that may be started; they can be read, too.
        read: Files to read, directories to list.
        write: Existing files to read and write.
        own: Files below `/proc/self` to read.
    """

    abi: int
    execute: Sequence[str] = ()
    read: Sequence[str] = ()
    write: Sequence[str] = ()
    own: Sequence[str] = ()


def kernel_abi() -> int:
    """Version of Landlock in this kernel.

    Raises:
        OSError: There is none. ENOSYS: not built in, or hidden by a container's own filter;
            EOPNOTSUPP: built in, but not enabled at boot; EPERM: forbidden by a container.
    """
    return _syscall(_CREATE_RULESET, None, 0, _CREATE_RULESET_VERSION)


def rights_of(abi: int) -> Rights:
    """Everything that Landlock of that version can take away."""
    files, network, scopes = (
        sum(bits for since, bits in table if abi >= since)
        for table in (_FILE_RIGHTS, _NETWORK_RIGHTS, _SCOPES)
    )
    return Rights(files, network, scopes)


def open_ruleset(rules: Rules) -> int:
    """Build a ruleset that takes away everything but what `rules` give back.

    Leaves a descriptor of each file in `own` open, over an execve too: the kernel knows files of
    `/proc` only as long as somebody holds them. It cannot be read from.

    Returns:
        The ruleset's descriptor, close-on-exec; the caller closes it.

    Raises:
        OSError: A path cannot be opened, or the kernel refuses the ruleset.
    """
    rights = rights_of(rules.abi)
    attributes = _RULESET.pack(rights.files, rights.network, rights.scopes)
    ruleset_fd = _syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    try:
        _allow(ruleset_fd, rules.execute, rights.files & (_READ_FILE | _EXECUTE))
        _allow(ruleset_fd, rules.read, rights.files & (_READ_FILE | _READ_DIRECTORY))
        _allow(ruleset_fd, rules.write, rights.files & (_READ_FILE | _WRITE_FILE | _TRUNCATE))
        _allow_own(ruleset_fd, rules.own, rights.files & _READ_FILE)
    except BaseException:
        os.close(ruleset_fd)
        raise
    return ruleset_fd


def _allow(ruleset_fd: int, paths: Iterable[str], rights: int) -> None:
    for path in paths:
        path_fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            is_directory = stat.S_ISDIR(os.fstat(path_fd).st_mode)
            # The kernel refuses a right that makes no sense for a file.
            _add_rule(ruleset_fd, path_fd, rights if is_directory else rights & ~_READ_DIRECTORY)
        finally:
            os.close(path_fd)


def _allow_own(ruleset_fd: int, names: Iterable[str], rights: int) -> None:
    for name in names:
        path_fd = os.open(f"/proc/self/{name}", os.O_PATH)
        os.set_inheritable(path_fd, True)
        _add_rule(ruleset_fd, path_fd, rights)


def _add_rule(ruleset_fd: int, path_fd: int, rights: int) -> None:
    rule = _PATH_BENEATH.pack(rights, path_fd)
    _syscall(_ADD_RULE, ruleset_fd, _RULE_PATH_BENEATH, rule, 0)


def _syscall(number: int, *arguments: int | bytes | None) -> int:
    result: int = _libc.syscall(ctypes.c_long(number), *map(_as_word, arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"system call {number}: {os.strerror(code)}")
    return result


def _as_word(argument: int | bytes | None) -> ctypes.c_long | ctypes.c_char_p:
    """An argument as wide as a register: the callee takes a variable number of them."""
    return ctypes.c_long(argument) if isinstance(argument, int) else ctypes.c_char_p(argument)
