"""The contract between the store and what it stores for: games, drafts, tournaments."""

from dataclasses import dataclass
from typing import Any, Literal, Protocol

Viewer = int | None | Literal["table"]  # a seat, the public, or the omniscient record
Record = dict[str, Any]


@dataclass(slots=True)
class Decided:
    action: Record  # as it is stored: with `only` for what is private in it
    effects: list[Record]
    state: Any  # the state after all effects; equals their fold


@dataclass(slots=True, frozen=True)
class Moment:
    """Where an event stands: the only clock and the only chain a decider may look at."""

    seq: int
    at: int  # milliseconds, never earlier than the event before
    prev: str  # hash of the event before, hex
    by: str  # the actor: a participant of this stream


@dataclass(slots=True, frozen=True)
class Due:
    """Something that must happen at a time unless the stream moves on before. `key` names what it answers,
    so that firing it twice is firing it once."""

    key: str
    at: int
    actor: str
    action: Record


class Decider(Protocol):
    """Pure: no clock but the moment's, no randomness but what follows from the secret, no I/O.

    A decider may also have `ended(state)` (nothing more is expected: a checkpoint is signed right away), `stuck(state)`
    (why it cannot go on, for `manage.py doctor`) and `doubt(action, state_at)` (what is wrong with an action that
    quotes an earlier moment, for `manage.py verify`)."""

    kind: str
    prefix: str  # of the stream ids: "gam", "drf", …
    schema: int  # of `encode`: a snapshot with another number is not read

    def initial(self, stream: str, seats: int) -> Any: ...

    def clone(self, state: Any) -> Any: ...

    def decide(self, state: Any, action: Record, secret: bytes, moment: Moment) -> Decided:
        """On a clone of its own; raises Rejected."""

    def evolve(self, state: Any, record: Record, moment: Moment) -> Any:
        """The only way state changes; owns (may change) the state it is given. Gets the action of each event first
        (it has a `do`), then its effects."""

    def view(self, state: Any, viewer: Viewer) -> dict[str, Any]: ...

    def encode(self, state: Any) -> bytes: ...

    def decode(self, data: bytes) -> Any: ...

    def due(self, state: Any) -> list[Due]:
        """The deadlines that stand in this state: a projection, never stored in it."""

    def opened(self, state: Any) -> bool:
        """Whether the seals are open: everybody may see everything."""

    def numbers(self, state: Any) -> list[bytes]:
        """The seats' own numbers that went into the key, for the export of an opened stream."""


_deciders: dict[str, Decider] = {}


def register(decider: Decider) -> Decider:
    _deciders[decider.kind] = decider
    return decider


def decider_for(kind: str) -> Decider:
    return _deciders[kind]
