"""`python -m benchmarks.soak [RUNS]`: thousands of mixed runs, and what they left behind.

Good programs, bad ones, tools of all kinds, time-outs, cancels and exhausted memory, by several
callers at once. Descriptors, threads, zombies, workers and memory are counted after a warm-up and
again at the end; exit code 1 when something grew that should not.
"""

from __future__ import annotations

import ctypes
import gc
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import anyio
import anyio.lowlevel
import psutil

from pool import Limits, Pool, Tool

RUNS: Final = 10_000
WARM_UP_RUNS: Final = 1_000
CALLERS: Final = 4
SIZE: Final = 3
SPARES: Final = 1
TENANTS: Final = (None, "a", "b")
SEED: Final = 2

# A leak of 500 bytes a run is above this.
RSS_SLACK_BYTES: Final = 5_000_000
# Threads of tools stay for a while; how many were busy at once is chance, up to this.
THREAD_SLACK: Final = CALLERS * 10
# Three pipes and a pidfd.
DESCRIPTORS_PER_WORKER: Final = 4
SETTLE_S: Final = 10.0
QUIET_S: Final = 1.0


def _same(argument: Any) -> Any:
    return argument


async def _same_later(argument: Any) -> Any:
    await anyio.lowlevel.checkpoint()
    return argument


TOOLS: Final = (
    Tool(name="task", handler=_same_later),
    Tool(name="thread", handler=_same),
    Tool(name="inline", handler=_same, inline=True),
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of run: how often among all, and what may come of it."""

    name: str
    weight: int
    source: str
    expected: tuple[str, ...]
    limits: Limits | None = None
    cancel_after_s: float | None = None


KINDS: Final = (
    Kind("value", 40, "return {list: [1, 2, 3], text: 'x'.repeat(1000)}", ("completed",)),
    Kind(
        "calls",
        40,
        "return (await Promise.all(Array.from({length: 30}, (_, i) =>"
        " [tools.task, tools.thread, tools.inline][i % 3]({i})))).length",
        ("completed",),
    ),
    Kind(
        "output", 20, "for (let i = 0; i < 200; i++) { text(i); console.log(i); }", ("completed",)
    ),
    Kind("open calls", 10, "tools.task({}); tools.thread({}); exit()", ("completed",)),
    Kind("throws", 10, "throw new Error('on purpose')", ("Error",)),
    Kind("does not parse", 5, "let let = 1", ("Error",)),
    Kind("stalls", 5, "await new Promise(() => {})", ("Error",)),
    Kind(
        "loops",
        5,
        "text('a'); while (true) {}",
        ("Timeout", "Unavailable"),
        limits=Limits(timeout_ms=300),
    ),
    Kind("floods", 2, "for (;;) text('x'.repeat(10_000))", ("OutputTooLarge",)),
    Kind("is cancelled", 5, "while (true) {}", ("Cancelled",), cancel_after_s=0.1),
    Kind(
        "eats memory",
        1,
        "const kept = []; for (;;) kept.push({a: [1, 2, 3]})",
        ("Memory",),
        limits=Limits(memory_mib=32),
    ),
)


@dataclass(frozen=True, slots=True)
class Traces:
    """What this process holds at one moment."""

    descriptors: int
    threads: int
    zombies: int
    workers: int
    rss_bytes: int

    @property
    def own_descriptors(self) -> int:
        """Those that do not belong to a worker, of which there may be more or fewer."""
        return self.descriptors - DESCRIPTORS_PER_WORKER * self.workers


async def main(runs: int) -> int:
    """Run the soak; returns the exit code."""
    tally: Counter[str] = Counter()
    async with Pool(size=SIZE, spares=SPARES) as pool:
        await _drive(pool, WARM_UP_RUNS, tally)
        before = await _settled()
        began = time.perf_counter()
        await _drive(pool, runs, tally)
        took_s = time.perf_counter() - began
        after = await _settled()
    faults = [text for text in tally if text.startswith("unexpected")] + _grown(before, after)
    if tally.total() != WARM_UP_RUNS + runs:
        faults.append(f"{WARM_UP_RUNS + runs} runs have {tally.total()} outcomes")
    growth = (after.rss_bytes - before.rss_bytes) / 1e6
    print(f"{runs} runs in {took_s:.1f} s, {runs / took_s:.0f} per second")
    for text, count in sorted(tally.items()):
        print(f"{count:8}  {text}")
    print(f"before  {before}\nafter   {after}\nmemory of the host grew by {growth:.1f} MB")
    for fault in faults:
        print(f"FAULT   {fault}")
    return 1 if faults else 0


async def _drive(pool: Pool, runs: int, tally: Counter[str]) -> None:
    """Share runs among the callers; what each kind does was drawn with a fixed seed."""
    draw = random.Random(SEED)  # noqa: S311  the same mix every time is the point
    kinds = iter(draw.choices(KINDS, weights=[kind.weight for kind in KINDS], k=runs))

    async def call(number: int) -> None:
        for kind in kinds:
            came = await _one(pool, kind, TENANTS[number % len(TENANTS)])
            is_expected = came in kind.expected
            tally[
                f"{kind.name}: {came}" if is_expected else f"unexpected: {kind.name}: {came}"
            ] += 1

    async with anyio.create_task_group() as group:
        for number in range(CALLERS):
            group.start_soon(call, number)


async def _one(pool: Pool, kind: Kind, tenant: str | None) -> str:
    async with pool.start(kind.source, tools=TOOLS, tenant=tenant, limits=kind.limits) as run:
        if kind.cancel_after_s is not None:
            with anyio.move_on_after(kind.cancel_after_s):
                await run.outcome()
            run.cancel()
        outcome = await run.outcome()
    outcome.close()
    return str(outcome.reason or outcome.status)


async def _settled() -> Traces:
    """Traces once nothing came or went for a second: workers die and spares boot after a run."""
    last, since = _traces(), time.monotonic()
    with anyio.move_on_after(SETTLE_S):
        while time.monotonic() - since < QUIET_S:
            await anyio.sleep(0.1)
            now = _traces()
            if (now.descriptors, now.workers) != (last.descriptors, last.workers):
                last, since = now, time.monotonic()
    return _traces()


def _traces() -> Traces:
    host = psutil.Process()
    # What a flood of output took and gave back stays with the allocator, up to 100 MB for a while;
    # a leak is what is still in use.
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    names, zombies = [], 0
    for child in host.children(recursive=True):
        try:
            names.append(child.name())
            zombies += child.status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            continue
    return Traces(
        descriptors=host.num_fds(),
        threads=host.num_threads(),
        zombies=zombies,
        workers=sum(name.startswith("deno") for name in names),
        rss_bytes=host.memory_info().rss,
    )


def _grown(before: Traces, after: Traces) -> list[str]:
    grown = {
        "zombies": after.zombies > 0,
        "descriptors": after.own_descriptors > before.own_descriptors,
        "workers": after.workers > SIZE + SPARES,
        "threads": after.threads > before.threads + THREAD_SLACK,
        "memory of the host": after.rss_bytes > before.rss_bytes + RSS_SLACK_BYTES,
    }
    return [f"{name} grew" for name, has_grown in grown.items() if has_grown]


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    sys.exit(anyio.run(partial(main, wanted)))
