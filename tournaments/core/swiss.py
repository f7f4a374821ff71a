"""Swiss pairing: the one pairing of least cost, found exactly up to 500 players, in exact blocks of 500 above.

Weights are unique (forty bits of keyed noise per pair), so the optimum is one: any correct solver, on any machine, in
any order of the edges, gives the same pairs. A rematch, a second bye or a forbidden meeting of one club is not ruled
out but priced above everything softer, so a round always relaxes in the declared order, and only as far as it must.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tournaments.core.field import BASE, BYE, Costs, Entrant, Field

ALGORITHM = "arbiter-swiss/1"
EXACT = 500  # players in one exact matching; the size of a block above it
SMALL = "arbiter-swiss/1-blocks-100"  # for a house that found no time for the first one
BLOCKS = {ALGORITHM: EXACT, SMALL: 100}
WINDOW = 30  # nearest legal candidates in a block

Edge = tuple[int, int, int]  # two indices and a weight
Solver = Callable[[int, list[Edge]], set[tuple[int, int]]]


@dataclass(frozen=True)
class Round:
    pairs: list[tuple[int, int]]  # numbers, the lower first; (0, n) is n's bye


class Infeasible(Exception):
    """No pairing exists, however bad. `stuck` cannot all be seated: they may only meet `partners`."""

    def __init__(self, stuck: list[int], partners: list[int], missing: int) -> None:
        self.stuck, self.partners, self.missing = stuck, partners, missing
        whom = f"only {names(partners)} may meet them" if partners else "nobody may meet them"
        super().__init__(f"{names(stuck)} cannot all be paired: {whom}, so {missing} stay without a table.")


def names(numbers: list[int]) -> str:
    shown = ", ".join("the bye" if n == BYE else f"#{n}" for n in numbers[:12])
    return f"{shown} and {len(numbers) - 12} more" if len(numbers) > 12 else shown


def rustworkx(vertices: int, edges: list[Edge]) -> set[tuple[int, int]]:
    """Maximum weight among the matchings of most pairs. Weights are 128 bits there, ours are 120."""
    from rustworkx import PyGraph, max_weight_matching

    graph: PyGraph = PyGraph(multigraph=False)
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from(edges)
    return {(min(a, b), max(a, b)) for a, b in max_weight_matching(graph, max_cardinality=True, weight_fn=int)}


def pair(field: Field, solve: Solver = rustworkx, block: int = EXACT) -> Round:
    """The round. Raises Infeasible when pins and bans leave no way to seat everybody."""
    pinned = [(min(pin), max(pin)) for pin in field.pins]
    taken = {number for pin in pinned for number in pin}
    costs = Costs(Field(
        tuple(one for one in field.entrants if one.number not in taken), field.key, (), field.bans, field.apart,
        field.by_rank,
    ))  # fmt: skip
    found = exact(costs, solve) if len(costs.field.entrants) <= block else blockwise(costs, solve, block)
    return Round(sorted(pinned + found))


# --- up to 500 ---


def exact(costs: Costs, solve: Solver) -> list[tuple[int, int]]:
    """Every allowed pair is an edge, and in an odd field the bye is a vertex."""
    field = costs.field
    players = sorted(field.entrants, key=lambda one: one.number)
    edges = list(dense(costs, players))
    if len(players) % 2:
        bye = len(players)
        edges += [
            (i, bye, BASE - costs.bye(one).packed)
            for i, one in enumerate(players)
            if (BYE, one.number) not in field.bans
        ]
    numbers = [one.number for one in players] + [BYE] * (len(players) % 2)
    matched = solve(len(numbers), edges)
    if 2 * len(matched) < len(numbers):
        raise stuck(numbers, edges, matched, solve)
    return [_numbered(numbers, pair) for pair in matched]


def dense(costs: Costs, players: list[Entrant]) -> Iterable[Edge]:
    bans, weight = costs.field.bans, costs.weight
    for i, a in enumerate(players):
        for j in range(i + 1, len(players)):
            b = players[j]
            if not bans or (a.number, b.number) not in bans:
                yield i, j, weight(a, b)


def _numbered(numbers: list[int], pair: tuple[int, int]) -> tuple[int, int]:
    a, b = numbers[pair[0]], numbers[pair[1]]
    return (a, b) if a < b else (b, a)


# --- above ---


def blockwise(costs: Costs, solve: Solver, block: int = EXACT) -> list[tuple[int, int]]:
    """Sorted by score and lot, in blocks, each matched exactly among near candidates that never met. A block
    that has no perfect matching looks farther, then takes the next block in, and only at the end allows rematches."""
    order, pairs = costs.order(), []
    if len(order) % 2:
        order.remove(sits_out := _bye(costs, order))
        pairs.append((BYE, sits_out.number))
    members: list[Entrant] = []
    for start in range(0, len(order), block):
        members += order[start : start + block]
        found = _block(costs, members, solve)
        if found is not None:
            pairs += found
            members = []
    return pairs + (_rematches(costs, members, solve) if members else [])


def _bye(costs: Costs, order: list[Entrant]) -> Entrant:
    allowed = [one for one in order if (BYE, one.number) not in costs.field.bans]
    if not allowed:
        raise Infeasible([BYE], [], 1)
    return min(allowed, key=costs.bye)


def _block(costs: Costs, members: list[Entrant], solve: Solver) -> list[tuple[int, int]] | None:
    for window in (WINDOW, 2 * WINDOW, 4 * WINDOW):
        matched = solve(len(members), list(near(costs, members, window)))
        if 2 * len(matched) == len(members):
            numbers = [one.number for one in members]
            return [_numbered(numbers, pair) for pair in matched]
    return None


def near(costs: Costs, members: list[Entrant], window: int) -> Iterable[Edge]:
    """Each with its next `window` candidates in order that are allowed and were never met."""
    bans, weight = costs.field.bans, costs.weight
    for i, a in enumerate(members):
        left = window
        for j in range(i + 1, len(members)):
            b = members[j]
            if b.number in a.met or (bans and _pair(a, b) in bans):
                continue
            yield i, j, weight(a, b)
            left -= 1
            if not left:
                break


def _rematches(costs: Costs, members: list[Entrant], solve: Solver) -> list[tuple[int, int]]:
    edges = list(dense(costs, members)) if len(members) <= EXACT else list(_wide(costs, members))
    numbers = [one.number for one in members]
    matched = solve(len(members), edges)
    if 2 * len(matched) < len(members):
        raise stuck(numbers, edges, matched, solve)
    return [_numbered(numbers, pair) for pair in matched]


def _wide(costs: Costs, members: list[Entrant]) -> Iterable[Edge]:
    for i, a in enumerate(members):
        for j in range(i + 1, min(i + 1 + 8 * WINDOW, len(members))):
            if _pair(a, members[j]) not in costs.field.bans:
                yield i, j, costs.weight(a, members[j])


def _pair(a: Entrant, b: Entrant) -> tuple[int, int]:
    return (a.number, b.number) if a.number < b.number else (b.number, a.number)


# --- when there is none ---


def stuck(numbers: list[int], edges: list[Edge], matched: set[tuple[int, int]], solve: Solver) -> Infeasible:
    """Gallai and Edmonds: D are those whom some largest matching leaves out, A their neighbours. More odd components of
    D than members of A is the proof that nobody could do better."""
    missing = len(numbers) - 2 * len(matched)
    plain = [(a, b, 1) for a, b, _ in edges]
    left_out = set(range(len(numbers))) - {index for pair in matched for index in pair}
    for index in range(len(numbers)) if len(numbers) <= 200 else []:
        if index not in left_out:
            without = [edge for edge in plain if index not in edge[:2]]
            if len(solve(len(numbers), without)) == len(matched):
                left_out.add(index)
    around = {b if a in left_out else a for a, b, _ in edges if (a in left_out) != (b in left_out)}
    return Infeasible([numbers[i] for i in sorted(left_out)], [numbers[i] for i in sorted(around)], missing)


# --- the independent check, before anything is published ---


def faults(field: Field, pairs: list[tuple[int, int]]) -> list[str]:
    """What is wrong with a round, whoever made it: everyone once, no banned pair, every pin, one bye at most beyond the
    pinned ones. Shares nothing with the solver."""
    wrong = []
    seated = [number for pair in pairs for number in pair if number != BYE]
    wanted = {one.number for one in field.entrants} | {n for pin in field.pins for n in pin if n != BYE}
    wrong += [f"#{n} sits at {seated.count(n)} tables" for n in sorted({n for n in seated if seated.count(n) > 1})] \
        if len(set(seated)) < len(seated) else []  # fmt: skip
    wrong += [f"#{n} has no table" for n in sorted(wanted - set(seated))]
    wrong += [f"#{n} is not in this round" for n in sorted(set(seated) - wanted)]
    played = {(min(pair), max(pair)) for pair in pairs}
    wrong += [f"#{a} and #{b} must not meet" for a, b in sorted(played & field.bans) if (a, b) not in field.pins]
    wrong += [f"#{a} and #{b} are pinned together" for a, b in field.pins if (min(a, b), max(a, b)) not in played]
    free_byes = sum(BYE in pair for pair in played) - sum(BYE in pin for pin in field.pins)
    if free_byes > len(wanted) % 2 and free_byes > 1:
        wrong.append(f"{free_byes} byes, where at most one is needed")
    return wrong
