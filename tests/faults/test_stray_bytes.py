"""What nobody expects on a worker's pipes: stray bytes, floods, and both pipes full at once."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import psutil
import pytest
from scenes import scene, write_into

from pool import Limits, Reason, Tool
from pool.limits import MIB

pytestmark = pytest.mark.anyio

STRAY = {
    "text": b"Download https://example.com/\n",
    "zeros": bytes(64),
    "a length that no frame has": b"\xff" * 15,
    "a flood": b"x" * (4 * MIB),
}


async def test_stray_bytes_on_standard_output_end_the_run_they_came_in():
    async with scene() as stage:
        for name, stray in STRAY.items():
            worker = await stage.ready_worker()
            # In a thread: more than a pipe holds is taken only while the host reads.
            tool = Tool(name="stray", handler=partial(inject, worker, stray))
            outcome = await stage.run("text('a'); await tools.stray(); text('b')", tools=[tool])

            assert outcome.reason is Reason.ERROR, name
            assert outcome.error.name == "ProtocolError", name
            assert [item.text for item in outcome.output] == ["a"], name
            assert not worker.is_running(), name


def inject(worker: psutil.Process, stray: bytes, argument: object) -> None:
    with suppress(BrokenPipeError):  # the host reads no further than to the first stray bytes
        write_into(worker, 1, stray)


async def test_stray_bytes_of_an_idle_worker_reach_no_run():
    async with scene() as stage:
        worker = await stage.ready_worker()
        write_into(worker, 1, b"stray")
        outcome = await stage.run("return 1")

        assert outcome.value == 1
        assert stage.victim() != worker


async def test_100_mb_on_standard_error_cost_a_run_nothing():
    line = b"x" * (MIB - 1) + b"\n"

    async with scene() as stage:
        worker = await stage.ready_worker()

        def flood(argument):
            for _ in range(100):
                write_into(worker, 2, line)

        tool = Tool(name="flood", handler=flood)
        outcome = await stage.run("await tools.flood(); return 1", tools=[tool])

        assert outcome.value == 1
        assert stage.victim() == worker


async def test_32_mib_each_way_at_once_arrive_whole():
    """Arguments and results that cross: neither side may wait for the other to read first."""
    size, pieces = 4 * MIB, 8
    source = f"""
      const piece = new Uint8Array({size}).fill(7);
      const all = Array.from({{ length: {pieces} }}, () => tools.echo(piece));
      let bytes = 0;
      for (const echoed of await Promise.all(all)) bytes += echoed.length;
      return bytes;
    """
    seen = []

    def echo(argument):
        seen.append(len(argument))
        return argument

    async with scene() as stage:
        await stage.ready_worker()
        outcome = await stage.run(source, tools=[Tool(name="echo", handler=echo, inline=True)])

        assert outcome.value == size * pieces, outcome.error
        assert seen == [size] * pieces


async def test_32_mib_of_output_beside_32_mib_of_results_arrive_whole():
    source = """
      const given = tools.large();
      for (let i = 0; i < 512; i++) text("x".repeat(65536));
      return (await given).length;
    """
    large = Tool(name="large", handler=lambda argument: bytes(31 * MIB), inline=True)
    async with scene(limits=Limits(output_chars=40_000_000)) as stage:
        await stage.ready_worker()
        outcome = await stage.run(source, tools=[large])

        assert outcome.value == 31 * MIB, outcome.error
        assert sum(len(item.text) for item in outcome.output) == 32 * MIB
