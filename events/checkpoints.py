"""Checkpoints: what the feed holds, signed. Who keeps one can tell later whether anything before it was changed."""

import logging
import secrets
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from events import feed, heads, hints, keys, merkle, store
from events.canonical import decode, domain, encode
from events.commands import now_ms
from events.errors import Rejected
from events.models import Checkpoint, Sequencer
from events.tree import Tree

log = logging.getLogger("events")

VERSION = 1


def sign() -> Checkpoint | None:
    """Sign what the feed holds; None when the newest checkpoint says it already. Only where the key is."""
    size = feed.size()
    newest = latest()
    if size == (newest.size if newest else 0):
        return None
    with transaction.atomic():
        key, private = keys.signer()
        tree = Tree()
        tree.grow(size)
        root = tree.span(0, size)
        at = max(now_ms(), key.from_ms, newest.at_ms if newest else 0)
        body = encode(
            {"at": at, "key": key.id, "origin": origin(), "root": root.hex(), "size": size, "v": VERSION}
        )  # fmt: skip
        row = Checkpoint(size, root, key.id, at, body, private.sign(message(body)))
        row.save(force_insert=True)
    return row


def message(body: bytes) -> bytes:
    return domain("checkpoint") + body


def origin() -> str:
    """The name of this log, chosen when it first signs and never changed."""
    state, _ = Sequencer.objects.get_or_create(id=1)
    if not state.origin:
        state.origin = settings.ARBITER_ORIGIN or f"arbiter/{secrets.token_hex(8)}"
        state.save(update_fields=["origin"])
    return state.origin


def ask() -> None:
    """Would like a checkpoint now rather than in a few seconds; the sequencer hears it if it can."""
    hints.ring(hints.SIGN)
    hints.ring(hints.APPENDED)


def appended(event: store.Stored, head: heads.Head) -> None:
    """After a commit: where a stream has come to its end, its players want to take the proof home."""
    ended = getattr(head.decider, "ended", None)
    if ended and ended(head.state):
        ask()


def latest() -> Checkpoint | None:
    return Checkpoint.objects.order_by("-size").first()


def shown(row: Checkpoint) -> dict[str, Any]:
    """As it is given out: a line that `verifier.py --checkpoint` reads."""
    return {
        "t": "checkpoint",
        "checkpoint": decode(bytes(row.body)),
        "signature": bytes(row.signature).hex(),
        "public_key": keys.public_of(row.key).hex(),
    }


@dataclass(frozen=True)
class Proof:
    """That an event is in the feed under a signed checkpoint."""

    position: int  # from 1
    inclusion: list[bytes]
    checkpoint: Checkpoint


def proof_of(stream: str, seq: int, checkpoint: Checkpoint | None = None) -> Proof | None:
    """Under the newest checkpoint, or the one given; None when it does not reach the event."""
    row = checkpoint or latest()
    position = feed.position(stream, seq)
    if row is None or position is None or position > row.size:
        return None
    tree = Tree()
    path = [tree.span(lo, hi) for lo, hi in merkle.inclusion(position - 1, row.size)]
    return Proof(position, path, row)


def last_proof(
    stream: str, checkpoint: Checkpoint | None = None, upto: int | None = None
) -> tuple[int, Proof] | None:
    """The proof of the last event of the stream (up to a seq) that lies under the checkpoint, with its seq."""
    row = checkpoint or latest()
    if row is None:
        return None
    with connection.cursor() as cursor:  # in a stream positions rise with seq
        cursor.execute(
            "SELECT e.seq FROM events_event e JOIN events_feed f ON f.event = e.pos "
            "WHERE e.stream = %s AND f.pos <= %s AND e.seq <= %s ORDER BY e.seq DESC LIMIT 1",
            [stream, row.size, store.head_seq(stream) if upto is None else upto],
        )
        found = cursor.fetchone()
    proof = proof_of(stream, found[0], row) if found else None
    return (found[0], proof) if found and proof else None


def consistency(old: int, new: int) -> list[bytes]:
    """That the feed of `new` events begins with the feed of `old`."""
    known = Sequencer.objects.get_or_create(id=1)[0].tree_size
    if not 1 <= old <= new <= known:
        raise Rejected("unknown", f"Sizes must rise and lie between 1 and {known}; you gave {old} and {new}.")
    tree = Tree()
    return [tree.span(lo, hi) for lo, hi in merkle.consistency(old, new)]


def check(row: Checkpoint) -> str | None:
    """What is wrong with a stored checkpoint: its signature, its key's time, its root against the tree."""
    content = decode(bytes(row.body))
    key = keys.valid_at(row.key, row.at_ms)
    if key is None:
        return f"key {row.key} was not valid at {row.at_ms}"
    if not keys.signed(bytes(key.public), bytes(row.signature), message(bytes(row.body))):
        return "the signature does not fit"
    if (content["size"], content["root"], content["at"]) != (row.size, bytes(row.root).hex(), row.at_ms):
        return "the row does not say what was signed"
    if Tree().span(0, row.size) != bytes(row.root):
        return "the tree has another root"
    return None
