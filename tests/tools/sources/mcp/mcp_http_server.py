"""The server of `mcp_serving.py` over HTTP: `python mcp_http_server.py PORT NAME [OPTION…]`.

Port 0 takes a free one; the port is the first line it writes. Every request must bring the header
`Authorization: Bearer let-me-in`.
"""

from __future__ import annotations

import socket
import sys
from typing import Any

import anyio
import uvicorn
from mcp_serving import server
from starlette.responses import PlainTextResponse

TOKEN = "let-me-in"


class Guarded:
    """Answers 401 to who does not bring the token."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        brought = dict(scope.get("headers", ())).get(b"authorization")
        if scope["type"] == "http" and brought != f"Bearer {TOKEN}".encode():
            await PlainTextResponse("who are you?", 401)(scope, receive, send)
            return
        await self.app(scope, receive, send)


async def main(port: str, *arguments: str) -> None:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", int(port)))
    sys.stdout.write(f"{listening.getsockname()[1]}\n")
    sys.stdout.flush()
    app = Guarded(server(*arguments).streamable_http_app())
    config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=0)
    await uvicorn.Server(config).serve(sockets=[listening])


if __name__ == "__main__":
    anyio.run(main, *sys.argv[1:])
