"""The declaration of a tool as a model reads it.

declare const tools: {
  /** Finds notes. */
  search(input: {
    /** Words to look for */
    query: string;
    limit?: number;
  }): Promise<string[]>;
};
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from pool.tools.typescript.printing import BRIEF, FULL, INDENT, LADDER, Style, comment, printed
from pool.tools.typescript.shapes import Shapes

Schema: TypeAlias = Mapping[str, Any]


def declaration(
    identifier: str,
    *,
    description: str = "",
    input_schema: Schema | None = None,
    output_schema: Schema | None = None,
) -> str:
    """The declaration of one tool, its description as JSDoc above it."""
    named, text = member(
        identifier, description=description, input_schema=input_schema, output_schema=output_schema
    )
    return "\n".join([*named, f"declare const tools: {{\n{text}\n}};"])


def member(
    identifier: str,
    *,
    description: str = "",
    input_schema: Schema | None = None,
    output_schema: Schema | None = None,
    scope: str = "",
) -> tuple[list[str], str]:
    """The types that a declaration refers to, and its own part of `tools`.

    Args:
        scope: Put before the names of the types, where several tools stand together.
    """
    taken: set[str] = set()
    takes = Shapes(input_schema, "Input", taken, scope=scope)
    gives = Shapes(output_schema, "Output", taken, scope=scope)
    optional = "?" if _accepts_nothing(input_schema) else ""
    parameter, result = (printed(shapes.root, 1, FULL) for shapes in (takes, gives))
    call = f"{identifier}(input{optional}: {parameter}): Promise<{result}>;"
    named = _named(takes, FULL) + _named(gives, FULL)
    return named, f"{comment([description], 1)}{INDENT}{call}"


def signature(*, input_schema: Schema | None = None, output_schema: Schema | None = None) -> str:
    """The type of one tool on one line: `(input: { path: string }) => Promise<string>`.

    Without comments, and with named types by their names alone.
    """
    taken: set[str] = set()
    optional = "?" if _accepts_nothing(input_schema) else ""
    parameter = printed(Shapes(input_schema, "Input", taken).root, 0, BRIEF)
    result = printed(Shapes(output_schema, "Output", taken).root, 0, BRIEF)
    return f"(input{optional}: {parameter}) => Promise<{result}>"


def type_text(schema: Any, name: str = "Input", *, max_chars: int | None = None) -> str:
    """A schema as the declaration of the type `name`, and of those it refers to.

    Args:
        max_chars: Where the text would be longer, comments of optional properties are left out,
            then optional properties, of which the number is told, and then all comments. What a
            call must have is always there, however long.
    """
    shapes = Shapes(schema, name, {name}, name)
    texts = (_whole(shapes, name, style) for style in LADDER)
    text = next(texts)
    while max_chars is not None and len(text) > max_chars:
        shorter = next(texts, None)
        if shorter is None:
            break
        text = shorter
    return text


def _whole(shapes: Shapes, name: str, style: Style) -> str:
    text = f"type {name} = {printed(shapes.root, 0, style)};"
    return "\n".join([*_named(shapes, style), text])


def _named(shapes: Shapes, style: Style) -> list[str]:
    return [
        f"{comment(said, 0)}type {name} = {printed(kind, 0, style)};"
        for name, (kind, said) in shapes.named.items()
    ]


def _accepts_nothing(schema: Schema | None) -> bool:
    """Whether a program may leave the argument out; `{}` stands in for it."""
    if schema is None:
        return True
    return schema.get("type") == "object" and not schema.get("required")
