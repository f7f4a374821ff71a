"""What judges do at the tables: more time, and penalties from a warning to disqualification. A game or match loss takes
effect on the match that is being played, or else on the next one with an opponent."""

from __future__ import annotations

import msgspec

from events.decider import Record
from events.errors import Rejected
from tournaments.leaving import leave
from tournaments.results import lose, lose_game, open_match
from tournaments.state import Entrant, Match, Penalty
from tournaments.turn import Turn, illegal

PENALTIES = ("warning", "game_loss", "match_loss", "points", "disqualification")
AFTERWARDS = ("points", "disqualification")  # these also act when everything has been played


def extend(turn: Turn, action: Record) -> None:
    """More time for one table, or for the whole round."""
    turn.staff("organiser", "judge")
    if "match" in action:
        match = open_match(turn, action)
        turn.take(action)
        turn.emit("match", id=match.id, set={"extended_ms": match.extended_ms + action["ms"]})
        return
    turn.phase("running")
    round_ = turn.round("published")
    turn.take(action)
    turn.emit("round", number=round_.number, set={"extended_ms": round_.extended_ms + action["ms"]})


def penalise(turn: Turn, action: Record) -> None:
    turn.staff("organiser", "judge")
    turn.phase("registration", "running", *(("over",) if action["kind"] in AFTERWARDS else ()))
    one, kind, board = turn.entrant(action), action["kind"], action.get("board", 0)
    check(turn, one, action)
    turn.take(action)
    match = sitting(turn, one)
    penalty = Penalty(one.number, kind, turn.moment.seq, action.get("points", 0), match.id if match else "", board)
    turn.emit("penalty", **msgspec.to_builtins(penalty))
    if penalty.points:
        turn.emit("entrant", number=one.number, set={"penalty": one.penalty + penalty.points})
    if kind == "disqualification":
        leave(turn, one, "out")
    elif match:
        take_effect(turn, penalty)


def check(turn: Turn, one: Entrant, action: Record) -> None:
    kind, team = action["kind"], turn.state.rules_.team
    if kind not in PENALTIES:
        raise illegal("/kind", "unknown_option", f"one of {', '.join(PENALTIES)}")
    if one.status == "out":
        raise Rejected("exists", f"Entrant {one.number} is disqualified already.")
    if (kind == "points") != bool(action.get("points")):
        raise illegal("/points", "unfit", "say how many, and only with the kind `points`")
    if (kind == "game_loss" and team > 1) != bool(action.get("board")):
        raise illegal("/board", "unfit", "of a team that loses a game, say which board; else leave it out")
    if action.get("board", 0) > team:
        raise illegal("/board", "out_of_range", f"boards are 1 to {team}")


def sitting(turn: Turn, one: Entrant) -> Match | None:
    """The match it plays now. A round that is only proposed is not played yet."""
    now = turn.state.now
    if now is None or now.status != "published":
        return None
    return next((match for match in turn.state.open_matches() if one.number in match.players), None)


def take_effect(turn: Turn, penalty: Penalty) -> None:
    if penalty.kind == "match_loss":
        lose(turn, penalty.match, [penalty.number])
    elif penalty.kind == "game_loss":
        lose_game(turn, penalty.match, penalty.number, penalty.seq, penalty.board)


def lift(turn: Turn, action: Record) -> None:
    """A penalty is taken back. Points return, a waiting loss is off, a disqualified player is as one who dropped. What
    it did to a match stands until the result is corrected."""
    turn.staff("organiser")
    turn.phase("registration", "running", "over")
    penalty = next((one for one in turn.state.penalties if one.seq == action["penalty"]), None)
    if penalty is None:
        raise Rejected("unknown", f"Event {action['penalty']} is no penalty of this tournament.")
    if penalty.lifted:
        raise Rejected("exists", f"This penalty was lifted in event {penalty.lifted}.")
    one = turn.state.entrants[penalty.number]
    turn.take(action)
    turn.emit("penalty", **msgspec.to_builtins(msgspec.structs.replace(penalty, lifted=turn.moment.seq)))
    if penalty.points:
        turn.emit("entrant", number=one.number, set={"penalty": one.penalty - penalty.points})
    if penalty.kind == "disqualification":
        turn.emit("entrant", number=one.number, set={"status": "dropped"})
