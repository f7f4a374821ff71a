"""What is queued is carried out, in time, by a worker of the stack's own kind."""

import time

from tests.conftest import wait_for
from tests.tasks import note_down


def test_a_task_runs_on_the_worker_with_the_stack_s_database(worker, tmp_path, stack):
    note_down.delay(str(tmp_path / "note"))
    vendor, _ = wait_for(lambda: said(tmp_path)).split()
    assert vendor == {"embedded": "sqlite", "production": "postgresql"}[stack]


def test_a_delay_is_a_delay(worker, tmp_path):
    queued = time.time()
    note_down.apply_async([str(tmp_path / "note")], countdown=1)
    ran = float(wait_for(lambda: said(tmp_path)).split()[1])
    assert 1 <= ran - queued < 4


def said(home) -> str:
    file = home / "note"
    return file.read_text() if file.exists() else ""
