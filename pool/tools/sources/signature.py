"""What a Python function takes and gives, read from its annotations with pydantic.

The schemas are for the model and for the check before a call; the conversion gives the function
the types it asked for. Importing this module imports pydantic, so only `python.py` does, and late.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Final

import pydantic
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import ArgsKwargs, core_schema

from pool.errors import ToolError
from pool.tools.arguments import path_text
from pool.tools.context import ToolContext

# A call names its arguments, so each parameter needs a name by which it can be given.
_NAMELESS: Final = {
    inspect.Parameter.POSITIONAL_ONLY: "is positional-only",
    inspect.Parameter.VAR_POSITIONAL: "collects positional arguments",
}

_UNUSABLE: Final = (pydantic.errors.PydanticUserError, NameError, TypeError, ValueError)


class Signature:
    """The parameters and the result of one function.

    Attributes:
        input_schema: JSON Schema of the object a call gives.
        output_schema: JSON Schema of the result; None when the annotation is missing or has none.
        context_names: Parameters that the host fills with the call's context.

    Raises:
        ValueError: A parameter cannot be given by name, or its annotation has no JSON Schema.
    """

    __slots__ = ("_arguments", "context_names", "input_schema", "output_schema")

    def __init__(self, function: Callable[..., Any]) -> None:
        parameters = inspect.signature(function).parameters
        for parameter in parameters.values():
            if parameter.kind in _NAMELESS:
                raise ValueError(f"parameter {parameter.name!r} {_NAMELESS[parameter.kind]}")
        # pydantic checks the arguments of a stand-in with the function's signature, which only
        # gives them back. The function is called later: an error inside of it can never be taken
        # for a refused argument.
        stand_in: Any = functools.update_wrapper(lambda **arguments: arguments, function)
        stand_in.__annotations__ = {**stand_in.__annotations__}
        stand_in.__annotations__.pop("return", None)
        self.context_names = _context_names(stand_in)
        given = [one for name, one in parameters.items() if name not in self.context_names]
        stand_in.__signature__ = inspect.Signature(given)
        for name in self.context_names:
            del stand_in.__annotations__[name]
        try:
            self._arguments = pydantic.TypeAdapter[dict[str, Any]](stand_in)
            self.input_schema = _schema(self._arguments, "validation")
        except _UNUSABLE as error:
            raise ValueError(f"an annotation has no JSON Schema: {error}") from error
        self.output_schema = _output_schema(function)

    def convert(self, argument: Any, context: ToolContext | None) -> dict[str, Any]:
        """The keyword arguments of one call, with its context where the function wants it.

        Raises:
            ToolError: A value is not what its annotation says; the text names path and fault.
        """
        try:
            given = self._arguments.validate_python(ArgsKwargs((), argument))
        except pydantic.ValidationError as error:
            faults = error.errors(include_url=False, include_context=False, include_input=False)
            texts = [f"{path_text('argument', fault['loc'])}: {fault['msg']}" for fault in faults]
            raise ToolError("; ".join(texts)) from error
        return given | dict.fromkeys(self.context_names, context)


def _context_names(function: Callable[..., Any]) -> frozenset[str]:
    try:
        annotations = inspect.get_annotations(function, eval_str=True)
    except _UNUSABLE:
        return frozenset()  # pydantic reads the same annotations next, and says what is wrong
    return frozenset(name for name, kind in annotations.items() if kind is ToolContext)


def _output_schema(function: Callable[..., Any]) -> dict[str, Any] | None:
    try:
        annotations = inspect.get_annotations(function, eval_str=True)
        result = pydantic.TypeAdapter[Any](annotations["return"])
        return _schema(result, "serialization") or None
    except (KeyError, *_UNUSABLE):
        return None  # it is only shown, so a result without a schema is no fault


class _Generator(GenerateJsonSchema):
    """pydantic's schemas for readers: no titles that repeat a name, bytes as bytes."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def bytes_schema(self, schema: core_schema.BytesSchema) -> JsonSchemaValue:
        # Not `"type": "string"`: a program's bytes arrive as bytes and are no text.
        return {"format": "binary"}


def _schema(adapter: pydantic.TypeAdapter[Any], mode: JsonSchemaMode) -> dict[str, Any]:
    return adapter.json_schema(mode=mode, schema_generator=_Generator)
