"""Deadlines: rows that say what must happen in which stream at what time, and the sweep that makes it happen.

The rows are a projection of `decider.due(state)`. They are written right after an append, off the caller's path, and
again by a read model that follows the feed: a crash in between loses nothing. A row is only a reminder. What fires is
what `due` says of the state at the head of the log, under a command id that derives from (stream, key): twice is
once, and a deadline that no longer stands does nothing.
"""

import logging
import threading
import time
from collections import OrderedDict
from datetime import UTC, datetime
from functools import partial

from django.conf import settings
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
GATHER_S = 0.05  # what changes within this time is written together
SOON_MS = 5_000  # what is due within a few sweeps gets a nudge of its own, for precision: sweeps may be late under load
AT_ONCE = 500
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


def command_id(stream: str, key: str) -> str:
    return f"due-{digest('due', stream, key).hex()[:40]}"


# --- the rows ---


def project(*states: heads.Head) -> None:
    """Make the rows of these streams equal to what is due in them, unless they are of a later state already."""
    due = {head.key.id: checked(head.decider.due(head.state)) for head in states}
    marked = set(DeadlineMark.objects.filter(stream__in=due).values_list("stream", flat=True))
    seqs = {head.key.id: head.seq for head in states if due[head.key.id] or head.key.id in marked}
    if not seqs:
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            rows = sorted(seqs.items())  # in one order for everybody, so that nobody waits in a circle
            statement = MARK.format(rows=", ".join(["(%s, %s)"] * len(rows)))
            cursor.execute(statement, [value for row in rows for value in row])
            streams = [stream for (stream,) in cursor.fetchall()]
        replace({stream: due[stream] for stream in streams})
    for stream in streams:
        nudge(stream, due[stream])


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
    """The read model. A stream that cannot be read must not keep all the others from their deadlines."""
    if DeadlineMark.objects.filter(stream=entry.event.stream, seq__gte=entry.event.seq).exists():
        return  # the usual case: they were written right after the append
    try:
        project(entry.head)
    except (DatabaseError, InterfaceError):
        raise
    except Exception as error:
        unreadable(entry.event.stream, error)


def unreadable(stream: str, error: Exception) -> None:
    row, _ = Deadline.objects.get_or_create(
        stream=stream, key=UNREADABLE, defaults={"due_ms": 0, "next_ms": 0, "actor": "", "action": {}}
    )
    put_off(row, f"its deadlines cannot be told: {type(error).__name__}: {error}", error)


def clear() -> None:
    Deadline.objects.all().delete()
    DeadlineMark.objects.all().delete()


register(ReadModel("deadlines", apply=follow, clear=clear, latest=True))

KEEP = 10_000
_seen: OrderedDict[str, list[Due]] = OrderedDict()  # what this process knows to be in the rows, or on the way there
_on_the_way: dict[str, heads.Head] = {}
_seeing = threading.Lock()


def appended(event: store.Stored, head: heads.Head) -> None:
    """After a commit: if what is due has changed, have the rows written. Costs the caller nothing but the look."""
    due = head.decider.due(head.state)
    with _seeing:
        if due == _seen.get(event.stream, []):
            return
        _seen[event.stream] = due
        _seen.move_to_end(event.stream)
        if len(_seen) > KEEP:
            _seen.popitem(last=False)
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
    project(*states)


def nudge(stream: str, due: list[Due]) -> None:
    """Somebody should look at this stream at the right moment rather than at the next sweep."""
    soon = [one.at for one in due if one.at < commands.now_ms() + SOON_MS]
    if not soon:
        return
    hints.BELLS[hints.DUE].set()
    if settings.REDIS_URL:
        send(stream, min(soon))


def send(stream: str, at_ms: int) -> None:
    from events import tasks

    eta = datetime.fromtimestamp(at_ms / 1000, UTC)
    message = partial(tasks.fire.apply_async, [stream], eta=eta, retry=False, expires=60)
    hints.send(("nudge", stream, at_ms), message, gather_s=0)  # each is for a moment of its own: nothing to gather


# --- firing ---


def sweep(now: int | None = None) -> int:
    """Fire everything that is due. How many fired."""
    now = now or commands.now_ms()
    rows = Deadline.objects.filter(next_ms__lte=now).order_by("next_ms")[:AT_ONCE]
    fired = sum(fire(row) for row in rows)
    if settings.REDIS_URL:
        coming = Deadline.objects.filter(next_ms__gt=now, next_ms__lte=now + SOON_MS)
        for stream, at in {(row.stream, row.next_ms) for row in coming[: 4 * AT_ONCE]}:
            send(stream, at)
    return fired


def fire_stream(stream: str) -> int:
    return sum(fire(row) for row in Deadline.objects.filter(stream=stream, next_ms__lte=commands.now_ms()))


def fire(row: Deadline) -> bool:
    """Do what is due, if it still is. True when this call did it."""
    try:
        return _fire(row)
    except (DatabaseError, InterfaceError):
        raise
    except Exception as error:
        put_off(row, f"{type(error).__name__}: {error}", error)
        return False


def _fire(row: Deadline) -> bool:
    for _ in range(TRIES):
        head = heads.current(row.stream)
        standing = {due.key: due for due in head.decider.due(head.state)}
        due = standing.get(row.key)
        if due is None or due.at > commands.now_ms():
            project(head)
            Deadline.objects.filter(stream=row.stream, key=row.key).exclude(key__in=standing).delete()
            return False
        try:
            event = commands.execute(
                row.stream, actor=due.actor, action=due.action, command_id=command_id(row.stream, due.key),
                expected_seq=head.seq,
            )  # fmt: skip
        except Rejected as refusal:
            if refusal.code in ("stale", "busy", "unavailable") and refusal.seq != head.seq:
                continue  # the stream moved on: look again whether it still stands
            put_off(row, f"refused at seq {refusal.seq}: {refusal.code}: {refusal.detail}")
            return False
        if event.seq <= head.seq:
            put_off(row, f"event {event.seq} answered this key before, yet it stands: keys must not be used again")
            return False
        LATENESS.observe(max(0, event.at - due.at) / 1000)
        project(heads.current(row.stream))
        return True
    return False


def put_off(row: Deadline, fault: str, error: Exception | None = None) -> None:
    FAULTS.inc()
    log.error("deadline %s/%s: %s", row.stream, row.key, fault, exc_info=error)
    tries = row.tries + 1
    pause = min(PATIENCE_MS, 500 << min(tries, 10))
    Deadline.objects.filter(id=row.id).update(tries=tries, fault=fault[:1000], next_ms=commands.now_ms() + pause)


class SweepLoop(Loop):
    """The sweep of the embedded process: it sleeps until the next deadline, at most a second."""

    name = "sweep"
    poll_s = SWEEP_S

    def round(self) -> None:
        sweep()

    def wait(self) -> None:
        coming = Deadline.objects.order_by("next_ms").values_list("next_ms", flat=True).first()
        left = self.poll_s if coming is None else (coming - commands.now_ms()) / 1000
        wait_for(hints.BELLS[hints.DUE], max(0.001, min(self.poll_s, left)), self.stopping)
