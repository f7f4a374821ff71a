"""Spellbooks (TI-2.20 to 2.26): what a seat brings to a constructed game, and what is wrong with it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games.kernel import Violation

from .book import book
from .cards import BY_NAME, CARDS, ELEMENTAL
from .formats import Options, check_format, chosen_format

SIZE, COPIES = 32, 4


def books_of(deck: Any) -> list[Any]:
    """A deck is one spellbook, or a list of two for a solo player (TI-2.25)."""
    if isinstance(deck, list) and deck and all(isinstance(one, list) for one in deck):
        return deck
    return [deck]


def keys_of(spellbook: list[str]) -> list[str]:
    """Cards may be given by key or by name."""
    return [BY_NAME.get(card, card) for card in spellbook]


def check_spellbook(spellbook: Any, pointer: str) -> list[Violation]:
    """TI-2.21, TR-6: 32 elemental cards, no more and no fewer, at most 4 of a name."""
    if not isinstance(spellbook, list) or not all(isinstance(card, str) for card in spellbook):
        return [Violation(pointer, "wrong_shape", "a list of card names is needed", "TI-2.21")]
    keys = keys_of(spellbook)
    found = [
        Violation(f"{pointer}/{index}", "unknown_option", f"{key!r} is no elemental card", "TI-2.21")
        for index, key in enumerate(keys)
        if key not in ELEMENTAL
    ]
    if len(keys) != SIZE:
        few = "too_few" if len(keys) < SIZE else "too_many"
        found.append(Violation(pointer, few, f"a spellbook has {SIZE} cards, not {len(keys)}", "TI-2.21"))
    for key, count in sorted(Counter(keys).items()):
        if count > COPIES and key in CARDS:
            detail = f"{count} copies of {CARDS[key].name}; at most {COPIES}"
            found.append(Violation(pointer, "too_many", detail, "TI-2.21"))
    return found


@book.check_deck
def check_deck(seats: int, options: Options, deck: Any) -> list[Violation]:
    """One seat's spellbook or spellbooks, before it is known who plays solo."""
    spellbooks = books_of(deck)
    pointers = ["/deck"] if len(spellbooks) == 1 else [f"/deck/{index}" for index in range(len(spellbooks))]
    found = [one for spell, where in zip(spellbooks, pointers, strict=True) for one in check_spellbook(spell, where)]
    if len(spellbooks) > 2:
        found.append(Violation("/deck", "too_many", "at most two spellbooks, one for each arena", "TI-2.25"))
    return found


@book.check_setup
def check_setup(seats: int, options: Options, decks: list[Any]) -> list[Violation]:
    """TI-2: the host's choices; constructed: the right number of good spellbooks from each seat."""
    if found := check_format(seats, options):
        return found
    chosen = chosen_format(seats, options)
    if not chosen.constructed:
        superfluous = Violation("/decks", "illegal", "classic games are played without spellbooks", "TI-2.20")
        return [superfluous] if any(decks) else []
    if len(decks) != seats:
        return [Violation("/decks", "too_few", f"one entry for each of {seats} seats, {len(decks)} given", "TI-2.21")]
    for seat, deck in enumerate(decks):
        spellbooks, needed = books_of(deck), chosen.books(seat)
        if len(spellbooks) != needed:
            detail = f"seat {seat} runs {needed} side{'s' * (needed > 1)} and brings as many spellbooks"
            code = "too_few" if len(spellbooks) < needed else "too_many"
            found.append(Violation(f"/decks/{seat}", code, detail, "TI-2.25"))
            continue
        for index, spellbook in enumerate(spellbooks):
            found += check_spellbook(spellbook, f"/decks/{seat}" + (f"/{index}" if needed > 1 else ""))
    return found
