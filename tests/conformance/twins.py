"""The leak test: swap two cards hidden from a viewer; nothing that viewer gets may differ.

The same action is applied to both tables. Excused are only: an action that names one of the two cards or is not legal
on both tables; and from the moment on a card that is really shown to the viewer or drawn by chance in that action.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

from msgspec.structs import replace

from games.kernel import (
    Rejected,
    T,
    Teller,
    clone,
    decide,
    faces,
    on_top,
    part_view,
    preview,
    redact,
    redact_all,
    to_dict,
    view,
)
from games.kernel import waiting as waits
from games.kernel.rulebook import Rulebook
from games.kernel.table import Asked, Table, Viewer, bit


class Leak(AssertionError):
    """A viewer can tell the twins apart."""


def hidden_pairs(table: Table, viewer: Viewer, rng: Random, count: int) -> list[tuple[str, str]]:
    """Cards of one owner, of different keys, whose faces the viewer does not know."""
    own = bit(viewer)
    hidden: dict[int, list[str]] = {}
    for card in table.cards.values():
        if not faces(table, card) & own:
            hidden.setdefault(card.owner, []).append(card.id)
    pairs = []
    for _ in range(count * 3):
        pool = rng.choice(list(hidden.values())) if hidden else []
        if len(pool) > 1:
            a, b = rng.sample(sorted(pool), 2)
            if table.cards[a].key != table.cards[b].key:
                pairs.append((a, b))
    return pairs[:count]


def twin(table: Table, a: str, b: str) -> Table:
    """The same table with the two faces exchanged."""
    other = clone(table)
    other.cards[a] = replace(table.cards[a], key=table.cards[b].key)
    other.cards[b] = replace(table.cards[b], key=table.cards[a].key)
    return other


def check(
    book: Rulebook, table: Table, action: dict[str, Any], key: bytes, viewer: Viewer, rng: Random, count: int = 1
) -> int:
    """Compare everything the viewer gets before and after the action; returns how many pairs were compared whole."""
    compared = 0
    for a, b in hidden_pairs(table, viewer, rng, count):
        other = reached(book, twin(table, a, b))
        same("the view", view(table, viewer), view(other, viewer))
        if isinstance(viewer, int):
            compose_and_err(table, other, viewer)
        names = json.dumps(action.get("path", action.get("option", "")))
        if f'{a}"' in names or f'{b}"' in names:
            continue
        try:
            first, second = decide(table, action, key), decide(other, action, key)
        except Rejected:
            continue
        told = [[to_dict(effect) for effect in decided.effects] for decided in (first, second)]
        if any(exposed(effects, {card: table.cards[card].zone for card in (a, b)}, viewer) for effects in told):
            continue
        same("the stored action", redact(first.action, viewer), redact(second.action, viewer))
        same("the event", redact_all(told[0], viewer), redact_all(told[1], viewer))
        same("the view afterwards", view(first.table, viewer), view(second.table, viewer))
        tellers = [Teller(book, viewer), Teller(book, viewer)]
        for teller, start in zip(tellers, (table, other), strict=True):
            teller.learn(view(start, viewer))
        same("the narration", tellers[0].tell(told[0]), tellers[1].tell(told[1]))
        compared += 1
    return compared


def reached(book: Rulebook, other: Table) -> Table:
    """The twin as play would have come to it: its open questions offer what they would have offered there. Where other
    people would have been asked, or openly offered something else, it stays as it is: what follows will tell."""
    top = on_top(other)
    if not top:
        return other
    t = T(clone(other), book, b"t" * 32)
    t._depth = top[0].at[0]
    t._reask(top)
    now = {public_part(ask): ask for ask in on_top(t.s)}
    if sorted(now) == sorted(map(public_part, top)):
        for ask in top:
            there = now[public_part(ask)]
            other.open[ask.id] = replace(ask, shape=there.shape, default=there.default)
    return other


def public_part(ask: Asked) -> str:
    return repr((ask.kind, ask.seat, ask.chooser, ask.about, ask.public, ask.shape if ask.public else None))


def compose_and_err(table: Table, other: Table, viewer: int) -> None:
    """What the viewer is offered while composing, and every refusal."""
    for ask in waits(table):
        bad = {"do": "answer", "seat": viewer, "decision": ask.id, "path": [["no such option"]]}
        same("a refusal", refused(table, bad), refused(other, bad))
        if ask.chooser == viewer:
            for option in getattr(ask.shape, "options", [])[:5]:
                part = {"do": "answer", "seat": viewer, "decision": ask.id, "path": [[option]]}
                same("a preview", composed(table, part), composed(other, part))


def refused(table: Table, action: dict[str, Any]) -> Any:
    try:
        decide(table, action, b"x" * 32)
    except Rejected as refusal:
        return refusal.code, refusal.detail, refusal.errors
    return None


def composed(table: Table, action: dict[str, Any]) -> Any:
    try:
        missing = preview(table, action)
    except Rejected as refusal:
        return refusal.code, refusal.detail, refusal.errors
    return part_view(missing) if missing else None


def exposed(effects: list[dict[str, Any]], cards: dict[str, str], viewer: Viewer) -> bool:
    """Is one of the cards (id → zone) really shown to this viewer, or in a draw, in these effects? A zone that opens to
    the viewer shows what lies in it."""
    lies = dict(cards)
    own = bit(viewer)
    for form in effects:
        touched = lies.keys() & set(form.get("cards", ()))
        if touched and form.get("only", {}).get("keys", -1) & own:
            return True
        if form["e"] == "zone" and form["faces"] & own and form["zone"] in lies.values():
            return True
        if form["e"] == "move":
            for old, new in zip(form["cards"], form["new"], strict=True):
                if old in touched:
                    lies[new] = form["to"]
                    del lies[old]
        if form["e"] == "draw" and isinstance(form["input"], list):
            drawn = {str(item).rpartition(" ")[2] for item in form["input"]}
            if lies.keys() & drawn:
                return True
    return False


def same(what: str, one: Any, two: Any) -> None:
    if one != two:
        raise Leak(f"{what} differs:\n{json.dumps(one, default=str)[:2000]}\n{json.dumps(two, default=str)[:2000]}")
