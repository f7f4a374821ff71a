"""Results: players report and confirm, games report themselves, judges rule, and anything can be corrected later by an
event that says so. The last result of a round closes it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from events.decider import Record
from events.errors import Rejected
from tournaments.state import ELIMINATION, Match, Played, Score, Tournament
from tournaments.turn import Turn, illegal

KINDS = ("played", "intentional", "forfeit", "double_loss")


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
        most = turn.state.best_of(match)
        if (max(score.wins) > most // 2 + 1 and turn.state.rules_.team == 1) or sum(score.wins) > most:
            raise illegal("/wins", "out_of_range", f"a match is best of {most}: at most {most // 2 + 1} wins")
    elif sum(score.wins) > 1 or max(score.wins) > 1:
        raise illegal("/wins", "out_of_range", "1 for the winner of the pod, 0 for the others; all 0 for a draw")
    if elimination(turn.state, match) and score.kind == "intentional":
        raise illegal("/kind", "unfit", "an elimination match cannot be drawn on purpose")
    return msgspec.structs.replace(score, lost=match.lost if len(match.players) > 2 else [])


def elimination(state: Tournament, match: Match) -> bool:
    return state.rules_.stages[state.rounds[match.round - 1].stage].kind in ELIMINATION


def open_match(turn: Turn, action: Record) -> Match:
    turn.phase("running")
    match = turn.match(action)
    if turn.state.rounds[match.round - 1].status != "published":
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
    if turn.state.rules_.rulebook and score.kind != "intentional":
        raise illegal("/kind", "unfit", "the games of this match report themselves; by hand only an intentional draw")
    with_penalties(match, score)
    turn.take({**action, "number": me})
    if match.reported and match.reporter != me:
        if match.reported == score:
            accept(turn, match, msgspec.to_builtins(score))
        else:
            turn.emit("match", id=match.id, set={"disputed": True, "called": turn.moment.seq})
        return
    turn.emit("match", id=match.id, set={"reported": msgspec.to_builtins(score), "reporter": me, "disputed": False})


def with_penalties(match: Match, score: Score) -> None:
    """Games that were lost by penalty are games of the match; who was removed from a pod has not won it."""
    given = Counter(winner for game in match.games if not game.game for winner in game.winners)
    for number, wins in zip(match.players, score.wins, strict=True):
        if wins < given[number] and score.kind != "intentional":
            what = f"#{number} has won {given[number]} by a penalty of the opponent: count it in"
            raise illegal("/wins", "unfit", what)
        if wins and number in match.lost:
            raise illegal("/wins", "unfit", f"#{number} has lost this match: left, or removed by a judge")


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
    turn.emit("match", id=match.id, set={"disputed": True, "called": turn.moment.seq})


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


# --- games report themselves ---


def played(turn: Turn, action: Record) -> None:
    """A game of the match is over: its stream, seq and hash, and the winners; or who did not come (`absent`)."""
    turn.house()
    match = open_match(turn, action)
    nth = action.get("nth", 0)
    if any(game.game == action["game"] or (nth and game.nth == nth) for game in match.games):
        raise Rejected("exists", "This game has reported itself already, or was lost by penalty.")
    turn.take(action)
    game = Played(action["game"], action["seq"], action["hash"], action["winners"], nth)
    if action.get("absent"):
        note(turn, match, game)
        lose(turn, match.id, action["absent"])
    else:
        count(turn, match, game)


def note(turn: Turn, match: Match, game: Played) -> list[Played]:
    games = [*match.games, game]
    turn.emit("match", id=match.id, set={"games": [msgspec.to_builtins(one) for one in games]})
    return games


def count(turn: Turn, match: Match, game: Played) -> None:
    """One game more; perhaps the last."""
    games = note(turn, match, game)
    if score := decided(match.players, games, turn.state.best_of(match), turn.state.rules_.team):
        accept(turn, match, score | ({"lost": match.lost} if len(match.players) > 2 else {}))


def decided(players: list[int], games: list[Played], best_of: int, team: int) -> dict[str, Any] | None:
    """The score when nothing can change it any more, or all games are played. A drawn game is played again, but no
    match has more than twice its games."""
    won = Counter(game.winners[0] for game in games if len(game.winners) == 1)
    draws = sum(len(game.winners) != 1 for game in games)
    wins = [won[n] for n in players]
    if len(players) > 2:
        return {"wins": wins, "draws": 0, "kind": "played"}
    needed = best_of // 2 + 1
    if team > 1 and len(games) < team:
        return None
    if team > 1 or max(wins) >= needed or len(games) >= best_of + draws or len(games) >= 2 * best_of:
        return {"wins": wins, "draws": draws, "kind": "played"}
    return None


# --- matches that are lost without being played out ---


def lose(turn: Turn, match_id: str, gone: list[int]) -> None:
    """These have lost the match: left, not come, or removed. In a pod the others play on while there are two."""
    match = turn.state.matches[match_id]
    if match.score or not set(gone) & set(match.players):
        return
    lost = [n for n in match.players if n in gone or n in match.lost]
    turn.emit("match", id=match.id, set={"lost": lost})
    if score := forfeited(turn.state, turn.state.matches[match_id]):
        accept(turn, match, score)


def forfeited(state: Tournament, match: Match) -> dict[str, Any] | None:
    """Who is left wins by the games it takes; games that were won stay won. None: a pod that goes on."""
    here = [n for n in match.players if n not in match.lost]
    if not here:
        return {"wins": [0] * len(match.players), "kind": "double_loss"}
    if len(match.players) > 2:
        if len(here) > 1:
            return None
        return {"wins": [int(n in here) for n in match.players], "kind": "forfeit", "lost": match.lost}
    won = Counter(game.winners[0] for game in match.games if len(game.winners) == 1)
    needed = state.best_of(match) // 2 + 1
    return {"wins": [needed if n in here else min(won[n], needed - 1) for n in match.players], "kind": "forfeit"}


def lose_game(turn: Turn, match_id: str, number: int, seq: int, board: int = 0) -> None:
    """A game of a match of two goes to the opponent; of a pod, there is only one to lose."""
    match = turn.state.matches[match_id]
    if match.score:
        return
    if len(match.players) > 2:
        lose(turn, match_id, [number])
        return
    other = next(n for n in match.players if n != number)
    count(turn, match, Played("", seq, "", [other], board or len(match.games) + 1))
