"""Who may be served by which process."""

from __future__ import annotations

import psutil
import pytest
from live_pools import watched_pool

from pool import Limits, Tool

pytestmark = pytest.mark.anyio


class Seen:
    """A tool that notes which process served the run that called it."""

    def __init__(self, processes) -> None:
        self._processes = processes
        self.pids: list[int] = []

    @property
    def tool(self) -> Tool:
        return Tool(name="see", handler=self._see, inline=True)

    def _see(self, argument: object) -> None:
        self.pids.append(self._processes.only_worker().pid)


async def test_runs_of_one_tenant_share_a_process_one_after_the_other():
    async with watched_pool() as (pool, processes):
        seen = Seen(processes)
        for _ in range(3):
            await pool.run("await tools.see()", tools=[seen.tool], tenant="a")

    assert len(set(seen.pids)) == 1


async def test_two_tenants_never_share_a_process():
    async with watched_pool() as (pool, processes):
        seen = Seen(processes)
        for tenant in ("a", "b", "a", "b"):
            await pool.run("await tools.see()", tools=[seen.tool], tenant=tenant)

    assert len(set(seen.pids)) == 4


async def test_runs_without_a_tenant_never_share_a_process():
    async with watched_pool() as (pool, processes):
        seen = Seen(processes)
        for tenant in (None, None, "a", None):
            await pool.run("await tools.see()", tools=[seen.tool], tenant=tenant)

    assert len(set(seen.pids)) == 4


@pytest.mark.parametrize(
    "source",
    ["throw 1", "await new Promise(() => {})", "text('too much')", "while (true) {}"],
    ids=["error", "stalled", "output", "timeout"],
)
async def test_a_run_that_failed_leaves_nothing_to_the_next_one_of_its_tenant(source):
    async with watched_pool() as (pool, processes):
        await pool.run("return 1", tenant="a")
        before = processes.only_worker()
        await pool.run(source, tenant="a", limits=Limits(output_chars=3, timeout_ms=500))
        after = await pool.run("return 1", tenant="a")

        assert after.value == 1
        assert not psutil.pid_exists(before.pid)
