"""The guest's codec against another one, msgpack for Python, in both directions."""

from __future__ import annotations

import json
import math
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import deno
import msgpack
import pytest
from driver import ENVIRONMENT
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

MAX_SAFE = 2**53 - 1

# The same examples on every machine; to explain a failure would trace every line.
repeatable = settings(
    derandomize=True,
    deadline=None,
    max_examples=200,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
)


class Codec:
    """The guest's reader and encoder in one Deno process for many values."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._input: BinaryIO = process.stdin  # type: ignore[assignment]
        self._output: BinaryIO = process.stdout  # type: ignore[assignment]

    def decode(self, encoded: bytes) -> Any:
        return self._pass(encoded, account(None))[0]

    def encode(self, told: Any) -> bytes:
        return self._pass(b"\xc0", told)[1]

    def _pass(self, encoded: bytes, told: Any) -> tuple[Any, bytes]:
        for block in (encoded, json.dumps(told).encode()):
            self._input.write(len(block).to_bytes(4, "big") + block)
        self._input.flush()
        return json.loads(self._block()), self._block()

    def _block(self) -> bytes:
        return self._output.read(int.from_bytes(self._output.read(4), "big"))


@pytest.fixture(scope="module")
def codec(cache_dir: str) -> Iterator[Codec]:
    script = Path(__file__).with_name("codec_filter.js")
    process = subprocess.Popen(
        [
            deno.find_deno_bin(),
            "run",
            "--no-remote",
            "--no-npm",
            "--no-config",
            "--no-lock",
            script,
        ],
        env={**ENVIRONMENT, "DENO_DIR": cache_dir, "HOME": cache_dir},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process:
        yield Codec(process)


def account(value: Any) -> Any:
    """A value as JSON that loses nothing; see `codec_filter.js`."""
    match value:
        case None | bool():
            return value
        case int():
            return ["i", str(value)]
        case float():
            return ["n", struct.pack(">d", math.nan if math.isnan(value) else value).hex()]
        case str():
            return ["s", value]
        case bytes():
            return ["b", value.hex()]
        case list():
            return ["a", [account(item) for item in value]]
    return ["o", [[key, account(item)] for key, item in value.items()]]


def by_key(told: Any) -> Any:
    """An account without the order of keys: JavaScript puts those that are indices first."""
    match told:
        case ["o", entries]:
            return ["o", {key: by_key(item) for key, item in entries}]
        case ["a", items]:
            return ["a", [by_key(item) for item in items]]
    return told


def in_the_guest(value: Any) -> Any:
    """What the value table makes of a host's value in a program: numbers are all floats."""
    match value:
        case bool():
            return value
        case int():
            return float(value) if abs(value) <= MAX_SAFE else str(value)
        case list():
            return [in_the_guest(item) for item in value]
        case dict():
            return {str(key): in_the_guest(item) for key, item in value.items()}
    return value


def on_the_host(value: Any) -> Any:
    """What the value table makes of a program's value on the host."""
    match value:
        case float() if value.is_integer() and abs(value) <= MAX_SAFE:
            return int(value)
        case bool():
            return value
        case int() if abs(value) > MAX_SAFE:
            return str(value)
        case str():
            return well_formed(value)
        case list():
            return [on_the_host(item) for item in value]
        case dict():
            return {well_formed(key): on_the_host(item) for key, item in value.items()}
    return value


def well_formed(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


# Both sides of every length at which a header grows.
lengths = st.sampled_from([0, 1, 15, 16, 31, 32, 48, 49, 63, 64, 65, 255, 256])
edges = st.sampled_from([2**n for n in range(64)]).flatmap(
    lambda power: st.sampled_from([power - 1, power, -power, -power - 1])
)
integers = st.integers(-(2**63), 2**64 - 1) | edges.filter(lambda edge: edge >= -(2**63))
any_text = st.text(st.characters(codec=None, categories=["L", "N", "P", "S", "Z", "C"]))
repeated = st.builds(lambda char, count: char * count, st.sampled_from("aé€🎈\ufeff"), lengths)
keys = st.sampled_from(["__proto__", "constructor", "then", "toJSON", "", "0", "10", "length"])


def values(
    texts: st.SearchStrategy[str], names: st.SearchStrategy[str], *, nan: bool = True
) -> Any:
    numbers = integers | st.floats(allow_nan=nan)
    leaves = st.none() | st.booleans() | numbers | texts | st.binary()
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner) | st.dictionaries(names, inner),
        max_leaves=25,
    )


