"""The turn and its ages (TI-3), awakening (TI-8), ends of ages (TI-17)."""

from __future__ import annotations

from games.kernel import Ask, T, pick

from .battle import battle, end_of_turn
from .board import DISCARD, HAND, LAST_AGE, draw, sides, take, team_count, uses, uses_for, watch_hands
from .book import book
from .commit import commit_for_the_age
from .declare import declare, now
from .offers import accessible
from .reference import REFERENCE
from .start_of_age import start_of_age


@book.step
def turn(t: T) -> None:
    """TI-3.1: all arenas stay in the same step at all times."""
    t.set("turn", t.s.vars["turn"] + 1)
    t.seq(*STEPS_OF_TURN)


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
    t.seq(*REST_OF_AGE[team_count(t)])
    if number == 1:
        commit_for_the_age(t)
    else:
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
    total = 0
    for use in uses_for(t, "energy", side):
        total += REFERENCE[use.ability.label].does(t, use)
    return total


def sleeping(t: T, spot: int) -> list[int]:
    """The sides whose players stand at this place of the priority order and have not awakened a card in this age."""
    known = t.s.vars
    team, done = (known["avatar"] + spot) % team_count(t), known.get("awakened", ())
    found = []
    for side, seat in enumerate(known["sides"]):
        player = t.s.seats[seat]
        if player.team == team and side not in done and not player.out:
            found.append(side)
    return found


@book.question(mode="each")
def awaken(t: T, spot: int) -> list[Ask]:
    """TI-8.1 to 8.4, TD-24: one card per arena, in priority order, each taking effect at once; declining is allowed.

    A spellbook is secret (TI-2.24): with Energy its owner is asked whatever it holds.
    """
    secret = t.s.vars["constructed"]
    asks = []
    for side in sleeping(t, spot):
        if (most := energy(t, side)) and ((cards := accessible(t, side, most)) or secret):
            asks.append(Ask(sides(t)[side], pick(cards, 0, 1), public=not secret, about=f"{side}", rule="TI-8.1"))
    return asks


@awaken.answered
def awakened(t: T, spot: int, answer: dict[str, list[str]]) -> bool:
    """TI-8.3, 8.5: to the discard pile, face-up."""
    [(about, cards)] = answer.items()
    side = int(about)
    for card in cards:
        seat = sides(t)[side]
        take(t, card, seat, DISCARD[seat])
    last = len(sleeping(t, spot)) == 1
    if not last:
        t.set("awakened", [*t.s.vars.get("awakened", ()), side])
    return last


STEPS_OF_TURN = (surge(), age(1), age(2), age(3), battle(), end_of_turn(), turn())
REST_OF_AGE = {teams: (now(), *map(awaken, range(teams)), end_of_age()) for teams in (2, 3)}
