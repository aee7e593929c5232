"""Differences between a peer and what rows expect, and the reasons somebody gave for them: pure.

A reason covers some rows, or some places of their outcomes. A difference belongs to the first
reason that covers it; one without a reason is a finding, and so is a reason without a difference.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from pool.conformance.patterns import Difference

Text = Annotated[str, Field(min_length=1)]


class Intended(BaseModel):
    """One reason why the peer may differ.

    Attributes:
        kind: What it is about, in a word.
        reason: One sentence.
        rows: Ids; `*` stands for any characters.
        paths: Places in an outcome with everything below them, as in `error.line`; none are all.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Text
    reason: Text
    rows: Annotated[tuple[Text, ...], Field(min_length=1)]
    paths: tuple[Text, ...] = ()

    def covers(self, path: str) -> bool:
        below = tuple(f"{place}{mark}" for place in self.paths for mark in ".[")
        return not self.paths or path in self.paths or path.startswith(below)


@dataclass(frozen=True, slots=True)
class Explained:
    """A difference, the reason it belongs to, and by which of the reason's rows; None without."""

    id: str
    difference: Difference
    reason: Intended | None = None
    pattern: str | None = None


def read_intended(file: Path) -> tuple[Intended, ...]:
    """The reasons of a file, in order of precedence.

    Raises:
        ValueError: It is no TOML, or a reason has the wrong form; says where and why.
    """
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return TypeAdapter(tuple[Intended, ...]).validate_python(tables.get("intended", ()))


def explain(
    found: Mapping[str, Iterable[Difference]], intended: Sequence[Intended]
) -> Iterator[Explained]:
    """Each difference with its reason.

    Args:
        found: The differences of each row, by its id.
    """
    for id, differences in found.items():
        near = [
            (each, pattern) for each, pattern in _patterns(intended) if fnmatchcase(id, pattern)
        ]
        for difference in differences:
            covering = (pair for pair in near if pair[0].covers(difference.path))
            yield Explained(id, difference, *next(covering, ()))


def idle(
    explained: Iterable[Explained], intended: Sequence[Intended]
) -> Iterator[tuple[Intended, str]]:
    """Reasons and those of their rows under which there is no difference that belongs to them."""
    needed = {(each.reason, each.pattern) for each in explained}
    return (pair for pair in _patterns(intended) if pair not in needed)


def _patterns(intended: Sequence[Intended]) -> Iterator[tuple[Intended, str]]:
    return ((each, pattern) for each in intended for pattern in each.rows)
