"""A stream as a file that anybody can check without us: docs/format.md, "Export".

The bytes of events and of the table's openings leave exactly as they lie in the store: what is wrong with them is for
the verifier to say, not for us to smooth over.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from events import checkpoints, heads, seals, store
from events.canonical import encode
from events.decider import Viewer, decider_for
from events.errors import Rejected
from events.models import Checkpoint, Text

AT_ONCE = 500
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError)  # what reading bytes that somebody changed can give


def export(
    stream: str, viewer: Viewer, *, since: int | None = None, head: heads.Head | None = None
) -> Iterator[bytes]:
    """The lines of the stream as this viewer may see it; as everybody may, once its seals are open. `since` adds the
    proof that the newest checkpoint continues the one of that size. Who may be which viewer is for the caller to know:
    it is so at `head`, so the lines go no further.
    """
    key = store.stream_key(stream)
    if key is None:
        raise Rejected("unknown", f"There is no stream {stream!r}.")
    if viewer not in (None, "table") and not (type(viewer) is int and 0 <= viewer < key.seats):
        raise Rejected("unknown", f"{stream} has no seat {viewer}; it has {key.seats}, from 0 on.")
    try:
        decider = decider_for(key.kind)
    except KeyError:  # its code is gone: nobody can say any more whether its seals are open, so they are not
        last = store.read(stream, after=store.head_seq(stream) - 1)[0]
        return lines(key, last.seq, last.hash, viewer, None, since)
    head = head or heads.current(stream)
    numbers = decider.numbers(head.state) if decider.opened(head.state) else None
    return lines(key, head.seq, head.hash, viewer, numbers, since)


def lines(
    key: store.StreamKey, seq: int, hash_: bytes, viewer: Viewer, numbers: list[bytes] | None, since: int | None = None
) -> Iterator[bytes]:
    """The stream up to `seq`; with its secret and the seats' `numbers` when they are given."""
    if numbers is not None:
        viewer = "table"
    count = 0
    for line in chain(
        [manifest(key, seq, hash_, viewer, numbers is not None)],
        [] if numbers is None else [secret(key, numbers)],
        events(key, seq, viewer),
        proofs(key, seq, since),
    ):
        count += 1
        yield line + b"\n"
    yield encode({"t": "end", "lines": count}) + b"\n"


def manifest(key: store.StreamKey, seq: int, hash_: bytes, viewer: Viewer, opened: bool) -> bytes:
    return encode(
        {
            "t": "manifest", "v": store.VERSION, "stream": key.id, "kind": key.kind, "seats": key.seats, "events": seq,
            "head": hash_.hex(), "viewer": viewer, "opened": opened,
        }
    )  # fmt: skip


def secret(key: store.StreamKey, numbers: list[bytes]) -> bytes:
    return encode({"t": "secret", "seed": key.seed.hex(), "numbers": [number.hex() for number in numbers]})


def events(key: store.StreamKey, upto: int, viewer: Viewer) -> Iterator[bytes]:
    seq = 0
    while seq < upto and (batch := store.read(key.id, seq, upto=upto, limit=AT_ONCE)):
        written = texts(batch, viewer)
        for event in batch:
            yield event_line(event, key, viewer)
            for row in written.get(event.seq, []):
                yield encode({"t": "text", "seq": event.seq, "salt": bytes(row.salt).hex(), "text": row.text})
        seq = batch[-1].seq


def event_line(event: store.Stored, key: store.StreamKey, viewer: Viewer) -> bytes:
    try:
        return spliced(event, key, viewer, event.table_parts)
    except UNREADABLE:
        return spliced(event, key, viewer, [])  # its bytes go out all the same; the verifier will name them


def spliced(event: store.Stored, key: store.StreamKey, viewer: Viewer, table: seals.Parts) -> bytes:
    leaves = seals.leaves(key.id, event.seq, key.seats, key.salt_key, table, event.sealed)
    shown = seals.slots(key.seats) if viewer == "table" else [] if viewer is None else [viewer]
    openings = [
        b'"%b":{"opening":%b,"salt":"%b"}'
        % (
            str(slot).encode(),
            event.sealed if slot == "table" else encode(seals.for_seat(table, slot)),
            seals.salt(key.salt_key, event.seq, slot).hex().encode(),
        )
        for slot in sorted(shown, key=str)
    ]
    return b'{"envelope":%b,"hash":"%b","leaves":%b,"openings":{%b},"seq":%d,"t":"event"}' % (
        event.envelope,
        event.hash.hex().encode(),
        encode([leaf.hex() for leaf in leaves]),
        b",".join(openings),
        event.seq,
    )


def texts(batch: list[store.Stored], viewer: Viewer) -> dict[int, list[Text]]:
    """The words that this viewer's form of the actions commits to, as far as they were not erased, in line order."""
    named = {event.seq: commitments(event, viewer) for event in batch if b'{"text":"' in event.envelope + event.sealed}
    wanted = [commitment for found in named.values() for commitment in found]
    rows = Text.objects.in_bulk(wanted) if wanted else {}
    return {seq: [rows[commitment] for commitment in found if commitment in rows] for seq, found in named.items()}


def commitments(event: store.Stored, viewer: Viewer) -> list[str]:
    """Those of the public action first, then those in the viewer's opening: the order in which the line has them."""
    try:
        action, opening = event.content["body"]["action"], [] if viewer is None else event.opening(viewer)
        private = [part["fields"] for part in opening if part.get("at") == 0 and "fields" in part]
        return list(dict.fromkeys(_in([action, *private])))
    except UNREADABLE:
        return []


def _in(value: Any) -> Iterator[str]:
    """Commitments to texts anywhere in a value, in canonical order."""
    if isinstance(value, dict):
        if value.keys() == {"text"} and isinstance(value["text"], str):
            yield value["text"]
        else:
            for name in sorted(value):
                yield from _in(value[name])
    elif isinstance(value, list):
        for item in value:
            yield from _in(item)


def proofs(key: store.StreamKey, upto: int, since: int | None) -> Iterator[bytes]:
    """That the stream lies under the newest checkpoint, as far as it does. Not of events that came meanwhile: they are
    not in this file."""
    checkpoint: Checkpoint | None = checkpoints.latest()
    found = checkpoints.last_proof(key.id, checkpoint, upto) if checkpoint else None
    if not found or not checkpoint:
        return
    seq, proof = found
    signed = checkpoints.shown(checkpoint)
    inclusion = [step.hex() for step in proof.inclusion]
    yield encode(signed | {"t": "proof", "seq": seq, "position": proof.position, "inclusion": inclusion})
    if since is not None:
        steps = [step.hex() for step in checkpoints.consistency(since, checkpoint.size)]
        yield encode({"t": "consistency", "from": since, "to": checkpoint.size, "proof": steps})
