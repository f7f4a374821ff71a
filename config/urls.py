from django.http import Http404, HttpRequest, HttpResponse
from django.urls import include, path, re_path

from config.api import docs, errors, health, metrics
from config.static import static_file


def nothing_here(request: HttpRequest) -> HttpResponse:
    return errors.problem_response(Http404(), request)


urlpatterns = [
    path("api/v1/", include("config.api.urls")),
    re_path(r"^api(?:/|$)", nothing_here),
    path("problems", docs.problem_index),
    path("problems/<slug:code>", docs.problem_page),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", metrics.metrics),
    path("static/<path:path>", static_file),
]
