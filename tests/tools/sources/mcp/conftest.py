"""Servers for the tests of this room: programs of our own, started as a user's would be."""

from __future__ import annotations

from typing import Any

import pytest

pytest.register_assert_rewrite("live_servers")


@pytest.fixture
def context() -> Any:
    """Takes the reports of a call, as the host's `ToolContext` does."""

    class Reports(list[Any]):
        def progress(self, *report: Any) -> None:
            self.append(report)

    return Reports()
