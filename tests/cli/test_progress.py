"""The progress line: on a terminal while the run goes on, nowhere else and never afterwards."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

SOURCE = b"for (let i = 0; i < 3; i++) await tools.nap(); return 'the result'"
TOOLS = "import time\nfrom pool import tool\n\n@tool\ndef nap() -> None:\n    time.sleep(0.2)\n"


def test_a_terminal_shows_calls_and_time_and_the_pipe_gets_the_result_alone(tmp_path):
    (tmp_path / "mine.py").write_text(TOOLS, encoding="utf-8")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "pool.cli", "run", "-", "--tools", "mine.py"]
    environment = {**os.environ, "TERM": "xterm-256color"}

    done = subprocess.run(
        command,
        input=SOURCE,
        stdout=subprocess.PIPE,
        stderr=theirs,
        cwd=tmp_path,
        env=environment,
        timeout=15,
    )
    os.close(theirs)
    shown = os.read(ours, 1 << 20).decode()
    os.close(ours)

    assert done.stdout.decode().endswith("the result\n")
    assert b"calls" not in done.stdout
    assert "of 3 calls" in shown or "of 2 calls" in shown
    assert shown.rstrip().endswith("\x1b[2K")  # the last thing it does is to erase its line


def test_without_a_terminal_nothing_is_written_to_stderr(codepool, tmp_path):
    (tmp_path / "mine.py").write_text(TOOLS, encoding="utf-8")

    done = codepool("run", "-", "--tools", "mine.py", stdin=SOURCE.decode())

    assert done.stdout.endswith("the result\n")
    assert done.stderr == ""
