"""Decks: booster packs, the formats and their limits (EP-17, EP-18.1)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games.kernel.play import T
from games.kernel.rulebook import Violation

from .cards import BY_NAME, CARDS, LIMITS, LISTS, PACK, SET, CardDef, Data

FORMATS = ("sealed", "pack_war", "draft", "designed")
ABOUT: Data = {
    "format": {"doc": "where the decks come from (EP-17)", "values": list(FORMATS), "default": "sealed"},
    "packs": {"doc": "packs for each player: sealed and draft from 2, pack_war 1", "type": "number", "default": 2},
    "list": {"doc": "restricted and banned cards of designed decks", "values": sorted(LISTS), "default": "print"},
    "first": {"doc": "the seat that goes first; drawn at random where none is named (EP-1.3)", "type": "seat"},
    "chooser": {
        "doc": "the seat that names who goes first: the loser of the last game; of a list, a random one (EP-18.6)",
        "type": "seat or seats",
    },
}


def format_of(options: Data) -> str:
    return str(options.get("format", "sealed"))


def packs_of(options: Data) -> int:
    return int(options.get("packs", 1 if format_of(options) == "pack_war" else 2))


# -- packs (EP-17.1, 5.2) ----------------------------------------------------------------------------------------------


def _pool(wanted: Data) -> list[str]:
    return [
        card.id
        for card in SET
        if card.rarity == wanted["rarity"] and ("speed" not in wanted or card.speed in wanted["speed"])
    ]


def open_pack(t: T, label: str) -> list[str]:
    """15 cards by the recipe: uniform within a pool, no card twice in a pack."""
    pack: list[str] = []
    for slot in PACK["slots"]:
        pool = slot["pool"]
        if upgrade := slot.get("upgrade"):
            pool = upgrade["pool"] if t.below(upgrade["one_in"], f"{label} prize") == 0 else pool
        pack += t.shuffled(_pool(pool), f"{label} {slot['slot']}")[: slot["count"]]
    return pack


# -- deck lists (EP-17.2 to 17.8, 18.1) --------------------------------------------------------------------------------


def card_of(name: Any) -> CardDef | None:
    """A card by its id, its name or an alias of it (RU-61)."""
    found = CARDS.get(name) or BY_NAME.get(name) if isinstance(name, str) else None
    return None if found is None or found.token else found


def deck_keys(deck: Any, part: str = "deck") -> list[str]:
    """The cards of a list that has been checked, by id."""
    names = deck.get(part, []) if isinstance(deck, dict) else deck if part == "deck" else []
    return [card.id for name in names if (card := card_of(name))]


def check_list(options: Data, deck: Any, pointer: str = "/deck") -> list[Violation]:
    """EP-17.8: every limit a deck breaks, not only the first."""
    if not (isinstance(deck, (list, dict))) or (isinstance(deck, dict) and not isinstance(deck.get("deck"), list)):
        detail = 'a list of cards, or {"deck": […], "sideboard": […]}, is needed'
        return [Violation(pointer, "wrong_shape", detail, "EP-17.6")]
    main, side = (deck, []) if isinstance(deck, list) else (deck["deck"], deck.get("sideboard", []))
    found = [
        Violation(pointer, "unknown_card", f"{name!r} is no card of the set", "EP-17.6")
        for name in [*main, *side]
        if card_of(name) is None
    ]
    least = LIMITS["min_deck"] if format_of(options) == "designed" else 15 * min(2, packs_of(options))
    if len(main) < least:
        found.append(Violation(pointer, "too_few", f"at least {least} cards, {len(main)} given", "EP-17.2"))
    if len(side) not in LIMITS["sideboard"]:
        detail = f"a sideboard has exactly 15 cards or does not exist, {len(side)} given"
        found.append(Violation(f"{pointer}/sideboard", "sideboard", detail, "EP-18.1"))
    if format_of(options) == "designed":
        found += _designed([card for name in [*main, *side] if (card := card_of(name))], options, pointer)
    return found


def _designed(cards: list[CardDef], options: Data, pointer: str) -> list[Violation]:
    """EP-17.6, 17.7: counted over deck and sideboard."""
    copies = Counter(card.name for card in cards)
    free, gifts = sum(card.cost == "free" for card in cards), sum(card.gift for card in cards)
    lists = LISTS[options.get("list", "print")]
    found = [
        Violation(pointer, "copies", f"at most {LIMITS['max_copies']} {name}, {n} given", "EP-17.6")
        for name, n in copies.items()
        if n > LIMITS["max_copies"]
    ]
    if free > LIMITS["max_free"]:
        found.append(Violation(pointer, "free", f"at most {LIMITS['max_free']} free cards, {free} given", "EP-17.6"))
    if gifts > LIMITS["max_gift"]:
        found.append(Violation(pointer, "gift", f"at most {LIMITS['max_gift']} gift cards, {gifts} given", "EP-17.6"))
    for name in lists["restricted"]:
        if copies[name] > LIMITS["max_restricted_copies"]:
            detail = f"{name} is restricted: at most {LIMITS['max_restricted_copies']}, {copies[name]} given"
            found.append(Violation(pointer, "restricted", detail, "EP-17.7"))
    found += [
        Violation(pointer, "banned", f"{name} is banned", "EP-17.7") for name in lists["banned"] if copies[name]
    ]
    return found


def is_seat(seat: Any, seats: int) -> bool:
    return isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < seats


def check_options(seats: int, options: Data, decks: list[Any]) -> list[Violation]:
    """Everything that is wrong with a set-up."""
    found: list[Violation] = []
    if strange := sorted(set(options) - set(ABOUT)):
        found.append(Violation("/options", "unknown_option", f"there is no option {', '.join(strange)}"))
    if format_of(options) not in FORMATS:
        detail = f"the format is one of {', '.join(FORMATS)}"
        return [*found, Violation("/options/format", "unknown_option", detail, "EP-17")]
    packs = options.get("packs", packs_of(options))
    war = format_of(options) == "pack_war"
    if not isinstance(packs, int) or isinstance(packs, bool) or not (packs == 1 if war else 2 <= packs <= 6):
        detail = "one pack in a Pack War, else from 2 to 6"
        return [*found, Violation("/options/packs", "out_of_range", detail, "EP-17.2")]
    if options.get("list", "print") not in LISTS:
        found.append(Violation("/options/list", "unknown_option", f"one of {', '.join(LISTS)}", "EP-17.7"))
        return found
    first, chooser = options.get("first"), options.get("chooser")
    several = chooser if isinstance(chooser, list) else [chooser]
    if not (first is None or is_seat(first, seats)):
        found.append(Violation("/options/first", "out_of_range", f"a seat from 0 to {seats - 1}", "EP-1.3"))
    if not (chooser is None or (several and all(is_seat(seat, seats) for seat in several))):
        found.append(Violation("/options/chooser", "out_of_range", f"seats from 0 to {seats - 1}", "EP-18.6"))
    if format_of(options) == "designed" and len(decks) != seats:
        found.append(Violation("/decks", "too_few", "designed decks are brought by the players", "EP-17.6"))
    if decks and len(decks) != seats:
        found.append(Violation("/decks", "wrong_shape", f"one deck for each of {seats} players", "EP-1.1"))
    if decks and format_of(options) == "draft":
        found.append(Violation("/decks", "unknown_option", "drafted decks are made in the draft", "EP-17.5"))
    for seat, deck in enumerate(decks):
        found += check_list(options, deck, f"/decks/{seat}")
    return found
