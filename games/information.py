"""Who learns what from an effect: how far a takeback may go, and what a rewind cannot make unknown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from games.kernel import effects as fx
from games.kernel.table import PUBLIC, Effect, Table, faces

Told = Iterator[tuple[int, str]]
"""(mask of those who learn it, the card key or "" where it is no card)."""


def told(table: Table, effect: Effect) -> Told:
    """What this effect tells anyone who did not know it from `table`, the table right before it. Errs towards telling:
    a draw, a secret said and sealed answers laid open always count."""
    tells = _TELLS.get(type(effect))
    return tells(table, effect) if tells else iter(())


def informs(table: Table, effect: Effect) -> bool:
    return type(effect) in _TELLS and any(mask for mask, _ in told(table, effect))


def _seen(table: Table, cards: list[str], keys: list[str], now: int) -> Told:
    for card, key in zip(cards, keys, strict=True):
        yield now & ~faces(table, table.cards[card]), key


def _moved(table: Table, effect: fx.Moved | fx.Known) -> Told:
    return _seen(table, effect.cards, effect.keys, effect.only.get("keys", PUBLIC))


def _looked(table: Table, effect: fx.Looked) -> Told:
    return _seen(table, effect.cards, effect.keys, effect.seats)


def _zone(table: Table, effect: fx.ZoneSet) -> Told:
    old = table.zones.get(effect.zone)
    cards = list(old.cards) if old else []
    return _seen(table, cards, [table.cards[card].key for card in cards], effect.faces)


def _drawn(table: Table, effect: fx.Drawn) -> Told:
    yield PUBLIC, ""


def _closed(table: Table, effect: fx.Closed) -> Told:
    if any(table.open[decision].sealed and decision in table.answers for decision in effect.decisions):
        yield PUBLIC, ""


def _whispered(table: Table, effect: fx.Set | fx.Said) -> Told:
    yield effect.secret or 0, ""


_TELLS: dict[type, Callable[[Table, Any], Told]] = {
    fx.Moved: _moved, fx.Known: _moved, fx.Looked: _looked, fx.ZoneSet: _zone, fx.Drawn: _drawn, fx.Restored: _drawn,
    fx.Closed: _closed, fx.Set: _whispered, fx.Said: _whispered,
}  # fmt: skip
