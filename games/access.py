"""Who may see what of a game, and as whom somebody acts in it. One place for every endpoint."""

import time
from collections import OrderedDict
from dataclasses import dataclass

from accounts.models import User
from events import heads, participants
from events.decider import Viewer
from events.errors import Rejected
from games.judging import is_former_player
from games.state import Game

KEEP = 20_000
_actors: OrderedDict[tuple[str, str], str] = OrderedDict()  # never changes once made, so it may be remembered


@dataclass(frozen=True)
class Look:
    """A game as this person may see it now."""

    head: heads.Head
    actor: str | None
    viewer: Viewer

    @property
    def game(self) -> Game:
        state: Game = self.head.state
        return state

    @property
    def stream(self) -> str:
        return self.head.key.id


def look(stream: str, person: User, *, min_seq: int = 0, kind: str = "game") -> Look:
    """What may not be seen is not found. A player sees as that player until the seals open, also when watching."""
    head = heads.current(stream, min_seq)
    if head.key.kind != kind:
        raise not_found(stream, kind)
    actor = actor_of(stream, person)
    if not may_watch(head.state, actor):
        raise not_found(stream, kind)
    return Look(head, actor, viewer_of(head.state, actor))


def may_watch(game: Game, actor: str | None) -> bool:
    """A private game is its players'; whoever has the link may see the lobby, to join."""
    return game.terms_.visibility != "private" or game.phase in ("lobby", "ready") or takes_part(game, actor)


def takes_part(game: Game, actor: str | None) -> bool:
    return actor is not None and (
        actor == game.host or game.seat_of(actor) is not None or is_former_player(game, actor)
    )


def viewer_of(game: Game, actor: str | None) -> Viewer:
    if game.seals_open:
        return "table"
    return game.seat_of(actor) if actor else None


def actor_of(stream: str, person: User) -> str | None:
    """The participant this person is in the stream, if any."""
    key = (stream, str(person.pk))
    if actor := _actors.get(key):
        return actor
    actor = participants.find(stream, person.pk)
    if actor:
        _remember(key, actor)
    return actor


def acting(stream: str, person: User) -> str:
    """The same, made if need be: whoever acts is a participant."""
    actor = actor_of(stream, person) or participants.of(stream, person.pk)
    _remember((stream, str(person.pk)), actor)
    return actor


def _remember(key: tuple[str, str], actor: str) -> None:
    _actors[key] = actor
    while len(_actors) > KEEP:
        _actors.popitem(last=False)


# What people are called, for a moment: asked for with every look at a game. Who erases themselves is nameless
# everywhere within seconds.
NAMES_LAST_S = 5.0
_names: OrderedDict[str, tuple[float, str | None]] = OrderedDict()


def names_of(actors: list[str]) -> dict[str, str | None]:
    now = time.monotonic()
    unknown = [actor for actor in actors if _names.get(actor, (0.0, None))[0] < now]
    if unknown:
        found = participants.names(unknown)
        for actor in unknown:
            _names[actor] = (now + NAMES_LAST_S, found.get(actor))
            _names.move_to_end(actor)
    shown = {actor: _names[actor][1] for actor in actors}
    while len(_names) > KEEP:
        _names.popitem(last=False)
    return shown


def not_found(stream: str, kind: str = "game") -> Rejected:
    return Rejected("unknown", f"There is no {kind} {stream!r} that you may see.")
