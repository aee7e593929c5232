"""An argument becomes a request: pure, and nothing in it can become another part of it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from pool.errors import ToolError
from pool.tools.sources.openapi.operations import Body, Operation, Parameter
from pool.tools.sources.openapi.styles import (
    checked_header,
    encoded,
    header_text,
    path_text,
    query_pairs,
)


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent, but for the server and what the host adds.

    Attributes:
        path: Encoded.
        query: `name=value` texts, encoded.
    """

    method: str
    path: str
    query: tuple[str, ...]
    headers: Mapping[str, str]
    cookies: tuple[str, ...]
    content: bytes | None


def request(operation: Operation, argument: Mapping[str, Any]) -> Request:
    """The request of a call.

    Args:
        argument: Has met the operation's input schema.

    Raises:
        ToolError: A value cannot be sent as its parameter is; names the parameter.
    """
    paths: dict[str, str] = {}
    query: list[str] = []
    headers: dict[str, str] = {}
    cookies: list[str] = []
    for parameter in operation.parameters:
        if parameter.argument not in argument:
            continue
        value = argument[parameter.argument]
        if parameter.is_json:
            value = json.dumps(value, ensure_ascii=False)
        match parameter.place:
            case "path":
                paths[parameter.name] = path_text(
                    parameter.argument, value, parameter.style, explode=parameter.explode
                )
            case "header":
                headers[parameter.name] = header_text(
                    parameter.argument, value, explode=parameter.explode
                )
            case "cookie":
                cookies += _pairs(parameter, value)
            case _:
                query += _pairs(parameter, value)
    content = None
    if operation.body is not None and "body" in argument:
        content, headers["Content-Type"] = _content(operation.body, argument["body"])
    return Request(
        method=operation.method,
        path=_filled(operation.path, paths),
        query=tuple(query),
        headers=headers,
        cookies=tuple(cookies),
        content=content,
    )


def _pairs(parameter: Parameter, value: Any) -> list[str]:
    return query_pairs(
        parameter.name,
        value,
        parameter.style,
        explode=parameter.explode,
        allow_reserved=parameter.allow_reserved,
    )


def _filled(path: str, values: Mapping[str, str]) -> str:
    filled = re.sub(r"\{([^{}]*)\}", lambda found: values[found[1]], path)
    for name, value in values.items():
        if not value:
            raise ToolError(f"argument.{name}: must not be empty, it is part of the path")
    for segment in re.split(r"[/\\]", unquote(filled)):
        if segment in {".", ".."}:
            raise ToolError("argument: a part of the path must not be . or ..")
    return filled


def _content(body: Body, value: Any) -> tuple[bytes, str]:
    match body.kind:
        case "json":
            return json.dumps(value, ensure_ascii=False).encode(), body.media_type
        case "form":
            pairs = [
                pair
                for name, each in _fields(value)
                for pair in query_pairs(name, each, "form", explode=True)
            ]
            return "&".join(pairs).encode(), body.media_type
        case "multipart":
            return _multipart(_fields(value))
        case _:
            media_type = (
                f"{body.media_type}; charset=utf-8" if body.kind == "text" else (body.media_type)
            )
            return _bytes("body", value), media_type


def _fields(value: Any) -> list[tuple[str, Any]]:
    if not isinstance(value, dict):
        raise ToolError("argument.body: must be an object, it is sent as a form")
    return [(str(name), each) for name, each in value.items() if each is not None]


def _bytes(name: str, value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "replace")
    raise ToolError(f"argument.{name}: must be bytes or a text")


def _multipart(fields: list[tuple[str, Any]]) -> tuple[bytes, str]:
    parts = []
    for name, value in fields:
        for each in value if isinstance(value, list) else [value]:
            quoted = encoded(checked_header(name, name), " !#$&'()*+,-./:;<=>?@[]^_`{|}~")
            if isinstance(each, bytes):
                kind = "Content-Type: application/octet-stream"
                parts.append((f'name="{quoted}"; filename="{quoted}"\r\n{kind}', each))
            elif isinstance(each, str):
                parts.append((f'name="{quoted}"', each.encode("utf-8", "replace")))
            else:
                text = json.dumps(each, ensure_ascii=False).encode()
                parts.append((f'name="{quoted}"\r\nContent-Type: application/json', text))
    # No part can hold the hash of all parts.
    digest = hashlib.sha256(b"\0".join(content for _, content in parts)).hexdigest()
    body = b"".join(
        f"--{digest}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + content + b"\r\n"
        for head, content in parts
    )
    return body + f"--{digest}--\r\n".encode(), f"multipart/form-data; boundary={digest}"
