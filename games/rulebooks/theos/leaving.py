"""Leaving, and what may be done without being asked: neither is a rule of the game (TR-30, TR-79)."""

from __future__ import annotations

from games.kernel.play import T

from .book import book


@book.leave
def leave(t: T, seat: int, reason: str) -> None:
    """TR-79: leaving is no game event. The seat's cards are played on by default answers, so hands stay equal and
    rows stay where they are. There is no other way to win than the win check (TH-1.2), so a game with
    nobody left to play against ends without a winner."""
    t.out(seat, reason)
    if len(t.teams()) < 2:
        t.end("void", reason=reason)
