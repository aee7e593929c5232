"""`codepool tools`: what the sources offer, as a program would find it.

Tools that are hidden are hidden here, too: what this command shows may end up in front of a model.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from typing import Annotated, Any, NoReturn, TypeAlias

import anyio
import typer

from pool.cli.exits import ExitCode, WrongUse, complain
from pool.cli.result import write
from pool.cli.sources import (
    AllowBash,
    ApiFiles,
    McpFiles,
    Named,
    ToolFiles,
    Workspace,
    named_sources,
    opened,
)
from pool.errors import UsageError
from pool.tools.catalog import DEFAULT_RESULTS, Catalog
from pool.tools.exposure import Exposure
from pool.tools.names import identifier
from pool.tools.ranking import Index
from pool.tools.searchable import document
from pool.tools.tool import Tool

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Look at tools.")

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@dataclass(frozen=True, slots=True)
class Row:
    """One tool of the list."""

    identifier: str
    name: str
    namespace: str | None
    exposure: str
    summary: str


@dataclass(frozen=True, slots=True)
class Hit:
    """One tool that fits a query."""

    identifier: str
    name: str
    summary: str
    is_weak: bool


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that a model or a program may stumble over."""

    name: str
    problem: str


@app.command("list")
def list_tools(
    tools: ToolFiles = None,
    workspace: Workspace = None,
    allow_bash: AllowBash = False,
    mcp: McpFiles = None,
    openapi: ApiFiles = None,
    as_json: AsJson = False,
) -> None:
    """Print every tool: identifier, canonical name, namespace, exposure, first line."""
    rows = list(_rows(_open(tools, workspace, allow_bash, mcp, openapi).tools))
    if as_json:
        return write(json.dumps([asdict(row) for row in rows], ensure_ascii=False))
    write("\n".join(_line(row) for row in rows))


@app.command()
def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What the tool should do.")],
    tools: ToolFiles = None,
    workspace: Workspace = None,
    allow_bash: AllowBash = False,
    mcp: McpFiles = None,
    openapi: ApiFiles = None,
    limit: Annotated[
        int, typer.Option(metavar="N", help="Most tools to print.", min=1)
    ] = DEFAULT_RESULTS,
    as_json: AsJson = False,
) -> None:
    """Print the tools that fit a query, best first, as searchTools() finds them.

    Those that hold little of what was asked are marked as weak.

    Exit code: 0 also when nothing fits.
    """
    found = list(_found(_open(tools, workspace, allow_bash, mcp, openapi).tools, query, limit))
    if as_json:
        return write(json.dumps([asdict(hit) for hit in found], ensure_ascii=False))
    write("\n".join(_hit(hit) for hit in found) or "nothing fits")


@app.command()
def describe(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Identifier or canonical name.")],
    tools: ToolFiles = None,
    workspace: Workspace = None,
    allow_bash: AllowBash = False,
    mcp: McpFiles = None,
    openapi: ApiFiles = None,
    as_json: AsJson = False,
) -> None:
    """Print the TypeScript declaration of one tool, as describeTool() gives it.

    Exit code: 0, or 2 when there is no such tool.
    """
    declared = Catalog(_open(tools, workspace, allow_bash, mcp, openapi).tools).describe(name)
    if declared is None:
        _refuse(f"no tool is called {name!r}; `codepool tools list` prints those there are")
    written = {"name": name, "declaration": declared}
    write(json.dumps(written, ensure_ascii=False) if as_json else declared)


@app.command()
def check(
    tools: ToolFiles = None,
    workspace: Workspace = None,
    allow_bash: AllowBash = False,
    mcp: McpFiles = None,
    openapi: ApiFiles = None,
    as_json: AsJson = False,
) -> None:
    """Print which names, descriptions and schemas are troublesome.

    Exit code: 0 none is, 1 one is.
    """
    seen = _open(tools, workspace, allow_bash, mcp, openapi)
    troubles = [*seen.troubles, *troubles_of(seen.tools)]
    if as_json:
        write(json.dumps([asdict(trouble) for trouble in troubles], ensure_ascii=False))
    else:
        write("\n".join(f"{each.name}: {each.problem}" for each in troubles) or "nothing found")
    raise typer.Exit(ExitCode.FAILED if troubles else ExitCode.COMPLETED)


