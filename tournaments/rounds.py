"""Rounds: called, proposed, published, closed; pins and bans; stages in sequence."""

from __future__ import annotations

import msgspec

from events.decider import Record
from events.errors import Rejected
from tournaments import folds, limited
from tournaments.core import pods, swiss, tables
from tournaments.core.field import BYE
from tournaments.results import accept
from tournaments.state import ELIMINATION, PREPARING, Match, Round, Rules, Tournament
from tournaments.turn import Turn, illegal
from tournaments.waiting import serve

BYE_WINS = 2


def begin(turn: Turn, stage: int) -> None:
    """A stage begins: those who are in, or the cut, the best first."""
    state = turn.state
    if state.rules_.stages[stage].cut < 0:
        turn.emit("plan", stage=stage, set={"cut": folds.proposed_cut(state, stage)})
    plan = state.rules_.stages[stage]
    here = {n for n, one in state.entrants.items() if one.status == "in"}
    if state.drafted:
        here &= set(state.seeds[state.drafted.stage])  # who was not in the draft has no deck
    if stage == 0:
        seeds = sorted(here)
    else:
        before = [n for n in folds.final_order(state) if n in here]
        seeds = before[: plan.cut] if plan.cut else before
        if plan.kind == "pod_cut":
            seeds = seeds[: max(size for size in tables.POD_CUTS if size <= max(4, len(seeds)))]
    turn.emit("stage", stage=stage, seeds=seeds, rounds=folds.proposed_rounds(state, stage, len(seeds)))
    if plan.kind in PREPARING:
        limited.seat(turn, stage)


def plan(turn: Turn, action: Record) -> None:
    """Other rounds than the tables propose, or another cut: of a stage to come; rounds of the one that is on, too."""
    turn.staff()
    turn.phase("registration", "running")
    state, at = turn.state, action["stage"]
    if not 0 <= at < len(state.rules_.stages):
        raise illegal("/stage", "unknown", f"stages are 0 to {len(state.rules_.stages) - 1}")
    changes = {name: action[name] for name in ("rounds", "cut") if name in action}
    if not changes:
        raise illegal("/rounds", "missing", "say what: rounds or cut")
    if at < state.stage or (at == state.stage and "cut" in changes):
        raise Rejected("over", f"Stage {at} has begun; the cut into it is made.")
    if at == state.stage:
        called = sum(round_.stage == at for round_ in state.rounds)
        if changes["rounds"] < max(1, called):
            raise illegal("/rounds", "out_of_range", f"{called} rounds of it were called; not below that, nor below 1")
        if state.current.kind not in ("swiss", "pods"):
            raise illegal("/rounds", "unfit", f"the rounds of a {state.current.kind} follow from its players")
    stages = list(state.rules_.stages)
    stages[at] = msgspec.structs.replace(stages[at], **changes)
    check_stages(msgspec.structs.replace(state.rules_, stages=stages))
    turn.take(action)
    turn.emit("plan", stage=at, set=changes)


def check_stages(rules: Rules) -> None:
    """Stages that can be played, in this order."""
    for place, stage in enumerate(rules.stages):
        where = f"/stages/{place}"
        if place == 0 and stage.cut:
            raise illegal(f"{where}/cut", "unfit", "the first stage takes everybody; `capacity` limits how many")
        if stage.cut == 1 or (stage.kind == "pod_cut" and stage.cut not in (-1, 0, *tables.POD_CUTS)):
            raise illegal(f"{where}/cut", "out_of_range", "a cut of pods is 4, 7, 10, 13 or 16; of others 2 or more")
        if stage.kind == "pods" and not 3 <= stage.pod <= 6:
            raise illegal(f"{where}/pod", "out_of_range", "pods have 3 to 6 seats")
        if stage.kind in ELIMINATION and stage.rounds:
            raise illegal(f"{where}/rounds", "unknown", "an elimination has as many rounds as it takes")
        if stage.best_of and stage.best_of % 2 == 0:
            raise illegal(f"{where}/best_of", "out_of_range", "an odd number: best of 1, 3, 5; 0: as the tournament")
        if stage.kind == "double" and rules.walkover == "best":
            raise illegal("/walkover", "unfit", "in a double elimination the opponent of who left goes on")


