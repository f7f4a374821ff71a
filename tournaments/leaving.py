"""Who leaves, who comes back, and who moves up for them."""

from __future__ import annotations

from typing import Any

import msgspec

from events.decider import Record
from events.errors import Rejected
from tournaments import folds
from tournaments.results import lose
from tournaments.rounds import call_again, first_round
from tournaments.state import Entrant, Tournament
from tournaments.turn import Turn


def drop(turn: Turn, action: Record) -> None:
    """Leave. What was played stays; an open match is lost."""
    turn.phase("registration", "running")
    one = turn.entrant(action)
    if one.status in ("dropped", "out"):
        raise Rejected("exists", f"Entrant {one.number} has left already.")
    turn.take({**action, "number": one.number})
    leave(turn, one, "dropped")


def leave(turn: Turn, one: Entrant, status: str) -> None:
    """An open match is lost, a round that was only proposed is drawn again, and somebody may move up: from the waiting
    list, or into a cut in which nothing was published yet."""
    state = turn.state
    turn.emit("entrant", number=one.number, set={"status": status})
    if state.phase == "over":
        return
    now, was_in = state.now, one.status == "in"
    if was_in:
        into_the_cut(turn, one)
    if now and now.status == "published":
        for match in state.open_matches():
            lose(turn, match.id, [one.number])
    elif now and now.status == "proposed" and any(one.number in match.players for match in state.open_matches()):
        call_again(turn, now)
    if was_in:
        move_up(turn)


def into_the_cut(turn: Turn, one: Entrant) -> None:
    """Until the first round of a cut is published the next of the standings moves up; after that nobody does."""
    state = turn.state
    if state.stage < 1 or not state.current.cut or one.number not in state.seeds[state.stage] or state.preparing:
        return
    if any(round_.stage == state.stage and round_.published for round_ in state.rounds):
        return
    seeds = [n for n in state.seeds[state.stage] if n != one.number]
    here = [n for n in folds.before_stage(state, state.stage) if state.entrants[n].status == "in" and n not in seeds]
    if state.drafted:
        here = [n for n in here if state.drafted.pod_of(n)]
    turn.emit("seeds", stage=state.stage, seeds=seeds + here[:1])


def move_up(turn: Turn, *, only_here: bool = False) -> None:
    """Whoever waited longest takes a place that is free. In a running event as a late entry, if it takes any, and only
    who is here: nobody shall be paired with an empty chair."""
    state = turn.state
    running = state.phase == "running"
    if running and (state.rules_.late == "no" or not folds.open_to_all(state)):
        return
    for other in in_line(state, only_here=only_here or running):
        if not full(turn):
            changes: dict[str, Any] = {"status": "in", "since": first_round(state)}
            turn.emit("entrant", number=other.number, set=changes)


def in_line(state: Tournament, *, only_here: bool) -> list[Entrant]:
    waiting = [one for one in state.entrants.values() if one.status == "waiting"]
    return [one for one in waiting if here(state, one) or not only_here]


def here(state: Tournament, one: Entrant) -> bool:
    """Checked in, and with a list, as far as the rules ask for it."""
    rules = state.rules_
    return (one.checked or not rules.check_in) and bool(one.deck or one.bot or not rules.decks)


def full(turn: Turn) -> bool:
    capacity = turn.state.rules_.capacity
    return bool(capacity) and sum(one.status == "in" for one in turn.state.entrants.values()) >= capacity


def come_back(turn: Turn, action: Record) -> None:
    """Play on with what one had. Into a tournament that is full by now: onto the waiting list."""
    turn.phase("registration", "running")
    one = turn.entrant(action)
    if one.status != "dropped":
        raise Rejected("illegal", f"Entrant {one.number} has not dropped: it is {one.status}.")
    if turn.state.stage >= 0 and turn.state.current.cut:
        raise Rejected("over", "The cut was made; nobody comes back into it.")
    state = turn.state
    if state.drafted and (state.drafted.pod_of(one.number) is None or not (state.preparing or one.deck)):
        raise Rejected("over", "You have no deck for what is played now: the draft was without you.")
    turn.take({**action, "number": one.number})
    turn.emit("entrant", number=one.number, set={"status": "waiting" if full(turn) else "in"})


def queue_again(turn: Turn, entrant: Entrant) -> Entrant:
    """A newcomer with a number of its own, in or waiting."""
    state = turn.state
    waits = full(turn) or bool(in_line(state, only_here=state.phase == "running"))
    return msgspec.structs.replace(
        entrant, number=len(state.entrants) + 1, status="waiting" if waits else "in", since=first_round(state)
    )
