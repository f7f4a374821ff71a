"""Who is to be paired, and what a pairing of two of them costs. Everything the pairing depends on is in here."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from tournaments.core.noise import DOMAIN, lot, noise
from tournaments.core.noise import pair as _pair

BYE = 0  # the number of nobody: whoever is paired with it has a bye
FARTHEST = 255  # a larger gap counts as this


@dataclass(frozen=True, slots=True)
class Entrant:
    number: int  # from 1, in the order of registration
    score: int = 0
    met: dict[int, int] = field(default_factory=dict)  # opponent → how often, in this stage
    byes: int = 0
    floated: int = 0  # in the round before: 1 met somebody with more points, -1 somebody with fewer
    group: str = ""  # club, team, country: not paired together early, if the organiser wishes so
    rank: int = 0  # in the standings; used in the last round if it is paired by standings


@dataclass(frozen=True)
class Field:
    entrants: tuple[Entrant, ...]
    key: bytes  # of this round and attempt
    pins: tuple[tuple[int, int], ...] = ()  # must be paired; (n, 0) is a bye
    bans: frozenset[tuple[int, int]] = frozenset()  # (low, high): must not
    apart: bool = False  # keep the same group apart, as far as possible
    by_rank: bool = False  # neighbours in the standings rather than by lot, within a score

    def by_number(self) -> dict[int, Entrant]:
        return {one.number: one for one in self.entrants}


class Cost(NamedTuple):
    """What is wrong with a pair, the worst first. Compared lexicographically over the whole round."""

    rematch: int
    avoid: int
    repeat_bye: int
    policy: int
    gap: int  # squared
    luck: int

    @property
    def packed(self) -> int:
        """One number in which no sum of lesser terms, over up to 1024 tables, reaches a greater one."""
        return (
            (self.rematch << 108) + (self.avoid << 98) + (self.repeat_bye << 94) + (self.policy << 80)
            + (self.gap << 54) + self.luck
        )  # fmt: skip


BASE = 1 << 119  # more than any cost, so that every weight is positive


class Costs:
    """The cost of every pair of a field."""

    def __init__(self, field_: Field) -> None:
        self.field = field_
        self.prefix = DOMAIN + field_.key
        self.lowest = min((one.score for one in field_.entrants), default=0)

    def cost(self, a: Entrant, b: Entrant) -> Cost:
        gap = min(abs(a.score - b.score), FARTHEST)
        avoid = self.field.apart and a.group != "" and a.group == b.group
        return Cost(
            rematch=min(a.met.get(b.number, 0), 4), avoid=int(avoid), repeat_bye=0,
            policy=_float_again(a, b) + _float_again(b, a), gap=gap * gap, luck=self.luck(a, b),
        )  # fmt: skip

    def weight(self, a: Entrant, b: Entrant) -> int:
        """BASE − cost(a, b).packed, in one go: the only thing done for every edge."""
        x, y = a.number, b.number
        if self.field.by_rank or self.field.apart or a.floated or b.floated:
            return BASE - self.cost(a, b).packed
        drawn = sha256(self.prefix + (_pair(x, y) if x < y else _pair(y, x))).digest()
        weight = BASE - (int.from_bytes(drawn[:5], "big"))
        if gap := a.score - b.score:
            weight -= min(gap * gap, FARTHEST * FARTHEST) << 54
        if y in a.met:
            weight -= min(a.met[y], 4) << 108
        return weight

    def bye(self, a: Entrant) -> Cost:
        """The bye sinks to the lowest score, and to somebody who had none."""
        gap = min(a.score - self.lowest, FARTHEST)
        return Cost(0, 0, min(a.byes, 15), 0, gap * gap, noise(self.field.key, a.number, BYE))

    def luck(self, a: Entrant, b: Entrant) -> int:
        drawn = noise(self.field.key, a.number, b.number)
        if not self.field.by_rank:
            return drawn
        return (min(abs(a.rank - b.rank), (1 << 20) - 1) << 20) + (drawn >> 20)

    def of(self, pair: tuple[int, int], known: dict[int, Entrant]) -> Cost:
        a, b = sorted(pair)
        return self.bye(known[b]) if a == BYE else self.cost(known[a], known[b])

    def total(self, pairs: list[tuple[int, int]]) -> Cost:
        known = self.field.by_number()
        found = [self.of(pair, known) for pair in pairs]
        return Cost(*map(sum, zip(*found, strict=True))) if found else Cost(0, 0, 0, 0, 0, 0)

    def order(self) -> list[Entrant]:
        """By score, equal ones by lot (or by rank): how a large field is cut into blocks."""
        key = self.field.key
        if self.field.by_rank:
            return sorted(self.field.entrants, key=lambda one: (-one.score, one.rank, one.number))
        return sorted(self.field.entrants, key=lambda one: (-one.score, lot(key, one.number), one.number))


def _float_again(a: Entrant, b: Entrant) -> int:
    """The same direction as in the round before."""
    return int(a.floated != 0 and a.floated == (b.score > a.score) - (b.score < a.score))
