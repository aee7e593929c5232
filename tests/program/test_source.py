from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.errors import SourceRefused
from pool.limits import Limits
from pool.program.positions import Lines, utf16_length
from pool.program.source import Program, prepare


def read(source: str | bytes, limits: Limits | None = None) -> Program:
    return prepare(source, limits=limits or Limits())


def refused(source: str | bytes, limits: Limits | None = None) -> SourceRefused:
    with pytest.raises(SourceRefused) as caught:
        read(source, limits)
    return caught.value


def test_a_plain_program_is_passed_on_as_it_is() -> None:
    source = "const a = 1;\r\n\treturn a\n"

    assert read(source) == Program(source, source, read("x").options, (), (0, 23))


def test_bytes_and_text_are_the_same_program() -> None:
    assert read("return 'é😀'".encode()) == read("return 'é😀'")


@pytest.mark.parametrize(
    "source", ["", " ", "\n\t\r\n", "\ufeff", "#!/usr/bin/env node", b"", " \u2028"]
)
def test_an_empty_source_is_refused(source: str | bytes) -> None:
    error = refused(source)

    assert error.line == 1
    assert "empty" in str(error)


@pytest.mark.parametrize("source", ["// comment", "/* comment */", ";", "1"])
def test_a_program_of_little_is_no_empty_source(source: str) -> None:
    assert read(source).source == source


def test_a_hashbang_is_blanked_with_a_note() -> None:
    program = read("#!/usr/bin/env node\nreturn 1")

    assert program.source == " " * 19 + "\nreturn 1"
    assert program.notes == ("The hashbang line was ignored.",)


def test_a_byte_order_mark_is_blanked_with_a_note() -> None:
    program = read("\ufeffreturn 1")

    assert program.source == " return 1"
    assert program.original == "\ufeffreturn 1"
    assert program.notes == ("The byte order mark was ignored.",)


def test_a_hashbang_after_the_first_line_is_left_to_the_compiler() -> None:
    assert read("\n#!x").notes == ()


def test_the_size_is_counted_in_bytes_of_utf8() -> None:
    limits = Limits(source_bytes=10)

    assert read("'é'; // 1", limits)
    assert "11 bytes, the limit is 10" in str(refused("'é'; // 12", limits))
    assert "11 bytes, the limit is 10" in str(refused("'é'; // 12".encode(), limits))


def test_bytes_that_are_no_utf8_are_refused_with_their_place() -> None:
    error = refused(b"return 1\nreturn 'caf\xe9'")

    assert (error.line, error.column) == (2, 12)
    assert "0xe9" in str(error)


def test_a_lone_surrogate_becomes_a_replacement_character_with_a_note() -> None:
    program = read("return '\ud800'")

    assert program.source == program.original == "return '\ufffd'"
    assert len(program.notes) == 1


def test_a_surrogate_pair_in_two_pieces_is_one_character() -> None:
    program = read("return '\ud83d\ude00'")

    assert program.source == "return '😀'"
    assert program.notes == ()


def test_a_json_object_with_code_is_refused_and_the_code_is_named() -> None:
    error = refused('\n {"code": "return 1"}\n')

    assert (error.line, error.column) == (2, 2)
    assert 'the text of its "code"' in str(error)


@pytest.mark.parametrize(
    "source", ["{}", '{"a": {"code": 1}}', '{"code": 5}', '// @options: {}\n{"a": 1}']
)
def test_any_other_json_object_is_refused_with_advice(source: str) -> None:
    assert "put `return` before it" in str(refused(source))


@pytest.mark.parametrize(
    "source", ["[1]", '"text"', "5", "{ a: 1 }", '{ "use strict"; }', "{" * 100_000 + "}"]
)
def test_other_literals_and_blocks_are_programs(source: str) -> None:
    assert read(source).source == source


TOKENS = st.lists(
    st.sampled_from(
        [
            "return",
            "`a ${b}`",
            "'é😀'",
            "/`/",
            "// c",
            "/* x\n*/",
            "{",
            "}",
            "@",
            "\u2028",
            "\t",
            "\r",
        ]
    )
).map(" ".join)
BEFORE = st.sampled_from(["", "\ufeff", "#!x😀\n", "\ufeff#!x\r\n"])
AROUND = st.sampled_from(["{}", "```js\n{}\n```", "It's 😀:\r\n```ts\r\n{}\r\n```\r\nDone 😀"])


@given(BEFORE, AROUND, TOKENS)
def test_every_word_of_the_program_keeps_its_line_and_column(
    before: str, around: str, code: str
) -> None:
    source = around.replace("{}", f"{before}MARK {code} MARK")

    program = read(source)

    caller, compiled = Lines(source), Lines(program.source)
    for found in (str.index, str.rindex):
        at = caller.position(found(source, "MARK"))
        assert compiled.position(found(program.source, "MARK")) == at
    assert code in program.source
    assert len(compiled) == len(caller)
    assert utf16_length(program.source) == utf16_length(source)


@given(st.text(alphabet=st.sampled_from("`~/*{}'\"\n\r @options:jsx#!\ufeff😀\\$")))
def test_any_text_is_read_or_refused_and_never_shifted(text: str) -> None:
    with suppress(SourceRefused):
        assert utf16_length(read(text).source) == utf16_length(text)
