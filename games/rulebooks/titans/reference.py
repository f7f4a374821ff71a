"""The Reference Sheet (TI-7.12): every ability, when it works, and the one piece of code that is it.

Columns: when; what it does; what it offers its user (nothing: there is nothing to decide); what the same declaration
names second. Now abilities are listed in the order of their priority (TI-7.3).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from games.kernel import Card, T

from . import board, endings, flash, nows, power, startings, subvert
from .board import Use
from .cards import ABILITY, EXHAUSTED, FERAL, HARMLESS, MINDLESS, STUNTED, TRAITOROUS, WOUNDED
from .offers import Deeds, Offers, can_be_subverted

START_OF_AGE, CONTINUOUS, NOW, AWAKENING = "start of each age", "continuous", "Now", "awakening"
END_OF_AGE, END_OF_THIRD_AGE, END_OF_TURN = "end of the first and second age", "end of the third age", "end of the turn"

Second = Callable[[T, Use, Card, Deeds], list[str]]


class Row(NamedTuple):
    """`second` names what a declaration names after the first card; `each`: every copy is declared alone."""

    when: str
    does: Callable[..., Any]
    offers: Offers | None = None
    second: Second | None = None
    rule: str = ""
    each: bool = False


def _subvert(*types: str, rule: str) -> Row:
    offers, does = subvert.one_card(*types)
    return Row(NOW, does, offers, rule=rule)


def _bolster(name: str, rule: str) -> tuple[str, Row]:
    return f"Bolster: {name}", Row(CONTINUOUS, power.BOLSTERS[f"Bolster: {name}"], rule=rule)


REFERENCE: dict[str, Row] = {
    "Draw": Row(START_OF_AGE, startings.draw_cards, rule="TI-11.2"),
    "Draw: A New Hope": Row(START_OF_AGE, startings.a_new_hope, rule="TI-11.3"),
    "Discard": Row(START_OF_AGE, startings.from_hand, rule="TI-11.5"),
    "Discard: Deck": Row(START_OF_AGE, startings.from_deck, rule="TI-11.6"),
    "Armor": Row(CONTINUOUS, can_be_subverted, rule="TI-12.1"),
    **dict(_bolster(element, "TI-18.6") for element in ("Sky", "Fire", "Ice", "Rock")),
    **dict(_bolster(species, "TI-18.6") for species in ("Warriors", "Beasts", "Dragons", "Titans")),
    **dict([_bolster("Allies", "TI-18.7"), _bolster("Cards", "TI-18.8"), _bolster("Rivals", "TI-18.9")]),
    **dict([_bolster("Glory", "TI-18.10"), _bolster("Hero", "TI-18.11"), _bolster("Token", "TI-18.12")]),
    "Control": Row(CONTINUOUS, board.controller, rule="TI-12.10"),
    "Delay": Row(CONTINUOUS, board.delayer, rule="TI-12.20"),
    "Protect": Row(CONTINUOUS, board.protect, rule="TI-12.30"),
    "Protect: Eternal": Row(CONTINUOUS, board.protect, rule="TI-12.31"),
    "Summon": Row(CONTINUOUS, board.copies, rule="TI-12.40"),
    "Mythic": Row(NOW, nows.mythic, rule="TI-13.1"),
    "Subvert: Cave In": Row(NOW, subvert.cave_in, subvert.cave_in_offers, rule="TI-14.20", each=True),
    "Subvert: Exhausted": _subvert(EXHAUSTED, rule="TI-14.21"),
    "Subvert: Extinguished": _subvert(EXHAUSTED, HARMLESS, rule="TI-14.22"),
    "Subvert: Feral": _subvert(FERAL, rule="TI-14.23"),
    "Subvert: Harmless": _subvert(HARMLESS, rule="TI-14.24"),
    "Subvert: Mindless": _subvert(MINDLESS, rule="TI-14.25"),
    "Subvert: Quivering Fools": Row(NOW, subvert.quivering_fools, subvert.quivering_fools_offers, rule="TI-14.26"),
    "Subvert: Replicate": Row(
        NOW, subvert.replicate, subvert.replicate_offers, subvert.replicas, rule="TI-14.30", each=True
    ),
    "Subvert: Stunted": _subvert(STUNTED, rule="TI-14.27"),
    "Subvert: Total Warfare": Row(NOW, subvert.total_warfare, rule="TI-14.28"),
    "Subvert: Traitorous": _subvert(TRAITOROUS, rule="TI-14.40"),
    "Subvert: Wounded": _subvert(WOUNDED, rule="TI-14.29"),
    "Divert": Row(NOW, nows.divert, nows.divert_offers, nows.divert_destinations, rule="TI-13.10", each=True),
    "Mimic: Beasts": Row(NOW, nows.mimic, nows.mimic_offers, rule="TI-13.20", each=True),
    "Flash": Row(NOW, flash.flash, rule="TI-13.30"),
    "Flash: Foresee": Row(NOW, flash.foresee, rule="TI-13.33"),
    "Flash: Optional": Row(NOW, flash.optional, rule="TI-13.36"),
    "Flash: Singular": Row(NOW, flash.singular, rule="TI-13.37"),
    "Haunt": Row(NOW, nows.haunt, rule="TI-13.40"),
    "Haunt: No Escape": Row(NOW, nows.no_escape, rule="TI-13.43"),
    "Return": Row(NOW, nows.to_hand, nows.return_offers, rule="TI-13.50"),
    "Sacrifice": Row(NOW, nows.sacrifice, nows.sacrifice_offers, rule="TI-13.60"),
    "Sacrifice: Ritual": Row(NOW, nows.ritual, nows.ritual_offers, nows.ritual_gains, rule="TI-13.62", each=True),
    "Purify": Row(NOW, nows.purify, nows.purify_offers, rule="TI-13.70"),
    "Purify: Absolute": Row(NOW, nows.purify, nows.absolute_offers, rule="TI-13.73"),
    "Purify: Token": Row(NOW, nows.purify_token, nows.purify_offers, rule="TI-13.74"),
    "Energy": Row(AWAKENING, startings.energy, rule="TI-16.1"),
    "Energy: Arc": Row(AWAKENING, startings.arc, rule="TI-16.2"),
    "Energy: Evanesce": Row(AWAKENING, startings.evanesce, rule="TI-16.3"),
    "Night's Fury": Row(END_OF_AGE, endings.nights_fury, endings.nights_fury_offers, rule="TI-17.1"),
    "Substitute": Row(END_OF_THIRD_AGE, endings.substitute, endings.substitute_offers, rule="TI-17.10"),
    "Substitute: Fear": Row(END_OF_THIRD_AGE, endings.substitute, endings.fear_offers, rule="TI-17.16"),
    "Rage": Row(END_OF_TURN, nows.to_hand, endings.rage_offers, rule="TI-17.20"),
    "Spite": Row(END_OF_TURN, endings.spite, rule="TI-17.22"),
}
assert set(REFERENCE) == {ability.label for ability in ABILITY.values()}
