"""Looking: the tournament, its rounds, standings with their working, brackets, proofs, exports. For everybody."""

from typing import Annotated, Any, Literal
from urllib.parse import urlencode

import msgspec
from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.commands import MinSeq, state_response
from config.api.loading import Query
from config.api.paging import MOST, Limit, Seq, next_url, page_of
from config.api.schema import parameters
from config.api.views import ApiView
from events import commands, heads, participants, store
from events.errors import Rejected
from events.export import export
from events.history import seen
from games.api.base import EventOut
from tournaments import exports, folds, groups, impact, services, shown
from tournaments.api.base import At, names_of
from tournaments.state import ELIMINATION, Round, Tournament


class AtQuery(MinSeq):
    at: At = None


class EventsQuery(Query):
    since: Seq = 0
    limit: Limit = 100


class PagedQuery(AtQuery, kw_only=True):
    """Lists of one moment: `after` is the last number, rank or table of the page before."""

    limit: Limit = MOST
    after: Seq = 0


class ImpactQuery(Query, kw_only=True):
    round: Annotated[int | None, Meta(description="Only the pairings of this round.")] = None


class EntrantsQuery(PagedQuery, kw_only=True):
    status: Literal["waiting", "in", "dropped", "out"] | None = None


class TournamentOut(msgspec.Struct):
    tournament: str
    seq: int
    hash: str
    server_now: int
    phase: Annotated[str, Meta(description="registration, running, over or closed.")]
    rules: dict[str, Any]
    family: str
    staff: dict[str, str]
    counts: Annotated[dict[str, int], Meta(description="Entrants by status.")]
    entrants: Annotated[list[dict[str, Any]], Meta(description="The first 200; all of them page by page: `/entrants`.")]
    names: Annotated[dict[str, str], Meta(description="Participants of this stream, as far as they are known.")]
    stage: int
    stages: list[dict[str, Any]]
    round: dict[str, Any] | None
    pins: list[list[int]]
    bans: list[list[int]]
    penalties: list[dict[str, Any]]
    champion: int | None
    limited: Annotated[dict[str, Any] | None, Meta(description="The draft or sealed stage that gave the decks.")]


class StandingsOut(msgspec.Struct):
    tournament: str
    seq: int
    family: str
    tiebreaks: list[str]
    lines: list[dict[str, Any]]
    final: Annotated[list[int], Meta(description="The whole event, the best first: eliminations, then standings.")]
    has_more: bool
    next: str | None


class EntrantOut(msgspec.Struct):
    number: int
    name: Annotated[str | None, Meta(description="Null: a bot, or somebody who was erased.")]
    group: Annotated[str | None, Meta(description="The club, as long as it is known.")]
    bot: str
    status: str
    members: list[str]
    since: Annotated[int, Meta(description="The first round it could play.")]
    checked: bool
    deck: Annotated[str, Meta(description="Hash of the list.")]
    awarded: int
    table: int
    penalty: int
    waits: Annotated[list[str], Meta(description="Losses that take effect in the next match.")]


class StandingOut(msgspec.Struct):
    rank: int
    number: int
    points: str
    won: int
    drawn: int
    lost: int
    byes: int
    penalty: int
    dropped: bool
    tiebreaks: list[dict[str, Any]]
    working: dict[str, Any]
    matches: list[dict[str, Any]]
    penalties: list[dict[str, Any]]


class RoundOut(msgspec.Struct):
    round: int
    stage: int
    status: str
    attempt: int
    algorithm: str
    key: str
    called: int
    proposed: int
    published: int
    ends_at: int | None
    stuck: Annotated[list[int], Meta(description="Who cannot be paired.")]
    why: Annotated[str, Meta(description="It is stuck: no_pairing (pins and bans), or no_time.")]
    open: Annotated[int, Meta(description="Tables without a result.")]
    matches: Annotated[list[dict[str, Any]], Meta(description="In the order of tables, 200 at most.")]
    has_more: bool
    next: str | None


class VerifiedRoundOut(msgspec.Struct):
    ok: bool
    round: int
    attempt: int
    algorithm: str
    computed_at: int
    key: str
    stored: str
    recomputed: str
    words: str


class ImpactOut(msgspec.Struct):
    match: str
    was: dict[str, Any]
    is_: dict[str, Any] = msgspec.field(name="is")
    standings: list[dict[str, Any]] = []
    rounds: list[dict[str, Any]] = []
    cuts: list[dict[str, Any]] = []
    not_paired_again: Annotated[list[int], Meta(description="Rounds to ask for one by one: the event is large.")] = []
    words: list[str] = []


class ExplainedOut(msgspec.Struct):
    round: int
    table: int
    algorithm: str
    words: list[str]
    players: list[dict[str, Any]]


