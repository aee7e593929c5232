"""A caller that is cancelled at every point at which its run waits, one after the other."""

from __future__ import annotations

from typing import Any

import anyio
import anyio.lowlevel
import pytest
from proc_files import open_fds
from scenes import VICTIM, Scene, scene, until
from suspension import ActWhenSuspended

from pool import Tool

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

# A run of this kind waits 3 to 8 times, depending on which messages come together.
POINTS = 10

SOURCE = """
  text("a");
  tools.hang();
  await tools.thread();
  await tools.task();
  await tools.quick();
  return 1;
"""


async def task(argument: Any) -> Any:
    await anyio.lowlevel.checkpoint()
    return argument


async def hang(argument: Any) -> None:
    await anyio.sleep_forever()


TOOLS = [
    Tool(name="hang", handler=hang),
    Tool(name="thread", handler=lambda argument: argument),
    Tool(name="task", handler=task),
    Tool(name="quick", handler=lambda argument: argument, inline=True),
]


def what_there_is(scene: Scene) -> dict[str, int]:
    """What a run may not leave behind, counted while nobody but the neighbour runs."""
    return {
        "tasks": len(anyio.get_running_tasks()),
        "fds": open_fds(),
        "workers": len(scene.processes.workers()),
        "busy": scene.pool.stats().busy,
        "waiting": scene.pool.stats().waiting,
    }


async def cancel_at(scene: Scene, nth: int, tenant: str | None) -> bool:
    """Cancel a run as it waits for the n-th time; whether it waited that often."""
    with anyio.CancelScope() as scope:
        work = scene.pool.run(SOURCE, tools=TOOLS, tenant=tenant)
        watched = ActWhenSuspended(work, nth=nth, act=scope.cancel)
        outcome = await watched
        assert outcome.value == 1, outcome.error
    assert watched.has_acted or not scope.cancelled_caught
    return watched.has_acted


@pytest.mark.parametrize("tenant", [VICTIM, None], ids=["on a ready worker", "on a new worker"])
async def test_a_run_cancelled_wherever_it_waits_leaves_nothing_behind(tenant: str | None):
    async with scene(patience_s=50) as stage:
        await stage.ready_worker()
        before = what_there_is(stage)
        reached = 0
        for nth in range(POINTS):
            reached += await cancel_at(stage, nth, tenant)
            await stage.ready_worker()
            await until(lambda: what_there_is(stage) == before)

        assert reached >= 3
