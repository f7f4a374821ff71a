"""Drafts themselves: make one, list them, look at one, sit down, begin."""

from typing import Annotated, Any, Literal

import msgspec
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.commands import CommandBody, MinSeq, state_response
from config.api.loading import Body
from config.api.paging import page, page_of
from config.api.schema import parameters
from drafting import services
from drafting.clock import PACES
from events import commands
from games import lists
from games import services as tables
from games.access import look
from games.api.base import EventOut, GameView, Ms, snapshot
from games.api.games import GameLineOut, GamesQuery, HostSeatIn
from games.api.lobby import FillIn, JoinIn, ReadyIn
from games.kernel import names, rulebook
from games.state import SealPolicy, Visibility


class ClockIn(Body):
    """A pace with falling times, or times of your own: one, or one for each pick of a pack."""

    pace: Literal[PACES] = "online"  # type: ignore[valid-type]
    pick_ms: Annotated[list[Ms], Meta(min_length=1, max_length=200)] | None = None
    build_ms: Ms = 20 * 60_000


class DraftIn(CommandBody):
    free = ("options",)

    rulebook: Literal["draft", "theos_draft"] = "draft"
    seats: Annotated[int, Meta(ge=2, le=12)] = 8
    options: Annotated[
        dict[str, Any], Meta(description="style, set, cube, packs, picks, burns, …: `GET /draft-styles`.")
    ] = {}
    clock: Annotated[ClockIn | None, Meta(description="Left out: nobody is hurried.")] = None
    on_timeout: Annotated[Literal["default", "bot"], Meta(description="The house picks once, or a bot goes on.")] = (
        "default"
    )
    visibility: Visibility = "public"
    seals: SealPolicy = "match"
    join_within_ms: Ms = 0
    ready_within_ms: Ms = 0
    join: HostSeatIn | None = None


class CardOut(msgspec.Struct):
    id: str
    key: str | None = None
    name: str | None = None


class ChoiceOut(msgspec.Struct):
    """What you are asked: take between `least` and `most` of the options, and burn `burn` others."""

    id: str
    kind: str
    rule: str | None
    least: int
    most: int
    burn: int
    options: list[dict[str, Any]]
    deadline: int | None


class DraftOut(msgspec.Struct):
    """A draft as its reader may know it."""

    draft: str
    seq: int
    hash: str
    server_now: int
    phase: Annotated[str, Meta(description="lobby, ready, play, over or void.")]
    rulebook: str
    terms: dict[str, Any]
    host: str
    you: int | None
    seats: Annotated[list[dict[str, Any]], Meta(description="With `picks` made and `packs_waiting`.")]
    waits_for: list[int]
    clocks: list[dict[str, Any]] | None
    paused: dict[str, Any] | None
    disputes: list[dict[str, Any]]
    seals_open: bool
    void: str | None
    table: dict[str, Any] | None
    decision: ChoiceOut | None
    pool: Annotated[dict[str, list[dict[str, Any]]] | None, Meta(description="Your cards, by where they lie.")]


class StyleOut(msgspec.Struct):
    id: str
    title: str
    seats: list[int]
    options: dict[str, Any]
    rules: str | None


class StyleList(msgspec.Struct):
    data: list[StyleOut]


class DraftView(GameView):
    """`drafts:play` to act, `games:read` to look."""

    required_scopes = {"GET": ["games:read"], "POST": ["drafts:play"]}
    kind = "draft"

    def acts(self, draft: str, action: dict[str, Any], body: CommandBody) -> Response:
        self.see(draft)
        return self.done(tables.act(draft, self.request.user, action, *self.command(body)))

    def see(self, draft: str) -> Any:
        return look(draft, self.request.user, kind="draft")


class StylesView(DraftView):
    @extend_schema(responses=StyleList, operation_id="list_draft_styles")
    def get(self, request: Any) -> Response:
        """What can be drafted, and what the host may choose."""
        found = [rulebook(name) for name in names("draft")]
        return Response(
            StyleList(
                [StyleOut(b.name, b.title, list(b.seats), b.about["options"], b.about.get("rules")) for b in found]
            )
        )


