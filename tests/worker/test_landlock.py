"""Rulesets of every ABI as data, and on this kernel by a process that restricts itself."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from confined import landlock_abi, needs_landlock, run_python

from pool.worker.landlock import Rules, kernel_abi, open_ruleset, rights_of

OPEN = """
import json, os, sys
said = {}
for path, flags in json.loads(sys.argv[1]):
    try:
        os.close(os.open(path, flags))
    except PermissionError:
        said[path] = "refused"
    else:
        said[path] = "opened"
print(json.dumps(said))
"""


@pytest.mark.parametrize(
    ("abi", "files", "network", "scopes"),
    [
        (1, 0x1FFF, 0, 0),
        (2, 0x3FFF, 0, 0),
        (3, 0x7FFF, 0, 0),
        (4, 0x7FFF, 0b11, 0),
        (5, 0xFFFF, 0b11, 0),
        (6, 0xFFFF, 0b11, 0b11),
        (7, 0xFFFF, 0b11, 0b11),
        (99, 0xFFFF, 0b11, 0b11),
    ],
)
def test_an_abi_takes_away_what_it_knows(abi: int, files: int, network: int, scopes: int) -> None:
    rights = rights_of(abi)

    assert (rights.files, rights.network, rights.scopes) == (files, network, scopes)


@needs_landlock
def test_a_kernel_takes_the_rulesets_of_all_abis_up_to_its_own(tmp_path: Path) -> None:
    for abi in range(1, kernel_abi() + 1):
        os.close(open_ruleset(Rules(abi, ["/proc/self/exe"], [str(tmp_path)], ["/dev/null"])))


@needs_landlock
def test_a_path_that_does_not_exist_is_an_error_and_leaks_nothing(tmp_path: Path) -> None:
    before = os.listdir("/proc/self/fd")

    with pytest.raises(FileNotFoundError):
        open_ruleset(Rules(kernel_abi(), read=[str(tmp_path / "missing")]))

    assert os.listdir("/proc/self/fd") == before


@needs_landlock
def test_only_what_a_rule_names_can_be_opened_and_only_that_way(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    for path in (inside / "a", tmp_path / "b", tmp_path / "c"):
        path.touch()
    wanted = [
        (str(inside), os.O_RDONLY),
        (str(inside / "a"), os.O_RDONLY),
        (str(tmp_path / "b"), os.O_RDONLY),
        (str(tmp_path / "c"), os.O_WRONLY),
        (str(tmp_path), os.O_RDONLY),
        (str(inside / "new"), os.O_WRONLY | os.O_CREAT),
    ]
    rules = Rules(kernel_abi(), read=[str(inside)], write=[str(tmp_path / "c")])

    free = json.loads(run_python(OPEN, json.dumps(wanted)).stdout)
    (inside / "new").unlink()
    held = json.loads(run_python(OPEN, json.dumps(wanted), rules=rules).stdout)

    assert set(free.values()) == {"opened"}
    assert held == {
        str(inside): "opened",
        str(inside / "a"): "opened",
        str(tmp_path / "b"): "refused",
        str(tmp_path / "c"): "opened",
        str(tmp_path): "refused",
        str(inside / "new"): "refused",
    }


@needs_landlock
def test_of_the_files_in_proc_only_named_ones_of_its_own_can_be_read() -> None:
    wanted = [
        ("/proc/self/maps", os.O_RDONLY),
        (f"/proc/{os.getpid()}/maps", os.O_RDONLY),
        ("/proc/self/environ", os.O_RDONLY),
        ("/proc/self/fd", os.O_RDONLY),
        ("/proc/stat", os.O_RDONLY),
    ]

    free = json.loads(run_python(OPEN, json.dumps(wanted)).stdout)
    rules = Rules(landlock_abi(), own=["maps"])
    held = json.loads(run_python(OPEN, json.dumps(wanted), rules=rules).stdout)

    assert set(free.values()) == {"opened"}
    assert [path for path, what in held.items() if what == "opened"] == ["/proc/self/maps"]
