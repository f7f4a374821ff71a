"""Appending: the raw insert as the limit, our append, our whole command, and the `eventsourcing` library.

All in one run, on the same server and disk, in turns: disks have moods, so only ratios of the same minutes count.
Writers are processes; each writes to streams of its own. Durable: every acknowledgement is on disk. The rows that set
the limit itself against the library say what any append could reach here: where a single writer waits for the disk,
everybody does."""

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SECONDS = float(os.environ.get("BENCH_SECONDS", "2"))
TURNS = 3
CONTESTANTS = ("raw insert", "append", "execute", "eventsourcing")


def run() -> Iterator[dict[str, Any]]:
    from config.servers import Postgres, Redis

    with Postgres(durable=True) as server, Redis() as redis, tempfile.TemporaryDirectory() as folder:
        postgres = {"ARBITER_STACK": "production", "DATABASE_URL": server.url, "REDIS_URL": redis.url}
        sqlite = {"ARBITER_STACK": "embedded", "ARBITER_TEST_DATABASE": str(Path(folder) / "bench.sqlite3")}
        found: dict[tuple[str, int, str], float] = {}
        for database, environment, crowds in (("PostgreSQL", postgres, (1, 8)), ("SQLite", sqlite, (1,))):
            worker("prepare", environment).communicate()
            for writers in crowds:
                rates = measure(writers, environment)
                for contestant, rate in rates.items():
                    found[database, writers, contestant] = rate
                yield from rows(f"{database}, {writers} writer{'s' * (writers > 1)}", rates)
        ratio = found["PostgreSQL", 8, "append"] / found["PostgreSQL", 1, "append"]
        yield row("PostgreSQL, append: 8 writers", found["PostgreSQL", 8, "append"], "1 writer", ratio, 1.5)


def rows(where: str, rates: dict[str, float]) -> Iterator[dict[str, Any]]:
    raw, library = rates["raw insert"], rates["eventsourcing"]
    yield row(f"{where}: raw insert", raw, None, None, None)
    yield row(f"{where}: append", rates["append"], "raw insert", rates["append"] / raw, 0.6)
    yield row(f"{where}: execute", rates["execute"], "raw insert", rates["execute"] / raw, None)
    yield row(f"{where}: eventsourcing", library, None, None, None)
    yield row(f"{where}: raw insert", raw, "eventsourcing", raw / library, None)
    yield row(f"{where}: append", rates["append"], "eventsourcing", rates["append"] / library, 4)
    yield row(f"{where}: execute", rates["execute"], "eventsourcing", rates["execute"] / library, None)


def row(name: str, value: float, baseline: str | None, ratio: float | None, goal: float | None) -> dict[str, Any]:
    return {
        "name": name, "value": round(value, 1), "unit": "events/s", "baseline": baseline,
        "ratio": round(ratio, 2) if ratio is not None else None, "goal": f">= {goal}" if goal else None,
        "met": ratio is not None and ratio >= goal if goal else None,
    }  # fmt: skip


def measure(writers: int, environment: dict[str, str]) -> dict[str, float]:
    rates: dict[str, list[float]] = {contestant: [] for contestant in CONTESTANTS}
    for _ in range(TURNS):
        for contestant in CONTESTANTS:
            crowd = [worker(contestant, environment) for _ in range(writers)]
            for one in crowd:
                if one.stdout.readline().strip() != "ready":  # type: ignore[union-attr]
                    raise RuntimeError(f"a writer of {contestant!r} did not start")
            for one in crowd:
                one.stdin.write("go\n")  # type: ignore[union-attr]
                one.stdin.flush()  # type: ignore[union-attr]
            rates[contestant].append(sum(float(one.communicate()[0]) for one in crowd))
    return {contestant: statistics.median(found) for contestant, found in rates.items()}


def worker(contestant: str, environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "bench.append_writers", contestant, str(SECONDS)],
        env={**os.environ, **environment, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
