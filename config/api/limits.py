"""Django reads a whole request under ASGI before anyone may object. This objects: too large a body ends with 413 at its
declared length, or at the byte that is too many."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from uuid import uuid4

import msgspec

from config.api.problems import CONTENT_TYPE, Problem

Message = MutableMapping[str, Any]
App = Callable[[Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]


class TooLarge(Exception):
    pass


def limit_bodies(app: App, most: int) -> App:
    async def limited(scope: Message, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared) > most:
            await refuse(scope, send, most)
            return
        seen, answered = 0, False

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > most:
                raise TooLarge
            return message

        async def noticed(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        try:
            await app(scope, counted, noticed)
        except TooLarge:
            if not answered:
                await refuse(scope, send, most)

    return limited


async def refuse(scope: Message, send: Any, most: int) -> None:
    problem = Problem("too_large", f"At most {most} bytes are read.", limit=most)
    request_id = uuid4().hex
    body = msgspec.json.encode(problem.document(scope["path"], request_id))
    headers = {
        "content-type": CONTENT_TYPE,
        "content-length": str(len(body)),
        "connection": "close",
        "x-request-id": request_id,
        "x-content-type-options": "nosniff",
    }
    await send({
        "type": "http.response.start",
        "status": 413,
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    })  # fmt: skip
    await send({"type": "http.response.body", "body": body})
