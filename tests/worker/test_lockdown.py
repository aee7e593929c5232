"""What is built for a pool's workers: the paths and the layers as the spawner applies them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from confined import needs_landlock

from pool.errors import ConfinementUnavailable
from pool.worker.confine import Confinement
from pool.worker.landlock import Rules
from pool.worker.layers import Layer
from pool.worker.libraries import Linked, linked_with, parse_trace
from pool.worker.lockdown import open_lockdown, plan_rules
from pool.worker.machine import inspect_machine

NOTHING = Rules(execute=(), read=(), write=())

TRACE = """\
\tlinux-vdso.so.1 (0x00007efe3c8fb000)
\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007efe36920000)
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007efe3673e000)
\t/lib64/ld-linux-x86-64.so.2 (0x00007efe3c8fd000)
"""


def test_a_worker_may_use_what_deno_opens_and_nothing_else() -> None:
    linked = Linked("/lib/ld.so", ("/lib/libc.so.6",))

    rules = plan_rules(deno="/d/deno", linked=linked, runtime_dir="/r", cache_dir="/c")

    assert rules == Rules(
        execute=("/d/deno", "/lib/ld.so"),
        read=("/lib/libc.so.6", "/etc/ld.so.cache", "/r", "/c"),
        write=("/dev/null",),
    )


def test_a_trace_names_loader_and_libraries() -> None:
    linked = parse_trace(TRACE)

    assert Path(linked.loader).name.startswith("ld-linux")
    assert [Path(path).name for path in linked.libraries] == ["libc.so.6", "libm.so.6"]


@pytest.mark.parametrize("said", ["", "\tstatically linked\n", "deno 2.9.8\n"])
def test_what_is_no_trace_is_an_error(said: str) -> None:
    with pytest.raises(ValueError, match="loader"):
        parse_trace(said)


def test_deno_is_linked_with_files_that_exist(deno_path: str) -> None:
    linked = linked_with(deno_path)

    assert all(Path(path).is_file() for path in (linked.loader, *linked.libraries))
    assert any("libc.so" in path for path in linked.libraries)


def test_a_program_that_cannot_be_traced_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfinementUnavailable, match="missing"):
        linked_with(str(tmp_path / "missing"))


def test_without_layers_nothing_is_applied() -> None:
    with open_lockdown(frozenset(), inspect_machine(), NOTHING, 65534) as confinement:
        assert confinement == Confinement()


@needs_landlock
def test_every_layer_is_applied_and_the_ruleset_closed_in_the_end(tmp_path: Path) -> None:
    rules = replace(NOTHING, read=(str(tmp_path), str(tmp_path / "missing")))
    layers = frozenset(Layer)

    with open_lockdown(layers, inspect_machine(), rules, 65534) as confinement:
        assert confinement.uid == 65534
        assert confinement.filter
        assert confinement.ruleset_fd is not None
        os.fstat(confinement.ruleset_fd)
        assert not os.get_inheritable(confinement.ruleset_fd)

    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(confinement.ruleset_fd)
