"""The round clock, with more time for some tables or for all. What happens when it is over, the rules say: a judge
looks (`on_time: judge`; the desk lists those tables), or the match ends as it stands (`score`), where the house knows
how it stands because the games are played here."""

from __future__ import annotations

from collections import Counter
from typing import Any

from events.decider import Due, Record
from events.errors import Rejected
from events.participants import ARBITER
from tournaments.results import accept
from tournaments.state import Match, Round, Tournament
from tournaments.turn import Turn


def ends_at(state: Tournament, round_: Round) -> int | None:
    if not state.rules_.round_ms or not round_.published_at:
        return None
    return round_.published_at + state.rules_.round_ms + round_.extended_ms


def match_ends_at(state: Tournament, match: Match) -> int | None:
    ends = ends_at(state, state.rounds[match.round - 1])
    return ends + match.extended_ms if ends else None


def due(state: Tournament) -> list[Due]:
    """One for all tables: the first whose time is over."""
    now = state.now
    if state.rules is None or state.rules_.on_time != "score" or state.phase != "running":
        return []
    if now is None or now.status != "published" or not ends_at(state, now):
        return []
    first = min(filter(None, (match_ends_at(state, match) for match in state.open_matches())), default=None)
    if first is None:
        return []
    action = {"do": "time", "round": now.number, "attempt": now.attempt}
    return [Due(f"time-{now.number}-{now.attempt}-{first}", first, ARBITER, action)]


def time(turn: Turn, action: Record) -> None:
    """Every table whose time is over ends as it stands."""
    turn.house()
    round_ = turn.round("published")
    if (round_.number, round_.attempt) != (action["round"], action["attempt"]):
        raise Rejected("stale", "That round is over.")
    late = [
        match for match in turn.state.open_matches()
        if (ends := match_ends_at(turn.state, match)) and ends <= turn.moment.at
    ]  # fmt: skip
    if not late:
        raise Rejected("stale", "That deadline no longer stands.")
    turn.take(action)
    for match in late:
        accept(turn, match, as_it_stands(turn.state, match))


def as_it_stands(state: Tournament, match: Match) -> dict[str, Any]:
    """Games won so far; the unfinished one, of a team all unfinished boards, are drawn; a pod is drawn."""
    if len(match.players) > 2:
        return {"wins": [0] * len(match.players), "kind": "played", "lost": match.lost}
    won = Counter(game.winners[0] for game in match.games if len(game.winners) == 1)
    drawn = sum(len(game.winners) != 1 for game in match.games)
    unfinished = state.rules_.team - len(match.games) if state.rules_.team > 1 else 1
    return {"wins": [won[n] for n in match.players], "draws": drawn + unfinished, "kind": "played"}
