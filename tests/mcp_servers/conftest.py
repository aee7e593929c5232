"""Reference servers of the npm registry; `make test` installs them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pool.tools.sources.mcp import ServerConfig, StdioLaunch

BINARIES = Path(__file__).parents[2] / ".venv" / "npm" / "node_modules" / ".bin"

Reference = Callable[..., ServerConfig]


@pytest.fixture
def reference() -> Reference:
    """The configuration of a reference server: `reference("memory", environment)`."""

    def configured(name: str, *arguments: str, **environment: Any) -> ServerConfig:
        program = BINARIES / f"mcp-server-{name}"
        assert program.exists(), f"{program} is missing; `make test` installs it"
        return ServerConfig(name, StdioLaunch(str(program), arguments, environment))

    return configured
