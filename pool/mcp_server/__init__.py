"""Codepool as an MCP server: the `codemode` tool, and direct tools beside it, for any client.

The one room beside `tools/sources/mcp.py` that imports the official SDK, and only `cli/mcp.py`
imports this room, when it is needed.
"""
