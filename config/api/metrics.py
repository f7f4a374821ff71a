"""Numbers for Prometheus. Others add theirs by declaring prometheus_client metrics at import; nothing else is needed.

Under several processes set PROMETHEUS_MULTIPROC_DIR to an empty directory: each process writes its file there, and any
of them answers for all.
"""

import hmac
import os
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Histogram, generate_latest, multiprocess

REQUESTS = Histogram(
    "arbiter_http_request_seconds",
    "Requests by route and status: how many, and how long they took.",
    ["method", "route", "status"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


@lru_cache(maxsize=4096)
def numbers(method: str, route: str, status: int) -> Histogram:
    return REQUESTS.labels(method, route, str(status))


def observe(method: str | None, route: str, status: int, seconds: float) -> None:
    numbers(method if method in METHODS else "other", route, status).observe(seconds)


def metrics(request: HttpRequest) -> HttpResponse:
    """What is counted says how much is played, and by which routes: in production it is for who has the token alone."""
    wanted = settings.METRICS_TOKEN
    if not wanted and not settings.EMBEDDED:
        return HttpResponse("closed: METRICS_TOKEN is not set\n", status=403, content_type="text/plain")
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if wanted and not hmac.compare_digest(wanted.encode(), given.encode()):
        return HttpResponse("the METRICS_TOKEN is needed\n", status=401, content_type="text/plain",
                            headers={"WWW-Authenticate": "Bearer"})  # fmt: skip
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
