"""Why a server cannot be had: words for people, and no secret among them."""

from __future__ import annotations

import httpx2
import pytest
from mcp.shared.exceptions import MCPError

from pool.tools.sources.mcp import HttpEndpoint, ServerConfig, StdioLaunch
from pool.tools.sources.mcp.reasons import MAX_REASON_CHARS, reason_of

FAR = ServerConfig(
    "far", HttpEndpoint("https://h/?key=s3cret-key", {"Authorization": "Bearer s3cret-token"})
)
NEAR = ServerConfig("near", StdioLaunch("x", ("--key=s3cret-key",), {"TOKEN": "s3cret-token"}))


ANYWHERE = [
    MCPError(code=1, message="no access for s3cret-token\nBearer s3cret-token"),
    httpx2.ConnectError("https://h/?key=s3cret-key"),
    OSError(2, "No such file or directory", "s3cret-key"),
    RuntimeError("s3cret-token"),
    ExceptionGroup("s3cret-token", [RuntimeError("s3cret-key")]),
]


@pytest.mark.parametrize(
    ("config", "error"),
    [
        *((config, error) for config in (FAR, NEAR) for error in ANYWHERE),
        (FAR, MCPError(code=1, message="not found: https://h/?key=s3cret-key")),
        (NEAR, MCPError(code=1, message="bad option --key=s3cret-key")),
    ],
)
def test_no_secret_of_the_server_stands_in_a_reason(config, error):
    reason = reason_of(error, config)

    assert reason
    assert "s3cret" not in reason
    assert "\n" not in reason


def test_what_a_server_says_is_told_and_cut():
    reason = reason_of(MCPError(code=1, message="word " * 1000), NEAR)

    assert reason.startswith("word word")
    assert len(reason) <= MAX_REASON_CHARS
