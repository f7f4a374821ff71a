"""What a viewer may see of the events: the one way out for REST, streams, exports and bots."""

from typing import Any

from events import seals, store
from events.canonical import decode
from events.decider import Viewer


def seen(event: store.Stored, viewer: Viewer) -> dict[str, Any]:
    """A pure function of (stored event, viewer): the reply to a command, now and at every later retry."""
    action, *effects = event.records(viewer)
    if viewer != "table":
        action, effects = _plain(action), [_plain(effect) for effect in effects]
    return {
        "stream": event.stream,
        "seq": event.seq,
        "at": event.at,
        "by": event.actor,
        "do": event.do,
        "action": action,
        "effects": effects,
        "hash": event.hash.hex(),
    }


def proof(event: store.Stored, key: store.StreamKey, viewer: Viewer) -> dict[str, Any]:
    """Enough to check the chain and the own seal live: envelope, leaves, and the openings this viewer may have."""
    opened = [] if viewer is None else seals.slots(key.seats) if viewer == "table" else [viewer]
    return {
        "seq": event.seq,
        "hash": event.hash.hex(),
        "envelope": decode(event.envelope),
        "leaves": [leaf.hex() for leaf in event.leaves(key)],
        "openings": {
            str(slot): {
                "salt": seals.salt(key.salt_key, event.seq, slot).hex(),
                "opening": event.opening(slot),
            }
            for slot in opened
        },
    }


def _plain(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in ("only", "secret")}
