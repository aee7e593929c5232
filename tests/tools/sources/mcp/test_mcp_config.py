"""The configuration file: what is read, what is refused, and what no text ever holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pool import UsageError
from pool.tools.exposure import Exposure
from pool.tools.sources.mcp import HttpEndpoint, ServerConfig, StdioLaunch, read_config
from pool.tools.sources.mcp.config import DEFAULT_TIMEOUT_S, MAX_TIMEOUT_MS

SECRETS = {"TOKEN": "s3cret-token", "HOST": "example.org"}


@pytest.fixture
def read(tmp_path: Path) -> Any:
    def read_document(document: Any, environment: Any = SECRETS) -> tuple[ServerConfig, ...]:
        file = tmp_path / "mcp.json"
        text = document if isinstance(document, str) else json.dumps(document)
        file.write_text(text, encoding="utf-8")
        return read_config(file, environment)

    return read_document


def one(**entry: Any) -> dict[str, Any]:
    return {"mcpServers": {"one": entry}}


def test_a_stdio_server_with_everything(read):
    entry = {
        "command": "${SHELL_OF:-python}",
        "args": ["-m", "served", "--token=${TOKEN}"],
        "env": {"KEY": "${TOKEN}"},
        "cwd": "/srv/${HOST}",
        "exposure": "deferred",
        "toolExposure": {"get_*": "direct", "drop": "hidden"},
        "timeout": 1500,
        "description": "Everything",
    }

    [config] = read(one(**entry))

    assert config.reach == StdioLaunch(
        "python",
        ("-m", "served", "--token=s3cret-token"),
        {"KEY": "s3cret-token"},
        "/srv/example.org",
    )
    assert config.exposures.of("get_x") is Exposure.DIRECT
    assert config.exposures.of("drop") is Exposure.HIDDEN
    assert config.exposures.of("other") is Exposure.DEFERRED
    assert (config.timeout_s, config.description, config.enabled) == (1.5, "Everything", True)


@pytest.mark.parametrize("kind", ["http", "streamable-http", "streamableHttp", "streamable_http"])
@pytest.mark.parametrize("key", ["type", "transport"])
def test_an_http_server(read, key, kind):
    headers = {"Authorization": "Bearer ${TOKEN}"}

    [config] = read(one(url="https://${HOST}/mcp", headers=headers, **{key: kind}))

    assert config.reach == HttpEndpoint(
        "https://example.org/mcp", {"Authorization": "Bearer s3cret-token"}
    )
    assert config.exposures.of("any") is Exposure.CODEMODE
    assert config.timeout_s == DEFAULT_TIMEOUT_S


def test_servers_keep_the_order_of_the_file(read):
    names = ["z", "a", "m"]

    configs = read({"mcpServers": {name: {"command": "x"} for name in names}})

    assert [config.name for config in configs] == names


@pytest.mark.parametrize("switch", [{"enabled": False}, {"disabled": True}])
def test_a_disabled_server_needs_none_of_its_variables(read, switch):
    [config] = read(one(command="x", args=["${MISSING}"], **switch))

    assert not config.enabled


def test_keys_of_other_hosts_are_passed_over(read):
    [config] = read(one(command="x", autoApprove=["a"], alwaysAllow=[], disabledTools=["b"]))

    assert config.enabled


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ({}, "one: needs either command or url"),
        ({"command": "x", "url": "https://y"}, "one: needs either command or url"),
        ({"command": ""}, "one: command: must not be empty"),
        ({"command": 1}, "one: command: must be a text"),
        ({"command": "x", "args": "y"}, "one: args: must be an array of texts"),
        ({"command": "x", "args": [1]}, "one: args: must be an array of texts"),
        ({"command": "x", "env": {"A": 1}}, "one: env: must be an object of texts"),
        ({"command": "${MISSING}"}, "one: command: the environment variable MISSING is not set"),
        ({"command": "x", "env": {"A": "${MISSING}"}}, "one: env.A: the environment variable"),
        ({"url": "ftp://x"}, "one: url: must begin with http"),
        ({"url": "https://x", "type": "sse"}, "one: type: 'sse' is not served here; use http"),
        ({"command": "x", "type": "http"}, "one: type: 'http' is not served here; use stdio"),
        ({"command": "x", "exposure": "public"}, "one: exposure: 'public' is no exposure"),
        ({"command": "x", "toolExposure": {"a": "b"}}, "one: toolExposure: 'b' is no exposure"),
        ({"command": "x", "toolExposure": ["a"]}, "one: toolExposure: must be an object"),
        ({"command": "x", "toolExposures": {}}, "toolExposures: no such key; did you mean tool"),
        ({"command": "x", "expossure": "hidden"}, "did you mean exposure"),
        ({"command": "x", "timeout": 0}, "one: timeout: must be milliseconds from 1"),
        ({"command": "x", "timeout": True}, "one: timeout: must be milliseconds from 1"),
        ({"command": "x", "timeout": MAX_TIMEOUT_MS + 1}, "one: timeout: must be milliseconds"),
        ({"command": "x", "enabled": "no"}, "one: enabled: must be true or false"),
        ({"command": "x", "description": 1}, "one: description: must be a text"),
        ("x", "one: must be an object"),
    ],
)
def test_a_fault_names_file_server_and_key(read, entry, fault):
    with pytest.raises(UsageError) as refused:
        read({"mcpServers": {"one": entry}})

    assert "mcp.json: mcpServers." in str(refused.value)
    assert fault in str(refused.value)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "line 1 is no JSON"),
        ("[]", 'must be an object with an object "mcpServers"'),
        ('{"mcpServers": []}', 'must be an object with an object "mcpServers"'),
        ('{"mcpServers": {"a": {}, "a": {}}}', "a key stands twice"),
        ('{"mcpServers": {"": {"command": "x"}}}', "a server's name has 1 to"),
        ("[" * 100_000, "is no JSON"),
    ],
)
def test_a_file_of_another_form_is_refused(read, text, fault):
    with pytest.raises(UsageError, match=r"mcp\.json") as refused:
        read(text)

    assert fault in str(refused.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"none\.json: cannot be read: No such file"):
        read_config(tmp_path / "none.json")


@pytest.mark.parametrize("names", [("a", "a__b"), ("a__b", "a"), ("a", "a_")])
def test_two_names_that_could_name_one_tool_are_refused(read, names):
    with pytest.raises(UsageError, match="could name the same tool"):
        read({"mcpServers": {name: {"command": "x"} for name in names}})


def test_names_that_share_a_beginning_are_fine(read):
    assert len(read({"mcpServers": {name: {"command": "x"} for name in ("a", "ab", "a_b")}})) == 3


def test_no_secret_stands_in_a_repr_or_an_error(read):
    entry = {"command": "x", "args": ["${TOKEN}"], "env": {"K": "${TOKEN}"}}
    remote = {"url": "https://h/?k=${TOKEN}", "headers": {"A": "${TOKEN}"}}

    configs = read({"mcpServers": {"one": entry, "two": remote}})
    with pytest.raises(UsageError) as refused:
        read(one(command="x", args=["${TOKEN}", "${MISSING}"]))

    assert "s3cret" not in repr(configs)
    assert "s3cret" not in str(refused.value)
