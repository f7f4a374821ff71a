"""Pods of three to six for free-for-all games: full ones if possible, few who meet again, short pods shared out.

Exact pairing is NP-hard for three and more, so: sort by score and lot, cut into pods, then swap players between pods
nearby as long as that lowers the cost. Every step is deterministic, so the round can be recomputed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from tournaments.core.field import BYE, Costs, Entrant, Field
from tournaments.core.noise import lot, noise
from tournaments.core.swiss import Infeasible

ALGORITHM = "arbiter-pods/2"
NEAR = 12  # pods on either side that somebody may be swapped with
SWEEPS = 40
SMALL, STARTS = 16, 24  # up to so many players the search begins anew so often
HARD = 1 << 60  # the cost of a broken pin or ban
WRONG = 26  # bits below are score gaps: nothing to mend for their sake in a large field
WORD = 1 << 32


@dataclass(frozen=True)
class Pods:
    tables: list[list[int]]  # seat order
    byes: list[int]


def sizes(players: int, size: int = 4) -> tuple[list[int], int]:
    """Pod sizes, and how many have a bye. As many of `size` as possible, then one less; only where that does not add up
    (1, 2 and 5 players in pods of four) somebody is left out."""
    small = size - 1
    for byes in range(min(players, size) + 1):
        rest = players - byes
        for short in range(rest // small + 1):
            if (rest - short * small) % size == 0 and (rest - short * small) >= 0:
                return [size] * ((rest - short * small) // size) + [small] * short, byes
    return [], players


@dataclass(frozen=True)
class Rules:
    """What a table costs. A broken pin or ban is worse than anything; then who meets again, who sits in a short pod
    again, who is of one club where clubs are kept apart, and how far the scores are apart."""

    size: int
    short: dict[int, int]  # how often somebody sat in a short pod
    bans: frozenset[tuple[int, int]]
    pins: tuple[tuple[int, int], ...]
    apart: bool

    def cost(self, pod: list[Entrant]) -> int:
        total = 0
        for a, b in combinations(pod, 2):
            gap = min(abs(a.score - b.score), 255)
            total += (a.met.get(b.number, 0) << 40) + gap * gap
            if self.apart and a.group and a.group == b.group:
                total += 1 << 26
            if self.bans and (min(a.number, b.number), max(a.number, b.number)) in self.bans:
                total += HARD
        if len(pod) < self.size:
            total += sum(self.short.get(one.number, 0) << 32 for one in pod)
        if self.pins:
            inside = {one.number for one in pod}
            total += sum(HARD for a, b in self.pins if (a in inside) != (b in inside))
        return total


def pair(field: Field, size: int = 4, short: dict[int, int] | None = None, first: dict[int, int] | None = None) -> Pods:
    """`short`: how often somebody sat in a short pod; `first`: how often in the first seat. Raises Infeasible when pins
    and bans are still broken after everything was tried."""
    key = field.key
    byes_pinned = sorted(max(pin) for pin in field.pins if BYE in pin)
    pins = tuple(pin for pin in field.pins if BYE not in pin)
    rules = Rules(size, short or {}, field.bans, pins, field.apart)
    order = [one for one in Costs(field).order() if one.number not in byes_pinned]
    shape, byes = sizes(len(order), size)
    held = {n for pin in pins for n in pin} | {b for a, b in field.bans if a == BYE}
    able = [one for one in order if one.number not in held]
    out = sorted(able, key=lambda one: (one.byes, one.score, lot(key, one.number)))[:byes]
    if len(out) < byes:
        raise Infeasible([one.number for one in order if one.number in held], [BYE], byes - len(out))
    order = [one for one in order if one not in out]
    tables = _best(order, shape, rules, key)
    if broken := sorted(one.number for pod in tables if rules.cost(pod) >= HARD for one in pod):
        wanted = {n for pin in pins for n in pin} | {n for ban in field.bans for n in ban}
        raise Infeasible([n for n in broken if n in wanted] or broken, [], 1)
    return Pods([_seats(pod, first or {}, key) for pod in tables], sorted([one.number for one in out] + byes_pinned))


def _best(order: list[Entrant], shape: list[int], rules: Rules, key: bytes) -> list[list[Entrant]]:
    """The sorted field, cut and repaired. A small one begins from several other orders too: the best is taken."""
    starts = 1 if len(order) > SMALL else STARTS
    best: list[list[Entrant]] = []
    least = -1
    for start in range(starts):
        line = order if start == 0 else sorted(order, key=lambda one: noise(key, one.number, WORD - start))
        tables, at = [], 0
        for width in shape:
            tables.append(line[at : at + width])
            at += width
        _repair(tables, rules)
        total = sum(rules.cost(pod) for pod in tables)
        if least < 0 or total < least:
            best, least = tables, total
    return best


def _repair(tables: list[list[Entrant]], rules: Rules) -> None:
    """Swap as long as a swap helps; only pods with something wrong in them are looked at, and pods with a broken pin or
    ban look at all others."""
    costs = [rules.cost(pod) for pod in tables]
    small = len(tables) <= 4  # then every swap is tried, not only those that mend a repeat
    for _ in range(SWEEPS):
        changed = False
        for i in range(len(tables)):
            if not small and not costs[i] >> WRONG:
                continue
            near = len(tables) if costs[i] >= HARD else NEAR
            for j in sorted(range(max(0, i - near), min(len(tables), i + near + 1)), key=lambda j: (abs(j - i), j)):
                if j != i and _best_swap(tables, costs, i, j, rules):
                    changed = True
                    if not small and not costs[i] >> WRONG:
                        break
        if not changed:
            return


def _best_swap(tables: list[list[Entrant]], costs: list[int], i: int, j: int, rules: Rules) -> bool:
    best, found = costs[i] + costs[j], None
    for a in range(len(tables[i])):
        for b in range(len(tables[j])):
            left, right = tables[i][:], tables[j][:]
            left[a], right[b] = right[b], left[a]
            new = (rules.cost(left), rules.cost(right))
            if sum(new) < best:
                best, found = sum(new), (left, right, new)
    if found is None:
        return False
    tables[i], tables[j], (costs[i], costs[j]) = found
    return True


def faults(field: Field, tables: list[list[int]], size: int = 4) -> list[str]:
    """What is wrong with a round of pods, whoever made it: everyone once, no banned pair, every pin, as many full
    pods as the field allows. Shares nothing with the search."""
    wrong = []
    seated, wanted = [n for table in tables for n in table], sorted(one.number for one in field.entrants)
    if sorted(seated) != wanted:
        wrong.append("not everybody sits at one table")
    together = {(min(a, b), max(a, b)) for table in tables for a, b in combinations(table, 2)}
    alone = {(BYE, table[0]) for table in tables if len(table) == 1}
    wrong += [f"#{a} and #{b} must not meet" for a, b in sorted((together | alone) & field.bans)]
    pins = {(min(pin), max(pin)) for pin in field.pins}
    wrong += [f"#{a} and #{b} are pinned together" for a, b in sorted(pins - together - alone)]
    given = sum(BYE in pin for pin in pins)
    shape, byes = sizes(len(wanted) - given, size)
    if sorted(len(table) for table in tables) != sorted([*shape, *[1] * (byes + given)]):
        wrong.append("the pods are not as full as they could be")
    return wrong


def _seats(pod: list[Entrant], first: dict[int, int], key: bytes) -> list[int]:
    """Whoever sat first least often does; the rest by lot."""
    drawn = sorted(pod, key=lambda one: (first.get(one.number, 0), noise(key, one.number, 0), one.number))
    rest = sorted(drawn[1:], key=lambda one: (noise(key, one.number, one.number), one.number))
    return [drawn[0].number, *(one.number for one in rest)]


# --- elimination in pods of four ---


def cut_pods(seeds: list[int]) -> tuple[list[list[int]], list[int]]:
    """Semifinals of 3k+4 seeds: the pods, by snake, and who goes straight to the final."""
    semifinals = (len(seeds) - 4) // 3
    straight, rest = seeds[: 4 - semifinals], seeds[4 - semifinals :]
    if semifinals == 0:
        return [], seeds
    tables: list[list[int]] = [[] for _ in range(semifinals)]
    for place, number in enumerate(rest):
        lap, at = divmod(place, semifinals)
        tables[at if lap % 2 == 0 else semifinals - 1 - at].append(number)
    return tables, straight
