"""Attestation: silent under the layers it asks about, and loud about each attempt that works."""

from __future__ import annotations

from pathlib import Path

import pytest
from confined import landlock_abi, needs_landlock, run_python

from pool.worker.attest import CALLS, FILES
from pool.worker.landlock import Rules

NOTHING = Rules(landlock_abi())
SAY_SO = "print('alive')"

pytestmark = needs_landlock


def test_a_fully_confined_process_attests_and_goes_on(tmp_path: Path) -> None:
    ended = run_python(SAY_SO, rules=NOTHING, calls=True, sealed=[str(tmp_path)])

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "alive\n", "")
    assert list(tmp_path.iterdir()) == []


def test_each_layer_attests_alone(tmp_path: Path) -> None:
    files = run_python(SAY_SO, rules=NOTHING, sealed=[str(tmp_path)])
    calls = run_python(SAY_SO, calls=True, sealed=[str(tmp_path)])

    assert (files.stdout, calls.stdout) == ("alive\n", "alive\n")


@pytest.mark.parametrize(
    ("expect", "first"),
    [
        ((True, False), "list the root directory"),
        ((False, True), "open a network socket"),
        ((True, True), "list the root directory"),
    ],
)
def test_a_layer_that_is_not_in_force_is_noticed(expect: tuple[bool, bool], first: str) -> None:
    ended = run_python(SAY_SO, sealed=[], expect=expect)

    assert ended.returncode == 70
    assert f"Breach: the confined process could {first}" in ended.stderr


ONE_ATTEMPT = """
from worker import attest
attempts = {each.__name__: each for each in (*attest.FILES, *attest.CALLS)}
import sys
try:
    attempts[sys.argv[1]]()
except OSError:
    print("refused")
else:
    print("worked")
"""


@pytest.mark.parametrize("name", [each.__name__ for each in (*FILES, *CALLS)])
def test_every_attempt_works_without_the_layers_and_fails_under_its_own(name: str) -> None:
    is_of_files = name in {each.__name__ for each in FILES}

    free = run_python(ONE_ATTEMPT, name)
    held = run_python(
        ONE_ATTEMPT, name, rules=NOTHING if is_of_files else None, calls=not is_of_files
    )

    # A program that could be started has taken the place of the one that asked.
    assert free.stdout == ("" if name == "start_a_program" else "worked\n")
    assert free.returncode == 0
    assert held.stdout == "refused\n"


MAKE = """
import sys
from worker import attest
try:
    attest.make_a_file_in(sys.argv[1])
except OSError:
    print("refused")
else:
    print("worked")
"""


def test_making_a_file_works_without_landlock_and_leaves_none(tmp_path: Path) -> None:
    free = run_python(MAKE, str(tmp_path))
    held = run_python(MAKE, str(tmp_path), rules=NOTHING)

    assert (free.stdout, held.stdout) == ("worked\n", "refused\n")
    assert list(tmp_path.iterdir()) == []
