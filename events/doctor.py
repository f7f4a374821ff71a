"""What is wrong with this service, if anything: each check looks at one part and says what to do about it.

    for exam in examine(): print(exam.part, exam.summary, exam.findings)
"""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from events import checkpoints, feed, heads, heartbeats, integrity, keys, locks, merkle, verification
from events.commands import now_ms
from events.models import Checkpoint, Cursor, Deadline, Event, Stream
from events.readmodels import MODELS
from events.tree import AT_ONCE, Tree
from events.verifier import FAILED

log = logging.getLogger("events")

FEED_LAG_S = 5.0
TRANSACTION_S = 60.0
CHECKPOINT_LAG_S = 30.0
MODEL_LAG_S = 10.0
OVERDUE_S = 3.0
HEARTBEAT_S = 20.0
SAMPLE = 50  # streams that moved last, and as many others
NAMED = 10  # of one kind of fault; the rest are counted
PING_S = 1.0  # how long a worker may take to answer


@dataclass(frozen=True)
class Finding:
    code: str
    subject: str
    detail: str
    remedy: str


@dataclass
class Exam:
    """One part: what it is like, and what is wrong with it."""

    part: str
    summary: str = ""
    findings: list[Finding] = field(default_factory=list)

    def find(self, code: str, subject: str, detail: str, remedy: str) -> None:
        self.findings.append(Finding(code, subject, detail, remedy))


Check = Callable[[Exam, bool], None]
CHECKS: dict[str, Check] = {}


def check(part: str) -> Callable[[Check], Check]:
    def register(function: Check) -> Check:
        CHECKS[part] = function
        return function

    return register


def examine(deep: bool = False) -> Iterator[Exam]:
    for part, look in CHECKS.items():
        exam = Exam(part)
        try:
            look(exam, deep)
        except Exception as error:
            log.exception("doctor cannot look at %s", part)
            exam.find("not_examined", part, f"{type(error).__name__}: {error}", "mend this first, then ask again")
        yield exam


@check("database")
def database(exam: Exam, deep: bool) -> None:
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    exam.summary = connection.vendor
    for migration, _ in missing:
        exam.find("not_migrated", str(migration), "this migration was not applied", "manage.py migrate")


@check("key")
def key(exam: Exam, deep: bool) -> None:
    current = keys.current()
    exam.summary = f"{current.id} signs" if current else ""
    if current is None:
        exam.find("no_key", "checkpoints", "there is no key to sign with", "manage.py keys make, at the sequencer")


@check("sequencer")
def sequencer(exam: Exam, deep: bool) -> None:
    if locks.held("sequencer"):
        exam.summary = "at work"
    else:
        exam.find("dead_sequencer", "sequencer", "none is at work on this database", "start one: manage.py sequencer")


@check("feed")
def the_feed(exam: Exam, deep: bool) -> None:
    waiting, oldest = feed.waiting()
    lag = age_s(oldest) if waiting else 0.0
    exam.summary = f"{feed.size()} events, {waiting} waiting"
    if lag > FEED_LAG_S:
        detail = f"{waiting} events wait, the oldest for {lag:.0f} s"
        exam.find("feed_lags", "feed", detail, "see whether the sequencer works and what its log says")
    if deep and (lost := verification.lost_position()):
        exam.find("lost_event", f"position {lost}", "the event in this place is gone", "restore it from a backup")
    if holder := horizon_holder():
        exam.find("open_transaction", "feed", f"{holder}: every look for new events grows dearer", "end it")


def horizon_holder() -> str:
    """On PostgreSQL: who has kept a writing transaction open for long. Any database of the cluster counts."""
    if connection.vendor != "postgresql":
        return ""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid, datname, extract(epoch FROM now() - xact_start)::int, state FROM pg_stat_activity "
            "WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid() "
            "AND now() - xact_start > %s * interval '1 second' ORDER BY age(backend_xid) DESC LIMIT 1",
            [TRANSACTION_S],
        )
        if row := cursor.fetchone():
            pid, name, seconds, state = row
            return f"process {pid} ({state}) has kept a writing transaction open in database {name} for {seconds} s"
        cursor.execute("SELECT gid FROM pg_prepared_xacts ORDER BY prepared LIMIT 1")
        return f"the prepared transaction {row[0]} was never ended" if (row := cursor.fetchone()) else ""


@check("checkpoints")
def the_checkpoints(exam: Exam, deep: bool) -> None:
    newest, size = checkpoints.latest(), feed.size()
    exam.summary = f"{newest.size} of {size} events signed" if newest else "none yet"
    unsigned = next(iter(feed.read(newest.size if newest else 0, 1)), None)
    if unsigned and age_s(max(unsigned.event.at, newest.at_ms if newest else 0)) > CHECKPOINT_LAG_S:
        exam.find(
            "checkpoints_lag", "checkpoints", f"the feed has {size} events, {newest.size if newest else 0} are signed",
            "the sequencer's log says why it does not sign; its key may be missing there",
        )  # fmt: skip
    for row in Checkpoint.objects.order_by("-size")[: None if deep else 3]:
        if fault := checkpoints.check(row):
            exam.find("bad_checkpoint", f"checkpoint {row.size}", fault, "compare with a copy kept elsewhere")
    if deep and (place := first_changed_leaf(newest.size if newest else 0)):
        exam.find("bad_tree", f"position {place}", "the event is not the one that was signed", "manage.py verify --all")


