"""What an MCP client is shown: the text that declares `codemode`, and the direct tools. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Self

from pool.program.render import CHARS_PER_TOKEN
from pool.tools.catalog import Catalog
from pool.tools.exposure import Exposure
from pool.tools.tool import Tool

CODEMODE: Final = "codemode"

# What the documentation of tools may cost the client in every request (spec M-3).
DEFAULT_INLINE_TOKENS: Final = 3_000

# What a program reaches. Nothing is said to a client of tools that are hidden or the model's own.
CALLABLE: Final = frozenset({Exposure.DIRECT, Exposure.CODEMODE, Exposure.DEFERRED})

CODEMODE_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "code": {"type": "string", "description": "Body of an async JavaScript function."}
    },
    "required": ["code"],
    "additionalProperties": False,
}

_INTRODUCTION: Final = """\
Runs a JavaScript program in a sandbox and returns what it chose to output. `code` is the body of \
an async function: top-level `await` and `return` work. No network, no files, no imports, no timers.
`await tools.name({...})` calls a tool; independent calls overlap with `Promise.all`. \
`text(value)` and `image(block)` output, `return` gives the result, `console.log` a log. \
`store(key, value)` and `load(key)` keep JSON values between programs of this connection. \
`await searchTools(query)` and `await describeTool(name)` find tools. Process large results in \
the program and output only what is needed."""


class Mode(StrEnum):
    """Whether direct tools stand beside `codemode` (spec M-2)."""

    ON = "on"
    ONLY = "only"


@dataclass(frozen=True, slots=True)
class Direct:
    """A tool that is a tool of the server as well.

    Attributes:
        description: Its own, and how programs call it (spec M-2).
    """

    tool: Tool
    description: str


@dataclass(frozen=True, slots=True)
class Offer:
    """What every client of one server is offered.

    Attributes:
        callable: Tools that programs may call.
        declared: Those of them that are tools of the server as well.
        description: Of `codemode`.
    """

    callable: tuple[Tool, ...]
    declared: tuple[Direct, ...]
    description: str

    @classmethod
    def of(cls, tools: Iterable[Tool], mode: Mode, inline_tokens: int) -> Self:
        """The offer over these tools.

        Args:
            inline_tokens: Budget of the documentation, four characters each; 0 gives none of it.

        Raises:
            ToolDefinitionError: Two tools have the same canonical name.
        """
        usable = tuple(tool for tool in tools if tool.exposure in CALLABLE)
        catalog = Catalog(usable)
        spelled = {entry.name: entry.identifier for entry in catalog.entries}
        declared = tuple(
            Direct(tool, _how_to_call(tool, spelled[tool.name]))
            for tool in usable
            if mode is Mode.ON and tool.exposure is Exposure.DIRECT
        )
        described = spelled.keys() - {direct.tool.name for direct in declared}
        documentation = _documentation(catalog, described, inline_tokens * CHARS_PER_TOKEN)
        return cls(usable, declared, f"{_INTRODUCTION}\n\n{documentation}".rstrip())


def _how_to_call(tool: Tool, identifier: str) -> str:
    call = f"In {CODEMODE} programs: await tools.{identifier}({{…}})"
    return f"{tool.description}\n\n{call}".lstrip()


def _documentation(catalog: Catalog, names: Set[str], budget: int) -> str:
    """The tools of these canonical names, cheapest first: in full, as signature, as name, counted.

    Args:
        budget: Characters.
    """
    if not names:
        return ""
    signatures = catalog.signatures()
    wanted = [entry for entry in catalog.entries if entry.name in names]
    full = {entry: catalog.describe(entry.identifier) or "" for entry in wanted}
    parts, left, missing = [], budget, 0
    for entry in sorted(wanted, key=lambda each: (len(full[each]), each.identifier)):
        forms = (
            full[entry],
            f"tools.{entry.identifier}: {signatures[entry.identifier]}",
            f"tools.{entry.identifier}",
        )
        fitting = next((form for form in forms if len(form) < left), None)
        if fitting is None:
            missing += 1
        else:
            parts.append(fitting)
            left -= len(fitting) + 1
    if missing:
        parts.append(f"{missing} more tools are found with searchTools.")
    else:
        parts.append("These are all tools that are not declared elsewhere.")
    return "\n".join(parts)
