"""What a server offers, as tools: definitions in, `Tool` out. Pure, and without the SDK.

One bad definition harms only its own tool: a schema that does not compile is left away, and the
server itself is left to check what it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from pool.errors import ToolDefinitionError
from pool.tools.sources.mcp.config import SEPARATOR, ServerConfig
from pool.tools.sources.mcp.schemas import result_schema
from pool.tools.tool import Effect, Handler, JsonSchema, Tool


class Action(Enum):
    """What a call asks of the server."""

    CALL_TOOL = "tools/call"
    LIST_RESOURCES = "resources/list"
    LIST_RESOURCE_TEMPLATES = "resources/templates/list"
    READ_RESOURCE = "resources/read"
    LIST_PROMPTS = "prompts/list"
    GET_PROMPT = "prompts/get"


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing that a server offers.

    Attributes:
        name: The server's own; of a resource or prompt action the one given here.
        action: What a call asks of the server.
        description: For the model.
        input_schema: Of the one argument object.
        output_schema: For `CALL_TOOL` of `structuredContent`, else of the whole result.
        effect: What calling it twice does, by the server's word.
    """

    name: str
    action: Action
    description: str
    input_schema: JsonSchema
    output_schema: JsonSchema | None
    effect: Effect


@dataclass(frozen=True, slots=True)
class Offered:
    """The tools of one listing.

    Attributes:
        made: Each tool with what it was made of, in the server's order.
        faults: A sentence for each definition that is not offered as it was sent.
    """

    made: tuple[tuple[Offer, Tool], ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def tools(self) -> tuple[Tool, ...]:
        return tuple(tool for _, tool in self.made)


@dataclass(slots=True)
class _Making:
    config: ServerConfig
    handler_of: Callable[[Offer], Handler]
    known: Mapping[str, tuple[Offer, Tool]]
    made: dict[str, tuple[Offer, Tool]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def offered(
    config: ServerConfig,
    offers: Iterable[Offer],
    *,
    handler_of: Callable[[Offer], Handler],
    before: Offered,
) -> Offered:
    """Make the tools of a listing. An unchanged offer keeps its tool, and with it what others
    computed from it.

    Args:
        config: Whose they are.
        offers: Of several with one name the first counts.
        handler_of: What runs a call.
        before: Of the previous listing.
    """
    known = {tool.name: (offer, tool) for offer, tool in before.made}
    making = _Making(config, handler_of, known)
    for offer in offers:
        _make(making, offer)
    return Offered(tuple(making.made.values()), tuple(making.faults))


def _make(making: _Making, offer: Offer) -> None:
    if not offer.name:
        making.faults.append("a tool without name is left out")
        return
    name = f"{making.config.name}{SEPARATOR}{offer.name}"
    if name in making.made:
        if offer.action is Action.CALL_TOOL:
            making.faults.append(f"tool {offer.name!r:.80} is listed twice; the first counts")
        return
    if name in making.known and making.known[name][0] == offer:
        making.made[name] = making.known[name]
        return
    fault = "no variant of it can be offered"
    for index, (input_schema, output_schema) in enumerate(_schemas(offer)):
        try:
            tool = _tool(making, name, offer, input_schema, output_schema)
        except (ToolDefinitionError, RecursionError) as error:
            fault = str(error) if index == 0 else fault
            continue
        making.made[name] = (offer, tool)
        if index:
            making.faults.append(f"{fault}; it is offered without that schema")
        return
    making.faults.append(f"{fault}; it is left out")


def _schemas(offer: Offer) -> Iterator[tuple[JsonSchema | None, JsonSchema]]:
    """Input and output schema of the tool: as sent, then with one of them left away, then both."""
    wrap = result_schema if offer.action is Action.CALL_TOOL else (lambda schema: schema or {})
    for input_schema in (offer.input_schema, None):
        for output_schema in (offer.output_schema, None):
            try:
                wrapped = wrap(output_schema)
            except RecursionError:
                continue
            yield input_schema, wrapped


def _tool(
    making: _Making,
    name: str,
    offer: Offer,
    input_schema: JsonSchema | None,
    output_schema: JsonSchema,
) -> Tool:
    config = making.config
    return Tool(
        name=name,
        handler=making.handler_of(offer),
        description=offer.description,
        input_schema=input_schema,
        output_schema=output_schema,
        timeout_s=config.timeout_s,
        namespace=config.name,
        exposure=config.exposures.of(offer.name),
        effect=offer.effect,
        wants_context=True,
    )


def effect_of(*, read_only: bool | None, idempotent: bool | None) -> Effect:
    """The effect by a tool's annotations `readOnlyHint` and `idempotentHint`."""
    if read_only:
        return Effect.READ
    return Effect.IDEMPOTENT if idempotent else Effect.WRITE


def extras(*, resources: bool, prompts: bool) -> tuple[Offer, ...]:
    """The tools that stand for a server's resources and prompts, for the capabilities it has."""
    return (_RESOURCES if resources else ()) + (_PROMPTS if prompts else ())


def _read(name: str, action: Action, description: str, takes: Any, gives: Any) -> Offer:
    return Offer(name, action, description, takes, gives, Effect.READ)


def _takes(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _gives(key: str, *required: str, **properties: str) -> dict[str, Any]:
    item = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(required),
    }
    rows = {"type": "array", "items": item}
    return {"type": "object", "properties": {key: rows}, "required": [key]}


_TEXT: Final = {"type": "string"}

_RESOURCES: Final = (
    _read(
        "list_resources",
        Action.LIST_RESOURCES,
        "List the resources of this server; read one with read_resource.",
        _takes(),
        _gives(
            "resources", "uri", "name",
            uri="string", name="string", description="string", mimeType="string",
        ),
    ),
    _read(
        "list_resource_templates",
        Action.LIST_RESOURCE_TEMPLATES,
        "List the templates for URIs of resources of this server.",
        _takes(),
        _gives(
            "resourceTemplates", "uriTemplate", "name",
            uriTemplate="string", name="string", description="string", mimeType="string",
        ),
    ),
    _read(
        "read_resource",
        Action.READ_RESOURCE,
        "Read a resource of this server by its URI: text, or base64 in blob.",
        _takes(("uri",), uri=_TEXT),
        _gives("contents", "uri", uri="string", mimeType="string", text="string", blob="string"),
    ),
)  # fmt: skip

_PROMPTS: Final = (
    _read(
        "list_prompts",
        Action.LIST_PROMPTS,
        "List the prompts of this server and their arguments.",
        _takes(),
        _gives("prompts", "name", name="string", description="string", arguments="array"),
    ),
    _read(
        "get_prompt",
        Action.GET_PROMPT,
        "Get the messages of a prompt of this server, with its arguments filled in.",
        _takes(("name",), name=_TEXT, arguments={"type": "object", "additionalProperties": _TEXT}),
        _gives("messages", "role", "content", role="string", content="object"),
    ),
)
