"""Whether the stored rows of a stream are what they were: the quick look of `manage.py doctor`.

The real proof is an export and `verifier.py`, which share no code with the service."""

from collections.abc import Iterator

from events import seals, store
from events.canonical import digest
from events.models import Stream

AT_ONCE = 500


def fault(stream: str) -> str | None:
    """The first thing that is wrong with the stored events of a stream, or None."""
    key = store.stream_key(stream)
    if key is None:
        return "its secret is gone: its seals cannot be checked"
    if bytes(Stream.objects.values_list("genesis", flat=True).get(id=stream)) != key.genesis:
        return "its genesis is not that of its kind and seats"
    seq, hash_, at = 0, key.genesis, 0
    for event in events(stream):
        if event.seq != seq + 1:
            return f"event {seq + 1} is missing"
        if wrong := wrong_with(event, key, hash_, at):
            return f"event {event.seq}: {wrong}"
        seq, hash_, at = event.seq, event.hash, event.at
    return None if seq else "it has no events"


def wrong_with(event: store.Stored, key: store.StreamKey, before: bytes, at: int) -> str | None:
    if digest("event", event.envelope) != event.hash:
        return "its bytes do not give its hash"
    if event.prev != before:
        return "it does not continue the chain"
    said = event.content
    columns = (event.stream, event.seq, event.actor, event.do, event.at, event.prev.hex())
    if columns != tuple(said[name] for name in ("stream", "seq", "by", "do", "at", "prev")):
        return "its columns do not say what its bytes say"
    if event.at < at:
        return "it is earlier than the event before"
    if seals.root(event.leaves(key)).hex() != said["body"]["seals"]:
        return "its sealed parts do not fit their seals"
    if event.table_parts[0]["cmd"] != event.cmd:
        return "its command id is not the sealed one"
    return None


def events(stream: str) -> Iterator[store.Stored]:
    seq = 0
    while batch := store.read(stream, seq, limit=AT_ONCE):
        yield from batch
        seq = batch[-1].seq
