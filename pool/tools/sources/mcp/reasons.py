"""Why a server cannot be had, in words that hold no secret of the configuration."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import httpx2
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from pool.tools.sources.mcp.config import HttpEndpoint, ServerConfig

# A line on somebody's screen.
MAX_REASON_CHARS: Final = 300

# Shorter values, as `1` or `true`, are no secrets, and are parts of ordinary words.
MIN_SECRET_CHARS: Final = 6


def reason_of(error: BaseException, config: ServerConfig) -> str:
    """One line about an error of the connection, for the operator and the model."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    match error:
        case MCPError():
            return redacted(error.error.message, config)[:MAX_REASON_CHARS]
        case httpx2.HTTPError():
            return f"it cannot be reached ({type(error).__name__})"
        case TimeoutError():
            return "it did not answer in time"
        case OSError():
            return f"it cannot be started: {error.strerror or type(error).__name__}"
        case ValidationError():
            return "its answer breaks the protocol"
        case _:
            # Not its text: it may quote what it was given.
            return f"the connection failed ({type(error).__name__})"


def redacted(text: str, config: ServerConfig) -> str:
    """`text` on one line, without the values that the configuration gives the server."""
    for secret in sorted(_secrets(config), key=len, reverse=True):
        if len(secret) >= MIN_SECRET_CHARS:
            text = text.replace(secret, "…")
    return " ".join(text.split())


def _secrets(config: ServerConfig) -> Iterable[str]:
    reach = config.reach
    if isinstance(reach, HttpEndpoint):
        yield reach.url
        for value in reach.headers.values():
            yield value
            yield from value.split()  # `Bearer` and the token
        return
    yield from reach.args
    yield from reach.env.values()
