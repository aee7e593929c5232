"""A real pool under attack: runs a program the way its row says, and looks after the host."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import anyio
import psutil
from anyio.from_thread import BlockingPortal, start_blocking_portal
from corpus import Program
from fixture_tools import Desk

from pool import Limits, Outcome, Pool

# What a run on a healthy pool gives back.
ALIVE: Final = 'return await tools.echo("alive")'


def _no_protocol_error(outcome: Outcome) -> bool:
    return outcome.error is None or outcome.error.name != "ProtocolError"


def _store_rolled_back(outcome: Outcome) -> bool:
    return not outcome.store.set and not outcome.store.delete


HOST_CHECKS: Final[Mapping[str, Callable[[Outcome], bool]]] = {
    "no_protocol_error": _no_protocol_error,
    "store_rolled_back": _store_rolled_back,
}


@dataclass(frozen=True)
class Range:
    """A pool of one slot that programs are fired at.

    Attributes:
        tenant: Of every run: None has each one served by a process of its own.
        places: Most worker processes at any time, spares included.
    """

    pool: Pool
    portal: BlockingPortal
    spawner: psutil.Process
    tenant: str | None
    places: int

    def fire(self, program: Program, store: Mapping[str, Any]) -> Outcome:
        return self.portal.call(self._fire, program, store)

    async def _fire(self, program: Program, store: Mapping[str, Any]) -> Outcome:
        limits = Limits(**program.options)
        async with self.pool.start(
            program.source, tools=Desk().tools(), tenant=self.tenant, limits=limits, store=store
        ) as run:
            if program.cancel_after_ms is not None:
                # The row asks for a moment, not for an event: a busy loop gives no sign of life.
                await anyio.sleep(program.cancel_after_ms / 1000)
                run.cancel()
            outcome = await run.outcome()
        outcome.close()  # a flood's full output; nobody looks at it
        return outcome

    def is_alive(self) -> bool:
        """Whether an ordinary program still gets an ordinary answer."""
        outcome = self.portal.call(self._ask_whether_alive)
        return outcome.is_completed and outcome.value == "alive"

    async def _ask_whether_alive(self) -> Outcome:
        return await self.pool.run(ALIVE, tools=Desk().tools(), tenant=self.tenant)

    def processes(self) -> list[int]:
        """Every process below the spawner: workers, and whatever they started."""
        return below(self.spawner.pid)

    def leftovers(self) -> list[int]:
        """Processes beyond the pool's workers."""
        return self.processes()[self.places :]


@contextmanager
def open_range(*, tenant: str | None, spares: int) -> Iterator[Range]:
    host = psutil.Process()
    before = host.children()
    with start_blocking_portal() as portal:
        pool = Pool(size=1, spares=spares)
        with portal.wrap_async_context_manager(pool):
            [spawner] = [child for child in host.children() if child not in before]
            yield Range(pool, portal, spawner, tenant, places=1 + spares)
            last = [spawner.pid, *below(spawner.pid)]
    assert [pid for pid in last if psutil.pid_exists(pid)] == []


def below(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [each for child in children for each in (int(child), *below(int(child)))]
