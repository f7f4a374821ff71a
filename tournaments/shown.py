"""A tournament as people see it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from tournaments import folds, limited
from tournaments.clock import ends_at, match_ends_at
from tournaments.core import tables
from tournaments.core.standings import FAMILIES
from tournaments.state import Match, Round, Stage, Tournament


def view(state: Tournament) -> dict[str, Any]:
    now = state.now
    return {
        "tournament": state.stream, "phase": state.phase, "rules": msgspec.to_builtins(state.rules_),
        "family": FAMILIES[state.rules_.family].title, "staff": state.staff,
        "counts": dict(Counter(one.status for one in state.entrants.values())),
        "entrants": [msgspec.to_builtins(one) for one in state.entrants.values()],
        "stage": state.stage, "stages": stages(state), "round": None if now is None else round_view(state, now),
        "pins": state.pins, "bans": state.bans, "penalties": [msgspec.to_builtins(one) for one in state.penalties],
        "champion": champion(state),
        "limited": limited.view(state, state.drafted.stage) if state.drafted else None,
    }  # fmt: skip


def stages(state: Tournament) -> list[dict[str, Any]]:
    return [stage_view(state, at, plan) for at, plan in enumerate(state.rules_.stages)]


def stage_view(state: Tournament, at: int, plan: Stage) -> dict[str, Any]:
    """What was planned or fixed, and what the usual tables say to so many players."""
    begun = at < len(state.seeds)
    rounds = state.stage_rounds[at] if begun else plan.rounds
    found = folds.proposed(state, at)
    players = len(state.seeds[at]) if begun else sum(one.status == "in" for one in state.entrants.values())
    return {
        "kind": plan.kind, "rounds": rounds or None, "cut": plan.cut, "entered": players if begun else None,
        "proposed": {"rounds": found.rounds, "cut_after": found.cut, "why": found.why} if found else None,
        "warning": tables.warning(players, rounds or (found.rounds if found else 0)) if plan.kind == "swiss" else None,
    }  # fmt: skip


def champion(state: Tournament) -> int | None:
    if state.phase in ("registration", "running"):
        return None
    order = folds.final_order(state)
    return order[0] if order else None


def round_view(
    state: Tournament, round_: Round, after: int = 0, limit: int | None = None, *, staff: bool = True
) -> dict[str, Any]:
    """A proposed round is the staff's; published, everybody's. Tables after `after`, so many of them."""
    public = round_.status in ("published", "closed")
    matches = [state.matches[name] for name in (round_.matches if public or staff else [])]
    listed = sorted((match for match in matches if match.table > after), key=lambda match: match.table)[:limit]
    return {
        "round": round_.number, "stage": round_.stage, "status": round_.status, "attempt": round_.attempt,
        "algorithm": round_.algorithm, "key": round_.key, "called": round_.called, "proposed": round_.proposed,
        "published": round_.published, "ends_at": ends_at(state, round_), "stuck": round_.stuck, "why": round_.why,
        "open": sum(match.score is None for match in matches),
        "matches": [match_view(state, match) for match in listed],
    }  # fmt: skip


def match_view(state: Tournament, match: Match) -> dict[str, Any]:
    return msgspec.to_builtins(match) | {"ends_at": match_ends_at(state, match)}
