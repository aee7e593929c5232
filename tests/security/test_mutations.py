"""The table of `mutations.py` fits the product it mutates. `mutants.py` carries it out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from corpus import load_programs
from mutation import ROOT, Mutation
from mutations import MUTATIONS

each_mutation = pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda each: each.measure)


@each_mutation
def test_the_text_of_a_measure_is_found_exactly_once(mutation: Mutation):
    for edit in mutation.edits:
        text = (ROOT / edit.file).read_text(encoding="utf-8")

        assert text.count(edit.before) == 1
        assert edit.after != edit.before


@each_mutation
def test_the_attacks_on_a_measure_exist(mutation: Mutation):
    assert mutation.attacks
    assert set(mutation.attacks) <= load_programs().keys()


def test_the_readme_names_rows_and_their_attacks():
    text = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    attacks = {mutation.measure: mutation.attacks for mutation in MUTATIONS}
    lines = re.findall(r"^\| [^|]+ \| (`.+`)(?: \(\d\))? \| ([A-Z0-9, -]+) \|$", text, re.MULTILINE)

    assert len(lines) == 14
    for rows, noticed_by in lines:
        named = [attacks[row] for row in re.findall(r"`([^`]+)`", rows)]
        assert set(noticed_by.split(", ")) == {id for ids in named for id in ids}
