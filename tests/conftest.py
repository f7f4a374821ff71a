"""Fixtures every test may use. What belongs to one room lives in that room's conftest."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from django.db import connection

pytest_plugins = ["tests.rules"]

ROOT = Path(__file__).resolve().parent.parent


PURE = ("conformance", "kernel", *(path.name for path in (ROOT / "games" / "rulebooks").iterdir()))


def pytest_collection_modifyitems(config, items):
    """What touches neither database nor broker, the rules and their kernel, runs once: on the embedded leg."""
    for item in items:
        if item.path.relative_to(ROOT / "tests").parts[0] in PURE and "db" not in item.fixturenames:
            item.add_marker(pytest.mark.embedded)
    other = {"embedded": "production", "production": "embedded"}[os.environ["ARBITER_STACK"]]
    config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker(other)])
    items[:] = [item for item in items if not item.get_closest_marker(other)]


@pytest.fixture(scope="session")
def stack() -> str:
    """embedded or production: which of the two stacks this run is on."""
    return os.environ["ARBITER_STACK"]


@pytest.fixture
def db(django_db_setup, django_db_blocker):
    """The database with real commits, instead of pytest-django's: no rollback and no flush afterwards, because the
    event table refuses both, rightly. Tests work in streams and people of their own."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture
def database_url(db) -> str:
    """The url of this run's test database, for other processes and other libraries."""
    wanted = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{quote(str(wanted['NAME']))}"
    login = quote(wanted["USER"], safe="") + (f":{quote(wanted['PASSWORD'], safe='')}" if wanted["PASSWORD"] else "")
    where = {key.lower(): wanted[key] for key in ("HOST", "PORT") if wanted[key]}
    return f"postgresql://{login}@/{quote(wanted['NAME'], safe='')}?{urlencode(where)}"


@pytest.fixture
def process_env(database_url) -> dict[str, str]:
    """The environment in which another process works on this run's database and broker."""
    return os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATABASE_URL": database_url,
        "ARBITER_BOOTSTRAP": "off",
        "PYTHONPATH": str(ROOT),
    }


@pytest.fixture
def worker(stack, process_env) -> Iterator[None]:
    """A Celery worker that carries out what this test queues: a thread on the embedded stack, else a process of its
    own. It ends with the test: others want to see what happens before anybody takes the task."""
    from config.celery import app
    from config.embedded import worker as worker_thread

    if stack == "embedded":
        with worker_thread(app):
            yield
        return
    celery = [sys.executable, "-m", "celery", "-A", "config.celery", "worker", "--concurrency=2", "--loglevel=WARNING"]
    with subprocess.Popen(celery, cwd=ROOT, env=process_env) as process:
        try:
            wait_for(lambda: app.control.ping(timeout=0.5), 30)
            yield
        finally:
            process.terminate()


def wait_for(condition, seconds: float = 10.0):
    """The first true value of `condition()`, asked every few milliseconds; a failed test when there is none in time."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            pytest.fail(f"still waiting after {seconds} s for {getattr(condition, '__qualname__', condition)}")
        time.sleep(0.02)
    return value


@contextlib.contextmanager
def triggers_off(using) -> Iterator[None]:
    """No trigger of ours fires in here: what a forger with full rights over the database could do."""
    off, on = TRIGGER_SWITCH[using.vendor](using)
    with using.cursor() as cursor:
        for statement in off:
            cursor.execute(statement)
        yield
        for statement in on:
            cursor.execute(statement)


def sqlite_switch(using) -> tuple[list[str], list[str]]:
    with using.cursor() as cursor:
        cursor.execute("select name, sql from sqlite_master where type = 'trigger'")
        triggers = cursor.fetchall()
    return [f'drop trigger "{name}"' for name, _ in triggers], [sql for _, sql in triggers]


def postgres_switch(using) -> tuple[list[str], list[str]]:
    with using.cursor() as cursor:
        cursor.execute("select distinct tgrelid::regclass::text from pg_trigger where not tgisinternal")
        tables = [table for (table,) in cursor.fetchall()]
    return [f"alter table {t} disable trigger user" for t in tables], [
        f"alter table {t} enable trigger user" for t in tables
    ]


TRIGGER_SWITCH = {"sqlite": sqlite_switch, "postgresql": postgres_switch}
