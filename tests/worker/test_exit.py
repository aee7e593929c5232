"""What the ends of real workers mean. The texts are recorded from Deno 2.9.8 under RLIMIT_DATA."""

from __future__ import annotations

import signal

import pytest

from pool.worker.exit import UNKNOWN_EXIT, EndKind, Exit, classify

HEAP_FULL = b"""
<--- Last few GCs --->

[10507:0x5618689f5000]      298 ms: Mark-Compact (reduce) 255.6 (257.2) -> 255.6 (257.2) MB, \
pooled: 0.0 MB, 4.24 / 0.00 ms (average mu = 0.005, current mu = 0.003) last resort; \
GC in old space requested

#
# Fatal JavaScript out of memory: Reached heap limit
#
==== C stack trace ===============================
"""
NO_SEGMENT = (
    b"\n\n#\n# Fatal process out of memory: Worklist::Segment::Create\n#\n==== C stack trace"
)
NO_SEMI_SPACE = b"\n\n#\n# Fatal JavaScript out of memory: Scavenger: semi-space copy\n#\n"
NO_CODE_RANGE = (
    b"\n\n#\n# Fatal process out of memory: Failed to reserve virtual memory for CodeRange\n#\n"
)
RUST_ALLOCATION = (
    b"memory allocation of 118712 bytes failed\n"
    b"note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"
)
NO_THREADS = (
    b"============================================================\n"
    b"Deno could not start: unable to create worker threads.\n\n"
    b"This usually happens when running in a container with a low\n"
    b"PID limit. Try increasing the limit (e.g. --pids-limit=40).\n"
)
STACK_OVERFLOW = (
    b"\nthread 'main' (10669) has overflowed its stack\n"
    b"fatal runtime error: stack overflow, aborting\n"
)
NO_BUFFER = b"error: Uncaught RangeError: Array buffer allocation failed\n"
UNCAUGHT = b"error: Uncaught (in promise) Error: not today\n    at file:///runtime_js/main.js:3:9\n"


@pytest.mark.parametrize(
    "text", [HEAP_FULL, NO_SEGMENT, NO_SEMI_SPACE, NO_CODE_RANGE], ids=lambda text: text[-60:-20]
)
def test_v8_without_memory_is_memory(text: bytes) -> None:
    assert classify(Exit(code=None, signal=signal.SIGTRAP), text) is EndKind.MEMORY


def test_rust_without_memory_is_memory() -> None:
    assert classify(Exit(code=None, signal=signal.SIGABRT), RUST_ALLOCATION) is EndKind.MEMORY


def test_a_runtime_without_memory_for_a_frame_is_memory() -> None:
    # A program fills its memory with results of tools; the next one has no room to arrive in.
    assert classify(Exit(code=1, signal=None), NO_BUFFER) is EndKind.MEMORY


def test_an_abort_without_a_word_is_memory() -> None:
    # 600 MiB of ArrayBuffers of 16 KiB each end like this.
    assert classify(Exit(code=None, signal=signal.SIGABRT), b"") is EndKind.MEMORY


def test_no_memory_for_a_thread_is_memory_without_any_signal() -> None:
    assert classify(Exit(code=1, signal=None), NO_THREADS) is EndKind.MEMORY


def test_an_abort_for_a_stack_overflow_is_a_source_that_nests_too_deeply() -> None:
    assert classify(Exit(code=None, signal=signal.SIGABRT), STACK_OVERFLOW) is EndKind.OVERFLOW


@pytest.mark.parametrize("number", [signal.SIGTRAP, signal.SIGSEGV, signal.SIGILL, signal.SIGTERM])
def test_a_signal_alone_is_a_crash(number: signal.Signals) -> None:
    assert classify(Exit(code=None, signal=number), b"") is EndKind.CRASH


def test_a_failing_runtime_is_a_crash() -> None:
    assert classify(Exit(code=1, signal=None), UNCAUGHT) is EndKind.CRASH


def test_a_stack_overflow_outside_any_frame_is_too_many_rejections() -> None:
    said = b"error: Uncaught RangeError: Maximum call stack size exceeded\n"

    assert classify(Exit(code=1, signal=None), said) is EndKind.REJECTIONS
    framed = said + b"    at file:///runtime_js/main.js:3:9\n"
    assert classify(Exit(code=1, signal=None), framed) is EndKind.CRASH


def test_leaving_by_itself_is_clean() -> None:
    assert classify(Exit(code=0, signal=None), b"") is EndKind.CLEAN


def test_sigkill_is_killed_whatever_was_written_before() -> None:
    assert classify(Exit(code=None, signal=signal.SIGKILL), HEAP_FULL) is EndKind.KILLED


@pytest.mark.parametrize("exit", [None, UNKNOWN_EXIT])
def test_an_end_that_nobody_saw_is_unknown(exit: Exit | None) -> None:
    assert classify(exit, HEAP_FULL) is EndKind.UNKNOWN
