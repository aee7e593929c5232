"""`INVARIANTS.md` and its controls: where a layer is missing, the attack on it succeeds."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from attacking import Range, below, open_range
from corpus import load_programs
from fixture_tools import echo
from mutation import ROOT, mutated_copy
from mutations import MUTATIONS

from pool import Tool
from pool.worker.deno import find_deno

HERE: Final = Path(__file__).parent
PROGRAMS: Final = load_programs()
BY_MEASURE: Final = {mutation.measure: mutation for mutation in MUTATIONS}

# How long an endless loop has to go on to count as endless.
ENDLESS_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Invariant:
    id: str
    attacks: tuple[str, ...]
    control: str


def _invariants() -> list[Invariant]:
    text = (HERE / "INVARIANTS.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (I-\d+) \| .+ \| (.+) \| (.+) \|$", text, re.MULTILINE)
    return [Invariant(id, tuple(attacks.split()), control) for id, attacks, control in rows]


INVARIANTS: Final = _invariants()
PLAIN: Final = [each for each in INVARIANTS if each.control.startswith("plain ")]
WITHOUT: Final = [each for each in INVARIANTS if each.control.startswith("without ")]
BY_HAND: Final = [each for each in INVARIANTS if each.control.startswith("test_")]


def test_invariants_are_numbered_and_each_has_a_control():
    assert [each.id for each in INVARIANTS] == [f"I-{n}" for n in range(1, len(INVARIANTS) + 1)]
    assert len(PLAIN) + len(WITHOUT) + len(BY_HAND) == len(INVARIANTS)
    assert all(callable(globals()[each.control]) for each in BY_HAND)


@pytest.mark.parametrize("invariant", INVARIANTS, ids=lambda each: each.id)
def test_its_attacks_exist(invariant: Invariant):
    assert invariant.attacks
    assert set(invariant.attacks) <= PROGRAMS.keys()


@pytest.mark.parametrize("invariant", PLAIN, ids=lambda each: each.id)
def test_without_any_layer_the_attack_succeeds(invariant: Invariant, tmp_path: Path):
    program = PROGRAMS[invariant.control.removeprefix("plain ")]
    chain = (program,) if program.pair is None else (PROGRAMS[program.pair], program)

    shown = in_plain_deno([each.source.decode() for each in chain], tmp_path)

    assert "ESCAPED" in shown


@pytest.mark.parametrize("invariant", WITHOUT, ids=lambda each: each.id)
def test_without_the_measure_the_attack_is_noticed(
    invariant: Invariant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    measure, _, id = invariant.control.removeprefix("without ").rpartition(": ")
    copy = mutated_copy(BY_MEASURE[measure], tmp_path / "product")
    monkeypatch.setattr("pool.worker.site.runtime_dir", lambda: copy / "runtime_js")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    with open_range(tenant="control", spares=0) as range_:
        outcome = range_.fire(PROGRAMS[id], {})
        is_alive = range_.is_alive()

    assert PROGRAMS[id].faults(outcome) or not is_alive


def test_a_tool_is_called_when_and_only_when_it_was_offered(reuse: Range):
    source = "return await tools.secret({})"
    secret = Tool(name="secret", handler=echo)

    offered, kept = (
        reuse.portal.call(lambda tools=tools: reuse.pool.run(source, tools=tools))
        for tools in ([secret], [])
    )

    assert offered.is_completed
    assert not kept.is_completed
    assert kept.calls == ()


def test_without_a_limit_the_memory_is_there(tmp_path: Path):
    assert "ESCAPED" in in_plain_deno([PROGRAMS["MEM-014"].source.decode()], tmp_path)


def test_without_a_deadline_a_loop_goes_on(tmp_path: Path):
    with pytest.raises(subprocess.TimeoutExpired):
        in_plain_deno([PROGRAMS["CPU-001"].source.decode()], tmp_path, patience_s=ENDLESS_S)


def test_the_same_writes_are_kept_when_the_program_succeeds(reuse: Range):
    source = PROGRAMS["LIF-014"].source.decode().replace("throw new Error", "new Error")

    outcome = reuse.portal.call(reuse.pool.run, source)

    assert outcome.store.set == {"a": 1, "b": "x"}


def test_a_process_that_is_left_would_be_seen():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as left:
        assert left.pid in below(os.getpid())


def in_plain_deno(sources: list[str], home: Path, *, patience_s: float = 15) -> str:
    """What programs print when nothing holds them; the environment has a secret in it."""
    result = subprocess.run(
        [find_deno().path, "run", "-A", "--quiet", "--no-config", str(HERE / "plain.js")],
        cwd=ROOT,
        env={"DENO_DIR": str(home), "HOME": str(home), "SECRET_TOKEN": "s3cr3t"},
        input=json.dumps(sources),
        capture_output=True,
        text=True,
        timeout=patience_s,
    )
    return result.stdout
