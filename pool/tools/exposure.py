"""Who may see and call a tool: the model, a program, both or nobody (spec M-4).

A tool has one exposure. A source gives its tools theirs by rules of its configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Final, Self


class Exposure(StrEnum):
    """What the model is shown, and what a program may call."""

    DIRECT = "direct"  # declared when selected, callable while selected
    CODEMODE = "codemode"  # always callable and found; declared once selected or loaded
    DEFERRED = "deferred"  # the same; switches `tool_search` on instead of `codemode`
    MODEL_ONLY = "model_only"  # declared when selected, never callable
    HIDDEN = "hidden"  # neither

    @property
    def is_callable(self) -> bool:
        """Whether a program may call such a tool at all."""
        return self not in (Exposure.MODEL_ONLY, Exposure.HIDDEN)


@dataclass(frozen=True, slots=True)
class Exposures:
    """The exposures of one source's tools.

    Attributes:
        default: Of tools that no rule names.
        rules: Names and patterns (`*`, `?`, `[…]`; case counts) with what they give. An exact name
            beats every pattern; of the patterns the first that matches counts.
    """

    default: Exposure
    rules: tuple[tuple[str, Exposure], ...] = ()

    @classmethod
    def parse(cls, default: str, rules: Mapping[str, str]) -> Self:
        """Exposures from a configuration.

        Raises:
            ValueError: A word is no exposure; the text names it and the words there are.
        """
        return cls(_parse(default), tuple((name, _parse(rules[name])) for name in rules))

    def of(self, name: str) -> Exposure:
        """The exposure of the tool that its source calls `name`."""
        for pattern, exposure in self.rules:
            if pattern == name:
                return exposure
        for pattern, exposure in self.rules:
            if fnmatchcase(name, pattern):
                return exposure
        return self.default


# What tools of servers and documents are, unless their configuration says otherwise (spec M-4).
CODEMODE: Final = Exposures(Exposure.CODEMODE)


def _parse(word: str) -> Exposure:
    try:
        return Exposure(word)
    except ValueError:
        known = ", ".join(Exposure)
        raise ValueError(f"{word!r:.80} is no exposure; there are {known}") from None
