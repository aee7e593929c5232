from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.program.full_text import full_text
from pool.program.outcome import (
    CallRecord,
    CallStatus,
    ConsoleLine,
    ImageItem,
    Outcome,
    ProgramError,
    Reason,
    Status,
    TextItem,
    Timings,
)
from pool.program.render import MAX_ERROR_CHARS, SHOWN_CALLS, is_cut, render, whole

HEADER = "Script completed\nWall time 1.250 s"
TIMINGS = Timings(total_ms=1250)
IMAGE = ImageItem("image/png", "/tmp/image-1.png")


def completed(*texts: str, **fields: object) -> Outcome:
    items = tuple(TextItem(text) for text in texts)
    return replace(Outcome(Status.COMPLETED, output=items, timings=TIMINGS), **fields)


def failed(error: ProgramError | None, **fields: object) -> Outcome:
    outcome = Outcome(Status.FAILED, Reason.ERROR, error=error, timings=TIMINGS)
    return replace(outcome, **fields)


def calls(count: int) -> tuple[CallRecord, ...]:
    return tuple(CallRecord(n, "read", CallStatus.OK, 1.0) for n in range(count))


def test_one_item_stands_alone_below_the_header() -> None:
    assert render(completed("hello")).text == f"{HEADER}\n\nhello"


def test_a_program_without_output_is_a_header() -> None:
    assert render(completed()).text == HEADER


def test_several_items_are_numbered_and_the_value_is_the_last() -> None:
    outcome = completed("a", "b", value={"n": 1})

    expected = '==> text 1/3 <==\na\n==> text 2/3 <==\nb\n==> text 3/3 <==\n{"n":1}'
    assert render(outcome).text == f"{HEADER}\n\n{expected}"


def test_a_value_of_null_is_shown_and_an_absent_one_is_not() -> None:
    assert render(completed(value=None)).text == f"{HEADER}\n\nnull"
    assert render(completed()).text == HEADER


def test_an_image_is_an_item_of_its_own_and_handed_over() -> None:
    rendered = render(completed(output=(TextItem("a"), IMAGE)))

    assert "==> image 2/2 <==\n[image/png saved to /tmp/image-1.png]" in rendered.text
    assert rendered.images == (IMAGE,)


def test_the_console_is_a_block_after_the_items() -> None:
    outcome = completed("a", console=(ConsoleLine("log", "one"), ConsoleLine("warn", "two")))

    block = "<console_output>\none\n[warn] two\n</console_output>"
    assert render(outcome).text == f"{HEADER}\n\na\n{block}"


def test_notes_follow_the_output() -> None:
    assert render(completed("a", notes=("N1.", "N2."))).text.endswith("a\n\nNote: N1.\nNote: N2.")


def test_a_failure_keeps_partial_output_and_shows_the_error_last() -> None:
    error = ProgramError("TypeError", "no", 3, 5, "  x = y\n    ^", "    at program.js:3:5")

    text = render(failed(error, output=(TextItem("a"),), notes=("N.",))).text

    assert text == (
        "Script failed\nWall time 1.250 s\n\na\n\nNote: N.\n\n"
        "Script error:\nTypeError: no\nat program.js:3:5\n  x = y\n    ^"
    )


def test_causes_and_members_are_shown() -> None:
    inner = ProgramError("RangeError", "in", 2)
    error = ProgramError("AggregateError", "all", errors=(inner, inner), cause=inner)

    assert render(failed(error)).text.endswith(
        "AggregateError: all\n"
        "Error 1 of 2:\n  RangeError: in\n  at program.js:2\n"
        "Error 2 of 2:\n  RangeError: in\n  at program.js:2\n"
        "Caused by: RangeError: in\nat program.js:2"
    )


def test_a_reason_is_told_where_the_error_does_not() -> None:
    timeout = ProgramError("Timeout", "too long")

    assert "Reason" not in render(failed(timeout, reason=Reason.TIMEOUT)).text
    assert "Reason: Memory\nRangeError: x" in (
        render(failed(ProgramError("RangeError", "x"), reason=Reason.MEMORY)).text
    )
    assert render(failed(None, reason=Reason.CANCELLED)).text.endswith("Reason: Cancelled")


def test_an_error_without_message_is_its_name() -> None:
    assert render(failed(ProgramError("Error", ""))).text.endswith("Script error:\nError")


def test_calls_already_made_are_listed_with_a_failure_only() -> None:
    made = (
        CallRecord(0, "read", CallStatus.OK, 12.4),
        CallRecord(1, "write", CallStatus.CANCELLED, 3.0),
    )

    text = render(failed(ProgramError("Error", "x"), calls=made)).text

    assert text.endswith(
        "\n\nCalls made before, which were not undone:\n0 read: ok, 12 ms\n1 write: cancelled, 3 ms"
    )
    assert "read" not in render(completed(calls=made)).text


def test_a_long_list_of_calls_shows_the_first_and_the_last() -> None:
    text = render(failed(ProgramError("Error", "x"), calls=calls(1000))).text

    assert text.count(" read: ok") == SHOWN_CALLS
    assert f"… {1000 - SHOWN_CALLS} more …" in text
    assert "\n0 read: ok" in text
    assert "\n999 read: ok" in text


def test_an_error_has_its_own_bound() -> None:
    error = ProgramError("Error", "x" * 16_000, cause=ProgramError("Error", "y" * 100_000))

    text = render(failed(error), max_output_tokens=0).text

    assert MAX_ERROR_CHARS < len(text) < MAX_ERROR_CHARS + 200
    assert "x" * 16_000 in text


