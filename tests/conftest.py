"""What every test shares: the two event loops. Rooms keep their own fixtures beside their tests."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

import pytest


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Every test marked `anyio` runs once under each event loop that the core supports."""
    return str(request.param)


@pytest.fixture(scope="session", autouse=True)
def temporary_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Outcomes that no test closes leave nothing behind: some have 16 million characters."""
    tmp_path_factory.getbasetemp()  # pytest's own directory stays where it is
    before = tempfile.tempdir
    with tempfile.TemporaryDirectory(prefix="codepool-tests-") as directory:
        tempfile.tempdir = directory
        yield
        tempfile.tempdir = before
