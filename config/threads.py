"""A WSGI application behind an asyncio server: each request is answered in one hop to one of a few threads, which keep
their database connections. Responses that are made bit by bit are sent bit by bit."""

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST = 1 << 20  # bytes of a body that are read ahead; the application's own limit is lower


class Threads:
    def __init__(self, app: Callable[..., Iterable[bytes]], threads: int) -> None:
        self.app, self.pool = app, ThreadPoolExecutor(threads, "web")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        environ = environ_of(scope)
        length = environ.get("CONTENT_LENGTH", "")
        if length.isdecimal() and 0 < int(length) <= LARGEST:  # longer ones are refused unread
            environ["wsgi.input"] = io.BytesIO(await whole(receive))
        loop = asyncio.get_running_loop()

        def send_now(message: MutableMapping[str, Any]) -> None:
            asyncio.run_coroutine_threadsafe(send(message), loop).result()

        start, rest = await loop.run_in_executor(self.pool, self.answer, environ, send_now)
        if start:
            await send(start)
        await send({"type": "http.response.body", "body": rest})

    def answer(self, environ: dict[str, Any], send: Callable[[Scope], None]) -> tuple[Scope | None, bytes]:
        """In a thread: the start of the response and its body, or what is left to send of one made bit by bit."""
        start: Scope = {"type": "http.response.start"}

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:
            start["status"] = int(status[:3])
            start["headers"] = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]

        parts = self.app(environ, start_response)
        try:
            if not getattr(parts, "streaming", False):
                return start, b"".join(parts)
            send(start)
            for part in parts:
                send({"type": "http.response.body", "body": part, "more_body": True})
            return None, b""
        finally:
            if close := getattr(parts, "close", None):
                close()


async def whole(receive: Receive) -> bytes:
    """The body: nearly always one piece."""
    message = await receive()
    body: bytes = message.get("body", b"")
    while message.get("more_body"):
        message = await receive()
        body += message.get("body", b"")
    return body


def environ_of(scope: Scope) -> dict[str, Any]:
    """PEP 3333. Names with an underscore are dropped: they would pass for the ones with a hyphen."""
    (name, port), client = scope["server"], scope.get("client") or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": name,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw, value in scope["headers"]:
        if b"_" in raw:
            continue
        key = raw.decode("latin-1").upper().replace("-", "_")
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        said = value.decode("latin-1")
        environ[key] = f"{environ[key]},{said}" if key in environ else said
    return environ
