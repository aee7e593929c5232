"""The filter of both architectures, run by an interpreter: aarch64 has no other proof here."""

from __future__ import annotations

import errno
import signal

import bpf
import pytest

from pool.worker.seccomp import ARCHITECTURES, Architecture, architecture, compile_filter
from pool.worker.syscalls import CONDITIONAL, DENIED, FAILING, IF_SCOPED, SELECTED

X86_64, AARCH64 = ARCHITECTURES
I386_AUDIT = 0x40000003
X32_BIT = 0x40000000
REFUSED = bpf.ERRNO | errno.EPERM

CLONE_THREAD = 0x10000
# What a C library asks for when it makes a thread, and when it forks.
THREAD_FLAGS = 0x3D0F00
FORK_FLAGS = 0x1200011

# Calls that Deno, V8 and the C library cannot do without.
ORDINARY = {
    "read": (0, 63),
    "write": (1, 64),
    "openat": (257, 56),
    "close": (3, 57),
    "fstat": (5, 80),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "madvise": (28, 233),
    "futex": (202, 98),
    "execve": (59, 221),
    "exit_group": (231, 94),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "socketpair": (53, 199),
    "recvfrom": (45, 207),
    "epoll_pwait": (281, 22),
    "getrandom": (318, 278),
    "rseq": (334, 293),
}

LISTED = [
    pytest.param(target, numbers[target.column], bpf.ERRNO | code, id=f"{target.name}-{name}")
    for target in ARCHITECTURES
    for name, numbers, code in [
        *((name, each, errno.EPERM) for group in DENIED.values() for name, each in group.items()),
        *((name, each, code) for name, (each, code) in FAILING.items()),
    ]
    if numbers[target.column] is not None
]


def verdict(target: Architecture, number: int, *arguments: int) -> int:
    return bpf.run(
        compile_filter(target, is_scoped=True),
        audit=target.audit,
        number=number,
        arguments=arguments,
    )


def conditional(name: str, target: Architecture, *arguments: int) -> int:
    number = CONDITIONAL[name][0][target.column]
    assert number is not None
    return verdict(target, number, *arguments)


@pytest.mark.parametrize(("target", "number", "expected"), LISTED)
def test_a_listed_call_fails_with_its_error(
    target: Architecture, number: int, expected: int
) -> None:
    assert verdict(target, number) == expected


@pytest.mark.parametrize("target", ARCHITECTURES, ids=lambda target: target.name)
@pytest.mark.parametrize("name", ORDINARY)
def test_an_ordinary_call_is_allowed(target: Architecture, name: str) -> None:
    assert verdict(target, ORDINARY[name][target.column]) == bpf.ALLOW


@pytest.mark.parametrize("target", ARCHITECTURES, ids=lambda target: target.name)
@pytest.mark.parametrize("audit", [X86_64.audit, AARCH64.audit, I386_AUDIT, 0])
def test_any_call_of_another_architecture_kills(target: Architecture, audit: int) -> None:
    said = {
        bpf.run(compile_filter(target, is_scoped=True), audit=audit, number=numbers[target.column])
        for numbers in ORDINARY.values()
    }

    assert said == {bpf.ALLOW if audit == target.audit else bpf.KILL_PROCESS}


@pytest.mark.parametrize("number", [0, 1, 59, 0x3FFFFFFF])
def test_any_call_of_the_x32_convention_kills(number: int) -> None:
    assert verdict(X86_64, X32_BIT | number) == bpf.KILL_PROCESS
    assert verdict(X86_64, 0) == bpf.ALLOW


@pytest.mark.parametrize("target", ARCHITECTURES, ids=lambda target: target.name)
class TestConditionalCalls:
    def test_clone_makes_threads_and_no_processes(self, target: Architecture) -> None:
        assert conditional("clone", target, THREAD_FLAGS) == bpf.ALLOW
        assert conditional("clone", target, CLONE_THREAD) == bpf.ALLOW
        assert conditional("clone", target, FORK_FLAGS) == REFUSED
        assert conditional("clone", target, THREAD_FLAGS & ~CLONE_THREAD) == REFUSED
        assert conditional("clone", target, CLONE_THREAD << 32) == REFUSED

    @pytest.mark.parametrize("address", [1, 0x7FFF00000000, 1 << 32, 0xFFFFFFFF])
    def test_sendto_takes_no_address(self, target: Architecture, address: int) -> None:
        assert conditional("sendto", target, 3, 0x1000, 5, 0, 0, 0) == bpf.ALLOW
        assert conditional("sendto", target, 3, 0x1000, 5, 0, address, 110) == REFUSED

    def test_prlimit64_is_for_the_caller_only(self, target: Architecture) -> None:
        assert conditional("prlimit64", target, 0, 7) == bpf.ALLOW
        assert conditional("prlimit64", target, 1234, 7) == REFUSED
        # The kernel looks at the low word of a process id only.
        assert conditional("prlimit64", target, 1 << 32, 7) == bpf.ALLOW


