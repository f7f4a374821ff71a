"""Standings: points first, then the family's tiebreaks in its order, then the lot. A pure fold of results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from tournaments.core.noise import lot
from tournaments.core.tally import Points, Result, Tally, tally
from tournaments.core.tiebreaks import Column, Context, columns, decimal, working


@dataclass(frozen=True)
class Family:
    """A way to count. `head_to_head`: between exactly two who are still level and who met."""

    points: Points
    order: tuple[str, ...]
    head_to_head: bool = False
    title: str = ""


FAMILIES: dict[str, Family] = {
    "magic": Family(Points(3, 1, 0), ("omw", "gw", "ogw"), title="Match points, OMW%, GW%, OGW%"),
    "pokemon": Family(Points(3, 1, 0), ("op_win", "op_op_win"), True, "Points, opponents' and their opponents' win %"),
    "buchholz": Family(Points(2, 1, 0, unit=2), ("buchholz", "median", "sonneborn"), title="Points, Buchholz, median"),
    "median": Family(Points(2, 1, 0, unit=2), ("median", "buchholz", "sonneborn"), title="Points, median Buchholz"),
    "sonneborn": Family(Points(2, 1, 0, unit=2), ("sonneborn",), title="Points, Sonneborn-Berger"),
    "sos": Family(Points(3, 1, 0), ("sos", "esos"), title="Points, strength of schedule, extended"),
    "pods": Family(Points(5, 1, 0), ("owr",), title="Pods 5/1/0, opponents' win rate"),
    "pods_2n1": Family(
        Points(7, 1, 0, per_pod=True), ("mwp", "opponents_points", "pod_omw"), title="Pods 2n−1, own and opponents'"
    ),
}


@dataclass(frozen=True)
class Line:
    rank: int
    number: int
    tally: Tally
    breaks: tuple[Fraction, ...]

    def shown(self, family: Family) -> dict[str, Any]:
        one = self.tally
        return {
            "rank": self.rank, "number": self.number, "points": str(Fraction(one.points, family.points.unit)),
            "won": one.won, "drawn": one.drawn, "lost": one.lost, "byes": one.byes, "penalty": one.penalty,
            "dropped": one.dropped,
            "tiebreaks": [
                {"name": name, "value": str(value), "decimal": decimal(value)}
                for name, value in zip(family.order, self.breaks, strict=True)
            ],
        }  # fmt: skip


@dataclass(frozen=True)
class Standings:
    family: Family
    context: Context
    lines: list[Line]

    def working(self, number: int) -> dict[str, Any]:
        """Every number of one line, term by term."""
        line = next(line for line in self.lines if line.number == number)
        return line.shown(self.family) | {
            "working": {name: working(name, self.context, number) for name in self.family.order}
        }

    def ranks(self) -> dict[int, int]:
        return {line.number: line.rank for line in self.lines}


def standings(
    numbers: Iterable[int], results: Iterable[Result], family: Family, key: bytes, *, pod: int = 2,
    dropped: Iterable[int] = (), penalties: dict[int, int] | None = None, out: Iterable[int] = (),
) -> Standings:  # fmt: skip
    """`out`: the disqualified. They leave the standings, and their results go on counting for their opponents."""
    tallies = tally(numbers, results, family.points, pod=pod, dropped=dropped, penalties=penalties)
    context = Context(tallies, family.points, pod)
    found = columns(family.order, context)
    gone = set(out)
    ranked = order([n for n in tallies if n not in gone], tallies, list(found.values()), family, key)
    exact = [{n: column.of(n) for n in ranked} for column in found.values()]
    lines = [
        Line(rank, n, tallies[n], tuple(values[n] for values in exact)) for rank, n in enumerate(ranked, 1)
    ]  # fmt: skip
    return Standings(family, context, lines)


def order(numbers: list[int], tallies: dict[int, Tally], found: list[Column], family: Family, key: bytes) -> list[int]:
    def level(n: int) -> tuple[int, ...]:
        return (-tallies[n].points, *(-column.numerators[n] for column in found))

    ranked = sorted(numbers, key=lambda n: (level(n), lot(key, n), n))
    if not family.head_to_head:
        return ranked
    settled: list[int] = []
    for _, tied in groupby(ranked, level):
        group = list(tied)
        settled += _met(group, tallies) if len(group) == 2 else group
    return settled


def _met(pair: list[int], tallies: dict[int, Tally]) -> list[int]:
    """The winner of their meetings first, if there is one."""
    a, b = pair
    met = [outcome for _, other, outcome in tallies[a].faced if other == b]
    return [b, a] if met.count("loss") > met.count("win") else [a, b]
