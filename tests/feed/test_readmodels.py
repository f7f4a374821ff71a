"""Read models follow the feed: killed anywhere they go on, failing they stop alone, rebuilt they are the same."""

import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from events import feed, locks, readmodels
from events.models import Cursor
from tests.conftest import ROOT, wait_for


@pytest.fixture
def tally(db):
    """A read model of its own table: per stream the number of events and the value of the counter."""
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS test_tally")
        cursor.execute("CREATE TABLE test_tally (stream varchar(40) PRIMARY KEY, events int, value int)")
    model = readmodels.register(Tally())
    Cursor.objects.update_or_create(name="tally", defaults={"pos": feed.size()})
    yield model
    del readmodels.MODELS["tally"]
    Cursor.objects.filter(name="tally").delete()
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE test_tally")


class Tally(readmodels.ReadModel):
    def __init__(self) -> None:
        super().__init__("tally", self.count, self.forget_all, kinds=frozenset({"counter"}))
        self.poison: tuple[str, int] | None = None

    def count(self, entry: feed.Entry) -> None:
        event = entry.event
        if (event.stream, event.seq) == self.poison:
            raise ValueError("no way to show this")
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO test_tally VALUES (%s, 1, %s) ON CONFLICT (stream) "
                "DO UPDATE SET events = test_tally.events + 1, value = excluded.value",
                [event.stream, entry.head.state.value],
            )

    def forget_all(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM test_tally")

    def rows(self, *streams: str) -> dict[str, tuple[int, int]]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT stream, events, value FROM test_tally")
            rows = {stream: (events, value) for stream, events, value in cursor.fetchall()}
        return {stream: rows.get(stream) for stream in streams} if streams else rows


def test_a_rebuilt_model_equals_the_one_that_grew(counter, do, sequenced, tally, forget, capsys):
    streams = [counter(seats=1) for _ in range(3)]
    for n in range(1, 6):
        for stream in streams:
            do(stream, "a", {"do": "add", "n": n})
        sequenced()
        readmodels.step(tally, limit=4)  # batches that cut through streams
    readmodels.catch_up(tally)
    grown = tally.rows(*streams)
    assert set(grown.values()) == {(6, 15)}
    forget()
    call_command("rebuild", "tally")
    assert "tally:" in capsys.readouterr().out
    assert tally.rows(*streams) == grown
    with pytest.raises(CommandError, match="no read model nonsense"):
        call_command("rebuild", "nonsense")


def test_rows_and_cursor_move_together_or_not_at_all(counter, sequenced, tally, monkeypatch):
    """Killed after any entry of a batch: nothing of the batch is there, and the next run takes all of it, once."""
    streams = [counter() for _ in range(4)]
    sequenced()
    apply = tally.apply
    for survived in range(4):
        calls = []

        def killed(entry, calls=calls, survived=survived):
            if len(calls) == survived:
                raise SystemExit
            calls.append(entry)
            apply(entry)

        tally.apply = killed
        with pytest.raises(SystemExit):
            readmodels.step(tally)
        assert set(tally.rows(*streams).values()) == {None}
    tally.apply = apply
    readmodels.catch_up(tally)
    assert set(tally.rows(*streams).values()) == {(1, 0)}


def test_a_failing_model_stops_alone_at_the_event_it_cannot_take(counter, do, sequenced, tally):
    first, bad, last = counter(), counter(), counter()
    tally.poison = (bad, 1)
    size = sequenced()
    readmodels.catch_up_all()
    cursor = Cursor.objects.get(name="tally")
    assert tally.rows(first, bad, last) == {first: (1, 0), bad: None, last: None}
    assert "no way to show this" in cursor.fault
    assert f"{bad}/1" in cursor.fault
    assert cursor.pos == size - 2
    assert Cursor.objects.get(name="deadlines").pos == size
    tally.poison = None
    assert readmodels.catch_up(tally) == 0  # not before its pause is over
    Cursor.objects.filter(name="tally").update(retry_ms=0)
    readmodels.catch_up(tally)
    assert set(tally.rows(first, bad, last).values()) == {(1, 0)}
    assert Cursor.objects.get(name="tally").fault == ""


def test_one_runner_per_model(counter, sequenced, tally, elsewhere):
    streams = [counter() for _ in range(20)]
    sequenced()
    both = [elsewhere(lambda: patient(tally)) for _ in range(2)]
    for one in both:
        one.join()
    assert set(tally.rows(*streams).values()) == {(1, 0)}
    if connection.vendor == "postgresql":
        with transaction.atomic():
            Cursor.objects.select_for_update().get(name="tally")
            counter()
            feed_grew = elsewhere(lambda: (feed.Integrator().integrate(), readmodels.step(tally))[1])
            assert feed_grew.join() in (None, 0)


def patient(model: readmodels.ReadModel) -> None:
    for _ in range(30):
        try:
            readmodels.step(model, limit=1)
        except DatabaseError:
            connection.close()


FOLLOW = "import django; django.setup(); import tests.counter; from events.readmodels import Follower; Follower().run()"


@pytest.mark.production
def test_one_process_follows_and_another_takes_over(counter, do, sequenced, process_env):
    """Whoever has the lock has the states at hand; SIGKILL to it, and the one that stood by goes on."""
    stream = counter()

    def start() -> subprocess.Popen:
        return subprocess.Popen([sys.executable, "-c", FOLLOW], cwd=ROOT, env=process_env)

    def followed() -> bool:
        return Cursor.objects.filter(name="deadlines", pos=feed.size()).exists()

    first = start()
    second = None
    try:
        sequenced()
        wait_for(lambda: locks.held("readmodels") and followed(), 20)
        second = start()
        for _ in range(3):
            do(stream, "a", {"do": "add", "n": 1})
        sequenced()
        wait_for(followed, 10)
        assert first.poll() is None
        first.kill()
        first.wait()
        do(stream, "a", {"do": "add", "n": 1})
        sequenced()
        wait_for(followed, 20)
        assert locks.held("readmodels")
    finally:
        for process in filter(None, (first, second)):
            process.kill()
            process.wait()
