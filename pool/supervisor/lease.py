"""What somebody who runs a program holds: one worker, until the run is over.

A lease says what the run may use, and is told how the run ended. Who gets a lease and what becomes
of the worker afterwards is the fleet's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pool.supervisor.facts import Condition
from pool.wire.messages import How
from pool.worker.ending import Ending
from pool.worker.process import Worker

KilledFor = Literal["memory", "shutdown"]


@dataclass(slots=True, eq=False)
class Lease:
    """One worker for one run.

    Attributes:
        memory_mib: What the program may allocate.
        baseline_rss_bytes: Resident memory of the worker before its first run.
        killed_for: Why the pool killed the worker during the run; None while it did not.
        condition: In which condition the run left the worker. Whoever says nothing leaves it
            unclean, and it is killed.
    """

    worker: Worker
    memory_mib: int
    baseline_rss_bytes: int
    killed_for: KilledFor | None = None
    condition: Condition = Condition.UNCLEAN

    def release(self, ending: Ending) -> None:
        """Say how the run ended, so that the worker may serve another one."""
        if ending.is_clean:
            self.condition = Condition.CLEAN
        elif ending.stop is None and ending.end is not None and ending.end.how is How.REFUSED:
            self.condition = Condition.UNUSED

    def kill(self, reason: KilledFor) -> None:
        """Kill the worker under its run, which notices by the end of the worker's output.

        Nothing else is touched: what the program had said is still in the pipe.
        """
        self.killed_for = self.killed_for or reason
        self.worker.sigkill()
