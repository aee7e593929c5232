"""The reference servers of the protocol, from npm: installed once, into the environment."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from pool.tools.sources.mcp import ServerConfig, StdioLaunch

# They are released together.
VERSION: Final = "2026.8.31"
SERVERS: Final = ("filesystem", "everything", "memory")

# On a cold cache and a slow line.
INSTALL_S: Final = 300

Reference = Callable[..., ServerConfig]


@pytest.fixture(scope="session")
def modules() -> Path:
    """The `node_modules` that holds the servers. Fails without npm: nothing is skipped."""
    home = Path(sys.prefix) / "mcp_servers"
    modules = home / "node_modules"
    if any(_installed(modules, name) != VERSION for name in SERVERS):
        npm = shutil.which("npm")
        assert npm, "the reference servers need Node.js and npm"
        home.mkdir(exist_ok=True)
        packages = [f"@modelcontextprotocol/server-{name}@{VERSION}" for name in SERVERS]
        flags = ["--no-save", "--no-audit", "--no-fund", "--prefer-offline"]
        command = [npm, "install", "--prefix", str(home), *flags, *packages]
        subprocess.run(command, check=True, timeout=INSTALL_S, capture_output=True)
    return modules


def _installed(modules: Path, name: str) -> str | None:
    try:
        package = (modules / f"@modelcontextprotocol/server-{name}" / "package.json").read_text()
    except FileNotFoundError:
        return None
    return str(json.loads(package)["version"])


@pytest.fixture
def reference(modules: Path) -> Reference:
    """The configuration of a reference server."""
    node = shutil.which("node")
    assert node, "the reference servers need Node.js"

    def config(name: str, *arguments: str, **env: str) -> ServerConfig:
        script = modules / f"@modelcontextprotocol/server-{name}" / "dist" / "index.js"
        return ServerConfig(name, StdioLaunch(node, (str(script), *arguments), env))

    return config
