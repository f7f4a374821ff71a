"""Card text is made from the data the engine runs (section 5.5)."""

import re

import pytest

from games.catalogue import RULES
from games.rulebooks.theos import text
from games.rulebooks.theos.cards import CARDS

LETTERS = {"I": "instant", "W": "power", "P": "passive", "T": "triggered"}


def printed_in_catalogue() -> dict[str, list[tuple[str, str]]]:
    """The table of section 5.6: card -> [(kind, sentence), …]."""
    rows = re.findall(r"^\| ([PDHG]\d+) \|.*\| (\*\*.*) \|$", (RULES / "theos.md").read_text(), re.MULTILINE)
    return {
        key: [(LETTERS[kind], line) for kind, line in re.findall(r"\*\*([IWPT])\*\* (.*?)(?: · (?=\*\*)|$)", abilities)]
        for key, abilities in rows
    }


@pytest.mark.parametrize("key", CARDS)
def test_the_sentence_is_the_stored_and_the_printed_one(key):
    card = CARDS[key]

    assert text.card(card) == [ability.text for ability in card.abilities]
    assert [(a.kind, a.text) for a in card.abilities] == printed_in_catalogue()[key]
