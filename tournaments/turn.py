"""One action on its way to becoming an event: what the verbs of the tournament decider work with."""

from __future__ import annotations

from typing import Any

from events.canonical import keyed
from events.decider import Moment, Record
from events.errors import Rejected
from events.participants import ARBITER
from games.kernel.randomness import below
from tournaments.state import Entrant, Match, Round, Tournament, evolve

WORD = 1 << 32


class Turn:
    """`state` is a clone of its own. First the action is taken, then effects follow; each changes it at once."""

    def __init__(self, state: Tournament, secret: bytes, moment: Moment) -> None:
        self.state, self.secret, self.moment = state, secret, moment
        self.action: Record = {}
        self.effects: list[Record] = []

    def take(self, action: Record) -> None:
        self.action = action
        self._evolve(action)

    def emit(self, effect_: str, /, **fields: Any) -> None:
        effect = {"e": effect_, **fields}
        self.effects.append(effect)
        self._evolve(effect)

    def _evolve(self, record: Record) -> None:
        moment = self.moment
        evolve(self.state, record, moment.seq, moment.at, moment.prev, moment.by)

    def draw_key(self, label: str) -> str:
        """Sixteen bytes that nobody could know before: four draws of the stream, checked by the verifier at the end."""
        state = self.state
        key = keyed(self.secret, "key", state.stream, state.first)
        found = b""
        for part in range(4):
            n, name = state.draws, f"{label}/{part}"
            word = below(key, n, name, WORD)
            self.emit("draw", n=n, label=name, how="below", input=WORD, result=word)
            found += word.to_bytes(4, "big")
        return found.hex()

    # --- who acts ---

    def staff(self, *roles: str) -> None:
        if self.state.staff.get(self.moment.by) not in (roles or ("organiser",)):
            raise Rejected("not_yours", f"Only {' and '.join(roles or ('organiser',))}s of this tournament do that.")

    def is_staff(self) -> bool:
        return self.moment.by in self.state.staff

    def house(self) -> None:
        if self.moment.by != ARBITER:
            raise Rejected("not_yours", "Only the house does that.")

    def entrant(self, action: Record) -> Entrant:
        """The one named, if the actor may speak for it; else the actor's own."""
        number = action.get("number")
        if number is None:
            own = self.state.entrant_of(self.moment.by)
            if own is None:
                raise Rejected("not_yours", "You are not in this tournament.")
            return own
        one = self.state.entrants.get(number)
        if one is None:
            raise illegal(
                "/number", "unknown", f"there is no entrant {number}; they are 1 to {len(self.state.entrants)}"
            )
        if not self.is_staff() and self.moment.by not in (one.actor, *one.members):
            raise Rejected("not_yours", f"You do not speak for entrant {number}.")
        return one

    def match(self, action: Record) -> Match:
        found = self.state.matches.get(str(action.get("match")))
        if found is None:
            raise Rejected("unknown", f"There is no match {action.get('match')!r} in this tournament.")
        return found

    def round(self, *statuses: str) -> Round:
        now = self.state.now
        if now is None or now.status not in statuses:
            where = "no round was called yet" if now is None else f"round {now.number} is {now.status}"
            raise Rejected("illegal", f"That needs a round that is {' or '.join(statuses)}; {where}.")
        return now

    def phase(self, *phases: str) -> None:
        phase = self.state.phase
        if phase not in phases:
            code = "over" if phase in ("over", "closed") else "illegal"
            wanted = " or ".join(SAID[one] for one in phases)
            raise Rejected(code, f"The tournament is {SAID[phase]}; that is done while it is {wanted}.")


SAID = {"registration": "in registration", "running": "running", "over": "over", "closed": "closed for good"}


def illegal(pointer: str, code: str, detail: str) -> Rejected:
    return Rejected(
        "illegal", f"{detail[0].upper()}{detail[1:]}.", [{"pointer": pointer, "code": code, "detail": detail}]
    )
