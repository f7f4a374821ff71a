"""Files of pages (style sheets, scripts): straight from the packages that bring them, on every stack, no copying step.
A proxy in front may keep them; their `Last-Modified` is honoured."""

import mimetypes
from pathlib import Path

from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousFileOperation
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import http_date
from django.views.static import was_modified_since


def static_file(request: HttpRequest, path: str) -> HttpResponse:
    try:
        file = Path(finders.find(path) or "/nowhere")
    except (SuspiciousFileOperation, ValueError):  # a way out of the folder, or NUL
        raise Http404 from None
    if not file.is_file():
        raise Http404
    changed = file.stat().st_mtime
    if not was_modified_since(request.headers.get("If-Modified-Since"), changed):
        return HttpResponseNotModified()
    kind, _ = mimetypes.guess_type(file.name)
    headers = {"Last-Modified": http_date(changed), "Cache-Control": "public, max-age=3600"}
    return HttpResponse(file.read_bytes(), content_type=kind or "application/octet-stream", headers=headers)
