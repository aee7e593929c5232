"""An outcome as text and images for a model.

    Script completed
    Wall time 0.041 s
    Output cut: 8000 of 51200 characters are shown (max_output_tokens is 2000); all of it: /tmp/…

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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import Final

from pool.program.budget import cut, edges
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
from pool.program.readable import readable

CHARS_PER_TOKEN: Final = 4

# Room for one whole message (spec S-10), its position and its causes.
MAX_ERROR_CHARS: Final = 32_768

# Enough to see what was done first and last; a run may make 100,000 calls.
SHOWN_CALLS: Final = 40


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a model gets to see.

    Attributes:
        text: Within the budget.
        images: In the order of their items; none when the budget is 0.
    """

    text: str
    images: tuple[ImageItem, ...]


def render(outcome: Outcome, *, max_output_tokens: int | None = None) -> Rendered:
    """Show an outcome within a budget.

    Args:
        max_output_tokens: For items and console together; 0 keeps the header and the error alone.
            None takes what the run was held to.
    """
    tokens = outcome.max_output_tokens if max_output_tokens is None else max_output_tokens
    body = _body(outcome)
    limit = tokens * CHARS_PER_TOKEN
    header, error = _header(outcome), _error_section(outcome)
    if len(body) > limit:
        header = f"{header}\n{_notice(outcome, body, tokens)}"
    if tokens == 0:
        return Rendered(_joined(header, error), ())
    images = tuple(item for item in outcome.output if isinstance(item, ImageItem))
    return Rendered(_joined(header, cut(body, limit), _notes(outcome), error), images)


def whole(outcome: Outcome) -> str:
    """The text of `render` without a budget, well-formed."""
    return _joined(_header(outcome), _body(outcome), _notes(outcome), _error_section(outcome))


def is_cut(outcome: Outcome) -> bool:
    """Whether `render` leaves out some of the output, by the budget of the run itself.

    Takes little time however much there is: only what may fit is put together to be measured.
    """
    limit = outcome.max_output_tokens * CHARS_PER_TOKEN
    texts = [item.text for item in outcome.output if isinstance(item, TextItem)]
    texts += [line.text for line in outcome.console]
    # A line end stands between any two of them.
    return sum(map(len, texts)) + len(texts) - 1 > limit or len(_body(outcome)) > limit


def _joined(*sections: str) -> str:
    return well_formed("\n\n".join(filter(None, sections)))


def _header(outcome: Outcome) -> str:
    return f"Script {outcome.status}\nWall time {outcome.timings.total_ms / 1000:.3f} s"


def _notice(outcome: Outcome, body: str, tokens: int) -> str:
    head_end, tail_start = edges(body, tokens * CHARS_PER_TOKEN)
    shown = head_end + len(body) - tail_start
    notice = f"Output cut: {shown} of {len(body)} characters are shown"
    notice += f" (max_output_tokens is {tokens})"
    # The run saves what its own budget cuts; for a caller with a smaller one there is no file.
    if outcome.output_path is None:
        return f"{notice}; the rest was not saved"
    return f"{notice}; all of it: {outcome.output_path}"


def _body(outcome: Outcome) -> str:
    """What the budget counts: items, then the console."""
    items = list(_items(outcome))
    if len(items) > 1:
        total = len(items)
        shown = [f"==> {kind} {n}/{total} <==\n{text}" for n, (kind, text) in enumerate(items, 1)]
    else:
        shown = [text for _, text in items]
    return well_formed("\n".join([*shown, *_console(outcome.console)]))


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
