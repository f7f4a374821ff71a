"""Reading back: events, any moment, the story, and what proves it."""

from typing import Annotated, Any

import msgspec
from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.commands import CommandBody, MinSeq, state_response
from config.api.loading import Query
from config.api.paging import Limit, Seq
from config.api.problems import Problem
from config.api.schema import parameters
from events import commands, heads
from events.export import export
from games import history, judges, waiting
from games.access import Look, look
from games.api.base import EventOut, GameOut, GameView, snapshot

As = Annotated[
    str | None, Meta(description="A seat, `public` or `table`; for judges (recorded), or once seals are open.")
]


At = Annotated[int, Meta(ge=1, le=2**53 - 1, description="Right after this event; left out: now.")] | None


class EventsQuery(MinSeq):
    since: Seq = 0
    limit: Limit = 100
    proof: Annotated[
        bool, Meta(description="With envelope, leaves and your own openings: enough to check the chain.")
    ] = False
    text: Annotated[bool, Meta(description="With what happened in sentences.")] = False
    wait: Annotated[int, Meta(ge=0, le=waiting.LONGEST_S, description="Seconds to wait for something new.")] = 0
    viewer: As = msgspec.field(default=None, name="as")


class StateQuery(Query):
    at: At = None
    viewer: As = msgspec.field(default=None, name="as")


class NarrationQuery(Query):
    since: Seq = 0
    limit: Limit = 100
    viewer: As = msgspec.field(default=None, name="as")


class ToldEventOut(EventOut):
    text: list[str] | None = None
    words: Annotated[dict[str, str] | None, Meta(description="The free text of the action, unless erased.")] = None
    proof: dict[str, Any] | None = None


class EventsOut(msgspec.Struct):
    data: list[ToldEventOut]
    has_more: bool
    next: Annotated[str | None, Meta(description="Where the following events are; null: there are none yet.")]
    head: Annotated[int, Meta(description="The seq of the last event there is.")]


class LineOut(msgspec.Struct):
    seq: int
    at: int
    text: str


class NarrationOut(msgspec.Struct):
    data: list[LineOut]
    has_more: bool
    next: Annotated[str | None, Meta(description="Where the story goes on; null: it has come no further yet.")]


class FindingOut(msgspec.Struct):
    status: Annotated[str, Meta(description="ok, failed or not checked.")]
    detail: str
    seq: int | None


class VerifiedOut(msgspec.Struct):
    ok: bool
    about: str
    first_bad: Annotated[int | None, Meta(description="The seq of the first event that does not hold.")]
    sections: dict[str, FindingOut]


class VerifyQuery(Query):
    viewer: As = msgspec.field(default=None, name="as")


class ExportQuery(Query):
    since: Annotated[Seq | None, Meta(description="With proof that the checkpoint of this size is continued.")] = None
    viewer: As = msgspec.field(default=None, name="as")


class SandboxIn(CommandBody):
    at: At = None


class HistoryView(GameView):
    def looking(self, game: str, viewer: str | None, what: str, seq: int | None = None) -> Look:
        """As oneself; or, for judges and once the seals are open, as somebody else."""
        if viewer is None:
            return look(game, self.request.user, kind=self.kind)
        judge = self.is_judge()
        seen = None if judge else look(game, self.request.user, kind=self.kind)
        if seen and not seen.game.seals_open:
            raise Problem(
                "missing_scope", "Only judges look through others' eyes while the seals are closed: `audit:read`.",
                required_scopes=["audit:read"],
            )  # fmt: skip
        wanted = history.viewer_named(viewer, judges.seats_of(game))
        if seen:
            return Look(seen.head, seen.actor, wanted)
        return judges.look_as(game, self.request.user, wanted, seq=seq, what=what)

    def going_on(self, seen: Look, found: list[dict[str, Any]], since: int) -> dict[str, Any]:
        """Where the events after these are."""
        last = found[-1]["seq"] if found else since
        kept = "".join(
            f"&{name}={value}" for name, value in self.request.GET.items() if name in ("limit", "proof", "text", "as")
        )
        url = f"{self.request.path}?since={last}{kept}" if last < seen.head.seq else None
        return {"has_more": url is not None, "next": url and self.request.build_absolute_uri(url)}

    def is_judge(self) -> bool:
        return "audit:read" in self.request.auth.allows


