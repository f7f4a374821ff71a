"""Deadlines: rows that say what must happen in which stream at what time, and the sweep that makes it happen.

The rows are a projection of `decider.due(state)`. They are written right after an append, off the caller's path, and
again by a read model that follows the feed: a crash in between loses nothing. A row is only a reminder. What fires is
what `due` says of the state at the head of the log, under a command id that derives from (stream, key): twice is
once, and a deadline that no longer stands does nothing.

Whoever sweeps takes a few due rows for a moment, so that several workers share the work instead of fighting over it.
The rows of one who was killed meanwhile come up again when that moment is over.
"""

import logging
import threading
import time
from collections import OrderedDict

from django.db import DatabaseError, InterfaceError, connection, transaction
from prometheus_client import Counter, Histogram

from events import after, commands, heads, hints, store
from events.canonical import digest
from events.decider import Due
from events.errors import Rejected
from events.feed import Entry
from events.loops import Loop, wait_for
from events.models import Deadline, DeadlineMark
from events.readmodels import ReadModel, register

log = logging.getLogger("events")

SWEEP_S = 1.0  # the guarantee
WATCH_S = 0.25  # how often a worker that keeps watch looks for deadlines that others have set
GATHER_S = 0.2  # what changes within this time is written together, unless it is due before long
SOON_MS = 1_000  # what is due before the next look rings a bell
AT_ONCE = 16  # rows that are taken together
TAKEN_MS = 400  # and are others' again after this time
TRIES = 5  # at a stream that moves while we fire
PATIENCE_MS = 60_000
KEY, ACTOR = 64, 40  # characters
UNREADABLE = "!"  # the key of a row that stands for a stream whose deadlines cannot be told

LATENESS = Histogram(
    "arbiter_deadline_lateness_seconds",
    "How long after its time a deadline fired.",
    buckets=(0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 30),
)
FAULTS = Counter("arbiter_deadline_faults_total", "Deadlines that stand but could not be fired.")

MARK = """
    INSERT INTO events_deadlinemark (stream, seq) VALUES {rows}
    ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq WHERE events_deadlinemark.seq <= excluded.seq
    RETURNING stream
"""
TAKE = """
    WITH due AS MATERIALIZED (
        SELECT id FROM events_deadline WHERE next_ms <= %s ORDER BY next_ms, stream LIMIT %s {skip}
    )
    UPDATE events_deadline SET next_ms = %s WHERE id IN (SELECT id FROM due) RETURNING stream, key
"""


def command_id(stream: str, key: str) -> str:
    return f"due-{digest('due', stream, key).hex()[:40]}"


# --- the rows ---


def project(*states: heads.Head) -> None:
    """Make the rows of these streams equal to what is due in them, unless they are of a later state already."""
    told = [(head, due_in(head)) for head in states]
    streams = [head.key.id for head in states]
    marked = set(DeadlineMark.objects.filter(stream__in=streams).values_list("stream", flat=True))
    write([(head, due) for head, due in told if due or head.key.id in marked])


def write(told: list[tuple[heads.Head, list[Due]]]) -> None:
    if not told:
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            rows = sorted((head.key.id, head.seq) for head, _ in told)  # in one order: nobody waits in a circle
            statement = MARK.format(rows=", ".join(["(%s, %s)"] * len(rows)))
            cursor.execute(statement, [value for row in rows for value in row])
            ours = {stream for (stream,) in cursor.fetchall()}
        replace({head.key.id: due for head, due in told if head.key.id in ours})
    if any(one.at < commands.now_ms() + SOON_MS for _, due in told for one in due):
        hints.BELLS[hints.DUE].set()


def due_in(head: heads.Head) -> list[Due]:
    return checked(head.decider.due(head.state))


def checked(due: list[Due]) -> list[Due]:
    for one in due:
        if not (0 < len(one.key) <= KEY and 0 < len(one.actor) <= ACTOR):
            raise ValueError(f"a key has 1 to {KEY} characters and an actor 1 to {ACTOR}: {one}")
    return due


