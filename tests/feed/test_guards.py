"""The database refuses whatever would double, tear or rewrite the feed; a second sequencer is no accident."""

import logging

import pytest
from django.db import DatabaseError, connection, transaction

from events import feed, locks
from events.deadlines import SweepLoop
from events.readmodels import ReadModelLoop
from events.sequencer import SequencerLoop
from tests.conftest import wait_for
from tests.feed.conftest import places


def refused(statement: str, *values) -> str:
    with pytest.raises(DatabaseError) as error, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
    return str(error.value)


INSERT = "INSERT INTO events_feed (pos, event) VALUES (%s, %s)"


def test_the_feed_is_dense_once_and_for_good(counter, do, sequenced):
    counter()
    size = sequenced()
    counter()
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(pos) FROM events_event")
        fresh = cursor.fetchone()[0]
        cursor.execute("SELECT event FROM events_feed WHERE pos = %s", [size])
        old = cursor.fetchone()[0]
    assert "dense" in refused(INSERT, size + 2, fresh)
    refused(INSERT, size, fresh)
    refused(INSERT, size + 1, old)
    assert "does not exist" in refused(INSERT, size + 1, fresh + 1000)
    assert "only ever added" in refused("UPDATE events_feed SET event = %s WHERE pos = %s", fresh, size)
    assert "only ever added" in refused("DELETE FROM events_feed WHERE pos = %s", size)
    if connection.vendor == "postgresql":
        assert "only ever added" in refused("TRUNCATE events_feed")
    else:
        for row in ((size, fresh), (size + 1, old)):
            refused(INSERT.replace("INSERT", "INSERT OR REPLACE"), *row)
    assert feed.size() == size
    assert sequenced() == size + 1


def test_a_second_sequencer_stands_by_and_takes_over(counter, caplog):
    first = SequencerLoop().start_thread()
    wait_for(lambda: locks.held("sequencer"))
    with caplog.at_level(logging.WARNING, "events"):
        second = SequencerLoop().start_thread()
        wait_for(lambda: second.standing_by)
    assert "another sequencer is at work" in caplog.text
    try:
        stream = counter()
        wait_for(lambda: places(stream))
        first.stop()
        wait_for(lambda: not second.standing_by)
        stream = counter()
        wait_for(lambda: places(stream))
    finally:
        first.stop()
        second.stop()
    assert not locks.held("sequencer")


def test_two_sequencers_without_a_lock_still_write_one_feed(counter, do, elsewhere, sequenced):
    """Were the lock to fail, the constraints make the loser's batch fail as a whole."""
    before = sequenced()
    stream = counter()

    def work() -> None:
        for _ in range(40):
            try:
                feed.Integrator().integrate()
            except DatabaseError:
                connection.close()

    both = [elsewhere(work), elsewhere(work)]
    for _ in range(30):
        do(stream, "a", {"do": "add", "n": 1})
    for one in both:
        one.join()
    assert sequenced() == before + 31
    assert [seq for seq, _ in places(stream)] == list(range(1, 32))


@pytest.mark.production
def test_loops_come_back_when_the_database_does(counter, do):
    """Every session of theirs is ended, the sequencer's lock with it."""
    loops = [loop().start_thread() for loop in (SequencerLoop, ReadModelLoop, SweepLoop)]
    try:
        for _ in range(2):
            wait_for(lambda: locks.held("sequencer"))
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
                assert cursor.fetchone()[0] >= 1
            stream = counter(seats=1)
            do(stream, "a", {"do": "clock", "ms": 0})
            wait_for(lambda stream=stream: len(places(stream)) == 3, 15)  # the third is what the deadline did
    finally:
        for loop in loops:
            loop.stop()


@pytest.mark.production
def test_a_sequencer_that_lost_its_session_unawares_takes_its_lock_again(counter, caplog):
    """As after a rollback that failed: Django closes, and the next query begins another session, without the lock."""

    class Forgetful(SequencerLoop):
        forgot = False

        def sign(self) -> None:
            if not self.forgot:
                connection.close()
                self.forgot = True

    loop = Forgetful().start_thread()
    try:
        wait_for(lambda: loop.forgot and locks.held("sequencer"))
        stream = counter()
        wait_for(lambda: places(stream))
    finally:
        loop.stop()
    assert "the session that held the lock of the sequencer is gone" in caplog.text