class BracketOut(msgspec.Struct):
    stage: int
    kind: str
    seeds: list[int]
    nodes: list[dict[str, Any]]
    placings: list[int]
    champion: int | None


class TournamentEventsOut(msgspec.Struct):
    data: list[EventOut]
    has_more: bool
    head: int


class PublicView(ApiView):
    public = True

    def looked(self, tournament: str) -> tuple[heads.Head, Tournament]:
        query = AtQuery.load(self.request)
        head = services.look(tournament, query.at, query.min_seq or 0)
        return head, head.state

    def is_staff(self, state: Tournament) -> bool:
        user = self.request.user
        return bool(user) and participants.find(state.stream, user.pk) in state.staff


class TournamentView(PublicView):
    @extend_schema(parameters=parameters(AtQuery), responses=TournamentOut, operation_id="get_tournament")
    def get(self, request: Any, tournament: str) -> Response:
        """The tournament, now or right after any event. ETag is the seq."""
        head, state = self.looked(tournament)
        view = shown.view(state) | {"round": None if state.now is None else round_page(self, state, state.now)}
        view["entrants"] = view["entrants"][:MOST]
        people = [one["actor"] for one in view["entrants"]] + list(state.staff)
        more = {"seq": head.seq, "hash": head.hash.hex(), "server_now": commands.now_ms(), "names": names_of(people)}
        return state_response(request, view | more, head.seq)


class EntrantsView(PublicView):
    @extend_schema(parameters=parameters(EntrantsQuery), responses=page_of(EntrantOut), operation_id="list_entrants")
    def get(self, request: Any, tournament: str) -> Response:
        """Everybody who registered, in that order."""
        query = EntrantsQuery.load(request)
        head = services.look(tournament, query.at, query.min_seq or 0)
        entrants = [
            one for n, one in head.state.entrants.items() if n > query.after and query.status in (None, one.status)
        ]
        found = entrants[: query.limit]
        names, clubs = names_of([one.actor for one in found]), groups.names(found)
        more = len(entrants) > query.limit
        data = [
            EntrantOut(
                one.number, names.get(one.actor), clubs.get(one.number), one.bot, one.status, one.members, one.since,
                one.checked, one.deck, one.awarded, one.table, one.penalty,
                [penalty.kind for penalty in head.state.waits_for(one.number)],
            )
            for one in found
        ]  # fmt: skip
        shown_ = {"data": data, "has_more": more, "next": next_url(request, found[-1].number) if more else None}
        return state_response(request, shown_, head.seq)


class StandingsView(PublicView):
    @extend_schema(parameters=parameters(PagedQuery), responses=StandingsOut, operation_id="get_standings")
    def get(self, request: Any, tournament: str) -> Response:
        """Standings at any moment of the stream, in exact fractions. `after` is a rank."""
        query = PagedQuery.load(request)
        head = services.look(tournament, query.at, query.min_seq or 0)
        found = services.ranked(head)
        page = exports.standings(head.state, found.standings, found.final, query.after, query.limit)
        more = query.after + query.limit < max(len(found.standings.lines), len(found.final))
        last = next_url(request, query.after + query.limit) if more else None
        return state_response(request, page | {"has_more": more, "next": last}, head.seq)


class WorkingView(PublicView):
    @extend_schema(parameters=parameters(AtQuery), responses=StandingOut, operation_id="get_standing")
    def get(self, request: Any, tournament: str, number: int) -> Response:
        """One line of the standings with the working of every tiebreak."""
        head, state = self.looked(tournament)
        found = services.ranked(head).standings
        if number not in found.ranks():
            raise Rejected("unknown", f"Entrant {number} is not in the standings.", seq=head.seq)
        return state_response(request, exports.working(state, found, number), head.seq)


class RoundView(PublicView):
    @extend_schema(parameters=parameters(PagedQuery), responses=RoundOut, operation_id="get_round")
    def get(self, request: Any, tournament: str, round: int) -> Response:
        """A round: its tables, results, and the key it was drawn with. Proposed ones are shown to staff only. `after`
        is a table."""
        query = PagedQuery.load(request)
        head = services.look(tournament, query.at, query.min_seq or 0)
        view = round_page(self, head.state, services.the_round(head.state, round), query.after, query.limit)
        return state_response(request, view, head.seq)


def round_page(view: PublicView, state: Tournament, round_: Round, after: int = 0, limit: int = MOST) -> dict[str, Any]:
    """A round with so many of its tables; where the next ones are."""
    shown_ = shown.round_view(state, round_, after, limit + 1, staff=view.is_staff(state))
    more = len(shown_["matches"]) > limit
    shown_["matches"] = shown_["matches"][:limit]
    place = f"/api/v1/tournaments/{state.stream}/rounds/{round_.number}"
    link = f"{place}?{urlencode({'after': shown_['matches'][-1]['table'], 'limit': limit})}" if more else None
    return shown_ | {"has_more": more, "next": link and view.request.build_absolute_uri(link)}


