"""The kernel's interpreter of filter programs, as far as our filters use it."""

from __future__ import annotations

import struct

ALLOW = 0x7FFF0000
KILL_PROCESS = 0x80000000
ERRNO = 0x00050000

# struct sock_filter and struct seccomp_data
INSTRUCTION = struct.Struct("<HBBI")
DATA = struct.Struct("<IIQ6Q")


def run(program: bytes, *, audit: int, number: int, arguments: tuple[int, ...] = ()) -> int:
    """What a filter says of one system call."""
    instructions = list(INSTRUCTION.iter_unpack(program))
    data = DATA.pack(number, audit, 0, *arguments, *[0] * (6 - len(arguments)))
    accumulator = position = 0
    while True:
        code, if_true, if_false, operand = instructions[position]
        position += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", data, operand)
            case 0x54:
                accumulator &= operand
            case 0x15:
                position += if_true if accumulator == operand else if_false
            case 0x35:
                position += if_true if accumulator >= operand else if_false
            case 0x06:
                return operand
            case _:
                raise AssertionError(f"instruction {code:#x} at {position - 1}")