def replace(due: dict[str, list[Due]]) -> None:
    wanted = {(stream, one.key): one for stream, those in due.items() for one in those}
    gone = []
    for row in Deadline.objects.filter(stream__in=due):
        one = wanted.get((row.stream, row.key))
        if one and (one.at, one.actor, one.action) == (row.due_ms, row.actor, row.action):
            del wanted[row.stream, row.key]  # it stays, with its faults if it had any
        else:
            gone.append(row.id)
    if gone:
        Deadline.objects.filter(id__in=gone).delete()
    Deadline.objects.bulk_create(
        Deadline(stream=stream, key=one.key, due_ms=one.at, next_ms=one.at, actor=one.actor, action=one.action)
        for (stream, _), one in wanted.items()
    )


def follow(entry: Entry) -> None:
    follow_all([entry])


def follow_all(entries: list[Entry]) -> None:
    """The read model. Usually nothing is left to do: what has changed was written right after the append. A stream that
    cannot be read must not keep all the others from their deadlines."""
    streams = [entry.event.stream for entry in entries]
    marks = dict(DeadlineMark.objects.filter(stream__in=streams).values_list("stream", "seq"))
    told = []
    for entry in entries:
        if marks.get(entry.event.stream, 0) < entry.event.seq:
            try:
                told.append((entry.head, due_in(entry.head)))
            except (DatabaseError, InterfaceError):
                raise
            except Exception as error:
                unreadable(entry.event.stream, error)
    write([(head, due) for head, due in told if due or head.key.id in marks])


def unreadable(stream: str, error: Exception) -> None:
    row, _ = Deadline.objects.get_or_create(
        stream=stream, key=UNREADABLE, defaults={"due_ms": 0, "next_ms": 0, "actor": "", "action": {}}
    )
    put_off([row], f"its deadlines cannot be told: {type(error).__name__}: {error}", error)


def clear() -> None:
    Deadline.objects.all().delete()
    DeadlineMark.objects.all().delete()


register(ReadModel("deadlines", apply=follow, apply_all=follow_all, clear=clear, latest=True))

KEEP = 10_000
_seen: OrderedDict[str, list[Due]] = OrderedDict()  # what this process knows to be in the rows, or on the way there
_on_the_way: dict[str, heads.Head] = {}
_before: dict[str, list[Due]] = {}  # what the rows of those on the way still say
_seeing = threading.Lock()
_here = threading.local()  # `firing`: this thread fires, and writes the rows itself when it is done


def appended(event: store.Stored, head: heads.Head) -> None:
    """After a commit: if what is due has changed, have the rows written. Costs the caller nothing but the look."""
    due = head.decider.due(head.state)
    with _seeing:
        seen = _seen.get(event.stream, [])
        if due == seen:
            return
        _seen[event.stream] = due
        _seen.move_to_end(event.stream)
        if len(_seen) > KEEP:
            _seen.popitem(last=False)
        if getattr(_here, "firing", False):
            return
        if due == _before.setdefault(event.stream, seen):  # what came and went again need not be written
            _before.pop(event.stream)
            _on_the_way.pop(event.stream, None)
            return
        _on_the_way[event.stream] = head
    soon = any(one.at < head.at + 5 * GATHER_S * 1000 for one in due)
    after.rows.put("deadlines", write_at_once if soon else write_together)


def write_together() -> None:
    time.sleep(GATHER_S)
    write_at_once()


def write_at_once() -> None:
    with _seeing:
        states = list(_on_the_way.values())
        _on_the_way.clear()
        _before.clear()
    project(*states)


# --- firing ---


def sweep(now: int | None = None) -> int:
    """Fire everything that is due, for a second at most. How many fired."""
    fired, ends = 0, time.monotonic() + SWEEP_S
    while time.monotonic() < ends and (taken := take(now or commands.now_ms())):
        fired += fire_all(taken)
    return fired


def take(now: int) -> dict[str, list[str]]:
    """A few due rows, the oldest first, that nobody else sweeps for a moment: {stream: keys}."""
    skip = "FOR UPDATE SKIP LOCKED" if connection.vendor == "postgresql" else ""
    taken: dict[str, list[str]] = {}
    with connection.cursor() as cursor:
        cursor.execute(TAKE.format(skip=skip), [now, AT_ONCE, max(now, commands.now_ms()) + TAKEN_MS])
        for stream, key in cursor.fetchall():
            taken.setdefault(stream, []).append(key)
    return taken


