"""What is asked of the host for any bytes of a worker; the tests and `make fuzz` share it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from wire import guest_frames as guest

from pool.errors import ProtocolFault
from pool.limits import KIB, Limits
from pool.wire.frames import LENGTH_BYTES, Decoder, FrameLimits
from pool.wire.messages import Console, End, FromWorker, Image, Store, Text
from pool.worker.quota import OutputQuota, StoreQuota

# Small, so that a fuzzer's short inputs reach them.
RUN_LIMITS = Limits(argument_bytes=KIB, output_chars=KIB, output_items=8)
LIMITS = FrameLimits.of(RUN_LIMITS)
LONGEST_BYTES = LENGTH_BYTES + max(LIMITS.by_kind.values())

# Every message a worker has, with what belongs into each field.
SEEDS = (
    guest.hello(),
    guest.ready(3),
    guest.text("a"),
    guest.text("ö€🎈" * 40),
    guest.image(bytes(range(256))),
    guest.console("", "error"),
    guest.call(0, "files.read", {"paths": [["a"], {"b": None}], "n": -(2**40), "f": 0.5}),
    guest.ask(0, "describe", ["files.read"]),
    guest.idle(70_000),
    guest.store({"k": "[1]", "ü": '{"a":"\\ud800"}'}, ["old"]),
    guest.end("completed", [{"rows": [1.5, True, float("nan")], "bytes": b"\xff"}], items=4),
    guest.end(
        "threw",
        error=guest.error(cause=guest.error("Cause"), errors=[guest.error(), guest.error()]),
        notes=["a promise nobody waited for"],
        calls=1,
    ),
)


def fuzz_one(data: bytes) -> None:
    """Hold the decoder to its promises for one input.

    The first byte says how the rest is cut, its lowest bit whether the rest is a stream or is
    given a length and a prelude, which chance hardly ever makes.

    Raises:
        Exception: A promise is broken.
    """
    if not data:
        return
    stream = _framed(data[1:]) if data[0] & 1 else data[1:]
    step = data[0] >> 1 or len(stream) or 1
    pieces = [stream[at : at + step] for at in range(0, len(stream), step)]
    assert outcome(pieces) == outcome([stream])


def outcome(pieces: Sequence[bytes]) -> tuple[list[str], str]:
    """The messages that pieces of a stream gave, and the fault that ended it, if one did."""
    decoder = Decoder(LIMITS)
    output, store = OutputQuota(RUN_LIMITS), StoreQuota({"kept": "1"})
    taken = []
    try:
        for piece in pieces:
            decoder.feed(piece)
            for message in iter(decoder.next, None):
                # NaN is not equal to itself, but its text is.
                taken.append(repr(message))
                _weigh(message, output, store)
            assert decoder.buffered < LONGEST_BYTES
    except ProtocolFault as fault:
        _assert_stays_faulty(decoder)
        return taken, str(fault)
    return taken, ""


def _framed(data: bytes) -> bytes:
    """One frame whose kind and number of fields are what `data` says."""
    kind, fields, body = data[:1], data[1:2], data[2:]
    header = 0x90 | (fields[0] & 0x0F if fields else 2)
    return guest.frame(b"%c\xcf%b%b%b" % (header, bytes(7), b"\x01", kind) + body)


def _weigh(message: FromWorker, output: OutputQuota, store: StoreQuota) -> None:
    match message:
        case Text() | Image() | Console():
            output.take(message)
        case End(value=(value,)):
            output.holds_value(value, 2**30)
        case Store():
            with suppress(ProtocolFault):
                store.check(message)


def _assert_stays_faulty(decoder: Decoder) -> None:
    for more in (b"", *SEEDS):
        decoder.feed(more)
        try:
            message = decoder.next()
        except ProtocolFault:
            continue
        raise AssertionError(f"{message} after a fault")
    assert decoder.buffered == 0, "bytes are kept that nobody will read"
