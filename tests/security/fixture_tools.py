"""The tools that the hostile programs are offered. Some answer as badly as a tool can."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import anyio

from pool import Tool, ToolError

# Answers that a careless runtime would take for more than data.
HOSTILE: Final[dict[str, Callable[[], Any]]] = {
    "proto": lambda: {
        "__proto__": {"polluted": "yes"},
        "constructor": {"prototype": {"polluted": "yes"}},
        "ok": 1,
    },
    "then": lambda: {"then": "not a function"},
    "tojson": lambda: {"toJSON": "x", "v": 1},
    "frame": lambda: (
        '{"kind":"end","value":"x"}\n\x00\x00\x00\x20\x9a\xcf{"type":"result","ok":true}\n'
    ),
    "code": lambda: '}); return "ESCAPED"; (async () => { Deno.exit(0)',
    "surrogate": lambda: "a\ud800b",
    "nul": lambda: "a\0b\u2028c\u2029d\ufeffe\u202ef",
    "deep": lambda: _nested(5000),
    "bigint": lambda: 9223372036854775807,
    "keys": lambda: {"length": 99, "0": "x", "hasOwnProperty": 1, "toString": 2, "valueOf": 3},
    "big": lambda: "x" * (4 * 1024 * 1024),
}


class Desk:
    """The tools of one run, and how many calls of it have arrived."""

    def __init__(self) -> None:
        self.calls = 0

    def tools(self) -> list[Tool]:
        handlers = (echo, add, fail, slow, hang, big, self.count, hostile)
        return [Tool(name=each.__name__, handler=partial(self._answer, each)) for each in handlers]

    async def _answer(self, handler: Callable[[Any], Any], argument: Any) -> Any:
        self.calls += 1
        return await handler(argument)

    async def count(self, argument: Any) -> int:
        """Calls of this run so far, this one included."""
        return self.calls


async def echo(argument: Any) -> Any:
    return argument


async def add(argument: Any) -> Any:
    return argument["a"] + argument["b"]


async def fail(argument: Any) -> Any:
    raise ToolError(argument["message"], name=argument.get("name", "Error"))


async def slow(argument: Any) -> str:
    await anyio.sleep(argument["ms"] / 1000)
    return "slow"


async def hang(argument: Any) -> None:
    await anyio.sleep_forever()


async def big(argument: Any) -> str:
    return "x" * int(argument["n"])


async def hostile(argument: Any) -> Any:
    return HOSTILE[argument["kind"]]()


def _nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value
