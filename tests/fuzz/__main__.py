"""`make fuzz`: looks for bytes of a worker that break the host's decoder, guided by coverage.

    python -m fuzz [CORPUS] [libFuzzer options]

An input that breaks it is written to `crash-…` and printed; give that file as the only argument to
see it again, then add it to the tests as an example.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["pool.wire", "pool.worker.quota"]):
    from fuzz.target import SEEDS, fuzz_one

# A whole stream, cut at every byte or not at all; and single frames without their prelude.
WHOLE, CUT, BODY = b"\x00", b"\x02", b"\x01"
PRELUDE_BYTES = 15


def plant(corpus: Path) -> None:
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(SEEDS):
        kind, fields, body = seed[14:15], seed[4:5], seed[PRELUDE_BYTES:]
        (corpus / f"frame-{number}").write_bytes(BODY + kind + fields + body)
        (corpus / f"stream-{number}").write_bytes(WHOLE + b"".join(SEEDS[number:]))
        (corpus / f"bytes-{number}").write_bytes(CUT + seed)


def main(arguments: list[str]) -> None:
    for argument in arguments[1:]:
        if not argument.startswith("-") and not Path(argument).is_file():
            plant(Path(argument))
    atheris.Setup(arguments, fuzz_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv)