class DraftsView(DraftView):
    @extend_schema(parameters=parameters(GamesQuery), responses=page_of(GameLineOut), operation_id="list_drafts")
    def get(self, request: Any) -> Response:
        """Lists of drafts, the newest first."""
        query = GamesQuery.load(request)
        rows = lists.games(request.user.pk, query.which, "draft")
        if query.rulebook:
            rows = rows.filter(rulebook__startswith=query.rulebook.partition("@")[0] + "@")
        return Response(page(request, rows, query, GameLineOut.of, "number", newest_first=True))

    @extend_schema(request=DraftIn, responses={201: EventOut}, operation_id="create_draft")
    def post(self, request: Any) -> Response:
        """Make a draft. The server commits to its seed before anybody sits down."""
        body = DraftIn.load(request)
        given = msgspec.to_builtins(body)
        terms = {name: given[name] for name in ("rulebook", "options", "on_timeout", "visibility", "seals",
                                                "join_within_ms", "ready_within_ms")}  # fmt: skip
        if body.clock:
            terms["clock"] = {name: value for name, value in given["clock"].items() if value is not None}
        if body.join:
            terms["join"] = {"seat": body.join.seat, "ready": body.join.ready}
        return self.done(services.create(request.user, terms, body.seats, self.command(body).id))


class OneDraftView(DraftView):
    @extend_schema(parameters=parameters(MinSeq), responses=DraftOut, operation_id="get_draft")
    def get(self, request: Any, draft: str) -> Response:
        """The draft as you may know it: your pack, your pool, the clocks, how many packs wait where."""
        seen = look(draft, request.user, min_seq=MinSeq.load(request).min_seq or 0, kind="draft")
        return state_response(request, snapshot(seen, commands.now_ms()), seen.head.seq)


class DraftJoinView(DraftView):
    @extend_schema(request=JoinIn, responses={201: EventOut, 409: None}, operation_id="join_draft")
    def post(self, request: Any, draft: str) -> Response:
        """Sit down, behind a commitment to a number of your own, or with a house number."""
        body = JoinIn.load(request)
        self.see(draft)
        seat: dict[str, Any] = {"number_commit": body.number_commit, "ready": body.ready}
        if body.seat is not None:
            seat["seat"] = body.seat
        return self.done(tables.join(draft, request.user, seat, *self.command(body)))


class DraftFillView(DraftView):
    @extend_schema(request=FillIn, responses={201: EventOut, 409: None}, operation_id="fill_draft")
    def post(self, request: Any, draft: str) -> Response:
        """The host puts bots on free seats."""
        body = FillIn.load(request)
        self.see(draft)
        bots: dict[str, Any] = {"bot": body.bot} | ({} if body.seats is None else {"seats": body.seats})
        return self.done(tables.fill(draft, request.user, bots, *self.command(body)))


class DraftReadyView(DraftView):
    @extend_schema(request=ReadyIn, responses={201: EventOut, 409: None}, operation_id="be_ready_to_draft")
    def post(self, request: Any, draft: str) -> Response:
        """All are in: open your number. The last one to be ready starts the draft."""
        body = ReadyIn.load(request)
        action = {"do": "ready"} | ({} if body.number_open is None else {"number_open": body.number_open})
        return self.acts(draft, action, body)


class DraftLeaveView(DraftView):
    @extend_schema(request=CommandBody, responses={201: EventOut, 409: None}, operation_id="leave_draft")
    def post(self, request: Any, draft: str) -> Response:
        """Stand up before the draft. Once all are in, that ends it."""
        return self.acts(draft, {"do": "leave"}, CommandBody.load(request))


class DraftAbortView(DraftView):
    @extend_schema(request=CommandBody, responses={201: EventOut, 409: None}, operation_id="abort_draft")
    def post(self, request: Any, draft: str) -> Response:
        """The host calls the draft off before it has begun."""
        return self.acts(draft, {"do": "abort"}, CommandBody.load(request))
