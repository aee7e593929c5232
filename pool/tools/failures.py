"""The answers of calls that failed: the tool's own words, of bounded length, never a traceback."""

from __future__ import annotations

from typing import Final

import anyio

from pool.errors import ToolError
from pool.limits import KIB
from pool.tools.tool import Tool
from pool.wire.messages import Settled
from pool.wire.values import encode_value

# As much of a message as the outcome keeps (spec S-10).
MAX_MESSAGE_CHARS: Final = 16_384

# An error is a name and a message of bounded length, whatever the limit for results is.
_ERROR_BYTES: Final = 128 * KIB


def failed(error: BaseException) -> Settled:
    """The answer of a call that failed: the tool's own words."""
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]  # a task group in the tool wraps even a single error
    name = error.name if isinstance(error, ToolError) else "Error"
    document = {"name": name, "message": text_of(error)}
    payload = encode_value(document, limit_bytes=_ERROR_BYTES, where="error")
    return Settled(ok=False, payload=payload)


def ended(tool: Tool, error: BaseException) -> Settled:
    """The answer of a tool that raised what ends more than a call, as `sys.exit` does."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    if isinstance(error, anyio.get_cancelled_exc_class()):
        return failed(ToolError(f"tool {tool.name} was cancelled from within"))
    return failed(ToolError(f"tool {tool.name} raised {type(error).__name__}: {text_of(error)}"))


def text_of(error: BaseException) -> str:
    """What an error says; the name of its class when it says nothing."""
    try:
        text = str(error)
    except Exception:
        text = ""
    text = text or type(error).__name__
    if len(text) <= MAX_MESSAGE_CHARS:
        return text
    return f"{text[:MAX_MESSAGE_CHARS]} … ({len(text) - MAX_MESSAGE_CHARS} characters left out)"