def advance(turn: Turn, action: Record) -> None:
    """The next stage: the cut is made from the standings as they are now. After the last stage the event is over."""
    turn.staff()
    turn.phase("running")
    state = turn.state
    no_open_round(turn)
    if not folds.stage_over(state):
        if state.preparing:
            raise Rejected("illegal", "The draft is not over, or not everybody has handed in a deck.")
        left = state.stage_rounds[state.stage] - folds.rounds_played(state)
        raise Rejected(
            "illegal", f"The stage is not over: {left} rounds to play." if left > 0 else "It is not decided."
        )
    turn.take(action)
    if state.stage + 1 < len(state.rules_.stages):
        begin(turn, state.stage + 1)
    else:
        turn.emit("phase", phase="over")


def finish(turn: Turn, action: Record) -> None:
    """The organiser ends the event here, whatever was planned."""
    turn.staff()
    turn.phase("running")
    no_open_round(turn)
    turn.take(action)
    turn.emit("phase", phase="over")


def close(turn: Turn, action: Record) -> None:
    """For good: the seed and the lists are open, and nothing is corrected any more."""
    turn.staff()
    turn.phase("over")
    turn.take(action)
    turn.emit("phase", phase="closed")


def no_open_round(turn: Turn) -> None:
    now = turn.state.now
    if now and now.status not in ("closed",):
        waiting = [match.id for match in turn.state.open_matches()]
        more = f"; open: {', '.join(waiting[:8])}{' …' if len(waiting) > 8 else ''}" if waiting else ""
        raise Rejected("illegal", f"Round {now.number} is {now.status}{more}.", open=waiting)


# --- pairing ---


def pair(turn: Turn, action: Record) -> None:
    """Call the next round: its key is drawn now, the pairing follows from it (tasks.propose)."""
    turn.staff()
    turn.phase("running")
    state = turn.state
    no_open_round(turn)
    if folds.stage_over(state):
        raise Rejected("illegal", "This stage has had its rounds; advance to the next one.")
    turn.take(action)
    call(turn, len(state.rounds) + 1, 1)


def call(turn: Turn, number: int, attempt: int) -> None:
    key = turn.draw_key(f"round/{number}/{attempt}")
    turn.emit(
        "round", number=number,
        set={"stage": turn.state.stage, "attempt": attempt, "status": "called", "key": key, "called": turn.moment.seq,
             "matches": [], "stuck": [], "why": "", "extended_ms": 0},
    )  # fmt: skip


def propose(turn: Turn, action: Record) -> None:
    """The house has computed the round. It is looked at again here, by other means, before it stands."""
    turn.house()
    round_ = turn.round("called")
    named(round_, action)
    if action["at"] != turn.moment.seq - 1:
        raise Rejected("stale", f"It was computed at seq {action['at']}; the tournament is at {turn.moment.seq - 1}.")
    if wrong := faults(turn, round_, action):
        raise Rejected("illegal", f"The round cannot stand: {'; '.join(wrong[:5])}.")
    turn.take(action)
    names = []
    for table in action["tables"]:
        name = f"r{round_.number}t{table['table']}"
        fields = {"id": name, "round": round_.number, "table": table["table"], "players": table["players"]}
        turn.emit("match", id=name, set=fields | ({"node": table["node"]} if "node" in table else {}))
        names.append(name)
    turn.emit(
        "round", number=round_.number,
        set={"status": "proposed", "proposed": turn.moment.seq, "algorithm": action["algorithm"], "matches": names},
    )  # fmt: skip


def faults(turn: Turn, round_: Round, action: Record) -> list[str]:
    """Everyone once, nobody else, no banned pair, every pin; of fixed formats, exactly what they say."""
    state, drawn = turn.state, action["tables"]
    numbers = [table["table"] for table in drawn]
    wrong = ["two tables have one number"] if len(set(numbers)) < len(numbers) else []
    if state.current.kind == "swiss":
        pairs = [_pair(table["players"]) for table in drawn]
        for part in folds.fields(state, round_):
            inside = {one.number for one in part.entrants}
            wrong += swiss.faults(part, [pair for pair in pairs if inside & set(pair)])
        return wrong
    if state.current.kind == "pods":
        seated = [table["players"] for table in drawn]
        return wrong + pods.faults(folds.field(state, round_), seated, state.current.pod)
    expected = folds.compute(state, round_)
    return wrong + ([] if expected.tables == drawn else ["the format says otherwise"])


