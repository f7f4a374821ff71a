"""Every change of a table: a closed vocabulary, shared by all games. apply.py carries it out.

An effect names its private fields (`only: {field: mask}`) or hides as a whole (`secret: mask`). Folding the effects
of all events gives the table back, agenda and open questions included, without running any rule.
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from .table import Asked, Effect, Step


class Begin(Effect, frozen=True, omit_defaults=True, gc=False, tag="begin", kw_only=True):
    """The table is laid: rulebook@version, the team of each seat, the options."""

    rulebook: str
    teams: list[int]
    options: dict[str, Any] = {}


class Teamed(Effect, frozen=True, omit_defaults=True, gc=False, tag="team", kw_only=True):
    """The teams are drawn or agreed: the team of each seat."""

    teams: list[int]


class ZoneSet(Effect, frozen=True, omit_defaults=True, gc=False, tag="zone", kw_only=True):
    """A zone is laid out, or who sees into it changes."""

    zone: str
    ids: int
    faces: int
    ordered: bool = True
    owner: int = -1


class Made(Effect, frozen=True, omit_defaults=True, gc=False, tag="make", kw_only=True):
    """Cards come into being, at the end of a zone."""

    cards: list[str]
    keys: list[str]
    owner: int
    zone: str
    ctrl: int
    known: int = 0
    down: bool = False
    n: int = 1
    """How many: for those who may not read the list."""


class Moved(Effect, frozen=True, omit_defaults=True, gc=False, tag="move"):
    """Cards go from one zone to another and get new ids. Not `keep`: they arrive as new things."""

    cards: list[str]
    new: list[str]
    keys: list[str]
    src: str
    to: str
    at: int | None = None
    """The place in the zone, else its end; whoever may not read it is told neither."""
    ctrl: int | None = None
    known: int = 0
    down: bool = False
    keep: bool = False
    n: int = 1
    owner: int | None = None
    """Whose they are from now on, where that changes."""
    pose: str = ""
    """The pose they arrive in."""


class Gone(Effect, frozen=True, omit_defaults=True, gc=False, tag="gone", kw_only=True):
    """Cards cease to exist (tokens)."""

    cards: list[str]
    keys: list[str]
    src: str


class Posed(Effect, frozen=True, omit_defaults=True, gc=False, tag="pose", kw_only=True):
    """A card is turned: the pose is the rulebook's word, "" the usual one."""

    card: str
    pose: str = ""


class Counted(Effect, frozen=True, omit_defaults=True, gc=False, tag="count", kw_only=True):
    """`by` more (or fewer) counters `name` on a card (its id) or a seat ("s0", "s1", …)."""

    on: str
    name: str
    by: int


class Marked(Effect, frozen=True, omit_defaults=True, gc=False, tag="mark", kw_only=True):
    """A mark with a value is put on a card or a seat; value None takes it away."""

    on: str
    name: str
    value: Any = None


class Given(Effect, frozen=True, omit_defaults=True, gc=False, tag="give", kw_only=True):
    """A card changes controller, or owner, where it lies."""

    card: str
    ctrl: int
    owner: int | None = None


class Attached(Effect, frozen=True, omit_defaults=True, gc=False, tag="attach", kw_only=True):
    """A card is attached to another, or taken off (`to` empty)."""

    card: str
    to: str = ""


class Known(Effect, frozen=True, omit_defaults=True, gc=False, tag="know", kw_only=True):
    """Who knows the faces of these cards from now on, and whether they lie face down."""

    cards: list[str]
    keys: list[str]
    known: int = 0
    down: bool = False


class Looked(Effect, frozen=True, omit_defaults=True, gc=False, tag="look", kw_only=True):
    """Some seats see these cards once; the record is their memory."""

    cards: list[str]
    keys: list[str]
    zone: str
    seats: int
    n: int = 1


class Set(Effect, frozen=True, omit_defaults=True, gc=False, tag="set", kw_only=True):
    """A variable of the table; None removes it."""

    name: str
    value: Any = None
    mask: int = -1


class Stopped(Effect, frozen=True, omit_defaults=True, gc=False, tag="stops", kw_only=True):
    """A seat's standing passes, its own secret."""

    seat: int
    value: Any = None


class Drawn(Effect, frozen=True, omit_defaults=True, gc=False, tag="draw", kw_only=True):
    """A random result with its number, label, sorted input. Of a zone ("key id" of its cards): its new order, in
    which every card has a new id; `new` tells them to those who see the zone's ids."""

    n: int
    label: str
    how: str
    input: Any
    result: Any
    zone: str = ""
    new: list[str] = []


class Answered(Effect, frozen=True, omit_defaults=True, gc=False, tag="answer", kw_only=True):
    """An answer is in; `closes`: and the question is thereby closed. Without a decision: a part of a play, or
    (`forced`) the only answer there was."""

    kind: str
    seat: int
    value: Any
    decision: str = ""
    by: int = -1
    forced: bool = False
    closes: bool = False


class Closed(Effect, frozen=True, omit_defaults=True, gc=False, tag="close", kw_only=True):
    """Questions are no longer open."""

    decisions: list[str]


class AgendaSet(Effect, frozen=True, omit_defaults=True, gc=False, tag="agenda", kw_only=True):
    """What is still to happen: the lowest `keep` steps stay, `push` lies on them. Sealed, one per event."""

    keep: int
    push: list[Step] = []


class Out(Effect, frozen=True, omit_defaults=True, gc=False, tag="out", kw_only=True):
    """A seat leaves the game; the others go on."""

    seat: int
    reason: str


class Ended(Effect, frozen=True, omit_defaults=True, gc=False, tag="end", kw_only=True):
    """The game is over."""

    result: str
    winners: list[int] = []
    reason: str = "rules"


class Said(Effect, frozen=True, omit_defaults=True, gc=False, tag="say", kw_only=True):
    """A fact for the record that changes nothing: the rulebook's word and what it is about."""

    what: str
    args: dict[str, Any] = {}


class Restored(Effect, frozen=True, omit_defaults=True, gc=False, tag="restore", kw_only=True):
    """The table is as it was earlier; its counters go on. `table` is its JSON-normal form, sealed."""

    table: dict[str, Any]


AnyEffect = (
    Begin | Teamed | ZoneSet | Made | Moved | Gone | Posed | Counted | Marked | Given | Attached | Known | Looked | Set
    | Stopped | Drawn | Asked | Answered | Closed | AgendaSet | Out | Ended | Said | Restored
)


def to_dict(effect: Effect) -> dict[str, Any]:
    """The JSON-normal form of the events contract."""
    form: dict[str, Any] = msgspec.to_builtins(effect)
    return form


def from_dict(form: dict[str, Any]) -> AnyEffect:
    kind = _KINDS.get(form["e"])
    if kind is None:
        raise ValueError(f"{form['e']!r} is no effect; there are {', '.join(_KINDS)}")
    effect: AnyEffect = msgspec.convert(form, kind)
    return effect


_KINDS: dict[str, type] = {kind.__struct_config__.tag: kind for kind in get_args(AnyEffect)}
