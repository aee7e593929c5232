"""What is measured. Each function takes a count and options and returns a `Measured`.

`SUBJECTS` is the whole list; a scenario names one of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from benchmarks.measured import Measured
from benchmarks.subjects import calls, floors, runs, workers

Subject = Callable[..., Awaitable[Measured]]

SUBJECTS: Final[Mapping[str, Subject]] = {
    subject.__name__: subject
    for subject in (
        floors.deno_run,
        floors.pipe_echo,
        runs.cold_pool,
        runs.cold_command,
        runs.warm_tenant,
        runs.warm_spare,
        runs.throughput,
        runs.deadline,
        runs.kill_to_outcome,
        calls.round_trip,
        calls.parallel_calls,
        calls.value_in,
        calls.value_out,
        workers.boot,
        workers.spawn,
        workers.idle_memory,
    )
}
