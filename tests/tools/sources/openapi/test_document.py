from __future__ import annotations

import json

import pytest

from pool.errors import UsageError
from pool.tools.sources.openapi import document as document_module
from pool.tools.sources.openapi.document import Inexpressible, parse_document

YAML = b"""
openapi: 3.0.3
paths: {}
components:
  schemas:
    Country: {type: string, enum: [no, se]}
    Flag: {default: true}
    Day: {example: 2024-01-02}
    a/b~c: {type: integer}
    Alias: {$ref: '#/components/schemas/Country'}
    Circle: {$ref: '#/components/schemas/Circle'}
  responses:
    200: {description: fine}
"""


def test_yaml_is_read_as_json_would_be():
    components = parse_document(YAML).root["components"]

    assert components["schemas"]["Country"]["enum"] == ["no", "se"]
    assert components["schemas"]["Flag"]["default"] is True
    assert components["schemas"]["Day"]["example"] == "2024-01-02"
    assert components["responses"] == {"200": {"description": "fine"}}


def test_json_is_read():
    assert parse_document(json.dumps({"openapi": "3.1.0"}).encode()).is_3_0 is False


@pytest.mark.parametrize(
    "text", ["[]", "swagger: '2.0'", "openapi: 3.2.0", "{", "a: [", "x: !!python/name:os.system"]
)
def test_what_is_no_openapi_document_is_refused(text):
    with pytest.raises(UsageError):
        parse_document(text.encode())


def test_aliases_of_yaml_count_each_time_they_repeat(monkeypatch):
    monkeypatch.setattr(document_module, "MAX_NODES", 500)
    few = "openapi: 3.0.0\na: &a [1, 2]\nb: [*a, *a]\n"
    bomb = "openapi: 3.0.0\nl0: &l0 [1, 2]\n" + "".join(
        f"l{n}: &l{n} [*l{n - 1}, *l{n - 1}]\n" for n in range(1, 40)
    )

    assert parse_document(few.encode()).root["b"] == [[1, 2], [1, 2]]
    with pytest.raises(UsageError, match="more than"):
        parse_document(bomb.encode())


def test_an_alias_that_holds_itself_is_refused():
    with pytest.raises(UsageError, match="levels"):
        parse_document(b"openapi: 3.0.0\na: &a [*a]\n")


def test_too_many_bytes_are_refused(monkeypatch):
    monkeypatch.setattr(document_module, "MAX_DOCUMENT_BYTES", len(YAML))

    parse_document(YAML)
    with pytest.raises(UsageError, match="bytes"):
        parse_document(YAML + b"\n")


def test_local_references_resolve_with_their_escapes():
    document = parse_document(YAML)

    assert document.target("#/components/schemas/a~1b~0c") == {"type": "integer"}
    assert document.target("#/components/schemas/a~1b%7E0c") == {"type": "integer"}
    assert document.resolved({"$ref": "#/components/schemas/Alias"})["enum"] == ["no", "se"]


@pytest.mark.parametrize(
    "reference",
    [
        "other.yaml#/A",
        "https://example.com/a",
        "#anchor",
        "#/components/none",
        3,
        "#/components/schemas/Circle",
    ],
)
def test_other_references_are_refused(reference):
    with pytest.raises(Inexpressible):
        parse_document(YAML).resolved({"$ref": reference})
