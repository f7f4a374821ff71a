"""Set-ups that the conformance suite plays: every seat count, game type and source of decks."""

from __future__ import annotations

from typing import Any

from games.kernel.rulebook import Setup, Violation

from .book import book
from .cards import printed_name
from .decks import breach, check_cards, check_size, deck_size
from .options import ABOUT, Refused, is_list, plan

book.about = {"options": ABOUT, "rules": "docs/rules/theos.md"}


@book.check_setup
def check_setup(seats: int, options: dict[str, Any], decks: list[Any]) -> list[Violation]:
    """TH-2 to TH-4: everything that is wrong, each with its rule."""
    try:
        plan(seats, options, decks)
    except Refused as refused:
        return refused.violations
    return []


@book.check_deck
def check_deck(seats: int, options: dict[str, Any], deck: Any) -> list[Violation]:
    """One deck as a seat brings it: its size and its cards. Whether decks share cards shows only when all are there."""
    if not is_list(deck, str):
        return [breach("TH-4.5", "/deck", "bad_deck", "A deck is a list of card numbers such as 'P4'.")]
    return check_size(deck, deck_size(seats), seats, "/deck") + check_cards(deck, "/deck")


@book.noun
def noun(key: str) -> str:
    return printed_name(key)


@book.samples
def samples() -> list[Setup]:
    return [
        Setup(2, name="1v1, Tutorial Game"),
        Setup(2, {"decks": "feast-and-famine", "take": "random"}, name="1v1, decks drawn"),
        Setup(2, {"decks": "natures-balance"}, name="1v1, rosters"),
        Setup(2, {"decks": "draft"}, name="1v1, open draft"),
        Setup(2, {"decks": "random", "pairs": "random"}, name="1v1, random decks and pairs"),
        Setup(3, name="three, Rites Gone Wrong"),
        Setup(3, {"decks": "clash-of-the-gods", "take": "random"}, name="three, rosters"),
        Setup(3, {"decks": "draft"}, name="three, pass draft"),
        Setup(4, {"type": "ffa"}, name="four, Free-For-All"),
        Setup(4, {"type": "2v2", "teams": "random"}, name="2v2, teams drawn"),
        Setup(4, {"type": "2v2", "decks": "draft"}, name="2v2, pass draft"),
        Setup(5, name="five, two Realms"),
        Setup(6, {"type": "ffa"}, name="six, Free-For-All"),
        Setup(6, {"type": "3v3"}, name="3v3"),
        Setup(6, {"type": "2v2v2", "decks": "draft", "draft_seats": "random"}, name="2v2v2, pass draft"),
    ]
