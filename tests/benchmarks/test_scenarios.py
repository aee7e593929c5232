"""The benchmarks can be trusted: scenarios are sound, figures are right, errors count."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import machine, report
from benchmarks.measured import quantile
from benchmarks.scenarios import SCENARIOS
from benchmarks.subjects import SUBJECTS

ROOT = Path(__file__).parents[2]


def test_names_of_scenarios_are_unique():
    names = [scenario.name for scenario in SCENARIOS]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_scenario_names_a_subject_and_options_it_takes(scenario):
    inspect.signature(SUBJECTS[scenario.subject]).bind(scenario.count, **scenario.options)


def test_every_subject_is_used():
    assert {scenario.subject for scenario in SCENARIOS} == set(SUBJECTS)


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_a_quantile_is_a_sample_with_the_right_share_at_or_below_it(samples):
    p50, p99 = quantile(samples, 0.5), quantile(samples, 0.99)

    assert p50 in samples
    assert 2 * sum(sample <= p50 for sample in samples) >= len(samples)
    assert 100 * sum(sample <= p99 for sample in samples) >= 99 * len(samples)


def test_no_samples_have_no_quantile():
    assert quantile([], 0.5) is None


@pytest.mark.parametrize("name", ["floor-echo-one-cpu", "warm-tenant-back-to-back"])
def test_a_scenario_measured_in_a_fresh_process_gives_a_line_of_the_report(name: str):
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.runner", name, "100"],
        capture_output=True,
        check=True,
        cwd=ROOT,
        timeout=15,
    )
    result = json.loads(done.stdout)

    assert result["errors"] == 0
    assert 0 < result["min"] <= result["p50"] <= result["p99"] <= result["max"]
    assert machine.facts()["cpu"] in report.render(machine.facts(), [result])
