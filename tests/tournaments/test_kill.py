"""A whole event through the queue on the production stack: two workers, one of them killed in the middle."""

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT


@pytest.mark.production
@pytest.mark.parametrize(("rulebook", "games"), [("highcard", 4), ("theos", 0)], ids=["in a round", "in the draft"])
def test_a_worker_killed_midway_costs_nothing(process_env, rulebook, games):
    env = process_env | {"ARBITER_RUN": f"demo-{rulebook}-{os.getpid()}", "LOG_LEVEL": "ERROR"}  # a queue of its own
    killing = [sys.executable, "-m", "bench.tournament_kill", "12", rulebook, str(games)]
    run = subprocess.run(killing, cwd=ROOT, env=env, capture_output=True, text=True, timeout=280)
    assert run.returncode == 0, run.stderr[-2000:]
    report = json.loads(run.stdout.splitlines()[-1])
    assert report["killed_at_s"], "the kill came too late to show anything"
    assert report["ok"], report
    assert report["rounds"] == report["rounds_recomputed"] == {"highcard": 7, "theos": 5}[rulebook]
    assert report["drafts"] == report["drafts_verified"] == {"highcard": 0, "theos": 3}[rulebook]
    assert report["replay_equals_standings"]
