"""Flash and its variants (TI-13.30 to 13.38): how many cards each lets its user commit. The commitment is commit.py."""

from __future__ import annotations

from typing import NamedTuple

from games.kernel import T

from .board import Use, everything_in_play, has
from .cards import FERAL


class Plays(NamedTuple):
    """Cards that must be played, cards that may be, and looks at the top of the deck that each play one card."""

    cards: int = 0
    may: int = 0
    looks: tuple[int, ...] = ()


def flash(t: T, use: Use) -> Plays:
    """TI-13.30: must play one more card per copy."""
    return Plays(cards=use.ability.copies)


def optional(t: T, use: Use) -> Plays:
    """TI-13.36: may."""
    return Plays(may=use.ability.copies)


def foresee(t: T, use: Use) -> Plays:
    """TI-13.33: look at the top n cards, play one, discard the rest."""
    return Plays(looks=(use.ability.param,) * use.ability.copies)


def singular(t: T, use: Use) -> Plays:
    """TI-13.37, 13.38, 15.5: nothing while a Feral that this very card placed lies on a card with Flash."""
    mine = (card for card in everything_in_play(t) if FERAL in card.marks and card.marks.get("feral_by") == use.card.id)
    return Plays() if any(has(card, "flash") for card in mine) else Plays(cards=use.ability.copies)
