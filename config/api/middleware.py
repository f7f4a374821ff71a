"""The frame around every request: its id, its log line, its numbers, its headers, and no HTML under /api/.

One middleware with a sync and an async face: each further one, or a sync one under ASGI, would cost a thread hop.
"""

import logging
import random
import re
import time
from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase

from config.api import metrics
from config.api.errors import problem_response
from config.api.logs import set_request_id
from config.api.problems import CONTENT_TYPE, Problem

log = logging.getLogger("arbiter.access")

SANE_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
SET = {name.lower(): (name, value) for name, value in HEADERS.items()}
SET_IN_API = SET | {"cache-control": ("Cache-Control", "no-store")}
HSTS = "max-age=31536000; includeSubDomains"
BY_STATUS = {400: "bad_request", 403: "forbidden", 404: "not_found", 405: "method_not_allowed", 413: "too_large"}


class Frame:
    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        if self.is_async:
            return self.call_async(request)
        started = begin(request)
        return finish(request, self.get_response(request), started)

    async def call_async(self, request: HttpRequest) -> HttpResponseBase:
        started = begin(request)
        return finish(request, await self.get_response(request), started)


def begin(request: HttpRequest) -> float:
    given = request.META.get("HTTP_X_REQUEST_ID", "")
    request.id = given if SANE_ID.fullmatch(given) else f"{random.getrandbits(128):032x}"  # no secret
    set_request_id(request.id)
    return time.perf_counter()


def finish(request: HttpRequest, response: HttpResponseBase, started: float) -> HttpResponseBase:
    in_api = request.path_info.startswith("/api/")
    if in_api and response.status_code >= 400 and response.headers.get("Content-Type") != CONTENT_TYPE:
        response = problem_response(Problem(BY_STATUS.get(response.status_code, "internal")), request)
    set_headers(request, response, in_api)
    seconds = time.perf_counter() - started
    match = request.resolver_match
    route = "/" + match.route if match else "unmatched"
    metrics.observe(request.method, route, response.status_code, seconds)
    log.info(
        "%s %s %s", request.method, request.path, response.status_code,
        extra={"route": route, "status": response.status_code, "ms": round(seconds * 1000, 2)},
    )  # fmt: skip
    response._has_been_logged = True  # by the line above: Django need not say it again
    return response


def set_headers(request: HttpRequest, response: HttpResponseBase, in_api: bool) -> None:
    headers = response.headers
    headers["X-Request-ID"] = request.id
    if not response.streaming and response.status_code not in (204, 304):
        headers["Content-Length"] = str(len(response.content))  # else servers cut it into chunks
    # As `setdefault` for each, but these need not be checked and encoded anew for every response.
    headers._store = (SET_IN_API if in_api else SET) | headers._store
    if in_api and (limits := getattr(request, "rate_limit", None)):
        headers.setdefault("RateLimit-Policy", limits[0])
        headers.setdefault("RateLimit", limits[1])
    if request.is_secure():
        headers["Strict-Transport-Security"] = HSTS
