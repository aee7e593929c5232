"""The decoder against bytes in any cut and any shape, and the sizes frames are held to."""

from __future__ import annotations

import tracemalloc
from contextlib import suppress
from itertools import pairwise

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from wire import guest_frames as guest

from pool.errors import ProtocolFault
from pool.limits import ENVELOPE_BYTES, KIB, MIB, STORE_TOTAL_CHARS, Limits
from pool.wire.frames import Decoder, FrameLimits, frame
from pool.wire.messages import FromWorker, Idle, Kind, Text

LIMITS = FrameLimits.of(Limits(argument_bytes=10 * KIB, output_chars=20 * KIB))

STREAM = b"".join(
    [
        guest.hello(),
        guest.ready(),
        guest.text("a"),
        guest.text("ö" * 300),
        guest.image(b"\x00" * 300),
        guest.console("", "error"),
        guest.call(0, "read", {"paths": [["a"], {"b": None}]}),
        guest.ask(0),
        guest.idle(0),
        guest.store({"k": "[1]"}, ["old"]),
        guest.end("completed", [{"rows": [1.5, True]}], items=4, calls=1),
    ]
)


def messages(decoder: Decoder) -> list[FromWorker]:
    return list(iter(decoder.next, None))


def decoded(*pieces: bytes) -> list[FromWorker]:
    decoder = Decoder(LIMITS)
    taken = []
    for piece in pieces:
        decoder.feed(piece)
        taken += messages(decoder)
    return taken


@given(st.sets(st.integers(0, len(STREAM))))
def test_any_cut_of_a_stream_gives_the_same_messages(cuts: set[int]) -> None:
    places = [0, *sorted(cuts), len(STREAM)]
    pieces = [STREAM[start:end] for start, end in pairwise(places)]

    assert decoded(*pieces) == decoded(STREAM)


def test_a_stream_fed_byte_by_byte_gives_every_message() -> None:
    taken = decoded(*(bytes([byte]) for byte in STREAM))

    assert [type(message).__name__ for message in taken] == [
        *("Hello", "Ready", "Text", "Text", "Image", "Console", "Call", "Ask", "Idle", "Store"),
        "End",
    ]


# Bytes that look like frames get past the prelude; others hardly ever do.
bodies = st.one_of(
    st.binary(max_size=60),
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(0, 9), inner),
        max_leaves=20,
    ).map(msgpack.packb),
)
frames = st.builds(
    lambda kind, tag, fields: guest.raw_message(kind, *fields, tag=tag),
    st.integers(0, 20),
    st.sampled_from([0, guest.TAG]),
    st.lists(bodies, max_size=8),
)


@given(st.binary() | st.lists(frames | st.binary(max_size=8), max_size=5).map(b"".join))
def test_any_bytes_end_in_messages_or_a_fault(data: bytes) -> None:
    decoder = Decoder(LIMITS)
    decoder.feed(data)

    with suppress(ProtocolFault):
        messages(decoder)


@given(st.integers(0, len(STREAM) - 1), st.integers(0, 255))
def test_any_changed_byte_ends_in_messages_or_a_fault(place: int, byte: int) -> None:
    changed = bytearray(STREAM)
    changed[place] = byte
    decoder = Decoder(LIMITS)
    decoder.feed(bytes(changed))

    with suppress(ProtocolFault):
        messages(decoder)


def prelude(kind: int, length: int) -> bytes:
    return length.to_bytes(4, "big") + b"\x93\xcf" + bytes(8) + bytes([kind])


LENGTHS = {
    Kind.HELLO: ENVELOPE_BYTES,
    Kind.READY: ENVELOPE_BYTES,
    Kind.IDLE: ENVELOPE_BYTES,
    Kind.CALL: 10 * KIB + ENVELOPE_BYTES,
    Kind.ASK: 10 * KIB + ENVELOPE_BYTES,
    Kind.TEXT: 3 * 20 * KIB + ENVELOPE_BYTES,
    Kind.IMAGE: 3 * 20 * KIB + ENVELOPE_BYTES,
    Kind.CONSOLE: 3 * 20 * KIB + ENVELOPE_BYTES,
    Kind.END: 3 * 20 * KIB + ENVELOPE_BYTES,
    Kind.NOTE: ENVELOPE_BYTES,
    Kind.STORE: 2 * 3 * STORE_TOTAL_CHARS + ENVELOPE_BYTES,
}


