"""Leaving, and what may be done without being asked: services, not rules of the game (TR-54, TD-3)."""

from __future__ import annotations

from games.kernel import May, T

from .battle import check_victory, mat
from .board import DISCARD, everything_in_play, mates, sides, watch_hands
from .book import book


@book.leave
def leave(t: T, seat: int, reason: str) -> None:
    """A team plays together and leaves together. Its temples fall and its cards leave play; in three arenas the two
    other teams play on for the temples between them."""
    team = t.s.seats[seat].team
    for member in [seat, *mates(t, seat)]:
        t.out(member, reason)
    living = t.teams()
    if len(living) < 2:
        t.end("win" if living else "void", [member for members in living.values() for member in members], reason)
        return
    for card in everything_in_play(t):
        if t.s.seats[card.owner].out:
            t.move(card.id, DISCARD[card.owner])
    watch_hands(t)
    fallen = {mat(t, side) for side, player in enumerate(sides(t)) if t.s.seats[player].team == team}
    t.set("temples", [0 if number in fallen else count for number, count in enumerate(t.s.vars["temples"])])
    check_victory(t)


@book.anytime
def anytime(t: T, seat: int) -> list[May]:
    """TI-6.6, TR-51: teammates may show each other their hands; they do unless they say otherwise."""
    if not mates(t, seat):
        return []
    return [May("show hand") if "hides_hand" in t.s.seats[seat].marks else May("hide hand")]


@book.use
def use(t: T, seat: int, option: str) -> None:
    t.mark(seat, "hides_hand", True if option == "hide hand" else None)
    t.set("watched", True)
    watch_hands(t)
