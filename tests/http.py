"""The API as a client sees it: `api(token)` talks JSON to it, `person("judge")` is somebody with a token."""

import http.client
import io
import json
import logging
import secrets
from typing import Any, NamedTuple

import pytest
from django.test import Client

from accounts.models import User
from accounts.scopes import SCOPES, Role
from accounts.services import log_in, mint_token
from config.api.logs import JsonLines

PASSWORD = "correct horse battery staple"


class Someone(NamedTuple):
    user: User
    token: str  # a log-in: all the role may do
    password: str

    def minted(self, *scopes: str) -> str:
        """A token as programs have it, with these scopes only."""
        return mint_token(self.user, "test", scopes or self.user.may & SCOPES.keys()).secret


class Api(Client):
    """Every client comes from an address of its own, so that no test spends another's budget."""

    def __init__(self, token: str | None = None, **headers: str) -> None:
        if token:
            headers["Authorization"] = f"Bearer {token}"
        address = ".".join(str(secrets.randbelow(250) + 1) for _ in range(3))
        super().__init__(raise_request_exception=False, headers=headers, REMOTE_ADDR=f"10.{address}")

    def send(self, method: str, path: str, body: Any = None, **headers: str):
        """A body that is not bytes is sent as JSON."""
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        return self.generic(method, f"/api/v1{path}", data, headers={"Content-Type": "application/json"} | headers)

    def read(self, path: str, **headers: str):
        return self.send("GET", path, **headers)

    def do(self, path: str, body: Any = None, **headers: str):
        return self.send("POST", path, {} if body is None else body, **headers)

    def drop(self, path: str):
        return self.send("DELETE", path)


def ask(port: int, token: str, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """The same over a real connection, to a service in processes of its own: status and document."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"} | headers
    try:
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        reply = connection.getresponse()
        return reply.status, json.loads(reply.read())
    finally:
        connection.close()


@pytest.fixture
def api(db):
    return Api


@pytest.fixture
def person(db):
    """person(role="player") -> somebody new, logged in."""

    def somebody(role: str = "player", name: str = "") -> Someone:
        user = User(name=name or f"p{secrets.token_hex(8)}", role=Role(role))
        user.set_password(PASSWORD)
        user.save()
        return Someone(user, log_in(user.name, PASSWORD).secret, PASSWORD)

    return somebody


@pytest.fixture
def log_lines(caplog):
    """What the service's own log handler writes during a test: a function that returns the parsed lines."""
    handler = next(h for h in logging.getLogger().handlers if isinstance(h.formatter, JsonLines))
    stream = io.StringIO()
    caplog.set_level(logging.INFO)
    before = handler.setStream(stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    handler.setStream(before)


def problem(response, status: int, code: str) -> dict[str, Any]:
    """The problem document of this response, checked for what every one of them has."""
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    document = json.loads(response.content)
    assert document["code"] == code, document
    assert document["status"] == status
    assert document["type"] == f"/problems/{code}"
    assert document["request_id"] == response.headers["X-Request-ID"]
    assert document["title"]
    assert document["detail"]
    assert isinstance(document["errors"], list)
    assert Client().get(document["type"]).status_code == 200
    return document
