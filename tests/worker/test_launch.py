"""The launch plan is pure data: these tests read it, they start nothing."""

from __future__ import annotations

from pool.worker.launch import Launch, plan


def a_plan(**changes: object) -> Launch:
    arguments = {
        "deno": "/bin/deno",
        "runtime_dir": "/lib/runtime_js",
        "cache_dir": "/var/cache",
        "cwd": "/empty",
        "memory_mib": 256,
    }
    return plan(**(arguments | changes))  # type: ignore[arg-type]  # one call for all tests


def test_a_worker_is_deno_run_with_every_loader_switched_off() -> None:
    assert a_plan().argv == (
        "/bin/deno",
        "run",
        "--no-prompt",
        "--no-remote",
        "--no-npm",
        "--no-config",
        "--no-lock",
        "--v8-flags=--disallow-code-generation-from-strings,--max-old-space-size=256",
        "/lib/runtime_js/main.js",
    )


def test_a_worker_has_no_permission_and_no_undeletable_global() -> None:
    words = " ".join(a_plan().argv)

    assert "allow" not in words.replace("--disallow", "")
    assert " -A" not in words
    assert "expose-gc" not in words


def test_the_heap_limit_is_the_pools() -> None:
    assert "--max-old-space-size=512" in a_plan(memory_mib=512).argv[-2]


def test_the_environment_is_exactly_this() -> None:
    assert a_plan().env == {
        "TZ": "UTC",
        "LANG": "en_US.UTF-8",
        "LC_ALL": "en_US.UTF-8",
        "NO_COLOR": "1",
        "DENO_NO_UPDATE_CHECK": "1",
        "DENO_NO_PACKAGE_JSON": "1",
        "DENO_DIR": "/var/cache",
        "HOME": "/empty",
    }


def test_a_worker_starts_in_its_empty_home_and_leaves_no_core() -> None:
    launch = a_plan()

    assert launch.cwd == launch.env["HOME"]
    assert launch.rlimits["CORE"] == (0, 0)
    assert launch.rlimits["NOFILE"][0] >= 64
