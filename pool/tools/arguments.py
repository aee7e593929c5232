"""Does an argument meet a tool's input schema, and if not, where and why?

The check is jsonschema-rs, compiled once per tool. The text is ours: it names the path in the
argument and what was expected there, in the words of the schema, for a model to repair its call.
Remote references are never fetched.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    import jsonschema_rs

# A model repairs a few faults at a time; more of them only fill its window.
MAX_FAULTS: Final = 5

# The offending value is quoted in a fault; a long one says no more than its beginning.
MAX_FAULT_CHARS: Final = 300

_BYTES_FORMS: Final[tuple[Callable[[bytes], Any], ...]] = (
    lambda data: f"<{len(data)} bytes>",
    lambda data: {"bytes": len(data)},
)

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class ArgumentCheck:
    """One compiled input schema."""

    validator: jsonschema_rs.Validator

    @classmethod
    def of(cls, schema: Mapping[str, Any]) -> Self:
        """Compile a schema.

        Raises:
            ValueError: It is not a JSON Schema, or refers to something outside of itself.
        """
        # Here and not at the top: `import pool` stays cheap for those who offer no schemas.
        import jsonschema_rs

        try:
            return cls(jsonschema_rs.validator_for(_with_properties(schema), offline=True))
        except jsonschema_rs.ValidationError as error:
            raise ValueError(_located(error, "schema")) from error

    def fault(self, argument: Any) -> str | None:
        """What is wrong with `argument`, as in `argument.limit: 0 is less than the minimum of 1`.

        Returns:
            None when the argument is fine; else up to `MAX_FAULTS` faults joined by `; `.
        """
        try:
            return self._fault(argument)
        except ValueError:
            # Bytes: the one kind of value that programs have and JSON has not. They meet what asks
            # for no particular type, which is what a text and an object both meet.
            faults = (self._fault(_with_bytes(argument, form)) for form in _BYTES_FORMS)
            return next(filter(None, faults), None)

    def _fault(self, argument: Any) -> str | None:
        if self.validator.is_valid(argument):
            return None
        errors = islice(self.validator.iter_errors(argument), MAX_FAULTS)
        return "; ".join(_located(error, "argument") for error in errors)


def _with_properties(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same schema, with none of no properties: else the validator names no unexpected one."""
    none: dict[str, Any] = {"properties": {}} if schema.get("additionalProperties") is False else {}
    return {**none, **schema}


def _with_bytes(value: Any, form: Callable[[bytes], Any]) -> Any:
    """`value` with another form of the bytes in it."""
    match value:
        case bytes():
            return form(value)
        case list():
            return [_with_bytes(item, form) for item in value]
        case dict():
            return {key: _with_bytes(item, form) for key, item in value.items()}
        case _:
            return value


def _located(error: jsonschema_rs.ValidationError, root: str) -> str:
    where, why = _closest(error)
    if len(why) > MAX_FAULT_CHARS:
        why = f"{why[: MAX_FAULT_CHARS // 3]} … {why[-MAX_FAULT_CHARS // 2 :]}"
    return f"{path_text(root, where)}: {why}"


def _closest(error: jsonschema_rs.ValidationError) -> tuple[Sequence[str | int], str]:
    """Path and reason of the fault the caller most likely has to repair.

    `anyOf` alone says nothing. Where the value has the wrong type for every alternative, all the
    types are named; else the alternative that the value meets most deeply tells what it lacks.
    """
    branches: list[list[jsonschema_rs.ValidationError]] = getattr(error.kind, "context", [])
    firsts = [branch[0] for branch in branches if branch]
    if error.kind.name == "oneOf" and not all(branches):
        return error.instance_path, error.message  # several alternatives fit
    if not firsts:
        return error.instance_path, error.message
    typed = [first for first in firsts if not _is_type_fault_at(first, error.instance_path)]
    if typed:
        return _closest(max(typed, key=lambda first: len(first.instance_path)))
    types = dict.fromkeys(name for first in firsts for name in getattr(first.kind, "types", []))
    quoted = ", ".join(f'"{name}"' for name in types)
    value = firsts[0].message.partition(" is not of type")[0]
    return error.instance_path, f"{value} is not of types {quoted}"


def _is_type_fault_at(error: jsonschema_rs.ValidationError, where: Sequence[str | int]) -> bool:
    return error.kind.name == "type" and len(error.instance_path) == len(where)


def path_text(root: str, steps: Sequence[str | int]) -> str:
    """A path as JavaScript spells it: `argument.rows[3]["a b"]`."""
    path = root
    for step in steps:
        if isinstance(step, str) and _PLAIN_KEY.fullmatch(step):
            path += f".{step}"
        else:
            path += f"[{json.dumps(step, ensure_ascii=False)}]"
    return path
