"""Set-ups that the conformance suite and the playouts use, names for people, and what holds on every table."""

from __future__ import annotations

from collections import Counter

from games.kernel import Setup, Table

from .board import ARENA
from .book import book
from .cards import CARDS, ELEMENTAL, MONK, NAMES, SUBVERSIONS, WIZARD
from .formats import ABOUT

book.about = {
    "options": ABOUT,
    "decks": ["constructed: a spellbook of 32 cards for each seat, two for a seat that plays alone (TI-2.21, 2.25)"],
    "rules": "docs/rules/titans.md",
}

SPELLBOOKS = [
    [key for names in NAMES.values() for key in names[index : index + 1] * 2] for index in range(4)
]
"""Four spellbooks: two copies of one name of each element-species pair."""


def spellbook(number: int) -> list[str]:
    return SPELLBOOKS[number % 4]


@book.noun
def noun(key: str) -> str:
    return CARDS[key].name if key in CARDS else key


@book.samples
def samples() -> list[Setup]:
    books = [spellbook(number) for number in range(4)]
    return [
        Setup(2, name="classic"),
        Setup(2, {"mode": "constructed"}, books[:2], name="constructed"),
        Setup(3, {"checks": True}, name="two arenas, checks"),
        Setup(3, {"mode": "constructed", "teams": [1, 0, 1]}, [books[0], books[1:3], books[3]], name="constructed"),
        Setup(4, name="two arenas"),
        Setup(3, {"arenas": 3}, name="three arenas"),
        Setup(4, {"arenas": 3}, name="three arenas"),
        Setup(5, {"teams": [0, 1, 1, 2, 2]}, name="three arenas"),
        Setup(6, name="three arenas"),
    ]


@book.invariants
def invariants(table: Table) -> list[str]:
    """Cards are neither lost nor made; only Traitorous parts owner and controller; committed cards lie face down."""
    found: list[str] = []
    counts = Counter(card.key for card in table.cards.values())
    seats, arenas = len(table.seats), len(table.vars["sides"]) // 2
    expected = {MONK: 8 * seats, WIZARD: 4 * seats, "ghost": 12 * arenas, "traveler": 8 * arenas}
    found += [f"{counts[key]} {key}, not {number}" for key, number in expected.items() if counts[key] != number]
    elemental = sum(counts[key] for key in ELEMENTAL)
    if elemental != (32 * 2 * arenas if table.vars["constructed"] else 64 * arenas):
        found.append(f"{elemental} elemental cards")
    for card in table.cards.values():
        in_play = card.zone in ARENA
        if (card.ctrl != card.owner) != ("traitorous" in card.marks):
            found.append(f"{card.id} {card.key} of {card.owner} is controlled by {card.ctrl}")
        if in_play and card.ctrl not in table.vars["sides"][2 * ARENA.index(card.zone) :][:2]:
            found.append(f"{card.id} is controlled by {card.ctrl}, who does not play in {card.zone}")
        if not in_play and (card.n or any(mark in card.marks for mark in SUBVERSIONS)):
            found.append(f"{card.id} in {card.zone} carries something")
        if card.zone.startswith("slot:") and not card.down:
            found.append(f"{card.id} lies open in {card.zone}")
    found += [f"temples {table.vars['temples']}"] if min(table.vars["temples"]) < 0 else []
    found += [f"seat {seat} has {n} surge tokens" for seat, state in enumerate(table.seats)
              if not 0 <= (n := state.n.get("surge", 0)) <= 2]  # fmt: skip
    return found
