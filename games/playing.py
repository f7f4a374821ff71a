"""The game itself: answers, any-time acts, conceding, running out of time. The rules decide; this knows who sits
where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from events.decider import Record
from events.errors import Rejected
from events.participants import ARBITER
from games import clocks
from games.kernel.decide import default_path
from games.kernel.table import Table
from games.state import choosers
from games.turn import Turn


def answer(turn: Turn, action: Record) -> None:
    """Its precondition is the decision. `auto` (a standing pass carried out by the house) is the seat's own secret."""
    seat = chooser_seat(turn, action)
    turn.running()
    decided = turn.kernel({**action, "seat": seat})
    stored = decided.action
    if "auto" in stored:
        stored = {**stored, "only": {**stored.get("only", {}), "auto": 1 << seat}}
    turn.take(stored)
    turn.follow(decided)


def chooser_seat(turn: Turn, action: Record) -> int:
    """The seat that is asked, if the actor plays it: in a sandbox one person plays them all."""
    ask = turn.game.table.open.get(str(action.get("decision")))
    if "seat" not in action and ask is not None and turn.game.may_play(ask.chooser, turn.moment.by):
        return ask.chooser
    return turn.seat(action)


def use(turn: Turn, action: Record) -> None:
    seat = turn.seat(action)
    turn.running()
    decided = turn.kernel({**action, "seat": seat})
    turn.take(decided.action)
    turn.follow(decided)


def concede(turn: Turn, action: Record) -> None:
    """What it means, the rulebook says. A paused game can be conceded too."""
    seat = turn.seat(action)
    turn.in_play()
    decided = turn.kernel({"do": "concede", "seat": seat})
    turn.take({"do": "concede", "seat": seat})
    turn.follow(decided)


def timeout(turn: Turn, action: Record, house_answer: Callable[[Table, str], list[Any]] = default_path) -> None:
    """The house finds that a clock has run out: the default answer, the loss, or a bot in the seat, by the terms."""
    game, seat, decision = turn.game, action["of"], action["decision"]
    if turn.moment.by != ARBITER:
        raise Rejected("not_yours", "Only the house watches the clocks.")
    late = clocks.deadlines(game).get(seat)
    if late is None or turn.moment.at < late or decision not in choosers(game)[seat]:
        raise Rejected("stale", "That deadline no longer stands.")
    stored: Record = {"do": "timeout", "of": seat, "decision": decision}
    match game.terms_.on_timeout:
        case "loss":
            decided = turn.kernel({"do": "concede", "seat": seat, "reason": "time"})
            turn.take(stored)
            turn.follow(decided)
        case "bot" if not game.chairs[seat].bot:
            turn.take(stored)
            turn.emit({"e": "handed", "seat": seat, "bot": "random"})
        case _:
            path = house_answer(game.table, decision)
            decided = turn.kernel({"do": "answer", "seat": seat, "decision": decision, "path": path})
            turn.take(stored)
            turn.follow(decided)
