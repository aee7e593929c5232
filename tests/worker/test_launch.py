"""The launch plan is pure data: these tests read it, they start nothing."""

from __future__ import annotations

from pool.worker.confine import Confinement
from pool.worker.landlock import Rules
from pool.worker.launch import Launch, confined, plan


def a_plan(**changes: object) -> Launch:
    arguments = {
        "deno": "/bin/deno",
        "runtime_dir": "/lib/runtime_js",
        "cache_dir": "/var/cache",
        "memory_mib": 256,
        "timeout_s": 600,
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
        "HOME": "/",
    }


def test_v8_compiles_to_machine_code_unless_told_not_to() -> None:
    assert "--jitless" not in a_plan().argv[-2]
    assert "--jitless" in a_plan(jit=False).argv[-2]


def test_a_worker_may_use_processors_for_longer_than_its_longest_run_could() -> None:
    soft_s, hard_s = a_plan(timeout_s=3600).rlimits["CPU"]

    assert soft_s == hard_s > 3600 * 8


def test_a_confined_worker_writes_to_no_file_and_proves_it() -> None:
    bare = a_plan()
    launch = confined(bare, Confinement(uid=65534, rules=Rules(7), filter=b"filter"))

    assert "FSIZE" not in bare.rlimits
    assert launch.rlimits["FSIZE"] == (0, 0)
    assert launch.sealed == ("/var/cache", "/")
    assert (launch.argv, launch.env) == (bare.argv, bare.env)


def test_without_landlock_deno_may_still_open_its_cache_for_writing() -> None:
    launch = confined(a_plan(), Confinement(filter=b"filter"))

    assert "FSIZE" not in launch.rlimits
    assert launch.sealed == ()


def test_a_worker_starts_at_the_root_gives_way_to_the_host_and_leaves_no_core() -> None:
    launch = a_plan()

    assert launch.cwd == launch.env["HOME"] == "/"
    assert launch.niceness > 0
    assert launch.rlimits["CORE"] == (0, 0)
    assert launch.rlimits["NOFILE"][0] >= 64
