"""The tournament decider: registration, rounds, results and stages over the one write path. Pure.

A tournament's stream has no seats: everything in it is public at once, but the lists, which open when it is closed. An
action's verb is looked up in VERBS; it checks, takes the action, and lets effects follow. States change in state.evolve
only, whether an event is being decided or folded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from events.decider import Decided, Due, Moment, Record, Viewer, register
from events.errors import Rejected
from tournaments import clock, handing, leaving, limited, penalties, registration, results, rounds, shown, state
from tournaments.state import Tournament
from tournaments.turn import Turn

Verb = Callable[[Turn, Record], None]
VERBS: dict[str, Verb] = {
    "create": registration.create, "appoint": registration.appoint, "invite": registration.invite,
    "register": registration.register, "add_bots": registration.add_bots, "check_in": registration.check_in,
    "submit_deck": handing.submit_deck, "drop": leaving.drop, "return": leaving.come_back,
    "award": registration.award, "plan": rounds.plan,
    "start": registration.start, "pair": rounds.pair, "propose": rounds.propose, "infeasible": rounds.infeasible,
    "publish": rounds.publish, "repair": rounds.repair, "pin": rounds.pin, "unpin": rounds.pin, "ban": rounds.pin,
    "unban": rounds.pin, "advance": rounds.advance, "finish": rounds.finish, "close": rounds.close,
    "report": results.report, "confirm": results.confirm, "dispute": results.dispute, "rule": results.rule,
    "correct": results.correct, "played": handing.played, "extend": penalties.extend, "penalise": penalties.penalise,
    "lift": penalties.lift, "time": clock.time,
    "open_drafts": limited.open_drafts, "drafted": limited.drafted, "time_up": limited.time_up,
    "no_deck": handing.no_deck, "sideboard": handing.sideboard, "go_on": handing.go_on,
}  # fmt: skip


class TournamentDecider:
    kind, prefix, schema = "tournament", "trn", 1

    def initial(self, stream: str, seats: int) -> Tournament:
        return Tournament(stream)

    def clone(self, state_: Tournament) -> Tournament:
        return state.clone(state_)

    def decide(self, state_: Tournament, action: Record, secret: bytes, moment: Moment) -> Decided:
        verb = VERBS.get(action["do"])
        if verb is None or (state_.rules is None) != (action["do"] == "create"):
            raise Rejected("illegal", f"A tournament knows no {action['do']!r} at this point.")
        turn = Turn(state.clone(state_), secret, moment)
        verb(turn, {name: value for name, value in action.items() if name != "only"})
        limited.settle(turn)
        return Decided(turn.action, turn.effects, turn.state)

    def evolve(self, state_: Tournament, record: Record, moment: Moment) -> Tournament:
        return state.evolve(state_, record, moment.seq, moment.at, moment.prev, moment.by)

    def view(self, state_: Tournament, viewer: Viewer) -> dict[str, Any]:
        return shown.view(state_)

    def encode(self, state_: Tournament) -> bytes:
        return state.encode(state_)

    def decode(self, data: bytes) -> Tournament:
        return state.decode(data)

    def due(self, state_: Tournament) -> list[Due]:
        return limited.due(state_) + handing.due(state_) + clock.due(state_)

    def opened(self, state_: Tournament) -> bool:
        return state_.phase == "closed"

    def ended(self, state_: Tournament) -> bool:
        return state_.phase == "closed"

    def numbers(self, state_: Tournament) -> list[bytes]:
        return []

    def stuck(self, state_: Tournament) -> str | None:
        """For the doctor: a round that was called and never proposed."""
        now = state_.now
        return f"round {now.number} waits to be paired" if now and now.status == "called" else None


register(TournamentDecider())
