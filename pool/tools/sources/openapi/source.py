"""Documents, opened: their operations as tools, called over HTTP."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlsplit

from anyio import to_thread

from pool.errors import ToolDefinitionError, ToolError, UsageError
from pool.tools.namespace import Namespace
from pool.tools.sources.openapi.auth import Placed, check_schemes, cleaned, placed, without
from pool.tools.sources.openapi.config import ApiConfig, Basic, check_server
from pool.tools.sources.openapi.document import Document, Inexpressible, parse_document
from pool.tools.sources.openapi.operations import Operation, Skipped, operations
from pool.tools.sources.openapi.request import Request, request
from pool.tools.tool import Effect, Tool

if TYPE_CHECKING:
    import httpx2

# As much as a program may be handed for one call (spec L-2).
MAX_RESPONSE_BYTES: Final = 32 * 1024 * 1024

# Of the body of a refusal; a page of HTML says nothing more to a model.
MAX_REFUSAL_CHARS: Final = 2_000

_EFFECTS: Final = {
    "GET": Effect.READ,
    "HEAD": Effect.READ,
    "OPTIONS": Effect.READ,
    "PUT": Effect.IDEMPOTENT,
    "DELETE": Effect.IDEMPOTENT,
}


@dataclass(frozen=True, slots=True)
class OpenApis:
    """What the documents offer; it stays the same.

    Attributes:
        skipped: By the name of the document, what no tool can express and why.
    """

    tools: tuple[Tool, ...]
    namespaces: tuple[Namespace, ...]
    skipped: Mapping[str, tuple[Skipped, ...]]


@asynccontextmanager
async def open_openapi(configs: Iterable[ApiConfig]) -> AsyncIterator[OpenApis]:
    """The operations of documents as tools, for as long as the context is open.

    Raises:
        UsageError: A document cannot be read or used, or the extra is not installed; says why.
    """
    configs = tuple(configs)
    if configs and (find_spec("httpx2") is None or find_spec("yaml") is None):
        raise UsageError("OpenAPI needs more packages: pip install 'codepool[openapi]'")
    if not configs:
        yield OpenApis((), (), {})
        return
    import httpx2

    # No proxy, cookie, redirect or credential that the configuration does not name.
    async with httpx2.AsyncClient(trust_env=False, follow_redirects=False, timeout=None) as client:
        tools: list[Tool] = []
        skipped: dict[str, tuple[Skipped, ...]] = {}
        for config in configs:
            document = await to_thread.run_sync(_read, config)
            made, skipped[config.name] = _tools(document, config, client)
            tools += made
        namespaces = tuple(Namespace(each.name, each.description) for each in configs)
        yield OpenApis(tuple(tools), namespaces, skipped)


def _read(config: ApiConfig) -> Document:
    try:
        document = parse_document(config.document.read_bytes())
        check_schemes(document, config.credentials)
        return document
    except OSError as error:
        raise UsageError(f"{config.document}: cannot be read: {error.strerror}") from error
    except UsageError as error:
        raise UsageError(f"{config.document}: {error}") from None


def _tools(
    document: Document, config: ApiConfig, client: httpx2.AsyncClient
) -> tuple[list[Tool], tuple[Skipped, ...]]:
    found, skipped = operations(document)
    tools, more = [], list(skipped)
    for operation in found:
        try:
            caller = _Caller(
                client=client,
                operation=operation,
                server=_server(document, config, operation),
                placed=placed(document, operation.security, config.credentials),
                config=config,
            )
            tools.append(_tool(caller))
        except (Inexpressible, ToolDefinitionError) as error:
            more.append(Skipped(f"{operation.method} {operation.path}", str(error)))
    return tools, tuple(more)


def _tool(caller: _Caller) -> Tool:
    operation, config = caller.operation, caller.config
    fields: dict[str, Any] = {
        "name": f"{config.name}__{operation.name}",
        "handler": caller.call,
        "description": operation.description,
        "input_schema": dict(operation.input_schema),
        "timeout_s": config.timeout_s,
        "namespace": config.name,
        "exposure": config.exposures.of(operation.name),
        "effect": _EFFECTS.get(operation.method, Effect.WRITE),
    }
    if operation.output_schema is not None:
        try:
            return Tool(**fields, output_schema=dict(operation.output_schema))
        except ToolDefinitionError:
            pass  # it would only have been shown
    return Tool(**fields)


def _server(document: Document, config: ApiConfig, operation: Operation) -> str:
    """Where an operation is.

    Raises:
        Inexpressible: Nobody says where, or it is somewhere else than the rest: credentials of one
            server are not for another.
    """
    main = config.server or _first_server(document.root.get("servers"))
    if main is None:
        raise Inexpressible("the document names no whole server address; configure `server`")
    if operation.server is not None and config.server is None:
        own = _whole(operation.server)
        if own is None or _origin(own) != _origin(main):
            raise Inexpressible("it is on a server of its own; configure `server`")
        main = own
    return main.rstrip("/")


def _first_server(servers: Any) -> str | None:
    if not isinstance(servers, list) or not servers or not isinstance(servers[0], dict):
        return None
    url, variables = servers[0].get("url"), servers[0].get("variables")
    if not isinstance(url, str):
        return None
    for name, variable in variables.items() if isinstance(variables, dict) else ():
        if isinstance(variable, dict):
            url = url.replace(f"{{{name}}}", str(variable.get("default", "")))
    return _whole(url)


def _whole(url: str) -> str | None:
    try:
        check_server(url)
    except ValueError:
        return None
    return None if "{" in url else url


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


@dataclass(frozen=True, slots=True)
class _Caller:
    """Calls one operation."""

    client: httpx2.AsyncClient = field(repr=False)
    operation: Operation
    server: str
    placed: tuple[Placed, ...]
    config: ApiConfig

    async def call(self, argument: Any) -> Any:
        """Send the request and give what comes back: JSON, text or bytes.

        Raises:
            ToolError: The argument cannot be sent, nothing answers, or the answer is a refusal.

        Cancellation:
            Closes the connection.
        """
        import httpx2

        built = request(self.operation, argument if isinstance(argument, Mapping) else {})
        try:
            async with self.client.stream(
                built.method, self._url(built), headers=self._headers(built), content=built.content
            ) as response:
                data = await _limited(response)
        except httpx2.HTTPError as error:
            raise ToolError(f"no answer from {self.config.name}: {type(error).__name__}") from None
        return self._shaped(response, data)

    def _url(self, built: Request) -> str:
        pairs = [*built.query, *(_pair(each) for each in self.placed if each.place == "query")]
        return f"{self.server}{built.path}" + (f"?{'&'.join(pairs)}" if pairs else "")

    def _headers(self, built: Request) -> dict[str, str]:
        headers = {"Accept": "application/json, */*;q=0.5", "Accept-Encoding": "identity"}
        own = {name.lower(): name for name in built.headers}
        added = dict(self.config.headers)
        added |= {each.name: each.value for each in self.placed if each.place == "header"}
        headers |= built.headers
        # What the host sets stands in place of what a program would.
        for name, text in added.items():
            headers.pop(own.get(name.lower(), name), None)
            headers[name] = text
        cookies = [*built.cookies, *(_pair(each) for each in self.placed if each.place == "cookie")]
        if cookies:
            headers["Cookie"] = "; ".join(cookies)
        return headers

    def _shaped(self, response: httpx2.Response, data: bytes) -> Any:
        media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        is_json = media_type == "application/json" or media_type.endswith("+json")
        if not response.is_success:
            text = self._clean(data.decode("utf-8", "replace")).strip()[:MAX_REFUSAL_CHARS]
            raise ToolError(
                f"{self.config.name} answered {response.status_code}: {text}".rstrip(": ")
            )
        if not data:
            return None
        if is_json:
            try:
                return cleaned(json.loads(data.decode("utf-8-sig")), self._secrets())
            except (ValueError, RecursionError):
                raise ToolError(f"{self.config.name} answered with what is no JSON") from None
        if media_type.startswith("text/") or media_type.endswith("xml"):
            return self._clean(data.decode(response.charset_encoding or "utf-8", "replace"))
        return data

    def _clean(self, text: str) -> str:
        return without(text, self._secrets())

    def _secrets(self) -> list[str]:
        values = [*self.config.headers.values(), *(each.value for each in self.placed)]
        # Behind `Basic` or `Bearer` the secret stands alone, and may come back alone.
        secrets = [*values, *(value.rpartition(" ")[2] for value in values)]
        for given in self.config.credentials.values():
            secrets += [given.username, given.password] if isinstance(given, Basic) else [given]
        return secrets


async def _limited(response: httpx2.Response) -> bytes:
    """The body, as far as it may be long.

    Raises:
        ToolError: It is longer.
    """
    import httpx2

    data = bytearray()
    is_too_long = False
    try:
        async for piece in response.aiter_raw():
            data += piece
            if len(data) > MAX_RESPONSE_BYTES:
                # The iteration then ends by itself: left alone, it would wait to be collected.
                is_too_long = True
                await response.aclose()
    except (httpx2.HTTPError, httpx2.StreamError):
        if not is_too_long:
            raise
    if is_too_long:
        raise ToolError(f"the answer has more than {MAX_RESPONSE_BYTES} bytes")
    return bytes(data)


def _pair(credential: Placed) -> str:
    return f"{credential.name}={quote(credential.value, safe='')}"