class VerifyRoundView(PublicView):
    budget = "commands"

    @extend_schema(responses=VerifiedRoundOut, operation_id="verify_round")
    def get(self, request: Any, tournament: str, round: int) -> Response:
        """Compute the round again from the state before it, and compare it byte for byte."""
        return Response(services.verify_round(tournament, round))


class ImpactView(PublicView):
    budget = "commands"

    @extend_schema(parameters=parameters(ImpactQuery), responses=ImpactOut, operation_id="correction_impact")
    def get(self, request: Any, tournament: str, seq: int) -> Response:
        """What the correction in event `seq` would have changed; of a large event ask for one `round`'s pairings."""
        services.look(tournament)
        return Response(impact.of_correction(tournament, seq, ImpactQuery.load(request).round))


class ExplainView(PublicView):
    @extend_schema(responses=ExplainedOut, operation_id="explain_pairing")
    def get(self, request: Any, tournament: str, round: int, table: int) -> Response:
        """Why these two: what the pair cost, term by term."""
        state = services.look(tournament).state
        if services.the_round(state, round).status not in ("published", "closed") and not self.is_staff(state):
            raise Rejected("illegal", f"Round {round} is not published.", seq=state.seq)
        return Response(services.explain(tournament, round, table))


class BracketView(PublicView):
    @extend_schema(parameters=parameters(AtQuery), responses=BracketOut, operation_id="get_bracket")
    def get(self, request: Any, tournament: str, stage: int) -> Response:
        """The bracket of an elimination stage (stages count from 0)."""
        head, state = self.looked(tournament)
        if not 0 <= stage < len(state.seeds) or state.rules_.stages[stage].kind not in ELIMINATION - {"pod_cut"}:
            raise Rejected("unknown", f"Stage {stage} is no bracket, or has not begun.", seq=head.seq)
        found = folds.bracket(state, stage)
        nodes = [
            {"node": node.id, "side": node.side, "round": node.round, "players": list(found.places(node)),
             "winner": found.won.get(node.id)}
            for node in found.nodes
        ]  # fmt: skip
        return state_response(
            request,
            {"stage": stage, "kind": state.rules_.stages[stage].kind, "seeds": found.seeds, "nodes": nodes,
             "placings": found.placings(), "champion": found.champion()},
            head.seq,
        )  # fmt: skip


class EventsView(PublicView):
    @extend_schema(parameters=parameters(EventsQuery), responses=TournamentEventsOut, operation_id="tournament_events")
    def get(self, request: Any, tournament: str) -> Response:
        """The log itself."""
        query = EventsQuery.load(request)
        head = services.look(tournament)
        found = store.read(tournament, query.since, limit=query.limit)
        last = found[-1].seq if found else query.since
        return Response({"data": [seen(event, None) for event in found], "has_more": last < head.seq, "head": head.seq})


class ExportView(PublicView):
    @extend_schema(responses={(200, "application/x-ndjson"): bytes}, operation_id="export_tournament")
    def get(self, request: Any, tournament: str) -> StreamingHttpResponse:
        """The log as a file: for `events/verifier.py`, and for `tournaments/checker.py`, which pairs rounds again."""
        services.look(tournament)
        headers = {"Content-Disposition": f'attachment; filename="{tournament}.jsonl"'}
        return StreamingHttpResponse(export(tournament, None), content_type="application/x-ndjson", headers=headers)


class TrfView(PublicView):
    @extend_schema(
        parameters=parameters(AtQuery), responses={(200, "text/plain"): bytes}, operation_id="tournament_trf"
    )
    def get(self, request: Any, tournament: str) -> HttpResponse:
        """FIDE's tournament report file (TRF16), as pairing checkers read it."""
        _, state = self.looked(tournament)
        names = names_of([one.actor for one in state.entrants.values()])
        return HttpResponse(exports.trf(state, names), content_type="text/plain; charset=utf-8")


class CsvView(PublicView):
    @extend_schema(parameters=parameters(AtQuery), responses={(200, "text/csv"): bytes}, operation_id="tournament_csv")
    def get(self, request: Any, tournament: str) -> HttpResponse:
        """The standings as a table for spreadsheets."""
        _, state = self.looked(tournament)
        names = names_of([one.actor for one in state.entrants.values()])
        return HttpResponse(exports.csv(state, names), content_type="text/csv; charset=utf-8")
