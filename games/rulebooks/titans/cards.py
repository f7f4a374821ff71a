"""The cards as data (section 5), and what the words of an ability mean (TI-0.10, 0.11, 0.13)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

MONK, WIZARD, TRAVELER, GHOST = "monk", "wizard", "traveler", "ghost"
ELEMENTS = ("sky", "fire", "ice", "rock")
SPECIES = ("warrior", "beast", "dragon", "titan")
ALL = 99
"""TI-0.10: "All" is as many copies as can be used; no hand has this many cards."""

NOW = ("mythic", "subvert", "divert", "mimic", "flash", "haunt", "return", "sacrifice", "purify")
"""TI-7.3: the families of Now abilities, best priority first."""
PRIORITY = {family: place for place, family in enumerate(NOW, 1)}

HARMLESS, MINDLESS, EXHAUSTED, FERAL = "harmless", "mindless", "exhausted", "feral"
STUNTED, TRAITOROUS, WOUNDED = "stunted", "traitorous", "wounded"
SUBVERSIONS = (EXHAUSTED, FERAL, HARMLESS, MINDLESS, STUNTED, TRAITOROUS, WOUNDED)
IN_BOX = 8
"""TI-1.2: eight of each; TI-1.3: more than that still work."""


class Ability(NamedTuple):
    """One ability as printed: "Subvert 3: Feral" is three copies, "Foresee 2" has the parameter 2."""

    text: str
    label: str
    family: str
    copies: int
    param: int

    @property
    def now(self) -> bool:
        return self.family in PRIORITY


class CardData(NamedTuple):
    key: str
    name: str
    element: str
    species: str
    cost: int
    power: int
    abilities: tuple[Ability, ...]
    status: str


_TEXT = re.compile(r"([A-Z][a-z']+(?: Fury)?)(?: (\d+|All))?(?:: ([A-Za-z ]+?)(?: x?(\d+))?)?")


def ability(text: str) -> Ability:
    """TI-0.10: a number after the family word counts copies; TI-0.11: after the variant it is a parameter."""
    found = _TEXT.fullmatch(text)
    if found is None:
        raise ValueError(f"no ability reads {text!r}")
    family, copies, variant, param = found.groups()
    label = f"{family}: {variant}" if variant else family
    return Ability(text, label, family.lower(), ALL if copies == "All" else int(copies or 1), int(param or 0))


def _load() -> dict[str, CardData]:
    rows = json.loads((Path(__file__).parent / "cards.json").read_text())
    return {row["key"]: CardData(**{**row, "abilities": tuple(map(ability, row["abilities"]))}) for row in rows}


CARDS = _load()
BY_NAME = {card.name: card.key for card in CARDS.values()}
PRINTED = {card.key: card.abilities for card in CARDS.values()}
COST = {card.key: card.cost for card in CARDS.values()}
ABILITY = {ability.text: ability for card in CARDS.values() for ability in card.abilities}
"""Every ability of the set by its text: a card that gained abilities remembers the texts."""
ELEMENTAL = [card.key for card in CARDS.values() if card.element in ELEMENTS]
NAMES = {
    (element, species): [card.key for card in CARDS.values() if (card.element, card.species) == (element, species)]
    for element in ELEMENTS
    for species in SPECIES
}
"""TI-1.5: the four names of each of the sixteen element-species pairs."""
FAMILIES = {ability.family for ability in ABILITY.values()}
BEARERS = {
    family: frozenset(
        key for key, printed in PRINTED.items() if any(one.family == family or one.family == "mimic" for one in printed)
    )
    for family in FAMILIES
}
"""Which cards can have an ability of a family: printed on them, or gained by Mimic (TI-13.20)."""
