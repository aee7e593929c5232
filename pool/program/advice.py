"""What to do about a source that the compiler refuses, in one sentence.

The engine says what it did not expect. A model needs to hear what it most likely did wrong, so the
sentence is made from the source too. Pure; a wrong guess costs a sentence, never a program.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pool.program.brackets import Findings, find_unmatched
from pool.program.positions import Lines, white_space_before
from pool.program.strange import TYPOGRAPHIC_QUOTES, first_strange

# As `runtime_js/compile.js` words them: where the engine has no word of its own for it.
UNFINISHED: Final = "the source ends before it is complete"
BREAKOUT: Final = "a closing bracket in the source has no opening one"
TOO_DEEP: Final = "the source nests too deeply to be compiled"

_PYTHON: Final = re.compile(
    r"""\s*+(?:
      (?:async\ )?def\ \w+\s*\(.*
    | (?:class|if|elif|for|while|with|except)\ [^{}]*:\s*(?:\#.*)?
    | (?:else|try|except|finally)\s*:\s*(?:\#.*)?
    | import\ [\w.]+(?:\ as\ \w+)?(?:,\ *[\w.]+)*\s*
    | from\ [\w.]+\ import\ .*
    | print\ [^(=].*
    | .*(?:\blambda\ [\w, ]*:|\b[fr]["'].*["']|\bNone\b|\bnot\ in\b|\bis\ not\b).*
    )""",
    re.VERBOSE,
)
_FIRST_BEYOND_ASCII: Final = "\x80"
_PROSE: Final = re.compile(r"\s*+(?:[A-Z][a-z']*|I)(?:[ ,]+[A-Za-z'`.-]+){2,}[^;{}()=]*")
_ARROW_WITH_OBJECT: Final = re.compile(r"=>\s*\{[^{}]*\Z")

# By the engine's own words; the first that fits. What is not here gets the last sentence.
_SENTENCES: Final = {
    r"await is only valid": (
        "Make the function around it async; in place of forEach use `for (const x of list)`, or "
        "await Promise.all(list.map(async (x) => …))"
    ),
    r"import (?:statement|declaration)|import\.meta": (
        "Programs cannot load modules; remove the import, everything available is a global"
    ),
    r"token 'export'": "Programs export nothing; use `return` to give back a value",
    r"already been declared": "Give one of the two another name, or assign to the first one",
    r"Missing initializer": "Give it a value with `=`, or declare it with `let`",
    r"missing \) after argument": "A comma or a quote is missing between the arguments",
    r"Invalid left-hand side|Invalid destructuring": (
        "Only names and properties can be assigned to; to compare, use `===`"
    ),
    r"Illegal (?:break|continue)|Undefined label": (
        "It belongs inside a loop; to end the program, use `return` or exit()"
    ),
    r"egular expression|missing /": (
        "Put a backslash before what is meant literally, or use string methods"
    ),
    r"reserved word|disallowed as a lexically bound|token '(?:class|enum|default|case|in|new|delete"
    r"|typeof|void|function|var|this|null|true|false|with|super|static)'": (
        "Words of the language cannot be names; choose another one"
    ),
    r"(?i:strict mode)": 'Leave out "use strict", or write it as strict mode wants it',
    r"require a function name": "Give the function a name, or assign it to one",
    r"token '<'": "There is no JSX here; make texts with template strings",
    r"Unexpected (?:identifier|string|number|template)": (
        "An operator, a comma or a line break is missing before it"
    ),
    r"escape sequence": "Write a backslash in a text as two",
    UNFINISHED: "The last line wants to go on; write the rest of it",
    TOO_DEEP: "Split it into several functions or statements",
}
# By the engine's own words; the first that fits.
_BY_MESSAGE: Final = tuple((re.compile(words), text) for words, text in _SENTENCES.items())
# What the engine may say of a bracket too many.
_CLOSED: Final = re.compile(rf"{UNFINISHED}|{BREAKOUT}|Unexpected ")
# A longer source is not read again: 64 KiB of them take 50 ms, in which no other
# run gets on.
MAX_READ_CHARS: Final = 64 * 1024

# Of a line on either side of the place: enough to see what it is.
MAX_LINE_CHARS: Final = 400

_LAST_RESORT: Final = "Correct this place and send the whole program again"

# The types of a program are removed only when all of it can be read: the engine stops at the first
# of them, wherever the mistake is.
_MAYBE_TYPE: Final = re.compile(r"token ':'|Missing initializer|identifier '(?:as|satisfies)'")
_MAYBE_TYPESCRIPT: Final = (
    "An operator or a bracket is missing; if this is TypeScript, the mistake may come later"
)
_TYPESCRIPT: Final = "If this is TypeScript, the mistake comes later; else leave out the type"
_ANNOTATED: Final = re.compile(r"[\w$]+\s*:")
_STRANGE: Final = "Invalid or unexpected token"

_EXPORTED: Final = re.compile(r"^[ \t]*export\s+default\b", re.MULTILINE)
_DECLARATION: Final = re.compile(r"(?:async\s+)?(?:function|class|const|let|var)\b")


@dataclass(frozen=True, slots=True)
class Explained:
    """A refusal with advice; the position is corrected where the source says more."""

    message: str
    line: int | None
    column: int | None


def explain(message: str, line: int | None, column: int | None, source: str) -> Explained:
    """What the compiler said, where, and what to do about it.

    Args:
        message: The engine's or the worker's words.
        source: The caller's text.
    """
    lines = Lines(source)
    if message.startswith("TypeScript"):
        return Explained(f"{message}.", line, column)
    is_read = len(source) <= MAX_READ_CHARS
    found = find_unmatched(source) if is_read else Findings()
    if _CLOSED.match(message) and found.closed is not None and found.opened is None:
        # It closed the function around the program, and the engine went on behind it.
        message = f"Unexpected token '{source[found.closed]}'"
        line, column = lines.position(found.closed)
    elif message == UNFINISHED:
        line, column = lines.position(white_space_before(source, len(source)))
    elif is_read and _MAYBE_TYPE.search(message):
        message, line, column = _behind_types(message, line, column, lines)
    place = _Place(message, line, *_line_around(lines, line, column), lines, found)
    sentence = next(filter(None, (rule(place) for rule in _RULES)), None)
    if sentence is None:
        fitting = (text for pattern, text in _BY_MESSAGE if pattern.search(message))
        sentence = next(fitting, _LAST_RESORT)
    return Explained(f"{message.rstrip('.')}. {sentence}.", line, column)


def _behind_types(
    message: str, line: int | None, column: int | None, lines: Lines
) -> tuple[str, int | None, int | None]:
    """The same, or what is wrong in any language where the engine stopped at a type before it."""
    strange = first_strange(lines.text)
    return (message, line, column) if strange is None else (_STRANGE, *lines.position(strange))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the compiler stopped.

    Attributes:
        number: Of the line; None when the compiler named none.
        before, after: What stands in front of and behind the place on its line, or the nearer part
            of that.
    """

    message: str
    number: int | None
    before: str
    after: str
    lines: Lines
    found: Findings

    def position(self, offset: int) -> str:
        line, column = self.lines.position(offset)
        return f"line {line}, column {column}"

    def is_on_its_line(self, offset: int) -> bool:
        return self.lines.position(offset)[0] == self.number


def _line_around(lines: Lines, line: int | None, column: int | None) -> tuple[str, str]:
    if line is None or not 1 <= line <= len(lines):
        return "", ""
    units = lines[line].encode("utf-16-le", "replace")
    at = 2 * max(0, (column or 1) - 1)
    before, after = units[max(0, at - 2 * MAX_LINE_CHARS) : at], units[at : at + 2 * MAX_LINE_CHARS]
    return before.decode("utf-16-le", "ignore"), after.decode("utf-16-le", "ignore")


def _python(place: _Place) -> str | None:
    if _PYTHON.fullmatch(place.before + place.after):
        return "This looks like Python; write JavaScript"
    return None


def _strange_character(place: _Place) -> str | None:
    char = place.after[:1]
    if char and char in TYPOGRAPHIC_QUOTES:
        return f"Put straight quotes (\" or ') in place of the typographic {char}"
    if char == "@":
        return "Decorators are not supported; call the function yourself"
    if char >= _FIRST_BEYOND_ASCII and place.message.startswith("Invalid or unexpected"):
        return f"U+{ord(char):04X} is no character of JavaScript outside of texts"
    return None


def _prose(place: _Place) -> str | None:
    if _PROSE.fullmatch(place.before + place.after):
        return "Send the program alone, or in one ```js block; text around it goes into comments"
    return None


def _unfinished_text(place: _Place) -> str | None:
    found = place.found
    if found.template is not None:
        return f"The template that begins on {place.position(found.template)} has no end"
    if found.text is not None and place.is_on_its_line(found.text):
        return (
            f"The text that begins on {place.position(found.text)} does not end on its line; "
            "put a backslash before quotes inside it, or use backticks"
        )
    return None


def _bracket(place: _Place) -> str | None:
    opened, closed = place.found.opened, place.found.closed
    source_of = place.lines.text
    if closed is not None and opened is None:
        return f"Nothing opens the `{source_of[closed]}` on {place.position(closed)}; remove it"
    if opened is None:
        return None
    sentence = f"The `{source_of[opened]}` on {place.position(opened)} is not closed"
    if closed is None:
        return sentence
    return f"{sentence} before the `{source_of[closed]}` on {place.position(closed)}"


def _export(place: _Place) -> str | None:
    if place.after.startswith("export default"):
        return (
            "`export default` works before a function only, and with nothing beside it; "
            "use `return` to give back a value"
        )
    if _DECLARATION.match(place.after) and _EXPORTED.search(place.lines.text):
        return "Nothing may stand beside the function behind `export default`; move it inside"
    return None


def _type(place: _Place) -> str | None:
    if "Missing initializer" in place.message and _ANNOTATED.match(place.after):
        return _TYPESCRIPT
    if "token ':'" not in place.message:
        return None
    if _ARROW_WITH_OBJECT.search(place.before):
        return "An arrow function that gives an object needs parentheses: x => ({ … })"
    return _MAYBE_TYPESCRIPT


_RULES: Final[tuple[Callable[[_Place], str | None], ...]] = (
    _python,
    _strange_character,
    _prose,
    _unfinished_text,
    _export,
    _bracket,
    _type,
)
