"""`python -m benchmarks [--quick] [NAME …]`: measure, keep the lines, print the report.

Each scenario runs in a process of its own, one after the other. The lines go to
`benchmarks/results/`, the report to standard output.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import machine, report
from benchmarks.scenarios import SCENARIOS

RESULTS = Path(__file__).parent / "results"
QUICK_DIVISOR = 10
# The longest scenario takes well under a minute; what takes five is stuck.
SCENARIO_TIMEOUT_S = 300


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 when a scenario broke or counted errors: its figures are not to be trusted."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names = [scenario.name for scenario in SCENARIOS]
    parser.add_argument(
        "names", nargs="*", metavar="NAME", choices=[*names, []], help=", ".join(names)
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the samples")
    options = parser.parse_args(arguments)

    facts = machine.facts()
    results = [
        result
        for name in options.names or names
        if (result := _measure(name, QUICK_DIVISOR if options.quick else 1)) is not None
    ]
    _keep(facts, results)
    print(report.render(facts, results))
    is_whole = len(results) == len(options.names or names)
    return 0 if is_whole and not any(result["errors"] for result in results) else 1


def _measure(name: str, divisor: int) -> dict[str, Any] | None:
    print(f"{name} …", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "benchmarks.runner", name, str(divisor)]
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, text=True, check=True, timeout=SCENARIO_TIMEOUT_S
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return None
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def _keep(facts: dict[str, object], results: Sequence[dict[str, Any]]) -> None:
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / time.strftime("%Y%m%dT%H%M%SZ.jsonl", time.gmtime())
    lines = [{"machine": facts}, *results]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
