"""/healthz, /readyz, /metrics: what whoever runs the service looks at."""

import subprocess
import sys
import threading
import time

import pytest
from django.db import connection, connections
from django.test import Client

from config.api import health
from tests.conftest import wait_for


@pytest.fixture
def part(db, monkeypatch):
    """A part whose check can be told what to do."""

    class Part:
        does = staticmethod(lambda: "fine")

    monkeypatch.setattr(health, "FRESH", 0.0)
    monkeypatch.setattr(health, "PATIENCE", 0.3)
    monkeypatch.setitem(health._checks, "part", lambda: Part.does())
    yield Part
    health._running.pop("part", None)


def ready():
    answer = Client().get("/readyz")
    return answer.status_code, answer.json()


def fail(exc):
    def failing():
        raise exc

    return failing


def test_alive_without_asking_anybody(django_assert_num_queries):
    assert Client().get("/healthz").json() == {"ok": True}


def test_ready_when_every_part_is(part, stack):
    status, said = ready()
    assert status == 200
    assert said["checks"]["part"] == {"ok": True, "detail": "fine"}
    assert said["checks"]["database"] == {"ok": True, "detail": "sqlite" if stack == "embedded" else "postgresql"}
    assert said["checks"]["broker"] == {"ok": True, "detail": "in this process" if stack == "embedded" else "redis"}


def test_says_what_is_wrong_and_recovers_by_itself(part):
    part.does = fail(health.NotReady("the feed is 900 events behind"))
    status, said = ready()
    assert (status, said["ok"]) == (503, False)
    assert said["checks"]["part"] == {"ok": False, "detail": "the feed is 900 events behind"}
    assert said["checks"]["database"]["ok"]

    part.does = lambda: "fine"
    assert ready()[0] == 200


def test_an_unforeseen_failure_is_not_shown_in_full(part):
    part.does = fail(ConnectionError("redis://user:secret@10.0.0.7 refused"))
    status, said = ready()
    assert status == 503
    assert said["checks"]["part"]["detail"] == "ConnectionError; the log says more"


def test_a_part_that_hangs_keeps_nobody_waiting(part):
    released, calls = threading.Event(), []

    def hang():
        calls.append(1)
        released.wait(10)
        return "back"

    part.does = hang
    began = time.monotonic()
    for _ in range(3):
        status, said = ready()
        assert (status, said["checks"]["part"]["detail"]) == (503, "no answer within 0.3 s")
    assert time.monotonic() - began < 2
    assert calls == [1]  # not started again while it hangs

    released.set()
    time.sleep(0.05)
    assert ready()[0] == 200


AWAY = {"sqlite": {"NAME": "/nowhere/arbiter.sqlite3"}, "postgresql": {"HOST": "127.0.0.1", "PORT": "1"}}


def test_a_database_that_is_away_and_comes_back(part, monkeypatch):
    with monkeypatch.context() as away:
        for key, value in AWAY[connection.vendor].items():
            away.setitem(connections.settings["default"], key, value)
        status, said = ready()
        assert (status, said["checks"]["database"]["ok"]) == (503, False)
        assert said["checks"]["database"]["detail"] == "OperationalError; the log says more"
    wait_for(lambda: ready()[0] == 200)


def test_a_broker_that_is_away_and_comes_back(part, settings):
    real, settings.REDIS_URL = settings.REDIS_URL, "redis://127.0.0.1:1/0"
    status, said = ready()
    assert (status, said["checks"]["broker"]["detail"]) == (503, "ConnectionError; the log says more")
    settings.REDIS_URL = real
    wait_for(lambda: ready()[0] == 200)


@pytest.fixture
def metrics(db, settings):
    """What whoever has the token reads."""
    settings.METRICS_TOKEN = "scrape-me"
    return lambda: Client().get("/metrics", headers={"Authorization": "Bearer scrape-me"}).content.decode()


def test_metrics_count_by_route_template(api, person, metrics):
    def count() -> float:
        wanted = 'arbiter_http_request_seconds_count{method="GET",route="/api/v1/tokens/<id:token>",status="404"} '
        lines = metrics().splitlines()
        return sum(float(line.removeprefix(wanted)) for line in lines if line.startswith(wanted))

    mine, before = api(person().token), count()
    mine.read("/tokens/tok_a")
    mine.read("/tokens/tok_b")
    assert count() == before + 2


def test_methods_do_not_multiply_series(api, metrics):
    for _ in range(2):
        api().send("BREW", "/me")
    assert "BREW" not in metrics()


def test_metrics_are_for_who_has_the_token(settings):
    settings.METRICS_TOKEN, settings.EMBEDDED = "", False
    closed = Client().get("/metrics")
    assert (closed.status_code, closed.content) == (403, b"closed: METRICS_TOKEN is not set\n"), "not open by oversight"
    settings.EMBEDDED = True
    assert Client().get("/metrics").status_code == 200, "the embedded stack listens on this machine only"
    settings.METRICS_TOKEN = "scrape-me"
    assert Client().get("/metrics").status_code == 401
    assert Client().get("/metrics", headers={"Authorization": "Bearer scrape-me"}).status_code == 200
    assert Client().get("/metrics", headers={"Authorization": "Bearer ж"}).status_code == 401


def test_metrics_of_several_processes_are_added_up(tmp_path, process_env):
    script = (
        "import django; django.setup()\n"
        "from django.test import Client\n"
        "c = Client(headers={'host': 'localhost', 'authorization': 'Bearer t'}); c.get('/healthz')\n"
        "print(c.get('/metrics').content.decode())\n"
    )
    env = process_env | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "LOG_LEVEL": "ERROR", "METRICS_TOKEN": "t"}
    for expected in ("1.0", "2.0"):
        out = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True).stdout
        [line] = [x for x in out.splitlines() if x.startswith("arbiter_http_request_seconds_count") and "/healthz" in x]
        assert line.endswith(f" {expected}")
    assert len({file.stem.split("_")[-1] for file in tmp_path.iterdir()}) == 2
