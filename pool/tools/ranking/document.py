"""What is known about one tool as text, and what each of its words weighs.

Weights depend on the document alone: the length of a field is held against a typical length, not
against the average of an index. So documents come and go without touching one another, and how an
index came about does not show in its answers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pool.tools.ranking.words import words


@dataclass(frozen=True, slots=True)
class Document:
    """One tool.

    Attributes:
        name: As its source calls it.
        namespace: The group it belongs to, or nothing.
        parameters: Their names.
        parameter_descriptions: What is said about them.
        aliases: Other names; found like `name`.
    """

    name: str
    namespace: str = ""
    description: str = ""
    parameters: str = ""
    namespace_description: str = ""
    parameter_descriptions: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Field:
    """How much a field says about what a tool is for.

    Attributes:
        dilution: How strongly the length of the field takes away from each of its words, 0 to 1.
        typical: Words of a usual field: there nothing is taken away. Medians of real tools.
    """

    weight: float
    dilution: float
    typical: float


# Found by trying on the development queries of `docs/toolsearch.md`; the optimum is flat.
_FIELDS: Final[Mapping[str, _Field]] = {
    "name": _Field(weight=2.0, dilution=0.8, typical=3),
    "namespace": _Field(weight=2.5, dilution=0.5, typical=1.5),
    "description": _Field(weight=0.75, dilution=0.6, typical=25),
    "parameters": _Field(weight=1.2, dilution=0.6, typical=12),
    "namespace_description": _Field(weight=0.3, dilution=0.9, typical=18),
    "parameter_descriptions": _Field(weight=0.25, dilution=0.25, typical=20),
}

# Saturation of repeated words, as in BM25.
_SATURATION: Final = 1.1


def weights(document: Document) -> dict[str, float]:
    """Each word of a document with its saturated weight over all fields."""
    frequencies: defaultdict[str, float] = defaultdict(float)
    for name, field in _FIELDS.items():
        counter = Counter(words(getattr(document, name)))
        if name == "name":
            counter.update(word for alias in document.aliases for word in words(alias))
        dilution = 1 + field.dilution * (counter.total() / field.typical - 1)
        for word, times in counter.items():
            frequencies[word] += field.weight * times / dilution
    return {
        word: frequency * (_SATURATION + 1) / (_SATURATION + frequency)
        for word, frequency in frequencies.items()
    }
