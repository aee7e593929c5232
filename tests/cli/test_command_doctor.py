"""`codepool doctor` says what works, and says so when something does not."""

from __future__ import annotations

# V8 reserves more address space than this, so no worker can start.
WITHOUT_MEMORY = ("bash", "-c", 'ulimit -v 4000000; exec "$@"', "bash")


def test_where_everything_works_every_line_is_ok(codepool):
    done = codepool("doctor")
    words = {line[4:22].strip(): line[:4].strip() for line in done.stdout.splitlines()}

    assert done.returncode == 0
    assert words.pop("not enforced") == "--"
    assert {"codepool", "python", "deno", "guest runtime", "a program", "memory limit"} <= set(
        words
    )
    assert set(words.values()) == {"ok"}


def test_where_no_worker_can_start_it_ends_with_1_and_names_the_line(codepool):
    done = codepool("doctor", under=WITHOUT_MEMORY)

    assert done.returncode == 1
    assert "NO  a program" in done.stdout
    assert "ok  python" in done.stdout
