from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from listening_servers import listening, tool_file


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    return tool_file(tmp_path)


@pytest.fixture
def address(tools: Path) -> Iterator[str]:
    with listening(tools) as url:
        yield url
