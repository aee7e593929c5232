"""Output of programs: what is sent, when it is too much, and what the console prints."""

from __future__ import annotations

import base64

import pytest
from driver import Ended, Worker

PNG = b"\x89PNG\r\n\x1a\n0000"
TABLE = """\
| (index) | a | b   |
|---------|---|-----|
| 0       | 1 | 'x' |
| 1       | 2 |     |"""
LABELLED = """\
| (index) | (index) | Values |
|---------|---------|--------|
| first   | 1       |        |
| second  |         | 'x'    |"""
IMAGES = {
    "image/png": PNG,
    "image/jpeg": b"\xff\xd8\xff\xe0aaaa",
    "image/gif": b"GIF89a....",
    "image/webp": b"RIFF\x10\x00\x00\x00WEBPVP8 ",
}


def run(worker: Worker, source: str, **limits: int) -> Ended:
    ended = worker.run(source, **limits)
    worker.expect("READY")
    return ended


def url(data: bytes, mime_type: str = "image/png") -> str:
    return f"data:{mime_type};base64,{base64.b64encode(data).decode()}"


def test_texts_and_console_lines_arrive_in_order(shared: Worker) -> None:
    ended = run(shared, "text('a'); console.warn('b'); text({ c: [1] }); return 1")

    assert [(message.kind, message.fields) for message in ended.messages[:-1]] == [
        ("TEXT", ["a"]),
        ("CONSOLE", ["warn", "b"]),
        ("TEXT", ['{"c":[1]}']),
    ]
    assert ended.end[4] == 3


@pytest.mark.parametrize(("mime_type", "data"), IMAGES.items())
def test_the_four_image_types_are_taken_in_every_form(
    shared: Worker, mime_type: str, data: bytes
) -> None:
    link = url(data, mime_type)
    block = (
        f'{{ type: "image", data: "{base64.b64encode(data).decode()}", mimeType: "{mime_type}" }}'
    )
    ended = run(
        shared,
        f'image("{link}"); image({{ image_url: "{link}" }});'
        f'image({{ image_url: {{ url: "{link}" }} }}); image({block})',
    )

    assert [message.fields for message in ended.of("IMAGE")] == [[mime_type, data]] * 4


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('"https://example.com/a.png"', "only data: URLs are shown, nothing is fetched"),
        (f'"{url(PNG, "image/gif")}"', "declared as image/gif, but the bytes are image/png"),
        (f'"{url(b"<svg/>", "image/svg+xml")}"', "the bytes are no PNG, JPEG, GIF or WebP image"),
        ('"data:image/png;base64,iVBORw0KG"', "the base64 data is broken"),
        ('"data:image/png;base64,iVBO*w0KGgo="', "the base64 data is broken"),
        ('"data:image/png,abc"', "the data: URL is not base64"),
        ('"data:image/png;base64"', "the data: URL has no comma"),
        ("{ image_url: 5 }", "image_url is not a string"),
        (
            '{ type: "image", data: 5, mimeType: "image/png" }',
            "data of an image block is a base64 string",
        ),
        ('{ type: "image", data: "" }', "mimeType of an image block is a string"),
        ("42", 'expected a base64 data: URL, {image_url}, or {type: "image", data, mimeType}'),
    ],
)
def test_what_is_no_image_is_refused_with_a_reason(
    shared: Worker, source: str, message: str
) -> None:
    ended = run(shared, f"image({source})")

    assert ended.of("IMAGE") == []
    assert ended.error["name"] == "TypeError"
    assert ended.error["message"] == f"image(): {message}"


@pytest.mark.parametrize(
    "source",
    [
        "text('12345678901')",
        "text('1234567890'); text('1')",
        "console.log('12345678901')",
        "return '12345678901'",
        "return [1, 2, 3, 4, 5]",
        "return 'x'.repeat(1000)",
        f"image('{url(PNG)}')",
        "try { text('12345678901') } catch {} text('a'); return 'not this'",
        "return { toJSON() { try { text('12345678901') } catch {} } }",
        "text(Array(2 ** 32 - 1))",
        "try { text(Array(40).fill().reduce((list) => [list, list], [])) } catch {}",
        "console.log('%j', Array(40).fill().reduce((value) => ({ a: value, b: value }), {}))",
    ],
)
def test_more_characters_than_allowed_end_the_run(shared: Worker, source: str) -> None:
    ended = run(shared, source, output_chars=10)

    assert ended.how == "too_large"
    assert ended.error["message"] == "output is larger than 10 characters (output_chars)"
    assert sum(map(len, ended.texts)) <= 10


@pytest.mark.parametrize(
    "source", ["text('1234567890')", "return '1234567890'", "console.log('12345'); text('67890')"]
)
def test_exactly_as_many_characters_as_allowed_pass(shared: Worker, source: str) -> None:
    assert run(shared, source, output_chars=10).how == "completed"


def test_one_item_more_than_allowed_ends_the_run_where_it_stands(shared: Worker) -> None:
    ended = run(shared, "for (;;) try { text('') } catch { break }\n text('after')", output_items=3)

    assert ended.how == "too_large"
    assert ended.texts == ["", "", ""]
    assert ended.error["line"] == 1


def test_text_is_counted_in_utf16_units(shared: Worker) -> None:
    assert run(shared, 'text("\\u{1f600}".repeat(5))', output_chars=10).how == "completed"
    assert run(shared, 'text("\\u{1f600}".repeat(6))', output_chars=11).how == "too_large"


