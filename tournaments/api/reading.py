"""Looking: the tournament, its rounds, standings with their working, brackets, proofs, exports. For everybody."""

from typing import Annotated, Any

import msgspec
from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.commands import MinSeq, state_response
from config.api.loading import Query
from config.api.paging import Limit, Seq
from config.api.schema import parameters
from config.api.views import ApiView
from events import commands, heads, participants, store
from events.errors import Rejected
from events.export import export
from events.history import seen
from games.api.base import EventOut
from tournaments import exports, folds, services, shown
from tournaments.api.base import At, names_of
from tournaments.models import MatchGame
from tournaments.state import ELIMINATION, Tournament


class AtQuery(MinSeq):
    at: At = None


class EventsQuery(Query):
    since: Seq = 0
    limit: Limit = 100


class TournamentOut(msgspec.Struct):
    tournament: str
    seq: int
    hash: str
    server_now: int
    phase: Annotated[str, Meta(description="registration, running, over or closed.")]
    rules: dict[str, Any]
    family: str
    staff: dict[str, str]
    entrants: list[dict[str, Any]]
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
    stuck: list[int]
    matches: list[dict[str, Any]]


class VerifiedRoundOut(msgspec.Struct):
    ok: bool
    round: int
    attempt: int
    algorithm: str
    computed_at: int
    key: str
    stored: str
    recomputed: str


class ExplainedOut(msgspec.Struct):
    round: int
    table: int
    words: list[str]


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


class MineOut(msgspec.Struct):
    entrant: dict[str, Any]
    match: Annotated[dict[str, Any] | None, Meta(description="Your next match, or the one you are in.")]
    games: Annotated[list[dict[str, Any]], Meta(description="The games of that match: join the one that is open.")]
    say: str


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
        view = shown.view(state)
        if state.now and not self.is_staff(state):
            view["round"] = shown.round_view(state, state.now, staff=False)
        people = [one.actor for one in state.entrants.values()] + list(state.staff)
        more = {"seq": head.seq, "hash": head.hash.hex(), "server_now": commands.now_ms(), "names": names_of(people)}
        return state_response(request, view | more, head.seq)


class StandingsView(PublicView):
    @extend_schema(parameters=parameters(AtQuery), responses=StandingsOut, operation_id="get_standings")
    def get(self, request: Any, tournament: str) -> Response:
        """Standings at any moment of the stream, in exact fractions."""
        head, state = self.looked(tournament)
        return state_response(request, exports.standings(state), head.seq)


class WorkingView(PublicView):
    @extend_schema(parameters=parameters(AtQuery), responses=StandingOut, operation_id="get_standing")
    def get(self, request: Any, tournament: str, number: int) -> Response:
        """One line of the standings with the working of every tiebreak."""
        head, state = self.looked(tournament)
        found = folds.ranking(state)
        if number not in found.ranks():
            raise Rejected("unknown", f"Entrant {number} is not in the standings.", seq=head.seq)
        return state_response(request, found.working(number), head.seq)


class RoundView(PublicView):
    @extend_schema(parameters=parameters(AtQuery), responses=RoundOut, operation_id="get_round")
    def get(self, request: Any, tournament: str, round: int) -> Response:
        """A round: its tables, results, and the key it was drawn with. Proposed ones are shown to staff only."""
        head, state = self.looked(tournament)
        view = shown.round_view(state, services.the_round(state, round), staff=self.is_staff(state))
        return state_response(request, view, head.seq)


class VerifyRoundView(PublicView):
    budget = "commands"

    @extend_schema(responses=VerifiedRoundOut, operation_id="verify_round")
    def get(self, request: Any, tournament: str, round: int) -> Response:
        """Compute the round again from the state before it, and compare it byte for byte."""
        return Response(services.verify_round(tournament, round))


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


class MineView(ApiView):
    required_scopes = ["tournaments:read"]

    @extend_schema(responses=MineOut, operation_id="my_next_match")
    def get(self, request: Any, tournament: str) -> Response:
        """Where you sit next, against whom, and in which game."""
        state: Tournament = services.look(tournament).state
        own = state.entrant_of(participants.find(tournament, request.user.pk) or "")
        if own is None:
            raise Rejected("not_yours", "You are not in this tournament.", seq=state.seq)
        public = state.now and state.now.status in ("published", "closed")
        sits = [
            state.matches[m]
            for m in (state.now.matches if public and state.now else [])
            if own.number in state.matches[m].players
        ]
        games = []
        for row in MatchGame.objects.filter(tournament=tournament, match=sits[0].id).order_by("nth") if sits else []:
            seat = row.seats.index(own.number)
            games.append({"game": row.game, "nth": row.nth, "seat": seat, "reported": row.reported})
        return Response({
            "entrant": msgspec.to_builtins(own), "match": shown.match_view(state, sits[0]) if sits else None,
            "games": games, "say": said(state, bool(sits), own.status),
        })  # fmt: skip


def said(state: Tournament, sits: bool, status: str) -> str:
    if status != "in":
        return f"You are {status}."
    if sits:
        return (
            "Play your match, or report it." if state.open_matches() else "Your match is over; wait for the next round."
        )
    return {"registration": "The tournament has not begun.", "running": "Wait for the next round."}.get(
        state.phase, "The tournament is over."
    )


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
