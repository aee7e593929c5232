"""A table out of result lines. Reads records only; measures nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.scenarios import SCENARIOS

HEADINGS = ("scenario", "where", "n", "errors", "p50", "p99", "unit", "per second")


def render(machine: Mapping[str, Any], results: Sequence[Mapping[str, Any]]) -> str:
    """The report as text; the table is Markdown, so that it can be pasted as it is."""
    titles = {scenario.name: scenario.title for scenario in SCENARIOS}
    rows = [
        (
            titles[result["scenario"]],
            result["placement"],
            str(result["count"]),
            str(result["errors"]),
            _number(result["p50"]),
            _number(result["p99"]),
            result["unit"],
            _number(result["per_second"]),
        )
        for result in results
    ]
    return "\n".join([*_machine(machine), "", *_table(rows), *_remarks(results)])


def _machine(machine: Mapping[str, Any]) -> list[str]:
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    return [
        f"{machine['cpu']}, {machine['cpus']} CPUs, {machine['memory_gib']} GiB",
        f"{machine['kernel']}, {machine['python']}",
        versions,
        f"revision {machine['revision']}, load average {machine['load_average']}",
    ]


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[column]) for row in [HEADINGS, *rows]) for column in range(len(HEADINGS))]
    rule = tuple("-" * width for width in widths)
    return [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in [HEADINGS, rule, *rows]
    ]


def _remarks(results: Sequence[Mapping[str, Any]]) -> list[str]:
    remarks = [
        f"{result['scenario']}: {name} {value}"
        for result in results
        for name, value in result["facts"].items()
    ]
    return ["", *remarks] if remarks else []


def _number(value: float | None) -> str:
    """Three figures are more than one run of a benchmark can promise."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
