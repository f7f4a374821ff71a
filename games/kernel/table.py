"""The table: plain data, the same for every game. Only effects change it (effects.py).

Cards, zones, seats and steps are frozen, so a clone copies a few containers and shares the rest. Everything inside
is JSON-normal (str, int, bool, None, list, dict with text keys): a table encodes and decodes to an equal table.
Values taken from a table (arguments, variables, marks) are shared between clones: never change one in place.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

PUBLIC = -1
"""The mask of everybody, spectators included. Other masks have bit i set for seat i; 0 is nobody."""
SPECTATOR = 1 << 52
"""The bit of a viewer without a seat: only PUBLIC has it."""

Viewer = int | str | None
"""A seat number, None for the public, "table" for the omniscient record."""


class Card(Struct, frozen=True, omit_defaults=True, gc=False):
    """One card or token. Its id lasts until it moves; whoever keeps the old id holds nothing."""

    id: str
    key: str
    owner: int
    ctrl: int
    zone: str
    pose: str = ""
    down: bool = False
    """Face down: the zone's `faces` do not apply, only `known` does."""
    known: int = 0
    """Seats that know the face, on top of those the zone shows it to."""
    on: str = ""
    """The card this one is attached to."""
    held: tuple[str, ...] = ()
    """The cards attached to this one."""
    n: dict[str, int] = {}
    marks: dict[str, Any] = {}


class Zone(Struct, frozen=True, omit_defaults=True, gc=False):
    """An ordered list of cards, first = top or left. Who reads the ids, who reads the faces."""

    name: str
    ids: int
    faces: int
    ordered: bool = True
    """False: the order tells nothing (a hand); it is kept for those who see the ids, and never shown to others."""
    owner: int = -1
    cards: tuple[str, ...] = ()


class Seat(Struct, frozen=True, omit_defaults=True, gc=False):
    team: int
    out: str = ""
    """Why the seat has left the game; empty while it is in."""
    n: dict[str, int] = {}
    marks: dict[str, Any] = {}


class Step(Struct, frozen=True, omit_defaults=True, gc=False):
    """Something still to happen: a registered name and its arguments."""

    name: str
    args: dict[str, Any] = {}
    part: bool = False


class Outcome(Struct, frozen=True, omit_defaults=True, gc=False):
    """How it ended. `result`: win, tie (among `winners`), loss (a co-operative one), void.
    `reason`: rules, conceded, time, ruling, or the rulebook's own word."""

    result: str
    winners: list[int] = []
    reason: str = "rules"


class Effect(Struct, frozen=True, omit_defaults=True, gc=False, tag_field="e", kw_only=True):
    """One small change. `only` names the fields that not everybody may read, `secret` hides the whole effect."""

    only: dict[str, int] = {}
    secret: int | None = None


class Pick(Struct, frozen=True, omit_defaults=True, gc=False, tag_field="is", tag="pick"):
    """Between `lo` and `hi` of the options; the answer is a list of option ids, in order where `ordered`."""

    options: list[str]
    lo: int = 1
    hi: int = 1
    ordered: bool = False


class Number(Struct, frozen=True, omit_defaults=True, gc=False, tag_field="is", tag="number"):
    """A whole number from `lo` to `hi`."""

    lo: int
    hi: int


class Split(Struct, frozen=True, omit_defaults=True, gc=False, tag_field="is", tag="split"):
    """`total` shared out over the options; the answer is {option: share}, shares of 0 may be left out."""

    total: int
    options: list[str]
    floors: dict[str, int] = {}
    caps: dict[str, int] = {}


class Assign(Struct, frozen=True, omit_defaults=True, gc=False, tag_field="is", tag="assign"):
    """Things to bins, each thing to at most one of its own bins; the answer is {thing: bin}."""

    things: dict[str, list[str]]
    required: list[str] = []
    caps: dict[str, int] = {}


Shape = Pick | Number | Split | Assign


