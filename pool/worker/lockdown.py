"""The confinement of a pool's workers, built once: paths to open up, a ruleset, a filter.

What a child then does with it is in `confine`. The paths are those that Deno opens itself, found
by tracing it: its binary and loader, six libraries, the runtime and the cache. It needs neither
`/proc` nor `/sys`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pool.worker.confine import Confinement
from pool.worker.landlock import Rules, open_ruleset
from pool.worker.layers import Layer, Machine
from pool.worker.libraries import Linked
from pool.worker.seccomp import architecture, compile_filter

# Where the loader looks up libraries. Without it, it would search directories.
_LOADER_CACHE: Final = "/etc/ld.so.cache"

_WRITABLE: Final = "/dev/null"


def plan_rules(*, deno: str, linked: Linked, runtime_dir: str, cache_dir: str) -> Rules:
    """What a worker may use of the file system. All paths are absolute and resolved."""
    return Rules(
        execute=(deno, linked.loader),
        read=(*linked.libraries, _LOADER_CACHE, runtime_dir, cache_dir),
        write=(_WRITABLE,),
    )


@contextmanager
def open_lockdown(
    layers: frozenset[Layer], machine: Machine, rules: Rules, uid: int
) -> Iterator[Confinement]:
    """The layers as the spawner applies them; the ruleset is closed on leaving.

    Args:
        layers: Those that are active on this machine.
        rules: Paths that do not exist are left out.
        uid: User of the workers.

    Raises:
        OSError: The kernel refuses the ruleset.
    """
    ruleset_fd = None
    if Layer.FILES in layers:
        ruleset_fd = open_ruleset(_existing(rules), machine.landlock_abi)
    target = architecture(machine.processor) if Layer.CALLS in layers else None
    is_scoped = Layer.SCOPES in layers
    try:
        yield Confinement(
            uid=uid if Layer.USER in layers else None,
            ruleset_fd=ruleset_fd,
            filter=compile_filter(target, is_scoped=is_scoped) if target else None,
        )
    finally:
        if ruleset_fd is not None:
            os.close(ruleset_fd)


def _existing(rules: Rules) -> Rules:
    """Without paths that are not there: a system may have no cache of libraries."""
    execute, read, write = (
        tuple(path for path in paths if Path(path).exists())
        for paths in (rules.execute, rules.read, rules.write)
    )
    return Rules(execute, read, write)
