"""What one MCP client is shown: `codemode`, `tool_search` and what its selection declares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pool.tools.catalog import Catalog
from pool.tools.exposure import Exposure
from pool.tools.inline import Inlined, inline
from pool.tools.namespace import Namespace
from pool.tools.selection import (
    CODEMODE,
    TOOL_SEARCH,
    Declared,
    Mode,
    Selection,
    how_to_call,
    select,
)
from pool.tools.sources.opened import Sources
from pool.tools.tool_search import DESCRIPTION, INPUT_SCHEMA

# What the documentation of tools may cost the client in every request (spec M-3).
DEFAULT_INLINE_TOKENS: Final = 3_000

_CODEMODE_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "code": {"type": "string", "description": "Body of an async JavaScript function."}
    },
    "required": ["code"],
    "additionalProperties": False,
}

# MCP wants an object at the root.
_ANYTHING: Final[Mapping[str, Any]] = {"type": "object"}

_INTRODUCTION: Final = """\
Runs a JavaScript program in a sandbox and returns what it chose to output. `code` is the body of \
an async function: top-level `await` and `return` work. No network, no files, no imports, no timers.
`await tools.name({...})` calls a tool; independent calls overlap with `Promise.all`. \
`text(value)` and `image(block)` output, `return` gives the result, `console.log` a log. \
`store(key, value)` and `load(key)` keep JSON values between programs of this connection. \
`await searchTools(query)` and `await describeTool(name)` find tools. Process large results in \
the program and output only what is needed."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One tool of the server."""

    name: str
    description: str
    input_schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Settings:
    """What every client of the server is offered, of sources that may change.

    Attributes:
        rules: Without any: the direct tools and `codemode`.
        inline_tokens: Budget of the documentation in the description of `codemode`.
    """

    sources: Sources
    rules: tuple[str, ...] = ()
    mode: Mode = Mode.ON
    inline_tokens: int = DEFAULT_INLINE_TOKENS

    def offer(self, loaded: Iterable[str] = ()) -> Offer:
        """The offer of this moment. Rules that name what is not there now are passed over.

        Args:
            loaded: What the client's searches have loaded; what is gone is passed over.
        """
        known = {tool.name for tool in self._select(()).tools} | {CODEMODE, TOOL_SEARCH}
        rules = [rule for rule in self.rules if rule.removeprefix("+").removeprefix("-") in known]
        # Plain names stand in place of the defaults also when none of them is left.
        selection = self._select(rules) if rules or not self.rules else self._select((), ())
        return Offer(selection.load(loaded), self.sources.namespaces, self.inline_tokens)

    def check(self) -> None:
        """Hold the rules against what is there now.

        Raises:
            UsageError: A rule is not usable; says why.
        """
        self._select(self.rules)

    def _select(self, rules: Sequence[str], defaults: Sequence[str] | None = None) -> Selection:
        tools = self.sources.tools
        if defaults is None:
            direct = [tool.name for tool in tools if tool.exposure is Exposure.DIRECT]
            defaults = [*direct, CODEMODE]
        return select(tools, rules, defaults=defaults, mode=self.mode)


@dataclass(frozen=True, slots=True)
class Offer:
    """What one client is offered now."""

    selection: Selection
    namespaces: tuple[Namespace, ...]
    inline_tokens: int

    def with_selection(self, selection: Selection) -> Offer:
        return replace(self, selection=selection)

    def shown(self) -> list[Shown]:
        """The tools of the server, its own first."""
        entries = Catalog(self.selection.callable).entries
        spelled = {entry.name: entry.identifier for entry in entries}
        declared = [
            _declared(each, spelled)
            for each in self.selection.declared
            if each.tool.name not in (CODEMODE, TOOL_SEARCH)
        ]
        own = []
        if self.selection.has_codemode:
            own.append(Shown(CODEMODE, self._description(spelled), _CODEMODE_SCHEMA))
        if self.selection.has_tool_search:
            own.append(Shown(TOOL_SEARCH, DESCRIPTION, INPUT_SCHEMA))
        return [*own, *declared]

    def declares(self, name: str) -> bool:
        """Whether a tool of this canonical name is a tool of the server, beside its own two."""
        return any(each.tool.name == name for each in self.selection.declared)

    def _description(self, spelled: Mapping[str, str]) -> str:
        elsewhere = {each.tool.name for each in self.selection.declared}
        if self.selection.mode is Mode.ONLY:
            elsewhere.clear()  # there, the text is about all tools that programs call
        inlined = [
            Inlined(
                identifier=spelled[tool.name],
                description=tool.description,
                input_schema=tool.input_schema,
                output_schema=tool.output_schema,
                namespace=tool.namespace,
            )
            for tool in self.selection.callable
            if tool.name not in elsewhere
        ]
        documented = inline(inlined, budget_tokens=self.inline_tokens, namespaces=self.namespaces)
        return f"{_INTRODUCTION}\n\n{documented}".rstrip()


def _declared(declared: Declared, spelled: Mapping[str, str]) -> Shown:
    tool = declared.tool
    parts = [tool.description]
    if declared.is_callable:
        parts.append(how_to_call(spelled[tool.name]))
    schema = {**_ANYTHING, **(tool.input_schema or {})}
    return Shown(tool.name, "\n\n".join(filter(None, parts)), schema)
