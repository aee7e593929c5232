"""A hundred and more questions to a catalogue of our own: does the right tool come up?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pool.tools.ranking import Document, Index

HERE = Path(__file__).parent
SHOWN = 8


def lines(name: str) -> Iterator[str]:
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield line


def tools() -> Iterator[tuple[str, Document]]:
    for line in lines("tools.txt"):
        key, description, parameters = (part.strip() for part in line.split("|"))
        namespace, name = key.split(".")
        yield key, Document(name, namespace, description, parameters)


def questions() -> Iterator[tuple[str, frozenset[str], int]]:
    """Each query, the tools that are right, and among how many one of them must be."""
    for line in lines("queries.txt"):
        query, right = line.split(" => ")
        yield query, frozenset(right.split()) - {"*"}, 1 if right.endswith("*") else SHOWN


INDEX = Index(dict(tools()))
QUESTIONS = tuple(questions())


def test_the_catalogue_and_the_questions_are_of_a_size_that_means_something():
    assert len(dict(tools())) >= 120
    assert len(QUESTIONS) >= 100


@pytest.mark.parametrize(("query", "right", "within"), QUESTIONS, ids=[q for q, _, _ in QUESTIONS])
def test_d4_the_tool_that_is_meant_comes_up(query: str, right: frozenset[str], within: int):
    found = [match.key for match in INDEX.search(query, limit=within).matches]

    assert right & set(found)


def test_d4_most_questions_are_answered_by_the_first_tool():
    first = [INDEX.search(query, limit=1).matches[0].key for query, _, _ in QUESTIONS]
    right = [key in meant for key, (_, meant, _) in zip(first, QUESTIONS, strict=True)]

    assert sum(right) >= 0.8 * len(right)
