"""`@earendil-works/pi-codemode` as a peer: which rows it can be asked, and what it answers."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from pool.conformance.rows import Row

PACKAGE: Final = "@earendil-works/pi-codemode"
PROGRAM: Final = Path(__file__).with_suffix(".mjs")

# All rows take three minutes on a busy machine; each has a limit of its own in the program.
RUN_S: Final = 1200

LIMITS: Final = {"timeout_ms", "memory_mib"}
NOT_JSON: Final = re.compile(r'"\$(bytes|number)":')
CATALOGUE: Final = re.compile(r"\b(searchTools|describeTool|describeNamespace)\b")
CONSOLE: Final = re.compile(r"\bconsole\.(?!(log|info|warn|error|debug)\b)\w")


def beyond(row: Row) -> str | None:
    """What the row uses that the package has nothing like; None when it can be asked."""
    if row.limits.keys() - LIMITS:
        return "a limit on a size or a number, set by the host"
    if any(tool.timeout_ms for tool in row.tools):
        return "a time limit of one tool"
    if NOT_JSON.search(_asked(row)):
        return "bytes or non-finite numbers in a tool's result"
    if CATALOGUE.search(row.source):
        return "`searchTools`, `describeTool` or `describeNamespace`"
    if CONSOLE.search(row.source):
        return "a method of the console other than `log`, `info`, `warn`, `error`, `debug`"
    return None


def outcomes(rows: Iterable[Row], directory: Path) -> Mapping[str, Any]:
    """What the package makes of each row: documents for `pool.conformance.expect`, by id.

    Args:
        directory: Where npm installed it.

    Raises:
        OSError: There is no `node`.
        subprocess.SubprocessError: It failed, or was not done after `RUN_S`.
    """
    done = subprocess.run(
        ["node", PROGRAM, directory],
        input="\n".join(map(_asked, rows)).encode(),
        stdout=subprocess.PIPE,
        timeout=RUN_S,
        check=True,
    )
    answers = map(json.loads, done.stdout.splitlines())
    return {answer["id"]: answer["outcome"] for answer in answers}


def _asked(row: Row) -> str:
    """The row as it is in the file, without what is expected."""
    return row.model_dump_json(exclude={"expect"}, exclude_unset=True)


def versions(directory: Path) -> str:
    """The package's version, the Node.js that is here and the one the package asks for."""
    manifest = directory / "node_modules" / PACKAGE / "package.json"
    package = json.loads(manifest.read_text(encoding="utf-8"))
    node = subprocess.run(["node", "--version"], stdout=subprocess.PIPE, check=True, timeout=60)
    wanted = package["engines"]["node"]
    return f"{PACKAGE} {package['version']}, Node.js {node.stdout.decode()[1:-1]} (wants {wanted})"
