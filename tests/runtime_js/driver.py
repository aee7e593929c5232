"""A synchronous host for one real worker: frames by hand, nothing of `pool` in between.

The protocol is written down a second time here, on purpose: a mistake shared by both sides of
`pool.wire` would not be seen by tests that use it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import deno
import msgpack

from pool.program.span import code_span
from pool.wire.messages import CatalogEntry, Listing

RUNTIME = Path(__file__).resolve().parents[2] / "runtime_js"

KINDS = {
    1: "HELLO",
    2: "READY",
    3: "TEXT",
    4: "IMAGE",
    5: "CONSOLE",
    6: "CALL",
    7: "ASK",
    8: "IDLE",
    9: "STORE",
    10: "END",
    11: "NOTE",
}
START, SETTLE, ANSWER, WARM = 16, 17, 18, 19

LIMITS = {
    "calls": 100_000,
    "argument_bytes": 16 * 1024 * 1024,
    "output_chars": 16_777_216,
    "output_items": 100_000,
}

ENVIRONMENT = {
    "TZ": "UTC",
    "LANG": "en_US.UTF-8",
    "LC_ALL": "en_US.UTF-8",
    "NO_COLOR": "1",
    "DENO_NO_UPDATE_CHECK": "1",
}


@dataclass(frozen=True, slots=True)
class Message:
    """One frame of the worker."""

    kind: str
    tag: int
    fields: list[Any]

    def __getitem__(self, index: int) -> Any:
        return self.fields[index]


@dataclass
class Ended:
    """One run as its host saw it: every message in order, and the parts tests look at."""

    messages: list[Message] = field(default_factory=list)

    @property
    def end(self) -> Message:
        return self.messages[-1]

    @property
    def how(self) -> str:
        return str(self.end[0])

    @property
    def value(self) -> Any:
        return self.end[1][0]

    @property
    def has_value(self) -> bool:
        return bool(self.end[1])

    @property
    def error(self) -> dict[str, Any]:
        error = self.end[2]
        assert isinstance(error, dict)
        return error

    @property
    def notes(self) -> list[str]:
        return list(self.end[3])

    @property
    def noted(self) -> list[str]:
        """What was done to make the source run."""
        return [message[0] for message in self.of("NOTE")]

    def of(self, kind: str) -> list[Message]:
        return [message for message in self.messages if message.kind == kind]

    @property
    def texts(self) -> list[str]:
        return [message[0] for message in self.of("TEXT")]

    @property
    def console(self) -> list[str]:
        return [message[1] for message in self.of("CONSOLE")]

    @property
    def kinds(self) -> list[str]:
        return [message.kind for message in self.messages]


class Failed(Exception):
    """Raised by a tool of a test; the call is settled with this name and message."""

    def __init__(self, message: str, name: str = "Error") -> None:
        super().__init__(message)
        self.name = name


def start_frame(
    source: str,
    *,
    tag: int,
    tools: Sequence[str | tuple[str, str, str]] = (),
    store: Mapping[str, str] | None = None,
    limits: Mapping[str, int] | None = None,
) -> bytes:
    """START with a catalogue of names, or of identifier, name and description."""
    entries = [
        CatalogEntry(*((tool, tool, "") if isinstance(tool, str) else tool)) for tool in tools
    ]
    catalog = Listing.of(entries).text
    limits = {**LIMITS, **(limits or {})}
    code = list(code_span(source))
    return frame(START, tag, source, catalog, dict(store or {}), limits, code)


def frame(kind: int, tag: int, *fields: Any) -> bytes:
    body = bytes([0x92 + len(fields), 0xCF]) + tag.to_bytes(8, "big") + bytes([kind])
    body += b"".join(msgpack.packb(item) for item in fields)
    return len(body).to_bytes(4, "big") + body


class Worker:
    """One Deno process and its pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self._input: BinaryIO = process.stdin  # type: ignore[assignment]
        self._output: BinaryIO = process.stdout  # type: ignore[assignment]
        self._tag = 0x1122334455667788

    def send(self, data: bytes) -> None:
        self._input.write(data)
        self._input.flush()

    def receive(self) -> Message:
        """The next frame; EOFError when there is none."""
        header = self._output.read(4)
        if len(header) < 4:
            raise EOFError(self.stderr())
        body = self._output.read(int.from_bytes(header, "big"))
        assert body[0] & 0xF0 == 0x90
        assert body[1] == 0xCF
        tag, kind, *fields = msgpack.unpackb(body)
        return Message(KINDS[kind], tag, fields)

    def expect(self, kind: str) -> Message:
        message = self.receive()
        assert message.kind == kind, message
        return message

    def close_input(self) -> int:
        """End of input; the exit code that follows."""
        self._input.close()
        return self.process.wait(10)

    def stderr(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def run(
        self,
        source: str,
        tools: Mapping[str, Callable[[Any], Any]] | None = None,
        *,
        catalog: Sequence[str | tuple[str, str, str]] | None = None,
        store: Mapping[str, str] | None = None,
        answer: Callable[[str, Any], Any] | None = None,
        **limits: int,
    ) -> Ended:
        """Run one program to its end; calls are settled one a turn, in the order they came."""
        tools = tools or {}
        names = list(tools) if catalog is None else catalog
        self._tag += 1
        self.send(start_frame(source, tag=self._tag, tools=names, store=store, limits=limits))
        ended = Ended()
        waiting: list[bytes] = []
        while True:
            message = self.receive()
            assert message.tag == self._tag, message
            if message.kind == "IDLE":
                if waiting:
                    self.send(waiting.pop(0))
                continue
            ended.messages.append(message)
            if message.kind == "CALL":
                waiting.append(self._settled(message, tools[message[1]]))
            elif message.kind == "ASK":
                assert answer is not None
                value = answer(message[1], message[2])
                waiting.append(frame(ANSWER, self._tag, message[0], True, value))
            elif message.kind == "END":
                return ended

    def _settled(self, call: Message, tool: Callable[[Any], Any]) -> bytes:
        try:
            return frame(SETTLE, self._tag, call[0], True, tool(call[2]))
        except Failed as error:
            failure = {"name": error.name, "message": str(error)}
            return frame(SETTLE, self._tag, call[0], False, failure)


@contextmanager
def worker(cache_dir: str) -> Iterator[Worker]:
    """A worker that has said READY; killed at the end whatever happened."""
    with started(cache_dir) as child:
        child.expect("HELLO")
        child.expect("READY")
        yield child


@contextmanager
def started(cache_dir: str, *permissions: str) -> Iterator[Worker]:
    """A worker of which nothing was read yet; it gets no permission unless a test says so."""
    process = subprocess.Popen(
        [
            deno.find_deno_bin(),
            "run",
            "--no-prompt",
            "--no-remote",
            "--no-npm",
            "--no-config",
            "--no-lock",
            *permissions,
            "--v8-flags=--disallow-code-generation-from-strings,--max-old-space-size=256",
            str(RUNTIME / "main.js"),
        ],
        env={**ENVIRONMENT, "DENO_DIR": cache_dir, "HOME": cache_dir},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield Worker(process)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None and not stream.closed:
                with suppress(BrokenPipeError):
                    stream.close()
