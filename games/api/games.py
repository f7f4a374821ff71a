"""Games themselves: make one, list them, look at one."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import msgspec
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.auth import require
from config.api.commands import CommandBody, MinSeq, state_response
from config.api.loading import Body
from config.api.paging import SeqQuery, page, page_of
from config.api.schema import parameters
from config.api.when import Time, shown
from events import commands
from games import lists, services
from games.access import look
from games.api.base import EventOut, GameOut, GameView, Ms, Name, SeatNo, snapshot
from games.models import Game
from games.state import OnTimeout, SealPolicy, Visibility


class TimeIn(Body):
    """A time of its own for every decision, then the bank, which each answer adds the increment to."""

    decision_ms: Ms = 0
    bank_ms: Ms = 0
    increment_ms: Ms = 0


class HostSeatIn(Body):
    seat: SeatNo = 0
    number: Annotated[Literal["house"], Meta(description="With a number of your own, join apart.")] = "house"
    ready: bool = True


class GameIn(CommandBody):
    free = ("options", "decks")

    rulebook: Name
    seats: Annotated[int, Meta(ge=1, le=12)] = 2
    options: dict[str, Any] = {}
    decks: Annotated[list[Any], Meta(max_length=64, description="By the host, one per seat; everybody sees them.")] = []
    time: TimeIn | None = None
    on_timeout: OnTimeout = "default"
    visibility: Visibility = "public"
    seals: Annotated[
        SealPolicy, Meta(description="When everything is shown: at game, match or event end, or never.")
    ] = "game"
    join_within_ms: Ms = 0
    ready_within_ms: Ms = 0
    join: Annotated[HostSeatIn | None, Meta(description="Sit down at once, with a house number.")] = None


class GamesQuery(SeqQuery):
    which: Annotated[
        Literal["mine", "waiting", "open", "finished", "live", "disputed"],
        Meta(
            description="mine; waiting for me; open to join; mine that are over; public ones being played; "
            "with a dispute that waits for a judge (needs `games:judge`)."
        ),
    ] = "mine"
    rulebook: Name | None = None


class GameLineOut(msgspec.Struct):
    game: str
    rulebook: str
    phase: str
    visibility: str
    sandbox: bool
    seats: list[dict[str, Any]]
    free: int
    created: Time
    at: Annotated[Time, Meta(description="Of the last event known to the list.")]
    seq: int
    outcome: dict[str, Any] | None
    disputes: Annotated[int, Meta(description="That wait for a judge.")]

    @classmethod
    def of(cls, row: Game) -> "GameLineOut":
        seats = [
            {
                "seat": place.seat, "player": place.actor or None, "bot": place.bot or None, "waits": place.waits,
                "name": place.person.name if place.person else None,
            }
            for place in sorted(row.places.all(), key=lambda place: place.seat)
        ]  # fmt: skip
        return cls(
            row.stream, row.rulebook, row.phase, row.visibility, row.sandbox, seats, row.free, when(row.created_ms),
            when(row.at_ms), row.seq, row.outcome, row.disputes,
        )  # fmt: skip


def when(ms: int) -> str | None:
    return shown(datetime.fromtimestamp(ms / 1000, UTC))


class GamesView(GameView):
    @extend_schema(parameters=parameters(GamesQuery), responses=page_of(GameLineOut), operation_id="list_games")
    def get(self, request: Any) -> Response:
        """Lists of games, the newest first."""
        query = GamesQuery.load(request)
        if query.which == "disputed":
            require(request.auth, ["games:judge"])
        rows = lists.games(request.user.pk, query.which)
        if query.rulebook:
            rows = rows.filter(rulebook__startswith=query.rulebook.partition("@")[0] + "@")
        found = page(request, rows, query, lambda row: row, "number", newest_first=True)
        if query.which == "waiting":
            found["data"] = [row for row in found["data"] if lists.still_waiting(row, request.user.pk)]
        return Response({**found, "data": [GameLineOut.of(row) for row in found["data"]]})

    @extend_schema(request=GameIn, responses={201: EventOut}, operation_id="create_game")
    def post(self, request: Any) -> Response:
        """Make a game. The server commits to its seed before anybody sits down."""
        body = GameIn.load(request)
        command = self.command(body)
        terms = {
            name: value
            for name, value in msgspec.to_builtins(body).items()
            if name not in ("command_id", "expected_seq", "seats", "join") and value is not None
        }
        if body.join:
            terms["join"] = {"seat": body.join.seat, "ready": body.join.ready}
        return self.done(services.create(request.user, terms, body.seats, command.id))


class OneGameView(GameView):
    @extend_schema(parameters=parameters(MinSeq), responses=GameOut, operation_id="get_game")
    def get(self, request: Any, game: str) -> Response:
        """The game as you may know it: the table, the questions, the clocks, the offers. ETag is the seq."""
        seen = look(game, request.user, min_seq=MinSeq.load(request).min_seq or 0)
        return state_response(request, snapshot(seen, commands.now_ms()), seen.head.seq)
