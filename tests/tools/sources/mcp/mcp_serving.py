"""A small MCP server on the SDK, as a program of its own: `python mcp_serving.py NAME [OPTION…]`.

What it does on a call is told by the call, so that a test decides when something happens: `die`
ends the process, `hold` answers never, `add` offers one more tool and says so.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "YPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)

PAGE = 100


def tool(name: str, **more: Any) -> types.Tool:
    schema = more.pop("input_schema", {"type": "object"})
    return types.Tool(name=name, description=f"{name} of a test", input_schema=schema, **more)


class Serving:
    """The tools of one process, and the answers to calls."""

    def __init__(self, many: int) -> None:
        self.bus = InMemorySubscriptionBus()
        self.tools = [
            tool(
                "echo",
                input_schema={"type": "object", "properties": {"word": {"type": "string"}}},
                output_schema={"type": "object", "properties": {"word": {"type": "string"}}},
                annotations=types.ToolAnnotations(read_only_hint=True),
            ),
            tool("fail", annotations=types.ToolAnnotations(idempotent_hint=True)),
            *map(
                tool, ("refuse", "picture", "die", "hold", "steps", "add", "environment", "noise")
            ),
            *(tool(f"many_{n}") for n in range(many)),
        ]

    async def list_tools(self, _ctx: Any, params: Any) -> types.ListToolsResult:
        start = int(params.cursor) if params and params.cursor else 0
        more = str(start + PAGE) if start + PAGE < len(self.tools) else None
        return types.ListToolsResult(tools=self.tools[start : start + PAGE], next_cursor=more)

    async def call_tool(self, ctx: Any, params: types.CallToolRequestParams) -> Any:
        answer = getattr(self, f"_{params.name}", None)
        if answer is None:
            return text(params.name)
        return await answer(ctx, params.arguments or {})

    async def _echo(self, _ctx: Any, arguments: dict[str, Any]) -> Any:
        return types.CallToolResult(
            content=[types.TextContent(text=arguments.get("word", ""))],
            structured_content={"word": arguments.get("word"), "nothing": None},
        )

    async def _fail(self, _ctx: Any, _arguments: Any) -> Any:
        return types.CallToolResult(content=[types.TextContent(text="no luck")], is_error=True)

    async def _refuse(self, _ctx: Any, _arguments: Any) -> Any:
        raise ValueError("refused on purpose")

    async def _picture(self, _ctx: Any, _arguments: Any) -> Any:
        return types.CallToolResult(content=[types.ImageContent(data=PNG, mime_type="image/png")])

    async def _die(self, _ctx: Any, _arguments: Any) -> Any:
        os._exit(1)

    async def _hold(self, _ctx: Any, arguments: Any) -> Any:
        """Say in a file that the call came, and again that it was cancelled."""
        note(arguments["trace"], "held")
        try:
            await anyio.sleep_forever()
        finally:
            note(arguments["trace"], "cancelled")

    async def _steps(self, ctx: Any, _arguments: Any) -> Any:
        await ctx.session.report_progress(1, 2, "half")
        return text("done")

    async def _add(self, ctx: Any, arguments: Any) -> Any:
        self.tools.append(tool(arguments["name"]))
        await self.bus.publish(ToolsListChanged())
        await ctx.session.send_tool_list_changed()
        return text("added")

    async def _environment(self, _ctx: Any, _arguments: Any) -> Any:
        return types.CallToolResult(content=[], structured_content=dict(os.environ))

    async def _noise(self, _ctx: Any, _arguments: Any) -> Any:
        os.write(2, b"x" * 1_000_000 + b" last words")
        return text("loud")


def note(trace: str, words: str) -> None:
    Path(trace).write_text(words, encoding="utf-8")


def text(words: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=words)])


async def list_resources(_ctx: Any, _params: Any) -> types.ListResourcesResult:
    return types.ListResourcesResult(resources=[types.Resource(uri="memo:1", name="one")])


async def read_resource(_ctx: Any, params: Any) -> types.ReadResourceResult:
    contents = [types.TextResourceContents(uri=params.uri, text="the memo")]
    return types.ReadResourceResult(contents=contents)


async def list_prompts(_ctx: Any, _params: Any) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=[types.Prompt(name="greet")])


async def get_prompt(_ctx: Any, params: Any) -> types.GetPromptResult:
    words = types.TextContent(text=f"Greet {(params.arguments or {})['who']}")
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=words)])


def server(name: str, *options: str) -> Server[Any]:
    many = next((int(option) for option in options if option.isdigit()), 0)
    serving = Serving(many)
    more: dict[str, Any] = {}
    if "extras" in options:
        more |= {"on_list_resources": list_resources, "on_read_resource": read_resource}
        more |= {"on_list_prompts": list_prompts, "on_get_prompt": get_prompt}
    return Server(
        name,
        instructions=f"How to use {name}.",
        on_list_tools=serving.list_tools,
        on_call_tool=serving.call_tool,
        on_subscriptions_listen=ListenHandler(serving.bus),
        **more,
    )


async def main(*arguments: str) -> None:
    served = server(*arguments)
    options = served.create_initialization_options(NotificationOptions(tools_changed=True))
    async with stdio_server() as (incoming, outgoing):
        await served.run(incoming, outgoing, options)


if __name__ == "__main__":
    anyio.run(main, *sys.argv[1:])
