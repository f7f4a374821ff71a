"""The one write path. Nothing else adds an event.

    load the state at the head (cache, else snapshot + tail) → decide (pure) → append (ONE insert) → tell

An acceptance needs no check, the insert is the check. A refusal leaves only after the log was read to its end and the
command id was looked up: a retry, late or concurrent or after a crash, gets the first answer again.
"""

import logging
import random
import secrets
import time
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection

from events import heads, store, texts
from events.canonical import NotCanonical, digest, encode, keyed
from events.decider import Record, decider_for
from events.errors import Rejected

log = logging.getLogger("events")

PATIENCE_S = 10.0  # how long one command fights for its place, or waits for a database that restarts
LISTENERS: list[Callable[[store.Stored, heads.Head], None]] = []  # told after the commit; their failure loses nothing


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def execute(
    stream: str,
    *,
    actor: str,
    action: Record,
    command_id: str,
    expected_seq: int | None = None,
    written: dict[str, str] | None = None,
) -> store.Stored:
    """Accept `action` at the head of `stream`, or raise Rejected with the seq it was refused at.

    `written` is free text by name; it is kept apart and the action carries a commitment to it under that name."""
    request = request_hash(action, written or {})
    if not written:
        return _execute(stream, actor, action, command_id, request, expected_seq)
    kept = texts.keep(stream, actor, written)
    event = None
    try:
        event = _execute(stream, actor, {**action, **kept}, command_id, request, expected_seq)
        if not texts.same(event.content["body"]["action"], written):
            raise key_reused(event)
        return event
    finally:  # a refused command, or a repeated one whose first words stand, leaves no trace
        if event is None or not kept.items() <= event.content["body"]["action"].items():
            texts.drop(kept)


def _execute(
    stream: str, actor: str, action: Record, command_id: str, request: str, expected_seq: int | None
) -> store.Stored:
    gives_up = time.monotonic() + PATIENCE_S
    with heads.heads.turn(stream):
        while True:
            try:
                event = _attempt(stream, actor, action, command_id, request, expected_seq)
            except (OperationalError, InterfaceError) as error:
                _reconnect(error, gives_up)
                continue
            if event:
                return event
            if time.monotonic() > gives_up:
                raise Rejected("busy", "Too many writers on this stream; send the same command again.")
            time.sleep(random.uniform(0, 0.004))


def _attempt(
    stream: str, actor: str, action: Record, command_id: str, request: str, expected_seq: int | None
) -> store.Stored | None:
    """One try at the write path. None: somebody else took the place, try again."""
    head = heads.known(stream)
    try:
        decided, event = _decide(head, actor, action, command_id, request, expected_seq)
    except Rejected:
        head = heads.current(stream)
        try:
            decided, event = _decide(head, actor, action, command_id, request, expected_seq)
        except Rejected as refusal:
            if earlier := store.find(stream, actor, command_id):
                return first_answer(earlier, request)
            raise refusal.at(head.seq) from None
    if store.append(event):
        _tell(event, head.after(event, decided.state))
        return event
    if earlier := store.find(stream, actor, command_id):
        return first_answer(earlier, request)
    heads.current(stream)
    return None


def _decide(
    head: heads.Head, actor: str, action: Record, command_id: str, request: str, expected_seq: int | None
) -> tuple[Any, store.Stored]:
    if expected_seq is not None and expected_seq != head.seq:
        raise Rejected("stale", f"You act on seq {expected_seq}; the stream is at {head.seq}.")
    moment = head.next_moment(now_ms(), actor)
    decided = head.decider.decide(head.state, action, head.key.seed, moment)
    event = store.build(
        head.key, moment, cmd=command_id, request=request, action=decided.action, effects=decided.effects,
        version=settings.BUILD,
    )  # fmt: skip
    return decided, event


def open_stream(
    kind: str, seats: int, *, stream: str, actor: str, action: Record, command_id: str, seed: bytes | None = None
) -> store.Stored:
    """Begin a stream with its first event, which commits to the stream's seed. Repeating it gives the first event
    again."""
    request = request_hash(action)
    decider = decider_for(kind)
    key = store.StreamKey(stream, kind, seats, seed or secrets.token_bytes(32))
    action = {**action, "commit": digest("commit", stream, key.seed).hex()}
    decided, event = _decide(heads.beginning(key), actor, action, command_id, request, None)
    if store.create_stream(key, event):
        _tell(event, heads.Head(key, 1, event.at, event.hash, decided.state))
        return event
    first = store.read(stream, limit=1)[0]
    if first.cmd != command_id:
        raise Rejected("exists", f"There is a {decider.kind} {stream!r} already.", seq=store.head_seq(stream))
    return first_answer(first, request)


def new_stream_id(kind: str, *scope: str | int) -> str:
    """A stream id; with a scope (who asked, their command id) the same one each time, so that creating can be retried.
    Keyed: it gives nothing of the scope away."""
    data = keyed(settings.SECRET_KEY.encode(), "stream-id", kind, *scope) if scope else secrets.token_bytes(16)
    return f"{decider_for(kind).prefix}_{base62(data[:15])}"


def base62(data: bytes) -> str:
    alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    number, out = int.from_bytes(data, "big"), ""
    while number:
        number, rest = divmod(number, 62)
        out = alphabet[rest] + out
    return out.rjust(-(-len(data) * 8 // 6), "0")[-20:]


def request_hash(action: Record, written: Iterable[str] = ()) -> str:
    """Of the action, and of which texts came with it. Not of the words: they can be erased, and a hash can be tried."""
    try:
        return digest("request", encode([action, sorted(written)])).hex()
    except NotCanonical as error:
        raise Rejected("illegal", f"That cannot be recorded: {error}") from None


def first_answer(event: store.Stored, request: str) -> store.Stored:
    if event.request != request:
        raise key_reused(event)
    return event


def key_reused(event: store.Stored) -> Rejected:
    return Rejected(
        "key_reused", "This command id was already used for another request; use a new id for a new command.",
        seq=event.seq,
    )  # fmt: skip


def _tell(event: store.Stored, head: heads.Head) -> None:
    """After the commit. Everything here can be made again from the log, so nothing here may fail the command."""
    heads.heads.put(head)
    try:
        if head.seq % heads.SNAPSHOT_EVERY == 0:
            heads.save_snapshot(head)
    except DatabaseError:
        log.exception("snapshot of %s at %s not saved", event.stream, event.seq)
    for listener in LISTENERS:
        try:
            listener(event, head)
        except Exception:
            log.exception("listener %s failed after %s/%s", listener, event.stream, event.seq)


def _reconnect(error: Exception, gives_up: float) -> None:
    """The database went away, perhaps after it committed: connect again, and let the command id tell."""
    if time.monotonic() > gives_up:
        raise Rejected("unavailable", "The database does not answer; send the same command again.") from error
    log.warning("database gone, trying again: %s", error)
    connection.close()
    time.sleep(0.1)
