"""A kept connection is found dead before it is used, at no cost while it lives."""

import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, ConnectionHandler

from config.environment import postgres
from config.servers import Postgres

pytestmark = pytest.mark.production


@pytest.fixture
def kept(django_db_blocker):
    """A server of its own and a connection to it, as a thread of `web` keeps it between two requests."""
    with Postgres() as server, django_db_blocker.unblock():
        connection = ConnectionHandler({DEFAULT_DB_ALIAS: postgres(server.url, pool=False)})[DEFAULT_DB_ALIAS]
        request(connection)
        yield server, connection
        connection.close()


def request(connection) -> int:
    """What Django does around each request; the server process that answered."""
    connection.close_if_unusable_or_obsolete()
    with connection.cursor() as cursor:
        cursor.execute("select pg_backend_pid()")
        return cursor.fetchone()[0]


@pytest.mark.parametrize("ends", ["restart", "kill"])
def test_the_first_request_after_a_restart_does_not_notice_it(kept, ends):
    server, connection = kept
    before = request(connection)
    getattr(server, ends)()
    server.start()
    assert request(connection) != before


def test_a_living_connection_is_kept_without_asking(kept):
    server, connection = kept
    process = request(connection)
    connection.close_if_unusable_or_obsolete()
    connection.close_if_health_check_failed()
    with psycopg.connect(server.url) as onlooker:
        last = onlooker.execute("select query from pg_stat_activity where pid = %s", [process]).fetchone()
    assert last == ("select pg_backend_pid()",), "and not Django's SELECT 1"