def fire_stream(stream: str) -> int:
    rows = Deadline.objects.filter(stream=stream, next_ms__lte=commands.now_ms())
    return fire_all({stream: list(rows.values_list("key", flat=True))})


def fire_all(taken: dict[str, list[str]]) -> int:
    """Do what is due in these streams, if it still is, and write their rows anew, all together."""
    fired, told, ends = 0, [], time.monotonic() + TAKEN_MS / 1000
    _here.firing = True
    try:
        for stream, keys in taken.items():
            if time.monotonic() > ends:
                break  # by now they are others'
            try:
                fired += fire(stream, keys)
                head = heads.known(stream)
                told.append((head, due_in(head)))
            except (DatabaseError, InterfaceError):
                raise
            except Exception as error:
                put_off(rows_of(stream, keys), f"{type(error).__name__}: {error}", error)
    finally:
        _here.firing = False
    write(told)
    return fired


def fire(stream: str, keys: list[str]) -> int:
    """Do what is due in this stream under these keys. How many this call did."""
    heads.current(stream)
    return sum(fire_one(stream, key) for key in keys)


def fire_one(stream: str, key: str) -> bool:
    for _ in range(TRIES):
        head = heads.known(stream)
        due = next((due for due in head.decider.due(head.state) if due.key == key), None)
        if due is None or due.at > commands.now_ms():
            return False
        try:
            event = commands.execute(
                stream, actor=due.actor, action=due.action, command_id=command_id(stream, key), expected_seq=head.seq
            )
        except Rejected as refusal:
            if refusal.code in ("stale", "busy", "unavailable") and refusal.seq != head.seq:
                continue  # the stream moved on: look again whether it still stands
            put_off(rows_of(stream, [key]), f"refused at seq {refusal.seq}: {refusal.code}: {refusal.detail}")
            return False
        if event.seq <= head.seq:
            fault = f"event {event.seq} answered this key before, yet it stands: keys must not be used again"
            put_off(rows_of(stream, [key]), fault)
            return False
        LATENESS.observe(max(0, event.at - due.at) / 1000)
        return True
    return False


def rows_of(stream: str, keys: list[str]) -> list[Deadline]:
    return list(Deadline.objects.filter(stream=stream, key__in=keys))


def put_off(rows: list[Deadline], fault: str, error: Exception | None = None) -> None:
    for row in rows:
        FAULTS.inc()
        log.error("deadline %s/%s: %s", row.stream, row.key, fault, exc_info=error)
        tries = row.tries + 1
        pause = min(PATIENCE_MS, 500 << min(tries, 10))
        Deadline.objects.filter(id=row.id).update(tries=tries, fault=fault[:1000], next_ms=commands.now_ms() + pause)


def next_ms() -> int | None:
    return Deadline.objects.order_by("next_ms").values_list("next_ms", flat=True).first()


class SweepLoop(Loop):
    """The sweep of the embedded process: it sleeps until the next deadline, at most a second."""

    name = "sweep"
    poll_s = SWEEP_S
    coming: int | None = None

    def round(self) -> None:
        self.coming = next_ms()
        if self.coming is not None and self.coming <= commands.now_ms():
            sweep()
            self.coming = next_ms()

    def wait(self) -> None:
        left = self.poll_s if self.coming is None else (self.coming - commands.now_ms()) / 1000
        wait_for(hints.BELLS[hints.DUE], max(0.001, min(self.poll_s, left)), self.stopping)


class Watch(SweepLoop):
    """The sweep of a worker's process, beside its tasks, so that no queue comes between a deadline and its moment. Any
    number of processes keep watch at once; when one is killed the others have its work."""

    poll_s = WATCH_S


_watch: Watch | None = None
_watching = threading.Lock()


def keep_watch() -> None:
    """This process fires deadlines to the moment from now on, whether or not it is ever asked again."""
    global _watch
    with _watching:
        if _watch is None:
            _watch = Watch().start_thread()
