"""Picks, decks, pauses, seats that change hands, and the game afterwards."""

from typing import Annotated, Any

import msgspec
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.commands import CommandBody
from config.api.problems import Problem
from drafting import picks, services
from drafting.api.drafts import DraftView
from games.api.base import Decision, EventOut, Ms, SeatNo
from games.api.games import TimeIn
from games.api.play import HandOverIn, TakeOverIn
from games.state import OnTimeout, SealPolicy, Visibility

Cards = Annotated[
    list[Annotated[str, Meta(max_length=100)]],
    Meta(max_length=200, description="Card ids, keys or names; or lines and words."),
]
Copies = Annotated[int, Meta(ge=1, le=250)]


class PickIn(CommandBody):
    decision: Decision
    take: Cards
    burn: Cards = []


class BuildIn(CommandBody):
    decision: Decision
    cards: Annotated[
        dict[Annotated[str, Meta(max_length=100)], Copies],
        Meta(description="{card: copies}: the deck, or the sideboard."),
    ]


class PlayIn(CommandBody):
    seats: Annotated[list[SeatNo], Meta(min_length=1, max_length=12, description="Left out: all.")] | None = None
    time: TimeIn | None = None
    on_timeout: OnTimeout = "default"
    visibility: Visibility = "public"
    seals: SealPolicy = "game"
    ready_within_ms: Ms = 0


class PoolOut(msgspec.Struct):
    draft: str
    seat: int
    pool: Annotated[dict[str, int], Meta(description="Everything you drafted, {card key: copies}.")]
    format: Annotated[str | None, Meta(description="The deck format it is for.")]


class PicksView(DraftView):
    @extend_schema(request=PickIn, responses={201: EventOut, 409: None}, operation_id="pick")
    def post(self, request: Any, draft: str) -> Response:
        """Take cards of your pack (and burn others, where the draft has it). The decision's id is the precondition."""
        body = PickIn.load(request)
        self.see(draft)
        command = self.command(body)
        return self.done(
            picks.pick(draft, request.user, body.decision, body.take, body.burn, command.id, command.expected_seq)
        )


class BuildView(DraftView):
    @extend_schema(request=BuildIn, responses={201: EventOut, 409: None}, operation_id="build_deck")
    def post(self, request: Any, draft: str) -> Response:
        """Build your deck (then your sideboard) from exactly your own pool. Until all have, you can change it."""
        body = BuildIn.load(request)
        self.see(draft)
        command = self.command(body)
        return self.done(picks.build(draft, request.user, body.decision, body.cards, command.id, command.expected_seq))


class PoolView(DraftView):
    @extend_schema(responses=PoolOut, operation_id="get_pool")
    def get(self, request: Any, draft: str) -> Response:
        """What you have drafted so far."""
        seen = self.see(draft)
        seat = seen.game.seat_of(seen.actor) if seen.actor else None
        if seat is None:
            raise Problem("not_yours", "You have no seat in this draft.")
        format_ = services.format_name(seen.game.terms_.rulebook, seen.game.terms_.options, seen.game.seats)
        return Response(PoolOut(draft, seat, dict(sorted(services.pools(draft).get(seat, {}).items())), format_))


class DropView(DraftView):
    @extend_schema(request=CommandBody, responses={201: EventOut, 409: None}, operation_id="drop_from_draft")
    def post(self, request: Any, draft: str) -> Response:
        """Leave for good: the house picks for your seat from now on."""
        return self.acts(draft, {"do": "concede"}, CommandBody.load(request))


class DraftHandOverView(DraftView):
    @extend_schema(request=HandOverIn, responses={201: EventOut, 409: None}, operation_id="hand_over_draft")
    def post(self, request: Any, draft: str) -> Response:
        """Let a bot pick for you, or let anybody take your seat."""
        body = HandOverIn.load(request)
        return self.acts(draft, {"do": "hand_over", "to": body.to}, body)


class DraftTakeOverView(DraftView):
    @extend_schema(request=TakeOverIn, responses={201: EventOut, 409: None}, operation_id="take_over_draft")
    def post(self, request: Any, draft: str) -> Response:
        """Take a seat that was handed over, or come back to your own."""
        body = TakeOverIn.load(request)
        return self.acts(draft, {"do": "take_over", "seat": body.seat}, body)


class OrganiserView(DraftView):
    """The host, or somebody who runs tournaments or judges and has no seat."""

    def organises(self, draft: str, do: str) -> Response:
        body = CommandBody.load(self.request)
        seen = self.see(draft)
        if seen.actor != seen.game.host and not services.ORGANISERS & set(self.request.auth.allows):
            raise Problem("not_yours", "Only the host or the organiser does that.")
        return self.done(services.organise(draft, self.request.user, do, *self.command(body)))


class DraftPauseView(OrganiserView):
    @extend_schema(request=CommandBody, responses={201: EventOut, 409: None}, operation_id="pause_draft")
    def post(self, request: Any, draft: str) -> Response:
        """Stop all pick clocks."""
        return self.organises(draft, "halt")


class DraftResumeView(OrganiserView):
    @extend_schema(request=CommandBody, responses={201: EventOut, 409: None}, operation_id="resume_draft")
    def post(self, request: Any, draft: str) -> Response:
        """Let the draft go on; everybody has the time they had left."""
        return self.organises(draft, "go_on")


class DraftOpenView(OrganiserView):
    @extend_schema(request=CommandBody, responses={201: EventOut, 409: None}, operation_id="open_draft_seals")
    def post(self, request: Any, draft: str) -> Response:
        """The draft is over: everybody may see every pack and pick, and the export can be checked as a whole."""
        return self.organises(draft, "open")


class DraftGamesView(DraftView):
    @extend_schema(request=PlayIn, responses={201: EventOut, 409: None}, operation_id="play_drafted_decks")
    def post(self, request: Any, draft: str) -> Response:
        """A game between seats of a finished draft, each with the deck it drafted. They begin it by being ready."""
        body = PlayIn.load(request)
        seen = self.see(draft)
        if seen.actor is None or (seen.actor != seen.game.host and seen.game.seat_of(seen.actor) is None):
            raise Problem("not_yours", "Only those who drafted make a game of it.")
        given = msgspec.to_builtins(body)
        terms = {
            name: given[name]
            for name in ("time", "on_timeout", "visibility", "seals", "ready_within_ms")
            if given[name] is not None
        }
        made = services.game_of(draft, request.user, body.seats, terms, self.command(body).id)
        self.kind = "game"
        return self.done(made)
