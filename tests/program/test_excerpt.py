from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.errors import SourceRefused
from pool.limits import Limits
from pool.program.excerpt import (
    MAX_CAUSES,
    MAX_ERRORS,
    MAX_LINE_CHARS,
    MAX_MEMBERS,
    MAX_TEXT_CHARS,
    describe,
    describe_refusal,
    excerpt_of,
)
from pool.program.outcome import ProgramError
from pool.program.positions import utf16_length
from pool.program.source import prepare
from pool.wire.messages import GuestError

PROGRAM = prepare("#!x\nconst a = 1;\r\n\treturn a.b.c;\n", limits=Limits())


def thrown(
    message: str = "m",
    *,
    name: str = "Error",
    stack: str = "",
    line: int | None = None,
    column: int | None = None,
    cause: GuestError | None = None,
    errors: tuple[GuestError, ...] = (),
) -> GuestError:
    return GuestError(name, message, stack, line, column, cause, errors)


def chain(levels: int) -> GuestError:
    error = thrown("innermost")
    for level in range(levels):
        error = thrown(f"level {level}", cause=error)
    return error


def causes(error: ProgramError) -> list[ProgramError]:
    found = []
    while error.cause is not None:
        error = error.cause
        found.append(error)
    return found


def test_an_excerpt_is_the_callers_line_with_a_caret_below_the_column() -> None:
    error = describe(thrown(line=3, column=12), PROGRAM)

    assert error.excerpt == "\treturn a.b.c;\n\t          ^"


def test_blanked_lines_are_shown_as_the_caller_wrote_them() -> None:
    assert describe(thrown(line=1, column=1), PROGRAM).excerpt == "#!x\n^"


@pytest.mark.parametrize(("line", "column"), [(0, 1), (9, 1), (None, 3), (10**12, 1)])
def test_a_line_that_does_not_exist_is_no_position(line: int | None, column: int) -> None:
    error = describe(thrown(line=line, column=column), PROGRAM)

    assert (error.line, error.column, error.excerpt) == (None, None, None)


@pytest.mark.parametrize("column", [0, 14, 10**12, None])
def test_a_column_that_does_not_exist_leaves_the_line(column: int | None) -> None:
    error = describe(thrown(line=2, column=column), PROGRAM)

    assert (error.line, error.column, error.excerpt) == (2, None, "const a = 1;")


def test_the_column_behind_the_last_character_exists() -> None:
    assert describe(thrown(line=2, column=13), PROGRAM).excerpt == f"const a = 1;\n{' ' * 12}^"


@given(st.text(alphabet="ab \t😀é\u0301", max_size=MAX_LINE_CHARS // 2), st.data())
def test_the_caret_stands_as_many_units_in_as_its_character(line: str, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(line)))

    shown, caret = excerpt_of(line, utf16_length(line[:index]) + 1).split("\n")

    assert shown == line
    assert caret.index("^") == len(caret) - 1 == utf16_length(line[:index])
    assert caret.count("\t") == line[:index].count("\t")


@given(st.text(alphabet="abc😀", min_size=MAX_LINE_CHARS, max_size=1500), st.data())
def test_a_long_line_is_a_window_with_the_caret_at_its_character(
    line: str, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(line) - 1))
    line = line[:index] + "X" + line[index + 1 :]

    shown, caret = excerpt_of(line, utf16_length(line[:index]) + 1).split("\n")

    assert utf16_length(shown) <= MAX_LINE_CHARS
    assert len(caret) <= MAX_LINE_CHARS
    assert shown.strip("…") in line
    assert utf16_length(shown[: shown.index("X")]) == len(caret) - 1


def test_what_a_terminal_acts_on_is_not_in_an_excerpt() -> None:
    assert "\x1b" not in excerpt_of("a\x1b[2Jb", 1)