sound_texts = st.text() | repeated
wide = st.one_of(
    st.builds(lambda item, count: [item] * count, integers | st.text(max_size=3), lengths),
    st.builds(lambda count: {f"k{at}": at for at in range(count)}, lengths),
    st.builds(bytes, lengths),
)
deep = st.builds(
    lambda levels, is_map: nested(levels, is_map=is_map), st.integers(190, 200), st.booleans()
)


LONG = [of(size) for size in (65_535, 65_536) for of in (bytes, lambda size: "é" * size)]
LONG += [[7] * 65_536, {f"k{at}": at for at in range(65_536)}]


def nested(levels: int, *, is_map: bool) -> Any:
    value: Any = {} if is_map else []
    for _ in range(levels - 1):
        value = {"k": value} if is_map else [value]
    return value


@repeatable
@given(value=values(sound_texts, sound_texts | keys) | wide | deep)
@example(value=[-0.0, 0.0, math.inf, -math.inf, math.nan, 2.0**53, -(2**53), 5e-324])
@example(value={"__proto__": {"a": 1}, "b": {"__proto__": None}})
def test_the_guest_decodes_what_msgpack_encodes(codec: Codec, value: Any) -> None:
    told = codec.decode(msgpack.packb(value))

    assert by_key(told) == by_key(account(in_the_guest(value)))


@pytest.mark.parametrize("value", LONG, ids=lambda value: type(value).__name__)
def test_values_with_the_longest_headers_cross_both_ways(codec: Codec, value: Any) -> None:
    encoded = msgpack.packb(value)

    assert by_key(codec.decode(encoded)) == by_key(account(in_the_guest(value)))
    assert codec.encode(account(value)) == encoded


@repeatable
@given(value=st.dictionaries(integers | st.booleans(), integers, max_size=5))
def test_keys_that_are_no_texts_become_texts(codec: Codec, value: dict[Any, int]) -> None:
    texts = {(str(key).lower() if type(key) is bool else str(key)): value[key] for key in value}

    told = codec.decode(msgpack.packb(value))

    assert by_key(told) == by_key(account(in_the_guest(texts)))


@repeatable
@given(value=values(any_text | repeated, any_text | keys) | wide | deep)
@example(value=["\ud800", "a\udc00b", "\udbff\udfff", "x" * 60 + "\udfff", {"\ud800": 1}])
@example(value=[-0.0, 0.0, math.inf, -math.inf, math.nan, 2.0**53, -(2**53), 5e-324, 1e300])
@example(value={"__proto__": {"a": 1}, "b": {"__proto__": None}})
def test_msgpack_decodes_what_the_guest_encodes(codec: Codec, value: Any) -> None:
    decoded = msgpack.unpackb(codec.encode(account(value)))

    assert by_key(account(decoded)) == by_key(account(on_the_host(value)))


short_texts = st.text(st.characters(max_codepoint=0x7F), max_size=48) | st.text(max_size=5)
letters = st.text(st.sampled_from("abcxyz_$"), min_size=1, max_size=48)


@repeatable
@given(value=values(short_texts, letters, nan=False) | wide)
@example(value=[2**53 - 1, -(2**53) + 1, 2**31, -(2**31), -(2**31) - 1, 2**32, -33, -32, 128])
def test_the_guest_encodes_values_of_short_texts_as_shortly_as_msgpack(
    codec: Codec, value: Any
) -> None:
    encoded = codec.encode(account(value))

    assert encoded == msgpack.packb(on_the_host(value))
