"""Two real workers, one killed on the way; `manage.py bench drafting` does the same with fifty drafts."""

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT


@pytest.mark.production
def test_drafts_on_short_clocks_survive_the_death_of_a_worker(process_env):
    env = process_env | {"ARBITER_RUN": f"storm-{os.getpid()}", "LOG_LEVEL": "ERROR"}
    run = subprocess.run(
        [sys.executable, "-m", "bench.draft_storm", "4", "1", "700"], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr[-2000:]
    report = json.loads(run.stdout.splitlines()[-1])
    assert (report["lost"], report["doubled"], report["early"]) == (0, 0, 0), report
    assert 0.3 < report["picks_before_the_kill"] / (4 * 8 * 14) < 0.7, "half way"
    assert report["picks_of_the_house"] >= 4 * 4 * 14, "half of the seats were absent"
    assert report["late_ms"]["median"] <= 1000, report
