"""Host values on their way into a program: the table, its refusals, and both ways to encode."""

from __future__ import annotations

import datetime
import decimal
import enum
import http
import math
import pathlib
import sys
import uuid
from collections import OrderedDict, defaultdict, namedtuple
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypedDict

import msgpack
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.errors import ValueRefused
from pool.limits import MAX_DEPTH, MIB
from pool.wire.values import encode_value

SOME_UUID = uuid.UUID("12345678-1234-5678-1234-567812345678")
NOON = datetime.datetime(2026, 1, 2, 12, 0, tzinfo=datetime.UTC)


class Colour(enum.Enum):
    RED = "red"
    RANK = 3
    PAIR = (1, 2)
    ID = SOME_UUID


class Size(enum.IntEnum):
    LARGE = 9


class Word(enum.StrEnum):
    YES = "yes"


@dataclass
class Point:
    x: int
    label: Any = None
    hidden: int = field(default=0, repr=False)


@dataclass(frozen=True, slots=True)
class Frozen:
    when: datetime.date


class Model(pydantic.BaseModel):
    name: str
    points: list[Point] = []
    parent: Model | None = None


class Attr:
    name: str


class Classic:
    """What attrs makes of a class, as far as it can be seen."""

    __attrs_attrs__ = (Attr(), Attr())

    def __init__(self) -> None:
        self.first, self.second = 1, "b"


Classic.__attrs_attrs__[0].name = "first"
Classic.__attrs_attrs__[1].name = "second"


class Row(TypedDict):
    id: int


class Lazy(Mapping[Any, Any]):
    """A mapping that is no dict."""

    def __init__(self, content: dict[Any, Any]) -> None:
        self._content = content

    def __getitem__(self, key: Any) -> Any:
        return self._content[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._content)

    def __len__(self) -> int:
        return len(self._content)


Pair = namedtuple("Pair", "left right")


# What a value becomes; the same for both ways.
TABLE: list[tuple[Any, Any]] = [
    (None, None),
    (True, True),
    (0, 0),
    (-0.0, -0.0),
    (2**53 - 1, 2**53 - 1),
    # The worker makes text of these.
    (2**53, 2**53),
    (2**64 - 1, 2**64 - 1),
    (-(2**63), -(2**63)),
    (2**64, "18446744073709551616"),
    (-(2**63) - 1, "-9223372036854775809"),
    (1.5, 1.5),
    (math.inf, math.inf),
    ("héllo 😀\0", "héllo 😀\0"),
    ("a\ud800b", "a\ufffdb"),
    ("\udc00", "\ufffd"),
    ("\ud83d\ude00", "😀"),
    ("\ufeffx", "\ufeffx"),
    (b"\x00\xff", b"\x00\xff"),
    (bytearray(b"ab"), b"ab"),
    (memoryview(b"abcd"), b"abcd"),
    (memoryview(b"abcd")[::2], b"ac"),
    ([], []),
    ((1, (2,)), [1, [2]]),
    (Pair(1, 2), [1, 2]),
    ({7}, [7]),
    (frozenset("a"), ["a"]),
    ({"a": {"b": [1]}}, {"a": {"b": [1]}}),
    (OrderedDict(a=1), {"a": 1}),
    (defaultdict(int, a=1), {"a": 1}),
    (MappingProxyType({"a": 1}), {"a": 1}),
    (Lazy({"a": [1]}), {"a": [1]}),
    (Row(id=5), {"id": 5}),
    ({"": 1, "__proto__": 2, "then": 3}, {"": 1, "__proto__": 2, "then": 3}),
    (decimal.Decimal("1.10"), "1.10"),
    (SOME_UUID, str(SOME_UUID)),
    (pathlib.PurePosixPath("/a/b"), "/a/b"),
    (NOON, "2026-01-02T12:00:00+00:00"),
    (NOON.date(), "2026-01-02"),
    (datetime.time(1, 2), "01:02:00"),
    (Colour.RED, "red"),
    (Colour.PAIR, [1, 2]),
    (Colour.ID, str(SOME_UUID)),
    (Size.LARGE, 9),
    (http.HTTPStatus.NOT_FOUND, 404),
    (Word.YES, "yes"),
    (Point(1), {"x": 1, "label": None, "hidden": 0}),
    (Point(1, Frozen(NOON.date())), {"x": 1, "label": {"when": "2026-01-02"}, "hidden": 0}),
    (
        Model(name="m", points=[Point(2)], parent=Model(name="p")),
        {
            "name": "m",
            "points": [{"x": 2, "label": None, "hidden": 0}],
            "parent": {"name": "p", "points": [], "parent": None},
        },
    ),
    (Classic(), {"first": 1, "second": "b"}),
]

