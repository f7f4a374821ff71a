"""Subvert (TI-14): Now, priority 2. Each variant is one small function; the subversions themselves are in board.py."""

from __future__ import annotations

from games.kernel import Card, T

from .board import Use, in_play, side_in, was_played_this_age
from .cards import CARDS, HARMLESS, MINDLESS, WOUNDED
from .offers import Deeds, Does, Offer, Offers, accessible, can_be_subverted, rivals, targets
from .power import power

ANY_COST = 4


def one_card(*types: str) -> tuple[Offers, Does]:
    """TI-14.1, 14.4, 14.5: each copy names a legal card; fewer legal cards than copies: each is hit once."""

    def offers(t: T, use: Use, deeds: Deeds) -> Offer:
        legal = targets(t, use, types, deeds)
        count = min(use.ability.copies, len(legal))
        return Offer(legal, count, count)

    def does(t: T, use: Use, chosen: list[str]) -> Deeds:
        return [place(use, card, kind) for card in chosen for kind in types]

    return offers, does


def place(use: Use, card: str, kind: str) -> tuple[str, str, str, int, str]:
    """TI-0.5: the placer is the user. A Feral remembers the card it came from (TI-13.37)."""
    return ("attach", card, kind, use.user, "" if use.floating else use.card.id)


# -- Cave In --------------------------------------------------------------------------------------------------------


def cave_in_offers(t: T, use: Use, deeds: Deeds) -> Offer:
    """TI-14.20: may name one opposing card that was played this age."""
    fresh = [card.id for card in rivals(t, use) if was_played_this_age(t, card)]
    return Offer([card for card in targets(t, use, (MINDLESS, HARMLESS), deeds) if card in fresh])


def cave_in(t: T, use: Use, chosen: list[str]) -> Deeds:
    """TI-14.20: Mindless and Harmless, and the Cave In card is discarded."""
    own: Deeds = [] if use.floating else [("leave", use.card.id, "discard")]
    return own + [place(use, card, kind) for card in chosen for kind in (MINDLESS, HARMLESS)] if chosen else []


# -- Quivering Fools, Total Warfare -----------------------------------------------------------------------------------


def fools(t: T, use: Use) -> list[str]:
    """TI-14.26, TR-32: every card of the arena, both sides, with power 1 or less now."""
    both = [*in_play(t, use.arena, use.user), *rivals(t, use)]
    return [card.id for card in both if can_be_subverted(t, use, card) and power(t, card) <= 1]


def quivering_fools_offers(t: T, use: Use, deeds: Deeds) -> Offer:
    """TI-14.26: all of them, or nothing."""
    return Offer(["use"] if fools(t, use) else [])


def quivering_fools(t: T, use: Use, chosen: list[str]) -> Deeds:
    return [place(use, card, kind) for card in fools(t, use) for kind in (MINDLESS, HARMLESS)] if chosen else []


def total_warfare(t: T, use: Use, chosen: list[str]) -> Deeds:
    """TI-14.28: Wounded on every legal opposing card."""
    return [place(use, card, WOUNDED) for card in targets(t, use, (WOUNDED,), [])]


# -- Replicate ------------------------------------------------------------------------------------------------------


def replicate_offers(t: T, use: Use, deeds: Deeds) -> Offer:
    """TI-14.30: an opposing card that can be subverted and is no titan; mandatory (TR-33)."""
    legal = [
        card.id
        for card in rivals(t, use)
        if CARDS[card.key].species != "titan" and can_be_subverted(t, use, card)
    ]
    return Offer(legal, min(1, len(legal)))


def replicas(t: T, use: Use, card: Card, deeds: Deeds) -> list[str]:
    """TI-14.30 to 14.33: what may be gained for the named card."""
    found = [t.card(one) for one in accessible(t, side_in(t, use.arena, use.user), ANY_COST, deeds)]
    if not t.s.vars["constructed"] and card.key in t.s.vars["piles"][use.arena]:
        return [one.id for one in found if one.key == card.key]
    if not t.s.vars["constructed"] and CARDS[card.key].element == "forest":
        return []
    like = (CARDS[card.key].element, CARDS[card.key].species)
    return [one.id for one in found if (CARDS[one.key].element, CARDS[one.key].species) == like]


def replicate(t: T, use: Use, chosen: list[str]) -> Deeds:
    """TI-14.34, 14.37: the gained card, named second, enters play when the batch is carried out."""
    return [("gain", card, use.user, side_in(t, use.arena, use.user)) for card in chosen[1:]]

