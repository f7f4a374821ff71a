"""The Procfile, run: every process of production on the production stack, and none left behind."""

import json
import re
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import psycopg
import pytest

from config.servers import children, free_port, lives
from tests.conftest import ROOT, wait_for

NAMES = ["web", "stream", "worker", "sequencer", "beat"]


def test_the_procfile_has_exactly_production_s_processes():
    lines = (ROOT / "Procfile").read_text().splitlines()
    assert [line.split(":")[0] for line in lines] == NAMES


@pytest.fixture
def empty_database(database_url):
    """A database in which nothing has happened yet, beside this run's."""
    name = f"arbiter_test_{secrets.token_hex(4)}"
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f"create database {name}")
        yield urlsplit(database_url)._replace(path=f"/{name}").geturl()
        connection.execute(f"drop database {name} with (force)")


@pytest.mark.production
def test_all_of_them_run_here_and_stop_together(process_env, empty_database, tmp_path):
    ports = {"PORT": free_port(), "STREAM_PORT": free_port()}
    own = {"DJANGO_SETTINGS_MODULE": "config.settings", "ARBITER_MODE": "production", "ARBITER_KEYS": str(tmp_path)}
    env = process_env | {name: str(port) for name, port in ports.items()} | own | {"DATABASE_URL": empty_database}
    subprocess.run([sys.executable, "manage.py", "migrate"], cwd=ROOT, env=env, check=True, capture_output=True)
    subprocess.run([sys.executable, "manage.py", "keys", "make"], cwd=ROOT, env=env, check=True, capture_output=True)

    log = (tmp_path / "log").open("w+")
    command = [sys.executable, "manage.py", "processes"]
    with subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log, start_new_session=True) as process:
        try:
            for port in ports.values():
                wait_for(lambda port=port: ready(port), 120)
            started = [process.pid, *children(process.pid)]
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)
    log.seek(0)
    said = log.read()
    assert sorted(re.findall(r"(\w+)\.1 started", said)) == sorted(NAMES), said
    assert "Traceback" not in said, said
    time.sleep(0.2)
    assert [pid for pid in started if lives(pid)] == []


@pytest.mark.production
def test_no_process_of_web_outlives_the_first(process_env):
    """Killed outright, too: its successor must not find the old ones answering beside its own."""
    port = free_port()
    own = {"DJANGO_SETTINGS_MODULE": "config.settings", "ARBITER_MODE": "production", "PORT": str(port)}
    web = subprocess.Popen([sys.executable, "-m", "config.web"], cwd=ROOT, env=process_env | own)
    try:
        wait_for(lambda: answers(port), 60)
        started = children(web.pid)
        assert len(started) >= 2
    finally:
        web.kill()
        web.wait(10)
    wait_for(lambda: not any(lives(pid) for pid in started), 20)


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as response:
            return response.status == 200
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


def ready(port: int) -> bool:
    """/readyz says yes: database, broker and whatever else has registered there."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as response:
            return bool(json.load(response)) and response.status == 200
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False
