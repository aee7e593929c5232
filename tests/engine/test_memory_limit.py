"""A run's memory, and that nobody else pays for it: spec L-1."""

from __future__ import annotations

import anyio
import pytest
from live_pools import Gate, watched_pool

from pool import Limits, Outcome, Pool, Reason

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

# The machine may be busy; filling memory takes a second or two of CPU.
BOMB_S = 40

BOMBS = {
    "array buffers": """
        for (let i = 0; i < 600; i++) keep.push(new Uint8Array(1 << 20).fill(i));
    """,
    "one array buffer": """
        keep.push(new ArrayBuffer(600 << 20));
    """,
    "heap objects": """
        for (let i = 0; i < 8_000_000; i++) keep.push({ i, next: { i, next: [i] } });
    """,
    "strings": """
        for (let i = 0; i < 600; i++) keep.push(String(i).padStart(1 << 20, "é") + i);
        keep.map(s => s.charCodeAt(5));
    """,
}


def was_stopped(outcome: Outcome) -> bool:
    """Whether the program was ended for its memory, or was told in a way that it could catch."""
    if outcome.is_completed:
        return outcome.value == "RangeError"
    return outcome.reason is Reason.MEMORY


def guarded(bomb: str) -> str:
    return f"const keep = []; try {{ {bomb} return 'all of it' }} catch (e) {{ return e.name }}"


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS.keys())
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_l1_600_mib_of_anything_end_that_run_and_no_other(bomb):
    gate = Gate()
    innocent: list[Outcome] = []
    with anyio.fail_after(BOMB_S):
        async with watched_pool(size=2) as (pool, _), anyio.create_task_group() as tasks:

            async def run_innocent():
                source = (
                    "const kept = new Array(1000).fill(7); await tools.gate(); return kept[999]"
                )
                innocent.append(await pool.run(source, tools=[gate.tool]))

            tasks.start_soon(run_innocent)
            await gate.called.wait()
            outcome = await pool.run(guarded(bomb))
            gate.opened.set()
            after = await pool.run("return 1")

    assert was_stopped(outcome), (outcome.value, outcome.reason, outcome.error)
    assert innocent[0].value == 7
    assert after.value == 1


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_l1_what_fits_into_the_default_is_too_much_for_a_lowered_limit():
    bomb = "for (let i = 0; i < 150; i++) keep.push(new Uint8Array(1 << 20).fill(i));"
    with anyio.fail_after(BOMB_S):
        async with Pool(size=1, spares=0) as pool:
            plenty = await pool.run(guarded(bomb))
            scarce = await pool.run(guarded(bomb), limits=Limits(memory_mib=64))
            objects = await pool.run(guarded(BOMBS["heap objects"]), limits=Limits(memory_mib=64))

    assert plenty.value == "all of it"
    assert was_stopped(scarce)
    assert was_stopped(objects)


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_l1_a_tenants_next_run_has_its_whole_memory_again():
    bomb = "for (let i = 0; i < 150; i++) keep.push(new Uint8Array(1 << 20).fill(i));"
    with anyio.fail_after(BOMB_S):
        async with Pool(size=1, spares=0) as pool:
            outcomes = [await pool.run(guarded(bomb), tenant="t") for _ in range(4)]
            lowered = await pool.run(guarded(bomb), tenant="t", limits=Limits(memory_mib=64))
            raised = await pool.run(guarded(bomb), tenant="t")

    assert [outcome.value for outcome in outcomes] == ["all of it"] * 4
    assert was_stopped(lowered)
    assert raised.value == "all of it"


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_l1_output_made_before_memory_ran_out_is_kept():
    source = f"text('a'); const keep = []; {BOMBS['heap objects']}"
    with anyio.fail_after(BOMB_S):
        async with Pool(size=1, spares=0) as pool:
            outcome = await pool.run(source, limits=Limits(memory_mib=64))

    assert outcome.reason is Reason.MEMORY
    assert [item.text for item in outcome.output] == ["a"]
    assert outcome.peak_memory_bytes is not None


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_l1_a_single_request_that_is_too_large_is_an_error_and_not_the_end_of_memory():
    async with Pool(size=1, spares=0) as pool:
        outcome = await pool.run("new ArrayBuffer(2 ** 33)")

    assert outcome.reason is Reason.ERROR
    assert outcome.error.name == "RangeError"
