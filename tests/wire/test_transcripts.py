"""Conversations pinned byte by byte, and the tables of docs/protocol.md held to the code.

A transcript has two lines for a frame: who writes it, its kind and its fields as JSON (bytes as
`{"$bytes": hex}`), then the frame in hexadecimal. The runtime's tests read the same files.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from wire import guest_frames as guest

from pool.limits import Limits
from pool.wire.frames import Decoder, FrameLimits, frame
from pool.wire.layout import encode
from pool.wire.messages import (
    Answer,
    Ask,
    Call,
    CatalogEntry,
    Console,
    End,
    FromHost,
    FromWorker,
    GuestError,
    Hello,
    How,
    Idle,
    Image,
    Kind,
    Level,
    Listing,
    Note,
    Question,
    Ready,
    Settle,
    Start,
    Store,
    Text,
    Warm,
)

HERE = Path(__file__).parent
PROTOCOL = HERE.parents[1] / "docs" / "protocol.md"

TAG = guest.TAG
LIMITS = {"calls": 100_000, "argument_bytes": 16_777_216, "output_chars": 5, "output_items": 1}
CAUSE = GuestError("RangeError", "too far", "", None, None, None, ())
THROWN = GuestError("TypeError", "x is not a function", "at program.js:2:7", 2, 7, CAUSE, ())

CONVERSATIONS: dict[str, list[FromHost | FromWorker]] = {
    "boot": [Hello(1, "2.9.8", "15.0.245.9", "UTC", "en-US"), Ready(0), Warm(), Ready(0)],
    "calls": [
        Start(
            TAG,
            "await tools.read({});",
            Listing.of([CatalogEntry("read", "fs__read", "Reads.")]),
            {},
            LIMITS,
            (0, 20),
        ),
        Note(TAG, "The value was returned."),
        Text(TAG, "héllo 😀"),
        Call(TAG, 0, "fs__read", {"path": "a.txt", "lines": [1, -1, 300, 2.5], "all": True}),
        Ask(TAG, 0, Question.SEARCH, ["files", None]),
        Idle(TAG, 0),
        Settle(TAG, 0, True, b"\x82\xa4text\xa2ok\xa4data\xc4\x03\x00\x01\x02"),
        Console(TAG, Level.WARN, "careful"),
        Idle(TAG, 1),
        Answer(TAG, 0, True, b"\x90"),
        Store(TAG, {"seen": "[1,2]"}, ("old",)),
        End(TAG, How.COMPLETED, ({"n": 9_007_199_254_740_991},), None, ("A note.",), 2, 1, {0: 4}),
        Ready(1),
    ],
    "failure": [
        Start(TAG, "throw new TypeError()", Listing.of([]), {"k": '{"a":1}'}, LIMITS, (0, 21)),
        Image(TAG, "image/gif", b"GIF89a"),
        Call(TAG, 0, "gone", {}),
        Idle(TAG, 0),
        Settle(TAG, 0, False, b"\x82\xa4name\xa5Error\xa7message\xa2no"),
        End(TAG, How.THREW, (), THROWN, (), 1, 1, {}),
        Ready(1),
    ],
}


@dataclass(frozen=True)
class Entry:
    speaker: str
    kind: Kind
    fields: list[Any]
    frame: bytes


def read(name: str) -> list[Entry]:
    lines = (HERE / "transcripts" / f"{name}.txt").read_text("utf-8").splitlines()
    lines = [line for line in lines if line and not line.startswith("#")]
    entries = []
    for described, dumped in zip(lines[::2], lines[1::2], strict=True):
        speaker, kind, fields = described.split(maxsplit=2)
        entries.append(Entry(speaker, Kind[kind], plain(fields), bytes.fromhex(dumped)))
    return entries


def plain(fields: str) -> Any:
    def with_bytes(value: dict[str, Any]) -> Any:
        return bytes.fromhex(value["$bytes"]) if value.keys() == {"$bytes"} else value

    return json.loads(fields, object_hook=with_bytes)


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_the_host_reads_and_writes_exactly_these_bytes(name: str) -> None:
    decoder = Decoder(FrameLimits.of(Limits()))

    for entry, message in zip(read(name), CONVERSATIONS[name], strict=True):
        if isinstance(message, FromHost):
            assert (entry.speaker, entry.frame) == ("host", frame(encode(message)))
        else:
            decoder.feed(entry.frame)
            assert (entry.speaker, decoder.next()) == ("worker", message)


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_the_fields_described_are_those_of_the_bytes(name: str) -> None:
    for entry in read(name):
        tag = 0 if entry.kind in {Kind.HELLO, Kind.READY, Kind.WARM} else TAG
        assert guest.message(entry.kind, *entry.fields, tag=tag) == entry.frame


def test_every_kind_of_message_is_in_a_transcript() -> None:
    assert {entry.kind for name in CONVERSATIONS for entry in read(name)} == set(Kind)


def table(heading: str) -> list[list[str]]:
    """Rows of the first table below a heading of docs/protocol.md, without its own head."""
    section = PROTOCOL.read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_the_protocol_document_has_the_number_and_sender_of_every_kind() -> None:
    for heading, kinds in (
        ("From the worker", [kind for kind in Kind if kind < Kind.START]),
        ("From the host", [kind for kind in Kind if kind >= Kind.START]),
    ):
        assert [(int(row[0]), row[1]) for row in table(heading)] == [(k, k.name) for k in kinds]


def test_the_protocol_document_has_the_fields_of_every_message_in_order() -> None:
    documented = {}
    for row in (*table("From the worker"), *table("From the host")):
        # A field is a name in code before its type; values of a closed set follow a colon.
        documented[row[1]] = re.findall(r"`(\w+)`(?= \w)", re.sub(r":( `\w+`,?)+", "", row[2]))

    for entry in (entry for name in CONVERSATIONS for entry in read(name)):
        assert len(documented[entry.kind.name]) == len(entry.fields), entry.kind
