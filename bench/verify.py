"""How fast an export is checked, by the stdlib-only verifier, on exports of 20,000 events of about 500 bytes.

The baseline is the least anybody can do with the standard library: parse each line and hash it. Goal: 50,000 events a
second for the check of the chain, seals' roots included. Seconds are of CPU time: one thread works here, whoever else
is at work."""

import gc
import hashlib
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

from events.verifier import verify
from tests.verifier.exports import Game

EVENTS, ROUNDS, GOAL = 20_000, 5, 50_000


def long_game() -> Game:
    game = Game("gam_bench0001").begin().ready()
    cards = [f"card{n:02}" for n in range(60)]
    while len(game.events) < EVENTS:
        seq = len(game.events)
        if seq % 200 == 0:
            game.draw("shuffle", f"library:{seq % 2}", cards, only=0)
            continue
        effects = [
            {"card": seq, "e": "move", "from": "hand:0", "to": "slot:0"},
            {"by": -2, "card": 17, "e": "count", "name": "followers"},
            {"e": "ask", "id": f"d{seq + 1}", "kind": "commit", "seat": 1},
        ]
        hidden = [
            {"at": 1, "fields": {"key": "ruin"}, "only": {"key": 1}},
            {"at": 4, "effect": {"e": "agenda", "keep": 2, "push": [["resolve", {"card": seq}]]}, "only": 0},
        ]
        game.add("answer", {"decision": f"d{seq}", "path": [[3, 4]], "seat": seq % 2}, effects, hidden)
    return game


def fastest(work: Callable[[], Any]) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        gc.collect()
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def bare(lines: list[bytes]) -> None:
    for line in lines:
        json.loads(line)
        hashlib.sha256(line).digest()


def run() -> Iterator[dict[str, Any]]:
    game = long_game()
    views = [
        ("as anybody sees it: structure, chain, seals' roots", {"viewer": None}, GOAL),
        ("as a seat sees it: the above and one opening per event", {"viewer": 0}, None),
        ("opened: the above, every opening, what each seat was told, 60-card shuffles", {"opened": True}, None),
    ]
    for name, view, goal in views:
        lines = game.lines(proof=False, **view)
        if not verify(lines).ok:
            raise AssertionError("the bench made an export that does not verify")
        limit = EVENTS / fastest(lambda lines=lines: bare(lines))
        value = EVENTS / fastest(lambda lines=lines: verify(lines))
        yield {
            "name": f"verify {name}",
            "value": round(value),
            "unit": "events/s",
            "baseline": round(limit),
            "ratio": round(value / limit, 2),
            "goal": goal,
            "met": value >= goal if goal else None,
        }


if __name__ == "__main__":
    for row in run():
        print(row)
