"""Read models: what lists and searches are served from. Each follows the feed with a cursor of its own.

    register(ReadModel("lobby", apply=show_in_lobby, clear=LobbyRow.objects.all().delete, latest=True))

The rows and the cursor move in one transaction, so nothing is applied twice and nothing is left out, wherever it is
killed. The cursor's row is the lock: one runner per model. A model that fails stops alone, at the event it cannot
take, and is tried again later. `apply` writes rows of its own and nothing else; it never executes a command.
"""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from django.db import DatabaseError, InterfaceError, connection, transaction

from events import feed, hints, locks
from events.commands import now_ms
from events.heads import Head
from events.loops import Loop, wait_for
from events.models import Cursor, Stream

log = logging.getLogger("events")

BATCH = 200  # short: a long writing transaction would hold back the sequencer on PostgreSQL
REST_S = 0.3  # between two rounds: what happens meanwhile is taken together, and lists are this late at most
AT_MOST_S = 5.0  # of a round: then the next sign of life
SHARED = 4  # batches of a round that are kept for the models that come later in it
KEEP = 500
PATIENCE_MS = 60_000  # the longest pause between two tries of a model that fails


@dataclass(eq=False)
class ReadModel:
    name: str
    apply: Callable[[feed.Entry], object]
    clear: Callable[[], object]
    kinds: frozenset[str] | None = None  # of streams; None: all of them
    latest: bool = False  # it shows states, so of several events of a stream in one batch only the last is applied
    apply_all: Callable[[list[feed.Entry]], object] | None = None  # a batch at once, if that is cheaper than one by one
    heads: OrderedDict[str, Head] = field(default_factory=OrderedDict, repr=False)

    def wants(self, entries: list[feed.Entry]) -> list[feed.Entry]:
        if self.kinds is not None:
            streams = {entry.event.stream for entry in entries}
            mine = {*Stream.objects.filter(id__in=streams, kind__in=self.kinds).values_list("id", flat=True)}
            entries = [entry for entry in entries if entry.event.stream in mine]
        if self.latest:
            last: dict[str, feed.Entry] = {}
            for entry in entries:
                if earlier := last.get(entry.event.stream):
                    entry.since = [*earlier.since, earlier.event]
                last[entry.event.stream] = entry
            entries = [last[stream] for stream in sorted(last)]  # in one order for everybody who writes several rows
        return entries

    def take(self, entries: list[feed.Entry]) -> None:
        if self.apply_all and self.latest and entries:
            for entry in entries:
                entry.before = self.heads.get(entry.event.stream)
            try:
                self.apply_all(entries)
            except Exception as error:
                raise Failed(entries[-1]) from error
            for entry in entries:
                self.keep(entry)
        else:
            for entry in entries:
                entry.before = self.heads.get(entry.event.stream)
                try:
                    self.apply(entry)
                except Exception as error:
                    raise Failed(entry) from error
                self.keep(entry)

    def keep(self, entry: feed.Entry) -> None:
        """Its state, if it was asked for, is where the next entry of the stream starts from."""
        if "head" in entry.__dict__:
            self.heads[entry.event.stream] = entry.head
            self.heads.move_to_end(entry.event.stream)
            if len(self.heads) > KEEP:
                self.heads.popitem(last=False)


MODELS: dict[str, ReadModel] = {}


def register(model: ReadModel) -> ReadModel:
    MODELS[model.name] = model
    return model


class Failed(Exception):
    """A projection could not take an entry; the cause says why."""

    def __init__(self, entry: feed.Entry) -> None:
        super().__init__(f"event {entry.event.stream}/{entry.event.seq} at position {entry.pos}")


Reads = dict[tuple[int, int], list[feed.Entry]]  # what one model has read, others of the same round need not


