"""Power (TI-18): computed from scratch, in a fixed order: base, bolsters, Wounded, Stunted."""

from __future__ import annotations

from collections.abc import Callable

from games.kernel import Card, T

from .board import HAND, abilities, arena_of, in_play, opponent
from .cards import BEARERS, CARDS, ELEMENTS, HARMLESS, SPECIES, STUNTED, WOUNDED

Bolster = Callable[[T, Card, int], int]


def power(t: T, card: Card) -> int:
    """TI-18.1 to 18.5."""
    marks = card.marks
    value = 0 if HARMLESS in marks else CARDS[card.key].power
    if card.key in BEARERS["bolster"]:
        value += sum(
            ability.copies * BOLSTERS[ability.label](t, card, ability.param)
            for ability in abilities(card)
            if ability.family == "bolster"
        )
    if WOUNDED in marks:
        value = -(-value // 2)
    return min(value, 1) if STUNTED in marks else value


def total(t: T, arena: int, seat: int) -> int:
    """TI-9.1, 18.14: signed."""
    return sum([power(t, card) for card in in_play(t, arena, seat)])


def rivals_of(t: T, card: Card) -> list[Card]:
    arena = arena_of(card)
    return in_play(t, arena, opponent(t, arena, card.ctrl))


def allies_of(t: T, card: Card) -> list[Card]:
    return in_play(t, arena_of(card), card.ctrl)


def against_element(element: str) -> Bolster:
    """TI-18.6: +1 per card of that element the opponent has in play."""
    return lambda t, card, cap: sum(CARDS[rival.key].element == element for rival in rivals_of(t, card))


def against_species(species: str) -> Bolster:
    """TI-18.6: +1 per card of that species the opponent has in play."""
    return lambda t, card, cap: sum(CARDS[rival.key].species == species for rival in rivals_of(t, card))


def allies(t: T, card: Card, cap: int) -> int:
    """TI-18.7: +1 per other non-desert card on the own side."""
    others = (ally for ally in allies_of(t, card) if ally.id != card.id)
    return min(cap, sum(CARDS[ally.key].element != "desert" for ally in others))


def cards_in_hand(t: T, card: Card, cap: int) -> int:
    """TI-18.8: +1 per card in the controller's hand."""
    return min(cap, t.size(HAND[card.ctrl]))


def rivals(t: T, card: Card, cap: int) -> int:
    """TI-18.9: +1 per card of the opponent."""
    return min(cap, len(rivals_of(t, card)))


def glory(t: T, card: Card, cap: int) -> int:
    """TI-18.10: +3 with at most four cards on the own side."""
    return 3 if len(allies_of(t, card)) <= 4 else 0


def hero(t: T, card: Card, cap: int) -> int:
    """TI-18.11: +1 against more cards, +3 against at least twice as many."""
    own, theirs = len(allies_of(t, card)), len(rivals_of(t, card))
    return 3 if theirs >= 2 * own else int(theirs > own)


def token(t: T, card: Card, worth: int) -> int:
    """TI-18.12: while at least one token lies on the card."""
    return worth if card.n.get("token") else 0


BOLSTERS: dict[str, Bolster] = {
    **{f"Bolster: {element.title()}": against_element(element) for element in ELEMENTS},
    **{f"Bolster: {species.title()}s": against_species(species) for species in SPECIES},
    "Bolster: Allies": allies,
    "Bolster: Cards": cards_in_hand,
    "Bolster: Rivals": rivals,
    "Bolster: Glory": glory,
    "Bolster: Hero": hero,
    "Bolster: Token": token,
}
"""TI-18.13: each copy counts alone, with its own cap."""
