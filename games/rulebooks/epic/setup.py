"""Set-up and mulligan (EP-1), and the decks of each format (EP-17)."""

from __future__ import annotations

from typing import Any

from games.kernel.play import T
from games.kernel.questions import Ask, pick
from games.kernel.rulebook import Violation
from games.kernel.table import PUBLIC

from .board import DECK, DISCARD, GONE, HAND, LINE, PLAY, REMOVED, UNDER, player
from .book import book
from .cards import Data
from .draft import POOL, build_decks, draft
from .formats import ABOUT, check_list, check_options, deck_keys, format_of, open_pack, packs_of
from .happen import settle
from .turn import take_turn, turns

MOJO, OPENING_HAND = 30, 5
OWNED = "_owned"
"""How many cards each player brought: none is ever lost or made (EP-15.1)."""

book.about = {"options": ABOUT, "decks": ["15 or more cards by id or name, or packs opened by the game"],
              "rules": "docs/rules/epic.md"}  # fmt: skip


@book.check_setup
def check_setup(seats: int, options: Data, decks: list[Any]) -> list[Violation]:
    return check_options(seats, options, decks)


@book.check_deck
def check_deck(seats: int, options: Data, deck: Any) -> list[Violation]:
    return check_list(options, deck)


@book.setup
def setup(t: T, options: Data, decks: list[Any]) -> None:
    """EP-1.1, 1.2, 3.3: the zones, 30 Mojo each, and a deck for everybody."""
    for zone in (PLAY, LINE, REMOVED, UNDER):
        t.zone(zone, ids=PUBLIC, faces=PUBLIC)
    for seat in t.seats:
        t.zone(HAND[seat], ids=[seat], faces=[seat], ordered=False, owner=seat)
        t.zone(DECK[seat], ids=0, faces=0, owner=seat)
        t.zone(DISCARD[seat], ids=PUBLIC, faces=PUBLIC, owner=seat)
        t.zone(GONE[seat], ids=0, faces=0, owner=seat)
        t.zone(f"sideboard:{seat}", ids=[seat], faces=[seat], ordered=False, owner=seat)
        t.count(seat, "mojo", MOJO)
    t.set("turn", [0, 0])
    t.set("step", "setup")
    if format_of(options) == "pack_war":
        t.set("pack_war", True)
    t.push(first_player, options.get("first"), options.get("chooser"))
    lay_decks(t, options, decks)


def lay_decks(t: T, options: Data, decks: list[Any]) -> None:
    """EP-17: brought by the players, or opened here; more than two packs leave a choice."""
    packs = packs_of(options)
    if decks:
        for seat, deck in enumerate(decks):
            t.make(deck_keys(deck), seat, DECK[seat])
            t.make(deck_keys(deck, "sideboard"), seat, f"sideboard:{seat}")
        return
    if format_of(options) == "draft":
        t.seq(draft(1, packs), build_decks())
        return
    for seat in t.seats:
        cards = [card for number in range(packs) for card in open_pack(t, f"pack {number} of seat {seat}")]
        if packs > 2:
            t.zone(POOL[seat], ids=[seat], faces=[seat], ordered=False, owner=seat)
            t.make(cards, seat, POOL[seat])
        else:
            t.make(cards, seat, DECK[seat])
    if packs > 2:
        t.push(build_decks)


@book.step
def first_player(t: T, first: int | None, chooser: int | list[int] | None) -> None:
    """EP-1.3, 18.6: drawn, or named by the loser of the previous game; of several losers, or of all if nobody lost, a
    random one names."""
    if isinstance(chooser, list):
        chooser = chooser[t.below(len(chooser), "who names the first player", public=True)]
    if first is None and chooser is not None:
        t.ask(choose_first_player, chooser)
    else:
        t.push(begin, t.below(len(t.s.seats), "first player", public=True) if first is None else first)


@book.question()
def choose_first_player(t: T, seat: int) -> Ask:
    """D01."""
    return Ask(seat, pick([player(other) for other in t.seats]), rule="EP-18.6")


@choose_first_player.answered
def first_player_chosen(t: T, seat: int, answer: list[str]) -> None:
    t.push(begin, int(answer[0][1:]))


@book.step
def begin(t: T, first: int) -> None:
    """EP-1.4: shuffle, five cards each; then the mulligans, then the first turn, in the Build Step."""
    t.set("turn", [0, first])
    t.set("normal", first)
    owners = [card.owner for card in t.s.cards.values()]
    t.set(OWNED, [owners.count(seat) for seat in range(len(t.s.seats))])
    for seat in t.seats_from(first):
        t.shuffle(DECK[seat])
        t.move_all(t.ids(DECK[seat])[:OPENING_HAND], HAND[seat])
    t.seq(mulligans(t.seats_from(first)), first_turn(first), turns())


@book.step
def first_turn(t: T, first: int) -> None:
    """EP-8.2; who conceded before the first turn is not waited for."""
    if t.s.seats[first].out:
        return
    t.push(take_turn, first, True)


@book.step
def mulligans(t: T, left: list[int]) -> None:
    """EP-1.5, 1.6: each once, beginning with the first player."""
    if left:
        t.push(mulligans, left[1:])
        if not t.s.seats[left[0]].out:
            t.ask(mulligan, left[0])
    else:
        t.push(settle, [])


@book.question()
def mulligan(t: T, seat: int) -> Ask:
    """D02, EP-1.5: nothing (keep) or any cards of the hand. Their number is public, the cards are not."""
    return Ask(seat, pick(t.ids(HAND[seat]), 0, OPENING_HAND), public=False, sealed=True, default=[], rule="EP-1.5")


@mulligan.answered
def mulliganed(t: T, seat: int, answer: list[str]) -> None:
    """EP-1.5: shuffled among themselves, to the bottom; as many drawn, as much Mojo lost."""
    t.say("mulligan", seat=seat, n=len(answer))
    if answer:
        t.move_all(answer, DECK[seat])
        t.shuffle(DECK[seat], f"mulligan of seat {seat}", last=len(answer))
        t.move_all(t.ids(DECK[seat])[: len(answer)], HAND[seat])
        t.count(seat, "mojo", -len(answer))