SET_FLAGS, SET_OWN, SET_SIGNAL, SET_OWN_EX = 4, 8, 10, 15
FIONBIO, FIOSETOWN, SIOCSPGRP = 0x5421, 0x8901, 0x8902
SET_DEATH_SIGNAL, SET_NAME, SET_SUBREAPER = 1, 15, 36


@pytest.mark.parametrize("target", ARCHITECTURES, ids=lambda target: target.name)
@pytest.mark.parametrize(
    ("name", "at", "allowed", "refused"),
    [
        ("fcntl", 1, [SET_FLAGS], [SET_OWN, SET_SIGNAL, SET_OWN_EX]),
        ("ioctl", 1, [FIONBIO], [FIOSETOWN, SIOCSPGRP]),
        ("prctl", 0, [SET_NAME], [SET_DEATH_SIGNAL, SET_SUBREAPER]),
    ],
)
def test_a_call_of_many_kinds_is_refused_for_some(
    target: Architecture, name: str, at: int, allowed: list[int], refused: list[int]
) -> None:
    number = SELECTED[name][0][target.column]
    assert number is not None

    def said(kind: int) -> int:
        return verdict(target, number, *[5] * at, kind)

    assert {said(kind) for kind in allowed} == {bpf.ALLOW}
    assert {said(kind) for kind in refused} == {REFUSED}
    # The kernel looks at the low word only.
    assert {said(kind | 1 << 32) for kind in refused} == {REFUSED}


@pytest.mark.parametrize("target", ARCHITECTURES, ids=lambda target: target.name)
@pytest.mark.parametrize(
    ("is_scoped", "abort", "kill"), [(True, bpf.ALLOW, REFUSED), (False, REFUSED, REFUSED)]
)
def test_only_a_scoped_process_may_abort_and_send_nothing_else(
    target: Architecture, is_scoped: bool, abort: int, kill: int
) -> None:
    number = IF_SCOPED["tgkill"][0][target.column]
    assert number is not None

    said = [
        bpf.run(
            compile_filter(target, is_scoped=is_scoped),
            audit=target.audit,
            number=number,
            arguments=(1234, 1234, sent),
        )
        for sent in (signal.SIGABRT, signal.SIGKILL, signal.SIGSTOP, 0)
    ]

    assert said == [abort, kill, kill, kill]


@pytest.mark.parametrize("target", ARCHITECTURES, ids=lambda target: target.name)
def test_every_number_is_listed_once(target: Architecture) -> None:
    listed = [
        numbers[target.column]
        for numbers in (
            *(each for group in DENIED.values() for each in group.values()),
            *(each for each, _ in FAILING.values()),
            *(each for each, _ in CONDITIONAL.values()),
            *(each for each, _ in IF_SCOPED.values()),
            *(each for each, _ in SELECTED.values()),
            *ORDINARY.values(),
        )
        if numbers[target.column] is not None
    ]

    assert len(listed) == len(set(listed))


def test_from_424_on_the_numbers_of_both_architectures_are_equal() -> None:
    for group in DENIED.values():
        for name, (x86_64, aarch64) in group.items():
            if x86_64 is not None and aarch64 is not None and max(x86_64, aarch64) >= 424:
                assert x86_64 == aarch64, name


@pytest.mark.parametrize("target", ARCHITECTURES, ids=lambda target: target.name)
def test_a_filter_is_within_the_limits_of_the_kernel(target: Architecture) -> None:
    program = compile_filter(target, is_scoped=True)

    assert len(program) % bpf.INSTRUCTION.size == 0
    assert len(program) // bpf.INSTRUCTION.size <= 4096


def test_an_unknown_processor_has_no_filter() -> None:
    assert architecture("riscv64") is None
    assert architecture("x86_64") is X86_64
