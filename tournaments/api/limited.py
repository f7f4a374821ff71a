"""Draft stages and lists: who drafts with whom, what was handed in, sideboards between games."""

from typing import Annotated, Any

import msgspec
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.commands import CommandBody, command, state_response
from config.api.problems import Problem
from config.api.schema import parameters
from config.api.views import ApiView, Created
from decks.api.base import Cards, Code, Content, Text, content_of
from decks.formats import format_named
from events import participants
from events.errors import Rejected
from events.history import seen
from games.api.base import EventOut
from tournaments import handed, limited, services
from tournaments.api.base import JUDGE as READ
from tournaments.api.base import PLAY
from tournaments.api.reading import AtQuery, PublicView
from tournaments.state import Entrant, Tournament


class DeckListIn(CommandBody, kw_only=True):
    """As cards, as text or as a share code; on paper without a format, `deck` is whatever the organiser wants."""

    free = ("deck",)

    deck: Annotated[Any, Meta(description="{section: {card key: copies}}, where the event has a format.")] = None
    text: Text | None = None
    code: Code | None = None

    def content(self, state: Tournament) -> Any:
        if not state.format:
            if self.deck is None:
                raise missing("This event knows no format: give the list as `deck`.")
            return self.deck
        try:
            deck = None if self.deck is None else msgspec.convert(self.deck, Content)
        except msgspec.ValidationError as wrong:
            raise missing(f"The deck is {{section: {{card key: copies}}}}: {wrong}.") from None
        return content_of(format_named(state.format), deck, self.text, self.code)


def missing(detail: str) -> Problem:
    return Problem("invalid_body", detail, [{"pointer": "/deck", "code": "wrong_shape", "detail": detail}])


class SideboardIn(CommandBody, kw_only=True):
    out: Annotated[Cards, Meta(description="From the deck as it was registered.")] = {}
    into: Annotated[Cards, Meta(description="From the sideboard, as many as go out.")] = msgspec.field(
        default_factory=dict, name="in"
    )


class HandedOut(msgspec.Struct):
    number: int
    hash: Annotated[str, Meta(description='H("deck", tournament, format, salt, canonical JSON of the deck).')]
    seq: Annotated[int, Meta(description="The event that brought it.")]
    auto: Annotated[bool, Meta(description="Built by the house.")]


class HandedList(msgspec.Struct):
    format: str
    data: list[HandedOut]


class HandedDeckOut(HandedOut):
    format: str
    deck: Annotated[Any, Meta(description="As it was handed in.")]
    salt: str


class LimitedOut(msgspec.Struct):
    stage: int
    kind: str
    status: Annotated[str, Meta(description="seated, drafting, building, late (the house builds) or done.")]
    format: str
    key: Annotated[str, Meta(description="Drawn when the stage began; the pods follow from it.")]
    algorithm: str
    until: Annotated[int | None, Meta(description="When decks are due.")]
    missing: Annotated[list[int], Meta(description="Who has handed in no deck yet.")]
    pods: Annotated[list[dict[str, Any]], Meta(description="Entrants in seat order, the draft, and how it ended.")]


class PodsView(PublicView):
    @extend_schema(parameters=parameters(AtQuery), responses=LimitedOut, operation_id="get_draft_pods")
    def get(self, request: Any, tournament: str, stage: int) -> Response:
        """Who drafts with whom in a draft or sealed stage (stages count from 0), and how far it is."""
        head, state = self.looked(tournament)
        if stage not in state.limited:
            raise Rejected("unknown", f"Stage {stage} is no draft, or has not begun.", seq=head.seq)
        return state_response(request, limited.view(state, stage), head.seq)


class DecksView(PublicView):
    public = False
    required_scopes = {"GET": READ, "POST": PLAY}

    @extend_schema(parameters=parameters(AtQuery), responses=HandedList, operation_id="tournament_decks")
    def get(self, request: Any, tournament: str) -> Response:
        """Who has handed in a list: the hashes. What is in them, one by one, when the event is over."""
        head, state = self.looked(tournament)
        lines = [line(one) for one in state.entrants.values() if one.deck]
        return state_response(request, msgspec.to_builtins(HandedList(state.format, lines)), head.seq)

    @extend_schema(request=DeckListIn, responses={201: EventOut, 422: None}, operation_id="tournament_submit_deck")
    def post(self, request: Any, tournament: str) -> Response:
        """Hand in your list, as often as you like until it is due. Others see its hash only."""
        body = DeckListIn.load(request)
        given = command(request, body)
        content = body.content(services.look(tournament).state)
        return Created(seen(handed.submit(tournament, request.user, content, given.id, given.expected_seq), None))


class DeckView(PublicView):
    @extend_schema(responses=HandedDeckOut, operation_id="tournament_deck")
    def get(self, request: Any, tournament: str, number: int) -> Response:
        """One list: your own, and everybody's when the event is over."""
        state: Tournament = services.look(tournament).state
        one = state.entrants.get(number)
        deck = handed.registered(state, number) if one else None
        if one is None or deck is None:
            raise Rejected("unknown", f"Entrant {number} has handed in nothing.", seq=state.seq)
        if state.phase in ("registration", "running") and self.own(state) != one:
            raise Rejected("not_yours", "Lists are sealed until the event is over.", seq=state.seq)
        return Response(
            msgspec.to_builtins(line(one)) | {"format": deck.format, "deck": deck.content, "salt": deck.salt.hex()}
        )

    def own(self, state: Tournament) -> Entrant | None:
        user = self.request.user
        return state.entrant_of(participants.find(state.stream, user.pk) or "") if user else None


class SideboardView(ApiView):
    required_scopes = PLAY

    @extend_schema(request=SideboardIn, responses={201: EventOut, 422: None}, operation_id="tournament_sideboard")
    def post(self, request: Any, tournament: str, match: str) -> Response:
        """Between the games of your match: exchange one for one, or nothing; your own secret. When both have said so
        the next game is made, and without a word when the time is over."""
        body = SideboardIn.load(request)
        given = command(request, body)
        event = handed.sideboard(
            tournament, request.user, match, dict(body.out), dict(body.into), given.id, given.expected_seq
        )
        return Created(seen(event, None))


def line(one: Entrant) -> HandedOut:
    return HandedOut(one.number, one.deck, one.deck_seq, one.auto)
