"""The view every endpoint is made of: who asks, may they, how often; then the work; then JSON."""

from typing import Any, ClassVar

import msgspec
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.api import throttle
from config.api.auth import BearerToken, require
from config.api.schema import Schema

READS = frozenset({"GET", "HEAD", "OPTIONS"})


class Json(BaseRenderer):
    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        return b"" if data is None else encode(data)


encode = msgspec.json.Encoder().encode
JSON = Json()
NEGOTIATION = DefaultContentNegotiation()


class ApiView(APIView):
    """Says `public = True`, or which scopes each method needs; an endpoint that says neither does not start.

    REST framework's view without what none of our endpoints has: parsers, versions, suffixes, browsable pages."""

    authentication_classes = [BearerToken]
    permission_classes: list[Any] = []
    renderer_classes = [Json]
    parser_classes: list[Any] = []  # bodies go through config.api.loading
    metadata_class = None
    http_method_names = ["get", "post", "put", "patch", "delete", "head"]
    format_kwarg = None
    schema = Schema()

    public: ClassVar[bool] = False
    required_scopes: ClassVar[list[str] | dict[str, list[str]] | None] = None
    budget: ClassVar[str] = ""  # otherwise "reads" or "commands", by method

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        if cls.required_scopes is None and not cls.public:
            raise ImproperlyConfigured(f"{cls.__name__} says neither `public` nor `required_scopes`.")
        return super().as_view(**initkwargs)

    @classmethod
    def scopes_for(cls, method: str) -> list[str]:
        if isinstance(cls.required_scopes, dict):
            return cls.required_scopes.get("GET" if method == "HEAD" else method, [])
        return cls.required_scopes or []

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        return Request(request, authenticators=self.get_authenticators(), negotiator=NEGOTIATION)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        if request._request.META.get("HTTP_ACCEPT", "*/*") in ("*/*", Json.media_type):
            return JSON, Json.media_type  # nearly every request; the search through media types is for the others
        return super().perform_content_negotiation(request, force)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
        try:
            person = request.user
        except AuthenticationFailed:
            throttle.spend(
                request._request, "failures", throttle.address(request._request)
            )  # guessing tokens is slow work
            raise
        if person is None and not self.public:
            raise NotAuthenticated("This needs a token: `Authorization: Bearer arb_…`.")
        budget = self.budget or ("reads" if request.method in READS else "commands")
        throttle.spend(request._request, budget, person.pk if person else throttle.address(request))
        if not self.public:
            require(request.auth, self.scopes_for(request.method))

    @property
    def default_response_headers(self) -> dict[str, str]:
        """`Allow` is for who used another method."""
        method = self.request._request.method.lower()
        there = method in self.http_method_names and hasattr(self, method)
        return {} if there else {"Allow": ", ".join(self.allowed_methods)}

    def finalize_response(self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(response, Response) or getattr(request, "accepted_renderer", None) is not JSON:
            return super().finalize_response(request, response, *args, **kwargs)
        response.content = JSON.render(response.data)  # at once: REST framework would go through templates' machinery
        if response.data is None:
            del response.headers["Content-Type"]
        else:
            response.headers["Content-Type"] = response.content_type or Json.media_type
        for name, value in self.headers.items():
            response.headers[name] = value
        return response


def Created(data: Any, location: str | None = None) -> Response:
    return Response(data, status=201, headers={"Location": location} if location else None)
