"""What every test shares: the two event loops. Rooms keep their own fixtures beside their tests."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Every test marked `anyio` runs once under each event loop that the core supports."""
    return str(request.param)
