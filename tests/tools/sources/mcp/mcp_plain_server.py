"""An MCP server of the older protocol without the SDK: it says what it is told to, right or wrong.

`python mcp_plain_server.py DEFINITIONS`: a JSON array for `tools/list`. The tool `swap` replaces
the list by its argument `tools` and announces that it changed.
"""

from __future__ import annotations

import json
import sys
from typing import Any

MISSING = {"code": -32601, "message": "Method not found"}


class PlainServer:
    def __init__(self, definitions: list[Any]) -> None:
        self.definitions = definitions

    def answer(self, method: str, params: dict[str, Any]) -> dict[str, Any] | None:
        match method:
            case "initialize":
                return {
                    "protocolVersion": "2025-06-18",
                    "capabilities": {"tools": {"listChanged": True}},
                    "serverInfo": {"name": "plain", "version": "1"},
                }
            case "tools/list":
                return {"tools": self.definitions}
            case "tools/call":
                return self.call(params["name"], params.get("arguments", {}))
            case _:
                return None

    def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if name == "swap":
            self.definitions = arguments["tools"]
            send({"method": "notifications/tools/list_changed"})
        words = json.dumps([name, arguments])
        # Not what the output schema says, when there is one.
        return {"content": [{"type": "text", "text": words}], "structuredContent": {"free": True}}


def send(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def main() -> None:
    server = PlainServer(json.loads(sys.argv[1]))
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = server.answer(message["method"], message.get("params", {}))
        answer = {"error": MISSING} if result is None else {"result": result}
        send({"id": message["id"], **answer})


if __name__ == "__main__":
    main()
