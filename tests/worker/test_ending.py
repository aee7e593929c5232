"""The table from what happened to the reason that is reported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pool.program.outcome import Reason
from pool.wire.messages import End, GuestError, How
from pool.worker.ending import Ending, Stop, verdict
from pool.worker.exit import EndKind

NOTHING = Ending(
    end=None,
    store=None,
    stop=None,
    detail="",
    worker_end=None,
    hit_memory_limit=False,
    calls=(),
    open_calls={},
    notes=(),
    active_s=0.1,
    peak_rss_bytes=None,
    is_clean=False,
)


def ended(how: How, *, hit_memory_limit: bool = False) -> Ending:
    error = GuestError("RangeError", "no", "", None, None, None, ())
    end = End(1, how, (), error, (), 0, 0, {})
    return replace(NOTHING, end=end, hit_memory_limit=hit_memory_limit)


def stopped(stop: Stop, worker_end: EndKind = EndKind.KILLED) -> Ending:
    return replace(NOTHING, stop=stop, worker_end=worker_end, detail="stray bytes")


@pytest.mark.parametrize("how", [How.COMPLETED, How.EXITED])
def test_a_program_that_ended_well_has_no_verdict(how: How) -> None:
    assert verdict(ended(how), timeout_ms=100, killed_for=None) is None


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        (How.THREW, Reason.ERROR),
        (How.REFUSED, Reason.ERROR),
        (How.STALLED, Reason.ERROR),
        (How.TOO_LARGE, Reason.OUTPUT_TOO_LARGE),
    ],
)
def test_a_program_that_failed_by_itself_brings_its_own_error(how: How, reason: Reason) -> None:
    found = verdict(ended(how), timeout_ms=100, killed_for=None)

    assert found is not None
    assert (found.reason, found.name, found.message) == (reason, "", "")


def test_an_error_of_a_program_that_hit_its_memory_limit_is_memory() -> None:
    found = verdict(ended(How.THREW, hit_memory_limit=True), timeout_ms=100, killed_for=None)

    assert found is not None
    assert (found.reason, found.name) == (Reason.MEMORY, "")


@pytest.mark.parametrize(
    ("stop", "reason", "name", "message"),
    [
        (Stop.TIMEOUT, Reason.TIMEOUT, "Timeout", "(100 ms)"),
        (Stop.CANCELLED, Reason.CANCELLED, "Cancelled", "cancelled"),
        (Stop.OUTPUT_TOO_LARGE, Reason.OUTPUT_TOO_LARGE, "OutputTooLarge", "passed its limit"),
        (Stop.MEMORY, Reason.MEMORY, "Memory", "open calls"),
        (Stop.PROTOCOL, Reason.ERROR, "ProtocolError", "stray bytes"),
    ],
)
@pytest.mark.parametrize("worker_end", EndKind)
def test_what_the_host_stopped_has_the_reason_it_was_stopped_for(
    stop: Stop, reason: Reason, name: str, message: str, worker_end: EndKind
) -> None:
    found = verdict(stopped(stop, worker_end), timeout_ms=100, killed_for=None)

    assert found is not None
    assert (found.reason, found.name) == (reason, name)
    assert message in found.message


@pytest.mark.parametrize(
    ("worker_end", "killed_for", "reason", "name"),
    [
        (EndKind.MEMORY, None, Reason.MEMORY, "Memory"),
        (EndKind.CRASH, None, Reason.ERROR, "WorkerCrashed"),
        (EndKind.OVERFLOW, None, Reason.ERROR, "SyntaxError"),
        (EndKind.REJECTIONS, None, Reason.ERROR, "UnhandledRejections"),
        (EndKind.CLEAN, None, Reason.ERROR, "ProtocolError"),
        (EndKind.KILLED, None, Reason.UNAVAILABLE, "Unavailable"),
        (EndKind.UNKNOWN, None, Reason.UNAVAILABLE, "Unavailable"),
        (EndKind.KILLED, "memory", Reason.MEMORY, "Memory"),
        (EndKind.KILLED, "shutdown", Reason.CANCELLED, "Cancelled"),
    ],
)
def test_a_worker_that_was_gone_is_judged_by_how_it_ended(
    worker_end: EndKind, killed_for: str | None, reason: Reason, name: str
) -> None:
    found = verdict(stopped(Stop.GONE, worker_end), timeout_ms=100, killed_for=killed_for)

    assert found is not None
    assert (found.reason, found.name) == (reason, name)
    assert found.message


def test_every_stop_and_every_end_of_a_worker_has_a_verdict() -> None:
    for stop in Stop:
        for worker_end in EndKind:
            assert verdict(stopped(stop, worker_end), timeout_ms=1, killed_for=None) is not None


@pytest.mark.parametrize("killed_for", ["memory", "shutdown"])
def test_a_program_that_ended_before_the_pool_killed_its_worker_keeps_its_end(
    killed_for: str,
) -> None:
    assert verdict(ended(How.COMPLETED), timeout_ms=1, killed_for=killed_for) is None
