"""Frames as a worker writes them, made by hand: nothing here uses the code under test."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import msgpack

TAG = 0x0123_4567_89AB_CDEF


def frame(body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + body


def message(kind: int, *fields: Any, tag: int = TAG) -> bytes:
    """A whole frame; fields are given as values."""
    return raw_message(kind, *map(msgpack.packb, fields), tag=tag)


def raw_message(kind: int, *fields: bytes, tag: int = TAG) -> bytes:
    """A whole frame; fields are given encoded."""
    header = struct.pack(">BBQB", 0x92 + len(fields), 0xCF, tag, kind)
    return frame(header + b"".join(fields))


def hello(
    protocol: Any = 1,
    deno: str = "2.9.8",
    v8: str = "15.0",
    zone: str = "UTC",
    locale: str = "en-US",
) -> bytes:
    return message(1, protocol, deno, v8, zone, locale, tag=0)


def ready(runs: int = 0) -> bytes:
    return message(2, runs, tag=0)


def text(value: str, *, tag: int = TAG) -> bytes:
    return message(3, value, tag=tag)


def image(data: bytes, mime_type: str = "image/png") -> bytes:
    return message(4, mime_type, data)


def console(value: str, level: str = "log") -> bytes:
    return message(5, level, value)


def note(value: str) -> bytes:
    return message(11, value)


def call(index: int, name: str = "echo", argument: Any = None) -> bytes:
    return message(6, index, name, {} if argument is None else argument)


def ask(id: int, question: str = "search", argument: Any = "files") -> bytes:
    return message(7, id, question, argument)


def idle(delivered: int) -> bytes:
    return message(8, delivered)


def store(set: dict[str, str] | None = None, delete: Sequence[str] = ()) -> bytes:
    return message(9, set or {}, list(delete))


def end(
    how: str = "completed",
    value: Sequence[Any] = (),
    error: dict[str, Any] | None = None,
    *,
    notes: Sequence[str] = (),
    items: int = 0,
    calls: int = 0,
    open_lines: Sequence[Sequence[int]] = (),
) -> bytes:
    return message(10, how, list(value), error, list(notes), items, calls, list(open_lines))


def error(name: str = "Error", message: str = "no", **more: Any) -> dict[str, Any]:
    return {"name": name, "message": message, "stack": "", "line": 1, "column": 1, **more}
