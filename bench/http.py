"""Answered decisions per second over HTTP: 16 clients that play Theos, on the production set-up (PostgreSQL, Redis, all
processes of the Procfile, the budgets of production) and on the embedded default (`manage.py up`: SQLite, one process).

Clients, server and database share this machine's cores, and every answer is durable. The yardstick of the same minutes
is the disk: how many durable commits of one row a single writer gets, one after the other. A client plays both seats of
its table over one connection; the rows "a connection per seat" show the same with two, which in production often end in
two different processes."""

import contextlib
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CLIENTS = 16
SECONDS = float(os.environ.get("BENCH_SECONDS", "8"))
RULEBOOK = os.environ.get("BENCH_RULEBOOK", "theos")
GOALS: dict[str, tuple[int, float | None]] = {"production": (600, 150.0), "embedded": (300, None)}


def run() -> Iterator[dict[str, Any]]:
    for name, stack in (("production", production), ("embedded", embedded)):
        with stack() as (environment, address, parts):
            disk = float(python(environment, "-m", "bench.http_clients", "commits", "2"))
            yield from rows(name, measure(environment, address, parts, "1"), disk)
            yield from apart(name, measure(environment, address, parts, "2"))


def rows(stack: str, found: dict[str, Any], disk: float) -> Iterator[dict[str, Any]]:
    rate, p99, (least, latest) = found["answers_per_s"], found["p99_ms"], GOALS[stack]
    yield row(f"{stack}: answers, {CLIENTS} clients", rate, "answers/s", f">= {least}", rate >= least, disk)
    late = None if latest is None else p99 < latest
    yield row(f"{stack}: p99 of an answer", p99, "ms", None if late is None else f"< {latest:g}", late)
    yield row(f"{stack}: median of an answer", found["p50_ms"], "ms")
    yield row(f"{stack}: reads per answer on top", found["reads_per_answer"], "reads")
    for part, seconds in found["cpu"].items():
        yield row(f"{stack}: CPU of {part}", 1000 * seconds / found["answers"], "ms/answer")
    yield row(f"{stack}: the clients' own share", found["client_cpu"], "cores")


def apart(stack: str, found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield row(f"{stack}: answers, a connection per seat", found["answers_per_s"], "answers/s")
    yield row(f"{stack}: p99, a connection per seat", found["p99_ms"], "ms")


def row(
    name: str,
    value: float,
    unit: str,
    goal: str | None = None,
    met: bool | None = None,
    disk: float | None = None,
) -> dict[str, Any]:
    return {
        "name": name, "value": round(value, 2), "unit": unit, "baseline": "durable commits in turn" if disk else None,
        "ratio": round(value / disk, 2) if disk else None, "goal": goal, "met": met,
    }  # fmt: skip


Parts = dict[str, list[int]]  # what the stack is made of, and the processes it began as
Stack = tuple[dict[str, str], tuple[str, int], Parts]


def measure(environment: dict[str, str], address: tuple[str, int], parts: Parts, connections: str) -> dict[str, Any]:
    """New people play for some seconds; what they saw, and the CPU each part of the stack used meanwhile."""
    tokens = python(environment, "-m", "bench.http_clients", "prepare", str(2 * CLIENTS))
    command = [
        "-m",
        "bench.http_clients",
        "play",
        *map(str, address),
        str(CLIENTS),
        str(SECONDS),
        RULEBOOK,
        connections,
    ]
    with subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as players:
        assert players.stdin
        assert players.stdout
        players.stdin.write(tokens)
        players.stdin.close()
        players.stdout.readline()  # they are warm
        before = used_by(parts)
        found = json.loads(players.stdout.readline() or "null")
        after = used_by(parts)
    if found is None:
        raise RuntimeError("the clients gave up; they say why above")
    return found | {"cpu": {part: after[part] - before[part] for part in parts}}


@contextlib.contextmanager
def production() -> Iterator[Stack]:
    """PostgreSQL that keeps its promises, Redis, and every process of the Procfile."""
    from config.servers import Postgres, Redis, free_port

    with Postgres(durable=True) as postgres, Redis() as redis, tempfile.TemporaryDirectory() as folder:
        port, stream_port = free_port(), free_port()
        environment = os.environ | {
            "ARBITER_MODE": "production", "ARBITER_BOOTSTRAP": "off", "DATABASE_URL": postgres.url,
            "REDIS_URL": redis.url, "SECRET_KEY": "bench " * 10, "ALLOWED_HOSTS": "127.0.0.1", "LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT), "ARBITER_KEYS": folder,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PORT": str(port),
            "STREAM_PORT": str(stream_port),
        }  # fmt: skip
        python(environment, "manage.py", "migrate", "-v0")
        python(environment, "manage.py", "keys", "make")
        with running(environment, procfile()) as parts:
            servers = {"PostgreSQL": [postgres.process.pid], "Redis": [redis.process.pid]}  # type: ignore[union-attr]
            settle(ready("127.0.0.1", port), parts | servers)
            yield environment, ("127.0.0.1", port), parts | servers


@contextlib.contextmanager
def embedded() -> Iterator[Stack]:
    """`manage.py up` over a data directory of its own."""
    from config.servers import free_port

    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        environment = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
        environment |= {
            "ARBITER_MODE": "embedded", "ARBITER_BOOTSTRAP": "off", "ARBITER_DATA": folder, "LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        command = f"exec {sys.executable} manage.py up --port {port} --data {folder}"
        with running(environment, {"the process": command}) as parts:
            settle(ready("127.0.0.1", port), parts)
            yield environment, ("127.0.0.1", port), parts


def procfile() -> dict[str, str]:
    return dict(re.findall(r"^(\w+): (.*)$", (ROOT / "Procfile").read_text(), re.MULTILINE))


@contextlib.contextmanager
def running(environment: dict[str, str], commands: dict[str, str]) -> Iterator[Parts]:
    processes = {
        name: subprocess.Popen(["sh", "-c", command], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        for name, command in commands.items()
    }
    try:
        yield {name: [process.pid] for name, process in processes.items()}
    finally:
        for process in processes.values():
            process.terminate()
        for process in processes.values():
            process.wait(30)


def ready(host: str, port: int, patience: float = 60.0) -> tuple[str, int]:
    ends = time.monotonic() + patience
    while time.monotonic() < ends:
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection(host, port, timeout=2)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return host, port
        time.sleep(0.1)
    raise RuntimeError(f"nothing answers on {host}:{port}")


def settle(address: tuple[str, int], parts: Parts, patience: float = 30.0) -> None:
    """Until everything has started: what is measured is play, not imports."""
    ends, before = time.monotonic() + patience, sum(used_by(parts).values())
    while time.monotonic() < ends:
        time.sleep(1)
        now = sum(used_by(parts).values())
        if now - before < 0.15:
            return
        before = now


def used_by(parts: Parts) -> dict[str, float]:
    """CPU seconds of each part's processes, with those they started."""
    from config.servers import children

    return {part: sum(used(one) for pid in pids for one in [pid, *children(pid)]) for part, pids in parts.items()}


def used(pid: int) -> float:
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def python(environment: dict[str, str], *arguments: str, stdin: str | None = None) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, input=stdin, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments[:3])}: {done.stderr.strip()[-2000:]}")
    return done.stdout
