"""A child's last act before execve: try what must be impossible now.

A worker inherits the domain and the filter, so what fails here fails in it as well: these are the
same process. Standard library only, as `confine`. A layer that is off is not asked about.
What Deno itself must refuse is tried by the guest runtime (`runtime_js/attest.js`).
"""

from __future__ import annotations

import fcntl
import os
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial


class Breach(Exception):
    """Something worked that must not."""


def attest(*, files: bool, calls: bool, sealed: Sequence[str] = ()) -> None:
    """Try everything that the active layers forbid.

    Args:
        files: Whether Landlock is in force.
        calls: Whether the system call filter is in force.
        sealed: Directories in which no file can be made, its home and its cache.

    Raises:
        Breach: An attempt did not fail; the message says which.
    """
    attempts = [*(FILES if files else ()), *(CALLS if calls else ())]
    if files:
        attempts += (partial(make_a_file_in, directory) for directory in sealed)
    for attempt in attempts:
        with suppress(OSError):
            attempt()
            raise Breach(f"the confined process could {_words(attempt)}")


def _words(attempt: Callable[[], None]) -> str:
    if isinstance(attempt, partial):
        return f"{_words(attempt.func)} {attempt.args[0]}"
    return attempt.__name__.replace("_", " ")


def list_the_root_directory() -> None:
    os.close(os.open("/", os.O_RDONLY | os.O_DIRECTORY))


def read_the_environment_of_a_process() -> None:
    os.close(os.open("/proc/self/environ", os.O_RDONLY))


def read_a_file_outside_its_list() -> None:
    os.close(os.open("/etc/passwd", os.O_RDONLY))


def make_a_file_in(directory: str) -> None:
    path = f"{directory}/attest-{os.getpid()}"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    os.unlink(path)


def start_a_program() -> None:
    """Comes back only with an error. If it worked the worker would end without its HELLO."""
    os.execve(sys.executable, [sys.executable, "-S", "-c", ""], {})  # noqa: S606 (no shell)


def open_a_network_socket() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()


def open_a_unix_socket() -> None:
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).close()


def start_a_process() -> None:
    if os.fork() == 0:
        os._exit(0)


def signal_another_process() -> None:
    os.kill(os.getppid(), 0)


def have_another_process_signalled() -> None:
    read_end, write_end = os.pipe()
    try:
        fcntl.fcntl(read_end, fcntl.F_SETOWN, os.getppid())
    finally:
        os.close(read_end)
        os.close(write_end)


def make_a_file_without_a_path() -> None:
    os.close(os.memfd_create("attest"))


FILES: tuple[Callable[[], None], ...] = (
    list_the_root_directory,
    read_the_environment_of_a_process,
    read_a_file_outside_its_list,
    start_a_program,
)

CALLS: tuple[Callable[[], None], ...] = (
    open_a_network_socket,
    open_a_unix_socket,
    start_a_process,
    signal_another_process,
    have_another_process_signalled,
    make_a_file_without_a_path,
)
