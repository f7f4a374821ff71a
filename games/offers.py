"""What players agree on: a draw, a takeback, a pause, its end, a rematch. An offer stands until everyone it waits for
has accepted, one of them declines, it is withdrawn, or the game ends. Bots agree to everything but a draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from events.decider import Record
from events.errors import Rejected
from games.kernel.rulebook import rulebook
from games.lobby import LONGEST
from games.state import Game, Offer, humans, people
from games.turn import Turn, illegal

NOTICE_MS = 24 * 3600 * 1000
"""A pause without end is none that one player can keep the others in: a day after somebody has asked for its end the
game goes on."""


def offer(turn: Turn, action: Record) -> None:
    game, kind = turn.game, action.get("offer")
    if kind not in KINDS:
        raise illegal("/offer", "unknown_option", f"one of {', '.join(KINDS)}")
    seat = turn.seat(action)
    if any(one.kind == kind for one in game.offers.values()):
        raise Rejected("exists", f"There is an offer of that kind on the table already ({kind}); answer it.")
    extra = KINDS[kind][0](turn, seat, action)
    asked = humans(game) if kind == "rematch" else people(game)  # who is out of the game may still want another
    made = Offer(f"o{game.ids + 1}", kind, seat, [other for other in asked if other != seat], **extra)
    turn.take({**action, "seat": seat, **({"only": {"table": 0}} if "table" in action else {})})
    turn.emit({"e": "offered", "offer": msgspec.to_builtins(made)})
    if not made.waits:
        happen(turn, made, action)


def accept(turn: Turn, action: Record) -> None:
    made, seat = standing(turn, action), turn.seat(action)
    if seat not in made.waits:
        raise Rejected("not_yours", "This offer does not wait for you.")
    now = KINDS[made.kind][0](turn, made.seat, {"length_ms": made.length_ms})  # it may have become impossible meanwhile
    if now.get("to", made.to) != made.to:
        raise Rejected("stale", "There was another answer since; the takeback would go to another moment.")
    turn.take({**action, "seat": seat, **({"only": {"table": 0}} if "table" in action else {})})
    turn.emit({"e": "accepted", "id": made.id, "seat": seat})
    if made.waits == [seat]:
        happen(turn, made, action)


def decline(turn: Turn, action: Record) -> None:
    """By someone it waits for, or by the one who made it."""
    made, seat = standing(turn, action), turn.seat(action)
    if seat != made.seat and seat not in made.waits:
        raise Rejected("not_yours", "This offer does not wait for you.")
    if made.happens_at and seat != made.seat:
        raise Rejected("illegal", "The pause has no end, so nobody can be kept in it: the game goes on a day after "
                       "somebody asked for it.")  # fmt: skip
    turn.take({**action, "seat": seat})
    turn.emit({"e": "offer_closed", "id": made.id, "why": "withdrawn" if seat == made.seat else "declined"})


def standing(turn: Turn, action: Record) -> Offer:
    made = turn.game.offers.get(str(action.get("id")))
    if made is None:
        raise Rejected("stale", "This offer no longer stands.")
    return made


def happen(turn: Turn, made: Offer, action: Record) -> None:
    turn.emit({"e": "offer_closed", "id": made.id, "why": "accepted"})
    KINDS[made.kind][1](turn, made, action)


# --- a draw ---


def may_draw(turn: Turn, seat: int, action: Record) -> dict[str, Any]:
    turn.running()
    book = rulebook(turn.game.terms_.rulebook)
    if not book.draws:
        raise Rejected("illegal", f"{book.title} knows no draw by agreement.")
    if any(chair.bot for chair in turn.game.chairs):
        raise Rejected("illegal", "Bots do not agree to draws.")
    return {}


def draw(turn: Turn, made: Offer, action: Record) -> None:
    tie = {"result": "tie", "winners": people(turn.game), "reason": "agreed"}
    turn.follow(turn.kernel({"do": "ruling", "verbs": [{"verb": "end", "args": tie}]}))


# --- a takeback ---


def may_take_back(turn: Turn, seat: int, action: Record) -> dict[str, Any]:
    turn.running()
    to = takeback_target(turn.game, seat)
    if to is None:
        raise Rejected(
            "illegal",
            "There is nothing to take back: since your last answer somebody has learned something new, "
            "and that cannot be unlearned.",
        )
    return {"to": to}


def takeback_target(game: Game, seat: int) -> int | None:
    """The event before the seat's last answer, if nothing since has told anyone anything new."""
    last = game.answered[seat]
    return last - 1 if last > game.informed else None


def take_back(turn: Turn, made: Offer, action: Record) -> None:
    """`table` is what stood at the offer's seq: the service reads it from history, `verify` compares it."""
    if "table" not in action or action.get("to") != made.to:
        raise Rejected("stale", "The takeback goes to another moment; read the game again.")
    turn.follow(turn.kernel({"do": "restore", "table": action["table"]}))


# --- a pause and its end ---


def may_pause(turn: Turn, seat: int, action: Record) -> dict[str, Any]:
    turn.running()
    length_ms = action.get("length_ms", 0)
    if not isinstance(length_ms, int) or not 0 <= length_ms <= LONGEST:
        raise illegal("/length_ms", "out_of_range", f"from 0 to {LONGEST} milliseconds")
    return {"length_ms": length_ms}


def pause(turn: Turn, made: Offer, action: Record) -> None:
    turn.emit({"e": "paused", "until": turn.moment.at + made.length_ms if made.length_ms else 0})


def may_resume(turn: Turn, seat: int, action: Record) -> dict[str, Any]:
    turn.in_play()
    if not turn.game.paused:
        raise Rejected("illegal", "The game is not paused.")
    if turn.game.paused.judge:
        raise Rejected("not_yours", "A judge stopped the game; a judge lets it go on.")
    return {} if turn.game.paused.until else {"happens_at": turn.moment.at + NOTICE_MS}


def resume(turn: Turn, made: Offer, action: Record) -> None:
    turn.emit({"e": "resumed"})


# --- a rematch ---


def may_rematch(turn: Turn, seat: int, action: Record) -> dict[str, Any]:
    if not turn.game.ended:
        raise Rejected("illegal", "The game is not over; a rematch comes after it.")
    if turn.game.terms_.sandbox:
        raise Rejected("illegal", "This is a sandbox; open another one.")
    if turn.game.rematch:
        raise Rejected("exists", f"The rematch is {turn.game.rematch}.")
    return {}


def rematch(turn: Turn, made: Offer, action: Record) -> None:
    turn.emit({"e": "rematch", "game": action["game"]})


May = Callable[[Turn, int, Record], dict[str, Any]]
Happen = Callable[[Turn, Offer, Record], None]
KINDS: dict[str, tuple[May, Happen]] = {
    "draw": (may_draw, draw),
    "takeback": (may_take_back, take_back),
    "pause": (may_pause, pause),
    "resume": (may_resume, resume),
    "rematch": (may_rematch, rematch),
}
