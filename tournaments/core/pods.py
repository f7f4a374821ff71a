"""Pods of three to six for free-for-all games: full ones if possible, few who meet again, short pods shared out.

Exact pairing is NP-hard for three and more, so: sort by score and lot, cut into pods, then swap players between pods
nearby as long as that lowers the cost. Every step is deterministic, so the round can be recomputed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from tournaments.core.field import Costs, Entrant, Field
from tournaments.core.noise import lot, noise

ALGORITHM = "arbiter-pods/1"
NEAR = 12  # pods on either side that somebody may be swapped with
SWEEPS = 40


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


def _penalty(a: Entrant, b: Entrant) -> int:
    gap = min(abs(a.score - b.score), 255)
    return (a.met.get(b.number, 0) << 40) + (gap * gap << 8)


def cost(pod: list[Entrant], size: int, short: dict[int, int]) -> int:
    total = sum(_penalty(a, b) for a, b in combinations(pod, 2))
    if len(pod) < size:
        total += sum(short.get(one.number, 0) << 32 for one in pod)
    return total


def pair(field: Field, size: int = 4, short: dict[int, int] | None = None, first: dict[int, int] | None = None) -> Pods:
    """`short`: how often somebody sat in a short pod; `first`: how often in the first seat."""
    short, key = short or {}, field.key
    order = Costs(field).order()
    shape, byes = sizes(len(order), size)
    out = sorted(order, key=lambda one: (one.byes, one.score, lot(key, one.number)))[:byes]
    order = [one for one in order if one not in out]
    tables, start = [], 0
    for width in shape:
        tables.append(order[start : start + width])
        start += width
    _repair(tables, size, short)
    return Pods([_seats(pod, first or {}, key) for pod in tables], sorted(one.number for one in out))


def _repair(tables: list[list[Entrant]], size: int, short: dict[int, int]) -> None:
    """Swap as long as a swap helps; only pods with something wrong in them are looked at."""
    costs = [cost(pod, size, short) for pod in tables]
    small = len(tables) <= 4  # then every swap is tried, not only those that mend a repeat
    for _ in range(SWEEPS):
        changed = False
        for i in range(len(tables)):
            if not small and not costs[i] >> 32:
                continue
            for j in sorted(range(max(0, i - NEAR), min(len(tables), i + NEAR + 1)), key=lambda j: (abs(j - i), j)):
                if j != i and _best_swap(tables, costs, i, j, size, short):
                    changed = True
                    if not small and not costs[i] >> 32:
                        break
        if not changed:
            return


def _best_swap(tables: list[list[Entrant]], costs: list[int], i: int, j: int, size: int, short: dict[int, int]) -> bool:
    best, found = costs[i] + costs[j], None
    for a in range(len(tables[i])):
        for b in range(len(tables[j])):
            left, right = tables[i][:], tables[j][:]
            left[a], right[b] = right[b], left[a]
            new = (cost(left, size, short), cost(right, size, short))
            if sum(new) < best:
                best, found = sum(new), (left, right, new)
    if found is None:
        return False
    tables[i], tables[j], (costs[i], costs[j]) = found
    return True


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
