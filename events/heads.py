"""States at the heads of streams: a cache per process, filled from snapshots and tails, never trusted to refuse."""

import logging
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from events import store
from events.decider import Decider, Moment, decider_for
from events.errors import Rejected
from events.models import Snapshot

log = logging.getLogger("events")

SNAPSHOT_EVERY = 200
SLOW_LOAD_S = 0.02
KEEP = 2_000


@dataclass(frozen=True)
class Head:
    key: store.StreamKey
    seq: int
    at: int
    hash: bytes
    state: Any

    @property
    def decider(self) -> Decider:
        return decider_for(self.key.kind)

    def next_moment(self, now: int, by: str) -> Moment:
        return Moment(self.seq + 1, max(self.at, now), self.hash.hex(), by)

    def after(self, event: store.Stored, state: Any) -> "Head":
        return Head(self.key, event.seq, event.at, event.hash, state)


class Heads:
    """The hot states of this process, and one lock per stream so that its threads do not race each other."""

    def __init__(self, keep: int = KEEP) -> None:
        self._keep = keep
        self._heads: OrderedDict[str, Head] = OrderedDict()
        self._locks: dict[str, tuple[threading.Lock, int]] = {}
        self._guard = threading.Lock()

    def get(self, stream: str) -> Head | None:
        with self._guard:
            head = self._heads.get(stream)
            if head:
                self._heads.move_to_end(stream)
            return head

    def put(self, head: Head) -> None:
        with self._guard:
            known = self._heads.get(head.key.id)
            if known is None or known.seq <= head.seq:
                self._heads[head.key.id] = head
                self._heads.move_to_end(head.key.id)
            while len(self._heads) > self._keep:
                self._heads.popitem(last=False)

    def forget(self, stream: str | None = None) -> None:
        with self._guard:
            if stream is None:
                self._heads.clear()
            else:
                self._heads.pop(stream, None)

    def turn(self, stream: str) -> "_Turn":
        return _Turn(self, stream)


class _Turn:
    """One thread of this process at a time on one stream. Other processes race on the insert."""

    def __init__(self, heads: Heads, stream: str) -> None:
        self.heads, self.stream = heads, stream

    def __enter__(self) -> None:
        with self.heads._guard:
            lock, waiting = self.heads._locks.get(self.stream) or (threading.Lock(), 0)
            self.heads._locks[self.stream] = (lock, waiting + 1)
        self.lock = lock
        lock.acquire()

    def __exit__(self, *exc: object) -> None:
        self.lock.release()
        with self.heads._guard:
            lock, waiting = self.heads._locks[self.stream]
            if waiting == 1:
                del self.heads._locks[self.stream]
            else:
                self.heads._locks[self.stream] = (lock, waiting - 1)


heads = Heads()


def fold(head: Head, events: list[store.Stored]) -> Head:
    """Effects only, no rules: how every past moment is rebuilt."""
    if not events:
        return head
    decider = head.decider
    state = decider.clone(head.state)
    for event in events:
        moment = event.moment
        for record in event.records("table"):
            state = decider.evolve(state, record, moment)
    return head.after(events[-1], state)


def beginning(key: store.StreamKey) -> Head:
    return Head(key, 0, 0, key.genesis, decider_for(key.kind).initial(key.id, key.seats))


def known(stream: str) -> Head:
    """The newest state this process has, perhaps behind: good enough to accept, never to refuse."""
    return heads.get(stream) or current(stream)


def current(stream: str, min_seq: int = 0) -> Head:
    """The state at the head, the log read up to its end now."""
    began = time.perf_counter()
    head = heads.get(stream) or _snapshot(_key(stream))
    tail = store.read(stream, head.seq)
    head = fold(head, tail)
    if len(tail) >= SNAPSHOT_EVERY or (tail and time.perf_counter() - began > SLOW_LOAD_S):
        save_snapshot(head)
    if tail or heads.get(stream) is None:
        heads.put(head)
    if head.seq < min_seq:
        raise Rejected("not_there_yet", f"The stream is at seq {head.seq}; you asked for {min_seq}.", seq=head.seq)
    return head


def at(stream: str, seq: int) -> Head:
    """The state right after event `seq`."""
    cached = heads.get(stream)
    if cached and cached.seq == seq:
        return cached
    head = _snapshot(_key(stream), upto=seq)
    head = fold(head, store.read(stream, head.seq, upto=seq))
    if head.seq != seq:
        raise Rejected("unknown", f"The stream has no event {seq}; it ends at {store.head_seq(stream)}.")
    return head


def save_snapshot(head: Head) -> None:
    Snapshot.objects.bulk_create(
        [
            Snapshot(
                stream=head.key.id, seq=head.seq, schema=head.decider.schema, hash=head.hash,
                state=head.decider.encode(head.state),
            )
        ],
        ignore_conflicts=True,
    )  # fmt: skip


def _key(stream: str) -> store.StreamKey:
    key = store.stream_key(stream)
    if key is None:
        raise Rejected("unknown", f"There is no stream {stream!r}.")
    return key


def _snapshot(key: store.StreamKey, upto: int | None = None) -> Head:
    decider = decider_for(key.kind)
    rows = Snapshot.objects.filter(stream=key.id, schema=decider.schema)
    if upto is not None:
        rows = rows.filter(seq__lte=upto)
    if row := rows.order_by("-seq").first():
        event = store.read(key.id, row.seq - 1, upto=row.seq)
        try:
            if event and event[0].hash == bytes(row.hash):
                return Head(key, row.seq, event[0].at, event[0].hash, decider.decode(bytes(row.state)))
        except Exception:
            log.exception("snapshot of %s at %s cannot be read", key.id, row.seq)
        row.delete()  # a cache that does not fit the log is no cache
        return _snapshot(key, upto)
    return beginning(key)
