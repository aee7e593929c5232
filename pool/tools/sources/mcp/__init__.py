"""Tools of MCP servers, over stdio and streamable HTTP, by the official SDK.

The SDK is an extra and takes long to load: only `open_servers` needs it, when it is called.
"""

from pool.tools.sources.mcp.backoff import BackOff
from pool.tools.sources.mcp.config import HttpEndpoint, ServerConfig, StdioLaunch, read_config
from pool.tools.sources.mcp.servers import McpServers, open_servers

__all__ = [
    "BackOff",
    "HttpEndpoint",
    "McpServers",
    "ServerConfig",
    "StdioLaunch",
    "open_servers",
    "read_config",
]
