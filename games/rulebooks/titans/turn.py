"""The turn and its ages (TI-3), awakening (TI-8), ends of ages (TI-17)."""

from __future__ import annotations

from games.kernel import Ask, T, pick

from .battle import battle, end_of_turn
from .board import DISCARD, HAND, LAST_AGE, draw, place, sides, take, uses, watch_hands
from .book import book
from .commit import commit_age, commit_for_the_age
from .declare import declare, now
from .offers import accessible
from .reference import REFERENCE
from .start_of_age import start_of_age


@book.step
def turn(t: T) -> None:
    """TI-3.1: all arenas stay in the same step at all times."""
    t.set("turn", t.s.vars["turn"] + 1)
    t.push(turn)
    t.seq(surge(), age(1), age(2), age(3), battle(), end_of_turn())


# -- start of turn ----------------------------------------------------------------------------------------------------


@book.question(mode="first")
def surge(t: T) -> list[Ask]:
    """TI-3.3 to 3.6, TR-9, TR-52: open until all have passed since the last surge."""
    return [
        Ask(seat, pick(["surge"], 0), rule="TI-3.4", passes=True)
        for seat in t.seats
        if t.n(seat, "surge") and t.size(HAND[seat])
    ]


@surge.answered
def surged(t: T, answer: dict[int, list[str]]) -> None:
    """TI-3.4, 3.5: the whole hand for as many new cards; no shuffle. All others may think again."""
    for seat in answer:
        t.ask(surge)
        t.count(seat, "surge", -1)
        draw(t, seat, len(t.move_all(t.ids(HAND[seat]), DISCARD[seat])))


# -- an age -----------------------------------------------------------------------------------------------------------


@book.step
def age(t: T, number: int) -> None:
    """TI-3.2, 3.8: at the start of the first age no card is in play."""
    t.set("age", number)
    if number == LAST_AGE:
        watch_hands(t)
    t.seq(now(), awaken(), end_of_age())
    if number == 1:
        commit_for_the_age(t)
    else:
        t.push(commit_age)
        start_of_age(t)


@book.step
def end_of_age(t: T) -> None:
    """TI-3.9, 3.10, 12.30: Night's Fury or Substitute; pending abilities lapse and Protect ends."""
    known = t.s.vars
    if known["pending"]:
        t.set("pending", [])
    if "awakened" in known:
        t.set("awakened", None)
    if known["protected"] and "age" in known["protected"].values():
        t.set("protected", {side: until for side, until in known["protected"].items() if until != "age"})
    family = "substitute" if known["age"] == LAST_AGE else "night's fury"
    if uses(t, family):
        declare(t, family)


# -- awakening --------------------------------------------------------------------------------------------------------


def energy(t: T, side: int) -> int:
    """TI-16.4: the sum over what works for this side's player in this arena; TI-8.2: counted anew each age."""
    player = sides(t)[side]
    found = uses(t, "energy", side >> 1)
    return sum(REFERENCE[use.ability.label].does(t, use) for use in found if use.user == player)


@book.question(mode="each")
def awaken(t: T) -> list[Ask]:
    """TI-8.1 to 8.4, TD-24: one card per arena, in priority order, each taking effect at once; declining is allowed.

    A spellbook is secret (TI-2.24): with Energy its owner is asked whatever it holds.
    """
    secret = t.s.vars["constructed"]
    done = t.s.vars.get("awakened", ())
    asks: list[Ask] = []
    when = None
    player = sides(t)
    for side in sorted(range(len(player)), key=lambda side: place(t, player[side])):
        seat = player[side]
        if side in done or t.s.seats[seat].out:
            continue
        if when not in (None, place(t, seat)):
            break
        if (most := energy(t, side)) and ((cards := accessible(t, side, most)) or secret):
            asks.append(Ask(seat, pick(cards, 0, 1), public=not secret, about=f"{side}", rule="TI-8.1"))
            when = place(t, seat)
    return asks


@awaken.answered
def awakened(t: T, answer: dict[str, list[str]]) -> None:
    """TI-8.3, 8.5: to the discard pile, face-up."""
    for about, cards in answer.items():
        side = int(about)
        t.set("awakened", [*t.s.vars.get("awakened", ()), side])
        for card in cards:
            take(t, card, sides(t)[side], DISCARD[sides(t)[side]])
    if len(t.s.vars["awakened"]) == len(sides(t)):
        t.cut(awaken, also=True)  # every side has had its turn: no need to ask on
