"""What is mine: the next match, in one tournament or in all of them; and for staff, what waits for them."""

from typing import Annotated, Any

import msgspec
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.paging import SeqQuery, next_url, page_of
from config.api.schema import parameters
from config.api.views import ApiView
from events import commands, participants, store, texts
from events.errors import Rejected
from events.models import Participant
from tournaments import limited, services, shown
from tournaments.api.base import JUDGE, names_of
from tournaments.models import MatchGame
from tournaments.models import Tournament as Row
from tournaments.state import Entrant, Match, Tournament


class MineOut(msgspec.Struct):
    entrant: dict[str, Any]
    match: Annotated[dict[str, Any] | None, Meta(description="Your next match, or the one you are in.")]
    games: Annotated[list[dict[str, Any]], Meta(description="The games of that match: join the one that is open.")]
    opponents: Annotated[list[dict[str, Any]], Meta(description="Who sits there with you: number and name.")]
    draft: Annotated[dict[str, Any] | None, Meta(description="Your pod, seat and draft; when your deck is due.")]
    say: str


class MyMatchOut(MineOut):
    tournament: str
    title: str
    phase: str
    round: int


class DeskOut(msgspec.Struct):
    round: dict[str, Any] | None
    disputes: Annotated[
        list[dict[str, Any]], Meta(description="Tables that called for a judge, the oldest call first.")
    ]
    unconfirmed: Annotated[list[dict[str, Any]], Meta(description="Reported by one side only.")]
    overdue: Annotated[list[dict[str, Any]], Meta(description="Still playing after their time.")]
    waiting_losses: Annotated[list[dict[str, Any]], Meta(description="Penalties that take effect in the next match.")]


class MineView(ApiView):
    required_scopes = JUDGE

    @extend_schema(responses=MineOut, operation_id="my_next_match")
    def get(self, request: Any, tournament: str) -> Response:
        """Where you sit next, against whom, and in which game."""
        head = services.look(tournament)
        found = mine(head.state, participants.find(tournament, request.user.pk) or "")
        if found is None:
            raise Rejected("not_yours", "You are not in this tournament.", seq=head.seq)
        return Response(found)  # no ETag: games are made without an event of the tournament


class MyMatchesView(ApiView):
    required_scopes = JUDGE

    @extend_schema(parameters=parameters(SeqQuery), responses=page_of(MyMatchOut), operation_id="my_matches")
    def get(self, request: Any) -> Response:
        """Your next match in every tournament that is not over, the newest tournament first."""
        query = SeqQuery.load(request)
        actors = dict(Participant.objects.filter(person_id=request.user.pk).values_list("stream", "id"))
        rows = Row.objects.filter(stream__in=list(actors), phase__in=["registration", "running"]).order_by("-number")
        if query.after is not None:
            rows = rows.filter(number__lt=query.after)
        found, last, more = [], 0, False
        for row in rows.iterator():
            state: Tournament = services.look(row.stream).state
            one = mine(state, actors[row.stream])
            if one is None:  # staff, or invited only
                continue
            if more := len(found) == query.limit:
                break
            about = {"tournament": row.stream, "title": row.title, "phase": row.phase, "round": row.round}
            found.append(about | one)
            last = row.number
        return Response({"data": found, "has_more": more, "next": next_url(request, last) if more else None})


def mine(state: Tournament, actor: str) -> dict[str, Any] | None:
    own = state.entrant_of(actor)
    if own is None:
        return None
    now = state.now
    tables = [state.matches[name] for name in now.matches] if now and now.status in ("published", "closed") else []
    match = next((one for one in tables if own.number in one.players), None)
    others = [state.entrants[n] for n in match.players if n != own.number] if match else []
    names = names_of([one.actor for one in others])
    return {
        "entrant": msgspec.to_builtins(own), "match": shown.match_view(state, match) if match else None,
        "games": games_of(state, match, own) if match else [],
        "opponents": [{"number": one.number, "name": names.get(one.actor), "bot": one.bot} for one in others],
        "draft": limited.place_of(state, own.number), "say": said(state, match, own),
    }  # fmt: skip


