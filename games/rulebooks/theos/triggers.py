"""Happenings and what they trigger (TH-14).

A triggered ability is resolved at once, in the middle of another one if need be: it is pushed on top of the agenda,
and what it interrupted waits below, exactly where it was.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from games.kernel.play import T
from games.kernel.questions import Ask, pick
from games.kernel.table import Card, Table

from .abilities import use_ability
from .board import active_player, holders, is_in_play
from .book import book
from .cards import ABILITIES, CARDS, Ability, Event, Filter, Trigger
from .targets import Use, is_described, is_in_force

Change = tuple[Event, str]
"""What happened, and the id of the card it happened to."""

THE_GODS = Use("", "", -1)
"""The doer of a rejection: no card and no team (TR-49)."""

TRIGGERED: dict[str, tuple[Ability, ...]] = {
    key: card.of_kind("triggered") for key, card in CARDS.items() if card.of_kind("triggered")
}


def speaks_of_that_card(ability: Ability) -> bool:
    return any(
        isinstance(words, Filter) and words.who == "event_card"
        for effect in ability.effects
        for words in msgspec.structs.asdict(effect).values()
    )


THAT_CARD = {ability.id for abilities in TRIGGERED.values() for ability in abilities if speaks_of_that_card(ability)}
"""TR-60: the abilities whose waiting instances differ, because they speak of "that card"."""


def happen(t: T, changes: Sequence[Change], by: Use) -> None:
    """TH-14.1 to 14.3: whatever these changes, made together, trigger is resolved next."""
    if waiting := triggered(t, changes, by):
        t.push(resolve_triggers, waiting)


def triggered(t: T, changes: Sequence[Change], by: Use) -> list[list[str]]:
    """Every triggered ability of a live card that matches a change, one instance for each: [ability, card, about]."""
    table = t.s
    live = holders(table, TRIGGERED)
    if not live:
        return []
    busy = {step.args.get("now") for step in table.agenda if step.name == resolve_triggers.name}  # TR-57
    return [
        [ability.id, holder.id, about]
        for event, about in changes
        for holder in live
        for ability in TRIGGERED[holder.key]
        if ability.trigger is not None
        and event in ability.trigger.events
        and ability.id not in busy
        and is_in_force(table, ability, holder)
        and is_met(table, ability.trigger, holder, table.cards[about], by)
    ]


def is_met(table: Table, trigger: Trigger, holder: Card, about: Card, by: Use) -> bool:
    """Section 5.2: whose doing it was, and whether the words fit the card it happened to."""
    team = table.seats[holder.owner].team
    if trigger.by == "self" and by.card != holder.id:
        return False
    if trigger.by == "enemy" and (by.owner < 0 or table.seats[by.owner].team == team):
        return False
    return is_described(table, trigger.card, about, holder.id, team, holder.owner)


@book.step
def resolve_triggers(t: T, waiting: list[list[str]], now: str = "") -> None:
    """TH-14.3, TR-58: simultaneous abilities, one after the other; those that can no longer work are dropped.
    `now` is the one that is being resolved above this step; meanwhile it cannot trigger again (TR-57)."""
    waiting = [one for one in waiting if still_works(t.s, one)]
    if len(options(waiting)) > 1:
        t.ask(choose_trigger, waiting)
    elif waiting:
        resolve_one(t, waiting, waiting[0])


def still_works(table: Table, instance: list[str]) -> bool:
    """TH-14.5: its card is in play and raised, and the status prefix holds."""
    card = table.cards.get(instance[1])
    return card is not None and is_in_play(card) and is_in_force(table, ABILITIES[instance[0]], card)


def options(waiting: list[list[str]]) -> dict[str, list[str]]:
    """TR-60: instances of the same ability are one option, unless it speaks of "that card"."""
    return {f"{a} {about}" if a in THAT_CARD else a: [a, card, about] for a, card, about in reversed(waiting)}


@book.question
def choose_trigger(t: T, waiting: list[list[str]]) -> Ask | None:
    """DP-18: the Active Player chooses the order."""
    offered = options([one for one in waiting if still_works(t.s, one)])
    return Ask(active_player(t.s), pick(sorted(offered)), rule="TH-14.3") if offered else None


@choose_trigger.answered
def trigger_chosen(t: T, waiting: list[list[str]], answer: list[str]) -> None:
    resolve_one(t, waiting, options(waiting)[answer[0]])


def resolve_one(t: T, waiting: list[list[str]], instance: list[str]) -> None:
    """This one completely, with all that it triggers (TR-59), before the next."""
    ability, card, about = instance
    rest = list(waiting)
    rest.remove(instance)
    holder = t.card(card)
    t.say("triggers", ability=ability, card=holder.key, seat=holder.owner)
    t.push(resolve_triggers, rest, now=ability)
    t.push(use_ability, ability, card, holder.owner, about)
