"""Reading and limiting the memory of a process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from pool.limits import MIB
from pool.worker.limiter import limit_data
from pool.worker.memory import Memory, parse_status, read_memory, reset_peak

STATUS = b"""\
Name:\tdeno
VmPeak:\t50708764 kB
VmSize:\t18157408 kB
VmHWM:\t   44212 kB
VmRSS:\t   44000 kB
RssAnon:\t   14744 kB
VmData:\t  562828 kB
VmStk:\t     416 kB
"""
ZOMBIE = b"Name:\tdeno\nState:\tZ (zombie)\nThreads:\t1\n"

# Takes as many MiB as a line says, and says whether that worked.
EATER = """
import sys
for line in sys.stdin:
    try:
        kept = bytearray(int(line) << 20)
        print("ok", flush=True)
    except MemoryError:
        print("no", flush=True)
"""


@pytest.fixture
def eater() -> Iterator[subprocess.Popen[str]]:
    argv = [sys.executable, "-I", "-S", "-c", EATER]
    with subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.kill()


def eat(process: subprocess.Popen[str], mib: int) -> bool:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{mib}\n")
    process.stdin.flush()
    return process.stdout.readline() == "ok\n"


def test_the_three_figures_are_read_in_bytes() -> None:
    assert parse_status(STATUS) == Memory(
        data_bytes=562828 * 1024, rss_bytes=44000 * 1024, peak_rss_bytes=44212 * 1024
    )


@pytest.mark.parametrize("text", [ZOMBIE, b"", b"VmData:\tmuch kB\n"])
def test_a_status_without_memory_has_no_figures(text: bytes) -> None:
    assert parse_status(text) is None


def test_this_process_uses_memory() -> None:
    used = read_memory(os.getpid())

    assert used is not None
    assert 0 < used.rss_bytes <= used.peak_rss_bytes


def test_a_process_that_has_ended_has_no_figures(eater: subprocess.Popen[str]) -> None:
    eater.kill()
    eater.wait()

    assert read_memory(eater.pid) is None


def test_a_limit_holds_for_another_process(eater: subprocess.Popen[str]) -> None:
    assert eat(eater, 100)
    used = read_memory(eater.pid)
    assert used is not None

    limit = used.data_bytes + 50 * MIB
    limit_data(eater.pid, uid=None, soft_bytes=limit, hard_bytes=limit)

    assert eat(eater, 40)
    assert not eat(eater, 200)


def test_a_limit_below_the_hard_one_can_be_raised_again(eater: subprocess.Popen[str]) -> None:
    assert eat(eater, 1)
    used = read_memory(eater.pid)
    assert used is not None
    hard = used.data_bytes + 300 * MIB
    limit_data(eater.pid, uid=None, soft_bytes=used.data_bytes + 20 * MIB, hard_bytes=hard)
    assert not eat(eater, 100)

    limit_data(eater.pid, uid=None, soft_bytes=hard, hard_bytes=hard)

    assert eat(eater, 100)


def test_a_peak_can_be_forgotten(eater: subprocess.Popen[str]) -> None:
    assert eat(eater, 200)
    assert eat(eater, 1)
    before = read_memory(eater.pid)

    reset_peak(eater.pid)

    after = read_memory(eater.pid)
    assert before is not None
    assert after is not None
    assert after.peak_rss_bytes < before.peak_rss_bytes - 100 * MIB
