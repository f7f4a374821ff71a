"""Who drafts with whom: pods of about eight, chairs by lot. Anybody with the stage's key seats them again."""

from __future__ import annotations

from tournaments.core.noise import lot

ALGORITHM = "arbiter-seats/1"
USUAL, LARGEST, SMALLEST = 8, 10, 2
"""Eight sit at a table; up to ten stay together rather than being split (organisers' practice); nobody drafts alone."""


def sizes(players: int, seats: int = 0) -> list[int]:
    """The fewest pods of at most so many seats, as even as can be, the larger ones first. 0: the usual table."""
    most = seats or (players if players <= LARGEST else USUAL)
    count = max(1, min(-(-players // most), players // SMALLEST))
    small, larger = divmod(players, count)
    return [small + 1] * larger + [small] * (count - larger)


def seated(numbers: list[int], key: bytes, seats: int = 0) -> list[list[int]]:
    """The pods in order, each in seat order; a seat passes its first pack to the next."""
    order = sorted(numbers, key=lambda number: (lot(key, number), number))
    pods, at = [], 0
    for size in sizes(len(order), seats):
        pods.append(order[at : at + size])
        at += size
    return pods
