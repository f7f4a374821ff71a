"""A dump restored into another cluster: transaction ids start again there, and the feed goes on all the same."""

import subprocess
import sys

import psycopg
import pytest
from django.db import connection

from config.servers import Postgres, find_postgres
from events import feed
from events.models import Sequencer
from tests.conftest import ROOT, triggers_off
from tests.feed.conftest import places

pytestmark = pytest.mark.production

AGAIN = """
import django; django.setup()
import tests.counter
from events import commands
stream = commands.new_stream_id("counter")
commands.open_stream("counter", 1, stream=stream, actor="a", action={"do": "begin"}, command_id="x")
commands.execute("%s", actor="a", action={"do": "add", "n": 1}, command_id="after the restore")
"""


def test_transaction_ids_from_another_life_hide_nothing(counter, do, sequenced):
    """As it looks right after a restore: the cursor and some events are ahead of all ids this cluster has given out."""
    fed, waiting = counter(), counter()
    sequenced()
    do(waiting, "a", {"do": "add", "n": 1})
    future = "999999999999"
    with triggers_off(connection), connection.cursor() as cursor:
        cursor.execute("UPDATE events_event SET xid = %s::text::xid8 WHERE stream IN (%s, %s)", [future, fed, waiting])
    Sequencer.objects.update(xid=future, cluster="another")

    sequenced()
    assert [seq for seq, _ in places(waiting)] == [1, 2]
    do(fed, "a", {"do": "add", "n": 1})  # in this cluster's ids, far below the old ones
    sequenced()
    assert [seq for seq, _ in places(fed)] == [1, 2]
    assert Sequencer.objects.get().cluster == feed.cluster()
    assert not feed.ahead(Sequencer.objects.get().xid)


def test_a_real_dump_goes_on_in_a_fresh_cluster(counter, do, sequenced, database_url, process_env, tmp_path):
    stream = counter()
    sequenced()
    do(stream, "a", {"do": "add", "n": 1})  # dumped, but not in the feed yet
    tools = find_postgres().binaries
    if not (tools / "pg_dump").exists():
        pytest.skip("this PostgreSQL comes without pg_dump")
    dumped = subprocess.run([tools / "pg_dump", "--no-owner", database_url], capture_output=True)
    if b"version mismatch" in dumped.stderr:
        pytest.skip("the server of this run is newer than this machine's pg_dump")
    dump = dumped.stdout
    assert dumped.returncode == 0, dumped.stderr
    old_xid = int(Sequencer.objects.get().xid)
    with Postgres() as fresh:
        url = fresh.create("restored")
        subprocess.run([tools / "psql", "-qX", "-v", "ON_ERROR_STOP=1", url], input=dump, check=True, stdout=-3)
        with psycopg.connect(url, autocommit=True) as there:
            now = int(there.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text").fetchone()[0])
            env = {**process_env, "DATABASE_URL": url, "ARBITER_KEYS": str(tmp_path)}
            manage = [sys.executable, "manage.py"]
            subprocess.run([sys.executable, "-c", AGAIN % stream], env=env, cwd=ROOT, check=True)
            subprocess.run([*manage, "keys", "rotate"], env=env, cwd=ROOT, check=True, stdout=-3)
            subprocess.run([*manage, "sequencer", "--once"], env=env, cwd=ROOT, check=True)
            order = there.execute(
                "SELECT e.seq FROM events_feed f JOIN events_event e ON e.pos = f.event "
                "WHERE e.stream = %s ORDER BY f.pos",
                [stream],
            ).fetchall()
            left = there.execute("SELECT count(*) FROM events_event").fetchone()
            fed, last = there.execute("SELECT count(*), max(pos) FROM events_feed").fetchone()
            signed = there.execute("SELECT max(size) FROM events_checkpoint").fetchone()
    assert now < old_xid, "the fresh cluster must be younger than the old one for this to show anything"
    assert order == [(1,), (2,), (3,)]
    assert (fed,) == left
    assert fed == last == signed[0]
