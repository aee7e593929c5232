"""What a document lets a host do, operation by operation, or why not: pure."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pool.tools.sources.openapi.document import Document, Inexpressible
from pool.tools.sources.openapi.schemas import SchemaWriter
from pool.tools.sources.openapi.styles import STYLES

METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")

# In the order in which an operation that offers several is called.
_BODIES: Final = (
    ("json", re.compile(r"application/(json|[\w.+-]+\+json)", re.I)),
    ("multipart", re.compile(r"multipart/form-data", re.I)),
    ("form", re.compile(r"application/x-www-form-urlencoded", re.I)),
    ("text", re.compile(r"text/[\w.+-]+", re.I)),
    ("bytes", re.compile(r"[\w.+-]+/[\w.+*-]+", re.I)),
)

# What OpenAPI says of header parameters with these names: they are to be ignored.
_IGNORED_HEADERS: Final = frozenset({"accept", "content-type", "authorization"})

# A program that could set these would speak for another host, or end the message early.
_FORBIDDEN_HEADERS: Final = frozenset(
    "host content-length transfer-encoding connection cookie te trailer upgrade keep-alive "
    "proxy-authorization proxy-connection expect".split()
)

_DEFAULT_STYLE: Final = {"path": "simple", "query": "form", "header": "simple", "cookie": "form"}

# Names are shown to models and are keys of policies.
_MAX_NAME_CHARS: Final = 120


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a request.

    Attributes:
        argument: Its property in the tool's argument.
        name: As the server knows it.
        place: `path`, `query`, `header` or `cookie`.
        is_json: The value is sent as JSON text.
    """

    argument: str
    name: str
    place: str
    style: str
    explode: bool
    allow_reserved: bool
    is_required: bool
    is_json: bool


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a request.

    Attributes:
        kind: `json`, `multipart`, `form`, `text` or `bytes`.
    """

    kind: str
    media_type: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation that can be called.

    Attributes:
        name: Unique in its document.
        path: As the document has it, with `{name}` for parameters.
        server: A server of its own; None for the document's.
        security: Alternatives, each the names of schemes that are needed together.
    """

    name: str
    method: str
    path: str
    server: str | None
    description: str
    parameters: tuple[Parameter, ...]
    body: Body | None
    security: tuple[tuple[str, ...], ...]
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Skipped:
    """An operation, or a part of one, that no tool can express."""

    operation: str
    reason: str


def operations(document: Document) -> tuple[tuple[Operation, ...], tuple[Skipped, ...]]:
    """What can be called, and what cannot and why. One bad operation harms only itself."""
    found: list[Operation] = []
    skipped: list[Skipped] = []
    sites = list(_sites(document, skipped))
    plain = Counter(_plain_name(method, path, node) for method, path, _, node in sites)
    for method, path, shared, node in sites:
        label = f"{method.upper()} {path}"
        name = _plain_name(method, path, node)
        if plain[name] > 1:
            name = f"{name}_{hashlib.sha256(label.encode()).hexdigest()[:4]}"
        try:
            found.append(_operation(document, name, method, path, shared, node))
        except (Inexpressible, RecursionError) as error:
            skipped.append(Skipped(label, str(error) or "it nests too deeply"))
            continue
        if node.get("callbacks"):
            skipped.append(Skipped(label, "its callbacks: nothing here could be called back"))
    return tuple(found), tuple(skipped)


def _sites(
    document: Document, skipped: list[Skipped]
) -> Iterator[tuple[str, str, list[Any], dict[str, Any]]]:
    paths = document.root.get("paths")
    for path, item in paths.items() if isinstance(paths, dict) else ():
        if path.startswith("x-"):
            continue
        try:
            item = document.resolved(item)
        except Inexpressible as error:
            skipped.append(Skipped(path, str(error)))
            continue
        shared = item.get("parameters", [])
        for method in METHODS:
            node = item.get(method)
            if not isinstance(node, dict):
                continue
            if not path.startswith("/"):
                skipped.append(Skipped(f"{method.upper()} {path}", "its path begins without a /"))
                continue
            own = {"servers": item["servers"]} if "servers" in item else {}
            yield method, path, shared if isinstance(shared, list) else [], {**own, **node}


