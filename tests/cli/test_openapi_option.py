"""`--openapi FILE` of the commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Clock", "version": "1"},
    "servers": [{"url": "http://127.0.0.1:1"}],
    "paths": {
        "/now": {"get": {"operationId": "now", "summary": "Tells the time."}},
        "/odd": {"get": {"parameters": [{"$ref": "elsewhere.json"}]}},
    },
}


@pytest.fixture
def apis(tmp_path: Path) -> Path:
    (tmp_path / "clock.json").write_text(json.dumps(DOCUMENT))
    file = tmp_path / "apis.json"
    file.write_text(json.dumps({"openapi": {"clock": {"document": "clock.json"}}}))
    return file


def codepool(*arguments: object, program: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pool.cli", *map(str, arguments)],
        input=program,
        capture_output=True,
        encoding="utf-8",
        timeout=20,
    )


def test_operations_are_listed_and_what_is_none_is_reported(apis: Path):
    listed = json.loads(codepool("tools", "list", "--json", "--openapi", apis).stdout)
    checked = codepool("tools", "check", "--openapi", apis)

    assert [(row["name"], row["exposure"]) for row in listed] == [("clock__now", "codemode")]
    assert checked.returncode == 1
    assert "clock: GET /odd is no tool: it refers to 'elsewhere.json'" in checked.stdout


def test_a_program_calls_an_operation(apis: Path):
    program = "return await tools.clock__now({}).catch((error) => error.message)"
    outcome = json.loads(codepool("run", "-", "--json", "--openapi", apis, program=program).stdout)

    assert outcome["value"] == "no answer from clock: ConnectError"


def test_a_document_that_cannot_be_read_is_one_line_and_wrong_use(apis: Path):
    (apis.parent / "clock.json").unlink()
    done = codepool("run", "-", "--openapi", apis, program="return 1")

    assert done.returncode == 2
    assert "clock.json: cannot be read: No such file" in done.stderr


def test_a_document_and_a_server_do_not_share_a_name(apis: Path):
    servers = apis.parent / "servers.json"
    servers.write_text(json.dumps({"mcpServers": {"clock": {"command": "x"}}}))
    done = codepool("tools", "list", "--openapi", apis, "--mcp", servers)

    assert done.returncode == 2
    assert "two servers or documents are called 'clock'" in done.stderr