@pytest.mark.parametrize(
    ("call", "lines"),
    [
        ('log("a", 1, { b: [true, null] })', ["a 1 { b: [ true, null ] }"]),
        ('log("%s is %d, %i, %f, %j%%", "x", "4.5", 4.5, "1.5", { a: 1 }, "rest")',
         ['x is 4.5, 4, 1.5, {"a":1}% rest']),
        ('log("%c styled %o %x", "color: red", [1])', [" styled [ 1 ] %x"]),
        ("log()", [""]),
        ("log(-0, 10n, undefined, Symbol('s'))", ["-0 10n undefined Symbol(s)"]),
        ("assert(true, 'no'); console.assert(false, 'is %d', 1)", ["Assertion failed: is 1"]),
        ("count(); console.count(); console.countReset(); console.count()",
         ["default: 1", "default: 2", "default: 1"]),
        ("group('g'); console.log('a\\nb'); console.groupEnd(); console.log('c')",
         ["g", "  a\n  b", "c"]),
        ("log('%i %i %i', '42px', '0x10', -1.5)", ["42 16 -1"]),
        ("log('%d %d %f', 10n, {}, 'x')", ["10n NaN NaN"]),
        ("log('%s %d %i', -0, -0, -0)", ["-0 -0 -0"]),
        ("log('%s %s', 'one'); console.log('100%', 5)", ["one %s", "100% 5"]),
        ("log('%s %O', { a: [1] }, new Set([1]))", ["{ a: [ 1 ] } Set(1) { 1 }"]),
        ("assert(0); console.assert('', [1])", ["Assertion failed", "Assertion failed: [ 1 ]"]),
        ("groupCollapsed(); console.log(1); console.groupEnd(); console.log(2)", ["  1", "2"]),
        ("dir({ a: 1 })", ["{ a: 1 }"]),
        ("dir({ a: { b: {} } }, { depth: 0 })", ["{ a: [Object] }"]),
        ("dir([[[[[[1]]]]]], { depth: null })", ["[ [ [ [ [ [ 1 ] ] ] ] ] ]"]),
        ("log(Temporal.PlainDate.from('2026-01-02'), [Temporal.Duration.from('PT1H')])",
         ["Temporal.PlainDate 2026-01-02 [ Temporal.Duration PT1H ]"]),
        ("log(Object.create(Temporal.PlainDate.prototype))", ["PlainDate {}"]),
        ("log(Object.assign(new Error('e'), { name: 'E', code: 5 }))",
         ["E: e\n    at program.js:1:27 {\n  code: 5\n}"]),
        ("log(new Error('e', { cause: 'why' }))",
         ["Error: e\n    at program.js:1:13 {\n  [cause]: 'why'\n}"]),
        ("log(new AggregateError([1], 'all'))",
         ["AggregateError: all\n    at program.js:1:13 {\n  [errors]: [ 1 ]\n}"]),
        ("table([{ a: 1, b: 'x' }, { a: 2 }])",
         [TABLE]),
        ("table(5)", ["5"]),
        ("table(new Map([['first', { '(index)': 1 }], ['second', 'x']]))", [LABELLED]),
        ("table([{ a: 1, b: 'x' }, { a: 2 }], ['a'])",
         ["| (index) | a |\n|---------|---|\n| 0       | 1 |\n| 1       | 2 |"]),
        ("table([[1, 2]])", ["| (index) | 0 | 1 |\n|---------|---|---|\n| 0       | 1 | 2 |"]),
        ("table(new Proxy({}, { ownKeys() { throw 1 } }))", ["[Unreadable]"]),
        ("timeEnd('t')", ["Timer 't' does not exist"]),
        ("trace('here')", ["Trace: here\n    at program.js:1:9"]),
    ],
)  # fmt: skip
def test_the_console_prints_one_line_per_call(shared: Worker, call: str, lines: list[str]) -> None:
    assert run(shared, f"console.{call}").console == lines


def test_the_cells_of_a_table_are_single_lines_of_bounded_length(shared: Worker) -> None:
    source = """
        const words = Array(5).fill("word".repeat(10));
        console.table([{ words, long: "x".repeat(1e6), get a() { throw 1 } }]);
    """
    [table] = run(shared, source).console
    lines = table.splitlines()

    assert len(lines) == 3
    assert lines[2].count("wordword") > 10
    assert "x..." in lines[2]
    assert "[Getter]" in lines[2]
    assert len(lines[2]) < 1000


def test_a_table_says_what_it_leaves_out(shared: Worker) -> None:
    source = """
        console.table(Array(1200).fill(1));
        console.table([Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`c${i}`, i]))]);
    """
    rows, columns = run(shared, source).console

    assert rows.endswith("\n... 200 more")
    assert "c48" in columns
    assert "c49" not in columns
    assert columns.splitlines()[0].endswith("| ... |")


def test_console_levels_are_kept(shared: Worker) -> None:
    ended = run(shared, "for (const m of ['log', 'info', 'warn', 'error', 'debug']) console[m](m)")

    assert [message.fields for message in ended.of("CONSOLE")] == [
        [level, level] for level in ["log", "info", "warn", "error", "debug"]
    ]


def test_timers_of_the_console_count_whole_milliseconds(shared: Worker) -> None:
    [line] = run(shared, "console.time('t'); console.timeEnd('t')").console

    label, _, elapsed = line.partition(": ")
    assert label == "t"
    assert elapsed.removesuffix("ms").isdigit()


def test_the_console_runs_no_getter(shared: Worker) -> None:
    source = """
        let ran = 0;
        console.log({ get a() { ran++; return 1 } }, class { static get b() { ran++ } });
        return ran;
    """
    assert run(shared, source).value == 0
