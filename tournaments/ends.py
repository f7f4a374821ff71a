"""Games that their match needs no more are ended by the house: somebody left, a judge decided, a penalty took the game,
or the round was paired again. Without this people would play on for nothing, and the seals of such games never open."""

from __future__ import annotations

from events import commands, heads
from events.errors import Rejected
from events.participants import ARBITER
from games.state import Game
from tournaments.models import MatchGame
from tournaments.state import Tournament

SETTLED = frozenset({"over", "exists", "stale"})  # somebody was quicker


def end_games(stream: str) -> int:
    """Every game of this tournament that has not reported itself is one that its match waits for. How many ended."""
    state: Tournament = heads.current(stream).state
    rows = MatchGame.objects.filter(tournament=stream, reported=False).order_by("game")
    return sum(end(row, out) for row in rows if (out := leaves(state, row)) is not None)


def leaves(state: Tournament, row: MatchGame) -> list[int] | None:
    """Who is out of this game, by number. Nobody, []: the whole game is off. None: it goes on as it is."""
    match = state.matches.get(row.match)
    if match is None or state.rounds[match.round - 1].attempt != row.attempt:
        return []
    if match.score:
        return match.lost
    taken = next((game for game in match.games if game.nth == row.nth and not game.game), None)
    if taken:
        return [n for n in row.seats if n not in taken.winners]
    return [n for n in row.seats if n in match.lost] or None


def end(row: MatchGame, out: list[int]) -> bool:
    table: Game = heads.current(row.game).state
    if table.ended:
        return False
    if table.phase in ("lobby", "ready"):
        return _do(row.game, {"do": "abort", "why": "match"}, "off")
    if not out:
        return _do(row.game, {"do": "ruling", "ruling": "outcome", "result": "void", "winners": []}, "off")
    seats = [seat for seat, number in enumerate(row.seats) if number in out and not table.table.seats[seat].out]
    done = [_do(row.game, {"do": "ruling", "ruling": "remove", "of": seat}, f"remove-{seat}") for seat in seats]
    return any(done) and heads.current(row.game).state.ended


def _do(game: str, action: dict, what: str) -> bool:
    try:
        commands.execute(game, actor=ARBITER, action=action, command_id=f"{what}-{game}")
    except Rejected as refusal:
        if refusal.code not in SETTLED:
            raise
        return False
    return True
