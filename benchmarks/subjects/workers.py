"""Worker processes: how fast they come up, what they weigh."""

from __future__ import annotations

import time

import anyio
import psutil

from benchmarks.measured import Measured
from pool import Limits, Pool
from pool.engine import Confinement
from pool.worker.layers import Profile
from pool.worker.site import open_site
from pool.worker.spawner_link import open_spawner

MIB = 1024 * 1024
ALL_UP_S = 30.0
# Deno starts a last thread half a second after its loop began; weigh workers after that.
SETTLED_S = 1.5


async def boot(count: int, *, confinement: Confinement = "require") -> Measured:
    """The wait for a worker where none is ready, in ms: spawn, handshake, first context."""
    measured = Measured()
    async with Pool(size=1, spares=0, confinement=confinement) as pool:
        await pool.run("return 1")  # the pool's own first worker is ready already
        for _ in range(count):
            outcome = await pool.run("return 1")
            if outcome.is_completed:
                measured.samples.append(outcome.timings.queue_ms)
            else:
                measured.errors += 1
            # The next boot should not share the CPU with the end of this worker.
            await anyio.sleep(0.05)
    return measured


async def spawn(count: int, *, confinement: Confinement) -> Measured:
    """From asking the spawner to a child past its attestation and execve, in ms."""
    measured = Measured()
    limits, profile = Limits(), Profile(confinement)
    async with anyio.create_task_group() as tasks, open_spawner(tasks) as link:
        async with open_site(link, limits=limits, task_group=tasks, profile=profile) as site:
            for _ in range(count):
                began = time.perf_counter()
                child = await link.spawn(site.launch)
                measured.samples.append((time.perf_counter() - began) * 1e3)
                child.discard()
                await child.wait()
    return measured


async def idle_memory(count: int) -> Measured:
    """Memory that would come back if an idle worker ended, in MiB, one sample per worker."""
    async with Pool(size=count, spares=count):
        with anyio.fail_after(ALL_UP_S):
            while len(_workers()) < count:
                await anyio.sleep(0.05)
        await anyio.sleep(SETTLED_S)
        infos = [worker.memory_full_info() for worker in _workers()]
    measured = Measured(samples=[info.uss / MIB for info in infos])
    measured.facts["rss_mib"] = round(sum(info.rss for info in infos) / len(infos) / MIB, 1)
    return measured


def _workers() -> list[psutil.Process]:
    return [
        child
        for child in psutil.Process().children(recursive=True)
        if child.name().startswith("deno")
    ]
