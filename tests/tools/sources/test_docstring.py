from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pool.tools.sources.docstring import Documentation, read_docstring


def test_the_first_paragraph_is_the_description():
    text = """Finds notes
    by their words.

    More that only Python programmers need.
    """

    assert read_docstring(text) == Documentation("Finds notes by their words.")


def test_entries_of_args_describe_parameters():
    text = """Finds notes.

    Args:
        query (str): Words to look for:
            all of them.
        limit: Most notes.
        **rest: Others.

    Returns:
        notes: The notes.
    """

    assert read_docstring(text).parameters == {
        "query": "Words to look for: all of them.",
        "limit": "Most notes.",
        "rest": "Others.",
    }


def test_a_line_like_an_entry_inside_an_entry_belongs_to_it():
    text = """Finds.

    Args:
        query: Words, or
            name: exact.
    """

    assert read_docstring(text).parameters == {"query": "Words, or name: exact."}


def test_no_docstring_says_nothing():
    assert read_docstring(None) == Documentation()


@given(st.text(alphabet="Args: \n\tab*()", max_size=80))
def test_any_text_is_read_without_an_error(text):
    assert isinstance(read_docstring(text), Documentation)
