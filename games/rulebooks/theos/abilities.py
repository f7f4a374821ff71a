"""Using an ability (TH-12, section 5.4): may or must, against one team after the other, part by part.

What a part does is an operation (operations.py); this file only knows when its turn comes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from games.kernel.play import T
from games.kernel.questions import Ask, pick
from games.kernel.table import Table

from .board import active_player, clockwise, is_in_play
from .book import book
from .cards import ABILITIES, AnyEffect, Effect
from .targets import Use, is_in_force

Registers = dict[str, Any]
"""A `Use` as the agenda keeps it."""


class Operation(NamedTuple):
    """`valid`: what the effect could be used on now (TH-12.4). `run`: do it, or ask first."""

    valid: Callable[[Table, Any, Use], Sequence[Any]]
    run: Callable[[T, Any, Use], None]


OPERATIONS: dict[type[Effect], Operation] = {}


def in_use(use: Registers) -> Use:
    return msgspec.convert(use, Use)


def registers(use: Use, **changed: Any) -> Registers:
    form: Registers = msgspec.to_builtins(use)
    return form | changed if changed else form


def effect_of(use: Use) -> AnyEffect:
    return ABILITIES[use.ability].effects[use.at]


def has_target(table: Table, use: Use) -> bool:
    """TH-12.4: is there anything the effect could be used on?"""
    effect = effect_of(use)
    return len(OPERATIONS[type(effect)].valid(table, effect, use)) > 0


@book.step
def use_ability(t: T, ability: str, card: str, owner: int, about: str = "", chain: Sequence[str] = ()) -> None:
    """TH-12.2, 12.3: only while its card is raised and the prefix holds; "may" asks, all else must be used."""
    user, words = t.find(card), ABILITIES[ability]
    if user is None or not is_in_play(user) or not is_in_force(t.s, words, user):
        return
    using = Use(ability, card, owner, about, -1, tuple(chain))
    if words.multi:
        own = t.s.seats[owner].team
        teams = dict.fromkeys(t.s.seats[seat].team for seat in clockwise(t.s))
        t.push(multi, registers(using), [team for team in teams if team != own])
    elif not words.may:
        perform_from(t, using, False)
    elif has_target(t.s, using):
        t.ask(use_may, registers(using))


@book.question
def use_may(t: T, use: Registers) -> Ask:
    """DP-13, TR-41: asked only if the first part has a valid target."""
    return Ask(active_player(t.s), pick(["use"], lo=0, hi=1), about=use["ability"], rule="TH-12.2")


@use_may.answered
def may_decided(t: T, use: Registers, answer: list[str]) -> None:
    t.say("may", ability=use["ability"], seat=active_player(t.s), use=bool(answer))
    if answer:
        perform_from(t, in_use(use), False)


@book.step
def multi(t: T, use: Registers, left: list[int]) -> None:
    """TH-15.11, TR-55: once against each enemy team; a team without a valid target is skipped."""
    reachable = [team for team in left if has_target(t.s, in_use(use | {"enemy": team}))]
    if len(reachable) > 1:
        t.ask(choose_multi_team, use, reachable)
    elif reachable:
        against(t, use, reachable, reachable[0])


@book.question
def choose_multi_team(t: T, use: Registers, left: list[int]) -> Ask:
    """DP-17: the Active Player chooses the order of the teams."""
    options = [f"team {team}" for team in left]
    return Ask(active_player(t.s), pick(options), about=use["ability"], rule="TH-15.11")


@choose_multi_team.answered
def multi_team_chosen(t: T, use: Registers, left: list[int], answer: list[str]) -> None:
    against(t, use, left, int(answer[0].removeprefix("team ")))


def against(t: T, use: Registers, left: list[int], team: int) -> None:
    if len(left) > 1:
        t.push(multi, use, [other for other in left if other != team])
    perform_from(t, in_use(use | {"enemy": team}), False)


@book.step
def perform(t: T, use: Registers, did: bool = False, last: str = "") -> None:
    """TH-12.8: the next part, after the one before has told what it did."""
    perform_from(t, in_use(use | {"last": last} if last else use), did)


@book.step
def part(t: T, use: Registers) -> None:
    """One part that others follow; it tells `perform` below what it did."""
    using = in_use(use)
    effect = effect_of(using)
    OPERATIONS[type(effect)].run(t, effect, using)


def perform_from(t: T, use: Use, did: bool) -> None:
    """The parts in order; an "if you do" is skipped unless the part before it did something."""
    effects = ABILITIES[use.ability].effects
    at = use.at
    while at < len(effects) and effects[at].if_did and not did:
        at += 1
    if at == len(effects):
        return
    if at + 1 < len(effects):
        t.push(perform, registers(use, at=at + 1))
        t.push(part, registers(use, at=at))
    else:
        effect = effects[at]
        OPERATIONS[type(effect)].run(t, effect, use if at == use.at else msgspec.structs.replace(use, at=at))


def tell_did(t: T, use: Use, last: str = "") -> None:
    """Something really changed: the part that follows, if any, learns it (TH-12.8)."""
    if use.at + 1 < len(ABILITIES[use.ability].effects):
        t.tell(did=True, last=last)
