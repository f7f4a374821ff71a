"""Everything below /api/v1/: each app includes its own urls here."""

from django.urls import include, path

from config.api import ids  # noqa: F401 - registers <id:…>
from config.api.docs import DocsView, SchemaView

urlpatterns = [
    path("schema", SchemaView.as_view(), name="schema"),
    path("docs", DocsView.as_view(), name="docs"),
    path("", include("accounts.urls")),
]
