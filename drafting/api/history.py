"""Reading back: the log, any moment as any seat saw it, and what proves it. Games' own views, for drafts."""

from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from config.api.schema import parameters
from drafting.api.drafts import DraftOut
from games.api import history, stream


class DraftEventsView(history.EventsView):
    kind = "draft"

    @extend_schema(
        parameters=parameters(history.EventsQuery), responses=history.EventsOut, operation_id="list_draft_events"
    )
    def get(self, request: Any, draft: str) -> Response:
        """The log as you may know it; all of it once the seals are open. `wait` makes it a long poll."""
        return super().get(request, draft)


class DraftStreamView(stream.StreamView):
    kind = "draft"

    @extend_schema(
        parameters=stream.PARAMETERS,
        responses={(200, "text/event-stream"): str, 409: None},
        operation_id="stream_draft_events",
    )
    def get(self, request: Any, draft: str) -> StreamingHttpResponse:
        """The log as it grows (server-sent events)."""
        return super().get(request, draft)


class DraftStateView(history.StateView):
    kind = "draft"

    @extend_schema(parameters=parameters(history.StateQuery), responses=DraftOut, operation_id="get_draft_state")
    def get(self, request: Any, draft: str) -> Response:
        """The draft right after any event: every pick is a link."""
        return super().get(request, draft)


class DraftNarrationView(history.NarrationView):
    kind = "draft"

    @extend_schema(
        parameters=parameters(history.NarrationQuery), responses=history.NarrationOut, operation_id="narrate_draft"
    )
    def get(self, request: Any, draft: str) -> Response:
        """What happened, in sentences: your packs and picks, what everybody saw, and all once the seals are open."""
        return super().get(request, draft)


class DraftVerifyView(history.VerifyView):
    kind = "draft"

    @extend_schema(
        parameters=parameters(history.VerifyQuery), responses=history.VerifiedOut, operation_id="verify_draft"
    )
    def get(self, request: Any, draft: str) -> Response:
        """Chain, seals, packs and shuffles, both ways to the state."""
        return super().get(request, draft)


class DraftExportView(history.ExportView):
    kind = "draft"

    @extend_schema(
        parameters=parameters(history.ExportQuery),
        responses={(200, "application/x-ndjson"): bytes},
        operation_id="export_draft",
    )
    def get(self, request: Any, draft: str) -> StreamingHttpResponse:
        """The draft as a file that `events/verifier.py` checks; with every pack, once the seals are open."""
        return super().get(request, draft)
