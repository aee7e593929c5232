"""Tools on one directory: `read`, `ls`, `find`, `grep`, and `bash` where it is allowed.

The first four see what lies beneath the directory and nothing else (`beneath.py` says how), change
nothing and bound what they read and return; `read` also opens the files that a host names one by
one (`named.py`). `bash` is not confined at all.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from pool.tools.tool import Tool
from pool.tools.workspace import bash, grep, listing, reading
from pool.tools.workspace.beneath import Workspace
from pool.tools.workspace.named import NamedFiles

__all__ = ["NamedFiles", "workspace_tools"]


def workspace_tools(
    root: Path, *, allow_bash: bool = False, named: NamedFiles | None = None
) -> list[Tool]:
    """Tools on the directory `root`.

    Args:
        root: An existing directory. Links on the way to it are followed once, now.
        allow_bash: Add `bash`, which can do whatever this process can.
        named: What `read` opens beside; the host adds to it the full outputs of its session.

    Raises:
        NotADirectoryError: `root` is not a directory.
    """
    resolved = root.resolve()
    if not resolved.is_dir():
        raise NotADirectoryError(f"{root} is not a directory")
    workspace = Workspace(str(resolved))
    named = NamedFiles() if named is None else named
    tools = [
        Tool(name="read", handler=partial(reading.read, workspace, named), **reading.READ),
        Tool(name="ls", handler=partial(listing.ls, workspace), **listing.LS),
        Tool(name="find", handler=partial(listing.find, workspace), **listing.FIND),
        Tool(name="grep", handler=partial(grep.grep, workspace), **grep.GREP),
    ]
    if allow_bash:
        tools.append(Tool(name="bash", handler=partial(bash.run, workspace), **bash.BASH))
    return tools
