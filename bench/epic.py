"""What the extremes of Epic cost: a deeply stacked line, and a board of sixty champions under continuous abilities."""

import time
from collections.abc import Iterator
from random import Random
from typing import Any

from games.kernel import clone, decide, new_table, rulebook
from games.kernel.decide import waiting
from games.kernel.effects import Begin
from games.kernel.play import T
from games.kernel.playout import random_move
from games.kernel.table import PUBLIC, Table
from games.rulebooks.epic import board, values
from games.rulebooks.epic.battle import battle_step
from games.rulebooks.epic.turn import begin_step, cleanup, turns

KEY = b"bench" + b"\0" * 27
LINE = 200
CHAMPIONS = ["EP100", "EP081", "EP050", "EP072", "EP014", "EP040"]
LORDS = ["EP045", "EP002", "EP058", "EP098", "EP086"]
"""Temple Exemplar, Battle Standard, Banner of the Dawn, Drums of the Warpath, Alpha of the Long Dark."""
TURNS = 5


def run() -> Iterator[dict[str, Any]]:
    plain = tables(laid(4, "build"), 60)
    deep, wide = stacked(), tables(laid(60, "battle"), 60)
    ground = per_decision(plain)
    yield row("epic: a decision on a small board", ground)
    yield row(f"epic: a decision with {LINE} items on the line", per_decision(deep), ground, 3)
    yield row("epic: a decision on a board of 60 champions", per_decision(wide), ground, 15)
    yield row("epic: a board of 60 champions evaluated anew", evaluated(wide[0]), None, 1000)


def row(name: str, value: float, ground: float | None = None, goal: float | None = None) -> dict[str, Any]:
    ratio = None if ground is None else round(value / ground, 1)
    measured = value if ratio is None else ratio
    return {
        "name": name, "value": round(value, 1), "unit": "µs", "baseline": "a small board" if ground else None,
        "ratio": ratio, "goal": None if goal is None else f"<= {goal:g}",
        "met": None if goal is None else measured <= goal,
    }  # fmt: skip


def laid(champions: int, step: str) -> Table:
    """A table in the middle of a turn, with that many champions and, on a big one, what makes them all stronger."""
    book = rulebook("epic")
    t = T(new_table(), book, KEY)
    t.emit(Begin(rulebook=book.id, teams=[0, 1]))
    for zone in (board.PLAY, board.LINE, board.REMOVED, board.UNDER):
        t.zone(zone, ids=PUBLIC, faces=PUBLIC)
    for seat in (0, 1):
        for zones, who in ((board.HAND, [seat]), (board.DECK, 0), (board.DISCARD, PUBLIC), (board.GONE, 0)):
            t.zone(zones[seat], ids=who, faces=who, owner=seat)
        t.make(["EP100"] * 40, seat, board.DECK[seat])
        t.make(["EP003", "EP031", "EP034", "EP104"], seat, board.HAND[seat])
        keys = (CHAMPIONS * 10)[: champions // 2]
        t.make(keys + (LORDS if champions > 20 else ["EP089"]), seat, board.PLAY)
        t.count(seat, "mojo", 500)
        t.count(seat, "actions", 1)
    for name, value in {"turn": [5, 0], "step": step, "normal": 0, "in_a_row": 1}.items():
        t.set(name, value)
    t.seq(*([battle_step()] if step == "battle" else []), begin_step("build"), begin_step("end"), cleanup(), turns())
    t.run()
    return t.s


def tables(table: Table, count: int) -> list[Table]:
    """Tables of random play from here."""
    rng, found = Random(3), [table]
    while len(found) < count and found[-1].outcome is None:
        found.append(random_move(found[-1], rng, KEY).table)
    return [one for one in found if one.outcome is None]


def stacked() -> list[Table]:
    """Fenwater Viper's ability, free to use again and again, on the line so many times."""
    table = laid(4, "build")
    t = T(clone(table), rulebook("epic"), KEY)
    t.make(["EP093", "EP093"], 0, board.HAND[0])
    t.run()
    table = t.s
    while len(table.zones[board.LINE].cards) < LINE:
        [ask] = waiting(table)
        use = next(option for option in ask.shape.options if option.startswith("use:"))
        action = {"do": "answer", "seat": 0, "decision": ask.id, "path": [[use]]}
        table = decide(table, action, KEY, lambda part: part.shape.options[: part.shape.lo]).table
    return tables(table, 60)


def per_decision(found: list[Table]) -> float:
    """µs for a random answer, the best of several turns."""
    best = float("inf")
    for _ in range(TURNS):
        rng, began = Random(1), time.process_time()
        for table in found:
            random_move(table, rng, KEY)
        best = min(best, time.process_time() - began)
    return best / len(found) * 1e6


def evaluated(table: Table) -> float:
    things = [table.cards[card] for card in table.zones[board.PLAY].cards]
    best = float("inf")
    for _ in range(TURNS):
        began = time.process_time()
        for _ in range(20):
            values._evaluate(things, [seat.marks for seat in table.seats], 0)
        best = min(best, time.process_time() - began)
    return best / 20 * 1e6
