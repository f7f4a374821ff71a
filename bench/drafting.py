"""Drafts: picks per second through the service on PostgreSQL, durable; the rebuild of a draft of eight with three packs
from its log; and fifty of them at once on two-second clocks with half of the seats absent (BENCH_STORM=50; 0 skips it).
"""

import json
import os
import secrets
import sys
import time
from collections.abc import Iterator
from random import Random
from typing import Any

from bench.http import ROOT, python

STORM = int(os.environ.get("BENCH_STORM", "50"))
PACKS = int(os.environ.get("BENCH_PACKS", "3"))


def run() -> Iterator[dict[str, Any]]:
    from config.servers import Postgres, Redis

    with Postgres(durable=True) as postgres, Redis() as redis:
        environment = os.environ | {
            "ARBITER_MODE": "production", "ARBITER_BOOTSTRAP": "off", "DATABASE_URL": postgres.url,
            "REDIS_URL": redis.url, "SECRET_KEY": "bench " * 10, "ALLOWED_HOSTS": "127.0.0.1", "LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        python(environment, "manage.py", "migrate", "-v0")
        found = json.loads(python(environment, "-m", "bench.drafting", "picks"))
        yield row("8 seats, 3 packs: picks, one writer", found["picks_per_s"], "picks/s")
        yield row("the rules alone", found["rules_per_s"], "picks/s")
        yield row("rebuild of the whole draft from its log", found["rebuild_ms"], "ms")
        yield row("events of it", found["events"], "events")
        if STORM:
            python(environment, "manage.py", "keys", "make")
            storm = json.loads(python(environment, "-m", "bench.draft_storm", str(STORM), str(PACKS), "2000"))
            what = f"{STORM} drafts at once, a worker killed"
            yield row(f"{what}: seconds", storm["seconds"], "s")
            yield row(f"{what}: picks by the house", storm["picks_of_the_house"], "picks")
            for fault in ("lost", "doubled", "early"):
                yield row(f"{what}: {fault}", storm[fault], "picks", "0", storm[fault] == 0)
            half = storm["picks_before_the_kill"] / (storm["picks_of_people"] + storm["picks_of_the_house"])
            yield row(f"{what}: when it was killed", 100 * half, "% picked", "30-70", 0.3 < half < 0.7)
            late = storm["late_ms"]
            for mark in ("median", "p90", "p99"):
                yield row(f"{what}: late, {mark}", late[mark], "ms")
            yield row(f"{what}: late, most", late["most"], "ms", "<= 1000", late["most"] <= 1000)


def row(name: str, value: float, unit: str, goal: str | None = None, met: bool | None = None) -> dict[str, Any]:
    return {
        "name": name, "value": round(value, 1), "unit": unit, "baseline": None, "ratio": None, "goal": goal, "met": met,
    }  # fmt: skip


def picks() -> dict[str, float]:
    """One whole draft through the service, then read back cold."""
    import django

    django.setup()
    from accounts.models import User
    from drafting import services
    from events import heads, store
    from games import services as games
    from games.kernel import rulebook
    from games.kernel.playout import random_game
    from games.kernel.rulebook import Setup
    from games.state import choosers

    people = [User.objects.create(name=f"bench{secrets.token_hex(6)}") for _ in range(8)]
    terms = {"rulebook": "draft", "options": {"packs": 3, "build": 0}, "clock": {"pace": "online"}}
    stream = services.create(people[0], terms, 8, secrets.token_hex(8)).stream
    services.seat_all(stream, people)
    rng, count, began = Random(1), 0, time.perf_counter()
    while waited := choosers(game := heads.known(stream).state):
        for seat, decisions in waited.items():
            options = game.table.open[decisions[0]].shape.options
            games.answer(stream, people[seat], decisions[0], [[rng.choice(options)]], f"p-{decisions[0]}")
            count += 1
    took = time.perf_counter() - began
    heads.heads.forget()
    began = time.perf_counter()
    head = heads.fold(heads.beginning(store.stream_key(stream)), store.read(stream))  # type: ignore[arg-type]
    rebuilt = time.perf_counter() - began
    began = time.process_time()
    alone = sum(1 for _ in random_game(rulebook("draft"), Setup(8, {"packs": 3, "build": 0}), 1)) - 1
    return {
        "picks_per_s": count / took, "rebuild_ms": 1000 * rebuilt, "events": head.seq,
        "rules_per_s": alone / (time.process_time() - began),
    }  # fmt: skip


if __name__ == "__main__" and sys.argv[1:] == ["picks"]:
    print(json.dumps(picks()))