def test_output_within_the_budget_is_not_cut() -> None:
    outcome = completed("x" * 40, max_output_tokens=10)

    assert render(outcome).text == whole(outcome) == f"{HEADER}\n\n{'x' * 40}"
    assert not is_cut(outcome)


def test_o5_output_above_the_budget_is_cut_and_the_header_says_so() -> None:
    outcome = completed(
        "a" * 100 + "b" * 100, max_output_tokens=10, output_path="/tmp/run/output.txt"
    )

    assert render(outcome).text == (
        f"{HEADER}\nOutput cut: 40 of 200 characters are shown (max_output_tokens is 10);"
        " all of it: /tmp/run/output.txt\n\n"
        f"{'a' * 20}\n[… 160 of 200 characters cut …]\n{'b' * 20}"
    )
    assert is_cut(outcome)
    assert whole(outcome) == f"{HEADER}\n\n{'a' * 100}{'b' * 100}"


def test_o5_the_header_counts_what_is_shown_where_whole_characters_take_less() -> None:
    rendered = render(completed("e\u0301" * 50, max_output_tokens=1, output_path="/tmp/o"))
    family = render(completed("\U0001f468\u200d\U0001f469" * 50, max_output_tokens=1))

    assert "Output cut: 4 of 100 characters" in rendered.text
    assert "[… 96 of 100 characters cut …]" in rendered.text
    assert "Output cut: 0 of 150 characters" in family.text
    assert "[… 150 of 150 characters cut …]" in family.text


def test_a_budget_below_the_one_of_the_run_has_no_file_to_name() -> None:
    rendered = render(completed("x" * 100), max_output_tokens=1)

    assert "4 of 100 characters are shown (max_output_tokens is 1); the rest was not saved\n" in (
        rendered.text
    )


def pieces(count: int, text: str) -> list[Outcome]:
    """The same texts in every place the budget counts."""
    lines = tuple(ConsoleLine("log", text) for _ in range(count))
    return [
        completed(*[text] * count),
        completed(console=lines),
        completed(value=[text] * count),
        completed(*[text] * count, console=lines, value=text),
        completed(output=(IMAGE,) * count),
    ]


@pytest.mark.parametrize("count", range(4))
@pytest.mark.parametrize("text", ["", "x", "many words in it"])
def test_what_is_cut_can_be_told_without_rendering(count: int, text: str) -> None:
    for outcome in pieces(count, text):
        for tokens in range(60):
            budgeted = replace(outcome, max_output_tokens=tokens)

            assert is_cut(budgeted) is ("Output cut:" in render(budgeted).text)


def test_the_console_counts_and_is_cut_with_the_items() -> None:
    outcome = completed("a" * 30, console=(ConsoleLine("log", "b" * 1000),))

    text = render(outcome, max_output_tokens=20).text

    assert "of 1066 characters cut" in text
    assert text.endswith("b\n</console_output>")


def test_notes_and_the_error_are_never_cut_by_the_budget() -> None:
    error = ProgramError("Error", "e" * 1000)

    text = render(failed(error, output=(TextItem("a" * 100),), notes=("N.",)), max_output_tokens=1)

    assert "Note: N." in text.text
    assert "e" * 1000 in text.text


def test_o5_a_budget_of_zero_keeps_the_notice_and_the_error_alone() -> None:
    outcome = failed(
        ProgramError("Error", "x"),
        output=(TextItem("secret"), IMAGE),
        console=(ConsoleLine("log", "hidden"),),
        notes=("N.",),
    )

    rendered = render(outcome, max_output_tokens=0)

    assert rendered.text == (
        "Script failed\nWall time 1.250 s\nOutput cut: 0 of 121 characters are shown"
        " (max_output_tokens is 0); the rest was not saved\n\nScript error:\nError: x"
    )
    assert rendered.images == ()
    assert "secret" in whole(outcome)


def test_a_budget_of_zero_says_nothing_of_a_cut_where_there_was_no_output() -> None:
    assert render(completed(), max_output_tokens=0).text == HEADER
    assert not is_cut(completed(max_output_tokens=0, notes=("N.",)))


def test_a_file_is_not_named_where_nothing_is_cut() -> None:
    outcome = completed("x" * 100, output_path="/tmp/run/output.txt")

    assert render(outcome, max_output_tokens=100).text == whole(outcome)


def test_the_budget_of_the_run_holds_when_none_is_given() -> None:
    outcome = completed("x" * 100, max_output_tokens=1)

    assert render(outcome).text == render(outcome, max_output_tokens=1).text
    assert render(outcome, max_output_tokens=25).text == whole(outcome)


@given(
    st.lists(st.text(alphabet=st.sampled_from("a\ud83d\ude00👩‍👩‍👦🇫🇷e\u0301\n"), max_size=40)),
    st.integers(0, 12),
)
def test_no_text_ever_has_half_a_character(texts: list[str], tokens: int) -> None:
    outcome = completed(*texts, console=tuple(ConsoleLine("log", text) for text in texts))

    render(outcome, max_output_tokens=tokens).text.encode("utf-8")
    whole(outcome).encode("utf-8")


def work(function: Callable[[Outcome], object], outcome: Outcome) -> int:
    """How many functions are called on the way, those of the interpreter included."""
    count = 0

    def watch(frame: object, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(watch)
    try:
        function(outcome)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("function", [render, full_text, is_cut])
@pytest.mark.parametrize("kind", range(5), ids=["texts", "console", "value", "both", "images"])
def test_twice_the_output_is_at_most_twice_the_work(
    function: Callable[[Outcome], object], kind: int
) -> None:
    once, twice = (work(function, pieces(count, "x" * 50)[kind]) for count in (2_000, 4_000))

    assert twice <= 2 * once
