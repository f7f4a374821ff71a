"""What a viewer may know: effects by their masks, tables by zones and cards. Built by allow-list, from this place only.

A viewer is a seat, None (the public) or "table" (the omniscient record).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from .decide import anytime, waiting
from .play import Incomplete, T
from .rulebook import rulebook
from .table import PUBLIC, Asked, Card, Table, Viewer, Zone, bit, clone, faces

Form = dict[str, Any]


def redact(form: Form, viewer: Viewer) -> Form | None:
    """The JSON-normal effect or action as this viewer gets it; None if it does not exist for the viewer.

    Knows no kind of effect: drops the fields whose mask lacks the viewer. What is all public is given as it is.
    """
    secret = form.get("secret")
    only = form.get("only")
    if secret is None and only is None:
        return form
    if viewer == "table":
        return {name: value for name, value in form.items() if name not in ("only", "secret")}
    own = bit(viewer)
    if secret is not None and not secret & own:
        return None
    if only is None:
        return {name: value for name, value in form.items() if name != "secret"}
    return {
        name: value
        for name, value in form.items()
        if name != "only" and name != "secret" and (name not in only or only[name] & own)
    }


def redact_all(forms: Iterable[Form], viewer: Viewer) -> list[Form]:
    return [seen for form in forms if (seen := redact(form, viewer)) is not None]


def view(table: Table, viewer: Viewer) -> Form:
    """The table as this viewer may know it."""
    own = bit(viewer)
    every = viewer == "table"
    shown: Form = {
        "rulebook": table.rulebook,
        "options": table.options,
        "seats": [_seat(seat) for seat in table.seats],
        "zones": {name: _zone(table, zone, own, every) for name, zone in table.zones.items()},
        "vars": {
            name: value
            for name, value in table.vars.items()
            if every or name not in table.private or table.private[name] & own
        },
        "open": [_question(table, ask, viewer) for ask in waiting(table)],
        "outcome": msgspec.to_builtins(table.outcome) if table.outcome else None,
    }
    if table.rulebook and (hook := rulebook(table.rulebook).hooks.get("shown")):
        shown["shown"] = hook(T(clone(table), rulebook(table.rulebook)), viewer)
    if isinstance(viewer, int):
        shown["answered"] = {
            ask.id: table.answers[ask.id]
            for ask in table.open.values()
            if ask.chooser == viewer and ask.id in table.answers
        }
        shown["may"] = may(table, viewer)
        shown["stops"] = table.stops.get(str(viewer))
    return shown


def may(table: Table, seat: int) -> list[Form]:
    """What this seat may do without being asked."""
    if table.outcome is not None or not table.rulebook:
        return []
    return [msgspec.to_builtins(one) for one in anytime(T(clone(table), rulebook(table.rulebook)), seat)]


def _seat(seat: Any) -> Form:
    shown: Form = {"team": seat.team, "n": seat.n, "marks": _marks(seat.marks)}
    if seat.out:
        shown["out"] = seat.out
    return shown


def _zone(table: Table, zone: Zone, own: int, every: bool) -> Form:
    """Cards the viewer can point at; for the others only their number, and in an ordered zone their places."""
    shown: Form = {"count": len(zone.cards)}
    sees = every or bool(zone.ids & own)
    if not sees and zone.ordered and not any(_pointed(table, card, own) for card in zone.cards):
        return shown
    cards = [_card(table, table.cards[card], own, every) if sees or _pointed(table, card, own) else None
             for card in zone.cards]  # fmt: skip
    if sees or zone.ordered:
        shown["cards"] = cards
    elif known := [card for card in cards if card is not None]:
        shown["cards"] = sorted(known, key=lambda card: (card["key"], card["id"]))
    return shown


def _pointed(table: Table, card: str, own: int) -> bool:
    return bool(faces(table, table.cards[card]) & own)


def _card(table: Table, card: Card, own: int, every: bool) -> Form:
    shown: Form = {"id": card.id}
    if every or faces(table, card) & own:
        shown["key"] = card.key
    if card.owner >= 0:
        shown["owner"] = card.owner
    if card.ctrl != card.owner:
        shown["ctrl"] = card.ctrl
    if card.pose:
        shown["pose"] = card.pose
    if card.down:
        shown["down"] = True
    if card.known and card.known != PUBLIC:
        shown["known"] = card.known
    if card.on:
        shown["on"] = card.on
    if card.n:
        shown["n"] = card.n
    if card.marks and (marks := _marks(card.marks)):
        shown["marks"] = marks
    return shown


def _marks(marks: Form) -> Form:
    return {name: value for name, value in marks.items() if name[0] != "_"} if marks else marks


def _question(table: Table, ask: Asked, viewer: Viewer) -> Form:
    """An open question: the options only for those who may see them."""
    shown = redact(msgspec.to_builtins(ask), viewer)
    assert shown is not None
    for field in ("e", "at", "group"):
        shown.pop(field, None)
    return shown


def part(missing: Incomplete) -> Form:
    """The next part of a play, for the person composing it."""
    ask, kind = missing.ask, missing.kind
    shown: Form = {"kind": kind, "seat": ask.seat, "shape": msgspec.to_builtins(ask.shape)}
    if ask.about:
        shown["about"] = ask.about
    if ask.rule:
        shown["rule"] = ask.rule
    if ask.default is not None:
        shown["default"] = ask.default
    return shown
