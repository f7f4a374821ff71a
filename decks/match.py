"""Match play: sideboarding between games (EP-18.1 to 18.3, 18.7). Pure; what was registered never changes."""

from __future__ import annotations

from collections import Counter

from decks.checking import Content, Violation, check
from decks.formats import Format

MAIN, SIDE = "deck", "sideboard"


def exchanged(
    format_: Format, registered: Content, out: dict[str, int], in_: dict[str, int]
) -> tuple[dict[str, dict[str, int]], list[Violation]]:
    """EP-18.2: `out` of the registered deck for as many `in_` from its sideboard. The deck to play, and what is wrong
    with the exchange; every game of a match starts from the registered state (EP-18.3)."""
    main, side = Counter(registered.get(MAIN, {})), Counter(registered.get(SIDE, {}))
    leaving, coming = Counter(out), Counter(in_)
    wrong = []
    if leaving.total() != coming.total():
        detail = f"cards are exchanged one for one: {leaving.total()} out, {coming.total()} in"
        wrong.append(Violation("EP-18.2", "not_one_for_one", detail))
    wrong += _missing(leaving, main, "deck") + _missing(coming, side, "sideboard")
    played = {MAIN: _plain(main - leaving + coming), SIDE: _plain(side - coming + leaving)}
    if not wrong and not format_.needs_pool:
        wrong = check(format_, played)
    return played, wrong


def _missing(wanted: Counter[str], held: Counter[str], section: str) -> list[Violation]:
    short = sorted((wanted - held).items())
    return [
        Violation("EP-18.2", "not_there", f"the {section} has {held[key]} {key}, {wanted[key]} wanted", section, [key])
        for key, _ in short
    ]


def _plain(cards: Counter[str]) -> dict[str, int]:
    return {key: n for key, n in sorted(cards.items()) if n > 0}
