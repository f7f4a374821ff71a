"""Before the game: sit down, stand up, fill with bots, be ready, call it off."""

from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.commands import CommandBody
from games import services
from games.api.base import EventOut, GameView, Hex64, Name, SeatNo


class JoinIn(CommandBody):
    free = ("deck",)

    seat: Annotated[SeatNo | None, Meta(description="Left out: the first free one.")] = None
    number_commit: Annotated[
        Hex64 | None, Meta(description='H("seat", game, seat, your 32 bytes), or null: the house\'s number will do.')
    ] = None
    ready: Annotated[bool, Meta(description="With a house number there is nothing to open later.")] = False
    deck: Annotated[Any, Meta(description="Sealed to your seat.")] = None


class FillIn(CommandBody):
    bot: Name = "random"
    seats: Annotated[list[SeatNo], Meta(min_length=1, description="Left out: all free ones.")] | None = None


class ReadyIn(CommandBody):
    number_open: Annotated[Hex64 | None, Meta(description="The number you committed to when you joined.")] = None


class JoinView(GameView):
    @extend_schema(request=JoinIn, responses={201: EventOut, 409: None}, operation_id="join_game")
    def post(self, request: Any, game: str) -> Response:
        """Sit down, behind a commitment to a number of your own, or with a house number."""
        body = JoinIn.load(request)
        seat = {"number_commit": body.number_commit, "ready": body.ready}
        if body.seat is not None:
            seat["seat"] = body.seat
        if body.deck is not None:
            seat["deck"] = body.deck
        return self.done(services.join(game, request.user, seat, *self.command(body)))


class LeaveView(GameView):
    @extend_schema(request=CommandBody, responses={201: EventOut, 409: None}, operation_id="leave_game")
    def post(self, request: Any, game: str) -> Response:
        """Stand up before the game. Once all are in, that ends it."""
        return self.done(services.act(game, request.user, {"do": "leave"}, *self.command(CommandBody.load(request))))


class FillView(GameView):
    @extend_schema(request=FillIn, responses={201: EventOut, 409: None}, operation_id="fill_game")
    def post(self, request: Any, game: str) -> Response:
        """The host puts bots on free seats."""
        body = FillIn.load(request)
        bots: dict[str, Any] = {"bot": body.bot} | ({} if body.seats is None else {"seats": body.seats})
        return self.done(services.fill(game, request.user, bots, *self.command(body)))


class ReadyView(GameView):
    @extend_schema(request=ReadyIn, responses={201: EventOut, 409: None}, operation_id="be_ready")
    def post(self, request: Any, game: str) -> Response:
        """All are in: open your number. The last one to be ready starts the game."""
        body = ReadyIn.load(request)
        action = {"do": "ready"} | ({} if body.number_open is None else {"number_open": body.number_open})
        return self.done(services.act(game, request.user, action, *self.command(body)))


class AbortView(GameView):
    @extend_schema(request=CommandBody, responses={201: EventOut, 409: None}, operation_id="abort_game")
    def post(self, request: Any, game: str) -> Response:
        """The host calls the game off before it has begun."""
        return self.done(services.act(game, request.user, {"do": "abort"}, *self.command(CommandBody.load(request))))
