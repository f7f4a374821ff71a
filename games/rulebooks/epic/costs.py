"""Costs: what can be paid, what must be chosen to pay it, and the payment as parts of one happening (EP-4)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from games.kernel.play import T
from games.kernel.questions import pick
from games.kernel.table import PUBLIC, Card, Pick

from .board import EXPENDED, FLIPPED, HAND, PREPARED, Run, mojo
from .cards import CARDS, Data
from .filters import candidates
from .parts import Part, banish, break_, pose, to_discard
from .values import board


def actions(t: T, seat: int, kinds: Collection[str]) -> int:
    """EP-4.3: actions left that may be spent on a card or ability of these kinds."""
    found = t.s.seats[seat]
    left = found.n.get("actions", 0)
    if limited := found.marks.get("limited"):
        left += sum(1 for only in limited if set(only["alignment"]) & set(kinds))
    return left


def picks(cost: Data) -> bool:
    """EP-4.8: cards of the hand are picked, and things unless the source itself is meant."""
    return cost["c"] in ("discard", "reveal") or isinstance(cost.get("what"), dict)


def choices(t: T, run: Run, cost: Data, earlier: list[str]) -> list[str]:
    """What could pay a picked cost; a card named for an earlier part of it is spent."""
    if cost["c"] in ("discard", "reveal"):
        filter_ = {**cost.get("filter", {"is": ["card"]}), "zone": "hand", "controller": "you"}
        return [card for card in candidates(t, run, filter_) if card != run["src"] and card not in earlier]
    found = [t.card(thing) for thing in candidates(t, run, cost["what"])]
    if cost["c"] == "expend":
        return [card.id for card in found if card.pose == PREPARED]
    return [card.id for card in found if _can_go(t, card, cost["c"])]


def _can_go(t: T, card: Card, how: str) -> bool:
    """EP-4.8: an unbreakable thing cannot be broken to pay, an unbanishable one not banished. Its player knows it."""
    immune = {"break": "unbreakable", "banish": "unbanishable"}[how]
    return immune not in board(t).values[card.id].keywords and not (card.down and immune in CARDS[card.key].plain)


def can_pay(t: T, run: Run, costs: list[Data], kinds: list[str]) -> bool:
    """EP-4.5: completely or not at all, each part in printed order."""
    return all(_can_pay_part(t, run, cost, kinds) for cost in costs)


def _can_pay_part(t: T, run: Run, cost: Data, kinds: list[str]) -> bool:
    kind, n = cost["c"], int(cost.get("n", 1))
    if kind == "action":
        return actions(t, run["by"], kinds) >= n
    if kind == "mojo":
        return mojo(t, run["by"]) >= n
    if kind == "counter":
        return t.n(run["src"], cost["kind"]) >= n
    if picks(cost):
        return len(choices(t, run, cost, [])) >= n
    source = t.card(run["src"])
    if kind in ("expend", "flip"):
        return source.pose == PREPARED and source.ctrl == run["by"]
    return _can_go(t, source, kind)


def is_private(costs: list[Data]) -> bool:
    """Does it depend on a hand whether this can be paid, beyond its size?"""
    return any(cost["c"] in ("discard", "reveal") and "filter" in cost for cost in costs)


def next_pick(run: Run, costs: list[Data]) -> int | None:
    """The first part of the cost for which it has not been named what pays it."""
    paid = run.get("pays", {})
    return next((index for index, cost in enumerate(costs) if picks(cost) and str(index) not in paid), None)


def pick_shape(t: T, run: Run, costs: list[Data]) -> Pick:
    index = next_pick(run, costs)
    assert index is not None
    earlier = [card for chosen in run.get("pays", {}).values() for card in chosen]
    return pick(choices(t, run, costs[index], earlier), costs[index].get("n", 1))


def with_pick(run: Run, costs: list[Data], chosen: list[str]) -> Run:
    return {**run, "pays": {**run.get("pays", {}), str(next_pick(run, costs)): chosen}}


def payment(t: T, run: Run, costs: list[Data], kinds: list[str], *, releases: bool = False) -> list[Part]:
    """EP-4.9: neither targeting nor an effect, so no part names a source."""
    parts: list[Part] = []
    for index, cost in enumerate(costs):
        chosen = run.get("pays", {}).get(str(index), [run["src"]])
        parts += _paid(t, run, cost, chosen, kinds, releases)
    return parts


def _paid(t: T, run: Run, cost: Data, chosen: list[str], kinds: list[str], releases: bool) -> list[Part]:
    seat, kind, n = run["by"], cost["c"], cost.get("n", 1)
    more: dict[str, Any] = {"releases": True} if releases else {}
    if kind == "action":
        return [{"p": "spend", "seat": seat, "n": n, "kinds": kinds}]
    if kind == "mojo":
        return [{"p": "mojo", "seat": seat, "n": -n}]
    if kind == "counter":
        return [{"p": "counters", "card": run["src"], "kind": cost["kind"], "n": -n}]
    if kind == "reveal":
        return [{"p": "reveal", "cards": chosen}]
    if kind == "discard":
        return [to_discard(t.card(card), seat, "discard") for card in chosen]
    if kind in ("expend", "flip"):
        return [pose(card, EXPENDED if kind == "expend" else FLIPPED) for card in chosen]
    how = break_ if kind == "break" else banish
    return [how(t.card(card), **more) for card in chosen]


def hand_is_known(t: T, seat: int) -> bool:
    """Are all cards of this hand face up (EP-15.6), or is it empty?"""
    return all(card.known == PUBLIC for card in t.cards(HAND[seat]))
