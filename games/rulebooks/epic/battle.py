"""The Battle Step: attacks, blocks and what happens in between (EP-9.1 to 9.13, 9.21, 9.22, EP-16.5)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from games.kernel.play import T
from games.kernel.questions import Ask, pick
from games.kernel.table import Card

from .board import EXPENDED, FLIPPED, PREPARED, active, battle, in_play, is_orphaned, opponents, turn_number, turn_of
from .book import book
from .combat import deal_damage
from .flush import flush
from .happen import happening
from .line import window
from .parts import Part, pose
from .triggers import met, queue
from .values import NONE, Board, Value, board

# -- who may do what (EP-9.4 to 9.8, 16.5) -----------------------------------------------------------------------------


def may_attack(card: Card, now: Board, seat: int) -> bool:
    """EP-9.4: an own prepared champion without a prohibition."""
    value = now.values[card.id]
    return (
        card.ctrl == seat and card.pose == PREPARED and value.type == "champion" and "may_not_attack" not in value.rules
    )


def keywords(value: Value) -> frozenset[str]:
    """EP-16.13g: a face-down champion counts as having no keyword for attacking and blocking, given ones included."""
    return NONE if value.down else value.keywords


def could_block(blocker: Value, attacker: Value) -> bool:
    """EP-9.8: orientation is no part of this."""
    if blocker.type != "champion" or "may_not_block" in blocker.rules or "unblockable" in keywords(attacker):
        return False
    if "airborne" in keywords(attacker) and not keywords(blocker) & {"airborne", "range"}:
        return False
    return not attacker.is_warded(blocker.kinds)


def may_hunt(hunter: Value, prey: Value) -> bool:
    """EP-16.5b, c: has hunter, and could block its prey. A prohibition to block is no prohibition to hunt."""
    return "hunter" in keywords(hunter) and could_block(replace(hunter, rules=NONE), prey)


def attack_options(t: T, seat: int) -> dict[str, list[str]]:
    """Whom or what could be attacked → by which champions; every selection of these is a legal group."""
    now = board(t)
    able = [card.id for card in in_play(t) if may_attack(card, now, seat)]
    found: dict[str, list[str]] = {}
    if not able:
        return found
    for other in opponents(t, seat):
        if "may_not_be_attacked" not in now.rules[other]:
            found[f"attack:s{other}"] = able
    hunters = [card for card in able if "hunter" in keywords(now.values[card])]
    if hunters:
        for thing, value in now.values.items():
            if value.ctrl != seat and value.type == "champion":
                if fit := [card for card in hunters if may_hunt(now.values[card], value)]:
                    found[f"hunt:{thing}"] = fit
    return found


def must_attack(t: T, options: dict[str, list[str]]) -> bool:
    """EP-9.3: one that has not attacked this turn and could be declared forbids ending the step."""
    now = board(t)
    return any(
        "must_attack" in now.values[card].rules and t.card(card).marks.get("attacked") != turn_number(t)
        for able in options.values()
        for card in able
    )


# -- the step (EP-9.1, 9.2) --------------------------------------------------------------------------------------------


@book.step
def battle_step(t: T) -> None:
    if is_orphaned(t):
        return
    t.set("step", "battle")
    queue(t, met(t, [{"on": "step_begins", "step": "battle", "seat": turn_of(t)}], []))
    t.seq(flush(), attack_or_nothing())


@book.step
def attack_or_nothing(t: T) -> None:
    """B1, B2: a window, then the active player attacks or ends the step; its passes are those that end it (RU-21)."""
    t.seq(window(active(t), []), choose_attack())


@book.step
def choose_attack(t: T) -> None:
    """B2. Where nothing but one attack is left to choose, only its attackers are asked for."""
    if is_orphaned(t):
        return
    options = attack_options(t, turn_of(t))
    if len(options) == 1 and must_attack(t, options):
        t.ask(declare_attack, turn_of(t), *options)
    else:
        t.ask(attack_or_end, turn_of(t))


@book.question()
def attack_or_end(t: T, seat: int) -> Ask:
    """D16, D17, EP-9.2, 9.3: end the step, or whom to attack or hunt; the attackers are named with it."""
    options = attack_options(t, seat)
    end = [] if must_attack(t, options) else ["end"]
    return Ask(seat, pick([*end, *options]), default=end or None, rule="EP-9.4")


@attack_or_end.answered
def attack_chosen(t: T, seat: int, answer: list[str]) -> None:
    if answer != ["end"] and not t.s.seats[seat].out:
        t.part(declare_attack, seat, answer[0])


@book.question()
def declare_attack(t: T, seat: int, aim: str) -> Ask | None:
    """D17, EP-9.4, 9.5: one or more champions, as one group."""
    able = attack_options(t, seat).get(aim)
    return Ask(seat, pick(able, 1, len(able)), rule="EP-9.4") if able else None


@declare_attack.answered
def attack_declared(t: T, seat: int, aim: str, answer: list[str]) -> None:
    """EP-9.4, 16.5e, f: attackers are expended, prepared prey is flipped; triggers; then B3."""
    if t.s.seats[seat].out:
        return
    how, _, thing = aim.partition(":")
    hunted = thing if how == "hunt" else ""
    defender = t.card(hunted).ctrl if hunted else int(thing[1:])
    fight = {
        "by": seat, "defender": defender, "attackers": answer, "hunt": bool(hunted), "hunted": hunted, "blockers": [],
        "blocked": False, "dealt": [], "prevented": {},
    }  # fmt: skip
    t.set("battle", fight)
    t.say("attack", by=seat, attackers=answer, aim=thing)
    parts: list[Part] = []
    for card in answer:
        t.mark(card, "attacked", turn_number(t))
        parts += [pose(card, EXPENDED), {"p": "attacks", "card": card}]
    if hunted and t.card(hunted).pose == PREPARED:
        parts.append(pose(hunted, FLIPPED))
    t.seq(happening(parts), flush(), window(active(t), []), blocks())


def is_on(t: T) -> dict[str, Any] | None:
    """The attack, as long as there is somebody to attack and to be attacked (EP-9.12, 9.22)."""
    fight = battle(t)
    if fight is None or not fight["attackers"] or t.s.seats[fight["defender"]].out or is_orphaned(t):
        return None
    return fight


# -- blocking (EP-9.7 to 9.11) -----------------------------------------------------------------------------------------


@book.step
def blocks(t: T) -> None:
    """B4."""
    if is_on(t):
        t.ask(declare_blockers)
    else:
        t.push(attack_ends)


@book.question()
def declare_blockers(t: T) -> Ask:
    """D18, EP-9.7, 16.5g: prepared champions that could block at least one of the group; not the hunted one."""
    fight = battle(t)
    assert fight is not None
    values = board(t).values
    able = [
        card.id
        for card in in_play(t)
        if card.ctrl == fight["defender"] and card.pose == PREPARED and card.id != fight["hunted"]
        and any(could_block(values[card.id], values[attacker]) for attacker in fight["attackers"])
    ]  # fmt: skip
    return Ask(fight["defender"], pick(able, 0, len(able)), default=[], rule="EP-9.7")


@declare_blockers.answered
def blockers_declared(t: T, answer: list[str]) -> None:
    """EP-9.7, 9.9, 9.11: blockers are flipped, the whole group is blocked, veiled ones are unveiled; then B5."""
    fight = battle(t)
    assert fight is not None
    fight = {**fight, "blockers": answer, "blocked": bool(answer)}
    t.set("battle", fight)
    t.say("block", by=fight["defender"], blockers=answer)
    values = board(t).values
    flips = [pose(card, FLIPPED) for card in answer if "blocks_without_flipping" not in values[card].rules]
    fighting = [*fight["attackers"], *answer, *([] if answer or not fight["hunted"] else [fight["hunted"]])]
    unveils: list[Part] = [{"p": "unveil", "card": card} for card in fighting if t.card(card).down]
    t.seq(happening(flips), happening(unveils), flush(), window(active(t), []), damage_steps())


@book.step
def damage_steps(t: T) -> None:
    """B6, B7, B8. Nobody has priority in between; triggers wait for the next B1 (EP-9.14)."""
    if is_on(t):
        t.seq(deal_damage(True), flush(), deal_damage(False), flush(), attack_ends())
    else:
        t.push(attack_ends)


@book.step
def attack_ends(t: T) -> None:
    """B8, EP-9.21: nothing is attacking or blocking any more; back to B1."""
    t.set("battle", None)
    if not is_orphaned(t):
        t.push(attack_or_nothing)