# Keys as the worker sees them: text, or what it makes text of.
KEYS: list[tuple[Any, Any]] = [
    ("plain", "plain"),
    ("\ud800", "\ufffd"),
    (Word.YES, "yes"),
    (5, "5"),
    (Size.LARGE, "9"),
    (2**64, "18446744073709551616"),
    (True, "true"),
    (False, "false"),
    (SOME_UUID, str(SOME_UUID)),
    (Colour.RED, "red"),
    (Colour.RANK, "3"),
    (Colour.ID, str(SOME_UUID)),
]

# Only the walk converts a text with a lone surrogate; beside it, everything else is walked too.
WALKED = "\ud800"


def arriving(value: Any) -> Any:
    """What a program gets, keys made text the way the worker does."""

    def as_text(pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
        return {str(k).lower() if isinstance(k, bool) else str(k): v for k, v in pairs}

    encoded = encode_value(value, limit_bytes=MIB)
    return msgpack.unpackb(encoded, strict_map_key=False, object_pairs_hook=as_text)


def refusal(value: Any, where: str = "result") -> ValueRefused:
    with pytest.raises(ValueRefused) as caught:
        encode_value(value, limit_bytes=MIB, where=where)
    return caught.value


@pytest.mark.parametrize(("value", "expected"), TABLE, ids=lambda value: repr(value)[:30])
def test_a_value_becomes_its_counterpart_whichever_way_it_is_encoded(
    value: Any, expected: Any
) -> None:
    assert arriving(value) == expected
    assert arriving({"in": [value]}) == {"in": [expected]}
    assert arriving([WALKED, {"in": [value]}]) == ["\ufffd", {"in": [expected]}]


@pytest.mark.parametrize(("key", "expected"), KEYS, ids=repr)
def test_a_key_becomes_text_whichever_way_it_is_encoded(key: Any, expected: str) -> None:
    assert arriving({key: 1}) == {expected: 1}
    assert arriving(Lazy({key: 1})) == {expected: 1}
    assert arriving([WALKED, {key: 1}]) == ["\ufffd", {expected: 1}]


def test_not_a_number_stays_one() -> None:
    assert math.isnan(arriving(math.nan))
    assert math.isnan(arriving([WALKED, math.nan])[1])


KEY_REFUSED = [None, 1.5, b"k", (1, 2), frozenset(), NOON, decimal.Decimal(1), Frozen(NOON.date())]


@pytest.mark.parametrize("key", [*KEY_REFUSED, Colour.PAIR], ids=repr)
@pytest.mark.parametrize("mapping", [dict, Lazy, OrderedDict])
def test_a_key_of_another_type_is_refused_with_the_path_of_its_object(
    key: Any, mapping: Any
) -> None:
    error = refusal({"rows": [{}, mapping({key: 1})]})

    assert error.path == "result.rows[1]"
    assert str(error).startswith("result.rows[1] has a key of type ")


@pytest.mark.parametrize(
    "value", [object(), len, Point, Colour, 1j, range(3), iter(()), ValueError("x"), ...], ids=repr
)
def test_what_has_no_counterpart_is_refused_with_its_path(value: Any) -> None:
    error = refusal({"rows": [1, Point(1, value)]})

    assert error.path == "result.rows[1].label"
    assert str(error).startswith(f"result.rows[1].label: a {type(value).__name__} cannot be sent")


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ([[object()]], "result[0][0]"),
        ({"a b": object()}, "result['a b']"),
        ({7: object()}, "result['7']"),
        ({"k" * 200: object()}, "result['" + "k" * 80 + "']"),
        ({"a": {object()}}, "result.a[0]"),
        (Lazy({"a": object()}), "result.a"),
        (object(), "result"),
    ],
)
def test_paths_read_as_a_program_would_write_them(value: Any, path: str) -> None:
    assert refusal(value).path == path


