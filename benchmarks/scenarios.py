"""The scenarios, as data: what is measured, how often, in which unit, where it runs.

A new measurement is a new line here; a new kind of measurement is a new function in `subjects/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final


class Placement(StrEnum):
    """Where host and workers run.

    A round trip over a pipe is some times faster when both ends share a CPU than when the kernel
    must wake another one, so every figure says which of the two it is.
    """

    ONE_CPU = "one CPU"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class Scenario:
    """One line of the report.

    Attributes:
        subject: Name of the function in `subjects/`.
        count: How often; `--quick` divides it by ten.
        options: Keyword arguments of the subject.
    """

    name: str
    title: str
    subject: str
    count: int
    unit: str = "ms"
    placement: Placement = Placement.FREE
    options: Mapping[str, Any] = field(default_factory=dict)


def _round_trips() -> list[Scenario]:
    kinds = {"coroutine": "coroutine", "thread": "plain function in a thread", "inline": "inline"}
    return [
        Scenario(
            f"round-trip-{kind}-{placement.value.replace(' ', '-').lower()}",
            f"Tool call there and back, one at a time: {title}",
            "round_trip",
            5_000,
            unit="µs",
            placement=placement,
            options={"kind": kind},
        )
        for kind, title in kinds.items()
        for placement in Placement
    ]


def _throughput() -> list[Scenario]:
    return [
        Scenario(
            f"throughput-{'tenant' if tenant else 'fresh'}-{callers}",
            f"Sustained runs, {callers} caller{'s' * (callers > 1)}, "
            f"{'one tenant each' if tenant else 'a fresh process each'}",
            "throughput",
            count,
            options={"callers": callers, "tenant": tenant},
        )
        for tenant, count in ((False, 200), (True, 4_000))
        for callers in (1, 8)
    ]


def _deadlines() -> list[Scenario]:
    shapes = {
        "loop": "while (true) {}",
        "microtasks": "const f = () => Promise.resolve().then(f); await f();",
        "regex": "return /^(a+)+$/.test('a'.repeat(40) + 'b');",
        "sort": "return Array.from({length: 5e7}, (_, i) => -i).sort((a, b) => a - b).length;",
        "getter": "return { get x() { for (;;) {} } };",
        "toJSON": "return { toJSON() { for (;;) {} } };",
        "error": "throw Object.defineProperty(Error('x'), 'name', { get() { for (;;) {} } });",
        "flood": "for (;;) text('x');",
    }
    return [
        Scenario(
            f"deadline-{shape}",
            f"Past a deadline of 100 ms until the outcome: {shape}",
            "deadline",
            100,
            options={"source": source},
        )
        for shape, source in shapes.items()
    ] + [
        Scenario(
            "deadline-beside-50",
            "Past a deadline of 100 ms until the outcome: loop, beside 50 busy runs",
            "deadline",
            100,
            options={"source": shapes["loop"], "beside": 50},
        ),
        Scenario(
            "kill-to-outcome", "From `cancel()` of a loop to its outcome", "kill_to_outcome", 100
        ),
    ]


SCENARIOS: Final[tuple[Scenario, ...]] = (
    Scenario("floor-deno", "Floor: `deno run` of an empty file, start to exit", "deno_run", 20),
    *(
        Scenario(
            f"floor-echo-{placement.value.replace(' ', '-').lower()}",
            "Floor: 64 bytes through two pipes to a bare Deno loop and back",
            "pipe_echo",
            20_000,
            unit="µs",
            placement=placement,
        )
        for placement in Placement
    ),
    Scenario("cold-library", "Cold start: open a pool, first outcome", "cold_pool", 10),
    Scenario("cold-command", "Cold start: `codepool run`, start to exit", "cold_command", 10),
    Scenario("boot", "A run without a spare: time until its worker is ready", "boot", 50),
    Scenario(
        "boot-unconfined",
        "The same without the kernel's layers and the attestation",
        "boot",
        50,
        options={"confinement": "off"},
    ),
    *(
        Scenario(
            f"spawn-{confinement}",
            f"From the request to a worker past its execve, confinement {confinement}",
            "spawn",
            200,
            options={"confinement": confinement},
        )
        for confinement in ("require", "off")
    ),
    Scenario(
        "warm-tenant",
        "Warm run of a tenant, 2 ms between runs",
        "warm_tenant",
        2_000,
        options={"pause_s": 0.002},
    ),
    Scenario(
        "warm-tenant-back-to-back", "Warm run of a tenant, back to back", "warm_tenant", 2_000
    ),
    Scenario(
        "warm-2000-tools",
        "The same with 2,000 tools to call",
        "warm_tenant",
        500,
        options={"tools": 2_000},
    ),
    Scenario("warm-spare", "Warm run without a tenant, from a spare", "warm_spare", 100),
    *_round_trips(),
    Scenario("parallel-calls", "10,000 parallel calls of an inline tool", "parallel_calls", 10),
    Scenario(
        "value-in", "Records worth 1 MiB of JSON from a tool into the program", "value_in", 50
    ),
    Scenario(
        "value-out", "Records worth 1 MiB of JSON from the program to a tool", "value_out", 50
    ),
    *_throughput(),
    *_deadlines(),
    Scenario(
        "idle-memory", "Memory of an idle worker, not shared (USS)", "idle_memory", 8, unit="MiB"
    ),
)
