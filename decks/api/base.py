"""What the endpoints of decks share: cards and decks as they come in and go out."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from config.api.loading import Body, exactly
from config.api.problems import Problem
from decks import lists, services
from decks.checking import Violation
from decks.formats import Format

Rulebook = Annotated[str, Meta(pattern=exactly("[a-z_]{1,30}"), description="The name of a rulebook.")]
FormatId = Annotated[str, Meta(pattern=exactly("[a-z]{1,20}/[a-z0-9-]{1,30}"), description="Such as `epic/designed`.")]
Key = Annotated[str, Meta(pattern=exactly("[A-Za-z0-9_:.-]{1,60}"))]
Copies = Annotated[int, Meta(ge=1, le=lists.MOST_COPIES)]
Cards = dict[Key, Copies]
Content = Annotated[
    dict[Annotated[str, Meta(pattern=exactly("[a-z0-9 ]{1,20}"))], Cards],
    Meta(description="{section: {card key: copies}}."),
]
Text = Annotated[str, Meta(max_length=30_000, description="One line a card: `3 Flash Fire`. Sections by their name.")]
Code = Annotated[str, Meta(max_length=4000, description="A share code: `arb1…`.")]
Event = Annotated[str, Meta(pattern=exactly("[A-Za-z0-9_-]{1,60}"), description="The id of a draft or tournament.")]


class ListIn(Body):
    """A deck, said in one of three ways: as cards, as text, as a share code."""

    format: FormatId
    deck: Content | None = None
    text: Text | None = None
    code: Code | None = None

    def content(self) -> dict[str, dict[str, int]]:
        return content_of(services.known_format(self.format), self.deck, self.text, self.code)


def content_of(format_: Format, deck: Any, text: str | None, code: str | None) -> dict[str, dict[str, int]]:
    given = [one for one in (deck, text, code) if one is not None]
    if len(given) != 1:
        raise Problem(
            "invalid_body", "Give the deck once: as `deck`, as `text` or as `code`.",
            [{"pointer": "/deck", "code": "missing" if not given else "contradicts", "detail": "deck, text or code"}],
        )  # fmt: skip
    try:
        if text is not None:
            return lists.parse(format_, text)
        if code is not None:
            made_for, content = lists.read_code(code)
            if made_for.rulebook != format_.rulebook:
                raise services.illegal("/code", "unfit", f"this code is a deck of {made_for.rulebook}")
            return content
    except lists.Unreadable as wrong:
        raise Problem("illegal", str(wrong), wrong.errors) from None
    return {section: dict(sorted(cards.items())) for section, cards in deck.items()}


class ViolationOut(msgspec.Struct):
    rule: Annotated[str, Meta(description="The number in the rulebook's rules.")]
    code: str
    detail: str
    section: str
    cards: Annotated[list[str], Meta(description="By name.")]

    @classmethod
    def of(cls, one: Violation) -> "ViolationOut":
        return cls(one.rule, one.code, one.detail, one.section, one.cards)
