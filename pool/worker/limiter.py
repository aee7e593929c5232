"""Setting the memory limit of a worker that runs as another user.

prlimit(2) asks for CAP_SYS_RESOURCE, which containers do not give, or for the same *real* user
and group. The spawner has a single thread, so for one call it can take the worker's real ids and
keep its effective ones: 40 µs, where a child of that user that did it would take 2 ms. A change
of the real ids alone leaves capabilities and the death signal as they are; it does let that user
signal the spawner meanwhile, which workers are kept from by their filter and their domain.

Standard library only: the spawner loads this file without the host's half.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager

_SAME = -1


def limit_data(pid: int, *, uid: int | None, soft_bytes: int, hard_bytes: int) -> None:
    """Set RLIMIT_DATA of a process.

    Args:
        uid: Its user and group; None when they are the caller's own.

    Raises:
        OSError: It has ended, or the hard limit would rise.
    """
    with _real_ids(uid):
        resource.prlimit(pid, resource.RLIMIT_DATA, (soft_bytes, hard_bytes))


@contextmanager
def _real_ids(uid: int | None) -> Iterator[None]:
    if uid is None:
        yield
        return
    own_uid, own_gid = os.getuid(), os.getgid()
    try:
        os.setresgid(uid, _SAME, _SAME)
        os.setresuid(uid, _SAME, _SAME)
        yield
    finally:
        os.setresuid(own_uid, _SAME, _SAME)
        os.setresgid(own_gid, _SAME, _SAME)
