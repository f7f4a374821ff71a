"""The schema, its page and the pages of problems. The document is made once per process; nothing is from elsewhere."""

from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.response import Response

from config.api.problems import KINDS
from config.api.views import ApiView


@lru_cache(maxsize=1)
def document() -> dict[str, Any]:
    return SchemaGenerator().get_schema(request=None, public=True)


class SchemaView(ApiView):
    public = True

    @extend_schema(exclude=True)
    def get(self, request: Any) -> Response:
        return Response(document(), headers={"Cache-Control": "public, max-age=300"})


class DocsView(SpectacularSwaggerSplitView):
    """Swagger UI from the sidecar package. Its script is a resource of its own, so scripts stay 'self' only."""

    url_name = "schema"
    authentication_classes: list[Any] = []
    CSP = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

    @extend_schema(exclude=True)
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        response = super().get(request, *args, **kwargs)
        response.headers["Content-Security-Policy"] = self.CSP
        return response


def problem_index(request: HttpRequest) -> HttpResponse:
    """Every kind of problem there is, one per line."""
    by_status = sorted(KINDS.items(), key=lambda item: (item[1].status, item[0]))
    lines = [f"{kind.status} {code:24} {kind.title}\n" for code, kind in by_status]
    return HttpResponse(lines, content_type="text/plain; charset=utf-8")


def problem_page(request: HttpRequest, code: str) -> HttpResponse:
    """What `type` of a problem document points to."""
    kind = KINDS.get(code.replace("-", "_"))
    if kind is None:
        return HttpResponse("There is no such problem.\n", status=404, content_type="text/plain; charset=utf-8")
    text = f"{code}\n\n{kind.status} {kind.title}\n" + (f"\n{kind.advice}\n" if kind.advice else "")
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
