"""A draft as a viewer may know it: the pack in hand, the own pool, how many packs wait where, and the clocks."""

from __future__ import annotations

from typing import Any

from events.decider import Viewer
from games import clocks, shown
from games.kernel import rulebook, waiting
from games.kernel.table import Asked, Table
from games.state import Game, choosers

OWN = ("pool", "deck", "sideboard", "drafted")
Form = dict[str, Any]


def view(game: Game, viewer: Viewer) -> Form:
    seen = shown.view(game, viewer)
    for name in ("game", "offers", "can_take_back_to", "rematch"):
        del seen[name]
    table = game.table
    queues = table.vars.get("queues", [])
    for seat, form in enumerate(seen["seats"]):
        form["picks"] = table.seats[seat].n.get("picks", 0) if table.seats else 0
        form["packs_waiting"] = len(queues[seat]) if queues else 0
    return {
        "draft": game.stream,
        **seen,
        "decision": decision_for(game, viewer) if isinstance(viewer, int) else None,
        "pool": held(table, viewer) if isinstance(viewer, int) else None,
    }


def decision_for(game: Game, seat: int) -> Form | None:
    """What this seat is asked, with the cards by name."""
    waited = choosers(game).get(seat)
    if not waited or game.phase != "play":
        return None
    ask = next(ask for ask in waiting(game.table) if ask.id == waited[0])
    options = getattr(ask.shape, "options", [])
    return {
        "id": ask.id,
        "kind": ask.kind,
        "rule": ask.rule or None,
        **dict(zip(("least", "most", "burn"), how_many(game.table, ask), strict=True)),
        "options": [card_form(game.table, option) for option in options],
        "deadline": clocks.deadlines(game).get(seat),
    }


def how_many(table: Table, ask: Asked) -> tuple[int, int, int]:
    """The least and the most to take, and how many to burn besides."""
    least, most = getattr(ask.shape, "lo", 1), getattr(ask.shape, "hi", 1)
    burn = least - table.options.get("picks", 1) if ask.kind == "pick_cards" else 0
    return least - burn, most - burn, burn


def card_form(table: Table, option: str) -> Form:
    card = table.cards.get(option)
    if card is None:
        return {"id": option}
    return {"id": option, "key": card.key, "name": rulebook(table.rulebook).name_of(card.key)}


def held(table: Table, seat: int) -> dict[str, list[Form]]:
    """The own cards, by where they lie."""
    zones = {part: table.zones.get(f"{part}:{seat}") for part in OWN}
    return {part: [card_form(table, card) for card in zone.cards] for part, zone in zones.items() if zone is not None}
