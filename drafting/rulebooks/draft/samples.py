"""Set-ups that the conformance suite plays, and what must hold on every table: no card is lost, none is made twice."""

from __future__ import annotations

from collections import Counter

import msgspec

from games.kernel import Setup, Table
from games.rulebooks.epic.cards import PACK

from .book import book
from .options import Plan, pool_size


@book.samples
def samples() -> list[Setup]:
    return [
        Setup(2, {"packs": 2}, name="Draft 2"),
        Setup(4, {"packs": 3}, name="Draft 3"),
        Setup(3, {"packs": 1, "picks": 2, "burns": 1, "build": 0, "ratings": {"EP001": 5, "EP002": 3}}, name="burns"),
        Setup(3, {"style": "sealed", "packs": 3}, name="Sealed 3"),
        Setup(2, {"style": "sealed", "packs": 4}, name="Sealed 4"),
        Setup(3, {"style": "rotisserie", "rounds": 8}, name="rotisserie"),
        Setup(3, {"style": "rochester", "packs": 1}, name="Rochester"),
        Setup(2, {"style": "winston", "packs": 1}, name="Winston"),
        Setup(2, {"style": "grid", "rounds": 4}, name="grid"),
        Setup(3, {"set": "theos", "packs": 2, "size": 6}, name="cube"),
    ]


@book.invariants
def invariants(table: Table) -> list[str]:
    plan = msgspec.convert(table.options, Plan)
    keys = Counter(card.key for card in table.cards.values())
    seats = len(table.seats)
    found = []
    if plan.dealt:
        if keys != Counter(plan.stock):
            found.append(f"not the cube: {keys - Counter(plan.stock)} too many, {Counter(plan.stock) - keys} missing")
    elif keys.total() % PACK["size"]:
        found.append(f"{keys.total()} cards are no whole number of packs")
    queued = sorted(pack for queue in table.vars.get("queues", []) for pack in queue)
    filled = [n for n in range(seats) if (zone := table.zones.get(f"pack:{n}")) and zone.cards]
    if queued != filled:
        found.append(f"packs {queued} are in hands, but {filled} have cards")
    if table.outcome and table.outcome.result == "drafted":
        found += _at_the_end(table, plan)
    return found


def _at_the_end(table: Table, plan: Plan) -> list[str]:
    own = ("pool", "deck", "sideboard")
    sizes = [
        sum(len(table.zones[name].cards) for part in own if (name := f"{part}:{seat}") in table.zones)
        for seat in range(len(table.seats))
    ]
    found = ["packs are left over"] if any(table.vars.get("queues", [])) else []
    if plan.style in ("booster", "sealed") and not plan.burns and set(sizes) != {pool_size(plan, len(sizes))}:
        found.append(f"everybody should have {pool_size(plan, len(sizes))} cards, they have {sizes}")
    if plan.least:
        decks = [len(table.zones[f"deck:{seat}"].cards) for seat in range(len(table.seats))]
        if min(decks) < min(plan.least, *sizes):
            found.append(f"decks of {decks} cards")
    return found
