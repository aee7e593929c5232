"""Host values on their way into a program: Python objects to one encoded msgpack value.

`encode_value` tries msgpack first, which takes nearly everything as it stands; only what it
refuses is walked in Python, to convert it or to name the place that cannot be converted. The
other direction needs nothing: what a program sends is plain msgpack already.

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
from pool.wire.frames import fits_depth

# Integers that msgpack can carry; the worker turns those beyond 2^53 - 1 into text.
_WIRE_INTEGERS: Final = range(-(2**63), 2**64)

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
    if encoded is None or not fits_depth(encoded, MAX_DEPTH):
        encoded = msgpack.packb(_Walk(where).plain(value, where, 0))
    if len(encoded) > limit_bytes:
        raise ValueRefused(
            f"{where} is {len(encoded)} bytes encoded, the limit is {limit_bytes}", path=where
        )
    return encoded


def _encode_natively(value: Any) -> bytes | None:
    try:
        encoded: bytes = msgpack.packb(value, default=_counterpart)
    except (TypeError, ValueError, OverflowError):
        # UnicodeEncodeError (lone surrogates) and too much nesting are ValueErrors.
        return None
    return encoded


def _counterpart(value: Any) -> Any:
    """One step from a host object to something plainer.

    Raises:
        TypeError: There is none.
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
        raise TypeError(f"a {type(value).__name__} has no counterpart in a program")
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
    """Converts a value part by part, knowing the path of each."""

    __slots__ = ("_open", "_root")

    def __init__(self, root: str) -> None:
        self._root = root
        self._open: set[int] = set()

    def plain(self, value: Any, path: str, depth: int) -> Any:
        if isinstance(value, str):
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if value is None or isinstance(value, (bool, float, bytes, bytearray, memoryview)):
            return value
        if isinstance(value, int):
            return int(value) if value in _WIRE_INTEGERS else str(int(value))
        if depth >= MAX_DEPTH and isinstance(value, (dict, list, tuple)):
            raise ValueRefused(f"{path} nests deeper than {MAX_DEPTH} levels", path=path)
        if id(value) in self._open:
            raise ValueRefused(f"{path} contains itself", path=path)
        self._open.add(id(value))
        try:
            return self._container(value, path, depth)
        finally:
            self._open.discard(id(value))

    def _container(self, value: Any, path: str, depth: int) -> Any:
        if isinstance(value, dict):
            return {
                self._key(key, path): self.plain(item, _step(path, key), depth + 1)
                for key, item in value.items()
            }
        if isinstance(value, (list, tuple)):
            return [
                self.plain(item, f"{path}[{number}]", depth + 1)
                for number, item in enumerate(value)
            ]
        try:
            counterpart = _counterpart(value)
        except TypeError as error:
            raise ValueRefused(f"{path}: {error}", path=path) from None
        return self.plain(counterpart, path, depth)

    def _key(self, key: Any, path: str) -> str:
        if isinstance(key, enum.Enum) and not isinstance(key, (str, int)):
            key = key.value
        if isinstance(key, bool):
            return "true" if key else "false"
        if isinstance(key, str):
            return str(self.plain(key, path, 0))
        if isinstance(key, (int, uuid.UUID)):
            return str(int(key)) if isinstance(key, int) else str(key)
        raise ValueRefused(f"{path} has a key of type {type(key).__name__}, not text", path=path)


def _step(path: str, key: Any) -> str:
    return (
        f"{path}.{key}" if isinstance(key, str) and key.isidentifier() else f"{path}[{key!r:.80}]"
    )
