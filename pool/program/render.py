"""An outcome as text and images for a model.

    Script completed
    Wall time 0.041 s
    Output cut: 8000 of 51200 characters are shown (max_output_tokens is 2000)

    ==> text 1/2 <==
    …
    ==> text 2/2 <==
    …
    <console_output>
    …
    </console_output>

    Note: …

    Script error:
    …

The budget counts the items and the console, four characters to a token. The rest is bounded by
itself: an error is needed most when there is no room for anything else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import Any, Final

from pool.program.budget import cut
from pool.program.outcome import (
    ABSENT,
    CallRecord,
    ConsoleLine,
    ImageItem,
    Outcome,
    ProgramError,
    Reason,
    TextItem,
)
from pool.program.positions import well_formed

CHARS_PER_TOKEN: Final = 4

# Room for one whole message (spec S-10), its position and its causes.
MAX_ERROR_CHARS: Final = 32_768

# Enough to see what was done first and last; a run may make 100,000 calls.
SHOWN_CALLS: Final = 40

# JavaScript writes whole numbers below this one without exponent and without fraction.
_EXPONENT_FROM: Final = 1e21

# How much of bytes is shown: enough to recognise a file format.
SHOWN_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a model gets to see.

    Attributes:
        text: Within the budget.
        images: In the order of their items; none when the budget is 0.
        full_text: The same without a budget.
    """

    text: str
    images: tuple[ImageItem, ...]
    full_text: str

    @property
    def is_cut(self) -> bool:
        return self.text != self.full_text


def render(outcome: Outcome, *, max_output_tokens: int | None = None) -> Rendered:
    """Show an outcome within a budget.

    Args:
        max_output_tokens: For items and console together; 0 keeps the header and the error alone.
            None takes what the run was held to.
    """
    tokens = outcome.max_output_tokens if max_output_tokens is None else max_output_tokens
    body = well_formed(_body(outcome))
    limit = tokens * CHARS_PER_TOKEN
    header, notes, error = _header(outcome), _notes(outcome), _error_section(outcome)
    full_text = _joined(header, body, notes, error)
    images = tuple(item for item in outcome.output if isinstance(item, ImageItem))
    if len(body) <= limit and tokens > 0:
        return Rendered(full_text, images, full_text)
    if body:
        header = f"{header}\n{_notice(outcome, len(body), limit)}"
    if tokens == 0:
        return Rendered(_joined(header, error), (), full_text)
    return Rendered(_joined(header, cut(body, limit), notes, error), images, full_text)


def _joined(*sections: str) -> str:
    return well_formed("\n\n".join(filter(None, sections)))


def _header(outcome: Outcome) -> str:
    return f"Script {outcome.status}\nWall time {outcome.timings.total_ms / 1000:.3f} s"


def _notice(outcome: Outcome, length: int, limit: int) -> str:
    notice = f"Output cut: {limit} of {length} characters are shown"
    notice += f" (max_output_tokens is {limit // CHARS_PER_TOKEN})"
    return notice if outcome.output_path is None else f"{notice}; all of it: {outcome.output_path}"


def _body(outcome: Outcome) -> str:
    """What the budget counts: items, then the console."""
    items = list(_items(outcome))
    if len(items) > 1:
        total = len(items)
        shown = [f"==> {kind} {n}/{total} <==\n{text}" for n, (kind, text) in enumerate(items, 1)]
    else:
        shown = [text for _, text in items]
    return "\n".join([*shown, *_console(outcome.console)])


def _items(outcome: Outcome) -> Iterator[tuple[str, str]]:
    for item in outcome.output:
        match item:
            case TextItem(text):
                yield "text", text
            case ImageItem(mime_type, path):
                yield "image", f"[{mime_type} saved to {path}]"
    if outcome.value is not ABSENT:
        yield "text", readable(outcome.value)


def _console(lines: Sequence[ConsoleLine]) -> Iterator[str]:
    if lines:
        yield "<console_output>"
        for line in lines:
            yield line.text if line.level == "log" else f"[{line.level}] {line.text}"
        yield "</console_output>"


def _notes(outcome: Outcome) -> str:
    return "\n".join(f"Note: {note}" for note in outcome.notes)


def _error_section(outcome: Outcome) -> str:
    if outcome.is_completed:
        return ""
    error = "\n".join(_failure(outcome))
    return "\n".join(["Script error:", cut(error, MAX_ERROR_CHARS), *_calls(outcome.calls)])


def _failure(outcome: Outcome) -> Iterator[str]:
    error, reason = outcome.error, outcome.reason
    is_told = reason is Reason.ERROR or (error is not None and error.name == reason)
    if reason is not None and not is_told:
        yield f"Reason: {reason}"
    if error is not None:
        yield from _error(error)


def _error(error: ProgramError) -> Iterator[str]:
    yield f"{error.name}: {error.message}" if error.message else error.name
    if error.line is not None:
        column = "" if error.column is None else f":{error.column}"
        yield f"at program.js:{error.line}{column}"
    if error.excerpt is not None:
        yield error.excerpt
    for number, member in enumerate(error.errors, 1):
        yield f"Error {number} of {len(error.errors)}:"
        yield indent("\n".join(_error(member)), "  ")
    if error.cause is not None:
        first, *rest = _error(error.cause)
        yield f"Caused by: {first}"
        yield from rest


def _calls(calls: Sequence[CallRecord]) -> Iterator[str]:
    if not calls:
        return
    yield ""
    yield "Calls made before, which were not undone:"
    if len(calls) <= SHOWN_CALLS:
        yield from map(_call, calls)
        return
    half = SHOWN_CALLS // 2
    yield from map(_call, calls[:half])
    yield f"… {len(calls) - 2 * half} more …"
    yield from map(_call, calls[-half:])


def _call(call: CallRecord) -> str:
    return f"{call.index} {call.name}: {call.status}, {call.duration_ms:.0f} ms"


def readable(value: Any) -> str:
    """A returned value as `text()` would show it: strings as they are, the rest as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return _bytes(value)
    return json.dumps(_json(value), ensure_ascii=False, separators=(",", ":"))


def _json(value: Any) -> Any:
    match value:
        case bytes():
            return _bytes(value)
        case float() if value.is_integer() and abs(value) < _EXPONENT_FROM:
            return int(value)
        case list():
            return [_json(item) for item in value]
        case dict():
            return {key: _json(item) for key, item in value.items()}
        case _:
            return value


def _bytes(value: bytes) -> str:
    head = [str(byte) for byte in value[:SHOWN_BYTES]]
    if len(value) > SHOWN_BYTES:
        head.append(f"… {len(value) - SHOWN_BYTES} more")
    return f"Uint8Array({len(value)}) [{', '.join(head)}]"
