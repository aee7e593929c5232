"""What a pool does about the confinement of its workers: prove it, refuse, or warn."""

from __future__ import annotations

import errno
import logging
from dataclasses import replace

import pytest

from pool import ConfinementUnavailable, Pool, Unavailable, UsageError
from pool.worker.landlock import Rules, kernel_abi
from pool.worker.machine import inspect_machine

pytestmark = pytest.mark.anyio


@pytest.fixture
def no_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    without = replace(inspect_machine(), landlock_abi=0, landlock_errno=errno.EOPNOTSUPP)
    monkeypatch.setattr("pool.worker.site.inspect_machine", lambda uid: without)


async def test_a_pool_does_not_start_when_a_worker_can_do_what_it_must_not(monkeypatch) -> None:
    everything = Rules(kernel_abi(), execute=["/"], read=["/"])
    monkeypatch.setattr("pool.worker.site.plan_rules", lambda abi, **paths: everything)

    with pytest.raises(Unavailable, match="the confined process could list the root directory"):
        async with Pool(size=1, spares=0):
            pytest.fail("the pool started")


async def test_require_names_the_missing_layer_and_how_to_get_it(no_landlock: None) -> None:
    with pytest.raises(ConfinementUnavailable, match=r"files \(Landlock\).*boot the kernel"):
        async with Pool(confinement="require"):
            pytest.fail("the pool started")


async def test_auto_goes_on_and_says_so_once(
    no_landlock: None, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "pool.engine"):
        async with Pool(size=1, spares=0, confinement="auto") as pool:
            for _ in range(2):
                assert (await pool.run("return 1 + 1")).value == 2

    said = [record.getMessage() for record in caplog.records if "Landlock" in record.getMessage()]
    assert len(said) == 3  # files, TCP, scopes
    assert len(set(said)) == 3


async def test_off_runs_programs_too() -> None:
    async with Pool(size=1, spares=0, confinement="off") as pool:
        assert (await pool.run("return 1 + 1")).value == 2


async def test_without_jit_programs_give_the_same() -> None:
    async with Pool(size=1, spares=0, jit=False) as pool:
        outcome = await pool.run("let n = 0; for (let i = 0; i < 1e5; i++) n += i; return n")

    assert outcome.value == 4999950000


def test_an_unknown_confinement_is_named() -> None:
    with pytest.raises(UsageError, match="'sometimes', not one of require, auto, off"):
        Pool(confinement="sometimes")  # type: ignore[arg-type]
