"""From anything that can go wrong to its problem document. What is not foreseen is a 500 that tells nothing."""

import logging
from functools import singledispatch
from typing import Any

import msgspec
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from rest_framework import exceptions as drf
from rest_framework.response import Response
from rest_framework.views import set_rollback

from accounts.errors import Refused
from config.api.logs import current_request_id
from config.api.problems import CONTENT_TYPE, KINDS, Problem
from events.errors import Rejected

log = logging.getLogger("arbiter.api")


@singledispatch
def as_problem(exc: Exception) -> Problem:
    log.error("unhandled %s", type(exc).__name__, exc_info=exc)
    return Problem("internal", "Something broke on our side. It is logged under the request id.")


@as_problem.register
def _(exc: Problem) -> Problem:
    return exc


@as_problem.register
def _(exc: Rejected) -> Problem:
    seq = {} if exc.seq is None else {"seq": exc.seq}
    code = exc.code if exc.code in KINDS else "illegal"
    headers = {"Retry-After": "1"} if KINDS[code].status == 503 else {}
    return Problem(code, exc.detail, exc.errors, headers, **seq, **exc.extra)


@as_problem.register
def _(exc: Refused) -> Problem:
    return Problem(exc.code, exc.detail, exc.errors)


@as_problem.register(OperationalError)
@as_problem.register(InterfaceError)
def _(exc: Exception) -> Problem:
    log.error("database: %s", type(exc).__name__, exc_info=exc)
    return Problem("unavailable", "The database does not answer; nothing was changed. Try again.", headers=RETRY)


@as_problem.register(Http404)
@as_problem.register(drf.NotFound)
def _(exc: Exception) -> Problem:
    return Problem("not_found", "Nothing was found under this path.")


@as_problem.register(PermissionDenied)
@as_problem.register(drf.PermissionDenied)
def _(exc: Exception) -> Problem:
    return Problem("forbidden")


@as_problem.register
def _(exc: RequestDataTooBig) -> Problem:
    return too_large()


@as_problem.register(SuspiciousOperation)
@as_problem.register(UnreadablePostError)
@as_problem.register(drf.ParseError)
def _(exc: Exception) -> Problem:
    return Problem("bad_request", "The request cannot be understood (its host, its encoding, or it broke off).")


@as_problem.register(drf.NotAuthenticated)
@as_problem.register(drf.AuthenticationFailed)
def _(exc: drf.APIException) -> Problem:
    error = "" if isinstance(exc, drf.NotAuthenticated) else ', error="invalid_token"'
    return Problem("unauthenticated", str(exc.detail), headers={"WWW-Authenticate": f'Bearer realm="arbiter"{error}'})


@as_problem.register
def _(exc: drf.MethodNotAllowed) -> Problem:
    return Problem("method_not_allowed", str(exc.detail))


@as_problem.register
def _(exc: drf.NotAcceptable) -> Problem:
    return Problem("not_acceptable", "This can only be had as application/json.")


RETRY = {"Retry-After": "1"}


def too_large() -> Problem:
    from django.conf import settings

    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    return Problem("too_large", f"At most {limit} bytes are read.", limit=limit)


def problem_for(exc: Exception, request: Any) -> Problem:
    """The problem, seen from this request: whoever said `If-Match` is told 412 instead of 409."""
    problem = as_problem(exc)
    if problem.code == "stale" and "If-Match" in request.headers:
        return Problem("precondition_failed", problem.detail, problem.errors, problem.headers, **problem.extra)
    return problem


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response:
    """REST framework's hook: every exception of every view under /api/."""
    set_rollback()
    problem = problem_for(exc, context["request"])
    document = problem.document(context["request"].path, current_request_id())
    return Response(document, status=problem.kind.status, headers=problem.headers, content_type=CONTENT_TYPE)


def problem_response(exc: Exception, request: HttpRequest) -> HttpResponse:
    """The same for views that are not REST framework's: streams, and Django's own error handlers."""
    problem = problem_for(exc, request)
    body = msgspec.json.encode(problem.document(request.path, current_request_id()))
    return HttpResponse(body, status=problem.kind.status, headers=problem.headers, content_type=CONTENT_TYPE)
