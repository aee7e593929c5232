"""What is built for a pool's workers: the paths and the layers as the spawner applies them."""

from __future__ import annotations

from pathlib import Path

import pytest
from confined import landlock_abi

from pool.errors import ConfinementUnavailable
from pool.worker.confine import Confinement
from pool.worker.landlock import Rules
from pool.worker.layers import Layer
from pool.worker.libraries import Linked, linked_with, parse_trace
from pool.worker.lockdown import lock_down, plan_rules
from pool.worker.machine import inspect_machine

RULES = Rules(landlock_abi(), read=["/tmp"])

TRACE = """\
\tlinux-vdso.so.1 (0x00007efe3c8fb000)
\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007efe36920000)
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007efe3673e000)
\t/lib64/ld-linux-x86-64.so.2 (0x00007efe3c8fd000)
"""


def test_a_worker_may_use_what_deno_opens_and_nothing_else(tmp_path: Path) -> None:
    deno, loader, library = (str(tmp_path / name) for name in ("deno", "ld.so", "libc.so.6"))
    for path in (deno, loader, library):
        Path(path).touch()
    linked = Linked(loader, (library, str(tmp_path / "missing")))

    rules = plan_rules(7, deno=deno, linked=linked, runtime_dir=str(tmp_path), cache_dir="/missing")

    assert rules == Rules(
        abi=7,
        execute=[deno, loader],
        read=[library, "/etc/ld.so.cache", str(tmp_path)],
        write=["/dev/null"],
        own=["maps"],
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
    assert lock_down(frozenset(), inspect_machine(), RULES, 65534) == Confinement()


def test_every_layer_is_applied() -> None:
    confinement = lock_down(frozenset(Layer), inspect_machine(), RULES, 65534)

    assert (confinement.uid, confinement.rules) == (65534, RULES)
    assert confinement.filter
