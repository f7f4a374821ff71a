"""How an effect changes a table: the same when it is emitted and when history is folded. No rule runs here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from .effects import (
    AgendaSet,
    Answered,
    Attached,
    Begin,
    Closed,
    Counted,
    Drawn,
    Ended,
    Given,
    Gone,
    Known,
    Looked,
    Made,
    Marked,
    Moved,
    Out,
    Posed,
    Restored,
    Said,
    Set,
    Stopped,
    Teamed,
    ZoneSet,
)
from .table import Asked, Card, Effect, Outcome, Seat, Table, Zone, ordered


def fold(table: Table, effects: Iterable[Effect]) -> Table:
    """Apply in place, and give the table back."""
    for effect in effects:
        apply(table, effect)
    return table


def apply(table: Table, effect: Effect) -> None:
    """The only way a table changes, in place."""
    APPLY[type(effect)](table, effect)


def _begin(t: Table, e: Begin) -> None:
    t.rulebook, t.options = e.rulebook, e.options
    t.seats = [Seat(team) for team in e.teams]


def _teamed(t: Table, e: Teamed) -> None:
    t.seats = [replace(seat, team=team) for seat, team in zip(t.seats, e.teams, strict=True)]


def _zone(t: Table, e: ZoneSet) -> None:
    old = t.zones.get(e.zone)
    t.zones[e.zone] = Zone(e.zone, e.ids, e.faces, e.ordered, e.owner, old.cards if old else ())


def _made(t: Table, e: Made) -> None:
    for card, key in zip(e.cards, e.keys, strict=True):
        t.cards[card] = Card(card, key, e.owner, e.ctrl, e.zone, "", e.down, e.known)
    zone = t.zones[e.zone]
    t.zones[e.zone] = Zone(zone.name, zone.ids, zone.faces, zone.ordered, zone.owner, (*zone.cards, *e.cards))
    t.ids += len(e.cards)


def _moved(t: Table, e: Moved) -> None:
    cards, zones, to, minted, at = t.cards, t.zones, e.to, e.new, e.at
    ctrl, gains, down, known, pose = e.ctrl, e.owner, e.down, e.known, e.pose
    _take(t, e.src, e.cards)
    leave = cards.pop
    for old, new in zip(e.cards, minted, strict=True):
        card = leave(old)
        owner = card.owner if gains is None else gains
        if e.keep:
            cards[new] = replace(
                card, id=new, zone=to, owner=owner, ctrl=card.ctrl if ctrl is None else ctrl, known=known, down=down,
                pose=pose or card.pose,
            )
        elif ctrl is None:
            cards[new] = Card(new, card.key, owner, owner, to, pose, down, known)
        else:
            cards[new] = Card(new, card.key, owner, ctrl, to, pose, down, known)
        if card.on or card.held:
            _rename(t, card, new if e.keep else "")
    zone = zones[to]
    lying = zone.cards
    order = (*lying, *minted) if at is None else (*lying[:at], *minted, *lying[at:])
    zones[to] = Zone(to, zone.ids, zone.faces, zone.ordered, zone.owner, order)
    t.ids += len(minted)


def _take(t: Table, name: str, cards: list[str]) -> None:
    zone = t.zones[name]
    lying, gone = zone.cards, len(cards)
    rest: tuple[str, ...]
    if gone == len(lying):
        rest = ()
    elif gone == 1:
        at = lying.index(cards[0])
        rest = lying[:at] + lying[at + 1 :]
    else:
        leaving = set(cards)
        rest = tuple([card for card in lying if card not in leaving])
    t.zones[name] = Zone(name, zone.ids, zone.faces, zone.ordered, zone.owner, rest)


def _rename(t: Table, card: Card, new: str) -> None:
    """What was attached goes along with a kept card; from one that left (new = "") it falls off."""
    for other in card.held:
        t.cards[other] = replace(t.cards[other], on=new)
    if card.on and card.on in t.cards:
        host = t.cards[card.on]
        held = tuple(new if other == card.id else other for other in host.held)
        t.cards[card.on] = replace(host, held=held if new else tuple(filter(None, held)))


def _gone(t: Table, e: Gone) -> None:
    for old in e.cards:
        card = t.cards.pop(old)
        if card.on or card.held:
            _rename(t, card, "")
    _take(t, e.src, e.cards)


def _posed(t: Table, e: Posed) -> None:
    t.cards[e.card] = replace(t.cards[e.card], pose=e.pose)


def _bump(n: dict[str, int], name: str, by: int) -> dict[str, int]:
    count = n.get(name, 0) + by
    if count:
        return {**n, name: count}
    return {other: value for other, value in n.items() if other != name}


def _counted(t: Table, e: Counted) -> None:
    if e.on[0] == "s":
        seat = int(e.on[1:])
        t.seats[seat] = replace(t.seats[seat], n=_bump(t.seats[seat].n, e.name, e.by))
    else:
        card = t.cards[e.on]
        t.cards[e.on] = replace(card, n=_bump(card.n, e.name, e.by))


def _marks(marks: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    if value is not None:
        return {**marks, name: value}
    return {other: kept for other, kept in marks.items() if other != name}


def _marked(t: Table, e: Marked) -> None:
    if e.on[0] == "s":
        seat = int(e.on[1:])
        t.seats[seat] = replace(t.seats[seat], marks=_marks(t.seats[seat].marks, e.name, e.value))
    else:
        card = t.cards[e.on]
        t.cards[e.on] = replace(card, marks=_marks(card.marks, e.name, e.value))


def _given(t: Table, e: Given) -> None:
    card = t.cards[e.card]
    t.cards[e.card] = replace(card, ctrl=e.ctrl, owner=card.owner if e.owner is None else e.owner)


def _attached(t: Table, e: Attached) -> None:
    card = t.cards[e.card]
    if card.on:
        host = t.cards[card.on]
        t.cards[card.on] = replace(host, held=tuple(other for other in host.held if other != card.id))
    if e.to:
        host = t.cards[e.to]
        t.cards[e.to] = replace(host, held=(*host.held, card.id))
    t.cards[e.card] = replace(card, on=e.to)


def _known(t: Table, e: Known) -> None:
    for card in e.cards:
        t.cards[card] = replace(t.cards[card], known=e.known, down=e.down)


def _set(t: Table, e: Set) -> None:
    if e.value is None:
        t.vars.pop(e.name, None)
        t.private.pop(e.name, None)
        return
    t.vars[e.name] = e.value
    if e.mask != -1:
        t.private[e.name] = e.mask
    elif t.private:
        t.private.pop(e.name, None)


def _stopped(t: Table, e: Stopped) -> None:
    if e.value is None:
        t.stops.pop(str(e.seat), None)
    else:
        t.stops[str(e.seat)] = e.value


def _drawn(t: Table, e: Drawn) -> None:
    t.draws += 1
    if not e.zone:
        return
    cards, name = t.cards, e.zone
    zone = t.zones[name]
    first, count = t.ids, len(e.result)
    order = [f"c{number}" for number in range(first, first + count)]
    leave = cards.pop
    for new, item in zip(order, e.result, strict=True):
        card = leave(item.rsplit(" ", 1)[1])
        cards[new] = Card(new, card.key, card.owner, card.ctrl, name)
    untouched = zone.cards[: len(zone.cards) - count]
    t.zones[name] = Zone(name, zone.ids, zone.faces, zone.ordered, zone.owner, (*untouched, *order))
    t.ids = first + count


def _asked(t: Table, e: Asked) -> None:
    t.open[e.id] = e
    t.asks += 1


def _answered(t: Table, e: Answered) -> None:
    if e.closes:
        del t.open[e.decision]
        t.answers.pop(e.decision, None)
    elif e.decision:
        t.answers[e.decision] = e.value


def _closed(t: Table, e: Closed) -> None:
    for decision in e.decisions:
        del t.open[decision]
        t.answers.pop(decision, None)


def _agenda(t: Table, e: AgendaSet) -> None:
    t.agenda = [*t.agenda[: e.keep], *e.push]


def _out(t: Table, e: Out) -> None:
    t.seats[e.seat] = replace(t.seats[e.seat], out=e.reason)


def _ended(t: Table, e: Ended) -> None:
    t.outcome = Outcome(e.result, e.winners, e.reason)
    t.agenda = []
    t.open = {}
    t.answers = {}


def _said(t: Table, e: Said) -> None:
    """Nothing changes."""


def _restored(t: Table, e: Restored) -> None:
    old = ordered(msgspec.convert(e.table, Table))
    for field in Table.__struct_fields__:
        if field not in ("ids", "asks", "draws", "stops"):
            setattr(t, field, getattr(old, field))


APPLY: dict[type, Callable[[Table, Any], None]] = {
    Begin: _begin, Teamed: _teamed, ZoneSet: _zone, Made: _made, Moved: _moved, Gone: _gone, Posed: _posed,
    Counted: _counted, Marked: _marked, Given: _given, Attached: _attached, Known: _known, Looked: _said, Set: _set,
    Stopped: _stopped, Drawn: _drawn, Asked: _asked, Answered: _answered, Closed: _closed, AgendaSet: _agenda,
    Out: _out, Ended: _ended, Said: _said, Restored: _restored,
}