def _pair(players: list[int]) -> tuple[int, int]:
    if len(players) == 1:
        return (BYE, players[0])
    return (min(players), max(players))


def infeasible(turn: Turn, action: Record) -> None:
    """There is no round under these pins and bans: said with names, for the organiser to decide."""
    turn.house()
    round_ = turn.round("called")
    named(round_, action)
    turn.take(action)
    why = action.get("why", "no_pairing")
    turn.emit("round", number=round_.number, set={"status": "stuck", "stuck": action["stuck"], "why": why})


def named(round_: Round, action: Record) -> None:
    if (round_.number, round_.attempt) != (action["round"], action["attempt"]):
        raise Rejected("stale", f"Round {round_.number}, attempt {round_.attempt} is the one to be paired.")


def publish(turn: Turn, action: Record) -> None:
    """Everybody sees it, and the clock runs. Byes are won at once."""
    turn.staff()
    round_ = turn.round("proposed")
    turn.take({**action, "round": round_.number})
    turn.emit(
        "round", number=round_.number,
        set={"status": "published", "published": turn.moment.seq, "published_at": turn.moment.at},
    )  # fmt: skip
    turn.emit("pins", pins=[])  # a pin is for one round
    for match in turn.state.open_matches():
        if len(match.players) == 1:
            accept(turn, match, {"wins": [BYE_WINS], "kind": "bye"})
    for match in turn.state.open_matches():
        serve(turn, match)


def repair(turn: Turn, action: Record) -> None:
    """Pair again, with a reason on record. The old attempt stays in history; nothing may have been played in it."""
    turn.staff()
    state = turn.state
    round_ = turn.round("called", "proposed", "published", "stuck")
    touched = [m for m in round_.matches if was_played(state.matches[m])]
    if touched:
        raise Rejected("illegal", f"Matches of this round have been played: {', '.join(sorted(set(touched))[:8])}.")
    turn.take({**action, "round": round_.number})
    call_again(turn, round_)


def was_played(match: Match) -> bool:
    """By somebody: not a bye, and not lost before it began."""
    if match.reported or any(game.game for game in match.games):
        return True
    return match.score is not None and match.score.kind in ("played", "intentional") and not match.games


def call_again(turn: Turn, round_: Round) -> None:
    """The attempt is gone from the tables, not from history. Who came while it was proposed is in the next one."""
    state = turn.state
    served = [one for one in state.penalties if one.match in round_.matches]
    turn.emit("unpublished", matches=round_.matches)
    for penalty in served:  # it waits for the new match
        turn.emit("penalty", **msgspec.to_builtins(msgspec.structs.replace(penalty, match="")))
    for one in state.entrants.values():
        if one.status == "in" and one.since == round_.number + 1:
            turn.emit("entrant", number=one.number, set={"since": round_.number})
    call(turn, round_.number, round_.attempt + 1)


def first_round(state: Tournament) -> int:
    """The first one that somebody who comes now can play."""
    return 1 + sum(round_.status in ("proposed", "published", "closed") for round_ in state.rounds)


def pin(turn: Turn, action: Record) -> None:
    """These two meet in the next round (or this one has the bye); or never meet (a ban), until it is lifted."""
    turn.staff()
    turn.phase("running", "registration")
    state, do = turn.state, action["do"]
    pair_ = sorted(action["players"])
    known = {n for n, one in state.entrants.items() if one.status == "in"} | {BYE}
    if unknown := [n for n in pair_ if n not in known]:
        raise illegal("/players", "unknown", f"not in this tournament: {', '.join(map(str, unknown))}")
    if len(set(pair_)) != 2:
        raise illegal("/players", "wrong_length", "two different numbers; 0 is the bye")
    listed = state.pins if do in ("pin", "unpin") else state.bans
    if (pair_ in listed) == (do in ("pin", "ban")):
        raise Rejected(
            "exists" if pair_ in listed else "unknown", f"{pair_} is {'already' if pair_ in listed else 'not'} there."
        )
    if do == "pin" and any(n in other for other in listed for n in pair_ if n != BYE):
        raise illegal("/players", "taken", "one of them is pinned already")
    turn.take(action)
    new = [*listed, pair_] if do in ("pin", "ban") else [other for other in listed if other != pair_]
    turn.emit("pins", pins=new) if do in ("pin", "unpin") else turn.emit("bans", bans=new)
