"""The feed, its readers and its clocks on the real database, with real commits."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection, transaction

from events import after, feed, store
from events.heads import Head
from tests.events.conftest import counter, do, forget  # noqa: F401  the same counter as the store's tests
from tests.http import api  # noqa: F401


@pytest.fixture(autouse=True)
def settled(db):
    """What follows a commit has happened before the next test begins, and holds no connection."""
    yield
    after.rows.settle()
    after.network.settle()


@pytest.fixture
def sequenced(db) -> Callable[[], int]:
    """Bring the feed up to date, as a sequencer that was just started does; the feed's size."""

    def integrate() -> int:
        feed.Integrator().integrate()
        return feed.size()

    return integrate


@pytest.fixture
def elsewhere():
    """Run a function on another connection, as another process would; its result or exception comes with `.join()`."""
    running = []

    def run(function: Callable[[], object]) -> "Elsewhere":
        running.append(Elsewhere(function))
        return running[-1]

    yield run
    for one in running:
        one.thread.join(10)


class Elsewhere:
    def __init__(self, function: Callable[[], object]) -> None:
        self.function, self.result, self.error = function, None, None
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        try:
            self.result = self.function()
        except BaseException as error:
            self.error = error
        finally:
            connection.close()

    def join(self, timeout: float = 30):
        self.thread.join(timeout)
        assert not self.thread.is_alive(), "still running"
        if self.error:
            raise self.error
        return self.result


class Rollback(Exception):
    pass


def append(head: Head, *, before_commit: Callable[[], object] = lambda: None) -> Head:
    """One `add` in a transaction of its own that may be slow, or raise Rollback, before it commits."""
    moment = head.next_moment(1, "slow")
    action = {"do": "add", "n": 1}
    decided = head.decider.decide(head.state, action, head.key.seed, moment)
    event = store.build(
        head.key, moment, cmd=f"slow-{moment.seq}", request="0" * 64, action=action, effects=decided.effects,
        version="test",
    )  # fmt: skip
    with transaction.atomic():
        assert store.append(event)
        before_commit()
    return head.after(event, decided.state)


def places(stream: str) -> list[tuple[int, int]]:
    """(seq, position) of the events of a stream that are in the feed, in the order of the feed."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT e.seq, f.pos FROM events_feed f JOIN events_event e ON e.pos = f.event "
            "WHERE e.stream = %s ORDER BY f.pos",
            [stream],
        )
        return cursor.fetchall()
