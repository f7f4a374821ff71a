"""The turn: its steps, the cleanup, who is next (EP-4.1, EP-8)."""

from __future__ import annotations

from games.kernel.play import T
from games.kernel.questions import Ask, pick

from .battle import battle_step
from .board import FLIPPED, HAND, PREPARED, active, in_play, is_orphaned, turn_number, turn_of
from .book import book
from .flush import flush
from .happen import happen, settle
from .line import go_round, window
from .parts import to_discard
from .triggers import QUEUE, met, queue

HAND_LIMIT = 10


@book.step
def turns(t: T) -> None:
    """EP-8.11, 8.12: extra turns first, then the next player to the left who is still in the game."""
    t.push(turns)
    extra = [seat for seat in t.var("extra", []) if not t.s.seats[seat].out]
    if extra:
        t.set("extra", extra[1:] or None)
        t.push(take_turn, extra[0], False)
    else:
        if t.var("extra") is not None:
            t.set("extra", None)
        seat = t.seats_from(t.var("normal") + 1)[0]
        t.set("normal", seat)
        t.push(take_turn, seat, False)


@book.step
def take_turn(t: T, seat: int, first: bool) -> None:
    """EP-4.1, 8.1, 8.2: everybody gains an action; the first turn of the game begins in the Build Step."""
    in_a_row = t.var("in_a_row", 0) + 1 if not first and turn_of(t) == seat else 1
    t.set("turn", [1 if first else turn_number(t) + 1, seat])
    t.set("in_a_row", in_a_row)
    for other in t.seats:
        t.count(other, "actions", 1)
    before = [] if first else [prepare_step(), begin_step("pre_battle"), battle_step()]
    t.seq(*before, begin_step("build"), begin_step("end"), cleanup())


@book.step
def prepare_step(t: T) -> None:
    """EP-8.3: prepare, then draw. Nobody has priority; triggers wait on the line for the next window."""
    seat = turn_of(t)
    if is_orphaned(t):
        return
    t.set("step", "prepare")
    for card in in_play(t):
        if card.ctrl == seat:
            if "skip_prepare" in card.marks:
                t.mark(card.id, "skip_prepare", None)
            else:
                t.turn(card.id, PREPARED)
    t.push(flush)
    t.push(happen, [{"p": "draw", "seat": seat, "n": 1}], [])


@book.step
def begin_step(t: T, name: str) -> None:
    """EP-8.4 to 8.8: triggers of the beginning go on top of what waits on the line; then the window opens."""
    if is_orphaned(t):
        return
    t.set("step", name)
    queue(t, met(t, [{"on": "step_begins", "step": name, "seat": turn_of(t)}], []))
    if QUEUE in t.s.vars:
        t.seq(flush(), window(active(t), []))
    else:
        go_round(t, active(t), [])


# -- the cleanup (EP-8.9, 8.10) ----------------------------------------------------------------------------------------


@book.step
def cleanup(t: T) -> None:
    """EP-8.9: discard down to 10, unflip, then damage and effects end together."""
    t.set("step", "cleanup")
    t.push(end_effects)
    if not is_orphaned(t) and t.size(HAND[turn_of(t)]) > HAND_LIMIT:
        t.ask(hand_limit_discard, turn_of(t))


@book.question()
def hand_limit_discard(t: T, seat: int) -> Ask | None:
    """D23, EP-8.9a, 8.10: only the active player, exactly the excess, also cards of others."""
    excess = t.size(HAND[seat]) - HAND_LIMIT
    if excess <= 0:
        return None
    return Ask(seat, pick(t.ids(HAND[seat]), excess), public=False, sealed=True, rule="EP-8.9")


@hand_limit_discard.answered
def excess_discarded(t: T, seat: int, answer: list[str]) -> None:
    t.push(happen, [to_discard(t.card(card), seat, "discard") for card in answer], [])


@book.step
def end_effects(t: T) -> None:
    """EP-8.9b, c: flipped things of all players; then, as one happening, damage, deadly marks and effects."""
    for card in in_play(t):
        if card.pose == FLIPPED:
            t.turn(card.id, PREPARED)
        if damage := card.n.get("damage"):
            t.count(card.id, "damage", -damage)
        if "deadly" in card.marks:
            t.mark(card.id, "deadly", None)
        if mods := card.marks.get("mods"):
            left = [mod for mod in mods if mod["until"] != "end_of_turn"]
            if left != mods:
                t.mark(card.id, "mods", left or None)
    for seat in t.seats:
        if "mods" in t.seat(seat).marks:
            t.mark(seat, "mods", None)
    t.seq(settle([]), end_turn())


@book.step
def end_turn(t: T) -> None:
    """EP-8.9d, e: triggers open another End Step window and the cleanup repeats; else unspent actions are lost."""
    if QUEUE in t.s.vars:
        t.set("step", "end")
        t.seq(flush(), window(active(t), []), cleanup())
        return
    for seat in t.seats:
        t.count(seat, "actions", -t.n(seat, "actions"))
        if "limited" in t.seat(seat).marks:
            t.mark(seat, "limited", None)
