"""One action on its way to becoming an event: what the verbs of the game decider work with."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from events.canonical import digest, keyed
from events.decider import Moment, Record
from events.errors import Rejected
from games.evolution import apply, evolve_action, evolve_effect
from games.kernel import Decided, decide
from games.kernel import effects as fx
from games.kernel.errors import Rejected as KernelRejected
from games.state import Game


class Turn:
    """`game` is a clone of its own. First the action is taken, then effects follow; each changes it at once. `kind` is
    what is being played: a game, or a draft."""

    def __init__(self, game: Game, secret: bytes, moment: Moment, kind: str = "game") -> None:
        self.game, self.secret, self.moment, self.kind = game, secret, moment, kind
        self.action: Record = {}
        self.effects: list[Record] = []

    def take(self, action: Record) -> None:
        self.action = action
        evolve_action(self.game, action, self.moment)

    def emit(self, effect: Record) -> None:
        self.effects.append(effect)
        evolve_effect(self.game, effect, self.moment)

    def kernel(self, action: Record) -> Decided:
        """What the rules say to this; nothing has happened yet."""
        try:
            return decide(self.game.table, action, self.key())
        except KernelRejected as refusal:
            raise rejected(refusal) from None

    def follow(self, decided: Decided) -> None:
        """It happens."""
        for effect in decided.effects:
            self.effects.append(fx.to_dict(effect))
            apply(self.game, effect, self.moment)
        if self.game.ended:
            for offer in list(self.game.offers):
                self.emit({"e": "offer_closed", "id": offer, "why": "over"})

    def key(self) -> bytes | None:
        """K of docs/format.md; there is none before every number is open."""
        game = self.game
        if not game.numbers or not game.complete_hash:
            return None
        return stream_key(self.secret, game.stream, game.complete_hash, tuple(game.numbers))

    # -- who acts ---------------------------------------------------------------------------------------------------

    def seat(self, action: Record) -> int:
        """The seat the actor acts for: the one named, if it is theirs, or their only one."""
        named = action.get("seat")
        seat = self.game.seat_of(self.moment.by) if named is None else named
        if not isinstance(seat, int) or not self.game.may_play(seat, self.moment.by):
            detail = f"You have no seat in this {self.kind}." if named is None else "That is not your seat."
            raise Rejected("not_yours", detail)
        return seat

    def in_play(self) -> None:
        game = self.game
        if game.ended:
            raise Rejected("over", f"The {self.kind} is over.")
        if game.phase != "play":
            raise Rejected("illegal", f"The {self.kind} has not begun.")

    def running(self) -> None:
        self.in_play()
        if self.game.paused:
            raise Rejected("paused", f"The {self.kind} is paused; resume it first.")


@lru_cache(maxsize=4096)
def stream_key(secret: bytes, stream: str, complete_hash: str, numbers: tuple[str, ...]) -> bytes:
    return keyed(secret, "key", stream, complete_hash, *map(bytes.fromhex, numbers))


def house_number(stream: str, seat: int, secret: bytes) -> str:
    return digest("house", stream, seat, secret).hex()


def rejected(refusal: KernelRejected) -> Rejected:
    return Rejected(refusal.code, refusal.detail, refusal.errors)


def illegal(pointer: str, code: str, detail: str, **extra: Any) -> Rejected:
    """A field that does not fit, and what would."""
    return Rejected("illegal", detail, [{"pointer": pointer, "code": code, "detail": detail, **extra}])
