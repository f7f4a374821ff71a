"""Which decks are legal (TH-4.1 to 4.8, TH-4.30 to 4.32).

Every check returns all it found wrong, each with the number of the rule, so that one refusal
tells a host everything there is to put right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from games.kernel.rulebook import Violation

from .cards import CARDS, LIMITS, PrintedList


def breach(rule: str, pointer: str, code: str, detail: str) -> Violation:
    """What is wrong, where, and which rule says so."""
    return Violation(pointer, code, detail, rule)


def deck_size(seats: int) -> int:
    """TH-4.1: 12 cards each with 2-5 players, 10 each with 6."""
    return LIMITS.deck_size[seats]


def check_decks(decks: Sequence[Sequence[str]], seats: int, pointer: str = "/decks") -> list[Violation]:
    """TH-4.5: the decks of a game, checked as a whole against TH-4.1 and TH-4.2. Any mix of gods is legal (TH-4.3)."""
    found = []
    if len(decks) < seats:
        found.append(
            breach("TH-4.6", pointer, "too_few", f"{seats} players need {seats} decks; {len(decks)} were given.")
        )
    for n, deck in enumerate(decks):
        found += check_cards(deck, f"{pointer}/{n}")
        found += check_size(deck, deck_size(seats), seats, f"{pointer}/{n}")
    holders = Counter(key for deck in decks for key in set(deck) if key in CARDS)
    for key, times in sorted(holders.items()):
        if times > 1:
            detail = f"{key} {CARDS[key].name} exists once, but it is in {times} decks."
            found.append(breach("TH-4.2", pointer, "shared_card", detail))
    return found


def check_cards(deck: Iterable[str], pointer: str) -> list[Violation]:
    """TH-2.3, TH-4.2: cards of the pool, each at most once."""
    found = []
    for key, times in sorted(Counter(deck).items()):
        if key not in CARDS:
            detail = f"There is no Prayer Card {key!r}; the pool is P1-P15, D1-D15, H1-H15, G1-G15."
            found.append(breach("TH-2.3", pointer, "unknown_card", detail))
        elif times > 1:
            detail = f"{key} {CARDS[key].name} exists once, but the deck has it {times} times."
            found.append(breach("TH-4.2", pointer, "duplicate_card", detail))
    return found


def check_size(deck: Sequence[str], size: int, seats: int, pointer: str) -> list[Violation]:
    if len(deck) == size:
        return []
    rule = "TH-4.8" if seats == 6 and len(deck) == 12 else "TH-4.1"
    detail = f"A deck for {seats} players has exactly {size} cards; this one has {len(deck)}."
    return [breach(rule, pointer, "wrong_size", detail)]


def check_roster_deck(deck: Sequence[str], roster: PrintedList, seats: int, pointer: str = "/deck") -> list[Violation]:
    """TH-4.31, TR-23: 12 different cards, all of the own roster."""
    found = check_size(deck, deck_size(seats), seats, pointer) + check_cards(deck, pointer)
    for key in sorted(set(deck) - set(roster.cards)):
        if key in CARDS:
            detail = f"{key} {CARDS[key].name} is not in the roster {roster.name}."
            found.append(breach("TH-4.31", pointer, "not_in_roster", detail))
    return found
