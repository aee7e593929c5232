"""The SDK is loaded when servers are opened, and not before."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
import pool.tools.sources.mcp as source
assert source.read_config and source.open_servers
print(sorted({"mcp", "mcp_types", "httpx2", "pydantic"} & set(sys.modules)))
"""


def test_reading_a_configuration_needs_no_sdk():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"