class EventsView(HistoryView):
    @extend_schema(parameters=parameters(EventsQuery), responses=EventsOut, operation_id="list_events")
    def get(self, request: Any, game: str) -> Response:
        """Events after `since`, as you may know them, in words too. `wait` makes it a long poll."""
        query = EventsQuery.load(request)
        seen = self.looking(game, query.viewer, "events")
        if query.wait and seen.head.seq <= query.since:
            waiting.for_more(game, query.since, query.wait)
            if query.viewer is None:
                seen = self.looking(game, None, "events")  # whoever lost the seat meanwhile has lost its view
            else:
                seen = Look(heads.current(game), seen.actor, seen.viewer)
        if query.min_seq:
            seen = Look(heads.current(game, query.min_seq), seen.actor, seen.viewer)
        found = history.events(seen, query.since, query.limit, proof=query.proof, text=query.text)
        return Response({"data": found, **self.going_on(seen, found, query.since), "head": seen.head.seq})


class StateView(HistoryView):
    @extend_schema(parameters=parameters(StateQuery), responses=GameOut, operation_id="get_state")
    def get(self, request: Any, game: str) -> Response:
        """The game right after any event: every moment is a link."""
        query = StateQuery.load(request)
        seen = self.looking(game, query.viewer, "state", query.at)
        if query.at is not None:
            seen = history.at(seen, query.at)
        return state_response(request, snapshot(seen, commands.now_ms()), seen.head.seq)


class NarrationView(HistoryView):
    @extend_schema(parameters=parameters(NarrationQuery), responses=NarrationOut, operation_id="narrate")
    def get(self, request: Any, game: str) -> Response:
        """What happened, in sentences, as far as you may know it. `limit` counts events."""
        query = NarrationQuery.load(request)
        seen = self.looking(game, query.viewer, "narration")
        found = history.events(seen, query.since, query.limit, text=True)
        lines = [LineOut(event["seq"], event["at"], text) for event in found for text in event["text"]]
        return Response({"data": lines, **self.going_on(seen, found, query.since)})


class VerifyView(HistoryView):
    budget = "checks"

    @extend_schema(parameters=parameters(VerifyQuery), responses=VerifiedOut, operation_id="verify_game")
    def get(self, request: Any, game: str) -> Response:
        """Chain, seals, shuffles, checkpoints, both ways to the state. What you can check yourself is in `export`."""
        return Response(history.verify(self.looking(game, VerifyQuery.load(request).viewer, "verify")))


class ExportView(HistoryView):
    budget = "checks"

    @extend_schema(
        parameters=parameters(ExportQuery), responses={(200, "application/x-ndjson"): bytes}, operation_id="export_game"
    )
    def get(self, request: Any, game: str) -> StreamingHttpResponse:
        """The game as a file that `events/verifier.py` checks without this service (docs/format.md)."""
        query = ExportQuery.load(request)
        seen = self.looking(game, query.viewer, "export")
        lines = export(game, seen.viewer, since=query.since, head=seen.head)
        headers = {"Content-Disposition": f'attachment; filename="{game}.jsonl"', "Cache-Control": "private, no-cache"}
        return StreamingHttpResponse(lines, content_type="application/x-ndjson", headers=headers)


class SandboxView(HistoryView):
    @extend_schema(request=SandboxIn, responses={201: EventOut, 403: None}, operation_id="open_sandbox")
    def post(self, request: Any, game: str) -> Response:
        """A moment as a table of your own, all seats, nothing hidden: of games whose seals are open, or for judges."""
        body = SandboxIn.load(request)
        command = self.command(body)
        return self.done(judges.sandbox(game, request.user, body.at, command.id, judge=self.is_judge()))
