"""The service with a few endpoints more: each fails in one way, or shows one helper."""

from typing import Any

from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import include, path
from rest_framework.response import Response

from config.api.commands import CommandBody, MinSeq, command, state_response
from config.api.loading import Body
from config.api.views import ApiView, Created
from config.urls import urlpatterns as real
from events import commands, heads, history, participants
from events.errors import Rejected

FAULTS = {
    "boom": lambda: 1 / 0,
    "database": lambda: raise_(OperationalError("connection to server at 10.0.0.7 failed: password wrong")),
    "http404": lambda: raise_(Http404("secret reason")),
    "stale": lambda: raise_(Rejected("stale", "The stream is at 7.", seq=7)),
    "not_yours": lambda: raise_(Rejected("not_yours", "Seat 1 is asked.", seq=7)),
    "illegal": lambda: raise_(
        Rejected("illegal", "No.", [{"pointer": "/n", "code": "x", "detail": "y", "rule": "TH-1"}], 7)
    ),
    "over": lambda: raise_(Rejected("over", "It ended.", seq=7)),
    "key_reused": lambda: raise_(Rejected("key_reused", "Another body.", seq=7)),
    "unknown": lambda: raise_(Rejected("unknown", "No such game.")),
    "precondition_required": lambda: raise_(Rejected("precondition_required", "Say it.", seq=7)),
    "busy": lambda: raise_(Rejected("busy", "Later.", seq=7)),
}


def raise_(exc: Exception) -> None:
    raise exc


class FaultView(ApiView):
    public = True

    def get(self, request: Any, fault: str) -> Response:
        FAULTS[fault]()
        return Response({})

    post = get


class EchoIn(CommandBody):
    free = ("payload",)
    payload: dict[str, Any] = {}


class EchoView(ApiView):
    required_scopes = {"GET": ["games:read"], "POST": ["games:play"]}

    def get(self, request: Any) -> Response:
        query = MinSeq.load(request)
        return state_response(request, {"min_seq": query.min_seq}, 57)

    def post(self, request: Any) -> Response:
        body = EchoIn.load(request)
        return Created({"command": command(request, body), "payload": body.payload})


class Part(Body):
    count: int
    name: str | None = None


class DeepIn(Body):
    parts: list[Part]
    by_name: dict[str, int] = {}
    choice: Part | None = None


class DeepView(ApiView):
    public = True

    def post(self, request: Any) -> Response:
        return Response(DeepIn.load(request))


class CounterIn(CommandBody):
    free = ("action",)
    action: dict[str, Any]


class CounterView(ApiView):
    """A stream of the tiny decider over HTTP, thin as every command endpoint should be."""

    required_scopes = {"GET": ["games:read"], "POST": ["games:play"]}

    def get(self, request: Any, stream: str) -> Response:
        head = heads.current(stream)
        return state_response(request, head.decider.view(head.state, None), head.seq)

    def post(self, request: Any, stream: str) -> Response:
        body = CounterIn.load(request)
        asked = command(request, body)
        event = commands.execute(
            stream,
            actor=participants.of(stream, request.user.pk),
            action=body.action,
            command_id=asked.id,
            expected_seq=asked.expected_seq,
        )
        return Created(history.seen(event, None))


def plain_html_failure(request: HttpRequest) -> HttpResponse:
    return HttpResponse("<h1>oops</h1>", status=500)


def plain_exception(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a secret in a traceback")


urlpatterns = [
    path("api/v1/faults/<slug:fault>", FaultView.as_view()),
    path("api/v1/echo", EchoView.as_view()),
    path("api/v1/deep", DeepView.as_view()),
    path("api/v1/counters/<id:stream>", CounterView.as_view()),
    path("api/v1/html", plain_html_failure),
    path("api/v1/exception", plain_exception),
    path("", include(real)),
]
