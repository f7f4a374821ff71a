"""Resolving what is on top of the line (EP-6.5, EP-7.1, EP-12.2 to 12.5)."""

from __future__ import annotations

from games.kernel.play import T
from games.kernel.questions import Ask, pick

from .board import LINE, Run, top_of_line
from .book import book
from .cards import CARDS, Data, is_ability
from .costs import can_pay, payment
from .filters import ability_of, still_legal
from .happen import happen
from .operations import source_kinds
from .parts import to_discard
from .perform import perform


@book.step
def resolve_top(t: T) -> None:
    """EP-7.1: the top item. A champion or object comes into play, an event or ability does what it says."""
    item = top_of_line(t)
    run: Run | None = item.marks.get("play")
    if run is None:
        t.push(happen, [{"p": "move", "card": item.id, "to": "play", "seat": item.ctrl, "why": "resolve"}], [])
        return
    t.push(leave_line, item.id)
    legal = still_legal(t, run)
    if legal is None:
        t.say("fails", item=item.id)
        return
    last = {"kinds": item.marks["last"]} if "last" in item.marks else {}
    legal = {**legal, **last, "item": item.id, "targets": legal.get("targets", {})}
    if CARDS[run["key"]].abilities[run["ab"]].get("optional"):
        if can_pay(t, legal, _price(legal), source_kinds(t, legal)):
            t.ask(use_trigger, legal)
    else:
        t.push(perform, legal, _place(legal), 0)


def _place(run: Run) -> str:
    return f"modes.options.{run['mode']}.do" if "mode" in run else "do"


def _price(run: Run) -> list[Data]:
    price: list[Data] = ability_of(run).get("cost", [])
    return price


@book.question()
def use_trigger(t: T, run: Run) -> Ask:
    """D12, EP-10.5: "you may" is decided, and a cost paid, as the trigger resolves."""
    return Ask(run["by"], pick(["no", "yes"]), rule="EP-10.5")


@use_trigger.answered
def trigger_used(t: T, run: Run, answer: list[str]) -> None:
    if answer == ["yes"]:
        t.push(perform, run, "do", 0)
        if parts := payment(t, run, _price(run), source_kinds(t, run)):
            t.push(happen, parts, [])


@book.step
def leave_line(t: T, item: str) -> None:
    """EP-6.5, 12.4: resolved or failed, an event goes to its controller's discard pile, an ability vanishes."""
    card = t.find(item)
    if card is None or card.zone != LINE:
        return
    if is_ability(card.key):
        t.push(happen, [{"p": "move", "card": item, "to": "removed", "seat": card.ctrl, "why": "resolve"}], [])
    else:
        t.push(happen, [to_discard(card, card.ctrl, "resolve")], [])
