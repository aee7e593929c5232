from __future__ import annotations

import pytest

from pool.tools.exposure import Exposure, Exposures


def test_m4_a_tool_that_no_rule_names_has_the_default() -> None:
    assert Exposures(Exposure.CODEMODE).of("read") is Exposure.CODEMODE


def test_m4_an_exact_name_beats_a_pattern_that_stands_before_it() -> None:
    exposures = Exposures.parse("codemode", {"read_*": "hidden", "read_file": "direct"})

    assert exposures.of("read_file") is Exposure.DIRECT
    assert exposures.of("read_text") is Exposure.HIDDEN


def test_m4_of_several_patterns_the_first_that_matches_counts() -> None:
    exposures = Exposures.parse("codemode", {"*_file": "hidden", "read_*": "direct"})

    assert exposures.of("read_file") is Exposure.HIDDEN


def test_the_case_of_a_pattern_counts() -> None:
    assert Exposures.parse("direct", {"read*": "hidden"}).of("Read") is Exposure.DIRECT


def test_a_name_with_the_signs_of_a_pattern_is_still_an_exact_name() -> None:
    exposures = Exposures.parse("direct", {"?": "hidden", "a[b]": "deferred"})

    assert exposures.of("a[b]") is Exposure.DEFERRED


@pytest.mark.parametrize(("default", "rules"), [("open", {}), ("direct", {"x": "open"})])
def test_a_word_that_is_no_exposure_is_refused_with_those_there_are(
    default: str, rules: dict[str, str]
) -> None:
    with pytest.raises(ValueError, match=r"'open' is no exposure; there are direct, codemode"):
        Exposures.parse(default, rules)
