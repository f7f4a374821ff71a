"""What the endpoints of games share: how an event and a game are shown, and the view they derive from."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta
from rest_framework.response import Response

from config.api import problems
from config.api.commands import Command, CommandBody, command
from config.api.loading import exactly
from config.api.views import ApiView, Created
from events import store
from events.decider import Viewer
from events.history import seen
from games.access import Look, names_of

problems.register("paused", 409, "The game is paused", "Wait for its end, or offer to resume.")
problems.register("full", 409, "All seats are taken")
problems.register("sealed", 403, "The seals are closed", "They open as the game's terms say: see `terms.seals`.")

Name = Annotated[str, Meta(pattern=exactly("[a-z0-9_@-]{1,60}"))]
Hex64 = Annotated[str, Meta(pattern=exactly("[0-9a-f]{64}"))]
Decision = Annotated[str, Meta(pattern=exactly("d[0-9]{1,9}"), description="The id of an open decision.")]
Ms = Annotated[int, Meta(ge=0, le=90 * 24 * 3600 * 1000, description="Milliseconds.")]
Words = Annotated[str, Meta(max_length=4000, description="Kept apart from history, and erasable.")]
SeatNo = Annotated[int, Meta(ge=0, le=63)]


class EventOut(msgspec.Struct):
    """An event as its reader may know it. Fields of actions and effects that are not the reader's are left out."""

    stream: str
    seq: int
    at: Annotated[int, Meta(description="Milliseconds since 1970, the server's clock.")]
    by: Annotated[str, Meta(description="A participant of this stream, `bot-<seat>`, or `arbiter`: the house.")]
    do: str
    action: dict[str, Any]
    effects: list[dict[str, Any]]
    hash: str


class GameOut(msgspec.Struct):
    """A game as its reader may know it: all a client needs, also after a reconnect."""

    game: str
    seq: int
    hash: str
    server_now: Annotated[int, Meta(description="Milliseconds since 1970: what deadlines are compared with.")]
    phase: Annotated[str, Meta(description="lobby, ready, play, over or void.")]
    rulebook: str
    terms: dict[str, Any]
    host: str
    you: Annotated[int | None, Meta(description="Your seat.")]
    seats: list[dict[str, Any]]
    waits_for: list[int]
    clocks: list[dict[str, Any]] | None
    paused: dict[str, Any] | None
    offers: list[dict[str, Any]]
    can_take_back_to: int | None
    disputes: list[dict[str, Any]]
    seals_open: bool
    void: str | None
    rematch: str | None
    table: Annotated[dict[str, Any] | None, Meta(description="`open`: the questions; `may`: what needs no question.")]


class GameView(ApiView):
    """Players' endpoints. `games:read` to look, `games:play` to act."""

    required_scopes = {"GET": ["games:read"], "POST": ["games:play"]}
    kind = "game"

    def done(self, event: store.Stored) -> Response:
        """The reply to a command: the event as the actor's seat sees it, now and at every repeat."""
        return Created(
            seen(event, seat_in(event)), f"/api/v1/{self.kind}s/{event.stream}/events?since={event.seq - 1}&limit=1"
        )

    def command(self, body: CommandBody) -> Command:
        return command(self.request, body)


def seat_in(event: store.Stored) -> Viewer:
    """The seat that acted; judges' actions name none."""
    seat: Viewer = event.content["body"]["action"].get("seat")
    if event.do == "create":
        join = event.content["body"]["action"].get("join")
        return join["seat"] if join else None
    return seat


def snapshot(look: Look, now: int) -> dict[str, Any]:
    shown = look.head.decider.view(look.head.state, look.viewer)
    names = names_of([seat["player"] for seat in shown["seats"] if seat["player"]])
    for seat in shown["seats"]:
        seat["name"] = names.get(seat["player"])
    return {**shown, "seq": look.head.seq, "hash": look.head.hash.hex(), "server_now": now}
