"""The confinement of a pool's workers, decided once: paths to open up, and a filter.

What a child then does with it is in `confine`. The paths are those that Deno opens itself, found
by tracing it: its binary and loader, six libraries, the runtime and the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pool.worker.confine import Confinement
from pool.worker.landlock import Rules
from pool.worker.layers import Layer, Machine
from pool.worker.libraries import Linked
from pool.worker.seccomp import architecture, compile_filter

# Where the loader looks up libraries. Without it, it would search directories.
_LOADER_CACHE: Final = "/etc/ld.so.cache"

_WRITABLE: Final = "/dev/null"

# Of its own files in /proc a worker sees its map of memory, because the C library finds the end of
# the stack there: the parser of TypeScript asks for it, and ends the process without an answer.
_OWN: Final = ("maps",)


def plan_rules(abi: int, *, deno: str, linked: Linked, runtime_dir: str, cache_dir: str) -> Rules:
    """What a worker may use of the file system. All paths are absolute and resolved.

    Paths that do not exist are left out: a system may have no cache of libraries, a container no
    `/proc`.
    """
    return Rules(
        abi,
        execute=_existing(deno, linked.loader),
        read=_existing(*linked.libraries, _LOADER_CACHE, runtime_dir, cache_dir),
        write=_existing(_WRITABLE),
        own=[name for name in _OWN if Path("/proc/self", name).exists()],
    )


def lock_down(
    layers: frozenset[Layer], machine: Machine, rules: Rules | None, uid: int
) -> Confinement:
    """The layers as a child applies them.

    Args:
        layers: Those that are active on this machine.
        rules: For the layer of files.
        uid: User of the workers.
    """
    target = architecture(machine.processor) if Layer.CALLS in layers else None
    return Confinement(
        uid=uid if Layer.USER in layers else None,
        rules=rules if Layer.FILES in layers else None,
        filter=compile_filter(target, is_scoped=Layer.SCOPES in layers) if target else None,
    )


def _existing(*paths: str) -> Sequence[str]:
    return [path for path in paths if Path(path).exists()]
