"""Host values on their way into a program: Python objects to one encoded msgpack value.

`encode_value` tries msgpack first, which takes nearly everything as it stands; only what it
refuses, and what has keys of other types than the wire knows, is walked in Python, to convert it
or to name the place that cannot be converted. The other direction needs nothing: what a program
sends is plain msgpack already.

| host value | in the program |
|---|---|
| dict, mapping | object; int, bool, UUID and Enum keys become text |
| list, tuple, set, frozenset | array |
| str | string; lone surrogates become U+FFFD |
| int beyond 2^53 - 1 | decimal string |
| float | number, NaN and infinities kept |
| bytes, bytearray, memoryview | Uint8Array |
| Decimal, UUID, Path | string |
| Enum | its value |
| datetime, date, time | ISO 8601 string |
| dataclass, attrs, pydantic model | object of its fields |
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import pathlib
import uuid
from collections.abc import Mapping
from typing import Any, Final

import msgpack

from pool.errors import ValueRefused
from pool.limits import MAX_DEPTH
from pool.wire.budgets import fits_depth

# Integers that msgpack can carry; the worker turns those beyond 2^53 - 1 into text.
_WIRE_INTEGERS: Final = range(-(2**63), 2**64)

# Types of keys that the worker makes text of by itself.
_WIRE_KEYS: Final = frozenset({str, int, bool})

_LEAVES: Final = frozenset({str, int, bool, float, bytes, type(None)})
_CONTAINERS: Final = (dict, list, tuple)
_PLAIN: Final = (*_CONTAINERS, str, int, float, bytes, bytearray, memoryview, type(None))

# Of a key in a path; longer ones are cut.
_SHOWN_KEY_CHARS: Final = 80

_AS_TEXT: Final = (decimal.Decimal, uuid.UUID, pathlib.PurePath)
_AS_ISO: Final = (datetime.datetime, datetime.date, datetime.time)


def encode_value(value: Any, *, limit_bytes: int, where: str = "value") -> bytes:
    """Encode one value for a program.

    Args:
        value: Anything of the table above, nested at most `MAX_DEPTH` levels.
        limit_bytes: Most bytes the encoded value may have.
        where: What the value is, as the first step of paths in messages: `result`.

    Raises:
        ValueRefused: A part has no counterpart in a program, nests too deep, contains itself, or
            the whole is too large. The message names the path or the limit.
    """
    encoded = _encode_natively(value)
    if encoded is None:
        encoded = msgpack.packb(_Walk().plain(value, where, 0))
    if len(encoded) > limit_bytes:
        raise ValueRefused(
            f"{where} is {len(encoded)} bytes encoded, the limit is {limit_bytes}", path=where
        )
    return encoded


def _encode_natively(value: Any) -> bytes | None:
    """`value` as msgpack takes it; None when the walk has to convert or refuse something."""
    parts = [value]

    def counterpart(part: Any) -> Any:
        parts.append(_counterpart(part))
        return parts[-1]

    try:
        encoded: bytes = msgpack.packb(value, default=counterpart)
    except Exception:
        # Whatever it is, the walk meets it again and says where. It can be anything: fields and
        # dumps are the caller's code.
        return None
    fits = fits_depth(encoded, MAX_DEPTH) and all(map(_has_wire_keys, parts))
    return encoded if fits else None


def _has_wire_keys(value: Any) -> bool:
    """Whether all dicts in an encoded value have keys of `_WIRE_KEYS` alone.

    msgpack encodes a key of any type, and a worker knows only these.
    """
    if isinstance(value, dict):
        for key, item in value.items():
            if type(key) not in _WIRE_KEYS:
                return False
            if type(item) not in _LEAVES and not _has_wire_keys(item):
                return False
    elif isinstance(value, (list, tuple)):
        for item in value:
            if type(item) not in _LEAVES and not _has_wire_keys(item):
                return False
    return True


def _counterpart(value: Any) -> Any:
    """One step from a host object to something plainer.

    Raises:
        TypeError: There is none.
        Exception: What the object itself raises when it is read.
    """
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, _AS_TEXT):
        return str(value)
    if isinstance(value, _AS_ISO):
        return value.isoformat()
    if isinstance(value, (set, frozenset)):
        return list(value)
    if isinstance(value, Mapping):
        return dict(value)
    fields = _fields(value)
    if fields is None:
        raise TypeError("it has no counterpart in a program")
    return fields


def _fields(value: Any) -> dict[str, Any] | None:
    """The fields of a record-like object; None when it is not one.

    pydantic and attrs are recognised by what they put on their classes, so that neither has to be
    imported.
    """
    if isinstance(value, type):
        return None
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if hasattr(type(value), "__pydantic_fields__"):
        dumped: dict[str, Any] = value.model_dump()
        return dumped
    attributes = getattr(type(value), "__attrs_attrs__", None)
    if attributes is None:
        return None
    return {attribute.name: getattr(value, attribute.name) for attribute in attributes}


class _Walk:
    """Converts a value part by part, knowing the path of each.

    At most three frames of Python's stack for a level, whatever stands at it: the deepest value
    allowed takes 600 of the 1,000 there are.
    """

    __slots__ = ("_open",)

    def __init__(self) -> None:
        self._open: set[int] = set()

    def plain(self, value: Any, path: str, depth: int) -> Any:
        """`value` of plain types only; `depth` containers are around it."""
        forms = [value]
        while not isinstance(value, _PLAIN):
            value = _counterpart_at(value, path)
            forms.append(value)
        if not isinstance(value, _CONTAINERS):
            return _scalar(value, path)
        if depth == MAX_DEPTH:
            raise ValueRefused(f"{path} nests deeper than {MAX_DEPTH} levels", path=path)
        # `forms` keeps its members alive: no two open ones have the same id.
        ids = set(map(id, forms))
        if not self._open.isdisjoint(ids):
            raise ValueRefused(f"{path} contains itself", path=path)
        self._open |= ids
        plain = self._parts(value, path, depth + 1)
        self._open -= ids
        return plain

    def _parts(self, container: Any, path: str, depth: int) -> Any:
        if not isinstance(container, dict):
            return [
                self.plain(item, f"{path}[{number}]", depth)
                for number, item in enumerate(container)
            ]
        fields = {}
        for key, item in container.items():
            text = _key(key, path)
            fields[text] = self.plain(item, _step(path, text), depth)
        return fields


def _counterpart_at(value: Any, path: str) -> Any:
    try:
        return _counterpart(value)
    except Exception as error:
        raise ValueRefused(
            f"{path}: a {type(value).__name__} cannot be sent: {error}", path=path
        ) from error


def _scalar(value: Any, path: str) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, memoryview):
        return bytes(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return value
    # A range looks for an int of a subclass one by one, 2^64 times.
    number = int(value)
    if number in _WIRE_INTEGERS:
        return number
    try:
        return str(number)
    except ValueError as error:
        raise ValueRefused(f"{path} is an integer too long to be text", path=path) from error


def _key(key: Any, path: str) -> str:
    if isinstance(key, enum.Enum) and not isinstance(key, (str, int)):
        key = key.value
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, (str, int)):
        return str(_scalar(key, path))
    if isinstance(key, uuid.UUID):
        return str(key)
    raise ValueRefused(f"{path} has a key of type {type(key).__name__}, not text", path=path)


def _step(path: str, key: str) -> str:
    # Cut, because the paths of all parts are built, and most for nothing.
    if len(key) <= _SHOWN_KEY_CHARS and key.isidentifier():
        return f"{path}.{key}"
    return f"{path}[{key[:_SHOWN_KEY_CHARS]!r}]"
