"""The flush: waiting when-triggers are put on the line (EP-0.5, EP-10.4, EP-10.5)."""

from __future__ import annotations

from games.kernel.play import T
from games.kernel.questions import Ask, pick

from .board import LINE, Run, turn_order
from .book import book
from .cards import ABOUT_THAT, ability_key
from .filters import can_target, next_target, targets_question, with_targets
from .happen import unveil_targets
from .triggers import QUEUE


@book.step
def flush(t: T) -> None:
    """EP-0.5: earlier happening first, then turn order, then as their controller chooses. Nobody has priority."""
    batches: list[list[Run]] = t.var(QUEUE, [])
    if not batches:
        return
    batch, *rest = batches
    t.set(QUEUE, rest or None)
    t.push(flush)
    for seat in reversed(turn_order(t)):
        if own := [run for run in batch if run["by"] == seat]:
            if any(_same(run) != _same(own[0]) for run in own):
                t.ask(order_triggers, seat, own)
            else:
                t.push(add_triggers, own)


def _same(run: Run) -> Run:
    """Several of one source need no order, unless their text asks what they are about."""
    return run if (run["key"], run["ab"]) in ABOUT_THAT else {**run, "that": None}


def _names(triggers: list[Run]) -> list[str]:
    """Options for triggers: the ability, numbered where it waits several times. Its source may be gone."""
    names = [ability_key(run["key"], run["ab"]) for run in triggers]
    return [name if names.count(name) == 1 else f"{name}#{names[:index].count(name) + 1}"
            for index, name in enumerate(names)]  # fmt: skip


@book.question()
def order_triggers(t: T, seat: int, triggers: list[Run]) -> Ask:
    """D10, EP-10.4: in which order the own triggers are added; the first lies deepest."""
    return Ask(seat, pick(_names(triggers), len(triggers), ordered=True), rule="EP-10.4")


@order_triggers.answered
def triggers_ordered(t: T, seat: int, triggers: list[Run], answer: list[str]) -> None:
    names = _names(triggers)
    t.push(add_triggers, [triggers[names.index(name)] for name in answer])


@book.step
def add_triggers(t: T, triggers: list[Run]) -> None:
    """EP-10.5: added one by one, targets chosen as each is added; without legal targets it is not added."""
    if triggers:
        first, *rest = triggers
        t.push(add_triggers, rest)
        if not t.s.seats[first["by"]].out:
            t.push(add_trigger, first)


@book.step
def add_trigger(t: T, run: Run) -> None:
    if next_target(run) is not None:
        if can_target(t, run):
            t.ask(trigger_targets, run)
        return
    t.seq(*unveil_targets(t, run), put_trigger(run))


@book.question()
def trigger_targets(t: T, run: Run) -> Ask | None:
    """D11, EP-10.5."""
    return targets_question(t, run, "EP-10.5")


@trigger_targets.answered
def trigger_targets_named(t: T, run: Run, answer: list[str]) -> None:
    t.push(add_trigger, with_targets(run, answer))


@book.step
def put_trigger(t: T, run: Run) -> None:
    put_ability(t, run)


def put_ability(t: T, run: Run) -> str:
    """An ability is on the line: a thing of its own, independent of its source (EP-10.2)."""
    [item] = t.make(ability_key(run["key"], run["ab"]), run["by"], LINE)
    t.mark(item, "play", run)
    return item
