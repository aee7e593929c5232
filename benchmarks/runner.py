"""One scenario in this process: `python -m benchmarks.runner NAME [DIVISOR]` prints one JSON line.

Always a fresh process, so that no scenario inherits another's heap, threads or warm caches.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from functools import partial

import anyio

from benchmarks.measured import quantile
from benchmarks.scenarios import SCENARIOS, Placement, Scenario
from benchmarks.subjects import SUBJECTS


def measure(scenario: Scenario, divisor: int = 1) -> dict[str, object]:
    """Run one scenario here and now.

    Args:
        divisor: 10 makes a quick look out of a measurement.
    """
    if scenario.placement is Placement.ONE_CPU:
        # Children inherit it: host, spawner and workers all stay on this CPU.
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    load = os.getloadavg()[0]
    gc.collect()
    subject = SUBJECTS[scenario.subject]
    count = max(1, scenario.count // divisor)
    measured = anyio.run(partial(subject, count, **scenario.options))
    return {
        "scenario": scenario.name,
        "unit": scenario.unit,
        "placement": str(scenario.placement),
        "count": len(measured.samples),
        "errors": measured.errors,
        "p50": quantile(measured.samples, 0.50),
        "p99": quantile(measured.samples, 0.99),
        "min": min(measured.samples, default=None),
        "max": max(measured.samples, default=None),
        "per_second": measured.per_second,
        "facts": measured.facts,
        "load_before": round(load, 2),
    }


def main(name: str, divisor: str = "1") -> None:
    scenario = next(scenario for scenario in SCENARIOS if scenario.name == name)
    print(json.dumps(measure(scenario, int(divisor)), ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
