"""Regular expressions that programs bring along, matched in linear time.

Python's `re` can be made to compute for years on one line, and a thread that does cannot be
stopped. Rust's `regex` cannot, by construction, and jsonschema-rs brings it along for the schema
keyword `pattern`; so a line is checked against the schema `{"pattern": …}`. A subprocess that is
killed when it takes too long was the alternative: 15 ms a call, and a second program to keep.
The price is no look-around and no back-references.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from pool.errors import ToolError

if TYPE_CHECKING:
    import jsonschema_rs

MAX_PATTERN_CHARS: Final = 10_000

# Linear in the line, but with the size of the compiled expression as the factor.
_COMPILED_BYTES: Final = 1024 * 1024

# A line is matched in one step that cannot be interrupted; this much takes milliseconds.
MAX_MATCHED_CHARS: Final = 65_536


@dataclass(frozen=True, slots=True)
class LinePattern:
    """A compiled expression."""

    validator: jsonschema_rs.Validator

    @classmethod
    def of(cls, pattern: str, *, ignores_case: bool = False) -> Self:
        """Compile an expression.

        Raises:
            ToolError: It is too long, or not an expression of the kind that is supported.
        """
        import jsonschema_rs  # loaded only by those who search; see pool.tools.arguments

        if len(pattern) > MAX_PATTERN_CHARS:
            raise ToolError(f"a pattern has at most {MAX_PATTERN_CHARS} characters")
        schema = {"pattern": f"(?i){pattern}" if ignores_case else pattern}
        options = jsonschema_rs.RegexOptions(size_limit=_COMPILED_BYTES)
        try:
            return cls(jsonschema_rs.validator_for(schema, pattern_options=options, offline=True))
        except jsonschema_rs.ValidationError:
            raise ToolError(
                "the pattern is not a regular expression that grep supports: look-around and"
                " back-references are not, braces and brackets need a backslash when they are meant"
                " as such, and the whole must not be too large"
            ) from None

    def matches(self, line: str) -> bool:
        """Whether the expression occurs in the first `MAX_MATCHED_CHARS` of a line."""
        return self.validator.is_valid(line[:MAX_MATCHED_CHARS])
