"""`codepool doctor` says what works, and says so when something does not."""

from __future__ import annotations

import errno
import sys
from dataclasses import replace

import pytest
import typer

from pool.cli.doctor import doctor
from pool.worker.layers import Layer
from pool.worker.machine import inspect_machine

# V8 reserves more address space than this, so no worker can start.
WITHOUT_MEMORY = ("bash", "-c", 'ulimit -v 4000000; exec "$@"', "bash")


def test_where_everything_works_every_line_is_ok(codepool):
    done = codepool("doctor")
    report, layers = done.stdout.split("\n\n")
    words = {line[4:22].strip(): line[:4].strip() for line in report.splitlines()}

    assert done.returncode == 0
    assert {"codepool", "python", "deno", "guest runtime", "a program", "memory limit"} <= set(
        words
    )
    assert set(words.values()) == {"ok"}
    assert [row[4:30].strip() for row in layers.splitlines()] == ["layer", *Layer]


def test_where_a_layer_is_missing_it_ends_with_1_and_says_how_to_get_it(monkeypatch, capsys):
    without = replace(inspect_machine(), landlock_abi=0, landlock_errno=errno.EOPNOTSUPP)
    # By its name, `pool.cli.doctor` is the command and not its module.
    monkeypatch.setattr(sys.modules[doctor.__module__], "inspect_machine", lambda: without)

    with pytest.raises(typer.Exit) as ended:
        doctor()

    said = capsys.readouterr().out
    assert ended.value.exit_code == 1
    assert "NO  confinement" in said
    assert "not active: Landlock is not enabled; boot the kernel with lsm=landlock" in said


def test_where_no_worker_can_start_it_ends_with_1_and_names_the_line(codepool):
    done = codepool("doctor", under=WITHOUT_MEMORY)

    assert done.returncode == 1
    assert "NO  a program" in done.stdout
    assert "ok  python" in done.stdout
