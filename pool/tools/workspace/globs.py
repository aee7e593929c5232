"""File name patterns: `*`, `?`, `[…]`, `{a,b}`, and `**` for any number of directories.

A pattern without a slash is about the name alone, wherever the file lies. Matching takes time
linear in pattern times path, whatever the pattern is: patterns come from programs.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from pool.errors import ToolError

MAX_PATTERN_CHARS: Final = 1_000

# Each alternative is a pattern of its own, and groups multiply.
MAX_ALTERNATIVES: Final = 64

_GROUP: Final = re.compile(r"\{([^{}]*)\}")
_ANY_DEPTH: Final = "**"

# None stands for `**`.
_Steps = Sequence[re.Pattern[str] | None]


@dataclass(frozen=True, slots=True)
class Glob:
    """A compiled pattern."""

    alternatives: tuple[_Steps, ...]

    @classmethod
    def of(cls, pattern: str) -> Self:
        """Compile a pattern.

        Raises:
            ToolError: It is empty, too long, or has too many alternatives.
        """
        if not pattern or len(pattern) > MAX_PATTERN_CHARS:
            raise ToolError(f"a glob pattern has 1 to {MAX_PATTERN_CHARS} characters")
        return cls(tuple(_steps(alternative) for alternative in _expanded(pattern)))

    def matches(self, path: str) -> bool:
        """Whether a relative path fits the pattern."""
        names = path.split("/")
        return any(_fits(steps, names) for steps in self.alternatives)


def _expanded(pattern: str) -> list[str]:
    """The patterns that `{a,b}` stands for."""
    patterns = [pattern]
    while any(_GROUP.search(each) for each in patterns):
        expanded = []
        for each in patterns:
            group = _GROUP.search(each)
            choices = group[1].split(",") if group else [""]
            before, after = (each[: group.start()], each[group.end() :]) if group else (each, "")
            expanded += [f"{before}{choice}{after}" for choice in choices]
        if len(expanded) > MAX_ALTERNATIVES:
            raise ToolError(f"a glob pattern has at most {MAX_ALTERNATIVES} alternatives")
        patterns = expanded
    return patterns


def _steps(pattern: str) -> _Steps:
    names = pattern.removeprefix("./").split("/")
    if len(names) == 1:
        names = [_ANY_DEPTH, *names]
    return [None if name == _ANY_DEPTH else _compiled(name) for name in names]


def _compiled(name: str) -> re.Pattern[str]:
    # What fnmatch makes of stars never goes back over what a star has taken (atomic groups), so
    # it is not the kind of expression that explodes.
    return re.compile(fnmatch.translate(name))


def _fits(steps: _Steps, names: Sequence[str]) -> bool:
    """Wildcard matching over whole names: on a mismatch, the last `**` takes one name more."""
    at = step = 0
    resume: tuple[int, int] | None = None
    while at < len(names):
        wanted = steps[step] if step < len(steps) else ...
        if wanted is None:
            resume = (step + 1, at)
            step += 1
        elif wanted is not ... and wanted.match(names[at]):
            step, at = step + 1, at + 1
        elif resume is not None:
            step, at = resume[0], resume[1] + 1
            resume = (step, at)
        else:
            return False
    return all(left is None for left in steps[step:])
