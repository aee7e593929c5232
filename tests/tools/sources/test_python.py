from __future__ import annotations

import dataclasses
import datetime
import subprocess
import sys
from typing import Annotated, Any, Literal

import pydantic
import pytest

from pool.errors import ToolDefinitionError, ToolError
from pool.tools.exposure import Exposure
from pool.tools.sources.python import tool
from pool.tools.tool import Effect, Tool, Way


class Note(pydantic.BaseModel):
    """A note."""

    title: str
    inside: Note | None = None


@dataclasses.dataclass
class Size:
    width: int


def search(
    query: str,
    limit: Annotated[int, pydantic.Field(ge=1)] = 8,
    kind: Literal["a", "b"] | None = None,
) -> list[str]:
    """Find notes.

    Args:
        query: Words to look for.
        limit: Most notes.
    """
    return [query] * limit


def test_a_decorated_function_is_a_tool_with_its_name_and_words():
    made = tool(search)

    assert isinstance(made, Tool)
    assert (made.name, made.description) == ("search", "Find notes.")


def test_the_signature_gives_the_input_schema():
    assert tool(search).input_schema == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "Words to look for."},
            "limit": {
                "type": "integer",
                "minimum": 1,
                "default": 8,
                "description": "Most notes.",
            },
            "kind": {
                "anyOf": [{"enum": ["a", "b"], "type": "string"}, {"type": "null"}],
                "default": None,
            },
        },
        "required": ["query"],
        "additionalProperties": False,
    }


def test_a_description_in_an_annotation_beats_the_docstring():
    @tool
    def add(title: Annotated[str, pydantic.Field(description="Closer")]):
        """Add.

        Args:
            title: Farther.
        """

    assert add.input_schema["properties"]["title"]["description"] == "Closer"


@pytest.mark.parametrize("name", ["schema", "json", "copy", "model_config", "self", "_hidden"])
def test_a_parameter_may_have_any_name(name):
    namespace: dict[str, Any] = {}
    exec(f"def use({name}: int): return {name}", namespace)
    made = tool(namespace["use"])

    assert list(made.input_schema["properties"]) == [name]
    assert made.handler({name: 5}) == 5


def test_a_call_gives_keyword_arguments_with_defaults():
    assert tool(search).handler({"query": "x", "limit": 2}) == ["x", "x"]
    assert len(tool(search).handler({"query": "x"})) == 8


def test_arguments_are_converted_to_what_the_annotations_say():
    @tool
    def use(when: datetime.datetime, note: Note, size: Size, ids: set[int], data: bytes = b""):
        return when, note, size, ids, data

    assert use.handler(
        {
            "when": "2026-01-02T03:04:05Z",
            "note": {"title": "a", "inside": {"title": "b"}},
            "size": {"width": 3},
            "ids": [1, 2, 2],
            "data": b"\x00\xff",
        }
    ) == (
        datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC),
        Note(title="a", inside=Note(title="b")),
        Size(3),
        {1, 2},
        b"\x00\xff",
    )


def test_bytes_meet_the_schema_of_a_bytes_parameter_and_text_alone_no_other():
    @tool
    def use(data: bytes, text: str): ...

    assert use.argument_check.fault({"data": b"\x00", "text": "a"}) is None
    assert "argument.text" in use.argument_check.fault({"data": b"\x00", "text": b"a"})


def test_a_value_that_cannot_be_converted_names_the_path():
    @tool
    def use(notes: list[Note], when: datetime.date): ...

    with pytest.raises(ToolError) as refused:
        use.handler({"notes": [{"title": "a"}, {"title": 5}], "when": "someday"})

    assert "argument.notes[1].title: Input should be a valid string" in str(refused.value)
    assert "argument.when: " in str(refused.value)
    assert "pydantic.dev" not in str(refused.value)


def test_a_validation_error_inside_of_the_function_is_the_functions_own():
    @tool
    def use(title: Any):
        return Note(title=title)

    with pytest.raises(pydantic.ValidationError):
        use.handler({"title": 5})


