"""The same frame under ASGI, where Django would read a body of any size before anyone may object."""

import asyncio
import json

import httpx
import pytest
from django.core.asgi import get_asgi_application

from config.api.limits import limit_bodies

MOST = 1000


class Counting:
    """A body that comes in pieces and notes how much of it was taken."""

    def __init__(self, pieces: int) -> None:
        self.pieces, self.taken = pieces, 0

    async def __aiter__(self):
        for _ in range(self.pieces):
            self.taken += 100
            yield b"x" * 100


@pytest.fixture
def post(db):
    transport = httpx.ASGITransport(limit_bodies(get_asgi_application(), MOST))

    def send(content, path="/api/v1/log-in"):
        async def go():
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                return await client.post(path, content=content, headers={"Content-Type": "application/json"})

        return asyncio.run(go())

    return send


def test_a_declared_size_is_refused_unread(post):
    answer = post(b"x" * (MOST + 1))
    assert answer.status_code == 413
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.json()["code"], answer.json()["limit"]) == ("too_large", MOST)
    assert answer.json()["request_id"] == answer.headers["X-Request-ID"]


def test_an_undeclared_size_is_refused_at_the_byte_too_many(post):
    endless = Counting(100_000)
    answer = post(endless)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert endless.taken <= MOST + 200


def test_what_fits_goes_through_the_frame(post):
    answer = post(json.dumps({"name": "nobody", "password": "x"}).encode())
    assert answer.status_code == 401
    assert answer.json()["request_id"] == answer.headers["X-Request-ID"]
    assert answer.headers["X-Frame-Options"] == "DENY"
