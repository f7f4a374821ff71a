"""Decks from the own pool (EP-17.2): 30 or more cards; of the others 15 are the sideboard, the rest is set aside."""

from __future__ import annotations

from games.kernel import Ask, T, pick

from .book import book
from .options import plan_of
from .packs import pool

SIDEBOARD = 15


def deck(seat: int) -> str:
    return f"deck:{seat}"


def sideboard(seat: int) -> str:
    return f"sideboard:{seat}"


@book.step
def build(t: T) -> None:
    """Everybody at once and in secret; before the last one is done, a deck can be changed."""
    if plan_of(t).least:
        for seat in range(len(t.s.seats)):
            for zone in (deck(seat), sideboard(seat)):
                t.zone(zone, ids=[seat], faces=[seat], ordered=False, owner=seat)
        t.seq(build_deck, build_sideboards, drafted)
    else:
        t.push(drafted)


@book.question(mode="all")
def build_deck(t: T) -> list[Ask]:
    """D25. Who says nothing plays everything (there is no largest deck); Sealed Pack 2 leaves no choice."""
    least = plan_of(t).least
    return [
        Ask(seat, pick(cards, least, len(cards)), default=cards, rule="EP-17.2")
        for seat in t.seats
        if len(cards := t.ids(pool(seat))) > least
    ]


@build_deck.answered
def decks_built(t: T, answer: dict[int, list[str]]) -> None:
    for seat in range(len(t.s.seats)):
        t.move_all(answer.get(seat) or t.ids(pool(seat)), deck(seat))


@book.step
def build_sideboards(t: T) -> None:
    t.ask(build_sideboard)


@book.question(mode="all")
def build_sideboard(t: T) -> list[Ask]:
    """EP-17.2, 18.1: exactly 15, where more than 15 are left; exactly 15 left are the sideboard without a question."""
    return [
        Ask(seat, pick(t.ids(pool(seat)), SIDEBOARD), rule="EP-18.1")
        for seat in t.seats
        if t.size(pool(seat)) > SIDEBOARD
    ]


@build_sideboard.answered
def sideboards_built(t: T, answer: dict[int, list[str]]) -> None:
    for seat in range(len(t.s.seats)):
        left = t.ids(pool(seat))
        t.move_all(answer.get(seat) or (left if len(left) == SIDEBOARD else []), sideboard(seat))


@book.step
def drafted(t: T) -> None:
    t.end("drafted")
