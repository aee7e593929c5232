"""Rows of a conformance file as frozen data: one program, its surroundings, what must come of it.

The format is docs/conformance.md. A field nobody knows is refused, so that a misspelt expectation
never passes for a fulfilled one. Nothing here runs a program.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PositiveInt,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from pool.conformance.patterns import pattern_fault
from pool.errors import LimitError, UsageError
from pool.limits import Limits
from pool.program.outcome import ABSENT, Reason, Status

# JSON data in which an object of one `$…` key is a matcher; see `patterns.py`.
Pattern: TypeAlias = Any

SpecId = Annotated[str, StringConstraints(pattern=r"^[A-Z](-\d+)?$")]
RowId = Annotated[str, StringConstraints(pattern=r"^[A-Z](-\d+)?/[a-z0-9]+(-[a-z0-9]+)*$")]

REPLIES: Final = ("ok", "error", "echo", "hang")


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Reply(_Record):
    """How a scripted tool answers one call: exactly one of `REPLIES`.

    Attributes:
        ok: Resolves to this data; see `scripted.data`.
        error: Rejects with this text.
        name: Name of that error.
        echo: Resolves to the argument.
        hang: Never answers, until the call is cancelled.
        delay_ms: Answers this long after the call.
    """

    ok: Any = ABSENT
    error: Any = ABSENT
    name: str = "Error"
    echo: Literal[True] | None = None
    hang: Literal[True] | None = None
    delay_ms: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _is_one_of_them(self) -> Reply:
        if len(self.model_fields_set & set(REPLIES)) != 1:
            raise ValueError(f"a reply is exactly one of {', '.join(REPLIES)}")
        return self


class ScriptedTool(_Record):
    """A tool that answers by its script: the replies in order, the last one again and again."""

    name: str
    description: str = ""
    namespace: str | None = None
    input_schema: dict[str, Any] | None = None
    output_schema: dict[str, Any] | None = None
    timeout_ms: PositiveInt | None = None
    replies: Annotated[tuple[Reply, ...], Field(min_length=1)] = (Reply(echo=True),)


class Expected(_Record):
    """The outcome a row asks for. What is not given must not be there."""

    status: Status = Status.COMPLETED
    reason: Reason | None = None
    value: Pattern = ABSENT
    output: Pattern = []
    console: Pattern = []
    error: Pattern = None
    calls: Pattern = []
    store: Pattern = {}
    notes: Pattern = []

    @field_validator("value", "output", "console", "error", "calls", "store", "notes")
    @classmethod
    def _is_pattern(cls, pattern: Pattern) -> Pattern:
        fault = None if pattern is ABSENT else pattern_fault(pattern)
        if fault is not None:
            raise ValueError(fault)
        return pattern

    @model_validator(mode="after")
    def _has_a_reason_if_it_failed(self) -> Expected:
        if (self.status is Status.FAILED) != (self.reason is not None):
            raise ValueError("a failed run has a reason, a completed one has none")
        return self


class Row(_Record):
    """One line of the file.

    Attributes:
        id: The promise that the row shows, `/`, and what it shows of it.
        spec: Other promises it touches.
        store: The branch's values before the run.
        limits: Lowered for this run; fields of `Limits`.
        cancel_at_call: The host cancels the run when this tool is first called.
    """

    id: RowId
    spec: tuple[SpecId, ...] = ()
    source: str
    tools: tuple[ScriptedTool, ...] = ()
    store: dict[str, Any] = {}
    limits: dict[str, int] = {}
    cancel_at_call: str | None = None
    expect: Expected

    @field_validator("limits")
    @classmethod
    def _are_limits(cls, limits: dict[str, int]) -> dict[str, int]:
        try:
            Limits(**limits)
        except (LimitError, TypeError) as error:
            raise ValueError(str(error)) from error
        return limits

    @property
    def promises(self) -> tuple[str, ...]:
        """Every id of the specification that the row is about; its own comes first."""
        return (self.id.partition("/")[0], *self.spec)


def read_rows(file: Path) -> tuple[Row, ...]:
    """Read a conformance file: UTF-8, one JSON object a line; blank lines are skipped.

    Raises:
        UsageError: It cannot be read, or a line is no row; names the line, the field and the fault.
    """
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "is not UTF-8"
        raise UsageError(f"cannot read {file}: {why}") from error
    rows = [_row(line, f"{file}:{n}") for n, line in enumerate(lines, 1) if line.strip()]
    [(most_common, times)] = Counter(row.id for row in rows).most_common(1) or [("", 0)]
    if times != 1:
        fault = f"{times} rows are called {most_common}" if rows else "there is no row in it"
        raise UsageError(f"{file}: {fault}")
    return tuple(rows)


def _row(line: str, where: str) -> Row:
    try:
        return Row.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise UsageError(f"{where}: {field and field + ': '}{first['msg']}") from error
