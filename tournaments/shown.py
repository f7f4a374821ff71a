"""A tournament as people see it."""

from __future__ import annotations

from typing import Any

import msgspec

from tournaments import folds, limited
from tournaments.core.standings import FAMILIES
from tournaments.state import Match, Round, Tournament


def view(state: Tournament) -> dict[str, Any]:
    now = state.now
    return {
        "tournament": state.stream, "phase": state.phase, "rules": msgspec.to_builtins(state.rules_),
        "family": FAMILIES[state.rules_.family].title, "staff": state.staff,
        "entrants": [msgspec.to_builtins(one) for one in state.entrants.values()],
        "stage": state.stage, "stages": stages(state), "round": None if now is None else round_view(state, now),
        "pins": state.pins, "bans": state.bans, "penalties": [msgspec.to_builtins(one) for one in state.penalties],
        "champion": champion(state),
        "limited": limited.view(state, state.drafted.stage) if state.drafted else None,
    }  # fmt: skip


def stages(state: Tournament) -> list[dict[str, Any]]:
    return [
        {
            "kind": plan.kind,
            "rounds": state.stage_rounds[at] if at < len(state.stage_rounds) else plan.rounds or None,
            "entered": len(state.seeds[at]) if at < len(state.seeds) else None,
        }
        for at, plan in enumerate(state.rules_.stages)
    ]


def champion(state: Tournament) -> int | None:
    if state.phase in ("registration", "running"):
        return None
    order = folds.final_order(state)
    return order[0] if order else None


def round_view(state: Tournament, round_: Round, *, staff: bool = True) -> dict[str, Any]:
    """A proposed round is the staff's; published, everybody's."""
    public = round_.status in ("published", "closed")
    names = round_.matches if public or staff else []
    return {
        "round": round_.number, "stage": round_.stage, "status": round_.status, "attempt": round_.attempt,
        "algorithm": round_.algorithm, "key": round_.key, "called": round_.called, "proposed": round_.proposed,
        "published": round_.published, "ends_at": ends_at(state, round_), "stuck": round_.stuck,
        "matches": [match_view(state, state.matches[name]) for name in names],
    }  # fmt: skip


def match_view(state: Tournament, match: Match) -> dict[str, Any]:
    shown = msgspec.to_builtins(match)
    ends = ends_at(state, state.rounds[match.round - 1])
    return shown | {"ends_at": ends + match.extended_ms if ends else None}


def ends_at(state: Tournament, round_: Round) -> int | None:
    return round_.published_at + state.rules_.round_ms if state.rules_.round_ms and round_.published_at else None
