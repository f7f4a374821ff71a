"""What happens at the start of the second and third age (TI-11): all Draws together, then all Discards."""

from __future__ import annotations

from typing import NamedTuple

from games.kernel import Ask, T, pick

from .board import DECK, DISCARD, HAND, Use, by_priority, draw, opponent, place, uses
from .book import book
from .commit import commit_age, commit_for_the_age
from .reference import REFERENCE


def start_of_age(t: T) -> None:
    """TI-3.2, 11.1: all Draws, then all Discards, then the commitment."""
    draws(t)
    if discarded := uses(t, "discard"):
        t.push(commit_age)
        discards(t, discarded)
    else:
        commit_for_the_age(t)


def draws(t: T) -> None:
    """TI-11.1 to 11.4: all Draw abilities in all arenas together."""
    drawn: dict[int, int] = {}
    for use in uses(t, "draw"):
        drawn[use.user] = drawn.get(use.user, 0) + REFERENCE[use.ability.label].does(t, use)
    for seat in by_priority(t, sorted(drawn)):
        draw(t, seat, drawn[seat])


class Loss(NamedTuple):
    """What a user still does to its opponent in an arena: random cards from hand, looks at the top of the deck."""

    user: int
    arena: int
    hand: int
    deck: int
    looking: bool = False

    @property
    def name(self) -> str:
        return f"{self.user}:{self.arena}"


def losses(t: T) -> list[Loss]:
    return [Loss(*row) for row in t.s.vars.get("discards", ()) if not t.s.seats[row[0]].out]


def present(t: T) -> list[Loss]:
    """TI-11.7: priority order."""
    left = losses(t)
    first = min((place(t, loss.user) for loss in left), default=0)
    return [loss for loss in left if place(t, loss.user) == first]


def keep(t: T, left: list[Loss]) -> None:
    t.set("discards", [list(loss) for loss in left] or None)


def discards(t: T, discarded: list[Use]) -> None:
    """TI-11.1, 11.5, 11.6: who discards what, by user and arena."""
    found: dict[tuple[int, int], Loss] = {}
    for use in discarded:
        had = found.get((use.user, use.arena), Loss(use.user, use.arena, 0, 0))
        hand, deck = REFERENCE[use.ability.label].does(t, use)
        found[use.user, use.arena] = had._replace(hand=had.hand + hand, deck=had.deck + deck)
    keep(t, list(found.values()))
    t.push(discarding)


@book.step
def discarding(t: T) -> None:
    """What leaves no choice is done at once; then the users at this place choose."""
    now = [loss.name for loss in present(t)]
    keep(t, [left for loss in losses(t) if (left := settled(t, loss) if loss.name in now else loss)])
    if losses(t):
        t.seq(discard(), discarding())


def settled(t: T, loss: Loss) -> Loss | None:
    """Random discards with no other kind left are made, a look with no other kind left is taken. None: all done."""
    victim = opponent(t, loss.arena, loss.user)
    if loss.looking:
        return loss
    hand = loss.hand if t.size(HAND[victim]) else 0
    deck = loss.deck if t.size(DECK[victim]) else 0
    if not deck:
        discard_at_random(t, victim, hand)
        return None
    return loss._replace(hand=hand, deck=deck) if hand else look(t, loss._replace(hand=0))


def is_settled(t: T, loss: Loss) -> bool:
    victim = opponent(t, loss.arena, loss.user)
    return loss.looking or bool(loss.hand and loss.deck and t.size(HAND[victim]) and t.size(DECK[victim]))


def look(t: T, loss: Loss) -> Loss:
    """TI-11.6, TH-13: the top card, shown to the user only."""
    t.know(t.ids(DECK[opponent(t, loss.arena, loss.user)])[0], [loss.user])
    return loss._replace(looking=True)


def discard_at_random(t: T, victim: int, count: int) -> None:
    """TI-11.5: by recorded randomness; mandatory as long as cards are in hand (TR-16)."""
    cards = t.ids(HAND[victim])
    if 0 < count < len(cards):
        cards = t.random_cards(cards, count, f"discard of seat {victim}")
    if count:
        t.move_all(cards, DISCARD[victim])


@book.question(mode="each")
def discard(t: T) -> list[Ask]:
    """TD-5, TD-6: which kind is next; and for the card looked at, discard it or leave it."""
    now = present(t)
    if not all(is_settled(t, loss) for loss in now):
        return []
    return [
        Ask(loss.user, pick(["discard", "leave"]), about=loss.name, rule="TI-11.6")
        if loss.looking
        else Ask(loss.user, pick(["hand", "deck"]), about=loss.name, rule="TI-11.7")
        for loss in now
    ]


@discard.answered
def discarded(t: T, answer: dict[str, list[str]]) -> None:
    keep(t, [left for loss in losses(t) if (left := chosen(t, loss, *answer.get(loss.name, ())))])


def chosen(t: T, loss: Loss, choice: str = "") -> Loss | None:
    """One copy is done, and what is forced after it."""
    victim = opponent(t, loss.arena, loss.user)
    if choice == "hand":
        discard_at_random(t, victim, 1)
        return settled(t, loss._replace(hand=loss.hand - 1))
    if choice == "deck":
        return look(t, loss)
    if choice == "discard":
        t.move(t.ids(DECK[victim])[0], DISCARD[victim])
    return settled(t, loss._replace(deck=loss.deck - 1, looking=False)) if choice else loss
