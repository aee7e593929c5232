"""`--mcp FILE` of the commands: real servers, started by the command and gone with it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SERVING = Path(__file__).parents[1] / "tools" / "sources" / "mcp" / "mcp_serving.py"

# Starting two servers and a worker takes 3 s of it on a busy machine.
PATIENCE_S = 60

pytestmark = pytest.mark.timeout(PATIENCE_S)


@pytest.fixture
def servers(tmp_path: Path) -> Path:
    """A file that names a server, a hidden part of it, and one that does not start."""
    file = tmp_path / "servers.json"
    file.write_text(
        json.dumps(
            {
                "mcpServers": {
                    "box": {
                        "command": sys.executable,
                        "args": [str(SERVING), "box"],
                        "description": "A box of tests",
                        "toolExposure": {"environment": "hidden"},
                    },
                    "broken": {"command": str(tmp_path / "no-such-command")},
                }
            }
        )
    )
    return file


def codepool(*arguments: object, program: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pool.cli", *map(str, arguments)],
        input=program,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
    )


def test_a_program_calls_the_tools_of_a_server_and_hears_of_one_that_is_missing(servers: Path):
    program = """
    const found = await tools.box__echo({word: "hello"});
    return [found.structuredContent.word, (await describeNamespace("box")).description];
    """
    done = codepool("run", "-", "--json", "--mcp", servers, program=program)
    outcome = json.loads(done.stdout)

    assert (outcome["status"], outcome["value"]) == ("completed", ["hello", "A box of tests"])
    assert "the MCP server broken is not connected; its tools are missing" in done.stderr


def test_an_image_of_a_server_is_shown(servers: Path):
    program = "image((await tools.box__picture({})).content[0])"
    outcome = json.loads(codepool("run", "-", "--json", "--mcp", servers, program=program).stdout)

    assert outcome["output"][0]["mimeType"] == "image/png"


def test_tools_are_listed_found_and_described_and_hidden_ones_are_not(servers: Path):
    listed = json.loads(codepool("tools", "list", "--json", "--mcp", servers).stdout)
    found = codepool("tools", "search", "environment", "--json", "--mcp", servers)
    described = codepool("tools", "describe", "box__echo", "--mcp", servers)

    assert {"box__echo", "box__fail"} <= {row["name"] for row in listed}
    assert {row["exposure"] for row in listed} == {"codemode"}
    assert "environment" not in found.stdout
    assert "word?: string;" in described.stdout


def test_a_check_names_the_server_that_is_not_connected_and_why(servers: Path):
    done = codepool("tools", "check", "--json", "--mcp", servers)
    troubles = {each["name"]: each["problem"] for each in json.loads(done.stdout)}

    assert done.returncode == 1
    assert troubles["broken"].startswith("is not connected: ")


def test_a_file_that_cannot_be_used_is_one_line_and_wrong_use(tmp_path: Path):
    file = tmp_path / "servers.json"
    file.write_text('{"mcpServers": {"box": {"command": "x", "exposure": "sideways"}}}')
    done = codepool("tools", "list", "--mcp", file)

    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "box" in done.stderr
    assert "sideways" in done.stderr
