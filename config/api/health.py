"""/healthz: the process answers. /readyz: so does everything it needs; if not, it says what is wrong.

Every part registers its own check: `health.register("feed", check)`. A check returns a short sentence, or raises.
It runs in a thread of its own, so that a part which hangs is reported as hanging and keeps nobody waiting.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate

import msgspec
import redis
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse

log = logging.getLogger("arbiter.health")

Check = Callable[[], str]
PATIENCE = 2.0  # seconds for all checks together
FRESH = 1.0  # an answer is this old at most: probes must not become a load

_checks: dict[str, Check] = {}
_running: dict[str, Future[str]] = {}
_lock = threading.Lock()
_pool = ThreadPoolExecutor(thread_name_prefix="readyz", max_workers=8)
_last: tuple[float, dict[str, dict[str, object]]] = (0.0, {})


class NotReady(Exception):
    """The sentence that says what is wrong; nothing secret in it, for /readyz shows it."""


def register(name: str, check: Check) -> None:
    _checks[name] = check


def database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
    finally:
        connection.close()
    return connection.vendor


def broker() -> str:
    if not settings.REDIS_URL:
        return "in this process"
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1) as client:
        client.ping()
    return "redis"


register("database", database)
register("broker", broker)


def look() -> dict[str, dict[str, object]]:
    """The state of every part. One look at a time; a check still running from the last one is not started again."""
    global _last
    with _lock:
        if time.monotonic() - _last[0] < FRESH and _last[1].keys() == _checks.keys():
            return _last[1]
        for name, check in _checks.items():
            if name not in _running:
                _running[name] = _pool.submit(check)
        deadline = time.monotonic() + PATIENCE
        found = {name: outcome(name, deadline) for name in _checks}
        _last = time.monotonic(), found
        return found


def outcome(name: str, deadline: float) -> dict[str, object]:
    try:
        said = _running[name].result(timeout=max(0, deadline - time.monotonic()))
    except TooLate:
        if not _running[name].done():
            return {"ok": False, "detail": f"no answer within {PATIENCE:g} s"}
        detail = "timed out"
    except NotReady as exc:
        detail = str(exc)
    except Exception as exc:
        log.warning("%s is not ready", name, exc_info=exc)
        detail = f"{type(exc).__name__}; the log says more"
    else:
        del _running[name]
        return {"ok": True, "detail": said}
    del _running[name]
    return {"ok": False, "detail": detail}


def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b'{"ok":true}', content_type="application/json")


def readyz(request: HttpRequest) -> HttpResponse:
    parts = look()
    ok = all(part["ok"] for part in parts.values())
    body = msgspec.json.encode({"ok": ok, "checks": parts})
    return HttpResponse(body, status=200 if ok else 503, content_type="application/json",
                        headers={"Cache-Control": "no-store"})  # fmt: skip
