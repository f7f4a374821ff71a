"""Pairing a round and computing standings, in CPU seconds, from events already folded: fields in which five rounds
have been played. Beside networkx, on the sizes it can do, with the same pairs found by both."""

import gc
import time
from collections.abc import Callable, Iterator
from typing import Any

from tests.tournaments.fields import Event
from tests.tournaments.test_pairing import by_networkx
from tournaments.core import swiss
from tournaments.core.standings import FAMILIES, standings

GOALS = {500: 1.0, 10_000: 2.0, 50_000: 10.0}


def cpu(work: Callable[[], Any], times: int = 1) -> tuple[float, Any]:
    best, found = float("inf"), None
    for _ in range(times):
        gc.collect()
        began = time.process_time()
        found = work()
        best = min(best, time.process_time() - began)
    return best, found


def played(players: int, rounds: int) -> Event:
    event = Event(players)
    for _ in range(rounds):
        event.play()
    return event


def run() -> Iterator[dict[str, Any]]:
    for players in (100, 200):
        field = played(players, 5).field()
        ours, pairs = cpu(lambda f=field: swiss.pair(f).pairs, 3)
        theirs, others = cpu(lambda f=field: swiss.pair(f, by_networkx).pairs)
        yield row(f"{players} players, exact", ours, None, theirs, same=pairs == others)
    for players, goal in GOALS.items():
        field = played(players, 5).field()
        seconds, _ = cpu(lambda f=field: swiss.pair(f), 3 if players <= 10_000 else 1)
        yield row(f"{players} players, {'exact' if players <= swiss.EXACT else 'in blocks of 500'}", seconds, goal)
    yield from blocks()
    event = played(10_000, 15)
    seconds, _ = cpu(lambda: standings(event.players, event.results, FAMILIES["magic"], b"k" * 16), 3)
    yield row("standings, 10000 players, 15 rounds, exact", seconds, 1.0)


def blocks() -> Iterator[dict[str, Any]]:
    """A field in two blocks: what networkx finds in them."""
    field = played(520, 5).field()
    ours, pairs = cpu(lambda: swiss.pair(field).pairs, 3)
    theirs, others = cpu(lambda: swiss.pair(field, by_networkx).pairs)
    yield row("520 players, in blocks of 500", ours, None, theirs, same=pairs == others)


def row(
    name: str, seconds: float, goal: float | None, theirs: float | None = None, *, same: bool | None = None
) -> dict[str, Any]:
    wanted = "same pairs" if same is not None else f"<= {goal:g}"
    return {
        "name": name, "value": round(seconds, 4), "unit": "CPU s", "baseline": "networkx" if theirs else None,
        "ratio": round(theirs / seconds, 1) if theirs else None, "goal": wanted,
        "met": same if same is not None else seconds <= (goal or 0),
    }  # fmt: skip
