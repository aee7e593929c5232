"""Which MCP servers there are, and how each is reached: frozen types, and their common file form.

Nothing here starts or connects anything, and the SDK is not needed. What is expanded from the
environment may be a secret: it stands in no error and in no `repr`.
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from pool.errors import UsageError
from pool.tools.exposure import CODEMODE, Exposure, Exposures
from pool.tools.sources.expand import expanded

# A run's own limit (spec L-2): a server without a `timeout` never ends a call before its run does.
DEFAULT_TIMEOUT_S: Final = 600.0

# Above a week a number is seconds taken for milliseconds, or the other way round.
MAX_TIMEOUT_MS: Final = 7 * 24 * 3_600_000

# Part of every canonical name of the server's tools.
MAX_NAME_CHARS: Final = 128

# Configuration files are written by hand.
MAX_FILE_BYTES: Final = 4 * 1024 * 1024

# Between the server's name and the tool's in a canonical name (spec T-2).
SEPARATOR: Final = "__"

_STDIO_TYPES: Final = frozenset({"stdio"})
_HTTP_TYPES: Final = frozenset({"http", "streamable-http", "streamable_http", "streamableHttp"})
_KEYS: Final = (
    "command", "args", "env", "cwd", "type", "transport", "url", "headers", "enabled", "disabled",
    "exposure", "toolExposure", "timeout", "description",
)  # fmt: skip

# How alike an unknown key must be to a known one to be taken for its misspelling. Below this,
# `disabledTools` of another host would count as one.
_MISSPELT: Final = 0.85


@dataclass(frozen=True, slots=True)
class StdioLaunch:
    """A server that is started as a child process and spoken to over its pipes.

    Attributes:
        command: Looked up on PATH.
        args: After the command.
        env: Beside the few safe variables that the SDK hands on; nothing else of ours is.
        cwd: Working directory; None for ours.
    """

    command: str = field(repr=False)
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class HttpEndpoint:
    """A server that is reached by streamable HTTP."""

    url: str = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


Reach: TypeAlias = StdioLaunch | HttpEndpoint


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """One configured server.

    Attributes:
        name: First part of the canonical names, and the namespace.
        reach: How to get to it.
        enabled: A disabled server is not started, and nothing of it is offered or named.
        exposures: By the server's own names of its tools.
        timeout_s: Seconds that one call may take.
        description: What the server is for; searched, and shown to the model.
    """

    name: str
    reach: Reach
    enabled: bool = True
    exposures: Exposures = CODEMODE
    timeout_s: float = DEFAULT_TIMEOUT_S
    description: str = ""


def read_config(
    path: str | os.PathLike[str], environment: Mapping[str, str] | None = None
) -> tuple[ServerConfig, ...]:
    """The servers of a file `{"mcpServers": {name: {…}}}`, in its order.

    Args:
        path: A JSON file in UTF-8, `MAX_FILE_BYTES` at most.
        environment: For `${NAME}` in command, args, env, cwd, url and headers; `os.environ`
            unless given. Texts of disabled servers are not expanded.

    Raises:
        UsageError: Names the file, and the server and key to blame.
    """
    environment = os.environ if environment is None else environment
    try:
        servers = _servers(_document(Path(path)))
        configs = tuple(_server(name, servers[name], environment) for name in servers)
        check_names(configs)
    except ValueError as error:
        raise UsageError(f"{os.fspath(path)}: {error}") from None
    return configs


def check_names(configs: Iterable[ServerConfig]) -> None:
    """Refuse names of servers under which two tools could share one canonical name.

    Raises:
        ValueError: A name is unusable, or `a` and `a__b` stand side by side: a tool `b__c` of the
            first would be the tool `c` of the second, with its permissions.
    """
    names = [config.name for config in configs]
    for name in names:
        if not name or len(name) > MAX_NAME_CHARS or not name.isprintable():
            raise ValueError(
                f"mcpServers: a server's name has 1 to {MAX_NAME_CHARS} printable characters"
            )
    for index, name in enumerate(names):
        for other in names[:index] + names[index + 1 :]:
            if (other + SEPARATOR).startswith(name + SEPARATOR):
                raise ValueError(
                    f"mcpServers: {name!r} and {other!r} could name the same tool; rename one"
                )


def _document(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from error
    if len(data) > MAX_FILE_BYTES:
        raise ValueError(f"has more than {MAX_FILE_BYTES} bytes")
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno} is no JSON: {error.msg}") from error
    except (UnicodeDecodeError, RecursionError):
        raise ValueError("is no JSON in UTF-8") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return document


def _servers(document: Any) -> dict[str, Any]:
    servers = document.get("mcpServers") if isinstance(document, dict) else None
    if not isinstance(servers, dict):
        raise ValueError('must be an object with an object "mcpServers"')
    return servers


def _server(name: str, entry: Any, environment: Mapping[str, str]) -> ServerConfig:
    try:
        if not isinstance(entry, dict):
            raise ValueError("must be an object")
        _refuse_misspelt(entry)
        enabled = _flag(entry, "enabled", True) and not _flag(entry, "disabled", False)
        return ServerConfig(
            name=name,
            reach=_reach(entry, environment if enabled else None),
            enabled=enabled,
            exposures=_exposures(entry),
            timeout_s=_timeout_s(entry),
            description=_text(entry, "description", ""),
        )
    except ValueError as error:
        raise ValueError(f"mcpServers.{name}: {error}") from None


def _refuse_misspelt(entry: Mapping[str, Any]) -> None:
    """Other hosts' keys are theirs; but a misspelt `exposure` would offer what should be hidden."""
    for key in entry:
        near = difflib.get_close_matches(key, _KEYS, n=1, cutoff=_MISSPELT)
        if key not in _KEYS and near:
            raise ValueError(f"{key}: no such key; did you mean {near[0]}?")


