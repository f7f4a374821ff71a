"""Why these meet: what a table cost, term by term, and in words. From the state the round was paired in."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import isqrt
from typing import Any

from tournaments import folds
from tournaments.core.field import BYE, Cost, Costs, Entrant
from tournaments.core.noise import lot
from tournaments.state import Round, Tournament

TERMS = {"rematch": "rematch", "avoid": "avoid", "repeat_bye": "repeat_bye", "policy": "policy", "gap": "gap_squared"}


def explain(state: Tournament, round_: Round, players: list[int], node: str = "") -> dict[str, Any]:
    kind = state.current.kind
    shown = {"algorithm": round_.algorithm}
    if kind == "swiss":
        return shown | _swiss(state, round_, players)
    if kind == "pods":
        return shown | _pod(state, round_, players)
    words: Callable[..., list[str]] = {"robin": _robin, "pod_cut": _seeds}.get(kind, _node)
    return shown | {"words": words(state, round_, players, node), "players": [{"number": n} for n in players]}


def _swiss(state: Tournament, round_: Round, players: list[int]) -> dict[str, Any]:
    whole = folds.field(state, round_)
    costs, known = Costs(whole), whole.by_number()
    here = [known[n] for n in players]
    pair = (players[0], players[1]) if len(players) == 2 else (BYE, players[0])
    cost = costs.of(pair, known)
    unit = folds.family(state).points.unit
    words = said(cost, here, unit) if len(here) == 2 else bye_said(cost, here[0], costs.lowest, unit)
    if any(set(pin) == set(pair) for pin in whole.pins):
        awarded = BYE in pair and list(pair) not in state.pins
        words = ["a bye that was awarded before the event" if awarded else "pinned by the organiser", *words]
    elif whole.by_rank and not cost.rematch:
        words.append("the last round: among equals, neighbours in the standings meet")
    terms = {TERMS[name]: value for name, value in cost._asdict().items() if name in TERMS}
    return {**terms, "luck": cost.luck, "words": words, "players": [_player(one, unit) for one in here]}


def score(points: int, unit: int) -> str:
    """As people say it: chess counts halves."""
    return str(Fraction(points, unit))


def said(cost: Cost, pair: list[Entrant], unit: int) -> list[str]:
    """Of two. What had to be accepted comes with the reason that it had to be."""
    scores = " and ".join(score(one.score, unit) for one in pair)
    apart = f"scores {scores}: {score(isqrt(cost.gap), unit)} apart, as little as the whole round allows"
    words = [apart if cost.gap else f"equal scores ({score(pair[0].score, unit)})"]
    if cost.rematch:
        words.append(f"met before ({cost.rematch}×): there is no round without a rematch")
    else:
        words.append("never met")
    if cost.avoid:
        words.append("of one group: that could not be avoided")
    if cost.policy:
        words.append("one of them floats the same way as in the round before: that could not be avoided")
    return words if cost.rematch or cost.avoid or cost.policy or cost.gap else [*words, "drawn by lot"]


def bye_said(cost: Cost, one: Entrant, lowest: int, unit: int) -> list[str]:
    had = f"{one.byes} before: everybody else who could have it had as many" if one.byes else "none before"
    where = f"score {score(one.score, unit)}, the lowest"
    if one.score != lowest:
        where = f"score {score(one.score, unit)}; the lowest is {score(lowest, unit)}"
    return [f"a bye: {had}", where, *([] if cost.repeat_bye or cost.gap else ["drawn by lot"])]


def _player(one: Entrant, unit: int = 1) -> dict[str, Any]:
    return {"number": one.number, "score": score(one.score, unit), "byes": one.byes, "met": sorted(one.met)}


def _pod(state: Tournament, round_: Round, players: list[int]) -> dict[str, Any]:
    known = folds.field(state, round_).by_number()
    here = [known[n] for n in players]
    if len(here) == 1:
        words = [f"a bye: {here[0].byes} before, score {here[0].score}; the others fill whole pods"]
    else:
        again = [f"#{a.number} and #{b.number}" for a, b in combinations(here, 2) if b.number in a.met]
        words = [
            f"scores {', '.join(str(one.score) for one in here)}",
            f"met before: {', '.join(again)}" if again else "nobody met before",
        ]
        if len(here) < state.current.pod:
            words.append(f"a pod of {len(here)}: the field does not divide by {state.current.pod}")
    return {"words": words, "players": [_player(one) for one in here]}


def _robin(state: Tournament, round_: Round, players: list[int], node: str) -> list[str]:
    first = next(r for r in state.rounds if r.stage == state.stage)
    key, seeds = bytes.fromhex(first.key), state.seeds[state.stage]
    places = sorted(seeds, key=lambda n: (lot(key, n), n))
    at = [places.index(n) + 1 for n in players]
    nth = folds.rounds_played(state) + 1
    table = f"Berger's table for {len(places)}, round {nth}; places were drawn by lot"
    if len(at) == 1:
        return [f"place {at[0]} is free, or its opponent has left", table]
    return [f"places {at[0]} and {at[1]} meet", table]


def _node(state: Tournament, round_: Round, players: list[int], node: str) -> list[str]:
    seeds, where = (
        state.seeds[state.stage],
        f"{state.current.kind} elimination of {len(state.seeds[state.stage])}, {node}",
    )
    at = [seeds.index(n) + 1 for n in players]
    if len(at) == 2:
        return [f"seed {at[0]} against seed {at[1]}", where]
    rests = "the best seed rests" if state.rules_.walkover == "best" else "the opponent goes on"
    return [f"seed {at[0]} goes on without a game: somebody left, and {rests}", where]


def _seeds(state: Tournament, round_: Round, players: list[int], node: str) -> list[str]:
    at = ", ".join(str(state.seeds[state.stage].index(n) + 1) for n in players)
    if folds.rounds_played(state):
        return [f"the final: seeds {at}, winners of semifinals and those who went straight to it"]
    return [f"a semifinal of seeds {at}, dealt in a snake so that all are equally strong"]
