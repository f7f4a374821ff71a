"""How many rounds, and how large a cut: proposed from the tables in use, changeable by the organiser."""

from __future__ import annotations

from dataclasses import dataclass

SWISS = [(8, 3), (16, 4), (32, 5), (64, 6), (128, 7), (226, 8), (409, 9)]  # up to so many players: rounds
PODS_MSTR = [(16, 2, 4), (24, 3, 7), (32, 4, 10), (40, 5, 13), (64, 5, 16)]
PODS_TOPDECK = [(16, 2, 4), (34, 3, 4), (64, 4, 10), (128, 5, 16), (208, 6, 16), (304, 7, 16)]
POD_CUTS = (4, 7, 10, 13, 16)  # 3k+4: k winners of semifinals of four and 4−k seeds make the final


@dataclass(frozen=True)
class Proposal:
    rounds: int
    cut: int
    why: str


def swiss(players: int, *, awarded_byes: dict[int, int] | None = None, draft_playoff: bool = False) -> Proposal:
    """ceil(log2 n) up to 128, then by the table; a player with k awarded byes counts as 2^k."""
    counted = players + sum(2**k - 1 for k in (awarded_byes or {}).values())
    if players <= 3:
        return Proposal(max(1, players - 1), 0, "everybody meets everybody")
    if counted == 4:
        return Proposal(2, 0, "4 players: 2 rounds")
    rounds = next((r for most, r in SWISS if counted <= most), 10)
    if counted <= 8:
        return Proposal(3, 0, f"{counted} players: 3 rounds, no cut")
    if counted <= 16:
        return Proposal(4, 8, "9 to 16, draft playoff: 4 rounds, top 8") if draft_playoff else Proposal(
            5, 4, "9 to 16 players: 5 rounds, top 4"
        )  # fmt: skip
    return Proposal(rounds, 8, f"{counted} players: {rounds} rounds, top 8")


def pods(players: int, table: str = "topdeck") -> Proposal:
    rows = PODS_MSTR if table == "mstr" else PODS_TOPDECK
    rounds, cut = next(((r, c) for most, r, c in rows if players <= most), rows[-1][1:])
    return Proposal(rounds, cut if players > cut else 0, f"{players} players in pods: {rounds} rounds, top {cut}")


def warning(players: int, rounds: int) -> str | None:
    """Late rounds of a small event may have no pairing without rematches: say so before it happens."""
    if players >= 3 and rounds >= players - 2:
        needed = players - 1 + players % 2
        return (
            f"{rounds} Swiss rounds with {players} players run out of new opponents; a round robin ({needed} rounds) "
            "gives everybody every opponent once."
        )
    return None
