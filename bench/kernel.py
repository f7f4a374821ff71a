"""The kernel on real rulebooks: decisions per CPU second, clone, view, redaction, load, rebuild, growth.

CPU time, the best of several turns: neighbours on the machine only ever make a turn slower.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from games.kernel import (
    apply,
    clone,
    decode,
    encode,
    fold,
    from_dict,
    names,
    new_table,
    redact_all,
    rulebook,
    to_dict,
    view,
)
from games.kernel.playout import random_game
from games.kernel.rulebook import Rulebook, Setup

from . import epic

TURNS = 7


def run() -> Iterator[dict[str, Any]]:
    for book in map(rulebook, names()):
        if book.goal is None:
            continue
        setups = book.sample_setups()
        for seats in sorted({setup.seats for setup in setups}):
            yield decisions(book, next(setup for setup in setups if setup.seats == seats))
        yield from moments(book, max(setups, key=lambda setup: setup.seats))
    yield from epic.run()
    yield from growth()


def row(name: str, value: float, unit: str, goal: float | None = None, **more: Any) -> dict[str, Any]:
    """`goal` in µs or ratio is a ceiling, in decisions/s a floor."""
    measured = more.get("ratio") if more.get("ratio") is not None else value
    floor = unit.endswith("/s")
    met = None if goal is None else bool(measured >= goal if floor else measured <= goal)
    text = None if goal is None else f"{'>=' if floor else '<='} {goal:,g}"
    return {"name": name, "value": round(value, 2), "unit": unit, "baseline": None, "ratio": None, **more,
            "goal": text, "met": met}  # fmt: skip


def decisions(book: Rulebook, setup: Setup) -> dict[str, Any]:
    """Random answers to real questions: choosing them included, views not (nobody looks)."""
    best = 0.0
    for turn in range(TURNS):
        made, began = 0, time.process_time()
        while (spent := time.process_time() - began) < 0.4:
            made += sum(1 for _ in random_game(book, setup, turn * 1000 + made)) - 1
        best = max(best, made / spent)
    return row(f"{book.name}, {setup.seats} seats: decisions", best, "CPU /s", book.goal)


def moments(book: Rulebook, setup: Setup) -> Iterator[dict[str, Any]]:
    """What one moment of a game costs: on tables of a whole game at the largest seat count."""
    events = max((list(random_game(book, setup, seed)) for seed in range(8)), key=len)
    tables = [event.table for event in events[1:]]
    name = f"{book.name}, {setup.seats} seats"
    sample = Random(1).sample(tables, min(40, len(tables)))
    yield row(f"{name}: clone", each(clone, sample), "µs", 10)
    yield row(f"{name}: view of a seat", each(lambda table: view(table, 0), sample), "µs")
    snapshots = [encode(table) for table in sample]
    yield row(f"{name}: snapshot", sum(map(len, snapshots)) / len(snapshots), "bytes")
    yield row(f"{name}: save", each(encode, sample), "µs")
    yield row(f"{name}: load from snapshot", each(decode, snapshots), "µs")
    before = [clone(table) for table in tables[:-1]]
    effects = [event.effects for event in events[2:]]
    forms = [[to_dict(effect) for effect in event] for event in effects]
    applied = apply_cost(before, effects)
    redacted = each(lambda event: redact_all(event, 0), forms)
    yield row(f"{name}: redact an event", redacted, "µs", 2.5, baseline="apply it", ratio=round(redacted / applied, 2))
    stored = [[to_dict(effect) for effect in event.effects] for event in events]
    rebuilt = each(lambda event: fold(new_table(), (from_dict(form) for one in event for form in one)), [stored])
    yield row(f"{name}: rebuild {len(events)} events", rebuilt / 1000, "ms")


def apply_cost(before: list[Any], effects: list[Any]) -> float:
    """Applying the effects of one event, without the copy it is applied to."""
    best = float("inf")
    for _ in range(TURNS):
        copies = [clone(table) for table in before]
        began = time.process_time()
        for table, event in zip(copies, effects, strict=True):
            for effect in event:
                apply(table, effect)
        best = min(best, time.process_time() - began)
    return best / len(before) * 1e6


def each(work: Callable[[Any], Any], things: list[Any]) -> float:
    """µs for one, the best of several turns over all of them."""
    rounds = max(1, 400 // len(things))
    best = float("inf")
    for _ in range(TURNS):
        began = time.process_time()
        for _ in range(rounds):
            for thing in things:
                work(thing)
        best = min(best, (time.process_time() - began) / rounds)
    return best / len(things) * 1e6


def growth() -> Iterator[dict[str, Any]]:
    """The 1,000th action of a game against its 10th, through decide, seal, hash, append and tell, on SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "DJANGO_SETTINGS_MODULE": "tests.settings", "ARBITER_STACK": "embedded",
            "ARBITER_TEST_DATABASE": f"{folder}/bench.sqlite3",
        }  # fmt: skip
        command = [sys.executable, "-m", "bench.kernel_growth", "theos"]
        done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    early, late = json.loads(done.stdout.splitlines()[-1])
    ratio = round(late / early, 2)
    yield row("theos: the 1,000th action of a game", late * 1e6, "µs", 1.2, baseline="the 10th", ratio=ratio)
