"""What judges do. Every one of these acts on the state the judge has seen: `expected_seq` or `If-Match` is needed."""

from typing import Annotated, Any, Literal

from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.commands import CommandBody
from config.api.paging import Seq
from games import judges
from games.api.base import Decision, EventOut, GameView, SeatNo, Words


class SettleIn(CommandBody):
    finding: Literal["upheld", "dismissed", "noted"]
    reason: Words


class RulingIn(CommandBody):
    free = ("path", "verbs")

    ruling: Annotated[
        Literal["outcome", "answer", "remove", "time", "repair"],
        Meta(
            description="outcome: result, winners; answer: decision, path; remove: of; time: of, add_ms; repair: verbs."
        ),
    ]
    reason: Words
    result: Literal["win", "tie", "loss", "void"] | None = None
    winners: list[SeatNo] | None = None
    decision: Decision | None = None
    path: list[Any] | None = None
    of: SeatNo | None = None
    add_ms: Annotated[int, Meta(ge=-(10**10), le=10**10)] | None = None
    verbs: Annotated[list[dict[str, Any]] | None, Meta(description="[{verb, args}] of the kernel.")] = None


class RewindIn(CommandBody):
    to: Seq
    reason: Words
    mode: Annotated[
        Literal["as_it_was", "reshuffle"], Meta(description="reshuffle: hidden piles that were seen are shuffled anew.")
    ] = "as_it_was"
    clocks: Annotated[Literal["then", "now"], Meta(description="Which clocks go on.")] = "then"


class ReseatIn(CommandBody):
    of: SeatNo
    to: Annotated[
        str, Meta(description="A bot such as `random`; `anybody`, `nobody` (not free any more); `owner`: back to them.")
    ]
    reason: Words


class ReasonIn(CommandBody):
    reason: Words


class JudgeView(GameView):
    required_scopes = {"POST": ["games:judge"]}

    def ruled(self, game: str, body: Any, action: dict[str, Any]) -> Response:
        command = self.command(body)
        return self.done(
            judges.rule(game, self.request.user, action, command.id, command.expected_seq, reason=body.reason)
        )


class SettleView(JudgeView):
    @extend_schema(request=SettleIn, responses={201: EventOut, 409: None, 428: None}, operation_id="settle_dispute")
    def post(self, request: Any, game: str, dispute: str) -> Response:
        """Settle a dispute."""
        body = SettleIn.load(request)
        return self.ruled(game, body, {"do": "settle", "dispute": dispute, "finding": body.finding})


class RulingsView(JudgeView):
    @extend_schema(request=RulingIn, responses={201: EventOut, 409: None, 428: None}, operation_id="rule")
    def post(self, request: Any, game: str) -> Response:
        """Rule: an outcome, an answer, a seat out of the game, time, or something on the table set right."""
        body = RulingIn.load(request)
        said = {
            name: value
            for name in ("result", "winners", "decision", "path", "of", "add_ms", "verbs")
            if (value := getattr(body, name)) is not None
        }
        return self.ruled(game, body, {"do": "ruling", "ruling": body.ruling, **said})


class RewindsView(JudgeView):
    @extend_schema(request=RewindIn, responses={201: EventOut, 409: None, 428: None}, operation_id="rewind")
    def post(self, request: Any, game: str) -> Response:
        """Back to the moment after an event. History stays; what was learned since is recorded."""
        body = RewindIn.load(request)
        command = self.command(body)
        event = judges.rewind(
            game, request.user, body.to, command.id, command.expected_seq,
            reshuffle=body.mode == "reshuffle", clocks_then=body.clocks == "then", reason=body.reason,
        )  # fmt: skip
        return self.done(event)


class ReseatView(JudgeView):
    @extend_schema(request=ReseatIn, responses={201: EventOut, 409: None, 428: None}, operation_id="reseat")
    def post(self, request: Any, game: str) -> Response:
        """Give a seat to a bot, or to whoever takes it."""
        body = ReseatIn.load(request)
        return self.ruled(game, body, {"do": "reseat", "of": body.of, "to": body.to})


class PauseView(JudgeView):
    @extend_schema(request=ReasonIn, responses={201: EventOut, 409: None, 428: None}, operation_id="judge_pause")
    def post(self, request: Any, game: str) -> Response:
        """Stop the clocks. Players agree on a pause by an offer."""
        return self.ruled(game, ReasonIn.load(request), {"do": "pause"})


class ResumeView(JudgeView):
    @extend_schema(request=ReasonIn, responses={201: EventOut, 409: None, 428: None}, operation_id="judge_resume")
    def post(self, request: Any, game: str) -> Response:
        """Let the game go on."""
        return self.ruled(game, ReasonIn.load(request), {"do": "resume"})


class OpenSealsView(JudgeView):
    @extend_schema(request=ReasonIn, responses={201: EventOut, 409: None, 428: None}, operation_id="open_seals")
    def post(self, request: Any, game: str) -> Response:
        """Open the seals of a game that is over: everybody who may see it may see everything."""
        return self.ruled(game, ReasonIn.load(request), {"do": "open"})
