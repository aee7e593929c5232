"""Workers for the tests of the guest runtime: one to share, or one of a test's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from driver import Worker, worker


@pytest.fixture(scope="session")
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Deno's directory for the session, so that only the first worker boots cold."""
    return str(tmp_path_factory.mktemp("deno"))


@pytest.fixture
def own_worker(cache_dir: str) -> Iterator[Worker]:
    """A worker for a test that breaks it, or that looks at its whole life."""
    with worker(cache_dir) as child:
        yield child


@pytest.fixture(scope="module")
def shared(cache_dir: str) -> Iterator[Worker]:
    """One worker for the programs of a module, one after the other, each in a fresh realm."""
    with worker(cache_dir) as child:
        yield child
