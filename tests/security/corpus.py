"""The hostile programs, and what must come of each: rows of `programs/*.jsonl` as frozen data.

The format is described in `README.md`. Nothing here runs a program.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pool import ABSENT, Outcome
from pool.program.outcome import ProgramError, TextItem, to_json

PROGRAMS: Final = Path(__file__).parent / "programs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """One outcome a program may have. A field that is not given admits everything.

    Attributes:
        status: `ok` or `failed`.
        value: What the program returned, exactly, as JSON.
        exited: Whether the program ended by `exit()`: completed, and no value.
        error_contains: Part of the error's `name: message`.
    """

    status: str
    reason: str | None = None
    value: Any = ABSENT
    value_prefix: str | None = None
    exited: bool = False
    error_contains: str | None = None

    def matches(self, outcome: Outcome) -> bool:
        value = to_json(outcome.value)
        return (
            (self.status == "ok") == outcome.is_completed
            and self.reason in {None, outcome.reason}
            and (self.value is ABSENT or _identical(self.value, value))
            and (self.value_prefix is None or _starts(value, self.value_prefix))
            and not (self.exited and value is not ABSENT)
            and (self.error_contains or "") in _headline(outcome.error)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One hostile program.

    Attributes:
        source: What is run: the file without its header line.
        expected: The outcome, or the few among which even this product may choose.
        forbid_output: Texts that may appear nowhere in what the program showed.
        cancel_after_ms: The host cancels the run this long after its start.
        pair: The program that runs before or after this one, for the same tenant and branch.
        pair_role: `first` or `second`.
        host_checks: What to look at on the host besides; see `attacking.HOST_CHECKS`.
    """

    id: str
    kind: str
    file: str
    source: bytes
    expected: tuple[Expected, ...]
    forbid_output: tuple[str, ...]
    options: Mapping[str, int]
    note: str
    inspired_by: str
    cancel_after_ms: int | None = None
    pair: str | None = None
    pair_role: str | None = None
    host_checks: tuple[str, ...] = ()

    def faults(self, outcome: Outcome) -> list[str]:
        """What is wrong with an outcome of this program, in words; nothing when it held."""
        texts = list(_shown(outcome))
        faults = [
            f"shows {word!r}" for word in self.forbid_output if any(word in text for text in texts)
        ]
        if not any(expected.matches(outcome) for expected in self.expected):
            faults.append(f"is none of {self.expected}")
        return faults


# Programs that run one after the other on the same pool: nearly always a single one.
Scenario = tuple[Program, ...]


def load_programs() -> dict[str, Program]:
    """Every program, by id, in the order of the files and their rows."""
    programs: dict[str, Program] = {}
    for index in sorted(PROGRAMS.glob("*.jsonl")):
        for line in index.read_text(encoding="utf-8").splitlines():
            program = _program(json.loads(line))
            if program.id in programs:
                raise ValueError(f"two programs are called {program.id}")
            programs[program.id] = program
    return programs


def scenarios(programs: Mapping[str, Program]) -> list[Scenario]:
    """Every program exactly once; the second of a pair follows its first."""
    return [
        (program,) if program.pair is None else (program, programs[program.pair])
        for program in programs.values()
        if program.pair_role != "second"
    ]


def _program(row: dict[str, Any]) -> Program:
    _, _, source = (PROGRAMS / row["file"]).read_bytes().partition(b"\n")
    lists = {name: tuple(row.get(name, ())) for name in ("forbid_output", "host_checks")}
    expected = tuple(Expected(**entry) for entry in row["expected"])
    return Program(**{**row, **lists, "expected": expected, "source": source})


def _shown(outcome: Outcome) -> Iterator[str]:
    """Every text of an outcome that a program could have written."""
    if outcome.value is not ABSENT:
        yield json.dumps(to_json(outcome.value), ensure_ascii=False)
    yield from (item.text for item in outcome.output if isinstance(item, TextItem))
    yield from (line.text for line in outcome.console)
    yield from _error_texts(outcome.error)


def _error_texts(error: ProgramError | None) -> Iterator[str]:
    """Names and messages. Excerpt and stack quote the program's own text and prove nothing."""
    if error is None:
        return
    yield error.name
    yield error.message
    for inner in (error.cause, *error.errors):
        yield from _error_texts(inner)


def _headline(error: ProgramError | None) -> str:
    return "" if error is None else f"{error.name}: {error.message}"


def _identical(wanted: Any, value: Any) -> bool:
    """Equal as JSON texts: `True` is not 1 there."""
    return value is not ABSENT and json.dumps(wanted) == json.dumps(value)


def _starts(value: Any, prefix: str) -> bool:
    return isinstance(value, str) and value.startswith(prefix)
