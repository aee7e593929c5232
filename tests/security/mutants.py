"""Take one measure away at a time and fire the attacks that aim at it: they must notice.

    python tests/security/mutants.py [WORD …]

Prints a table and exits with 1 when an attack does not see a measure go that it is named for. Words
select measures that contain one of them. Where a row takes two lines away, each alone must go
unnoticed: else they do not stand in for each other, and one of them deserves a row of its own.
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

# Names of tests end in `[single_use-ID]` or `[reuse-ID]`; an id alone is a part of others, too.
SELECTED: Final = "use-{}"

_FAILED: Final = re.compile(r"^FAILED .*\[(?:single_use|reuse)-(.+?)\]", re.MULTILINE)


class BrokenMutantError(Exception):
    """The mutant ran no attack. Its loss says nothing about the measure."""


def main(words: list[str]) -> int:
    chosen = [
        each for each in MUTATIONS if not words or any(word in each.measure for word in words)
    ]
    if not chosen:
        sys.stdout.write("no measure contains these words\n")
        return 2
    if failing := noticed_by(whole(chosen)):
        sys.stdout.write(f"FAIL WITH ALL MEASURES IN PLACE: {', '.join(sorted(failing))}\n")
        return 1
    faults = 0
    for mutation in chosen:
        is_in_order, what = judge(mutation)
        faults += not is_in_order
        sys.stdout.write(f"{mutation.measure:58} {what}\n")
        sys.stdout.flush()
    return 1 if faults else 0


def whole(mutations: list[Mutation]) -> Mutation:
    """The control: all their attacks, and nothing lost. What fails then would notice anything."""
    attacks = {attack: None for mutation in mutations for attack in mutation.attacks}
    return Mutation("nothing", tuple(attacks), ())


def judge(mutation: Mutation) -> tuple[bool, str]:
    """Whether the row is in order; and who notices, or what is wrong with it."""
    try:
        noticed = noticed_by(mutation)
        idle = [attack for attack in mutation.attacks if attack not in noticed]
        if idle:
            return False, f"NOT NOTICED BY {', '.join(idle)}"
        for edit in mutation.edits if len(mutation.edits) > 1 else ():
            if noticed_by(replace(mutation, edits=(edit,))):
                return False, f"NOTICED WITH {edit.file} ALONE"
    except BrokenMutantError:
        return False, "THE MUTANT RUNS NO ATTACK"
    return True, ", ".join(mutation.attacks)


def noticed_by(mutation: Mutation) -> set[str]:
    """Ids of the attacks that notice, in one worker mode at least.

    Raises:
        BrokenMutantError: No attack was fired, as when the pool does not come up.
    """
    selected = " or ".join(SELECTED.format(attack) for attack in mutation.attacks)
    with TemporaryDirectory(prefix="codepool-mutant-") as name:
        copy = mutated_copy(mutation, Path(name, "product"))
        # `python -m` puts the working directory first: the copy is what is imported.
        result = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider"),
                *("--timeout", str(PATIENCE_S), str(ATTACKS), "-k", selected),
            ],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy), "XDG_CACHE_HOME": name},
            capture_output=True,
            text=True,
            timeout=ROW_S,
        )
    noticed = {id for ids in _FAILED.findall(result.stdout) for id in ids.split("+")}
    if result.returncode != 0 and not noticed:
        raise BrokenMutantError(f"{mutation.measure}: no attack was fired")
    return noticed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
