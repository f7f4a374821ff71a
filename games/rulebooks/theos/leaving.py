"""Leaving the table: no rule of the game, but the service has to know what it means (TR-79)."""

from __future__ import annotations

from games.kernel.play import T

from .board import teams
from .book import book


@book.leave
def leave(t: T, seat: int, reason: str) -> None:
    """TR-79: leaving is no game event. The seat's cards are played on by default answers, so hands stay equal and
    rows stay where they are. By the rules only a win check is won (TH-1.2); when all other teams have left, the
    service gives the game to the one that stayed, or to nobody, as the host chose."""
    t.out(seat, reason)
    staying = list(t.teams())
    if len(staying) == 1 and t.s.options.get("leaving") != "void":
        t.end("win", teams(t.s)[staying[0]], reason)
    elif len(staying) < 2:
        t.end("void", reason=reason)
