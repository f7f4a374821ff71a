"""The interpreter of a card's text: instruction by instruction, each its own happening (EP-6.2, EP-12.7).

Its registers are the step's arguments: the run (who, source, targets, what was chosen), the place in the ability's
data ("do", "modes.1.do", "do.2.else") and the number of the instruction.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from games.kernel.play import T
from games.kernel.questions import Ask, pick

from .board import HAND, Run
from .book import book
from .cards import CARDS, Data
from .costs import can_pay, is_private, next_pick, payment, pick_shape, with_pick
from .filters import candidates, players, to_be_unveiled
from .happen import happen, happening
from .operations import parts_of, source_kinds


@lru_cache(maxsize=1024)
def instructions(key: str, ability: int, place: str) -> list[Data]:
    found: Any = CARDS[key].abilities[ability]
    for word in place.split("."):
        found = found[int(word)] if word.isdigit() else found[word]
    assert isinstance(found, list)
    return found


@book.step
def perform(t: T, run: Run, place: str, at: int) -> None:
    """EP-12.7: in printed order, with a settle after each."""
    ops = instructions(run["key"], run["ab"], place)
    if at >= len(ops):
        return
    op = ops[at]
    for word in ("what", "to"):
        selector = op.get(word)
        if isinstance(selector, dict):
            filter_ = selector.get("all") or selector.get("pick")
            if filter_ and (hidden := to_be_unveiled(t, run, filter_)):
                t.seq(happening([{"p": "unveil", "card": card} for card in hidden]), perform(run, place, at))
                return
            if "pick" in selector and "pick" not in run.get("chosen", {}):
                _ask_pick(t, run, place, at, selector)
                return
    if op["op"] == "may":
        t.push(may, run, place, at, players(t, run, op["who"]), 0)
    elif op["op"] == "select":
        chosen = {name: value for name, value in run["chosen"].items() if name != "pick"}
        t.push(perform, {**run, "chosen": {**chosen, op["name"]: run["chosen"]["pick"]}}, place, at + 1)
    elif op["op"] == "discard" and "what" not in op and op["n"] != "all":
        t.push(discards, run, place, at, {})
    else:
        _go_on(t, run, place, at, op)


def _go_on(t: T, run: Run, place: str, at: int, op: Data) -> None:
    parts = parts_of(t, run, op)
    if "chosen" in run:
        kept = {name: value for name, value in run["chosen"].items() if name not in ("pick", "discards")}
        run = {**run, "chosen": kept}
    t.push(perform, run, place, at + 1)
    if parts:
        t.push(happen, parts, [])


# -- choices -----------------------------------------------------------------------------------------------------------


def _ask_pick(t: T, run: Run, place: str, at: int, selector: Data) -> None:
    """EP-0.9: as many as there are; with nothing to pick nothing happens."""
    if candidates(t, run, selector["pick"]) and players(t, run, selector["by"]):
        t.ask(pick_from_zone, run, place, at)
    else:
        _picked(t, run, place, at, [])


def _picked(t: T, run: Run, place: str, at: int, chosen: list[str]) -> None:
    t.push(perform, {**run, "chosen": {**run.get("chosen", {}), "pick": chosen}}, place, at)


def _selector(run: Run, place: str, at: int) -> Data:
    op = instructions(run["key"], run["ab"], place)[at]
    found: Data = next(op[word] for word in ("what", "to") if isinstance(op.get(word), dict) and "pick" in op[word])
    return found


@book.question()
def pick_from_zone(t: T, run: Run, place: str, at: int) -> Ask:
    """D21. A hand's cards are for the chooser's eyes only; which one it was shows by what happens to it."""
    selector = _selector(run, place, at)
    [seat] = players(t, run, selector["by"]) or [run["by"]]
    hidden = selector["pick"].get("zone") == "hand"
    options = candidates(t, run, selector["pick"])
    shape = pick(options, min(selector["n"], len(options)))
    return Ask(seat, shape, public=not hidden, sealed=hidden, rule="EP-6.2")


@pick_from_zone.answered
def picked_from_zone(t: T, run: Run, place: str, at: int, answer: list[str]) -> None:
    _picked(t, run, place, at, answer)


@book.step
def discards(t: T, run: Run, place: str, at: int, chosen: dict[str, list[str]]) -> None:
    """EP-3.11: each picks the own cards, in turn order; then all are discarded together (EP-19.6)."""
    op = instructions(run["key"], run["ab"], place)[at]
    for seat in players(t, run, op["who"]):
        if str(seat) in chosen:
            continue
        if t.size(HAND[seat]) <= op["n"]:
            cards = t.ids(HAND[seat])
        elif op.get("random"):
            cards = t.random_cards(t.ids(HAND[seat]), op["n"], f"discard of {HAND[seat]}")
        else:
            t.ask(discard_choice, run, place, at, chosen, seat)
            return
        chosen = {**chosen, str(seat): cards}
    _go_on(t, {**run, "chosen": {**run.get("chosen", {}), "discards": chosen}}, place, at, op)


@book.question()
def discard_choice(t: T, run: Run, place: str, at: int, chosen: dict[str, list[str]], seat: int) -> Ask:
    """D22."""
    op = instructions(run["key"], run["ab"], place)[at]
    hand = t.ids(HAND[seat])
    return Ask(seat, pick(hand, min(op["n"], len(hand))), public=False, sealed=True, rule="EP-3.11")


@discard_choice.answered
def discard_chosen(
    t: T, run: Run, place: str, at: int, chosen: dict[str, list[str]], seat: int, answer: list[str]
) -> None:
    t.push(discards, run, place, at, {**chosen, str(seat): answer})


# -- may (D12, D13) ----------------------------------------------------------------------------------------------------


@book.step
def may(t: T, run: Run, place: str, at: int, seats: list[int], accepted: int) -> None:
    """EP-6.2, 19.6: asked in turn order, openly; who accepts pays and gets the `do`; `else` if nobody did."""
    op = instructions(run["key"], run["ab"], place)[at]
    if seats:
        seat, *rest = seats
        t.push(may, run, place, at, rest, accepted)
        if not t.s.seats[seat].out and _could(t, {**run, "by": seat}, op):
            t.ask(may_do, run, place, at, seat)
    else:
        t.push(perform, run, place, at + 1)
        if not accepted and op.get("else"):
            t.push(perform, run, f"{place}.{at}.else", 0)


def _could(t: T, mine: Run, op: Data) -> bool:
    """Is it worth asking, as far as everybody can see?"""
    costs = op.get("cost", [])
    if is_private(costs):
        return t.size(HAND[mine["by"]]) > 0
    return can_pay(t, mine, costs, source_kinds(t, mine))


@book.question()
def may_do(t: T, run: Run, place: str, at: int, seat: int) -> Ask:
    """D12, D13: yes, paying what it costs, or no."""
    mine = {**run, "by": seat}
    costs = instructions(run["key"], run["ab"], place)[at].get("cost", [])
    options = ["no", "yes"] if can_pay(t, mine, costs, source_kinds(t, mine)) else ["no"]
    return Ask(seat, pick(options), public=not is_private(costs), default=["no"], rule="EP-6.2")


@may_do.answered
def may_answered(t: T, run: Run, place: str, at: int, seat: int, answer: list[str]) -> None:
    if answer == ["yes"]:
        t.push(accept, {**run, "by": seat, "pays": {}}, run, place, at)


@book.step
def accept(t: T, mine: Run, run: Run, place: str, at: int) -> None:
    """What pays is named with the answer; then it is paid, as one happening."""
    op = instructions(run["key"], run["ab"], place)[at]
    costs = op.get("cost", [])
    if next_pick(mine, costs) is not None:
        t.part(pay_picks, mine, run, place, at)
        return
    t.tell(accepted=1)
    t.push(perform, {**run, "by": mine["by"]}, f"{place}.{at}.do", 0)
    if parts := payment(t, mine, costs, source_kinds(t, mine)):
        t.push(happen, parts, [])


@book.question()
def pay_picks(t: T, mine: Run, run: Run, place: str, at: int) -> Ask:
    """D09."""
    costs = instructions(run["key"], run["ab"], place)[at]["cost"]
    return Ask(mine["by"], pick_shape(t, mine, costs), public=False, sealed=True, rule="EP-4.8")


@pay_picks.answered
def may_picked(t: T, mine: Run, run: Run, place: str, at: int, answer: list[str]) -> None:
    costs = instructions(run["key"], run["ab"], place)[at]["cost"]
    t.push(accept, with_pick(mine, costs, answer), run, place, at)
