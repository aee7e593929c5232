"""A text cut to a number of characters: its head and its tail around a marker with the counts."""

from __future__ import annotations

from pool.program.graphemes import boundary_after, boundary_before


def cut(text: str, limit: int) -> str:
    """At most `limit` characters of a text, and the marker if that is not all of it.

    Both edges lie between characters as a reader sees them, so each half may be a little
    shorter than half of the limit.
    """
    if len(text) <= limit:
        return text
    head_end, tail_start = edges(text, limit)
    marker = f"[… {tail_start - head_end} of {len(text)} characters cut …]"
    return "\n".join(filter(None, (text[:head_end], marker, text[tail_start:])))


def edges(text: str, limit: int) -> tuple[int, int]:
    """Where the head of a text that is longer than `limit` ends, and where its tail begins."""
    return boundary_before(text, limit - limit // 2), boundary_after(text, len(text) - limit // 2)
