"""Every hostile program on the real pool, in a process of its own and in one used before."""

from __future__ import annotations

from typing import Any

import pytest
from attacking import HOST_CHECKS, Range
from corpus import Scenario, load_programs, scenarios

ALL = load_programs()


@pytest.fixture(params=["single_use", "reuse"])
def range_(request: pytest.FixtureRequest) -> Range:
    range_: Range = request.getfixturevalue(request.param)
    return range_


@pytest.mark.parametrize("scenario", scenarios(ALL), ids=lambda each: "+".join(p.id for p in each))
def test_the_program_ends_as_pinned_and_the_pool_serves_on(scenario: Scenario, range_: Range):
    store: dict[str, Any] = {}
    for program in scenario:
        outcome = range_.fire(program, store)

        assert program.faults(outcome) == [], outcome
        for check in program.host_checks:
            assert HOST_CHECKS[check](outcome), f"{check}: {outcome}"
        store |= outcome.store.set

    assert range_.is_alive()
    assert range_.leftovers() == []
