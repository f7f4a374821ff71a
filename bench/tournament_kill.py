"""A whole event through the queue: two Celery workers, one of them killed midway.

    python -m bench.tournament_kill PLAYERS RULEBOOK GAMES      in an environment with PostgreSQL and Redis; prints JSON

The worker is killed when so many games have reported themselves (0: while the pods draft). What must come out: the
event finishes and verifies, every round and every pod can be recomputed, and its standings equal a replay."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from typing import Any

from bench.draft_storm import ROOT, start, stop, wait_for_workers


def main(players: int, rulebook: str, games: int) -> dict[str, Any]:
    import django

    django.setup()
    commands = (ROOT / "Procfile").read_text()
    worker, beat, sequencer = (
        re.search(rf"^{name}: (.*)$", commands, re.M)[1]  # type: ignore[index]
        for name in ("worker", "beat", "sequencer")
    )
    one = f"WORKERS=1; {worker}"
    processes = [start(f"{one} -n t1@%h"), start(f"{one} -n t2@%h"), start(beat), start(sequencer)]
    try:
        wait_for_workers(2)
        return event(players, rulebook, games, processes[0])
    finally:
        for process in processes:
            stop(process, signal.SIGKILL)


def event(players: int, rulebook: str, games: int, victim: subprocess.Popen[bytes]) -> dict[str, Any]:
    from tournaments.models import Tournament

    before = set(Tournament.objects.values_list("stream", flat=True))
    demo = [sys.executable, "manage.py", "demo-tournament", "--queue", "--json", "--players", str(players)]
    began = time.monotonic()
    running = subprocess.Popen([*demo, "--rulebook", rulebook], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    killed_at, patience = None, max(240, 8 * players)
    try:
        while running.poll() is None and time.monotonic() - began < patience:
            if killed_at is None and midway(before, games):
                stop(victim, signal.SIGKILL)
                killed_at = time.monotonic() - began
            time.sleep(0.05)
        if running.poll() is None:
            return {"ok": False, "why": f"not over after {patience} s", "killed_at_s": killed_at}
        out = running.stdout.read() if running.stdout else ""
    finally:
        running.kill()
    report: dict[str, Any] = json.loads(out.splitlines()[-1])
    return report | {"killed_at_s": None if killed_at is None else round(killed_at, 1), "load": os.getloadavg()[0]}


def midway(before: set[str], games: int) -> bool:
    from tournaments.models import MatchGame, PodDraft, Tournament

    new = [stream for stream in Tournament.objects.values_list("stream", flat=True) if stream not in before]
    if not games:
        return PodDraft.objects.filter(tournament__in=new).exists()
    return MatchGame.objects.filter(tournament__in=new, reported=True).count() >= games


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that its workers go with it
    print(json.dumps(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))))