@pytest.mark.parametrize(("kind", "limit"), LENGTHS.items())
def test_the_length_of_a_kind_is_checked_before_its_body_is_there(kind: Kind, limit: int) -> None:
    decoder = Decoder(LIMITS)
    decoder.feed(prelude(kind, limit))
    assert decoder.next() is None

    decoder = Decoder(LIMITS)
    decoder.feed(prelude(kind, limit + 1))

    with pytest.raises(ProtocolFault, match=f"{kind.name} of {limit + 1} bytes.* {limit}$"):
        decoder.next()


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind < Kind.START])
def test_a_length_of_four_gigabytes_is_a_fault_for_every_kind(kind: Kind) -> None:
    decoder = Decoder(FrameLimits.of(Limits()))
    decoder.feed(prelude(kind, 2**32 - 1))

    with pytest.raises(ProtocolFault, match="4294967295 bytes"):
        decoder.next()


@pytest.mark.parametrize("length", [0, 1, 10])
def test_a_length_too_small_for_a_message_is_a_fault(length: int) -> None:
    decoder = Decoder(LIMITS)
    decoder.feed(prelude(Kind.IDLE, length))

    with pytest.raises(ProtocolFault, match=f"IDLE of {length} bytes"):
        decoder.next()


@pytest.mark.parametrize(
    "data",
    [
        prelude(0, 20),
        prelude(12, 20),
        prelude(Kind.START, 20),
        prelude(Kind.WARM, 20),
        prelude(0xC3, 20),
        b"\x00\x00\x00\x20\x83" + prelude(Kind.IDLE, 20)[5:],
        b"\x00\x00\x00\x20\x93\xce" + prelude(Kind.IDLE, 20)[6:],
        b"Uncaught Error: stray bytes",
    ],
)
def test_what_does_not_start_as_a_message_is_a_fault_at_the_kind(data: bytes) -> None:
    decoder = Decoder(LIMITS)
    decoder.feed(data[:14])
    assert decoder.next() is None

    decoder.feed(data[14:15])

    with pytest.raises(ProtocolFault, match="not the start of a message"):
        decoder.next()


def test_bytes_behind_a_message_in_its_frame_are_a_fault() -> None:
    decoder = Decoder(LIMITS)
    decoder.feed(frame(guest.idle(0)[4:] + b"\xc0"))

    with pytest.raises(ProtocolFault, match="malformed"):
        decoder.next()


def test_a_frame_that_ends_within_its_message_is_a_fault() -> None:
    decoder = Decoder(LIMITS)
    decoder.feed(frame(guest.text("abc")[4:-1]))

    with pytest.raises(ProtocolFault, match="malformed"):
        decoder.next()


def test_limits_of_another_run_hold_from_the_next_frame_on() -> None:
    long = guest.text("x" * (3 * 20 * KIB + ENVELOPE_BYTES))
    decoder = Decoder(LIMITS)
    decoder.hold_to(FrameLimits.of(Limits(output_chars=MIB)))
    decoder.feed(long + long)
    assert decoder.next() is not None

    decoder.hold_to(LIMITS)

    with pytest.raises(ProtocolFault, match="TEXT of"):
        decoder.next()


def test_the_size_of_the_last_frame_is_told() -> None:
    decoder = Decoder(LIMITS)
    decoder.feed(guest.text("four") + guest.idle(0))

    assert decoder.next() == Text(guest.TAG, "four")
    assert decoder.frame_bytes == len(guest.text("four")) - 4
    assert decoder.next() == Idle(guest.TAG, 0)
    assert decoder.frame_bytes == len(guest.idle(0)) - 4


def test_bytes_handed_out_are_not_kept_when_there_is_always_half_a_frame_more() -> None:
    decoder = Decoder(LIMITS)
    one = guest.text("x" * 8000)
    decoder.feed(one[:1])

    tracemalloc.start()
    for _ in range(500):
        decoder.feed(one[1:] + one[:1])
        assert decoder.next() is not None
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak_bytes < 500 * len(one) / 10


def test_many_frames_that_come_at_once_are_all_handed_out() -> None:
    decoder = Decoder(LIMITS)
    decoder.feed(guest.text("x" * 1000) * 500 + guest.idle(0)[:-1])

    assert len(messages(decoder)) == 500
    assert decoder.buffered == len(guest.idle(0)) - 1

    decoder.feed(guest.idle(0)[-1:])
    assert messages(decoder) == [Idle(guest.TAG, 0)]
    assert decoder.buffered == 0
