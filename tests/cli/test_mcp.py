"""`codepool mcp` before it serves: what it refuses, and what it says."""

from __future__ import annotations

import subprocess
import sys

import pytest

WITHOUT_SDK = """
import sys
sys.modules["mcp"] = None
sys.argv = ["codepool", "mcp"]
from pool.cli import main
main()
"""


def test_without_the_sdk_one_line_says_how_to_install_it():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_SDK], capture_output=True, encoding="utf-8", timeout=15
    )

    assert done.returncode == 2
    assert done.stderr == "codepool: codepool mcp needs the MCP SDK: pip install 'codepool[mcp]'\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--mode", "off"), "codepool: --mode is 'off', not one of on, only\n"),
        (("--allow-host", "x"), "codepool: --allow-host needs --http\n"),
        (("--tools", "missing.py"), "codepool: --tools missing.py: no such file\n"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(codepool, arguments: tuple[str, ...], said: str):
    done = codepool("mcp", *arguments)

    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_a_client_that_has_gone_already_ends_the_server_with_0(codepool):
    done = codepool("mcp")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_other_commands_do_not_load_the_sdk():
    code = "import pool.cli, sys; print(any(n.split('.')[0] == 'mcp' for n in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")

    assert done.stdout == "False\n"