def test_further_keywords_are_taken_where_the_function_takes_them():
    @tool
    def use(**rest: int):
        return rest

    assert use.handler({"a": 1}) == {"a": 1}
    assert use.input_schema["additionalProperties"] == {"type": "integer"}


def test_a_function_without_parameters_takes_an_empty_object():
    @tool
    def now() -> str:
        return "now"

    assert now.handler({}) == "now"
    assert now.argument_check.fault({"a": 1}) is not None


def test_parameters_without_annotations_take_anything():
    @tool
    def use(value):
        return value

    assert use.handler({"value": [b"x"]}) == [b"x"]


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("def use(a, /): ...", "parameter 'a' is positional-only"),
        ("def use(*a): ...", "parameter 'a' collects positional arguments"),
        ("def use(a: object()): ...", "an annotation has no JSON Schema"),
        ("def use(a: 'Missing'): ...", "an annotation has no JSON Schema"),
        ("import threading\ndef use(a: threading.Thread): ...", "an annotation has no JSON Schema"),
    ],
)
def test_a_function_that_cannot_be_a_tool_is_refused_by_name(source, fault):
    namespace: dict[str, Any] = {}
    exec(source, namespace)

    with pytest.raises(ToolDefinitionError) as refused:
        tool(namespace["use"])

    assert str(refused.value).startswith("tool 'use': ")
    assert fault in str(refused.value)


def test_a_model_gives_the_output_schema():
    @tool
    def use() -> Note: ...

    assert "title" in use.output_schema["$defs"]["Note"]["properties"]


@pytest.mark.parametrize("annotation", ["", " -> object", " -> 'Missing'"])
def test_a_result_without_a_schema_has_no_output_schema(annotation):
    namespace: dict[str, Any] = {}
    exec(f"def use(){annotation}: ...", namespace)

    assert tool(namespace["use"]).output_schema is None


def test_the_decorators_arguments_are_those_of_the_tool():
    @tool(name="notes.search", description="Other", timeout_s=3, namespace="notes")
    def find(query: str): ...

    assert (find.name, find.description, find.timeout_s, find.namespace) == (
        "notes.search",
        "Other",
        3,
        "notes",
    )


def test_the_decorator_states_who_sees_a_tool_what_it_does_and_other_words_for_it():
    @tool(exposure=Exposure.DEFERRED, effect=Effect.READ, aliases=("lookup",))
    def find(query: str): ...

    assert find.exposure is Exposure.DEFERRED
    assert find.effect is Effect.READ
    assert find.aliases == ("lookup",)


def test_a_function_may_be_declared_inline():
    @tool(inline=True)
    def add(a: int, b: int):
        return a + b

    assert add.way is Way.INLINE
    assert add.handler({"a": 1, "b": 2}) == 3


@pytest.mark.anyio
async def test_a_coroutine_function_runs_in_a_task():
    @tool
    async def add(a: int, b: int) -> int:
        return a + b

    assert add.way is Way.TASK
    assert await add.handler({"a": 1, "b": 2}) == 3


def test_a_bound_method_takes_its_parameters_only():
    class Notes:
        def find(self, query: str) -> str:
            return f"found {query}"

    made = tool(Notes().find)

    assert list(made.input_schema["properties"]) == ["query"]
    assert made.handler({"query": "x"}) == "found x"


def test_only_a_decorated_function_loads_pydantic_and_only_a_schema_jsonschema():
    check = """
import sys
from pool.tools.sources.python import tool
from pool.tools.dispatch import Dispatcher
from pool.tools.workspace import workspace_tools
from pool.tools.tool import Tool
Tool(name="t", handler=len)
assert not {"pydantic", "jsonschema_rs"} & set(sys.modules), "too early"
tool(lambda a: a)
assert {"pydantic", "jsonschema_rs"} <= set(sys.modules), "not at all"
"""

    subprocess.run([sys.executable, "-c", check], check=True)
