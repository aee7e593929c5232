"""TypeScript's types as a tree, as far as a JSON Schema can ask for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Word:
    """A type that is one word or one literal."""

    text: str


@dataclass(frozen=True, slots=True)
class Union:
    members: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Intersection:
    members: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Array:
    item: Type


@dataclass(frozen=True, slots=True)
class Tuple:
    """
    Attributes:
        items: The type of each place; from `required` on they may be missing.
        rest: Of what follows; None where nothing may.
    """

    items: tuple[Type, ...]
    required: int
    rest: Type | None


@dataclass(frozen=True, slots=True)
class Member:
    """A property, with what its comment says in lines."""

    name: str
    type: Type
    is_required: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Object:
    """
    Attributes:
        index: Type of the properties that are not named; None where the text mentions none.
        index_notes: What a comment says about those.
    """

    members: tuple[Member, ...]
    index: Type | None
    index_notes: tuple[str, ...] = ()


Type: TypeAlias = Word | Union | Intersection | Array | Tuple | Object

UNKNOWN = Word("unknown")
NEVER = Word("never")
NULL = Word("null")
ANY_OBJECT = Object((), UNKNOWN)


def union(types: Iterable[Type]) -> Type:
    """What is one of `types`; nothing is of no type at all."""
    distinct = tuple(dict.fromkeys(option for each in types for option in options(each)))
    if UNKNOWN in distinct:
        return UNKNOWN
    possible = tuple(each for each in distinct if each != NEVER)
    if len(possible) == 1:
        return possible[0]
    return Union(possible) if possible else NEVER


def intersection(types: Iterable[Type]) -> Type:
    """What is all of `types`. An object of which nothing is known adds nothing to another type."""
    distinct = tuple(dict.fromkeys(each for each in types if each != UNKNOWN))
    telling = tuple(each for each in distinct if each != ANY_OBJECT) or distinct
    if len(telling) == 1:
        return telling[0]
    return Intersection(telling) if telling else UNKNOWN


def options(type: Type) -> tuple[Type, ...]:
    """What a value of the type is one of."""
    return type.members if isinstance(type, Union) else (type,)
