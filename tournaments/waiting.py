"""Losses that wait for a match: served when the next round is published."""

from __future__ import annotations

import msgspec

from tournaments.results import lose, lose_game
from tournaments.state import Match, Penalty
from tournaments.turn import Turn


def serve(turn: Turn, match: Match) -> None:
    """Match losses first, of both if both have one; then game losses, as long as the match is open."""
    waiting = [one for number in match.players for one in turn.state.waits_for(number)]
    losses = [one for one in waiting if one.kind == "match_loss"]
    for penalty in losses:
        _served(turn, penalty, match)
    lose(turn, match.id, [one.number for one in losses])
    for penalty in waiting:
        if penalty.kind == "game_loss" and turn.state.matches[match.id].score is None:
            _served(turn, penalty, match)
            lose_game(turn, match.id, penalty.number, penalty.seq, penalty.board)


def _served(turn: Turn, penalty: Penalty, match: Match) -> None:
    turn.emit("penalty", **msgspec.to_builtins(msgspec.structs.replace(penalty, match=match.id)))
