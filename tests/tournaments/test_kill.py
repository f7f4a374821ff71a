"""A whole event through the queue on the production stack: two workers, one of them killed in the middle."""

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.conftest import ROOT, wait_for
from tournaments.models import MatchGame, Tournament


@pytest.mark.production
def test_a_worker_killed_midway_costs_nothing(process_env, tmp_path):
    env = process_env | {"ARBITER_RUN": f"demo-{os.getpid()}", "LOG_LEVEL": "ERROR"}  # a queue of its own
    celery = [sys.executable, "-m", "celery", "-A", "config.celery"]
    worker = [*celery, "worker", "--concurrency=1", "--loglevel=ERROR"]
    started = [
        subprocess.Popen([*worker, "-n", f"w{n}@here"], cwd=ROOT, env=env, start_new_session=True) for n in (1, 2)
    ]
    beat = [*celery, "beat", "--loglevel=ERROR", "-s", str(tmp_path / "beat")]
    started.append(subprocess.Popen(beat, cwd=ROOT, env=env, start_new_session=True))
    demo = [
        sys.executable,
        "manage.py",
        "demo-tournament",
        "--queue",
        "--json",
        "--players",
        "12",
        "--rulebook",
        "highcard",
    ]
    before = set(Tournament.objects.values_list("stream", flat=True))
    try:
        running = subprocess.Popen(demo, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)

        def reported() -> int:
            new = Tournament.objects.exclude(stream__in=before).values_list("stream", flat=True)
            return MatchGame.objects.filter(tournament__in=list(new), reported=True).count()

        wait_for(lambda: reported() >= 4, 60)
        os.killpg(started[0].pid, signal.SIGKILL)
        assert running.poll() is None, "the kill came too late to show anything"
        out, _ = running.communicate(timeout=180)
    finally:
        for process in started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    report = json.loads(out.splitlines()[-1])
    assert report["ok"], report
    assert report["rounds"] == report["rounds_recomputed"] == 7
    assert report["replay_equals_standings"]
