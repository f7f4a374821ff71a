"""Theos: the open draft of two, the pass draft of three to six (TH-4.9 to 4.29), as a draft of its own.

The steps are the rulebook's own (games/rulebooks/theos/draft.py); here they stand alone and end when the decks do.
"""

from __future__ import annotations

from typing import Any

from drafting.rulebooks.draft.narration import LEAVES_AND_ENDS
from games.kernel import PUBLIC, Rulebook, Setup, T, Table, Violation
from games.rulebooks.theos import book as theos
from games.rulebooks.theos import draft
from games.rulebooks.theos.board import DECK, GONE
from games.rulebooks.theos.cards import CARDS
from games.rulebooks.theos.decks import deck_size
from games.rulebooks.theos.options import ABOUT, Refused, plan

book = Rulebook("theos_draft", version=1, title="Theos draft", seats=range(2, 7), kind="draft")
OPTIONS = ("novice", "draft_seats")
book.about = {
    "options": {name: ABOUT[name] for name in OPTIONS}, "rules": "docs/rules/theos.md", "set": "theos",
    "formats": {seats: "theos/draft-6" if seats == 6 else "theos/draft" for seats in range(2, 7)},
}  # fmt: skip
book.aliases(
    start_draft=draft.start_draft, end_draft=draft.end_draft, open_draft=draft.open_draft,
    open_draft_order=draft.open_draft_order, open_draft_turn=draft.open_draft_turn,
    open_draft_pick=draft.open_draft_pick, pass_draft=draft.pass_draft, deal=draft.deal, draft_turn=draft.draft_turn,
    pass_draft_pick=draft.pass_draft_pick,
)  # fmt: skip
book.noun(lambda key: CARDS[key].name)
book.sentences |= theos.sentences | LEAVES_AND_ENDS


@book.check_setup
def check_setup(seats: int, options: dict[str, Any], decks: list[Any]) -> list[Violation]:
    strange = sorted(set(options) - set(OPTIONS))
    if strange:
        return [Violation("/options", "unknown_option", f"there is no option {', '.join(strange)} in a draft")]
    try:
        plan(seats, {"decks": "draft", **options})
    except Refused as refused:
        return refused.violations
    return []


@book.setup
def setup(t: T, options: dict[str, Any], decks: list[Any]) -> None:
    """TH-4.4: two draft openly, more pass packs; the decks are nobody else's business afterwards (TH-4.29)."""
    t.zone(GONE, ids=PUBLIC, faces=0)
    for seat in t.seats:
        t.zone(DECK[seat], ids=[seat], faces=[seat], ordered=False, owner=seat)
    t.seq(draft.start_draft, drafted)


@book.step
def drafted(t: T) -> None:
    t.end("drafted")


@book.leave
def leave(t: T, seat: int, reason: str) -> None:
    """The house picks on for a seat that is gone; when nobody is left there is no draft."""
    t.out(seat, reason)
    if not t.seats:
        t.end("void", reason=reason)


@book.samples
def samples() -> list[Setup]:
    return [Setup(seats) for seats in range(2, 7)] + [Setup(2, {"novice": 1}, name="novice")]


@book.invariants
def invariants(table: Table) -> list[str]:
    """TH-4.2: every card once; at the end everybody has a whole deck (TH-4.1)."""
    keys = sorted(card.key for card in table.cards.values())
    found = [] if keys == sorted(CARDS) else [f"{len(keys)} cards lie on the table, {len(CARDS)} exist"]
    if table.outcome and table.outcome.result == "drafted":
        sizes = [len(table.zones[DECK[seat]].cards) for seat in range(len(table.seats))]
        if set(sizes) != {deck_size(len(sizes))}:
            found.append(f"the decks have {sizes} cards")
    return found