def _reach(entry: Mapping[str, Any], environment: Mapping[str, str] | None) -> Reach:
    kind = _text(entry, "type", "") or _text(entry, "transport", "")
    has_command, has_url = "command" in entry, "url" in entry
    if has_command == has_url:
        raise ValueError("needs either command or url")
    if kind and kind not in (_STDIO_TYPES if has_command else _HTTP_TYPES):
        wanted = "stdio" if has_command else "http"
        raise ValueError(f"type: {kind!r:.80} is not served here; use {wanted}")
    if has_url:
        return HttpEndpoint(
            _url(_one(entry, "url", environment)), _table(entry, "headers", environment)
        )
    command = _one(entry, "command", environment)
    if not command:
        raise ValueError("command: must not be empty")
    return StdioLaunch(
        command=command,
        args=_row(entry, "args", environment),
        env=_table(entry, "env", environment),
        cwd=_one(entry, "cwd", environment) if "cwd" in entry else None,
    )


def _url(url: str) -> str:
    if not url.startswith(("http://", "https://", "${")):
        raise ValueError("url: must begin with http:// or https://")
    return url


def _exposures(entry: Mapping[str, Any]) -> Exposures:
    default = _text(entry, "exposure", Exposure.CODEMODE)
    rules = entry.get("toolExposure", {})
    try:
        Exposures.parse(default, {})
    except ValueError as error:
        raise ValueError(f"exposure: {error}") from None
    if not isinstance(rules, dict) or not all(isinstance(word, str) for word in rules.values()):
        raise ValueError("toolExposure: must be an object of texts")
    try:
        return Exposures.parse(default, rules)
    except ValueError as error:
        raise ValueError(f"toolExposure: {error}") from None


def _timeout_s(entry: Mapping[str, Any]) -> float:
    timeout_ms = entry.get("timeout", DEFAULT_TIMEOUT_S * 1000)
    is_number = isinstance(timeout_ms, int | float) and not isinstance(timeout_ms, bool)
    if not (is_number and 1 <= timeout_ms <= MAX_TIMEOUT_MS):
        raise ValueError(f"timeout: must be milliseconds from 1 to {MAX_TIMEOUT_MS}")
    return float(timeout_ms) / 1000


def _flag(entry: Mapping[str, Any], key: str, default: bool) -> bool:
    value = entry.get(key, default)
    if not isinstance(value, bool):
        raise ValueError(f"{key}: must be true or false")
    return value


def _text(entry: Mapping[str, Any], key: str, default: str) -> str:
    value = entry.get(key, default)
    if not isinstance(value, str) or any("\ud800" <= char <= "\udfff" for char in value):
        raise ValueError(f"{key}: must be a text")
    return value


def _one(entry: Mapping[str, Any], key: str, environment: Mapping[str, str] | None) -> str:
    return _expanded(key, _text(entry, key, ""), environment)


def _row(
    entry: Mapping[str, Any], key: str, environment: Mapping[str, str] | None
) -> tuple[str, ...]:
    values = entry.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError(f"{key}: must be an array of texts")
    return tuple(_expanded(key, value, environment) for value in values)


def _table(
    entry: Mapping[str, Any], key: str, environment: Mapping[str, str] | None
) -> dict[str, str]:
    values = entry.get(key, {})
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise ValueError(f"{key}: must be an object of texts")
    return {name: _expanded(f"{key}.{name}", values[name], environment) for name in values}


def _expanded(key: str, text: str, environment: Mapping[str, str] | None) -> str:
    if environment is None:
        return text
    try:
        return expanded(text, environment)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None
