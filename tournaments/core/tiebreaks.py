"""Tiebreaks in exact numbers, each with its working. A column holds one tiebreak for everybody: whole numerators over
one common denominator, so that comparing is comparing integers, and nothing is rounded but on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from tournaments.core.tally import Points, Tally

Tallies = dict[int, Tally]
MAGIC_FLOOR = Fraction(33, 100)  # the literal 0.33, not a third


class Column(NamedTuple):
    numerators: dict[int, int]
    denominator: int

    def of(self, number: int) -> Fraction:
        return Fraction(self.numerators[number], self.denominator)


def ratios(parts: dict[int, tuple[int, int]], floor: Fraction = Fraction(0), ceiling: Fraction | None = None) -> Column:
    """part / whole for each (0 / 0 is 0), not below the floor, not above the ceiling."""
    common = lcm(floor.denominator, ceiling.denominator if ceiling else 1, *{whole or 1 for _, whole in parts.values()})
    low = floor.numerator * (common // floor.denominator)
    high = ceiling.numerator * (common // ceiling.denominator) if ceiling else None
    found = {}
    for number, (part, whole) in parts.items():
        value = max(low, part * (common // (whole or 1)))
        found[number] = value if high is None else min(high, value)
    return Column(found, common)


def means(of: Column, over: dict[int, list[int]], extra: dict[int, list[Fraction]] | None = None) -> Column:
    """The mean of a column over a list of others; 0 over nobody. `extra` adds values of nobody's."""
    extra = extra or {}
    added = {n: (sum(values, Fraction(0)), len(values)) for n, values in extra.items()}
    base = lcm(of.denominator, *{total.denominator for total, _ in added.values()})
    scale = base // of.denominator
    counts = {n: len(others) + (added[n][1] if n in added else 0) for n, others in over.items()}
    common = lcm(*{count or 1 for count in counts.values()}) if counts else 1
    values, found = of.numerators, {}
    for number, others in over.items():
        total = sum([values[other] for other in others]) * scale
        if number in added:
            total += added[number][0].numerator * (base // added[number][0].denominator)
        found[number] = total * (common // (counts[number] or 1))
    return Column(found, base * common)


def opponents(tallies: Tallies) -> dict[int, list[int]]:
    return {n: [other for _, other, _ in one.faced] for n, one in tallies.items()}


# --- percentages ---


def match_wins(t: Tallies, floor: Fraction = MAGIC_FLOOR) -> Column:
    return ratios({n: (max(0, one.points), one.most) for n, one in t.items()}, floor)


def game_wins(t: Tallies) -> Column:
    return ratios({n: (one.game_points, 3 * one.games) for n, one in t.items()}, MAGIC_FLOOR)


def pokemon_wins(t: Tallies) -> Column:
    """Wins / rounds without byes; 25 % at least; 75 % at most for who dropped."""
    stay = {n: (one.won - one.byes, one.rounds - one.byes) for n, one in t.items()}
    column = ratios(stay, Fraction(1, 4), Fraction(1))
    most = Fraction(3, 4)
    common = lcm(column.denominator, 4)
    scale, high = common // column.denominator, most.numerator * (common // 4)
    return Column(
        {n: min(v * scale, high) if t[n].dropped else v * scale for n, v in column.numerators.items()}, common
    )


def pod_wins(t: Tallies, points: Points, pod: int) -> Column:
    """Points / possible points without byes, at least 1 / (points of a win)."""
    bye = points.for_bye(pod)
    win = points.of("win", pod)
    return ratios(
        {n: (max(0, one.points - one.byes * bye), one.most - one.byes * win) for n, one in t.items()}, Fraction(1, win)
    )


# --- the tiebreaks by name ---


@dataclass(frozen=True)
class Context:
    tallies: Tallies
    points: Points
    pod: int = 2


def omw(c: Context) -> Column:
    return means(match_wins(c.tallies), opponents(c.tallies))


def gw(c: Context) -> Column:
    return game_wins(c.tallies)


def ogw(c: Context) -> Column:
    return means(game_wins(c.tallies), opponents(c.tallies))


def pokemon_own(c: Context) -> Column:
    return pokemon_wins(c.tallies)


def opponents_wins(c: Context) -> Column:
    return means(pokemon_wins(c.tallies), opponents(c.tallies))


def opponents_opponents(c: Context) -> Column:
    return means(opponents_wins(c), opponents(c.tallies))


def buchholz(c: Context) -> Column:
    t = c.tallies
    return Column({n: sum(t[other].points for _, other, _ in one.faced) for n, one in t.items()}, c.points.unit)


def median(c: Context) -> Column:
    """Buchholz without the best and the worst opponent."""
    t = c.tallies
    scores = {n: sorted(t[other].points for _, other, _ in one.faced) for n, one in t.items()}
    return Column({n: sum(found[1:-1]) for n, found in scores.items()}, c.points.unit)


HALVES = {"win": 2, "draw": 1, "loss": 0}


def sonneborn(c: Context) -> Column:
    """Σ opponent's points × (1 for a win, ½ for a draw). A bye: a virtual opponent with the own score before the round,
    a loss there, draws in all rounds after it."""
    t, last, found = c.tallies, last_round(c), {}
    for n, one in t.items():
        total = sum(HALVES[outcome] * t[other].points for _, other, outcome in one.faced)
        found[n] = total + 2 * sum(points for _, points in virtual(c, one, last))
    return Column(found, 2 * c.points.unit)


def last_round(c: Context) -> int:
    return max((one.faced[-1][0] for one in c.tallies.values() if one.faced), default=0)


def virtual(c: Context, one: Tally, last: int) -> list[tuple[int, int]]:
    """The virtual opponents of an entrant's byes: round and points."""
    return [(round_, before + c.points.draw * max(0, last - round_)) for round_, before in one.before_bye]


def sos(c: Context) -> Column:
    """Opponents' points per game of theirs, weighted by the matches against them."""
    t = c.tallies
    return means(ratios({n: (max(0, one.points), one.rounds) for n, one in t.items()}), opponents(t))


def esos(c: Context) -> Column:
    return means(sos(c), opponents(c.tallies))


def pod_mwp(c: Context) -> Column:
    return pod_wins(c.tallies, c.points, c.pod)


def opponents_points(c: Context) -> Column:
    t = c.tallies
    return means(Column({n: one.points for n, one in t.items()}, 1), opponents(t))


def pod_omw(c: Context) -> Column:
    return means(pod_wins(c.tallies, c.points, c.pod), opponents(c.tallies))


VIRTUAL = Fraction(1, 5)  # TopDeck: a bye is three virtual opponents at 0.20


def topdeck_owr(c: Context) -> Column:
    extra = {n: [VIRTUAL] * (3 * one.byes) for n, one in c.tallies.items() if one.byes}
    return means(pod_wins(c.tallies, c.points, c.pod), opponents(c.tallies), extra)


TIEBREAKS: dict[str, Callable[[Context], Column]] = {
    "omw": omw, "gw": gw, "ogw": ogw, "win": pokemon_own, "op_win": opponents_wins, "op_op_win": opponents_opponents,
    "buchholz": buchholz, "median": median, "sonneborn": sonneborn, "sos": sos, "esos": esos, "mwp": pod_mwp,
    "opponents_points": opponents_points, "pod_omw": pod_omw, "owr": topdeck_owr,
}  # fmt: skip

MEANS: dict[str, tuple[str, Callable[[Context], Column]]] = {  # what is averaged over the opponents
    "omw": ("match points / possible, at least 0.33", lambda c: match_wins(c.tallies)),
    "ogw": ("game points / possible, at least 0.33", lambda c: game_wins(c.tallies)),
    "op_win": ("wins / rounds without byes, 25 % to 100 % (75 % if dropped)", lambda c: pokemon_wins(c.tallies)),
    "op_op_win": ("mean of that over the opponents", opponents_wins),
    "sos": ("points / rounds", lambda c: ratios({n: (max(0, o.points), o.rounds) for n, o in c.tallies.items()})),
    "esos": ("strength of schedule", sos),
    "opponents_points": ("points", lambda c: Column({n: o.points for n, o in c.tallies.items()}, 1)),
    "pod_omw": ("points / possible without byes", lambda c: pod_wins(c.tallies, c.points, c.pod)),
    "owr": ("points / possible without byes", lambda c: pod_wins(c.tallies, c.points, c.pod)),
}


def working(name: str, c: Context, number: int) -> dict[str, Any]:
    """How one number came about, term by term."""
    one, value = c.tallies[number], TIEBREAKS[name](c).of(number)
    shown: dict[str, Any] = {"value": str(value), "decimal": decimal(value)}
    if name in MEANS:
        what, column_of = MEANS[name]
        column = column_of(c)
        shown["formula"] = f"mean over {len(one.faced)} matches of the opponent's ({what})"
        shown["terms"] = [
            {"round": r, "opponent": other, "value": str(column.of(other)), **_own(c.tallies[other])}
            for r, other, _ in one.faced
        ]
        if name == "owr" and one.byes:
            shown["formula"] += f"; {3 * one.byes} virtual opponents at 1/5 for byes"
    elif name in ("buchholz", "median", "sonneborn"):
        shown["formula"] = FORMULAS[name]
        shown["terms"] = [
            {
                "round": r,
                "opponent": other,
                "outcome": outcome,
                "points": str(Fraction(c.tallies[other].points, c.points.unit)),
            }
            for r, other, outcome in one.faced
        ]
        if one.before_bye and name == "sonneborn":
            shown["formula"] += "; for a bye, a virtual opponent: the own points before it, a loss, then draws"
            shown["terms"] += [
                {"round": r, "opponent": 0, "outcome": "win", "points": str(Fraction(points, c.points.unit))}
                for r, points in virtual(c, one, last_round(c))
            ]
    else:
        shown["formula"] = FORMULAS[name]
        shown["terms"] = [_own(one)]
    return shown


FORMULAS = {
    "gw": "game points / (3 × games), at least 0.33; a bye is 2–0",
    "win": "wins / rounds, byes left out of both; 25 % to 100 %, 75 % at most if dropped",
    "mwp": "points / possible points, byes left out of both; at least 1 / points of a win",
    "buchholz": "sum of the opponents' points",
    "median": "sum of the opponents' points without the best and the worst",
    "sonneborn": "sum of the opponents' points × (1 for a win, ½ for a draw)",
}


def _own(one: Tally) -> dict[str, int]:
    return {
        "points": one.points, "possible": one.most, "rounds": one.rounds, "game_points": one.game_points,
        "games": one.games, "byes": one.byes,
    }  # fmt: skip


def decimal(value: Fraction, places: int = 4) -> str:
    """For people; rounded half up, never compared."""
    scaled = (abs(value.numerator) * 10**places * 2 + value.denominator) // (2 * value.denominator)
    return f"{'-' if value < 0 else ''}{scaled // 10**places}.{scaled % 10**places:0{places}}"


def columns(names: Iterable[str], c: Context) -> dict[str, Column]:
    return {name: TIEBREAKS[name](c) for name in names}