def games_of(state: Tournament, match: Match, own: Entrant) -> list[dict[str, Any]]:
    attempt = state.rounds[match.round - 1].attempt
    rows = MatchGame.objects.filter(tournament=state.stream, match=match.id, attempt=attempt).order_by("nth")
    return [
        {"game": row.game, "nth": row.nth, "seat": row.seats.index(own.number), "reported": row.reported}
        for row in rows
        if own.number in row.seats
    ]


PHASES = {"registration": "The tournament has not begun.", "running": "Wait for the next round."}
STATUSES = {"waiting": "You are on the waiting list.", "dropped": "You have left.", "out": "You are disqualified."}


def said(state: Tournament, match: Match | None, own: Entrant) -> str:
    if own.status != "in":
        return STATUSES[own.status]
    if state.phase not in PHASES:
        return "The tournament is over."
    if words := limited.words_for(state, own.number):
        return words
    if match is None:
        missing = [
            what
            for what, wanted in (("check in", not own.checked and state.rules_.check_in),
                                 ("hand in your list", not own.deck and state.rules_.decks))
            if wanted and state.phase == "registration"
        ]  # fmt: skip
        return f"{PHASES[state.phase]} Please {' and '.join(missing)}." if missing else PHASES[state.phase]
    if match.score:
        return "You have a bye." if len(match.players) == 1 else "Your match is over; wait for the next round."
    if match.disputed:
        return f"Table {match.table}: a judge was called."
    if match.reported:
        yours = match.reporter == own.number
        return "Your opponent has to confirm." if yours else "Confirm what your opponent reported, or dispute it."
    if match.waits_until:
        yours = own.number in match.settled
        return "Wait for your opponent's sideboard." if yours else "Exchange cards with your sideboard, or nothing."
    return f"Play at table {match.table}." if state.rules_.rulebook else f"Play at table {match.table}, and report it."


class DeskView(ApiView):
    required_scopes = JUDGE

    @extend_schema(responses=DeskOut, operation_id="tournament_desk")
    def get(self, request: Any, tournament: str) -> Response:
        """What waits for the staff: disputes, results that only one side reported, tables over time, a round that is
        stuck, penalties to come."""
        head = services.look(tournament)
        state: Tournament = head.state
        if participants.find(tournament, request.user.pk) not in state.staff:
            raise Rejected("not_yours", "Only organisers and judges of this tournament see that.", seq=head.seq)
        now, at = state.now, commands.now_ms()
        tables = [match for match in state.open_matches() if now and now.status == "published"]
        late = [match for match in tables if (ends := shown.match_view(state, match)["ends_at"]) and ends < at]
        called = sorted((match for match in tables if match.disputed), key=lambda match: match.called)
        return Response({
            "round": None if now is None else shown.round_view(state, now, limit=0),
            "disputes": [dispute(state, match) for match in called],
            "unconfirmed": [shown.match_view(state, m) for m in tables if m.reported and not m.disputed],
            "overdue": [shown.match_view(state, match) for match in late],
            "waiting_losses": [msgspec.to_builtins(one) for one in state.penalties if one.pending],
        })  # fmt: skip


def dispute(state: Tournament, match: Match) -> dict[str, Any]:
    """The match, who called when, what they say, and the games to look at."""
    [event] = store.read(state.stream, match.called - 1, upto=match.called)
    action = event.records(None)[0]
    reason = action.get("reason")
    other = {name: action[name] for name in ("wins", "draws", "kind") if name in action}
    return shown.match_view(state, match) | {
        "called_at": event.at, "called_by": action.get("number"),
        "reason": texts.show(reason["text"]) if reason else None, "reported_otherwise": other or None,
    }  # fmt: skip
