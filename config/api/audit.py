"""Who has looked at what by right of office. Looks are in audit streams of their own, so that the players' streams do
not move; here those who may look can see who did."""

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.loading import exactly
from config.api.paging import SeqQuery, page, page_of
from config.api.schema import parameters
from config.api.views import ApiView
from config.api.when import Time, shown
from events.looks import looks
from events.models import Look
from games.models import GameSeat

STREAM = "[a-z]{3}_[0-9A-Za-z]{1,36}"


class LooksQuery(SeqQuery):
    subject: Annotated[str, Meta(pattern=exactly(STREAM), description="At this game only.")] | None = None
    person: Annotated[str, Meta(max_length=30, description="By whoever has this name only.")] | None = None


class LookOut(msgspec.Struct, rename={"eyes": "as"}):
    position: Annotated[int, Meta(description="In the feed: what `after` continues from.")]
    at: Time
    by: Annotated[str | None, Meta(description="The name; null when the person was erased.")]
    subject: Annotated[str, Meta(description="The game that was looked at.")]
    seq: Annotated[int, Meta(description="As it stood after this event.")]
    eyes: Annotated[str, Meta(description="Through whose: a seat, `public`, or `table` (everything).")]
    what: Annotated[str, Meta(description="state, events, stream, narration, export, verify or sandbox.")]

    @classmethod
    def of(cls, row: Look) -> "LookOut":
        at = shown(datetime.fromtimestamp(row.at_ms / 1000, UTC)) or ""
        return cls(row.pos, at, row.person.name if row.person else None, row.subject, row.seq, row.eyes, row.what)


class LooksView(ApiView):
    required_scopes = ["audit:read"]

    @extend_schema(parameters=parameters(LooksQuery), responses=page_of(LookOut), operation_id="list_looks")
    def get(self, request: Any) -> Response:
        """Every privileged look-up, the newest first, but for those at games you play in. A moment after the look it is
        here."""
        query = LooksQuery.load(request)
        own = GameSeat.objects.filter(person=request.user).values("game__stream")
        rows = looks(query.subject, query.person).exclude(subject__in=own)  # no player learns that a judge has looked
        return Response(page(request, rows, query, LookOut.of, "pos", newest_first=True))
