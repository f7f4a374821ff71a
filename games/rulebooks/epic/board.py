"""The table of Epic: its zones, whose turn it is, who is left (EP-0.2, EP-3.3, EP-19.5).

The line grows to the right: its last item is the top one. A thing in play has one zone for all players; `ctrl` says
whose it is, so that a change of control is no change of zone (EP-15.4).
"""

from __future__ import annotations

from games.kernel.play import T
from games.kernel.table import Card

from .cards import Data

PLAY, LINE, REMOVED, UNDER = "play", "line", "removed", "under"
PREPARED, EXPENDED, FLIPPED = "", "expended", "flipped"
HAND, DECK, DISCARD, GONE = (
    tuple(f"{name}:{seat}" for seat in range(6)) for name in ("hand", "deck", "discard", "gone")
)

Run = Data
"""A card or ability as it was played: {by, src, key, ab, mode?, targets?, shares?, that?, kinds?, …}."""


def turn_of(t: T) -> int:
    """Whose turn it is, also if that player is gone."""
    turn: list[int] = t.s.vars["turn"]
    return turn[1]


def turn_number(t: T) -> int:
    turn: list[int] = t.s.vars["turn"]
    return turn[0]


def active(t: T) -> int:
    """The active player, or who stands in that place (EP-19.4)."""
    seat = turn_of(t)
    return t.seats_from(seat)[0] if t.s.seats[seat].out else seat


def is_orphaned(t: T) -> bool:
    """The player whose turn it is has been eliminated: the turn only winds up (EP-19.4)."""
    return bool(t.s.seats[turn_of(t)].out)


def turn_order(t: T) -> list[int]:
    return t.seats_from(active(t))


def opponents(t: T, seat: int) -> list[int]:
    """EP-19.2: every other player still in the game."""
    return [other for other in t.seats if other != seat]


def step_name(t: T) -> str:
    name: str = t.s.vars["step"]
    return name


def mojo(t: T, seat: int) -> int:
    return t.s.seats[seat].n.get("mojo", 0)


def player(seat: int) -> str:
    """A player as a target or receiver of damage."""
    return f"s{seat}"


def seat_of(thing: str) -> int | None:
    """The seat behind "s1"; None for a card."""
    return int(thing[1:]) if thing[0] == "s" else None


def top_of_line(t: T) -> Card:
    return t.s.cards[t.s.zones[LINE].cards[-1]]


def battle(t: T) -> Data | None:
    found: Data | None = t.s.vars.get("battle")
    return found


def in_play(t: T) -> list[Card]:
    cards = t.s.cards
    return [cards[card] for card in t.s.zones[PLAY].cards]