def _plain_name(method: str, path: str, node: Mapping[str, Any]) -> str:
    given = node.get("operationId")
    text = given if isinstance(given, str) and given.strip() else f"{method}_{path.strip('/')}"
    return re.sub(r"[^\w.-]+", "_", text).strip("_")[:_MAX_NAME_CHARS] or method


def _operation(
    document: Document,
    name: str,
    method: str,
    path: str,
    shared: list[Any],
    node: dict[str, Any],
) -> Operation:
    writer = SchemaWriter(document, hidden="readOnly")
    given = _merged(document, shared, node.get("parameters", []))
    body, body_schema, body_required = _body(document, writer, node.get("requestBody"))
    parameters, properties = [], {}
    for parameter, schema in _parameters(writer, document, given, has_body=body is not None):
        parameters.append(parameter)
        properties[parameter.argument] = schema
    required = [each.argument for each in parameters if each.is_required]
    if body is not None:
        properties["body"] = body_schema
        required += ["body"] if body_required else []
    _check_path(path, parameters)
    takes: dict[str, Any] = {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
    return Operation(
        name=name,
        method=method.upper(),
        path=path,
        server=_own_server(node),
        description=_description(node),
        parameters=tuple(parameters),
        body=body,
        security=_security(document, node),
        input_schema=takes | ({"$defs": writer.definitions} if writer.definitions else {}),
        output_schema=_output(document, node),
    )


def _merged(document: Document, shared: list[Any], own: Any) -> list[dict[str, Any]]:
    """The parameters of path and operation; those of the operation stand in place of others."""
    given: dict[tuple[Any, Any], dict[str, Any]] = {}
    for node in [*shared, *(own if isinstance(own, list) else [])]:
        parameter = document.resolved(node)
        given[parameter.get("in"), parameter.get("name")] = parameter
    return list(given.values())


def _parameters(
    writer: SchemaWriter, document: Document, given: list[dict[str, Any]], *, has_body: bool
) -> Iterator[tuple[Parameter, Any]]:
    kept = [node for node in given if not _is_ignored(node)]
    clashes = Counter(str(node.get("name")) for node in kept)
    if has_body:
        clashes["body"] += 1
    for node in kept:
        name, place = node.get("name"), node.get("in")
        if not isinstance(name, str) or not name or place not in STYLES:
            raise Inexpressible("a parameter has no name, or is in no place that is known")
        if place == "header" and name.lower() in _FORBIDDEN_HEADERS:
            raise Inexpressible(f"its header parameter {name!r:.80} is not for callers to set")
        is_json, schema = _parameter_schema(document, node, name)
        style = node.get("style", _DEFAULT_STYLE[place])
        if style not in STYLES[place]:
            raise Inexpressible(f"its parameter {name!r:.80} has the unknown style {style!r:.40}")
        parameter = Parameter(
            argument=name if clashes[name] == 1 else f"{place}_{name}",
            name=name,
            place=place,
            style=style,
            explode=node.get("explode", style == "form") is True,
            allow_reserved=node.get("allowReserved") is True,
            is_required=node.get("required") is True or place == "path",
            is_json=is_json,
        )
        translated = writer.of(schema)
        said = node.get("description")
        if isinstance(said, str) and isinstance(translated, dict):
            translated = {**translated, "description": said}
        yield parameter, translated


def _is_ignored(node: Mapping[str, Any]) -> bool:
    return node.get("in") == "header" and str(node.get("name")).lower() in _IGNORED_HEADERS


def _parameter_schema(document: Document, node: Mapping[str, Any], name: str) -> tuple[bool, Any]:
    content = node.get("content")
    if not isinstance(content, dict):
        return False, node.get("schema", {})
    for media_type, part in content.items():
        if _BODIES[0][1].fullmatch(media_type.partition(";")[0].strip()):
            return True, document.resolved(part).get("schema", {})
    raise Inexpressible(f"its parameter {name!r:.80} is sent as something other than JSON")


def _body(document: Document, writer: SchemaWriter, node: Any) -> tuple[Body | None, Any, bool]:
    if node is None:
        return None, None, False
    node = document.resolved(node)
    content = node.get("content")
    for kind, pattern in _BODIES:
        for media_type, part in content.items() if isinstance(content, dict) else ():
            plain = media_type.partition(";")[0].strip()
            if pattern.fullmatch(plain):
                is_open = "*" in plain
                sent = "application/octet-stream" if is_open else plain
                schema = document.resolved(part).get("schema", {})
                described = _body_schema(writer, kind, schema)
                return Body(kind, sent), described, node.get("required") is True
    raise Inexpressible("its body has no media type that can be sent")


def _body_schema(writer: SchemaWriter, kind: str, schema: Any) -> Any:
    if kind == "bytes":
        return {"description": "Bytes (a Uint8Array), or text, which is sent as UTF-8"}
    if kind == "text":
        return {"type": "string"}
    translated = writer.of(schema)
    return _with_files(translated) if kind == "multipart" else translated


def _with_files(schema: Any) -> Any:
    """A form whose files may be bytes: a schema that asks for a text would refuse those."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return schema
    files = {
        name: {"description": part.get("description", "A file: bytes (a Uint8Array), or text")}
        for name, part in properties.items()
        if isinstance(part, dict)
        and (part.get("format") == "binary" or "contentMediaType" in part or part == {})
    }
    return {**schema, "properties": {**properties, **files}}


def _check_path(path: str, parameters: list[Parameter]) -> None:
    wanted = set(re.findall(r"\{([^{}]*)\}", path))
    given = {each.name for each in parameters if each.place == "path"}
    if wanted != given:
        missing = ", ".join(sorted(wanted ^ given))
        raise Inexpressible(f"its path and its path parameters differ: {missing:.200}")


def _own_server(node: Mapping[str, Any]) -> str | None:
    servers = node.get("servers")
    if not isinstance(servers, list) or not servers:
        return None
    url = servers[0].get("url") if isinstance(servers[0], dict) else None
    return url if isinstance(url, str) else None


def _description(node: Mapping[str, Any]) -> str:
    said = [node.get("summary"), node.get("description")]
    texts = [text.strip() for text in said if isinstance(text, str) and text.strip()]
    if node.get("deprecated") is True:
        texts.append("Deprecated.")
    return "\n\n".join(dict.fromkeys(texts))


def _security(document: Document, node: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    needs = node.get("security", document.root.get("security", []))
    if not isinstance(needs, list):
        return ()
    return tuple(tuple(need) for need in needs if isinstance(need, dict))


def _output(document: Document, node: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The schema of the JSON that comes back; None where it is none, or cannot be told."""
    responses = node.get("responses")
    if not isinstance(responses, dict):
        return None
    for status in sorted(responses):
        if not re.fullmatch(r"2(\d\d|XX)", status, re.I):
            continue
        try:
            content = document.resolved(responses[status]).get("content")
            for media_type, part in content.items() if isinstance(content, dict) else ():
                if _BODIES[0][1].fullmatch(media_type.partition(";")[0].strip()):
                    writer = SchemaWriter(document, hidden="writeOnly")
                    schema = writer.of(document.resolved(part).get("schema", {}))
                    if not isinstance(schema, dict):
                        return None
                    return schema | ({"$defs": writer.definitions} if writer.definitions else {})
        except (Inexpressible, RecursionError):
            return None
    return None
