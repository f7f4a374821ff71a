"""Start-of-age abilities (TI-11) and Energy (TI-16): how much each gives its user."""

from __future__ import annotations

from games.kernel import T

from .board import HAND, LAST_AGE, Use, was_played_this_age


def draw_cards(t: T, use: Use) -> int:
    """TI-11.2: a card per copy."""
    return use.ability.copies


def a_new_hope(t: T, use: Use) -> int:
    """TI-11.3, 11.4, 15.5: only if the hand of the card's controller is empty before any Draw."""
    return 0 if t.size(HAND[use.card.ctrl]) else use.ability.copies


def energy(t: T, use: Use) -> int:
    """TI-16.1: one per copy."""
    return use.ability.copies


def arc(t: T, use: Use) -> int:
    """TI-16.2: only in third ages."""
    return use.ability.copies if t.s.vars["age"] == LAST_AGE else 0


def evanesce(t: T, use: Use) -> int:
    """TI-16.3: only in the age in which the card was played."""
    return use.ability.copies if was_played_this_age(t, use.card) else 0


def from_hand(t: T, use: Use) -> tuple[int, int]:
    """TI-11.5: (random cards from the opponent's hand, looks at the top of the opponent's deck)."""
    return use.ability.copies, 0


def from_deck(t: T, use: Use) -> tuple[int, int]:
    """TI-11.6: look, then discard it or leave it."""
    return 0, use.ability.copies
