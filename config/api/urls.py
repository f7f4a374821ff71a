"""Everything below /api/v1/: each app includes its own urls here."""

from django.urls import include, path

from config.api import (
    audit,
    ids,  # noqa: F401 - registers <id:…>
)
from config.api import transparency as seen
from config.api.docs import DocsView, SchemaView

urlpatterns = [
    path("", include("games.urls")),  # first: it is asked for most
    path("schema", SchemaView.as_view(), name="schema"),
    path("docs", DocsView.as_view(), name="docs"),
    path("checkpoints", seen.CheckpointsView.as_view()),
    path("checkpoints/latest", seen.LatestCheckpointView.as_view()),
    path("checkpoints/<int:size>", seen.CheckpointView.as_view()),
    path("checkpoints/<int:size>/consistency", seen.ConsistencyView.as_view()),
    path("keys", seen.KeysView.as_view()),
    path("looks", audit.LooksView.as_view()),
    path("", include("accounts.urls")),
    path("", include("decks.urls")),
    path("", include("drafting.urls")),
    path("", include("tournaments.urls")),
]
