from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.program.lexer import TokenKind, tokens
from pool.program.positions import is_blank

MARK = "//mark"


def line_comments(text: str) -> list[str]:
    return [text[t.start : t.end] for t in tokens(text) if t.kind is TokenKind.LINE_COMMENT]


@pytest.mark.parametrize(
    "before",
    [
        "",
        "a / b",
        "a++ / b",
        "f(x) / 2",
        "a[0] / 2",
        "x.return / 2",
        "'it'",
        '"`"',
        r"'\''",
        "'continued \\\n line'",
        "`text`",
        "`a ${b} c`",
        "`a ${ {b: `c ${d}`} } e`",
        "`\\``",
        "`$`",
        "/`/",
        "/[/`]/g",
        r"/\/`/",
        "return /'/",
        "typeof /`/",
        "x = {}\n/`/.test(y)",
        "/* ` */",
        "/* '\n */",
        "'unfinished",
        "a /= 2 /* / */",
    ],
)
def test_a_comment_after_whole_code_is_one(before: str) -> None:
    assert [MARK] == line_comments(f"{before}\n{MARK}")


@pytest.mark.parametrize(
    "text",
    [
        f"`\n{MARK}\n`",
        f"`a ${{b}}\n{MARK}\n`",
        f"`a ${{ `\n{MARK}\n` }}`",
        f"/*\n{MARK}\n*/",
        f"`\\`\n{MARK}\n`",
        f"x = y / `\n{MARK}\n`",
        f"'continued \\\n{MARK}'",
    ],
)
def test_text_inside_a_template_string_or_comment_is_no_comment(text: str) -> None:
    assert [] == line_comments(text)


def test_code_inside_a_substitution_holds_comments() -> None:
    assert [MARK] == line_comments(f"`a ${{ b\n{MARK}\n}} // text`")


def test_an_unfinished_block_comment_is_not_one() -> None:
    assert [MARK] == line_comments(f"files in src/*\n{MARK}")


def test_an_unfinished_template_reaches_to_the_end() -> None:
    assert [] == line_comments(f"`\n{MARK}")


CHUNKS = ["`", "${", "}", "{", "/", "//", "/*", "*/", "'", '"', "\\", "\n", " ", "a", "[", "]", "("]


@given(st.lists(st.sampled_from(CHUNKS)).map("".join))
def test_pieces_are_in_order_and_leave_out_only_white_space(text: str) -> None:
    end = 0
    for token in tokens(text):
        assert is_blank(text[end : token.start])
        assert token.start < token.end
        end = token.end

    assert is_blank(text[end:])
