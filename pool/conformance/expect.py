"""An outcome held against what its row expects: pure, over the outcome's JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pool.conformance.patterns import Difference, differences
from pool.conformance.rows import Expected
from pool.program.outcome import ABSENT, CallStatus


def unmet(expected: Expected, document: Mapping[str, Any]) -> Iterator[Difference]:
    """Everything in which the outcome is not as the row expects; nothing when the row holds.

    Args:
        document: What `Outcome.to_dict` gives.
    """
    found = {
        **document,
        "error": _named(expected.error, document["error"]),
        "output": [_output(item) for item in document["output"]],
        "console": [line["text"] for line in document["console"]],
        "calls": [_call(call) for call in document["calls"]],
        "store": {name: writes for name, writes in document["store"].items() if writes},
    }
    for name in Expected.model_fields:
        yield from differences(getattr(expected, name), found.get(name, ABSENT), name)


def _named(wanted: Any, found: Any) -> Any:
    """Of an error, its causes and its members, the fields that the row names."""
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return {name: _named(wanted[name], found[name]) for name in wanted if name in found}
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        return [_named(*pair) for pair in zip(wanted, found, strict=True)]
    return found


def _output(item: Mapping[str, Any]) -> Any:
    """A text as itself, an image by its type."""
    return item["text"] if item["type"] == "text" else {"image": item["mimeType"]}


def _call(call: Mapping[str, Any]) -> Any:
    """The canonical name, and the status when it is not `ok`."""
    return call["name"] if call["status"] == CallStatus.OK else {call["status"]: call["name"]}
