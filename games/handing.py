"""Somebody else plays on in a seat: a bot, or another player. By consent of who sits there, by a judge, or (the terms
say) when time has run out. The seat keeps its cards, its number and its clock; whoever takes it sees what it saw."""

from __future__ import annotations

from events.decider import Record
from events.errors import Rejected
from games.judging import impartial
from games.lobby import BOTS
from games.state import Game
from games.turn import Turn, illegal

ANYBODY, NOBODY, OWNER = "anybody", "nobody", "owner"


def hand_over(turn: Turn, action: Record) -> None:
    """The one who sits there lets a bot play on, or lets anybody take the seat; until then nothing changes, and until
    then it can be withdrawn (`nobody`). What a judge has decided about the seat only a judge changes."""
    turn.in_play()
    seat = turn.seat(action)
    to = receiver(action, (ANYBODY, NOBODY))
    chair = turn.game.chairs[seat]
    if chair.ruled:
        raise Rejected("not_yours", f"A judge has decided who plays seat {seat}; a judge can change it.")
    if to in (ANYBODY, NOBODY) and chair.free == (to == ANYBODY):
        raise Rejected("exists", f"Seat {seat} is {'' if chair.free else 'not '}free to be taken already.")
    turn.take({"do": "hand_over", "seat": seat, "to": to})
    hand(turn, seat, to)


def reseat(turn: Turn, action: Record) -> None:
    """A judge does the same, and can give the seat back to its `owner`. `of`, not `seat`: the judge gets nobody's view
    by it. Who had the seat does not come back by themselves."""
    impartial(turn)
    turn.in_play()
    seat = action.get("of")
    if not isinstance(seat, int) or not 0 <= seat < turn.game.seats:
        raise illegal("/of", "out_of_range", f"the seats are 0 to {turn.game.seats - 1}")
    to = receiver(action, (ANYBODY, NOBODY, OWNER))
    owner = turn.game.chairs[seat].owner
    if to == OWNER and (not owner or turn.game.may_play(seat, owner)):
        raise Rejected("illegal", f"Seat {seat} has nobody to give it back to.")
    turn.take(action)
    hand(turn, seat, to, judge=True)


def receiver(action: Record, others: tuple[str, ...]) -> str:
    to = action.get("to")
    if to not in (*others, *BOTS):
        raise illegal("/to", "unknown_option", f"one of {', '.join((*others, *BOTS))}")
    return str(to)


def hand(turn: Turn, seat: int, to: str, *, judge: bool = False) -> None:
    chair = turn.game.chairs[seat]
    stays: Record = {"actor": chair.actor, "bot": chair.bot}
    who = {OWNER: {"actor": chair.owner}, NOBODY: stays, ANYBODY: {**stays, "free": True}}.get(to, {"bot": to})
    ruled = {OWNER: False, NOBODY: chair.ruled and bool(chair.bot)}.get(to, judge)
    turn.emit({"e": "handed", "seat": seat, **who, **({"ruled": True} if ruled else {})})


def had(game: Game, actor: str) -> set[int]:
    """The seats this person has played."""
    owned = {seat for seat, chair in enumerate(game.chairs) if chair.owner == actor}
    return owned | ({game.played[actor]} if actor in game.played else set())


def take_over(turn: Turn, action: Record) -> None:
    """Take a seat that is free to be taken, or come back to one's own from the bot."""
    game, by, seat = turn.game, turn.moment.by, action.get("seat")
    turn.in_play()
    if not isinstance(seat, int) or not 0 <= seat < game.seats:
        raise illegal("/seat", "out_of_range", f"the seats are 0 to {game.seats - 1}")
    if game.seat_of(by) is not None:
        raise Rejected("exists", f"You have a seat in this {turn.kind} already.")
    if by in game.judged:
        raise Rejected("not_yours", f"You have acted as a judge in this {turn.kind}, so you cannot play in it.")
    if had(game, by) - {seat}:
        raise Rejected("not_yours", f"You have played another seat of this {turn.kind} and know its cards.")
    chair = game.chairs[seat]
    if chair.ruled and chair.owner == by:
        raise Rejected("not_yours", f"A judge has given seat {seat} away; a judge can give it back.")
    if not (chair.free or (chair.bot and chair.owner == by)):
        raise Rejected("not_yours", f"Seat {seat} is not free: who plays it, or a judge, must hand it over first.")
    turn.take({"do": "take_over", "seat": seat})
    turn.emit({"e": "handed", "seat": seat, "actor": by})
