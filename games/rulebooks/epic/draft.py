"""Drafting packs and building decks from a pool (EP-17.2, EP-17.5)."""

from __future__ import annotations

from games.kernel.play import T
from games.kernel.questions import Ask, pick

from .board import DECK
from .book import book
from .formats import open_pack

POOL = tuple(f"pool:{seat}" for seat in range(6))
PACK = tuple(f"pack:{seat}" for seat in range(6))
LEAST = 30


@book.step
def draft(t: T, number: int, packs: int) -> None:
    """EP-17.5: everybody opens a pack; each pack goes once around until it is used up, then the next is opened."""
    if number == 1:
        for seat in t.seats:
            t.zone(POOL[seat], ids=[seat], faces=[seat], ordered=False, owner=seat)
            t.zone(PACK[seat], ids=[seat], faces=[seat], ordered=False)
    if number > packs:
        return
    for seat in t.seats:
        t.make(open_pack(t, f"pack {number} of seat {seat}"), -1, PACK[seat])
    t.seq(draft_round(number), draft(number + 1, packs))


@book.step
def draft_round(t: T, number: int) -> None:
    if any(t.size(PACK[seat]) for seat in t.seats):
        t.seq(draft_pick(), pass_packs(number), draft_round(number))


@book.question(mode="all")
def draft_pick(t: T) -> list[Ask]:
    """D24: simultaneous and secret."""
    return [Ask(seat, pick(t.ids(PACK[seat])), rule="EP-17.5") for seat in t.seats if t.size(PACK[seat])]


@draft_pick.answered
def drafted(t: T, answer: dict[int, list[str]]) -> None:
    for seat, [card] in answer.items():
        t.give(card, seat, seat)
        t.move(card, POOL[seat])


@book.step
def pass_packs(t: T, number: int) -> None:
    """EP-17.5: the first pack to the left, the second to the right, and so on. What is passed is shuffled."""
    seats = t.seats
    step = 1 if number % 2 else -1
    held = {seat: t.ids(PACK[seat]) for seat in seats}
    for index, seat in enumerate(seats):
        left = seats[(index + step) % len(seats)]
        t.move_all(held[seat], PACK[left])
    for seat in seats:
        if t.size(PACK[seat]):
            t.shuffle(PACK[seat], f"pack passed to seat {seat}")


@book.step
def build_decks(t: T) -> None:
    t.ask(build_deck)


@book.question(mode="all")
def build_deck(t: T) -> list[Ask]:
    """D25, EP-17.2: 30 or more cards of the pool; the rest is set aside. Exactly 30 leave no choice."""
    return [
        Ask(seat, pick(t.ids(POOL[seat]), LEAST, t.size(POOL[seat])), rule="EP-17.2")
        for seat in t.seats
        if t.size(POOL[seat]) > LEAST
    ]


@build_deck.answered
def decks_built(t: T, answer: dict[int, list[str]]) -> None:
    for seat in t.seats:
        t.move_all(answer.get(seat) or t.ids(POOL[seat]), DECK[seat])
