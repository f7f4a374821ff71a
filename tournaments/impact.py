"""What a correction would have changed: standings now, pairings and cuts since. Nothing of it happens; what was played
stays played. Pairings are computed again with the keys they were drawn with, so only the results differ."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from events import heads, store
from events.errors import Rejected
from tournaments import folds
from tournaments.core.standings import Standings
from tournaments.core.swiss import Infeasible
from tournaments.services import before
from tournaments.state import Round, Score, Tournament, clone

AT_ONCE = 3000  # players × rounds that are paired again for one answer: about as many milliseconds


def of_correction(stream: str, seq: int, only: int | None = None) -> dict[str, Any]:
    """The impact of the correction in event `seq`. Of a large event the pairings are told round by round (`only`)."""
    found = store.read(stream, seq - 1, upto=seq)
    action = found[0].content["body"]["action"] if found else {}
    if action.get("do") != "correct":
        raise Rejected("unknown", f"Event {seq} is no correction.")
    score = msgspec.convert({name: action[name] for name in ("wins", "draws", "kind") if name in action}, Score)
    return impact(stream, str(action["match"]), score, seq - 1, only)


def impact(stream: str, match_id: str, score: Score, seq: int, only: int | None = None) -> dict[str, Any]:
    """`seq`: the last event before the correction. Earlier corrections count as what they said."""
    state: Tournament = heads.at(stream, seq).state
    match = state.matches[match_id]
    score = msgspec.structs.replace(score, lost=match.score.lost if match.score else [])
    truth = {name: one.score for name, one in state.matches.items() if one.score} | {match_id: score}
    later = [one for one in state.rounds[match.round :] if one.matches and only in (None, one.number)]
    if only is None and len(state.entrants) * len(later) > AT_ONCE:
        later, left = [], [one.number for one in later]
    else:
        left = []
    found = {
        "match": match_id, "was": msgspec.to_builtins(match.score), "is": msgspec.to_builtins(score),
        "standings": moved(folds.ranking(state), folds.ranking(corrected(state, truth))),
        "rounds": [one for round_ in later if (one := other_pairs(stream, state, round_, truth))],
        "cuts": other_cuts(stream, state, truth), "not_paired_again": left,
    }  # fmt: skip
    return found | {"words": words(found)}


def corrected(state: Tournament, truth: dict[str, Score]) -> Tournament:
    """That moment, with the results as they are known now."""
    other = clone(state)
    for name, match in state.matches.items():
        if match.score and name in truth and match.score != truth[name]:
            other.matches[name] = msgspec.structs.replace(match, score=truth[name])
    return other


def moved(old: Standings, new: Standings) -> list[dict[str, Any]]:
    was, unit = {line.number: line for line in old.lines}, new.family.points.unit
    return [
        {"number": line.number, "was": was[line.number].rank, "is": line.rank,
         "points_were": str(Fraction(was[line.number].tally.points, unit)),
         "points": str(Fraction(line.tally.points, unit))}
        for line in new.lines
        if (was[line.number].rank, was[line.number].tally.points) != (line.rank, line.tally.points)
    ]  # fmt: skip


def other_pairs(stream: str, state: Tournament, round_: Round, truth: dict[str, Score]) -> dict[str, Any] | None:
    """Tables of a later round that would have been others."""
    if not round_.matches or state.rules_.stages[round_.stage].kind == "robin":
        return None
    stood = {frozenset(state.matches[name].players) for name in round_.matches}
    then = corrected(before(stream, round_), truth)
    try:
        would = {frozenset(table["players"]) for table in folds.again(then, round_, round_.algorithm).tables}
    except Infeasible:
        would = set()
    if stood == would:
        return None
    return {
        "round": round_.number, "tables": len(stood), "different": len(stood - would),
        "would_have_been": sorted(sorted(pair) for pair in would - stood),
    }  # fmt: skip


def other_cuts(stream: str, state: Tournament, truth: dict[str, Score]) -> list[dict[str, Any]]:
    """Cuts are made in the event that begins a stage."""
    found = []
    for event in store.read(stream, upto=state.seq):
        for effect in event.content["body"]["effects"]:
            if effect.get("e") != "stage" or not effect["stage"] or not state.rules_.stages[effect["stage"]].cut:
                continue
            then: Tournament = heads.at(stream, event.seq - 1).state
            here = {n for n, one in then.entrants.items() if one.status == "in"}
            order = [n for n in folds.final_order(corrected(then, truth)) if n in here]
            would, seeds = order[: len(effect["seeds"])], effect["seeds"]
            if would != seeds:
                found.append({
                    "stage": effect["stage"], "in": sorted(set(would) - set(seeds)),
                    "out": sorted(set(seeds) - set(would)), "seeds": seeds, "would_have_been": would,
                })  # fmt: skip
    return found


def words(found: dict[str, Any]) -> list[str]:
    """For people who decide what to do about it."""
    was, is_ = ("–".join(map(str, found[name]["wins"])) for name in ("was", "is"))
    said = [f"{found['match']} was {was}, is {is_}"]
    places = [line for line in found["standings"] if line["was"] != line["is"]]
    said.append(f"{len(places)} places in the standings change" if places else "no place in the standings changes")
    said += [
        f"round {one['round']}: {one['different']} of {one['tables']} tables would have been others"
        for one in found["rounds"]
    ]
    for cut in found["cuts"]:
        if cut["in"]:
            inside, out = (", ".join(f"#{n}" for n in cut[name]) for name in ("in", "out"))
            said.append(f"the cut into stage {cut['stage']} would have had {inside} instead of {out}")
        else:
            said.append(f"the cut into stage {cut['stage']} would have had other seeds, but the same players")
    if found["not_paired_again"]:
        rounds = ", ".join(map(str, found["not_paired_again"]))
        return [*said, f"rounds {rounds} were not paired again: ask for the impact of one round at a time"]
    return said if found["rounds"] or found["cuts"] else [*said, "no pairing and no cut would have been another"]
