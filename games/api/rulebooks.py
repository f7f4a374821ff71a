"""The games that can be played."""

from typing import Annotated, Any

import msgspec
from django.http import Http404
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.views import ApiView
from games.kernel import Rulebook, names, rulebook
from games.lobby import BOTS


class RulebookOut(msgspec.Struct):
    id: Annotated[str, Meta(description="name@version: what a game pins.")]
    name: str
    version: int
    title: str
    seats: list[int]
    draws: Annotated[bool, Meta(description="Whether a draw can be agreed on.")]
    bots: list[str]
    options: Annotated[dict[str, Any], Meta(description="What the host may choose, with the defaults.")]
    decks: Annotated[list[Any], Meta(description="Where decks may come from.")]
    rules: Annotated[str | None, Meta(description="The rules in words.")]
    examples: Annotated[list[dict[str, Any]], Meta(description="Set-ups that are known to work.")]

    @classmethod
    def of(cls, book: Rulebook) -> "RulebookOut":
        about = book.about
        return cls(
            book.id, book.name, book.version, book.title, list(book.seats), book.draws, list(BOTS),
            about.get("options", {}), about.get("decks", []), about.get("rules"),
            [msgspec.to_builtins(setup) for setup in book.sample_setups()[:8]],
        )  # fmt: skip


class RulebookList(msgspec.Struct):
    data: list[RulebookOut]


class RulebooksView(ApiView):
    required_scopes = ["games:read"]

    @extend_schema(responses=RulebookList, operation_id="list_rulebooks")
    def get(self, request: Any) -> Response:
        """Every game that can be played here."""
        return Response(RulebookList([RulebookOut.of(rulebook(name)) for name in names()]))


class RulebookView(ApiView):
    required_scopes = ["games:read"]

    @extend_schema(responses=RulebookOut, operation_id="get_rulebook")
    def get(self, request: Any, name: str) -> Response:
        """One of them: seats, options, where decks come from."""
        try:
            return Response(RulebookOut.of(rulebook(name)))
        except LookupError:
            raise Http404 from None
