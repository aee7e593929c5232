from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from pool.program.render import MAX_ERROR_CHARS, SHOWN_CALLS, readable, render

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
    rendered = render(completed("x" * 40), max_output_tokens=10)

    assert not rendered.is_cut
    assert rendered.text is rendered.full_text


def test_output_above_the_budget_is_cut_and_the_header_says_so() -> None:
    rendered = render(completed("a" * 100 + "b" * 100), max_output_tokens=10)

    assert rendered.text == (
        f"{HEADER}\nOutput cut: 40 of 200 characters are shown (max_output_tokens is 10)\n\n"
        f"{'a' * 20}\n[… 160 of 200 characters cut …]\n{'b' * 20}"
    )
    assert rendered.is_cut
    assert rendered.full_text == f"{HEADER}\n\n{'a' * 100}{'b' * 100}"


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


def test_a_budget_of_zero_keeps_the_notice_and_the_error_alone() -> None:
    outcome = failed(
        ProgramError("Error", "x"),
        output=(TextItem("secret"), IMAGE),
        console=(ConsoleLine("log", "hidden"),),
        notes=("N.",),
    )

    rendered = render(outcome, max_output_tokens=0)

    assert "Output cut: 0 of " in rendered.text
    assert rendered.text.endswith("(max_output_tokens is 0)\n\nScript error:\nError: x")
    assert rendered.images == ()
    assert "secret" in rendered.full_text


def test_a_budget_of_zero_says_nothing_of_a_cut_where_there_was_no_output() -> None:
    assert render(completed(), max_output_tokens=0).text == HEADER


def test_the_file_with_everything_is_named_when_there_is_one() -> None:
    outcome = completed("x" * 100, output_path="/tmp/output.txt")

    assert "all of it: /tmp/output.txt\n" in render(outcome, max_output_tokens=1).text
    assert "output.txt" not in render(outcome, max_output_tokens=100).text


def test_the_budget_of_the_run_holds_when_none_is_given() -> None:
    outcome = completed("x" * 100, max_output_tokens=1)

    assert render(outcome).is_cut
    assert not render(outcome, max_output_tokens=25).is_cut


@given(
    st.lists(st.text(alphabet=st.sampled_from("a\ud83d\ude00👩‍👩‍👦🇫🇷e\u0301\n"), max_size=40)),
    st.integers(0, 12),
)
def test_no_text_ever_has_half_a_character(texts: list[str], tokens: int) -> None:
    rendered = render(completed(*texts), max_output_tokens=tokens)

    rendered.text.encode("utf-8")
    rendered.full_text.encode("utf-8")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("text", "text"),
        (None, "null"),
        (True, "true"),
        (2, "2"),
        (2.0, "2"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (-0.0, "0"),
        (float("nan"), "NaN"),
        ([float("inf"), -float("inf")], "[Infinity,-Infinity]"),
        ({"é": ["\n", None]}, '{"é":["\\n",null]}'),
        (b"", "Uint8Array(0) []"),
        (b"\x89PNG", "Uint8Array(4) [137, 80, 78, 71]"),
        ({"b": bytes(17)}, '{"b":"Uint8Array(17) [' + "0, " * 16 + '… 1 more]"}'),
    ],
)
def test_a_returned_value_reads_as_in_javascript(value: object, shown: str) -> None:
    assert readable(value) == shown
