"""Decks handed in for an event: a public hash now, the content when the event opens it."""

from typing import Annotated, Any

import msgspec
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.loading import Query
from config.api.schema import parameters
from config.api.views import ApiView
from config.api.when import Time, shown
from decks import services
from decks.api.base import Event
from decks.models import Submission


class SubmissionOut(msgspec.Struct):
    """`deck` and `salt` are there for the owner, and for everybody once they are open."""

    id: str
    event: str
    player: str | None
    format: str
    hash: Annotated[str, Meta(description='H("deck", event, format, salt, canonical JSON of the deck).')]
    at: Time
    locked: bool
    opened: bool
    deck: dict[str, dict[str, int]] | None = None
    salt: str | None = None

    @classmethod
    def of(cls, row: Submission, reader: Any) -> "SubmissionOut":
        may = row.opened or row.person_id == reader.pk
        return cls(
            row.id, row.event, row.person.name if row.person else None, row.format, row.hash, shown(row.at), row.locked,
            row.opened, row.content if may else None, bytes(row.salt).hex() if may else None,
        )  # fmt: skip


class SubmissionList(msgspec.Struct):
    data: list[SubmissionOut]


class EventQuery(Query):
    event: Event


class SubmissionsView(ApiView):
    required_scopes = ["games:read"]

    @extend_schema(parameters=parameters(EventQuery), responses=SubmissionList, operation_id="list_submissions")
    def get(self, request: Any) -> Response:
        """Who handed in what for an event: the hashes, your own deck, and the others' once they are open."""
        rows = services.submissions(EventQuery.load(request).event)
        return Response(SubmissionList([SubmissionOut.of(row, request.user) for row in rows]))
