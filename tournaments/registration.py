"""Before the first round, and at the door: who comes, who waits, who has handed in a list, who left and came back."""

from __future__ import annotations

import msgspec

from events.decider import Record
from events.errors import Rejected
from games.kernel.rulebook import rulebook
from tournaments import limited
from tournaments.core.standings import FAMILIES
from tournaments.state import ELIMINATION, PREPARING, Entrant, Rules
from tournaments.turn import Turn, illegal


def create(turn: Turn, action: Record) -> None:
    """Event 1: the rules. The store adds the commitment to the seed: before anybody registers."""
    fields = {name: value for name, value in action.items() if name in Rules.__struct_fields__}
    try:
        rules = msgspec.convert(fields, Rules)
    except msgspec.ValidationError as wrong:
        raise Rejected("illegal", f"The rules do not fit: {wrong}") from None
    check(rules)
    limited.check(rules)
    turn.take(action)


def check(rules: Rules) -> None:
    if not rules.stages:
        raise illegal("/stages", "too_few", "a tournament has at least one stage")
    if rules.family not in FAMILIES:
        raise illegal("/family", "unknown_option", f"one of {', '.join(FAMILIES)}")
    if all(stage.kind in PREPARING for stage in rules.stages):
        raise illegal("/stages", "too_few", "after drafting somebody must play")
    if rules.best_of % 2 == 0:
        raise illegal("/best_of", "out_of_range", "an odd number: best of 1, 3, 5")
    for place, stage in enumerate(rules.stages):
        where = f"/stages/{place}"
        if stage.cut == 1 or (stage.kind == "pod_cut" and stage.cut not in (0, 4, 7, 10, 13, 16)):
            raise illegal(f"{where}/cut", "out_of_range", "a cut of pods is 4, 7, 10, 13 or 16; of others 2 or more")
        if stage.kind == "pods" and not 3 <= stage.pod <= 6:
            raise illegal(f"{where}/pod", "out_of_range", "pods have 3 to 6 seats")
        if stage.kind in ELIMINATION and stage.rounds:
            raise illegal(f"{where}/rounds", "unknown", "an elimination has as many rounds as it takes")
    if rules.rulebook:
        try:
            book = rulebook(rules.rulebook)
        except LookupError as unknown:
            raise illegal("/rulebook", "unknown_option", str(unknown)) from None
        for stage in rules.stages:
            size = stage.pod if stage.kind == "pods" else 4 if stage.kind == "pod_cut" else 2
            if stage.kind not in PREPARING and size not in book.seats:
                raise illegal("/rulebook", "unfit", f"{rules.rulebook} is not played by {size} at a table")


def appoint(turn: Turn, action: Record) -> None:
    turn.staff()
    turn.take(action)
    turn.emit("staff", actor=action["actor"], role=action["role"])


def invite(turn: Turn, action: Record) -> None:
    turn.staff()
    turn.phase("registration", "running")
    turn.take(action)
    turn.emit("invited", actors=[actor for actor in action["actors"] if actor not in turn.state.invited])


def register(turn: Turn, action: Record) -> None:
    """Somebody comes, or a team by its captain. Beyond the capacity there is a waiting list."""
    state, by = turn.state, turn.moment.by
    members = action.get("members", [])
    wanted = [by, *members]
    for actor in wanted:
        if known := state.entrant_of(actor):
            raise Rejected("exists", f"Already registered, as entrant {known.number}.")
    if len(wanted) != state.rules_.team:
        raise illegal("/members", "wrong_length", f"a team has {state.rules_.team}, the captain included")
    if state.rules_.registration == "invite" and by not in state.invited:
        raise Rejected("not_yours", "This tournament is by invitation, and you have none.")
    if by in state.staff:
        raise Rejected("not_yours", "You run this tournament, so you cannot play in it.")
    enter(turn, action, Entrant(0, actor=by, members=members, group=action.get("group", "")))


def add_bots(turn: Turn, action: Record) -> None:
    """Players of the house, to fill up or to try it out."""
    turn.staff()
    if not turn.state.rules_.rulebook:
        raise illegal("/count", "unfit", "bots cannot play on paper; set a rulebook")
    turn.phase("registration")
    turn.take(action)
    for _ in range(action["count"]):
        _enter(turn, Entrant(0, bot=action.get("bot", "random"), checked=True))


def enter(turn: Turn, action: Record, entrant: Entrant) -> None:
    state = turn.state
    if state.phase == "running" and state.rules_.late == "no":
        raise Rejected("over", "Registration is closed and this tournament takes no late entries.")
    turn.phase("registration", "running")
    if state.phase == "running" and state.stage and state.current.cut:
        raise Rejected("over", "The cut was made; nobody can enter any more.")
    turn.take(action)
    _enter(turn, entrant)


def _enter(turn: Turn, entrant: Entrant) -> None:
    state = turn.state
    inside = sum(one.status != "waiting" and one.status != "dropped" for one in state.entrants.values())
    full = state.rules_.capacity and inside >= state.rules_.capacity
    since = 1
    if state.phase == "running":
        since = 1 + sum(round_.status in ("published", "closed") for round_ in state.rounds)
    one = msgspec.structs.replace(
        entrant, number=len(state.entrants) + 1, status="waiting" if full else "in", since=since
    )
    turn.emit("entrant", number=one.number, set=msgspec.to_builtins(one))


def check_in(turn: Turn, action: Record) -> None:
    turn.phase("registration", "running")
    one = turn.entrant(action)
    if one.checked:
        raise Rejected("exists", f"Entrant {one.number} is checked in already.")
    if one.status != "in":
        raise Rejected("illegal", f"Entrant {one.number} is {one.status}.")
    turn.take({**action, "number": one.number})
    turn.emit("entrant", number=one.number, set={"checked": True})


def drop(turn: Turn, action: Record) -> None:
    """Leave. What was played stays; an open match is lost. Whoever waited longest moves up before the start."""
    turn.phase("registration", "running")
    one = turn.entrant(action)
    if one.status in ("dropped", "out"):
        raise Rejected("exists", f"Entrant {one.number} has left already.")
    turn.take({**action, "number": one.number})
    leave(turn, one, "dropped")
    if turn.state.phase == "registration" and one.status == "in":
        waiting = [other for other in turn.state.entrants.values() if other.status == "waiting"]
        if waiting:
            turn.emit("entrant", number=waiting[0].number, set={"status": "in"})


def leave(turn: Turn, one: Entrant, status: str) -> None:
    from tournaments.results import accept, forfeited

    turn.emit("entrant", number=one.number, set={"status": status})
    for match in turn.state.open_matches():
        if one.number in match.players:
            accept(turn, match, forfeited(match, [one.number]))


def come_back(turn: Turn, action: Record) -> None:
    turn.phase("registration", "running")
    one = turn.entrant(action)
    if one.status != "dropped":
        raise Rejected("illegal", f"Entrant {one.number} has not dropped: it is {one.status}.")
    if turn.state.stage >= 0 and turn.state.current.cut:
        raise Rejected("over", "The cut was made; nobody comes back into it.")
    turn.take({**action, "number": one.number})
    turn.emit("entrant", number=one.number, set={"status": "in"})


def award(turn: Turn, action: Record) -> None:
    """Byes for the first rounds, or a table that is always this entrant's."""
    turn.staff()
    turn.phase("registration", "running")
    one = turn.entrant(action)
    turn.take(action)
    turn.emit("entrant", number=one.number, set={k: v for k, v in action.items() if k in ("awarded", "table", "group")})
