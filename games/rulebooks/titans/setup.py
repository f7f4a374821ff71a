"""Setting up (TI-1, TI-2): piles, decks, mats, and the first turn."""

from __future__ import annotations

from typing import Any

from games.kernel import PUBLIC, T

from .battle import HAND_SIZE, SOLO_HAND_SIZE
from .board import ARENA, DECK, DISCARD, HAND, PILE, REMOVED, SLOT, SPELLBOOK, draw, is_solo, mates
from .book import book
from .cards import COST, ELEMENTAL, GHOST, MONK, NAMES, TRAVELER, WIZARD
from .checks import checked
from .formats import Format, Options, chosen_format
from .spellbooks import books_of, keys_of
from .turn import turn

STARTING_DECK = [MONK] * 8 + [WIZARD] * 4
SURGE_TOKENS = 2
COPIES = 4
SHARED_PILES = {GHOST: 12, TRAVELER: 8}


@book.setup
def setup(t: T, options: Options, decks: list[Any]) -> None:
    """TI-1.5 to 1.9."""
    chosen = chosen_format(len(t.s.seats), options)
    lay_out(t, chosen, [] if chosen.constructed else draw_names(t, chosen), decks)
    t.set("avatar", t.below(max(chosen.teams) + 1, "avatar", public=True))
    for seat in t.seats:
        t.make(STARTING_DECK, seat, DECK[seat])
        t.shuffle(DECK[seat])
        draw(t, seat, SOLO_HAND_SIZE if is_solo(t, seat) else HAND_SIZE)
    t.push(turn)


def draw_names(t: T, chosen: Format) -> list[list[str]]:
    """TI-1.5, 2.2, 2.11: for each arena one name of each element-species pair, no name twice."""
    drawn = t.shuffled(ELEMENTAL, "ritual piles", public=True)
    found = [[sorted(names, key=drawn.index)[arena] for names in NAMES.values()] for arena in range(chosen.arenas)]
    if chosen.checks:
        for arena, names in enumerate(found):
            elsewhere = {name for other in found if other is not names for name in other}
            found[arena] = checked(names, elsewhere, lambda others: t.shuffled(others, "set-up check", public=True)[0])
    return found


def lay_out(t: T, chosen: Format, names: list[list[str]], decks: list[Any]) -> None:
    """TI-1.6 to 1.8, 2.2, 2.4, 2.12, 2.22: zones, piles, mats. TH-1 to TH-7, TH-18: who sees what."""
    t.team(chosen.teams)
    t.set("sides", chosen.sides)
    t.set("constructed", chosen.constructed)
    t.set("temples", [2] * 6 if chosen.arenas == 3 else [3, 3])
    for name, value in (("turn", 0), ("age", 0), ("played", []), ("pending", []), ("protected", {}), ("robbed", [])):
        t.set(name, value)
    t.zone(REMOVED, PUBLIC, PUBLIC)
    for seat in t.seats:
        t.count(seat, "surge", SURGE_TOKENS)
        seen = [seat, *mates(t, seat)]
        t.zone(HAND[seat], seen, seen, ordered=False, owner=seat)
        t.zone(DECK[seat], 0, 0, owner=seat)
        t.zone(DISCARD[seat], PUBLIC, PUBLIC, owner=seat)
    for side, seat in enumerate(chosen.sides):
        t.zone(SLOT[side], PUBLIC, 0, owner=seat)
        if chosen.constructed:
            t.zone(SPELLBOOK[side], [seat], [seat], ordered=False, owner=seat)
            which = chosen.sides[:side].count(seat)
            t.make(keys_of(books_of(decks[seat])[which]), seat, SPELLBOOK[side])
    piles = []
    for arena in range(chosen.arenas):
        t.zone(ARENA[arena], PUBLIC, PUBLIC)
        sizes = SHARED_PILES | dict.fromkeys(names[arena] if names else (), COPIES)
        piles.append(sorted(sizes, key=lambda key: (COST[key], key)))
        for key in piles[-1]:
            t.zone(PILE[arena][key], PUBLIC, PUBLIC)
            t.make([key] * sizes[key], -1, PILE[arena][key])
    t.set("piles", piles)
