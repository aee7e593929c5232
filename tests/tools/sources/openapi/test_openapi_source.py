"""Operations as tools, called over loopback: spec T-1, T-5, M-4."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import to_thread
from petstore import DOCUMENT, Shop, opened_shop

from pool import Effect, Exposure, Pool, Tool, ToolError, UsageError
from pool.tools.sources.openapi import ApiConfig, Basic, OpenApis, open_openapi, read_config, source

PATIENCE_S = 15
KEY = "s3cr3t-key/with+signs"

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    with opened_shop() as shop:
        yield shop


@pytest.fixture
def document(tmp_path: Path) -> Path:
    file = tmp_path / "pets.yaml"
    file.write_text(DOCUMENT)
    return file


def rewrite(document: Path, old: str, new: str) -> None:
    document.write_text(DOCUMENT.replace(old, new), encoding="utf-8")


@pytest.fixture
def config(document: Path, shop: Shop) -> ApiConfig:
    return ApiConfig("pets", document, server=shop.url, credentials={"key": KEY})


def tool_of(apis: OpenApis, name: str) -> Tool:
    return next(tool for tool in apis.tools if tool.name == f"pets__{name}")


async def call(config: ApiConfig, name: str, argument: Any = None) -> Any:
    with anyio.fail_after(PATIENCE_S):
        async with open_openapi([config]) as apis:
            tool = tool_of(apis, name)
            if tool.argument_check is not None:
                assert tool.argument_check.fault(argument or {}) is None
            return await tool.handler(argument or {})


async def test_every_operation_that_can_be_expressed_is_a_tool(config: ApiConfig):
    async with open_openapi([config]) as apis:
        tools = {tool.name: tool for tool in apis.tools}

    assert set(tools) == {
        "pets__list_pets",
        "pets__create-pet",
        "pets__get_pet",
        "pets__delete_pets_id",
        "pets__photo",
        "pets__hidden_secrets",
        "pets__get_elsewhere",
    }
    assert {tool.exposure for tool in tools.values()} == {Exposure.CODEMODE}
    assert {tool.namespace for tool in tools.values()} == {"pets"}
    assert tools["pets__list_pets"].effect is Effect.READ
    assert tools["pets__create-pet"].effect is Effect.WRITE
    assert tools["pets__delete_pets_id"].effect is Effect.IDEMPOTENT
    assert tools["pets__list_pets"].description == "Lists the pets."


async def test_what_cannot_be_expressed_is_skipped_with_the_reason(config: ApiConfig):
    async with open_openapi([config]) as apis:
        reasons = {each.operation: each.reason for each in apis.skipped["pets"]}

    assert list(reasons) == ["GET /broken"]
    assert "outside of the document" in reasons["GET /broken"]


async def test_without_a_configured_server_operations_need_a_whole_address(document: Path):
    async with open_openapi([ApiConfig("pets", document)]) as apis:
        reasons = {each.operation: each.reason for each in apis.skipped["pets"]}

    assert apis.tools == ()
    assert "configure `server`" in reasons["GET /pets"]


async def test_an_operation_on_a_server_of_its_own_gets_no_credentials_of_another(
    document: Path, shop: Shop
):
    rewrite(document, "{url: /v1}", f'{{url: "{shop.url}"}}')
    async with open_openapi([ApiConfig("pets", document)]) as apis:
        reasons = {each.operation: each.reason for each in apis.skipped["pets"]}

    assert reasons["GET /elsewhere"] == "it is on a server of its own; configure `server`"
    assert len(apis.tools) == 6


async def test_parameters_reach_their_places(config: ApiConfig):
    asked = await call(config, "list_pets", {"limit": 2, "tags": ["a&b", "c"], "X-Trace": "t1"})

    assert asked["path"] == "/v1/pets"
    assert asked["query"] == [["limit", "2"], ["tags", "a&b"], ["tags", "c"]]
    assert asked["headers"]["x-trace"] == "t1"


async def test_a_body_is_sent_as_the_document_says(config: ApiConfig):
    made = await call(config, "create-pet", {"body": {"name": "Ada", "owner": None}})
    form = await call(config, "photo", {"id": "1", "body": {"file": b"\x00\xff", "name": "Ada"}})

    assert json.loads(made["body"]) == {"name": "Ada", "owner": None}
    assert made["headers"]["content-type"] == "application/json"
    assert form["headers"]["content-type"].startswith("multipart/form-data; boundary=")
    assert 'name="file"; filename="file"' in form["body"]
    assert 'name="name"\r\n\r\nAda\r\n' in form["body"]


async def test_a_schema_keeps_what_only_the_server_sets_out_of_the_argument(config: ApiConfig):
    async with open_openapi([config]) as apis:
        check = tool_of(apis, "create-pet").argument_check
        listed = tool_of(apis, "list_pets").output_schema

    assert check is not None
    assert check.fault({"body": {"name": "Ada", "parent": {"name": "Eve", "owner": None}}}) is None
    assert check.fault({"body": {}}) is not None
    assert check.fault({"body": {"name": "Ada"}, "more": 1}) is not None
    assert listed is not None
    assert "id" in listed["$defs"]["Pet"]["properties"]


@pytest.mark.parametrize(
    ("id", "answer"),
    [("text", "grün"), ("bytes", b"\x89PNG"), ("nothing", None)],
)
async def test_an_answer_has_the_form_that_its_type_says(config: ApiConfig, id: str, answer: Any):
    assert await call(config, "get_pet", {"id": id}) == answer


@pytest.mark.parametrize(
    ("id", "text"),
    [
        ("missing", "pets answered 404: no such pet"),
        ("redirect", "pets answered 302"),
        ("liar", "pets answered with what is no JSON"),
    ],
)
async def test_t5_a_refusal_rejects_in_the_servers_words(config: ApiConfig, id: str, text: str):
    with pytest.raises(ToolError) as refused:
        await call(config, "get_pet", {"id": id})

    assert str(refused.value) == text


async def test_a_server_that_is_not_there_is_named_and_no_address_is(document: Path):
    gone = ApiConfig("pets", document, server="http://127.0.0.1:1/v1")
    with pytest.raises(ToolError, match=r"^no answer from pets: ConnectError$"):
        await call(gone, "get_pet", {"id": "1"})


@pytest.mark.parametrize("id", ["..", ".", "a/../../b", "..\\b", ""])
async def test_a_value_leads_to_no_other_path(config: ApiConfig, id: str):
    with pytest.raises(ToolError, match="path"):
        await call(config, "get_pet", {"id": id})


@pytest.mark.parametrize("id", ["a/b", "a b?c#d", "ünder", "%2e%2e", "a;b=c", "a@b"])
async def test_a_value_stays_one_part_of_the_path(config: ApiConfig, id: str):
    asked = await call(config, "get_pet", {"id": id})

    assert asked["path"].count("/") == 3
    assert asked["query"] == []


async def test_a_header_carries_no_second_one(config: ApiConfig):
    with pytest.raises(ToolError, match="control characters"):
        await call(config, "list_pets", {"X-Trace": "a\r\nX-Key: mine"})


SCHEMES = {
    "bearer": ("{type: http, scheme: bearer}", "token-1", "authorization", "Bearer token-1"),
    "oauth": ("{type: oauth2, flows: {}}", "token-2", "authorization", "Bearer token-2"),
    "basic": (
        "{type: http, scheme: basic}",
        Basic("ada", "lovelace"),
        "authorization",
        "Basic YWRhOmxvdmVsYWNl",
    ),
    "header": ("{type: apiKey, in: header, name: X-Key}", "key-1", "x-key", "key-1"),
    "cookie": ("{type: apiKey, in: cookie, name: sid}", "cook=1", "cookie", "sid=cook%3D1"),
}


@pytest.mark.parametrize("scheme", SCHEMES)
async def test_the_host_puts_credentials_in_and_takes_them_out_of_answers(
    document: Path, shop: Shop, scheme: str, monkeypatch: pytest.MonkeyPatch
):
    declared, given, header, sent = SCHEMES[scheme]
    rewrite(document, "{type: apiKey, in: header, name: X-Key}", declared)
    seen = ApiConfig("pets", document, server=shop.url, credentials={"key": given})
    cleaned = await call(seen, "get_pet", {"id": "1"})
    monkeypatch.setattr(source, "cleaned", lambda value, _secrets: value)
    plain = await call(seen, "get_pet", {"id": "1"})

    assert plain["headers"][header] == sent
    assert "[secret]" in cleaned["headers"][header]
    for secret in ("token-1", "token-2", "lovelace", "YWRhOmxvdmVsYWNl", "key-1", "cook%3D1"):
        assert secret not in json.dumps(cleaned["headers"])


@pytest.mark.parametrize("spelled", ['say "key" \\ now', "ключ-секрет", "a/b/c/d", "tab\tkey"])
async def test_a_secret_is_taken_out_however_json_spells_it(
    document: Path, shop: Shop, spelled: str
):
    rewrite(document, "in: header, name: X-Key", "in: query, name: key")
    config = ApiConfig("pets", document, server=shop.url, credentials={"key": spelled})
    asked = await call(config, "get_pet", {"id": "1"})

    assert asked["query"] == [["key", "[secret]"]]


async def test_a_key_in_the_query_is_the_hosts_too(document: Path, shop: Shop):
    rewrite(document, "in: header, name: X-Key", "in: query, name: key")
    config = ApiConfig("pets", document, server=shop.url, credentials={"key": KEY})
    asked = await call(config, "get_pet", {"id": "1"})

    assert asked["query"] == [["key", "[secret]"]]


async def test_an_unknown_scheme_is_refused_and_the_known_ones_are_named(config: ApiConfig):
    wrong = ApiConfig("pets", config.document, server=config.server, credentials={"kee": KEY})
    with pytest.raises(UsageError, match="no security scheme 'kee'; there are: key"):
        async with open_openapi([wrong]):
            raise AssertionError("it was opened")


def test_no_secret_shows_in_a_repr(config: ApiConfig):
    assert KEY not in repr(config)


async def test_an_answer_that_is_too_long_is_cut_off(
    config: ApiConfig, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(source, "MAX_RESPONSE_BYTES", 3)
    with pytest.raises(ToolError, match="more than 3 bytes"):
        await call(config, "get_pet", {"id": "bytes"})


async def test_a_cancelled_call_closes_its_connection(config: ApiConfig, shop: Shop):
    shop.hanging.clear()
    shop.hung_up.clear()
    with anyio.fail_after(PATIENCE_S):
        async with open_openapi([config]) as apis, anyio.create_task_group() as tasks:
            tasks.start_soon(tool_of(apis, "get_pet").handler, {"id": "hang"})
            assert await to_thread.run_sync(shop.hanging.wait, PATIENCE_S)
            tasks.cancel_scope.cancel()
        assert await to_thread.run_sync(shop.hung_up.wait, PATIENCE_S)


async def test_a_program_calls_two_operations_at_once(config: ApiConfig):
    program = """
    const [pets, one] = await Promise.all([
      tools.pets__list_pets({limit: 1}), tools.pets__get_pet({id: "7"}),
    ]);
    return [pets.path, one.path, (await describeNamespace("pets")).tools.length];
    """
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool, open_openapi([config]) as apis:
            outcome = await pool.run(program, tools=apis.tools, namespaces=apis.namespaces)

    assert outcome.value == ["/v1/pets", "/v1/pets/7", 7]


def written(directory: Path, entry: dict[str, Any]) -> Path:
    file = directory / "apis.json"
    file.write_text(json.dumps({"openapi": {"pets": entry}}))
    return file


def test_a_configuration_is_read_and_the_environment_fills_it(document: Path):
    file = written(
        document.parent,
        {
            "document": "pets.yaml",
            "server": "https://${HOST:-example.com}/v1",
            "auth": {"key": "${KEY}"},
            "exposure": "deferred",
            "toolExposure": {"hidden_*": "hidden"},
            "timeout": 1500,
            "description": "Pets",
        },
    )
    [config] = read_config(file, {"KEY": KEY})

    assert (config.server, config.credentials) == ("https://example.com/v1", {"key": KEY})
    assert (config.timeout_s, config.description) == (1.5, "Pets")
    assert config.exposures.of("hidden_secrets") is Exposure.HIDDEN
    assert config.exposures.of("get_pet") is Exposure.DEFERRED


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({}, "openapi.pets.document: Field required"),
        ({"document": "x", "tiemout": 1}, "openapi.pets.tiemout: Extra inputs"),
        ({"document": "x", "timeout": 0}, "openapi.pets.timeout: "),
        ({"document": "x", "exposure": "sideways"}, "openapi.pets: 'sideways' is no exposure"),
        ({"document": "x", "auth": {"key": "${NO_KEY}"}}, "auth.key: the environment variable"),
        ({"document": "x", "server": "https://u:p@example.com"}, "server: must have no user"),
        ({"document": "x", "server": "example.com"}, "server: must be a whole"),
        ({"document": "x", "auth": {"key": 5}}, "openapi.pets.auth.key"),
    ],
)
def test_a_configuration_that_cannot_be_used_says_where(
    tmp_path: Path, entry: dict[str, Any], said: str
):
    with pytest.raises(UsageError) as refused:
        read_config(written(tmp_path, entry), {})

    assert said in str(refused.value)
    assert "u:p" not in str(refused.value)


def test_a_disabled_document_is_passed_over(tmp_path: Path):
    entry = {"document": "x", "enabled": False, "auth": {"key": "${NO_KEY}"}}

    assert read_config(written(tmp_path, entry), {}) == ()
