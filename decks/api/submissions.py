"""Decks handed in for an event: a public hash now, the content when the event opens it."""

from typing import Annotated, Any

import msgspec
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.loading import Body, Query
from config.api.schema import parameters
from config.api.views import ApiView
from config.api.when import Time, shown
from decks import services
from decks.api.base import Cards, Event
from decks.models import Submission
from events.errors import Rejected


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


class ExchangeIn(Body):
    match: Event
    game: Annotated[int, Meta(ge=1, le=99, description="The game to come; the first is played as registered.")]
    out: Cards = {}
    into: Annotated[Cards, Meta(description="From the sideboard, as many as go out.")] = msgspec.field(
        default_factory=dict, name="in"
    )


class PlayedOut(msgspec.Struct):
    match: str
    game: int
    deck: dict[str, dict[str, int]]


class SubmissionsView(ApiView):
    required_scopes = ["games:read"]

    @extend_schema(parameters=parameters(EventQuery), responses=SubmissionList, operation_id="list_submissions")
    def get(self, request: Any) -> Response:
        """Who handed in what for an event: the hashes, your own deck, and the others' once they are open."""
        rows = services.submissions(EventQuery.load(request).event)
        return Response(SubmissionList([SubmissionOut.of(row, request.user) for row in rows]))


class ExchangesView(ApiView):
    required_scopes = ["decks:write"]

    @extend_schema(request=ExchangeIn, responses={200: PlayedOut, 422: None}, operation_id="exchange_cards")
    def post(self, request: Any, submission: str) -> Response:
        """Sideboarding: one for one, from the registered deck, for one game of a match (EP-18.2); your own secret."""
        body = ExchangeIn.load(request)
        row = Submission.objects.filter(id=submission, person=request.user).first()
        if row is None:
            raise Rejected("unknown", f"You handed in no deck {submission!r}.")
        kept = services.exchange(row, body.match, body.game, body.out, body.into)
        return Response(PlayedOut(body.match, body.game, kept.content))
