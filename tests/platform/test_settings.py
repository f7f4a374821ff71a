"""Production starts with everything it needs or says in one sentence what is missing."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.embedded  # the same on any stack: once is enough

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "DATABASE_URL": "postgresql://arbiter:p%40ss@db.example:5433/arbiter?sslmode=require",
    "REDIS_URL": "redis://cache.example:6379/2",
    "SECRET_KEY": "x" * 50,
    "ALLOWED_HOSTS": "arbiter.example, www.arbiter.example",
}


def load(variables: dict[str, str], show: str = "'ok'", module: str = "config.settings") -> str:
    """What importing `module` in a process of its own prints: a value, or the error's last line."""
    code = f"import {module}\nfrom config import settings as s\nprint(({show}))"
    ended = subprocess.run([sys.executable, "-c", code], env=variables, cwd=ROOT, capture_output=True, text=True)
    return (ended.stdout or ended.stderr).strip().splitlines()[-1]


def without(name: str) -> dict[str, str]:
    return {key: value for key, value in PRODUCTION.items() if key != name}


@pytest.mark.parametrize("name", PRODUCTION)
def test_a_missing_variable_is_named(name):
    assert f"{name} is missing: production does not start without it" in load(without(name))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"REDIS_URL": "memory://"}, "production needs a real broker"),
        ({"DATABASE_URL": "sqlite:///arbiter.sqlite3"}, "it must be postgresql://"),
        ({"OPEN_REGISTRATION": "maybe"}, "OPEN_REGISTRATION is 'maybe'; say on or off."),
        ({"ARBITER_MODE": "staging"}, "it must be one of production, embedded"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY is too short"),
    ],
)
def test_a_wrong_variable_is_told_what_would_be_right(changed, sentence):
    assert sentence in load(PRODUCTION | changed)


@pytest.mark.parametrize("module", ["config.wsgi", "config.asgi"])
def test_no_server_ever_falls_back_to_the_embedded_stack(module):
    assert "SECRET_KEY is missing" in load({}, module=module)


def test_no_worker_ever_falls_back_to_the_embedded_stack():
    assert "SECRET_KEY is missing" in load({}, module="config.celery; config.celery.app.conf.broker_url")


SERVERS = ["python -m config.web", "uvicorn config.asgi:application", "celery -A config.celery worker"]


@pytest.mark.parametrize("server", SERVERS)
def test_servers_and_workers_say_it_in_one_sentence_and_do_not_try_again(server):
    env = without("SECRET_KEY") | {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    ended = subprocess.run(server.split(), cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 3, ended.stderr
    assert ended.stderr.count("arbiter: SECRET_KEY is missing: production does not start without it") == 1
    assert "Traceback" not in ended.stderr


def test_debug_is_off_unless_asked_for():
    assert load(PRODUCTION, "s.DEBUG") == "False"
    assert load({"ARBITER_MODE": "embedded"}, "s.DEBUG") == "False"
    assert load(PRODUCTION | {"DEBUG": "on"}, "s.DEBUG") == "True"


def test_the_database_url_is_read_whole():
    database = "s.DATABASES['default']"
    shown = load(PRODUCTION, f"[{database}[k] for k in ('NAME', 'USER', 'PASSWORD', 'HOST', 'PORT')], s.ALLOWED_HOSTS")
    assert shown == "(['arbiter', 'arbiter', 'p@ss', 'db.example', '5433'], ['arbiter.example', 'www.arbiter.example'])"
    options = "{'server_side_binding': True, 'prepare_threshold': 0, 'sslmode': 'require'}"
    assert load(PRODUCTION, f"{database}['OPTIONS']") == options


def test_threads_keep_their_connection_and_streams_borrow_one():
    shown = "s.DATABASES['default']['CONN_MAX_AGE'], 'pool' in s.DATABASES['default']['OPTIONS']"
    assert load(PRODUCTION, shown, "config.wsgi") == "(None, False)"
    assert load(PRODUCTION, shown, "config.celery") == "(None, False)"
    assert load(PRODUCTION, shown, "config.asgi") == "(0, True)"


def test_behind_a_proxy_that_ends_tls_requests_are_secure():
    """Else links of pages say http, and browsers are never told to stay with https."""
    assert "HTTP_X_FORWARDED_PROTO" in load(PRODUCTION | {"TRUSTED_PROXIES": "1"}, "s.SECURE_PROXY_SSL_HEADER")
    assert load(PRODUCTION, "hasattr(s, 'SECURE_PROXY_SSL_HEADER')") == "False", "anybody can send that header"


def test_under_wsgi_half_of_the_threads_never_wait():
    assert load(PRODUCTION | {"WEB_THREADS": "8"}, "s.LONG_POLLS") == "4"
    assert load(PRODUCTION, "s.LONG_POLLS", "config.asgi") == "500"
