"""Disputes and what judges do about them: all of it events, nothing rewritten. That the actor is a judge was checked
where people are known; here it matters that no judge sits at the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from events.decider import Record
from events.errors import Rejected
from events.participants import ARBITER
from games.clocks import pause_ends
from games.state import Game
from games.turn import Turn, illegal

FINDINGS = ("upheld", "dismissed", "noted")


def dispute(turn: Turn, action: Record) -> None:
    """A player (or a judge) says that something went wrong at a seq. The words are stored apart."""
    if turn.game.terms is None or turn.game.phase in ("lobby", "ready"):
        raise Rejected("illegal", f"The {turn.kind} has not begun.")
    about = action.get("about")
    if not isinstance(about, int) or not 1 <= about < turn.moment.seq:
        raise illegal("/about", "out_of_range", f"a seq from 1 to {turn.moment.seq - 1}")
    seat = turn.game.seat_of(turn.moment.by)
    turn.take(action if seat is None else {**action, "seat": seat})


def settle(turn: Turn, action: Record) -> None:
    impartial(turn)
    known = turn.game.disputes.get(str(action.get("dispute")))
    if known is None:
        raise Rejected("unknown", f"There is no such dispute in this {turn.kind}.")
    if known.settled:
        raise Rejected("stale", f"This dispute is settled already: {known.settled}.")
    if action.get("finding") not in FINDINGS:
        raise illegal("/finding", "unknown_option", f"one of {', '.join(FINDINGS)}")
    turn.take(action)


def ruling(turn: Turn, action: Record) -> None:
    """One of RULINGS; what it says is public, the verbs of a repair only for judges: they name hidden cards."""
    impartial(turn)
    kind = action.get("ruling")
    if kind not in RULINGS:
        raise illegal("/ruling", "unknown_option", f"one of {', '.join(RULINGS)}")
    RULINGS[kind](turn, action)


def outcome(turn: Turn, action: Record) -> None:
    """It ends like this; also instead of how it ended."""
    end = {"result": action.get("result"), "winners": action.get("winners", []), "reason": "ruling"}
    if end["result"] not in ("win", "tie", "loss", "void"):
        raise illegal("/result", "unknown_option", "one of win, tie, loss, void")
    if not set(end["winners"]) <= set(range(turn.game.seats)):
        raise illegal("/winners", "out_of_range", f"the seats are 0 to {turn.game.seats - 1}")
    _by_rules(turn, action, {"do": "ruling", "verbs": [{"verb": "end", "args": end}]})


def repair(turn: Turn, action: Record) -> None:
    """Something on the table is set right with the kernel's verbs."""
    turn.in_play()
    _by_rules(turn, {**action, "only": {"verbs": 0}}, {"do": "ruling", "verbs": action.get("verbs")})


def forced_answer(turn: Turn, action: Record) -> None:
    """An open decision is answered for the one it was put to."""
    turn.in_play()
    ask = turn.game.table.open.get(str(action.get("decision")))
    if ask is None:
        raise Rejected("stale", "This decision is not open.")
    rules = {"do": "answer", "seat": ask.chooser, "decision": ask.id, "path": action.get("path")}
    _by_rules(turn, action, rules, sealed=("path",))


def removal(turn: Turn, action: Record) -> None:
    """A seat is out of the game, by ruling."""
    turn.in_play()
    _by_rules(turn, action, {"do": "concede", "seat": action.get("of"), "reason": "ruling"})


def more_time(turn: Turn, action: Record) -> None:
    """Time added to a bank, or taken from it."""
    game, seat, add = turn.game, action.get("of"), action.get("add_ms")
    turn.in_play()
    if not game.clocks:
        raise Rejected("illegal", f"This {turn.kind} is played without clocks.")
    if not isinstance(seat, int) or not 0 <= seat < game.seats:
        raise illegal("/of", "out_of_range", f"the seats are 0 to {game.seats - 1}")
    if not isinstance(add, int):
        raise illegal("/add_ms", "wrong_shape", "milliseconds, negative to take them away")
    turn.take(action)
    clock = game.clocks[seat]
    turn.emit({"e": "clock", "seat": seat, "bank": max(0, clock.bank + add), "spent": clock.spent})


