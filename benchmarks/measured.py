"""One measurement: samples in one unit, errors beside them, and how samples become figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Measured:
    """What a subject saw.

    Attributes:
        samples: One number per observation, in the unit of the scenario.
        errors: Observations that failed; they have no sample.
        per_second: Sustained rate, where the scenario is about one.
        facts: Whatever a reader needs to judge the samples.
    """

    samples: list[float] = field(default_factory=list)
    errors: int = 0
    per_second: float | None = None
    facts: dict[str, object] = field(default_factory=dict)


def quantile(samples: Sequence[float], share: float) -> float | None:
    """The sample below which `share` of all samples lie (nearest rank); None without samples."""
    if not samples:
        return None
    rank = max(1, math.ceil(share * len(samples)))
    return sorted(samples)[rank - 1]
