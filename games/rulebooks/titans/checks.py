"""The advanced set-up checks (TI-2.30 to 2.34): optional, classic only, for each arena's sixteen names."""

from __future__ import annotations

from collections.abc import Callable

from .cards import CARDS, ELEMENTS, NAMES, PRINTED

ANSWERS = {"protect", "purify", "divert"}
THREATS = {"haunt", "subvert"}
Choose = Callable[[list[str]], str]


def abilities_but_flash(key: str) -> set[str]:
    """TI-2.32: ability, variant, copies and parameter; Flash and its variants are ignored."""
    return {ability.text for ability in PRINTED[key] if ability.family != "flash"}


def families(key: str) -> set[str]:
    return {ability.family for ability in PRINTED[key]}


def of(names: list[str], element: str, species: str) -> str:
    return next(key for key in names if (CARDS[key].element, CARDS[key].species) == (element, species))


def twins(names: list[str], replaced: str, kept: str) -> list[str]:
    """TI-2.31: cards of one species that share an ability with the other species of their element."""
    pairs = [(of(names, element, replaced), of(names, element, kept)) for element in ELEMENTS]
    return [one for one, other in pairs if abilities_but_flash(one) & abilities_but_flash(other)]


def pointless(names: list[str]) -> list[str]:
    """TI-2.33: Protect, Purify and Divert with nothing to guard against."""
    if any(families(key) & THREATS for key in names):
        return []
    return [key for key in names if families(key) & ANSWERS]


CHECKS: tuple[tuple[Callable[[list[str]], list[str]], set[str]], ...] = (
    (lambda names: twins(names, "warrior", "beast"), set()),
    (lambda names: twins(names, "beast", "dragon"), set()),
    (pointless, ANSWERS),
)
"""TI-2.34: 1a, 1b, 2: what each finds, and the families a replacement must not have."""


def checked(names: list[str], elsewhere: set[str], choose: Choose) -> list[str]:
    """TI-2.34: in this order, again until none fires; a card for which no replacement is left stays."""
    names = list(names)
    traded: set[str] = set()
    stays: set[tuple[int, str]] = set()
    while True:
        for number, (finds, forbidden) in enumerate(CHECKS):
            fired = [key for key in finds(names) if (number, key) not in stays]
            for key in fired:
                card = CARDS[key]
                others = [
                    other
                    for other in NAMES[card.element, card.species]
                    if other not in {*names, *elsewhere, *traded} and not families(other) & forbidden
                ]
                if others:
                    traded.add(key)
                    names[names.index(key)] = choose(others)
                else:
                    stays.add((number, key))
            if fired:
                break
        else:
            return names
