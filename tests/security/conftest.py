"""Two pools for all attacks: one process per run, and one process for all runs of a tenant."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from attacking import Range, open_range


@pytest.fixture(scope="module")
def secret_of_the_host() -> Iterator[None]:
    """Something in the host's environment that no program may ever show."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET_TOKEN", "s3cr3t")
        yield


@pytest.fixture(scope="module")
def single_use(secret_of_the_host: None) -> Iterator[Range]:
    with open_range(tenant=None, spares=1) as range_:
        yield range_


@pytest.fixture(scope="module")
def reuse(secret_of_the_host: None) -> Iterator[Range]:
    with open_range(tenant="attacker", spares=0) as range_:
        yield range_