class Asked(Effect, frozen=True, omit_defaults=True, gc=False, tag="ask"):
    """A question is put to `chooser` about `seat`. The effect itself is the open question on the table."""

    id: str
    kind: str
    seat: int
    chooser: int
    shape: Shape
    group: int
    at: list[Any]
    """[depth of the agenda beneath it, the question's arguments]: sealed, it names hidden things."""
    about: str = ""
    mode: str = ""
    rule: str = ""
    public: bool = True
    """Everybody sees the options."""
    sealed: bool = False
    """The answer is the chooser's secret."""
    default: Any = None
    passes: bool = False
    """The default is a pass: a standing pass may give it."""
    bare: bool = False
    """Public facts show that nothing but the default is possible."""


class Table(Struct, omit_defaults=True):
    rulebook: str = ""
    options: dict[str, Any] = {}
    seats: list[Seat] = []
    cards: dict[str, Card] = {}
    zones: dict[str, Zone] = {}
    vars: dict[str, Any] = {}
    private: dict[str, int] = {}
    """Who reads a variable, where not everybody does."""
    stops: dict[str, Any] = {}
    """Each seat's private standing passes (stops.py)."""
    agenda: list[Step] = []
    open: dict[str, Asked] = {}
    """In the order they were asked."""
    answers: dict[str, Any] = {}
    """Answers given to questions that are still open."""
    outcome: Outcome | None = None
    ids: int = 0
    asks: int = 0
    draws: int = 0


def clone(table: Table) -> Table:
    """An independent table in microseconds: containers are copied, what is frozen is shared."""
    return Table(
        table.rulebook, table.options, table.seats.copy(), table.cards.copy(), table.zones.copy(), table.vars.copy(),
        table.private.copy(), table.stops.copy(), table.agenda.copy(), table.open.copy(), table.answers.copy(),
        table.outcome, table.ids, table.asks, table.draws,
    )


_ENCODER = msgspec.msgpack.Encoder(order="deterministic")
_DECODER = msgspec.msgpack.Decoder(Table)


def encode(table: Table) -> bytes:
    return _ENCODER.encode(table)


def decode(data: bytes) -> Table:
    return ordered(_DECODER.decode(data))


def ordered(table: Table) -> Table:
    """Open questions in the order they were asked, whatever order they were stored in. Nothing else has an order."""
    if len(table.open) > 1:
        table.open = dict(sorted(table.open.items(), key=lambda item: int(item[0][1:])))
    return table


def to_form(table: Table) -> dict[str, Any]:
    """The whole table in JSON-normal form (a rewind's `table`)."""
    form: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(table))
    return form


def bit(viewer: Viewer) -> int:
    """The bit by which masks are tested for this viewer."""
    if viewer is None:
        return SPECTATOR
    if isinstance(viewer, int):
        return 1 << viewer
    return PUBLIC


def mask(seats: int | list[int] | tuple[int, ...] | range) -> int:
    """PUBLIC stays PUBLIC; a list of seats becomes their mask."""
    if isinstance(seats, int):
        return seats
    bits = 0
    for seat in seats:
        bits |= 1 << seat
    return bits


def faces(table: Table, card: Card) -> int:
    """Who knows this card's face now."""
    return card.known if card.down else card.known | table.zones[card.zone].faces


def handles(table: Table, card: Card) -> int:
    """Who can point at this card now: who sees the ids of its zone, or knows its face."""
    zone = table.zones[card.zone]
    return zone.ids | card.known | (0 if card.down else zone.faces)


SCALARS = frozenset({str, int, bool, type(None)})


def normal(value: Any) -> Any:
    """The JSON-normal form: tuples become lists; anything that would not survive a save is refused."""
    kind = type(value)
    if kind is list or kind is tuple:
        for item in value:
            if type(item) not in SCALARS:
                return [normal(item) for item in value]
        return list(value)
    if kind is dict:
        flat = True
        for name, item in value.items():
            if type(name) is not str:
                raise TypeError(f"the keys {list(value)} are not all text; keys of stored dicts must be text")
            if type(item) not in SCALARS:
                flat = False
        return value.copy() if flat else {name: normal(item) for name, item in value.items()}
    if kind in SCALARS:
        return value
    raise TypeError(f"{value!r} is not JSON-normal (text, whole number, bool, None, list, dict)")
