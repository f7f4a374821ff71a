"""What `manage.py` says when it cannot do what it was asked: one sentence, and exit status 1."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.platform.test_settings import PRODUCTION, without

pytestmark = pytest.mark.embedded

ROOT = Path(__file__).resolve().parents[2]


def said(*command: str, **variables: str) -> str:
    env = {"ARBITER_BOOTSTRAP": "off", "PATH": "/usr/bin:/bin"} | variables
    ended = subprocess.run(
        [sys.executable, "manage.py", *command], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 1, ended.stdout + ended.stderr
    [sentence] = ended.stderr.splitlines()
    return sentence


@pytest.mark.parametrize("command", ["migrate", "doctor", "verify", "keys", "sequencer", "help"])
def test_a_missing_secret_is_named(command):
    assert "SECRET_KEY is missing" in said(command, **without("SECRET_KEY"))


def test_a_data_directory_that_is_not_there_is_named(tmp_path):
    missing = str(tmp_path / "nowhere")
    for command in (["verify", "--all"], ["keys", "list"], ["rebuild", "--all"], ["role", "olga", "admin"]):
        assert f"there is no database in {missing}" in said(*command, ARBITER_DATA=missing)
    assert not Path(missing).exists()


def test_a_database_that_was_never_prepared_is_named(tmp_path):
    assert "is not prepared (no such table" in said("verify", "--all", ARBITER_DATA=str(tmp_path))


def test_a_database_that_does_not_answer_is_named(tmp_path):
    away = PRODUCTION | {"DATABASE_URL": f"postgresql://arbiter@/arbiter?host={tmp_path}"}
    assert "the database arbiter cannot be used" in said("verify", "--all", **away)
