"""`codepool run` from outside: what it prints where, and the code it ends with."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

# V8 reserves more address space than this, so no worker can start.
WITHOUT_MEMORY = ("bash", "-c", 'ulimit -v 4000000; exec "$@"', "bash")

TOOLS = '''
from pool import tool

@tool
def double(number: int) -> int:
    """Twice as much."""
    print("a tool prints")
    return 2 * number
'''

DOCUMENT = {
    *("status", "reason", "output", "console", "error", "calls", "store", "notes", "usage"),
    *("output_path", "timings", "peak_memory_bytes"),
}


def test_json_prints_one_document_with_the_value_and_nothing_else(codepool):
    done = codepool("run", "-", "--json", stdin="return 1+1")

    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1
    assert '"value": 2' in done.stdout
    assert json.loads(done.stdout).keys() == DOCUMENT | {"value"}


def test_a_value_that_is_undefined_is_absent_from_the_document(codepool):
    done = codepool("run", "-", "--json", stdin='text("shown")')

    assert json.loads(done.stdout).keys() == DOCUMENT


def test_without_json_the_text_for_a_model_is_printed(codepool):
    done = codepool("run", "-", stdin='text("shown"); console.log("logged")')

    assert done.returncode == 0
    assert done.stdout.startswith("Script completed\n")
    assert "shown\n<console_output>\nlogged\n" in done.stdout


def test_output_that_is_cut_stays_in_a_file_that_the_text_and_the_document_name(
    codepool, tmp_path: Path
):
    source = '// @options: {"max_output_tokens": 5}\ntext("x".repeat(100))'
    under = ("env", f"TMPDIR={tmp_path}")

    plain = codepool("run", "-", stdin=source, under=under)
    as_json = codepool("run", "-", "--json", stdin=source, under=under)

    named = re.search(r"all of it: (\S+)$", plain.stdout, re.MULTILINE)
    assert named is not None
    paths = [Path(named[1]), Path(json.loads(as_json.stdout)["output_path"])]
    assert all(path.is_relative_to(tmp_path) for path in paths)
    assert all("x" * 100 in path.read_text("utf-8") for path in paths)


def test_a_program_file_is_run(codepool, tmp_path: Path):
    (tmp_path / "program.js").write_text("return 'from a file'", encoding="utf-8")

    done = codepool("run", "program.js", "--json")

    assert json.loads(done.stdout)["value"] == "from a file"


def test_a_program_that_throws_ends_with_1_and_its_line(codepool):
    done = codepool("run", "-", stdin='text("before");\nthrow new TypeError("odd")')

    assert done.returncode == 1
    assert "before" in done.stdout
    assert "TypeError: odd\nat program.js:2:" in done.stdout


def test_a_refused_program_is_an_outcome(codepool):
    done = codepool("run", "-", "--json", stdin="   ")

    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["name"] == "SourceError"


def test_a_loop_is_stopped_at_its_time_limit_and_keeps_what_it_showed(codepool):
    done = codepool("run", "-", "--json", "--timeout-ms", "500", stdin='text("a"); while(true){}')
    outcome = json.loads(done.stdout)

    assert done.returncode == 1
    assert outcome["reason"] == "Timeout"
    assert outcome["output"] == [{"type": "text", "text": "a"}]
    assert outcome["timings"]["total_ms"] < 1000


def test_memory_above_the_limit_is_refused_and_below_it_is_not(codepool):
    source = "return new Uint8Array(100 << 20).fill(1).length"

    above = codepool("run", "-", "--json", "--memory-mib", "32", stdin=source)
    below = codepool("run", "-", "--json", stdin=source)

    assert above.returncode == 1
    assert json.loads(below.stdout)["value"] == 100 << 20


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["missing.js"], "missing.js", id="missing file"),
        pytest.param(["."], "directory", id="directory as program"),
        pytest.param(["-", "--timeout-ms", "0"], "timeout_ms is 0", id="limit too small"),
        pytest.param(["-", "--memory-mib", "-5"], "memory_mib is -5", id="negative limit"),
        pytest.param(["-", "--timeout-ms", "soon"], "--timeout-ms", id="limit that is no number"),
        pytest.param(["-", "--unknown"], "--unknown", id="unknown option"),
        pytest.param([], "FILE", id="no program"),
        pytest.param(["-", "--tools", "none.py"], "none.py", id="missing tool file"),
        pytest.param(["-", "--workspace", "none"], "none", id="missing workspace"),
        pytest.param(["-", "--allow-bash"], "--workspace", id="bash without a workspace"),
    ],
)
def test_wrong_use_ends_with_2_and_says_why_on_stderr(codepool, arguments, said):
    done = codepool("run", *arguments, stdin="return 1")

    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_tools_of_a_file_can_be_called_and_what_they_print_goes_to_stderr(codepool, tmp_path):
    (tmp_path / "mine.py").write_text(TOOLS, encoding="utf-8")

    done = codepool(
        "run", "-", "--json", "--tools", "mine.py", stdin="return tools.double({number: 21})"
    )
    outcome = json.loads(done.stdout)

    assert outcome["value"] == 42
    assert [(call["name"], call["status"]) for call in outcome["calls"]] == [("double", "ok")]
    assert done.stderr == "a tool prints\n"


def test_two_tools_of_one_name_are_wrong_use(codepool, tmp_path):
    (tmp_path / "one.py").write_text(TOOLS, encoding="utf-8")
    (tmp_path / "two.py").write_text(TOOLS, encoding="utf-8")

    done = codepool("run", "-", "--tools", "one.py", "--tools", "two.py", stdin="return 1")

    assert done.returncode == 2
    assert "'double'" in done.stderr


def test_a_workspace_offers_its_files_and_bash_only_when_allowed(codepool, tmp_path):
    (tmp_path / "notes.txt").write_text("remember\n", encoding="utf-8")
    source = 'return [await tools.read({path: "notes.txt"}), typeof tools.bash]'

    plain = codepool("run", "-", "--json", "--workspace", ".", stdin=source)
    with_bash = codepool("run", "-", "--json", "--workspace", ".", "--allow-bash", stdin=source)

    text, bash = json.loads(plain.stdout)["value"]
    assert "remember" in str(text)
    assert bash == "undefined"
    assert json.loads(with_bash.stdout)["value"][1] == "function"


def test_half_a_character_does_not_break_the_document(codepool):
    done = codepool("run", "-", "--json", stdin=r'text("\ud83d"); return "\ude00"')

    assert done.returncode == 0
    assert json.loads(done.stdout)["status"] == "completed"


def test_no_worker_to_be_had_is_an_outcome_that_ends_with_3(codepool):
    done = codepool("run", "-", "--json", stdin="return 1", under=WITHOUT_MEMORY)

    assert done.returncode == 3
    assert json.loads(done.stdout)["reason"] == "Unavailable"


def test_a_pool_that_cannot_be_opened_is_an_outcome_that_ends_with_3(codepool, tmp_path):
    without_cache = ("env", f"XDG_CACHE_HOME={tmp_path}", *WITHOUT_MEMORY)

    done = codepool("run", "-", "--json", stdin="return 1", under=without_cache)

    assert done.returncode == 3
    assert json.loads(done.stdout)["reason"] == "Unavailable"
    assert "did not come up" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path):
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-m", "pool.cli", "run", "-"]

    done = subprocess.run(command, input=b"return 1", stdout=write_end, stderr=subprocess.PIPE)
    os.close(write_end)

    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_cancels_the_run_and_leaves_no_process(tmp_path: Path, number: signal.Signals):
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    (tmp_path / "mine.py").write_text(
        "from pool import tool\n\n@tool\ndef tell() -> None:\n"
        f"    open({str(begun)!r}, 'w').close()\n",
        encoding="utf-8",
    )
    source = b'text("shown"); await tools.tell(); while (true) {}'
    command = [sys.executable, "-m", "pool.cli", "run", "-", "--json", "--tools", "mine.py"]

    with subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as host:
        assert host.stdin is not None
        host.stdin.write(source)
        host.stdin.close()
        begun.open().close()  # returns when the tool has been called
        processes = psutil.Process(host.pid).children(recursive=True)
        host.send_signal(number)
        assert host.stdout is not None
        outcome = json.loads(host.stdout.read())

    assert host.returncode == 128 + number
    assert outcome["reason"] == "Cancelled"
    assert outcome["output"] == [{"type": "text", "text": "shown"}]
    assert processes
    assert not [process for process in processes if process.is_running()]


def test_a_signal_while_the_pool_comes_up_ends_in_a_document_too(tmp_path: Path):
    command = [sys.executable, "-m", "pool.cli", "run", "-", "--json"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as host:
        assert host.stdin is not None
        host.stdin.write(b"while (true) {}")
        host.stdin.close()
        me = psutil.Process(host.pid)
        while not (processes := me.children()):  # the spawner
            assert host.poll() is None
        host.send_signal(signal.SIGTERM)
        assert host.stdout is not None
        outcome = json.loads(host.stdout.read())

    assert host.returncode == 128 + signal.SIGTERM
    assert outcome["reason"] == "Cancelled"
    assert not [process for process in processes if process.is_running()]


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-"])
def test_a_stream_that_the_caller_has_closed_is_no_error(codepool, tmp_path: Path, closed):
    (tmp_path / "program.js").write_text("return 42", encoding="utf-8")
    under = ("bash", "-c", f'exec "$@" {closed}', "bash")

    done = codepool("run", "program.js", under=under)

    assert done.returncode == 0
    assert ("42" in done.stdout) is (closed != "1>&-")


def test_a_result_that_cannot_be_written_ends_with_3_and_says_why(codepool):
    under = ("bash", "-c", 'exec "$@" >/dev/full', "bash")

    done = codepool("run", "-", stdin="return 42", under=under)

    assert done.returncode == 3
    assert done.stderr == "codepool: cannot write the result: No space left on device\n"


def test_a_pool_of_a_mebibyte_runs_a_small_program(codepool):
    done = codepool("run", "-", "--json", "--memory-mib", "1", stdin="return 1+1")

    assert json.loads(done.stdout)["value"] == 2


def test_version_names_the_distribution(codepool):
    done = codepool("--version")

    assert done.returncode == 0
    assert done.stdout.startswith("codepool ")