def first_changed_leaf(size: int) -> int | None:
    """The first place at which the feed's events do not give the tree's leaves."""
    tree = Tree()
    for after in range(0, size, AT_ONCE):
        upto = min(size, after + AT_ONCE)
        for place, hash_ in enumerate(feed.hashes(after, upto), after):
            if tree.entry(0, place) != merkle.leaf(hash_):
                return place + 1
    return None


@check("read models")
def read_models(exam: Exam, deep: bool) -> None:
    size = feed.size()
    exam.summary = ", ".join(sorted(MODELS)) or "none"
    for name in MODELS:
        cursor = Cursor.objects.filter(name=name).first() or Cursor(name=name)
        if cursor.fault:
            exam.find(
                "model_stopped", name, f"it stands still at {cursor.fault}",
                f"mend it; it tries again by itself, or: manage.py rebuild {name}",
            )  # fmt: skip
        elif cursor.pos < size:
            lag = age_s(feed.read(cursor.pos, 1)[0].event.at)
            if lag > MODEL_LAG_S:
                exam.find(
                    "model_lags", name, f"{size - cursor.pos} events behind, the first {lag:.0f} s old",
                    "see whether Celery's workers and beat run",
                )  # fmt: skip


@check("deadlines")
def deadlines(exam: Exam, deep: bool) -> None:
    exam.summary = f"{Deadline.objects.count()} set"
    failing = Deadline.objects.exclude(fault="").order_by("due_ms")
    for row in failing[:NAMED]:
        exam.find(
            "deadline_fails", f"{row.stream}/{row.key}", f"tried {row.tries} times: {row.fault}",
            "mend the cause; it is tried again by itself",
        )  # fmt: skip
    overdue = Deadline.objects.filter(fault="", due_ms__lt=now_ms() - OVERDUE_S * 1000).order_by("due_ms")
    if worst := overdue.first():
        exam.find(
            "deadlines_overdue", f"{worst.stream}/{worst.key}",
            f"{overdue.count()} deadlines are overdue, this one by {age_s(worst.due_ms):.0f} s",
            "nobody sweeps: see whether Celery's workers and beat run",
        )  # fmt: skip


@check("workers")
def workers(exam: Exam, deep: bool) -> None:
    if not settings.EMBEDDED:
        from celery import current_app

        answers = current_app.control.ping(timeout=PING_S)
        names = sorted(name for answer in answers for name in answer)
        exam.summary = ", ".join(names)
        if not names:
            exam.find("no_worker", "Celery", "no worker answers", "start one: celery -A config.celery worker")
    for name in ("sweep", "readmodels"):
        age = heartbeats.age_s(name)
        if age is None or age > HEARTBEAT_S:
            last = "there never was one" if age is None else f"the last one was {age:.0f} s ago"
            exam.find("no_heartbeat", name, f"no sign of life; {last}", "see whether Celery's workers and beat run")


@check("streams")
def streams(exam: Exam, deep: bool) -> None:
    chosen = Stream.objects.values_list("id", flat=True) if deep else sample()
    looked = 0
    wrong: dict[str, int] = {}
    for stream in chosen:
        looked += 1
        for code, detail, remedy in look_at(stream, deep):
            wrong[code] = wrong.get(code, 0) + 1
            if wrong[code] <= NAMED:
                exam.find(code, stream, detail, remedy)
    for code, count in wrong.items():
        if count > NAMED:
            exam.find(code, f"{count - NAMED} more", "the same", "see above")
    exam.summary = f"{looked} of {Stream.objects.count()} looked at"


def look_at(stream: str, deep: bool) -> Iterator[tuple[str, str, str]]:
    if fault := integrity.fault(stream) or (deep and unproved(stream)):
        yield "unverifiable", fault, f"manage.py verify {stream}; compare with an export kept elsewhere"
        return
    try:
        head = heads.current(stream)
        hook = getattr(head.decider, "stuck", None)
        why = hook(head.state) if hook else None
    except Exception as error:
        yield "unreadable", f"its state cannot be made: {type(error).__name__}: {error}", "mend its decider"
        return
    if why:
        yield "stuck", f"at seq {head.seq}: {why}", "a judge can rule or rewind"


def unproved(stream: str) -> str:
    """What the whole verification finds: it exports, checks, folds, and decides every action again."""
    sections = verification.check(stream).sections
    return "; ".join(f"{name}: {found.detail}" for name, found in sections.items() if found.status == FAILED)


def sample() -> list[str]:
    """The streams that moved last, and some from anywhere."""
    moved = Event.objects.order_by("-pos").values_list("stream", flat=True)[: 20 * SAMPLE]
    chosen = list(dict.fromkeys(moved))[:SAMPLE]
    others = Stream.objects.order_by("?").values_list("id", flat=True)[:SAMPLE]
    return list(dict.fromkeys([*chosen, *others]))


def age_s(at_ms: int) -> float:
    return (now_ms() - at_ms) / 1000
