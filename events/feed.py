"""The feed: one dense order over all streams, in which nothing is ever left out.

`integrate` is what the sequencer does again and again: it gives the next positions to the events that have none. On
PostgreSQL an event's `pos` cannot tell which those are: a slow commit shows up behind whoever has passed it. What can
is the oldest transaction still running: what began before it has been seen, whatever is yet to appear lies above it.
So everything above that horizon is looked at again until the horizon has passed it. Nobody waits for a slow
transaction, its events come when it commits.

An event is only inserted once the one before it can be seen. So whoever sees an event also sees what led to it, with
a smaller `pos`: the feed keeps the order within a stream, and between streams that of cause and effect.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from django.db import connection, transaction

from events import store
from events.heads import Head, at, fold, heads
from events.models import Sequencer

# Horizon and rows come out of one statement, hence of one snapshot. It takes everything there is, for a limit could cut
# between two events of a stream.
INTEGRATE = """
    WITH taken AS (
        INSERT INTO events_feed (pos, event)
        SELECT coalesce((SELECT max(pos) FROM events_feed), 0) + row_number() OVER (ORDER BY e.pos), e.pos
        FROM events_event e
        WHERE e.xid >= %s::text::xid8 AND NOT EXISTS (SELECT 1 FROM events_feed f WHERE f.event = e.pos)
        RETURNING pos
    ), moved AS (
        UPDATE events_sequencer SET xid = pg_snapshot_xmin(pg_current_snapshot())::text
        WHERE EXISTS (SELECT 1 FROM taken)
    )
    SELECT count(*), pg_snapshot_xmin(pg_current_snapshot())::text FROM taken
"""
WAITING = """
    SELECT count(*), coalesce(min(at_ms), 0) FROM events_event e
    WHERE e.xid >= %s::text::xid8 AND NOT EXISTS (SELECT 1 FROM events_feed f WHERE f.event = e.pos)
"""
# A planner without statistics would read the whole feed for every look (63 ms instead of 0.3 at 200,000 events).
PLANS = {
    "enable_hashjoin": "off", "enable_mergejoin": "off", "enable_seqscan": "off", "enable_bitmapscan": "off",
    "jit": "off", "plan_cache_mode": "force_custom_plan",
}  # fmt: skip
# On SQLite there is one writer at a time: rows appear in the order of their ids.
UNREAD = "SELECT EXISTS (SELECT 1 FROM events_event WHERE pos > coalesce((SELECT max(event) FROM events_feed), 0))"
INTEGRATE_SQLITE = """
    INSERT INTO events_feed (pos, event)
    SELECT coalesce((SELECT max(pos) FROM events_feed), 0) + row_number() OVER (ORDER BY pos), pos
    FROM events_event WHERE pos > coalesce((SELECT max(event) FROM events_feed), 0) ORDER BY pos
"""
WAITING_SQLITE = """
    SELECT count(*), coalesce(min(at_ms), 0) FROM events_event
    WHERE pos > coalesce((SELECT max(event) FROM events_feed), 0)
"""


class Integrator:
    """Gives out positions, from where the last one stopped. Make a new one after every reconnect: the database may have
    been restored elsewhere meanwhile, and transaction ids mean nothing in another cluster."""

    def __init__(self) -> None:
        state, _ = Sequencer.objects.get_or_create(id=1)
        self.xid = state.xid
        if connection.vendor == "postgresql":
            plan_for_few(for_good=True)
            if state.cluster != cluster() or ahead(state.xid):
                self.rebase()

    def rebase(self) -> None:
        """Look at every event there is, whatever its transaction id, and count in this cluster from now on."""
        with transaction.atomic():
            self.xid = "0"
            self.integrate()
            Sequencer.objects.filter(id=1).update(xid=self.xid, cluster=cluster())

    def integrate(self) -> int:
        """How many events were given a position."""
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(INTEGRATE, [self.xid])
                taken, self.xid = cursor.fetchone()
                return taken
            cursor.execute(UNREAD)
            if not cursor.fetchone()[0]:
                return 0
            with store.sqlite_turn():
                cursor.execute(INTEGRATE_SQLITE)
            return cursor.rowcount


def plan_for_few(*, for_good: bool) -> None:
    """Few events lie above the horizon, whatever the planner thinks: for this session, or for this transaction."""
    knobs = ", ".join(f"set_config('{name}', '{value}', {not for_good})" for name, value in PLANS.items())
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {knobs}")


def cluster() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT system_identifier::text FROM pg_control_system()")
        return cursor.fetchone()[0]


def ahead(xid: str) -> bool:
    """Whether this transaction id was not given out yet: it comes from another life of the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::text::xid8 > pg_snapshot_xmax(pg_current_snapshot())", [xid])
        return cursor.fetchone()[0]


def size() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(pos) FROM events_feed")
        return cursor.fetchone()[0] or 0


def position(stream: str, seq: int) -> int | None:
    """Where an event stands in the feed; None while it has no place yet."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT f.pos FROM events_event e JOIN events_feed f ON f.event = e.pos WHERE e.stream = %s AND e.seq = %s",
            [stream, seq],
        )
        row = cursor.fetchone()
        return row[0] if row else None


def waiting() -> tuple[int, int]:
    """How many events have no position yet, and the time of the oldest (0 when there is none)."""
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            plan_for_few(for_good=False)
            cursor.execute(WAITING, [Sequencer.objects.values_list("xid", flat=True).first() or "0"])
            return cursor.fetchone()
    with connection.cursor() as cursor:
        cursor.execute(WAITING_SQLITE)
        return cursor.fetchone()


def hashes(after: int, upto: int) -> Iterator[bytes]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT e.hash FROM events_feed f JOIN events_event e ON e.pos = f.event "
            "WHERE f.pos > %s AND f.pos <= %s ORDER BY f.pos",
            [after, upto],
        )
        for (hash_,) in cursor.fetchall():
            yield bytes(hash_)


@dataclass
class Entry:
    """An event at its place in the feed, for whoever follows it."""

    pos: int
    event: store.Stored
    before: Head | None = None  # an earlier state of the stream, if the reader kept one
    since: list[store.Stored] = field(default_factory=list)  # events of the stream right before it, if they are at hand

    @cached_property
    def head(self) -> Head:
        """The stream right after this event."""
        stream, seq = self.event.stream, self.event.seq
        hot = heads.get(stream)
        if hot and hot.seq == seq:
            return hot
        if self.before and self.before.seq < seq:
            tail = [event for event in [*self.since, self.event] if event.seq > self.before.seq]
            if len(tail) < seq - self.before.seq:
                tail = store.read(stream, self.before.seq, upto=seq)
            return fold(self.before, tail)
        return at(stream, seq)


def read(after: int, limit: int) -> list[Entry]:
    columns = ", ".join(f"e.{column}" for column in store.COLUMNS.split(", "))
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT f.pos, {columns} FROM events_feed f JOIN events_event e ON e.pos = f.event "
            "WHERE f.pos > %s ORDER BY f.pos LIMIT %s",
            [after, limit],
        )
        return [Entry(pos, store.stored(row)) for pos, *row in cursor.fetchall()]
