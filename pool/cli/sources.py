"""What `--tools` and `--workspace` name, opened: the same for every command."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pool.cli.exits import WrongUse
from pool.cli.tool_files import check_names, load_tools
from pool.tools.tool import Tool
from pool.tools.workspace import workspace_tools

ToolFiles: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option("--tools", metavar="FILE.py", help="Offer the tools of a Python file."),
]
Workspace: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Offer read, ls, find and grep inside a directory."),
]
AllowBash: TypeAlias = Annotated[
    bool, typer.Option("--allow-bash", help="With --workspace: offer bash, unconfined.")
]


def gather_tools(
    files: Sequence[Path] | None, workspace: Path | None, *, allow_bash: bool
) -> tuple[Tool, ...]:
    """The tools of all sources, in the order they were named.

    Raises:
        WrongUse: A source cannot be used, or two tools have one name.
    """
    if allow_bash and workspace is None:
        raise WrongUse("--allow-bash needs --workspace, the directory in which bash starts")
    if workspace is not None and not workspace.is_dir():
        raise WrongUse(f"--workspace {workspace}: no such directory")
    tools = [tool for file in files or () for tool in load_tools(file)]
    if workspace is not None:
        tools += workspace_tools(workspace, allow_bash=allow_bash)
    check_names(tools)
    return tuple(tools)
