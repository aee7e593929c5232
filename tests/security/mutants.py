"""Take one measure away at a time and fire the attacks that aim at it: some must notice.

    python tests/security/mutants.py [WORD …]

Prints a table and exits with 1 when a measure could be lost without anybody seeing it. Words select
measures that contain one of them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from mutation import Mutation, mutated_copy
from mutations import MUTATIONS

ATTACKS: Final = Path(__file__).with_name("test_attacks.py")

# A mutant may hang; a program that is not stopped is noticed, too.
PATIENCE_S: Final = 15

_FAILED: Final = re.compile(r"^FAILED .*\[(.+)\]", re.MULTILINE)


def noticed_by(mutation: Mutation) -> list[str]:
    """Worker mode and id of the attack that notices first; empty when none does."""
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
        )
    if result.returncode == 0:
        return []
    return _FAILED.findall(result.stdout) or ["the pool does not come up"]


def main(words: list[str]) -> int:
    survivors = 0
    for mutation in MUTATIONS:
        if words and not any(word in mutation.measure for word in words):
            continue
        noticed = noticed_by(mutation)
        survivors += not noticed
        row = f"{mutation.measure:58} {', '.join(noticed) or 'NOBODY NOTICES'}"
        sys.stdout.write(row + "\n")
        sys.stdout.flush()
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
