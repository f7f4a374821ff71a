"""End-of-age and end-of-turn abilities (TI-17): what each offers and what it does."""

from __future__ import annotations

from games.kernel import T

from .board import HAND, Use, has, in_play, opponent, side_in
from .offers import Deeds, Offer, named, rivals

SPITE_GHOSTS = 2


def nights_fury_offers(t: T, use: Use, deeds: Deeds) -> Offer:
    """TI-17.1: may discard the whole hand."""
    again = ("fury", use.user) in deeds
    return Offer(["use"] if t.size(HAND[use.user]) and not again else [])


def nights_fury(t: T, use: Use, chosen: list[str]) -> Deeds:
    return [("fury", use.user)] if chosen else []


def substitute_offers(t: T, use: Use, deeds: Deeds) -> Offer:
    """TI-17.10, 17.11, 17.14, 17.15: own cards without Armor, itself included, each once in the batch."""
    gone = named(deeds)
    free = [card.id for card in in_play(t, use.arena, use.user) if card.id not in gone and not has(card, "armor")]
    return Offer(free, 0, use.ability.copies)


def fear_offers(t: T, use: Use, deeds: Deeds) -> Offer:
    """TI-17.16: up to n cards of the opponent."""
    gone = named(deeds)
    free = [card.id for card in rivals(t, use) if card.id not in gone and not has(card, "armor")]
    return Offer(free, 0, use.ability.copies)


def substitute(t: T, use: Use, chosen: list[str]) -> Deeds:
    return [("leave", card, "discard") for card in chosen]


def rage_offers(t: T, use: Use, deeds: Deeds) -> Offer:
    """TI-17.20, TR-36, TR-55: own cards without Rage; mandatory."""
    gone = named(deeds)
    free = [card.id for card in in_play(t, use.arena, use.user) if card.id not in gone and not has(card, "rage")]
    count = min(use.ability.copies, len(free))
    return Offer(free, count, count)


def spite(t: T, use: Use, chosen: list[str]) -> Deeds:
    """TI-17.22, 17.23, 15.5: if the card's controller lost a temple, the user's opponent gains Ghosts."""
    if side_in(t, use.arena, use.card.ctrl) not in t.s.vars["robbed"]:
        return []
    return [("spite", opponent(t, use.arena, use.user), use.arena, SPITE_GHOSTS * use.ability.copies)]
