"""Matches: sideboards between games, who chooses the first player, who has won (EP-18). Pure functions on lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from games.kernel.rulebook import Violation

from .cards import Data
from .formats import check_list

WINS = 2
"""Best of three, unless agreed otherwise (EP-18.4)."""


class Registered(NamedTuple):
    """A deck list and its sideboard, as they were registered; swaps make new ones (EP-18.3)."""

    deck: tuple[str, ...]
    sideboard: tuple[str, ...] = ()


def swap(lists: Registered, out: Sequence[str], into: Sequence[str], options: Data) -> Registered | list[Violation]:
    """EP-18.2: as many out as in, from what is there; the result must satisfy the format. All faults at once."""
    found: list[Violation] = []
    if len(out) != len(into):
        left = len(lists.sideboard) - len(into) + len(out)
        detail = f"one for one: {len(out)} out and {len(into)} in would leave {left} in the sideboard"
        found.append(Violation("/in", "not_one_for_one", detail, "EP-18.2"))
    for pointer, wanted, there in (("/out", out, lists.deck), ("/in", into, lists.sideboard)):
        if missing := Counter(wanted) - Counter(there):
            found.append(Violation(pointer, "unknown_card", f"not there: {', '.join(sorted(missing))}", "EP-18.2"))
    if found:
        return found
    new = Registered(_exchanged(lists.deck, out, into), _exchanged(lists.sideboard, into, out))
    return check_list(options, {"deck": list(new.deck), "sideboard": list(new.sideboard)}) or new


def _exchanged(cards: Sequence[str], out: Sequence[str], into: Sequence[str]) -> tuple[str, ...]:
    left = list(cards)
    for card in out:
        left.remove(card)
    return (*left, *into)


def may_choose_first(players: Sequence[int], eliminated: Sequence[Sequence[int]], winners: Sequence[int]) -> list[int]:
    """EP-18.6: whoever lost first chooses who goes first; of several, or if nobody lost, a random one of these."""
    if eliminated:
        first = [seat for seat in eliminated[0] if seat not in winners]
        if first:
            return first
    return [seat for seat in players if seat not in winners] or list(players)


def match_winner(games: Sequence[Sequence[int]], wins: int = WINS) -> int | None:
    """EP-18.4: the first player with enough won games; ties (several winners) count for nobody."""
    won = Counter(winners[0] for winners in games if len(winners) == 1)
    return next((seat for seat, count in won.items() if count >= wins), None)
