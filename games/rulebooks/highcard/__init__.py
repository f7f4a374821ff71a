"""High Card: the smallest game with a secret. docs/add-a-rulebook.md walks through this file.

HC-1: everyone is dealt five cards, worth 2 to 14, from one shuffled deck of four suits. HC-2: each trick, all players
secretly choose one card of their hand; the cards are shown together. HC-3: the highest card takes the trick; if the
highest is tied, nobody does. HC-4: who takes a trick may put one card of the own hand under the deck and draw
another. HC-5: after five tricks most tricks win; equal numbers tie.
"""

from __future__ import annotations

from typing import Any

from games.kernel import PUBLIC, Ask, Rulebook, T, Table, pick

book = Rulebook("highcard", version=1, title="High Card", seats=range(2, 6))

TRICKS = 5
DECK = [f"{suit}{value}" for suit in "CDHS" for value in range(2, 15)]


def hand(seat: int) -> str:
    return f"hand:{seat}"


def shown(seat: int) -> str:
    return f"shown:{seat}"


def value(key: str) -> int:
    return int(key[1:])


@book.setup
def setup(t: T, options: dict[str, Any], decks: list[Any]) -> None:
    """HC-1. Nobody sees into the deck; a hand is its owner's; what was played lies open."""
    t.zone("deck", ids=0, faces=0)
    t.zone("discard", ids=PUBLIC, faces=PUBLIC)
    t.make(DECK, -1, "deck")
    t.shuffle("deck")
    for seat in t.seats:
        t.zone(hand(seat), ids=[seat], faces=[seat], ordered=False, owner=seat)
        t.zone(shown(seat), ids=PUBLIC, faces=PUBLIC, owner=seat)
        t.move_all(t.ids("deck")[:TRICKS], hand(seat))
    t.push(trick)


@book.step
def trick(t: T) -> None:
    """HC-2, HC-5: as long as there are cards in hand."""
    if any(t.size(hand(seat)) for seat in t.seats):
        t.seq(choose_card, take_trick)
    else:
        t.push(finish)


@book.question(mode="all")
def choose_card(t: T) -> list[Ask]:
    """HC-2: secretly and at the same time."""
    return [Ask(seat, pick(t.ids(hand(seat))), rule="HC-2") for seat in t.seats if t.size(hand(seat))]


@choose_card.answered
def show_cards(t: T, answer: dict[int, list[str]]) -> None:
    for seat, [card] in answer.items():
        t.move(card, shown(seat))


@book.step
def take_trick(t: T) -> None:
    """HC-3: the highest alone takes the trick."""
    values = {seat: value(t.cards(shown(seat))[0].key) for seat in t.seats if t.size(shown(seat))}
    for seat in values:
        t.move_all(t.ids(shown(seat)), "discard")
    t.push(trick)
    best = [seat for seat in values if values[seat] == max(values.values())]
    if len(best) == 1:
        t.count(best[0], "tricks", 1)
        t.ask(bury, seat=best[0])


@book.question()
def bury(t: T, seat: int) -> Ask | None:
    """HC-4: the options are the own hand, so only the chooser sees them, and the answer."""
    if not t.size(hand(seat)):
        return None
    return Ask(seat, pick(t.ids(hand(seat)), lo=0, hi=1), public=False, sealed=True, rule="HC-4")


@bury.answered
def buried(t: T, seat: int, answer: list[str]) -> None:
    for card in answer:
        t.move(card, "deck")
        t.move(t.ids("deck")[0], hand(seat))


@book.step
def finish(t: T) -> None:
    """HC-5."""
    best = max(t.n(seat, "tricks") for seat in t.seats)
    winners = [seat for seat in t.seats if t.n(seat, "tricks") == best]
    t.end("win" if len(winners) == 1 else "tie", winners)


@book.noun
def noun(key: str) -> str:
    suits = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
    courts = {11: "jack", 12: "queen", 13: "king", 14: "ace"}
    return f"the {courts.get(value(key), value(key))} of {suits[key[0]]}"


book.sentences["count:tricks"] = "{on} takes a trick."


@book.invariants
def invariants(table: Table) -> list[str]:
    """52 cards, whatever happens."""
    return [] if sorted(card.key for card in table.cards.values()) == sorted(DECK) else ["a card is lost or doubled"]