def step(model: ReadModel, limit: int = BATCH, reads: Reads | None = None) -> int | None:
    """One batch. How many positions it moved on; None when another runner has the model."""
    reads = {} if reads is None else reads
    if Cursor.objects.get_or_create(name=model.name)[0].pos >= feed.size():
        return 0
    with transaction.atomic():
        cursor = Cursor.objects.select_for_update(skip_locked=True).filter(name=model.name).first()
        if cursor is None:
            return None
        entries = reads.get((cursor.pos, limit)) or feed.read(cursor.pos, limit)
        if not entries:
            return 0
        if len(reads) < SHARED:
            reads[cursor.pos, limit] = entries
        model.take(model.wants(entries))
        Cursor.objects.filter(name=model.name).update(pos=entries[-1].pos, fault="", tries=0, retry_ms=0)
        return entries[-1].pos - cursor.pos


def catch_up(model: ReadModel, until: float = float("inf"), reads: Reads | None = None) -> int:
    """Follow the feed to its end, or to the time `until` (monotonic). How many positions it moved on."""
    moved, limit = 0, BATCH
    if Cursor.objects.filter(name=model.name, retry_ms__gt=now_ms()).exists():
        return 0
    while time.monotonic() < until:
        try:
            taken = step(model, limit, reads)
        except Failed as failure:
            model.heads.clear()
            if isinstance(failure.__cause__, DatabaseError | InterfaceError) and not connection.is_usable():
                raise failure.__cause__ from None  # not the model's fault
            if limit == 1:
                stop_at(model, failure)
                return moved
            limit = 1  # take what comes before the entry that fails, one by one
            continue
        if not taken:
            return moved
        moved += taken
    return moved


def stop_at(model: ReadModel, failure: Failed) -> None:
    """Note why the model stands still, and when to try again."""
    cursor = Cursor.objects.get(name=model.name)
    cursor.tries += 1
    cursor.fault = f"{failure}: {type(failure.__cause__).__name__}: {failure.__cause__}"[:1000]
    cursor.retry_ms = now_ms() + min(PATIENCE_MS, 500 << min(cursor.tries, 10))
    cursor.save()
    log.error("read model %s stands still at %s", model.name, cursor.fault, exc_info=failure.__cause__)


def catch_up_all(until: float = float("inf")) -> int:
    reads: Reads = {}
    return sum(catch_up(model, until, reads) for model in MODELS.values())


def rebuild(model: ReadModel) -> int:
    """Drop everything the model shows and make it again from the feed; until it is done it shows a part."""
    Cursor.objects.get_or_create(name=model.name)
    with transaction.atomic():
        Cursor.objects.select_for_update().get(name=model.name)
        model.clear()
        Cursor.objects.filter(name=model.name).update(pos=0, fault="", tries=0, retry_ms=0)
    model.heads.clear()
    return catch_up(model)


class ReadModelLoop(Loop):
    """All models, one after the other, in the embedded process."""

    name = "readmodels"

    def round(self) -> None:
        catch_up_all()

    def wait(self) -> None:
        self.stopping.wait(REST_S)
        wait_for(hints.BELLS[hints.FED], self.poll_s, self.stopping)


class Follower(ReadModelLoop):
    """The same in a worker's process, beside its tasks. One process follows and keeps the states it has folded; the
    others stand by and take over when it ends."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = locks.Lock("readmodels")

    def enter(self) -> bool:
        return self.lock.take()

    def round(self) -> None:
        self.lock.check()
        if any_behind():
            catch_up_all(time.monotonic() + AT_MOST_S)

    def wait(self) -> None:
        self.stopping.wait(REST_S)

    def leave(self) -> None:
        self.lock.release()


def any_behind() -> bool:
    """One small question, asked a few times a second."""
    positions = dict(Cursor.objects.values_list("name", "pos"))
    return min((positions.get(name, 0) for name in MODELS), default=0) < feed.size()


_follower: Follower | None = None
_following = threading.Lock()


def keep_following() -> None:
    """This process follows the feed from now on, or stands by, whether or not it is ever asked again."""
    global _follower
    with _following:
        if _follower is None:
            _follower = Follower().start_thread()
