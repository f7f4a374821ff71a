"""The card catalogue: look for cards, one card, or all of them at once."""

from typing import Annotated, Any

import msgspec
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.response import Response

from config.api.loading import Query
from config.api.paging import PageQuery, next_url, page_of
from config.api.problems import Problem
from config.api.schema import parameters
from config.api.views import ApiView
from decks import cards
from decks.api.base import Rulebook

Words = Annotated[str, Meta(max_length=100)]


class CardOut(msgspec.Struct):
    rulebook: str
    key: str
    name: str
    type: str
    cost: str | int | None
    keywords: list[str]
    text: Annotated[str, Meta(description="Made from `data`, which is what the rules run.")]
    set: str
    aliases: list[str]
    data: dict[str, Any]

    @classmethod
    def of(cls, card: cards.Card) -> "CardOut":
        return cls(**{name: getattr(card, name) for name in cls.__struct_fields__})


class CardSetOut(msgspec.Struct):
    rulebook: str
    version: Annotated[str, Meta(description="Changes when any card does; also the ETag.")]
    cards: list[CardOut]


class CardsQuery(PageQuery):
    rulebook: Rulebook | None = None
    name: Words | None = None
    type: Words | None = None
    cost: Words | None = None
    keyword: Words | None = None
    text: Words | None = None
    set: Words | None = None


class BulkQuery(Query):
    rulebook: Rulebook


class CardsView(ApiView):
    required_scopes = ["games:read"]

    @extend_schema(parameters=parameters(CardsQuery), responses=page_of(CardOut), operation_id="list_cards")
    def get(self, request: Any) -> Response:
        """Cards that fit everything you ask for. Capitals and accents do not matter."""
        query = CardsQuery.load(request)
        known(query.rulebook)
        wanted = {name: getattr(query, name) for name in cards.TESTS}
        found = cards.search(query.rulebook, **wanted)
        first = 0 if query.after is None else after(found, query.after)
        shown = found[first : first + query.limit]
        more = len(found) > first + query.limit
        page = {
            "data": [CardOut.of(card) for card in shown],
            "has_more": more,
            "next": next_url(request, place(shown[-1])) if more else None,
        }
        names = cards.sets() if query.rulebook is None else [query.rulebook]
        return tagged(request, page, "-".join(cards.version(name) for name in names))


class BulkView(ApiView):
    required_scopes = ["games:read"]

    @extend_schema(parameters=parameters(BulkQuery), responses=CardSetOut, operation_id="download_cards")
    def get(self, request: Any) -> Response:
        """Every card of a rulebook in one document."""
        name = BulkQuery.load(request).rulebook
        known(name)
        version = cards.version(name)
        return tagged(
            request, CardSetOut(name, version, list(map(CardOut.of, cards.catalogue(name).values()))), version
        )


class CardView(ApiView):
    required_scopes = ["games:read"]

    @extend_schema(responses=CardOut, operation_id="get_card")
    def get(self, request: Any, rulebook: str, key: str) -> Response:
        """One card, by its key or its name."""
        known(rulebook)
        found = cards.key_of(rulebook, key)
        if found is None:
            close = cards.close_to(rulebook, key)
            meant = f"; did you mean {', '.join(close)}?" if close else "."
            raise Problem("not_found", f"There is no card {key!r} in {rulebook}{meant}")
        return tagged(request, CardOut.of(cards.catalogue(rulebook)[found]), cards.version(rulebook))


def place(card: cards.Card) -> str:
    return f"{card.rulebook}-{card.key}"


def after(found: list[cards.Card], last: str) -> int:
    """Where the page behind this card begins; nothing follows a card that is not there."""
    places = [place(card) for card in found]
    return places.index(last) + 1 if last in places else len(found)


def known(rulebook: str | None) -> None:
    if rulebook is not None and rulebook not in cards.sets():
        raise Problem("not_found", f"There are no cards of {rulebook!r}; there are those of {', '.join(cards.sets())}.")


def tagged(request: Any, data: Any, version: str) -> Response:
    headers = {"ETag": f'"{version}"', "Cache-Control": "private, max-age=60", "Vary": "Authorization, Accept"}
    tags = [tag.strip().removeprefix("W/") for tag in request.headers.get("If-None-Match", "").split(",")]
    if f'"{version}"' in tags or tags == ["*"]:
        return Response(status=304, headers=headers)
    return Response(data, headers=headers)
