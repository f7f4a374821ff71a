"""A whole event with a draft on PostgreSQL, Redis and two worker processes, one of them killed midway
(BENCH_PLAYERS=64, BENCH_RULEBOOK=theos): it finishes, it verifies, and its standings equal a replay."""

import json
import os
from collections.abc import Iterator
from typing import Any

from bench.drafting import row
from bench.http import ROOT, python

PLAYERS = int(os.environ.get("BENCH_PLAYERS", "64"))
RULEBOOK = os.environ.get("BENCH_RULEBOOK", "theos")
GOAL_S = 480


def run() -> Iterator[dict[str, Any]]:
    from config.servers import Postgres, Redis

    with Postgres(durable=True) as postgres, Redis() as redis:
        environment = os.environ | {
            "ARBITER_MODE": "production", "ARBITER_BOOTSTRAP": "off", "DATABASE_URL": postgres.url,
            "REDIS_URL": redis.url, "SECRET_KEY": "bench " * 10, "ALLOWED_HOSTS": "127.0.0.1", "LOG_LEVEL": "ERROR",
            "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        python(environment, "manage.py", "migrate", "-v0")
        python(environment, "manage.py", "keys", "make")
        found = json.loads(
            python(environment, "-m", "bench.tournament_kill", str(PLAYERS), RULEBOOK, str(PLAYERS * 3 // 4))
        )
    if found["faults"]:
        print(*found["faults"], sep="\n")
    what = f"{PLAYERS} players, {RULEBOOK}, a worker killed"
    yield row(f"{what}: seconds", found["seconds"], "s", f"<= {GOAL_S}", found["seconds"] <= GOAL_S)
    yield row("killed after", found["killed_at_s"] or 0, "s", "midway", bool(found["killed_at_s"]))
    for name in ("drafts", "rounds", "games", "events"):
        yield row(name, found[name], name)
    for name in ("verified", "replay_equals_standings", "ok"):
        yield row(name.replace("_", " "), int(found[name]), "", "1", found[name])
    for name, wanted in (("rounds_recomputed", "rounds"), ("drafts_verified", "drafts")):
        yield row(name.replace("_", " "), found[name], wanted, str(found[wanted]), found[name] == found[wanted])
