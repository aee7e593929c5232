"""`python tests/security/report.py`: every attack in both worker modes, as a table by kind.

Prints Markdown, with the machine's layers of confinement below it. Exit code 1 when a program did
not end as pinned.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import Any, Final

from attacking import Range, open_range
from corpus import Scenario, load_programs, scenarios

from pool.worker.layers import Profile, assess
from pool.worker.machine import inspect_machine

MODES: Final = {"a process per run": (None, 1), "reused within a tenant": ("attacker", 0)}


def main() -> int:
    """Run all programs; returns the exit code."""
    os.environ["SECRET_TOKEN"] = "s3cr3t"  # what programs look for on the host
    programs = load_programs()
    total = Counter(program.kind for program in programs.values())
    held = {mode: _held(scenarios(programs), *how) for mode, how in MODES.items()}
    print("| kind | programs |", " | ".join(f"held, {mode}" for mode in MODES), "|")
    print("|---|---|" + "---|" * len(MODES))
    for kind, count in total.items():
        print(f"| {kind} | {count} |", " | ".join(str(held[mode][kind]) for mode in MODES), "|")
    sums = " | ".join(str(held[mode].total()) for mode in MODES)
    print(f"| all | {total.total()} | {sums} |\n")
    for state in assess(inspect_machine(), Profile.REQUIRE):
        print(f"{state.layer}: {state.why_not or 'active'}")
    return 0 if all(counts == total for counts in held.values()) else 1


def _held(wanted: list[Scenario], tenant: str | None, spares: int) -> Counter[str]:
    held: Counter[str] = Counter()
    with open_range(tenant=tenant, spares=spares) as range_:
        for scenario in wanted:
            _fire(range_, scenario, held)
    return held


def _fire(range_: Range, scenario: Scenario, held: Counter[str]) -> None:
    store: dict[str, Any] = {}
    for program in scenario:
        outcome = range_.fire(program, store)
        store |= outcome.store.set
        faults = program.faults(outcome)
        if not range_.is_alive() or range_.leftovers():
            faults.append("the pool does not serve on")
        if faults:
            print(f"{program.id}: {'; '.join(faults)}", file=sys.stderr)
        else:
            held[program.kind] += 1


if __name__ == "__main__":
    sys.exit(main())
