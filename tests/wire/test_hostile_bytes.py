"""Any bytes, in any pieces, give messages or a fault: no other error, no memory, no way back."""

from __future__ import annotations

import tracemalloc
from functools import reduce

import msgpack
import pytest
from fuzz.target import LIMITS, SEEDS, fuzz_one, outcome
from hypothesis import example, given, settings
from hypothesis import strategies as st
from wire import guest_frames as guest

from pool.errors import ProtocolFault
from pool.limits import MIB
from pool.wire.frames import Decoder

# The same examples on every machine; `make fuzz` is for new ones.
repeatable = settings(derandomize=True, deadline=None, max_examples=300)

STREAM = b"".join(SEEDS)

# The longest frame is of 70 KiB, besides a store's, and an element that takes a byte there takes
# about 130 here. Lists nested in each other reserve room for what they claim: 203 levels of 4 KiB
# with 8 bytes each.
MOST_BYTES = 12 * MIB

HOSTILE = (
    b"\xdd\xff\xff\xff\xff",
    b"\xdf\x00\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff",
    b"\xc6\x7f\xff\xff\xff",
    b"\xdc\x0f\xff" * 210,
    b"\x81\xa1k" * 210 + b"\xc0",
    b"\x91" * 1030,
    b"\x80" * 4000,
    b"\xdc\xff\xff" + b"\x80" * 65_535,
    b"\xc1",
    b"\xc7\x03\x05abc",
    b"\xd7\xff" + bytes(8),
    b"\xc9\xff\xff\xff\xff\x01",
    b"\xa4\xed\xa0\x80\xff",
    b"\xd9\x02\xc0\x80",
    b"\x81\xcb\x7f\xf8" + bytes(6) + b"\x01",
    b"\x82\xa1k\x01\xa1k\x02",
    b"\x81\x91\x01\x01",
    b"\x81\xc4\x01k\x01",
    b"\xca\x7f\xc0\x00\x00",
    b"\xcf" + b"\xff" * 8,
    b"\x00\x00\x00\x0b",
    b"\xff\xff\xff\xff\x92\xcf" + bytes(8) + b"\x08",
)

# One step from a stream to a damaged one, at a place given as a share of its length.
places = st.floats(0, 1, exclude_max=True)
steps = st.one_of(
    st.tuples(st.just("flip"), places, st.integers(0, 7)),
    st.tuples(st.just("cut"), places, places),
    st.tuples(st.just("insert"), places, st.sampled_from([*HOSTILE, *SEEDS])),
    st.tuples(st.just("overwrite"), places, st.sampled_from(HOSTILE) | st.binary(max_size=9)),
    st.tuples(st.just("repeat"), places, places),
)


def damaged(stream: bytes, step: tuple[str, float, object]) -> bytes:
    how, place, detail = step
    at = int(place * len(stream))
    before, behind = stream[:at], stream[at:]
    match how, detail:
        case "flip", int(bit):
            return before + bytes(byte ^ 1 << bit for byte in behind[:1]) + behind[1:]
        case "insert", bytes(more):
            return before + more + behind
        case "overwrite", bytes(more):
            return before + more + behind[len(more) :]
        case "cut", float(share):
            return before + behind[int(share * len(behind)) :]
        case _, float(share):
            return stream + behind[: int(share * len(behind))]
    raise AssertionError(step)


streams = st.lists(st.sampled_from(SEEDS), max_size=6).map(b"".join) | st.just(STREAM)
damaged_streams = st.builds(
    lambda stream, taken: reduce(damaged, taken, stream),
    streams,
    st.lists(steps, min_size=1, max_size=4),
)
fields = st.sampled_from(HOSTILE) | st.one_of(
    st.none(),
    st.integers(-(2**63), 2**64 - 1),
    st.text(max_size=9),
    st.sampled_from(["log", "search", "completed", "threw"]),
    st.lists(st.text(max_size=3), max_size=3),
    st.dictionaries(st.sampled_from(["name", "message", "errors", "k"]), st.text(), max_size=3),
).map(msgpack.packb)
made_up_frames = st.builds(
    lambda kind, values, tag: guest.raw_message(kind, *values, tag=tag),
    st.integers(0, 20),
    st.lists(fields, max_size=9),
    st.sampled_from([0, guest.TAG]),
)
hostile = st.one_of(
    st.binary(max_size=200),
    damaged_streams,
    st.lists(made_up_frames, max_size=4).map(b"".join),
)


@repeatable
@given(st.binary(min_size=1, max_size=1), hostile)
def test_any_bytes_in_any_pieces_end_in_messages_or_a_lasting_fault(
    first: bytes, stream: bytes
) -> None:
    fuzz_one(first + stream)


def test_the_undamaged_stream_gives_every_message() -> None:
    messages, fault = outcome([STREAM])

    assert (len(messages), fault) == (len(SEEDS), "")


@repeatable
@given(hostile)
@example(guest.raw_message(6, b"\x00", b"\xa1n", b"\xdc\xff\xff" + b"\x80" * 65_535))
@example(guest.raw_message(6, b"\x00", b"\xa1n", b"\xdc\x0f\xff" * 203))
@example(guest.raw_message(6, b"\x00", b"\xa1n", b"\xdc\xff\xff" * 190 + b"\xc0" * 65_535))
def test_what_a_stream_takes_is_bounded_by_the_limits_of_its_frames(stream: bytes) -> None:
    decoder = Decoder(LIMITS)
    tracemalloc.start()
    try:
        for at in range(0, len(stream), 4096):
            decoder.feed(stream[at : at + 4096])
            while decoder.next() is not None:
                pass
    except ProtocolFault:
        pass
    finally:
        _, peak_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()

    assert peak_bytes <= MOST_BYTES


def test_a_decoder_that_has_met_a_fault_takes_no_message_that_follows() -> None:
    decoder = Decoder(LIMITS)
    decoder.feed(guest.raw_message(8, b"\xc1") + guest.text("behind"))
    with pytest.raises(ProtocolFault, match="malformed"):
        decoder.next()
    decoder.feed(guest.text("later"))

    with pytest.raises(ProtocolFault, match="malformed"):
        decoder.next()
    assert decoder.buffered == 0
