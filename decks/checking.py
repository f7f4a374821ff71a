"""The one checker: every limit of a format that a deck breaks, all at once, each with its rule and the cards concerned.

A deck is {section: {card key: copies}}. `LIMITS` has one small function for each kind of limit that formats.py names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from decks.cards import Card, catalogue
from decks.formats import Format, Limit

Content = Mapping[str, Mapping[str, int]]
Pool = Mapping[str, int]


class Violation(Struct, frozen=True, omit_defaults=True):
    """`cards` are names. `section` is empty where the deck as a whole is meant."""

    rule: str
    code: str
    detail: str
    section: str = ""
    cards: list[str] = []


@dataclass(frozen=True)
class Deck:
    """What a limit looks at."""

    format: Format
    content: Content
    pool: Pool | None
    on: str  # the day whose restricted and banned lists hold: YYYY-MM-DD

    @property
    def whole(self) -> Counter[str]:
        """Sideboards count with the deck (EP-17.6)."""
        found: Counter[str] = Counter()
        for cards in self.content.values():
            found.update(cards)
        return found

    def card(self, key: str) -> Card:
        return catalogue(self.format.rulebook)[key]

    def names(self, keys: Iterator[str] | list[str]) -> list[str]:
        return sorted(self.card(key).name for key in keys)


def check(format_: Format, content: Content, pool: Pool | None = None, on: str = "9999-12-31") -> list[Violation]:
    """Everything that is wrong with this deck in this format; nothing, if it is legal."""
    strange = [
        Violation("", "unknown_section", f"a {format_.title} list has {' and '.join(format_.sections)}", section)
        for section in content
        if section not in format_.sections
    ]
    known = catalogue(format_.rulebook)
    unknown = sorted({key for cards in content.values() for key in cards if key not in known})
    strange += [
        Violation("", "unknown_card", f"{key!r} is no card of {format_.rulebook}", cards=[key]) for key in unknown
    ]
    kept = {
        section: {key: n for key, n in cards.items() if key in known and n > 0}
        for section, cards in content.items()
        if section in format_.sections
    }
    deck = Deck(format_, kept, pool, on)
    return strange + [found for limit in format_.limits for found in LIMITS[limit["limit"]](deck, limit)]


def check_together(format_: Format, decks: list[Content]) -> list[Violation]:
    """TH-4.2, 4.5: where every card exists once, the decks of a table share none."""
    limit = next((one for one in format_.limits if one["limit"] == "copies" and one["most"] == 1), None)
    if limit is None:
        return []
    holders = Counter(key for deck in decks for key in {key for cards in deck.values() for key in cards})
    names = catalogue(format_.rulebook)
    return [
        Violation(limit["rule"], "shared_card", f"{name} exists once, but it is in {n} decks", cards=[name])
        for key, n in sorted(holders.items())
        if n > 1 and key in names and (name := names[key].name)
    ]  # fmt: skip


# --- the limits ---


def _size(deck: Deck, limit: Limit) -> Iterator[Violation]:
    section = limit["section"]
    n = sum(deck.content.get(section, {}).values())
    least, most, one_of = limit.get("least", 0), limit.get("most"), limit.get("one_of")
    if one_of is not None:
        if n not in one_of:
            wanted = " or ".join(map(str, one_of))
            yield Violation(
                limit["rule"], "wrong_size", f"the {section} has exactly {wanted} cards, {n} given", section
            )
    elif n < least:
        yield Violation(limit["rule"], "too_few", f"the {section} has at least {least} cards, {n} given", section)
    elif most is not None and n > most:
        yield Violation(limit["rule"], "too_many", f"the {section} has at most {most} cards, {n} given", section)


def _copies(deck: Deck, limit: Limit) -> Iterator[Violation]:
    """By name: two printings of a card are one card."""
    parts = deck.content.items() if limit.get("each_section") else [("", deck.whole)]
    for section, cards in parts:
        copies: Counter[str] = Counter()
        for key, n in cards.items():
            copies[deck.card(key).name] += n
        for name, n in sorted(copies.items()):
            if n > limit["most"]:
                detail = f"at most {limit['most']} of {name}, {n} given"
                yield Violation(limit["rule"], "copies", detail, section, [name])


def _with(deck: Deck, limit: Limit) -> Iterator[Violation]:
    field, value = limit["field"], limit["value"]
    found = {key: n for key, n in deck.whole.items() if deck.card(key).data.get(field) == value}
    if (n := sum(found.values())) > limit["most"]:
        word = field if value is True else value
        yield Violation(
            limit["rule"], word, f"at most {limit['most']} {word} cards, {n} given", "", deck.names(list(found))
        )


def _only(deck: Deck, limit: Limit) -> Iterator[Violation]:
    for section, cards in deck.content.items():
        wrong = [key for key in cards if deck.card(key).data.get(limit["field"]) not in limit["values"]]
        if wrong:
            detail = f"only {limit['called']} are allowed, not {', '.join(deck.names(wrong))}"
            yield Violation(limit["rule"], "not_allowed", detail, section, deck.names(wrong))


def _listed(deck: Deck, limit: Limit) -> Iterator[Violation]:
    in_force = [one for one in limit["lists"] if one["from"] <= deck.on]
    if not in_force:
        return
    copies = {deck.card(key).name: n for key, n in deck.whole.items()}
    for name in in_force[-1]["restricted"]:
        if copies.get(name, 0) > limit["restricted"]:
            detail = f"{name} is restricted: at most {limit['restricted']}, {copies[name]} given"
            yield Violation(limit["rule"], "restricted", detail, "", [name])
    for name in in_force[-1]["banned"]:
        if copies.get(name):
            yield Violation(limit["rule"], "banned", f"{name} is banned", "", [name])


def _pool(deck: Deck, limit: Limit) -> Iterator[Violation]:
    """Nothing that was not opened or drafted, and nothing twice that was there once."""
    if deck.pool is None:
        yield Violation(limit["rule"], "no_pool", "this format is built from a pool, and none is known")
        return
    over = {key: n for key, n in deck.whole.items() if n > deck.pool.get(key, 0)}
    for key, n in sorted(over.items()):
        name, held = deck.card(key).name, deck.pool.get(key, 0)
        detail = f"{name} is in the pool {held} times, {n} given" if held else f"{name} is not in the pool"
        yield Violation(limit["rule"], "not_in_pool", detail, "", [name])


def _all(deck: Deck, limit: Limit) -> Iterator[Violation]:
    """No choice: the whole pool is the deck."""
    main = deck.content.get(deck.format.sections[0], {})
    left = [key for key, n in (deck.pool or {}).items() if main.get(key, 0) < n]
    if left:
        detail = f"every card of the pool is played; {', '.join(deck.names(left))} left out"
        yield Violation(limit["rule"], "left_out", detail, deck.format.sections[0], deck.names(left))


def _printed(deck: Deck, limit: Limit) -> Iterator[Violation]:
    """One of the printed lists (`exactly`), or cards of one of them only."""
    wanted, lists = set(deck.whole), limit["lists"]
    if any(wanted == set(cards) if limit["exactly"] else wanted <= set(cards) for cards in lists.values()):
        return
    closest = max(lists, key=lambda name: len(wanted & set(lists[name])))
    strange = deck.names(list(wanted - set(lists[closest])))
    called = "is none of the printed decks" if limit["exactly"] else "has cards of no single roster"
    detail = f"the deck {called}; closest is {closest}, without {', '.join(strange) or 'these cards'}"
    yield Violation(limit["rule"], "not_printed", detail, "", strange)


LIMITS: dict[str, Callable[[Deck, Limit], Iterator[Violation]]] = {
    "size": _size, "copies": _copies, "with": _with, "only": _only, "listed": _listed, "pool": _pool, "all": _all,
    "printed": _printed,
}  # fmt: skip


def as_brought(format_: Format, content: Content) -> Any:
    """The deck as the rulebook takes it when a seat joins a game."""
    lists = {section: [key for key, n in sorted(content.get(section, {}).items()) for _ in range(n)]
             for section in format_.sections}  # fmt: skip
    if len(lists) == 1:
        return next(iter(lists.values()))
    if "sideboard" in lists:
        return lists
    return list(lists.values())
