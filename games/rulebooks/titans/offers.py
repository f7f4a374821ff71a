"""What an ability that is declared offers its user, and what it will do: deeds, carried out later together.

An *offer* reads the board plus the deeds declared before it in the same batch (TI-4.5). A *deed* is data: its name and
what it is about; declare.py carries the deeds of a batch out at once (TI-4.3).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from games.kernel import Card, T

from .board import PILE, SPELLBOOK, Use, has, in_play, is_protected, opponent, side_in
from .cards import COST

Deed = tuple[Any, ...]
Deeds = list[Deed]


class Offer(NamedTuple):
    """`lo` to `hi` of the options; private ones (a hand, a spellbook) are seen by the user only."""

    options: list[str]
    lo: int = 0
    hi: int = 1
    public: bool = True


Offers = Callable[[T, Use, Deeds], Offer]
Does = Callable[[T, Use, list[str]], Deeds]


def named(deeds: Deeds) -> set[str]:
    """The cards already named to leave hand or play in this batch."""
    return {deed[1] for deed in deeds if deed[0] in ("leave", "sacrifice")}


def claimed(deeds: Deeds) -> set[str]:
    """The cards of piles and spellbooks already claimed in this batch."""
    return {deed[1] for deed in deeds if deed[0] == "gain"}


# -- targets --------------------------------------------------------------------------------------------------------


def rivals(t: T, use: Use) -> list[Card]:
    """The cards of the arena that the user does not control."""
    return in_play(t, use.arena, opponent(t, use.arena, use.user))


def takes(card: Card, types: tuple[str, ...], deeds: Deeds) -> bool:
    """TI-14.3, 14.6, TR-31: at least one of the types is neither attached nor assigned."""
    return any(
        kind not in card.marks and not any(deed[0] == "attach" and deed[1:3] == (card.id, kind) for deed in deeds)
        for kind in types
    )


def can_be_subverted(t: T, use: Use, card: Card) -> bool:
    """TI-12.1, 12.33, 12.37: no Armor, and not on the opponent's protected side."""
    if has(card, "armor"):
        return False
    return card.ctrl == use.user or not is_protected(t, side_in(t, use.arena, card.ctrl))


def targets(t: T, use: Use, types: tuple[str, ...], deeds: Deeds) -> list[str]:
    """TI-14.1, 14.6: the opposing cards that can take the subversion."""
    return [card.id for card in rivals(t, use) if can_be_subverted(t, use, card) and takes(card, types, deeds)]


# -- what can be gained ---------------------------------------------------------------------------------------------


def accessible(t: T, side: int, most: int, deeds: Deeds | None = None) -> list[str]:
    """TI-2.3, 2.22 to 2.26, 8.2: what costs at most this much: the top of each pile of the arena (they lie in order of
    cost) and, in constructed games, one card of each name in the own spellbook."""
    known, zones, arena = t.s.vars, t.s.zones, side >> 1
    taken, zone_of = claimed(deeds) if deeds else (), PILE[arena]
    found: list[str] = []
    for key in known["piles"][arena]:
        if COST[key] > most:
            break
        for card in zones[zone_of[key]].cards:
            if card not in taken:
                found.append(card)
                break
    if known["constructed"]:
        names = {card.key: card.id for card in reversed(t.cards(SPELLBOOK[side])) if card.id not in taken}
        found += [card for key, card in sorted(names.items()) if COST[key] <= most]
    return found
