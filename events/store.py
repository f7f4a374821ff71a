"""Reading and appending rows. One statement per append; no lock, no surrounding transaction."""

import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import IntegrityError, connection, transaction

from events import libpq, seals
from events.canonical import decode, digest, encode
from events.decider import Moment, Record, Viewer
from events.models import Stream, StreamSecret

VERSION = 1
COLUMNS = 'stream, seq, actor, cmd, "do", at_ms, envelope, sealed, prev, hash'
INSERT = f"INSERT INTO events_event ({COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
# PostgreSQL answers a lost race with "no row", not with an error that would spoil a log or a transaction.
INSERT_OR_NOTHING = INSERT + " ON CONFLICT DO NOTHING"
INSERT_SQLITE = INSERT.replace("%s", "?")
SELECT = f"SELECT {COLUMNS} FROM events_event"


@dataclass(frozen=True)
class StreamKey:
    """What is fixed about a stream from its creation: enough to seal and to check."""

    id: str
    kind: str
    seats: int
    seed: bytes

    @cached_property
    def salt_key(self) -> bytes:
        return seals.salt_key(self.id, self.seed)

    @cached_property
    def genesis(self) -> bytes:
        return digest("genesis", self.id, self.kind, self.seats)


@dataclass(frozen=True)
class Stored:
    """An event as it lies in the store: everything in it follows from its bytes."""

    stream: str
    seq: int
    actor: str
    cmd: str
    do: str
    at: int
    envelope: bytes
    sealed: bytes
    prev: bytes
    hash: bytes

    @cached_property
    def content(self) -> dict[str, Any]:
        return decode(self.envelope)

    @cached_property
    def table_parts(self) -> seals.Parts:
        return decode(self.sealed)

    @property
    def request(self) -> str:
        return self.table_parts[0]["request"]

    @property
    def moment(self) -> Moment:
        return Moment(self.seq, self.at, self.prev.hex(), self.actor)

    def records(self, viewer: Viewer) -> list[Record]:
        """The action and the effects, as far as this viewer may know them."""
        body = self.content["body"]
        public = [body["action"], *body["effects"]]
        if viewer is None:
            return public
        return seals.join(public, self.opening(viewer))

    def opening(self, slot: Viewer) -> seals.Parts:
        return self.table_parts if slot == "table" else seals.for_seat(self.table_parts, slot)

    def leaves(self, key: StreamKey) -> list[bytes]:
        return seals.leaves(self.stream, self.seq, key.seats, key.salt_key, self.table_parts, self.sealed)


def build(
    key: StreamKey, moment: Moment, *, cmd: str, request: str, action: Record, effects: list[Record], version: str
) -> Stored:
    """Split what is private from what is public, seal it, chain it, hash it."""
    public, parts = seals.split([action, *effects])
    table: seals.Parts = [{"cmd": cmd, "request": request}, *parts]
    sealed = encode(table)
    leaves = seals.leaves(key.id, moment.seq, key.seats, key.salt_key, table, sealed)
    envelope = encode(
        {
            "at": moment.at,
            "body": {"action": public[0], "effects": public[1:], "seals": seals.root(leaves).hex()},
            "build": version,
            "by": moment.by,
            "do": action["do"],
            "prev": moment.prev,
            "seq": moment.seq,
            "stream": key.id,
            "v": VERSION,
        }
    )
    prev = bytes.fromhex(moment.prev)
    return Stored(
        key.id, moment.seq, moment.by, cmd, action["do"], moment.at, envelope, sealed, prev, digest("event", envelope)
    )


_turn = threading.Lock()


def sqlite_turn() -> AbstractContextManager[object]:
    """SQLite has one writer at a time and an unfair queue for it: in one process we queue ourselves. Who is in a
    transaction is that writer already, and would wait here for somebody who waits for it."""
    return nullcontext() if connection.in_atomic_block else _turn


def append(event: Stored) -> bool:
    """The commit. False when (stream, seq) or (stream, actor, cmd) is taken: nothing was written."""
    row = (
        event.stream, event.seq, event.actor, event.cmd, event.do, event.at,
        event.envelope, event.sealed, event.prev, event.hash,
    )  # fmt: skip
    connection.ensure_connection()
    # The driver's own call: Django's cursor costs as much as the insert, and would log every event's bytes.
    with connection.wrap_database_errors:
        if connection.vendor == "postgresql":
            if connection.in_atomic_block:
                return connection.connection.execute(INSERT_OR_NOTHING, row).rowcount == 1
            return libpq.insert(connection.connection, INSERT_OR_NOTHING, row) == 1
        with sqlite_turn():
            try:
                connection.connection.execute(INSERT_SQLITE, row)
            except sqlite3.IntegrityError as error:
                if "event taken" in str(error):
                    return False
                raise
            return True


def stream_key(stream: str) -> StreamKey | None:
    row = StreamSecret.objects.filter(stream_id=stream).values_list("stream__kind", "stream__seats", "seed").first()
    return StreamKey(stream, row[0], row[1], bytes(row[2])) if row else None


def create_stream(key: StreamKey, first: Stored) -> bool:
    """The stream, its secret and its first event, in one transaction. False when the stream exists."""
    try:
        with transaction.atomic():
            Stream(key.id, key.kind, key.seats, key.genesis, first.at).save(force_insert=True)
            StreamSecret(stream_id=key.id, seed=key.seed).save(force_insert=True)
            append(first)
    except IntegrityError:
        if Stream.objects.filter(id=key.id).exists():
            return False
        raise
    return True


def read(stream: str, after: int = 0, upto: int | None = None, limit: int | None = None) -> list[Stored]:
    where, values = "stream = %s AND seq > %s", [stream, after]
    if upto is not None:
        where, values = where + " AND seq <= %s", [*values, upto]
    bound = f" LIMIT {int(limit)}" if limit is not None else ""
    return list(_select(f"{SELECT} WHERE {where} ORDER BY seq{bound}", values))


def find(stream: str, actor: str, cmd: str) -> Stored | None:
    return next(_select(f"{SELECT} WHERE stream = %s AND actor = %s AND cmd = %s", [stream, actor, cmd]), None)


def head_seq(stream: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(seq) FROM events_event WHERE stream = %s", [stream])
        return cursor.fetchone()[0] or 0


HEADS = {  # one look-up in the index for each, whatever a planner without statistics thinks
    "postgresql": "SELECT s, (SELECT max(seq) FROM events_event WHERE stream = s) FROM unnest(%s::text[]) s",
    "sqlite": "SELECT value, (SELECT max(seq) FROM events_event WHERE stream = value) FROM json_each(%s)",
}


def head_seqs(streams: list[str]) -> dict[str, int]:
    """How far these streams have come."""
    asked: Any = streams if connection.vendor == "postgresql" else json.dumps(streams)
    with connection.cursor() as cursor:
        cursor.execute(HEADS[connection.vendor], [asked])
        return {stream: seq or 0 for stream, seq in cursor.fetchall()}


def _select(query: str, values: list[Any]) -> Iterator[Stored]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        yield from map(stored, cursor.fetchall())


def stored(row: Sequence[Any]) -> Stored:
    """A row of COLUMNS."""
    stream, seq, actor, cmd, do, at, envelope, sealed, prev, hash_ = row
    return Stored(stream, seq, actor, cmd, do, at, bytes(envelope), bytes(sealed), bytes(prev), bytes(hash_))
