"""Every message of a worker, read; every message of the host, written; everything else refused."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from wire import guest_frames as guest

from pool.errors import ProtocolFault
from pool.wire.layout import decode, encode
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

TAG = guest.TAG

THROWN = GuestError("TypeError", "no", "at program.js:2:3", 2, 3, None, ())

MESSAGES: list[tuple[bytes, FromWorker]] = [
    (guest.hello(), Hello(1, "2.9.8", "15.0", "UTC", "en-US")),
    (guest.ready(7), Ready(7)),
    (guest.text("héllo"), Text(TAG, "héllo")),
    (guest.image(b"\x89PNG"), Image(TAG, "image/png", b"\x89PNG")),
    (guest.console("careful", "warn"), Console(TAG, Level.WARN, "careful")),
    (guest.note("as it was"), Note(TAG, "as it was")),
    (guest.call(0, "read", {"path": "a"}), Call(TAG, 0, "read", {"path": "a"})),
    (guest.ask(3, "describe", "read"), Ask(TAG, 3, Question.DESCRIBE, "read")),
    (guest.idle(4), Idle(TAG, 4)),
    (guest.store({"a": "1"}, ["b"]), Store(TAG, {"a": "1"}, ("b",))),
    (
        guest.end("completed", [[1, None]], notes=["late"], items=2, calls=1, open_lines=[[0, 3]]),
        End(TAG, How.COMPLETED, ([1, None],), None, ("late",), 2, 1, {0: 3}),
    ),
    (guest.end("exited"), End(TAG, How.EXITED, (), None, (), 0, 0, {})),
    (
        guest.end("threw", (), guest.error("TypeError", stack=THROWN.stack, line=2, column=3)),
        End(TAG, How.THREW, (), THROWN, (), 0, 0, {}),
    ),
]


def body(frame: bytes) -> Any:
    return msgpack.unpackb(frame[4:])


@pytest.mark.parametrize(("frame", "message"), MESSAGES)
def test_a_message_of_every_kind_is_read(frame: bytes, message: FromWorker) -> None:
    assert decode(body(frame)) == message


def test_the_messages_above_are_of_every_kind_that_a_worker_sends() -> None:
    assert {frame[14] for frame, _ in MESSAGES} == {kind for kind in Kind if kind < Kind.START}


@pytest.mark.parametrize(("frame", "message"), MESSAGES)
def test_fields_of_a_newer_worker_are_ignored(frame: bytes, message: FromWorker) -> None:
    assert decode([*body(frame), "new", {"more": [1]}]) == message


@pytest.mark.parametrize("frame", [frame for frame, _ in MESSAGES])
def test_a_message_with_a_field_too_few_is_a_fault(frame: bytes) -> None:
    with pytest.raises(ProtocolFault, match="too few fields"):
        decode(body(frame)[:-1])


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Kind.IDLE, [True]),
        (Kind.IDLE, [-1]),
        (Kind.IDLE, [1.0]),
        (Kind.TEXT, [b"bytes"]),
        (Kind.IMAGE, ["image/png", "text"]),
        (Kind.CONSOLE, ["shout", "text"]),
        (Kind.CONSOLE, [["log"], "text"]),
        (Kind.CALL, ["0", "read", {}]),
        (Kind.CALL, [0, None, {}]),
        (Kind.ASK, [0, "everything", ""]),
        (Kind.STORE, [["a"], []]),
        (Kind.STORE, [{"a": 1}, []]),
        (Kind.STORE, [{1: "a"}, []]),
        (Kind.STORE, [{}, "a"]),
        (Kind.STORE, [{}, [1]]),
        (Kind.END, ["won", [], None, [], 0, 0, []]),
        (Kind.END, ["completed", None, None, [], 0, 0, []]),
        (Kind.END, ["completed", [1, 2], None, [], 0, 0, []]),
        (Kind.END, ["completed", [], None, [None], 0, 0, []]),
        (Kind.END, ["completed", [], None, [], -1, 0, []]),
        (Kind.END, ["completed", [], None, [], 0, False, []]),
        (Kind.END, ["completed", [], None, [], 0, 0, [[0]]]),
        (Kind.END, ["completed", [], None, [], 0, 0, [[0, -1]]]),
        (Kind.NOTE, [b"bytes"]),
    ],
)
def test_a_field_of_the_wrong_type_is_a_fault(kind: Kind, fields: list[Any]) -> None:
    with pytest.raises(ProtocolFault, match=f"field . of {kind.name} is not"):
        decode([TAG, kind.value, *fields])


@pytest.mark.parametrize(
    "body", [None, {}, "text", 5, [], [TAG], b"", {"tag": TAG}], ids=lambda body: repr(body)
)
def test_what_is_not_an_array_of_tag_and_kind_is_a_fault(body: Any) -> None:
    with pytest.raises(ProtocolFault, match="a message is an array"):
        decode(body)


@pytest.mark.parametrize("tag", [True, -1, 1.0, "1", None])
def test_a_tag_is_an_unsigned_integer(tag: Any) -> None:
    with pytest.raises(ProtocolFault, match="a tag is"):
        decode([tag, Kind.TEXT.value, "text"])


@pytest.mark.parametrize("kind", [0, 12, *range(16, 21), -1, True, 1.0, "3", None, [3], {}])
def test_an_unknown_kind_is_a_fault(kind: Any) -> None:
    with pytest.raises(ProtocolFault, match="unknown message kind"):
        decode([0, kind, "text", "", "", "", ""])


@pytest.mark.parametrize(("frame", "message"), MESSAGES)
def test_a_tag_stands_in_messages_of_a_run_and_in_no_other(
    frame: bytes, message: FromWorker
) -> None:
    tag, *rest = body(frame)

    with pytest.raises(ProtocolFault, match="with the tag of"):
        decode([0 if tag else TAG, *rest])


def test_an_error_keeps_its_causes_and_members() -> None:
    thrown = guest.error("AggregateError", cause=guest.error("A"), errors=[guest.error("B")])

    error = decode(body(guest.end("threw", (), thrown)))

    assert isinstance(error, End)
    assert error.error is not None
    assert error.error.cause == GuestError("A", "no", "", 1, 1, None, ())
    assert error.error.errors == (GuestError("B", "no", "", 1, 1, None, ()),)


def test_an_error_may_lack_its_place_and_have_keys_nobody_knows() -> None:
    thrown = {"name": "Thrown", "message": "5", "line": None, "severity": 3}

    end = decode(body(guest.end("threw", (), thrown)))

    assert isinstance(end, End)
    assert end.error == GuestError("Thrown", "5", "", None, None, None, ())


@pytest.mark.parametrize(
    "error",
    [
        "text",
        {"name": "Error"},
        guest.error(message=5),  # type: ignore[arg-type]
        guest.error(stack=None),
        guest.error(line=-1),
        guest.error(column=True),
        guest.error(cause="text"),
        guest.error(errors={}),
        guest.error(errors=[None]),
    ],
)
def test_an_error_of_another_shape_is_a_fault(error: Any) -> None:
    with pytest.raises(ProtocolFault):
        decode(body(guest.end("threw", (), error)))


@pytest.mark.parametrize("link", ["cause", "errors"])
def test_causes_and_members_nest_twelve_times_and_no_more(link: str) -> None:
    def nested(times: int) -> dict[str, Any]:
        error = guest.error()
        for _ in range(times):
            error = guest.error(**{link: error if link == "cause" else [error]})
        return error

    decode(body(guest.end("threw", (), nested(12))))

    with pytest.raises(ProtocolFault, match="bounded nesting"):
        decode(body(guest.end("threw", (), nested(13))))


@pytest.mark.parametrize(
    ("message", "fields"),
    [
        (
            Start(
                TAG,
                "1;",
                Listing.of([CatalogEntry("a_b", "a-b", "does")]),
                {"k": "1"},
                {"calls": 5},
                (0, 1),
            ),
            [
                "1;",
                '[[{"name":"a_b","description":"does"}],[[0,"a-b",true]]]',
                {"k": "1"},
                {"calls": 5},
                [0, 1],
            ],
        ),
        (Settle(TAG, 70_000, True, b"\x81\xa1a\x01"), [70_000, True, {"a": 1}]),
        (Settle(TAG, 0, False, b"\xc0"), [0, False, None]),
        (Answer(TAG, 2, True, b"\x90"), [2, True, []]),
        (Warm(), []),
    ],
)
def test_a_message_of_the_host_has_its_fields_in_order(
    message: FromHost, fields: list[Any]
) -> None:
    tag, _, *written = msgpack.unpackb(encode(message))

    assert (tag, written) == (getattr(message, "tag", 0), fields)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        (Start(2**64 - 1, "", Listing.of([]), {}, {}, (0, 0)), Kind.START),
        (Settle(1, 0, True, b"\xc0"), Kind.SETTLE),
        (Answer(1, 0, True, b"\xc0"), Kind.ANSWER),
        (Warm(), Kind.WARM),
    ],
)
def test_kind_and_tag_of_the_host_stand_at_a_fixed_place(message: FromHost, kind: Kind) -> None:
    prelude = encode(message)[:11]

    assert prelude[1] == 0xCF
    assert int.from_bytes(prelude[2:10], "big") == getattr(message, "tag", 0)
    assert prelude[10] == kind


def test_what_is_no_message_of_the_host_is_not_written() -> None:
    with pytest.raises(AssertionError):
        encode(Ready(1))  # type: ignore[arg-type]