class Unreadable:
    """A record whose field cannot be read."""

    __attrs_attrs__ = Classic.__attrs_attrs__

    @property
    def first(self) -> int:
        raise RuntimeError("not loaded")


def test_an_object_that_fails_when_it_is_read_is_refused_with_what_it_said() -> None:
    error = refusal([Unreadable()])

    assert str(error) == "result[0]: a Unreadable cannot be sent: not loaded"
    assert isinstance(error.__cause__, RuntimeError)


def test_an_integer_too_long_to_be_text_is_refused() -> None:
    digits = sys.get_int_max_str_digits()
    assert arriving(10 ** (digits - 1)) == str(10 ** (digits - 1))

    assert refusal({"n": 10**digits}).path == "result.n"
    assert refusal({10**digits: 1}).path == "result"


def in_itself() -> list[tuple[Any, str]]:
    array: list[Any] = [1]
    array.append({"back": array})
    record = Point(1)
    record.label = [record]
    mapping: dict[str, Any] = {}
    mapping["self"] = Lazy(mapping)
    return [(array, "result[1].back"), (record, "result.label[0]"), (mapping, "result.self.self")]


@pytest.mark.parametrize(("value", "path"), in_itself())
def test_a_value_that_contains_itself_is_refused_where_it_does(value: Any, path: str) -> None:
    assert str(refusal(value)) == f"{path} contains itself"


def test_a_value_may_contain_another_twice() -> None:
    shared = Point(1, [WALKED])

    assert arriving([shared, shared, [shared]])[0] == arriving(shared)


NESTS = {
    "list": lambda inner: [inner],
    "dict": lambda inner: {"a": inner},
    "dataclass": lambda inner: Point(1, inner),
    "set": lambda inner: frozenset({inner}),
    "mapping": lambda inner: Lazy({"a": inner}),
}


def nested(kind: str, levels: int, core: Any = None) -> Any:
    for _ in range(levels):
        core = NESTS[kind](core)
    return core


@pytest.mark.parametrize("kind", NESTS)
@pytest.mark.parametrize("core", [1, WALKED], ids=["native", "walked"])
def test_the_deepest_value_passes_and_one_level_more_is_refused(kind: str, core: Any) -> None:
    arriving(nested(kind, MAX_DEPTH, core))

    error = refusal(nested(kind, MAX_DEPTH + 1, core))

    assert str(error) == f"{error.path} nests deeper than 200 levels"
    assert error.path.startswith("result")


def test_a_value_of_any_depth_is_refused_in_the_same_way() -> None:
    for levels in (500, 600, 5000):
        assert "nests deeper than 200 levels" in str(refusal(nested("list", levels)))


def test_a_value_as_large_as_allowed_passes_and_one_byte_more_is_refused() -> None:
    value = ["x" * 1000]
    size = len(msgpack.packb(value))
    assert len(encode_value(value, limit_bytes=size)) == size

    with pytest.raises(ValueRefused) as caught:
        encode_value(value, limit_bytes=size - 1, where="answer")

    assert str(caught.value) == f"answer is {size} bytes encoded, the limit is {size - 1}"
    assert caught.value.path == "answer"


json_like = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=[]))
    | st.binary(),
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text() | st.booleans() | st.integers(), inner)
        | st.builds(Point, st.integers(), inner)
    ),
    max_leaves=30,
)


@given(json_like)
def test_a_value_encodes_the_same_beside_one_that_has_to_be_walked(value: Any) -> None:
    alone = arriving(value)

    assert arriving([WALKED, value]) == ["\ufffd", alone]


@given(st.text(st.characters(exclude_categories=[])))
def test_every_text_becomes_well_formed_and_keeps_what_was(text: str) -> None:
    arrived = arriving(text)

    arrived.encode("utf-8")
    halves = text.encode("utf-16-le", "surrogatepass")
    assert len(arrived.encode("utf-16-le")) == len(halves)
    if "\ufffd" not in arrived:
        assert arrived.encode("utf-16-le") == halves
