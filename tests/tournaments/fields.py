"""Events played out in memory, for tests and benches of the pure core."""

from dataclasses import replace
from random import Random

from tournaments.core import swiss
from tournaments.core.field import BYE, Entrant, Field
from tournaments.core.tally import Result


def key_of(round_: int, event: int = 0) -> bytes:
    return event.to_bytes(8, "big") + round_.to_bytes(8, "big")


class Event:
    """Players who come, win, lose, draw, and sometimes leave."""

    def __init__(self, players: int, seed: int = 1) -> None:
        self.rng, self.seed = Random(seed), seed
        self.players = {n: Entrant(n) for n in range(1, players + 1)}
        self.gone: set[int] = set()
        self.results: list[Result] = []
        self.round = 0

    def field(self, **more) -> Field:
        here = tuple(one for n, one in self.players.items() if n not in self.gone)
        return Field(here, key_of(self.round + 1, self.seed), **more)

    def play(self, pairs: list[tuple[int, int]] | None = None) -> list[tuple[int, int]]:
        pairs = swiss.pair(self.field()).pairs if pairs is None else pairs
        self.round += 1
        after = dict(self.players)
        for low, high in pairs:
            if low == BYE:
                one = self.players[high]
                after[high] = replace(one, score=one.score + 3, byes=one.byes + 1, floated=0)
                self.results.append(Result(self.round, (high,), (2,), kind="bye"))
                continue
            wins = self.rng.choice([(2, 0), (2, 1), (1, 2), (0, 2)]) if self.rng.random() < 0.97 else (1, 1)
            self.results.append(Result(self.round, (low, high), wins))
            for me, other, mine, theirs in ((low, high, *wins), (high, low, *wins[::-1])):
                one, them = self.players[me], self.players[other]
                after[me] = replace(
                    one,
                    score=one.score + (3 if mine > theirs else 1 if mine == theirs else 0),
                    met={**one.met, other: one.met.get(other, 0) + 1},
                    floated=(them.score > one.score) - (them.score < one.score),
                )
        self.players = after
        return pairs
