"""Answered decisions per second over HTTP: 16 clients that play Theos, on the production set-up (PostgreSQL, Redis,
gunicorn as in the Procfile) and on the embedded default (`manage.py up`: SQLite, one process).

Clients, server and database share this machine's cores, and every answer is durable. The yardstick of the same minutes
is the disk: how many durable commits of one row a single writer gets, one after the other."""

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
UNLIMITED = {f"BUDGET_{name}": "1000000/1" for name in ("READS", "COMMANDS")}
GOALS = {"production": (600, 150.0), "embedded": (300, None)}


def run() -> Iterator[dict[str, Any]]:
    for name, stack in (("production", production), ("embedded", embedded)):
        with stack() as (environment, address):
            tokens = python(environment, "-m", "bench.http_clients", "prepare", str(2 * CLIENTS))
            disk = float(python(environment, "-m", "bench.http_clients", "commits", "2"))
            play = ["-m", "bench.http_clients", "play", *map(str, address), str(CLIENTS), str(SECONDS), RULEBOOK]
            before = cpu_seconds()
            found = json.loads(python(environment, *play, stdin=tokens))
            found["server_cpu_ms"] = 1000 * (cpu_seconds() - before) / found["all_answers"]
            yield from rows(name, found, disk)


def rows(stack: str, found: dict[str, float], disk: float) -> Iterator[dict[str, Any]]:
    rate, p99, goals = found["answers_per_s"], found["p99_ms"], GOALS[stack]
    yield row(f"{stack}: answers, {CLIENTS} clients", rate, "answers/s", goals[0], rate >= goals[0], disk)
    late = None if goals[1] is None else p99 < goals[1]
    yield row(f"{stack}: p99 of an answer", p99, "ms", None if late is None else f"< {goals[1]:g}", late)
    yield row(f"{stack}: median of an answer", found["p50_ms"], "ms")
    yield row(f"{stack}: reads per answer on top", found["reads_per_answer"], "reads")
    yield row(f"{stack}: CPU of server and database", found["server_cpu_ms"], "ms/answer")
    yield row(f"{stack}: the clients' own share", found["client_cpu"], "cores")


def row(
    name: str,
    value: float,
    unit: str,
    goal: float | str | None = None,
    met: bool | None = None,
    disk: float | None = None,
) -> dict[str, Any]:
    return {
        "name": name, "value": round(value, 2), "unit": unit, "baseline": "durable commits in turn" if disk else None,
        "ratio": round(value / disk, 2) if disk else None,
        "goal": f">= {goal}" if isinstance(goal, int) else goal, "met": met,
    }  # fmt: skip


@contextlib.contextmanager
def production() -> Iterator[tuple[dict[str, str], tuple[str, int]]]:
    """PostgreSQL that keeps its promises, Redis, and the web process of the Procfile."""
    from config.servers import Postgres, Redis, free_port

    with Postgres(durable=True) as postgres, Redis() as redis:
        port = free_port()
        environment = os.environ | UNLIMITED | {
            "ARBITER_MODE": "production", "ARBITER_BOOTSTRAP": "off", "DATABASE_URL": postgres.url,
            "REDIS_URL": redis.url, "SECRET_KEY": "bench " * 10, "ALLOWED_HOSTS": "127.0.0.1", "LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PORT": str(port),
        }  # fmt: skip
        python(environment, "manage.py", "migrate", "-v0")
        with running(environment, *procfile("web"), *procfile("sequencer")):
            yield environment, ready("127.0.0.1", port)


@contextlib.contextmanager
def embedded() -> Iterator[tuple[dict[str, str], tuple[str, int]]]:
    """`manage.py up` over a data directory of its own."""
    from config.servers import free_port

    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        environment = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
        environment |= UNLIMITED | {
            "ARBITER_MODE": "embedded", "ARBITER_BOOTSTRAP": "off", "ARBITER_DATA": folder, "LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        command = f"exec {sys.executable} manage.py up --port {port} --data {folder}"
        with running(environment, command):
            yield environment, ready("127.0.0.1", port)


def procfile(name: str) -> list[str]:
    return re.findall(rf"^{name}: (.*)$", (ROOT / "Procfile").read_text(), re.MULTILINE)


@contextlib.contextmanager
def running(environment: dict[str, str], *commands: str) -> Iterator[None]:
    processes = [
        subprocess.Popen(["sh", "-c", command], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        for command in commands
    ]
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
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


def cpu_seconds() -> float:
    """What the processes this one has started (servers and databases, not the clients, who have ended) have used."""
    from config.servers import children

    return sum(used(pid) for pid in children(os.getpid()))


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
