"""Before the first round, and at the door: who comes, who waits, who has handed in a list, who left and came back."""

from __future__ import annotations

import msgspec

from events.decider import Record
from events.errors import Rejected
from games.kernel.rulebook import rulebook
from tournaments import folds, limited
from tournaments.core.standings import FAMILIES
from tournaments.leaving import here, move_up, queue_again
from tournaments.rounds import begin, check_stages
from tournaments.state import PREPARING, Entrant, Rules
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
    check_stages(rules)
    if rules.on_time == "score" and not (rules.rulebook and rules.round_ms):
        raise illegal("/on_time", "unfit", "only games that are played here, with a `round_ms`, end as they stand")
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
    enter(turn, action, Entrant(0, actor=by, members=members, **club(action)))


def club(action: Record) -> dict[str, str]:
    """In pairings a token stands for the club; its name is free text, kept apart behind a commitment."""
    return {"group": action["token"], "club": action["group"]["text"]} if "token" in action else {}


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
    if state.phase == "running" and not folds.open_to_all(state):
        raise Rejected("over", "Nobody can enter any more: a cut was made, or who meets whom is fixed.")
    turn.take(action)
    _enter(turn, entrant)


def _enter(turn: Turn, entrant: Entrant) -> None:
    one = queue_again(turn, entrant)
    turn.emit("entrant", number=one.number, set=msgspec.to_builtins(one))


def check_in(turn: Turn, action: Record) -> None:
    """Also for who waits: at the start the places of those who are not here go to those who are."""
    turn.phase("registration", "running")
    one = turn.entrant(action)
    if one.checked:
        raise Rejected("exists", f"Entrant {one.number} is checked in already.")
    if one.status not in ("in", "waiting"):
        raise Rejected("illegal", f"Entrant {one.number} is {one.status}.")
    turn.take({**action, "number": one.number})
    turn.emit("entrant", number=one.number, set={"checked": True})


def award(turn: Turn, action: Record) -> None:
    """Byes for the first rounds, a table that is always this entrant's. What is not said stays."""
    turn.staff()
    turn.phase("registration", "running")
    one = turn.entrant(action)
    changes = {name: action[name] for name in ("awarded", "table") if name in action}
    if not changes:
        raise illegal("/awarded", "missing", "say what: awarded or table")
    if table := changes.get("table"):
        taken = next((n for n, other in turn.state.entrants.items() if other.table == table and n != one.number), None)
        if taken:
            raise illegal("/table", "taken", f"table {table} is kept for entrant {taken}")
    turn.take(action)
    turn.emit("entrant", number=one.number, set=changes)


# --- the start ---


def start(turn: Turn, action: Record) -> None:
    """Registration ends: who is not here is not in, who waited and is here takes the place; the first stage begins."""
    turn.staff()
    turn.phase("registration")
    entrants = turn.state.entrants
    turn.take(action)
    for one in list(entrants.values()):
        if one.status == "in" and not here(turn.state, one):
            turn.emit("entrant", number=one.number, set={"status": "dropped"})
    move_up(turn, only_here=True)
    if sum(one.status == "in" for one in entrants.values()) < 2:
        raise Rejected("illegal", "A tournament needs two players who are here (checked in, with their lists).")
    turn.emit("phase", phase="running")
    turn.emit("lot", key=turn.draw_key("lot"))
    begin(turn, 0)