def _by_rules(turn: Turn, stored: Record, rules: Record, sealed: tuple[str, ...] = ()) -> None:
    """`sealed`: what is sealed of the ruling where the rules seal it of the act itself."""
    decided = turn.kernel(rules)
    if only := {name: mask for name, mask in decided.action.get("only", {}).items() if name in sealed}:
        stored = {**stored, "only": only}
    turn.take(stored)
    turn.follow(decided)


RULINGS: dict[str, Callable[[Turn, Record], None]] = {
    "outcome": outcome, "repair": repair, "answer": forced_answer, "remove": removal, "time": more_time,
}  # fmt: skip


def rewind(turn: Turn, action: Record) -> None:
    """The table as it stood after event `to`. What was learned since stays learned: the event says by whom; `reshuffle`
    names the hidden piles that are therefore shuffled anew. The clocks are stated, by seat."""
    impartial(turn)
    game = turn.game
    if game.seals_open:
        raise Rejected(
            "illegal", "The seals are open, so every shuffle to come would be known; open a sandbox instead."
        )
    if not game.table.rulebook:
        raise Rejected("illegal", f"The {turn.kind} has not begun.")
    decided = turn.kernel({"do": "restore", "table": action["table"], "reshuffle": action.get("reshuffle", [])})
    turn.take({**action, "only": {"table": 0, "learned": 0}})
    turn.follow(decided)
    for seat, keys in enumerate(action.get("learned", [])):
        turn.emit({"e": "learned", "seat": seat, "keys": keys, "only": {"keys": 1 << seat}})
    for seat, (bank, spent) in enumerate(action.get("clocks", [])):
        turn.emit({"e": "clock", "seat": seat, "bank": bank, "spent": spent})


def pause(turn: Turn, action: Record) -> None:
    """A judge stops the clocks; also where the players have done so, who then no longer go on by themselves."""
    impartial(turn)
    turn.in_play()
    if turn.game.paused and turn.game.paused.judge:
        raise Rejected("paused", f"The {turn.kind} is paused by a judge already.")
    turn.take(action)
    turn.emit({"e": "paused", "judge": True})


def resume(turn: Turn, action: Record) -> None:
    """A judge ends a pause, or the house when its time is over."""
    impartial(turn)
    turn.in_play()
    paused = turn.game.paused
    if not paused:
        raise Rejected("illegal", "The game is not paused.")
    ends = pause_ends(turn.game)
    if turn.moment.by == ARBITER and (not ends or turn.moment.at < ends):
        raise Rejected("stale", "That deadline no longer stands.")
    turn.take(action)
    turn.emit({"e": "resumed"})
    for offer in [one.id for one in turn.game.offers.values() if one.kind == "resume"]:
        turn.emit({"e": "offer_closed", "id": offer, "why": "resumed"})


def open_seals(turn: Turn, action: Record) -> None:
    """The match or the event is over (the house says so), or a judge decides it: everybody may see everything."""
    impartial(turn)
    if not turn.game.ended:
        raise Rejected("illegal", "The game is not over; its seals stay closed until then.")
    if turn.game.seals_open:
        raise Rejected("exists", "The seals are open already.")
    turn.take(action)


def impartial(turn: Turn) -> None:
    if turn.game.seat_of(turn.moment.by) is not None or is_former_player(turn.game, turn.moment.by):
        raise Rejected("not_yours", f"You play or played in this {turn.kind}, so you cannot judge it.")


def is_former_player(game: Game, actor: str) -> bool:
    return actor in game.played or any(chair.owner == actor for chair in game.chairs)


Verb = Callable[[Turn, dict[str, Any]], None]
VERBS: dict[str, Verb] = {
    "dispute": dispute, "settle": settle, "ruling": ruling, "rewind": rewind, "pause": pause, "resume": resume,
    "open": open_seals,
}  # fmt: skip
