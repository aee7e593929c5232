"""Which OpenAPI documents there are, and what calls of them carry: frozen types, and their file.

Nothing here is opened or sent. What is expanded from the environment may be a secret: it stands in
no error and in no `repr`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from pool.errors import UsageError
from pool.tools.exposure import CODEMODE, Exposure, Exposures
from pool.tools.sources.expand import expanded

# An answer over HTTP that takes longer is not coming.
DEFAULT_TIMEOUT_MS: Final = 60_000
MAX_TIMEOUT_MS: Final = 24 * 3_600_000


@dataclass(frozen=True, slots=True)
class Basic:
    """User and password of HTTP's basic scheme."""

    username: str = field(repr=False)
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ApiConfig:
    """One document and how its operations are called.

    Attributes:
        name: First part of the canonical names, and the namespace.
        document: File of the OpenAPI document.
        server: Where operations are, in place of what the document says.
        headers: Sent with every request.
        credentials: By the name of a security scheme: a token or key, or user and password.
        timeout_s: Seconds that one call may take.
        description: What it is for; searched, and shown to the model.
    """

    name: str
    document: Path
    server: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    credentials: Mapping[str, str | Basic] = field(default_factory=dict, repr=False)
    exposures: Exposures = CODEMODE
    timeout_s: float = DEFAULT_TIMEOUT_MS / 1000
    description: str = ""


_STRICT = ConfigDict(extra="forbid", hide_input_in_errors=True, strict=True)
_Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]


class _BasicEntry(BaseModel):
    model_config = _STRICT
    username: str
    password: str


class _Entry(BaseModel):
    model_config = _STRICT
    document: str
    server: str | None = None
    headers: dict[str, str] = {}
    auth: dict[str, str | _BasicEntry] = {}
    enabled: bool = True
    exposure: str = Exposure.CODEMODE
    toolExposure: dict[str, str] = {}
    timeout: Annotated[int, Field(ge=1, le=MAX_TIMEOUT_MS)] = DEFAULT_TIMEOUT_MS
    description: str = ""


class _File(BaseModel):
    model_config = _STRICT
    openapi: dict[_Name, _Entry]


def read_config(
    path: str | os.PathLike[str], environment: Mapping[str, str] | None = None
) -> tuple[ApiConfig, ...]:
    """The documents of a file `{"openapi": {name: {…}}}`, without those that are not enabled.

    Args:
        path: A JSON file; `document` is looked up beside it.
        environment: For `${NAME}` in document, server, headers and auth; `os.environ` unless given.

    Raises:
        UsageError: Names the file and what in it cannot be used, and no value of it.
    """
    file = Path(path)
    values = os.environ if environment is None else environment
    try:
        entries = TypeAdapter(_File).validate_json(file.read_bytes()).openapi
        return tuple(
            _config(name, entry, file.parent, values)
            for name, entry in entries.items()
            if entry.enabled
        )
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"{file}: {where}: {first['msg']}") from None
    except ValueError as error:
        raise UsageError(f"{file}: {error}") from None


def _config(name: str, entry: _Entry, beside: Path, environment: Mapping[str, str]) -> ApiConfig:
    def value(key: str, text: str) -> str:
        try:
            return expanded(text, environment)
        except ValueError as error:
            raise ValueError(f"openapi.{name}.{key}: {error}") from None

    try:
        exposures = Exposures.parse(entry.exposure, entry.toolExposure)
    except ValueError as error:
        raise ValueError(f"openapi.{name}: {error}") from None
    server = None if entry.server is None else value("server", entry.server)
    if server is not None:
        try:
            check_server(server)
        except ValueError as error:
            raise ValueError(f"openapi.{name}.server: {error}") from None
    return ApiConfig(
        name=name,
        document=beside / value("document", entry.document),
        server=server,
        headers={key: value(f"headers.{key}", text) for key, text in entry.headers.items()},
        credentials={
            scheme: value(f"auth.{scheme}", given)
            if isinstance(given, str)
            else Basic(
                value(f"auth.{scheme}.username", given.username),
                value(f"auth.{scheme}.password", given.password),
            )
            for scheme, given in entry.auth.items()
        },
        exposures=exposures,
        timeout_s=entry.timeout / 1000,
        description=entry.description,
    )


def check_server(url: str) -> None:
    """Refuse what is no base of URLs.

    Raises:
        ValueError: Says what is wrong, without the URL: it may hold a secret.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("must be a whole http:// or https:// address")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("must have no user, query or fragment")
