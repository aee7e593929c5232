"""The binary is found, asked for its version, and refused with a message that helps."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import pytest

from pool.errors import DenoUnsupported
from pool.worker.deno import check_version, find_deno, runtime_dir


def said(version: str) -> str:
    return f"deno {version} (stable, release, x86_64-unknown-linux-gnu)\nv8 15.0.245.2-rusty\n"


@pytest.fixture
def binary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that the package `deno` takes for its binary."""
    path = tmp_path / "deno"
    monkeypatch.setattr("deno.find_deno_bin", lambda: str(path))
    return path


def put(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.parametrize("version", ["2.9.4", "2.9.8", "2.9.40"])
def test_versions_in_range_are_taken(version: str) -> None:
    assert check_version(said(version), path="/bin/deno") == version


@pytest.mark.parametrize("version", ["2.9.3", "2.8.99", "1.46.3", "2.10.0", "3.0.0", "2.9.8-rc.1"])
def test_versions_out_of_range_are_named_with_the_range_and_the_fix(version: str) -> None:
    with pytest.raises(DenoUnsupported) as refused:
        check_version(said(version), path="/opt/deno")

    for part in (version, "/opt/deno", ">=2.9.4,<2.10", "pip install 'deno>=2.9.4,<2.10'"):
        assert part in str(refused.value)


@pytest.mark.parametrize("text", ["", "\n", "command not found", "deno"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(DenoUnsupported):
        check_version(text, path="/bin/deno")


def test_the_packaged_binary_says_the_packages_version() -> None:
    found = find_deno()

    assert found.version == importlib.metadata.version("deno")
    assert Path(found.path).is_file()


def test_the_binarys_own_word_counts(binary: Path) -> None:
    put(binary, "echo 'deno 2.9.3 (stable)'")

    with pytest.raises(DenoUnsupported, match=r"2\.9\.3"):
        find_deno()


def test_the_binary_is_asked_without_the_hosts_environment(
    binary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "s3cret")
    put(binary, 'echo "deno 2.9.${SECRET:-8} (stable)"')

    assert find_deno().version == "2.9.8"


@pytest.mark.parametrize("script", ["exit 1", "kill -SEGV $$"])
def test_a_binary_that_does_not_run_is_refused(binary: Path, script: str) -> None:
    put(binary, script)

    with pytest.raises(DenoUnsupported, match="does not run"):
        find_deno()


def test_a_missing_binary_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def find() -> str:
        raise FileNotFoundError("/usr/local/bin/deno")

    monkeypatch.setattr("deno.find_deno_bin", find)

    with pytest.raises(DenoUnsupported, match="/usr/local/bin/deno"):
        find_deno()


def test_the_runtime_of_this_checkout_is_found() -> None:
    assert runtime_dir() == Path(__file__).parents[2] / "runtime_js"
