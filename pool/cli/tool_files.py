"""Tools out of Python files given on the command line.

A tool file is trusted code of the user: it is imported like any module, once, and every `Tool` at
its top level can be called by the program. Nothing is searched for; only files that were named
are loaded.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb

from pool.cli.exits import WrongUse
from pool.tools.tool import Tool


def load_tools(path: Path) -> list[Tool]:
    """Import one file and take its module-level tools, in the order they were assigned.

    Raises:
        WrongUse: The file is missing, raises while it is imported, or defines no tool.
    """
    if not path.is_file():
        raise WrongUse(f"--tools {path}: no such file")
    namespace = _import(path)
    tools = {id(value): value for value in namespace.values() if isinstance(value, Tool)}
    if not tools:
        raise WrongUse(f"--tools {path}: defines no tool; put @tool on a function")
    return list(tools.values())


def check_names(tools: Iterable[Tool]) -> None:
    """Refuse two tools of one name: a program could reach only one of them.

    Raises:
        WrongUse: Names the tool.
    """
    seen: set[str] = set()
    for tool in tools:
        if tool.name in seen:
            raise WrongUse(f"two tools are called {tool.name!r}; give one of them another name")
        seen.add(tool.name)


def _import(path: Path) -> dict[str, object]:
    spec = spec_from_file_location(f"codepool_tools_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise WrongUse(f"--tools {path}: is not a Python file")
    module = module_from_spec(spec)
    # Annotations are resolved through sys.modules, and a tool file may import its neighbours.
    sys.modules[spec.name] = module
    sys.path.append(str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise WrongUse(f"--tools {path}: {_where(error, path)}") from error
    return vars(module)


def _where(error: BaseException, path: Path) -> str:
    lines = [
        frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(path)
    ]
    place = f"line {lines[-1]}: " if lines else ""
    return f"{place}{type(error).__name__}: {error}"
