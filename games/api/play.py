"""Playing: answers, previews, any-time acts, offers, handing a seat over."""

from typing import Annotated, Any, Literal

import msgspec
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.commands import CommandBody
from config.api.loading import Body, exactly
from games import services
from games.api.base import Decision, EventOut, GameView, Ms, SeatNo, Words

Path = Annotated[list[Any], Meta(max_length=200, description="The answer, then the parts of the play.")]
Option = Annotated[str, Meta(max_length=200)]
OfferId = Annotated[str, Meta(pattern=exactly("o[0-9]{1,9}"))]


class AnswerIn(CommandBody):
    free = ("path",)

    decision: Decision
    path: Path


class ActIn(CommandBody):
    free = ("path", "set")

    option: Annotated[Option, Meta(description="One of `may`, or `stops` to set standing passes.")]
    path: Path | None = None
    set: Annotated[Any, Meta(description='With `stops`: {"pass": off|idle|turn|mine, "stops": [kinds]}, or null.')] = (
        None
    )


class PreviewIn(Body):
    free = ("path",)

    decision: Decision | None = None
    option: Option | None = None
    path: Path = []


class PreviewOut(msgspec.Struct):
    complete: bool
    next: Annotated[dict[str, Any] | None, Meta(description="The next part: kind, seat, shape, rule.")]


class OfferIn(CommandBody):
    offer: Literal["draw", "takeback", "pause", "resume", "rematch"]
    length_ms: Annotated[Ms | None, Meta(description="Of a pause; left out: until it is ended.")] = None


class HandOverIn(CommandBody):
    to: Annotated[str, Meta(description="A bot such as `random`, `anybody`, or `nobody`: no longer.")]


class TakeOverIn(CommandBody):
    seat: SeatNo


class DisputeIn(CommandBody):
    about: Annotated[int, Meta(ge=1, le=2**53 - 1, description="The seq at which something went wrong.")]
    reason: Words


class AnswersView(GameView):
    @extend_schema(request=AnswerIn, responses={201: EventOut, 409: None}, operation_id="answer")
    def post(self, request: Any, game: str) -> Response:
        """Answer an open decision. Its id is the precondition; an answer that fits its shape is legal."""
        body = AnswerIn.load(request)
        return self.done(services.answer(game, request.user, body.decision, body.path, *self.command(body)))


class PreviewView(GameView):
    required_scopes = {"POST": ["games:read"]}
    budget = "reads"

    @extend_schema(request=PreviewIn, responses={200: PreviewOut, 409: None}, operation_id="preview")
    def post(self, request: Any, game: str) -> Response:
        """What the play you are composing needs next. Nothing happens."""
        body = PreviewIn.load(request)
        action: dict[str, Any] = {"path": body.path}
        action |= {"do": "use", "option": body.option} if body.option else {"do": "answer", "decision": body.decision}
        part = services.preview(game, request.user, action)
        return Response(PreviewOut(part is None, part))


class ActsView(GameView):
    @extend_schema(request=ActIn, responses={201: EventOut, 409: None, 428: None}, operation_id="act")
    def post(self, request: Any, game: str) -> Response:
        """Do something that needs no question: see `table.may`. It answers no decision, so say which state you saw."""
        body = ActIn.load(request)
        action: dict[str, Any] = {"do": "use", "option": body.option}
        if body.option == "stops":  # a setting of one's own, whatever the state is
            action["set"] = body.set
        else:
            services.needed(self.command(body).expected_seq)
        if body.path is not None:
            action["path"] = body.path
        return self.done(services.act(game, request.user, action, *self.command(body)))


class ConcedeView(GameView):
    @extend_schema(request=CommandBody, responses={201: EventOut, 409: None}, operation_id="concede")
    def post(self, request: Any, game: str) -> Response:
        """Give up. What that means for the others, the rulebook says."""
        return self.done(services.act(game, request.user, {"do": "concede"}, *self.command(CommandBody.load(request))))


class OffersView(GameView):
    @extend_schema(request=OfferIn, responses={201: EventOut, 409: None}, operation_id="make_offer")
    def post(self, request: Any, game: str) -> Response:
        """Offer a draw, a takeback (back to the last new information), a pause or its end, a rematch."""
        body = OfferIn.load(request)
        action: dict[str, Any] = {"do": "offer", "offer": body.offer}
        if body.length_ms is not None:
            action["length_ms"] = body.length_ms
        return self.done(services.offer(game, request.user, action, *self.command(body)))


class AcceptView(GameView):
    @extend_schema(request=CommandBody, responses={201: EventOut, 409: None}, operation_id="accept_offer")
    def post(self, request: Any, game: str, offer: str) -> Response:
        """Agree. It happens when everybody has."""
        body = CommandBody.load(request)
        return self.done(services.accept(game, request.user, offer, *self.command(body)))


class DeclineView(GameView):
    @extend_schema(request=CommandBody, responses={201: EventOut, 409: None}, operation_id="decline_offer")
    def post(self, request: Any, game: str, offer: str) -> Response:
        """Refuse an offer, or withdraw your own."""
        action = {"do": "decline", "id": offer}
        return self.done(services.act(game, request.user, action, *self.command(CommandBody.load(request))))


class HandOverView(GameView):
    @extend_schema(request=HandOverIn, responses={201: EventOut, 409: None}, operation_id="hand_over")
    def post(self, request: Any, game: str) -> Response:
        """Let a bot play on for you, or let anybody take your seat."""
        body = HandOverIn.load(request)
        action = {"do": "hand_over", "to": body.to}
        return self.done(services.act(game, request.user, action, *self.command(body)))


class TakeOverView(GameView):
    @extend_schema(request=TakeOverIn, responses={201: EventOut, 409: None}, operation_id="take_over")
    def post(self, request: Any, game: str) -> Response:
        """Take a seat that was handed over, or come back to your own."""
        body = TakeOverIn.load(request)
        return self.done(services.act(game, request.user, {"do": "take_over", "seat": body.seat}, *self.command(body)))


class DisputesView(GameView):
    @extend_schema(request=DisputeIn, responses={201: EventOut, 409: None}, operation_id="open_dispute")
    def post(self, request: Any, game: str) -> Response:
        """Say that something went wrong, and where. A judge settles it."""
        body = DisputeIn.load(request)
        judge = "games:judge" in request.auth.allows
        event = services.dispute(
            game, request.user, body.about, *self.command(body), judge=judge, reason=body.reason
        )  # fmt: skip
        return self.done(event)
