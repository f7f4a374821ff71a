"""Results: players report and confirm, games report themselves, judges rule, and anything can be corrected later by an
event that says so. The last result of a round closes it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from events.decider import Record
from events.errors import Rejected
from tournaments import folds
from tournaments.registration import leave
from tournaments.state import Match, Played, Score
from tournaments.turn import Turn, illegal

KINDS = ("played", "intentional", "forfeit", "double_loss")
PENALTIES = ("warning", "game_loss", "match_loss", "points", "disqualification")


def scored(turn: Turn, match: Match, action: Record) -> Score:
    """A result that fits its match."""
    try:
        score = msgspec.convert({k: action[k] for k in ("wins", "draws", "kind") if k in action}, Score)
    except msgspec.ValidationError as wrong:
        raise Rejected("illegal", f"The result does not fit: {wrong}") from None
    if len(match.players) == 1:
        raise Rejected("illegal", "A bye has no result to report.")
    if len(score.wins) != len(match.players):
        raise illegal("/wins", "wrong_length", f"one number for each of {match.players}")
    if score.kind not in KINDS:
        raise illegal("/kind", "unknown_option", f"one of {', '.join(KINDS)}")
    if min([*score.wins, score.draws]) < 0:
        raise illegal("/wins", "out_of_range", "not below 0")
    if score.kind in ("intentional", "double_loss") and any(score.wins):
        raise illegal("/wins", "unfit", f"nobody wins a game of a match that is a {score.kind.replace('_', ' ')}")
    if len(match.players) == 2:
        most = max(turn.state.best_of(), turn.state.rules_.team)
        if max(score.wins) > most // 2 + 1 or sum(score.wins) > most:
            raise illegal("/wins", "out_of_range", f"a match is best of {most}: at most {most // 2 + 1} wins")
    elif sum(score.wins) > 1 or max(score.wins) > 1:
        raise illegal("/wins", "out_of_range", "1 for the winner of the pod, 0 for the others; all 0 for a draw")
    if folds.ELIMINATION & {turn.state.rules_.stages[_stage(turn, match)].kind} and score.kind == "intentional":
        raise illegal("/kind", "unfit", "an elimination match cannot be drawn on purpose")
    return score


def _stage(turn: Turn, match: Match) -> int:
    return turn.state.rounds[match.round - 1].stage


def open_match(turn: Turn, action: Record) -> Match:
    turn.phase("running")
    match = turn.match(action)
    if turn.state.rounds[match.round - 1].status not in ("published",):
        raise Rejected("over", f"Round {match.round} is not being played; a judge can correct a result.")
    if match.score:
        raise Rejected("over", f"The result of {match.id} stands; a judge can correct it.")
    return match


def seat_at(turn: Turn, match: Match) -> int:
    own = turn.state.entrant_of(turn.moment.by)
    if own is None or own.number not in match.players:
        raise Rejected("not_yours", f"You do not play in {match.id}.")
    return own.number


def report(turn: Turn, action: Record) -> None:
    """One player says how it ended; the same from the opponent confirms it, anything else is a dispute."""
    match = open_match(turn, action)
    me, score = seat_at(turn, match), scored(turn, match, action)
    turn.take({**action, "number": me})
    if match.reported and match.reporter != me:
        if match.reported == score:
            accept(turn, match, msgspec.to_builtins(score))
        else:
            turn.emit("match", id=match.id, set={"disputed": True})
        return
    turn.emit("match", id=match.id, set={"reported": msgspec.to_builtins(score), "reporter": me, "disputed": False})


def confirm(turn: Turn, action: Record) -> None:
    match = open_match(turn, action)
    me = seat_at(turn, match)
    if match.reported is None:
        raise Rejected("illegal", "Nobody has reported a result yet.")
    if match.reporter == me:
        raise Rejected("not_yours", "You reported it; your opponent confirms.")
    turn.take({**action, "number": me})
    accept(turn, match, msgspec.to_builtins(match.reported))


def dispute(turn: Turn, action: Record) -> None:
    match = open_match(turn, action)
    me = seat_at(turn, match)
    turn.take({**action, "number": me})
    turn.emit("match", id=match.id, set={"disputed": True})


def rule(turn: Turn, action: Record) -> None:
    """A judge says how it ended."""
    turn.staff("organiser", "judge")
    match = open_match(turn, action)
    score = scored(turn, match, action)
    turn.take(action)
    accept(turn, match, msgspec.to_builtins(score))


def correct(turn: Turn, action: Record) -> None:
    """The result was another one. Nothing is rewritten: this event says so, and everything that follows from results
    follows from the new one (services.impact tells what would have been different)."""
    turn.staff("organiser", "judge")
    turn.phase("running", "over")
    match = turn.match(action)
    if match.score is None:
        raise Rejected("illegal", f"{match.id} has no result to correct; rule on it.")
    score = scored(turn, match, action)
    if score == match.score:
        raise Rejected("exists", "That is the result already.")
    turn.take(action)
    turn.emit("match", id=match.id, set={"score": msgspec.to_builtins(score), "corrected": match.corrected + 1})


def accept(turn: Turn, match: Match, score: dict[str, Any]) -> None:
    """The result stands; with the last one the round is closed."""
    turn.emit("match", id=match.id, set={"score": score, "disputed": False})
    if not turn.state.open_matches():
        turn.emit("round", number=match.round, set={"status": "closed"})


def forfeited(match: Match, gone: list[int]) -> dict[str, Any]:
    here = [n for n in match.players if n not in gone]
    if len(here) == 1:
        return {
            "wins": [2 if len(match.players) == 2 and n in here else int(n in here) for n in match.players],
            "kind": "forfeit",
        }
    if here and len(match.players) > 2:
        return {"wins": [0] * len(match.players), "kind": "played"}
    return {"wins": [0] * len(match.players), "kind": "double_loss"}


# --- games report themselves ---


def played(turn: Turn, action: Record) -> None:
    """A game of the match is over: its stream, seq and hash, and the winners; or who did not come (`absent`)."""
    turn.house()
    match = open_match(turn, action)
    if any(game.game == action["game"] for game in match.games):
        raise Rejected("exists", "This game has reported itself already.")
    turn.take(action)
    game = Played(action["game"], action["seq"], action["hash"], action["winners"])
    games = [*match.games, game]
    turn.emit("match", id=match.id, set={"games": [msgspec.to_builtins(one) for one in games]})
    if action.get("absent"):
        accept(turn, match, forfeited(match, action["absent"]))
    elif score := decided(match.players, games, turn.state.best_of(), turn.state.rules_.team):
        accept(turn, match, score)


def decided(players: list[int], games: list[Played], best_of: int, team: int) -> dict[str, Any] | None:
    """The score when nothing can change it any more, or all games are played."""
    won = Counter(game.winners[0] for game in games if len(game.winners) == 1)
    draws = sum(len(game.winners) != 1 for game in games)
    wins = [won[n] for n in players]
    if len(players) > 2:
        return {"wins": wins, "draws": 0, "kind": "played"}
    most = team if team > 1 else best_of
    needed = most // 2 + 1
    if team > 1 and len(games) < team:
        return None
    if team > 1 or max(wins) >= needed or len(games) >= most + draws or len(games) >= 2 * most:
        return {"wins": wins, "draws": draws, "kind": "played"}
    return None


# --- judges at the tables ---


def extend(turn: Turn, action: Record) -> None:
    """More time for one table."""
    turn.staff("organiser", "judge")
    match = open_match(turn, action)
    turn.take(action)
    turn.emit("match", id=match.id, set={"extended_ms": match.extended_ms + action["ms"]})


def penalise(turn: Turn, action: Record) -> None:
    """Warning, game loss, match loss, points off, disqualification."""
    turn.staff("organiser", "judge")
    turn.phase("registration", "running")
    one, kind = turn.entrant(action), action["kind"]
    if kind not in PENALTIES:
        raise illegal("/kind", "unknown_option", f"one of {', '.join(PENALTIES)}")
    if one.status == "out":
        raise Rejected("exists", f"Entrant {one.number} is disqualified already.")
    points = action.get("points", 0)
    if (kind == "points") != bool(points):
        raise illegal("/points", "unfit", "say how many, and only with the kind `points`")
    turn.take(action)
    sitting = next((m for m in turn.state.open_matches() if one.number in m.players), None)
    turn.emit(
        "penalty", number=one.number, kind=kind, seq=turn.moment.seq, points=points, match=sitting.id if sitting else ""
    )
    if points:
        turn.emit("entrant", number=one.number, set={"penalty": one.penalty + points})
    if kind == "disqualification":
        leave(turn, one, "out")
    elif kind == "match_loss" and sitting:
        accept(turn, sitting, forfeited(sitting, [one.number]))
