"""A shop of pets: its document, and a server that tells what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

DOCUMENT = """
openapi: 3.0.3
info: {title: Pets, version: "1"}
servers: [{url: /v1}]
security: [{key: []}]
paths:
  /pets:
    get:
      operationId: list pets
      summary: Lists the pets.
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1}}
        - {name: tags, in: query, schema: {type: array, items: {type: string}}}
        - {name: X-Trace, in: header, schema: {type: string}}
      responses:
        "200":
          content:
            application/json:
              schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}
    post:
      operationId: create-pet
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
      responses: {"201": {description: made}}
  /pets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: get_pet, responses: {"200": {description: one}}}
    delete: {responses: {"204": {description: gone}}}
    put:
      operationId: photo
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              properties: {file: {type: string, format: binary}, name: {type: string}}
      responses: {"200": {description: ok}}
  /secrets:
    get: {operationId: hidden_secrets, responses: {"200": {description: no}}}
  /elsewhere:
    get: {servers: [{url: "https://example.com"}], responses: {"200": {description: no}}}
  /broken:
    get: {operationId: broken, parameters: [{$ref: "other.yaml#/x"}], responses: {}}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        id: {type: integer, readOnly: true}
        name: {type: string}
        owner: {type: string, nullable: true}
        parent: {$ref: "#/components/schemas/Pet"}
"""


class Asked(BaseHTTPRequestHandler):
    """Answers with the request, or as the path says."""

    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        url = urlsplit(self.path)
        last = url.path.rpartition("/")[2]
        if last == "hang":
            self.server.hanging.set()  # type: ignore[attr-defined]
            while self.rfile.read(1):
                pass
            self.server.hung_up.set()  # type: ignore[attr-defined]
            return
        asked = {
            "method": self.command,
            "path": url.path,
            "query": parse_qsl(url.query, keep_blank_values=True),
            "headers": {name.lower(): text for name, text in self.headers.items()},
            "body": body.decode("utf-8", "replace"),
        }
        status, headers, data = {
            "redirect": (302, {"Location": "http://127.0.0.1:1/"}, b""),
            "missing": (404, {"Content-Type": "text/plain"}, b"no such pet"),
            "text": (
                200,
                {"Content-Type": "text/plain; charset=latin-1"},
                "grün".encode("latin-1"),
            ),
            "bytes": (200, {"Content-Type": "image/png"}, b"\x89PNG"),
            "nothing": (204, {}, b""),
            "liar": (200, {"Content-Type": "application/json"}, b"{"),
        }.get(last, (200, {"Content-Type": "application/json"}, json.dumps(asked).encode()))
        self.send_response(status)
        for name, text in headers.items():
            self.send_header(name, text)
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_DELETE = _answer

    def log_message(self, format: str, *args: Any) -> None:
        """Tests print nothing."""


class Shop(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Asked)
        self.hanging = threading.Event()
        self.hung_up = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves early is part of a test."""


@contextmanager
def opened_shop() -> Iterator[Shop]:
    with Shop() as shop:
        thread = threading.Thread(target=shop.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield shop
        finally:
            shop.shutdown()
            thread.join()
