"""The game decider: lobby, rules, clocks, offers and judges over the one write path. Pure.

An action's verb is looked up in VERBS; it checks, takes the action, and lets effects follow. States change in
evolution.py only, whether an event is being decided or folded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from events.canonical import encode
from events.decider import Decided, Due, Moment, Record, Viewer, register
from events.errors import Rejected
from events.participants import ARBITER
from games import clocks, handing, judging, lobby, offers, playing, shown, state
from games.evolution import evolve_action, evolve_effect
from games.kernel.decide import waiting
from games.kernel.randomness import delay_ms
from games.kernel.stops import Pass, auto_answer
from games.kernel.table import Asked
from games.state import Chair, Game, choosers, plays
from games.turn import Turn

VERBS: dict[str, judging.Verb] = {
    "create": lobby.create, "join": lobby.join, "leave": lobby.leave, "fill": lobby.fill, "ready": lobby.ready,
    "start": lobby.start_by_house, "abort": lobby.abort,
    "answer": playing.answer, "use": playing.use, "concede": playing.concede, "timeout": playing.timeout,
    "offer": offers.offer, "accept": offers.accept, "decline": offers.decline,
    "hand_over": handing.hand_over, "reseat": handing.reseat, "take_over": handing.take_over,
    **judging.VERBS,
}  # fmt: skip


class GameDecider:
    kind, prefix, schema = "game", "gam", 2
    verbs = VERBS

    def initial(self, stream: str, seats: int) -> Game:
        return Game(stream, seats, chairs=[Chair()] * seats)

    def clone(self, state_: Game) -> Game:
        return state.clone(state_)

    def decide(self, state_: Game, action: Record, secret: bytes, moment: Moment) -> Decided:
        verb = self.verbs.get(action["do"])
        if verb is None or (state_.terms is None) != (action["do"] == "create"):
            raise Rejected("illegal", f"A {self.kind} knows no {action['do']!r} at this point.")
        turn = Turn(state.clone(state_), secret, moment, self.kind)
        verb(turn, {name: value for name, value in action.items() if name != "only"})
        return Decided(turn.action, turn.effects, turn.game)

    def evolve(self, state_: Game, record: Record, moment: Moment) -> Game:
        if "do" in record:
            evolve_action(state_, record, moment)
        else:
            evolve_effect(state_, record, moment)
        return state_

    def view(self, state_: Game, viewer: Viewer) -> dict[str, Any]:
        return shown.view(state_, viewer)

    def encode(self, state_: Game) -> bytes:
        return state.encode(state_)

    def decode(self, data: bytes) -> Game:
        return state.decode(data)

    def due(self, state_: Game) -> list[Due]:
        if state_.terms is None or state_.ended:
            return []
        return [*lobby_due(state_), *pause_due(state_), *clock_due(state_), *pass_due(state_)]

    def opened(self, state_: Game) -> bool:
        return state_.seals_open

    def ended(self, state_: Game) -> bool:
        return state_.ended

    def stuck(self, state_: Game) -> str | None:
        """A game that is on waits for somebody. The rules see to it; a ruling, or a fault in them, may not have."""
        if state_.phase == "play" and not choosers(state_):
            return "it is not over and waits for nobody"
        return None

    def numbers(self, state_: Game) -> list[bytes]:
        return [bytes.fromhex(number) for number in state_.numbers]

    def doubt(self, action: Record, state_at: Callable[[int], Game]) -> str | None:
        """A takeback or a rewind quotes the table it goes back to: is it the one that stood there?"""
        if "table" in action and "to" in action:
            if encode(msgspec.to_builtins(state_at(action["to"]).table)) != encode(action["table"]):
                return f"the table it goes back to is not the one of event {action['to']}"
        return None


def lobby_due(game: Game) -> list[Due]:
    if game.phase == "ready" and all(chair.ready for chair in game.chairs):
        return [Due("start", game.at, ARBITER, {"do": "start"})]
    return [Due(why, at, ARBITER, {"do": "abort", "why": why}) for why, at in lobby.expiry(game).items()]


def pause_due(game: Game) -> list[Due]:
    at = clocks.pause_ends(game)
    return [Due(f"resume/{at}", at, ARBITER, {"do": "resume"})] if at else []


def clock_due(game: Game) -> list[Due]:
    """One per chooser, for the oldest decision that waits for it; another one when somebody else plays the seat."""
    waited = choosers(game)
    return [
        Due(
            f"time/{waited[seat][0]}/{game.chairs[seat].handed}",
            at,
            ARBITER,
            {"do": "timeout", "of": seat, "decision": waited[seat][0]},
        )
        for seat, at in clocks.deadlines(game).items()
    ]


LOST_MS = 2_000  # a pass that was to be given right after the commit, and was not, is a deadline like any other


def pass_due(game: Game) -> list[Due]:
    """Standing passes, as ordinary answers of their seats: after a keyed delay, the same for every reason, which
    nothing that others do puts off. Those that are given at once (`passes_at_once`) are here in case they get lost."""
    if game.paused or not game.pass_key:
        return []
    key, found = bytes.fromhex(game.pass_key), []
    for ask in waiting(game.table):
        given = None if game.chairs[ask.chooser].bot else auto_answer(game.table, ask)
        if given:
            at = game.asked[ask.chooser] + (LOST_MS if given.public else delay_ms(key, ask.id))
            found.append(pass_as_answer(game, ask, given, at))
    return found


def passes_at_once(game: Game) -> list[Due]:
    """Where everybody sees that nothing else can be done, nobody need wait for the answer."""
    if game.paused or not game.pass_key:
        return []
    return [
        pass_as_answer(game, ask, given, game.at)
        for ask in waiting(game.table)
        if ask.bare and not game.chairs[ask.chooser].bot and (given := auto_answer(game.table, ask)) and given.public
    ]


def pass_as_answer(game: Game, ask: Asked, given: Pass, at: int) -> Due:
    action = {"do": "answer", "seat": ask.chooser, "decision": ask.id, "path": given.path, "auto": True}
    return Due(f"pass/{ask.id}", at, plays(game, ask.chooser), action)


register(GameDecider())
