"""What the host adds to a request so that the server lets it in: pure.

A program never sees a credential: it is put in after the request is made, and taken out of what
comes back.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from pool.errors import UsageError
from pool.tools.sources.openapi.config import Basic
from pool.tools.sources.openapi.document import Document, Inexpressible

Credentials = Mapping[str, str | Basic]

# Shorter texts stand in every answer; taking them out would only garble it.
_MIN_SECRET_CHARS = 4


@dataclass(frozen=True, slots=True)
class Placed:
    """A credential and where it goes: `header`, `query` or `cookie`."""

    place: str
    name: str
    value: str = field(repr=False)


def placed(
    document: Document, security: Iterable[tuple[str, ...]], credentials: Credentials
) -> tuple[Placed, ...]:
    """The credentials of the first alternative that the host can meet.

    None where the operation needs none, and where the host has none for it: the server's own
    refusal says more than ours could.

    Raises:
        Inexpressible: A scheme is of a kind that a token or key cannot meet.
    """
    alternatives = [needs for needs in security if needs]
    for needs in alternatives:
        if all(scheme in credentials for scheme in needs):
            return tuple(_placed(document, scheme, credentials[scheme]) for scheme in needs)
    return ()


def check_schemes(document: Document, credentials: Credentials) -> None:
    """Refuse credentials for what the document does not know.

    Raises:
        UsageError: Names the scheme and those there are.
    """
    known = _schemes(document)
    for scheme in credentials:
        if scheme not in known:
            names = ", ".join(sorted(known)) or "none"
            raise UsageError(f"there is no security scheme {scheme!r:.80}; there are: {names}")


def without(text: str, secrets: Iterable[str]) -> str:
    """`text` with every secret taken out, however it is spelled there."""
    for secret in sorted({each for known in secrets for each in _spellings(known)}, key=len)[::-1]:
        text = text.replace(secret, "[secret]")
    return text


def cleaned(value: Any, secrets: Sequence[str]) -> Any:
    """JSON data with every secret taken out of its texts and keys.

    After parsing, because a text has many spellings in JSON.
    """
    match value:
        case str():
            return without(value, secrets)
        case list():
            return [cleaned(each, secrets) for each in value]
        case dict():
            return {without(key, secrets): cleaned(each, secrets) for key, each in value.items()}
        case _:
            return value


def _spellings(secret: str) -> Iterator[str]:
    if len(secret) >= _MIN_SECRET_CHARS:
        yield secret
        yield quote(secret, safe="")
        yield base64.b64encode(secret.encode()).decode()


def _schemes(document: Document) -> Mapping[str, object]:
    components = document.root.get("components")
    schemes = components.get("securitySchemes") if isinstance(components, dict) else None
    return schemes if isinstance(schemes, dict) else {}


def _placed(document: Document, name: str, given: str | Basic) -> Placed:
    scheme = document.resolved(_schemes(document).get(name))
    match scheme.get("type"), str(scheme.get("scheme", "")).lower():
        case "http", "basic":
            if not isinstance(given, Basic):
                raise Inexpressible(f"the scheme {name!r:.80} needs a user and a password")
            pair = f"{given.username}:{given.password}".encode()
            return Placed("header", "Authorization", f"Basic {base64.b64encode(pair).decode()}")
        case ("http", "bearer") | ("oauth2", _) | ("openIdConnect", _) if isinstance(given, str):
            return Placed("header", "Authorization", f"Bearer {given}")
        case "apiKey", _ if isinstance(given, str):
            place = scheme.get("in")
            key = scheme.get("name")
            if place in {"header", "query", "cookie"} and isinstance(key, str):
                return Placed(str(place), key, given)
    raise Inexpressible(f"the scheme {name!r:.80} is of a kind that cannot be met")
