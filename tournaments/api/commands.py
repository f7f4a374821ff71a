"""Everything that is done in a tournament, one verb each."""

from typing import Any

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from config.api.commands import command
from config.api.paging import SeqQuery, page, page_of
from config.api.schema import parameters
from config.api.views import ApiView, Created
from events.history import seen
from games.api.base import EventOut
from tournaments import impact, services
from tournaments.api import bodies as b
from tournaments.api.base import JUDGE, PLAY, RUN, CommandView, command_view
from tournaments.models import Tournament


class TournamentLineOut(msgspec.Struct):
    tournament: str
    title: str
    rulebook: str
    phase: str
    entrants: int
    round: int
    seq: int
    at: int


class CorrectedOut(EventOut):
    impact: dict[str, Any] | None = None


class TournamentsView(ApiView):
    required_scopes = {"GET": JUDGE, "POST": RUN}

    @extend_schema(
        parameters=parameters(SeqQuery), responses=page_of(TournamentLineOut), operation_id="list_tournaments"
    )
    def get(self, request: Any) -> Response:
        """Tournaments, the newest first."""

        def line(row: Tournament) -> TournamentLineOut:
            return TournamentLineOut(
                row.stream, row.title, row.rulebook, row.phase, row.entrants, row.round, row.seq, row.at_ms
            )

        return Response(
            page(request, Tournament.objects.all(), SeqQuery.load(request), line, "number", newest_first=True)
        )

    @extend_schema(request=b.TournamentIn, responses={201: EventOut}, operation_id="create_tournament")
    def post(self, request: Any) -> Response:
        """Make a tournament. It commits to its seed in its first event, before anybody registers."""
        body = b.TournamentIn.load(request)
        given = command(request, body)
        rules = given_of(msgspec.to_builtins(body))
        rules["stages"] = [given_of(stage) for stage in rules["stages"]]
        event = services.create(request.user, rules, given.id)
        return Created(seen(event, None), f"/api/v1/tournaments/{event.stream}")


def given_of(fields: dict[str, Any]) -> dict[str, Any]:
    """What was said, without how it was sent."""
    sent = ("command_id", "expected_seq")
    return {name: value for name, value in fields.items() if name not in sent and value is not None}


class ByName(CommandView):
    """Names in the body are people; in the action they are participants of this stream."""

    def as_action(self, tournament: str, fields: dict[str, Any]) -> dict[str, Any]:
        self.organising(tournament)
        if "names" in fields:
            fields["actors"] = services.actors(tournament, fields.pop("names"))
        if "name" in fields:
            [fields["actor"]] = services.actors(tournament, [fields.pop("name")], "/name")
        return super().as_action(tournament, fields)

    def organising(self, tournament: str) -> None:
        services.needs_organiser(tournament, self.request.user)


class Registering(CommandView):
    def as_action(self, tournament: str, fields: dict[str, Any]) -> dict[str, Any]:
        members = services.actors(tournament, fields.pop("members", []), "/members/{}")
        return super().as_action(tournament, fields | ({"members": members} if members else {}))


class CorrectView(ApiView):
    required_scopes = JUDGE

    @extend_schema(request=b.RuledIn, responses={201: CorrectedOut}, operation_id="tournament_correct")
    def post(self, request: Any, tournament: str, match: str) -> Response:
        """Correct a result, at any time until the tournament is closed. The reply says what would have differed."""
        body = b.RuledIn.load(request)
        given = command(request, body)
        score = {"wins": body.wins, "draws": body.draws, "kind": body.kind}
        action = {"do": "correct", "match": match, **score}
        event = services.act(tournament, request.user, action, given.id, given.expected_seq, reason=body.reason)
        return Created(seen(event, None) | {"impact": impact.of_correction(tournament, event.seq)})


MATCH = "matches/<slug:match>"
COMMANDS: dict[str, Any] = {
    "register": command_view("register", "Register, or wait for a place.", PLAY, b.EntryIn, ("group",), Registering),
    "invitations": command_view("invite", "Invite people by name.", RUN, b.NamesIn, base=ByName),
    "staff": command_view("appoint", "Appoint an organiser or a judge.", RUN, b.StaffIn, base=ByName),
    "bots": command_view("add_bots", "Register bots of the house.", RUN, b.BotsIn),
    "check-in": command_view("check_in", "Say that you are here.", PLAY, b.EntrantIn),
    "drop": command_view("drop", "Leave; an open match is lost.", PLAY, b.EntrantIn),
    "return": command_view("return", "Come back after dropping.", PLAY, b.EntrantIn),
    "awards": command_view("award", "Byes for the first rounds; a fixed table.", RUN, b.AwardIn),
    "plan": command_view("plan", "Other rounds or another cut than the tables propose.", RUN, b.PlanIn),
    "start": command_view("start", "End registration and begin the first stage.", RUN),
    "pair": command_view("pair", "Call the next round: its key is drawn, the house computes it.", RUN),
    "re-pair": command_view("repair", "Pair the round again, for a reason.", RUN, b.RepairIn, ("reason",)),
    "publish": command_view("publish", "Publish the proposed round.", RUN),
    "pins": command_view("pin", "These two meet in the next round; with 0: a bye.", RUN, b.PinIn, ("reason",)),
    "unpins": command_view("unpin", "Take a pin back.", RUN, b.PinIn, ("reason",)),
    "bans": command_view("ban", "These two do not meet.", RUN, b.PinIn, ("reason",)),
    "unbans": command_view("unban", "Lift a ban.", RUN, b.PinIn, ("reason",)),
    "advance": command_view("advance", "Begin the next stage, or end the event.", RUN),
    "finish": command_view("finish", "End the event here.", RUN),
    "close": command_view("close", "Close for good: the seed and the lists open.", RUN),
    "penalties": command_view("penalise", "From a warning to disqualification.", JUDGE, b.PenaltyIn, ("reason",)),
    "lifts": command_view("lift", "Take a penalty back.", RUN, b.LiftIn, ("reason",)),
    "extensions": command_view("extend", "More time for the whole round.", JUDGE, b.ExtendIn, operation="extend_round"),
    f"{MATCH}/report": command_view("report", "Report the result of your match.", PLAY, b.ScoreIn),
    f"{MATCH}/confirm": command_view("confirm", "Confirm what your opponent reported.", PLAY),
    f"{MATCH}/dispute": command_view("dispute", "Call a judge.", PLAY, b.MatchDisputeIn, ("reason",)),
    f"{MATCH}/rule": command_view("rule", "A judge decides the result.", JUDGE, b.RuledIn, ("reason",)),
    f"{MATCH}/correct": CorrectView.as_view(),
    f"{MATCH}/extend": command_view("extend", "More time for this table.", JUDGE, b.ExtendIn),
}  # fmt: skip
