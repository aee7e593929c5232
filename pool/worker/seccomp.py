"""The list of refused system calls as a program for the kernel's filter. Pure.

Classic BPF, as seccomp(2) takes it: it looks at the architecture first, because a number means
another call on another one, then at the number, then at single arguments. What it does not name
is allowed. The kernel keeps a bitmap of calls that are allowed whatever their arguments, so the
length of the list costs a worker nothing where it matters.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pool.worker.syscalls import (
    CONDITIONAL,
    DENIED,
    FAILING,
    IF_SCOPED,
    SELECTED,
    If,
    Numbers,
    Unless,
)

# struct seccomp_data: nr, arch, instruction_pointer, args[6].
_NUMBER_AT: Final = 0
_ARCHITECTURE_AT: Final = 4
_ARGUMENTS_AT: Final = 16
_ARGUMENT_BYTES: Final = 8
_HIGH_WORD: Final = 4  # little-endian, both architectures

_LOAD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS
_AND: Final = 0x54  # BPF_ALU | BPF_AND | BPF_K
_JUMP_IF_EQUAL: Final = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_JUMP_IF_GREATER_OR_EQUAL: Final = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_RETURN: Final = 0x06  # BPF_RET | BPF_K

_ALLOW: Final = 0x7FFF0000
_KILL_PROCESS: Final = 0x80000000
_ERRNO: Final = 0x00050000

_WORD: Final = 0xFFFFFFFF

# struct sock_filter: code, jump if true, jump if false, operand.
_INSTRUCTION: Final = struct.Struct("=HBBI")
Instruction = tuple[int, int, int, int]

_REFUSE: Final[Instruction] = (_RETURN, 0, 0, _ERRNO | errno.EPERM)


@dataclass(frozen=True, slots=True)
class Architecture:
    """What the filter has to know of a processor.

    Attributes:
        name: As `uname -m` gives it.
        audit: Its AUDIT_ARCH value.
        column: Which of the two numbers in the list is its own.
        foreign_from: From this number on calls belong to another calling convention (x32 on
            x86-64, which shares the audit value); None where there is no such range.
    """

    name: str
    audit: int
    column: int
    foreign_from: int | None


ARCHITECTURES: Final = (
    Architecture("x86_64", audit=0xC000003E, column=0, foreign_from=0x40000000),
    Architecture("aarch64", audit=0xC00000B7, column=1, foreign_from=None),
)


def architecture(machine: str) -> Architecture | None:
    """The architecture of that name; None when there is no filter for it."""
    return next((known for known in ARCHITECTURES if known.name == machine), None)


def compile_filter(target: Architecture, *, is_scoped: bool) -> bytes:
    """The filter as an array of `struct sock_filter`.

    A call on the list fails with its error; a call by a foreign convention kills the process.

    Args:
        is_scoped: Whether Landlock keeps the worker's signals inside.
    """
    return b"".join(_INSTRUCTION.pack(*each) for each in _instructions(target, is_scoped))


def _instructions(target: Architecture, is_scoped: bool) -> Iterator[Instruction]:
    yield (_LOAD, 0, 0, _ARCHITECTURE_AT)
    yield (_JUMP_IF_EQUAL, 1, 0, target.audit)
    yield _return(_KILL_PROCESS)
    yield (_LOAD, 0, 0, _NUMBER_AT)
    if target.foreign_from is not None:
        yield (_JUMP_IF_GREATER_OR_EQUAL, 0, 1, target.foreign_from)
        yield _return(_KILL_PROCESS)
    for numbers, answer in _rules(is_scoped):
        number = numbers[target.column]
        if number is not None:
            yield (_JUMP_IF_EQUAL, 0, len(answer), number)
            yield from answer
    yield _return(_ALLOW)


def _rules(is_scoped: bool) -> Iterator[tuple[Numbers, list[Instruction]]]:
    """Every listed call with what to do about it; each answer ends with a return."""
    for calls in DENIED.values():
        for numbers in calls.values():
            yield numbers, [_REFUSE]
    for numbers, unless in IF_SCOPED.values():
        yield numbers, _answer(unless) if is_scoped else [_REFUSE]
    for numbers, number_of_error in FAILING.values():
        yield numbers, [_return(_ERRNO | number_of_error)]
    for numbers, unless in CONDITIONAL.values():
        yield numbers, _answer(unless)
    for numbers, rule in SELECTED.values():
        yield numbers, _answer_if(rule)


def _answer_if(rule: If) -> list[Instruction]:
    """Refuse when the argument is one of the values; the kernel sees no more than its low word."""
    count = len(rule.values)
    comparisons = [
        (_JUMP_IF_EQUAL, count - position, 0, value) for position, value in enumerate(rule.values)
    ]
    load = (_LOAD, 0, 0, _ARGUMENTS_AT + rule.argument * _ARGUMENT_BYTES)
    return [load, *comparisons, _return(_ALLOW), _REFUSE]


def _answer(unless: Unless) -> list[Instruction]:
    """Allow when the masked argument equals the value, in both of its words; else EPERM."""
    at = _ARGUMENTS_AT + unless.argument * _ARGUMENT_BYTES
    answer = [_return(_ALLOW), _REFUSE]
    for offset, shift in ((at + _HIGH_WORD, 32), (at, 0)):
        mask, value = unless.mask >> shift & _WORD, unless.value >> shift & _WORD
        if mask:
            to_refusal = len(answer) - 1
            comparison = (_JUMP_IF_EQUAL, 0, to_refusal, value)
            answer = [(_LOAD, 0, 0, offset), (_AND, 0, 0, mask), comparison, *answer]
    return answer


def _return(action: int) -> Instruction:
    return (_RETURN, 0, 0, action)
