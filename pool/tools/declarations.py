"""JSON Schema becomes the TypeScript that a model reads.

    declare const tools: {
      /** Finds notes. */
      search(input: {
        /** Words to look for */
        query: string;
        limit?: number;
      }): Promise<string[]>;
    };

The text is for reading and is always there: what a schema says and TypeScript cannot becomes
`unknown`, never an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import unquote

# Deeper nesting than this helps no reader; below it everything is `unknown`.
MAX_NESTING: Final = 32

_UNKNOWN: Final = "unknown"
_INDENT: Final = "  "

# Keywords that say in a comment what no type says.
_NOTED: Final = ("minimum", "maximum", "format", "pattern")

# Keywords that allow properties which `properties` does not name.
_MORE_PROPERTIES: Final = ("patternProperties", "if")

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
_SCALARS: Final = {
    "string": "string",
    "number": "number",
    "integer": "number",
    "boolean": "boolean",
    "null": "null",
}


def declaration(
    identifier: str,
    *,
    description: str = "",
    input_schema: Mapping[str, Any] | None = None,
    output_schema: Mapping[str, Any] | None = None,
) -> str:
    """The declaration of one tool, its description as JSDoc above it."""
    types = _Types("Input", input_schema)
    results = _Types("Output", output_schema)
    optional = "?" if _accepts_nothing(input_schema) else ""
    parameter = types.of(input_schema, 1)
    signature = (
        f"{identifier}(input{optional}: {parameter}): Promise<{results.of(output_schema, 1)}>;"
    )
    body = f"{_comment(description, 1)}{_INDENT}{signature}"
    return "\n".join([*types.named, *results.named, f"declare const tools: {{\n{body}\n}};"])


def signature(
    *,
    input_schema: Mapping[str, Any] | None = None,
    output_schema: Mapping[str, Any] | None = None,
) -> str:
    """The type of one tool on one line: `(input: { path: string }) => Promise<string>`.

    Without comments, and with named types by their names alone.
    """
    optional = "?" if _accepts_nothing(input_schema) else ""
    parameter = _Types("Input", input_schema, is_brief=True).of(input_schema, 0)
    result = _Types("Output", output_schema, is_brief=True).of(output_schema, 0)
    return f"(input{optional}: {parameter}) => Promise<{result}>"


def _accepts_nothing(schema: Mapping[str, Any] | None) -> bool:
    """Whether a program may leave the argument out; `{}` stands in for it."""
    if schema is None:
        return True
    return schema.get("type") == "object" and not schema.get("required")


class _Types:
    """Renders the parts of one schema document.

    Args:
        prefix: Of names made up for types that have none.
        document: What references point into.
        is_brief: On one line, without comments.

    Attributes:
        named: Declarations of the types that were referred to, in the order they were met.
    """

    def __init__(
        self, prefix: str, document: Mapping[str, Any] | None, *, is_brief: bool = False
    ) -> None:
        self._prefix = prefix
        self._document = document
        self._is_brief = is_brief
        self._names: dict[str, str] = {}
        self._declared: dict[str, str] = {}
        self._nesting = 0

    @property
    def named(self) -> list[str]:
        return list(self._declared.values())

    def of(self, schema: Any, level: int) -> str:
        """The type of a (sub)schema, to be put at `level` steps of indentation."""
        if schema is False:
            return "never"
        if not isinstance(schema, Mapping) or self._nesting >= MAX_NESTING:
            return _UNKNOWN
        self._nesting += 1
        rendered = _intersection(self._parts(schema, level))
        self._nesting -= 1
        return _union([rendered, "null"]) if schema.get("nullable") is True else rendered

    def _parts(self, schema: Mapping[str, Any], level: int) -> list[str]:
        """What each keyword demands; a value meets all of it."""
        if "const" in schema:
            return [_literal(schema["const"])]
        if isinstance(schema.get("enum"), list):
            return [_union([_literal(value) for value in schema["enum"]])]
        parts = [self._typed(schema, level)]
        if isinstance(schema.get("$ref"), str):
            parts.append(self._reference(schema["$ref"]))
        for keyword, join in (("anyOf", _union), ("oneOf", _union), ("allOf", _intersection)):
            if isinstance(schema.get(keyword), list):
                parts.append(join([self.of(part, level) for part in schema[keyword]]))
        return parts

    def _typed(self, schema: Mapping[str, Any], level: int) -> str:
        kinds = schema.get("type", _implied_type(schema))
        if isinstance(kinds, str):
            kinds = [kinds]
        if not isinstance(kinds, list):
            return _UNKNOWN
        return _union([self._kind(kind, schema, level) for kind in kinds])

    def _kind(self, kind: Any, schema: Mapping[str, Any], level: int) -> str:
        if kind == "object":
            return self._object(schema, level)
        if kind == "array":
            return self._array(schema, level)
        if kind == "bytes":
            return "Uint8Array"
        return _SCALARS.get(kind, _UNKNOWN) if isinstance(kind, str) else _UNKNOWN

    def _array(self, schema: Mapping[str, Any], level: int) -> str:
        first = schema.get("prefixItems")
        rest = schema.get("items", True)
        if not isinstance(first, list) or not first:
            return f"{_grouped(self.of(rest, level))}[]"
        least = schema.get("minItems", 0)
        items = [
            _grouped(self.of(item, level)) + ("?" if isinstance(least, int) and at >= least else "")
            for at, item in enumerate(first)
        ]
        if rest is not False:
            items.append(f"...{_grouped(self.of(rest, level))}[]")
        return f"[{', '.join(items)}]"

    def _object(self, schema: Mapping[str, Any], level: int) -> str:
        properties, required = schema.get("properties"), schema.get("required")
        properties = properties if isinstance(properties, Mapping) else {}
        required = [n for n in required if isinstance(n, str)] if isinstance(required, list) else []
        members = [
            self._member(name, properties.get(name), level + 1, is_required=name in required)
            for name in dict.fromkeys([*properties, *required])
        ]
        others = self._others(schema, level, beside=bool(members))
        if others is not None:
            members.append(self._line(f"[key: string]: {others}", level + 1))
        if not members:
            return "Record<string, never>"
        if self._is_brief:
            return f"{{ {'; '.join(members)} }}"
        return "{\n" + "\n".join(members) + f"\n{_INDENT * level}}}"

    def _others(self, schema: Mapping[str, Any], level: int, *, beside: bool) -> str | None:
        """Type of the properties that are not named; None when the text should not mention any.

        An index signature also binds the named properties, so beside those only `unknown` fits.
        """
        if any(keyword in schema for keyword in _MORE_PROPERTIES):
            return _UNKNOWN
        others = schema.get("additionalProperties")
        if others is None:
            return None if beside else _UNKNOWN
        if others is False:
            return None
        return _UNKNOWN if beside else self.of(others, level + 1)

    def _member(self, name: str, schema: Any, level: int, *, is_required: bool) -> str:
        key = name if _PLAIN_KEY.fullmatch(name) else _literal(name)
        mark = "" if is_required else "?"
        line = self._line(f"{key}{mark}: {self.of(schema, level)}", level)
        return line if self._is_brief else f"{_comment(_notes(schema), level)}{line}"

    def _line(self, member: str, level: int) -> str:
        return member if self._is_brief else f"{_INDENT * level}{member};"

    def _reference(self, pointer: str) -> str:
        """The name of the type a local reference points to; declared when first met."""
        if pointer in self._names:
            return self._names[pointer]
        target = _resolve(self._document, pointer)
        if target is None:
            return _UNKNOWN
        name = self._unused_name(pointer)
        self._names[pointer] = name
        self._declared[name] = ""  # keeps the place, and ends recursion
        text = f"type {name} = {self.of(target, 0)};"
        self._declared[name] = _comment(_notes(target), 0) + text
        return name

    def _unused_name(self, pointer: str) -> str:
        last = re.sub(r"\W+", " ", unquote(pointer).rpartition("/")[2], flags=re.ASCII)
        name = "".join(word[:1].upper() + word[1:] for word in last.split())
        name = name if _PLAIN_KEY.fullmatch(name) else f"{self._prefix}{name}"
        number = 1 + sum(taken.rstrip("0123456789") == name for taken in self._names.values())
        return name if number == 1 else f"{name}{number}"


def _implied_type(schema: Mapping[str, Any]) -> str:
    """The type a schema without `type` is about, as far as its other keywords tell."""
    if "properties" in schema or "additionalProperties" in schema:
        return "object"
    if "items" in schema or "prefixItems" in schema:
        return "array"
    return "bytes" if schema.get("format") == "binary" else ""


def _resolve(document: Any, pointer: str) -> Any:
    """What a `#/…` pointer points to in a document; None when it points nowhere."""
    if not pointer.startswith("#"):
        return None
    found = document
    for step in filter(None, unquote(pointer[1:]).split("/")):
        step = step.replace("~1", "/").replace("~0", "~")
        found = found.get(step) if isinstance(found, Mapping) else None
    return found


def _union(types: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(types))
    if _UNKNOWN in distinct or not distinct:
        return _UNKNOWN
    return " | ".join(distinct)


def _intersection(types: Sequence[str]) -> str:
    telling = [each for each in dict.fromkeys(types) if each != _UNKNOWN]
    if len(telling) > 1:
        return " & ".join(map(_grouped, telling))
    return telling[0] if telling else _UNKNOWN


def _grouped(rendered: str) -> str:
    """`rendered` so that `[]` or `&` after it means all of it."""
    outside = re.sub(r'"(\\.|[^"\\])*"|\{.*\}', "", rendered, flags=re.DOTALL)
    return f"({rendered})" if "|" in outside or "&" in outside else rendered


def _literal(value: Any) -> str:
    if isinstance(value, str | bool | int | float | None):
        # Escaped beyond ASCII only where a line could end: U+2028 and U+2029 end one in comments.
        text = json.dumps(value, ensure_ascii=False)
        return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_literal(str(k))}: {_literal(v)}' for k, v in value.items())} }}"
    return _UNKNOWN


def _notes(schema: Any) -> str:
    """What a comment can say about a property beside its type."""
    if not isinstance(schema, Mapping):
        return ""
    description = schema.get("description")
    lines = [description] if isinstance(description, str) else []
    if "default" in schema and schema["default"] is not None:
        lines.append(f"@default {_literal(schema['default'])}")
    noted = {keyword: schema.get(keyword) for keyword in _NOTED}
    lines += [
        f"@{key} {value}" for key, value in noted.items() if isinstance(value, str | int | float)
    ]
    return "\n".join(lines)


def _comment(text: str, level: int) -> str:
    lines = text.replace("*/", "*\\/").splitlines()
    if not any(line.strip() for line in lines):
        return ""
    indent = _INDENT * level
    if len(lines) == 1:
        return f"{indent}/** {lines[0].strip()} */\n"
    body = "".join(f"{indent} * {line.rstrip()}".rstrip() + "\n" for line in lines)
    return f"{indent}/**\n{body}{indent} */\n"
