"""Names, and set-ups that the conformance suite and playouts play: every seat count, every source of decks."""

from __future__ import annotations

from games.kernel.rulebook import Setup

from .book import book
from .cards import noun

book.noun(noun)


@book.samples
def samples() -> list[Setup]:
    return [
        Setup(2, name="Sealed Pack 2"),
        Setup(2, {"format": "pack_war"}, name="Pack War"),
        Setup(2, {"packs": 3}, name="Sealed Pack 3"),
        Setup(3, name="three"),
        Setup(3, {"format": "draft", "packs": 2}, name="three, Draft 2"),
        Setup(4, name="four"),
        Setup(5, {"format": "pack_war"}, name="five, Pack War"),
        Setup(6, {"format": "pack_war", "chooser": 2}, name="six, Pack War"),
    ]
