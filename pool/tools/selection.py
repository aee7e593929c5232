"""What of a session's tools the model is declared, programs may call and search may load.

A `Selection` is frozen and knows nothing of how tools run; changing anything gives a new one. All
names here are canonical: rights hang on those.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from pool.errors import UsageError
from pool.tools.exposure import Exposure
from pool.tools.tool import Tool

# The two tools of the model's own. A program can call neither (spec M-7).
CODEMODE: Final = "codemode"
TOOL_SEARCH: Final = "tool_search"
_OWN: Final = (CODEMODE, TOOL_SEARCH)

# What switches which of them on; programs can always call these tools.
_SWITCHES: Final = {Exposure.CODEMODE: CODEMODE, Exposure.DEFERRED: TOOL_SEARCH}

_NEAR_NAMES: Final = 3


class Mode(StrEnum):
    """What of the tools that programs can call the model is declared as well."""

    ON = "on"  # they stay, and say how programs call them
    ONLY = "only"  # they are hidden from the model, unless `tool_search` has loaded them


@dataclass(frozen=True, slots=True)
class Declared:
    """A tool that the model is declared.

    Attributes:
        is_callable: Programs can call it too; the declaration then says how.
    """

    tool: Tool
    is_callable: bool


@dataclass(frozen=True, slots=True)
class Selection:
    """The tools of one session.

    Attributes:
        tools: Everything the session may know of, by name; hidden tools are not among them.
        active: Names of what is selected or loaded, `codemode` and `tool_search` among them.
        loaded: Names that `tool_search` has loaded, in that order.
    """

    tools: tuple[Tool, ...]
    active: frozenset[str]
    loaded: tuple[str, ...]
    mode: Mode

    @property
    def has_codemode(self) -> bool:
        return CODEMODE in self.active

    @property
    def has_tool_search(self) -> bool:
        return TOOL_SEARCH in self.active

    @property
    def callable(self) -> tuple[Tool, ...]:
        """What programs can call; nothing while there is no `codemode` to run them."""
        return tuple(filter(self.is_callable, self.tools)) if self.has_codemode else ()

    @property
    def declared(self) -> tuple[Declared, ...]:
        """What the model is declared beside `codemode` and `tool_search`."""
        programs = set(self.callable)
        return tuple(
            Declared(tool, tool in programs)
            for tool in self.tools
            if tool.name in self.active
            and (self.mode is Mode.ON or tool not in programs or tool.name in self.loaded)
        )

    @property
    def loadable(self) -> tuple[Tool, ...]:
        """What `tool_search` may still load."""
        return tuple(
            tool
            for tool in self.tools
            if tool.exposure in _SWITCHES and tool.name not in self.active
        )

    def is_callable(self, tool: Tool) -> bool:
        if tool.exposure is Exposure.DIRECT:
            return tool.name in self.active
        return tool.exposure in _SWITCHES

    def load(self, names: Iterable[str]) -> Selection:
        """The selection with these names active too; those that may not be loaded change nothing.

        It widens no right: programs could call them before.
        """
        may = {tool.name for tool in self.loadable}
        new = tuple(dict.fromkeys(name for name in names if name in may))
        return replace(self, active=self.active | set(new), loaded=(*self.loaded, *new))


def select(
    tools: Iterable[Tool],
    rules: Sequence[str] = (),
    *,
    defaults: Sequence[str] | None = None,
    mode: Mode = Mode.ON,
    parent: Selection | None = None,
) -> Selection:
    """The selection that rules make of a session's tools.

    Args:
        rules: `name` only: these instead of the defaults. `+name` and `-name`: the defaults with
            and without it, in this order.
        defaults: Names a profile selects; without a profile every `direct` tool.
        parent: The session cannot reach more than this one can.

    Raises:
        UsageError: Plain and signed rules are mixed, one names no tool there is, or a tool has the
            name of one of the model's own; says which.
    """
    tools = tuple(tools)
    for tool in tools:
        if tool.name in _OWN and tool.exposure is not Exposure.MODEL_ONLY:
            raise UsageError(f"the name {tool.name!r} is the model's own; rename that tool")
    known = tuple(sorted(_reachable(tools, parent), key=lambda tool: tool.name))
    names = {tool.name for tool in known} | _own_names(parent)
    if defaults is None:
        defaults = [tool.name for tool in known if tool.exposure is Exposure.DIRECT]
    active = _applied(rules, {name for name in defaults if name in names}, names)
    excluded = _last_signs(rules)
    for tool in known:
        switch = _SWITCHES.get(tool.exposure)
        if switch in names and excluded.get(switch) != "-":
            active.add(switch)
    return Selection(known, frozenset(active), (), mode)


def require_idle(*, is_running: bool, has_queued: bool) -> None:
    """Whether selection or mode of a session may change now (spec M-6).

    Raises:
        UsageError: A run is active, or input is waiting; says which.
    """
    if is_running:
        raise UsageError("tools and mode of a session cannot change while a run is active")
    if has_queued:
        raise UsageError("tools and mode of a session cannot change while input is queued")


def how_to_call(identifier: str) -> str:
    """The sentence for the declaration of a tool that programs can call too."""
    return f"In a program of `{CODEMODE}`: `await tools.{identifier}(…)`."


def _reachable(tools: Iterable[Tool], parent: Selection | None) -> Iterable[Tool]:
    """What may be known of at all: nothing hidden, and nothing the parent does not reach."""
    reach = None
    if parent is not None:
        reach = {tool.name for tool in (*parent.callable, *parent.loadable)} | parent.active
    for tool in tools:
        if tool.exposure is not Exposure.HIDDEN and (reach is None or tool.name in reach):
            yield tool


def _own_names(parent: Selection | None) -> frozenset[str]:
    return frozenset(_OWN) if parent is None else parent.active & frozenset(_OWN)


def _applied(
    rules: Sequence[str], defaults: set[str], names: set[str] | frozenset[str]
) -> set[str]:
    signed = [rule for rule in rules if rule[:1] in {"+", "-"}]
    if signed and len(signed) < len(rules):
        raise UsageError(
            f"rules are either all signed (+name, -name) or all plain names, not mixed: "
            f"{', '.join(rules)}"
        )
    for rule in rules:
        name = rule[1:] if signed else rule
        if name not in names:
            raise UsageError(_unknown(name, names))
    if not signed:
        return set(rules) if rules else set(defaults)
    active = set(defaults)
    for rule in rules:
        (active.add if rule[0] == "+" else active.discard)(rule[1:])
    return active


def _last_signs(rules: Sequence[str]) -> dict[str, str]:
    return {rule[1:]: rule[0] for rule in rules if rule[:1] in {"+", "-"}}


def _unknown(name: str, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, sorted(names), n=_NEAR_NAMES)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"there is no tool {name!r:.100} to select{hint}"
