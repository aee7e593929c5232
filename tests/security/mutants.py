"""Take one measure away at a time and fire the attacks that aim at it: some must notice.

    python tests/security/mutants.py [WORD …]

Prints a table and exits with 1 when a measure could be lost without anybody seeing it. Words select
measures that contain one of them. Where a row takes two lines away, each alone must go unnoticed:
else they do not stand in for each other, and one of them deserves a row of its own.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from mutation import Mutation, mutated_copy
from mutations import MUTATIONS

ATTACKS: Final = Path(__file__).with_name("test_attacks.py")

# A mutant may hang; a program that is not stopped is noticed, too.
PATIENCE_S: Final = 15

# All attacks of a row, should each of them hang, and a slow machine.
ROW_S: Final = 600

_FAILED: Final = re.compile(r"^FAILED .*\[(.+)\]", re.MULTILINE)


class BrokenMutantError(Exception):
    """The mutant ran no attack. Its loss says nothing about the measure."""


def main(words: list[str]) -> int:
    faults = 0
    for mutation in MUTATIONS:
        if words and not any(word in mutation.measure for word in words):
            continue
        is_noticed, what = judge(mutation)
        faults += not is_noticed
        sys.stdout.write(f"{mutation.measure:58} {what}\n")
        sys.stdout.flush()
    return 1 if faults else 0


def judge(mutation: Mutation) -> tuple[bool, str]:
    """Whether the row is in order; and who notices, or what is wrong with it."""
    try:
        noticed = first_to_notice(mutation)
        if noticed is None:
            return False, "NOBODY NOTICES"
        for edit in mutation.edits if len(mutation.edits) > 1 else ():
            if first_to_notice(replace(mutation, edits=(edit,))) is not None:
                return False, f"{noticed}, AND WITH {edit.file} ALONE"
    except BrokenMutantError:
        return False, "THE MUTANT RUNS NO ATTACK"
    return True, noticed


def first_to_notice(mutation: Mutation) -> str | None:
    """Worker mode and id of the attack that notices first; None when none does.

    Raises:
        BrokenMutantError: No attack was fired, as when the pool does not come up.
    """
    with TemporaryDirectory(prefix="codepool-mutant-") as name:
        copy = mutated_copy(mutation, Path(name, "product"))
        # `python -m` puts the working directory first: the copy is what is imported.
        result = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider"),
                *("--timeout", str(PATIENCE_S), str(ATTACKS), "-k", " or ".join(mutation.attacks)),
            ],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy), "XDG_CACHE_HOME": name},
            capture_output=True,
            text=True,
            timeout=ROW_S,
        )
    if result.returncode == 0:
        return None
    failed = _FAILED.search(result.stdout)
    if failed is None:
        raise BrokenMutantError
    return failed[1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
