"""What the endpoints of tournaments share."""

from typing import Annotated, Any

import msgspec
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.commands import CommandBody, command
from config.api.paging import Seq
from config.api.views import ApiView, Created
from events import participants, store
from events.history import seen
from games.api.base import EventOut
from tournaments import services

RUN, PLAY, JUDGE = ["tournaments:run"], ["games:play"], ["tournaments:read"]

Number = Annotated[int, Meta(ge=1, le=1_000_000, description="An entrant.")]
MatchId = Annotated[
    str, Meta(pattern=r"^(?:r[0-9]{1,4}t[0-9]{1,6})$(?!\n)", description="As in `r3t7`: round 3, table 7.")
]
Words = Annotated[str, Meta(min_length=1, max_length=2000, description="Kept apart from history, and erasable.")]
At = Annotated[Seq | None, Meta(description="Right after this event; left out: now.")]


class PlainIn(CommandBody):
    pass


class CommandView(ApiView):
    """One verb of the decider: its body becomes the action, its `written` words are kept apart."""

    verb = ""
    body: type[CommandBody] = PlainIn
    written: tuple[str, ...] = ()

    def post(self, request: Any, tournament: str, **path: Any) -> Response:
        body = self.body.load(request)
        given = command(request, body)
        fields = {
            name: value
            for name, value in msgspec.to_builtins(body).items()
            if name not in ("command_id", "expected_seq") and value is not None
        }
        words = {name: fields.pop(name, None) for name in self.written}
        action = self.as_action(tournament, fields | path)
        return self.done(services.act(tournament, request.user, action, given.id, given.expected_seq, **words))

    def as_action(self, tournament: str, fields: dict[str, Any]) -> dict[str, Any]:
        return {"do": self.verb, **fields}

    def done(self, event: store.Stored) -> Response:
        return Created(seen(event, None), f"/api/v1/tournaments/{event.stream}?at={event.seq}")


def command_view(
    verb: str, doc: str, scopes: list[str], body: type[CommandBody] = PlainIn, written: tuple[str, ...] = (),
    base: type[CommandView] = CommandView, operation: str = "",
) -> Any:  # fmt: skip
    """A view for a verb, named and documented."""
    name = operation or f"tournament_{verb}"
    made = type(
        "".join(part.title() for part in name.split("_")) + "View",
        (base,),
        {"verb": verb, "body": body, "written": written, "required_scopes": scopes, "__doc__": doc},
    )

    def post(self: Any, request: Any, tournament: str, **path: Any) -> Response:
        return base.post(self, request, tournament, **path)

    post.__doc__ = doc
    made.post = extend_schema(request=body, responses={201: EventOut}, operation_id=name)(post)
    return made.as_view()


def names_of(actors: list[str]) -> dict[str, str]:
    return participants.names([actor for actor in actors if actor])