def test_only_frames_of_the_program_are_left_of_a_stack() -> None:
    frames = [
        "    at f (program.js:2:3)",
        "    at program.js:3:1",
        "    at async g (program.js:1:1)",
        "    at async program.js:1:1",
    ]
    foreign = [
        "TypeError: a message",
        "    at run (file:///srv/runtime/realm.js:10:5)",
        "    at Array.map (<anonymous>)",
        "    at x (program.js:1:1) file:///srv/y",
        "    at program.json:1:1",
    ]

    error = describe(thrown(stack="\n".join([*foreign, *frames])), PROGRAM)

    assert error.stack == "\n".join(frames)


@pytest.mark.parametrize("field", ["name", "message"])
def test_long_text_is_cut_and_says_so(field: str) -> None:
    error = describe(thrown(**{field: "x" * 20_000}), PROGRAM)

    text = getattr(error, field)
    assert len(text) == MAX_TEXT_CHARS
    assert text.endswith("… [cut, 20000 characters in all]")


def test_text_of_the_greatest_length_is_kept_whole() -> None:
    assert describe(thrown("x" * MAX_TEXT_CHARS), PROGRAM).message == "x" * MAX_TEXT_CHARS


def test_a_long_stack_is_cut() -> None:
    stack = "\n".join(f"    at f (program.js:1:{n})" for n in range(2000))

    assert len(describe(thrown(stack=stack), PROGRAM).stack) <= MAX_TEXT_CHARS


def test_eight_causes_are_kept_whole() -> None:
    error = describe(chain(MAX_CAUSES), PROGRAM)

    assert len(causes(error)) == MAX_CAUSES
    assert causes(error)[-1].message == "innermost"


def test_a_ninth_cause_is_cut_and_said() -> None:
    last = causes(describe(chain(MAX_CAUSES + 1), PROGRAM))[-1]

    assert last.cause is None
    assert last.message == "level 0\n[further causes are not shown]"


def test_members_beyond_the_limit_are_cut_and_counted() -> None:
    members = tuple(thrown(str(n)) for n in range(MAX_MEMBERS + 3))

    error = describe(thrown("all", errors=members), PROGRAM)

    assert [member.message for member in error.errors] == [str(n) for n in range(MAX_MEMBERS)]
    assert error.message == "all\n[3 more errors are not shown]"


def test_what_the_worker_left_out_is_said_in_its_own_words() -> None:
    omitted = thrown("70 more errors are not shown", name="Omitted")
    members = (*(thrown(str(n)) for n in range(MAX_MEMBERS)), omitted)

    error = describe(thrown("all", errors=members), PROGRAM)

    assert len(error.errors) == MAX_MEMBERS
    assert error.message == "all\n[70 more errors are not shown]"


def test_a_tree_of_errors_costs_a_bounded_number() -> None:
    error = thrown()
    for _ in range(6):
        error = thrown(errors=(error,) * MAX_MEMBERS)

    def count(described: ProgramError) -> int:
        return 1 + sum(map(count, described.errors))

    assert count(describe(error, PROGRAM)) == MAX_ERRORS


def test_causes_and_members_have_their_own_excerpts() -> None:
    inner = thrown(line=2, column=7)

    error = describe(thrown(cause=inner, errors=(inner,)), PROGRAM)

    assert error.excerpt is None
    assert error.cause is not None
    assert error.cause.excerpt == error.errors[0].excerpt == "const a = 1;\n      ^"


@pytest.mark.parametrize("source", ["ok\nb😀d", "ok\nb😀d".encode()])
def test_a_refusal_shows_the_line_that_is_to_blame(source: str | bytes) -> None:
    error = describe_refusal(SourceRefused("Line 2: no", line=2, column=4), source)

    assert error == ProgramError("SourceError", "Line 2: no", 2, 4, "b😀d\n   ^")


def test_a_refusal_without_a_line_or_with_a_blank_one_has_no_excerpt() -> None:
    assert describe_refusal(SourceRefused("too large"), b"\xff").excerpt is None
    assert describe_refusal(SourceRefused("empty", line=1, column=1), " ").excerpt is None