def troubles_of(tools: Sequence[Tool]) -> Iterator[Trouble]:
    """What may be stumbled over, tool by tool."""
    for entry, tool in zip(Catalog(tools, for_programs=False).entries, tools, strict=True):
        plain = identifier(tool.name)
        if entry.identifier != plain:
            yield Trouble(tool.name, f"collides with another name: programs see {entry.identifier}")
        elif plain != tool.name:
            yield Trouble(tool.name, f"is no identifier: programs see {plain}")
        if not tool.description.strip():
            yield Trouble(tool.name, "has no description: a search finds it by its name only")
        if tool.input_schema is None:
            yield Trouble(tool.name, "has no input schema: any argument is handed over")
        else:
            yield from (Trouble(tool.name, each) for each in _untyped(tool.input_schema))


def _untyped(schema: Any) -> Iterator[str]:
    properties = schema.get("properties")
    for name, part in properties.items() if isinstance(properties, dict) else ():
        # `title` and `description` say nothing of what is accepted.
        if part is True or (isinstance(part, dict) and part.keys() <= {"title", "description"}):
            yield f"argument {name!r:.80} has no type: the model is told `unknown`"


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the sources had to tell when they were asked; hidden tools are left out."""

    tools: tuple[Tool, ...]
    troubles: tuple[Trouble, ...]


def _open(
    files: ToolFiles, workspace: Workspace, allow_bash: bool, mcp: McpFiles, openapi: ApiFiles
) -> _Seen:
    try:
        with redirect_stdout(sys.stderr):
            named = named_sources(files, workspace, mcp, openapi, allow_bash=allow_bash)
        if named.is_empty:
            raise WrongUse(
                "no source of tools; name one with --tools, --workspace, --mcp or --openapi"
            )
        return anyio.run(_look, named)
    except (WrongUse, UsageError) as error:
        _refuse(error)


async def _look(named: Named) -> _Seen:
    async with opened(named) as sources:
        troubles = []
        if sources.servers is not None:
            troubles += [
                Trouble(name, f"is not connected: {why}")
                for name, why in sources.servers.reasons.items()
            ]
            troubles += [
                Trouble(name, fault)
                for name, faults in sources.servers.faults.items()
                for fault in faults
            ]
        troubles += [
            Trouble(name, f"{each.operation} is no tool: {each.reason}")
            for name, skipped in sources.skipped.items()
            for each in skipped
        ]
        tools = tuple(tool for tool in sources.tools if tool.exposure is not Exposure.HIDDEN)
        return _Seen(tools, tuple(troubles))


def _refuse(message: object) -> NoReturn:
    complain(message)
    raise typer.Exit(ExitCode.WRONG_USE)


def _rows(tools: Sequence[Tool]) -> Iterator[Row]:
    for entry, tool in zip(Catalog(tools, for_programs=False).entries, tools, strict=True):
        yield Row(
            entry.identifier,
            tool.name,
            tool.namespace,
            str(tool.exposure),
            _summary(tool.description),
        )


def _found(tools: Sequence[Tool], query: str, limit: int) -> Iterator[Hit]:
    if not query.strip():
        _refuse("the query is empty")
    rows = {row.name: row for row in _rows(tools)}
    index = Index({tool.name: document(tool) for tool in tools})
    for match in index.search(query, limit=limit).matches:
        row = rows[match.key]
        yield Hit(row.identifier, row.name, row.summary, match.is_weak)


def _hit(hit: Hit) -> str:
    return f"{hit.identifier}  {hit.summary}".rstrip() + ("  (weak)" if hit.is_weak else "")


def _line(row: Row) -> str:
    return "  ".join(
        (row.identifier, row.name, row.namespace or "-", row.exposure, row.summary)
    ).rstrip()


def _summary(description: str) -> str:
    return description.strip().partition("\n")[0]
