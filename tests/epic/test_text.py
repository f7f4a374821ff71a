"""The sentence of every card is generated from its data and equals the catalogue's table (section 5.8)."""

from pathlib import Path

import pytest

from games.rulebooks.epic.cards import CARDS, SET
from games.rulebooks.epic.text import text

CATALOGUE = Path(__file__).parents[2] / "docs" / "rules" / "epic.md"


def golden():
    rows = (line.split("|") for line in CATALOGUE.read_text().splitlines() if line.startswith("| EP"))
    return {row[1].strip(): [cell.strip() for cell in row[2:-1]] for row in rows}


@pytest.mark.parametrize("card", SET, ids=lambda card: card.id)
def test_the_text_is_the_catalogue_s(card):
    assert text(card) == golden()[card.id][-1]


@pytest.mark.parametrize("card", SET, ids=lambda card: card.id)
def test_the_printed_values_are_the_catalogue_s(card):
    """EP-3.1: name, type, cost, speed, alignment, origin, stats, rarity."""
    name, kind, cost, speed, alignment, origin, stats, rarity, _ = golden()[card.id]
    notes = ", ".join(["gift"] * card.gift + ["known"] * (card.provenance == "known"))
    assert name == card.name + (f" ({notes})" if notes else "")
    assert (kind, cost, alignment, origin, rarity) == (
        card.type, card.cost, card.alignment, card.origin, card.rarity,
    )  # fmt: skip
    assert speed == card.speed + "!" * card.instantaneous
    assert stats == (f"{card.offense}/{card.defense}" if card.type == "champion" else "–")


def test_the_whole_set_is_there():
    assert sorted(golden()) == [card.id for card in SET]
    assert {name: (CARDS[name].offense, CARDS[name].defense) for name in ("Human", "Zombie", "Demon")} == {
        "Human": (1, 1), "Zombie": (2, 2), "Demon": (4, 4),
    }  # fmt: skip
